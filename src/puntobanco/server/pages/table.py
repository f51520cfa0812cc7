"""The pages of one table, and the plain forms by which commands are given from them."""

from litestar import Response, get

from puntobanco.server.addresses import TableName
from puntobanco.server.rendering import REGIONS
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import STAFF


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
    """For a wall: whoever opened it, it shows what everybody may see."""
    return _live_page(stranger, table, "display")


def _live_page(visit: Visit, name: str, page: str) -> Response[str]:
    stream = visit.table(name)
    viewer = visit.viewer(stream)
    context = {"names": REGIONS[page], "table": name, "page": page}
    return visit.show(f"{page}.html", **context,
        regions=visit.kept.pages.regions(page, stream, viewer),
        staff=bool(viewer.roles & STAFF),
        ruleset=stream.state.notice.ruleset if stream.state.notice else "",
    )  # fmt: skip


HANDLERS = (player_page, dealer_page, pit_page, display_page)
