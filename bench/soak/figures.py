"""How long things took: in the first part of a soak and in the last, and after each fault."""

import statistics
from collections import defaultdict
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from bench.soak.plan import Kind

Part = Literal["first", "between", "last"]


class Took(Struct):
    """Moments of one part, by table and row."""

    answers: list[float] = []
    """Milliseconds until a command was answered."""
    sent: dict[tuple[str, int], float] = {}
    seen: dict[tuple[str, int], list[float]] = {}

    @property
    def views(self) -> list[float]:
        """Milliseconds until somebody who watches saw what came of a command."""
        known = self.sent.keys() & self.seen.keys()
        return [(at - self.sent[row]) * 1000 for row in known for at in self.seen[row]]


class Figures:
    """Filled in as things happen."""

    def __init__(self) -> None:
        self.part: Part = "between"
        """What is measured now; between the first part and the last faults are made."""
        self.took: dict[Part, Took] = {"first": Took(), "last": Took()}
        self.resumed: dict[Kind, list[float]] = defaultdict(list)
        """Seconds until play went on, after each fault."""

    def answered(self, sent: float, now: float, row: tuple[str, int] | None) -> None:
        """A command was answered; its row is named if everybody at the table sees what it did."""
        if took := self.took.get(self.part):
            took.answers.append((now - sent) * 1000)
            if row is not None:
                took.sent[row] = sent

    def seen(self, table: str, seq: int, now: float) -> None:
        if took := self.took.get(self.part):
            took.seen.setdefault((table, seq), []).append(now)


def at_part(values: list[float], hundredth: int) -> float:
    """The value below which so many hundredths of all lie; of very few the largest."""
    if len(values) < 2:
        return max(values, default=0.0)
    return statistics.quantiles(values, n=100, method="inclusive")[hundredth - 1]
