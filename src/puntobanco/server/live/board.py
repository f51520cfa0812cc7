"""Live pages: one stream per viewer, and one rendering for all who see the same.

A message carries the regions of a page that changed, at the number of the row that changed them.
A client that connects, comes back, or was too slow gets the whole page anew.
"""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from itertools import count
from typing import NamedTuple

import msgspec
from msgspec import Struct

from puntobanco.house.stream import Stream
from puntobanco.journal.log import AwayError
from puntobanco.table.state import Table
from puntobanco.table.view import Viewer

LOGGER = logging.getLogger(__name__)
QUEUE = 32
"""Messages a client may lag behind before it is dropped, to come back."""
BEAT_S = 1.0
"""Seconds between looks of a quiet stream at whether its session still holds."""
BEAT_PARTS = 20
"""In so many parts all who watch are woken, one after another: news waits for none but its part."""
NOW = re.compile(r' data-now="\d+"')
"""That time has passed is no change: clients count down by themselves."""
STILL_HERE = b": still here\n\n"
Regions = dict[str, str]


class LiveScreen(NamedTuple):
    """A live page, and the shape of the felt that fits where it is looked at."""

    page: str
    shape: str = ""


Render = Callable[[LiveScreen, Stream[Table], Viewer], Regions]
"""A screen, a table and a viewer: the regions of that page in HTML."""


class Message(Struct, frozen=True):
    seq: int
    regions: Regions
    whole: bool = False
    age_ms: int = 0
    """How long ago the regions were drawn: times on them run from then."""


def encode(message: Message) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (message.seq, msgspec.json.encode(message))


class Channel:
    """All who see the same page of the same table with the same eyes."""

    def __init__(self) -> None:
        self.regions: Regions = {}
        self.seq = -1
        self.besides = -1
        self.drawn_s = 0.0
        self.clients: set[asyncio.Queue[bytes | None]] = set()

    def send(self, seq: int, besides: int, regions: Regions) -> None:
        before = {name: NOW.sub("", html) for name, html in self.regions.items()}
        changed = {
            name: html for name, html in regions.items() if before.get(name) != NOW.sub("", html)
        }
        self.seq, self.besides, self.regions = seq, besides, regions
        self.drawn_s = asyncio.get_running_loop().time()
        if not changed:
            return
        message = encode(Message(seq, changed))
        for queue in tuple(self.clients):
            try:
                queue.put_nowait(message)
            except asyncio.QueueFull:
                self.clients.discard(queue)
                queue.get_nowait()
                queue.put_nowait(None)

    def beat(self, part: int = 0, parts: int = 1) -> None:
        """Wake the streams that have nothing to send, so that each looks at its session."""
        for queue in self.clients:
            if hash(queue) % parts == part and queue.empty():
                queue.put_nowait(STILL_HERE)

    def whole(self) -> bytes:
        """The page as it was last drawn, for whoever comes to it now."""
        age_ms = int((asyncio.get_running_loop().time() - self.drawn_s) * 1000)
        return encode(Message(self.seq, self.regions, whole=True, age_ms=age_ms))


class Board:
    """The live pages of one table."""

    def __init__(
        self,
        table: Stream[Table],
        render: Render,
        besides: Callable[[], int],
        drawn: Callable[[int], object] = lambda _at_ms: None,
    ) -> None:
        self.table = table
        self._drawn = drawn
        """Told of each row that was drawn for those who watch, by its time."""
        self._render = render
        self._besides = besides
        """Changes when something a page shows besides the table has changed."""
        self._closed = False
        self._channels: dict[tuple[LiveScreen, Viewer], Channel] = {}
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def watchers(self) -> int:
        return sum(len(channel.clients) for channel in self._channels.values())

    async def _follow(self) -> None:
        """Render once for each channel whenever the table has changed."""
        while True:
            async with aclosing(self.table.changes()) as changes:
                async for change in changes:
                    await asyncio.sleep(0)  # what came in the same breath is shown together
                    self.refresh()
                    self._drawn(change.at_ms)
            self.refresh()  # we were too slow ourselves: catch up

    async def _beat(self) -> None:
        """One clock for all clients: the table may be quiet, but an account or a name changed."""
        for beat in count():
            await asyncio.sleep(BEAT_S / BEAT_PARTS)
            part = beat % BEAT_PARTS
            for (screen, viewer), channel in tuple(self._channels.items()):
                drawn = channel.seq, channel.besides
                if part == 0 and channel.clients and drawn != (self.table.seq, self._besides()):
                    with suppress(AwayError):  # it stays as it was, until a later beat
                        self._draw(screen, viewer, channel)
                channel.beat(part, BEAT_PARTS)

    def refresh(self) -> None:
        """While the database is away pages stay as they were; a later beat draws them."""
        with suppress(AwayError):
            for (screen, viewer), channel in tuple(self._channels.items()):
                if not channel.clients:
                    del self._channels[screen, viewer]
                elif channel.seq != self.table.seq:
                    self._draw(screen, viewer, channel)

    def _draw(self, screen: LiveScreen, viewer: Viewer, channel: Channel) -> None:
        regions = self._render(screen, self.table, viewer)
        channel.send(self.table.seq, self._besides(), regions)

    async def stream(
        self, screen: LiveScreen, viewer: Callable[[], Viewer | None]
    ) -> AsyncGenerator[bytes, None]:
        """Messages for one client, until it goes, lags, or its session ends."""
        if self._closed:
            return
        self._start()
        now = viewer()
        if now is None:
            return
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)
        channel = self._join(screen, now, queue)
        try:
            yield b"retry: 1000\n\n" + channel.whole()
            while True:
                message = await queue.get()
                before, now = now, viewer()
                if message is None or now is None:
                    return
                if now != before:  # sat down, signed on, lost a role: another view from here on
                    channel.clients.discard(queue)
                    channel = self._join(screen, now, queue)
                    message = channel.whole()
                yield message
        finally:
            channel.clients.discard(queue)

    def _start(self) -> None:
        if self._tasks and not any(task.done() for task in self._tasks):
            return
        self._stop()
        self._tasks = [asyncio.create_task(one) for one in (self._follow(), self._beat())]
        for task in self._tasks:
            task.add_done_callback(self._ended)

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _join(
        self, screen: LiveScreen, viewer: Viewer, queue: asyncio.Queue[bytes | None]
    ) -> Channel:
        channel = self._channels.get((screen, viewer))
        if channel is None or not channel.clients:
            channel = self._channels[screen, viewer] = Channel()
        if channel.seq != self.table.seq or channel.besides != self._besides():
            self._draw(screen, viewer, channel)
        channel.clients.add(queue)
        return channel

    def _ended(self, task: asyncio.Task[None]) -> None:
        """End the streams of a page that is not drawn any more; clients that come back try anew."""
        if not task.cancelled() and (error := task.exception()):
            LOGGER.error("the pages of %s cannot be drawn", self.table.name, exc_info=error)
            self._dismiss()

    def close(self) -> None:
        """The house shuts: every stream ends."""
        self._closed = True
        self._stop()
        self._dismiss()

    def _dismiss(self) -> None:
        for channel in self._channels.values():
            for queue in channel.clients:
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(None)


def once_a_beat(ask: Callable[[], bool]) -> Callable[[], bool]:
    """The same answer within a beat: a busy table need not ask the database for every message."""
    asked_s, answer = -BEAT_S, True

    def again() -> bool:
        nonlocal asked_s, answer
        now_s = asyncio.get_running_loop().time()
        if now_s - asked_s >= BEAT_S:
            asked_s, answer = now_s, ask()
        return answer

    return again
