"""What waits for a reader, in the bar of every page: drawn for one person, sent when it changes."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

import msgspec
from msgspec import Struct

from puntobanco.house.access.waiting import Waiting, waiting_for
from puntobanco.house.house import House
from puntobanco.house.stream import COMPETITION
from puntobanco.server.live.board import BEAT_S, STILL_HERE
from puntobanco.server.rendering import Pages

MOST_KEPT = 2000
"""Waits whose beginning is remembered; beyond that the oldest are forgotten."""
ADDRESSES = {
    "approve": "/tables/{at}/proposals/{number}?page=floor",
    "second": "/house/do/{at}/approve?proposal={number}",
    "dispute": "/tables/{at}/do/decide-dispute?dispute={number}&page=pit",
    "step": "/tables/{at}/pit",
    "slip": "/house/cage/slips/{number}",
    "competition": "/competitions/{at}",
}


class WaitLine(Struct, frozen=True):
    """One thing that waits, where it is done, and since when this house has known of it."""

    what: Waiting
    href: str
    since_ms: int


class Waits:
    """What waits for anybody, and since when; a house that starts anew counts from its start."""

    def __init__(self, house: House, pages: Pages) -> None:
        self._house = house
        self._pages = pages
        self._since_ms: dict[tuple[str, str, int, str], int] = {}

    def of(self, person: str) -> tuple[WaitLine, ...]:
        """What waits for a person; for players and strangers, nothing."""
        return tuple(map(self._line, waiting_for(self._house, person)))

    def _line(self, what: Waiting) -> WaitLine:
        key = (what.at, what.kind, what.number, str(what.step or what.ask))
        if key not in self._since_ms and len(self._since_ms) >= MOST_KEPT:
            self._since_ms.pop(next(iter(self._since_ms)))
        since_ms = self._since_ms.setdefault(key, self._house.time.now_ms())
        at = what.at.removeprefix(COMPETITION)
        href = ADDRESSES[what.kind].format(at=at, number=what.number)
        return WaitLine(what, href, since_ms)

    def _drawn(self, person: str) -> bytes:
        html = self._pages.render("shell/inbox.html", waits=self.of(person))
        return b"data: %b\n\n" % msgspec.json.encode(html)

    async def stream(
        self, person: str, is_good: Callable[[], bool], closing: asyncio.Event
    ) -> AsyncGenerator[bytes, None]:
        """The list whenever it has changed, at most once a beat; until the session ends."""
        seen, told = -1, b""
        while is_good() and not closing.is_set():
            house = self._house
            now = house.register.seq + house.cage.seq
            now += sum(table.seq for table in house.tables.values())
            now += sum(cup.seq for cup in house.competitions.values())
            drawn = self._drawn(person) if now != seen else told
            yield drawn if drawn != told else STILL_HERE
            seen, told = now, drawn
            with suppress(TimeoutError):
                await asyncio.wait_for(closing.wait(), BEAT_S)
