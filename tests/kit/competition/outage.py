"""A house in which a session runs by the clock, in a process that somebody will kill.

Run as a program with the house's file: it starts the session, and prints when that has happened.
"""

import asyncio
import sys
import time
from pathlib import Path

from puntobanco.competition import commands as c
from puntobanco.house.clock import Clock
from puntobanco.house.loop import Running
from puntobanco.journal import sqlite
from puntobanco.table.actor import Role
from tests.kit.competition.cup import MARCH_1_MS, WORDS, cup_text
from tests.kit.competition.in_house import CupHouse
from tests.kit.house.driver import house_over

MINUTES = 10


def clock_since(began_ns: int) -> Clock:
    """The same time in every process: the first of March when the test began."""

    def steady_ms() -> int:
        return (time.monotonic_ns() - began_ns) // 1_000_000

    return Clock(lambda: MARCH_1_MS + steady_ms(), steady_ms, asyncio.sleep)


async def started(cups: CupHouse) -> None:
    """Six people play a session of ten minutes at one table."""
    await cups.opened(cup_text(ends=f"minutes = {MINUTES}"))
    await cups.enter(*(f"p{number}" for number in range(1, 7)))
    for ask in (
        c.CloseEntries(),
        c.SignOn(Role.DIRECTOR),
        c.DesignateTable("table-1"),
        c.Draw(WORDS),
        c.PrepareSession(),
        c.StartSession(),
    ):
        await cups.do("dora", ask)


async def run(file: Path, clock: Clock) -> None:
    cups = CupHouse(house_over(sqlite.open_log(file), clock))
    running = Running(cups.house)
    await running.start()
    await started(cups)
    await running.tick()
    sys.stdout.write("runs\n")
    sys.stdout.flush()
    await running.run()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), clock_since(int(sys.argv[2]))))
