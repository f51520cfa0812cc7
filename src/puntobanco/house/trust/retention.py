"""What the house has kept for longer than it says it does. Nothing is deleted by it: rows go into
an archive, photos are erased by management, each on record.
"""

from msgspec import Struct

from puntobanco.house.house import House
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import REGISTER
from puntobanco.register.settings import DAY_MS, Retention

OLDER = "SELECT COUNT(*) FROM photos WHERE kept_ms < ?"


class Overdue(Struct, frozen=True):
    """What is older than it is kept."""

    record_days: int = 0
    """For so many days too long the first row has been kept; 0: for none."""
    photos: int = 0
    """Photos of incidents that are due to be erased."""


def overdue(house: House) -> Overdue:
    return overdue_in(house.log, house.register.state.settings.retention, house.time.now_ms())


def overdue_in(log: EventLog, kept: Retention, now_ms: int) -> Overdue:
    photos = 0
    if kept.photos_days:
        photos = log.ordinary(OLDER, now_ms - kept.photos_days * DAY_MS)[0][0]
    first = log.row(REGISTER, 1) if kept.record_days else None
    days = (now_ms - first.at_ms) // DAY_MS - kept.record_days if first else 0
    return Overdue(max(days, 0), photos)
