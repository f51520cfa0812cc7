"""Applications from a list: all rows or none, the wrong row and column named, names erasable."""

import csv
import io
from pathlib import Path

import pytest

from puntobanco.competition.state import Entrant, EntryStatus
from puntobanco.errors import MalformedError
from puntobanco.house.access.people import People, Person
from puntobanco.house.competitions.entry_list import entries_csv, read_entry_list
from puntobanco.journal import sqlite
from tests.kit.competition.cup import cup_text
from tests.kit.places import DATA
from tests.kit.program import called, run_json

SCRIPT = """+++
conditions = "cup.toml"
[people]
manager = ["management representative"]
director = ["competition director"]
p1 = ["patron"]
+++
2096-03-01 10:00
manager: publish
director: approve
p1: apply
"""
HEAD = "person,name,contact,received\n"
GOOD = HEAD + 'n1,Nora One,"nora@example.org, or by letter",2026-02-20\nn2,Ned Two,,\n'


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A house in which entries are open, and its key beside it."""
    (tmp_path / "cup.toml").write_text(cup_text().replace("2026-03", "2096-03"))
    (tmp_path / "cup.competition").write_text(SCRIPT)
    run_json("competition", "run", str(tmp_path / "cup.competition"), "--house", str(tmp_path))
    return tmp_path


def imported(house: Path, text: str, *more: str) -> tuple[int, str]:
    file = house / "list.csv"
    file.write_text(text)
    at = (str(house / "house.db"), "cup", str(file))
    done = called("competition", "import-entries", *at, *more)
    return done.code, done.stdout + done.stderr


def rows(house: Path) -> list[bytes]:
    log = sqlite.open_log(house / "house.db")
    return [
        row.events + (row.command or b"") for name in log.streams() for row in log.read(name)
        if name != "house"
    ]  # fmt: skip


def test_everyone_on_a_list_applies_and_names_can_be_erased(house: Path) -> None:
    assert imported(house, GOOD, "--json") == (0, '{"ok": true, "entries": 2}\n')
    came_to = run_json("competition", "results", str(house), "cup")
    applied = {one["person"]: one["status"] for one in came_to["entries"]}
    assert (applied["n1"], applied["n2"]) == ("applied", "applied")
    log = sqlite.open_log(house / "house.db")
    assert People(log).get("n1") == Person("n1", "Nora One", "nora@example.org, or by letter")
    assert not [row for row in rows(house) if b"Nora" in row or b"example.org" in row]
    before = len(rows(house))
    assert imported(house, GOOD)[0] == 0, "the same list again brings nothing about"
    assert len(rows(house)) == before


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "the list is empty"),
        ("person,name,age\nn1,Nora,3\n", "row 1, column 'age'"),
        ("contact\nx\n", "row 1: there is no column 'person'"),
        ("person,contact\nn1,x\n", "row 2, column name: n1 is not known here"),
        ("name\nNora\n", "row 2, column name: nobody is called Nora"),
        ("person,name,paid,reserve\nn1,Nora,yes,yes\n", "row 2, column reserve"),
        ("person,name,paid\nn1,Nora,perhaps\n", "row 2, column paid"),
        ("person,name,paid\nn1,Nora,yes\n", "row 2, column paid: n1: “Enter somebody at the desk”"),
        ("person,name\nn1,No\u202era\n", "row 2, column name"),
        ("person,name,alias\nn1,N,Owl\nn2,M,owl\n", "row 3, column alias"),
        ("person,name,name\nn1,a,b\n", "row 1: a column is named twice"),
        (HEAD + "n1,Nora\n", "row 2: it has 2 columns, not 4"),
        (HEAD + "n1,Nora,,\nn 2,Ned,,\n", "row 3, column person"),
        (HEAD + "n1,,,\n", "row 2, column name"),
        (HEAD + "n1,Nora,,yesterday\n", "row 2, column received: 'yesterday' is no date"),
        (HEAD + "n1,Nora,,2096-02-30\n", "row 2, column received"),
        (HEAD + "n1,Nora,,2096-12-24\n", "row 2, column received: 2096-12-24 is still to come"),
        (HEAD + "n1,Nora,,\nn2,Ned,,\nn1,Nora,,\n", "row 4, column person: n1 is in row 2 already"),
        (HEAD + "n1,Nora,,\np1,Paul,,\n", "row 3, column person: p1:"),
        (HEAD + "n1,Nora,,\nmanager,Max,,\n", "row 3, column person: manager is no patron"),
        (HEAD + 'n1,"Nora,,\n', "the list is no CSV"),
    ],
)
def test_one_wrong_row_refuses_them_all(house: Path, text: str, wrong: str) -> None:
    before = rows(house)
    code, said = imported(house, text)
    assert code == 2
    assert wrong in said
    assert rows(house) == before


def test_no_house_no_competition_no_desk(house: Path) -> None:
    at = ("competition", "import-entries", str(house / "house.db"))
    (house / "list.csv").write_text(GOOD)
    rest = (str(house / "list.csv"),)
    assert called(*at, "none", *rest).code == 2
    refused = called(*at, "cup", *rest, "--by", "p1")
    assert refused.code == 2
    assert "not for your role" in refused.stderr


def test_entries_come_out_as_a_list(house: Path) -> None:
    assert imported(house, GOOD)[0] == 0
    at = ("competition", "entries", str(house))
    told = called(*at, "cup")
    assert told.code == 0
    found = list(csv.DictReader(io.StringIO(told.stdout)))
    assert [(one["person"], one["name"], one["status"]) for one in found] == [
        ("p1", "", "applied"),
        ("n1", "Nora One", "applied"),
        ("n2", "Ned Two", "applied"),
    ]
    assert run_json(*at, "cup")["entries"] == found
    assert called(*at, "none").code == 2
    assert called("competition", "entries", str(house / "list.csv"), "cup").code == 2


def test_entries_as_a_list_hold_no_formulas() -> None:
    entries = {"n1": Entrant(EntryStatus.PAID, version=1, fee_cents=5555)}
    text = entries_csv(entries, {"n1": Person("n1", "=SUM(A1)", "n@example.org")}, {"n1": "+Sable"})
    assert text.splitlines()[1] == "1,n1,'=SUM(A1),'+Sable,n@example.org,paid,1,55.55,0,,,,0"
    with pytest.raises(MalformedError):
        read_entry_list(text)


def test_standings_come_out_coup_by_coup(tmp_path: Path) -> None:
    """A correction or a form shows no sooner than the coup in which it was told."""
    script = DATA / "competitions" / "secrets.competition"
    run_json("competition", "run", str(script), "--house", str(tmp_path))
    at = ("competition", "data", str(tmp_path), "cup")
    rows = run_json(*at, "standings")["standings"]
    stood = [(row["coup"], row["entry"], row["chips_cents"] // 100) for row in rows]
    assert stood == [
        (1, 1, 1350),
        (1, 2, 900),
        (1, 3, 700),
        (2, 1, 1350),
        (2, 2, 900),
        (2, 3, 3100),
    ]
    places = list(csv.DictReader(io.StringIO(called(*at, "results").stdout)))
    assert [(one["place"], one["entry"], one["prize"]) for one in places] == [
        ("1", "3", "112.99"),
        ("2", "1", "37"),
        ("3", "2", "0"),
    ]
    moved = run_json(*at, "money")["money"]
    assert moved[-1]["pot_cents"] == 0
    assert called(*at, "nothing").code == 2


def test_a_list_as_a_spreadsheet_saves_it() -> None:
    """With a mark at its beginning, and columns parted as the spreadsheet's country has it."""
    for parted in ",;\t":
        lines = ("Person,Name,Alias,Paid", 'n1,"Nora First",Ann,YES', "n2,Ned,,No")
        cells = [line.replace(",", parted) for line in lines]
        text = "\ufeff" + "\r\n".join(cells) + "\r\n"
        first, second = read_entry_list(text)
        assert (first.person, first.paid, second.paid) == ("n1", "yes", "no"), parted
        assert (first.name, first.alias) == ("Nora First", "Ann")
    (wide,) = read_entry_list("person;name;;\nn1;Nora;;\n;;;\n")
    assert (wide.person, wide.name, wide.wrong) == ("n1", "Nora", "")
    assert read_entry_list("person;name\nn1;Nora;;x\n")[0].wrong == "it has 4 columns, not 2"
    (wrong,) = read_entry_list("person;paid\nn1;perhaps\n")
    assert (wrong.column, wrong.wrong) == ("paid", "'perhaps': write yes or no, or nothing")
