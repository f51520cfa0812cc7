"""The result of a session at one table: the one fact that goes up to its competition."""

from puntobanco.brief import Brief
from puntobanco.table.state import Table


class SessionResult(Brief, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who holds what, who was out in which coup, and who is gone and why."""

    session: str
    why: str
    """By what the session ended."""
    coups: int
    """Coups that counted."""
    chips: dict[str, int] = {}
    """What each player holds who is still in play, in cents of chips."""
    out: dict[str, int] = {}
    """Who was eliminated, in which coup of the session."""
    gone: dict[str, str] = {}
    """Who lost the place, and why."""
    secrets_left: dict[str, int] = {}
    puck: int | None = None


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
    )
