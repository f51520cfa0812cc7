"""Pages of a competition of 1,000 entrants, and 500 watchers of one board.

    python -m bench.cups

A page is asked within the process, as each who may open it, the best of three; what counts is what
the application takes of a processor. Watchers are connections to a server in the same process, so
that both ends share one: from the command that settles a coup to the moment at which each was told.
Memory is collected there as `serve` does it: else a look at everything that is loaded, 130 to 180
ms of a processor, falls on one message in sixty, as it never does in a house.
"""

import asyncio
import re
import statistics
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

import uvicorn
import uvloop
from litestar.routes import HTTPRoute
from tests.kit.house.driver import KEY, seeded
from tests.kit.office import app_over, office_of

from bench.competition import CUP, Thousand
from bench.house import Gathering
from puntobanco.cli.serve import collect_rarely
from puntobanco.competition import commands as k
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import Pace
from puntobanco.house.bots.setup import hire_cashier, staff_cup
from puntobanco.house.competitions.relay import Relay
from puntobanco.house.house import House
from puntobanco.house.loop import Running
from puntobanco.house.system import CLOCK
from puntobanco.journal.sqlite import open_log
from puntobanco.register import commands as register
from puntobanco.server.app import create_app
from puntobanco.server.pages.competitions.boards.live import BoardChannel

PAGE_MS, TOLD_MS = 300, 150
WATCHERS, TOLD, EVERY_S = 500, 60, 0.05
READERS = ("", "dora", "bot-cashier", "bot-1-table-1")
FILLED = {
    "competition": ("thousand",),
    "name": ("accept", "withdraw"),
    "paper": ("entry", "results"),
}
"""What stands in an address; a page with another part in it is left out."""
BESIDES = (
    "/entries?q=table-7",
    "/entries?show=unpaid",
    "/board?show=overall",
    "/board?tables=table-3",
)
TABLES = ("table-6", "table-7", "table-8")
NAME = "competition-table-6-1"


def addresses(app: Any) -> list[str]:
    """Every page of a competition that a browser can open."""
    found = ["/competitions", *(f"/competitions/thousand{one}" for one in BESIDES)]
    for route in app.routes:
        names = re.findall(r"\{(\w+):\w+\}", getattr(route, "path", ""))
        ours = isinstance(route, HTTPRoute) and route.path.startswith("/competitions/{")
        if ours and "GET" in route.methods and set(names) <= set(FILLED):
            for values in product(*(FILLED[name] for name in names)):
                rest = iter(values)
                found.append(re.sub(r"\{\w+:\w+\}", lambda _: next(rest), route.path))  # noqa: B023
    return found


async def pages_of(folder: Path) -> list[tuple[float, str, str]]:
    """Milliseconds of processor that each page takes for each of its readers, the slowest first."""
    log = open_log(folder / "thousand.db")
    gathered = Gathering(log)
    one = Thousand(gathered)
    await one.entered()
    await gathered.flush()
    one.house.log, log.sign = log, gathered.sign
    await one.do("dora", k.PrepareSession())
    relay = Relay(one.house)
    await relay.bring_into_line(CUP)
    await one.do("dora", k.StartSession())
    await relay.bring_into_line(CUP)
    app = app_over(one.house)
    took = list[tuple[float, str, str]]()
    async with office_of(one.house) as office:
        for reader, path in product(READERS, addresses(app)):
            best = await _best(office, reader, path)
            if best is not None:
                took.append((best, reader or "anybody", path))
    await log.close()
    return sorted(took, reverse=True)


async def _best(office: Any, reader: str, path: str) -> float | None:
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        answer = await office.get(path, reader)
        best = min(best, (time.process_time() - began) * 1000)
        if answer.status_code != 200:
            return None
    return best


async def watch(port: int, seen: dict[int, list[float]], ready: asyncio.Event) -> None:
    """One screen: when each message came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    path = f"/live/competitions/{NAME.removeprefix('competition-')}/board"
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                seen.setdefault(int(line[4:]), []).append(time.perf_counter())
                ready.set()
    finally:
        writer.close()


async def playing(folder: Path) -> tuple[House, Bots]:
    """Three heats of bots that have begun."""
    house = House(open_log(folder / "watched.db"), CLOCK, seeded(1), KEY)
    await house.found("mara", "found")
    await hire_cashier(house, "mara")
    for table in TABLES:
        ask = register.NameTable(table, table, pit="Cup")
        await house.give("register", ask, "mara", house.own_id("name"))
    await staff_cup(house, TABLES, "mara", tuple(f"Alias{number}" for number in range(27)))
    bots, relay = Bots(house, Pace(coups=40)), Relay(house)
    while NAME not in house.competitions or house.competitions[NAME].state.phase != "running":
        await bots.step_tournament(TABLES[0])
        relay.refused.clear()
        await relay.bring_into_line(NAME)
        for table in TABLES:  # made ready; the first coup is left to those who watch it
            held = house.tables.get(table)
            while held and not held.state.contest.allotted and await bots.step(held):
                pass
    await relay.bring_into_line(NAME)
    return house, bots


async def told(folder: Path) -> tuple[list[float], int]:
    """Milliseconds until each watcher was told, and how many messages there were."""
    house, bots = await playing(folder)
    running = Running(house)
    await running.start()
    sent, given, send = dict[int, float](), 0.0, BoardChannel.send

    def noted(self: BoardChannel, seq: int, besides: int, regions: dict[str, str]) -> None:
        sent[seq] = given
        send(self, seq, besides, regions)

    BoardChannel.send = noted  # type: ignore[assignment,method-assign]
    config = uvicorn.Config(create_app(running), port=0, log_level="error", access_log=False)
    server = uvicorn.Server(config)
    collect_rarely()
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  it says so by nothing else
        await asyncio.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    seen: dict[int, list[float]] = {}
    flags = [asyncio.Event() for _ in range(WATCHERS)]
    tasks = [asyncio.create_task(watch(port, seen, flag)) for flag in flags]
    await asyncio.gather(*(flag.wait() for flag in flags))
    whole = max(seen)
    while len(sent) < TOLD:
        for table in TABLES:
            given = time.perf_counter()
            await bots.step(house.tables[table])
            await asyncio.sleep(EVERY_S)
    await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    server.should_exit = True
    await serving
    BoardChannel.send = send  # type: ignore[method-assign]
    late = [at - sent[seq] for seq, times in seen.items() if seq > whole for at in times]
    return [one * 1000 for one in late], len(sent)


def report() -> None:
    with tempfile.TemporaryDirectory(dir=".") as name:
        took = uvloop.run(pages_of(Path(name)))
        late, messages = uvloop.run(told(Path(name)))
    over = sum(ms > PAGE_MS for ms, _, _ in took)
    print(f"1,000 entrants, {len(took)} pages: {over} over {PAGE_MS} ms of processor; the slowest:")
    for ms, reader, path in took[:5]:
        print(f"  {ms:>6,.0f} ms  {path} ({reader})")
    p99 = statistics.quantiles(late, n=100)[98]
    shown = f"{statistics.median(late):.0f} ms, p99 {p99:.0f} ms"
    print(
        f"{WATCHERS} watchers of a board        {shown:>18} (wanted p99 {TOLD_MS}), {messages} told"
    )


if __name__ == "__main__":
    report()
