"""`puntobanco report`: what was played in a range of gaming days, in figures."""

import sys
from fractions import Fraction
from typing import Annotated

from cyclopts import Parameter

from puntobanco.cli import show
from puntobanco.cli.journal import using
from puntobanco.cli.show import Flag, Json
from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.figures.check import rebuild as rebuild_figures
from puntobanco.house.figures.check import settings_in
from puntobanco.house.figures.projection import reading_of
from puntobanco.house.figures.report import (
    COLUMNS,
    EVER,
    By,
    Figures,
    Report,
    ReportAsked,
    csv_line,
    report,
)
from puntobanco.house.lookback.export import check_stream
from puntobanco.house.spreadsheet import csv_table
from puntobanco.house.till.gaming_day import check_day
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.words import money

NOTHING = "no activity"


def report_house(
    *,
    house: str,
    by: By = "table",
    first: str = EVER[0],
    last: str = EVER[1],
    table: str = "",
    rebuild: Flag = False,
    json: Json = False,
    csv_: Annotated[bool, Parameter(name="--csv", negative=(), show_default=False)] = False,
) -> int:
    """Report what was played: handle, payouts, hold beside what the exact odds expect, breakage,
    voids, corrections, results.

    Parameters
    ----------
    house
        The house: an SQLite file, or the URL of a PostgreSQL database.
    by
        What each line of the report is about. Competition chips are no money: they are in the
        report by competition only; and play chips in the report by play only, a line a table.
    first
        The first gaming day, such as 2026-06-08; without it, from the beginning.
    last
        The last gaming day; without it, to the end.
    table
        One table only, such as table-1.
    rebuild
        First make the figures that are kept anew from all rows. The house must not be running.
    json
        Print JSON; money is in cents.
    csv_
        Print CSV, such as for --by coup: table, day, shoe and coup in columns of their own, and
        so is every count. Money is in cents.
    """
    show.refuse_together(json=json, csv=csv_)
    _check_days(first, last)
    if rebuild:
        read = using(house, _rebuild, create=True)
        show.console.print(
            f"figures of {len(read)} tables made anew from {sum(read.values())} rows"
        )

    async def read_lines(log: EventLog) -> Report:
        if table:
            check_stream(log, table)
        settings = settings_in(log)
        return report(reading_of(log, settings), ReportAsked(by, first, last, table), settings)

    made = using(house, read_lines)
    found = made.lines
    if not found and (json or csv_):  # said in the file too, so that nobody takes it for cut off
        found = [Figures(NOTHING, 0, 0, 0, 0, "0", 0, 0, "0/0/0", table=NOTHING)]
    if json:
        show.print_json(found)
    elif csv_:
        print_csv(found)
    elif not found:
        print(NOTHING)
    else:
        _print(made)
    return 0


def _check_days(first: str, last: str) -> None:
    """Refuse days that are none: no coup lies between them, and the report would be empty."""
    if first:
        check_day("--first", first)
    check_day("--last", last)
    if first > last:
        raise MalformedError(f"--first {first} is after --last {last}")


async def _rebuild(log: EventLog) -> dict[str, int]:
    if HOUSE not in await log.hold({HOUSE}):
        raise UnusableError("this house is running; it keeps its figures itself. Shut it first")
    return rebuild_figures(log)


def print_csv(found: list[Figures]) -> None:
    sys.stdout.write(csv_table(COLUMNS, map(csv_line, found), "\n"))


def _print(made: Report) -> None:
    headings = ("", "Coups", "Handle", "Paid", "Hold", "Hold %", "Expected", "Spread", "Breakage")
    shown = show.plain_table(*headings, "Void", "Corrected", "P/B/T", right=tuple(range(1, 11)))
    for one in [*made.lines, made.total] if len(made.lines) > 1 else made.lines:
        amounts = (one.handle_cents, one.paid_cents, one.hold_cents)
        breakage = round(Fraction(one.breakage_cents))
        shown.add_row(
            one.key or "all",
            str(one.coups),
            *map(money, amounts),
            _share(one.share(one.hold_cents)),
            _share(one.share(one.expected_cents)),
            _share(one.share(one.spread_cents)),
            money(breakage),
            str(one.voids),
            str(one.corrections),
            one.results,
        )
    show.console.print(shown)


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.2f} %"
