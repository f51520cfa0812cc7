"""The house's time: never back, never shortening a time that was set, close to the clock again.

What is asked of a clock that was moved: a restart a day back or ahead, and while the house runs.
"""

import asyncio
from base64 import b32decode
from pathlib import Path
from random import Random
from time import sleep

import httpx
import msgspec
import pytest

from puntobanco.house.access.door.second import STEP_MS, code_at
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.clock import MOST_FOLLOWED_MS, RATE, RATE_BACK, HouseTime
from puntobanco.house.house import House
from puntobanco.house.lookback.significant import significant
from puntobanco.house.loop import Running, off_on_record
from puntobanco.house.notes import ClockFollowed, ClockJumped
from puntobanco.house.system import CLOCK
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.queries.clocks import next_deadline
from tests.kit.house.driver import KEY, Driver, Time, enrol, house_over
from tests.kit.journal import opened, using
from tests.kit.postgres import new_database
from tests.kit.web import serving

DAY_MS = 86_400_000
START_MS = 10 * DAY_MS


async def begun(log: EventLog, time: Time) -> Running:
    running = Running(house_over(log, time.clock))
    await running.start()
    return running


async def go_on(running: Running, time: Time, seconds: float, tick_s: float = 0.25) -> None:
    for _ in range(int(seconds / tick_s)):
        await time.sleep(tick_s)
        await running.tick()


def told(log: EventLog) -> list[ClockJumped | ClockFollowed]:
    """What is on record of the clock."""
    return [
        msgspec.convert(event, ClockJumped | ClockFollowed)
        for row in log.read(HOUSE)
        for event in msgspec.json.decode(row.events)
        if event["is"].startswith("clock-")
    ]


async def told_in(log: EventLog) -> list[ClockJumped | ClockFollowed]:
    return told(log)


def never_back(log: EventLog) -> None:
    for stream in log.streams():
        times = [row.at_ms for row in log.read(stream)]
        assert times == sorted(times), stream


async def table_with_times(log: EventLog, time: Time) -> Running:
    """A table with bets open for twenty seconds, and a notice that has half an hour to run."""
    running = await begun(log, time)
    driver = Driver(running.house, f"at{time.steady_ms}-")
    await (await driver.open()).shoe()
    await go_on(running, time, 3)
    await driver.do("dan", c.OpenCoup(running.house.time.now_ms() + 20_000))
    await driver.do("ann", c.PlaceWager(1, Bet.PLAYER, 5000))
    return running


def deadline(house: House) -> int:
    found = next_deadline(house.table("table-1").state)
    assert found is not None
    return found


# a restart with a clock that was moved


def test_a_clock_a_day_back_at_the_start_holds_nobody_up(tmp_path: Path) -> None:
    """It said "wait 86,400 seconds": now the house goes on from its last row, and says so."""
    where = str(tmp_path / "house.db")

    async def before(log: EventLog) -> int:
        running = await table_with_times(log, Time(START_MS))
        await running.house.shut()
        return running.house.time.now_ms()

    async def after(log: EventLog) -> None:
        time = Time(START_MS - DAY_MS)
        running = await begun(log, time)
        house = running.house
        assert house.time.now_ms() >= last_ms
        assert deadline(house) - house.time.now_ms() == 20_000
        (jump,) = told(log)
        assert isinstance(jump, ClockJumped)
        assert jump.by_ms == jump.off_ms == house.time.off_ms() < 1000 - DAY_MS
        seconds = house.time.now_ms()
        await go_on(running, time, 10)
        assert house.time.now_ms() == seconds + 10_000  # too far off to be followed
        await Driver(house, "again").do("dan", c.NoMoreBets())
        time.off_ms += DAY_MS  # somebody sets it right
        await go_on(running, time, 1)
        assert [type(one) for one in told(log)] == [ClockJumped, ClockJumped]
        assert abs(house.time.off_ms()) < MOST_FOLLOWED_MS
        never_back(log)
        moved = [one.says for one in significant(house) if "clock" in one.says]
        assert "moved by −86,4" in moved[-1]

    last_ms = using(where, before)
    using(where, after)


def test_a_clock_a_day_ahead_at_the_start_is_gone_by_and_shortens_nothing(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")

    async def before(log: EventLog) -> None:
        await (await table_with_times(log, Time(START_MS))).house.shut()

    async def after(log: EventLog) -> None:
        running = await begun(log, Time(START_MS + DAY_MS))
        assert running.house.time.now_ms() == START_MS + DAY_MS
        assert deadline(running.house) - running.house.time.now_ms() >= 20_000
        assert told(log) == []
        never_back(log)

    using(where, before)
    using(where, after)


def test_a_restart_goes_by_the_clock_that_was_not_followed_before(tmp_path: Path) -> None:
    """A machine that slept for hours: the house is behind, until it is started anew."""
    where = str(tmp_path / "house.db")

    async def before(log: EventLog) -> None:
        time = Time(START_MS)
        running = await begun(log, time)
        await Driver(running.house).open()
        time.off_ms = DAY_MS
        await go_on(running, time, 60)
        assert told(log) == [ClockJumped(DAY_MS, DAY_MS)]
        assert off_on_record(log) == DAY_MS
        await running.house.shut()

    async def after(log: EventLog) -> None:
        running = await begun(log, Time(START_MS + DAY_MS + 70_000))
        assert running.house.time.off_ms() == 0
        assert told(log)[1:] == [ClockFollowed(DAY_MS, 0)]
        never_back(log)

    using(where, before)
    using(where, after)


OFF = "puntobanco_clock_off_seconds"


def measured(base: str, name: str) -> float:
    """One figure of the program itself."""
    lines = httpx.get(f"{base}/metrics").text.splitlines()
    return float(next(line for line in lines if line.startswith(f"{name} ")).split()[-1])


def test_the_program_itself_started_a_day_before_its_last_row(tmp_path: Path) -> None:
    """Somebody signs in at once; the operator is told what it means and what to do."""
    where, key = tmp_path / "house.db", tmp_path / "house.key"
    key.write_text(KEY.hex())

    async def before(log: EventLog) -> str:
        running = await begun(log, Time(CLOCK.wall_ms() + DAY_MS))
        await running.house.found("mara", "founding-of-the-house")
        doors = SignIn(running.house)
        password = await doors.issue_password("mara", "the machine")
        await running.house.shut()
        return password

    password = using(str(where), before)
    with serving("--house", str(where), "--secret", str(key), "--follow-clock") as served:
        ready = httpx.get(f"{served.base}/ready")
        assert (ready.status_code, ready.json()["clock"]) == (503, False)
        asked = {"who": "mara", "secret": password}
        headers = {"origin": served.base, "sec-fetch-site": "same-origin"}
        answer = httpx.post(f"{served.base}/sign-in", data=asked, headers=headers)
        assert answer.status_code == 303
        first = measured(served.base, OFF)
        for _ in range(300):  # people go on, and the house comes back to its clock
            if measured(served.base, OFF) > first:
                break
            sleep(0.02)
        else:
            raise AssertionError("it does not come back")
        assert "Warning: The clock is 86" in (said := served.end())
        assert "seconds behind the house's time" in said
    assert using(str(where), told_in)[0].off_ms == pytest.approx(-DAY_MS, abs=60_000)


# while it runs


@pytest.mark.parametrize("off_ms", [60_000, -60_000])
def test_a_minute_is_made_good_slowly_and_on_record(tmp_path: Path, off_ms: int) -> None:
    async def use(log: EventLog) -> None:
        time = Time(START_MS)
        running = await begun(log, time)
        house = running.house
        await Driver(house).open()
        time.off_ms = off_ms
        took_s, before = 0, house.time.now_ms()
        while abs(house.time.off_ms()) > 1:
            await go_on(running, time, 100, tick_s=10)
            took_s += 100
            now = house.time.now_ms()
            assert abs(now - before - 100_000) <= 100_000 * RATE + 1
            before = now
        assert took_s == pytest.approx(abs(off_ms) / 1000 / RATE, abs=200)
        jump, *followed = told(log)
        assert jump == ClockJumped(off_ms, off_ms)
        assert sum(one.by_ms for one in followed) == pytest.approx(off_ms, abs=1000)
        assert all(isinstance(one, ClockFollowed) for one in followed)
        assert off_on_record(log) == followed[-1].off_ms
        never_back(log)

    using(str(tmp_path / "house.db"), use)


def test_no_time_that_was_set_is_shortened_while_the_house_follows(tmp_path: Path) -> None:
    """Behind its clock, the house stands still as long as a time runs, and then goes on."""

    async def use(log: EventLog) -> None:
        time = Time(START_MS)
        running = await table_with_times(log, time)
        house, until_ms = running.house, deadline(running.house)
        began = time.steady_ms
        time.off_ms = 30_000
        while next_deadline(house.table("table-1").state) == until_ms:
            await go_on(running, time, 0.25)
            assert time.steady_ms - began < 21_000
        assert time.steady_ms - began >= 19_750
        off = house.time.off_ms()
        assert off == 30_000
        await go_on(running, time, 100)
        assert house.time.off_ms() == pytest.approx(off - 500, abs=10)

    using(str(tmp_path / "house.db"), use)


def test_a_house_far_ahead_comes_back_once_somebody_says_that_the_clock_is_right(
    tmp_path: Path,
) -> None:
    """Hardly while a time runs, at half its pace else; until then, it stays where it is."""
    ahead_ms = 2 * 3_600_000

    async def after(log: EventLog) -> None:
        time = Time(START_MS)
        running = await table_with_times(log, time)
        own = running.house.time
        time.off_ms -= ahead_ms
        await go_on(running, time, 5)
        assert -own.off_ms() == ahead_ms  # nobody has said so
        own.goes_back = True
        before_ms = own.now_ms()
        await go_on(running, time, 10)
        assert own.now_ms() - before_ms == pytest.approx(10_000 * (1 - RATE), abs=2)
        await Driver(running.house, "again").do("dan", c.NoMoreBets())
        assert next_deadline(running.house.table("table-1").state) is None
        before_ms = own.now_ms()
        await go_on(running, time, 3600, tick_s=10)
        assert own.now_ms() - before_ms == pytest.approx(3_600_000 * (1 - RATE_BACK), abs=5_000)
        await go_on(running, time, 9000, tick_s=10)
        assert abs(own.off_ms()) <= MOST_FOLLOWED_MS  # from here on as any other house
        await go_on(running, time, 200, tick_s=10)
        assert abs(own.off_ms()) <= MOST_FOLLOWED_MS
        followed = [one for one in told(log) if isinstance(one, ClockFollowed)]
        far = [one.by_ms for one in followed if abs(one.off_ms) > MOST_FOLLOWED_MS]
        assert max(far) < -59_000  # a minute at a time, not each second
        assert sum(one.by_ms for one in followed) == pytest.approx(
            -ahead_ms - own.off_ms(), abs=1000
        )
        never_back(log)

    using(str(tmp_path / "house.db"), after)


def test_a_second_factor_goes_by_the_clock_and_by_the_house(tmp_path: Path) -> None:
    """A phone has the true time, whichever of the two is wrong: else nobody could sign in."""

    async def after(log: EventLog) -> None:
        time = Time(START_MS)
        running = await begun(log, time)
        await enrol(running.house, "max")
        second = SignIn(running.house).second
        offer = second.offer("max")
        shared = b32decode(offer.shared)
        await second.enrol("max", offer, code_at(shared, running.house.time.now_ms() // STEP_MS))
        await time.sleep(3600)
        time.off_ms -= DAY_MS // 2
        assert await second.accepts("max", code_at(shared, running.house.time.now_ms() // STEP_MS))
        assert not await second.accepts("max", code_at(shared, time.wall_ms() // STEP_MS))  # used
        time.off_ms += DAY_MS
        assert await second.accepts("max", code_at(shared, time.wall_ms() // STEP_MS))
        assert not await second.accepts("max", code_at(shared, time.wall_ms() // STEP_MS))

    using(str(tmp_path / "house.db"), after)


def test_it_never_goes_back_whatever_its_clock_does() -> None:
    source = Random(7)
    time = Time(START_MS)
    house, seen = HouseTime(time.clock, lambda: None), 0
    house.begin(START_MS)
    for _ in range(5000):
        time.steady_ms += source.choice([0, 1, 7, 250, 5000])
        if source.random() < 0.1:
            time.off_ms = source.choice([-DAY_MS, -3000, -1, 0, 1, 2500, 600_000, DAY_MS])
        if source.random() < 0.05:
            house.reach(house.now_ms() + source.choice([-5000, 1, 900, 30_000]))
            house.catch_up()
        before = house.now_ms()
        house.follow(lambda: source.random() < 0.5)
        assert seen <= before <= house.now_ms()
        seen = house.now_ms()


# several processes


def test_processes_on_one_database_agree_on_the_time(pg: str) -> None:
    """The second takes the first one's time, not the clock's; both come closer alike."""
    where = new_database(pg)

    async def main() -> None:
        time = Time(START_MS)
        first, second = await opened(where), await opened(where)
        here = await begun(first, time)
        await Driver(here.house).open()
        time.off_ms = -300_000
        await go_on(here, time, 5)
        await time.sleep(3600)  # nothing is written for an hour
        there = await begun(second, time)
        apart = there.house.time.now_ms() - here.house.time.now_ms()
        assert abs(apart) <= 100
        for _ in range(400):
            await time.sleep(0.25)
            await here.tick()
            await there.tick()
        assert abs(there.house.time.now_ms() - here.house.time.now_ms() - apart) <= 100
        for log in (first, second):
            await log.close()

    asyncio.run(main())


def test_whoever_is_behind_another_process_goes_on_from_its_rows(pg: str) -> None:
    """Times that were set before are moved along, those set since are as they were set."""
    where = new_database(pg)

    async def main() -> None:
        behind, ahead = Time(START_MS), Time(START_MS + 3_600_000)
        first, second = await opened(where), await opened(where)
        here = await table_with_times(first, behind)
        there = await begun(second, ahead)
        there.house.time.begin(ahead.steady_ms)
        left_ms = deadline(here.house) - here.house.time.now_ms()
        await Driver(there.house, "there").do("bob", c.Sit(2))
        here.house.table("table-1").catch_up()
        assert here.house.time.now_ms() == ahead.steady_ms
        await here.tick()
        assert deadline(here.house) - here.house.time.now_ms() <= left_ms + 1000
        assert deadline(here.house) - here.house.time.now_ms() >= left_ms - 250
        assert isinstance(told(first)[-1], ClockFollowed)
        never_back(first)
        for log in (first, second):
            await log.close()

    asyncio.run(main())
