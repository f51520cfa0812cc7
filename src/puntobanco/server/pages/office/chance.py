"""How the cards fall: what was counted of them beside the exact odds, for those who oversee."""

from collections.abc import Iterator

from litestar import Response, get
from markupsafe import Markup

from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.figures.fairness import Fairness, FromSource, fairness
from puntobanco.house.figures.report import ReportAsked
from puntobanco.house.spreadsheet import csv_table
from puntobanco.odds.composition import CARDS, RANKS
from puntobanco.pictures.charts import error_bars
from puntobanco.server.pages.office import report_sheet as sheets
from puntobanco.server.pages.office.reports import HELPS, asked_of
from puntobanco.server.reader_threads import read
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words import name_order

LEAST_TOLD = 0.0001
"""The least likelihood that is told as a number."""
COLUMNS = (
    *("shoes", "what", "place", "counted", "of", "share", "low_99", "high_99", "expected"),
    *("found", "freedom", "p", "corrected_p"),
)


async def fairness_of(visit: Visit, asked: ReportAsked) -> Fairness:
    """What was counted in a range of gaming days, at one table or all."""
    visit.check(OVERSEES, "reports")
    if asked.table:
        visit.table(asked.table)
    reading = visit.house.figures.reading()
    return await read(lambda: fairness(reading, asked.first, asked.last, asked.table))


@get("/house/chance", include_in_schema=False)
async def chance(visit: TheVisit) -> Response[str]:
    """Results, cards by their place, runs and correlations, with error bars and p-values."""
    asked, span = asked_of(visit)
    return visit.show(
        "pages/office/chance.html",
        asked=asked,
        span=span,
        spans=(*sheets.SPANS, "all"),
        days=sheets.told_days(asked),
        tables=sorted(visit.house.tables, key=name_order),
        found=await fairness_of(visit, asked),
        chart=_chart,
        p_told=_p_told,
        off_told=_off_told,
        **HELPS,
    )


def _p_told(p: float) -> str:
    return say("chance.less") if p < LEAST_TOLD else f"{p:.4f}"


def _off_told(deviations: float) -> str:
    return f"{deviations:+.2f}".replace("-", "−")


def _chart(source: FromSource) -> Markup:
    """How far each share lies from what is expected, in percentage points, with its bounds."""
    off = [
        tuple(100 * (bound - one.expected) for bound in (one.share, one.low, one.high))
        for one in source.shares
    ]
    names = [say(f"chance.{one.what}") for one in source.shares]
    points = [(value, low, high) for value, low, high in off]
    drawn = error_bars(names, points, say("chance.chart.said", coups=f"{source.count:,}"))
    return Markup(drawn)  # noqa: S704  ours


@get("/house/chance/csv", include_in_schema=False)
async def chance_csv(visit: TheVisit) -> Response[bytes]:
    """The same as a table: each share, each test, and each count by place."""
    found = await fairness_of(visit, asked_of(visit)[0])
    table = csv_table(COLUMNS, (line for source in found.sources for line in _lines(source)))
    name = f"chance-{found.first or 'all'}-{found.last}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(table.encode(), media_type="text/csv", headers=headers)


def _lines(source: FromSource) -> Iterator[tuple[object, ...]]:
    blank = ("",) * 4
    for one in source.shares:
        shares = (one.times, one.of, one.share, one.low, one.high, one.expected)
        yield (source.source, one.what, "", *shares, *blank)
    for test in source.tests:
        judged = test.corrected if source.judged else ""
        numbers = (test.found, test.freedom or "", test.p, judged)
        yield (source.source, test.name, "", "", source.count, "", "", "", "", *numbers)
    kinds = RANKS if source.source == "order" else CARDS
    for place, row in source.places.items():
        for kind, times in zip(kinds, row, strict=True):
            yield (source.source, kind, place, times, sum(row), "", "", "", 1 / len(row), *blank)


HANDLERS = (chance, chance_csv)
