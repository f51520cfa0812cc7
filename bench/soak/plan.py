"""What is done to a house, and when: all of it from a seed."""

from collections.abc import Iterator
from random import Random
from typing import Literal

from msgspec import Struct

Kind = Literal["kill", "restart", "full", "clock", "slow"]
WORDS: dict[Kind, str] = {
    "kill": "a server killed",
    "restart": "PostgreSQL restarted",
    "full": "the disk full",
    "clock": "a clock moved",
    "slow": "clients that do not read",
}
JUMPS_MS = (-86_400_000, -3_600_000, -61_000, -5_000, 5_000, 61_000, 3_600_000, 86_400_000)
MOST_AWAY_S = 3.0
"""Seconds for which a plug stays out, at most."""
MOST_CALM_S = 600.0


class Fault(Struct, frozen=True):
    """One plug that is pulled."""

    kind: Kind
    which: int = 0
    """The server, counted from 0."""
    both: bool = False
    """All servers at once."""
    away_s: float = 0
    """How long until the plug is put in again; a killed server is started at once."""
    jump_ms: int = 0
    after_s: float = 0
    """How long there is play before it."""


class Plan(Struct, frozen=True):
    """A soak: parts without faults at both ends, to be compared, and faults between them."""

    seconds: float
    seed: int
    servers: int
    kinds: tuple[Kind, ...]
    counted: tuple[tuple[Kind, int], ...] = ()
    """A campaign instead: so many of each, however long it takes."""
    pause_s: float = 8
    """Mean seconds of play between two faults."""

    @property
    def calm_s(self) -> float:
        """The length of the first and of the last part."""
        return min(self.seconds / 6, MOST_CALM_S)

    def faults(self) -> Iterator[Fault]:
        """One after another; nobody is killed in the second half of a soak, so that a process
        lives long enough for its memory to be measured.
        """
        chance = Random(self.seed)
        if self.counted:
            kinds = [kind for kind, times in self.counted for _ in range(times)]
            chance.shuffle(kinds)
            yield from (self._fault(kind, chance) for kind in kinds)
            return
        spent_s, longest_s = 0.0, self.seconds - 2 * self.calm_s
        turn: list[Kind] = []
        while spent_s < longest_s:
            if not turn:
                turn = list(self.kinds)
                chance.shuffle(turn)
            fault = self._fault(turn.pop(), chance)
            spent_s += fault.after_s + fault.away_s
            if fault.kind != "kill" or spent_s < longest_s / 2:
                yield fault

    def _fault(self, kind: Kind, chance: Random) -> Fault:
        return Fault(
            kind,
            chance.randrange(self.servers),
            self.servers > 1 and chance.random() < 0.2,
            chance.uniform(0, MOST_AWAY_S),
            chance.choice(JUMPS_MS),
            chance.uniform(self.pause_s / 2, 3 * self.pause_s / 2),
        )
