"""People who watch a table: most as browsers do, some so slowly that they must be dropped."""

import asyncio
import socket
import time

from bench.soak.clients import Soak
from bench.soak.servers import HouseServer

AGAIN_S = 0.5
SLOW_BYTES, SLOW_S = 512, 0.5
UNREAD = 100
"""Clients that read nothing at all, while that is tried."""
ASKED = b"GET /live/%s/player?shape=wide HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SMALL = 4096


class Watchers:
    """Everybody who watches, from the first to the last moment."""

    def __init__(self, soak: Soak, tables: list[str]) -> None:
        self._servers = soak.servers
        self._figures = soak.figures
        self._tables = tables
        self.came_back = 0
        """How often one was dropped, and came again."""

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
        last = 0
        while line := await reader.readline():
            if line.startswith(b"id: ") and int(line[4:]) > last:
                last = int(line[4:])
                self._figures.seen(table, last, time.monotonic())

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


async def _dawdle(reader: asyncio.StreamReader) -> None:
    """Read a little now and then."""
    read = b"?"
    while read:
        read = await reader.read(SLOW_BYTES)
        await asyncio.sleep(SLOW_S)
