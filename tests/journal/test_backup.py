"""Backup while running, and restore, from either database into either."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from puntobanco.errors import UnusableError
from puntobanco.journal.backup import Following, copy
from puntobanco.journal.log import Append, EventLog, FullError, Sealed
from puntobanco.journal.mac import RowMac
from puntobanco.journal.sqlite import SqliteLog
from puntobanco.journal.verify import verify
from tests.kit.house.driver import KEY
from tests.kit.house.kept import kept
from tests.kit.journal import entry, one, opened, using
from tests.kit.places import PLAYTHROUGHS
from tests.kit.program import refused, run


def test_a_copy_made_while_rows_arrive_is_whole_and_can_be_gone_on_with(
    place: str,
    tmp_path: Path,
) -> None:
    async def use(log: EventLog) -> None:
        sealed = Sealed("ab" * 32, b"n", b"secret")
        log.sign = RowMac(KEY).sign
        await log.append(Append(tuple(entry("a", seq) for seq in range(1, 1500)), (sealed,)))
        writing = asyncio.ensure_future(_both(log))
        await asyncio.sleep(0.01)
        target = await opened(str(tmp_path / "copy.db"))
        target.sign = log.sign
        found = await copy(log, target)
        await writing
        assert found.fault is None
        heads = (target.head("cage").seq, target.head("table").seq)
        assert heads[0] == heads[1]  # they grew together, and were copied together
        assert target.sealed(sealed.commitment) == sealed
        await target.append(one("a", 1500))
        assert verify(target).fault is None
        back = await opened(str(tmp_path / "back.db"))
        again = await copy(target, back)
        assert again.root == verify(target).root
        with pytest.raises(UnusableError, match="not empty"):
            await copy(target, back)
        await back.close()
        await target.close()

    using(place, use)


async def _both(log: EventLog) -> None:
    for seq in range(1, 60):
        ids = f"both-{seq}"
        both = (entry("cage", seq, command_id=ids), entry("table", seq, command_id=ids))
        await log.append(Append(both))
        await asyncio.sleep(0)


def test_a_backup_restores_into_postgresql(pg: str, tmp_path: Path) -> None:
    from tests.kit.postgres import new_database  # noqa: PLC0415

    house = kept(tmp_path / "house.db", PLAYTHROUGHS / "tasmania-2013.session")
    url = new_database(pg)
    said = run("restore", str(house), "--to", url)
    assert run("verify", url).splitlines()[-1] in said.splitlines()


def test_backup_and_restore_from_the_command_line(tmp_path: Path) -> None:
    house = kept(tmp_path / "house.db", PLAYTHROUGHS / "tasmania-2013.session")
    copy_of, back = tmp_path / "copy.db", tmp_path / "back.db"
    said = run("backup", "--house", str(house), "--to", str(copy_of))
    root = said.splitlines()[-1]
    assert root in run("verify", str(copy_of))
    assert root in run("restore", str(copy_of), "--to", str(back))
    assert root in run("verify", str(back))
    assert "is there already" in refused("backup", "--house", str(house), "--to", str(copy_of))
    assert "is there already" in refused("restore", str(copy_of), "--to", str(back))
    assert "no journal here" in refused("restore", str(tmp_path / "x.db"), "--to", "y.db")


def test_a_copy_follows_a_house_and_forgets_what_it_forgets(place: str, tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        target = await opened(str(tmp_path / "copy.db"))
        await _both(log)
        log.ordinary("INSERT INTO people VALUES ('ann', 'Ann Smith', '')")
        following = Following(log, target)
        assert await following.catch_up() == 2 * 59
        assert target.ordinary("SELECT name FROM people") == [("Ann Smith",)]
        sealed = Sealed("ab" * 32, b"n", b"secret")
        await log.append(Append((entry("cage", 60), entry("new", 1)), (sealed,)))
        log.ordinary("DELETE FROM people WHERE person = 'ann'")
        assert await following.catch_up() == 2
        assert await Following(log, target).catch_up() == 0  # begun again, it goes on
        assert target.sealed(sealed.commitment) == sealed
        assert not target.ordinary("SELECT * FROM people")
        (tmp_path / "taken.db").write_bytes((tmp_path / "copy.db").read_bytes())
        taken = await opened(str(tmp_path / "taken.db"))  # by whoever copies the file alone
        assert verify(taken).root == verify(target).root
        assert b"Ann Smith" not in (tmp_path / "copy.db").read_bytes()
        await taken.close()
        assert verify(target).root == verify(log).root
        await target.close()

    using(place, use)


def test_a_copy_whose_disk_is_full_waits_and_then_goes_on(place: str, tmp_path: Path) -> None:
    """Nothing of what found no room is in it, and all of it is once there is room."""

    async def use(log: EventLog) -> None:
        target = await opened(str(tmp_path / "copy.db"))
        assert isinstance(target, SqliteLog)
        await log.append(one("t", 1))
        following = Following(log, target)
        await following.catch_up()
        big = Sealed("cd" * 32, b"n", b"x" * 200_000)
        await log.append(Append((entry("t", 2), entry("u", 1)), (big,)))
        pages = target._db.execute("PRAGMA page_count").fetchone()[0]
        target._db.execute(f"PRAGMA max_page_count = {pages + 1}").fetchall()
        for _ in range(2):
            with pytest.raises(FullError):
                await following.catch_up()
            assert target.streams() == ("t",)
        target._db.execute(f"PRAGMA max_page_count = {2**30}").fetchall()
        assert await following.catch_up() == 2
        assert target.sealed(big.commitment) == big
        assert verify(target).root == verify(log).root
        await target.close()

    using(place, use)


def test_photos_are_copied_once_and_erased_with_the_house(place: str, tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        target = await opened(str(tmp_path / "copy.db"))
        await log.append(one("t", 1))
        following = Following(log, target)
        put = "INSERT INTO photos VALUES (?, ?, 1)"
        for digest in ("aa", "bb"):
            log.ordinary(put, digest, digest.encode())
        await following.catch_up()
        target.ordinary("UPDATE photos SET kept_ms = 2")
        log.ordinary("DELETE FROM photos WHERE digest = 'aa'")
        log.ordinary(put, "cc", b"cc")
        await following.catch_up()
        kept = target.ordinary("SELECT digest, kept_ms FROM photos ORDER BY digest")
        assert kept == [("bb", 2), ("cc", 1)]  # the one that stayed was not copied anew
        await target.close()

    using(place, use)


def test_a_house_that_was_rewritten_ruins_no_copy(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        target = await opened(str(tmp_path / "copy.db"))
        await log.append(one("t", 1))
        await Following(log, target).catch_up()
        for name, seqs in (("other.db", (1, 2)), ("shorter.db", ())):
            other = await opened(str(tmp_path / name))
            for seq in seqs:
                await other.append(one("t", seq, command_id=f"another-{seq}"))
            with pytest.raises(UnusableError, match="t: the copy has row 1"):
                await Following(other, target).catch_up()
            await other.close()
        assert verify(target).root == verify(log).root
        await target.close()

    using(str(tmp_path / "house.db"), use)


def test_a_drill_restores_verifies_and_leaves_nothing(tmp_path: Path) -> None:
    house = kept(tmp_path / "house.db", PLAYTHROUGHS / "tasmania-2013.session")
    copy_of, place = tmp_path / "copy.db", tmp_path / "place"
    place.mkdir()
    root = run("backup", "--house", str(house), "--to", str(copy_of)).splitlines()[-1]
    said = run("drill", str(copy_of), "--in", str(place))
    assert root in said
    assert "sound" in said
    assert "restored in" in said
    assert "the newest row of this copy is " in said
    db = sqlite3.connect(copy_of)
    db.execute("DROP TRIGGER rows_remain")
    db.execute("DELETE FROM rows WHERE stream = 'table-1' AND seq = 7")
    db.commit()
    db.close()
    assert "FAULT: table-1" in run("drill", str(copy_of), "--in", str(place), code=1, out=True)
    assert not [*place.iterdir()]
