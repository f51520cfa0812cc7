"""Each command of a competition as it would most likely be given now; see `table/likely.py`."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from puntobanco.competition import commands as c
from puntobanco.competition.state import Competition
from puntobanco.table.actor import Actor, Role
from puntobanco.table.likely import SOMEBODY_NEW, UNKNOWN, Likely

Asks = Iterator[Any]


def own_or_each(kind: Callable[..., Any]) -> Likely:
    """What an entrant does, or the desk for any of them."""

    def asks(competition: Competition, by: Actor) -> Asks:
        for person in acted_for(competition, by):
            yield kind(person=person)

    return asks


def acted_for(competition: Competition, by: Actor) -> Iterable[str]:
    """For whom somebody acts: a patron for nobody else, staff for any entrant."""
    return ("",) if by.roles == {Role.PATRON} else competition.entries


def likely_apply(_competition: Competition, by: Actor) -> Asks:
    yield c.Apply() if by.roles == {Role.PATRON} else c.Apply(SOMEBODY_NEW)


def likely_endorse(competition: Competition, by: Actor) -> Asks:
    for person in acted_for(competition, by) if competition.version else ():
        yield c.Endorse(competition.version, person)


def likely_enter_at_desk(competition: Competition, _by: Actor) -> Asks:
    """Somebody who walks in, or one of those who lack something."""
    for person in (SOMEBODY_NEW, *competition.entries) if competition.version else ():
        yield c.EnterAtDesk(person, competition.version)


def likely_take_reserve(competition: Competition, _by: Actor) -> Asks:
    """Into a free place, or for somebody who did not take theirs."""
    for person in competition.reserves:
        yield from (c.TakeReserve(person, other) for other in ("", *competition.entries))


def likely_commit_draw(_competition: Competition, _by: Actor) -> Asks:
    yield c.CommitDraw(UNKNOWN)


def likely_open_secondary(competition: Competition, _by: Actor) -> Asks:
    for stage in competition.conditions.stage if competition.version else ():
        yield c.OpenSecondary(stage.name)


def likely_stop_table(competition: Competition, _by: Actor) -> Asks:
    session = competition.sessions.get(competition.session)
    yield from (c.StopTable(table, "") for table in (session.seats if session else ()))


def likely_resume_at(competition: Competition, _by: Actor) -> Asks:
    session = competition.sessions.get(competition.session)
    for table in session.stopped if session else ():
        yield from (c.ResumeAt(table, at) for at in competition.tables)


def likely_decide_dispute(competition: Competition, _by: Actor) -> Asks:
    for number, dispute in competition.disputes.items():
        if not dispute.decision:
            yield c.DecideDispute(number, "")
