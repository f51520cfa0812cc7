"""Every number that comes in has a least and a most, every text and every list a length."""

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from puntobanco.cage import messages as cage
from puntobanco.register import messages as register
from puntobanco.server.api import HALVES, HOUSE_ONLY, INTERNAL
from puntobanco.table import commands as c

UNGIVEN = (*HOUSE_ONLY, *HALVES, *INTERNAL)
"""Given by the house itself, never through the web."""
GIVEN = [
    kind
    for union in (c.TableCommand, cage.Ask, register.Ask)
    for kind in get_args(union)
    if kind not in UNGIVEN
]


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


@pytest.mark.parametrize("kind", GIVEN, ids=lambda kind: kind.__name__)
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
