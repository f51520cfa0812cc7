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

from puntobanco.journal.log import AwayError
from puntobanco.journal.postgres.tables import LOCK, Db

if TYPE_CHECKING:
    from collections.abc import Callable

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
        self._closing = False
        self._mending: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self.came_back: Callable[[], None] = lambda: None
        """Called once there is another connection, before it is used."""

    def check(self) -> None:
        """Refuse at once while the session is lost."""
        if self.away:
            raise AwayError(self.away)

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
                self.db = await connected(self._url)
                self.came_back()
                self.away = ""
                LOGGER.warning("the database is back")

    def suspect(self) -> None:
        """Look whether the session is still there, since another connection was lost."""
        self._loop.call_soon_threadsafe(lambda: self._loop.create_task(self.ping()))

    async def ping(self) -> None:
        """Notice a loss before anybody's command does."""
        if self.away:
            return
        try:
            async with self.turn:
                await self.db.execute("SELECT")
        except LOST as error:
            self.is_lost(error)

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

    async def close(self) -> None:
        self._closing = True
        if self._mending is not None:  # cancelled, it could leave a connection open
            await self._mending
        await self.db.close()
