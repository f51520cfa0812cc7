"""Backups: a journal copied while it is in use, whole and as it was at one moment."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import islice
from typing import TypeVar

from puntobanco.errors import UnusableError
from puntobanco.journal.chain import Head, row_fault
from puntobanco.journal.erasable_tables import COPIED, Values
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import Checked, verify

CHUNK = 1000
"""The rows, or sealed values, that are copied at a time."""
PHOTOS = "photos"
NOT_THE_SAME = (
    "{stream}: the copy has row {row}, and the house has another or none in its place. One of them"
    " was changed, or brought back from something older: keep both, and verify them"
)
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


class Following:
    """A copy that is brought up to date again and again, and is whole at every moment."""

    def __init__(self, source: EventLog, target: EventLog) -> None:
        self._source, self._target = source, target
        self._sealed = target.commitments()
        self._beside: dict[str, bytes] = {}
        """Of each table beside the log, the digest of what was copied last."""

    async def catch_up(self) -> int:
        """Copy what came since the last time, as it was at one moment; how many rows that were.

        Each row must follow what the copy has: a house that was rewritten, or brought back from
        something older, ruins no copy.
        """
        with self._source.frozen():
            rows = [row for stream in self._streams() for row in self._since(stream)]
            new = sorted(self._source.commitments() - self._sealed)
            sealed = [value for one in new if (value := self._source.sealed(one)) is not None]
            if rows or sealed:
                await self._target.adopt(rows, sealed)
            self._sealed.update(new)
            changed = self._copy_photos() + self._copy_changed()
        if (rows or sealed or changed) and not self._target.shared:
            self._target.wipe()  # the file by itself is whole, and has nothing that was erased
        return len(rows)

    def _streams(self) -> tuple[str, ...]:
        names = self._source.streams()
        if gone := sorted(set(self._target.streams()) - set(names)):
            raise UnusableError(NOT_THE_SAME.format(stream=gone[0], row=1))
        return names

    def _since(self, stream: str) -> Iterator[Row]:
        head = self._target.head(stream)
        same = self._source.row(stream, head.seq) if head.seq else None
        if head.seq and (same is None or same.hash != head.hash):
            raise UnusableError(NOT_THE_SAME.format(stream=stream, row=head.seq))
        for row in self._source.read(stream, head.seq):
            if wrong := row_fault(row, stream, head.seq, head.hash):
                raise UnusableError(f"{stream}: row {row.seq} {wrong}; nothing of it was copied")
            head = Head(row.seq, row.hash)
            yield row

    def _copy_photos(self) -> int:
        """Those that are new, and no more those that were erased; none changes under its digest."""
        if PHOTOS not in _tables_of(self._source):
            return 0
        there, here = _digests(self._source), _digests(self._target)
        for digest in there - here:
            found = self._source.ordinary("SELECT * FROM photos WHERE digest = ?", digest)
            self._target.together(_inserts(PHOTOS, found))
        for digest in here - there:
            self._target.ordinary("DELETE FROM photos WHERE digest = ?", digest)
        return len(there ^ here)

    def _copy_changed(self) -> int:
        """Replace the tables beside the log that have changed: what was erased is erased here."""
        changed = 0
        for table in _tables_of(self._source):
            if table == PHOTOS:
                continue
            rows = self._source.ordinary(f"SELECT * FROM {table}")  # noqa: S608
            digest = sha256(repr(sorted(rows, key=repr)).encode()).digest()
            if self._beside.get(table) != digest:
                self._target.together([(f"DELETE FROM {table}", ()), *_inserts(table, rows)])  # noqa: S608
                self._beside[table] = digest
                changed += 1
        return changed


def _tables_of(source: EventLog) -> list[str]:
    return [table for table, since in COPIED.items() if source.schema() >= since]


def _digests(log: EventLog) -> set[str]:
    return {row[0] for row in log.ordinary("SELECT digest FROM photos")}


def _inserts(table: str, rows: Iterable[Values]) -> Iterator[tuple[str, Values]]:
    for row in rows:
        yield f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row  # noqa: S608


def _copy_ordinary(source: EventLog, target: EventLog) -> None:
    for table in _tables_of(source):
        for statement, row in _inserts(table, source.ordinary(f"SELECT * FROM {table}")):  # noqa: S608
            target.ordinary(statement, *row)


def _chunks(values: Iterable[Value]) -> Iterator[list[Value]]:
    rest = iter(values)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk
