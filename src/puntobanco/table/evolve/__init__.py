"""What an event changes. It never refuses: the event has already happened."""

from collections.abc import Iterable
from functools import reduce

from puntobanco.table.events import Applies, TableEvent
from puntobanco.table.evolve import (
    clocks,
    competition,
    corrections,
    coup,
    people,
    rulings,
    secrets,
    shoe,
    taken_back,
)
from puntobanco.table.state import Table

APPLY: Applies = {
    **people.APPLY,
    **shoe.APPLY,
    **coup.APPLY,
    **rulings.APPLY,
    **corrections.APPLY,
    **taken_back.APPLY,
    **competition.APPLY,
    **secrets.APPLY,
    **clocks.APPLY,
}


def evolve(table: Table, event: TableEvent) -> Table:
    """The table after one event."""
    return APPLY[type(event)](table, event)


def evolve_all(events: Iterable[TableEvent], table: Table | None = None) -> Table:
    """The table after all of them."""
    return reduce(evolve, events, table or Table())
