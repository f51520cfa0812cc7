"""What is due next in a competition, and by whom; for people to read, never to decide by."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from puntobanco.competition import commands as c
from puntobanco.competition.authority import AUTHORITY
from puntobanco.competition.queries import drawn_for, standings, too_late_to_commit
from puntobanco.competition.state import Competition, CompetitionPhase, EntryStatus
from puntobanco.rules.competition.structure import balanced_tables
from puntobanco.table.actor import Role
from puntobanco.table.authority import name_of

P = CompetitionPhase


class ActDue(Struct, frozen=True):
    """A command that is due; anybody in one of these roles may give it."""

    command: str
    roles: tuple[Role, ...]
    about: tuple[str, ...] = ()
    """The people or tables that it is about."""


Step = tuple[type, tuple[str, ...]]
"""A command, and what it is about."""


def next_acts(competition: Competition) -> tuple[ActDue, ...]:
    """What comes next, the first of it first; nothing while play at the tables is waited for.

    >>> [act.command for act in next_acts(Competition())]
    ['draft']
    """
    return tuple(
        ActDue(name_of(kind), tuple(sorted(AUTHORITY[kind].roles - {Role.HOUSE})), about)
        for kind, about in _steps(competition)
    )


def own_acts(competition: Competition, person: str) -> tuple[ActDue, ...]:
    """What an entrant is to do."""
    entrant = competition.entries.get(person)
    kinds = OWN.get(entrant.status, ()) if entrant is not None else ()
    return tuple(ActDue(name_of(kind), (Role.PATRON,)) for kind in kinds)


OWN: dict[EntryStatus, tuple[type, ...]] = {
    EntryStatus.ACCEPTED: (c.Endorse,),
    EntryStatus.ENDORSED: (c.PayEntry,),
}


def waits_for(competition: Competition) -> tuple[str, ...]:
    """The tables whose results are waited for."""
    session = competition.sessions.get(competition.session)
    if session is None or competition.phase is not P.RUNNING:
        return ()
    return tuple(table for table in session.seats if table not in session.results)


def _steps(competition: Competition) -> Iterator[Step]:
    if competition.proposals:
        yield c.Approve, tuple(map(str, competition.proposals))
    if any(not dispute.decision for dispute in competition.disputes.values()):
        yield c.DecideDispute, ()
    if competition.phase in STEPS:
        yield from STEPS[competition.phase](competition)


def _drafting(competition: Competition) -> Iterator[Step]:
    yield (c.Publish if competition.draft else c.Draft), ()


def _published(_competition: Competition) -> Iterator[Step]:
    yield c.OpenEntries, ()


def _entering(competition: Competition) -> Iterator[Step]:
    applied = _people(competition, EntryStatus.APPLIED)
    if applied:
        yield c.Accept, applied
    if not competition.commitment:
        yield c.CommitDraw, ()
    yield c.CloseEntries, ()


def _drawing(competition: Competition) -> Iterator[Step]:
    """Before a session that is to be drawn for; after the last one, the places."""
    if competition.stages_done == len(competition.conditions.stage):
        yield c.ConfirmPlaces, ()
        return
    needed = len(balanced_tables(len(drawn_for(competition)), competition.stage.seats))
    if len(competition.tables) < needed:
        yield c.DesignateTable, ()
    if competition.conditions.secondary.into == competition.stage.name and (
        not competition.secondary_into and competition.conditions.secondary.winners
    ):
        yield c.OpenSecondary, ()
    if too_late_to_commit(competition):
        yield c.KeyDraw, ()
        return
    if not competition.commitment:
        yield c.CommitDraw, ()
    yield c.Draw, ()


def _drawn(_competition: Competition) -> Iterator[Step]:
    yield c.PrepareSession, ()


def _preparing(competition: Competition) -> Iterator[Step]:
    if not competition.directors:
        yield c.SignOn, ()
    yield c.StartSession, ()


def _running(competition: Competition) -> Iterator[Step]:
    if competition.break_until_ms is not None:
        yield c.Resume, ()
    if competition.now.stopped:
        yield c.ResumeAt, tuple(competition.now.stopped)


def _over(competition: Competition) -> Iterator[Step]:
    found = [one for one in standings(competition, competition.stage_name).values() if one]
    level = tuple(person for standing in found for person in standing.contested)
    if level:
        yield c.OrderPlayOff, level
    elif competition.stage.wild and not (competition.wild_cards or competition.in_secondary):
        yield c.NameWildCards, ()
    else:
        yield c.ConfirmStage, ()


def _play_off(competition: Competition) -> Iterator[Step]:
    if competition.now.kind == "play-off" and not competition.now.chips_cents:
        yield c.SetPlayOffChips, competition.now.people
    yield from _preparing(competition)


def _placed(competition: Competition) -> Iterator[Step]:
    unpaid = tuple(
        person
        for person, entrant in competition.entries.items()
        if entrant.prize_cents and not entrant.prize_paid
    )
    if unpaid:
        yield c.PayPrize, unpaid
    if not competition.published:
        yield c.PublishResults, ()


def _cancelled(competition: Competition) -> Iterator[Step]:
    owed = tuple(who for who, entrant in competition.entries.items() if entrant.owed_cents)
    if owed:
        yield c.PayRefund, owed


def _people(competition: Competition, status: EntryStatus) -> tuple[str, ...]:
    entries = competition.entries.items()
    return tuple(person for person, entrant in entries if entrant.status is status)


STEPS: dict[CompetitionPhase, Callable[[Competition], Iterator[Step]]] = {
    P.DRAFTING: _drafting,
    P.PUBLISHED: _published,
    P.ENTERING: _entering,
    P.CLOSED: _drawing,
    P.CONFIRMED: _drawing,
    P.DRAWN: _drawn,
    P.PREPARING: _preparing,
    P.RUNNING: _running,
    P.OVER: _over,
    P.PLAY_OFF: _play_off,
    P.PLACED: _placed,
    P.PAID: _placed,
    P.CANCELLED: _cancelled,
}
