"""The floor of a hundred tables: how long the house takes for the page, and what it sends after."""

import asyncio
import logging
import statistics
import tempfile
import time
from pathlib import Path

from tests.kit.house.driver import Time, house_over
from tests.kit.office import office_of

from bench.lobby import TABLES, furnished
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import LIVE
from puntobanco.house.loop import TICK_S, Running
from puntobanco.journal.sqlite import open_log

WARM_S, ASKED = 60, 20
PAGES = ("/floor", "/api/floor", "/floor/incidents", "/floor/handover")


async def measure(folder: Path) -> dict[str, tuple[float, float]]:
    """By page, the median and the most milliseconds of the processor while all tables play."""
    clock = Time(1_800_000_000_000)
    log = open_log(folder / "house.db")
    house = house_over(log, clock.clock)
    await furnished(house)
    running = Running(house, Bots(house, LIVE))
    await running.start()
    took: dict[str, list[float]] = {page: [] for page in PAGES}
    async with office_of(house) as office:
        for beat in range(WARM_S + ASKED):
            for _ in range(int(1 / TICK_S)):
                await clock.sleep(TICK_S)
                await running.tick()
            for page in PAGES if beat >= WARM_S else ():
                start = time.process_time()
                assert (await office.get(page, "mara")).status_code == 200
                took[page].append(1000 * (time.process_time() - start))
    await log.close()
    return {page: (statistics.median(times[1:]), max(times)) for page, times in took.items()}


def report() -> None:
    logging.disable(logging.INFO)
    with tempfile.TemporaryDirectory() as folder:
        for page, (median, most) in asyncio.run(measure(Path(folder))).items():
            print(f"{page} of {TABLES} tables: {median:.0f} ms, at most {most:.0f} ms")


if __name__ == "__main__":
    report()
