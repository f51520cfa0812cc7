"""Putting the record right: cards, wagers, burn, marker, payments. Two people always.

Nothing is edited. A correction is a new event that reverses what it must.
"""

from collections.abc import Iterable

from puntobanco.table import events
from puntobanco.table.decide.corrections import cards, earlier, payments, shoe, void_wagers, wagers
from puntobanco.table.events import Decides, TableEvent


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


DECIDE: Decides = {
    **earlier.DECIDE,
    **cards.DECIDE,
    **wagers.DECIDE,
    **void_wagers.DECIDE,
    **shoe.DECIDE,
    **payments.DECIDE,
}
