"""Two editions on one database: the older stops writing before the newer begins.

The newer program is this one with another number, in a process of its own.
"""

import asyncio
import socket
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import BinaryIO

import httpx
import msgspec
import psycopg
import pytest

from puntobanco.editions import EDITION
from puntobanco.errors import UnusableError
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.loop import Running
from puntobanco.house.notes import WritingBegan
from puntobanco.house.system import CLOCK
from puntobanco.journal.envelope import decode
from puntobanco.journal.log import AwayError, EventLog, SucceededError
from puntobanco.journal.postgres import session, succession
from puntobanco.journal.postgres.log import PostgresLog
from puntobanco.journal.sql import OURS, SCHEMA
from puntobanco.journal.verify import HOUSE
from puntobanco.table import commands as c
from tests.kit.house.driver import KEY, Driver, Time, house_over
from tests.kit.journal import one, opened, using
from tests.kit.postgres import new_database
from tests.kit.web import free_port, serving

NEWER = EDITION + 1
NEW_PROGRAM = [
    sys.executable,
    "-c",
    f"import puntobanco.editions as e; e.EDITION = {NEWER}; import puntobanco.__main__",
]


async def begun(log: EventLog) -> Running:
    running = Running(house_over(log, Time().clock))
    await running.start()
    return running


def began(log: EventLog) -> list[WritingBegan]:
    return [
        msgspec.convert(event, WritingBegan)
        for row in log.read(HOUSE)
        for event in msgspec.json.decode(row.events)
        if event["is"] == "writing-began"
    ]


async def newer_begins(log: EventLog) -> None:
    """What a newer program puts on record."""
    await house_over(log, Time().clock, 2).note(WritingBegan(NEWER, SCHEMA, "9.9"))


async def until_so(log: PostgresLog) -> None:
    for _ in range(500):
        if log.succeeded():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not give way")


def test_who_writes_is_on_record_once(place: str) -> None:
    async def use(log: EventLog) -> None:
        await begun(log)
        assert [(one.edition, one.schema) for one in began(log)] == [OURS]

    using(place, use)
    using(place, use)


def test_an_older_program_is_not_started_after_a_newer_one(place: str) -> None:
    async def use(log: EventLog) -> None:
        await begun(log)
        await newer_begins(log)
        rows = log.count()
        with pytest.raises(UnusableError, match=f"a newer puntobanco writes here.*edition {NEWER}"):
            await begun(log)
        assert log.count() == rows

    using(place, use)


def test_the_older_one_gives_way_when_it_hears_of_the_newer(pg: str) -> None:
    """What is under way is stored; then nothing more, and another can hold what it held."""
    where = new_database(pg)

    async def main() -> None:
        old, new = await opened(where), await opened(where)
        running = await begun(old)
        driver = await Driver(running.house).open()
        await running.tick()
        assert "table-1" in running.held or await old.hold({"table-1"})
        listening = asyncio.create_task(running._listen())
        await asyncio.sleep(0.2)
        under_way = asyncio.create_task(driver.do("bob", c.Sit(2)))
        with psycopg.connect(where, autocommit=True) as db:
            newer = NEWER * succession.SHIFT + SCHEMA
            db.execute("SELECT pg_notify('puntobanco', %s)", (f"{newer}{succession.SAID}",))
        assert isinstance(old, PostgresLog)
        await until_so(old)
        with suppress(SucceededError):
            await under_way
        rows = old.count()
        with pytest.raises(SucceededError, match=f"edition {NEWER}"):
            await driver.do("dan", c.BuyIn(1000, "ann"))
        for write in (
            lambda: old.together([("DELETE FROM people", ())]),
            lambda: old.ordinary("DELETE FROM people"),
        ):
            with pytest.raises(SucceededError):
                write()
        assert old.ordinary("SELECT person FROM people") == []
        assert (old.holds({HOUSE, "table-1"}), old.count()) == (set(), rows)
        assert await new.hold({HOUSE, "table-1"}) == {HOUSE, "table-1"}
        with pytest.raises(SucceededError):
            await running.run()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        for log in (old, new):
            await log.close()

    asyncio.run(main())


def test_a_session_that_was_lost_finds_the_newer_program_on_record(pg: str) -> None:
    """It heard nothing, and must not write again all the same."""
    where = new_database(pg)

    async def main() -> None:
        old, new = await opened(where), await opened(where)
        assert isinstance(old, PostgresLog)
        await begun(old)
        await newer_begins(new)
        await old.append(one("s", 1))
        with psycopg.connect(where, autocommit=True) as db:
            db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        with pytest.raises((AwayError, SucceededError)):
            await old.append(one("s", 2))
        await until_so(old)
        with pytest.raises(SucceededError):
            await old.append(one("s", 2))
        for log in (old, new):
            with suppress(AwayError):
                await log.close()

    asyncio.run(main())


def test_a_newer_one_does_not_begin_while_an_older_writes(
    pg: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = new_database(pg)

    async def main() -> None:
        old, new = await opened(where), await opened(where)
        await begun(old)
        rows = old.count()
        monkeypatch.setattr(session, "OURS", (NEWER, SCHEMA))
        monkeypatch.setattr(succession, "TRIES", 3)
        monkeypatch.setattr(succession, "PAUSE_S", 0.01)

        async def begin() -> None:
            raise AssertionError("the older one still writes")

        with pytest.raises(UnusableError, match="a process of an older program still writes"):
            await new.succeed(begin)
        assert old.count() == rows
        for log in (old, new):
            await log.close()

    asyncio.run(main())


def test_a_program_that_knows_nothing_of_this_is_not_written_beside(
    pg: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the house, and not the lock of those who write."""
    where = new_database(pg)
    monkeypatch.setattr(succession, "TRIES", 3)
    monkeypatch.setattr(succession, "PAUSE_S", 0.01)

    async def main() -> None:
        old, new = await opened(where), await opened(where)
        assert await old.hold({HOUSE}) == {HOUSE}
        with pytest.raises(UnusableError, match="a process of an older program still writes"):
            await begun(new)
        assert began(new) == []
        await old.close()
        for _ in range(100):  # the server takes a moment to see that the other has gone
            if await new.hold({HOUSE}):
                break
            await asyncio.sleep(0.02)
        await begun(new)
        assert len(began(new)) == 1
        await new.close()

    asyncio.run(main())


# two real servers


class Manager(Thread):
    """Enrols one patron after another at either server, each again by the same id until it is
    acknowledged.
    """

    def __init__(self, bases: list[str], password: str) -> None:
        super().__init__()
        self.bases, self.password = bases, password
        self.done: list[str] = []
        self.refused: list[tuple[int, str]] = []
        self.longest_s = 0.0
        self.stop = False

    def run(self) -> None:
        with httpx.Client(headers={"sec-fetch-site": "same-origin"}, timeout=20) as client:
            form = {"who": "mara", "secret": self.password}
            base = self.bases[0]
            client.post(f"{base}/sign-in", data=form, headers={"origin": base})
            while not self.stop:
                self._enrol(client, f"patron-{len(self.done)}")

    def _enrol(self, client: httpx.Client, person: str) -> None:
        began = monotonic()
        for attempt in range(2000):
            base = self.bases[attempt % 2]
            headers = {"Command-Id": f"enrol-{person}", "origin": base}
            asked = {"person": person, "kind": "patron"}
            with suppress(httpx.TransportError):
                answer = client.post(f"{base}/api/register/enrol", json=asked, headers=headers)
                if answer.is_success:
                    self.done.append(person)
                    self.longest_s = max(self.longest_s, monotonic() - began)
                    return
                again = answer.headers.get("Retry-After", "never")
                self.refused.append((answer.status_code, again))
            sleep(0.01)


def watching(port: int) -> BinaryIO:
    """Somebody who has the lobby open."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as open_page:
        open_page.sendall(b"GET /live/lobby HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer = open_page.makefile("rb")
    assert answer.readline().split()[1] == b"200"
    return answer


def test_a_rolling_restart_loses_and_doubles_no_command(pg: str, tmp_path: Path) -> None:
    """The older process ends by itself; nothing is decided by it after the newer has begun."""
    where, key = new_database(pg), tmp_path / "house.key"
    key.write_text(KEY.hex())

    async def founded(log: EventLog) -> str:
        house = house_over(log, Time(CLOCK.wall_ms()).clock)
        await house.found("mara", "founding")
        return await SignIn(house).issue_password("mara", "the machine")

    password, port = using(where, founded), free_port()
    house = ("--house", where, "--secret", str(key))
    with serving(*house) as old:
        manager = Manager([old.base, f"http://127.0.0.1:{port}"], password)
        manager.start()
        watcher = watching(int(old.base.rpartition(":")[2]))
        try:
            with serving(*house, program=NEW_PROGRAM, port=port):
                before = len(manager.done)
                old.process.wait(timeout=30)
                assert watcher.read().endswith(b"0\r\n\r\n")  # told that it is over, not cut off
                while len(manager.done) < before + 20:
                    sleep(0.05)
                manager.stop = True
                manager.join()
        finally:
            manager.stop = True
            manager.join()
            watcher.close()
        assert "a newer puntobanco writes here now" in old.end()
    assert set(manager.refused) <= {(503, "1")}
    order, people = asyncio.run(enrolled(where))
    assert sorted(people) == sorted(manager.done)
    assert order == sorted(order)
    assert {EDITION, NEWER} == set(order)


async def enrolled(where: str) -> tuple[list[int], list[str]]:
    """The editions of the register's rows, in their order; and who was enrolled."""
    log = await opened(where, create=False)
    order, people = [], []
    for row in log.read("register"):
        assert row.command is not None
        order.append(decode(row.command).edition)
        events = msgspec.json.decode(row.events)
        people += [one["person"] for one in events if one["is"] == "person-enrolled"]
    await log.close()
    return order, people
