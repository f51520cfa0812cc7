"""The events of the cage; their tags are permanent."""

from msgspec import Struct

from puntobanco.cage.commands import ByTwo, Kind, Pile
from puntobanco.table.events import Approved, ProposalDropped


class AtCage(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="is"):
    """An event at the cage."""


class AccountOpened(AtCage, frozen=True, tag="account-opened"):
    person: str


class MoneyDeposited(AtCage, frozen=True, tag="money-deposited"):
    person: str
    cents: int
    drawer: str = ""
    """The cashier into whose drawer it went; empty: they had none open."""
    day: str = ""
    """The gaming day whose limit it counts against; empty: there is none, or two people agreed."""


class MoneyWithdrawn(AtCage, frozen=True, tag="money-withdrawn"):
    person: str
    cents: int
    drawer: str = ""
    """The cashier from whose drawer it came; empty: they had none open."""
    day: str = ""
    """The gaming day whose limit it counts against; empty: there is none, or two people agreed."""


class ChipsSold(AtCage, frozen=True, tag="chips-sold"):
    person: str
    table: str
    cents: int


class ChipsRedeemed(AtCage, frozen=True, tag="chips-redeemed"):
    person: str
    table: str
    cents: int


class TrayOpened(AtCage, frozen=True, tag="tray-opened"):
    table: str
    cents: int


class SlipRequested(AtCage, frozen=True, tag="slip-requested"):
    number: int
    """The slip's number, one more than the last; a void slip keeps its number."""
    kind: Kind
    table: str
    cents: int
    person: str
    chips: tuple[Pile, ...] = ()


class SlipCompleted(AtCage, frozen=True, tag="slip-completed"):
    number: int
    person: str


class SlipVoided(AtCage, frozen=True, tag="slip-voided"):
    number: int
    person: str
    note: str


class TrayCounted(AtCage, frozen=True, tag="tray-counted"):
    table: str
    expected_cents: int
    counted_cents: int
    person: str
    chips: tuple[Pile, ...] = ()


class DrawerOpened(AtCage, frozen=True, tag="drawer-opened"):
    person: str
    cash: tuple[Pile, ...] = ()
    chips: tuple[Pile, ...] = ()


class DrawerClosed(AtCage, frozen=True, tag="drawer-closed"):
    person: str
    counted_by: str
    expected_cash_cents: int
    expected_chips_cents: int
    cash: tuple[Pile, ...] = ()
    chips: tuple[Pile, ...] = ()
    """What was counted, as `cash` is."""
    note: str = ""


class FeeTaken(AtCage, frozen=True, tag="fee-taken"):
    competition: str
    person: str
    cents: int
    commission_cents: int = 0


class FeeRefunded(AtCage, frozen=True, tag="fee-refunded"):
    competition: str
    person: str
    cents: int


class PotAddedTo(AtCage, frozen=True, tag="pot-added-to"):
    competition: str
    cents: int


class PotRetained(AtCage, frozen=True, tag="pot-retained"):
    competition: str
    cents: int


class PaidFromPot(AtCage, frozen=True, tag="paid-from-pot"):
    competition: str
    person: str
    cents: int


class Proposed(AtCage, frozen=True, tag="proposed"):
    number: int
    ask: ByTwo
    person: str


OfProposal = Proposed | Approved | ProposalDropped
PotEvent = FeeTaken | FeeRefunded | PotAddedTo | PotRetained | PaidFromPot
CageEvent = (
    AccountOpened | MoneyDeposited | MoneyWithdrawn | ChipsSold | ChipsRedeemed | TrayOpened
    | SlipRequested | SlipCompleted | SlipVoided | TrayCounted | DrawerOpened | DrawerClosed
    | FeeTaken | FeeRefunded | PotAddedTo | PotRetained | PaidFromPot
    | Proposed | Approved | ProposalDropped
)  # fmt: skip
