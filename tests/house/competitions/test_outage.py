"""One clock for all tables of a session: it does not run while the house is down."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from puntobanco.house.checks.audit import audit
from puntobanco.house.loop import HEARTBEAT_MS, Running
from puntobanco.journal import sqlite
from puntobanco.journal.log import EventLog
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.state import Phase
from tests.kit.clauses import clause
from tests.kit.competition.cup import MARCH_1_MS
from tests.kit.competition.in_house import CUP, CupHouse
from tests.kit.competition.outage import MINUTES, clock_since, started
from tests.kit.house.driver import Time, house_over
from tests.kit.places import ROOT

OUTAGE_MS = 300_000
PLAYED_MS = 95_000
"""Neither a whole number of roots nor of heartbeats."""


async def tick_for(running: Running, time: Time, ms: int) -> None:
    """Let the house run so long."""
    for _ in range(0, ms, 250):
        time.steady_ms += 250
        await running.tick()


def in_session(
    tmp_path: Path, play: Callable[[CupHouse, Time, Running, EventLog], Awaitable[None]]
) -> None:
    """A session of ten minutes has begun in a house that runs."""

    async def run() -> None:
        log, time = sqlite.open_log(tmp_path / "house.db"), Time(MARCH_1_MS)
        try:
            cups = CupHouse(house_over(log, time.clock))
            running = Running(cups.house)
            await running.start()
            await started(cups)
            await tick_for(running, time, 250)
            await play(cups, time, running, log)
        finally:
            await log.close()

    asyncio.run(run())


def ends_of(cups: CupHouse) -> int:
    ends: int = cups.cup.now.ends_ms
    return ends


@clause("tas-2018:16.1-session")
def test_the_houses_clock_ends_a_session_and_an_outage_lengthens_it(tmp_path: Path) -> None:
    """[tas-2018:16.1-session] Of a quiet house, too, it is known when it was last alive."""

    async def play(cups: CupHouse, time: Time, running: Running, log: EventLog) -> None:
        began = ends_of(cups)
        await tick_for(running, time, PLAYED_MS)
        time.steady_ms += OUTAGE_MS
        later = CupHouse(house_over(log, time.clock))
        again = Running(later.house)
        await again.start()
        longer = ends_of(later) - began
        assert OUTAGE_MS <= longer <= OUTAGE_MS + HEARTBEAT_MS
        await tick_for(again, time, ends_of(later) - later.house.time.now_ms() - 250)
        assert not later.cup.now.time_over
        await tick_for(again, time, 250)
        assert later.cup.now.time_over
        assert later.house.tables["table-1"].state.phase is Phase.OVER
        assert audit(log).fault is None

    in_session(tmp_path, play)


@clause("tas-2018:16.1-session")
def test_times_that_run_at_tables_do_not_hide_how_long_the_house_was_down(tmp_path: Path) -> None:
    """They are held first, by a row of their own."""

    async def play(cups: CupHouse, time: Time, _: Running, log: EventLog) -> None:
        notice = sample_notice("tas-2018")
        await cups.do("mara", c.OpenTable(notice, "monday", "S1", effective="2018"), "table-9")
        closing = c.GiveClosingNotice(time.steady_ms + 3_600_000, "as every night")
        await cups.do("mara", closing, "table-9")
        began, gone_ms = ends_of(cups), time.steady_ms
        time.steady_ms += OUTAGE_MS
        later = CupHouse(house_over(log, time.clock))
        await Running(later.house).start()
        assert ends_of(later) == began + time.steady_ms - gone_ms
        assert log.head_ms("table-9") == log.head_ms(CUP) == time.steady_ms

    in_session(tmp_path, play)


def test_a_quiet_house_beats_only_while_a_sessions_clock_runs(tmp_path: Path) -> None:
    async def play(cups: CupHouse, time: Time, running: Running, log: EventLog) -> None:
        before = log.head("house").seq
        await tick_for(running, time, 60_000)
        assert log.head("house").seq - before == 60_000 // HEARTBEAT_MS
        await cups.do("dora", c.SignOff(), CUP)
        await tick_for(running, time, MINUTES * 60_000)
        assert cups.cup.now.time_over
        await tick_for(running, time, 61_000)
        before = log.head("house").seq
        await tick_for(running, time, 120_000)
        assert log.head("house").seq == before
        assert audit(log).fault is None

    in_session(tmp_path, play)


@clause("tas-2018:16.1-session")
def test_a_house_that_is_killed_gives_the_session_its_time_back(tmp_path: Path) -> None:
    file, began_ns = tmp_path / "house.db", time.monotonic_ns()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.kit.competition.outage", str(file), str(began_ns)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "runs\n"
    process.kill()
    process.wait()
    process.stdout.close()
    time.sleep(0.5)

    async def run() -> None:
        log = sqlite.open_log(file)
        try:
            alive_ms = max(log.head_ms(stream) for stream in log.streams())
            cups = CupHouse(house_over(log, clock_since(began_ns)))
            began = ends_of(cups)
            assert cups.house.time.now_ms() - alive_ms >= 500
            assert began == cups.cup.now.started_ms + MINUTES * 60_000
            await Running(cups.house).start()
            held_ms = log.head_ms(CUP)
            assert 0 <= held_ms - alive_ms - (ends_of(cups) - began) < 1000
            assert ends_of(cups) - began >= 500
            assert audit(log).fault is None
        finally:
            await log.close()

    asyncio.run(run())
