"""Lists of tables that change while one looks: only what changed is sent, drawn once for all.

Once a beat the tables that have changed are drawn anew. A message has, for each of them, the
regions that differ, as changes to the text that every reader has; whoever comes with a page that
is a few beats old is sent what they missed, everybody else the whole.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import suppress
from difflib import SequenceMatcher
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from puntobanco.house.house import House
from puntobanco.server.live.board import BEAT_S, STILL_HERE

KEPT = 60
"""Beats that a page may be old and still be told only what changed."""
QUIET = 15
"""Beats without news after which a stream says that it is still there."""
PART = re.compile(r'(?=<)|(?=")|(?<=")')
"""Where a text is taken apart: before each tag, and around what is between quotes."""
CLOSED = re.compile(r"<(\w+)([^<>]*?)\s*/>")
QUOTES = {"&#39;": "'", "&#x27;": "'", "&#34;": '"', "&quot;": '"'}
Changes = list[int | str]
"""The length of the new text; then, from its beginning, how much of the old one stays, how much
goes, what comes in its place, and so on. What is left stays."""
Regions = dict[str, str]
Listed = TypeVar("Listed")
News = dict[str, dict[str, Changes] | Regions | None]
"""By table its changed regions; None: it is another, and the page is asked for anew."""


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


class TileShown(Struct, Generic[Listed], frozen=True):
    """One table of a list as it was drawn."""

    listed: Listed
    tile: str
    """What of it stays; a page that has another is asked for anew."""
    regions: Regions


class Tiles(ABC, Generic[Listed]):
    """The tables of the house as one list shows them."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.beat = 0
        self.began_ms = house.time.now_ms()
        """From here on times are counted, in tenths of a second: they are shorter so."""
        self.tables: dict[str, TileShown[Listed]] = {}
        self._drawn: dict[str, tuple[int, ...]] = {}
        self._sent: deque[tuple[News, bytes]] = deque(maxlen=KEPT)
        """The messages of the last beats."""

    @abstractmethod
    def draw(self, names: list[str]) -> Iterator[tuple[str, TileShown[Listed]]]:
        """Draw the tables that have changed."""

    def marks(self) -> dict[str, tuple[int, ...]]:
        """By table, what has changed when it is to be drawn anew."""
        register = self._house.register.seq
        return {name: (one.seq, register) for name, one in self._house.tables.items()}

    def refresh(self) -> None:
        """Draw the tables that have changed, and keep a message with what is new."""
        now = self.marks()
        stale = [name for name, seen in now.items() if self._drawn.get(name) != seen]
        self._drawn = now
        news: News = {}
        for name, after in self.draw(stale) if stale else ():
            before = self.tables.get(name)
            self.tables[name] = after
            if before is None or before.tile != after.tile:
                news[name] = None
            elif before.regions != after.regions:
                news[name] = {
                    region: changes(before.regions[region], html)
                    for region, html in after.regions.items()
                    if before.regions[region] != html
                }
        if news:
            self.beat += 1
            self._sent.append((news, self._message(news)))

    def _message(self, news: News) -> bytes:
        return b"id: %d\ndata: %b\n\n" % (self.beat, msgspec.json.encode(news))

    def since(self, beat: int | None, only: frozenset[str] | None = None) -> Iterable[bytes]:
        """What a reader who was there at a beat has missed; the whole if that is too long ago.

        `only` are the tables that the reader may see; None: all.
        """
        missed = self.beat - beat if beat is not None else -1
        if 0 <= missed <= len(self._sent):
            sent = list(self._sent)[len(self._sent) - missed :]
            if only is None:
                return [message for _, message in sent]
            return [self._message(_some(news, only)) for news, _ in sent]
        whole: News = {name: shown.regions for name, shown in self.tables.items()}
        return [self._message(whole if only is None else _some(whole, only))]

    async def stream(
        self,
        beat: int | None,
        is_good: Callable[[], bool],
        closing: asyncio.Event,
        only: Callable[[], frozenset[str] | None] = lambda: None,
    ) -> AsyncGenerator[bytes, None]:
        """Messages for one reader, until they go."""
        self.refresh()
        yield b"retry: 1000\n\n" + b"".join(self.since(beat, only()))
        seen, quiet = self.beat, 0
        while not closing.is_set() and is_good():
            with suppress(TimeoutError):
                await asyncio.wait_for(closing.wait(), BEAT_S)
            self.refresh()
            if self.beat != seen:
                yield b"".join(self.since(seen, only()))
                seen, quiet = self.beat, 0
            elif (quiet := quiet + 1) >= QUIET:
                yield STILL_HERE
                quiet = 0


def _some(news: News, only: frozenset[str]) -> News:
    return {name: one for name, one in news.items() if name in only}
