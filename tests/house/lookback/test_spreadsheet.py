"""What people typed goes into spreadsheets as text, wherever CSV is written."""

import csv
import io
import re

import pytest

from puntobanco.house.spreadsheet import csv_cell, csv_table
from puntobanco.house.till.book import Movement
from puntobanco.server.pages.cage.papers import as_csv
from tests.kit.places import ROOT

FORMULAS = (
    "=1+1",
    "+1;x",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "＝1+1",
    "|cmd",
    "%0A",
)


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_text(text: str) -> None:
    ((cell,),) = csv.reader(io.StringIO(csv_table((), [[text]]).partition("\r\n")[2], newline=""))
    assert cell == f"'{text}"


@pytest.mark.parametrize("cell", ["-5.50", "+7", "12", -3, None, "ann", "a=b", "x@house.test", ""])
def test_numbers_and_plain_words_stay_what_they_are(cell: object) -> None:
    assert csv_cell(cell) == cell


def test_a_ledger_has_no_formula_in_it() -> None:
    written = as_csv([Movement(1, 0, "=HYPERLINK(1)", "money-deposited", -500, -500, "=place")])
    rows = list(csv.reader(io.StringIO(written.decode(), newline="")))
    assert rows[1][3:] == ["'=place", "-5", "-5", "'=HYPERLINK(1)"]


def test_csv_is_written_in_one_way_alone() -> None:
    """Files of simulations have numbers and fixed words; all else goes through the one function."""
    source = ROOT / "src" / "puntobanco"
    writers = {
        str(file.relative_to(source))
        for file in source.rglob("*.py")
        if re.search(r"csv\.(Dict)?[wW]riter\(", file.read_text())
    }
    assert writers == {"house/spreadsheet.py", "cli/simulate.py", "cli/files/tidy_file.py"}
