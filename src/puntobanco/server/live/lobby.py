"""The lobby while tables play: only what changed is sent, drawn once for everybody.

Once a beat the tables that have changed are drawn anew. A message has, for each of them, the
regions that differ, as changes to the text that every reader has; whoever comes with a page that
is a few beats old is sent what they missed, everybody else the whole.
"""

import asyncio
import re
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import suppress
from difflib import SequenceMatcher

import msgspec
from msgspec import Struct

from puntobanco.house.house import House, ListedTable
from puntobanco.server.live.board import BEAT_S, STILL_HERE
from puntobanco.server.rendering import Pages

REGIONS = ("state", "seats", "road")
"""What of a table changes while it plays; all else is drawn with the page."""
KEPT = 60
"""Beats that a page may be old and still be told only what changed."""
QUIET = 15
"""Beats without news after which a stream says that it is still there."""
TENTH_MS = 100
QUICK_MS, STEADY_MS = 30_000, 60_000
"""A coup that takes no longer is quick, or steady."""
PART = re.compile(r'(?=<)|(?=")|(?<=")')
"""Where a text is taken apart: before each tag, and around what is between quotes."""
CLOSED = re.compile(r"<(\w+)([^<>]*?)\s*/>")
QUOTES = {"&#39;": "'", "&#x27;": "'", "&#34;": '"', "&quot;": '"'}
Changes = list[int | str]
"""The length of the new text; then, from its beginning, how much of the old one stays, how much
goes, what comes in its place, and so on. What is left stays."""
Tile = dict[str, str]


def as_written_by_browsers(html: str) -> str:
    """The same markup as a browser writes it down, so that a reader's own text can be changed.

    >>> as_written_by_browsers('<path d="M1 2"/><p>1 &#34;and&#34; 2</p>')
    '<path d="M1 2"></path><p>1 "and" 2</p>'
    """
    html = CLOSED.sub(r"<\1\2></\1>", html.strip())
    for entity, sign in QUOTES.items():
        html = html.replace(entity, sign)
    return html


def changes(old: str, new: str) -> Changes:
    """What makes one text of the other.

    >>> changes("<b>Bets</b><i>9</i>", "<b>Cards</b><i>8</i>")
    [20, 3, 3, 'Card', 8, 1, '8']
    """
    before, after = PART.split(old), PART.split(new)
    found: Changes = [len(new)]
    at = done = 0
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        was = "".join(before[a:b])
        if kind != "equal":
            same, gone, put = _narrowed(was, "".join(after[c:d]))
            found += [at + same - done, gone, put]
            done = at + same + gone
        at += len(was)
    return found


def _narrowed(old: str, new: str) -> tuple[int, int, str]:
    """How far both begin alike, then what goes and what comes, up to where they end alike."""
    least = min(len(old), len(new))
    start = next((n for n in range(least) if old[n] != new[n]), least)
    rest = least - start
    end = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    return start, len(old) - start - end, new[start : len(new) - end]


def tempo_word(listed: ListedTable) -> str:
    """How fast a table is, in a word of the catalogue."""
    if listed.coup_ms is None:
        return "people"
    if listed.coup_ms <= QUICK_MS:
        return "quick"
    return "steady" if listed.coup_ms <= STEADY_MS else "slow"


class TileShown(Struct, frozen=True):
    """One table of the lobby as it was drawn."""

    listed: ListedTable
    tile: str
    """What of it stays; a page that has another is asked for anew."""
    regions: Tile


class Lobby:
    """The tables of the house as the lobby shows them."""

    def __init__(self, house: House, pages: Pages) -> None:
        self._house = house
        self._pages = pages
        self.beat = 0
        self.began_ms = house.time.now_ms()
        """From here on times are counted, in tenths of a second: they are shorter so."""
        self.tables: dict[str, TileShown] = {}
        self._drawn: dict[str, tuple[int, int]] = {}
        self._sent: deque[bytes] = deque(maxlen=KEPT)
        """The messages of the last beats."""

    def refresh(self) -> None:
        """Draw the tables that have changed, and keep a message with what is new."""
        now = {
            name: (one.seq, self._house.register.seq) for name, one in self._house.tables.items()
        }
        stale = [name for name, seen in now.items() if self._drawn.get(name) != seen]
        self._drawn = now
        news: dict[str, dict[str, Changes] | None] = {}
        for listed in self._house.listed(stale):
            before, after = self.tables.get(listed.table), self._draw(listed)
            self.tables[listed.table] = after
            if before is None or before.tile != after.tile:
                news[listed.table] = None
            elif before.regions != after.regions:
                news[listed.table] = {
                    name: changes(before.regions[name], html)
                    for name, html in after.regions.items()
                    if before.regions[name] != html
                }
        if news:
            self.beat += 1
            self._sent.append(self._message(news))

    def _message(self, news: object) -> bytes:
        return b"id: %d\ndata: %b\n\n" % (self.beat, msgspec.json.encode(news))

    def _draw(self, listed: ListedTable) -> TileShown:
        closes = None if listed.until_ms is None else (listed.until_ms - self.began_ms) // TENTH_MS
        facts = {"one": listed, "tempo": tempo_word(listed), "closes": closes}
        tile = self._pages.render("live/lobby/tile.html", **facts)
        drawn = {
            "state": self._pages.render("live/lobby/state.html", **facts),
            "seats": self._pages.render("live/lobby/seats.html", **facts),
            "road": self._pages.render("live/lobby/road.html", **facts),
        }
        regions = {name: as_written_by_browsers(html) for name, html in drawn.items()}
        return TileShown(listed, tile, regions)

    def since(self, beat: int | None) -> Iterable[bytes]:
        """What a reader who was there at a beat has missed; the whole if that is too long ago."""
        missed = self.beat - beat if beat is not None else -1
        if 0 <= missed <= len(self._sent):
            return list(self._sent)[len(self._sent) - missed :]
        return [self._message({name: shown.regions for name, shown in self.tables.items()})]

    async def stream(
        self, beat: int | None, is_good: Callable[[], bool], closing: asyncio.Event
    ) -> AsyncGenerator[bytes, None]:
        """Messages for one reader, until they go."""
        self.refresh()
        yield b"retry: 1000\n\n" + b"".join(self.since(beat))
        seen, quiet = self.beat, 0
        while not closing.is_set() and is_good():
            with suppress(TimeoutError):
                await asyncio.wait_for(closing.wait(), BEAT_S)
            self.refresh()
            if self.beat != seen:
                yield b"".join(self.since(seen))
                seen, quiet = self.beat, 0
            elif (quiet := quiet + 1) >= QUIET:
                yield STILL_HERE
                quiet = 0
