"""Reports: what was played in a range of gaming days, and the coups behind each figure."""

from typing import Any, get_args

import msgspec
from litestar import Response, get
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.desk import named_to
from puntobanco.house.access.names import id_shown, person_called
from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.figures.chosen import Chosen, Order, coups
from puntobanco.house.figures.parts import hold_of_patron
from puntobanco.house.figures.report import (
    BOOKS,
    EVER,
    By,
    Figures,
    Report,
    ReportAsked,
    csv_line,
    report,
)
from puntobanco.house.figures.report import COLUMNS as CSV
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.house.spreadsheet import csv_table
from puntobanco.house.till.gaming_day import gaming_day_now
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.documents.texts import by_digest
from puntobanco.rules.drawing import fold
from puntobanco.server.addresses import PersonId
from puntobanco.server.pages.office import report_sheet as sheets
from puntobanco.server.reader_threads import read
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words import name_order, told_result

PAGE = 50


def asked_of(visit: Visit) -> tuple[ReportAsked, str]:
    """What a report is asked for by the page's address, and the span that was named."""
    visit.check(OVERSEES, "reports")
    by, span = visit.query("by", "table"), visit.query("days", "")
    first, last = visit.query("first"), visit.query("last")
    if by not in get_args(By):
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    if not first and not last:
        span = span or "7"
        first, last = sheets.span_days(span, gaming_day_now(visit.house))
    else:
        span = ""
    table = visit.query("table")
    if table:
        visit.table(table)
    return ReportAsked(
        msgspec.convert(by, By), _day(first, EVER[0]), _day(last, EVER[1]), table
    ), span


def _day(text: str, otherwise: str) -> str:
    """A gaming day, or refused where it is no date."""
    if not text or text == otherwise:
        return otherwise
    try:
        sheets.told_day(text)
    except ValueError as error:
        raise Refused(Reason.MALFORMED, CONDITIONS, what=f"{text[:20]!r} is no date") from error
    return text


@get("/house/reports", include_in_schema=False)
async def reports(visit: TheVisit) -> Response[str]:
    """Handle, hold and what the exact odds expect of it, in lines of any kind."""
    asked, span = asked_of(visit)
    house, settings = visit.house, visit.house.register.state.settings
    reading = house.figures.reading()
    sheet = await read(lambda: sheets.sheet_of(reading, asked, settings))
    return visit.show(
        "pages/office/reports.html",
        asked=asked,
        span=span,
        spans=(*sheets.SPANS, "all"),
        days=sheets.told_days(asked),
        sheet=sheet,
        asked_ms=house.time.now_ms(),
        names=_names(visit, sheet),
        tables=sorted(house.tables, key=name_order),
        left=sum(rows for _, rows in _behind(visit)),
        **HELPS,
    )


def _behind(visit: Visit) -> list[tuple[str, int]]:
    """Tables whose rows have not all been read yet, and how many are left."""
    heads = {name: table.seq for name, table in visit.house.tables.items()}
    figures = visit.house.figures
    return [(one.stream, heads[one.stream] - one.seq) for one in figures.behind(heads)]


def _names(visit: Visit, sheet: sheets.ReportSheet) -> dict[str, str]:
    people = {one.person or one.dealer for one in sheet.report.lines} - {""}
    named = named_to(visit.house, visit.actor(), people)
    return {person: one.name or person_called(visit.house, person) for person, one in named.items()}


def said_result(coup: PastCoup) -> str:
    """What came of a coup, in words."""
    if coup.void or coup.result is None:
        return say("coups-behind.void")
    digest = coup.odds.split(" ")[0]
    rules = by_digest(digest)
    if rules is None:
        return say(f"reports.wager.{coup.result}")
    hands = fold(coup.drawn, rules.tableau)
    return told_result(hands.player_points, hands.banker_points)


HELPS: dict[str, Any] = {
    "percent": sheets.percent,
    "dot_of": sheets.dot_of,
    "told_day": sheets.told_day,
    "said_result": said_result,
    "EVER": EVER,
    "BOOKS": BOOKS,
}
"""What templates of reports may ask."""


def chosen_of(visit: Visit) -> Chosen:
    """Which coups are asked for by the page's address."""
    asked, _ = asked_of(visit)
    fields = {name: visit.query(name)[:64] for name in ("hour", "dealer", "ruleset", "wager",
                                                       "person", "ruled")}  # fmt: skip
    shoe = visit.query("shoe")
    number = int(shoe) if shoe.isdecimal() and len(shoe) < 9 else 0
    return Chosen(asked.first, asked.last, asked.table, **fields, shoe=number)


class CoupBehind(Struct, frozen=True):
    """A coup that a figure is made of."""

    table: str
    coup: int
    at_ms: int
    result: Result | None
    void: bool
    corrected: bool
    hold_cents: int


async def coups_asked(visit: Visit) -> list[CoupBehind]:
    """One page of the coups that are asked for by the address."""
    _, _, _, found = await _found(visit)
    return [
        CoupBehind(
            coup.table, coup.number, coup.at_ms, coup.result, coup.void, coup.corrected, held
        )
        for coup, held in found[:PAGE]
    ]


async def _found(visit: Visit) -> tuple[Chosen, Order, int, list[tuple[PastCoup, int]]]:
    """What is asked for, and one coup more than a page of it."""
    chosen = chosen_of(visit)
    order: Order = "largest" if visit.query("order") == "largest" else "newest"
    after = visit.query("after")
    start = int(after) if after.isdecimal() and len(after) < 8 else 0
    reading = visit.house.figures.reading()
    found = await read(lambda: list(coups(reading, chosen, order, PAGE + 1, start)))
    return chosen, order, start, _of_whom(visit, chosen, found)


def _of_whom(
    visit: Visit, chosen: Chosen, found: list[tuple[PastCoup, int]]
) -> list[tuple[PastCoup, int]]:
    """Coups with what the bank kept: of one patron, what it kept of theirs."""
    if not chosen.person:
        return found
    settings = visit.house.register.state.settings
    return [(coup, hold_of_patron(coup, chosen.person, settings)) for coup, _ in found]


@get("/house/reports/coups", include_in_schema=False)
async def coups_behind(visit: TheVisit) -> Response[str]:
    """The coups that a figure is made of."""
    chosen, order, start, found = await _found(visit)
    named = named_to(visit.house, visit.actor(), {chosen.dealer, chosen.person} - {""})
    return visit.show(
        "pages/office/report_coups.html",
        chosen=chosen,
        days=sheets.told_days(ReportAsked(first=chosen.first, last=chosen.last)),
        order=order,
        start=start,
        found=found[:PAGE],
        more=start + PAGE if len(found) > PAGE else None,
        names={person: one.name or person for person, one in named.items()},
        **HELPS,
    )


@get("/house/reports/patrons/{person:str}", include_in_schema=False)
async def patron_history(visit: TheVisit, person: PersonId) -> Response[str]:
    """What one patron wagered, by gaming day, and their coups."""
    asked, span = asked_of(visit)
    if person not in visit.house.register.state.people:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    settings, reading = visit.house.register.state.settings, visit.house.figures.reading()
    theirs = replace(asked, by="day", person=person)
    made = await read(lambda: report(reading, theirs, settings))
    chosen = Chosen(asked.first, asked.last, asked.table, person=person)
    found = await read(lambda: list(coups(reading, chosen, "newest", PAGE + 1)))
    return visit.show(
        "pages/office/report_patron.html",
        patron=person,
        name=person_called(visit.house, person),
        asked=asked,
        span=span,
        spans=(*sheets.SPANS, "all"),
        days=sheets.told_days(asked),
        report=made,
        found=_of_whom(visit, chosen, found[:PAGE]),
        more=len(found) > PAGE,
        **HELPS,
    )


@get("/house/reports/csv", include_in_schema=False)
async def reports_csv(visit: TheVisit) -> Response[bytes]:
    """A report as a table, every part and count in a column of its own."""
    asked, _ = asked_of(visit)
    made = await report_asked(visit, asked)
    table = csv_table(CSV, (csv_line(_told(visit, one)) for one in made.lines))
    name = f"{asked.by}-{asked.first or 'all'}-{asked.last}.csv"
    headers = {"Content-Disposition": f'attachment; filename="report-{name}"'}
    return Response(table.encode(), media_type="text/csv", headers=headers)


def _told(visit: Visit, line: Figures) -> Figures:
    """A line as it goes out: nobody's id who was erased."""
    house = visit.house
    return replace(line, person=id_shown(house, line.person), dealer=id_shown(house, line.dealer))


async def report_asked(visit: Visit, asked: ReportAsked) -> Report:
    """A report with all its lines."""
    visit.check(OVERSEES, "reports")
    settings, reading = visit.house.register.state.settings, visit.house.figures.reading()
    return await read(lambda: report(reading, asked, settings))


HANDLERS = (reports, coups_behind, patron_history, reports_csv)
