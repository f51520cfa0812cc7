"""Reports: every figure from the record, and equal to what the table itself holds."""

import asyncio
import csv
import io
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from puntobanco.house.figures.report import By, Figures, lines
from puntobanco.house.figures.sums import Sums
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.journal.sqlite import open_log
from puntobanco.register.settings import Settings
from puntobanco.rules.irregularities import Verdict
from puntobanco.table import events as e
from puntobanco.table.session import parse_session, play_session
from puntobanco.table.state import Phase
from tests.kit.house.figures import coups_in, lines_of
from tests.kit.house.kept import kept
from tests.kit.places import PLAYTHROUGHS
from tests.kit.program import refused, run, run_json

SESSIONS = sorted(PLAYTHROUGHS.glob("*.session"))
WAYS: tuple[By, ...] = (
    *("coup", "shoe", "table", "day", "person", "hour", "dealer", "wager", "rules"),
)


def played(path: Path) -> list[PastCoup]:
    log = open_log(path)
    try:
        return list(coups_in(log))
    finally:
        asyncio.run(log.close())


def reported(path: Path, by: By) -> list[Figures]:
    log = open_log(path)
    try:
        return lines_of(log, by)
    finally:
        asyncio.run(log.close())


def taken_apart(event: e.TableEvent) -> int:
    """What the bank gains in a competition beside wagers, which are all that reports are about."""
    match event:
        case e.AbsenceDeducted() | e.LatenessDeducted() | e.SecretDeducted():
            return event.cents
        case e.SecretLapsed():
            return -event.cents
        case e.ChipsCorrected():
            return event.was_cents - event.cents
        case _:
            return 0


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_every_way_of_adding_up_gives_what_the_bank_gained(session: Path, tmp_path: Path) -> None:
    steps = list(play_session(parse_session(session.read_text())))
    path = kept(tmp_path / "house.db", session)
    found = played(path)
    apart = sum(taken_apart(event) for step in steps for event in step.events)
    bank = sum(
        after.table.bank_cents - before.table.bank_cents
        for before, after in pairwise(steps)
        if after.table.is_open  # at its closing what was won in chips that are no money goes back
    )
    (book,) = {coup.book for coup in found}
    ways: tuple[By, ...] = (*WAYS, "competition", "play")
    for by in ways:
        figures = reported(path, by)
        its_own = by if by in ("competition", "play") else "money"
        wanted = bank - apart if its_own == book else 0
        assert sum(one.hold_cents for one in figures) == wanted, by
    assert len(found) == steps[-1].table.coup_number
    dealt = sum(coup.over and not coup.undealt for coup in found)
    assert len(reported(path, "coup")) == (dealt if book == "money" else 0)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_results_and_voids_are_those_of_the_table(session: Path, tmp_path: Path) -> None:
    found = {coup.number: coup for coup in played(kept(tmp_path / "house.db", session))}
    last = list(play_session(parse_session(session.read_text())))[-1].table
    for record in last.coups:
        assert found[record.number].result == record.result
        assert found[record.number].void == (record.verdict is Verdict.VOID)


AFTER_CLOSING = """
sue: correct-wager 1 ann 1 b 200 note="seen on video"
mara: approve {first}
sue: correct-payment ann -25 coup=2 note="paid twice"
mara: approve {second}
mara: open-table
sue: correct-payment bob 50 coup=1 note="by ruling, of an earlier opening"
mara: approve {third}
"""


def test_the_books_balance_when_a_closed_table_is_put_right(tmp_path: Path) -> None:
    """[act-2015:14.4] The difference is of the coup, its day and its player."""
    session = (PLAYTHROUGHS / "canberra-2015.session").read_text()
    before = list(play_session(parse_session(session)))[-1].table
    assert before.phase is Phase.SHUT
    last = before.proposal_number
    numbers = {"first": last + 1, "second": last + 2, "third": last + 3}
    file = tmp_path / "after.session"
    file.write_text(session + AFTER_CLOSING.format(**numbers))
    after = list(play_session(parse_session(file.read_text())))[-1].table
    moved = after.bank_cents - before.bank_cents
    assert moved == sum(before.chips.values()) - sum(after.chips.values()) != 0
    path = kept(tmp_path / "house.db", file)
    for by in WAYS:
        assert sum(one.hold_cents for one in reported(path, by)) == after.bank_cents, by


def test_a_person_and_a_day_and_the_breakage(tmp_path: Path) -> None:
    path = kept(tmp_path / "house.db", PLAYTHROUGHS / "canberra-2015.session")
    (day,) = reported(path, "day")
    assert (day.key, day.voids > 0) == ("1970-01-01", True)  # by the clock, which begins there
    people = {one.key: one for one in reported(path, "person")}
    assert set(people) == {"ann", "bob", "dee"}
    total = sum((Fraction(one.breakage_cents) for one in reported(path, "coup")), Fraction(0))
    assert total == Fraction(day.breakage_cents) > 0


def test_reports_from_the_command_line(tmp_path: Path) -> None:
    house = str(kept(tmp_path / "house.db", PLAYTHROUGHS / "tasmania-2018.session"))
    said = run("report", "--house", house)
    assert "table-1" in said
    figures = run_json("report", "--house", house, "--by", "person")
    assert {one["key"] for one in figures} == {"ann", "bob", "cy"}
    assert "there is no 'table-9'" in refused("report", "--house", house, "--table", "table-9")
    empty = tmp_path / "empty.db"
    asyncio.run(open_log(empty).close())
    assert run("report", "--house", str(empty)) == "no activity\n"
    assert [one["key"] for one in run_json("report", "--house", str(empty))] == ["no activity"]
    assert "no activity,,,,,,,,,,0," in run("report", "--house", str(empty), "--csv")


@pytest.mark.parametrize("by", WAYS)
def test_a_report_as_csv_has_every_part_and_count_in_a_column(by: By, tmp_path: Path) -> None:
    path = kept(tmp_path / "house.db", PLAYTHROUGHS / "canberra-2015.session")
    said = run("report", "--house", str(path), "--by", by, "--csv")
    rows = list(csv.DictReader(io.StringIO(said)))
    found, day = played(path), "1970-01-01"
    parts = {
        "coup": {("table-1", day, str(coup.shoe), str(coup.number), "") for coup in found},
        "shoe": {("table-1", "", str(coup.shoe), "", "") for coup in found},
        "table": {("table-1", "", "", "", "")},
        "day": {("", day, "", "", "")},
        "person": {("", "", "", "", person) for person in ("ann", "bob", "dee")},
    }
    names = ("table", "gaming_day", "shoe", "coup", "person")
    if by in parts:
        assert {tuple(row[name] for name in names) for row in rows} == parts[by]
    words = {*names, "hour", "dealer", "wager", "ruleset", "competition"}
    for row, figures in zip(rows, reported(path, by), strict=True):
        counts = [row[name] for name in ("player_wins", "banker_wins", "ties")]
        assert "/".join(counts) == figures.results
        assert float(row["breakage_cents"]) == float(Fraction(figures.breakage_cents))
        numbers = [cell for name, cell in row.items() if name not in words]
        assert all(float(cell) == float(cell) for cell in numbers)  # each is a number alone


def test_a_range_of_gaming_days_is_what_was_played_in_it(tmp_path: Path) -> None:
    house = str(kept(tmp_path / "house.db", PLAYTHROUGHS / "canberra-2015.session"))
    days = ("--first", "1970-01-01", "--last", "1970-01-01")
    assert run("report", "--house", house, *days) == run("report", "--house", house)
    later = ("--first", "1970-01-02")
    assert run("report", "--house", house, *later) == "no activity\n"
    assert "made anew" in run("report", "--house", house, "--rebuild")


def test_the_last_lines_of_a_report_are_those_of_the_whole() -> None:
    """A page shows the last hundred, and only these are worked out."""
    cells = [("table-1", f"2026-03-{day:02}", str(day // 2), Sums(day)) for day in range(1, 29)]
    whole = lines(cells, "shoe", Settings())
    assert [one.shoe for one in whole] == list(range(15))
    assert lines(cells, "shoe", Settings(), 3) == whole[-3:]
    assert whole[-2].coups == 26 + 27
