"""What a coup costs on record: the growth of a house, by what it is spent on, in both databases,
and time.

python -m bench.record [TABLES] [COUPS]     as many coups at each table, seventy an hour
"""

import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
from tests.kit.house.driver import KEY, Time, seeded
from tests.kit.postgres import binaries, new_database, server

from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import hire_cashier, open_bot_table, staff_table
from puntobanco.house.house import House
from puntobanco.house.loop import Running
from puntobanco.journal import postgres
from puntobanco.journal.log import EventLog
from puntobanco.journal.sqlite import open_log
from puntobanco.rules.notice import sample_notice

COUP_MS, MORE_MS = 45_000, 12_001
"""The shortest coup, and below how much longer each is; in the middle seventy an hour."""
FIRST = 10
"""Coups before the first measure, so that opening tables is not counted."""
YEAR_COUPS = 20 * 365 * 24 * 70
"""Coups a year of twenty busy tables that never close."""
SPENT = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name"
SPENT_THERE = """SELECT relname, pg_relation_size(oid) FROM pg_class
    WHERE relkind IN ('r', 'i') AND relnamespace = current_schema()::regnamespace"""
PAGES = "SELECT (SELECT page_count FROM pragma_page_count) * page_size FROM pragma_page_size"


def spent(file: Path) -> dict[str, int]:
    """The bytes of every table and index of a house's file, and of the whole."""
    db = sqlite3.connect(file)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    found = {str(name): int(size) for name, size in db.execute(SPENT)}
    found["file"] = int(db.execute(PAGES).fetchone()[0])
    found["(rows of the journal)"] = int(db.execute("SELECT count(*) FROM rows").fetchone()[0])
    db.close()
    return found


def spent_there(url: str) -> dict[str, int]:
    """The same of a house in PostgreSQL, once what was written over is cleared away."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("VACUUM")
        found = {str(name): int(size) for name, size in db.execute(SPENT_THERE)}
        found["file"] = sum(found.values())
        row = db.execute("SELECT count(*) FROM rows").fetchone()
        found["(rows of the journal)"] = int(row[0]) if row else 0
    return found


async def played(
    log: EventLog, folder: Path, look: Callable[[], dict[str, int]], tables: int, coups: int
) -> tuple[dict[str, float], float]:
    """Bytes a coup by table and index, and milliseconds of processor a coup, of a running house
    with its roots, states and figures.
    """
    clock = Time(10**12)
    house = House(log, clock.clock, seeded(1), KEY, folder / "record.root")
    await house.found("mara", "found")
    await hire_cashier(house, "mara")
    for number in range(1, tables + 1):
        await staff_table(house, f"table-{number}", "mara", 9)
        await open_bot_table(house, f"table-{number}", sample_notice("tas-2018"), "mara", "monday")
    bots, running = Bots(house), Running(house)
    await running.start()
    for table in house.tables.values():
        await asyncio.sleep(0)
        assert await bots.step(table)

    async def to(coup: int) -> None:
        for number in range(min(t.state.coup_number for t in house.tables.values()) + 1, coup + 1):
            clock.steady_ms += COUP_MS + number * 7919 % MORE_MS
            for table in house.tables.values():
                while table.state.coup_number < number:
                    assert await bots.step(table)
            await running.tick()

    await to(FIRST)
    house.figures.save()
    before, began = look(), time.process_time()
    await to(FIRST + coups)
    took = time.process_time() - began
    house.figures.save()
    after = look()
    await house.shut()
    await log.close()
    dealt = tables * coups
    each = {name: (size - before.get(name, 0)) / dealt for name, size in after.items()}
    return each, took * 1000 / dealt


async def in_file(folder: Path, tables: int, coups: int) -> tuple[dict[str, float], float]:
    file = folder / "record.db"
    return await played(open_log(file), folder, lambda: spent(file), tables, coups)


async def in_database(
    url: str, folder: Path, tables: int, coups: int
) -> tuple[dict[str, float], float]:
    log = await postgres.open_log(url)
    return await played(log, folder, lambda: spent_there(url), tables, coups)


def told(where: str, each: dict[str, float], took: float) -> None:
    print(where)
    for what, size in sorted(each.items(), key=lambda one: -one[1]):
        if size >= 1:
            print(f"{what:<32} {size:>9,.0f}")
    year = each["file"] * YEAR_COUPS / 10**9
    print(f"{took:.2f} ms of processor a coup; {year:,.0f} GB a year at twenty tables")


def report(tables: int = 20, coups: int = 120) -> None:
    with tempfile.TemporaryDirectory(dir=".") as name:
        told("SQLite", *asyncio.run(in_file(Path(name), tables, coups)))
    if binaries() is None:
        print("PostgreSQL: not measured, the server is not installed")
        return
    with server() as socket, tempfile.TemporaryDirectory(dir=".") as name:
        url = new_database(socket)
        told("PostgreSQL", *asyncio.run(in_database(url, Path(name), tables, coups)))


if __name__ == "__main__":
    report(*map(int, sys.argv[1:]))
