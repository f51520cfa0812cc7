"""Draws, sessions and results, as events leave them."""

from collections.abc import Iterable

from msgspec.structs import replace

from puntobanco.competition import events as e
from puntobanco.competition.state import (
    SECONDARY,
    Competition,
    CompetitionPhase,
    EntryStatus,
    PlaySession,
    TakenResult,
)
from puntobanco.rules.competition.draw import ApartList

S = EntryStatus
P = CompetitionPhase


def with_session(competition: Competition, name: str, **facts: object) -> Competition:
    """The competition with these facts about one session changed."""
    session = replace(competition.sessions[name], **facts)
    return replace(competition, sessions={**competition.sessions, name: session})


def with_entrants(competition: Competition, people: Iterable[str], **facts: object) -> Competition:
    """The competition with the same facts changed about several entries."""
    entries = dict(competition.entries)
    for person in people:
        entries[person] = replace(entries[person], **facts)
    return replace(competition, entries=entries)


def _committed(competition: Competition, event: e.DrawCommitted) -> Competition:
    return replace(competition, commitment=event.commitment)


def _kept_apart(competition: Competition, event: e.ApartListKept) -> Competition:
    return replace(competition, apart=ApartList(event.groups, event.salt))


def _drawn(competition: Competition, event: e.SeatsDrawn) -> Competition:
    """A draw takes the place of one before it; a seed is for one draw alone, opened or not."""
    session = PlaySession(
        event.session, event.session, seats=event.seats, first=event.first, draws=event.draw
    )
    entries = dict(competition.entries)
    waiting = S.SECONDARY if event.session == SECONDARY else S.THROUGH
    for person, entrant in competition.entries.items():
        if entrant.status is S.SEATED and entrant.stage == event.session:
            status = waiting if competition.confirmed else S.PAID
            entries[person] = replace(entrant, status=status, table="", seat=0)
    for table, seats in event.seats.items():
        for seat, person in seats.items():
            facts = {"table": table, "seat": seat, "stage": event.session, "status": S.SEATED}
            entries[person] = replace(entries[person], **facts)
    return replace(
        competition,
        sessions={**competition.sessions, event.session: session},
        session=event.session,
        entries=entries,
        commitment="",
        phase=P.DRAWN,
    )


def _moved(competition: Competition, event: e.SeatMoved) -> Competition:
    session, entries = competition.now, dict(competition.entries)
    was = entries[event.person]
    seats = {table: dict(sat) for table, sat in session.seats.items()}
    if was.table:
        del seats[was.table][was.seat]
    if event.swapped:
        seats[was.table][was.seat] = event.swapped
        other = entries[event.swapped]
        entries[event.swapped] = replace(other, table=was.table, seat=was.seat)
    seats[event.table][event.seat] = event.person
    facts = {"table": event.table, "seat": event.seat, "stage": session.stage}
    entries[event.person] = replace(was, status=S.SEATED, **facts)
    competition = replace(competition, entries=entries)
    return with_session(competition, session.id, seats=seats)


def _designated(competition: Competition, event: e.TableDesignated) -> Competition:
    return replace(competition, tables=(*competition.tables, event.table))


def _released(competition: Competition, event: e.TableReleased) -> Competition:
    others = tuple(table for table in competition.tables if table != event.table)
    return replace(competition, tables=others)


def _prepared(competition: Competition, _event: e.SessionPrepared) -> Competition:
    return replace(competition, phase=P.PREPARING)


def _start_set(competition: Competition, event: e.StartSet) -> Competition:
    starts = (*competition.starts.get(event.stage, ()), event.start_ms)
    return replace(
        competition,
        starts={**competition.starts, event.stage: starts},
        told={**competition.told, event.stage: event.at_ms},
    )


def _started(competition: Competition, event: e.SessionStarted) -> Competition:
    competition = replace(competition, phase=P.RUNNING, break_until_ms=None)
    facts = {"started_ms": event.at_ms, "ends_ms": event.ends_ms}
    return with_session(competition, event.session, **facts)


def _break(competition: Competition, event: e.BreakCalled) -> Competition:
    until = event.at_ms + event.minutes * 60_000
    return replace(competition, break_until_ms=until, break_since_ms=event.at_ms)


def _resumed(competition: Competition, event: e.PlayResumed) -> Competition:
    """The session's clock stood still meanwhile, at all tables alike."""
    ends_ms = competition.now.ends_ms
    if ends_ms is not None:
        later = ends_ms + event.at_ms - competition.break_since_ms
        competition = with_session(competition, competition.session, ends_ms=later)
    return replace(competition, break_until_ms=None, break_since_ms=0)


def _directed(competition: Competition, event: e.PaceDirected) -> Competition:
    return replace(competition, directions=(*competition.directions, event.note))


def _last_coup(competition: Competition, event: e.LastCoupCalled) -> Competition:
    return with_session(competition, event.session, last_coup=True)


def _time_over(competition: Competition, event: e.SessionTimeOver) -> Competition:
    return with_session(competition, event.session, time_over=True)


def _clocks_held(competition: Competition, event: e.ClocksHeld) -> Competition:
    """In a break the session's clock stands anyhow: only the break is longer."""
    if competition.break_until_ms is not None:
        later = competition.break_until_ms + event.for_ms
        return replace(competition, break_until_ms=later)
    ends_ms = competition.now.ends_ms
    if ends_ms is None:
        return competition
    return with_session(competition, competition.session, ends_ms=ends_ms + event.for_ms)


def _finished(competition: Competition, event: e.TableFinishedEarly) -> Competition:
    finished = competition.now.finished | {event.table}
    return with_session(competition, competition.session, finished=finished)


def _stopped(competition: Competition, event: e.TableStopped) -> Competition:
    stopped = {**competition.now.stopped, event.table: event.note}
    return with_session(competition, competition.session, stopped=stopped)


def _table_resumed(competition: Competition, event: e.TableResumed) -> Competition:
    session = competition.now
    stopped = {table: note for table, note in session.stopped.items() if table != event.table}
    moved = {table: at for table, at in session.moved.items() if table != event.table}
    if event.at != event.table:
        moved[event.table] = event.at
    return with_session(competition, session.id, stopped=stopped, moved=moved)


def _taken(competition: Competition, event: e.ResultTaken) -> Competition:
    """A session is over once every table has given its result."""
    session = competition.sessions[event.session]
    results = {**session.results, event.table: TakenResult(event.version, event.result)}
    competition = with_session(competition, event.session, results=results)
    in_play = event.session == competition.session and competition.phase is P.RUNNING
    if in_play and competition.now.is_in:
        return replace(competition, phase=P.OVER, break_until_ms=None)
    return competition


def _amended(competition: Competition, event: e.ResultAmended) -> Competition:
    session = competition.sessions[event.session]
    amended = {**session.amended, event.table: TakenResult(event.version, event.result)}
    return with_session(competition, event.session, amended=amended)


def _confirmed(competition: Competition, event: e.StageConfirmed) -> Competition:
    competition = with_entrants(competition, event.through, status=S.THROUGH)
    competition = with_entrants(competition, event.out, status=S.OUT)
    return replace(
        competition,
        confirmed=(*competition.confirmed, event.stage),
        wild_cards=(),
        commitment="",
        phase=P.CONFIRMED,
    )


def _play_off(competition: Competition, event: e.PlayOffOrdered) -> Competition:
    """Where they sat before they stay; at another table they sit from seat 1 on."""
    first = competition.sessions[competition.stage_name]
    here = first.seats.get(event.table, {})
    stay = event.table == event.of
    seats = (
        {seat: who for seat, who in here.items() if who in event.people}
        if stay
        else dict(enumerate(event.people, 1))
    )
    session = PlaySession(
        event.session,
        competition.stage_name,
        event.kind,
        {event.table: seats},
        of=event.of,
        people=event.people,
        places_left=event.places_left,
        coups=event.coups,
        moved=_moved_on(first, event),
    )
    sessions = {**competition.sessions, event.session: session}
    return replace(competition, sessions=sessions, session=event.session, phase=P.PLAY_OFF)


def _moved_on(first: PlaySession, event: e.PlayOffOrdered) -> dict[str, str]:
    """Extra rounds are played where the session went on."""
    at = first.moved.get(event.table, event.table)
    return {event.table: at} if event.kind == "more-rounds" and at != event.table else {}


def _play_off_chips(competition: Competition, event: e.PlayOffChipsSet) -> Competition:
    return with_session(competition, competition.session, chips_cents=event.cents)


def _wild_cards(competition: Competition, event: e.WildCardsNamed) -> Competition:
    used = "" if event.seed else competition.commitment
    return replace(competition, wild_cards=event.people, commitment=used)


def _secondary(competition: Competition, event: e.SecondaryOpened) -> Competition:
    competition = with_entrants(competition, event.eligible, status=S.SECONDARY)
    return replace(competition, secondary_into=event.into, phase=P.CLOSED)


APPLY: e.Appliers = {
    e.DrawCommitted: _committed,
    e.ApartListKept: _kept_apart,
    e.SeatsDrawn: _drawn,
    e.SeatMoved: _moved,
    e.TableDesignated: _designated,
    e.TableReleased: _released,
    e.SessionPrepared: _prepared,
    e.StartSet: _start_set,
    e.SessionStarted: _started,
    e.BreakCalled: _break,
    e.PlayResumed: _resumed,
    e.PaceDirected: _directed,
    e.LastCoupCalled: _last_coup,
    e.SessionTimeOver: _time_over,
    e.ClocksHeld: _clocks_held,
    e.TableFinishedEarly: _finished,
    e.TableStopped: _stopped,
    e.TableResumed: _table_resumed,
    e.ResultTaken: _taken,
    e.ResultAmended: _amended,
    e.StageConfirmed: _confirmed,
    e.PlayOffOrdered: _play_off,
    e.PlayOffChipsSet: _play_off_chips,
    e.WildCardsNamed: _wild_cards,
    e.SecondaryOpened: _secondary,
}
