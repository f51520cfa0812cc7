"""The stand-alone verifier: sound exports pass, and every planted fault is found.

It runs as a program of its own, with none of our modules in reach.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

import puntobanco_verifier as verifier
from puntobanco.cage import messages as m
from puntobanco.errors import UnusableError
from puntobanco.house.export import export
from puntobanco.journal.log import Append, EventLog
from puntobanco.journal.rows import FIRST, Entry, link
from puntobanco.journal.sqlite import open_log
from puntobanco.rules.shoe import commitment, full_set, shuffled
from puntobanco.table import commands as c
from puntobanco.table.events import TableEvent
from puntobanco.table.session import parse_session, play_session
from tests.at_house import Driver, house_over
from tests.at_table import At
from tests.test_house import using
from tests.test_table_virtual import SALT, committed, play_out

ROOT = Path(__file__).parent.parent
VERIFIER = ROOT / "src" / "puntobanco_verifier.py"
SESSIONS = sorted((ROOT / "tests" / "playthroughs").glob("*.session"))


def verified(file: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(VERIFIER), str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def stored(folder: Path, rows: list[tuple[str, list[TableEvent]]]) -> Path:
    """Put a table's events into a journal, a row for each command, and export it."""
    target = folder / "table.export"

    async def main() -> None:
        log = open_log(folder / "house.db")
        for seq, (actor, events) in enumerate(rows, 1):
            clauses = tuple(dict.fromkeys(one for event in events for one in event.clauses))
            raw = msgspec.json.encode(events)
            entry = Entry("table-1", seq, seq, actor, f"c{seq}", raw, clauses, raw)
            await log.append(Append((entry,)))
        target.write_bytes(b"".join(export(log, "table-1")))
        await log.close()

    asyncio.run(main())
    return target


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_whole_sessions_are_found_sound(session: Path, tmp_path: Path) -> None:
    steps = play_session(parse_session(session.read_text()))
    rows = [(step.said.by.person, list(step.events)) for step in steps if step.events]
    code, said = verified(stored(tmp_path, rows))
    assert code == 0, said
    assert said.startswith(f"{len(rows)} rows, ")
    assert "sound; head " in said


def rows_of(at: At) -> list[tuple[str, list[TableEvent]]]:
    return [("dan", [event]) for event in at.log]


@pytest.mark.parametrize("ruleset", ["tas-2018", "act-2015"])
def test_a_virtual_shoe_is_opened_and_checked(ruleset: str, tmp_path: Path) -> None:
    at, order, left = committed(ruleset)
    play_out(at, left)
    at.do("dan", c.EndShoe())
    at.do("dan", c.OpenCommitment(order, SALT))
    code, said = verified(stored(tmp_path, rows_of(at)))
    assert (code, "1 commitments" in said) == (0, True), said


def test_a_false_opening_that_says_it_is_true_is_found(tmp_path: Path) -> None:
    at, order, left = committed("tas-2018")
    play_out(at, left)
    at.do("dan", c.EndShoe())
    draws = count(7)
    other = shuffled(full_set(8), lambda n: next(draws) % n)
    at.do("dan", c.OpenCommitment(other, SALT))
    assert commitment(order, SALT) != commitment(other, SALT)
    file = forged(stored(tmp_path, rows_of(at)), "commitment-opened", {"agrees": True})
    assert "says of a commitment what is not so" in verified(file)[1]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short table: pairs, a commission with breakage, a tie, a correction."""
    at = At("tas-2018").open().staffed().seat("ann", "bob").shoe()
    at.coup("1 b 75, 2 p 50, 1 bp 10", "6c 9d Kh 9s")
    at.coup("1 t 10, 2 p 50", "4c 4d 5h 5s")
    at.do("dan", c.CashOut(10_000, "bob"))
    folder = tmp_path_factory.mktemp("sound")
    return stored(folder, rows_of(at))


def lines_of(file: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    first, *rows = (json.loads(line) for line in file.read_text().splitlines())
    return first, rows


def rechained(file: Path, first: dict[str, Any], rows: list[dict[str, Any]]) -> Path:
    """A clever forger makes every hash anew."""
    previous = bytes(32)
    for row in rows:
        raw = row["events"].encode()
        entry = Entry(
            row["stream"], row["seq"], row["at_ms"], row["actor"], row["command_id"], b"", (), raw
        )
        made = link(msgspec.structs.replace(entry, clauses=tuple(row["clauses"].split())), previous)
        row |= {
            "previous": previous.hex(),
            "hash": made.hash.hex(),
            "command_hash": made.command_hash.hex(),
        }
        previous = made.hash
    first["head"] = previous.hex()
    target = file.with_suffix(".forged")
    target.write_text("".join(json.dumps(line) + "\n" for line in (first, *rows)))
    return target


def forged(file: Path, kind: str, change: dict[str, Any], which: int = 0) -> Path:
    """Change one event of a kind, and make the chain anew around it."""
    first, rows = lines_of(file)
    places = [
        (row, number)
        for row in rows
        for number, event in enumerate(json.loads(row["events"]))
        if event["is"] == kind
    ]
    row, number = places[which]
    events = json.loads(row["events"])
    events[number] |= change
    row["events"] = json.dumps(events)
    return rechained(file, first, rows)


def test_the_short_table_is_sound(sound: Path) -> None:
    code, said = verified(sound)
    assert (code, "2 results, 5 payouts" in said) == (0, True), said
    first, rows = lines_of(sound)
    assert verified(rechained(sound, first, rows))[0] == 0


FORGERIES = [
    ("result-declared", {"result": "player"}, 0, "but the cards give"),
    ("result-declared", {"banker": 7}, 0, "but the cards give"),
    ("wager-settled", {"won_cents": 7500}, 0, "pays 7500, not 7250"),
    ("wager-settled", {"odds": [1, 1]}, 0, "pays at [1, 1], not at [19, 20]"),
    ("wager-settled", {"breakage": [0, 1]}, 0, "books another breakage"),
    ("wager-settled", {"outcome": "loses", "returned_cents": 0}, 0, "settles a wager wrong"),
    ("wager-settled", {"returned_cents": 5000}, 1, "returns another amount"),
    ("wager-settled", {"outcome": "void", "returned_cents": 5000, "won_cents": 5}, 1, "pays a"),
    ("chips-bought", {"cents": 1}, 0, "spends chips nobody has"),
    ("chips-cashed", {"cents": 10**9}, 0, "spends chips nobody has"),
    ("card-drawn", {"card": "9c"}, 0, "but the cards give"),
    ("wager-placed", {"wager": None}, 0, "cannot be read"),
]


@pytest.mark.parametrize(("kind", "change", "which", "fault"), FORGERIES)
def test_forged_events_are_found_though_every_hash_was_made_anew(
    sound: Path, kind: str, change: dict[str, Any], which: int, fault: str
) -> None:
    code, said = verified(forged(sound, kind, change, which))
    assert code == 1
    assert said.startswith("FAULT: row ")
    assert fault in said


def edits() -> Iterator[tuple[str, Callable[[dict[str, Any], list[dict[str, Any]]], object], str]]:
    yield "changed", lambda _, rows: rows[5].update(actor="eve"), "row 6: was changed"
    yield "deleted", lambda _, rows: rows.pop(5), "row 6: is numbered 7"
    yield "swapped", lambda _, rows: rows.insert(4, rows.pop(5)), "row 5: is numbered 6"
    yield "cut off", lambda _, rows: rows.pop(), "the file ends after row"
    yield "other stream", lambda first, _: first.update(stream="t"), "belongs to another stream"
    yield (
        "rules",
        lambda first, _: first["rulesets"].update(dict.fromkeys(first["rulesets"], "x")),
        "text",
    )


@pytest.mark.parametrize(("edit", "fault"), [pytest.param(e, f, id=n) for n, e, f in edits()])
def test_a_file_somebody_edited_is_found(
    sound: Path,
    tmp_path: Path,
    edit: Callable[[dict[str, Any], list[dict[str, Any]]], object],
    fault: str,
) -> None:
    first, rows = lines_of(sound)
    edit(first, rows)
    target = tmp_path / "edited"
    target.write_text("".join(json.dumps(line) + "\n" for line in (first, *rows)))
    code, said = verified(target)
    assert (code, fault in said) == (1, True), said


@pytest.mark.parametrize("text", ["", "not json", "[]", "{}"])
def test_what_is_no_export_is_said(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    code, said = verified(file)
    assert (code, "export" in said) == (1, True)
    assert verified(tmp_path / "nowhere")[0] == 2


def test_the_verifier_imports_nothing_of_ours() -> None:
    text = VERIFIER.read_text()
    assert "import puntobanco" not in text
    assert "from puntobanco" not in text


def test_a_stream_that_is_not_there_is_said(tmp_path: Path) -> None:
    log: EventLog = open_log(tmp_path / "house.db")
    with pytest.raises(UnusableError, match="there is no 'x' in this house"):
        list(export(log, "x"))
    asyncio.run(log.close())


def test_the_worked_example_in_the_documentation_comes_out() -> None:
    entry = Entry(
        "cage", 1, 0, "carol", "c1", b"{}", (), b'[{"is":"account-opened","person":"ann"}]'
    )
    row = link(entry, FIRST)
    told = (Path(__file__).parent.parent / "docs" / "journal.md").read_text()
    assert row.hash.hex() in told
    assert row.command_hash.hex() in told


def exported(tmp_path: Path, stream: str, *forged: Struct) -> list[str]:
    """An export of a house's stream, after whatever somebody wrote into it."""

    async def use(log: EventLog) -> list[str]:
        driver = await Driver(house_over(log)).open()
        await driver.do("dan", c.BuyIn(50_000, "ann"))
        await driver.do("ines", m.RequestSlip("fill", "table-1", 10_000))
        await driver.do("carol", m.CompleteSlip(1))
        for number, event in enumerate(forged):
            body = msgspec.json.encode([event])
            seq = log.head(stream).seq + 1
            entry = Entry(stream, seq, 0, "eve", f"forged-{number}", b"", (), body)
            await log.append(Append((entry,)))
        return [line.decode() for line in export(log, stream)]

    return using(str(tmp_path / "house.db"), use)


def check(lines: list[str]) -> dict[str, object]:
    found: dict[str, object] = verifier.verify(iter(lines))  # type: ignore[no-untyped-call]
    return found


def test_the_cage_is_worked_out_and_a_register_checked_by_its_links(tmp_path: Path) -> None:
    assert check(exported(tmp_path, "cage"))["movements"] == 2
    (tmp_path / "house.db").unlink()
    assert "links only, for rows" in check(exported(tmp_path, "register"))


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (m.MoneyWithdrawn("ann", 10**9), "spends money nobody has"),
        (m.ChipsSold("bob", "table-1", 5), "spends money nobody has"),
        (m.SlipRequested(7, "fill", "table-1", 100, "ines"), "another slip than number 2"),
        (m.SlipCompleted(1, "carol"), "closes a slip that is not open"),
    ],
)
def test_forged_money_is_found_by_the_stand_alone_verifier(
    tmp_path: Path, event: Struct, fault: str
) -> None:
    with pytest.raises(verifier.Fault, match=fault):
        check(exported(tmp_path, "cage", event))
