"""The commands of the cage; their tags are permanent."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from puntobanco.table.commands import Approve, Cents, DropProposal, Note, Person, Someone

TableId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9_.-]+\Z")]
CompetitionId = Annotated[str, Meta(min_length=1, max_length=50, pattern=r"\A[A-Za-z0-9_.-]+\Z")]
FromZero = Annotated[int, Meta(ge=0, le=10**12)]
Day = Annotated[str, Meta(max_length=10, pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]
Kind = Literal["fill", "credit"]


class Pile(Struct, frozen=True, forbid_unknown_fields=True):
    """So many chips, notes or coins of one value."""

    cents: Cents
    """The value of one of them."""
    count: Annotated[int, Meta(ge=1, le=10**6)]


Piles = Annotated[tuple[Pile, ...], Meta(max_length=30)]
"""A count by denomination; each stands in it once."""


def worth_cents(piles: tuple[Pile, ...]) -> int:
    """What a count comes to.

    >>> worth_cents((Pile(2500, 4), Pile(10000, 2)))
    30000
    """
    return sum(pile.cents * pile.count for pile in piles)


class ToCage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A command to the cage."""


class OpenAccount(ToCage, frozen=True, tag="open-account"):
    person: Person


class Deposit(ToCage, frozen=True, tag="deposit"):
    person: Person
    cents: Cents
    limit_cents: FromZero | UnsetType = UNSET
    """The most that one person takes in; the house fills it in where it has two founders."""
    day: Day | UnsetType = UNSET
    """The gaming day whose payments count together against that limit; the same."""


class Withdraw(ToCage, frozen=True, tag="withdraw"):
    person: Person
    cents: Cents
    limit_cents: FromZero | UnsetType = UNSET
    """The most that one person pays out; the house fills it in where it has two founders."""
    day: Day | UnsetType = UNSET
    """The gaming day whose payments count together against that limit; the same."""


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
    chips: Piles | UnsetType = UNSET
    """The chips themselves, by denomination; they come to the amount. Left out of what is stored
    if nobody said them, as in rows from before they could be said."""


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
    chips: Piles | UnsetType = UNSET
    """What was counted, by denomination; it comes to what is said to have been counted."""


# a cashier's drawer, from the float to the count at the end of a shift


class OpenDrawer(ToCage, frozen=True, tag="open-drawer"):
    """A cashier begins a shift with a float of cash and chips, counted."""

    cash: Piles
    chips: Piles = ()


class CloseDrawer(ToCage, frozen=True, tag="close-drawer"):
    """A drawer is counted at the end of a shift and held against what it should have."""

    cash: Piles
    chips: Piles = ()
    person: Someone = ""
    """Whose drawer, if management counts another's; empty: one's own."""
    note: Note = ""


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


ByTwo = Deposit | Withdraw
"""What takes two people above the house's limit."""
CageCommand = (
    OpenAccount | Deposit | Withdraw | SellChips | RedeemChips | OpenTray | RequestSlip
    | CompleteSlip | VoidSlip | CountTray | OpenDrawer | CloseDrawer
    | TakeFee | RefundFee | AddToPot | Retain | PayFromPot | Approve | DropProposal
)  # fmt: skip
