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
    take_back,
    void_wagers,
    wagers,
)
from puntobanco.table.decide.corrections.count import shoe_stands
from puntobanco.table.decide.corrections.earlier import check_at_hand
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
        return [*done, *shoe_stands(table, done)]

    return decided


def _at_hand(decide: Decide) -> Decide:
    """A coup whose record is at hand: of this opening, while the table is open and when it has
    closed. Closing a table is no round [act-2015:12.5, mbs-2017:5.2].
    """

    def decided(table: Table, ask: c.TableCommand, by: Actor) -> list[TableEvent]:
        check_at_hand(table, getattr(ask, "coup", None) or table.coup_number)
        return decide(table, ask, by)

    return decided


RECORDS: Decides = {**earlier.DECIDE, **cards.DECIDE, **wagers.DECIDE, **void_wagers.DECIDE}
"""What puts right a coup that is on record."""
OF_COUP: Decides = {
    **{command: _at_hand(decide) for command, decide in RECORDS.items()},
    **between.DECIDE,
    c.CorrectBurn: shoe.correct_burn,
    **take_back.DECIDE,
}
DECIDE: Decides = {
    **shoe.DECIDE,
    **{command: _of_coup(decide) for command, decide in OF_COUP.items()},
    **payments.DECIDE,
}
