"""The clocks of the house: what its time zone shows, else the machine's own."""

from datetime import UTC, datetime, timedelta, timezone  # noqa: TID251  to read clocks of a zone, not to ask for now
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from puntobanco.errors import Reason, Refused
from puntobanco.house.system import utc_minutes
from puntobanco.journal.verify import REGISTER
from puntobanco.register.settings import DAY_MS, ClockChange, Settings
from puntobanco.rules.documents.ruleset import CONDITIONS

if TYPE_CHECKING:
    from puntobanco.house.house import House

DAYS_MS = 20 * 366 * DAY_MS
"""For so long clocks are looked up ahead, and back at most; laws change more often than that."""


def clock_changes(name: str, since_ms: int, now_ms: int) -> tuple[ClockChange, ...]:
    """What clocks of a zone have shown since a moment, for pages show what was then by what clocks
    showed then; and every change that is known to come.

    >>> clock_changes("Asia/Singapore", 0, 0)[-1].utc_minutes
    480
    """
    zone = _zone(name)
    since_ms = max(since_ms, now_ms - DAYS_MS)
    shown = _ahead(zone, since_ms)
    found = [ClockChange(0, shown)]
    for day_ms in range(since_ms, now_ms + DAYS_MS, DAY_MS):
        after = _ahead(zone, day_ms + DAY_MS)
        if after != shown:
            found.append(ClockChange(_changed(zone, day_ms, day_ms + DAY_MS), after))
            shown = after
    return tuple(found)


def house_clocks(house: "House", name: str, now_ms: int) -> tuple[ClockChange, ...]:
    """The same since the first row of the house."""
    first = house.log.row(REGISTER, 1)
    return clock_changes(name, first.at_ms if first else now_ms, now_ms)


@lru_cache(1)
def zones_known() -> tuple[str, ...]:
    """The names of places; a machine without the database knows none."""
    return tuple(sorted(one for one in available_timezones() if "/" in one))


def _changed(zone: ZoneInfo, before_ms: int, after_ms: int) -> int:
    """The first moment at which clocks show what they show in the end."""
    then = _ahead(zone, after_ms)
    while after_ms - before_ms > 1:
        middle = (before_ms + after_ms) // 2
        before_ms, after_ms = (
            (before_ms, middle) if _ahead(zone, middle) == then else (middle, after_ms)
        )
    return after_ms


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # a folder of zones, say
        raise Refused(Reason.NO_SUCH_TIME_ZONE, CONDITIONS, zone=name) from error


def _ahead(zone: ZoneInfo, at_ms: int) -> int:
    offset = datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(zone).utcoffset()
    assert offset is not None  # a zone of the database has one at every moment
    return int(offset.total_seconds()) // 60


def zone_of(settings: Settings) -> str:
    """The name of the time zone that the house is in; empty: it has said nothing of it."""
    return settings.time_zones[-1].name if settings.time_zones else ""


def by_the_clock(house: "House", moment: datetime) -> datetime:
    """A moment as clocks on the house's walls show it, with how far they are ahead of UTC."""
    settings = house.register.state.settings
    if moment.tzinfo or not settings.time_zones:
        return moment if moment.tzinfo else moment.astimezone()
    as_utc_ms = int(moment.replace(tzinfo=UTC).timestamp() * 1000)
    near = house_ahead(house, as_utc_ms - house_ahead(house, as_utc_ms) * 60_000)
    return moment.replace(tzinfo=timezone(timedelta(minutes=near)))


def house_ahead(house: "House", at_ms: int | None = None) -> int:
    """How far the clocks on the house's walls are ahead of UTC, in minutes; now, or at a moment."""
    at_ms = house.time.now_ms() if at_ms is None else at_ms
    ahead = house.register.state.settings.clock(at_ms)
    return utc_minutes(at_ms) if ahead is None else ahead
