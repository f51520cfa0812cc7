"""A soak from its beginning to its end: everybody comes, and one plug after another is pulled."""

import asyncio
import time
from collections.abc import Awaitable, Iterable

from msgspec import Struct
from tests.kit.house.acknowledged import Found, held_against

from bench.soak.clients import CAGE, Client, Soak, Tally, clients_of, pay_in, play
from bench.soak.figures import Figures
from bench.soak.opening import Opened, opened
from bench.soak.place import Place
from bench.soak.plan import Fault, Plan
from bench.soak.servers import HouseServer, Sample, tables_held
from bench.soak.watchers import Seen, Watchers
from puntobanco.journal.opening import journal_at

LOOK_S, SETTLE_S = 0.05, 5.0
MOST_S = 120.0
"""Seconds after which play will not go on any more."""
NEVER = float("inf")
SLOW = 10
"""Each of so many watchers is slow."""
COMPARED = 5
"""Pages that are held against what somebody who comes now is sent."""


class Outcome(Struct, frozen=True):
    """What became of a house under soak."""

    figures: Figures
    tally: Tally
    found: Found
    lives: list[list[list[Sample]]]
    """By server: what each of its processes took."""
    gone_alone: int
    tracebacks: list[str]
    """What servers said and should not have."""
    came_back: int
    seen: Seen
    """What those who watch have seen, and not."""


class Evening:
    """A house with its servers, players and watchers."""

    def __init__(self, place: Place, soak: Soak, clients: dict[str, Client]) -> None:
        self.place = place
        self.soak = soak
        self.clients = clients
        self.watchers = Watchers(soak, [name for name in clients if name != CAGE])

    async def goes_on(self, since: float) -> None:
        """Until each client has been answered anew, and every table's clock is run by somebody."""
        for client in self.clients.values():
            client.soon.set()
        while True:
            answered = all(client.done_at > since for client in self.clients.values())
            if answered and await tables_held(self.soak.servers) >= len(self.clients) - 1:
                return
            await asyncio.sleep(LOOK_S)

    async def suffer(self, fault: Fault) -> None:
        """Pull a plug, put it in again, and see how long it takes until play goes on."""
        await asyncio.sleep(fault.after_s)
        since = await self._pull(fault)
        took = NEVER
        try:
            async with asyncio.timeout(MOST_S):
                await self.goes_on(since)
            took = time.monotonic() - since
        except TimeoutError:
            pass
        self.soak.figures.resumed[fault.kind].append(took)

    async def _pull(self, fault: Fault) -> float:
        """The moment from which on play could go on."""
        servers = self.soak.servers if fault.both else [self.soak.servers[fault.which]]
        place, since = self.place, time.monotonic()
        match fault.kind:
            case "kill":
                for server in servers:
                    server.kill()
                return since
            case "restart":
                assert place.database is not None
                await asyncio.to_thread(place.database.stop)
                await asyncio.sleep(fault.away_s)
                await asyncio.to_thread(place.database.start)
            case "full":
                await asyncio.to_thread(place.fill)
                await asyncio.sleep(fault.away_s)
                await asyncio.to_thread(place.make_room)
            case "clock":
                for off_ms in (fault.jump_ms, 0):
                    for server in servers:
                        server.move_clock(off_ms)
                    await asyncio.sleep(fault.away_s)
            case "slow":
                await self.watchers.unread(fault.away_s)
        return time.monotonic()


async def soaked(place: Place, plan: Plan, tables: int, watchers: int) -> Outcome:
    founded = await opened(place, tables)
    servers = [HouseServer(place, number) for number in range(plan.servers)]
    soak = Soak(servers, Figures(), Tally())
    evening = Evening(place, soak, clients_of(soak, founded, plan.seed))
    said, faults = list[str](), list(plan.faults())
    try:
        tasks = [*(server.keep() for server in servers), *everybody(evening, founded, watchers)]
        await beside(tasks, _evening(evening, plan, faults))
    finally:
        said += [server.stop() for server in servers]
        await soak.web.aclose()
    if place.database is not None and not place.database.runs:
        place.database.start()
    async with journal_at(place.address) as log:
        found = held_against(log, soak.tally.acknowledged, soak.tally.refused_ids)
    return Outcome(
        soak.figures,
        soak.tally,
        found,
        [server.lives for server in servers],
        sum(server.gone_alone for server in servers),
        [one for text in said for one in text.split("Traceback")[1:]],
        evening.watchers.came_back,
        evening.watchers.seen,
    )


def everybody(evening: Evening, founded: Opened, watchers: int) -> list[Awaitable[None]]:
    """Everybody who plays, pays in or watches."""
    names = [person for person, _, _ in founded.players.values()]
    return [
        *(play(evening.clients[table], table, s) for table, (_, _, s) in founded.players.items()),
        pay_in(evening.clients[CAGE], names),
        *(evening.watchers.watch(n, slow=n % SLOW == 0) for n in range(1, watchers + 1)),
        evening.watchers.look_out(),
        *(evening.watchers.compare(n) for n in range(min(watchers, COMPARED))),
    ]


async def _evening(evening: Evening, plan: Plan, faults: list[Fault]) -> None:
    figures = evening.soak.figures
    await evening.goes_on(time.monotonic())
    await asyncio.sleep(min(SETTLE_S, plan.calm_s))
    figures.part = "first"
    await asyncio.sleep(plan.calm_s)
    figures.part = "between"
    for fault in faults:
        await evening.suffer(fault)
    await asyncio.sleep(min(SETTLE_S, plan.calm_s))
    figures.part = "last"
    await asyncio.sleep(plan.calm_s)


async def beside(others: Iterable[Awaitable[None]], main: Awaitable[None]) -> None:
    """Do the one while the others go on; if one of them fails, all of it has."""
    tasks = [asyncio.ensure_future(one) for one in others]
    wanted = asyncio.ensure_future(main)
    try:
        done, _ = await asyncio.wait([wanted, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        assert wanted.done(), "somebody went home"
    finally:
        for task in (wanted, *tasks):
            task.cancel()
        await asyncio.gather(wanted, *tasks, return_exceptions=True)
