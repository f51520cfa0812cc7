"""What the journal must survive: a kill, a power cut, a full disk, a changed file.

Small counts here; FAULTS=20 makes them twenty times larger.
"""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from puntobanco.errors import UnusableError
from puntobanco.journal.chain import check_chain, link
from puntobanco.journal.log import Append, EventLog, FullError, StoppedError
from puntobanco.journal.mac import RowMac
from puntobanco.journal.rows import Entry, Row
from puntobanco.journal.sqlite import SqliteLog, open_log
from puntobanco.journal.verify import (
    HOUSE,
    Checked,
    Covered,
    covered_before,
    root_of,
    rows_tree,
    subtrees,
    verify,
)
from tests.kit.disk import Disk, connect_on
from tests.kit.journal import entry, one
from tests.kit.places import ROOT

TIMES = int(os.environ.get("FAULTS", "1"))
NAMES = count(1)
MAC = RowMac(b"k" * 32)

WRITER = """
import asyncio, sys
from pathlib import Path
from puntobanco.journal.sqlite import open_log
from tests.kit.journal import one

async def main(where, run):
    log = open_log(Path(where))
    async def producer(stream):
        seq = log.head(stream).seq
        while True:
            seq += 1
            await log.append(one(stream, seq, command_id=f"{run}-{seq}"))
            print(stream, seq, flush=True)
    await asyncio.gather(*(producer(f"s{number}") for number in range(8)))

asyncio.run(main(*sys.argv[1:]))
"""


def test_kill_9_under_load_loses_and_doubles_nothing_acknowledged(tmp_path: Path) -> None:
    where, chance = tmp_path / "house.db", Random(1)
    acknowledged: dict[str, int] = {}
    for run in range(6 * TIMES):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(where), str(run)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert process.stdout is not None
        for _ in range(chance.randrange(20, 300)):
            stream, seq = process.stdout.readline().split()
            acknowledged[stream] = int(seq)
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:  # what it had said before it died
            words = line.split()
            if len(words) == 2 and line.endswith("\n"):
                acknowledged[words[0]] = int(words[1])
        process.wait()
        process.stdout.close()
        log = open_log(where)
        for stream, last in acknowledged.items():
            assert log.head(stream).seq >= last
            assert check_chain(log.read(stream), stream) is None
        asyncio.run(log.close())


def written(path: Path, disk: Disk, chance: Random, synchronous: str = "") -> list[tuple[str, int]]:
    """Append until the power is cut; what was acknowledged before."""
    acknowledged: list[tuple[str, int]] = []

    async def main() -> None:
        log = open_log(path, connect_on(disk, synchronous=synchronous))

        async def producer(stream: str, most: int) -> None:
            for seq in range(1, most):
                await log.append(one(stream, seq))
                acknowledged.append((stream, seq))

        producers = [producer(f"s{number}", chance.randrange(2, 40)) for number in range(4)]
        await asyncio.gather(*producers)
        disk.cut(chance)  # nothing is closed: the machine is simply gone

    asyncio.run(main())
    return acknowledged


def lost_in_cut(folder: Path, seed: int, synchronous: str = "") -> int:
    """How many acknowledged rows are gone after a cut; a file that cannot be read has none."""
    path = folder / f"house-{synchronous}{seed}.db"
    chance = Random(seed)
    disk = Disk(f"disk{next(NAMES)}")
    acknowledged = written(path, disk, chance, synchronous)
    files = {name: Path(name).read_bytes() for name in disk.durable if Path(name).exists()}
    after = folder / f"after-{synchronous}{seed}"
    after.mkdir()
    for name, held in files.items():
        (after / Path(name).name).write_bytes(held)
    try:
        log = open_log(after / path.name, create=False)
        faults = [check_chain(log.read(stream), stream) for stream in log.streams()]
        assert synchronous or not any(faults)
        lost = sum(log.head(stream).seq < seq for stream, seq in acknowledged)
        asyncio.run(log.close())
    except (UnusableError, sqlite3.DatabaseError):
        assert synchronous
        return len(acknowledged)
    return lost


def test_a_power_cut_loses_nothing_acknowledged(tmp_path: Path) -> None:
    assert sum(lost_in_cut(tmp_path, seed) for seed in range(25 * TIMES)) == 0


def test_the_power_cut_would_show_a_missing_flush(tmp_path: Path) -> None:
    assert sum(lost_in_cut(tmp_path, seed, "OFF") for seed in range(5)) > 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_full_disk_at_any_write_refuses_and_goes_on_and_loses_nothing(tmp_path: Path) -> None:
    """At every k-th write or flush: what was acknowledged stays, nothing else is pretended. A
    write without room is refused and tried again later; a flush that fails leaves all in doubt.
    """

    async def scripted(log: SqliteLog, disk: Disk) -> tuple[int, str]:
        done, how = 0, ""
        while done < 8:
            try:
                await log.append(one("t", done + 1))
                done += 1
            except FullError:
                with pytest.raises(FullError):
                    await log.append(one("other", 1))
                how, disk.fail_at = "full", None
            except StoppedError:
                with pytest.raises(StoppedError):
                    await log.append(one("other", 1))
                return done, "stopped"
        return done, how

    ends = list[str]()
    for fail_at in range(1, 200):
        path = tmp_path / f"house{fail_at}.db"
        disk = Disk(f"disk{next(NAMES)}", fail_at)
        try:
            log = open_log(path, connect_on(disk))
        except UnusableError:
            continue
        done, how = asyncio.run(scripted(log, disk))
        ends.append(how)
        disk.fail_at = None
        disk.cut(Random(fail_at))
        again = open_log(path)
        assert again.head("t").seq in ((done, done + 1) if how == "stopped" else (done,))
        assert again.head("other").seq == 0
        assert check_chain(again.read("t"), "t") is None
        asyncio.run(again.close())
        if not how:
            break
    assert ends.count("full") >= 8
    assert "stopped" in ends
    assert done == 8


# a file somebody changed


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Three streams of forty rows, with the heads recorded twice."""
    path = tmp_path / "house.db"

    async def main() -> None:
        log = open_log(path)
        log.sign = MAC.sign
        known: dict[str, int] = {}
        covered = Covered()
        for half in (0, 20):
            for stream in "abc":
                rows = tuple(entry(stream, seq) for seq in range(half + 1, half + 21))
                await log.append(Append(rows))
            heads = await log.heads()
            over = rows_tree(subtrees(log, covered, heads))
            recorded, known = root_of(heads, known, ("", ""), covered.root, over)
            body = msgspec.json.encode([recorded])
            seq = log.head(HOUSE).seq + 1
            await log.append(
                Append((Entry(HOUSE, seq, half, HOUSE, f"heads-{seq}", b"", (), body),))
            )
            covered = covered_before(log, seq + 1, heads)
        await log.close()

    asyncio.run(main())
    return path


def checked(path: Path, noted: bytes | None = None, mac: RowMac | None = None) -> Checked:
    log = open_log(path, create=False)
    try:
        return verify(log, noted, mac=mac)
    finally:
        asyncio.run(log.close())


def test_a_sound_journal_is_found_sound(journal: Path) -> None:
    found = checked(journal)
    assert (found.fault, found.rows, found.streams) == (None, 122, 4)
    assert checked(journal, found.root).fault is None
    assert checked(journal, b"x" * 32).fault is not None


def everything(log: EventLog) -> list[Row]:
    return [row for stream in log.streams() for row in log.read(stream)]


def test_no_flipped_bit_that_changes_a_row_goes_unnoticed(journal: Path, tmp_path: Path) -> None:
    whole, chance = journal.read_bytes(), Random(7)
    log = open_log(journal)
    before, noted = everything(log), verify(log).root
    asyncio.run(log.close())
    changed = 0
    for number in range(400 * TIMES):
        broken = bytearray(whole)
        broken[chance.randrange(100, len(whole))] ^= 1 << chance.randrange(8)
        path = tmp_path / f"broken{number}.db"
        path.write_bytes(broken)
        try:
            found = checked(path, noted, MAC)
            log = open_log(path)
            after = everything(log)
            asyncio.run(log.close())
        except (UnusableError, sqlite3.Error, ValueError):
            changed += 1  # it cannot even be read
            continue
        if after != before:
            changed += 1
            assert found.fault is not None
    assert changed > 20


def tampered(path: Path, *statements: str) -> Path:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("DROP TRIGGER rows_stay")
    db.execute("DROP TRIGGER rows_remain")
    for statement in statements:
        db.execute(statement)
    db.close()
    return path


@pytest.mark.parametrize(
    ("statement", "stream", "seq"),
    [
        ("UPDATE rows SET actor = 'eve' WHERE stream = 'b' AND seq = 7", "b", 7),
        ("UPDATE rows SET events = '[]' WHERE stream = 'a' AND seq = 40", "a", 40),
        ("UPDATE rows SET at_ms = at_ms + 1 WHERE stream = 'c' AND seq = 1", "c", 1),
        ("DELETE FROM rows WHERE stream = 'b' AND seq = 7", "b", 7),
        ("DELETE FROM rows WHERE stream = 'b' AND seq > 30", "b", 40),
        ("DELETE FROM rows WHERE stream = 'b'", "b", 20),
        ("UPDATE rows SET seq = -seq WHERE stream = 'a' AND seq IN (5, 6)", "a", 5),
    ],
)
def test_changed_deleted_swapped_and_cut_off_rows_are_found(
    journal: Path, statement: str, stream: str, seq: int
) -> None:
    fault = checked(tampered(journal, statement)).fault
    assert fault is not None
    assert (fault.stream, fault.seq) == (stream, seq)


def test_a_row_forged_with_its_whole_chain_anew_is_found(journal: Path) -> None:
    """Every link holds, but the roots that were recorded do not."""
    log = open_log(journal)
    rows = list(log.read("a"))
    asyncio.run(log.close())
    db = sqlite3.connect(tampered(journal), isolation_level=None)
    previous = rows[9].hash
    for row in rows[10:]:
        forged = link(entry("a", row.seq, actor="eve" if row.seq == 11 else "dan"), previous)
        previous = forged.hash
        db.execute(
            "UPDATE rows SET actor = ?, previous = ?, hash = ? WHERE stream = 'a' AND seq = ?",
            (forged.actor, forged.previous, forged.hash, forged.seq),
        )
    db.close()
    log = open_log(journal)
    assert check_chain(log.read("a"), "a") is None
    asyncio.run(log.close())
    fault = checked(journal).fault
    assert fault is not None
    assert (fault.stream, fault.what) == (HOUSE, "recorded another root than its streams have")


@pytest.mark.parametrize(("pragma", "held"), [("synchronous", "1"), ("journal_mode", "delete")])
def test_settings_that_durability_rests_on_are_read_back(
    tmp_path: Path, pragma: str, held: str
) -> None:
    class Stubborn(sqlite3.Connection):
        """A connection that will not take one setting."""

        def execute(self, query: str, *values: Any) -> sqlite3.Cursor:
            if query.startswith(f"PRAGMA {pragma} ="):
                query = f"PRAGMA {pragma} = {held}"
            return super().execute(query, *values)

    def connect(path: str) -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, factory=Stubborn)

    with pytest.raises(UnusableError, match=f"{pragma} is {held}"):
        open_log(tmp_path / "house.db", connect)


def test_faults_say_where(journal: Path) -> None:
    change = "UPDATE rows SET actor = 'eve' WHERE stream = 'b' AND seq = 7"
    said = str(checked(tampered(journal, change)).fault)
    assert said == "b row 7: was changed: its hash is not that of its contents"


def test_a_disk_without_any_room_is_called_full_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite speaks of an I/O error, which sounds as if the disk were broken."""
    (tmp_path / "house.db").mkdir()  # cannot be opened, for whatever reason
    with pytest.raises(UnusableError, match=r"unable|cannot|directory"):
        open_log(tmp_path / "house.db", create=False)
    none = shutil.disk_usage(tmp_path)._replace(free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: none)
    with pytest.raises(UnusableError, match="its disk is full: make room"):
        open_log(tmp_path / "house.db", create=False)
