"""How many connections one address may have at once: one sender cannot take all there are.

A proxy that the house was told of carries everybody and is not counted; it counts by itself. Of an
IPv6 address only the network counts, for one line has a whole one.
"""

import asyncio
from collections import Counter

from puntobanco.house.access.door.throttle import site_of
from puntobanco.server.edge.metrics import CONNECTIONS_REFUSED
from puntobanco.server.edge.prompt import PromptProtocol
from puntobanco.server.edge.proxy import Networks, is_in
from puntobanco.words.pages import PAGES

PER_ADDRESS = 2000
"""A hall in which everybody comes by one address stays below."""
READ_S = 1.0
"""Seconds for the answer to be read, before the house hangs up."""
WAIT_S = 10
SAID = PAGES["connections.refused"].encode()
REFUSED = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Retry-After: %d\r\nContent-Length: %d\r\n\r\n%s" % (WAIT_S, len(SAID), SAID)
)


class Gate:
    """Counts who is in, by address."""

    def __init__(self, most: int, proxies: Networks = ()) -> None:
        self.most = most
        self._proxies = proxies
        self._inside: Counter[str] = Counter()

    def enter(self, address: str) -> int:
        """The connections that this address now has; 0 for whoever is not counted."""
        if is_in(address, self._proxies):
            return 0
        self._inside[site_of(address)] += 1
        return self._inside[site_of(address)]

    def leave(self, address: str) -> None:
        if is_in(address, self._proxies):
            return
        site = site_of(address)
        self._inside[site] -= 1
        if not self._inside[site]:
            del self._inside[site]  # or every address there ever was would be kept


class BoundedProtocol(PromptProtocol):
    """Refuses a connection before a byte of it is read; far above the bound it only hangs up."""

    gate = Gate(PER_ADDRESS)
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        there = self.gate.enter(self._address)
        if there <= self.gate.most:
            return
        self._refused = True
        CONNECTIONS_REFUSED.inc()
        if there > 2 * self.gate.most:
            transport.abort()
            return
        transport.write(REFUSED)  # hung up on at once, some would never read it
        self.loop.call_later(READ_S, transport.close)

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.leave(self._address)
        super().connection_lost(exc)

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""


def bounded_by(gate: Gate) -> type[BoundedProtocol]:
    """The protocol of one server, which has a gate of its own."""
    return type("BoundedProtocol", (BoundedProtocol,), {"gate": gate})
