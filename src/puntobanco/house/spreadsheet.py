"""Tables as CSV, for spreadsheets: nothing that somebody typed is ever reckoned as a formula."""

import csv
import io
import re
from collections.abc import Iterable

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|[\t\r\n]")
"""How a text begins that a spreadsheet may take for a formula, in full width too."""


def csv_cell(cell: object) -> object:
    """A cell as a spreadsheet shows it and never reckons it; a number stays one.

    >>> csv_cell("=1+1"), csv_cell(" @x"), csv_cell("-5.50"), csv_cell(7), csv_cell("ann")
    ("'=1+1", "' @x", '-5.50', 7, 'ann')
    """
    if not isinstance(cell, str) or not FORMULA.match(cell) or NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def csv_table(head: Iterable[object], rows: Iterable[Iterable[object]], ends: str = "\r\n") -> str:
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator=ends)
    writer.writerow(head)
    writer.writerows(map(csv_cell, row) for row in rows)
    return file.getvalue()
