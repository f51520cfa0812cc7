"""Closed days sealed into an archive, which verifies by itself and is joined to the house."""

import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import puntobanco_verifier as verifier
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.loop import Running
from puntobanco.house.roots import Roots
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import last_root
from tests.kit.forgery.house import kept_house
from tests.kit.forgery.rows import Rows, chained, remade
from tests.kit.house.driver import KEY
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.program import called

DAY = "1970-01-01"
NAMES = ("stream", "seq", "at_ms", "actor", "command_id")
LATER_MS = 4 * 86_400_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house that played on two days, and the archive of the first."""
    folder = tmp_path_factory.mktemp("sealed")
    (folder / "house.key").write_text(KEY.hex())

    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018", start_ms=86_400_000)
        house, tables = bots.house, list(bots.house.tables.values())
        house.roots = Roots(house, folder / "house.key.root")
        await Running(house).start()
        await let_bots_play(bots, tables, 2)
        await house.record_root()
        clock = house.clock
        await clock.sleep(LATER_MS / 1000)
        await let_bots_play(bots, tables, 1)
        await house.record_root()
        await let_bots_play(bots, tables, 1)
        await house.shut()

    using(str(folder / "house.db"), use)
    done = called(
        "archive", "--house", str(folder / "house.db"), "--until", DAY, "--to", str(folder / "a")
    )
    assert (done.code, "sealed until 1970-01-01" in done.stdout) == (0, True), done
    return folder


def lines_of(file: Path) -> list[dict[str, Any]]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def written(file: Path, lines: list[dict[str, Any]]) -> Path:
    with lzma.open(file, "wb") as sealed:
        sealed.writelines(msgspec.json.encode(line) + b"\n" for line in lines)
    return file


def alone(file: Path) -> str:
    """What the stand-alone verifier says; nothing, if all holds."""
    try:
        with verifier.opened(str(file)) as lines:  # type: ignore[no-untyped-call]
            verifier.verify(iter(lines))  # type: ignore[no-untyped-call]
    except (verifier.Fault, lzma.LZMAError, EOFError) as fault:
        return str(fault) or type(fault).__name__
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


def other_root(lines: list[dict[str, Any]]) -> None:
    """The first root on record is another, and all links after it are made anew."""
    rows = [as_row(line) for line in lines[1:] if line["stream"] == "house"]
    first = next(at for at, row in enumerate(rows) if b'"root-recorded"' in row.events)
    events = json.loads(rows[first].events)
    events[-1]["sealed"] = "7" * 64
    rows[first] = replace(rows[first], events=msgspec.json.encode(events))
    made = chained(rows)
    for line in lines[1:]:
        if line["stream"] == "house":
            row = made[line["seq"] - 1]
            line["events"], line["hash"] = row.events.decode(), row.hash.hex()
    lines[0]["streams"][0]["head"] = made[-1].hash.hex()


FORGERIES: dict[str, Change] = {
    "a row changed": more_won,
    "a row changed, all links and roots made anew": rechain(more_won),
    "a root on record changed, all links made anew": other_root,
    "the last row cut off": drop_last,
    "a stream left out": drop_stream,
    "another root in the head": another_root,
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
