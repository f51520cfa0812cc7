"""Putting the record right: cards, wagers, burn, marker, payments. Two people always.

Nothing is edited. A correction is a new event that reverses what it must.
"""

from collections.abc import Iterable

from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.decide.corrections import (
    between,
    cards,
    earlier,
    payments,
    shoe,
    void_wagers,
    wagers,
)
from puntobanco.table.decide.corrections.count import goes_on
from puntobanco.table.events import Decide, Decides, TableEvent
from puntobanco.table.state import Table


def affected(proposed: Iterable[TableEvent]) -> tuple[events.TransferReversed, ...]:
    """Whose chips a proposal would move back, for all to see before it is approved."""
    return tuple(event for event in proposed if isinstance(event, events.TransferReversed))


def undone_coup(event: TableEvent) -> int:
    """The coup that an event voids or takes money back from; 0 if it does neither."""
    match event:
        case events.CoupVoided() | events.EarlierCoupVoided():
            return event.number
        case events.TransferReversed():
            return event.coup
        case _:
            return 0


def _of_coup(decide: Decide) -> Decide:
    """A coup put right, and how the shoe stands after it."""

    def decided(table: Table, ask: c.TableCommand, by: Actor) -> list[TableEvent]:
        done = decide(table, ask, by)
        return [*done, *goes_on(table, done)]

    return decided


OF_COUP: Decides = {
    **earlier.DECIDE,
    **cards.DECIDE,
    **wagers.DECIDE,
    **void_wagers.DECIDE,
    **between.DECIDE,
}
DECIDE: Decides = {
    **{command: _of_coup(decide) for command, decide in OF_COUP.items()},
    **shoe.DECIDE,
    **payments.DECIDE,
}
