"""The house's time. It comes in from outside, and nothing else here reads a clock.

It is the wall clock's at the start and from then on runs by a clock that cannot jump: no time
that was set is shortened or begun again because somebody moved the hands. What the wall clock
does meanwhile is noticed, and on record.
"""

from collections.abc import Awaitable, Callable

from msgspec import Struct

LEAST_JUMP_MS = 1000
"""Milliseconds that the wall clock may drift before it is put on record as a jump."""


class Clock(Struct, frozen=True):
    """Where time comes from: the machine, or a script under test."""

    wall_ms: Callable[[], int]
    """Milliseconds since 1970."""
    steady_ms: Callable[[], int]
    """Milliseconds since any fixed moment; it never jumps."""
    sleep: Callable[[float], Awaitable[None]]


class HouseTime:
    """What time it is in the house."""

    def __init__(self, clock: Clock, shared_ms: int | None = None) -> None:
        """Start by the wall clock, or by the database's where several processes share a house."""
        self._clock = clock
        self._began = clock.steady_ms()
        self._from = clock.wall_ms() if shared_ms is None else shared_ms
        self._known_off = clock.wall_ms() - self._from

    def now_ms(self) -> int:
        return self._from + self._clock.steady_ms() - self._began

    def off_ms(self) -> int:
        """How far the wall clock is ahead of the house's time now."""
        return self._clock.wall_ms() - self.now_ms()

    def jump_ms(self) -> int:
        """By how much the wall clock has jumped since this was last asked; 0 if it has not."""
        off = self.off_ms()
        jump = off - self._known_off
        if abs(jump) <= LEAST_JUMP_MS:
            return 0
        self._known_off = off
        return jump
