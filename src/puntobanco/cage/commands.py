"""The commands of the cage; their tags are permanent."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from puntobanco.table.commands import Cents, Note, Person

TableId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9_.-]+\Z")]
CompetitionId = Annotated[str, Meta(min_length=1, max_length=50, pattern=r"\A[A-Za-z0-9_.-]+\Z")]
FromZero = Annotated[int, Meta(ge=0, le=10**12)]
Kind = Literal["fill", "credit"]


class ToCage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A command to the cage."""


class OpenAccount(ToCage, frozen=True, tag="open-account"):
    person: Person


class Deposit(ToCage, frozen=True, tag="deposit"):
    person: Person
    cents: Cents


class Withdraw(ToCage, frozen=True, tag="withdraw"):
    person: Person
    cents: Cents


class SellChips(ToCage, frozen=True, tag="sell-chips"):
    """The cage's half of a buy-in: money leaves the account as chips leave the tray."""

    person: Person
    table: TableId
    cents: Cents


class RedeemChips(ToCage, frozen=True, tag="redeem-chips"):
    """The cage's half of a cash-out."""

    person: Person
    table: TableId
    cents: Cents


class OpenTray(ToCage, frozen=True, tag="open-tray"):
    table: TableId
    cents: Cents


class RequestSlip(ToCage, frozen=True, tag="request-slip"):
    """The floor asks for chips from the cage (a fill), or to send some back (a credit)."""

    kind: Kind
    table: TableId
    cents: Cents


class CompleteSlip(ToCage, frozen=True, tag="complete-slip"):
    number: Annotated[int, Meta(ge=1, le=10**9)]


class VoidSlip(ToCage, frozen=True, tag="void-slip"):
    number: Annotated[int, Meta(ge=1, le=10**9)]
    note: Note


class CountTray(ToCage, frozen=True, tag="count-tray"):
    """Count a tray and hold it against what it should have."""

    table: TableId
    counted_cents: Annotated[int, Meta(ge=0, le=10**13)]
    bank_cents: Annotated[int, Meta(ge=-(10**13), le=10**13)] = 0
    """Cents that the table's bank has gained; the house fills it in from the table's record."""


# the pots of competitions: each is one half of a command to the competition


class TakeFee(ToCage, frozen=True, tag="take-fee"):
    """An entry fee goes from an account into the pot, with the commission beside it."""

    competition: CompetitionId
    person: Person
    cents: FromZero
    commission_cents: FromZero = 0


class RefundFee(ToCage, frozen=True, tag="refund-fee"):
    competition: CompetitionId
    person: Person
    cents: Cents


class AddToPot(ToCage, frozen=True, tag="add-to-pot"):
    """The operator adds value to the prize pool."""

    competition: CompetitionId
    cents: Cents


class Retain(ToCage, frozen=True, tag="retain"):
    """The operator keeps what is its own: what it may retain of the fees, and the commission."""

    competition: CompetitionId
    cents: Cents


class PayFromPot(ToCage, frozen=True, tag="pay-from-pot"):
    """A prize goes from the pot into an account."""

    competition: CompetitionId
    person: Person
    cents: Cents
    added_cents: FromZero = 0
    """What of it the operator adds, so that equal shares come to whole cents."""


CageCommand = (
    OpenAccount | Deposit | Withdraw | SellChips | RedeemChips | OpenTray | RequestSlip
    | CompleteSlip | VoidSlip | CountTray
    | TakeFee | RefundFee | AddToPot | Retain | PayFromPot
)  # fmt: skip
