"""The journal in PostgreSQL, for a house of several processes or machines.

It needs no right to change or delete a row of the log. Appends from one process share a
transaction, as in SQLite; UNIQUE alone keeps a stream's rows in order, at any isolation level.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from time import monotonic  # noqa: TID251  how long a write takes is not a fact of the game
from typing import Any, cast

import psycopg
from msgspec.structs import astuple
from psycopg import errors
from psycopg_pool import ConnectionPool

from puntobanco.errors import UnusableError
from puntobanco.journal.chain import BEGINNING, Head, Sign, link
from puntobanco.journal.erasable_tables import Values
from puntobanco.journal.log import (
    Answer,
    Append,
    AwayError,
    ConflictError,
    FullError,
    ReusedError,
    Sealed,
    Snapshot,
    Statement,
    StoppedError,
    SucceededError,
    Waiting,
    answer_all,
    check_append,
    is_same_command,
    room_told,
)
from puntobanco.journal.packing.packed import Stored, adopted, is_packed, pack_row, row_from
from puntobanco.journal.postgres.rights import check_rights
from puntobanco.journal.postgres.session import LIVELY, LOST, WritingSession, connected
from puntobanco.journal.postgres.succession import said_newer
from puntobanco.journal.postgres.tables import prepare_tables, schema_in
from puntobanco.journal.rows import Entry, Row
from puntobanco.journal.sql import BATCH, COLUMNS, SCHEMA, Reading, hash_in, statements

CHANNEL = "puntobanco"
TYPES = ["text", "bigint", "bigint", "text", "text", *["bytea", "text"], *["bytea"] * 5]
ARRAYS = ", ".join(f"%s::{kind}[]" for kind in TYPES)
INSERT = f"""WITH written AS (INSERT INTO rows ({COLUMNS}) SELECT * FROM unnest({ARRAYS})
    WHERE NOT EXISTS (SELECT FROM rows WHERE stream = %s AND seq > %s)
    RETURNING stream, seq)
    SELECT pg_notify('{CHANNEL}', max(seq) || ' ' || stream) FROM written GROUP BY stream"""  # noqa: S608
UNDER_WAY = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text"
FINISHED = "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= %s::xid8"
"""Asks whether all transactions that were under way at `UNDER_WAY` have ended."""
SETTLE_S, MOST_SETTLING = 0.005, 400
"""Seconds between two looks whether those have ended, and the most looks: two seconds in all."""
SAVE = "INSERT INTO snapshots VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
SNAPSHOT = """SELECT stream, seq, hash, kind, state FROM snapshots
    WHERE stream = %s AND kind = %s ORDER BY seq DESC LIMIT 1"""
WALL_MS = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
READERS, READER_S, AGAIN_S = 16, 2.0, 0.5
"""Most connections that read, and seconds that a reader waits for one."""
HOLDS = r"(position(? in events) > 0 OR (? AND substr(events, 1, 1) = '\x01'::bytea))"
LISTEN_S = 0.25
"""Seconds until a lost connection that listened is made anew."""

Pool = ConnectionPool[psycopg.Connection[Any]]


async def open_log(url: str, *, create: bool = True) -> "PostgresLog":
    """Open a journal by its URL, or create it; what is wrong is said in one line."""
    try:
        db = await connected(url)
    except psycopg.Error as error:
        said = " ".join(str(error).split())
        raise UnusableError(f"the database cannot be reached: {said}") from error
    try:
        await prepare_tables(db, create=create)
        warning = await check_rights(db) if create else ""
        session = WritingSession(db, url)
        if create:
            await session.check_newest()
    except UnusableError:
        await db.close()
        raise
    log = PostgresLog(session, url, await schema_in(db))
    log.warning = warning
    return log


class PostgresLog(Reading):
    """An event log in PostgreSQL: one session writes, other connections read and listen."""

    shared = True
    warning = ""
    _snapshot = SNAPSHOT
    _value = "%s"

    def __init__(self, session: WritingSession, url: str, schema: int = SCHEMA) -> None:
        self._session = session
        self._url = url
        self.address = url
        self.sign: Sign | None = None
        self._sql = statements(schema, "%s", HOLDS, "events")
        self._waiting: list[Waiting] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._stopped: Exception | None = None
        self._full = ""
        """What the last write said, if it found no room."""
        self.wrote: Callable[[int, float], None] = lambda _appends, _seconds: None
        self._heads: dict[str, Head] = {}
        self._local = threading.local()
        self._pool = self._new_pool()
        session.came_back = self._renew_pool
        self._task = asyncio.create_task(self._work(), name="journal")

    # writing

    async def append(self, append: Append) -> tuple[Row, ...]:
        check_append(append)
        if self._stopped:
            raise StoppedError(str(self._stopped))
        self._session.check_writing()
        future: asyncio.Future[tuple[Row, ...]] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, future))
        self._wake.set()
        return await future

    async def _work(self) -> None:
        """Take all waiting appends, write them in one transaction, answer every caller."""
        while not (self._closing and not self._waiting):
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
                answers = await self._write([append for append, _ in batch])
                answer_all(batch, answers)

    async def _write(self, batch: list[Append]) -> list[Answer]:
        if self._stopped:
            return [StoppedError(str(self._stopped)) for _ in batch]
        start = monotonic()
        try:
            async with self._session.turn:
                self._session.check_writing()
                together = await self._write_together(batch)
                answers = together or [await self._write_one(append) for append in batch]
                self._full = room_told(self._full, "")
                self.wrote(len(batch), monotonic() - start)
                return answers
        except Exception as error:  # noqa: BLE001  after any error, what is stored is in doubt
            self._heads.clear()
            return [self._unwritten(error) for _ in batch]

    def _unwritten(self, error: Exception) -> Exception:
        """What became of an append: in doubt while the database is away, for its id tells when it
        is asked again; not written if the disk is full; else the journal takes nothing more.
        """
        if isinstance(error, SucceededError):
            return error
        if isinstance(error, AwayError) or self._session.is_lost(error):
            return AwayError(str(error))
        if isinstance(error, errors.DiskFull):
            self._full = room_told(self._full, str(error))
            return FullError(self._full)
        self._stopped = self._stopped or error
        return StoppedError(f"the journal could not be written, and takes nothing more: {error}")

    async def _write_together(self, batch: list[Append]) -> list[Answer] | None:
        """Write a whole batch at once; None if the place of a row was taken meanwhile."""
        unmoved = await self._unmoved(batch)
        linked = [await self._linked(append) for append in batch]
        if any(isinstance(answer, Exception) for answer in linked):
            self._heads.clear()
            return None
        rows = [row for answer in linked for row in cast("tuple[Row, ...]", answer)]
        if await self._insert(rows, batch, unmoved):
            return linked
        self._heads.clear()
        return None

    async def _unmoved(self, batch: list[Append]) -> tuple[str, int]:
        """Find the stream that must not grow meanwhile, and its last row before the batch."""
        named = {append.unmoved[0] for append in batch if append.unmoved}
        assert len(named) <= 1, "one stream is read to decide"
        for stream in named:
            return stream, (await self._head(stream)).seq
        return "", 0

    async def _insert(
        self,
        rows: list[Row],
        batch: list[Append],
        unmoved: tuple[str, int] = ("", 0),
        stored: Callable[[Row], Stored] = pack_row,
    ) -> bool:
        """Insert all rows in one statement and notify other processes; False: too late, none is."""
        columns = [list(column) for column in zip(*map(stored, rows), strict=True)]
        try:
            if not any(append.sealed or append.erasable for append in batch):
                written = await self._session.db.execute(INSERT, [*columns, *unmoved])
                return await written.fetchone() is not None
            async with self._session.db.transaction():
                written = await self._session.db.execute(INSERT, [*columns, *unmoved])
                if await written.fetchone() is None:
                    return False
                await self._insert_beside(batch)
        except errors.UniqueViolation:
            return False
        return True

    async def _insert_beside(self, batch: list[Append]) -> None:
        """Write what goes with the rows: sealed values, and changes of the erasable tables."""
        for append in batch:
            for sealed in append.sealed:
                await self._session.db.execute(
                    cast("Any", self._sql.insert_sealed), astuple(sealed)
                )
            for statement, values in append.erasable:
                await self._session.db.execute(cast("Any", statement.replace("?", "%s")), values)

    async def _linked(self, append: Append) -> Answer:
        rows: list[Row] = []
        if append.unmoved is not None:
            stream, seq = append.unmoved
            if (head := await self._head(stream)).seq != seq:
                return ConflictError(stream, seq, head.seq)
        for entry in append.entries:
            head = await self._head(entry.stream)
            if entry.seq != head.seq + 1:
                return ConflictError(entry.stream, entry.seq, head.seq)
            row = link(entry, head.hash, self.sign)
            rows.append(row)
            self._heads[entry.stream] = Head(row.seq, row.hash)
        return tuple(rows)

    async def _head(self, stream: str) -> Head:
        """The head of a stream as remembered, or else as the database has it."""
        if stream not in self._heads:
            row = await (
                await self._session.db.execute(cast("Any", self._sql.head), (stream,))
            ).fetchone()
            self._heads[stream] = Head(*row) if row else BEGINNING
        return self._heads[stream]

    async def _write_one(self, append: Append) -> Answer:
        """Write one append by itself: it is repeated, refused, too late or written."""
        for entry in append.entries:
            before = await self._given(entry)
            if before is not None:
                return await self._repeated(entry, before, append)
        self._heads.clear()
        unmoved = await self._unmoved([append])
        rows = await self._linked(append)
        if isinstance(rows, Exception):
            self._heads.clear()
            return rows
        if await self._insert(list(rows), [append], unmoved):
            return rows
        self._heads.clear()  # another process was first
        first = append.entries[0]
        head = await self._head(first.stream)
        return ConflictError(first.stream, first.seq, head.seq)

    async def _given(self, entry: Entry) -> Row | None:
        """The row that has the command id of an entry."""
        query = cast("Any", self._sql.by_command)
        cursor = await self._session.db.execute(query, (entry.stream, entry.command_id))
        row = await cursor.fetchone()
        if row is None or not is_packed(row):
            return Row(*row) if row else None
        query = cast("Any", self._sql.hash_of)
        cursor = await self._session.db.execute(query, (entry.stream, row[1] - 1))
        return row_from(row, hash_in(await cursor.fetchone()))

    async def _repeated(self, entry: Entry, before: Row, append: Append) -> Answer:
        """Answer a used id: the same actor and command get the first rows, others are refused."""
        if not is_same_command(entry, before):
            return ReusedError(entry.stream, entry.command_id)
        rows = [await self._given(other) for other in append.entries]
        if None in rows:
            return ReusedError(entry.stream, entry.command_id)
        return tuple(row for row in rows if row is not None)

    # reading

    def _new_pool(self) -> Pool:
        return ConnectionPool(
            self._url,
            kwargs=LIVELY,
            min_size=1,
            max_size=READERS,
            timeout=READER_S,
            num_workers=1,
            open=True,
        )

    def _renew_pool(self) -> None:
        """Read by new connections: the database was away, and the old ones with it."""
        old, self._pool = self._pool, self._new_pool()
        threading.Thread(target=old.close, daemon=True).start()  # a worker may still be connecting

    @contextmanager
    def _borrowed(self, wait_s: float = READER_S) -> Iterator[psycopg.Connection[Any]]:
        """A connection to read by: the one that is frozen at a moment for this thread, or any."""
        frozen: psycopg.Connection[Any] | None = getattr(self._local, "frozen", None)
        if frozen is not None:
            yield frozen
            return
        self._session.check_reading()
        db: psycopg.Connection[Any] | None = None
        try:
            with self._pool.connection(wait_s) as db:
                yield db
        except errors.DiskFull as error:
            raise FullError(str(error)) from error
        except LOST as error:
            if db is not None and not db.closed:
                raise
            why = " ".join(str(error).split()) or "no connection"
            self._session.suspect("" if db else why)
            raise AwayError(why) from error

    def _select(self, query: str, values: Iterable[object] = ()) -> list[Values]:
        try:
            return self._selected(query, values)
        except AwayError:
            if getattr(self._local, "frozen", None) is not None:
                raise
            self._pool.check()  # perhaps it was that one connection alone
            return self._selected(query, values, AGAIN_S)

    def _selected(
        self, query: str, values: Iterable[object], wait_s: float = READER_S
    ) -> list[Values]:
        with self._borrowed(wait_s) as db:
            return db.execute(cast("Any", query), tuple(values)).fetchall()

    async def heads(self) -> dict[str, Head]:
        """Read the register's head first, and the others once all open transactions have ended.

        Every row appended after these heads was then decided by this register, or a later one.
        """
        first = self.head("register")
        row = self._first(UNDER_WAY)
        assert row is not None
        for _ in range(MOST_SETTLING):
            done = self._first(FINISHED, *row)
            if done and done[0]:
                break
            await asyncio.sleep(SETTLE_S)
        with self.frozen():
            heads = {stream: self.head(stream) for stream in self.streams()}
        return heads | ({"register": first} if first.seq else {})

    def count(self) -> int:
        with self._borrowed() as db, db.transaction():
            db.execute("SET LOCAL enable_indexonlyscan = off")
            db.execute("SET LOCAL enable_indexscan = off")
            row = db.execute("SELECT count(*) FROM rows").fetchone()
        return int(row[0]) if row else 0

    @contextmanager
    def frozen(self) -> Iterator[None]:
        with self._borrowed() as db, db.transaction():
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._local.frozen = db
            try:
                yield
            finally:
                self._local.frozen = None

    def schema(self) -> int:
        row = self._first("SELECT max(schema) FROM puntobanco")
        return int(row[0]) if row else 0

    def ordinary(self, statement: str, *values: object) -> list[Values]:
        if self._stopped:
            raise StoppedError(str(self._stopped))
        if not statement.lstrip().startswith("SELECT"):
            self._session.check_writing()
        with self._borrowed() as db:
            cursor = db.execute(cast("Any", statement.replace("?", "%s")), values)
            return cursor.fetchall() if cursor.description else []

    def together(self, statements: Iterable[Statement]) -> None:
        if self._stopped:
            raise StoppedError(str(self._stopped))
        self._session.check_writing()
        with self._borrowed() as db, db.transaction():
            for statement, alike in groupby(statements, itemgetter(0)):
                said = cast("Any", statement.replace("?", "%s"))
                db.cursor().executemany(said, [values for _, values in alike])

    def wipe(self) -> bool:
        with self._borrowed() as db:
            db.execute("VACUUM people, credentials, web_sessions")
        return True

    async def adopt(self, rows: list[Row], sealed: list[Sealed]) -> None:
        try:
            async with self._session.turn, self._session.db.transaction():
                if rows:
                    await self._insert(rows, [], stored=adopted)
                async with self._session.db.cursor() as cursor:
                    await cursor.executemany(
                        cast("Any", self._sql.insert_sealed), [astuple(value) for value in sealed]
                    )
        except psycopg.Error as error:
            raise self._unwritten(error) from error

    def save_snapshot(self, snapshot: Snapshot) -> None:
        self._session.check_writing()
        with self._borrowed() as db:
            db.execute(SAVE, astuple(snapshot))

    def wall_ms(self) -> int | None:
        row = self._first(WALL_MS)
        return int(row[0]) if row else None

    async def succeed(self, begin: Callable[[], Awaitable[None]]) -> None:
        await self._session.succeed(begin)

    def succeeded(self) -> str:
        return self._session.succeeded

    def fault(self) -> str:
        session = self._session
        return str(self._stopped or session.succeeded or session.away or self._full)

    def free_mb(self) -> int | None:
        """Whoever runs the database watches its disk."""
        return None

    async def check_still_there(self) -> None:
        await self._session.ping()

    async def hold(self, streams: Iterable[str]) -> set[str]:
        """Hold streams by advisory locks of the session that writes."""
        wanted = sorted(set(streams) - self._session.held)
        if wanted and not self._session.succeeded:
            await self._session.hold(wanted)
        return self.holds(set(streams))

    def holds(self, streams: set[str]) -> set[str]:
        return self._session.held & streams

    async def changes(self) -> AsyncGenerator[tuple[str, int], None]:
        while not self._closing:
            with suppress(psycopg.OperationalError):  # lost: what was missed must be read anew
                async with await connected(self._url) as db:
                    await db.execute(f"LISTEN {CHANNEL}")
                    yield "", 0  # from here on no change is missed; earlier rows must be read
                    async for note in db.notifies():
                        newer = said_newer(note.payload)
                        if newer is not None:
                            await self._session.give_way(newer)
                            continue
                        seq, _, stream = note.payload.partition(" ")
                        yield stream, int(seq)
            self._session.suspect()  # before anybody waits for an answer by it
            await asyncio.sleep(LISTEN_S)

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        await self._task
        self._stopped = self._stopped or StoppedError("the journal is closed")
        await self._session.close()
        await asyncio.to_thread(self._pool.close)
