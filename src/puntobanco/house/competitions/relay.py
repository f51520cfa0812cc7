"""The commands still due between a competition and its tables, worked out from both as they are.

Nothing is remembered of what was sent: after a crash the same function names the same commands,
with ids that say what they are for, and what has happened already is due no more.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from puntobanco.competition import commands as k
from puntobanco.competition.state import (
    ENDED,
    Competition,
    CompetitionPhase,
    EntryStatus,
    PlaySession,
)
from puntobanco.errors import Refused
from puntobanco.house.competitions.terms import opening_of
from puntobanco.house.house import House
from puntobanco.house.stream import COMPETITION, Stream
from puntobanco.journal.verify import HOUSE
from puntobanco.table import commands as c
from puntobanco.table.result import result
from puntobanco.table.state import Phase, Table

PLAYED = frozenset(
    {CompetitionPhase.PREPARING, CompetitionPhase.RUNNING, CompetitionPhase.PLAY_OFF}
)
"""Phases in which tables are opened for the session that is next or in play."""


ENDED_PHASES = frozenset({CompetitionPhase.PLACED, CompetitionPhase.PAID, CompetitionPhase.DONE})


class Due(Struct, frozen=True):
    """One command that brings a table, or the competition, into line."""

    stream: str
    command: Any
    command_id: str


class TableNow(Struct, frozen=True):
    """A table as it is, and the number of its last row."""

    state: Table
    seq: int


def due(
    name: str, competition: Competition, row: int, tables: Mapping[str, TableNow]
) -> Iterator[Due]:
    """Every command still due: down to tables, then results up.

    >>> list(due("competition-x", Competition(), 0, {}))
    []
    """
    session = competition.sessions.get(competition.session)
    if session is not None:
        for drawn in session.seats:
            at = session.moved.get(drawn, drawn)
            if competition.phase is CompetitionPhase.CANCELLED:  # it ends wherever it is
                at = _holder(session, drawn, at, tables) or at
            held = tables.get(at) or TableNow(Table(), 0)
            if (moving := _moving(session, drawn, at, held.state, tables, row)) is not None:
                yield from moving
                continue
            yield from _down(competition, session, drawn, at, held.state, row)
    yield from _refunds(name, competition)
    for at, held in tables.items():
        yield from _up(name, competition, at, held)
        yield from _closing(competition, at, held.state)
        yield from _left_out(competition, session, at, held.state)


def _moving(
    session: PlaySession,
    drawn: str,
    at: str,
    here: Table,
    tables: Mapping[str, TableNow],
    row: int,
) -> list[Due] | None:
    """A session that goes on elsewhere leaves its table as it stands, once that other table is
    open for it, and is taken over there; None: nothing is on its way.
    """
    if here.contest.allotted or not here.is_open or here.session is None:
        return None
    if here.session.id != session.id:
        return None
    name = _holder(session, drawn, at, tables)
    if not name:
        return None
    was, about = tables[name].state, f"relay~{session.id}~{name}~{at}"
    if was.contest.handed_over == at and was.contest.handed is not None:
        return [Due(at, c.TakeOverSession(was.contest.handed, row), f"{about}~taken")]
    waits = was.coup is not None or was.contest.over
    return [] if waits else [Due(name, c.HandOverSession(at, row), f"{about}~handed")]


def _holder(session: PlaySession, drawn: str, at: str, tables: Mapping[str, TableNow]) -> str:
    """Another table that has the session of those drawn for this one, or handed it over here."""
    people = {*session.seats[drawn].values()}
    for name, held in tables.items():
        was = held.state
        ids = (was.session.id if was.session else "", was.contest.continued)
        begun = was.is_open and was.contest.allotted and session.id in ids
        gone_on = was.contest.handed_over not in ("", at)
        if name != at and begun and not gone_on and people & {*was.contest.drawn.values()}:
            return name
    return ""


def _refunds(name: str, competition: Competition) -> Iterator[Due]:
    """A competition that does not proceed returns what it owes [tas-2018:16.2(lead),
    act-2015:15.25(2)].
    """
    if competition.phase is CompetitionPhase.CANCELLED:
        for person, entrant in competition.entries.items():
            if entrant.owed_cents:
                yield Due(name, k.PayRefund(person), f"relay~{competition.id}~refund~{person}")


def _down(
    competition: Competition, session: PlaySession, drawn: str, at: str, table: Table, row: int
) -> Iterator[Due]:
    about = _about(competition, session, at)
    if not _is_here(competition, session, table):
        yield from _opened(competition, session, at, table, about, row)
        return
    if table.contest.directors != competition.directors:
        people = tuple(sorted(competition.directors))
        yield Due(at, c.NoteDirectors(people, row), f"{about}~directors~{row}")
    if session.started_ms is None:
        return
    if not table.contest.allotted:
        first, starts = session.first.get(drawn), session.started_ms
        begin = c.BeginSession(session.seats[drawn], row, first, starts)
        yield Due(at, begin, f"{about}~begin")
        return
    if table.phase is not Phase.OVER:
        yield from _people(competition, at, table, about, row)
        yield from _course(competition, session, drawn, at, table, about, row)


def _about(competition: Competition, session: PlaySession, at: str) -> str:
    """What commands for a session at a table are named after; a table that one draw left out, and
    another needs again, is opened again.
    """
    again = f"~draw{session.draws}" if session.draws > 1 else ""
    return f"relay~{competition.id}~{session.id}~{at}{again}"


def _is_of(competition: Competition, table: Table) -> bool:
    """Whether a table is open for this competition, designated still or not."""
    of = table.conditions.competition if table.conditions else ""
    return table.is_open and of == competition.id


def _is_here(competition: Competition, session: PlaySession, table: Table) -> bool:
    """Whether a table is open for this session."""
    ids = (table.session.id if table.session else "", table.contest.continued)
    return _is_of(competition, table) and session.id in ids


def _opened(
    competition: Competition, session: PlaySession, at: str, table: Table, about: str, row: int
) -> Iterator[Due]:
    """A table is opened for the session; where its own is over and equals play on, that goes on."""
    ready = competition.phase in PLAYED and (session.kind == "session" or session.has_begun)
    if not ready:
        return
    if session.kind == "more-rounds" and table.phase is Phase.OVER:
        coups = max(1, session.coups)
        sat = {seat: who for sat in session.seats.values() for seat, who in sat.items()}
        people = tuple(who for who in session.people if who in sat.values())  # some may be gone
        again = {seat: who for seat, who in sat.items() if who not in table.places}
        more = c.ContinueSession(people, session.id, row, coups, again)
        yield Due(at, more, f"{about}~continue")
    elif table.phase is Phase.OVER and table.conditions:  # what it had is taken, and it starts anew
        yield Due(at, c.CloseTable(), f"{about}~close")
    elif not table.is_open:
        yield Due(at, opening_of(competition, session, at, table), f"{about}~open")


def _people(competition: Competition, at: str, table: Table, about: str, row: int) -> Iterator[Due]:
    """Removed and replaced in the competition: so they are at the table."""
    for person in table.places:
        entrant = competition.entries.get(person)
        if entrant is None:
            continue
        if entrant.status in ENDED and entrant.status is not EntryStatus.OUT:
            disqualified = entrant.status is EntryStatus.DISQUALIFIED
            why = "disqualified" if disqualified else "forfeited"
            gone = c.RemovePlayer(person, why, entrant.why, row)  # type: ignore[arg-type]
            yield Due(at, gone, f"{about}~remove~{person}")
        elif table.contest.substitutes.get(person, "") != entrant.substitute:
            acts = c.NameSubstitute(person, entrant.substitute, row)
            yield Due(at, acts, f"{about}~substitute~{person}~{row}")


def _course(
    competition: Competition,
    session: PlaySession,
    drawn: str,
    at: str,
    table: Table,
    about: str,
    row: int,
) -> Iterator[Due]:
    """Breaks, the last coup, the end of time, an early finish, a cancellation."""
    stopped = session.stopped.get(drawn, "")
    resting = "a break" if competition.break_until_ms is not None else ""
    why, until = stopped or resting, competition.break_until_ms
    if why and not table.contest.paused:
        yield Due(at, c.PauseSession(why, row, None if stopped else until), f"{about}~pause~{row}")
    if not why and table.contest.paused:
        yield Due(at, c.ResumeSession(row), f"{about}~resume~{row}")
    cancelled = competition.phase is CompetitionPhase.CANCELLED
    if table.contest.last and not (cancelled and table.coup is None):
        return
    for ends, what in _endings(competition, session, drawn):
        if ends:
            yield Due(at, c.EndSession(what, row), f"{about}~end")
            return
    if session.last_coup and table.coup is None:
        yield Due(at, c.DeclareLastCoup(row), f"{about}~last")


Ending = Literal["ruling", "time", "decided"]


def _endings(
    competition: Competition, session: PlaySession, drawn: str
) -> Iterator[tuple[bool, Ending]]:
    """What ends a table's session before its own coups or shoes do."""
    yield competition.phase is CompetitionPhase.CANCELLED, "ruling"
    yield session.time_over, "time"
    yield drawn in session.finished, "decided"


def _up(name: str, competition: Competition, at: str, held: TableNow) -> Iterator[Due]:
    """A result that the competition has not taken, or has taken otherwise."""
    table = held.state
    came_to = result(table)
    if came_to is None or table.conditions is None:
        return
    session = competition.sessions.get(came_to.session)
    if session is None or table.conditions.competition != competition.id:
        return
    drawn = next((table for table, moved in session.moved.items() if moved == at), at)
    known = session.amended.get(drawn) or session.results.get(drawn)
    if known is not None and came_to in (known.result, session.overruled.get(drawn)):
        return
    version = known.version + 1 if known else 1
    take = k.TakeResult(at, version, came_to, held.seq)
    yield Due(name, take, f"relay~{session.id}~{at}~result~{version}")


def _closing(competition: Competition, at: str, table: Table) -> Iterator[Due]:
    """Once places are confirmed, or all is cancelled, tables are closed; until then whatever is
    found can still be put right there. A table that is needed is closed for its next session.
    """
    if table.phase is not Phase.OVER or table.conditions is None or table.session is None:
        return
    if table.conditions.competition != competition.id:
        return
    session = competition.sessions.get(table.session.id)
    done = session is not None and competition.phase in ENDED_PHASES
    cancelled = competition.phase is CompetitionPhase.CANCELLED
    if cancelled or (done and result_is_taken(competition, at, table)):
        yield Due(at, c.CloseTable(), f"relay~{competition.id}~{table.session.id}~{at}~closed")


def is_kept_open(competitions: Mapping[str, Stream[Competition]], table: Table) -> bool:
    """Whether a table whose session is over is still its competition's: equals may play on there,
    and what was wrong be put right, until places are confirmed. Then the house closes it.
    """
    if table.phase is not Phase.OVER or table.conditions is None:
        return False
    stream = competitions.get(f"{COMPETITION}{table.conditions.competition}")
    over = (*ENDED_PHASES, CompetitionPhase.CANCELLED)
    return stream is not None and stream.state.phase not in over


def _left_out(
    competition: Competition, session: PlaySession | None, at: str, table: Table
) -> Iterator[Due]:
    """A table that was opened for a session and is not needed is closed: another draw left it
    out, the session goes on at another one, or nothing is played at all.
    """
    if session is None or not _is_of(competition, table) or table.contest.allotted:
        return
    needed = at in session.seats or at in session.moved.values()
    if competition.phase is CompetitionPhase.CANCELLED or not needed:
        yield Due(at, c.CloseTable(), f"{_about(competition, session, at)}~left-out")


def result_is_taken(competition: Competition, at: str, table: Table) -> bool:
    """Whether the competition has a table's result as it is."""
    return not any(_up("", competition, at, TableNow(table, 0)))


class RefusedRelay(Struct, frozen=True):
    """A command that was refused, for the director to see."""

    stream: str
    command: str
    refused: Refused
    at_ms: int


RETRY_MS = 1000
"""Milliseconds before a command that was refused is tried again."""
ROUNDS = 20
"""The most times in a row that what is due is worked out anew."""


class Relay:
    """Gives what is due, again and again until nothing is; what is refused is kept and shown."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.refused: dict[str, RefusedRelay] = house.unrelayed
        """What was refused last, by the command's id."""

    async def bring_into_line(self, name: str) -> None:
        """Give every command due between a competition and its tables."""
        for _ in range(ROUNDS):
            now = self._house.time.now_ms()
            waiting = [one for one in self.due(name) if self._may_try(one.command_id, now)]
            if not waiting:
                return
            for one in waiting:
                await self._give(one, now)

    def due(self, name: str) -> list[Due]:
        """Every command that is due now."""
        stream = self._house.competitions[name]
        competition, all_tables = stream.state, self._house.tables
        session = competition.sessions.get(competition.session)
        moved = session.moved.values() if session else ()
        names = {*competition.tables, *(session.seats if session else ()), *moved}
        names |= {at for at, held in all_tables.items() if _is_of(competition, held.state)}
        tables = {
            at: TableNow(all_tables[at].state, all_tables[at].seq)
            for at in sorted(names)
            if at in all_tables
        }
        return list(due(name, competition, stream.seq, tables))

    def _may_try(self, command_id: str, now_ms: int) -> bool:
        kept = self.refused.get(command_id)
        return kept is None or now_ms - kept.at_ms >= RETRY_MS

    async def _give(self, one: Due, now_ms: int) -> None:
        try:
            await self._house.give(one.stream, one.command, HOUSE, one.command_id)
        except Refused as refused:
            tag = str(one.command.__struct_config__.tag)
            self.refused[one.command_id] = RefusedRelay(one.stream, tag, refused, now_ms)
        else:
            self.refused.pop(one.command_id, None)
