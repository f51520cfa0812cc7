"""The live pages of one table: player, dealer, pit and wall."""

from math import ceil, sqrt
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import QueryParameter
from litestar.response import Redirect

from puntobanco.cage.authority import CHARGE
from puntobanco.house.access.sign_in import GUESTS
from puntobanco.pictures.felt import DEFINED
from puntobanco.pictures.geometry import SHAPES
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.server.addresses import TableName
from puntobanco.server.live.board import LiveScreen
from puntobanco.server.live.felt import PAINTED
from puntobanco.server.live.regions import REGIONS, shape_of
from puntobanco.server.live.stream import Tables, wall_tables
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import STAFF, Role
from puntobanco.table.view import Viewer, view

Theme = Annotated[Literal["dark", "light"], QueryParameter()]
Seconds = Annotated[int, QueryParameter(ge=2, le=3600)]
"""How long each table stays on a wall that shows several."""
MOST_ACROSS = 6
"""Tiles beside one another on the screen of a pit."""


@get("/tables/{table:str}", sync_to_thread=False, include_in_schema=False, opt=GUESTS)
def player_page(visit: TheVisit, table: TableName) -> Response[str]:
    return _live_page(visit, table, "player")


@get("/tables/{table:str}/dealer", sync_to_thread=False, include_in_schema=False)
def dealer_page(visit: TheVisit, table: TableName) -> Response[str]:
    visit.check_staff(table)
    return _live_page(visit, table, "dealer")


@get("/tables/{table:str}/pit", sync_to_thread=False, include_in_schema=False)
def pit_page(visit: TheVisit, table: TableName) -> Response[Any]:
    """For inspectors, supervisors, directors, management and surveillance; an auditor, who has
    nothing to do there, looks at the table as everybody does.
    """
    if Role.AUDITOR in visit.roles and not visit.actor(table).roles & STAFF:
        return Redirect(f"/tables/{table}")
    visit.check_staff(table)
    return _live_page(visit, table, "pit")


@get("/tables/{table:str}/display", sync_to_thread=False, include_in_schema=False)
def display_page(stranger: TheVisit, table: TableName, theme: Theme = "dark") -> Response[str]:
    """For a wall: it shows what everybody may see, no matter who opened it."""
    return _wall(stranger, "display", stranger.table(table).name, theme)


@get("/display", sync_to_thread=False, include_in_schema=False)
def displays_page(
    stranger: TheVisit, tables: Tables = "", seconds: Seconds = 20, theme: Theme = "dark"
) -> Response[str]:
    """Several tables on one wall in turn; without scripts the first of them."""
    return _wall(stranger, "display", tables, theme, seconds)


@get("/display/all", sync_to_thread=False, include_in_schema=False)
def pit_display_page(
    stranger: TheVisit, tables: Tables = "", theme: Theme = "dark"
) -> Response[str]:
    """A screen for a whole pit: every table a tile."""
    return _wall(stranger, "pit-tile", tables, theme)


def _wall(visit: Visit, page: str, tables: str, theme: str, seconds: int = 0) -> Response[str]:
    """The boards as they are now; a script keeps all of them so.

    Of boards shown in turn the first is drawn; the others come with the stream.
    """
    live_pages, names = visit.kept.live_pages, wall_tables(visit, tables)
    seen = len(names) if page == "pit-tile" else 1
    streams = [visit.table(name) for name in names]
    return visit.show(
        "pages/table/display.html",
        page=page,
        names=REGIONS[page],
        boards=[
            {
                "table": one.name,
                "regions": live_pages.regions(LiveScreen(page), one, Viewer()) if at < seen else {},
            }
            for at, one in enumerate(streams)
        ],
        across=min(ceil(sqrt(len(names))), MOST_ACROSS),
        theme=theme,
        seconds=seconds,
        source=f"/live/walls?{urlencode({'page': page, 'tables': tables})}",
    )


def _live_page(visit: Visit, name: str, page: str) -> Response[str]:
    """The regions as they are now; a script asks for those that change."""
    stream = visit.table(name)
    viewer, live_pages = visit.viewer(stream), visit.kept.live_pages
    sign = view(stream.state, viewer).sign
    shape = shape_of("")
    if page == "player":
        agent = visit.request.headers.get("user-agent", "")
        shape = shape_of(visit.request.cookies.get("shape", ""), agent)
    return visit.show(
        f"pages/table/{page}.html",
        names=REGIONS[page],
        table=name,
        page=page,
        regions=live_pages.regions(LiveScreen(page, shape), stream, viewer),
        shape=shape,
        shapes=SHAPES,
        painted=DEFINED,
        layers=PAINTED,
        name=visit.house.register.state.settings.called(name),
        staff=bool(viewer.roles & STAFF),
        asks_chips=bool(visit.roles & CHARGE) and name in visit.house.cage.state.trays,
        ruleset=sign.notice.ruleset if sign else "",
        clauses=_toured(sign.notice.ruleset) if sign else {},
    )


def _toured(ruleset: str) -> dict[str, str]:
    """The clauses of the rules that a tour of the table tells."""
    rules = load_ruleset(ruleset)
    return {
        "areas": rules.wagers.offered[0].clause,
        "ring": rules.wagers.close.late,
        "cards": rules.dealing.points,
        "result": rules.dealing.result,
    }


HANDLERS = (
    player_page,
    dealer_page,
    pit_page,
    display_page,
    displays_page,
    pit_display_page,
)
