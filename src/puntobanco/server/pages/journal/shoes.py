"""The house's own shoes that are over, for anybody to check."""

from typing import Annotated

from litestar import Response, get
from litestar.params import PathParameter

from puntobanco.house.lookback.shoes import ShoeListed, opened_shoe, opened_shoes
from puntobanco.rules.opened_shoe import OpenedShoe, shoe_fault
from puntobanco.server.addresses import TableName
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit

ShoeNumber = Annotated[int, PathParameter(ge=1, le=2**53)]


def shoes_of(visit: Visit, table: str) -> list[ShoeListed]:
    """Every order that was to be opened at a table: whoever can play by one may check it."""
    return opened_shoes(visit.house.log, visit.table(table).name)


def shoe_of(visit: Visit, table: str, number: int) -> OpenedShoe:
    """One of them with all that it came from."""
    return opened_shoe(visit.house.log, visit.kept.replays, visit.table(table).name, number)


@get("/tables/{table:str}/shoes", include_in_schema=False)
@in_reader
def shoes(visit: TheVisit, table: TableName) -> Response[str]:
    """The orders that the house was bound to and has opened."""
    shown = shoes_of(visit, table)
    return visit.show("pages/journal/shoes.html", table=visit.table(table).name, shoes=shown)


@get("/tables/{table:str}/shoes/{number:int}", include_in_schema=False)
@in_reader
def shoe_page(visit: TheVisit, table: TableName, number: ShoeNumber) -> Response[str]:
    """One shoe worked out again, and the file to do the same elsewhere."""
    shoe = shoe_of(visit, table, number)
    return visit.show(
        "pages/journal/shoe.html", table=shoe.table, shoe=shoe, fault=shoe_fault(shoe)
    )


HANDLERS = (shoes, shoe_page)
