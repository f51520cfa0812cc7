"""The result of a session at one table: the one fact that goes up to its competition."""

from typing import Annotated

from msgspec import Meta

from puntobanco.brief import Brief
from puntobanco.rules.bounds import Text, Word
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits
from puntobanco.table.commands import Box, Person
from puntobanco.table.state import Table

ChipsHeld = Annotated[int, Meta(ge=-(10**13), le=10**13)]
"""Chips in cents; below zero only where a coup was made void afterwards [act-2015:12.5]."""
CoupCount = Annotated[int, Meta(ge=0, le=10**6)]


class SessionResult(Brief, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who holds what, who was out in which coup, and who is gone and why."""

    session: Word
    why: Word
    """By what the session ended."""
    coups: CoupCount
    """Coups that counted."""
    chips: Annotated[dict[Person, ChipsHeld], Meta(max_length=14)] = {}
    """What each player holds who is still in play, in cents of chips."""
    out: Annotated[dict[Person, CoupCount], Meta(max_length=14)] = {}
    """Who was eliminated, in which coup of the session."""
    gone: Annotated[dict[Person, Text], Meta(max_length=14)] = {}
    """Who lost the place, and why."""
    secrets_left: Annotated[dict[Person, CoupCount], Meta(max_length=14)] = {}
    puck: Box | None = None
    limits: Limits | None = None
    """The limits of Player and Banker that held last."""


def result(table: Table) -> SessionResult | None:
    """The result of the session that is over at this table; None while it goes on.

    A correction may change it later: whoever has taken it compares.
    """
    session, contest = table.session, table.contest
    if session is None or not contest.over or table.coup is not None:
        return None
    return standing(table)


def standing(table: Table) -> SessionResult:
    """The same while the session goes on, for the leader board: wagers that lie count as held."""
    contest = table.contest
    lying = table.coup.wagers if table.coup else ()
    held = {
        person: table.chips.get(person, 0) + sum(w.cents for w in lying if w.by == person)
        for person in contest.drawn.values()
        if person not in contest.out and person not in contest.gone
    }
    return SessionResult(
        table.session.id if table.session else "",
        contest.over,
        contest.coups,
        held,
        contest.out,
        contest.gone,
        puck=contest.puck,
        limits=table.terms.limits.get(Bet.PLAYER) if table.notice else None,
    )
