"""What a board on the wall shows of a competition: one scene, chosen by how far it has come.

Everybody in the room reads it, players too. Chips are those that lie and those that are held
together, so that nothing changes between two settlements and no secret form can be read from it;
whoever stands level at the line is equal, and nobody is ever said to be through before the stage
is confirmed.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition.dates import start_ms
from puntobanco.competition.queries import (
    end_rules,
    ended,
    entries_in,
    number_advancing,
    prize_list,
    promised_prizes,
    went_on,
)
from puntobanco.competition.state import Competition, CompetitionPhase, EntryStatus, PlaySession
from puntobanco.house.competitions.glance import SessionClock, clock_of, shared_places
from puntobanco.house.competitions.paperwork import DrawOnRecord, draws_on_record
from puntobanco.house.competitions.public.names import PublicNames
from puntobanco.house.house import House
from puntobanco.house.stream import Stream
from puntobanco.rules.competition.places import award
from puntobanco.rules.notice import Limits
from puntobanco.table.queries.competition import plays_session
from puntobanco.table.result import SessionResult, standing
from puntobanco.table.state import Table
from puntobanco.table.view.contest import contest_of

Scene = Literal[
    "entries", "draw", "running", "last", "break", "play-off", "final", "over", "results", "off"
]
LATELY = 7
"""Results of the last coups that a board shows."""
MOST_LEADERS = 27
"""Players on a board over all tables."""
P, S = CompetitionPhase, EntryStatus


class BoardRow(Struct, frozen=True):
    """One player as a board shows them."""

    name: str
    seat: int
    place: int = 0
    """As it stands; those who are level have the same."""
    chips_cents: int | None = None
    out: int = 0
    """The coup in which they went out."""
    gone: bool = False
    above: bool = False
    """Above the line as it stands."""
    level: bool = False
    """Equal across the line: chips decide nothing between them."""
    prize_cents: int | None = None
    """What it would be worth if it ended now."""
    table: str = ""
    """Where they sit, on a board over all tables."""
    lot: int = 0


class BoardTable(Struct, frozen=True):
    """One table of the session."""

    table: str
    name: str
    pit: str = ""
    coup: int = 0
    of: int = 0
    """How many coups there are; 0: something else ends it."""
    state: Literal["drawn", "playing", "last", "over", "stopped"] = "drawn"
    rows: tuple[BoardRow, ...] = ()
    line: int = 0
    lately: tuple[str, ...] = ()
    """The results of its last coups: banker, player or tie."""
    limits: Limits | None = None
    raised: Limits | None = None


class BoardPlace(Struct, frozen=True):
    """Places that were confirmed, with what each of them wins."""

    first: int
    last: int
    names: tuple[str, ...]
    each_cents: int | None


class BoardDraw(Struct, frozen=True):
    """A draw, to be shown lot by lot."""

    drawn_ms: int
    lots: int
    words: tuple[str, ...] = ()
    committed_ms: int | None = None


class BoardPlayOff(Struct, frozen=True):
    """A play-off or more rounds among equals."""

    names: tuple[str, ...]
    places: int
    coups: int
    """How many there are; 0: a card will tell, or something else ends it."""
    chips_cents: int
    held_cents: int | None
    """What each of them held when they ended level."""
    more_rounds: bool


class BoardSeen(Struct, frozen=True):
    """All that a board shows."""

    competition: str
    name: str
    scene: Scene
    phase: CompetitionPhase
    stage: str = ""
    final: bool = False
    advancing: int = 0
    """How many of each table go on."""
    wild: int = 0
    paid: int = 0
    """How many places have a prize."""
    tables: tuple[BoardTable, ...] = ()
    leaders: tuple[BoardRow, ...] = ()
    clock: SessionClock | None = None
    started_ms: int | None = None
    next_stage: str = ""
    next_start_ms: int | None = None
    equals: str = ""
    """What equals at the line do: play off, play on, or wait for a ruling."""
    draw: BoardDraw | None = None
    play_off: BoardPlayOff | None = None
    places: tuple[BoardPlace, ...] = ()
    prizes_cents: tuple[int, ...] = ()
    entries_in: int = 0
    most: int = 0
    fee_cents: int = 0
    note: str = ""
    start: str = ""
    """When the conditions say that it starts, with how far clocks there are ahead of UTC."""


class BoardWanted(Struct, frozen=True):
    """Which board: of all tables or some, table by table or over all."""

    tables: tuple[str, ...] = ()
    pit: str = ""
    overall: bool = False


def wanted_board(tables: str, pit: str, show: str) -> BoardWanted:
    """Which board an address asks for."""
    names = tuple(sorted({one.strip() for one in tables.split(",") if one.strip()}))
    return BoardWanted(names, pit.strip(), show == "overall")


class CupBoards:
    """Works boards out, and keeps of each table what was read when it last changed."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._tables: dict[tuple[str, str], tuple[object, BoardTable]] = {}
        self._draws: dict[str, tuple[tuple[str, int], DrawOnRecord | None]] = {}

    def board(self, stream: Stream[Competition], wanted: BoardWanted) -> BoardSeen:
        """The board as it is now."""
        competition, now_ms = stream.state, self._house.time.now_ms()
        held = competition.conditions
        names = PublicNames(self._house, competition)
        seen = BoardSeen(
            competition.id,
            held.name,
            _scene(competition),
            competition.phase,
            entries_in=entries_in(competition),
            most=held.entry.max,
            fee_cents=held.entry.fee_cents or 0,
            prizes_cents=promised_prizes(competition),
            note=competition.cancelled,
            start=held.start,
            places=tuple(
                BoardPlace(row.from_, row.to, names.all(row.people), row.each_cents)
                for row in competition.places
            ),
        )
        seen = _with_next(competition, seen)
        session = _shown(competition)
        if session is None or seen.scene in ("entries", "results", "off"):
            return seen
        drawn = self._drawn(competition, session) if seen.scene == "draw" else None
        tables = tuple(
            self._table(stream, session, table, drawn, names)
            for table in session.seats
            if self._is_wanted(table, wanted)
        )
        stage = held.stage_named(session.stage)
        return replace(
            seen,
            stage=session.stage,
            final=competition.is_final and session.stage == held.final.name,
            advancing=_line(competition, session),
            wild=stage.wild if stage and session.kind == "session" else 0,
            paid=len(seen.prizes_cents),
            tables=tables,
            leaders=_leaders(tables) if wanted.overall else (),
            clock=_without_now(clock_of(competition, now_ms)),
            started_ms=session.started_ms,
            equals=end_rules(competition).equal_at_end,
            draw=_draw_of(drawn),
            play_off=_play_off(competition, session, names),
        )

    def pits(self, stream: Stream[Competition]) -> tuple[str, ...]:
        """The rooms in which its tables stand, each of which may have a board of its own."""
        look = self._house.register.state.settings.table_look
        state = stream.state
        session = state.sessions.get(state.session)
        tables = session.seats if session else state.tables
        return tuple(sorted({look(table).pit for table in tables} - {""}))

    def _is_wanted(self, table: str, wanted: BoardWanted) -> bool:
        pit = self._house.register.state.settings.table_look(table).pit
        return (not wanted.tables or table in wanted.tables) and wanted.pit in ("", pit)

    def _drawn(self, competition: Competition, session: PlaySession) -> DrawOnRecord | None:
        """The last draw of the session, read from its rows once."""
        key, held = (session.id, session.draws), self._draws.get(competition.id)
        if held is None or held[0] != key:
            found = draws_on_record(self._house.log, competition)
            last = [one for one in found if (one.session, one.draw) == key]
            held = self._draws[competition.id] = (key, last[-1] if last else None)
        return held[1]

    def _table(
        self,
        stream: Stream[Competition],
        session: PlaySession,
        drawn: str,
        draw: DrawOnRecord | None,
        names: PublicNames,
    ) -> BoardTable:
        """A table, read anew only if it or the competition has moved."""
        at = session.moved.get(drawn, drawn)
        table, settings = self._house.tables.get(at), self._house.register.state.settings
        look = settings.table_look(at)
        seats = session.seats[drawn]
        called = {person: names(person) for person in seats.values()}
        mark = (table.seq if table else 0, stream.seq, look, called, draw is None)
        held = self._tables.get((stream.name, drawn))
        if held is None or held[0] != mark:
            seen = BoardTable(
                drawn, settings.called(at), look.pit, line=_line(stream.state, session)
            )
            state = table.state if table else Table()
            read = _read(stream.state, session, drawn, state, called, seen)
            held = self._tables[stream.name, drawn] = (mark, _with_lots(read, draw, seats))
        return held[1]


def _shown(competition: Competition) -> PlaySession | None:
    """The session in play, or the last one; of a stage that is confirmed the stage itself, whatever
    was played off after it.
    """
    session = competition.sessions.get(competition.session)
    if session is None or competition.phase is not P.CONFIRMED:
        return session
    return competition.sessions.get(session.stage, session)


def _scene(competition: Competition) -> Scene:
    """One message at a time."""
    phase = competition.phase
    if phase in SCENES:
        return SCENES[phase]
    session = competition.now
    if phase is P.CONFIRMED:
        return "over"
    if phase is P.PLAY_OFF or session.kind != "session":
        return "play-off"
    if competition.break_until_ms is not None:
        return "break"
    if session.last_coup or session.time_over:
        return "last"
    return "final" if competition.is_final and len(session.seats) == 1 else "running"


SCENES: dict[CompetitionPhase, Scene] = {
    P.DRAFTING: "off",
    P.PUBLISHED: "entries",
    P.ENTERING: "entries",
    P.CLOSED: "entries",
    P.DRAWN: "draw",
    P.PREPARING: "draw",
    P.OVER: "over",
    P.PLACED: "results",
    P.PAID: "results",
    P.DONE: "results",
    P.CANCELLED: "off",
}


def _with_next(competition: Competition, seen: BoardSeen) -> BoardSeen:
    """The stage that starts next, and when, where that is known."""
    before = competition.phase in (P.RUNNING, P.OVER, P.PLAY_OFF)
    names = [one.name for one in competition.conditions.stage]
    at = competition.stages_done + (1 if before and not competition.in_secondary else 0)
    if at >= len(names) or seen.scene in ("results", "off"):
        return seen
    return replace(
        seen, next_stage=names[at], next_start_ms=start_ms(competition, names[at]) or None
    )


def _line(competition: Competition, session: PlaySession) -> int:
    """How many stand above the line at each table: those who go on, or have a prize."""
    if session.kind != "session":
        return session.places_left
    if session.stage == competition.conditions.final.name:
        return len(prize_list(competition))
    return number_advancing(competition, session.stage, len(session.seats)) or 0


def _without_now(clock: SessionClock | None) -> SessionClock | None:
    """That time has passed is no change: browsers count down by themselves."""
    if clock is None or clock.until_ms is None:
        return clock
    return replace(clock, left_ms=None)


def _read(
    competition: Competition,
    session: PlaySession,
    drawn: str,
    table: Table,
    names: dict[str, str],
    seen: BoardTable,
) -> BoardTable:
    taken, seats = session.results.get(drawn), session.seats[drawn]
    contest = contest_of(table)
    theirs = plays_session(table, competition.id, session.id)
    if taken is None and not (theirs and table.contest.allotted):
        rows = tuple(BoardRow(names[person], seat) for seat, person in sorted(seats.items()))
        return replace(seen, rows=rows)
    stands = taken.result if taken else standing(table)
    seen = replace(seen, rows=_rows(competition, session, stands, names, seen.line))
    if not theirs or contest is None:
        return replace(seen, state="over", coup=stands.coups)
    last = session.last_coup or contest.last
    state = "over" if taken else "stopped" if drawn in session.stopped else ""
    return replace(
        seen,
        coup=contest.coup,
        of=contest.to_play or contest.ends.coups or 0,
        state=state or ("last" if last else "playing"),
        lately=tuple(str(one.result) for one in table.coups[-LATELY:] if one.result),
        limits=table.notice.limits if table.notice else None,
        raised=contest.raised if contest.indicator != "out" else None,
    )


def _rows(
    competition: Competition,
    session: PlaySession,
    stands: SessionResult,
    called: dict[str, str],
    line: int,
) -> tuple[BoardRow, ...]:
    """By chips, then by the coup in which they went out, the later the better."""
    seats = {person: seat for sat in session.seats.values() for seat, person in sat.items()}
    prizes = _prizes_now(competition, session, stands)
    found = [
        BoardRow(
            name,
            seats[person],
            chips_cents=stands.chips.get(person),
            out=stands.out.get(person, 0),
            gone=person in stands.gone,
            prize_cents=prizes.get(person),
        )
        for person, name in called.items()
    ]
    is_final = session.stage == competition.conditions.final.name
    if is_final or session.kind != "session" or session.stage not in competition.confirmed:
        return _placed(sorted(found, key=lambda row: (_rank(row), row.seat)), line)
    through = went_on(competition, session.stage) & called.keys()
    return _settled(found, {seats[who] for who in through})


def _settled(found: list[BoardRow], through: set[int]) -> tuple[BoardRow, ...]:
    """Once a stage is confirmed: who is through, whatever that was settled by, then the others."""
    rows = sorted(found, key=lambda row: (row.seat not in through, _rank(row), row.seat))
    places = shared_places([_rank(row) for row in rows])
    return tuple(
        replace(row, place=0 if row.gone else place, above=row.seat in through)
        for row, place in zip(rows, places, strict=True)
    )


def ranked(
    competition: Competition, session: PlaySession, result: SessionResult, called: dict[str, str]
) -> tuple[tuple[BoardRow, ...], int]:
    """How a session ended at a table, and the number above its line."""
    line = _line(competition, session)
    return _rows(competition, session, result, called, line), line


def _rank(row: BoardRow) -> tuple[bool, bool, int, int]:
    return row.gone, row.chips_cents is None, -(row.chips_cents or 0), -row.out


def _placed(rows: list[BoardRow], line: int) -> tuple[BoardRow, ...]:
    """Each with a place, which equals share; and where the line cuts through them, that it does."""
    level = None
    if 0 < line < len(rows) and rows[line - 1].chips_cents == rows[line].chips_cents:
        level = rows[line].chips_cents
    places = shared_places([_rank(row) for row in rows])
    return tuple(
        replace(
            row,
            place=0 if row.gone else place,
            level=level is not None and row.chips_cents == level,
            above=at <= line and not row.gone,
        )
        for at, (row, place) in enumerate(zip(rows, places, strict=True), 1)
    )


def _prizes_now(
    competition: Competition, session: PlaySession, stands: SessionResult
) -> dict[str, int]:
    """What each would win if a final ended now; nothing where equals would play for it."""
    if session.stage != competition.conditions.final.name or session.kind != "session":
        return {}
    would = award(ended(competition, stands), promised_prizes(competition), end_rules(competition))
    return {
        person: row.each_cents for row in would.places for person in row.people if row.each_cents
    }


def _with_lots(seen: BoardTable, draw: DrawOnRecord | None, seats: dict[int, str]) -> BoardTable:
    """Who sits where, each with the number of their lot where lots were drawn."""
    if draw is None or draw.certificate is None:
        return seen
    rows = tuple(replace(row, lot=draw.lots.get(seats.get(row.seat, ""), 0)) for row in seen.rows)
    return replace(seen, rows=rows)


def _draw_of(draw: DrawOnRecord | None) -> BoardDraw | None:
    if draw is None or draw.certificate is None:
        return None
    words = tuple(one.words for one in draw.words)
    return BoardDraw(draw.at_ms, len(draw.certificate.lots), words, draw.committed_ms)


def _leaders(tables: tuple[BoardTable, ...]) -> tuple[BoardRow, ...]:
    """The best over all tables, each with their table; the line is drawn at the tables alone."""
    rows = [replace(row, table=one.name) for one in tables for row in one.rows if not row.gone]
    best = sorted(rows, key=lambda row: (_rank(row), row.table, row.seat))[:MOST_LEADERS]
    places = shared_places([_rank(row) for row in best])
    return tuple(replace(row, place=place) for row, place in zip(best, places, strict=True))


def _play_off(
    competition: Competition, session: PlaySession, names: PublicNames
) -> BoardPlayOff | None:
    if session.kind == "session":
        return None
    stage = competition.sessions.get(session.stage)
    taken = stage.results.get(session.of) if stage else None
    held = taken.result.chips.get(session.people[0]) if taken and session.people else None
    rounds = session.kind == "more-rounds"
    return BoardPlayOff(
        names.all(session.people), session.places_left, session.coups, session.chips_cents,
        held, rounds,
    )  # fmt: skip
