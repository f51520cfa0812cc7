"""The tables of a competition's session at a glance, for whoever runs it: how far each has come,
how players stand, who is away, which forms wait, and what holds it up.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition.dates import clocks_ahead
from puntobanco.competition.decide.sessions import early_verdict
from puntobanco.competition.events import CompetitionEvent
from puntobanco.competition.queries import number_advancing, prize_list
from puntobanco.competition.sentences import tell_competition
from puntobanco.competition.state import Competition, PlaySession
from puntobanco.house.access.names import person_called, told_to_staff
from puntobanco.house.floor.now import Wait, waits_at
from puntobanco.house.house import House
from puntobanco.house.stream import Stream
from puntobanco.journal.rows import Row
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.table.queries.competition import plays_session, rise_due
from puntobanco.table.queries.secrets import unexamined
from puntobanco.table.result import SessionResult, standing
from puntobanco.table.sentences import Writing
from puntobanco.table.state import Table
from puntobanco.table.view.contest import ContestSeen, contest_of

NEAR_THE_END = 10
"""Coups before the end from which it is worked out whether a session is decided."""
READ, SHOWN = 60, 8
"""Rows of a competition that are looked through for what happened last, and how much is shown."""
UNTOLD = frozenset({
    "application-received", "application-accepted", "conditions-endorsed", "entry-paid",
    "clocks-held",
})  # fmt: skip
"""What entries say of themselves."""
_decode = msgspec.json.Decoder(list[CompetitionEvent]).decode


class StandingRow(Struct, frozen=True):
    """One player at a table: their chips, or the coup in which they went out."""

    person: str
    seat: int
    chips_cents: int | None = None
    out: int = 0
    gone: str = ""
    place: int = 0
    """As it stands; equals have the same, who is gone has none."""
    note: str = ""
    """`absent`, `late`, `missed`, `restricted`, `turn` or nothing."""
    form: bool = False
    """A form lies at the seat: that alone, and nothing of what is on it."""
    level: bool = False
    """Level with another across the line."""


class CupTable(Struct, frozen=True):
    """One table of the session."""

    table: str
    """The table that was drawn for."""
    at: str
    """Where it is played."""
    name: str
    phase: str
    coup: int = 0
    ends: SessionEnds = SessionEnds()
    last: bool = False
    rows: tuple[StandingRow, ...] = ()
    through: int = 0
    """How many go on, or have a prize: the line is drawn below them."""
    forms: int = 0
    """Forms that wait to be examined."""
    waits: tuple[Wait, ...] = ()
    turn: str = ""
    """Whose wager is waited for."""
    until_ms: int | None = None
    stopped: str = ""
    rise: bool = False
    """The indicator card is out, and limits may be raised as announced after this coup."""
    result_in: bool = False
    verdict: str = ""
    """To the Director alone: whether anything can still change who is through."""

    @property
    def level(self) -> str:
        """How much it needs somebody."""
        if self.result_in:
            return "done"
        if self.stopped or any(one.holds_play for one in self.waits):
            return "held"
        return "wait" if self.waits or self.forms else ""


class CupGlances:
    """Keeps, for each table, what was worked out when it last changed."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._verdicts: dict[str, tuple[int, str]] = {}

    def tables(self, competition: Competition, *, director: bool) -> tuple[CupTable, ...]:
        """The tables of the session that is prepared, in play, or was last."""
        session = competition.sessions.get(competition.session)
        if session is None:
            return ()
        return tuple(
            self.table(competition, session, table, director=director) for table in session.seats
        )

    def table(
        self, competition: Competition, session: PlaySession, drawn: str, *, director: bool
    ) -> CupTable:
        """One of them, wherever it is played."""
        at = session.moved.get(drawn, drawn)
        stream = self._house.tables.get(at)
        table = stream.state if stream else Table()
        name = self._house.register.state.settings.called(at)
        seen = CupTable(
            drawn, at, name, "", through=_line(competition, session),
            stopped=session.stopped.get(drawn, ""), result_in=drawn in session.results,
        )  # fmt: skip
        taken, seats = session.results.get(drawn), session.seats[drawn]
        contest = contest_of(table)
        theirs = plays_session(table, competition.id, session.id)
        if taken is not None and not theirs:
            rows = _rows(taken.result, seats, None, table)
            return replace(seen, phase="over", coup=taken.result.coups, rows=_marked(rows, seen))
        if stream is None or contest is None or not theirs:
            rows = tuple(StandingRow(person, seat) for seat, person in seats.items())
            return replace(seen, phase="drawn", rows=rows)
        stands = taken.result if taken else standing(table)
        by_seat = {**table.contest.drawn, **table.seated}
        seen = replace(
            seen,
            phase=table.phase.value,
            coup=contest.coup,
            ends=contest.ends,
            last=contest.last,
            forms=len(unexamined(table.coup)) if table.coup and table.coup.called else 0,
            waits=tuple(waits_at(table, partial(person_called, self._house))),
            turn=by_seat.get(contest.turn or 0, ""),
            until_ms=contest.until_ms,
            rise=contest.indicator == "out" and rise_due(table),
            verdict=self._verdict(competition, stream, stands) if director and not taken else "",
        )
        return replace(seen, rows=_marked(_rows(stands, seats, contest, table), seen))

    def _verdict(
        self, competition: Competition, stream: Stream[Table], stands: SessionResult
    ) -> str:
        """Worked out near the end only, and again only when the table has moved on."""
        coups = competition.stage.ends.coups or 0
        near = competition.now.last_coup or coups - stands.coups <= NEAR_THE_END
        if not near or competition.phase != "running":
            return ""
        held = self._verdicts.get(stream.name)
        if held is None or held[0] != stream.seq:
            held = (stream.seq, early_verdict(competition, stands)[0])
            self._verdicts[stream.name] = held
        return held[1]


def _line(competition: Competition, session: PlaySession) -> int:
    if session.kind != "session":
        return session.places_left
    if session.stage == competition.conditions.final.name:
        return len(prize_list(competition))
    return number_advancing(competition, session.stage, len(session.seats)) or 0


def _rows(
    stands: SessionResult, seats: dict[int, str], contest: ContestSeen | None, table: Table
) -> tuple[StandingRow, ...]:
    """By chips, then by the coup in which they went out, the later the better."""
    forms = table.coup.forms if contest and table.coup else {}
    found = [
        StandingRow(
            person,
            seat,
            stands.chips.get(person),
            stands.out.get(person, 0),
            stands.gone.get(person, ""),
            note=_note(contest, seat) if contest else "",
            form=person in forms,
        )
        for seat, person in seats.items()
    ]
    rows = sorted(found, key=lambda row: (_rank(row), row.seat))
    places = shared_places([_rank(row) for row in rows])
    return tuple(
        row if row.gone else replace(row, place=place)
        for row, place in zip(rows, places, strict=True)
    )


def _rank(row: StandingRow) -> tuple[bool, int, int]:
    held = row.chips_cents is not None
    return not held or bool(row.gone), -(row.chips_cents or 0), -row.out


def shared_places(ranks: Sequence[object]) -> list[int]:
    """The place of each, where the best comes first: equals share the first of theirs."""
    return [ranks.index(rank) + 1 for rank in ranks]


def _note(contest: ContestSeen, seat: int) -> str:
    if seat in contest.away:
        return contest.away[seat]
    if seat in contest.restricted:
        return "restricted"
    return "turn" if contest.turn == seat else ""


def _marked(rows: tuple[StandingRow, ...], seen: CupTable) -> tuple[StandingRow, ...]:
    """Those level across the line: chips decide nothing between them."""
    line = seen.through
    if not line or len(rows) <= line:
        return rows
    inside, outside = rows[line - 1], rows[line]
    if inside.chips_cents is None or inside.chips_cents != outside.chips_cents:
        return rows
    level = inside.chips_cents
    if all(row.chips_cents == level for row in rows):
        return rows  # nobody is before anybody yet
    return tuple(replace(row, level=row.chips_cents == level) for row in rows)


class ToldLine(Struct, frozen=True):
    """One thing that happened in a competition."""

    seq: int
    at_ms: int
    actor: str
    says: str
    clauses: tuple[str, ...]
    kind: str


def told_last(house: House, stream: Stream[Competition], shown: int = SHOWN) -> list[ToldLine]:
    """What happened last in a competition, the newest first."""
    rows = list(house.log.read(stream.name, max(0, stream.seq - READ)))
    writing = told_to_staff(house)._replace(ahead=clocks_ahead(stream.state))
    told = (line for row in reversed(rows) for line in reversed([*tell_rows(row, writing)]))
    return [*islice((line for line in told if line.kind not in UNTOLD), shown)]


RULED = frozenset({
    "ruling-made", "entry-disqualified", "entry-forfeited", "substitute-accepted", "start-set",
    "seat-moved", "pace-directed", "table-stopped", "table-resumed", "table-finished-early",
    "result-amended", "play-off-ordered", "wild-cards-named", "dispute-decided",
    "places-confirmed", "competition-cancelled", "break-called",
})  # fmt: skip
"""What somebody ruled, directed or put in the place of something else."""


def told_rulings(house: House, stream: Stream[Competition]) -> list[ToldLine]:
    """All that was ruled and directed in a competition, the newest first; of a thousand entries
    only the rows that have it are looked into.
    """
    marks = [f'"is":"{kind}"'.encode() for kind in RULED]
    rows = [row for row in house.log.read(stream.name) if any(one in row.events for one in marks)]
    writing = told_to_staff(house)._replace(ahead=clocks_ahead(stream.state))
    told = [line for row in rows for line in tell_rows(row, writing)]
    return [line for line in told if line.kind in RULED][::-1]


def tell_rows(row: Row, writing: Writing) -> Iterator[ToldLine]:
    """Each event of a competition's row as a sentence."""
    for event in _decode(row.events):
        says, kind = tell_competition(event, writing), event.__struct_config__.tag
        yield ToldLine(row.seq, row.at_ms, row.actor, says, event.clauses, str(kind))


class SessionClock(Struct, frozen=True):
    """How much of a session is left, by the clock or by coups."""

    session: str
    stage: str
    ends: SessionEnds
    runs: bool = False
    left_ms: int | None = None
    """None: it is not counted in minutes."""
    until_ms: int | None = None
    """When it is over, while it runs."""
    break_until_ms: int | None = None
    last_coup: bool = False


def clock_of(competition: Competition, now_ms: int) -> SessionClock | None:
    """The clock of the session in play; it stands in a break [act-2015:15.18]."""
    session = competition.sessions.get(competition.session)
    if session is None or competition.phase != "running":
        return None
    ends = competition.stage.ends if session.kind == "session" else SessionEnds()
    rests = competition.break_until_ms is not None
    stood_ms = competition.break_since_ms if rests else now_ms
    left = None if session.ends_ms is None else max(0, session.ends_ms - stood_ms)
    until = None if rests or session.time_over else session.ends_ms
    return SessionClock(
        session.id, session.stage, ends, until is not None, left, until,
        competition.break_until_ms, session.last_coup,
    )  # fmt: skip


def glance_version(house: House, stream: Stream[Competition]) -> int:
    """Moves whenever anything moves that the glance at a competition shows."""
    session = stream.state.sessions.get(stream.state.session)
    tables = (*session.seats, *session.moved.values()) if session else ()
    return stream.seq + sum(house.tables[one].seq for one in tables if one in house.tables)
