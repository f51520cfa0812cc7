"""The gaming day that is on now."""

from typing import TYPE_CHECKING

from puntobanco.house.till.time_zone import house_ahead

if TYPE_CHECKING:
    from puntobanco.house.house import House


def gaming_day_now(house: "House") -> str:
    """The gaming day that is on now, by the clock of the tables; without one, of the house."""
    zones = [table.state.utc_minutes for table in house.tables.values() if table.state.is_open]
    zone = zones[0] if zones else house_ahead(house)
    return house.register.state.settings.day_of(house.time.now_ms(), zone)
