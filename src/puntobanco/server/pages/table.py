"""The pages of one table, and the plain forms by which commands are given from them."""

from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State

from puntobanco.house.access.sign_in import Caller
from puntobanco.server.commands.api import TableName
from puntobanco.server.gateway import Office, TheCaller, TheOffice
from puntobanco.server.page_access import check_staff
from puntobanco.server.rendering import REGIONS
from puntobanco.server.visit import show
from puntobanco.table.actor import STAFF


@get("/tables/{table:str}", sync_to_thread=False, include_in_schema=False)
def player_page(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[str]:
    return _live_page(request, office, caller, table, "player")


@get("/tables/{table:str}/dealer", sync_to_thread=False, include_in_schema=False)
def dealer_page(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[str]:
    check_staff(office, caller, table)
    return _live_page(request, office, caller, table, "dealer")


@get("/tables/{table:str}/pit", sync_to_thread=False, include_in_schema=False)
def pit_page(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[str]:
    """For inspectors, supervisors, directors, management and surveillance."""
    check_staff(office, caller, table)
    return _live_page(request, office, caller, table, "pit")


@get("/tables/{table:str}/display", sync_to_thread=False, include_in_schema=False)
def display_page(
    request: Request[Any, Any, State], table: TableName, office: TheOffice
) -> Response[str]:
    return _live_page(request, office, Caller(), table, "display")


def _live_page(
    request: Request[Any, Any, State], office: Office, caller: Caller, name: str, page: str
) -> Response[str]:
    stream = office.table(name)
    viewer = office.viewer(caller, stream)
    context = {"names": REGIONS[page], "table": name, "page": page}
    return show(
        request, caller, f"{page}.html", **context,
        regions=request.app.state.pages.regions(page, stream, viewer),
        staff=bool(viewer.roles & STAFF),
        ruleset=stream.state.notice.ruleset if stream.state.notice else "",
    )  # fmt: skip


HANDLERS = (player_page, dealer_page, pit_page, display_page)
