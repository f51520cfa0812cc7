"""A journal opened by where it is: a file, or the URL of a PostgreSQL database."""

from pathlib import Path

from puntobanco.errors import MalformedError
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
        wants = "PostgreSQL wants an extra: pip install puntobanco[postgres]"
        raise MalformedError(wants) from error
    return await postgres.open_log(where, create=create)
