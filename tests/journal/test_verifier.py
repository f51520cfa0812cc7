"""The stand-alone verifier: sound exports pass, and every planted fault is found.

It runs as a program of its own, with none of our modules in reach.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

import puntobanco_verifier as verifier
from puntobanco.cage import events as m_events
from puntobanco.errors import UnusableError
from puntobanco.house.lookback.export import export
from puntobanco.journal.chain import FIRST, link
from puntobanco.journal.log import Append, EventLog
from puntobanco.journal.rows import Entry
from puntobanco.journal.sqlite import open_log
from puntobanco.rules.documents.texts import ruleset_text
from puntobanco.rules.shoe import commitment, full_set, shuffled
from puntobanco.table import commands as c
from puntobanco.table.events import TableEvent
from puntobanco.table.session import parse_session, play_session
from tests.kit.forgery.export import (
    SESSIONS,
    Line,
    as_text,
    compact,
    exported_cage,
    exported_register,
    exported_rows,
    exported_session,
    rechained,
    without_commands,
)
from tests.kit.places import ROOT, STORED
from tests.kit.table.at import At
from tests.kit.table.virtual import SALT, committed, play_out

VERIFIER = ROOT / "src" / "puntobanco_verifier.py"
EXPORTS = sorted(STORED.glob("*.jsonl"))


def verified(file: Path, *options: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(VERIFIER), *options, str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def stored(folder: Path, rows: list[tuple[str, list[TableEvent]]]) -> Path:
    """Put a table's events into a journal as rows that keep no command, and export it."""
    target = folder / "table.export"

    async def main() -> None:
        log = open_log(folder / "house.db")
        for seq, (actor, events) in enumerate(rows, 1):
            clauses = tuple(dict.fromkeys(one for event in events for one in event.clauses))
            raw = msgspec.json.encode(events)
            entry = Entry("table-1", seq, seq, actor, f"c{seq}", b"", clauses, raw)
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
    at, order, left = committed(ruleset, ("rain on Tuesday", "00ff"))
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
    assert "agrees is true, and must be false" in verified(file)[1]


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


def written_anew(file: Path, first: dict[str, Any], rows: list[dict[str, Any]]) -> Path:
    """A clever forger makes every hash anew."""
    target = file.with_suffix(".forged")
    target.write_text("".join(as_text(rechained([first, *rows]))))
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
    return written_anew(file, first, rows)


def test_the_short_table_is_sound(sound: Path) -> None:
    code, said = verified(sound)
    assert (code, "2 results, 5 payouts" in said) == (0, True), said
    first, rows = lines_of(sound)
    assert verified(written_anew(sound, first, rows))[0] == 0


FORGERIES = [
    ("result-declared", {"result": "player"}, 0, 'result is "player", and must be "banker"'),
    ("result-declared", {"banker": 7}, 0, "banker is 7, and must be 8"),
    ("points-announced", {"player": 7}, 0, "player is 7, and must be 6"),
    ("points-announced", {"next": "player"}, 0, 'next is "player", and must be null'),
    ("wager-settled", {"won_cents": 7500}, 0, "won_cents is 7500, and must be 7250"),
    ("wager-settled", {"odds": [1, 1]}, 0, "odds is [1, 1], and must be [19, 20]"),
    ("wager-settled", {"breakage": [0, 1]}, 0, "breakage is null, and must be [2500, 20]"),
    ("wager-settled", {"outcome": "loses"}, 0, 'outcome is "loses", and must be "wins"'),
    ("wager-settled", {"returned_cents": 5000}, 1, "returned_cents is 5000, and must be 0"),
    ("wager-settled", {"stake_cents": 2500}, 1, "stake_cents is 2500, and must be 5000"),
    ("chips-bought", {"cents": 1}, 0, "spends chips nobody has"),
    ("chips-bought", {"cents": -5000}, 0, "buys no chips at all"),
    ("chips-bought", {"is": "chips-found"}, 0, "no known kind"),
    ("chips-cashed", {"cents": 10**9}, 0, "spends chips nobody has"),
    ("card-drawn", {"card": "9c"}, 0, "player is 6, and must be 9"),
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
    told = (ROOT / "docs" / "journal.md").read_text()
    assert row.hash.hex() in told
    assert row.command_hash.hex() in told


def check(lines: Iterable[str]) -> dict[str, object]:
    found: dict[str, object] = verifier.verify(iter(lines))  # type: ignore[no-untyped-call]
    return found


def test_cage_and_register_are_worked_out_and_a_house_is_checked_by_its_links() -> None:
    assert check(as_text(exported_cage()))["movements"] == 6
    assert check(as_text(exported_register()))["people"] == 4
    house = exported_rows("house", [], {})
    assert "links only, for rows" in check(as_text(house))


@pytest.mark.parametrize("file", EXPORTS, ids=lambda file: file.stem)
def test_what_older_versions_stored_is_found_sound(file: Path) -> None:
    events = [json.loads(line) for line in file.read_text().splitlines()]
    texts = {}
    for event in events:
        if event["is"] == "table-opened":
            text, digest = ruleset_text(event["notice"]["ruleset"])
            event["opened"]["digest"], texts[digest] = digest, text
    rows = [{"at_ms": 0, "actor": "x", "clauses": "", "events": compact([one])} for one in events]
    assert check(as_text(exported_rows("table-1", rows, texts)))["commands"] == 0


Edit = Callable[[list[Line]], object]


def enveloped(row: Line, **change: Any) -> None:
    row["command"] = compact({**json.loads(row["command"]), **change})


ENVELOPES: list[tuple[str, Edit, str]] = [
    ("no command", lambda rows: rows[7].update(command=None), "row 7: has no command, though"),
    ("newer", lambda rows: enveloped(rows[7], edition=99), "row 7: was written by a newer program"),
    ("edition", lambda rows: enveloped(rows[7], edition=0), "row 7: has no edition"),
    ("register", lambda rows: enveloped(rows[7], by={"roles": [], "register": 0}), "row 7: goes"),
    ("role", lambda rows: enveloped(rows[7], by={"roles": ["king"], "register": 1}), "nobody has"),
    (
        "asker",
        lambda rows: enveloped(rows[7], by={"roles": [], "register": 1, "asker": "eve"}),
        "row 7: was asked by somebody else",
    ),
    (
        "asked otherwise",
        lambda rows: enveloped(rows[7], asked={"do": "buy-chips", "cents": 1}),
        "row 7: was asked with another cents",
    ),
    ("seen", lambda rows: enveloped(rows[7], seen={"table-1": "x"}), "row 7: goes by rows of no"),
    ("form", lambda rows: enveloped(rows[7], more=1), "row 7: has a command in an unknown form"),
    ("id", lambda rows: rows[7].update(command_id="c6"), "row 7: has the command id of an earlier"),
    ("no json", lambda rows: rows[7].update(command="{"), "row 7: cannot be read"),
    ("twice", lambda rows: rows[7].update(command='{"by":1,"by":1}'), "row 7: has a name twice"),
    (
        "asked",
        lambda rows: enveloped(rows[7], command={"do": "print-money"}),
        "row 7: asks for what is not known",
    ),
]


@pytest.mark.parametrize(("edit", "fault"), [pytest.param(e, f, id=n) for n, e, f in ENVELOPES])
def test_an_envelope_that_does_not_fit_is_found(edit: Edit, fault: str) -> None:
    lines = exported_session(SESSIONS[0])
    edit(lines)
    with pytest.raises(verifier.Fault, match=fault):
        check(as_text(rechained(lines)))


def test_a_command_is_bound_to_its_row_by_its_hash() -> None:
    lines = exported_session(SESSIONS[0])
    lines[7]["command"] = lines[8]["command"]
    with pytest.raises(verifier.Fault, match="row 7: has another command than its hash says"):
        check(as_text(lines))


def told(lines: list[Line], tmp_path: Path) -> tuple[int, list[str]]:
    file = tmp_path / "table.export"
    file.write_text("".join(as_text(lines)))
    code, said = verified(file, "--tell")
    return code, said.splitlines()


def test_who_asked_for_what_is_told(tmp_path: Path) -> None:
    lines = exported_session(SESSIONS[0])
    bet = next(n for n, row in enumerate(lines) if "place-wager" in row.get("command", ""))
    enveloped(lines[bet], asked={"do": "bet-more", "on": "player", "cents": 500})
    code, said = told(rechained(lines), tmp_path)
    assert (code, len(said)) == (0, len(lines) - 1 + 2)
    assert said[1] == '2 1970-01-01 20:00:02Z dan (dealer): sign-on role="dealer"'
    asked = '(asked: bet-more on="player" cents=500)'
    assert said[bet - 1].endswith(f'place-wager box=1 on="player" cents=10000 {asked}')
    assert said[-1].startswith("sound; head ")


def test_a_reader_who_goes_away_is_no_traceback(tmp_path: Path) -> None:
    file = tmp_path / "table.export"
    file.write_text("".join(as_text(exported_session(SESSIONS[0]))))
    asked = [sys.executable, "-I", "-S", str(VERIFIER), "--tell", str(file)]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as telling:
        assert telling.stdout
        telling.stdout.close()
        assert telling.stderr
        assert telling.stderr.read() == b""
    assert telling.returncode == 1


def test_a_row_without_a_command_is_told_by_its_events(tmp_path: Path) -> None:
    code, said = told(without_commands(exported_session(SESSIONS[0])), tmp_path)
    assert (code, said[1]) == (
        0,
        "2 1970-01-01 20:00:02Z dan: no command on record; staff-signed-on",
    )


def test_nothing_is_told_of_a_row_that_is_not_sound(tmp_path: Path) -> None:
    lines = exported_session(SESSIONS[0])
    lines[3]["at_ms"] = 10**18
    code, said = told(rechained(lines), tmp_path)
    assert (code, len(said)) == (1, 3)
    assert said[-1] == "FAULT: row 3: has a time that no calendar knows"


def test_whatever_a_file_holds_is_a_verdict_and_never_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bytes of a small export flipped, one in this many."""
    raw = "".join(as_text(exported_cage())).encode()
    file = tmp_path / "damaged"
    for at in range(0, len(raw), 1 if os.environ.get("FORGERIES") == "all" else 29):
        for flipped in (raw[at] ^ 1, raw[at] ^ 128, ord("{")):
            if flipped != raw[at]:
                file.write_bytes(raw[:at] + bytes([flipped]) + raw[at + 1 :])
                code = verifier.main(["--tell", str(file)])  # type: ignore[no-untyped-call]
                assert code in {1, 2}, (at, flipped)
    capsys.readouterr()


NONSENSE: tuple[Any, ...] = (
    None,
    True,
    -1,
    2**70,
    1.5,
    "",
    "x" * 3000,
    "\x00",
    [],
    {},
    [[]],
    {"is": {}},
    {"is": "x"},
)


@pytest.mark.parametrize("stream", ["table-1", "cage", "register", "house"])
def test_nonsense_in_any_field_of_a_row_is_a_fault(stream: str) -> None:
    row = {"at_ms": 0, "actor": "x", "clauses": "", "events": "[]"}
    for wrong in NONSENSE:
        for field in ("events", "command"):
            for text in (compact(wrong), compact([wrong]), compact({"by": wrong})):
                first, made = exported_rows(stream, [{**row, field: text}], {})
                with suppress(verifier.Fault):
                    check(as_text([first, made]))
                with pytest.raises(verifier.Fault):
                    check(as_text([first, {**made, "seq": wrong}]))


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (m_events.MoneyWithdrawn("ann", 10**9), "spends money nobody has"),
        (m_events.ChipsSold("eve", "table-1", 5), "an account nobody opened"),
        (m_events.ChipsRedeemed("ann", "table-9", 5), "a tray nobody opened"),
        (m_events.MoneyDeposited("ann", -5), "moves no money at all"),
        (m_events.SlipRequested(7, "fill", "table-1", 100, "ines"), "another slip than number 4"),
        (m_events.SlipCompleted(1, "carol"), "closes a slip that is not open"),
    ],
)
def test_forged_money_is_found_though_no_row_keeps_a_command(event: Struct, fault: str) -> None:
    lines = without_commands(exported_cage())
    forged = {**lines[-1], "command_id": "forged", "events": compact([event])}
    with pytest.raises(verifier.Fault, match=fault):
        check(as_text(rechained([*lines, forged])))


def test_money_of_a_gaming_day_verifies_as_it_was_counted_then() -> None:
    """Up to edition 7 the limit of a day that was over came again, with a day put off."""
    decided = [
        (7, 15, 900, "money-deposited"),
        (7, 14, 900, "money-deposited"),
        (7, 14, 200, "proposed"),
        (7, 15, 900, "money-deposited"),
        (8, 14, 1, "proposed"),
        (8, 16, 900, "money-deposited"),
    ]
    rows = [
        _at_cage(7, {"do": "open-account", "person": "ann"}, "account-opened", {"person": "ann"})
    ]
    for number, (edition, day, cents, kind) in enumerate(decided):
        moved = {"person": "ann", "cents": cents, "day": f"2026-03-{day}"}
        ask = {"do": "deposit", **moved, "limit_cents": 1000}
        proposal = {"number": 1 + (number > 2), "ask": ask, "person": "carol"}
        rows.append(_at_cage(edition, ask, kind, proposal if kind == "proposed" else moved))
    assert check(as_text(exported_rows("cage", rows, {})))["movements"] == 4


def _at_cage(edition: int, ask: Line, kind: str, facts: Line) -> Line:
    by = {"roles": ["cashier"], "register": 1}
    command = compact({"edition": edition, "by": by, "command": ask})
    events = compact([{"is": kind, **facts}])
    return {"at_ms": 0, "actor": "carol", "command": command, "clauses": "", "events": events}
