"""Who plays with whom: a report for those who oversee the house."""

from litestar import Response, get

from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.spreadsheet import csv_table
from puntobanco.house.till.gaming_day import gaming_day_now
from puntobanco.house.trust.limits import days_before
from puntobanco.house.trust.together import COLUMNS, PairsReport, line_of, pairs_report
from puntobanco.server.pages.cage.till import book_of
from puntobanco.server.pages.trust.games import day_asked
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit

USUAL_DAYS = 30
WORTH = 0.01
"""A pair that is less likely, among all that were compared, is worth a look."""


def together_in(visit: Visit, first: str, last: str) -> PairsReport:
    """The report of a range of gaming days, the last thirty unless said."""
    by, today = visit.check(OVERSEES, "together"), gaming_day_now(visit.house)
    days = day_asked(first, days_before(today, USUAL_DAYS - 1)), day_asked(last, today)
    reading = visit.house.figures.reading()
    return pairs_report(visit.house, reading, book_of(visit), by, days)


@get("/house/reports/together", include_in_schema=False)
@in_reader
def together_page(visit: TheVisit) -> Response[str]:
    """Pairs on opposite sides, the least likely first, and chips that were hardly played with."""
    shown = together_in(visit, visit.query("first"), visit.query("last"))
    return visit.show("pages/trust/together.html", shown=shown, WORTH=WORTH)


@get("/house/reports/together/csv", include_in_schema=False)
@in_reader
def together_csv(visit: TheVisit) -> Response[bytes]:
    """The pairs as a table."""
    shown = together_in(visit, visit.query("first"), visit.query("last"))
    headers = {
        "Content-Disposition": f'attachment; filename="together-{shown.first}-{shown.last}.csv"',
        "Cache-Control": "no-store",
    }
    table = csv_table(COLUMNS, map(line_of, shown.pairs))
    return Response(table.encode(), media_type="text/csv", headers=headers)


HANDLERS = (together_page, together_csv)
