"""The state of the cage: accounts, trays, and open slips."""

from msgspec import Struct

from puntobanco.cage.commands import Kind


class Tray(Struct, frozen=True):
    """The bank's chips at one table, from the cage's side."""

    opened_cents: int
    filled_cents: int = 0
    credited_cents: int = 0
    sold_cents: int = 0
    redeemed_cents: int = 0
    counted_cents: int | None = None
    """The cents in the tray when it was last counted."""
    short_cents: int = 0
    """The cents missing at that count; below zero, the surplus."""

    def expected_cents(self, bank_cents: int) -> int:
        """The cents that must lie in the tray, given what the table's bank has gained."""
        moved = self.filled_cents - self.credited_cents - self.sold_cents + self.redeemed_cents
        return self.opened_cents + moved + bank_cents


class Slip(Struct, frozen=True):
    kind: Kind
    table: str
    cents: int
    person: str
    """The person who asked for the slip."""


class Cage(Struct, frozen=True):
    """The cage of one house."""

    accounts: dict[str, int] = {}
    trays: dict[str, Tray] = {}
    slips: dict[int, Slip] = {}
    """Slips asked for and neither completed nor void, by number."""
    slip_number: int = 0
    cash_cents: int = 0
    """The money the house holds for its patrons: cents paid in less cents paid out."""

    @property
    def chips_out_cents(self) -> int:
        """Chips sold and not yet redeemed."""
        return sum(tray.sold_cents - tray.redeemed_cents for tray in self.trays.values())

    @property
    def balances(self) -> bool:
        """Whether every cent paid in is in an account, or stands against chips that are out."""
        return self.cash_cents == sum(self.accounts.values()) + self.chips_out_cents
