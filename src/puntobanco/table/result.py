"""The result of a session at one table, which is all that it tells its competition."""

from typing import Annotated

from msgspec import Meta

from puntobanco.brief import Brief
from puntobanco.rules.bounds import Text
from puntobanco.rules.notice import Limits
from puntobanco.table.commands import Box, Name, Person
from puntobanco.table.state import Table

ChipsHeld = Annotated[int, Meta(ge=-(10**13), le=10**13)]
"""Chips in cents; below zero only where a coup was made void afterwards [act-2015:12.5]."""
CoupNumber = Annotated[int, Meta(ge=0, le=10**6)]


class SessionResult(Brief, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a session came to at one table, by entrant, whoever sat for them."""

    session: Name
    why: Text
    """By what the session ended; empty while it goes on."""
    coups: CoupNumber
    """Coups that counted."""
    chips: Annotated[dict[Person, ChipsHeld], Meta(max_length=14)] = {}
    """The chips of those who were never out."""
    out: Annotated[dict[Person, CoupNumber], Meta(max_length=14)] = {}
    """The coup in which each of the others was eliminated [tas-2018:16.5.9, act-2015:15.14]."""
    gone: Annotated[dict[Person, Text], Meta(max_length=14)] = {}
    """Those who take no place, and why."""
    secrets_left: Annotated[dict[Person, CoupNumber], Meta(max_length=14)] = {}
    limits: Limits | None = None
    """The limits that held at the end."""
    puck: Box | None = None


def result(table: Table) -> SessionResult | None:
    """The result of the session that is over at this table; None while it goes on.

    A correction may change it later: whoever has taken it compares.
    """
    open_still = table.is_open and table.session is not None  # once closed, chips are collected
    over = open_still and table.contest.over and table.coup is None
    if table.contest.handed_over:  # the result is another table's
        return None
    return standing(table) if over else None


def standing(table: Table) -> SessionResult:
    """The same while the session goes on: wagers that lie count as held, and so do chips worth
    money that were cashed after its end [tas-2018:16.4.9, 16.8.2].
    """
    contest, session = table.contest, table.session
    lying = table.coup.wagers if table.coup else ()
    held = {
        person: table.chips.get(person, 0)
        + contest.cashed.get(person, 0)
        + sum(w.cents for w in lying if w.by == person)
        for person in contest.drawn.values()
        if person not in contest.out and person not in contest.gone
    }
    return SessionResult(
        contest.continued or (session.id if session else ""),
        contest.over,
        contest.coups,
        held,
        contest.out,
        contest.gone,
        {person: left for person, left in contest.secrets_left.items() if person in held},
        limits=table.notice.limits if table.notice else None,
        puck=contest.puck,
    )
