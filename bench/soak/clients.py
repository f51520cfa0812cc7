"""People who give commands over the web, each again with the same id until it is answered."""

import asyncio
import time
from collections import Counter, deque
from contextlib import suppress
from random import Random
from typing import Any

import httpx
from msgspec import Struct
from tests.kit.house.acknowledged import Acknowledged

from bench.soak.figures import Figures
from bench.soak.opening import CASHIER, Opened
from bench.soak.servers import HouseServer
from puntobanco.errors import Reason

THINK_S = 1.0
"""Mean seconds between two commands of one person."""
AGAIN_S = 0.1
WAITS = (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE)
NO_ANSWERS = (httpx.codes.UNAUTHORIZED, httpx.codes.INTERNAL_SERVER_ERROR)
"""What nobody here should be told."""
MOST_TRIES = 3000
"""Some minutes: whoever is not answered by then never will be."""
CAGE = "cage"
SEEN = ("lay-wagers", "sit")
"""What everybody at a table sees at once."""
DONE = ""
Facts = dict[str, Any]


class Tally(Struct):
    """What became of the commands of all clients."""

    acknowledged: list[Acknowledged] = []
    refused: Counter[str] = Counter()
    """By the reason."""
    refused_ids: list[str] = []
    again: int = 0
    """Tries that came to nothing, and were made again with the same id."""
    wrong: Counter[str] = Counter()
    """Answers that nobody should get."""


class Soak:
    """What all who take part have in common."""

    def __init__(self, servers: list[HouseServer], figures: Figures, tally: Tally) -> None:
        self.servers = servers
        self.figures = figures
        self.tally = tally
        self.shown: deque[tuple[str, int, float]] = deque()
        """Rows that everybody at a table is to see, each with when it was asked for; whoever looks
        whether they did takes them away."""
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        self.web = httpx.AsyncClient(timeout=10, limits=limits)


class Client:
    """One person with a token, who goes to another server when one does not answer."""

    def __init__(self, soak: Soak, person: str, secret: str, chance: Random) -> None:
        self._soak = soak
        self._at = chance.randrange(len(soak.servers))
        self._signs_in = {"who": person, "secret": secret, "minutes": 840}
        self._token = ""
        self._given = 0
        self.person = person
        self.chance = chance
        self.done_at = 0.0
        """When the last command that was acknowledged had been sent."""
        self.soon = asyncio.Event()
        """Set when something has happened: the next command is given at once."""

    async def sign_in(self) -> None:
        for _ in range(MOST_TRIES):
            answer = await self._post("/api/sign-in", self._signs_in, {})
            if answer is not None and answer.is_success:
                self._token = answer.json()["token"]
                return
            await asyncio.sleep(AGAIN_S)
        raise AssertionError(f"{self.person} cannot sign in")

    async def give(self, at: str, command: str, facts: Facts) -> str:
        """Give a command until it is answered; the reason if it was refused."""
        self._given += 1
        command_id, tally = f"{self.person}.{self._given:06}", self._soak.tally
        path = f"/api/{at if at == CAGE else f'tables/{at}'}/{command}"
        first = time.monotonic()
        for _ in range(MOST_TRIES):
            sent = time.monotonic()
            headers = {"Command-Id": command_id, "Authorization": f"Bearer {self._token}"}
            answer = await self._post(path, facts, headers)
            if answer is not None and answer.is_success:
                seq = answer.json()["seq"]
                tally.acknowledged.append(Acknowledged(command_id, seq, facts))
                self.done_at = sent
                row = (at, seq) if command in SEEN else None
                if row is not None:
                    self._soak.shown.append((*row, sent))
                self._soak.figures.answered(first, time.monotonic(), row)
                return DONE
            if answer is not None and answer.status_code in NO_ANSWERS:
                tally.wrong[f"{answer.status_code} {answer.text[:200]}"] += 1
                await self.sign_in()
            elif answer is not None and answer.status_code not in WAITS:
                reason = str(answer.json()["reason"])
                tally.refused[reason] += 1
                tally.refused_ids.append(command_id)
                return reason
            tally.again += 1
            await asyncio.sleep(AGAIN_S)
        raise AssertionError(f"{command_id} was never answered")

    async def _post(self, path: str, body: Facts, headers: dict[str, str]) -> httpx.Response | None:
        """One try; the next one is at another server if this one did not answer."""
        server = self._soak.servers[self._at % len(self._soak.servers)]
        try:
            return await self._soak.web.post(f"{server.base}{path}", json=body, headers=headers)
        except httpx.TransportError:
            self._at += 1
            return None

    async def think(self) -> None:
        """A while, or until something happens."""
        self.soon.clear()
        seconds = self.chance.uniform(THINK_S / 2, 3 * THINK_S / 2)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.soon.wait()


async def play(client: Client, table: str, seat: int) -> None:
    """Bet while bets are open, and buy chips while they are not, until cancelled."""
    await client.sign_in()
    while True:
        reason = await client.give(table, "lay-wagers", wagers(client.chance))
        if reason == Reason.NOT_AT_TABLE:
            reason = await client.give(table, "sit", {"seat": seat})
        if reason != DONE:
            await client.give(table, "buy-chips", {"cents": 50_000})
        await client.think()


def wagers(chance: Random) -> Facts:
    """Something within every table's limits."""
    on, chips = chance.choice(["player", "banker"]), chance.randrange(4, 12)
    return {"wagers": [{"on": on, "cents": 2_500 * chips}]}


async def pay_in(client: Client, people: list[str]) -> None:
    """Money for one player after another, each time another amount, until cancelled."""
    await client.sign_in()
    while True:
        facts = {"person": client.chance.choice(people), "cents": client.chance.randrange(1, 5000)}
        await client.give(CAGE, "deposit", facts)
        await client.think()


def clients_of(soak: Soak, opened: Opened, seed: int) -> dict[str, Client]:
    """Whoever plays at each table from outside, and at the cage its cashier."""
    found = {
        table: Client(soak, person, pin, Random(f"{seed} {table}"))
        for table, (person, pin, _) in opened.players.items()
    }
    return {**found, CAGE: Client(soak, CASHIER, opened.cashier, Random(seed))}
