"""People who watch a table: most as browsers do, some so slowly that they must be dropped.

Each must see every row that shows, and a page that was told what changed must be the page that
somebody who comes now is sent.
"""

import asyncio
import json
import re
import socket
import time
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any

from msgspec import Struct

from bench.soak.clients import Soak
from bench.soak.servers import HouseServer

AGAIN_S = 0.5
SLOW_BYTES, SLOW_S = 512, 0.5
UNREAD = 100
"""Clients that read nothing at all, while that is tried."""
ASKED = b"GET /live/%s/player?shape=wide HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SMALL = 4096
PATIENCE_S = 30.0
"""Seconds after which whoever has not seen a row never will."""
COMPARE_S = 5.0
MOST_PAGES = 200
AROUND, SHOWN = 40, 160
"""Characters that are shown of a page before it differs, and in all."""
NOW = re.compile(r' data-now="\d+"| stroke-dashoffset="[\d.]+"|<text class="seconds"[^>]*>\d+')
"""What hangs on when it was drawn: pages count down by themselves."""
Regions = dict[str, str]


class Seen(Struct):
    """What those who watch have seen, and not."""

    looked: int = 0
    """Rows times those who watched their table all the while."""
    missed: int = 0
    compared: int = 0
    differ: int = 0
    differed: list[str] = []
    """Where the first of them differed."""


class Watching(Struct, eq=False):
    """One who watches, since they came."""

    table: str
    since: float
    last: int = 0
    """The number of the last row that was shown."""


class Watchers:
    """Everybody who watches, from the first to the last moment."""

    def __init__(self, soak: Soak, tables: list[str]) -> None:
        self._servers = soak.servers
        self._figures = soak.figures
        self._shown = soak.shown
        self._tables = tables
        self._there: set[Watching] = set()
        self.came_back = 0
        """How often one was dropped, and came again."""
        self.seen = Seen()

    async def watch(self, number: int, *, slow: bool = False) -> None:
        """See what happens at one table, until cancelled."""
        table = self._tables[number % len(self._tables)]
        while True:
            server = self._servers[number % len(self._servers)]
            try:
                reader, writer = await self._opened(server, table, small=slow)
                try:
                    await (_dawdle(reader) if slow else self._see(table, reader))
                finally:
                    writer.close()
            except OSError:
                number += len(self._tables)  # the same table, at another server if there is one
            self.came_back += 1
            await asyncio.sleep(AGAIN_S)

    async def _opened(
        self, server: HouseServer, table: str, *, small: bool
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        made = socket.socket()
        made.setblocking(False)
        if small:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", server.port))
        reader, writer = await asyncio.open_connection(sock=made, limit=SMALL if small else 2**22)
        writer.write(ASKED % table.encode())
        return reader, writer

    async def _see(self, table: str, reader: asyncio.StreamReader) -> None:
        one = Watching(table, NEVER)
        self._there.add(one)
        try:
            while line := await reader.readline():
                if line.startswith(b"id: ") and int(line[4:]) > one.last:
                    one.last, now = int(line[4:]), time.monotonic()
                    one.since = min(one.since, now)
                    self._figures.seen(table, one.last, now)
        finally:
            self._there.discard(one)

    async def unread(self, seconds: float) -> None:
        """Many who ask for a table's stream and read nothing of it."""
        server, writers = self._servers[0], []
        for number in range(UNREAD):
            table = self._tables[number % len(self._tables)]
            try:
                writers.append((await self._opened(server, table, small=True))[1])
            except OSError:
                break
        await asyncio.sleep(seconds)
        for writer in writers:
            writer.transport.abort()

    # what they have seen

    async def look_out(self) -> None:
        """Whoever is there has seen each row that shows, once it is so old; until cancelled."""
        while True:
            while self._shown and self._shown[0][2] < time.monotonic() - PATIENCE_S:
                table, seq, sent = self._shown.popleft()
                there = [one for one in self._there if one.table == table and one.since < sent]
                self.seen.looked += len(there)
                self.seen.missed += sum(one.last < seq for one in there)
            await asyncio.sleep(1)

    async def compare(self, number: int) -> None:
        """Keep a page as a browser does, and hold it against a new one now and then."""
        table = self._tables[number % len(self._tables)]
        while True:
            server = self._servers[number % len(self._servers)]
            kept: deque[tuple[int, Regions]] = deque(maxlen=MOST_PAGES)
            with suppress(OSError, asyncio.IncompleteReadError):
                keeping = asyncio.ensure_future(self._keep(server, table, kept))
                try:
                    while not keeping.done():
                        await asyncio.sleep(COMPARE_S)
                        async with aclosing(self._messages(server, table)) as messages:
                            async for message in messages:
                                await asyncio.sleep(COMPARE_S)
                                self._hold(kept, message)
                                break
                finally:
                    keeping.cancel()
            number += len(self._tables)
            await asyncio.sleep(AGAIN_S)

    def _hold(self, kept: deque[tuple[int, Regions]], fresh: dict[str, Any]) -> None:
        """The page as it was at that row; one that went on from there in the same row counts."""
        ids = [seq for seq, _ in kept]
        if not ids or not ids[0] < fresh["seq"] < ids[-1]:
            return  # nothing has come since, or it is from before
        at = max(seq for seq in ids if seq <= fresh["seq"])
        self.seen.compared += 1
        new, old = _timeless(fresh["regions"]), [page for seq, page in kept if seq == at]
        if new not in old:
            self.seen.differ += 1
            self.seen.differed.append(f"row {at}, {_difference(old[-1], new)}")

    async def _keep(
        self, server: HouseServer, table: str, kept: deque[tuple[int, Regions]]
    ) -> None:
        page: Regions = {}
        async with aclosing(self._messages(server, table)) as messages:
            async for message in messages:
                page = page | _timeless(message["regions"])
                kept.append((message["seq"], page))

    async def _messages(
        self, server: HouseServer, table: str
    ) -> AsyncGenerator[dict[str, Any], None]:
        reader, writer = await self._opened(server, table, small=False)
        try:
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
        finally:
            writer.close()


def _difference(old: Regions, new: Regions) -> str:
    """The first region that is not the same, and from where on."""
    for name in old | new:
        one, other = old.get(name, ""), new.get(name, "")
        if one != other:
            alike = zip(one, other, strict=False)
            same = next(
                (n for n, (a, b) in enumerate(alike) if a != b), min(map(len, (one, other)))
            )
            at = max(0, same - AROUND)
            return f"{name}: {one[at : at + SHOWN]!r}, new {other[at : at + SHOWN]!r}"
    return "nothing"


def _timeless(regions: Regions) -> Regions:
    return {name: NOW.sub("", html) for name, html in regions.items()}


async def _dawdle(reader: asyncio.StreamReader) -> None:
    """Read a little now and then."""
    read = b"?"
    while read:
        read = await reader.read(SLOW_BYTES)
        await asyncio.sleep(SLOW_S)


NEVER = float("inf")
