"""What waits for a reader, in the bar of every page: drawn for one person, sent when it changes."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from urllib.parse import quote

import msgspec
from msgspec import Struct

from puntobanco.house.access.waiting import Waiting, waiting_for
from puntobanco.house.checks.signs import signs_of
from puntobanco.house.house import House
from puntobanco.house.stream import COMPETITION
from puntobanco.server.live.board import BEAT_S, STILL_HERE
from puntobanco.server.rendering import Pages
from puntobanco.table.actor import Role

MOST_KEPT = 2000
"""Waits whose beginning is remembered; beyond that the oldest are forgotten."""
ADDRESSES = {
    "approve": "/tables/{at}/proposals/{number}?page=floor",
    "second": "/house/do/{at}/approve?proposal={number}",
    "dispute": "/tables/{at}/do/decide-dispute?dispute={number}&page=pit",
    "step": "/tables/{at}/{page}",
    "slip": "/house/cage/slips/{number}",
    "competition": "/competitions/{at}",
    "told": "/tables/{at}/do/acknowledge-face-down?role={role}&page=pit",
    "sign": "/house/running",
    "photos": "/floor/incidents",
    "locked": "/house/people/{by}",
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
        self._since_ms: dict[tuple[str, str, int, str, str], int] = {}

    def of(self, person: str) -> tuple[WaitLine, ...]:
        """What waits for a person; for players and strangers, nothing."""
        return tuple(map(self._line, waiting_for(self._house, person)))

    def _line(self, what: Waiting) -> WaitLine:
        key = (what.at, what.kind, what.number, str(what.step or what.ask), what.by)
        if key not in self._since_ms and len(self._since_ms) >= MOST_KEPT:
            self._since_ms.pop(next(iter(self._since_ms)))
        since_ms = self._since_ms.setdefault(key, self._house.time.now_ms())
        at = what.at.removeprefix(COMPETITION)
        role = str(what.facts.get("role", ""))
        facts = {"at": at, "number": what.number, "by": what.by, "role": quote(role)}
        facts["page"] = "dealer" if role == Role.DEALER else "pit"
        href = ADDRESSES[what.kind].format(**facts)
        return WaitLine(what, href, since_ms)

    def _drawn(self, person: str) -> bytes:
        html = self._pages.render("shell/inbox.html", waits=self.of(person))
        return b"data: %b\n\n" % msgspec.json.encode(html)

    def _depends(self) -> tuple[int, ...]:
        """While this stays the same, nothing more or less waits for anybody."""
        house = self._house
        rows = house.register.seq + house.cage.seq + house.noted
        rows += sum(table.seq for table in house.tables.values())
        rows += sum(cup.seq for cup in house.competitions.values())
        return (rows, *(sign.good for sign in signs_of(house)))

    async def stream(
        self, person: str, is_good: Callable[[], bool], closing: asyncio.Event
    ) -> AsyncGenerator[bytes, None]:
        """The list whenever it has changed, at most once a beat; until the session ends."""
        seen: tuple[int, ...] = ()
        told = b""
        while is_good() and not closing.is_set():
            now = self._depends()
            drawn = self._drawn(person) if now != seen else told
            yield drawn if drawn != told else STILL_HERE
            seen, told = now, drawn
            with suppress(TimeoutError):
                await asyncio.wait_for(closing.wait(), BEAT_S)
