"""The house's time. It comes in from outside, and nothing else here reads a clock.

It begins with the clock the house goes by, never before the last row, and from then on runs by a
clock that cannot jump. It never goes back, and no time that was set is shortened: where the clock
is behind, the house's seconds are longer by a two-hundredth until it has come up; where it is
ahead, they are shorter by as much, but only while no time runs. A clock that is further off than a
quarter of an hour is not followed until somebody says which of the two is wrong: where it is behind
and right, the house comes back to it at half its pace while no time runs.
"""

from collections.abc import Awaitable, Callable

from msgspec import Struct

LEAST_JUMP_MS = 1000
"""Milliseconds that the clock may drift, or be followed, before it is put on record."""
RATE = 0.005
"""The house's seconds are at most so much longer or shorter: 18 s an hour, 7 minutes a day. Twenty
seconds for bets become longer by a tenth of one, and five minutes are made good within a day."""
MOST_FOLLOWED_MS = 1_000_000
"""Milliseconds beyond which nobody can tell which is wrong, as time servers' programs reckon too: a
day would take two hundred days."""
RATE_BACK = 0.5
"""By how much seconds are longer while no time runs, where whoever runs the house has said that a
clock that is far behind is right: a day is made good in two, and nobody waits more than twice as
long for anything."""
LEAST_TOLD_BACK_MS = 60_000
"""Milliseconds of that long way back that are put on record at once."""
LOOK_MS = 2000
"""Milliseconds between two looks at a clock that others share."""
MOST_MISSED_MS = 10_000
"""A house that could not follow for longer does not make up for it: it would stand for a while."""


class Clock(Struct, frozen=True):
    """Where time comes from: the machine, or a script under test."""

    wall_ms: Callable[[], int]
    """Milliseconds since 1970."""
    steady_ms: Callable[[], int]
    """Milliseconds since any fixed moment; it never jumps."""
    sleep: Callable[[float], Awaitable[None]]
    is_machines: bool = True
    """Processes of several machines go by the clock of the database they share; a script's own
    clock goes before it."""


class HouseTime:
    """What time it is in the house."""

    def __init__(self, clock: Clock, shared_ms: Callable[[], int | None]) -> None:
        """Go by the wall clock, or by the database's where several processes share a house."""
        self._clock = clock
        self._shared_ms = shared_ms
        self._seen: tuple[float, int] | None = None
        """When the shared clock was looked at, and what it said."""
        self._reached = 0
        """The latest time of any row, and of the house itself before it was held back."""
        self.look()
        self._began = self._followed = clock.steady_ms()
        self._from = float(self.reference_ms())
        self._known_off = 0
        self.goes_back = False
        """Whether somebody has said that a clock is right that is far behind."""
        self._moved = 0.0
        """By how much the house has followed the clock, and has not said so yet."""

    # the clock that the house goes by

    def look(self) -> None:
        """Look at the clock that is shared, if there is one and it is time to."""
        before = self._clock.steady_ms()
        if not self._clock.is_machines or (self._seen and before - self._seen[0] < LOOK_MS):
            return
        shared_ms = self._shared_ms()
        if shared_ms is not None:
            self._seen = (before + self._clock.steady_ms()) / 2, shared_ms

    def reference_ms(self) -> int:
        """What the clock says that the house goes by."""
        if self._seen is None:
            return self._clock.wall_ms()
        at, shared_ms = self._seen
        return round(shared_ms + self._clock.steady_ms() - at)

    # what time it is

    def _own_ms(self) -> float:
        return self._from + self._clock.steady_ms() - self._began

    def now_ms(self) -> int:
        return max(int(self._own_ms()), self._reached)

    def off_ms(self) -> int:
        """How far the clock is ahead of the house's time now."""
        return self.reference_ms() - self.now_ms()

    def begin(self, last_ms: int, off_ms: int = 0) -> None:
        """Begin with the clock, or as far off it as those who run the house already; never before
        the last row.
        """
        self._reached = last_ms
        self._began = self._followed = self._clock.steady_ms()
        self._from = float(max(self.reference_ms() - off_ms, last_ms))
        self._known_off = self.off_ms()

    def reach(self, at_ms: int) -> None:
        """A row is there that another process wrote: it is not earlier here."""
        self._reached = max(self._reached, at_ms)

    # how it follows

    def jump_ms(self) -> int:
        """By how much the clock has jumped since this was last asked; 0 if it has not."""
        off = self.off_ms()
        jump = off - self._known_off
        if abs(jump) <= LEAST_JUMP_MS:
            return 0
        self._known_off = off
        return jump

    def catch_up(self) -> int:
        """Go on from a row of another process that is more than a moment ahead; by how much."""
        behind = self._reached - int(self._own_ms())
        if behind <= LEAST_JUMP_MS:
            return 0
        self._move(behind)
        return behind

    def follow(self, is_quiet: Callable[[], bool]) -> None:
        """Come a little closer to the clock: forward only while no time runs that was set."""
        steady = self._clock.steady_ms()
        passed = min(steady - self._followed, MOST_MISSED_MS)
        self._followed = steady
        off, far = self.off_ms(), abs(self.off_ms()) > MOST_FOLLOWED_MS
        if not off or (far and not (self.goes_back and off < 0)) or (off > 0 and not is_quiet()):
            return
        most = passed * (RATE_BACK if far and is_quiet() else RATE)
        by = max(-most, min(most, off))
        self._moved += by
        self._move(by)

    def _move(self, by: float) -> None:
        self._reached = self.now_ms()  # it may stand for a moment, and never goes back
        self._from += by
        self._known_off -= round(by)

    def moved_ms(self) -> int:
        """By how much the house has followed the clock since this was last asked; 0 if it is too
        little to tell: a second, or a minute on a long way back.
        """
        far = abs(self.off_ms()) > MOST_FOLLOWED_MS
        if abs(self._moved) < (LEAST_TOLD_BACK_MS if far else LEAST_JUMP_MS):
            return 0
        moved, self._moved = round(self._moved), 0.0
        return moved
