"""Opens a journal by its address: a file, or the URL of a PostgreSQL database."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from puntobanco.errors import DamagedError, MalformedError
from puntobanco.extras import wanted
from puntobanco.journal.log import EventLog
from puntobanco.journal.sqlite import open_log

URLS = ("postgresql:", "postgres:")


def is_url(where: str) -> bool:
    return where.startswith(URLS)


async def open_journal(where: str, *, create: bool = False) -> EventLog:
    """Open a journal; with `create`, make it if it is not there, or bring an older one forward."""
    if not is_url(where):
        return open_log(Path(where), create=create)
    try:
        from puntobanco.journal import postgres  # noqa: PLC0415  an extra
    except ImportError as error:
        raise MalformedError(f"PostgreSQL: {wanted(error) or error}") from error
    return await postgres.open_log(where, create=create)


@asynccontextmanager
async def journal_at(where: str, *, create: bool = False) -> AsyncIterator[EventLog]:
    """Open a journal and close it in the end; a damaged database raises an error of one line."""
    try:
        log = await open_journal(where, create=create)
        try:
            yield log
        finally:
            await log.close()
    except sqlite3.Error as error:
        raise DamagedError(f"{where}: the database cannot be read: {error}") from error
    except Exception as error:
        if type(error).__module__.startswith("psycopg"):  # an extra that may not be installed
            said = " ".join(str(error).split())
            raise DamagedError(f"the database cannot be read: {said}") from error
        raise
