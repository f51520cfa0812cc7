"""A full hall: twenty tables of bots with a player from outside at each, five hundred who watch
them, and a thousand whose pages are open while nothing happens on them.
"""

import asyncio
import os
import time

from tests.kit.house.acknowledged import Found, held_against

from bench.soak.clients import Soak, Tally, clients_of
from bench.soak.figures import Figures, at_part
from bench.soak.opening import MANAGER, opened
from bench.soak.place import Place, placed
from bench.soak.run import Evening, beside, everybody
from bench.soak.servers import HouseServer
from bench.soak.watchers import Watchers
from puntobanco.cli.keys import house_under
from puntobanco.cli.serve import own
from puntobanco.house.bots.setup import open_bot_table
from puntobanco.journal.opening import journal_at
from puntobanco.rules.notice import sample_notice

TABLES, LIVE, IDLE = 20, 500, 1000
COME_S, MEASURED_S = 30, 60
QUIET = "table-quiet"


async def with_quiet_table(place: Place) -> None:
    """A table that is open, and at which nobody is."""
    async with journal_at(place.address) as log:
        await own(log)
        house = house_under(place.key, log)
        await open_bot_table(house, QUIET, sample_notice("tas-2018"), MANAGER, "tonight")
        await house.shut()


async def measured(place: Place) -> tuple[Figures, HouseServer, Found]:
    founded = await opened(place, TABLES)
    await with_quiet_table(place)
    server = HouseServer(place, 0)
    soak = Soak([server], Figures(), Tally())
    evening = Evening(place, soak, clients_of(soak, founded, 1))
    quiet = Watchers(soak, [QUIET])

    async def evening_long() -> None:
        await evening.goes_on(time.monotonic())
        await asyncio.sleep(COME_S)
        soak.figures.part = "first"
        await asyncio.sleep(MEASURED_S)
        soak.figures.part = "between"

    try:
        await beside(
            [
                server.keep(),
                *everybody(evening, founded, 0),
                *(evening.watchers.watch(number) for number in range(LIVE)),
                *(quiet.watch(number) for number in range(IDLE)),
            ],
            evening_long(),
        )
    finally:
        server.stop()
        await soak.web.aclose()
    assert not soak.tally.wrong, soak.tally.wrong
    async with journal_at(place.address) as log:
        return soak.figures, server, held_against(log, soak.tally.acknowledged)


def report() -> None:
    with placed(postgres=False) as place:
        figures, server, found = asyncio.run(measured(place))
        kilobytes = sum(file.stat().st_size for file in place.data.glob("house.db*")) / 1000
    took, samples = figures.took["first"], server.lives[-1]
    late = time.monotonic() - samples[-1].at
    begun = next(one for one in samples if one.at > samples[-1].at - MEASURED_S + late)
    cpu = (samples[-1].cpu_s - begun.cpu_s) / (samples[-1].at - begun.at)
    print(
        f"{TABLES} tables, {LIVE} live and {IDLE} idle watchers, load {os.getloadavg()[0]:.1f}:"
        f" seen after {at_part(took.views, 50):.0f} ms, p99 {at_part(took.views, 99):.0f} ms"
        f" (wanted 150) of {len(took.views):,}; answered p99 {at_part(took.answers, 99):.0f} ms of"
        f" {len(took.answers):,}; {cpu:.0%} of a core, {samples[-1].kilobytes // 1024} MB,"
        f" {samples[-1].files:,} files"
    )
    assert found.lost == found.doubled == 0
    print(
        f"the record of it: {found.coups} coups, {found.rows / found.coups:.0f} rows and"
        f" {kilobytes / found.coups:.1f} kB a coup, with all that opens the tables and what"
        f" players gave: {len(took.answers) / MEASURED_S:.0f} commands a second"
    )


if __name__ == "__main__":
    report()
