"""Verifying a house: every link, and every result and payout worked out again."""

import asyncio
import json
import sqlite3
from pathlib import Path

import msgspec
import pytest

from puntobanco.house.checks.audit import audit
from puntobanco.journal.chain import verify
from puntobanco.journal.log import Append
from puntobanco.journal.rows import Entry, Fault, link
from puntobanco.journal.sqlite import open_log
from puntobanco.table.session import parse_session, play_session
from tests.program import SHOES, refused, run

SESSIONS = sorted(SHOES.glob("*.session"))


def kept(path: Path, session: Path) -> Path:
    """A house with one table, as it was played."""
    played = play_session(parse_session(session.read_text()))

    async def main() -> None:
        log = open_log(path)
        for seq, step in enumerate((one for one in played if one.events), 1):
            raw = msgspec.json.encode(step.events)
            by = step.said.by
            entry = Entry("table-1", seq, by.at_ms, by.person, f"c{seq}", b"", (), raw)
            await log.append(Append((entry,)))
        await log.close()

    asyncio.run(main())
    return path


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


def forged(path: Path, kind: str, change: dict[str, object], which: int = 0) -> Path:
    """Change one event of a kind, and make every hash anew."""
    log = open_log(path)
    rows = list(log.read("table-1"))
    asyncio.run(log.close())
    places = [
        (row.seq, number)
        for row in rows
        for number, event in enumerate(json.loads(row.events))
        if event["is"] == kind
    ]
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("DROP TRIGGER rows_stay")
    previous = bytes(32)
    for row in rows:
        raw = row.events
        if row.seq == places[which][0]:
            events = json.loads(raw)
            events[places[which][1]] |= change
            raw = json.dumps(events).encode()
        entry = Entry(row.stream, row.seq, row.at_ms, row.actor, row.command_id, b"", (), raw)
        made = link(entry, previous)
        previous = made.hash
        values = (made.events, made.command_hash, made.previous, made.hash, made.seq)
        db.execute(
            "UPDATE rows SET events = ?, command_hash = ?, previous = ?, hash = ? WHERE seq = ?",
            values,
        )
    db.close()
    return path


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
    path = kept(tmp_path / "house.db", SHOES / "tasmania-2018.session")
    fault = audited(forged(path, kind, change))
    assert fault is not None
    assert what in fault.what


def test_verify_and_export_from_the_command_line(tmp_path: Path) -> None:
    house = str(kept(tmp_path / "house.db", SHOES / "canberra-2015.session"))
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
