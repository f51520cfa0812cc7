"""The live pages of one table: player, dealer, pit and wall."""

from litestar import Response, get

from puntobanco.server.addresses import TableName
from puntobanco.server.live.regions import REGIONS
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import STAFF
from puntobanco.table.view import view


@get("/tables/{table:str}", sync_to_thread=False, include_in_schema=False)
def player_page(visit: TheVisit, table: TableName) -> Response[str]:
    return _live_page(visit, table, "player")


@get("/tables/{table:str}/dealer", sync_to_thread=False, include_in_schema=False)
def dealer_page(visit: TheVisit, table: TableName) -> Response[str]:
    visit.check_staff(table)
    return _live_page(visit, table, "dealer")


@get("/tables/{table:str}/pit", sync_to_thread=False, include_in_schema=False)
def pit_page(visit: TheVisit, table: TableName) -> Response[str]:
    """For inspectors, supervisors, directors, management and surveillance."""
    visit.check_staff(table)
    return _live_page(visit, table, "pit")


@get("/tables/{table:str}/display", sync_to_thread=False, include_in_schema=False)
def display_page(stranger: TheVisit, table: TableName) -> Response[str]:
    """For a wall: it shows what everybody may see, no matter who opened it."""
    return _live_page(stranger, table, "display")


def _live_page(visit: Visit, name: str, page: str) -> Response[str]:
    """The regions as they are now; a script asks for those that change."""
    stream = visit.table(name)
    viewer, live_pages = visit.viewer(stream), visit.kept.live_pages
    sign = view(stream.state, viewer).sign
    return visit.show(
        f"pages/table/{page}.html",
        names=REGIONS[page],
        table=name,
        page=page,
        regions=live_pages.regions(page, stream, viewer),
        staff=bool(viewer.roles & STAFF),
        ruleset=sign.notice.ruleset if sign else "",
    )


HANDLERS = (player_page, dealer_page, pit_page, display_page)
