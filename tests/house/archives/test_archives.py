"""Closed days sealed into an archive, which verifies by itself and is joined to the house."""

import json
import lzma
import resource
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import puntobanco_verifier as verifier
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.loop import Running
from puntobanco.house.roots import Roots
from puntobanco.journal.chain import Head, link, root
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import RowMac
from puntobanco.journal.rows import Entry, Row
from puntobanco.journal.verify import RootRecorded, last_root, verify_after
from puntobanco.journal.witness.shown import ShownRoot, roots_since
from puntobanco.journal.witness.testimony import sign
from tests.kit.forgery.house import kept_house
from tests.kit.forgery.rows import Rows, chained, remade
from tests.kit.house.driver import KEY
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.program import called

DAY = "1970-01-01"
DAYS = {"a": DAY, "b": "1970-01-05", "c": "1970-01-09"}
NAMES = ("stream", "seq", "at_ms", "actor", "command_id")
LATER_MS = 4 * 86_400_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house that played on four days, and archives of the first three, each after the other."""
    folder = tmp_path_factory.mktemp("sealed")
    (folder / "house.key").write_text(KEY.hex())

    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018", start_ms=86_400_000)
        house, tables = bots.house, list(bots.house.tables.values())
        house.roots = Roots(house, folder / "house.key.root")
        await Running(house).start()
        await let_bots_play(bots, tables, 2)
        await house.record_root()
        for _later in DAYS:
            await house.clock.sleep(LATER_MS / 1000)
            await let_bots_play(bots, tables, 1)
            await house.record_root()
            await let_bots_play(bots, tables, 1)
        await house.shut()

    using(str(folder / "house.db"), use)
    (folder / "kept").mkdir()
    last: tuple[str, ...] = ()
    for name, day in DAYS.items():
        file, house = str(folder / "kept" / name), str(folder / "house.db")
        done = called("archive", "--house", house, "--until", day, "--to", file, *last)
        assert (done.code, f"sealed until {day}" in done.stdout) == (0, True), done
        last = ("--after", file)
    shutil.copy(folder / "kept" / "a", folder / "a")
    return folder


def lines_of(file: Path) -> list[dict[str, Any]]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def written(file: Path, lines: list[dict[str, Any]]) -> Path:
    with lzma.open(file, "wb") as sealed:
        sealed.writelines(msgspec.json.encode(line) + b"\n" for line in lines)
    return file


def alone(*files: Path) -> str:
    """What the stand-alone verifier says; nothing, if all holds."""
    try:
        verifier.verify_files(list(map(str, files)), None)  # type: ignore[no-untyped-call]
    except verifier.Fault as fault:
        return str(fault)
    return ""


def test_an_archive_verifies_by_itself_with_every_command_and_code(made: Path) -> None:
    done = called("verify", str(made / "a"), "--secret", str(made / "house.key"))
    assert done.code == 0, done
    head, *rows = lines_of(made / "a")
    assert f"{len(rows):,} rows in {len(head['streams'])} streams: sound" in done.stdout
    assert "decided again: " in done.stdout
    assert all("mac" in row for row in rows if "command" in row)
    assert not alone(made / "a")
    assert not any(secret in json.dumps(head) for secret in ("nonce", "hashed"))


def test_it_is_joined_to_its_house_and_to_no_other(made: Path, tmp_path: Path) -> None:
    done = called("verify", str(made / "a"), "--house", str(made / "house.db"))
    assert (done.code, "joined to the house" in done.stdout) == (0, True)
    other = kept_house(tmp_path).file
    done = called("verify", str(made / "a"), "--house", str(other))
    assert (done.code, "another than in the archive" in done.stdout) == (1, True)


def test_the_house_keeps_its_rows_and_goes_on(made: Path) -> None:
    head = lines_of(made / "a")[0]

    async def rows(log: EventLog) -> tuple[int, str]:
        root = last_root(log)
        assert root is not None
        return log.count(), root.event.root

    count, root = using(str(made / "house.db"), rows)
    assert count > sum(part["rows"] for part in head["streams"])
    assert root != head["root"]
    assert called("verify", str(made / "house.db"), "--since", head["root"]).code == 0


def test_a_day_that_is_not_over_is_not_sealed(made: Path, tmp_path: Path) -> None:
    for day, said in (("2026-01-01", "no root was recorded since"), ("monday", "is a gaming day")):
        house, to = str(made / "house.db"), tmp_path / "b"
        done = called("archive", "--house", house, "--until", day, "--to", str(to))
        assert (done.code, said in done.stderr, to.exists()) == (2, True, False)
    assert not list(tmp_path.iterdir())


Change = Callable[[list[dict[str, Any]]], None]


def row_with(lines: list[dict[str, Any]], what: str) -> dict[str, Any]:
    return next(line for line in lines[1:] if what in line["events"])


def more_won(lines: list[dict[str, Any]]) -> None:
    row = row_with(lines, '"won_cents":')
    row["events"] = row["events"].replace('"won_cents":', '"won_cents":9', 1)


def rechain(change: Change) -> Change:
    """Make numbers, links, hashes and roots anew, as somebody would who has not the key."""

    def changed(lines: list[dict[str, Any]]) -> None:
        change(lines)
        rows: Rows = {}
        for line in lines[1:]:
            rows.setdefault(line["stream"], []).append(as_row(line))
        made = remade(rows)
        for line in lines[1:]:
            row = made[line["stream"]][line["seq"] - 1]
            line["events"], line["hash"] = row.events.decode(), row.hash.hex()
        head = lines[0]
        for part in head["streams"]:
            part["head"] = made[part["stream"]][-1].hash.hex()
        head["root"] = json.loads(made["house"][-1].events)[0]["root"]

    return changed


def as_row(line: dict[str, Any]) -> Row:
    command = line["command"].encode() if "command" in line else None
    stream, seq, at_ms, actor, said = (line[name] for name in NAMES)
    events = line["events"].encode()
    return Row(stream, seq, at_ms, actor, said, b"", line["clauses"], events, b"", b"", command)


def drop_last(lines: list[dict[str, Any]]) -> None:
    last = lines.pop()
    part = next(one for one in lines[0]["streams"] if one["stream"] == last["stream"])
    part["rows"] -= 1
    part["head"] = next(
        line["hash"] for line in reversed(lines) if line.get("stream") == last["stream"]
    )


def drop_stream(lines: list[dict[str, Any]]) -> None:
    lines[0]["streams"] = [one for one in lines[0]["streams"] if one["stream"] != "cage"]
    lines[1:] = [line for line in lines[1:] if line["stream"] != "cage"]


def another_root(lines: list[dict[str, Any]]) -> None:
    lines[0]["root"] = "7" * 64


def with_root(change: Callable[[dict[str, Any]], object]) -> Change:
    """The first root on record is changed, and all links after it are made anew."""

    def changed(lines: list[dict[str, Any]]) -> None:
        _change_root(lines, change)

    return changed


def _change_root(lines: list[dict[str, Any]], change: Callable[[dict[str, Any]], object]) -> None:
    rows = [as_row(line) for line in lines[1:] if line["stream"] == "house"]
    first = next(at for at, row in enumerate(rows) if b'"root-recorded"' in row.events)
    events = json.loads(rows[first].events)
    change(events[-1])
    rows[first] = replace(rows[first], events=msgspec.json.encode(events))
    made = chained(rows)
    for line in lines[1:]:
        if line["stream"] == "house":
            row = made[line["seq"] - 1]
            line["events"], line["hash"] = row.events.decode(), row.hash.hex()
    lines[0]["streams"][0]["head"] = made[-1].hash.hex()


def later(lines: list[dict[str, Any]]) -> None:
    """A wager was made a moment later: the rules allow it."""
    row_with(lines, '"is":"wager-placed"')["at_ms"] += 1


FORGERIES: dict[str, Change] = {
    "a row changed": more_won,
    "a row changed, all links and roots made anew": rechain(more_won),
    "a root on record changed, all links made anew": with_root(
        lambda told: told.update(sealed="7" * 64)
    ),
    "a root on record that lacks a part": with_root(lambda told: told.pop("sealed")),
    "the last row cut off": drop_last,
    "a stream left out": drop_stream,
    "another root in the head": another_root,
    "days said to be whole that came later": lambda lines: lines[0].update(until="2999-01-01"),
    "a row twice": lambda lines: lines.append(lines[-1]),
    "a row less than the head says": lambda lines: lines.__delitem__(-1),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_whatever_is_changed_in_an_archive_is_found_by_both(
    forgery: str, made: Path, tmp_path: Path
) -> None:
    lines = lines_of(made / "a")
    FORGERIES[forgery](lines)
    file = written(tmp_path / "forged", lines)
    done = called("verify", str(file))
    assert (done.code, "FAULT: " in done.stdout) == (1, True), done
    assert alone(file), forgery


def test_a_code_of_another_key_is_found_with_the_key(made: Path, tmp_path: Path) -> None:
    lines = lines_of(made / "a")
    row = row_with(lines, "wager-placed")
    row["mac"] = row["mac"][:-2] + ("00" if row["mac"][-2:] != "00" else "11")
    file = written(tmp_path / "forged", lines)
    done = called("verify", str(file), "--secret", str(made / "house.key"))
    assert (done.code, "FAULT: table-1 row" in done.stdout) == (1, True), done


@pytest.mark.parametrize("size", [10, 3000, -20])
def test_a_file_that_is_cut_off_is_said_to_be(size: int, made: Path, tmp_path: Path) -> None:
    file = tmp_path / "cut"
    file.write_bytes((made / "a").read_bytes()[:size])
    done = called("verify", str(file))
    assert (done.code, "cut off or damaged" in done.stdout) == (1, True), done
    assert alone(file)


# days that go on from one another


def kept_in(made: Path) -> tuple[Path, ...]:
    return tuple(made / "kept" / name for name in DAYS)


def test_archives_of_following_days_go_on_from_one_another(made: Path) -> None:
    heads = [lines_of(file)[0] for file in kept_in(made)]
    assert [head["form"][-1] for head in heads] == ["1", "2", "2"]
    assert [head.get("after") for head in heads[1:]] == [head["root"] for head in heads[:-1]]
    for before, head in pairwise(heads):
        ends = {part["stream"]: (part["rows"], part["head"]) for part in before["streams"]}
        begins = {
            part["stream"]: (part["after"], part["before"])
            for part in head["streams"]
            if "after" in part
        }
        assert begins == ends
    assert sum(len(lines_of(file)) for file in kept_in(made)[1:]) > 20


def test_a_house_and_all_its_archives_are_proved_together(made: Path) -> None:
    key = ("--secret", str(made / "house.key"))
    house = str(made / "house.db")
    done = called("verify", house, "--archives", str(made / "kept"), *key)
    assert (done.code, done.stdout.count("decided again: ")) == (0, 2), done
    assert "c: 3 archives" in done.stdout
    assert "sealed until 1970-01-09" in done.stdout
    assert "joined to the house" in done.stdout
    assert not alone(*kept_in(made))


def test_a_copy_left_in_the_folder_is_called_one_and_no_fault_of_the_archives(
    made: Path, tmp_path: Path
) -> None:
    """Which of the two is proved cannot be told from outside, so neither is passed over."""
    for name in ("a", "b"):
        shutil.copy(made / "kept" / name, tmp_path / name)
    shutil.copy(made / "kept" / "a", tmp_path / "a-again")
    done = called("verify", str(made / "house.db"), "--archives", str(tmp_path))
    assert done.code == 1
    assert "leave one of the two here" in done.stdout + done.stderr


def test_an_archive_that_goes_on_is_followed_by_itself_and_says_what_was_not_decided(
    made: Path,
) -> None:
    last = made / "kept" / "c"
    done = called("verify", str(last), "--secret", str(made / "house.key"))
    assert (done.code, "not decided again: it goes on from" in done.stdout) == (0, True), done
    assert "codes" not in done.stdout
    done = called("verify", str(last), "--archives", str(made / "kept"))
    assert (done.code, "decided again: " in done.stdout) == (0, True), done
    assert not alone(last)
    done = called("verify", str(last), "--head", "7" * 64)
    assert (done.code, "--archives DIR" in done.stderr) == (2, True), done


def test_a_day_that_is_left_out_or_out_of_order_is_named(made: Path, tmp_path: Path) -> None:
    first, second, third = kept_in(made)
    shutil.copy(first, tmp_path)
    shutil.copy(third, tmp_path)
    house = str(made / "house.db")
    for what in (house, str(third)):
        done = called("verify", what, "--archives", str(tmp_path))
        assert (done.code, "the archive before it, which ends with" in done.stdout) == (1, True)
    assert "does not go on from the archive before it" in alone(first, third)
    assert "does not go on from the archive before it" in alone(first, third, second)
    assert "does not go on from the archive before it" in alone(second, first)


def spliced(lines: list[dict[str, Any]], other: list[dict[str, Any]]) -> None:
    """It says that it goes on from another archive than it does."""
    lines[0]["after"] = other[0]["root"]


def begun_later(lines: list[dict[str, Any]], _other: list[dict[str, Any]]) -> None:
    """The first row of a table is left out, and the link to it with it."""
    part = next(one for one in lines[0]["streams"] if one["stream"] == "table-1")
    row = next(line for line in lines[1:] if line["stream"] == "table-1")
    lines.remove(row)
    part["after"], part["before"] = row["seq"], row["hash"]


def of_another_day(lines: list[dict[str, Any]], other: list[dict[str, Any]]) -> None:
    """A row of the table is that of another day."""
    at = next(at for at, line in enumerate(lines) if line.get("stream") == "table-1")
    lines[at] = next(line for line in other[1:] if line["stream"] == "table-1")


def left_out(lines: list[dict[str, Any]], _other: list[dict[str, Any]]) -> None:
    drop_stream(lines)


def changed_row(lines: list[dict[str, Any]], _other: list[dict[str, Any]]) -> None:
    row = lines[-1]
    row["at_ms"] += 1


SPLICES = {
    "another before it": spliced,
    "a row between two days left out": begun_later,
    "a row of another day": of_another_day,
    "a stream left out": left_out,
    "a row changed": changed_row,
}


@pytest.mark.parametrize("splice", SPLICES)
def test_two_days_cannot_be_spliced_otherwise(splice: str, made: Path, tmp_path: Path) -> None:
    first, second, third = kept_in(made)
    lines = lines_of(second)
    SPLICES[splice](lines, lines_of(third))
    for file in (first, third):
        shutil.copy(file, tmp_path)
    forged = written(tmp_path / "b", lines)
    done = called("verify", str(made / "house.db"), "--archives", str(tmp_path))
    assert (done.code, "FAULT: " in done.stdout) == (1, True), done
    assert alone(first, forged, third)
    if splice != "a stream left out":  # by itself it could be the archive of a house without one
        done = called("verify", str(forged))
        assert (done.code, "FAULT: " in done.stdout) == (1, True), done
        assert alone(forged)


def test_an_archive_of_a_house_of_before_roots_were_chained_is_followed_too() -> None:
    """Up to edition 6 a root was over all heads by itself, whatever root was before it."""
    kept, before = (
        ("c" * 64, "s" * 64),
        link(Entry("house", 1, 0, "house", "a", b"", (), b"[]"), b""),
    )
    begins = {"house": Head(1, before.hash)}
    root_of = root({"house": begins["house"]}, kept).hex()
    event = msgspec.json.encode([RootRecorded({}, root_of, *kept)])
    entry = Entry("house", 2, 0, "house", "b", b"", (), event)
    row = link(entry, before.hash, RowMac(KEY).sign)
    checked = verify_after(begins, "7" * 64, [("house", [row])])
    assert (checked.fault, checked.root.hex()) == (None, root_of)


def test_a_first_line_that_goes_on_from_nothing_is_no_archive(tmp_path: Path) -> None:
    part = {"stream": "house", "rows": 1, "head": "0" * 64}
    head = {"until": DAY, "root": "0" * 64, "row": 1, "streams": [part], "rulesets": {}}
    for form in (
        {"form": "puntobanco-archive-2", "after": "1" * 64},
        {"form": "puntobanco-archive-2"},
    ):
        file = written(tmp_path / "odd", [{**head, **form}])
        done = called("verify", str(file))
        assert (done.code, "FAULT: " in done.stdout) == (1, True), done
        assert alone(file)


def test_a_small_file_that_unfolds_into_much_is_refused_in_little_memory(
    made: Path, tmp_path: Path
) -> None:
    """As one line without an end, or as rows of which its first line does not speak."""
    head, *rows = lines_of(made / "a")
    first = msgspec.json.encode(head) + b"\n"
    pieces = {
        "line": (b"x" * (1 << 20), 64),
        "rows": (msgspec.json.encode(rows[-1]) + b"\n", 50_000),
    }
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name, (piece, times) in pieces.items():
        bomb = tmp_path / name
        with lzma.open(bomb, "wb", preset=0) as file:
            file.write(first)
            if name == "rows":
                file.writelines(msgspec.json.encode(row) + b"\n" for row in rows)
            for _ in range(times):
                file.write(piece)
        done = called("verify", str(bomb))
        assert (done.code, "FAULT: " in done.stdout) == (1, True), done
        assert alone(bomb)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # kB


def test_archives_are_held_against_what_a_witness_saw(made: Path, tmp_path: Path) -> None:
    """The witness saw every root of the house; an archive made anew to the last hash is named."""

    async def roots(log: EventLog) -> tuple[ShownRoot, ...]:
        return roots_since(log, 1)

    shown = using(str(made / "house.db"), roots)
    lines = [msgspec.json.encode(sign(one, 5, b"w" * 32)) + b"\n" for one in shown]
    seen = tmp_path / "seen"
    seen.write_bytes(b"".join(lines))
    for what in (("a",), ("kept/c", "--archives", str(made / "kept"))):
        done = called("verify", str(made / what[0]), *what[1:], "--witness", str(seen))
        assert done.code == 0, done
    forged = lines_of(made / "a")
    rechain(later)(forged)
    file = written(tmp_path / "forged", forged)
    assert called("verify", str(file)).code == 0, "links, roots and rows come out"
    done = called("verify", str(file), "--witness", str(seen))
    assert (done.code, "than the witness saw" in done.stdout) == (1, True), done
