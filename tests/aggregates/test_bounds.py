"""Every number that comes in has a least and a most, every text and every list a length."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg
from litestar.typing import FieldDefinition
from msgspec import inspect

from puntobanco.competition.commands import CompetitionCommand
from puntobanco.journal import sqlite
from puntobanco.server.commands.api import CAGE, REGISTER, TABLE
from puntobanco.server.openapi import NAMES, described
from tests.kit.house.driver import house_over
from tests.kit.office import app_over

GIVEN = (*TABLE, *CAGE, *REGISTER)
DECIDED = tuple(dict.fromkeys((*GIVEN, *get_args(CompetitionCommand))))


@pytest.fixture
def app(tmp_path: Path) -> Litestar:
    return app_over(house_over(sqlite.open_log(tmp_path / "house.db")))


def unbounded(kind: inspect.Type, where: str) -> Iterator[str]:
    """Whatever within a type can grow without end."""
    match kind:
        case inspect.IntType(ge=None) | inspect.IntType(le=None):
            yield where
        case inspect.StrType(max_length=None) | inspect.FloatType() | inspect.AnyType():
            yield where
        case inspect.CollectionType(item_type=item, max_length=most):
            yield from [where] if most is None else []
            yield from unbounded(item, f"{where}[]")
        case inspect.DictType(key_type=key, value_type=value, max_length=most):
            yield from [where] if most is None else []
            yield from unbounded(key, f"{where}[]")
            yield from unbounded(value, f"{where}[]")
        case inspect.TupleType(item_types=items) | inspect.UnionType(types=items):
            for item in items:
                yield from unbounded(item, where)
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from unbounded(field.type, f"{where}.{field.name}")
        case inspect.Metadata(type=inner):
            yield from unbounded(inner, where)
        case _:
            assert isinstance(
                kind,
                inspect.IntType
                | inspect.StrType
                | inspect.BoolType
                | inspect.NoneType
                | inspect.EnumType
                | inspect.LiteralType,
            ), f"{where}: {kind}"


@pytest.mark.parametrize("kind", DECIDED, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_nothing_in_a_command_is_unbounded(kind: type[msgspec.Struct]) -> None:
    assert list(unbounded(inspect.type_info(kind), kind.__name__)) == []


def test_the_walk_finds_what_has_no_bounds() -> None:
    class Loose(msgspec.Struct):
        number: int
        half: Any
        words: tuple[str, ...]

    assert list(unbounded(inspect.type_info(Loose), "")) == [
        ".number",
        ".half",
        ".words",
        ".words[]",
    ]


def parameters(handler: HTTPRouteHandler) -> Iterator[tuple[str, FieldDefinition]]:
    """What a handler takes from path, query and header; a body is a struct, and walked above."""
    for name, field in handler.parsed_fn_signature.parameters.items():
        if field.is_subclass_of((str, int, float)):
            yield name, field


def test_every_word_and_number_of_a_path_query_or_header_is_bounded(app: Litestar) -> None:
    """Of the pages, too; what the framework serves by itself is its own business."""
    loose = [
        f"{handler.handler_name}: {name}"
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if isinstance(handler, HTTPRouteHandler) and "puntobanco" in handler.fn.__module__
        for name, field in parameters(handler)
        if not is_bounded(field)
    ]
    assert loose == []


NOTHING = "an answer without a body"


def is_bounded(field: FieldDefinition) -> bool:
    most = field.kwarg_definition
    if not isinstance(most, ParameterKwarg):
        return False
    if field.is_subclass_of(bool):
        return True
    if field.is_subclass_of(str):
        return most.max_length is not None
    return most.ge is not None and most.le is not None


def test_the_description_says_it_all(app: Litestar) -> None:
    """Every operation has its errors in the one shape, every struct taken forbids what it lacks."""
    document = described(app.openapi_schema.to_schema())
    structs = document["components"]["schemas"]
    assert set(structs["Error"]["required"]) == {"reason", "clause", "detail", "remedy"}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert {"400", "401", "403", "404", "409", "503"} <= set(operation["responses"]), path
            assert ("413" in operation["responses"]) == (method == "post"), path
            for status, answer in operation["responses"].items():
                (content,) = answer.get("content", {NOTHING: {"schema": None}}).values()
                shape = content["schema"]
                assert (shape == {"$ref": "#/components/schemas/Error"}) == (status >= "400"), path
    for kind in GIVEN:
        struct = structs[kind.__name__]
        assert struct["additionalProperties"] is False
        assert "do" not in struct["required"]
    assert r"\A" not in msgspec.json.encode(structs).decode()


def test_the_description_names_every_struct_once(app: Litestar) -> None:
    """The framework's names are the ones that operations refer to, but for two of one name."""
    framework = app.openapi_schema.to_schema()["components"]["schemas"]
    assert {kind.__name__ for kind in GIVEN} <= {NAMES.get(name, name) for name in framework}
