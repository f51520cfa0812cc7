"""The state of the cage: accounts, trays, open slips, drawers, and the pots of competitions."""

from msgspec import Struct

from puntobanco.cage.commands import ByTwo, Kind, Pile


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
    chips: tuple[Pile, ...] = ()
    """That count by denomination; empty if nobody said it."""

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
    chips: tuple[Pile, ...] = ()
    """The chips by denomination; empty if nobody said them."""


class Drawer(Struct, frozen=True):
    """A cashier's drawer since the shift began."""

    float_cash_cents: int
    float_chips_cents: int
    in_cents: int = 0
    out_cents: int = 0
    filled_cents: int = 0
    """Chips that left it for tables."""
    credited_cents: int = 0

    @property
    def cash_cents(self) -> int:
        """The cash that must lie in it."""
        return self.float_cash_cents + self.in_cents - self.out_cents

    @property
    def chips_cents(self) -> int:
        """The chips that must lie in it."""
        return self.float_chips_cents - self.filled_cents + self.credited_cents


class Pot(Struct, frozen=True):
    """The money of one competition: fees in, refunds and prizes out [tas-2018:16.2.1]."""

    fees_cents: int = 0
    commission_cents: int = 0
    """Commission that was paid beside the fees [act-2015:15.4(c)]."""
    added_cents: int = 0
    refunded_cents: int = 0
    retained_cents: int = 0
    paid_cents: int = 0

    @property
    def cents(self) -> int:
        """The cents that lie in it."""
        taken = self.fees_cents + self.commission_cents + self.added_cents
        return taken - self.refunded_cents - self.retained_cents - self.paid_cents


class ProposedMoney(Struct, frozen=True):
    """Money that waits for a second person, and whose drawer it goes through."""

    ask: ByTwo
    person: str


class PaidAlone(Struct, frozen=True):
    """What was taken in and paid out in a gaming day by one person each, for a patron or through a
    drawer.
    """

    day: str = ""
    in_cents: int = 0
    out_cents: int = 0


def _of_day(paid: PaidAlone | None, day: str) -> PaidAlone:
    """What was moved on a gaming day, or on a later one: where the beginning of gaming days is put
    off, or a table goes by another clock, one that is over would come again, and with it its limit.
    """
    return paid if paid is not None and paid.day >= day else PaidAlone(day)


class Cage(Struct, frozen=True):
    """The cage of one house."""

    accounts: dict[str, int] = {}
    trays: dict[str, Tray] = {}
    slips: dict[int, Slip] = {}
    """Slips asked for and neither completed nor void, by number."""
    slip_number: int = 0
    cash_cents: int = 0
    """The money the house holds for its patrons: cents paid in less cents paid out."""
    pots: dict[str, Pot] = {}
    """The pots of competitions, by the competition's id."""
    drawers: dict[str, Drawer] = {}
    """The drawers that are open, by the cashier whose they are."""
    proposals: dict[int, ProposedMoney] = {}
    proposal_number: int = 0
    alone: dict[str, PaidAlone] = {}
    """By patron, for the latest gaming day on which there was any."""
    through: dict[str, PaidAlone] = {}
    """The same by drawer; all who have none open share one entry, of an empty name."""

    def alone_on(self, person: str, day: str) -> PaidAlone:
        """What one person each has moved for a patron on a gaming day."""
        return _of_day(self.alone.get(person), day)

    def alone_through(self, drawer: str, day: str) -> PaidAlone:
        """What was moved through a drawer on a gaming day by its owner alone."""
        return _of_day(self.through.get(drawer), day)

    @property
    def chips_out_cents(self) -> int:
        """Chips sold and not yet redeemed."""
        return sum(tray.sold_cents - tray.redeemed_cents for tray in self.trays.values())

    @property
    def pots_cents(self) -> int:
        return sum(pot.cents for pot in self.pots.values())

    @property
    def balances(self) -> bool:
        """Whether every cent paid in is in an account or a pot, or stands against chips out."""
        held = sum(self.accounts.values()) + self.pots_cents
        return self.cash_cents == held + self.chips_out_cents
