"""Since when a table waits for its next step, as far as this process has seen it."""

from itertools import pairwise

from msgspec import Struct

from puntobanco.house.stream import Stream
from puntobanco.table.next_step import Next, next_step
from puntobanco.table.queries.coup import live_proposals
from puntobanco.table.state import Table
from puntobanco.words import Step

MOST_STEPS = 16
"""Steps remembered of one table: more than the making of a shoe takes."""


class StepBegun(Struct, frozen=True):
    """A step, and the time of the row after which it was the next."""

    next: Next
    since_ms: int
    asked: tuple[int, ...] = ()
    """The proposals that waited with it: what waits for them does so since they were made."""


class StepTimes:
    """Remembers for each table when its steps began.

    It is asked whenever a live page of the table is drawn, so it has seen every row while anybody
    looked. What began before counts from the last row: never longer than it was.
    """

    def __init__(self) -> None:
        self._begun: dict[str, tuple[StepBegun, ...]] = {}

    def note(self, table: Stream[Table]) -> StepBegun:
        """The step that is next now, and since when."""
        known, now = self._begun.get(table.name, ()), next_step(table.state)
        asked = tuple(live_proposals(table.state))
        if not known or (known[-1].next, known[-1].asked) != (now, asked):
            known = (*known, StepBegun(now, table.at_ms, asked))[-MOST_STEPS:]
            self._begun[table.name] = known
        return known[-1]

    def done_ms(self, table: str, step: Step) -> int | None:
        """When a step was last done, if that was seen."""
        known = self._begun.get(table, ())
        ends = [
            then.since_ms
            for one, then in pairwise(known)
            if one.next.step is step and then.next.step is not step
        ]
        return ends[-1] if ends else None
