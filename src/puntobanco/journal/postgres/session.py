"""The one session by which a process writes to PostgreSQL and holds streams.

Both go by the same connection, so that losing it is a fence: with the session its locks are gone,
and nothing that was decided under them can be written any more. Another is made with growing
pauses; until then nothing is taken.
"""

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psycopg

from puntobanco.errors import UnusableError
from puntobanco.journal.log import AwayError, SucceededError
from puntobanco.journal.postgres import succession as s
from puntobanco.journal.postgres.tables import LOCK, Db
from puntobanco.journal.sql import OURS, Generation
from puntobanco.journal.verify import HOUSE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

LOGGER = logging.getLogger(__name__)
FIRST_PAUSE_S, MOST_PAUSE_S = 0.05, 1.0
"""Seconds between two tries to connect: at first, and at most."""
LIVELY: dict[str, Any] = {
    "autocommit": True,
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A server whose plug was pulled is noticed within some ten seconds."""
HOLD = """SELECT stream FROM unnest(%s::text[]) stream
    WHERE pg_try_advisory_lock(hashtextextended(current_schema() || ' ' || stream, %s))"""
LOST = (psycopg.OperationalError, psycopg.InterfaceError)
"""What a lost connection answers with; other things do too, so one asks whether it is closed."""


async def connected(url: str) -> Db:
    return await psycopg.AsyncConnection.connect(url, **LIVELY)


class WritingSession:
    """A connection that is made anew when it is lost."""

    def __init__(self, db: Db, url: str) -> None:
        self.db = db
        self.turn = asyncio.Lock()
        """Whose turn it is: a transaction of one is never in the way of another."""
        self.held: set[str] = set()
        """The streams whose advisory locks this session has."""
        self._url = url
        self.away = ""
        """Why it was lost, while there is no other."""
        self._doubted = ""
        """Why it may be lost, until that is known."""
        self.succeeded = ""
        """The newer program that writes here now, in words."""
        self._writes = False
        self._closing = False
        self._mending: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self.came_back: Callable[[], None] = lambda: None
        """Called once there is another connection, before it is used."""

    def check(self) -> None:
        """Refuse at once while the session is lost."""
        if self.away:
            raise AwayError(self.away)

    def check_reading(self) -> None:
        """Refuse at once also while it is doubted, for whoever reads keeps everybody waiting."""
        self.check()
        if self._doubted:
            raise AwayError(self._doubted)

    def check_writing(self) -> None:
        """Refuse also where a newer program has begun to write."""
        if self.succeeded:
            raise SucceededError(self.succeeded)
        self.check()

    def is_lost(self, error: Exception) -> bool:
        """Whether the connection ended with this error; if so, another is being made."""
        if not (isinstance(error, LOST) and self.db.closed):
            return False
        if not self.away:
            self.away = " ".join(str(error).split()) or "the connection was lost"
            self.held.clear()
            LOGGER.warning("the database is away, and nothing is taken: %s", self.away)
            self._mending = self._loop.create_task(self._mend(), name="reconnecting")
        return True

    async def _mend(self) -> None:
        pause_s = FIRST_PAUSE_S
        while self.away and not self._closing:
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, MOST_PAUSE_S)
            with suppress(psycopg.Error):
                db = await connected(self._url)
                try:
                    if self._writes and not self.succeeded:
                        await self._write_beside(db)
                except psycopg.Error:
                    await db.close()
                    raise
                self.db = db
                self.came_back()
                self.away = ""
                LOGGER.warning("the database is back")

    def suspect(self, why: str = "") -> None:
        """Look whether the session is still there, since another connection was lost. Where none
        could be had, say `why`: nobody waits for one until that is known.
        """
        self._doubted = self._doubted or why
        self._loop.call_soon_threadsafe(lambda: self._loop.create_task(self.ping()))

    async def ping(self) -> None:
        """Notice a loss before anybody's command does."""
        try:
            if not self.away:
                async with self.turn:
                    await self.db.execute("SELECT")
        except LOST as error:
            self.is_lost(error)
        finally:
            self._doubted = ""

    async def hold(self, streams: list[str]) -> None:
        """Take the locks of streams that no other session has."""
        self.check()
        try:
            async with self.turn:
                held = await (await self.db.execute(HOLD, (streams, LOCK))).fetchall()
        except LOST as error:
            if self.is_lost(error):
                raise AwayError(str(error)) from error
            raise
        self.held |= {row[0] for row in held}

    # who writes

    async def check_newest(self) -> None:
        """Refuse to write where a newer program has begun to."""
        newest = await s.newest_on_record(self.db)
        if newest > OURS:
            raise SucceededError(s.who_writes(newest))

    async def succeed(self, begin: "Callable[[], Awaitable[None]]") -> None:
        """Write from now on, beside others of the same program. The first of them calls `begin`,
        once no older one writes.
        """
        for _ in range(s.TRIES):
            alone = await self._try_alone()
            try:
                newest = await s.newest_on_record(self.db)
                begins = alone and newest < OURS and await self._holds_house()
                if begins:
                    await begin()
            finally:
                if alone:
                    async with self.turn:
                        await self.db.execute(s.NOT_ALONE)
            if begins or newest >= OURS:
                self._writes = True
                await self._write_beside(self.db)
                await self.check_newest()
                return
            await asyncio.sleep(s.PAUSE_S)
        raise UnusableError(s.STILL_THERE)

    async def _try_alone(self) -> bool:
        """Say to older programs that a newer one is there; whether nobody else writes now."""
        async with self.turn:
            if await s.newest_on_record(self.db) >= OURS:
                return False
            await self.db.execute("SELECT pg_notify('puntobanco', %s)", (s.announcement(),))
            return bool(await s.one(self.db, s.ALONE))

    async def _holds_house(self) -> bool:
        """Whether nobody runs the house who knows nothing of the lock, as the oldest programs."""
        await self.hold([HOUSE])
        return HOUSE in self.held

    async def _write_beside(self, db: Db) -> None:
        """Take the lock of those who write; what is on record after that holds for as long."""
        await db.execute(s.BESIDE)
        newest = await s.newest_on_record(db)
        if newest > OURS:
            self.succeeded = s.who_writes(newest)

    async def give_way(self, newer: Generation) -> None:
        """Write nothing more, once what is under way is stored, and let go of all that is held."""
        if newer <= OURS or self.succeeded:
            return
        self.succeeded = s.who_writes(newer)
        self.held.clear()
        try:
            async with self.turn:
                await self.db.execute(s.LEAVE)
        except LOST as error:  # with the session its locks are gone
            self.is_lost(error)

    async def close(self) -> None:
        self._closing = True
        if self._mending is not None:  # cancelled, it could leave a connection open
            await self._mending
        await self.db.close()
