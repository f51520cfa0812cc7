"""Is the house fit to be asked? Five signs, for whoever is on call and for a proxy before it."""

from msgspec import Struct

from puntobanco.house.checks.generator import Watched
from puntobanco.house.house import House
from puntobanco.house.loop import LEAST_FREE_MB
from puntobanco.journal.verify import HOUSE

CLOCK_OFF_MS = 60_000
"""Milliseconds that the clock the house goes by may be off its time."""
LATE_ROOTS = 3
"""A root is late after this many times the longest that may pass between two."""


class VitalSign(Struct, frozen=True):
    """One thing that a house needs."""

    name: str
    good: bool
    measured: int | str | None = None
    """Seconds, megabytes, or bytes drawn and tested; of the journal, why it cannot be written, of
    the generator, which test it failed. Null: not ours to say.
    """


def signs_of(house: House) -> tuple[VitalSign, ...]:
    """Whether the journal can be written, the clock is sane, the disk has room, all is covered by a
    root, and what is drawn for play passes its tests.
    """
    fault, off_ms, free = house.log.fault(), house.time.off_ms(), house.log.free_mb()
    return (
        VitalSign("journal", not fault, fault),
        VitalSign("clock", abs(off_ms) <= CLOCK_OFF_MS, off_ms // 1000),
        VitalSign("disk", free is None or free >= LEAST_FREE_MB, free),
        _root_sign(house),
        _chance_sign(house.chance.watch),
    )


def _root_sign(house: House) -> VitalSign:
    """Roots are recorded by whoever holds the house; any other process has none to show."""
    if HOUSE not in house.log.holds({HOUSE}):
        return VitalSign("root", good=True)
    age_ms = house.time.now_ms() - house.roots.at_ms
    return VitalSign("root", age_ms <= LATE_ROOTS * house.roots.every_ms, age_ms // 1000)


def _chance_sign(watch: Watched | None) -> VitalSign:
    if watch is None:
        return VitalSign("chance", good=True)
    return VitalSign(
        "chance", watch.fault is None, watch.fault.test if watch.fault else watch.tested
    )


def words_of_sign(sign: VitalSign) -> tuple[str, int | str | None]:
    """Which words say it, and with which figure."""
    measured, how = sign.measured, "good" if sign.good else "bad"
    if not sign.good and isinstance(measured, int) and measured < 0:
        return f"running.{sign.name}.behind", -measured
    if sign.good and measured is None:
        how = "none"
    return f"running.{sign.name}.{how}", measured


def is_ready(signs: tuple[VitalSign, ...]) -> bool:
    return all(sign.good for sign in signs)
