"""A shift's handover sheet, on screen and on paper."""

from typing import Annotated

from litestar import Response, get
from litestar.params import QueryParameter
from msgspec.structs import replace

from puntobanco.house.floor.handover import Handover, hand_over
from puntobanco.server.live.floor import FloorRow, totals_of
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.sight import overseen
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words.commands import INCIDENTS

HOUR_MS = 3_600_000
Hours = Annotated[int, QueryParameter(ge=1, le=48)]
"""How many hours the shift was long."""


def handed_over(visit: Visit, hours: int) -> Handover:
    """What is open at the tables that the reader oversees."""
    since_ms = visit.house.time.now_ms() - hours * HOUR_MS
    kept = visit.kept
    return hand_over(visit.house, kept.floor_watch, kept.incidents, overseen(visit), since_ms)


@get("/floor/handover", include_in_schema=False)
@in_reader
def handover_page(visit: TheVisit, hours: Hours = 8) -> Response[str]:
    sheet = handed_over(visit, hours)
    rows = [FloorRow(one.now, one.tonight) for one in sheet.tables]
    return visit.show(
        "pages/floor/handover.html",
        sheet=sheet,
        rows=dict(zip((one.now.table for one in sheet.tables), rows, strict=True)),
        totals=replace(totals_of(rows), tables=len(overseen(visit))),
        hours=hours,
        incident_words=INCIDENTS,
        name_of=visit.kept.live_pages.name_of,
    )


HANDLERS = (handover_page,)
