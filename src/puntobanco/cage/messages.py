"""What is asked of the cage, and what happened there; tags are permanent."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from puntobanco.table.commands import Cents, Note, Person

TableId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9_.-]+\Z")]
Kind = Literal["fill", "credit"]


class CageCommand(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something a person wants of the cage."""


class OpenAccount(CageCommand, frozen=True, tag="open-account"):
    person: Person


class Deposit(CageCommand, frozen=True, tag="deposit"):
    person: Person
    cents: Cents


class Withdraw(CageCommand, frozen=True, tag="withdraw"):
    person: Person
    cents: Cents


class SellChips(CageCommand, frozen=True, tag="sell-chips"):
    """The cage's half of a buy-in: money leaves the account as chips leave the tray."""

    person: Person
    table: TableId
    cents: Cents


class RedeemChips(CageCommand, frozen=True, tag="redeem-chips"):
    """The cage's half of a cash-out."""

    person: Person
    table: TableId
    cents: Cents


class OpenTray(CageCommand, frozen=True, tag="open-tray"):
    table: TableId
    cents: Cents


class RequestSlip(CageCommand, frozen=True, tag="request-slip"):
    """The floor asks for chips from the cage (a fill), or to send some back (a credit)."""

    kind: Kind
    table: TableId
    cents: Cents


class CompleteSlip(CageCommand, frozen=True, tag="complete-slip"):
    number: Annotated[int, Meta(ge=1, le=10**9)]


class VoidSlip(CageCommand, frozen=True, tag="void-slip"):
    number: Annotated[int, Meta(ge=1, le=10**9)]
    note: Note


class CountTray(CageCommand, frozen=True, tag="count-tray"):
    """Count a tray and hold it against what it should have."""

    table: TableId
    counted_cents: Annotated[int, Meta(ge=0, le=10**13)]
    bank_cents: Annotated[int, Meta(ge=-(10**13), le=10**13)] = 0
    """What the bank of the table has gained; the house puts it in from the table's own record."""


Ask = (
    OpenAccount | Deposit | Withdraw | SellChips | RedeemChips | OpenTray | RequestSlip
    | CompleteSlip | VoidSlip | CountTray
)  # fmt: skip


class CageEvent(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="is"
):
    """Something that happened at the cage."""


class AccountOpened(CageEvent, frozen=True, tag="account-opened"):
    person: str


class MoneyDeposited(CageEvent, frozen=True, tag="money-deposited"):
    person: str
    cents: int


class MoneyWithdrawn(CageEvent, frozen=True, tag="money-withdrawn"):
    person: str
    cents: int


class ChipsSold(CageEvent, frozen=True, tag="chips-sold"):
    person: str
    table: str
    cents: int


class ChipsRedeemed(CageEvent, frozen=True, tag="chips-redeemed"):
    person: str
    table: str
    cents: int


class TrayOpened(CageEvent, frozen=True, tag="tray-opened"):
    table: str
    cents: int


class SlipRequested(CageEvent, frozen=True, tag="slip-requested"):
    number: int
    """Unbroken: every slip has the next one, and keeps it though it is void."""
    kind: Kind
    table: str
    cents: int
    person: str


class SlipCompleted(CageEvent, frozen=True, tag="slip-completed"):
    number: int
    person: str


class SlipVoided(CageEvent, frozen=True, tag="slip-voided"):
    number: int
    person: str
    note: str


class TrayCounted(CageEvent, frozen=True, tag="tray-counted"):
    table: str
    expected_cents: int
    counted_cents: int
    person: str


Happened = (
    AccountOpened | MoneyDeposited | MoneyWithdrawn | ChipsSold | ChipsRedeemed | TrayOpened
    | SlipRequested | SlipCompleted | SlipVoided | TrayCounted
)  # fmt: skip
