"""The gaming day that is on now, and a gaming day as somebody writes it."""

from datetime import date  # noqa: TID251  to see that a day is one
from typing import TYPE_CHECKING

from puntobanco.errors import MalformedError
from puntobanco.house.till.time_zone import house_ahead

if TYPE_CHECKING:
    from puntobanco.house.house import House


def gaming_day_now(house: "House") -> str:
    """The gaming day that is on now, by the clock of the tables; without one, of the house."""
    zones = [table.state.utc_minutes for table in house.tables.values() if table.state.is_open]
    zone = zones[0] if zones else house_ahead(house)
    return house.register.state.settings.day_of(house.time.now_ms(), zone)


def check_day(option: str, day: str) -> None:
    """Refuse what is no day, or not written as gaming days are, which are compared as text.

    >>> check_day("--until", "2026-02-30")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: --until is a gaming day such as 2026-03-14, not 2026-02-30
    """
    try:
        written = date.fromisoformat(day).isoformat()
    except ValueError:
        written = ""
    if written != day:
        raise MalformedError(f"{option} is a gaming day such as 2026-03-14, not {day[:40]}")
