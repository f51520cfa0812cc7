"""Backups: a journal copied while it is in use, whole and as it was at one moment."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from puntobanco.errors import UnusableError
from puntobanco.journal.erasable_tables import COPIED
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import Checked, verify

CHUNK = 1000
"""The rows, or sealed values, that are copied at a time."""
Value = TypeVar("Value")


async def copy(
    source: EventLog, target: EventLog, progress: Callable[[int], object] | None = None
) -> Checked:
    """Copy every row and sealed value into an empty journal, of either kind, and verify it.

    The rows keep their hashes, so the copy has the same root.
    """
    if target.streams():
        raise UnusableError("the journal to copy into is not empty; nothing was copied")
    count = 0
    with source.frozen():
        for stream in source.streams():
            for rows in _chunks(source.read(stream)):
                await target.adopt(rows, [])
                count += len(rows)
                if progress:
                    progress(count)
        for sealed in _chunks(source.all_sealed()):
            await target.adopt([], sealed)
        _copy_ordinary(source, target)
    return verify(target)


def _copy_ordinary(source: EventLog, target: EventLog) -> None:
    for table in [table for table, since in COPIED.items() if source.schema() >= since]:
        for row in source.ordinary(f"SELECT * FROM {table}"):  # noqa: S608
            places = ", ".join("?" * len(row))
            target.ordinary(f"INSERT INTO {table} VALUES ({places})", *row)  # noqa: S608


def _chunks(values: Iterable[Value]) -> Iterator[list[Value]]:
    rest = iter(values)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk
