"""A house that goes on only from its own past: less than its last root, other rows, other keys."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from puntobanco.cage import commands as cage
from puntobanco.cli.keys import house_keys, root_beside
from puntobanco.errors import UnusableError
from puntobanco.house.house import House
from puntobanco.house.loop import Running
from puntobanco.journal.chain import link
from puntobanco.journal.log import EventLog, ForeignRowError, StoppedError
from puntobanco.journal.packing.packed import row_from
from puntobanco.journal.rows import Entry
from puntobanco.journal.sql import COLUMNS
from puntobanco.journal.sqlite import INSERT, open_log
from puntobanco.journal.verify import HOUSE, verify
from puntobanco.table import commands as c
from tests.kit.house.driver import KEY, Driver, Time, seeded
from tests.kit.house.place import Place
from tests.kit.journal import using
from tests.kit.program import refused, run


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A house that was opened, played in and shut."""
    place = Place(tmp_path)

    async def use(driver: Driver) -> None:
        await driver.open()
        await driver.do("dan", c.BuyIn(50_000, "ann"))

    place.run(use)
    return place


# less than the last root


@pytest.mark.parametrize("stream", ["cage", "register", "table-1", HOUSE])
def test_a_house_that_finds_less_than_its_last_root_does_not_start(
    place: Place, stream: str
) -> None:
    place.start()
    last = f"(SELECT max(seq) FROM rows WHERE stream = '{stream}')"
    place.sql(f"DELETE FROM rows WHERE stream = '{stream}' AND seq = {last}")
    with pytest.raises(UnusableError, match=f"^{stream} row .* cut back or changed. Verify it"):
        place.start()
    said = run("verify", str(place.file), "--secret", str(place.key), code=1, out=True)
    assert said.startswith(f"FAULT: {stream} row")


def test_a_root_file_that_cannot_be_read_is_said_in_one_line(place: Place) -> None:
    root_beside(place.key).write_text("{}")
    with pytest.raises(UnusableError, match="the root that is kept here cannot be read"):
        place.start()


# rows the house did not write


def foreign_row(file: Path, stream: str) -> None:
    """Another program puts in a row that follows the last one; links come out, codes do not."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        query = f"SELECT {COLUMNS} FROM rows WHERE stream = ? ORDER BY seq DESC LIMIT 1"
        last = row_from(db.execute(query, (stream,)).fetchone(), b"")
        entry = Entry(
            stream, last.seq + 1, 1, "dan", "foreign", last.command or b"", (), last.events
        )
        row = msgspec.structs.replace(link(entry, last.hash), mac=last.mac)
        db.execute(INSERT, msgspec.structs.astuple(row))


@pytest.mark.parametrize("stream", ["table-1", "cage", "register", HOUSE])
def test_a_row_put_into_the_file_of_a_running_house_stops_it(place: Place, stream: str) -> None:
    """Nothing is acknowledged any more, and no command is decided on what the row says."""

    async def main(log: EventLog) -> None:
        driver = await place.started(log)
        await driver.do("bob", c.Sit(2))
        before = {name: log.head(name).seq for name in log.streams()}
        foreign_row(place.file, stream)
        with pytest.raises(ForeignRowError, match=f"{stream} ends with row .* did not write"):
            await driver.house.record_root()
        for person, ask in (("bob", c.Leave()), ("carol", cage.Deposit("ann", 5))):
            with pytest.raises(StoppedError, match="did not write"):
                await driver.do(person, ask)
        after = {name: log.head(name).seq for name in log.streams()}
        assert after == {**before, stream: before[stream] + 1}

    using(str(place.file), main)
    with pytest.raises(UnusableError, match=f"{stream} row .* not written by this house"):
        place.start()


def test_the_next_command_to_that_stream_is_refused_at_once(place: Place) -> None:
    async def main(log: EventLog) -> None:
        driver = await place.started(log)
        await driver.do("bob", c.Sit(2))
        foreign_row(place.file, "table-1")
        with pytest.raises(StoppedError, match=r"table-1 ends with row .* did not write"):
            await driver.do("bob", c.Leave())
        assert driver.house.table("table-1").state.places["bob"]

    using(str(place.file), main)


def test_a_running_house_that_finds_a_foreign_row_ends_and_says_why(place: Place) -> None:
    async def main(log: EventLog) -> None:
        house = House(log, Time(10**9).clock, seeded(4), KEY, root_beside(place.key))
        running = Running(house, root_ms=1)
        await running.start()
        foreign_row(place.file, "cage")
        with pytest.raises(UnusableError, match="cage row 5 was not written by this house"):
            await asyncio.wait_for(running.run(), 60)

    using(str(place.file), main)


# keys


def test_a_house_without_its_key_is_not_given_another(place: Place) -> None:
    place.key.unlink()
    log = open_log(place.file)
    with pytest.raises(UnusableError, match=r"the key of this house, .*, is not here"):
        house_keys(place.key, log)
    assert not place.key.exists()
    asyncio.run(log.close())
    said = refused("serve", "--house", str(place.file), "--secret", str(place.key))
    assert "the key of this house, e9ae d001 8650 d5ee, is not here" in said


def test_a_house_is_not_run_with_another_key(place: Place, tmp_path: Path) -> None:
    with pytest.raises(UnusableError, match=r"not the key of this house, but .* on record is"):
        place.start(b"x" * 32)
    other = tmp_path / "other.key"
    other.write_text("ab" * 32)
    said = run("verify", str(place.file), "--secret", str(other), code=1, out=True)
    assert "FAULT: register: this is not the key of this house" in said


# backups


@pytest.fixture
def went_on(place: Place, tmp_path: Path) -> Place:
    """The same house after a backup was made, some rows and a root further."""
    run("backup", "--house", str(place.file), "--to", str(tmp_path / "backup.db"))

    async def use(driver: Driver) -> None:
        await driver.do("bob", c.Sit(2))

    place.run(use)
    place.file.unlink()
    return place


def test_a_backup_brought_back_with_the_key_goes_on_and_says_so(
    went_on: Place, tmp_path: Path
) -> None:
    given_up = msgspec.json.decode(root_beside(went_on.key).read_bytes())["root"]
    at = ("--to", str(went_on.file), "--secret", str(went_on.key))
    said = run("restore", str(tmp_path / "backup.db"), *at)
    assert "on record: the house went back to the root" in said

    async def use(driver: Driver) -> None:
        log = driver.house.log
        (restored,) = [row for row in log.read(HOUSE) if b'"house-restored"' in row.events]
        assert f'"instead_of":"{given_up}"'.encode() in restored.events
        assert verify(log).fault is None
        await driver.do("bob", c.Sit(3))

    went_on.run(use)
    assert "sound" in run("verify", str(went_on.file), "--secret", str(went_on.key))


def test_a_backup_brought_back_without_the_key_does_not_start(
    went_on: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing here"))
    said = run("restore", str(tmp_path / "backup.db"), "--to", str(went_on.file))
    assert "on record" not in said
    assert "sound" in run("verify", str(went_on.file))
    with pytest.raises(UnusableError, match="use `puntobanco restore` with --secret"):
        went_on.start()
