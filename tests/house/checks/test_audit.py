"""Verifying a house: every link, and every result and payout worked out again."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.checks import audit as auditing
from puntobanco.house.checks.audit import Audited, audit
from puntobanco.journal.chain import Fault
from puntobanco.journal.log import EventLog
from puntobanco.journal.sqlite import open_log
from puntobanco.journal.verify import verify
from tests.kit.house.evening import evening
from tests.kit.house.kept import forged, kept
from tests.kit.journal import unpack_rows, using
from tests.kit.places import PLAYTHROUGHS
from tests.kit.program import refused, run

SESSIONS = sorted(PLAYTHROUGHS.glob("*.session"))


def audited(path: Path) -> Fault | None:
    log = open_log(path)
    try:
        assert verify(log).fault is None
        return audit(log).fault
    finally:
        asyncio.run(log.close())


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_every_session_works_out_again(session: Path, tmp_path: Path) -> None:
    assert audited(kept(tmp_path / "house.db", session)) is None


@pytest.mark.parametrize(
    ("kind", "change", "what"),
    [
        ("wager-settled", {"won_cents": 999_500}, "the rules give"),
        ("wager-settled", {"stake_cents": 1}, "the rules give"),
        ("result-declared", {"player": 3}, "the rules give"),
        ("card-drawn", {"card": "As"}, "the rules give"),
        ("chips-bought", {"cents": 5}, "spends chips nobody has"),
        ("cards-cut", {"seat": "nine"}, "cannot have happened"),
    ],
)
def test_a_forgery_whose_chain_holds_is_found_by_working_it_out(
    tmp_path: Path, kind: str, change: dict[str, object], what: str
) -> None:
    path = kept(tmp_path / "house.db", PLAYTHROUGHS / "tasmania-2018.session")
    fault = audited(forged(path, kind, change))
    assert fault is not None
    assert what in fault.what


def test_verify_and_export_from_the_command_line(tmp_path: Path) -> None:
    house = str(kept(tmp_path / "house.db", PLAYTHROUGHS / "canberra-2015.session"))
    said = run("verify", house)
    assert said.splitlines()[0].endswith("in 1 stream: sound")
    root = said.split()[-1]
    assert run("verify", house, "--head", root) == said
    assert "never had the root" in run("verify", house, "--head", "ab" * 32, code=1, out=True)
    file = tmp_path / "table.export"
    run("export", "table-1", "--house", house, "--to", str(file))
    assert file.read_text() == run("export", "table-1", "--house", house)
    assert "sound" in run("verify", str(file))
    file.write_text(file.read_text().replace('"actor":"dan"', '"actor":"eve"', 1))
    assert "was changed" in run("verify", str(file), code=1, out=True)
    assert "there is no 'x'" in refused("export", "x", "--house", house)
    assert "a root is 64" in refused("verify", house, "--head", "ab")
    assert "belong to a house" in refused("verify", str(file), "--head", root)
    assert "File exists" in refused("export", "table-1", "--house", house, "--to", str(file))
    assert "No such file" in refused("verify", str(tmp_path / "nowhere"))


def test_tables_decided_again_in_processes_come_out_as_in_one(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "WORTH_IT", 0)

    async def played(log: EventLog) -> None:
        bots = await evening(log)
        await let_bots_play(bots, list(bots.house.tables.values()), 3)
        await bots.house.shut()

    async def both(log: EventLog) -> tuple[Audited, Audited, int]:
        found = audit(log, workers=2)
        return found, audit(log), sum(len(list(log.read(name))) for name in log.streams())

    using(place, played)
    found, alone, rows = using(place, both)
    assert found == alone
    assert found.fault is None
    assert found.decided > 100
    assert found.without == found.otherwise == 0
    assert rows - found.decided < 20  # the house's own notes keep no command


def test_a_forgery_is_found_in_a_process_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "WORTH_IT", 0)
    path = str(tmp_path / "house.db")

    async def played(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018", "act-2015")
        await let_bots_play(bots, list(bots.house.tables.values()), 3)
        await bots.house.shut()

    async def check(log: EventLog) -> Fault | None:
        return audit(log, workers=2).fault

    using(path, played)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER rows_stay")
        unpack_rows(db)
        db.execute(
            "UPDATE rows SET events = replace(events, 'wager-settled', 'wager-taken')"
            " WHERE stream = 'table-1'"
        )
    fault = using(path, check)
    assert fault is not None
    assert fault.stream == "table-1"
