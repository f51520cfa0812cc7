"""The lobby of a hundred tables: how much each viewer is sent while they all play."""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from tests.kit.house.driver import Time, house_over

from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import LIVE
from puntobanco.house.bots.setup import hire_cashier, open_bot_table, staff_table
from puntobanco.house.house import House
from puntobanco.house.loop import TICK_S, Running
from puntobanco.journal.sqlite import open_log
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.notice import sample_notice
from puntobanco.server.live.lobby import Lobby
from puntobanco.server.rendering import Pages

TABLES, PATRONS = 100, 5
WARM_S, WATCHED_S = 150, 150
"""The house's own seconds, in its own time: by then tables are in step no more."""


async def furnished(house: House) -> None:
    await house.found("mara", "founding")
    await hire_cashier(house, "mara")
    for number in range(1, TABLES + 1):
        name, ruleset = f"table-{number}", for_money()[number % len(for_money())]
        await staff_table(house, name, "mara", PATRONS)
        await open_bot_table(house, name, sample_notice(ruleset), "mara", "monday")


async def measure(folder: Path) -> tuple[float, float, float, int]:
    """Bytes a second, the most in one second, the milliseconds of drawing, and coups dealt."""
    clock = Time()
    log = open_log(folder / "house.db")
    house = house_over(log, clock.clock)
    await furnished(house)
    running, lobby = Running(house, Bots(house, LIVE)), Lobby(house, Pages(house))
    await running.start()
    sent: list[int] = []
    took: list[float] = []
    coups = 0
    for beat in range(WARM_S + WATCHED_S):
        if beat == WARM_S:
            coups = sum(one.state.coup_number for one in house.tables.values())
        for _ in range(int(1 / TICK_S)):
            await clock.sleep(TICK_S)
            await running.tick()
        seen, start = lobby.beat, time.process_time()
        lobby.refresh()
        if beat >= WARM_S:
            took.append(time.process_time() - start)
            sent.append(sum(map(len, lobby.since(seen))))
    coups = sum(one.state.coup_number for one in house.tables.values()) - coups
    await log.close()
    return statistics.mean(sent), max(sent), statistics.mean(took) * 1000, coups


def report() -> None:
    with tempfile.TemporaryDirectory() as name:
        mean, most, took, coups = asyncio.run(measure(Path(name)))
    shown = f"{mean / 1000:.2f} kB/s"
    print(
        f"lobby of {TABLES} tables, a viewer {shown:>18} (wanted 2), at most {most / 1000:.1f} kB"
    )
    print(f"  drawn once for everybody   {took:>15.1f} ms a second, {coups:,} coups dealt")


if __name__ == "__main__":
    report()
