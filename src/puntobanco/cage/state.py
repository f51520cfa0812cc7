"""What the cage knows: accounts, trays, and slips that are not done."""

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
    """What was there when it was last counted."""
    short_cents: int = 0
    """What was missing then; below zero, what was too much."""

    def expected_cents(self, bank_cents: int) -> int:
        """What must lie in the tray, given what the table's bank has gained."""
        moved = self.filled_cents - self.credited_cents - self.sold_cents + self.redeemed_cents
        return self.opened_cents + moved + bank_cents


class Slip(Struct, frozen=True):
    kind: Kind
    table: str
    cents: int
    person: str
    """Who asked for it."""


class Cage(Struct, frozen=True):
    """The cage of one house."""

    accounts: dict[str, int] = {}
    trays: dict[str, Tray] = {}
    slips: dict[int, Slip] = {}
    """Asked for, and neither completed nor void."""
    slip_number: int = 0
    cash_cents: int = 0
    """Money the house holds for its patrons: what was paid in less what was paid out."""

    @property
    def chips_out_cents(self) -> int:
        """Chips sold and not yet redeemed."""
        return sum(tray.sold_cents - tray.redeemed_cents for tray in self.trays.values())

    @property
    def balances(self) -> bool:
        """Every cent paid in is in an account, or stands against chips that are out."""
        return self.cash_cents == sum(self.accounts.values()) + self.chips_out_cents
