"""A table's hold of the gaming day that is on now, beside what the exact odds expect of it."""

from msgspec import Struct

from puntobanco.house.figures.expected import expectation
from puntobanco.house.figures.projection import cells
from puntobanco.house.figures.sums import add
from puntobanco.house.house import House


class Tonight(Struct, frozen=True):
    """What a table has held since the gaming day began, in money; in cents."""

    gaming_day: str
    coups: int
    handle_cents: int
    hold_cents: int
    expected_cents: int | None
    """What the exact odds expect of the handle; None where a rule set's text is lost."""
    spread_cents: int | None
    """One standard deviation of it."""

    @property
    def is_unusual(self) -> bool:
        """More than two spreads from what is expected: so in about one night of twenty."""
        if self.expected_cents is None or self.spread_cents is None:
            return False
        return abs(self.hold_cents - self.expected_cents) > 2 * self.spread_cents


def hold_tonight(house: House, table: str) -> Tonight:
    """The hold of a table since its gaming day began, of the coups that are over.

    It reads one cell and adds up no rows: cheap enough for every tile of a floor.
    """
    zone = house.tables[table].state.utc_minutes
    day = house.register.state.settings.day_of(house.time.now_ms(), zone)
    found = cells(house.figures.reading(table), "rules", day, day, table)
    sums = add(sums for *_, sums in found)
    wanted = expectation(sums)
    return Tonight(
        day,
        sums.coups,
        sums.handle_cents,
        sums.hold_cents,
        round(wanted.cents) if wanted else None,
        round(wanted.spread_cents) if wanted else None,
    )
