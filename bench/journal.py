"""The journal: durable appends beside what the disk itself can do."""

import asyncio
import os
import tempfile
import time
from pathlib import Path

import uvloop
from tests.kit.postgres import binaries, new_database, server

from puntobanco.journal import postgres
from puntobanco.journal.log import Append, EventLog
from puntobanco.journal.rows import Entry
from puntobanco.journal.sqlite import open_log
from puntobanco.journal.verify import verify

EVENTS = b'[{"is":"card-drawn","card":"9c","clauses":["tas-2018:9.2"]}]'

BY = b'{"edition":1,"by":{"roles":["dealer"],"register":12},'
COMMAND = BY + b'"command":{"do":"draw-card","card":"9c"}}'


def flushes_a_second(folder: str, seconds: float = 0.5) -> float:
    """`fdatasync` after overwriting 4 KiB: the disk's own rate."""
    file = os.open(Path(folder) / "flushed", os.O_CREAT | os.O_RDWR)
    os.write(file, bytes(4096 * 64))
    os.fsync(file)
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        os.pwrite(file, b"x" * 4096, done % 64 * 4096)
        os.fdatasync(file)
        done += 1
    os.close(file)
    return done / spent


async def produce(log: EventLog, stream: str, first: int, rows: int) -> None:
    for seq in range(first, first + rows):
        entry = Entry(stream, seq, seq, "dan", f"c{seq}", COMMAND, ("tas-2018:9.2",), EVENTS)
        await log.append(Append((entry,)))


async def measure(folder: str, rounds: int = 3) -> tuple[list[float], list[float], float]:
    """The rates of one producer and of a hundred, as ratios to the disk's own in the same round;
    and rows verified a second.
    """
    log = open_log(Path(folder) / "house.db")
    await produce(log, "one", 1, 2000)  # the file grows once; from here on it is overwritten
    one, hundred = [], []
    for turn in range(rounds):
        disk = flushes_a_second(folder)
        start = time.perf_counter()
        await produce(log, "one", 2001 + turn * 1000, 1000)
        one.append(1000 / (time.perf_counter() - start) / disk)
        start = time.perf_counter()
        await asyncio.gather(*(produce(log, f"s{n}", turn * 50 + 1, 50) for n in range(100)))
        hundred.append(5000 / (time.perf_counter() - start) / disk)
    start = time.perf_counter()
    checked = verify(log)
    rate = checked.rows / (time.perf_counter() - start)
    await log.close()
    return one, hundred, rate


async def postgres_rate(url: str, producers: int = 16, rows: int = 300) -> float:
    """Durable rows a second in PostgreSQL, the best of three rounds."""
    log = await postgres.open_log(url)
    best = 0.0
    for turn in range(3):
        start = time.perf_counter()
        await asyncio.gather(*(produce(log, f"p{turn}-{n}", 1, rows) for n in range(producers)))
        best = max(best, producers * rows / (time.perf_counter() - start))
    await log.close()
    return best


def report() -> None:
    with tempfile.TemporaryDirectory(dir=".") as folder:
        disk = flushes_a_second(folder)
        one, hundred, verified = uvloop.run(measure(folder))
    shown = [" ".join(f"{ratio:.2f}" for ratio in ratios) for ratios in (one, hundred)]
    print(f"disk, 4 KiB flushed            {disk:>12,.0f} /s")
    print(f"journal, one producer          {shown[0]:>12} x the disk (wanted 0.5)")
    print(f"journal, a hundred             {shown[1]:>12} x the disk (wanted 5, aiming for 10)")
    print(f"journal, rows verified         {verified:>12,.0f} rows/s (wanted 50,000)")
    if binaries() is None:
        print("journal in PostgreSQL: not measured, the server is not installed")
        return
    with server() as socket:
        rate = uvloop.run(postgres_rate(new_database(socket)))
    print(f"PostgreSQL, sixteen producers  {rate:>12,.0f} rows/s (wanted 5,000 events/s)")
