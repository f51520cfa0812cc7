"""A report as one sheet: what was asked for, its lines, charts and the coups behind them."""

from datetime import date, timedelta  # noqa: TID251  to count days, not to ask for today
from math import sqrt

from markupsafe import Markup
from msgspec import Struct

from puntobanco.house.figures.chosen import Chosen, coups
from puntobanco.house.figures.projection import FiguresRead
from puntobanco.house.figures.report import (
    BOOKS,
    EVER,
    By,
    Figures,
    Report,
    ReportAsked,
    gathered,
    handles,
    lines,
    report_and_cells,
)
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.pictures.charts import bars, dot, running
from puntobanco.register.settings import Settings
from puntobanco.server.rendering import say
from puntobanco.words import told_money

Span = str
SPANS: dict[Span, tuple[int, int]] = {"tonight": (0, 0), "last": (1, 1), "7": (6, 0), "30": (29, 0)}
"""The gaming days that are asked for by a word: from and to so many days ago."""
MOST_LINES = 100
"""The lines of a report that are shown: the last ones."""
LARGEST = 6
MAIN: tuple[By, ...] = ("table", "day", "hour", "dealer", "wager", "rules", "shoe", "coup")
UNUSUAL = 2
"""Spreads beyond which a line is told apart."""


def span_days(span: Span, today: str) -> tuple[str, str]:
    """The first and the last gaming day of a span."""
    if span not in SPANS:
        return EVER
    ago, until = SPANS[span]
    now = date.fromisoformat(today)
    return str(now - timedelta(ago)), str(now - timedelta(until))


def told_day(day: str) -> str:
    """A gaming day as people say it."""
    at = date.fromisoformat(day)
    return f"{at.day} {say(f'month.{at.month}')} {at.year}"


def told_days(asked: ReportAsked) -> str:
    """The range of a report in words."""
    if (asked.first, asked.last) == EVER:
        return say("reports.title.all")
    if asked.first == asked.last:
        return say("reports.title.day", day=told_day(asked.first))
    first = told_day(asked.first) if asked.first else ""
    last = told_day(asked.last)
    if first.split(" ")[-1] == last.split(" ")[-1]:  # the year is said once
        first = first.rsplit(" ", 1)[0]
    return say("reports.title.range", first=first or "…", last=last)


class ReportSheet(Struct, frozen=True):
    """All that a page of a report shows."""

    report: Report
    count: int
    """How many lines there are in all."""
    wagers: list[Figures] = []
    through: str = ""
    """The running total: by `days`, or of one day by `hours`."""
    through_chart: str = ""
    hours_chart: str = ""
    largest: list[tuple[PastCoup, int]] = []
    edge: float = 1.0
    """Per cent at the edge of the dots' scale."""
    tables: int = 0

    @property
    def outside(self) -> list[Figures]:
        """The lines that lie outside twice their spread, the farthest first."""
        far = [one for one in self.report.lines if one.off and abs(one.off) > UNUSUAL]
        return sorted(far, key=lambda one: -abs(one.off or 0))


def sheet_of(reading: FiguresRead, asked: ReportAsked, settings: Settings) -> ReportSheet:
    """Add up what a page shows."""
    shown, count, found = report_and_cells(reading, asked, settings, MOST_LINES)
    edge = _edge([*shown.lines, shown.total])
    if asked.by in BOOKS or not shown.total.coups:
        return ReportSheet(shown, count, edge=edge)
    days = lines(found, "day", settings)
    through = "days" if len(days) > 1 else "hours"
    points = days if len(days) > 1 else lines(gathered(reading, "hour", asked), "hour", settings)
    return ReportSheet(
        shown,
        count,
        lines(gathered(reading, "wager", asked), "wager", settings),
        through,
        _running(points, settings.look.currency),
        _by_hour(reading, asked, settings),
        list(coups(reading, _chosen(asked), "largest", LARGEST)),
        edge,
        len({table for table, *_ in found}),
    )


def _chosen(asked: ReportAsked) -> Chosen:
    return Chosen(first=asked.first, last=asked.last, table=asked.table)


def _running(points: list[Figures], currency: str) -> str:
    """The running total of hold, in whole units, beside what was expected."""
    if any(one.expected_cents is None for one in points):
        return ""
    held = wanted = variance = 0.0
    series: list[tuple[float, float, float]] = []
    for one in points:
        held += one.hold_cents / 100
        wanted += (one.expected_cents or 0) / 100
        variance += ((one.spread_cents or 0) / 100) ** 2
        series.append((held, wanted, sqrt(variance)))
    ends = {"hold": told_money(round(held * 100), currency),
            "expected": told_money(round(wanted * 100), currency)}  # fmt: skip
    said = say("reports.chart.said", **ends)
    names = [_short_name(one) for one in points]
    words = say("reports.chart.held"), say("reports.chart.wanted")
    sums, hoped, spreads = ([point[at] for point in series] for at in range(3))
    return running(names, sums, hoped, spreads, said, words)


def _short_name(one: Figures) -> str:
    if one.hour:
        return one.hour
    at = date.fromisoformat(one.gaming_day)
    return f"{at.day} {say(f'month.{at.month}')[:3]}"


def _by_hour(reading: FiguresRead, asked: ReportAsked, settings: Settings) -> str:
    """The handle of each hour that was played in, and of those between, in whole units."""
    by_hour: dict[str, int] = {}
    for *_, hour, cents in handles(reading, "hour", asked):
        by_hour[hour] = by_hour.get(hour, 0) + cents
    if not by_hour:
        return ""
    begins = settings.gaming_days[-1].minutes // 60
    order = [f"{(begins + at) % 24:02}" for at in range(24)]
    played = [at for at, hour in enumerate(order) if hour in by_hour]
    names = order[played[0] : played[-1] + 1]
    values = [by_hour.get(hour, 0) / 100 for hour in names]
    most = max(names, key=lambda hour: by_hour.get(hour, 0))
    return bars(names, values, say("reports.chart.handle.said", hour=most))


def _edge(all_lines: list[Figures]) -> float:
    """A round number of per cent in which nearly all of the dots and bands lie."""
    ends = [
        abs(one.share(cents) or 0.0)
        for one in all_lines
        for cents in (one.hold_cents, (one.expected_cents or 0) + 2 * (one.spread_cents or 0))
    ]
    wanted = sorted(ends)[int(len(ends) * 0.9)] if ends else 1.0
    return next((step for step in (1, 2, 3, 5, 10, 20, 30, 50, 100) if step >= wanted), 200)


def percent(share: float | None) -> str:
    """A share in per cent with two places."""
    if share is None:
        return ""
    sign = "−" if share < 0 else ""
    return say("reports.percent", number=f"{sign}{abs(share):.2f}")


def dot_of(one: Figures, edge: float) -> Markup:
    """A line's hold beside what was expected of it."""
    held, wanted, spread = (one.share(cents) for cents in (
        one.hold_cents, one.expected_cents, one.spread_cents))  # fmt: skip
    if held is None or wanted is None or spread is None:
        return Markup()
    facts = {"held": percent(held), "expected": percent(wanted), "spread": percent(spread)}
    return Markup(dot(held, wanted, spread, edge, say("reports.dot", **facts)))  # noqa: S704  ours
