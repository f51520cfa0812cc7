"""The commands of a competition; their tags are permanent.

They name people by id; names and contacts are in tables that can be erased. Commands that a table
has too, in the same words and with the same facts, are the table's own.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from puntobanco.rules.competition.draw import Spoken
from puntobanco.table.commands import (
    Approve,
    Box,
    Cents,
    DecideDispute,
    DropProposal,
    GiveDirection,
    Hash,
    HoldClocks,
    Millis,
    Name,
    Note,
    Number,
    Person,
    RaiseDispute,
    RunOut,
    SignOff,
    SignOn,
    Someone,
)
from puntobanco.table.result import SessionResult

CompetitionId = Annotated[str, Meta(max_length=50, pattern=r"\A[A-Za-z0-9_.-]*\Z")]
At = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9_.-]+\Z")]
"""The stream of a table."""
Amount = Annotated[int, Meta(ge=0, le=10**12)]
"""Cents, or none."""
Seats = Annotated[dict[Box, Person], Meta(max_length=14)]
People = Annotated[tuple[Person, ...], Meta(max_length=10_000)]
MOST_TABLES = 1000


class ToCompetition(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"
):
    """A command to a competition. Defaults are not encoded: a new field changes no old hash."""


# conditions


class Draft(ToCompetition, frozen=True, tag="draft"):
    """Conditions as they are written, to be proved and published."""

    text: Annotated[str, Meta(min_length=1, max_length=100_000)]
    competition: CompetitionId = ""
    """The competition's id, which the house fills in from the name of the stream."""


class Publish(ToCompetition, frozen=True, tag="publish"):
    """The draft becomes the next version: frozen, hashed, and shown to applicants."""

    digest: Hash = ""
    """SHA-256 of the rule-set text it is played by; the house fills it in."""


# entries


class OpenEntries(ToCompetition, frozen=True, tag="open-entries"):
    pass


class Apply(ToCompetition, frozen=True, tag="apply"):
    person: Someone = ""


class Refuse(ToCompetition, frozen=True, tag="refuse"):
    person: Person
    note: Note = ""


class Accept(ToCompetition, frozen=True, tag="accept"):
    person: Person


class Endorse(ToCompetition, frozen=True, tag="endorse"):
    """An applicant endorses one version of the conditions."""

    version: Number
    person: Someone = ""


class PayEntry(ToCompetition, frozen=True, tag="pay-entry"):
    """The fee goes from the entrant's account into the competition's pot."""

    person: Someone = ""


class EnterAtDesk(ToCompetition, frozen=True, tag="enter-at-desk"):
    """Whatever an entry still lacks, in one step: applied for, accepted, endorsed and paid."""

    person: Person
    version: Number
    """The version of the conditions that was endorsed on paper."""


class Withdraw(ToCompetition, frozen=True, tag="withdraw"):
    person: Someone = ""


class AddReserve(ToCompetition, frozen=True, tag="add-reserve"):
    person: Person


class TakeReserve(ToCompetition, frozen=True, tag="take-reserve"):
    """A reserve is called, pays the fee, and takes the seat of somebody who did not."""

    person: Person
    instead_of: Someone = ""
    """The player whose seat was not taken; empty: a place is free."""


class CloseEntries(ToCompetition, frozen=True, tag="close-entries"):
    pass


class AddValue(ToCompetition, frozen=True, tag="add-value"):
    """The operator adds cash, goods or services to the prize pool."""

    cents: Amount
    what: Note = ""


class PayRefund(ToCompetition, frozen=True, tag="pay-refund"):
    """A refund that a cancelled competition owes."""

    person: Person


# the draw


class CommitDraw(ToCompetition, frozen=True, tag="commit-draw"):
    """The house commits to the seed of the next draw, before anyone knows the list."""

    commitment: Hash = ""


class KeepApart(ToCompetition, frozen=True, tag="keep-apart"):
    """Who is not drawn to one table, as the conditions name them; in place of a list before."""

    groups: Annotated[
        tuple[Annotated[tuple[Person, ...], Meta(max_length=100)], ...], Meta(max_length=5000)
    ]
    salt: Hash = ""
    """The house makes it, so that the list's fingerprint tells nobody who is on it."""


class Draw(ToCompetition, frozen=True, tag="draw"):
    """Lots for tables and seats, from the seed that is opened now and words spoken now."""

    words: Annotated[tuple[Spoken, ...], Meta(min_length=1, max_length=20)]
    seed: Hash = ""
    """The house opens it."""


class KeyDraw(ToCompetition, frozen=True, tag="key-draw"):
    """A draw made by hand, or players allocated, as two people key it in."""

    tables: Annotated[dict[At, Seats], Meta(max_length=MOST_TABLES)]
    first: Annotated[dict[At, Box], Meta(max_length=MOST_TABLES)] = {}
    """The seat that bets first at each table, where the document has that drawn."""


class MoveSeat(ToCompetition, frozen=True, tag="move-seat"):
    person: Person
    table: At
    seat: Box
    note: Note


# sessions


class DesignateTable(ToCompetition, frozen=True, tag="designate-table"):
    table: At


class ReleaseTable(ToCompetition, frozen=True, tag="release-table"):
    table: At


class PrepareSession(ToCompetition, frozen=True, tag="prepare-session"):
    """The tables are opened, and everyone is seated with chips."""


class SetStart(ToCompetition, frozen=True, tag="set-start"):
    stage: Name
    start_ms: Millis
    note: Note


class StartSession(ToCompetition, frozen=True, tag="start-session"):
    pass


class Break(ToCompetition, frozen=True, tag="break"):
    minutes: Annotated[int, Meta(ge=1, le=1440)]


class Resume(ToCompetition, frozen=True, tag="resume"):
    pass


class LastCoup(ToCompetition, frozen=True, tag="last-coup"):
    """The next coup at every table is the last one of the session."""


class FinishEarly(ToCompetition, frozen=True, tag="finish-early"):
    """A table finishes: whatever anyone wagers and whatever cards fall, nothing would change."""

    table: At
    proof: Annotated[tuple[Note, ...], Meta(max_length=100)] = ()
    standing: SessionResult | None = None
    """What the table reports now; the house fills it in."""


class StopTable(ToCompetition, frozen=True, tag="stop-table"):
    table: At
    note: Note


class ResumeAt(ToCompetition, frozen=True, tag="resume-at"):
    """A stopped table goes on as it stands, at another table or at the same one."""

    table: At
    at: At


# results


class TakeResult(ToCompetition, frozen=True, tag="take-result"):
    """What a table's session came to; again, with a higher version, if a correction changed it."""

    table: At
    version: Number
    result: SessionResult
    row: Number


class ConfirmStage(ToCompetition, frozen=True, tag="confirm-stage"):
    pass


class OrderPlayOff(ToCompetition, frozen=True, tag="order-play-off"):
    """Equals play on for what only some of them can have."""

    people: People
    table: At
    coups: Annotated[int, Meta(ge=0, le=1000)] = 0
    """How many rounds they play on, where no card says it."""


class SetPlayOffChips(ToCompetition, frozen=True, tag="set-play-off-chips"):
    cents: Cents


class NameWildCards(ToCompetition, frozen=True, tag="name-wild-cards"):
    """The best of those who are not through, over all tables; equals by ballot."""

    words: Annotated[tuple[Spoken, ...], Meta(max_length=20)] = ()
    seed: Hash = ""
    """The house opens it."""


class OpenSecondary(ToCompetition, frozen=True, tag="open-secondary"):
    """A second chance for players who failed to qualify."""

    into: Name


# people and rulings


class Disqualify(ToCompetition, frozen=True, tag="disqualify"):
    person: Person
    note: Note
    not_attending: bool = False
    """For failing to attend, not for a breach of the rules."""


class Forfeit(ToCompetition, frozen=True, tag="forfeit"):
    person: Person
    why: Note


class Substitute(ToCompetition, frozen=True, tag="substitute"):
    person: Person
    substitute: Someone
    """Empty: the player is back."""


class Rule(ToCompetition, frozen=True, tag="rule"):
    """The Director's ruling, where the rules are silent or a confirmed result has changed."""

    about: Literal["result", "places", "prizes", "session", "other"]
    note: Note
    table: Annotated[str, Meta(max_length=64, pattern=r"\A[A-Za-z0-9_.-]*\Z")] = ""
    """The table whose result it is about."""
    follows: bool = True
    """About a result that changed after it was confirmed: whether the new one counts."""
    order: People = ()
    """About places: those who are level, best first."""
    prizes_cents: Annotated[tuple[Amount, ...], Meta(max_length=1000)] = ()
    """About prizes: the list by which they are paid."""


# ends


class ConfirmPlaces(ToCompetition, frozen=True, tag="confirm-places"):
    pass


class PayPrize(ToCompetition, frozen=True, tag="pay-prize"):
    person: Person


class PublishResults(ToCompetition, frozen=True, tag="publish-results"):
    pass


class Cancel(ToCompetition, frozen=True, tag="cancel"):
    note: Note


CompetitionCommand = (
    Draft | Publish | OpenEntries | Apply | Refuse | Accept | Endorse | PayEntry | EnterAtDesk
    | Withdraw     | AddReserve | TakeReserve | CloseEntries | AddValue | PayRefund
    | CommitDraw | KeepApart | Draw | KeyDraw | MoveSeat
    | DesignateTable | ReleaseTable | PrepareSession | SetStart | StartSession | Break | Resume
    | GiveDirection | LastCoup | FinishEarly | StopTable | ResumeAt
    | TakeResult | ConfirmStage | OrderPlayOff | SetPlayOffChips | NameWildCards | OpenSecondary
    | Disqualify | Forfeit | Substitute | Rule
    | ConfirmPlaces | PayPrize | PublishResults | Cancel
    | SignOn | SignOff | RaiseDispute | DecideDispute | Approve | DropProposal | RunOut
    | HoldClocks
)  # fmt: skip
