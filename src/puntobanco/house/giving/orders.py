"""Every order that the house has committed to is opened when its shoe is over, by the house itself
if nobody else does.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

from puntobanco.errors import Refused
from puntobanco.house.intents import OpenOrder
from puntobanco.journal.verify import HOUSE
from puntobanco.table.queries.shoe import opening_is_due
from puntobanco.table.state import Table

if TYPE_CHECKING:
    from puntobanco.house.house import House

QUIET_MS = 60_000
"""For so long after the last row of its table an order waits for a person to open it: that a shoe
was ended can be taken back until then."""


async def open_order(house: "House", name: str, table: Table) -> None:
    """Open it if it is due; an order that cannot be opened any more is on record as such when the
    next one takes its place.
    """
    if opening_is_due(table):
        with suppress(Refused):
            await house.give(name, OpenOrder(), HOUSE, house.own_id("opened"))


async def open_if_quiet(house: "House", name: str, table: Table) -> None:
    """The same at a table where nothing has happened for a while."""
    if opening_is_due(table) and house.time.now_ms() >= house.log.head_ms(name) + QUIET_MS:
        await open_order(house, name, table)
