"""`puntobanco report`: coups, shoes, tables, gaming days and people in figures."""

import csv
import sys
from fractions import Fraction
from typing import Annotated

from cyclopts import Parameter

from puntobanco.cli import show
from puntobanco.cli.journal import using
from puntobanco.cli.show import Json
from puntobanco.house.lookback.export import check_stream
from puntobanco.house.lookback.figures import By, Figures, coups, report
from puntobanco.journal.log import EventLog
from puntobanco.words import money

NOTHING = "no activity"
COLUMNS = (
    *("table", "gaming_day", "shoe", "coup", "person", "competition"),
    *("coups", "player_wins", "banker_wins", "ties", "voids", "corrections"),
    *("handle_cents", "paid_cents", "hold_cents", "breakage_cents"),
)
"""The columns of the CSV; a line leaves those empty that it is not about."""


def report_house(
    *,
    house: str,
    by: By = "table",
    table: str = "",
    json: Json = False,
    csv_: Annotated[bool, Parameter(name="--csv", negative=(), show_default=False)] = False,
) -> int:
    """Report what was played: handle, payouts, hold, breakage, voids, corrections, results.

    Parameters
    ----------
    house
        The house: an SQLite file, or the URL of a PostgreSQL database.
    by
        What each line of the report is about. Competition chips are no money: they are in the
        report by competition only; and play chips in the report by play only, a line a table.
    table
        One table only, such as table-1.
    json
        Print JSON; money is in cents.
    csv_
        Print CSV, such as for --by coup: table, day, shoe and coup in columns of their own, and
        so is every count. Money is in cents.
    """
    show.refuse_together(json=json, csv=csv_)

    async def read(log: EventLog) -> list[Figures]:
        if table:
            check_stream(log, table)
        return report(coups(log, [table] if table else None), by)

    found = using(house, read)
    if not found and (json or csv_):  # said in the file too, so that nobody takes it for cut off
        found = [Figures(NOTHING, 0, 0, 0, 0, "0", 0, 0, "0/0/0", table=NOTHING)]
    if json:
        show.print_json(found)
    elif csv_:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(map(_line, found))
    elif not found:
        print(NOTHING)
    else:
        _print(found)
    return 0


def _line(one: Figures) -> list[object]:
    """The cells of a line; breakage is a fraction of a cent, and here a decimal."""
    cells = {name: getattr(one, name) for name in COLUMNS}
    return list({**cells, "breakage_cents": float(Fraction(one.breakage_cents))}.values())


def _print(found: list[Figures]) -> None:
    headings = ("", "Coups", "Handle", "Paid", "Hold", "Breakage", "Void", "Corrected", "P/B/T")
    shown = show.plain_table(*headings, right=(1, 2, 3, 4, 5, 6, 7))
    for one in found:
        amounts = (one.handle_cents, one.paid_cents, one.hold_cents)
        counts = (one.voids, one.corrections)
        shown.add_row(
            one.key,
            str(one.coups),
            *map(money, amounts),
            f"{one.breakage_cents} c",
            *map(str, counts),
            one.results,
        )
    show.console.print(shown)
