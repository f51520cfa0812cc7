"""The machine's own clock and chance: the one place where a house touches them."""

import asyncio
import secrets  # noqa: TID251
import time  # noqa: TID251

from puntobanco.house.checks.generator import Watched
from puntobanco.house.clock import Clock
from puntobanco.house.virtual_shoe import Chance

CLOCK = Clock(
    lambda: time.time_ns() // 1_000_000,
    lambda: time.monotonic_ns() // 1_000_000,
    asyncio.sleep,
)


def utc_minutes(at_ms: int | None = None) -> int:
    """How far this machine's local time is ahead of UTC, now or at a moment."""
    return time.localtime(None if at_ms is None else at_ms / 1000).tm_gmtoff // 60


CHANCE = Chance(secrets.randbelow, secrets.token_bytes)
"""For keys, ids and seeds."""


def watched_chance() -> Chance:
    """The same generator for a house that runs, each byte of it tested."""
    watch = Watched(secrets.token_bytes)
    return Chance(watch.below, watch.some_bytes, watch)
