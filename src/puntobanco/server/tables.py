"""The pages of one table, and the plain forms by which commands are given from them."""

from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State

from puntobanco.errors import Reason, Refused
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.api import TableName
from puntobanco.server.office import Office, TheCaller, TheOffice
from puntobanco.server.pages import REGIONS
from puntobanco.server.signin import Caller
from puntobanco.table.actor import STAFF


def check_staff(office: Office, caller: Caller, table: str) -> None:
    """Only staff of this table open the pages of staff."""
    if not office.actor(caller, table).roles & STAFF:
        raise Refused(
            Reason.NOT_YOUR_ROLE, CONDITIONS, command="console", allowed=", ".join(sorted(STAFF))
        )


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
    pages = request.app.state.pages
    html = pages.render(
        f"{page}.html",
        regions=pages.regions(page, stream, viewer),
        names=REGIONS[page],
        table=name,
        page=page,
        person=caller.person,
        staff=bool(viewer.roles & STAFF),
        ruleset=stream.state.notice.ruleset if stream.state.notice else "",
    )
    return Response(html, media_type="text/html", headers={"Cache-Control": "no-store"})


HANDLERS = (player_page, dealer_page, pit_page, display_page)
