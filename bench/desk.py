"""Every page of the desk over a house with a hundred tables and a long history.

    python -m bench.desk --rows 1000000             # asks every page; prints the slowest first
    python -m bench.desk --rows 200000 --house x.db # keeps the house, and takes it when it is there
    python -m bench.desk --house x.db reports       # only addresses that have this word in them

A tenth of the tables is played by bots; the others are copies of their rows under other names,
each chained anew, which costs a fiftieth. The clock of the house goes on as in real nights. Server
time is what the application takes of a processor, asked within the process, the best of five, as a
manager: other programs do not count. What a clock on the wall says stands beside it.
"""

import argparse
import asyncio
import logging
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from litestar import Litestar
from tests.kit.house.driver import Time, house_over
from tests.kit.office import Office, app_over, office_of

from bench.house import CHUNK, Gathering
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import hire_cashier, open_bot_table, staff_table
from puntobanco.house.loop import Running
from puntobanco.journal.chain import FIRST, link
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Entry, Row
from puntobanco.journal.sqlite import open_log
from puntobanco.register import commands as register
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.notice import sample_notice

PLAYED, COPIES = 10, 9
TABLES = PLAYED * (1 + COPIES)
PATRONS = 7
START_MS = 1_780_000_000_000 // 86_400_000 * 86_400_000 + 18 * 3_600_000
"""Six in the evening of a day in 2026."""
COUP_MS, NIGHT_COUPS, DAY_MS = 50_000, 130, 86_400_000
WANTED_MS = 200
TIMES = 5
KNOWN = {
    "table": "table-7", "person": "bot-3-table-7", "ruleset": "tas-2018", "what": "tas-2018",
    "clause": "tas-2018:9.4", "form": "csv", "name": "", "coup": "300", "row": "500", "at": "",
}  # fmt: skip
"""What stands in an address for a part of it; where there is nothing, the page is left out."""
BESIDES = (
    *(f"/house/reports?days=all&by={by}" for by in
      ("table", "day", "hour", "dealer", "wager", "rules", "shoe", "coup", "person")),
    *("/house/reports?days=7", "/house/reports?days=tonight", "/house/reports/coups?days=all"),
    *("/house/reports/coups?days=all&order=largest", "/house/reports/coups?days=all&wager=tie"),
    *("/search?q=table", "/search?q=9.4", "/house/people?q=table-7", "/display/all"),
)  # fmt: skip
"""Addresses with something asked in them."""
ENDLESS = re.compile(r"/live/|/export|/static/|/api/schema|/competitions/|/odds/runs")
"""Streams, files, and what has nothing to do with the tables of a house."""


async def play(log: EventLog, rows: int) -> None:
    """Ten tables with all that belongs to them, night after night."""
    clock, gathered = Time(START_MS), Gathering(log)
    house = house_over(gathered, clock.clock)
    await house.found("mara", "found")
    await hire_cashier(house, "mara")
    await house.give("register", register.SetLook("Harbour House", "AUD"), "mara", "look")
    for number in range(1, PLAYED + 1):
        name, ruleset = f"table-{number}", for_money()[number % len(for_money())]
        await staff_table(house, name, "mara", PATRONS)
        await open_bot_table(house, name, sample_notice(ruleset), "mara", "monday")
    bots, tables = Bots(house), list(house.tables.values())
    coups = 0
    while sum(table.seq for table in tables) < rows:
        for table in tables:
            last = table.state.coup_number
            while table.state.coup_number == last:
                assert await bots.step(table)
        coups += 1
        clock.steady_ms += COUP_MS
        if not coups % NIGHT_COUPS:
            clock.steady_ms += DAY_MS - NIGHT_COUPS * COUP_MS
    await gathered.flush()


async def copy_tables(log: EventLog, sign: object) -> None:
    """The same rows again for nine times as many tables."""
    for number in range(1, PLAYED + 1):
        rows = list(log.read(f"table-{number}"))
        for copy in range(1, COPIES + 1):
            copied = list(_under(f"table-{number + PLAYED * copy}", rows, sign))
            for start in range(0, len(copied), CHUNK):
                await log.adopt(copied[start : start + CHUNK], [])


def _under(stream: str, rows: list[Row], sign: object) -> Iterator[Row]:
    before = FIRST
    for row in rows:
        clauses = tuple(row.clauses.split())
        command = row.command or b""
        entry = Entry(
            stream, row.seq, row.at_ms, row.actor, row.command_id, command, clauses, row.events
        )
        made = link(entry, before, sign)  # type: ignore[arg-type]
        before = made.hash
        yield made


async def build(path: Path, rows: int) -> None:
    """Play, copy, and let a house start over it and shut, which keeps its figures."""
    log = open_log(path, passing=True)
    start = time.perf_counter()
    await play(log, rows // (1 + COPIES))
    print(f"played {rows // (1 + COPIES):,} rows in {time.perf_counter() - start:,.0f} s")
    house = house_over(log)
    await copy_tables(log, log.sign)
    await log.close()
    log = open_log(path, passing=True)
    start = time.perf_counter()
    house = house_over(log)
    print(f"a house over {log.count():,} rows started in {time.perf_counter() - start:,.0f} s")
    await house.shut()
    await log.close()


def addresses(app: Litestar) -> Iterator[str]:
    """Every page and every reading of the API that can be asked for with what is known."""
    yield from BESIDES
    for route in app.routes:
        methods = getattr(route, "methods", ())
        if "GET" not in methods or ENDLESS.search(route.path):
            continue
        parts = re.findall(r"\{(\w+)(?::\w+)?\}", route.path)
        if all(KNOWN.get(part) for part in parts):
            yield re.sub(r"\{(\w+)(?::\w+)?\}", lambda part: KNOWN[part[1]], route.path)


async def timed(office: Office, address: str) -> tuple[float, float, int, int]:
    """The processor's and the wall's best time of a page in ms, its status and its bytes."""
    took, waited = [], []
    for _ in range(TIMES):
        start, wall = time.process_time(), time.perf_counter()
        answer = await office.get(address, "mara")
        took.append((time.process_time() - start) * 1000)
        waited.append((time.perf_counter() - wall) * 1000)
    return min(took), min(waited), answer.status_code, len(answer.content)


async def ask_all(path: Path, word: str) -> None:
    log = open_log(path)
    last_ms = max(log.head_ms(stream) for stream in log.streams())
    start = time.perf_counter()
    seed = time.time_ns()  # whoever signs in gets another token each time
    house = house_over(log, Time(last_ms + 60_000).clock, seed)
    print(f"started in {time.perf_counter() - start:,.1f} s: {len(house.tables)} tables")
    async with office_of(house) as office:
        await Running(house).tick()
        asked = [address for address in addresses(app_over(house)) if word in address]
        found = [(*await timed(office, address), address) for address in asked]
    for best, wall, status, size, address in sorted(found, reverse=True):
        slow = f"  MISSES {WANTED_MS} ms" if best > WANTED_MS else ""
        said = f"{best:>9,.1f} ms  ({wall:>9,.1f})  {status}  {size / 1000:>8,.1f} kB"
        print(f"{said}  {address}{slow}")
    missed = sum(best > WANTED_MS for best, *_ in found)
    print(f"{len(found)} addresses, {missed} over {WANTED_MS} ms")
    await log.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--house", type=Path)
    parser.add_argument("word", nargs="?", default="")
    given = parser.parse_args()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        path = given.house or Path(folder) / "house.db"
        if not path.exists():
            asyncio.run(build(path, given.rows))
        asyncio.run(ask_all(path, given.word))


if __name__ == "__main__":
    main()
