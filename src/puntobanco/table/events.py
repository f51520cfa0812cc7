"""Events record. Each carries the clauses that produced it; tags are permanent."""

from collections.abc import Callable
from typing import Any, Literal

from puntobanco.brief import Brief
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.secret import FormFault
from puntobanco.rules.coup import Drawn, Laid, Result, Side
from puntobanco.rules.documents.ruleset import Bet, Ratio
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.notice import Limits, Notice
from puntobanco.rules.settle import Line, Outcome
from puntobanco.rules.shoe import Last
from puntobanco.rules.wagers import Wager
from puntobanco.table.actor import Actor, Role
from puntobanco.table.commands import TableCommand
from puntobanco.table.competition_terms import Conditions, SessionStanding, SessionTerms
from puntobanco.table.coup_record import CoupKind, CoupRecord
from puntobanco.table.state import Opened, Table


class Event(
    Brief,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="is",
):
    """Something that happened at the table."""

    clauses: tuple[str, ...] = ()


# opening and closing


class TableOpened(Event, frozen=True, tag="table-opened"):
    notice: Notice
    gaming_day: str
    opened: Opened
    conditions: Conditions | None = None
    opened_by: str = ""
    utc_minutes: int = 0
    source: str = ""
    """The fingerprint of the regulator's own document [tas-2018:0.front]."""
    session: SessionTerms | None = None
    play_cents: int = 0
    """Play chips that everybody here is given; 0: the table is for money."""


class GamingDayBegan(Event, frozen=True, tag="gaming-day-began"):
    gaming_day: str


class ClosingNoticeGiven(Event, frozen=True, tag="closing-notice-given"):
    closing_ms: int
    note: str = ""
    utc_minutes: int = 0
    """How far the table's local time was ahead of UTC, in which the time is told."""


class TableClosed(Event, frozen=True, tag="table-closed"):
    note: str = ""


class StaffSignedOn(Event, frozen=True, tag="staff-signed-on"):
    person: str
    role: Role
    at_ms: int


class StaffSignedOff(Event, frozen=True, tag="staff-signed-off"):
    person: str
    role: Role
    gap: bool = False
    """A coup was in play, and nobody else is signed on in a role it needs."""


# people


class PatronSat(Event, frozen=True, tag="patron-sat"):
    person: str
    seat: int


class PatronStood(Event, frozen=True, tag="patron-stood"):
    """Took a place behind a box."""

    person: str
    box: int


class PatronLeft(Event, frozen=True, tag="patron-left"):
    person: str


class ChipsBought(Event, frozen=True, tag="chips-bought"):
    person: str
    cents: int


class ChipsCashed(Event, frozen=True, tag="chips-cashed"):
    person: str
    cents: int


class LimitsAgreed(Event, frozen=True, tag="limits-agreed"):
    person: str
    limits: Limits | None = None


class PatronExcluded(Event, frozen=True, tag="patron-excluded"):
    person: str
    note: str


class PatronReadmitted(Event, frozen=True, tag="patron-readmitted"):
    person: str
    note: str


class VacateAdvised(Event, frozen=True, tag="vacate-advised"):
    person: str
    seat: int
    rounds: int


class SeatVacated(Event, frozen=True, tag="seat-vacated"):
    person: str
    seat: int
    until_asked: bool = False
    """They sit again only when somebody in charge lets them."""


class WarningGiven(Event, frozen=True, tag="warning-given"):
    person: str


class WarningWithdrawn(Event, frozen=True, tag="warning-withdrawn"):
    """The coup in which it was given is void, or its wager was none below the minimum."""

    person: str


# the shoe


class CardsChecked(Event, frozen=True, tag="cards-checked"):
    set_id: str
    decks: int
    checked_by: str
    lot: str = ""
    player: str = ""
    missing: tuple[Card, ...] = ()
    surplus: tuple[Card, ...] = ()


class CardsShuffled(Event, frozen=True, tag="cards-shuffled"):
    shuffled_by: str
    machine: str = ""
    approval: str = ""
    commitment: str = ""
    again: bool = False
    """They had been shuffled already, and were not in the shoe yet."""


class WordsAdded(Event, frozen=True, tag="words-added"):
    person: str
    seat: int
    words: str
    """Shuffles the order that was committed to once more, with all words added before it."""


class CutRefused(Event, frozen=True, tag="cut-refused"):
    seat: int
    person: str


class CardsCut(Event, frozen=True, tag="cards-cut"):
    depth: int
    person: str
    seat: int | None = None


class ShoeLoaded(Event, frozen=True, tag="shoe-loaded"):
    shoe: str
    cards: int
    behind: int | None = None
    indicator_behind: int | None = None


class CardsBurned(Event, frozen=True, tag="cards-burned"):
    face_down: int
    exposed: Card | None = None


class CardsTouched(Event, frozen=True, tag="cards-touched"):
    person: str


class CardsChanged(Event, frozen=True, tag="cards-changed"):
    cards: tuple[Card, ...]
    checked_by: tuple[str, str]


class ShoeEnded(Event, frozen=True, tag="shoe-ended"):
    set_retired: bool = False
    note: str = ""
    repeats: int = 0
    """Cards in a row that came as in the shoe before: it may not have been shuffled."""


class CardsCheckedAtEnd(Event, frozen=True, tag="cards-checked-at-end"):
    checked_by: str
    missing: tuple[Card, ...] = ()
    surplus: tuple[Card, ...] = ()


class CommitmentOpened(Event, frozen=True, tag="commitment-opened"):
    order: tuple[Card, ...]
    salt: str
    agrees: bool
    fault: str = ""


class MarkerSeen(Event, frozen=True, tag="marker-seen"):
    pass


class IndicatorSeen(Event, frozen=True, tag="indicator-seen"):
    pass


# betting


class CoupOpened(Event, frozen=True, tag="coup-opened"):
    number: int
    kind: CoupKind
    last: Last = Last.NO
    face_down: bool = False
    until_ms: int | None = None
    """When the time for bets is over."""


class WagerPlaced(Event, frozen=True, tag="wager-placed"):
    wager: Wager
    out_of_turn: bool = False


class WagerChanged(Event, frozen=True, tag="wager-changed"):
    """The wager of this player on this option is now so."""

    wager: Wager
    out_of_turn: bool = False


class WagerWithdrawn(Event, frozen=True, tag="wager-withdrawn"):
    wager: Wager


class WagerReduced(Event, frozen=True, tag="wager-reduced"):
    wager: Wager
    """As it is from now on."""


class NoMoreBetsCalled(Event, frozen=True, tag="no-more-bets-called"):
    pass


class BetsLocked(Event, frozen=True, tag="bets-locked"):
    unreduced: tuple[Bet, ...] = ()
    """Hands that stand above a collective liability or differential the dealer did not enforce."""


class CoupNotDealt(Event, frozen=True, tag="coup-not-dealt"):
    """No wager lay, or no coup was to follow: this one is over without a card, and its number is
    not given again.
    """

    number: int
    next_kind: NextCoup = NextCoup.ORDINARY
    carried: tuple[Drawn, ...] = ()
    """Cards left over from before, still to be dealt."""
    shoe_over: bool = False
    """The shoe has ended with the coup before it, as that is known now."""
    disturbed: bool = False
    """The order of the cards in the shoe was disturbed before its first card."""


class FreeCoupsAllowed(Event, frozen=True, tag="free-coups-allowed"):
    coups: int
    asked_by: str


class NoBetCoupAsked(Event, frozen=True, tag="no-bet-coup-asked"):
    person: str


class NoBetCoupAgreed(Event, frozen=True, tag="no-bet-coup-agreed"):
    person: str


class NoBetCoupDirected(Event, frozen=True, tag="no-bet-coup-directed"):
    pass


class ChangePosted(Event, frozen=True, tag="change-posted"):
    notice: Notice
    shown_ms: int
    from_ms: int
    utc_minutes: int = 0


class ChangeConsented(Event, frozen=True, tag="change-consented"):
    person: str


class NoticeChanged(Event, frozen=True, tag="notice-changed"):
    notice: Notice
    fields: tuple[str, ...]


class ChangeDropped(Event, frozen=True, tag="change-dropped"):
    pass


# dealing


class FaceDownAsked(Event, frozen=True, tag="face-down-asked"):
    person: str


class FaceDownWithdrawn(Event, frozen=True, tag="face-down-withdrawn"):
    person: str


class FaceDownLapsed(Event, frozen=True, tag="face-down-lapsed"):
    """Whoever asked to turn the cards let a coup pass without a wager."""

    person: str


class FaceDownAcknowledged(Event, frozen=True, tag="face-down-acknowledged"):
    person: str
    role: Role


class FaceDownSet(Event, frozen=True, tag="face-down-set"):
    down: bool


class ExposerNamed(Event, frozen=True, tag="exposer-named"):
    side: Side
    person: str


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    card: Card | None = None
    laid: Laid | None = None


class ExcessCardDrawn(Event, frozen=True, tag="excess-card-drawn"):
    """A card left the shoe between two coups; what becomes of it is ruled on at once."""

    card: Card | None = None
    laid: Laid | None = None


class CarriedDealt(Event, frozen=True, tag="carried-dealt"):
    card: Card | None = None
    named: bool = False
    """It was drawn unseen, and has its name only now."""


class CarriedTurned(Event, frozen=True, tag="carried-turned"):
    """A card left over that nobody had seen, by its place among those that wait."""

    position: int
    card: Card


class CardTurned(Event, frozen=True, tag="card-turned"):
    position: int
    card: Card
    person: str
    """Who turned it."""


class CardShown(Event, frozen=True, tag="card-shown"):
    """Its holder looked at a face-down card; what it is, the record does not say."""

    position: int
    person: str


class CardsPassed(Event, frozen=True, tag="cards-passed"):
    side: Side
    person: str
    in_error: bool = False


class CardsRefused(Event, frozen=True, tag="cards-refused"):
    side: Side
    person: str


class PointsAnnounced(Event, frozen=True, tag="points-announced"):
    player: int
    banker: int
    next: Side | None = None
    """Whose third card is next."""


class LastCoupAnnounced(Event, frozen=True, tag="last-coup-announced"):
    last: Last


# settlement


class ResultDeclared(Event, frozen=True, tag="result-declared"):
    number: int
    result: Result
    player: int
    banker: int


class WagerSettled(Event, frozen=True, tag="wager-settled"):
    """One payout, one wager taken, or one given back: with its stake, odds and breakage."""

    coup: int
    wager: Wager
    outcome: Outcome
    stake_cents: int
    returned_cents: int
    won_cents: int
    odds: Ratio | None = None
    breakage: Ratio = (0, 1)
    warn: bool = False

    @property
    def line(self) -> Line:
        return Line(
            self.wager,
            self.outcome,
            self.stake_cents,
            self.returned_cents,
            self.won_cents,
            self.odds,
            self.breakage,
            self.clauses,
            self.warn,
        )


class CoupEnded(Event, frozen=True, tag="coup-ended"):
    number: int
    next_kind: NextCoup = NextCoup.ORDINARY
    carried: tuple[Drawn, ...] = ()


# irregularities, rulings and corrections


class IrregularityRuled(Event, frozen=True, tag="irregularity-ruled"):
    found: Found
    verdict: Verdict
    next_coup: NextCoup = NextCoup.ORDINARY
    next_clause: str = ""
    """By which the next coup is so."""
    carried: tuple[Drawn, ...] = ()
    discarded: tuple[Drawn, ...] = ()
    note: str = ""


class RulingAwaited(Event, frozen=True, tag="ruling-awaited"):
    """Play stops and the wagers are held until a person has ruled."""

    found: Found
    verdict: Verdict
    """What the rule says, if what was reported is so; `ruling`: it leaves it to a person."""
    note: str = ""
    person: str = ""
    """Who reported it."""


class RulingGiven(Event, frozen=True, tag="ruling-given"):
    verdict: Verdict
    note: str = ""


class CoupVoided(Event, frozen=True, tag="coup-voided"):
    number: int
    cause: str
    note: str = ""


class TransferReversed(Event, frozen=True, tag="transfer-reversed"):
    coup: int
    wager: Wager
    to_owner_cents: int


class EarlierCoupVoided(Event, frozen=True, tag="earlier-coup-voided"):
    number: int
    note: str = ""
    wagers: tuple[Wager, ...] = ()
    """Those that were not void before it."""


class TakenBack(Event, frozen=True, tag="taken-back"):
    """What was directed, reported or declared by mistake counts no more."""

    what: str
    note: str = ""
    coup: int = 0
    """Whose void it was."""
    person: str = ""


class ErrorNoted(Event, frozen=True, tag="error-noted"):
    """An error in an earlier coup that the rules let stand."""

    number: int
    note: str = ""


class CardCorrected(Event, frozen=True, tag="card-corrected"):
    coup: int
    position: int
    was: Card
    card: Card
    note: str = ""
    left_over: bool = False
    """It was left over from its coup, and may begin the next."""


class CardsCorrected(Event, frozen=True, tag="cards-corrected"):
    """All cards of a coup as they left the shoe."""

    coup: int
    was: tuple[Drawn, ...]
    cards: tuple[Drawn, ...]
    note: str = ""
    shuffled: bool = False
    """They were shuffled since then: what was seen of them counts no more."""


class ShoeRecounted(Event, frozen=True, tag="shoe-recounted"):
    """The cards that have left the shoe, as the cards put right say."""

    drawn: int
    since_marker: int | None = None
    coup: int = 0
    """A coup that began with other cards left over than was thought."""
    begun: int = 0
    """How many it began with."""
    again: tuple[Drawn, ...] = ()
    """The cards that it was thought to have begun with besides."""
    goes_on: bool = False
    """The shoe has not ended with its last coup: the marker came after it, or is not out."""
    ends: bool = False
    """It has, by the cards put right of an earlier coup."""


class NextCoupRuled(Event, frozen=True, tag="next-coup-ruled"):
    """What follows the last coup, ruled again now that its cards are known."""

    next_kind: NextCoup
    next_clause: str = ""
    carried: tuple[Drawn, ...] = ()


class CopiesExceeded(Event, frozen=True, tag="copies-exceeded"):
    """More of one card are on record than the set holds: one of them was keyed wrong, or is none
    of this set.
    """

    card: Card
    copies: int


class WagerCorrected(Event, frozen=True, tag="wager-corrected"):
    """A wager as it lay when bets closed."""

    coup: int
    wager: Wager
    was: Wager | None = None
    """As it was on record."""
    note: str = ""
    void: tuple[Line, ...] = ()
    """Of the coup in play: what of the same wager was declared void before, and stays so."""


class BurnCorrected(Event, frozen=True, tag="burn-corrected"):
    face_down: int
    exposed: Card | None = None
    note: str = ""


class MarkerCorrected(Event, frozen=True, tag="marker-corrected"):
    """The marker is still in the shoe."""

    note: str = ""


class FindingCorrected(Event, frozen=True, tag="finding-corrected"):
    """What was found of the shoe was not so."""

    found: Found
    note: str = ""


class ExcessCorrected(Event, frozen=True, tag="excess-corrected"):
    """All cards that left the shoe after a coup and before the next."""

    coup: int
    was: tuple[Drawn, ...]
    cards: tuple[Drawn, ...]
    note: str = ""


class CoupReopened(Event, frozen=True, tag="coup-reopened"):
    """These wagers lie on the layout again and its result is to be declared anew."""

    number: int
    wagers: tuple[Wager, ...] = ()


class RecordReplaced(Event, frozen=True, tag="record-replaced"):
    """An earlier coup as it stands after a correction."""

    record: CoupRecord


class PaymentCorrected(Event, frozen=True, tag="payment-corrected"):
    person: str
    cents: int
    coup: int
    note: str = ""


class DisputeRaised(Event, frozen=True, tag="dispute-raised"):
    number: int
    person: str
    about: str
    coup: int | None = None


class DisputeDecided(Event, frozen=True, tag="dispute-decided"):
    number: int
    decision: str
    decided_by: str


class ReviewRequested(Event, frozen=True, tag="review-requested"):
    number: int
    person: str


class IncidentRecorded(Event, frozen=True, tag="incident-recorded"):
    kind: str
    note: str
    people: tuple[str, ...] = ()
    coup: int | None = None
    """The coup in which it happened, where that was said."""
    photo: str = ""
    """SHA-256 of a photo of it; the photo itself may have been erased."""


class Proposed(Event, frozen=True, tag="proposed"):
    number: int
    ask: TableCommand
    person: str
    affected: tuple[TransferReversed, ...] = ()
    """Who would gain or lose by it."""


class Approved(Event, frozen=True, tag="approved"):
    number: int
    person: str


class ProposalDropped(Event, frozen=True, tag="proposal-dropped"):
    number: int
    person: str


# play money


class PlayChipsGiven(Event, frozen=True, tag="play-chips-given"):
    """Chips that are worth nothing, at a table that was opened for them."""

    person: str
    cents: int


class PlayChipsReturned(Event, frozen=True, tag="play-chips-returned"):
    person: str
    cents: int


# what a competition adds


class ChipsAllotted(Event, frozen=True, tag="chips-allotted"):
    cents: int
    people: tuple[str, ...]


class ChipsCollected(Event, frozen=True, tag="chips-collected"):
    """Competition or play chips go back to the operator: the players', and those the bank has
    won.
    """

    chips: dict[str, int]
    bank_cents: int = 0
    """What the bank won of them; below zero, what it lost. It leaves the books of the table."""
    play: bool = False
    """They were play chips."""


class WagerAsked(Event, frozen=True, tag="wager-asked"):
    seat: int
    until_ms: int | None = None
    utc_minutes: int = 0


class WindowClosed(Event, frozen=True, tag="window-closed"):
    seat: int


class WagerMadeUp(Event, frozen=True, tag="wager-made-up"):
    """Raised to the minimum."""

    wager: Wager


class AbsenceMarked(Event, frozen=True, tag="absence-marked"):
    person: str
    absent: bool
    missed: bool = False
    """They are back when their turn in the coup in play has passed."""


class AbsenceDeducted(Event, frozen=True, tag="absence-deducted"):
    person: str
    cents: int


class PlayerEliminated(Event, frozen=True, tag="player-eliminated"):
    person: str
    seat: int
    left_over_cents: int
    kept_by: Literal["operator", "player"]
    coup: int = 0
    """Which coup of the session; 0 in rows from before it was kept."""


class SessionBegan(Event, frozen=True, tag="session-began"):
    seats: dict[int, str]
    cents: int
    """The competition chips each player has before them; 0: they buy them."""
    row: int
    first_seat: int | None = None
    starts_ms: int = 0


class DirectorsNoted(Event, frozen=True, tag="directors-noted"):
    people: tuple[str, ...]
    row: int


class SeatTaken(Event, frozen=True, tag="seat-taken"):
    person: str
    seat: int
    missed: bool = False
    """Their turn in the coup in play has passed."""


class LatenessDeducted(Event, frozen=True, tag="lateness-deducted"):
    person: str
    cents: int
    coups: int
    """How many coups have been deducted for so far."""


class SubstituteNamed(Event, frozen=True, tag="substitute-named"):
    person: str
    substitute: str
    row: int = 0


class DirectionGiven(Event, frozen=True, tag="direction-given"):
    note: str
    person: str = ""


class OrderWarningGiven(Event, frozen=True, tag="order-warning-given"):
    """A wager out of order stood; another may be declared void."""

    person: str


class LastCoupDeclared(Event, frozen=True, tag="last-coup-declared"):
    """Of the session: the coup in play, or the next."""

    row: int = 0


class SessionEnded(Event, frozen=True, tag="session-ended"):
    why: Literal["coups", "shoes", "last-coup", "time", "decided", "ruling", "all-out", "all-below"]
    coups: int
    """Coups that counted."""
    row: int = 0


class SessionContinued(Event, frozen=True, tag="session-continued"):
    people: tuple[str, ...]
    session: str
    row: int
    coups: int = 1
    seats: dict[int, str] = {}
    """Who had sat out while other equals played, and sits again."""


class SessionPaused(Event, frozen=True, tag="session-paused"):
    why: str
    row: int
    until_ms: int | None = None
    utc_minutes: int = 0


class SessionResumed(Event, frozen=True, tag="session-resumed"):
    row: int


class SessionHandedOver(Event, frozen=True, tag="session-handed-over"):
    to: str
    standing: SessionStanding
    row: int


class SessionTakenOver(Event, frozen=True, tag="session-taken-over"):
    standing: SessionStanding
    row: int


class CoupsDrawn(Event, frozen=True, tag="coups-drawn"):
    """A card from a new shoe, which then lies with the discards, gave the number of coups."""

    card: Card
    coups: int


class PlayerRemoved(Event, frozen=True, tag="player-removed"):
    person: str
    seat: int
    why: Literal["late", "not-seated", "disqualified", "forfeited"]
    left_over_cents: int
    kept_by: Literal["operator", "player"]
    note: str = ""
    row: int = 0


class ChipsCorrected(Event, frozen=True, tag="chips-corrected"):
    person: str
    was_cents: int
    cents: int
    note: str = ""


class PlayerReinstated(Event, frozen=True, tag="player-reinstated"):
    person: str
    seat: int
    cents: int
    """What was left over when they were eliminated, and is theirs again."""
    note: str = ""


class SecretLodged(Event, frozen=True, tag="secret-lodged"):
    """A form lies with the inspector; a marker shows it, and nothing else."""

    person: str
    seat: int
    commitment: str


class SecretExamined(Event, frozen=True, tag="secret-examined"):
    person: str
    verdict: Literal["accepted", "sent-back"]
    reasons: tuple[FormFault, ...] = ()


class SecretAnnounced(Event, frozen=True, tag="secret-announced"):
    """A form is read out, and the wager it counts for lies on the layout."""

    coup: int
    person: str
    figures: str
    words: str
    on: str
    """The type as it was circled."""
    wager: Wager | None = None
    """As it is deemed to have been made; none: it is not played."""
    reasons: tuple[FormFault, ...] = ()
    """What was found wrong once it was opened."""
    taken_cents: int = 0
    """What is to be taken instead, once the coup is settled."""


class SecretDeducted(Event, frozen=True, tag="secret-deducted"):
    """The minimum is taken for a form that did not show its wager."""

    coup: int
    person: str
    cents: int


class SecretLapsed(Event, frozen=True, tag="secret-lapsed"):
    """A form counts no more, and none was made: its coup is void, or the player's wagers are."""

    coup: int
    person: str
    cents: int = 0
    """What had been taken for it, and goes back."""


class FormInspected(Event, frozen=True, tag="form-inspected"):
    person: str
    whose: str


class PuckMoved(Event, frozen=True, tag="puck-moved"):
    seat: int


# the house's clock


class BettingTimeOver(Event, frozen=True, tag="betting-time-over"):
    """No more wagers from players' own devices; the dealer calls and deals as ever."""


class TurnTimeOver(Event, frozen=True, tag="turn-time-over"):
    """The time of the player whose turn it is has run out; people decide what follows."""

    seat: int


class ChangeDue(Event, frozen=True, tag="change-due"):
    """The notice of a posted change has run: it may hold from now on."""


class ClosingDue(Event, frozen=True, tag="closing-due"):
    """The notice of closing has run: the table may close from now on."""


class ClocksHeld(Event, frozen=True, tag="clocks-held"):
    """Every time that was running ends later by this much; it has as much left as it had."""

    for_ms: int


TableEvent = (
    TableOpened | GamingDayBegan | ClosingNoticeGiven | TableClosed | StaffSignedOn
    | StaffSignedOff
    | PatronSat | PatronStood | PatronLeft | ChipsBought | ChipsCashed | LimitsAgreed
    | PlayChipsGiven | PlayChipsReturned
    | PatronExcluded | PatronReadmitted | VacateAdvised | SeatVacated | WarningGiven
    | WarningWithdrawn
    | CardsChecked | CardsShuffled | WordsAdded | CutRefused | CardsCut | ShoeLoaded | CardsBurned
    | CardsTouched | CardsChanged | ShoeEnded | CardsCheckedAtEnd | CommitmentOpened
    | MarkerSeen | IndicatorSeen
    | CoupOpened | WagerPlaced | WagerChanged | WagerWithdrawn | WagerReduced
    | NoMoreBetsCalled | BetsLocked | CoupNotDealt
    | FreeCoupsAllowed | NoBetCoupAsked | NoBetCoupAgreed | NoBetCoupDirected
    | ChangePosted | ChangeConsented | NoticeChanged | ChangeDropped
    | FaceDownAsked | FaceDownWithdrawn | FaceDownLapsed | FaceDownAcknowledged | FaceDownSet
    | ExposerNamed | CardDrawn
    | ExcessCardDrawn | CarriedDealt | CarriedTurned | CardTurned | CardShown | CardsPassed
    | CardsRefused | PointsAnnounced | LastCoupAnnounced
    | ResultDeclared | WagerSettled | CoupEnded
    | IrregularityRuled | RulingAwaited | RulingGiven | CoupVoided | TransferReversed
    | EarlierCoupVoided | TakenBack | ErrorNoted | CardCorrected | CardsCorrected | ShoeRecounted
    | NextCoupRuled | CopiesExceeded | WagerCorrected | BurnCorrected | MarkerCorrected
    | FindingCorrected | ExcessCorrected
    | CoupReopened
    | RecordReplaced | PaymentCorrected | DisputeRaised | DisputeDecided | ReviewRequested
    | IncidentRecorded
    | Proposed | Approved | ProposalDropped
    | ChipsAllotted | ChipsCollected | WagerAsked | WindowClosed | WagerMadeUp | AbsenceMarked
    | AbsenceDeducted | PlayerEliminated | PuckMoved
    | SessionBegan | DirectorsNoted | SeatTaken | LatenessDeducted | SubstituteNamed
    | DirectionGiven
    | OrderWarningGiven | LastCoupDeclared | SessionEnded | SessionContinued | SessionPaused
    | SessionResumed | SessionHandedOver | SessionTakenOver | CoupsDrawn | PlayerRemoved
    | ChipsCorrected | PlayerReinstated
    | SecretLodged | SecretExamined | SecretAnnounced | SecretDeducted | SecretLapsed
    | FormInspected
    | BettingTimeOver | TurnTimeOver | ChangeDue | ClosingDue | ClocksHeld
)  # fmt: skip

COUP_OVER = (CoupEnded, CoupNotDealt)
"""With either of these no coup is in play any more."""

Decide = Callable[[Table, Any, Actor], list[TableEvent]]
"""A function that answers a command."""
Decides = dict[type, Decide]
"""What a room of `decide` is: for each of its commands, the function that answers it."""
Applies = dict[type, Callable[[Table, Any], Table]]
"""What a room of `evolve` is: for each of its events, the function that applies it."""
