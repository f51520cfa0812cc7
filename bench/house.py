"""A house under load: bot tables, starting up, and what a long history or many tables cost."""

import asyncio
import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop
from tests.kit.house.driver import KEY, Time, seeded

from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import hire_cashier, open_bot_table, staff_table
from puntobanco.house.house import House
from puntobanco.house.stream import Stream
from puntobanco.journal.chain import BEGINNING, Head, Sign, link
from puntobanco.journal.log import Append, EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.sqlite import open_log
from puntobanco.rules.notice import sample_notice
from puntobanco.table.actor import Role
from puntobanco.table.state import Table
from puntobanco.table.view import Viewer, view

CHUNK = 2000
AMID = 20


class Gathering:
    """A log that is written in large chunks, to make a long history quickly."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.ends: dict[str, Head] = {}
        self.sign: Sign | None = None
        self._rows: list[Row] = []
        self.events = 0

    async def append(self, append: Append) -> tuple[Row, ...]:
        rows = []
        for entry in append.entries:
            head = self.ends.get(entry.stream, BEGINNING)
            row = link(entry, head.hash, self.sign)
            self.ends[entry.stream] = Head(row.seq, row.hash)
            self.events += row.events.count(b'{"is":')
            rows.append(row)
        self._rows += rows
        if append.sealed or len(self._rows) >= CHUNK:
            await self.flush()
            await self._log.adopt([], list(append.sealed))
        return tuple(rows)

    async def flush(self) -> None:
        await self._log.adopt(self._rows, [])
        self._rows = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)


def house_over(log: Any) -> House:
    return House(log, Time().clock, seeded(1), KEY)


async def staffed(log: Any, tables: int, patrons: int = 9) -> Bots:
    """A house with so many tables, each with its staff and nine players."""
    house = house_over(log)
    await house.found("mara", "found")
    await hire_cashier(house, "mara")
    for number in range(1, tables + 1):
        name = f"table-{number}"
        await staff_table(house, name, "mara", patrons)
        await open_bot_table(house, name, sample_notice("tas-2018"), "mara", "monday")
    return Bots(house)


async def to_coup(bots: Bots, table: Stream[Table], number: int) -> None:
    while table.state.coup_number < number:
        assert await bots.step(table)


async def amid_shoe(bots: Bots, table: Stream[Table]) -> None:
    """Twenty coups into a shoe, so that costs are compared at the same moment."""
    while len(table.state.coups) != AMID:
        assert await bots.step(table)


async def bot_tables(folder: Path, tables: int = 100, coups: int = 10) -> tuple[float, float]:
    """All at once, as fast as they go: coups a second, and the p99 of a command in ms."""
    log = open_log(folder / "bots.db")
    bots = await staffed(log, tables)
    took: list[float] = []

    async def one(table: Stream[Table], last: int) -> None:
        while table.state.coup_number < last:
            start = time.perf_counter()
            assert await bots.step(table)
            took.append(time.perf_counter() - start)

    streams = list(bots.house.tables.values())
    await asyncio.gather(*(one(stream, 2) for stream in streams))
    took.clear()
    start = time.perf_counter()
    await asyncio.gather(*(one(stream, 2 + coups) for stream in streams))
    rate = tables * coups / (time.perf_counter() - start)
    await log.close()
    return rate, statistics.quantiles(took, n=100)[98] * 1000


async def start_up(folder: Path, tables: int = 100, events: int = 1_000_000) -> tuple[float, int]:
    """Seconds to start a house with so many events on so many tables; and what it takes in MB."""
    path = folder / "long.db"
    log = open_log(path)
    gathered = Gathering(log)
    bots = await staffed(gathered, tables)
    streams = list(bots.house.tables.values())
    while gathered.events < events:
        for stream in streams:
            last = stream.state.coup_number + 20
            await to_coup(bots, stream, last)
    await gathered.flush()
    bots.house.register.save()
    bots.house.cage.save()
    for stream in streams:
        stream.save()
    await log.close()
    start = time.perf_counter()
    log = open_log(path)
    house = house_over(log)
    spent = time.perf_counter() - start
    assert len(house.tables) == tables
    await log.close()
    return spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


async def costs(bots: Bots, table: Stream[Table], coups: int = 30) -> tuple[float, float]:
    """Microseconds that a command takes, journal included, and a view of the table."""
    dealer = Viewer("dan", frozenset({Role.DEALER}))
    commands, views = [], []
    warm = table.state.coup_number + 10
    await to_coup(bots, table, warm)
    last = table.state.coup_number + coups
    while table.state.coup_number < last:
        start = time.perf_counter()
        assert await bots.step(table)
        commands.append(time.perf_counter() - start)
        start = time.perf_counter()
        view(table.state, dealer)
        views.append(time.perf_counter() - start)
    return statistics.median(commands) * 1e6, statistics.median(views) * 1e6


async def by_history(folder: Path, *lengths: int) -> list[tuple[float, float]]:
    """What a command and a view cost at a table with so many events behind it."""
    log = open_log(folder / "history.db")
    gathered = Gathering(log)
    bots = await staffed(gathered, 1)
    table = bots.house.table("table-1")
    found = []
    for length in lengths:
        while gathered.events < length:
            assert await bots.step(table)
        await amid_shoe(bots, table)
        await gathered.flush()
        bots.house.log = log
        log.sign = gathered.sign
        found.append(await costs(bots, table))
        bots.house.log = gathered
        gathered.ends = {name: log.head(name) for name in log.streams()}
    await log.close()
    return found


async def by_tables(folder: Path, *counts: int) -> list[tuple[float, float]]:
    """What a command and a view cost at one of so many open tables."""
    found = []
    for count in counts:
        log = open_log(folder / f"{count}.db")
        gathered = Gathering(log)
        bots = await staffed(gathered, count)
        table = bots.house.table("table-1")
        await amid_shoe(bots, table)
        await gathered.flush()
        bots.house.log = log
        log.sign = gathered.sign
        found.append(await costs(bots, table))
        await log.close()
    return found


def report() -> None:
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = Path(name)
        rate, p99 = uvloop.run(bot_tables(folder))
        print(f"100 bot tables, nine players   {rate:>12,.0f} coups/s, p99 {p99:,.1f} ms a command")
        spent, used = uvloop.run(start_up(folder))
        print(f"start-up, a million events     {spent:>12,.2f} s (wanted 3); {used} MB at most")
        _flat("history 1,000 to 1,000,000", uvloop.run(by_history(folder, 1000, 1_000_000)))
        _flat("tables 1 to 1,000", uvloop.run(by_tables(folder, 1, 1000)))


def _flat(what: str, found: list[tuple[float, float]]) -> None:
    for kind, few, many in zip(("command", "view"), found[0], found[-1], strict=True):
        ratio = many / few
        shown = f"{few:,.0f} to {many:,.0f} us"
        print(f"{what + ', ' + kind:<38} {ratio:>6.2f} x (wanted 1.2 at most): {shown}")
