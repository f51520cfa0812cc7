"""Commands ask. Their tags are permanent: a proposal keeps the command it is about."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from puntobanco.brief import Brief
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.secret import CONTENT_BYTES, FormFault
from puntobanco.rules.coup import Drawn, Laid, Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import Limits, Notice
from puntobanco.table.actor import Role
from puntobanco.table.competition_terms import Conditions, SessionStanding, SessionTerms
from puntobanco.table.coup_record import CoupRecord

Person = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9_.@+-]+\Z")]
Someone = Annotated[str, Meta(max_length=64, pattern=r"\A[A-Za-z0-9_.@+-]*\Z")]
"""A person; empty: the person who gives the command."""
UNSEEN = r"\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff\ufffd"
"""Control characters, what turns the direction of a line or ends it, and what was not UTF-8."""
Name = Annotated[str, Meta(min_length=1, max_length=80, pattern=rf"\A[^\x00-\x1f{UNSEEN}]+\Z")]
Note = Annotated[str, Meta(max_length=1000, pattern=rf"\A[^\x00-\x08\x0b-\x1f{UNSEEN}]*\Z")]
Cents = Annotated[int, Meta(ge=1, le=10**12)]
Box = Annotated[int, Meta(ge=1, le=14)]
Number = Annotated[int, Meta(ge=1, le=10**9)]
Count = Annotated[int, Meta(ge=0, le=520)]
Millis = Annotated[int, Meta(ge=0, le=10**14)]
Offset = Annotated[int, Meta(ge=-720, le=840)]
Hash = Annotated[str, Meta(max_length=64, pattern=r"\A([0-9a-f]{64})?\Z")]
Digest = Annotated[str, Meta(min_length=64, max_length=64, pattern=r"\A[0-9a-f]{64}\Z")]
Cards = Annotated[tuple[Card, ...], Meta(max_length=520)]


class Command(Brief, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """Something a person wants to happen at the table.

    What is as it usually is goes unsaid: a new field changes no command that was given before.
    """


# opening and closing


class OpenTable(Command, frozen=True, tag="open-table"):
    notice: Notice
    gaming_day: Name
    shoe: Name
    """Which shoe is in use."""
    shoe_approval: Note = ""
    effective: Note = ""
    """The rule set's date of effect, where the document itself does not give it."""
    machines: Annotated[dict[Name, Name], Meta(max_length=100)] = {}
    """Shuffle machines that may be used, each with its approval."""
    backs: Note = ""
    hours: Note = ""
    conditions: Conditions | None = None
    """What makes this a competition table."""
    digest: Hash = ""
    """SHA-256 of the rule-set text the table is played by; empty: the program's own."""
    utc_minutes: Offset = 0
    """How far the table's local time is ahead of UTC: times that are announced are local."""
    session: SessionTerms | None = None
    """The session of the competition that is to be played here."""
    play_cents: Annotated[int, Meta(ge=0, le=10**9)] = 0
    """Play chips that everybody here is given, worth nothing; 0: the table is for money."""


class BeginGamingDay(Command, frozen=True, tag="begin-gaming-day"):
    gaming_day: Name


class GiveClosingNotice(Command, frozen=True, tag="give-closing-notice"):
    closing_ms: Millis
    note: Note = ""


class CloseTable(Command, frozen=True, tag="close-table"):
    note: Note = ""


class SignOn(Command, frozen=True, tag="sign-on"):
    role: Role


class SignOff(Command, frozen=True, tag="sign-off"):
    person: Someone = ""
    """Somebody else only when the house does it, because they have lost the role."""


# people


class Sit(Command, frozen=True, tag="sit"):
    seat: Box
    person: Someone = ""


class StandAt(Command, frozen=True, tag="stand-at"):
    box: Box
    person: Someone = ""


class Leave(Command, frozen=True, tag="leave"):
    person: Someone = ""


class BuyIn(Command, frozen=True, tag="buy-in"):
    cents: Cents
    person: Person


class CashOut(Command, frozen=True, tag="cash-out"):
    cents: Cents
    person: Person


class AgreeLimits(Command, frozen=True, tag="agree-limits"):
    person: Person
    limits: Limits | None = None
    """None: the posted limits hold again."""


class Exclude(Command, frozen=True, tag="exclude"):
    person: Person
    note: Note


class Readmit(Command, frozen=True, tag="readmit"):
    person: Person
    note: Note


class RequireVacate(Command, frozen=True, tag="require-vacate"):
    seat: Box


# the shoe


class CheckCards(Command, frozen=True, tag="check-cards"):
    set_id: Name
    prechecked_lot: Note = ""
    player: Someone = ""
    missing: Cards = ()
    surplus: Cards = ()


class Shuffle(Command, frozen=True, tag="shuffle"):
    machine: Note = ""
    """Empty: by hand."""
    commitment: Hash = ""
    """Of a virtual shoe: the hash of its order."""


class AddWords(Command, frozen=True, tag="add-words"):
    """A seated player has a part in the order of one of the house's own shoes."""

    words: Name


class RefuseCut(Command, frozen=True, tag="refuse-cut"):
    seat: Box


class CutCards(Command, frozen=True, tag="cut-cards"):
    depth: Count
    seat: Box | None = None
    """None: nobody seated would, and staff cut."""


class LoadShoe(Command, frozen=True, tag="load-shoe"):
    behind: Count | None = None
    """Cards behind the marker; None: nobody counted, or the rule fixes it."""
    indicator: bool = False


class BurnCards(Command, frozen=True, tag="burn-cards"):
    exposed: Card | None = None
    face_down: Count = 0


class ChangeCards(Command, frozen=True, tag="change-cards"):
    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=520)]
    """Each replaced by a fresh one of its kind."""


class EndShoe(Command, frozen=True, tag="end-shoe"):
    note: Note = ""


class CheckCardsAtEnd(Command, frozen=True, tag="check-cards-at-end"):
    missing: Cards = ()
    surplus: Cards = ()


class OpenCommitment(Command, frozen=True, tag="open-commitment"):
    order: Cards
    salt: Annotated[str, Meta(max_length=128)]


# betting


class OpenCoup(Command, frozen=True, tag="open-coup"):
    """Place your bets; or, where the next coup takes none, the coup itself."""

    until_ms: Millis | None = None
    """When the time for bets is over, if there is a clock."""


class PlaceWager(Command, frozen=True, tag="place-wager"):
    box: Box
    on: Bet
    cents: Cents
    person: Someone = ""


class ChangeWager(Command, frozen=True, tag="change-wager"):
    box: Box
    on: Bet
    cents: Cents
    """What it amounts to from now on."""
    person: Someone = ""


class WithdrawWager(Command, frozen=True, tag="withdraw-wager"):
    box: Box
    on: Bet
    person: Someone = ""


class Stake(Struct, frozen=True, forbid_unknown_fields=True):
    """An amount on one option."""

    on: Bet
    cents: Cents


class LayWagers(Command, frozen=True, tag="lay-wagers"):
    """One's own wagers in one's own box become exactly these, all of them or none."""

    wagers: Annotated[tuple[Stake, ...], Meta(max_length=5)] = ()
    """Empty: all are taken back."""


class ReduceWagers(Command, frozen=True, tag="reduce-wagers"):
    """Cut wagers back to the collective liability, or to the table differential."""


class NoMoreBets(Command, frozen=True, tag="no-more-bets"):
    pass


class CloseCoup(Command, frozen=True, tag="close-coup"):
    """Nobody has a wager on it: the coup is not dealt."""


class AllowFreeCoups(Command, frozen=True, tag="allow-free-coups"):
    coups: Annotated[int, Meta(ge=1, le=1000)]
    asked_by: Someone = ""


class AskNoBetCoup(Command, frozen=True, tag="ask-no-bet-coup"):
    person: Someone = ""


class AgreeNoBetCoup(Command, frozen=True, tag="agree-no-bet-coup"):
    person: Someone = ""


class DirectNoBetCoup(Command, frozen=True, tag="direct-no-bet-coup"):
    pass


# changes to the notice


class PostChange(Command, frozen=True, tag="post-change"):
    notice: Notice
    from_ms: Millis
    """When it is to hold."""


class ConsentToChange(Command, frozen=True, tag="consent-to-change"):
    person: Someone = ""


class ApplyChange(Command, frozen=True, tag="apply-change"):
    pass


class DropChange(Command, frozen=True, tag="drop-change"):
    pass


# dealing


class AskFaceDown(Command, frozen=True, tag="ask-face-down"):
    person: Someone = ""


class WithdrawFaceDown(Command, frozen=True, tag="withdraw-face-down"):
    """Whoever asked to turn the cards takes it back."""

    person: Someone = ""


class AcknowledgeFaceDown(Command, frozen=True, tag="acknowledge-face-down"):
    role: Role


class SetFaceDown(Command, frozen=True, tag="set-face-down"):
    down: bool


class NameExposer(Command, frozen=True, tag="name-exposer"):
    side: Side
    person: Someone = ""
    """Empty: the dealer."""


class DrawCard(Command, frozen=True, tag="draw-card"):
    card: Card | None = None
    """Keyed, scanned or dealt by the house: the rules cannot tell. None: face down."""
    laid: Laid | None = None
    """Where the dealer put it, when that is not where it is owed."""


class DealCarried(Command, frozen=True, tag="deal-carried"):
    card: Card | None = None
    """Its name, if it was drawn unseen and is turned up now."""


class TurnCarried(Command, frozen=True, tag="turn-carried"):
    """A card left over that nobody had seen shows its face before it is dealt."""

    card: Card


class TurnCard(Command, frozen=True, tag="turn-card"):
    """A face-down card is turned by its holder; the dealer says what it is."""

    card: Card
    position: Annotated[int, Meta(ge=1, le=12)]
    """Which card of the coup, counted as they left the shoe."""


class SqueezeCard(Command, frozen=True, tag="squeeze-card"):
    """The holder looks at a face-down card of the house's own shoe, and nobody else does."""

    position: Annotated[int, Meta(ge=1, le=12)]
    """Which card of the coup, counted as they left the shoe."""


class PassCards(Command, frozen=True, tag="pass-cards"):
    side: Side
    to: Someone = ""
    """Empty: to the person the rule names."""


class RefuseCards(Command, frozen=True, tag="refuse-cards"):
    side: Side
    person: Someone = ""


class SeeMarker(Command, frozen=True, tag="see-marker"):
    """The marker comes out of the shoe."""


class SeeIndicator(Command, frozen=True, tag="see-indicator"):
    pass


# settlement


class OpenedForm(Brief, frozen=True, forbid_unknown_fields=True):
    """The form of a secret wager, opened: what its commitment stands for."""

    person: Person
    salt: Digest
    content: Annotated[str, Meta(min_length=1, max_length=CONTENT_BYTES)]


Forms = Annotated[tuple[OpenedForm, ...], Meta(max_length=14)]


class DeclareResult(Command, frozen=True, tag="declare-result"):
    """The result is announced, and with it the secret wagers."""

    forms: Forms = ()
    """Opened by the house, which alone can; nobody types them."""


class EndCoup(Command, frozen=True, tag="end-coup"):
    """The cards go to the discard rack."""


# irregularities, rulings and corrections


class ReportIrregularity(Command, frozen=True, tag="report-irregularity"):
    found: Found
    note: Note = ""
    older: CoupRecord | None = None
    """The last coup, when a new shoe has been loaded since and its error is still in time."""


class ConfirmFinding(Command, frozen=True, tag="confirm-finding"):
    """An inspector upholds, or not, what a dealer reported."""

    upheld: bool
    note: Note = ""


class RuleOn(Command, frozen=True, tag="rule-on"):
    verdict: Literal["stands", "void"]
    note: Note


class VoidCoup(Command, frozen=True, tag="void-coup"):
    cause: Literal["disrupted", "impractical", "fraud"]
    note: Note


class VoidWagers(Command, frozen=True, tag="void-wagers"):
    person: Person
    note: Note
    coup: Number | None = None
    """An earlier coup; None: the one in play."""
    older: CoupRecord | None = None


class VoidEarlier(Command, frozen=True, tag="void-earlier"):
    """An error of card placement in a coup after which another has begun; or what the operator
    learns of a coup that is over.
    """

    coup: Number
    note: Note
    position: Annotated[int, Meta(ge=1, le=12)] | None = None
    """The card that was laid on the wrong hand, if the record does not show one."""
    older: CoupRecord | None = None
    """The coup itself, when it is not of the current shoe."""
    cause: Literal["placement", "disrupted", "fraud"] = "placement"


class CorrectCard(Command, frozen=True, tag="correct-card"):
    """A card was keyed wrong: the record is put right and the coup played again."""

    coup: Number
    position: Annotated[int, Meta(ge=1, le=12)]
    card: Card
    note: Note
    older: CoupRecord | None = None


class CorrectCoup(Command, frozen=True, tag="correct-coup"):
    """All cards of a coup as they left the shoe: some were keyed wrong, too many, or not at all."""

    coup: Number
    cards: Annotated[tuple[Drawn, ...], Meta(max_length=12)]
    """A card whose place goes unsaid lay where the record had it."""
    note: Note
    older: CoupRecord | None = None


class CorrectWager(Command, frozen=True, tag="correct-wager"):
    """A wager as it lay when bets closed: it was keyed late, wrong, or not at all."""

    coup: Number
    person: Person
    box: Box
    on: Bet
    cents: Annotated[int, Meta(ge=0, le=10**12)]
    """What lay there in time; 0: nothing did."""
    note: Note
    older: CoupRecord | None = None


class CorrectBurn(Command, frozen=True, tag="correct-burn"):
    """The burn as it was made; neither an exposed card nor any face down: none was made."""

    note: Note
    exposed: Card | None = None
    face_down: Count = 0


class CorrectMarker(Command, frozen=True, tag="correct-marker"):
    """The marker was keyed as seen, or counted out, and is still in the shoe."""

    note: Note


class CorrectFinding(Command, frozen=True, tag="correct-finding"):
    """What was reported of the shoe was not so, and bars no coup."""

    found: Literal["face-up-in-shoe", "shoe-disturbed"]
    note: Note


class CorrectExcess(Command, frozen=True, tag="correct-excess"):
    """All cards that left the shoe after a coup and before the next, as they did; none: no card."""

    coup: Annotated[int, Meta(ge=0, le=10**9)]
    """After which they were drawn; the number before the first coup's, if before any."""
    note: Note
    cards: Annotated[tuple[Drawn, ...], Meta(max_length=12)] = ()
    """A card whose place goes unsaid was laid nowhere."""


class CorrectPayment(Command, frozen=True, tag="correct-payment"):
    """The bank paid too little, or (below zero) too much."""

    person: Person
    cents: Annotated[int, Meta(ge=-(10**12), le=10**12)]
    coup: Number
    note: Note


class TakeBack(Command, frozen=True, tag="take-back"):
    """What was directed, reported or declared by mistake, and stands in the way."""

    what: Literal[
        "no-bet-coup",
        "touched",
        "void",
        "wagers-void",
        "end-shoe",
        "close-table",
        "closing-notice",
    ]
    note: Note
    coup: Number | None = None
    """The coup that was declared void, or in which wagers were; None: the one in play."""
    person: Someone = ""
    """Whose wagers were void; or who touched no cards, empty: nobody did."""
    older: CoupRecord | None = None


class Touched(Command, frozen=True, tag="touched"):
    """A player touched cards without being passed them."""

    person: Person


class RaiseDispute(Command, frozen=True, tag="raise-dispute"):
    about: Note
    coup: Number | None = None
    person: Someone = ""


class DecideDispute(Command, frozen=True, tag="decide-dispute"):
    dispute: Number
    decision: Note


class RequestReview(Command, frozen=True, tag="request-review"):
    dispute: Number
    person: Someone = ""


class RecordIncident(Command, frozen=True, tag="record-incident"):
    kind: Name
    note: Note
    people: Annotated[tuple[Person, ...], Meta(max_length=20)] = ()
    coup: Number | None = None
    """The coup in which it happened, if it was in one."""
    photo: Hash = ""
    """SHA-256 of a photo of it, which is kept beside the journal and can be erased."""


class Approve(Command, frozen=True, tag="approve"):
    proposal: Number


class DropProposal(Command, frozen=True, tag="drop-proposal"):
    proposal: Number


# what a competition adds


class AllotChips(Command, frozen=True, tag="allot-chips"):
    """Every seated player gets the same."""


class BeginSession(Command, frozen=True, tag="begin-session"):
    """Seats as they were drawn, and equal chips for all, there or not."""

    seats: Annotated[dict[Box, Person], Meta(min_length=1, max_length=14)]
    row: Number
    """The row of the competition's stream that brought it about."""
    first_seat: Box | None = None
    """Who bets first, where that was drawn."""
    starts_ms: Millis = 0
    """The time that was specified for taking seats."""


class NoteDirectors(Command, frozen=True, tag="note-directors"):
    """Who is signed on as the director of the competition, for all its tables."""

    people: Annotated[tuple[Person, ...], Meta(max_length=20)]
    row: Number


class TakeSeat(Command, frozen=True, tag="take-seat"):
    """A player has come to the seat that was allotted."""

    person: Someone = ""


class NameSubstitute(Command, frozen=True, tag="name-substitute"):
    """Somebody plays for a player, from the same seat, with the same chips."""

    person: Person
    substitute: Someone = ""
    """Empty: the player is back."""
    row: Annotated[int, Meta(ge=0, le=10**9)] = 0
    """The row of the competition's stream, where it was accepted there."""


class GiveDirection(Command, frozen=True, tag="give-direction"):
    """What the director directs; about a player, how play goes on without or against them."""

    note: Note
    person: Someone = ""


class DeclareLastCoup(Command, frozen=True, tag="declare-last-coup"):
    """The next coup is the session's last."""

    row: Number


class EndSession(Command, frozen=True, tag="end-session"):
    """The session is over; a coup in play is finished first."""

    why: Literal["time", "decided", "ruling"]
    row: Number


class ContinueSession(Command, frozen=True, tag="continue-session"):
    """Players who are level play more rounds, with the chips they hold."""

    people: Annotated[tuple[Person, ...], Meta(min_length=2, max_length=14)]
    session: Name
    """What the competition calls these rounds."""
    row: Number
    coups: Annotated[int, Meta(ge=1, le=1000)] = 1
    """The fewest rounds; then one more as long as all are level."""
    seats: Annotated[dict[Box, Person], Meta(max_length=14)] = {}
    """Those who sat out while other equals played, and where they sit down again."""


class PauseSession(Command, frozen=True, tag="pause-session"):
    why: Note
    row: Number
    until_ms: Millis | None = None


class ResumeSession(Command, frozen=True, tag="resume-session"):
    row: Number


class HandOverSession(Command, frozen=True, tag="hand-over-session"):
    """A session that cannot go on here goes on at another table, as it stands."""

    to: Name
    """The stream of that table."""
    row: Number


class TakeOverSession(Command, frozen=True, tag="take-over-session"):
    """A session goes on here as it stood where it was handed over."""

    standing: SessionStanding
    row: Number


class DrawForCoups(Command, frozen=True, tag="draw-for-coups"):
    """The first card of a new shoe says how many coups are played."""

    card: Card


class RemovePlayer(Command, frozen=True, tag="remove-player"):
    person: Person
    why: Literal["disqualified", "forfeited"]
    note: Note
    row: Number


class CorrectChips(Command, frozen=True, tag="correct-chips"):
    """A player's chips as inspector and player have counted them."""

    person: Person
    cents: Annotated[int, Meta(ge=0, le=10**12)]
    note: Note


class Reinstate(Command, frozen=True, tag="reinstate"):
    """Back into the seat of somebody whom a coup had eliminated that is void now."""

    person: Person
    note: Note


class LodgeSecret(Command, frozen=True, tag="lodge-secret"):
    """The form of a secret wager is handed in: only the commitment to it goes on record."""

    commitment: Digest
    person: Someone = ""


class ExamineSecret(Command, frozen=True, tag="examine-secret"):
    """The inspector has looked at a form, before the cards: it is accepted, or sent back."""

    person: Person
    verdict: Literal["accepted", "sent-back"]
    reasons: Annotated[tuple[FormFault, ...], Meta(max_length=10)] = ()


class AnnounceSecrets(Command, frozen=True, tag="announce-secrets"):
    """Before the cards of a final's last coup: every secret wager is told, and its chips laid."""

    forms: Forms = ()
    """Opened by the house, which alone can; nobody types them."""


class InspectForm(Command, frozen=True, tag="inspect-form"):
    """A player asks to see the form of another after the coup."""

    whose: Person
    person: Someone = ""


class AskForWager(Command, frozen=True, tag="ask-for-wager"):
    seat: Box
    until_ms: Millis | None = None


class CloseWindow(Command, frozen=True, tag="close-window"):
    """The time for a wager is over; the player may still make the minimum."""

    seat: Box


class MarkAbsent(Command, frozen=True, tag="mark-absent"):
    person: Person
    absent: bool = True


class RaiseLimits(Command, frozen=True, tag="raise-limits"):
    """To the values announced beforehand, after the indicator card."""


# the house's clock


class RunOut(Command, frozen=True, tag="run-out"):
    """A time that was set is over."""


class HoldClocks(Command, frozen=True, tag="hold-clocks"):
    """Time in which nobody ran the table's clocks does not count."""

    for_ms: Annotated[int, Meta(ge=-(10**14), le=10**14)]
    """Below zero: the clock was set back meanwhile."""


TableCommand = (
    OpenTable | BeginGamingDay | GiveClosingNotice | CloseTable | SignOn | SignOff
    | Sit | StandAt | Leave | BuyIn | CashOut | AgreeLimits | Exclude | Readmit | RequireVacate
    | CheckCards | Shuffle | AddWords | RefuseCut | CutCards | LoadShoe | BurnCards | ChangeCards
    | EndShoe | CheckCardsAtEnd | OpenCommitment
    | OpenCoup | PlaceWager | ChangeWager | WithdrawWager | LayWagers
    | ReduceWagers | NoMoreBets | CloseCoup
    | AllowFreeCoups | AskNoBetCoup | AgreeNoBetCoup | DirectNoBetCoup
    | PostChange | ConsentToChange | ApplyChange | DropChange
    | AskFaceDown | WithdrawFaceDown | AcknowledgeFaceDown | SetFaceDown | NameExposer
    | DrawCard | DealCarried | TurnCarried | TurnCard | SqueezeCard | PassCards | RefuseCards
    | SeeMarker | SeeIndicator | DeclareResult | EndCoup
    | ReportIrregularity | ConfirmFinding | RuleOn | VoidCoup | VoidWagers | VoidEarlier
    | CorrectCard | CorrectCoup | CorrectWager | CorrectBurn | CorrectMarker | CorrectFinding
    | CorrectExcess | CorrectPayment | TakeBack | Touched | RaiseDispute | DecideDispute
    | RequestReview | RecordIncident | Approve | DropProposal
    | AllotChips | AskForWager | CloseWindow | MarkAbsent | RaiseLimits
    | BeginSession | NoteDirectors | TakeSeat | NameSubstitute | GiveDirection | DeclareLastCoup
    | EndSession
    | ContinueSession | PauseSession | ResumeSession | HandOverSession | TakeOverSession
    | DrawForCoups | RemovePlayer
    | CorrectChips | Reinstate
    | LodgeSecret | ExamineSecret | AnnounceSecrets | InspectForm
    | RunOut | HoldClocks
)  # fmt: skip
