"""The journal in one SQLite file. Concurrent appends share one flush to disk."""

import asyncio
import os
import shutil
import sqlite3
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from time import monotonic  # noqa: TID251  how long a flush takes is not a fact of the game
from typing import Any, cast

from msgspec.structs import astuple

from puntobanco.errors import UnusableError
from puntobanco.journal.chain import BEGINNING, Head, Sign, link
from puntobanco.journal.erasable_tables import Values
from puntobanco.journal.file.held import HeldFile
from puntobanco.journal.file.tables import fault_in_words, one_value, prepare_file
from puntobanco.journal.log import (
    Answer,
    Append,
    ConflictError,
    ForeignRowError,
    FullError,
    ReusedError,
    Sealed,
    Snapshot,
    Statement,
    StoppedError,
    Waiting,
    answer_all,
    check_append,
    is_same_command,
    room_told,
)
from puntobanco.journal.packing.packed import adopted, is_packed, pack_row, row_from
from puntobanco.journal.rows import Entry, Row
from puntobanco.journal.sql import BATCH, COLUMNS, Reading, hash_in, statements

INSERT = f"INSERT INTO rows ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  no value of ours goes into the text
SAVE = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)"
SNAPSHOT = (
    "SELECT stream, seq, CAST(hash AS BLOB), kind, CAST(state AS BLOB) FROM snapshots"
    " WHERE stream = ? AND kind = ?"
)
CONSTRAINT = ("IntegrityError", "ConstraintError")
"""The names of the error with which `sqlite3` and APSW report that UNIQUE keeps a row out."""

SHORT_MS, LONG_MS = 50, 10_000
"""Milliseconds that a statement waits for another connection's lock: when wiping, or otherwise."""
LEAST_FREE = 65_536
"""Bytes without which a journal cannot even be opened; SQLite calls it an I/O error."""
NO_ROOM = "its disk is full: make room, and start again; nothing was touched"
SLOW_S = 0.001
"""The seconds above which a flush is left to the writing thread."""

Connect = Callable[[str], Any]
"""A function that opens a connection: `sqlite3`'s, or one that injects faults under test."""


def connect(path: str) -> sqlite3.Connection:
    """Open a connection that begins and commits only when told to."""
    return sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)


def open_log(
    path: Path, connect: Connect = connect, *, create: bool = True, passing: bool = False
) -> "SqliteLog":
    """Open a journal, or create it; a file that is not ours is refused, and why is said.

    One that is gone as soon as it was looked at, `passing`, is not flushed to the disk.
    """
    if not create and not path.exists():
        raise UnusableError(f"{path}: there is no journal here")
    if not path.parent.is_dir():
        raise UnusableError(f"{path.parent}: there is no such folder")
    try:
        if create:  # only the owner may read names and hashes
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        writer = connect(str(path))
        prepare_file(writer, path, create=create)
        if passing:
            writer.execute("PRAGMA synchronous = OFF").fetchall()
    except UnusableError:
        raise
    except Exception as error:  # sqlite3 and the driver used under test share no class of errors
        full = shutil.disk_usage(path.parent).free < LEAST_FREE
        raise UnusableError(f"{path}: {NO_ROOM if full else fault_in_words(error)}") from error
    return SqliteLog(writer, lambda: connect(str(path)), path)


def _is_full(error: Exception) -> bool:
    """Whether a write found no room. A flush that fails says otherwise: then more is in doubt."""
    code = getattr(error, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_FULL or type(error).__name__ == "FullError"


@contextmanager
def _told_if_full() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if _is_full(error):
            raise FullError(str(error)) from error
        raise


class SqliteLog(Reading):
    """An event log in one file. Appends made at the same time share one flush.

    On a quick disk a lone append is written in place: handing it to the writing thread would
    cost as much as the flush. Everything else goes to the thread.
    """

    shared = False
    warning = ""
    _snapshot = SNAPSHOT
    _value = "?"

    def __init__(self, writer: Any, reader: Callable[[], Any], path: Path) -> None:
        self._db = writer
        self._reader = reader
        self._file = HeldFile(path)
        self.address = str(path)
        self.sign: Sign | None = None
        self._sql = statements(one_value(writer, "PRAGMA user_version"))
        self._own: dict[str, Head] | None = None
        """The head of every stream as this process wrote it, once it holds the house."""
        self._waiting: list[Waiting] = []
        self._asked: SimpleQueue[list[Waiting] | None] = SimpleQueue()
        self._writing = threading.Lock()
        self._flush_s = SLOW_S
        self._stopped: Exception | None = None
        self._full = ""
        """What the last flush said, if it found no room."""
        self.wrote: Callable[[int, float], None] = lambda _appends, _seconds: None
        self._heads: dict[str, Head] = {}
        self._local = threading.local()
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    # writing

    async def append(self, append: Append) -> tuple[Row, ...]:
        check_append(append)
        if self._stopped:
            raise StoppedError(str(self._stopped))
        loop = asyncio.get_running_loop()
        future: asyncio.Future[tuple[Row, ...]] = loop.create_future()
        self._waiting.append((append, future))
        if len(self._waiting) == 1:  # other appends of this turn of the loop join the batch
            loop.call_soon(self._hand_over)
        return await future

    def _hand_over(self) -> None:
        if not self._waiting:
            return
        batch, self._waiting = self._waiting, []
        alone = len(batch) == 1 and self._flush_s < SLOW_S and self._asked.empty()
        if alone and self._writing.acquire(blocking=False):
            try:
                answers = self._write([append for append, _ in batch])
            finally:
                self._writing.release()
            answer_all(batch, answers)
        else:
            self._asked.put(batch)

    def _work(self) -> None:
        """Run the writing thread: take all waiting appends, write, flush once, answer everyone."""
        while (batch := self._asked.get()) is not None:
            last = False
            while len(batch) < BATCH and not self._asked.empty():
                more = self._asked.get()
                last = more is None
                batch = batch + (more or [])
                if last:
                    break
            with self._writing:
                answers = self._write([append for append, _ in batch])
            batch[0][1].get_loop().call_soon_threadsafe(answer_all, batch, answers)
            if last:
                return

    def _write(self, batch: list[Append]) -> list[Answer]:
        """Write a batch in one transaction, with one flush; after any failure, what is on disk is
        in doubt, and the journal stops.
        """
        if self._stopped or self._file.fault():
            self._stopped = self._stopped or StoppedError(self._file.fault())
            return [StoppedError(str(self._stopped)) for _ in batch]
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except Exception as error:  # noqa: BLE001  nothing was begun, so nothing is in doubt
            if "locked" not in str(error) and "busy" not in str(error).lower():
                return self._stop(error, batch)
            said = f"another program holds the journal, and nothing was written: {error}"
            return [StoppedError(said) for _ in batch]
        before = self._own_heads(batch)
        try:
            answers = self._write_together(batch) or [
                self._writeone_value(append) for append in batch
            ]
            start = monotonic()
            self._db.execute("COMMIT")
            self._flush_s = monotonic() - start
        except Exception as error:  # noqa: BLE001  after any other, what is on disk is in doubt
            if not _is_full(error) or not self._rolled_back():
                return self._stop(error, batch)
            self._heads.clear()
            if self._own is not None:
                self._own |= before
            self._full = room_told(self._full, str(error))
            return [FullError(self._full) for _ in batch]
        self._full = room_told(self._full, "")
        self.wrote(len(batch), self._flush_s)
        return answers

    def _own_heads(self, batch: list[Append]) -> dict[str, Head]:
        """The heads of a batch's streams before it, as this process wrote them."""
        own = self._own or {}
        names = {entry.stream for append in batch for entry in append.entries}
        return {name: own.get(name, BEGINNING) for name in names}

    def _rolled_back(self) -> bool:
        """Take back what a full disk let in; False: what is on disk is in doubt."""
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except Exception:  # noqa: BLE001  the drivers' errors have no class in common
            return False
        return True

    def _note_own(self, rows: Iterable[Row]) -> None:
        if self._own is not None:
            self._own |= {row.stream: Head(row.seq, row.hash) for row in rows}

    def _check_own(self, stream: str, head: Head) -> None:
        """Stop at a head this process did not write, for it holds the house alone."""
        if self._own is not None and self._own.get(stream, BEGINNING) != head:
            self._stopped = ForeignRowError(
                f"{stream} ends with row {head.seq}, which this house did not write;"
                " somebody has changed its file: verify it before going on"
            )
            raise self._stopped

    def _stop(self, error: Exception, batch: list[Append]) -> list[Answer]:
        self._stopped = error
        said = f"the journal could not be written, and takes nothing more: {error}"
        return [StoppedError(said) for _ in batch]

    def _write_together(self, batch: list[Append]) -> list[Answer] | None:
        """Write a whole batch at once, as nearly always works; None if one append does not fit.

        Heads are remembered. If another process has moved one, UNIQUE keeps our row out, and
        each append is then written by itself, from where its stream really ends.
        """
        linked = [self._linked(append) for append in batch]
        if any(isinstance(answer, Exception) for answer in linked):
            self._heads.clear()
            return None
        rows = [row for answer in linked for row in cast("tuple[Row, ...]", answer)]
        beside = [append for append in batch if append.sealed or append.erasable]
        single = len(rows) == 1 and not beside  # a statement that fails leaves nothing behind
        if not single:
            self._db.execute("SAVEPOINT batch")
        try:
            self._db.executemany(INSERT, [pack_row(row) for row in rows])
            for append in beside:
                self._write_beside(append)
        except Exception as error:  # the drivers' errors have only the name of the class in common
            if type(error).__name__ not in CONSTRAINT:
                raise
            if not single:
                self._db.execute("ROLLBACK TO batch")
            self._heads.clear()
            return None
        self._note_own(rows)
        return linked

    def _linked(self, append: Append) -> Answer:
        """Chain every entry to the row before it, if each has the next number of its stream."""
        rows: list[Row] = []
        if append.unmoved is not None:
            stream, seq = append.unmoved
            if self._head(stream).seq != seq:
                return ConflictError(stream, seq, self._head(stream).seq)
        for entry in append.entries:
            head = self._head(entry.stream)
            if entry.seq != head.seq + 1:
                return ConflictError(entry.stream, entry.seq, head.seq)
            row = link(entry, head.hash, self.sign)
            rows.append(row)
            self._heads[entry.stream] = Head(row.seq, row.hash)
        return tuple(rows)

    def _head(self, stream: str) -> Head:
        """The head of a stream as remembered, or else as the database has it."""
        head = self._heads.get(stream)
        if head is None:
            head = self._heads[stream] = self._written(stream)
            self._check_own(stream, head)
        return head

    def _written(self, stream: str) -> Head:
        """The head of a stream as the writing connection reads it."""
        row = self._db.execute(self._sql.head, (stream,)).fetchone()
        return Head(*row) if row else BEGINNING

    def _write_beside(self, append: Append) -> None:
        """Write what goes with the rows: sealed values, and changes of the erasable tables."""
        for sealed in append.sealed:
            self._db.execute(self._sql.insert_sealed, _values(sealed))
        for statement, values in append.erasable:
            self._db.execute(statement, values)

    def _writeone_value(self, append: Append) -> Answer:
        """Write one append, whole or not at all: it is repeated, refused, too late or written."""
        for entry in append.entries:
            if (before := self._given(entry)) is not None:
                return self._repeated(entry, before, append)
        self._heads.clear()
        rows = self._linked(append)
        if isinstance(rows, Exception):
            self._heads.clear()
            return rows
        for row in rows:
            self._db.execute(INSERT, pack_row(row))
        self._write_beside(append)
        self._note_own(rows)
        return rows

    def _given(self, entry: Entry) -> Row | None:
        """The row that has the command id of an entry."""
        row = self._db.execute(self._sql.by_command, (entry.stream, entry.command_id)).fetchone()
        if row is None or not is_packed(row):
            return Row(*row) if row else None
        before = self._db.execute(self._sql.hash_of, (row[0], row[1] - 1)).fetchone()
        return row_from(row, hash_in(before))

    def _repeated(self, entry: Entry, before: Row, append: Append) -> Answer:
        """Answer a used id: the same actor and command get the first rows, others are refused."""
        if not is_same_command(entry, before):
            return ReusedError(entry.stream, entry.command_id)
        rows = [self._given(other) for other in append.entries]
        if None in rows:
            return ReusedError(entry.stream, entry.command_id)
        return tuple(row for row in rows if row is not None)

    # reading

    @property
    def _reading(self) -> Any:
        """The connection that only this thread reads by."""
        db = getattr(self._local, "db", None)
        if db is None:
            db = self._local.db = self._reader()
        return db

    def _select(self, query: str, values: Iterable[object] = ()) -> list[Values]:
        rows: list[Values] = self._reading.execute(query, values).fetchall()
        return rows

    @property
    def _desk(self) -> Any:
        """A connection for the erasable tables, apart from the one that reads rows."""
        db = getattr(self._local, "desk", None)
        if db is None:
            db = self._local.desk = self._reader()
            db.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten
        return db

    async def heads(self) -> dict[str, Head]:
        with self._writing:  # nothing is being written while they are read
            heads = {stream: self.head(stream) for stream in self.streams()}
            for stream, head in heads.items():
                self._check_own(stream, head)
        return heads

    def count(self) -> int:
        return int(one_value(self._reading, "SELECT count(*) FROM rows NOT INDEXED"))

    @contextmanager
    def frozen(self) -> Iterator[None]:
        self._reading.execute("BEGIN")
        self._reading.execute("SELECT count(*) FROM sqlite_master").fetchall()
        try:
            yield
        finally:
            self._reading.execute("ROLLBACK")

    def schema(self) -> int:
        return int(one_value(self._reading, "PRAGMA user_version"))

    def ordinary(self, statement: str, *values: object) -> list[Values]:
        if self._stopped:
            raise StoppedError(str(self._stopped))
        with _told_if_full():
            rows: list[Values] = self._desk.execute(statement, values).fetchall()
        return rows

    def together(self, statements: Iterable[Statement]) -> None:
        if self._stopped:
            raise StoppedError(str(self._stopped))
        with self._transaction():
            for statement, values in statements:
                self._db.execute(statement, values)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """What is written by the way, apart from appends: all of it or nothing."""
        with self._writing, _told_if_full():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def wipe(self) -> bool:
        self._desk.execute(f"PRAGMA busy_timeout = {SHORT_MS}")  # a long reader would hold it up
        try:
            with _told_if_full():
                busy = one_value(self._desk, "PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self._desk.execute(f"PRAGMA busy_timeout = {LONG_MS}")
        return not busy

    async def adopt(self, rows: list[Row], sealed: list[Sealed]) -> None:
        with self._transaction():
            self._db.executemany(INSERT, [adopted(row) for row in rows])
            self._db.executemany(self._sql.insert_sealed, [_values(value) for value in sealed])

    def save_snapshot(self, snapshot: Snapshot) -> None:
        with self._writing, _told_if_full():
            self._db.execute(SAVE, _values(snapshot))

    def wall_ms(self) -> int | None:
        return None

    async def hold(self, streams: Iterable[str]) -> set[str]:
        """Hold the whole house: in SQLite one process runs it."""
        if not self._file.take():
            return set()
        if self._own is None:
            with self._writing:
                self._own = {stream: self.head(stream) for stream in self.streams()}
        return set(streams)

    async def succeed(self, begin: Callable[[], Awaitable[None]]) -> None:
        """Nobody else runs a house in a file."""
        await begin()

    def succeeded(self) -> str:
        return ""

    def fault(self) -> str:
        return str(self._stopped or self._full or self._file.fault())

    def free_mb(self) -> int | None:
        return shutil.disk_usage(self._file.path.parent).free // 1_000_000

    def holds(self, streams: set[str]) -> set[str]:
        return streams

    async def check_still_there(self) -> None:
        if fault := self._file.fault():
            self._stopped = StoppedError(fault)
            raise self._stopped

    async def changes(self) -> AsyncGenerator[tuple[str, int], None]:
        """Yield nothing but the start: no other process writes while this one runs the house."""
        yield "", 0
        await asyncio.get_running_loop().create_future()

    async def close(self) -> None:
        if self._waiting:  # appended in this very turn of the loop, and not handed over yet
            self._hand_over()
        self._asked.put(None)
        await asyncio.to_thread(self._thread.join)
        self._stopped = self._stopped or StoppedError("the journal is closed")
        for connection in self._local.__dict__.values():
            connection.close()
        self._local = threading.local()
        self._db.close()
        self._file.close()


def _values(row: Sealed | Snapshot) -> tuple[object, ...]:
    return astuple(row)
