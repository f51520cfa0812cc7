"""All tables live on one screen, and one of them looked at closely."""

from typing import TYPE_CHECKING

from litestar import Response, get

from puntobanco.house.access.waiting import on_duty_at
from puntobanco.server.live.board import LiveScreen
from puntobanco.server.live.floor import TOTALS, FloorRow
from puntobanco.server.sight import overseen, oversees_all
from puntobanco.server.visit import TheVisit, Visit

if TYPE_CHECKING:
    from puntobanco.server.live.floor import FloorTiles

UNGROUPED = 14
"""Tables that are shown in one list; more are grouped by pit."""
TOLD = ("approved", "declined")
"""What a reader who comes from a decision is told."""
NEEDS = "needs"
ALL = "all"


@get("/floor", sync_to_thread=False, include_in_schema=False)
def floor_page(visit: TheVisit) -> Response[str]:
    """Every table that the reader oversees; `show` chooses a pit, or those that need somebody."""
    names = overseen(visit)
    floor: FloorTiles = visit.kept.floor
    floor.refresh()
    rows = floor.rows(names)
    pits = list(dict.fromkeys(row.now.pit for row in rows if row.now.pit))
    asked = visit.query("show", ALL)[:40]
    show = asked if asked in (ALL, NEEDS, *pits) else ALL
    grouped = len(rows) > UNGROUPED and bool(pits)
    shown = [row for row in rows if _is_shown(row, show)]
    chosen = _chosen(visit, shown or rows)
    return visit.show(
        "pages/floor/board.html",
        rows=[(row, floor.tables[row.now.table]) for row in rows],
        groups=[*pits, ""] if grouped else [None],
        pits=pits,
        show=show,
        shown=[row.now.table for row in shown],
        pits_shown={row.now.pit for row in shown},
        needing=sum(bool(row.level) for row in rows),
        totals=floor.tables[TOTALS].regions["totals"] if oversees_all(visit) else "",
        beat=floor.beat,
        now_ms=visit.house.time.now_ms(),
        told=visit.query("told") if visit.query("told") in TOLD else "",
        chosen=chosen,
        peek=peek(visit, chosen) if chosen else "",
    )


def _chosen(visit: Visit, rows: list[FloorRow]) -> str:
    """The table that is looked at closely: the one asked for, one's own, one in need, the first."""
    names = [row.now.table for row in rows]
    own = on_duty_at(visit.house, visit.person)
    needing = [row.now.table for row in rows if row.level]
    wanted = (visit.query("table"), own, *needing, *names)
    return next((name for name in wanted if name in names), "")


def peek(visit: Visit, table: str) -> str:
    """The panel of one table, as its reader may see it."""
    stream = visit.table(table)
    screen = LiveScreen("floor")
    drawn: str = visit.kept.live_pages.regions(screen, stream, visit.viewer(stream))["peek"]
    return drawn


def _is_shown(row: FloorRow, show: str) -> bool:
    return show == ALL or (bool(row.level) if show == NEEDS else row.now.pit == show)


HANDLERS = (floor_page,)
