"""Ways into a journal that were found open once: each is shut, and stays so."""

import asyncio
import sqlite3
import threading
import zlib
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.cage import events as m_events
from puntobanco.errors import MalformedError
from puntobanco.house.access.people import Person
from puntobanco.house.checks.audit import audit
from puntobanco.house.loop import Running
from puntobanco.house.stream import MAC_BYTES
from puntobanco.journal.log import Append, EventLog
from puntobanco.journal.rows import Entry
from puntobanco.journal.sqlite import open_log
from puntobanco.journal.verify import HOUSE, verify
from puntobanco.register import events as register_events
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import opened, using
from tests.kit.postgres import new_database


def in_a_house(tmp_path: Path, use: object) -> None:
    using(str(tmp_path / "house.db"), use)  # type: ignore[arg-type]


# the journal


FORGERIES = [
    ("cage", m_events.MoneyWithdrawn("nobody", 10**9)),
    ("cage", m_events.MoneyWithdrawn("ann", 10**9)),
    ("cage", m_events.SlipCompleted(77, "carol")),
    ("cage", m_events.SlipRequested(7, "fill", "table-1", 100, "ines")),
    ("cage", m_events.ChipsSold("ann", "table-1", 100)),
    ("register", register_events.RoleGranted("nobody", Role.DEALER)),
    ("register", register_events.RulesetKept("x", "ab", "text")),
]


@pytest.mark.parametrize(("stream", "event"), FORGERIES)
def test_a_row_without_a_command_is_found_after_one_that_keeps_its_own(
    tmp_path: Path, stream: str, event: msgspec.Struct
) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        await driver.do("dan", c.BuyIn(50_000, "ann"))
        assert audit(log).fault is None
        seq = log.head(stream).seq + 1
        entry = Entry(stream, seq, 0, "eve", "forged", b"", (), msgspec.json.encode([event]))
        await log.append(Append((entry,)))
        assert verify(log).fault is None
        assert "keeps no command" in str(audit(log).fault)

    in_a_house(tmp_path, use)


def test_a_snapshot_somebody_made_or_broke_is_not_used(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        await driver.do("dan", c.BuyIn(50_000, "ann"))
        await driver.house.shut()
        stream = driver.house.table("table-1")
        held = log.snapshot("table-1", stream.aggregate.kind)
        assert held is not None
        code, body = held.state[:MAC_BYTES], zlib.decompress(held.state[MAC_BYTES:])
        for state in (
            code + zlib.compress(body.replace(b'"ann":50000', b'"ann":99999')),
            code + body.replace(b'"ann":50000', b'"ann":99999'),
            held.state[:40] + b"garbage",
            b"",
        ):
            assert state != held.state
            log.save_snapshot(replace(held, state=state))
            assert house_over(log).table("table-1").state == stream.state

    in_a_house(tmp_path, use)


@pytest.mark.parametrize("command_id", ["\ud800", "a\x00b", "", "x" * 201, "new\nline"])
def test_an_id_no_database_could_keep_stops_nothing(place: str, command_id: str) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        if command_id:
            with pytest.raises(MalformedError):
                await driver.do("bob", c.Sit(2), command_id)
        with pytest.raises(MalformedError):
            await log.append(Append((Entry("s", 1, 0, "a", command_id, b"", (), b"[]"),)))
        await driver.do("bob", c.Sit(2))

    using(place, use)


def test_a_house_stream_that_cannot_be_read_is_a_fault_and_no_crash(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        await Driver(house_over(log)).open()
        for number, events in enumerate((b"[1]", b"{}", b"nonsense"), 1):
            entry = Entry(HOUSE, number, 0, "eve", f"x{number}", b"", (), events)
            await log.append(Append((entry,)))
            assert verify(log).fault is not None

    in_a_house(tmp_path, use)


def test_a_house_in_use_verifies_without_a_false_alarm(tmp_path: Path) -> None:
    where = tmp_path / "house.db"
    stop = threading.Event()

    def write() -> None:
        async def use(log: EventLog) -> None:
            driver = await Driver(house_over(log)).open()
            while not stop.is_set():
                await driver.do("dan", c.RaiseDispute("why", person="ann"))

        using(str(where), use)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while not where.exists():
            pass
        log = open_log(where)
        for _ in range(10):
            with log.frozen():
                assert verify(log).fault is None
                assert audit(log).fault is None
    finally:
        stop.set()
        writer.join()
    asyncio.run(log.close())


def test_whoever_asked_may_go_away_and_the_house_is_as_its_record(tmp_path: Path) -> None:
    """A request that is cancelled amid its command: what was begun is finished."""

    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        table = driver.house.table("table-1")
        for number in range(50):
            asked = asyncio.create_task(driver.do("dan", c.RaiseDispute("why", person="ann")))
            for _ in range(number % 5):
                await asyncio.sleep(0)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
        for _ in range(500):
            if not table.lock.locked():
                break
            await asyncio.sleep(0.01)
        assert not table.lock.locked()
        assert table.seq == log.head("table-1").seq
        await driver.do("bob", c.Sit(2))

    in_a_house(tmp_path, use)


def test_an_erased_name_goes_from_the_files_when_the_last_reader_has_gone(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        time = Time()
        house = house_over(log, time.clock)
        running = Running(house)
        await running.start()
        house.people.put(Person("p1", "Wilhelmina Unmistakable"))
        reader = sqlite3.connect(tmp_path / "house.db")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM rows").fetchall()
        await house.erase("p1", "mara")
        assert house.people.unwiped
        reader.close()
        await running.tick()
        assert running.house.people.unwiped is False
        assert not any(b"Unmistakable" in text for text in contents(tmp_path))

    in_a_house(tmp_path, use)


def contents(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.iterdir()]


# several processes


def test_what_was_written_before_a_process_listened_is_read(pg: str) -> None:
    async def main() -> None:
        where = new_database(pg)
        first, second = await opened(where), await opened(where)
        late = house_over(second, Time().clock)
        await Driver(house_over(first)).open()
        running = Running(late)
        listening = asyncio.create_task(running._listen())
        for _ in range(200):
            if late.tables and late.tables["table-1"].state.places:
                break
            await asyncio.sleep(0.01)
        assert late.tables["table-1"].state.places
        listening.cancel()
        await first.close()
        await second.close()

    asyncio.run(main())


def test_notes_of_two_processes_do_not_collide(place: str) -> None:
    async def use(log: EventLog) -> None:
        here, there = house_over(log, seed=1), house_over(log, seed=2)
        await Driver(here).open()
        await asyncio.gather(*(house.record_root() for house in (here, there) for _ in range(3)))
        assert verify(log).fault is None

    using(place, use)
