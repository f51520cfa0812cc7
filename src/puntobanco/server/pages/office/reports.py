"""Reports: coups, shoes, tables, gaming days and people in figures, from the record alone."""

from typing import get_args

import msgspec
from litestar import Response, get

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.lookback.figures import By, Figures, coups, report
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.reader_threads import read
from puntobanco.server.visit import TheVisit, Visit

MOST_LINES = 500
"""Lines of a report that are shown: the last ones."""


@get("/house/reports", include_in_schema=False)
async def reports(visit: TheVisit) -> Response[str]:
    """Handle, payouts and hold, by coup, shoe, table, gaming day or person."""
    asked, table = visit.query("by", "table"), visit.query("table")
    if asked not in get_args(By):
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    by = msgspec.convert(asked, By)
    figures, count = await figures_by(visit, by, table)
    return visit.show(
        "pages/office/reports.html",
        figures=figures,
        count=count,
        by=by,
        kinds=get_args(By),
        table=table,
        tables=sorted(visit.house.tables),
    )


async def figures_by(visit: Visit, by: By, table: str) -> tuple[list[Figures], int]:
    """The last lines of a report, and how many it has in all; of one table, or of every one."""
    visit.check(OVERSEES, "reports")
    streams = [visit.table(table).name] if table else None
    figures = await read(lambda: report(coups(visit.house.log, streams), by))
    return figures[-MOST_LINES:], len(figures)


HANDLERS = (reports,)
