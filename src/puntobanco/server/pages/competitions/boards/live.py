"""Boards while they are looked at: one rendering for all who watch the same one, and only what
changed is sent.

A board follows its competition and every table of the session. Tables move with each card and each
wager; what a board shows of them changes when a coup is settled, so most rows bring nothing.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any

from puntobanco.house.competitions.public.board import BoardSeen, BoardWanted, CupBoards
from puntobanco.house.house import House
from puntobanco.house.stream import Stream
from puntobanco.journal.log import AwayError
from puntobanco.server.live.board import BEAT_S, QUEUE, Channel, Regions
from puntobanco.server.live.tiles import QUIET
from puntobanco.server.pages.competitions.boards.drawn import (
    PARTS,
    BoardPart,
    frame_of,
    parts_of,
)
from puntobanco.server.rendering import Pages

LOGGER = logging.getLogger(__name__)


class BoardChannel(Channel):
    """All who watch the same board."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: BoardSeen | None = None
        self.parts: dict[str, BoardPart] = {}


class CupWall:
    """The boards of one competition."""

    def __init__(
        self,
        house: House,
        stream: Stream[Any],
        boards: CupBoards,
        pages: Pages,
        closing: asyncio.Event,
    ) -> None:
        self._house = house
        self._stream = stream
        self._boards = boards
        self._pages = pages
        self._closing = closing
        self._channels: dict[BoardWanted, BoardChannel] = {}
        self._moved = asyncio.Event()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def regions(self, wanted: BoardWanted) -> Regions:
        """A board as it is now, for the page that begins with it."""
        channel = BoardChannel()
        return self._drawn(channel, self._boards.board(self._stream, wanted))

    async def stream(self, wanted: BoardWanted) -> AsyncGenerator[bytes, None]:
        """Messages for one screen, until it goes or lags; nobody is asked who they are."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)
        channel = self._channels.setdefault(wanted, BoardChannel())
        if not channel.clients:
            self._draw(wanted, channel)
        channel.clients.add(queue)
        self._start()
        try:
            yield b"retry: 1000\n\n" + channel.whole()
            while (message := await queue.get()) is not None:
                yield message
        finally:
            channel.clients.discard(queue)
            if not any(one.clients for one in self._channels.values()):
                self._stop()

    # what changes

    def _start(self) -> None:
        if "run" in self._tasks and not self._tasks["run"].done():
            return
        self._stop()
        self._tasks["run"] = asyncio.create_task(self._run())
        self._tasks["run"].add_done_callback(self._ended)
        self._tasks["closing"] = asyncio.create_task(self._until_closing())

    def _stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()

    async def _run(self) -> None:
        """Draw when anything moved; otherwise once a beat, for a name may have changed."""
        quiet = 0
        while True:
            self._follow_all()
            try:
                await asyncio.wait_for(self._moved.wait(), BEAT_S)
            except TimeoutError:
                quiet += 1
            self._moved.clear()
            await asyncio.sleep(0)  # what came in the same breath is shown together
            for wanted, channel in tuple(self._channels.items()):
                if channel.clients:
                    with suppress(AwayError):  # it stays as it was, until a later beat
                        self._draw(wanted, channel)
                    if quiet >= QUIET:
                        channel.beat()
                else:
                    del self._channels[wanted]
            quiet %= QUIET

    def _follow_all(self) -> None:
        """The competition, and the tables of its session as they are now."""
        session = self._stream.state.sessions.get(self._stream.state.session)
        tables = (*session.seats, *session.moved.values()) if session else ()
        held = [self._house.tables[one] for one in tables if one in self._house.tables]
        for one in (self._stream, *held):
            if one.name not in self._tables_followed:
                self._tasks[f"of {one.name}"] = asyncio.create_task(self._follow(one))

    @property
    def _tables_followed(self) -> set[str]:
        return {name[3:] for name, task in self._tasks.items() if not task.done()}

    async def _follow(self, stream: Stream[Any]) -> None:
        async with aclosing(stream.changes()) as changes:
            async for _ in changes:
                self._moved.set()
        self._moved.set()  # we were too slow ourselves: followed anew with the next look

    def _draw(self, wanted: BoardWanted, channel: BoardChannel) -> None:
        seen = self._boards.board(self._stream, wanted)
        if seen != channel.seen:
            channel.send(channel.seq + 1, 0, self._drawn(channel, seen))

    def _drawn(self, channel: BoardChannel, seen: BoardSeen) -> Regions:
        """Every region; those that show the same as before are not drawn again."""
        before, old = channel.regions, channel.parts
        parts = parts_of(seen)
        channel.seen, channel.parts = seen, parts
        now_ms = self._house.time.now_ms()
        regions = {
            name: before[name]
            if name in before and old.get(name) == part and not part.timed
            else self._pages.render(f"{PARTS}/{part.template}.html", of=part.of, now_ms=now_ms)
            for name, part in parts.items()
        }
        return {"frame": frame_of(seen, parts), **regions}

    # the end

    async def _until_closing(self) -> None:
        await self._closing.wait()
        self._dismiss()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            LOGGER.error("the boards of %s cannot be drawn", self._stream.name, exc_info=error)
            self._dismiss()

    def _dismiss(self) -> None:
        """Every stream ends; whoever comes back tries anew."""
        for channel in self._channels.values():
            for queue in channel.clients:
                with suppress(asyncio.QueueFull):
                    queue.put_nowait(None)


class CupWalls:
    """The boards of each competition that somebody watches."""

    def __init__(self, house: House, pages: Pages, closing: asyncio.Event) -> None:
        self._house = house
        self._pages = pages
        self._closing = closing
        self.boards = CupBoards(house)
        self._walls: dict[str, CupWall] = {}

    def of(self, stream: Stream[Any]) -> CupWall:
        if stream.name not in self._walls:
            self._walls[stream.name] = CupWall(
                self._house, stream, self.boards, self._pages, self._closing
            )
        return self._walls[stream.name]
