"""A house that runs: clocks over a restart, clocks that jump, roots every minute, two processes."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from puntobanco.cage.commands import OpenAccount
from puntobanco.errors import Refused, UnusableError
from puntobanco.house.figures import stored
from puntobanco.house.house import House
from puntobanco.house.loop import FIGURES_ROWS, SNAPSHOT_ROWS, Running
from puntobanco.house.notes import ClockJumped
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE, recorded, verify
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.state import Table
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.house.evening import evening
from tests.kit.journal import opened, using
from tests.kit.postgres import new_database


async def go_on(running: Running, time: Time, seconds: float) -> None:
    """Let time go by, a quarter of a second at a time."""
    for _ in range(int(seconds * 4)):
        await time.sleep(0.25)
        await running.tick()


async def running_house(log: EventLog, time: Time) -> tuple[Driver, Running]:
    house = house_over(log, time.clock)
    running = Running(house)
    await running.start()
    return Driver(house, f"at{time.steady_ms}-"), running


async def with_a_clock(log: EventLog, time: Time, seconds: int) -> Running:
    """A coup that takes bets for so many seconds."""
    driver, running = await running_house(log, time)
    await (await driver.open()).shoe()
    await time.sleep(5)
    await running.tick()
    until_ms = running.house.time.now_ms() + seconds * 1000
    await driver.do("dan", c.OpenCoup(until_ms))
    await driver.do("ann", c.PlaceWager(1, Bet.PLAYER, 5000))
    return running


def betting(house: House) -> Table:
    return house.table("table-1").state


def jumps(log: EventLog) -> list[int]:
    return [
        msgspec.convert(event, ClockJumped).by_ms
        for row in log.read(HOUSE)
        for event in msgspec.json.decode(row.events)
        if event["is"] == "clock-jumped"
    ]


def test_the_time_for_bets_runs_out_and_is_on_record(place: str) -> None:
    async def use(log: EventLog) -> None:
        time = Time()
        running = await with_a_clock(log, time, 20)
        await go_on(running, time, 19.5)
        assert not betting(running.house).coup.time_over  # type: ignore[union-attr]
        await go_on(running, time, 1)
        assert betting(running.house).coup.time_over  # type: ignore[union-attr]
        with pytest.raises(Refused):
            await Driver(running.house, "late").do("ann", c.PlaceWager(1, Bet.BANKER, 5000))
        seq = running.house.table("table-1").seq
        await go_on(running, time, 30)
        assert running.house.table("table-1").seq == seq

    using(place, use)


@pytest.mark.parametrize(
    "away_ms", [0, 3_600_000, 86_400_000, -3_600_000], ids=["none", "hour", "day", "set back"]
)
def test_a_deadline_survives_a_restart_and_is_never_shortened(tmp_path: Path, away_ms: int) -> None:
    """Eight of twenty seconds had gone by when the house went down."""
    where = str(tmp_path / "house.db")

    async def before(log: EventLog) -> int:
        time = Time(10_000_000)
        running = await with_a_clock(log, time, 20)
        await go_on(running, time, 8)
        await Driver(running.house, "bets").do("ann", c.PlaceWager(1, Bet.BANKER, 5000))
        return time.steady_ms

    async def after(log: EventLog) -> None:
        time = Time(stopped + away_ms)
        _, running = await running_house(log, time)
        assert bool(jumps(log)) == (away_ms < 0)
        await go_on(running, time, 11.5)
        assert not betting(running.house).coup.time_over  # type: ignore[union-attr]
        await go_on(running, time, 1)
        assert betting(running.house).coup.time_over  # type: ignore[union-attr]

    stopped = using(where, before)
    using(where, after)


@pytest.mark.parametrize("jump_ms", [5000, -5000, 3_600_000, -3_600_000, 86_400_000])
def test_a_wall_clock_that_jumps_is_logged_and_moves_no_deadline(
    tmp_path: Path, jump_ms: int
) -> None:
    async def use(log: EventLog) -> None:
        time = Time(10**9)
        running = await with_a_clock(log, time, 20)
        await go_on(running, time, 8)
        time.off_ms = jump_ms
        await go_on(running, time, 11.5)
        assert not betting(running.house).coup.time_over  # type: ignore[union-attr]
        await go_on(running, time, 1)
        assert betting(running.house).coup.time_over  # type: ignore[union-attr]
        assert jumps(log) == [jump_ms]
        time.off_ms += 900  # less than a second is no jump
        await go_on(running, time, 1)
        assert jumps(log) == [jump_ms]

    using(str(tmp_path / "house.db"), use)


def test_a_clock_set_back_while_the_house_was_shut_is_logged(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")

    async def before(log: EventLog) -> None:
        driver, _ = await running_house(log, Time(10**9))
        await driver.open()
        await driver.house.shut()

    async def after(log: EventLog) -> None:
        await running_house(log, Time(10**9 - 60_000))
        assert jumps(log) == [-60_000]

    using(where, before)
    using(where, after)


def test_a_root_every_minute_and_at_shutdown_if_anything_happened(place: str) -> None:
    async def use(log: EventLog) -> None:
        time = Time()
        driver, running = await running_house(log, time)
        assert len(recorded(log)) == 1  # before anything was served
        await driver.open()
        await go_on(running, time, 61)
        assert len(recorded(log)) == 2
        await go_on(running, time, 120)
        assert len(recorded(log)) == 2
        await driver.do("dan", c.RaiseDispute("why", person="ann"))
        await go_on(running, time, 60)
        assert len(recorded(log)) == 3
        await driver.do("dan", c.RaiseDispute("why", person="ann"))
        root = await driver.house.shut()
        assert len(recorded(log)) == 4
        assert verify(log, bytes.fromhex(root)).fault is None

    using(place, use)


def test_a_long_stream_is_snapshotted_as_it_grows(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        time = Time()
        driver, running = await running_house(log, time)
        await driver.open()
        await go_on(running, time, 3)
        for number in range(SNAPSHOT_ROWS):
            await driver.do("dan", c.RaiseDispute(f"{number}", person="ann"))
        await go_on(running, time, 1)
        stream = driver.house.table("table-1")
        held = log.snapshot("table-1", stream.aggregate.kind)
        assert held is not None
        assert held.seq >= SNAPSHOT_ROWS

    using(str(tmp_path / "house.db"), use)


def test_figures_are_kept_a_few_coups_at_a_time(place: str) -> None:
    """Of one table a tick: whatever is kept at once, everybody at every table waits for."""

    async def use(log: EventLog) -> None:
        bots = await evening(log)
        running, tables = Running(bots.house), list(bots.house.tables.values())
        await running.start()
        for table in tables:
            while table.seq < FIGURES_ROWS:
                assert await bots.step(table)
        for ticks in range(len(tables) + 1):
            kept = [stored.kept_to(log, table.name) for table in tables]
            assert [seq >= FIGURES_ROWS for seq in kept].count(True) == ticks
            await running.tick()

    using(place, use)


async def until(true: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait for something that comes about in the background; ten seconds at most."""
    for _ in range(1000):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come about")


def test_two_processes_on_one_house_are_live_and_one_runs_the_clocks(
    pg: str,
) -> None:
    """The second hears at once, holds nothing, and takes over when the first is gone."""
    where = new_database(pg)

    async def main() -> None:
        time = Time()
        first, second = await opened(where), await opened(where)
        driver, here = await running_house(first, time)
        await driver.open()
        await go_on(here, time, 3)
        _, there = await running_house(second, time)
        assert here.held == {HOUSE, "table-1"}
        assert there.held == set()
        listening = asyncio.create_task(there._listen())
        await asyncio.sleep(0.2)
        await driver.do("bob", c.Sit(2))
        await until(lambda: "bob" in betting(there.house).places)
        await driver.do("carol", OpenAccount("zed"))
        await until(lambda: "zed" in there.house.cage.state.accounts)
        listening.cancel()
        await first.close()
        for _ in range(100):  # the server takes a moment to see that the other has gone
            await go_on(there, time, 3)
            await asyncio.sleep(0.02)
        assert there.held == {HOUSE, "table-1"}
        await second.close()

    asyncio.run(main())


def test_a_second_process_on_a_house_in_sqlite_runs_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        where = str(tmp_path / "house.db")
        first, second = await opened(where), await opened(where)
        _, here = await running_house(first, Time())
        assert here.held == {HOUSE}
        with pytest.raises(UnusableError, match="another process runs this house"):
            await running_house(second, Time())
        await first.close()
        _, there = await running_house(second, Time())
        assert there.held == {HOUSE}
        await second.close()

    asyncio.run(main())


def test_run_ticks_until_it_is_cancelled_and_stops_with_the_journal(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        time = Time()
        driver, running = await running_house(log, time)
        await driver.open()
        task = asyncio.create_task(running.run())
        await until(lambda: bool(recorded(log)))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    using(str(tmp_path / "house.db"), use)
