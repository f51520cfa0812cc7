"""The events of a competition; each carries its clauses, and their tags are permanent."""

from collections.abc import Callable
from typing import Any, Literal

from puntobanco.competition.commands import CompetitionCommand
from puntobanco.competition.state import Competition, SessionKind
from puntobanco.rules.competition.draw import Spoken
from puntobanco.rules.competition.places import PlaceRow
from puntobanco.table.actor import Actor
from puntobanco.table.events import (
    Approved,
    ClocksHeld,
    DisputeDecided,
    DisputeRaised,
    Event,
    ProposalDropped,
    StaffSignedOff,
    StaffSignedOn,
)
from puntobanco.table.result import SessionResult

# conditions


class ConditionsDrafted(Event, frozen=True, tag="conditions-drafted"):
    competition: str
    text: str


class ConditionsPublished(Event, frozen=True, tag="conditions-published"):
    """A version of the conditions, whole, as applicants were told them."""

    version: int
    text: str
    hash: str
    """SHA-256 of the text."""
    digest: str
    """SHA-256 of the rule-set text it is played by."""


# entries


class EntriesOpened(Event, frozen=True, tag="entries-opened"):
    pass


class ApplicationReceived(Event, frozen=True, tag="application-received"):
    person: str
    number: int = 1
    """Which entry of this person; more than one only by conditions open to all."""


class ApplicationRefused(Event, frozen=True, tag="application-refused"):
    person: str
    note: str = ""


class ApplicationAccepted(Event, frozen=True, tag="application-accepted"):
    person: str


class ConditionsEndorsed(Event, frozen=True, tag="conditions-endorsed"):
    person: str
    version: int


class EntryPaid(Event, frozen=True, tag="entry-paid"):
    person: str
    fee_cents: int
    commission_cents: int = 0
    """What is paid beside the fee."""
    refund_until: str = ""
    """The last day on which a withdrawal is refunded, as the receipt has it; empty: none."""


class EntryWithdrawn(Event, frozen=True, tag="entry-withdrawn"):
    person: str
    refund_cents: int = 0
    deadline: str = ""
    """The day that counted: on the receipt, or before a start that was moved."""


class ReserveAdded(Event, frozen=True, tag="reserve-added"):
    person: str


class ReserveTaken(Event, frozen=True, tag="reserve-taken"):
    person: str
    instead_of: str = ""
    table: str = ""
    seat: int = 0


class EntriesClosed(Event, frozen=True, tag="entries-closed"):
    people: tuple[str, ...]
    """Those who have endorsed and paid."""
    hash: str
    """Of this list."""


class ValueAdded(Event, frozen=True, tag="value-added"):
    cents: int
    what: str = ""


class RefundPaid(Event, frozen=True, tag="refund-paid"):
    person: str
    cents: int


# the draw


class DrawCommitted(Event, frozen=True, tag="draw-committed"):
    commitment: str
    session: str
    draw: int
    """The number of the draw for this session."""


class ApartListKept(Event, frozen=True, tag="apart-list-kept"):
    """Who is not to be drawn to one table, from now on."""

    groups: tuple[tuple[str, ...], ...]
    salt: str
    hash: str
    """The fingerprint of the list, which draws with it name; empty: there is none any more."""


class SeatsDrawn(Event, frozen=True, tag="seats-drawn"):
    """Who sits where in a session: by lot, or as two people keyed it in."""

    session: str
    draw: int
    seats: dict[str, dict[int, str]]
    first: dict[str, int] = {}
    """The seat that bets first at each table, where that is drawn."""
    words: tuple[Spoken, ...] = ()
    seed: str = ""
    """Empty: it was keyed in."""
    order: int = 0
    """Which of the orders drawn is the first to keep everybody apart; 0: nobody was to be."""
    apart: str = ""
    """The fingerprint of the list of those who were."""


class SeatMoved(Event, frozen=True, tag="seat-moved"):
    person: str
    table: str
    seat: int
    note: str
    swapped: str = ""
    """The player who takes the seat that was left."""


# sessions


class TableDesignated(Event, frozen=True, tag="table-designated"):
    table: str


class TableReleased(Event, frozen=True, tag="table-released"):
    table: str


class SessionPrepared(Event, frozen=True, tag="session-prepared"):
    session: str


class StartSet(Event, frozen=True, tag="start-set"):
    stage: str
    start_ms: int
    note: str
    at_ms: int = 0
    """When everyone was given notice of it."""


class SessionStarted(Event, frozen=True, tag="session-started"):
    session: str
    at_ms: int
    ends_ms: int | None = None
    """When its time is over, at all tables alike."""


class BreakCalled(Event, frozen=True, tag="break-called"):
    minutes: int
    at_ms: int


class PlayResumed(Event, frozen=True, tag="play-resumed"):
    at_ms: int


class PaceDirected(Event, frozen=True, tag="pace-directed"):
    """What the Director directed everybody to do."""

    note: str


class LastCoupCalled(Event, frozen=True, tag="last-coup-called"):
    """At every table the next coup is the session's last."""

    session: str


class SessionTimeOver(Event, frozen=True, tag="session-time-over"):
    """A coup whose betting has opened is completed; no other begins."""

    session: str


class TableFinishedEarly(Event, frozen=True, tag="table-finished-early"):
    table: str
    proof: tuple[str, ...]


class TableStopped(Event, frozen=True, tag="table-stopped"):
    table: str
    note: str


class TableResumed(Event, frozen=True, tag="table-resumed"):
    table: str
    at: str


# results


class ResultTaken(Event, frozen=True, tag="result-taken"):
    session: str
    table: str
    version: int
    result: SessionResult


class ResultAmended(Event, frozen=True, tag="result-amended"):
    """A confirmed result has changed at its table; nothing follows without a ruling."""

    session: str
    table: str
    version: int
    result: SessionResult


class StageConfirmed(Event, frozen=True, tag="stage-confirmed"):
    stage: str
    through: tuple[str, ...]
    out: tuple[str, ...]


class PlayOffOrdered(Event, frozen=True, tag="play-off-ordered"):
    session: str
    kind: SessionKind
    of: str
    """The table at whose session they ended level."""
    table: str
    people: tuple[str, ...]
    places_left: int
    coups: int = 0


class PlayOffChipsSet(Event, frozen=True, tag="play-off-chips-set"):
    cents: int


class WildCardsNamed(Event, frozen=True, tag="wild-cards-named"):
    people: tuple[str, ...]
    words: tuple[Spoken, ...] = ()
    seed: str = ""


class SecondaryOpened(Event, frozen=True, tag="secondary-opened"):
    into: str
    eligible: tuple[str, ...]


# people and rulings


class EntryDisqualified(Event, frozen=True, tag="entry-disqualified"):
    person: str
    note: str


class EntryForfeited(Event, frozen=True, tag="entry-forfeited"):
    person: str
    why: str


class SubstituteAccepted(Event, frozen=True, tag="substitute-accepted"):
    person: str
    substitute: str
    """Empty: the player is back."""


class RulingMade(Event, frozen=True, tag="ruling-made"):
    about: Literal["result", "places", "prizes", "session", "other"]
    note: str
    person: str
    """Who ruled."""
    session: str = ""
    table: str = ""
    result: SessionResult | None = None
    """The result that counts from now on."""
    order: tuple[str, ...] = ()
    prizes_cents: tuple[int, ...] = ()


class Proposed(Event, frozen=True, tag="proposed"):
    number: int
    ask: CompetitionCommand
    person: str


# ends


class PlacesConfirmed(Event, frozen=True, tag="places-confirmed"):
    places: tuple[PlaceRow, ...]
    prizes: dict[str, int]
    """What each player is paid."""
    added: dict[str, int] = {}
    """What of it the operator adds for equal shares."""
    pool_cents: int = 0
    retained_cents: int = 0
    """What the operator keeps: of the fees, and as commission."""


class PrizePaid(Event, frozen=True, tag="prize-paid"):
    person: str
    cents: int
    added_cents: int = 0


class ResultsPublished(Event, frozen=True, tag="results-published"):
    pass


class CompetitionCancelled(Event, frozen=True, tag="competition-cancelled"):
    note: str
    refunds: dict[str, int]
    """What is owed to each entrant."""
    retained_cents: int = 0
    """What is the operator's own again: value it added, and fees that are not refunded."""


CompetitionEvent = (
    ConditionsDrafted | ConditionsPublished | EntriesOpened | ApplicationReceived
    | ApplicationRefused | ApplicationAccepted | ConditionsEndorsed | EntryPaid | EntryWithdrawn
    | ReserveAdded | ReserveTaken | EntriesClosed | ValueAdded | RefundPaid
    | DrawCommitted | ApartListKept | SeatsDrawn | SeatMoved
    | TableDesignated | TableReleased | SessionPrepared | StartSet | SessionStarted | BreakCalled
    | PlayResumed | PaceDirected | LastCoupCalled | SessionTimeOver | TableFinishedEarly
    | TableStopped | TableResumed
    | ResultTaken | ResultAmended | StageConfirmed | PlayOffOrdered | PlayOffChipsSet
    | WildCardsNamed | SecondaryOpened
    | EntryDisqualified | EntryForfeited | SubstituteAccepted | RulingMade | Proposed
    | PlacesConfirmed | PrizePaid | ResultsPublished | CompetitionCancelled
    | StaffSignedOn | StaffSignedOff | DisputeRaised | DisputeDecided | Approved
    | ProposalDropped | ClocksHeld
)  # fmt: skip
Deciders = dict[type[Any], Callable[[Competition, Any, Actor], list[CompetitionEvent]]]
Appliers = dict[type[Any], Callable[[Competition, Any], Competition]]
