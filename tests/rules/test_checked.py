"""What is given to table, cage and register is checked first: every field of every command."""

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct, inspect

from puntobanco.cage import commands as cage
from puntobanco.cage import decide as cage_decide
from puntobanco.cage.state import Cage
from puntobanco.errors import Reason, Refused
from puntobanco.register import commands as register
from puntobanco.register import decide as register_decide
from puntobanco.register.settings import ClockChange
from puntobanco.register.state import Register
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table import decide as table_decide
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.state import Table
from puntobanco.words import one_line
from tests.kit.table.at import ready

ANYBODY = Actor("mara", frozenset(Role), 0)
Decide = Callable[[Any, Any, Actor], object]
AGGREGATES: tuple[tuple[Any, Decide, object], ...] = (
    (c.TableCommand, table_decide.decide, Table()),
    (c.TableCommand, table_decide.foresee, Table()),
    (c.TableCommand, table_decide.run, Table()),
    (cage.CageCommand, cage_decide.decide, Cage()),
    (register.RegisterCommand, register_decide.decide, Register()),
)
EVERY = [
    pytest.param(kind, decide, state, id=f"{decide.__module__}.{decide.__name__} {kind.__name__}")
    for union, decide, state in AGGREGATES
    for kind in get_args(union)
]
WORDS = ("ann", "0" * 64, "", "table-1", "#20634a")
SOMETHING = object()
FILLED_IN = (register.KeepRuleset, register.SetTimeZone)
"""The house fills in a part of these, and that part is held against more than its type."""
MOST_ITEMS = 1000
"""Longer lists than this are not made too long here."""


def valid(kind: inspect.Type) -> Any:
    """A value that the type allows."""
    make: dict[type[inspect.Type], Callable[[Any], Any]] = {
        inspect.IntType: lambda kind: kind.ge or 0,
        inspect.StrType: valid_word,
        inspect.BoolType: lambda _: True,
        inspect.EnumType: lambda kind: next(iter(kind.cls)),
        inspect.LiteralType: lambda kind: kind.values[0],
        inspect.VarTupleType: lambda kind: (valid(kind.item_type),) * (kind.min_length or 0),
        inspect.TupleType: lambda kind: tuple(map(valid, kind.item_types)),
        inspect.DictType: lambda kind: (
            {valid(kind.key_type): valid(kind.value_type)} if kind.min_length else {}
        ),
        inspect.UnionType: lambda kind: valid(kind.types[0]),
        inspect.StructType: lambda kind: kind.cls(
            **{field.name: valid(field.type) for field in kind.fields if field.required}
        ),
        inspect.Metadata: lambda kind: valid(kind.type),
    }
    return make[type(kind)](kind)


def valid_word(kind: inspect.StrType) -> str:
    return next(
        word
        for word in WORDS
        if len(word) >= (kind.min_length or 0) and re.search(kind.pattern or "", word)
    )


def wrong(kind: inspect.Type) -> Iterator[Any]:
    """Values of another type, below the least and above the most, within structs too."""
    yield from (SOMETHING, math.nan, b"ann")
    match kind:
        case inspect.IntType(ge=int(least), le=int(most)):
            yield from ("5", 12.345, 1.0, True, Decimal(5), least - 1, most + 1, 10**40)
        case inspect.StrType():
            yield from wrong_words(kind)
        case inspect.BoolType() | inspect.EnumType() | inspect.LiteralType():
            yield from (5, "no such thing")
        case inspect.TupleType(item_types=items):
            yield (valid(items[0]),) * (len(items) + 1)
        case inspect.VarTupleType() | inspect.DictType():
            yield from wrong_items(kind)
        case inspect.UnionType(types=types):
            yield from wrong(types[0])
        case inspect.StructType():
            yield 5
            yield from (given for _, given in with_a_wrong_field(kind))
        case inspect.Metadata(type=inner):
            yield from wrong(inner)
        case _:
            raise AssertionError(kind)


def wrong_words(kind: inspect.StrType) -> Iterator[Any]:
    yield from (5, "\ud800", "a" * (kind.max_length + 1 if kind.max_length else 65))
    yield from ["\x00"] if kind.pattern else []
    yield from [""] if kind.min_length else []


def wrong_items(kind: inspect.VarTupleType | inspect.DictType) -> Iterator[Any]:
    yield 5
    match kind:
        case inspect.VarTupleType(item_type=item, max_length=int(most)):
            yield from ((value,) for value in wrong(item))
            yield from [(valid(item),) * (most + 1)] if most <= MOST_ITEMS else []
        case inspect.DictType(key_type=key, value_type=value):
            yield from ({wrong_key: valid(value)} for wrong_key in (15_000, "\x00"))
            yield from ({valid(key): wrong_value} for wrong_value in wrong(value))
        case _:
            raise AssertionError(kind)


def with_a_wrong_field(kind: inspect.StructType) -> Iterator[tuple[str, Struct]]:
    """A struct with one field after another set to what it cannot be."""
    right = valid(kind)
    for field in kind.fields:
        for value in wrong(field.type):
            yield field.name, msgspec.structs.replace(right, **{field.name: value})


def refusal(decide: Decide, state: object, given: object) -> Refused:
    with pytest.raises(Refused) as caught:
        decide(state, given, ANYBODY)
    assert caught.value.reason is Reason.MALFORMED, given
    return caught.value


@pytest.mark.parametrize(("kind", "decide", "state"), EVERY)
def test_every_field_of_every_command_is_checked(
    kind: type[Struct], decide: Decide, state: object
) -> None:
    about = inspect.type_info(kind)
    assert isinstance(about, inspect.StructType)
    for name, given in with_a_wrong_field(about):
        refused = refusal(decide, state, given)
        assert refused.facts["command"] == kind.__struct_config__.tag
        assert re.match(rf"{name}\b", str(refused.facts["field"])), one_line(refused)
    try:
        decide(state, valid(about), ANYBODY)  # what is right may be refused, but it was read
    except Refused as refused:
        assert refused.reason is not Reason.MALFORMED or kind in FILLED_IN  # noqa: PT017


@pytest.mark.parametrize(("union", "decide", "state"), AGGREGATES)
def test_only_commands_of_its_own_are_decided(union: Any, decide: Decide, state: object) -> None:
    class Likeness(c.Command, frozen=True, tag="run-out"):
        pass

    others = {kind for other, _, _ in AGGREGATES for kind in get_args(other)}
    foreign = [valid(inspect.type_info(kind)) for kind in others - set(get_args(union))]
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    for given in (
        *foreign, None, 5, "run-out", {"do": "run-out"}, SOMETHING, deep, Likeness(), c.BuyIn,
        events.NoMoreBetsCalled(), msgspec.Raw(b"\xc1"), c.BuyIn(msgspec.Raw(b"\xc1"), "ann"),  # type: ignore[arg-type]
    ):  # fmt: skip
        refused = refusal(decide, state, given)
        assert len(one_line(refused)) < 300


def test_a_plain_string_is_a_bet_or_refused() -> None:
    at = ready().bet()
    (placed,) = at.do("ann", c.PlaceWager(1, "banker", 2500))  # type: ignore[arg-type]
    assert isinstance(placed, events.WagerPlaced)
    assert placed.wager.on is Bet.BANKER
    misspelt = c.PlaceWager(1, "bankr", 2500)  # type: ignore[arg-type]
    at.refuse("ann", misspelt, Reason.MALFORMED)


def test_a_text_is_kept_only_under_its_own_digest() -> None:
    keep = register.KeepRuleset("tas-2018", "0" * 64, "text")
    refused = refusal(register_decide.decide, Register(), keep)
    assert "SHA-256" in one_line(refused)


@pytest.mark.parametrize("from_ms", [(), (5,), (0, 9, 5), (0, 5, 5)])
def test_what_clocks_show_begins_at_the_beginning_and_goes_on(from_ms: tuple[int, ...]) -> None:
    offsets = tuple(ClockChange(at, 600) for at in from_ms)
    refused = refusal(
        register_decide.decide, Register(), register.SetTimeZone("Asia/Singapore", offsets)
    )
    assert "offsets" in one_line(refused)
