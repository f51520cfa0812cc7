"""What a person can do at a table now; and of all else, why not."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor
from puntobanco.table.authority import (
    AUTHORITY,
    Allowed,
    check_listed,
    check_open,
    name_of,
    stands_for,
)
from puntobanco.table.decide import foresee
from puntobanco.table.queries.coup import coups_at_hand
from puntobanco.table.state import Table

Decide = Callable[[Any, Any, Actor], object]
ANY: Mapping[str, object] = MappingProxyType({})


def refusal(
    table: Table, kind: type[c.Command], by: Actor, facts: Mapping[str, object] = ANY
) -> Refused | None:
    """Why somebody cannot give this command now, with these facts; None: they can. A substitute
    can what the player can [tas-2018:16.3.3, act-2015:15.11].
    """
    by = stands_for(table, by)
    try:
        check_open(table, kind, by)
    except Refused as refused:
        return refused
    allowed = AUTHORITY[kind]
    if allowed.of_record and not (coups_at_hand(table) and (table.coups or table.coup)):
        return Refused(Reason.NOT_CALLED_FOR, CONDITIONS, command=name_of(kind))
    return likely_refusal(allowed, foresee, table, kind, by, facts)


def counter_refusal(
    authority: Mapping[Any, Allowed],
    decide_there: Decide,
    state: Struct,
    kind: type[Struct],
    by: Actor,
    facts: Mapping[str, object] = ANY,
) -> Refused | None:
    """The same for a command to the cage or the register."""
    try:
        check_listed(authority, kind, by)
    except Refused as refused:
        return refused
    return likely_refusal(authority[kind], decide_there, state, kind, by, facts)


def likely_refusal(
    allowed: Allowed,
    decide_there: Decide,
    state: Struct,
    kind: type[Struct],
    by: Actor,
    facts: Mapping[str, object],
) -> Refused | None:
    """Why the command is refused however it would likely be given."""
    if allowed.likely is None:
        return None
    asks = (ask for ask in allowed.likely(state, by) if _has(ask, facts))
    return first_refusal(name_of(kind), asks, lambda ask: decide_there(state, ask, by))


def _has(ask: Struct, facts: Mapping[str, object]) -> bool:
    return all(getattr(ask, name, fact) == fact for name, fact in facts.items())


def first_refusal(
    name: str, asks: Iterable[Any], decide_one: Callable[[Any], object]
) -> Refused | None:
    """Why all of these are refused; None if one of them is not."""
    first = None
    for ask in asks:
        try:
            decide_one(ask)
        except Refused as refused:
            first = first or refused
        else:
            return None
    return first or Refused(Reason.NOT_CALLED_FOR, CONDITIONS, command=name)
