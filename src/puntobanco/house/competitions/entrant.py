"""A competition as one of its entrants has it in hand: what is theirs, and what is due of them.

All of it is read off the two views that this person has anyway, of the competition and of the
table at which they sit; so that a phone knows nothing that its owner may not.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition.dates import is_moved, start_ms
from puntobanco.competition.queries import entries_in, entry_numbers, number_advancing
from puntobanco.competition.state import (
    Competition,
    CompetitionPhase,
    Entrant,
    EntryStatus,
    PlaySession,
)
from puntobanco.competition.view import own_entry
from puntobanco.house.competitions.glance import (
    CupGlances,
    CupTable,
    SessionClock,
    StandingRow,
    clock_of,
)
from puntobanco.house.house import House
from puntobanco.house.may import why_not
from puntobanco.house.stream import Stream
from puntobanco.rules.competition.conditions import StageConditions
from puntobanco.rules.notice import Limits
from puntobanco.table.actor import Actor
from puntobanco.table.queries.competition import plays_session
from puntobanco.table.queries.secrets import sent_back
from puntobanco.table.state import Table
from puntobanco.table.view import Viewer, view

P, S = CompetitionPhase, EntryStatus
ENTERS = {S.APPLIED: "applied", S.ACCEPTED: "endorse", S.ENDORSED: "pay", S.RESERVE: "reserve"}
GONE = {
    S.REFUSED: "refused",
    S.WITHDRAWN: "withdrawn",
    S.FORFEITED: "forfeited",
    S.DISQUALIFIED: "disqualified",
}
AFTER = {S.THROUGH: "through", S.OUT: "out", S.SECONDARY: "second"}
"""Between two sessions, by what became of somebody in the one before."""
SUBSTITUTE_SEES = frozenset({"seat", "playing", "turn", "over", "cancelled"})
ENDS = (P.PLACED, P.PAID, P.DONE)


class BoardLine(Struct, frozen=True):
    """One player at the entrant's table, by the alias that each chose."""

    seat: int
    alias: str
    """Empty: they chose none, and are called by their seat."""
    mine: bool
    chips_cents: int | None
    out: int = 0
    """The coup in which they went out."""
    gone: str = ""
    place: int = 0
    """As it stands; equals have the same."""


class OwnTable(Struct, frozen=True):
    """Where the entrant plays, and how it stands there."""

    at: str
    name: str
    seat: int
    seats: int
    """How many seats the table has."""
    taken: tuple[int, ...]
    """Seats of those drawn for this table."""
    through: int
    """How many go on, or have a prize."""
    board: tuple[BoardLine, ...] = ()
    rank: int = 0
    chips_cents: int | None = None
    coup: int = 0
    plays: bool = False
    """The session has begun here, and its result is not in."""
    turn: int = 0
    """The seat whose wager is waited for; 0: nobody's, or all bet together."""
    own_turn: bool = False
    """A wager of the entrant's is waited for."""
    before: int = 0
    """How many lay before the entrant does."""
    until_ms: int | None = None
    minimum_only: bool = False
    away: str = ""
    last: bool = False
    form: bool = False
    """The entrant's own form lies for this coup."""
    sent_back: bool = False
    """It was looked at, and comes back to be put right [tas-2018:16.6.7]."""
    reasons: tuple[str, ...] = ()
    """What it came back for."""
    coup_is: Literal["waits", "laid", "no-bets"] = "waits"
    """For the entrant, when nobody is waited for: not begun, their wager lies, bets are closed."""
    may_form: bool = False
    """A form can be handed in now."""
    may_lay: bool = False
    """Chips can be laid now."""
    may_sit: bool = False
    """The table is there, and the seat that was drawn is not taken yet."""
    secrets_left: int | None = None
    limits: Limits | None = None

    def line(self, seat: int) -> BoardLine | None:
        """Whoever was drawn for a seat."""
        return next((one for one in self.board if one.seat == seat), None)


class OwnPlayOff(Struct, frozen=True):
    """What those who ended level play for, and with what."""

    more_rounds: bool
    places: int
    players: int
    chips_cents: int | None
    """None: they are not set yet."""
    for_prizes: bool = False
    """The final is over, and prizes are what they play for."""


class EntrantSeen(Struct, frozen=True):
    """What one entrant's phone shows."""

    scene: str
    """What comes first: `apply`, `shut`, `applied`, `endorse`, `pay`, `reserve`, `in`, `seat`,
    `playing`, `turn`, `over`, `through`, `second`, `out`, `placed`, `cancelled`, or how the entry
    ended."""
    name: str
    phase: CompetitionPhase
    version: int
    stage: str
    alias: str
    number: int
    """The number of the entry; 0: there is none."""
    entry: Entrant | None
    start_ms: int | None
    moved: bool
    """The start of this stage is another than it was announced."""
    fee_cents: int
    account_cents: int | None
    """None: they have no account."""
    entries: int
    most: int
    terms: StageConditions
    advancing: int
    """How many of a table go on from this stage; 0: it is the final, or not yet known."""
    waiting: int
    """The place in the line of reserves; 0: not in it."""
    table: OwnTable | None = None
    clock: SessionClock | None = None
    plays_on: OwnPlayOff | None = None
    """They ended level, and play on: a play-off or more rounds that have not begun."""
    sits_for: int = 0
    """The number of the entry for which they sit as a substitute; 0: they play for themselves."""
    has_substitute: bool = False
    """Somebody sits for them."""
    start: str = ""
    """When the conditions say that it starts, with how far clocks there are ahead of UTC."""

    @property
    def call(self) -> str:
        """Changes when the entrant is to be called: a seat, another start, their turn."""
        table = self.table
        where = f"{table.at} {table.seat}" if table else ""
        turn = table.coup if table and self.scene == "turn" else 0
        return f"{self.stage}|{where}|{self.start_ms or 0}|{turn}"


def entrant_seen(
    house: House, stream: Stream[Competition], glances: CupGlances, person: str
) -> EntrantSeen:
    """The competition as this person's own."""
    state = stream.state
    held, player = state.conditions, sits_for(state, person)
    entry = state.entries.get(player)
    own = _table(house, state, glances, person, player)
    stage = _stage_of(state, entry)
    terms = next((one for one in held.stage if one.name == stage), state.stage)
    beside = held.entry.commission_cents if held.entry.commission == "beside" else 0
    session = state.sessions.get(state.session)
    tables = len(session.seats) if session and session.stage == stage else 0
    final, numbers = held.final.name == stage, entry_numbers(state)
    scene = _scene(state, entry, own)
    plays_on = _plays_on(state, session, player) if session and scene == "seat" else None
    if player != person:  # the seat is theirs for now; entry, receipts and prize are the player's
        scene, entry = scene if scene in SUBSTITUTE_SEES else "substitute", None
    return EntrantSeen(
        scene,
        held.name,
        state.phase,
        state.version,
        stage,
        house.people.alias(person),
        numbers.get(person, 0) if player == person else 0,
        own_entry(state, person) if entry else None,
        None if plays_on else start_ms(state, stage) or None,
        is_moved(state, stage) and not plays_on,
        (held.entry.fee_cents or 0) + beside,
        house.cage.state.accounts.get(person),
        entries_in(state),
        held.entry.max,
        terms,
        0 if final or not tables else number_advancing(state, stage, tables) or 0,
        state.reserves.index(person) + 1 if person in state.reserves else 0,
        own,
        clock_of(state, house.time.now_ms()) if own else None,
        plays_on,
        numbers.get(player, 0) if player != person else 0,
        bool(entry and entry.substitute),
        held.start,
    )


def _stage_of(state: Competition, entry: Entrant | None) -> str:
    """Where somebody plays; of who is through and not drawn yet, where they play next."""
    next_is_due = entry is not None and entry.status is S.THROUGH and state.phase is P.CONFIRMED
    if (
        entry is None
        or not entry.stage
        or (next_is_due and state.stages_done < len(state.conditions.stage))
    ):
        return state.stage.name
    return entry.stage


def sits_for(state: Competition, person: str) -> str:
    """The player whose seat somebody has now: their own, or that of whom they sit for
    [tas-2018:16.3.3, act-2015:15.11].
    """
    return next((who for who, one in state.entries.items() if one.substitute == person), person)


def _scene(state: Competition, entry: Entrant | None, own: OwnTable | None) -> str:
    if state.phase is P.CANCELLED:
        return "cancelled"
    if entry is None:
        return "apply" if state.phase is P.ENTERING else "shut"
    if state.phase in ENDS and entry.status not in GONE:
        return "placed"
    stale = entry.status in (S.PAID, S.RESERVE) and entry.version != state.version
    found = "endorse" if stale else (GONE | ENTERS).get(entry.status, "")
    return found or _seated_scene(state, entry, own)


def _seated_scene(state: Competition, entry: Entrant, own: OwnTable | None) -> str:
    """Where somebody is who has entered."""
    if own is not None and own.plays:
        return "turn" if own.own_turn else "playing"
    if entry.status is S.SEATED:
        return "over" if own is None or state.now.has_begun else "seat"
    if entry.status is S.THROUGH and state.stages_done == len(state.conditions.stage):
        return "over"
    return AFTER.get(entry.status, "in")


def _plays_on(state: Competition, session: PlaySession, player: str) -> OwnPlayOff | None:
    """What comes after a session at whose end they were level [tas-2018:16.8.3, act-2015:15.22]."""
    if session.kind == "session":
        return None
    more_rounds, before = session.kind == "more-rounds", state.sessions[session.stage].results
    held = before[session.of].result.chips.get(player) if session.of in before else None
    chips = held if more_rounds else session.chips_cents or None
    prizes = session.stage == state.conditions.final.name
    return OwnPlayOff(more_rounds, session.places_left, len(session.people), chips, prizes)


def _table(
    house: House, state: Competition, glances: CupGlances, person: str, player: str
) -> OwnTable | None:
    session = state.sessions.get(state.session)
    found = _seat_in(session, player) if session and state.phase not in ENDS else None
    if session is None or found is None:
        return None
    drawn, seat = found
    where = _where(house, glances.table(state, session, drawn, director=False), seat, player)
    where = replace(where, seats=max(where.seats, state.stage.seats))
    stream = house.tables.get(where.at)
    table = stream.state if stream else Table()
    if not table.is_open or not plays_session(table, state.id, session.id):
        return where
    plays = session.has_begun and drawn not in session.results
    return _in_play(where, table, house.actor(person, where.at), player, plays=plays)


def _seat_in(session: PlaySession, person: str) -> tuple[str, int] | None:
    for table, seats in session.seats.items():
        for seat, who in seats.items():
            if who == person:
                return table, seat
    return None


def _where(house: House, glance: CupTable, seat: int, person: str) -> OwnTable:
    """The seat, and how those at the table stand, by what everybody sees of them."""
    rows = glance.rows
    board = tuple(
        BoardLine(
            row.seat, house.people.alias(row.person), row.person == person, row.chips_cents,
            row.out, row.gone, row.place,
        )
        for row in rows
    )  # fmt: skip
    own = next((row for row in rows if row.person == person), StandingRow(person, seat))
    taken = tuple(sorted(row.seat for row in rows))
    return OwnTable(
        glance.at, glance.name, seat, max(taken), taken, glance.through, board, own.place,
        own.chips_cents, glance.coup,
    )  # fmt: skip


def _in_play(where: OwnTable, table: Table, by: Actor, player: str, *, plays: bool) -> OwnTable:
    """What of the coup in play is the entrant's; of a form, only that their own lies."""
    seen = view(table, Viewer(by.person, by.roles))
    contest, seat = seen.contest, where.seat
    assert contest is not None
    assert seen.sign is not None
    box = seen.boxes[seat - 1]
    bets = seen.phase == "betting" and seen.play is not None and seen.play.kind.takes_wagers
    waits = [one for one in contest.order if one not in contest.bet and one not in contest.out]
    back = table.coup is not None and sent_back(table.coup, player)
    may_lay = bets and why_not(table, "bet-more", by) is None
    together = may_lay and not contest.order and seat not in contest.bet
    on = seen.play is not None and seen.play.result is None
    return replace(
        where,
        seats=len(seen.boxes),
        coup=contest.coup,
        plays=plays,
        turn=contest.turn or 0 if bets else 0,
        own_turn=bets and (contest.turn == seat or together or back),
        before=waits.index(seat) if bets and seat in waits else 0,
        until_ms=contest.until_ms if contest.asked == seat else None,
        minimum_only=seat in contest.restricted,
        away=contest.away.get(seat, ""),
        last=contest.last,
        form=box.form and seen.play is not None and seen.play.result is None,
        sent_back=back,
        reasons=table.coup.forms[player].reasons if back and table.coup else (),
        coup_is=("laid" if seat in contest.bet else "no-bets") if on else "waits",
        may_form=bets and why_not(table, "lodge-form", by) is None,
        may_lay=may_lay,
        may_sit=why_not(table, "take-seat", by) is None,
        secrets_left=box.secrets_left,
        limits=seen.sign.notice.limits,
    )
