"""A competition of 1,000 entrants at 112 tables, all in play at once in one process.

Every table deals a coup each 40 seconds, as people do: its commands are spread over that time, and
each is timed from the moment at which it was to be given, so that waiting for the others counts.
The house runs beside it as it always does: clocks, roots, snapshots, the relay.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import uvloop
from tests.kit.house.driver import KEY, seeded

from bench.house import Gathering
from puntobanco.cage import commands as cage
from puntobanco.competition import commands as k
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import hire_cashier, staff_table
from puntobanco.house.house import House
from puntobanco.house.loop import Running
from puntobanco.house.stream import Stream
from puntobanco.house.system import CLOCK
from puntobanco.journal.sqlite import open_log
from puntobanco.register import commands as register
from puntobanco.rules.competition.structure import balanced_tables
from puntobanco.table.actor import Role
from puntobanco.table.state import Table

ENTRANTS, SEATS, COUP_S, WANTED_MS = 1000, 9, 40.0, 250
PATIENCE_S = 120
STEP_S = 1.5
"""Seconds between two commands at a table: a coup has some twenty."""
STAGE = """
[[stage]]
name = "{name}"
seats = 9
advance = {advance}
allotment_cents = 1000000
ends = {{ coups = 30 }}
secrets = 1
limits = {{ min_cents = 10000, max_cents = 200000, multiple_cents = 10000 }}
"""
CONDITIONS = """
name = "A thousand"
ruleset = "tas-2018"
start = "{start}"
table = {{ layout = "midi", decks = 8, method = "commission", chip_cents = 500 }}
prizes = {{ percent = [60, 40] }}

[entry]
form = "A"
terms = "at the desk"
fee_cents = 10000
min = {entrants}
max = {entrants}
"""
CUP = "competition-thousand"


class Thousand:
    """The house, its bots and the competition."""

    def __init__(self, log: Any) -> None:
        self.house = House(log, CLOCK, seeded(1), KEY)
        self.ids = (f"bench-{number}" for number in count(1))
        self.took: list[float] = []
        self.sizes = balanced_tables(ENTRANTS, SEATS)
        self.tables = [f"table-{number}" for number in range(1, len(self.sizes) + 1)]

    async def do(self, who: str, ask: Any, at: str = CUP) -> None:
        await self.house.give(at, ask, who, next(self.ids))

    async def two(self, ask: Any) -> None:
        await self.do("dora", ask)
        await self.do("mara", k.Approve(self.house.competitions[CUP].state.proposal_number))

    async def entered(self) -> None:
        """Everybody enters; the bots of each table are drawn for it."""
        await self.house.found("mara", "found")
        await hire_cashier(self.house, "mara")
        await self.do("mara", register.Enrol("dora", "staff"), "register")
        await self.do("mara", register.Grant("dora", Role.DIRECTOR, CUP), "register")
        start = (datetime.now(UTC) + timedelta(hours=2)).isoformat(timespec="seconds")
        stages = {"heats": "{ 112 = 1 }", "quarter": "{ 13 = 2 }", "semi": "{ 3 = 3 }", "final": 0}
        text = CONDITIONS.format(start=start, entrants=ENTRANTS) + "".join(
            STAGE.format(name=name, advance=advance) for name, advance in stages.items()
        )
        await self.do("mara", k.Draft(text))
        await self.two(k.Publish())
        await self.do("dora", k.OpenEntries())
        for table, size in zip(self.tables, self.sizes, strict=True):
            await staff_table(self.house, table, "mara", size)
            for seat in range(1, size + 1):
                await self._enter(f"bot-{seat}-{table}")
            await self.do("dora", k.DesignateTable(table))
        await self.do("dora", k.CloseEntries())
        seats = {
            table: {seat: f"bot-{seat}-{table}" for seat in range(1, size + 1)}
            for table, size in zip(self.tables, self.sizes, strict=True)
        }
        await self.two(k.KeyDraw(seats))
        await self.do("dora", k.SignOn(Role.DIRECTOR))

    async def _enter(self, person: str) -> None:
        await self.do("bot-cashier", cage.OpenAccount(person), "cage")
        await self.do("bot-cashier", cage.Deposit(person, 10_000), "cage")
        await self.do("bot-cashier", k.Apply(person))
        await self.do("bot-cashier", k.Accept(person))
        await self.do(person, k.Endorse(1))
        await self.do(person, k.PayEntry())

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for what the house does by itself."""
        for _ in range(PATIENCE_S * 10):
            if done():
                return
            await asyncio.sleep(0.1)
        raise TimeoutError(self.house.unrelayed)

    async def play(self, bots: Bots, table: Stream[Table], began: float, coups: int) -> None:
        """So many coups at one table, each command some time after the one before."""
        due = began
        for coup in range(coups):
            due = max(due, began + coup * COUP_S)
            while table.state.coup_number <= coup or table.state.coup is not None:
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                if await bots.step(table):
                    self.took.append(time.perf_counter() - due)
                due = max(due + STEP_S, time.perf_counter())


async def played(folder: Path, coups: int) -> tuple[list[float], int, float, float]:
    """How long each command took, the coups dealt, and seconds of processor and of play."""
    log = open_log(folder / "thousand.db")
    gathered = Gathering(log)
    one = Thousand(gathered)
    await one.entered()
    await gathered.flush()
    one.house.log, log.sign = log, gathered.sign
    running, bots = Running(one.house), Bots(one.house)
    await running.start()
    ticking = asyncio.create_task(running.run())
    await one.do("dora", k.PrepareSession())
    await one.until(lambda: len(one.house.tables) == len(one.tables))
    await one.do("dora", k.StartSession())
    await one.until(lambda: all(at.state.contest.allotted for at in one.house.tables.values()))
    used, began = time.process_time(), time.perf_counter()
    apart = COUP_S / len(one.tables)
    async with asyncio.TaskGroup() as group:
        for number, table in enumerate(one.house.tables.values()):
            group.create_task(one.play(bots, table, began + number * apart, coups))
    spent = time.process_time() - used, time.perf_counter() - began
    dealt = sum(table.state.coup_number for table in one.house.tables.values())
    ticking.cancel()
    await asyncio.gather(ticking, return_exceptions=True)
    await log.close()
    return one.took, dealt, *spent


def report(coups: int = 3) -> None:
    with tempfile.TemporaryDirectory(dir=".") as name:
        took, dealt, used, spent = uvloop.run(played(Path(name), coups))
    cuts = statistics.quantiles(took, n=100)
    p50, p99 = cuts[49] * 1000, cuts[98] * 1000
    tables = len(balanced_tables(ENTRANTS, SEATS))
    print(f"{ENTRANTS:,} entrants at {tables} tables, {dealt} coups in {spent:,.0f} s of play:")
    print(f"  {len(took):,} commands, p50 {p50:,.1f} ms, p99 {p99:,.1f} ms (wanted {WANTED_MS})")
    print(f"  {used:,.1f} s of processor, {used / len(took) * 1000:,.2f} ms a command")


if __name__ == "__main__":
    report()
