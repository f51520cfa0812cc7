"""A journal whose connections are ended, one by one and all at once, as on a bad night.

`RESTARTS=100` starts the server anew that often.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
import pytest
from psycopg_pool import ConnectionPool

from puntobanco.errors import UnusableError
from puntobanco.house.loop import Running
from puntobanco.journal.chain import check_chain
from puntobanco.journal.log import AwayError, EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.table import commands as c
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import one, opened
from tests.kit.postgres import Server, binaries, new_database, own_server

RESTARTS = int(os.environ.get("RESTARTS", "5"))
ENDED = 10
TRY_S, MOST_TRIES = 0.02, 3000
Value = TypeVar("Value")
pytestmark = pytest.mark.skipif(binaries() is None, reason="PostgreSQL is not installed")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with own_server() as started:
        yield started


@pytest.fixture
def where(server: Server) -> str:
    return new_database(server.folder)


def ended(where: str) -> int:
    """End every connection to the database; how many there were."""
    with psycopg.connect(where, autocommit=True) as db:
        found = db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
    return len(found)


async def written(log: EventLog, stream: str, rows: int) -> None:
    """Append rows, each again with the same id until it is acknowledged."""
    for seq in range(1, rows + 1):
        for _ in range(MOST_TRIES):
            try:
                await log.append(one(stream, seq))
                break
            except AwayError:
                await asyncio.sleep(TRY_S)
        else:
            raise AssertionError(f"{stream} row {seq} was never taken")


async def read(what: Callable[[], Value]) -> Value:
    """Read once the database is back."""
    for _ in range(MOST_TRIES):
        with suppress(AwayError):
            return what()
        await asyncio.sleep(TRY_S)
    raise AssertionError("it did not come back")


async def read_until(is_so: Callable[[], bool]) -> None:
    for _ in range(MOST_TRIES):
        if is_so():
            return
        await asyncio.sleep(TRY_S)
    raise AssertionError("it never was so")


def test_whichever_connection_is_ended_nothing_acknowledged_is_lost_or_doubled(where: str) -> None:
    async def main() -> None:
        log = await opened(where)
        writers = [asyncio.create_task(written(log, f"s{number}", 60)) for number in range(4)]
        for _ in range(ENDED):
            await asyncio.sleep(0.05)
            assert ended(where)
            with suppress(AwayError):
                log.head("s0")
        await asyncio.gather(*writers)
        for stream in (f"s{number}" for number in range(4)):
            rows = await read(lambda stream=stream: list(log.read(stream)))  # type: ignore[misc]
            assert len(rows) == 60
            assert check_chain(iter(rows), stream) is None
        assert await read(log.count) == 240
        await log.close()

    asyncio.run(main())


def test_readers_wait_for_a_lost_server_once_and_not_each_in_turn(
    server: Server, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process reads where it answers: while one waits, so does everybody."""
    waited: list[float] = []
    connect = ConnectionPool.getconn

    def getconn(pool: ConnectionPool[Any], timeout: float | None = None) -> Any:
        waited.append(timeout or pool.timeout)
        return connect(pool, timeout)

    async def main() -> None:
        log = await opened(where)
        await log.append(one("s", 1))
        log.head("s")
        await asyncio.to_thread(server.stop)
        monkeypatch.setattr(ConnectionPool, "getconn", getconn)
        for _ in range(9):  # what is in the queue when the server goes
            with pytest.raises(AwayError):
                log.head("s")
        monkeypatch.undo()
        await asyncio.to_thread(server.start)
        assert (await read(lambda: log.head("s"))).seq == 1
        await log.close()

    asyncio.run(main())
    assert len(waited) <= 2, waited


def test_a_server_that_is_started_anew_is_found_again(server: Server, where: str) -> None:
    async def main() -> None:
        log = await opened(where)
        changes, heard = log.changes(), list[tuple[str, int]]()

        async def listen() -> None:
            async for change in changes:
                heard.append(change)

        listening = asyncio.create_task(listen())
        await read_until(lambda: ("", 0) in heard)
        for time in range(RESTARTS):
            await written(log, f"before{time}", 3)
            await asyncio.to_thread(server.stop)
            with pytest.raises(AwayError):
                await log.append(one("away", 1))
            with pytest.raises(AwayError):
                log.streams()
            await asyncio.to_thread(server.start)
            await written(log, f"after{time}", 3)
            heard_anew = 2 + time  # all that was missed meanwhile must be read
            await read_until(lambda anew=heard_anew: heard.count(("", 0)) == anew)  # type: ignore[misc]
        assert await read(log.count) == 6 * RESTARTS
        assert (await read(lambda: log.head("away"))).seq == 0
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await log.close()

    asyncio.run(main())


def test_a_quiet_house_notices_at_once_that_the_database_is_away(
    server: Server, where: str
) -> None:
    """Nobody has to ask for anything, and to wait for the answer."""

    async def main() -> None:
        log = await opened(where)
        heard = [asyncio.Event()]

        async def listen() -> None:
            async for _ in log.changes():
                heard[0].set()

        listening = asyncio.create_task(listen())
        await heard[0].wait()
        assert not log.fault()
        await asyncio.to_thread(server.stop)
        await read_until(lambda: bool(log.fault()))
        await asyncio.to_thread(server.start)
        await read_until(lambda: not log.fault())
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await log.close()

    asyncio.run(main())


def test_whoever_loses_the_session_holds_nothing_and_another_takes_over(where: str) -> None:
    """The locks belong to the session that writes: without it nothing more can be done."""

    async def main() -> None:
        first, second = await opened(where), await opened(where)
        await written(first, "t", 1)
        assert await first.hold({HOUSE, "t"}) == {HOUSE, "t"}
        assert await second.hold({HOUSE, "t"}) == set()
        ended(where)
        with pytest.raises(AwayError):
            await first.append(one("t", 2))
        assert first.holds({HOUSE, "t"}) == set()
        await second.check_still_there()
        for _ in range(MOST_TRIES):
            with suppress(AwayError):
                if await second.hold({HOUSE, "t"}) == {HOUSE, "t"}:
                    break
            await asyncio.sleep(TRY_S)
        await written(first, "u", 1)
        assert await first.hold({HOUSE, "t"}) == set()
        for log in (first, second):
            await log.close()

    asyncio.run(main())


def test_a_house_plays_on_by_itself_after_a_restart(
    server: Server, where: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        log, time = await opened(where), Time(1_000_000)
        house = house_over(log, time.clock)
        running = Running(house)
        await running.start()
        driver = Driver(house, "before-")
        await (await driver.open()).shoe()
        await asyncio.to_thread(server.stop)
        with pytest.raises(AwayError):
            await driver.do("dan", c.OpenCoup())
        with pytest.raises(AwayError):
            await running.tick()
        await asyncio.to_thread(server.start)
        for _ in range(MOST_TRIES):
            await time.sleep(0.25)
            with suppress(AwayError):
                await running.tick()
                if "table-1" in running.held:
                    break
            await asyncio.sleep(TRY_S)
        await driver.do("dan", c.OpenCoup())
        assert house.tables["table-1"].state.coup is not None
        said = [one.getMessage() for one in caplog.records if "puntobanco" in one.name]
        assert [" ".join(line.split()[:4]) for line in said] == [
            "the database is away,",
            "the database is back",
        ]
        await house.shut()
        await log.close()

    asyncio.run(main())


def test_a_database_that_cannot_be_reached_is_told_in_one_line() -> None:
    with pytest.raises(UnusableError, match="cannot be reached"):
        asyncio.run(opened("postgresql:///none?host=/nowhere&user=nobody"))
