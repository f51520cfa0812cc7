"""The one interface of the journal, and the errors it raises."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import Protocol

import msgspec
from msgspec import Struct

from puntobanco.errors import UnusableError
from puntobanco.journal.chain import Head, Sign
from puntobanco.journal.envelope import asked_in
from puntobanco.journal.erasable_tables import Values
from puntobanco.journal.rows import Entry, Row, check_text

LOGGER = logging.getLogger(__name__)


class ConflictError(Exception):
    """Another writer was first: read on, and decide again."""

    def __init__(self, stream: str, seq: int, head: int) -> None:
        super().__init__(f"{stream} is at {head}, so {seq} cannot be next")
        self.stream = stream
        self.seq = seq
        self.head = head


class ReusedError(Exception):
    """A command id that was used before, by another person or for another command."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(f"the command id {command_id!r} has been used in {stream}")
        self.stream = stream
        self.command_id = command_id


class StoppedError(UnusableError):
    """A write or flush failed: the journal takes nothing more, and reports nothing as written."""


class SucceededError(StoppedError):
    """A newer program writes here now: this one takes nothing more, and is to end."""


class AwayError(UnusableError):
    """The database cannot be reached just now: nothing is acknowledged, and it is tried again."""


class FullError(UnusableError):
    """The disk is full: nothing of this was written; reading goes on, and writing once there is
    room.
    """


class ForeignRowError(StoppedError):
    """A row is there that this house did not write, although it holds the journal alone."""


class Sealed(Struct, frozen=True):
    """A value nobody may know yet: its commitment is in the log, its content encrypted here."""

    commitment: str
    nonce: bytes
    content: bytes


Statement = tuple[str, tuple[object, ...]]
"""A statement on the erasable tables, and its values."""


class Append(Struct, frozen=True, gc=False):
    """Rows and values that are stored together or not at all; they may span streams."""

    entries: tuple[Entry, ...]
    sealed: tuple[Sealed, ...] = ()
    unmoved: tuple[str, int] | None = None
    """A stream that the decision was read from and its last row then; if it has grown since, the
    append is a conflict."""
    erasable: tuple[Statement, ...] = ()
    """Changes of the erasable tables in the same transaction."""


class Snapshot(Struct, frozen=True):
    """The state of a stream at one row, to start from; it can always be made again from rows."""

    stream: str
    seq: int
    hash: bytes
    kind: str
    """The form of the state; a program whose states have another form does not read it."""
    state: bytes


def room_told(before: str, now: str) -> str:
    """Why there is no room now, if there is none: the log says so once, and once that there is."""
    if now and not before:
        LOGGER.warning("the disk is full, and nothing is taken: %s", now)
    if before and not now:
        LOGGER.warning("there is room again")
    return now


class EventLog(Protocol):
    """An append-only log of streams, in one of two databases."""

    shared: bool
    """Whether several processes may run one house over it."""
    address: str
    """The file, or the URL of the database."""
    warning: str
    """What is wrong with the rights in the database, in words; empty: nothing."""
    wrote: Callable[[int, float], None]
    """Told of every flush: the appends that shared it, and the seconds it took."""
    sign: Sign | None
    """The function that makes the MAC of every row written; set by the house that has the key."""

    async def append(self, append: Append) -> tuple[Row, ...]:
        """Store durably; when it returns, everything is on disk.

        The same actor repeating the same command gets the rows of the first time.
        """

    def read(self, stream: str, after: int = 0) -> Iterator[Row]:
        """Read the rows of a stream after a number, in order, without holding them all."""

    def find(self, stream: str, after: int, text: bytes) -> Iterator[Row]:
        """Read the rows of a stream after a number whose events have these bytes in them."""

    def acted(self, stream: str, after: int) -> list[Values]:
        """Who gave rows of a stream after a number: each with the time and number of the last."""

    def row(self, stream: str, seq: int) -> Row | None:
        """One row of a stream."""

    def head(self, stream: str) -> Head:
        """The head of a stream; its seq is 0 for one that has not begun."""

    def head_ms(self, stream: str) -> int:
        """The time of the last row of a stream; 0 for one that has not begun."""

    def streams(self) -> tuple[str, ...]:
        """The names of all streams, sorted."""

    async def heads(self) -> dict[str, Head]:
        """The heads of all streams at one moment; what is appended later follows all of them."""

    def by_command(self, stream: str, command_id: str) -> Row | None:
        """The row that has this command id, if the command was given before."""

    def count(self) -> int:
        """The number of rows, counted without the indexes that reading uses: lost rows show."""

    def sealed(self, commitment: str) -> Sealed | None:
        """The sealed value of a commitment, if it is here."""

    def commitments(self) -> set[str]:
        """What all sealed values are found by."""

    def all_sealed(self) -> Iterator[Sealed]:
        """Read every sealed value."""

    def frozen(self) -> AbstractContextManager[None]:
        """Let this thread read the journal as it was at one moment, until the context ends."""

    async def adopt(self, rows: list[Row], sealed: list[Sealed]) -> None:
        """Store rows unchanged, from a journal that is being copied."""

    def schema(self) -> int:
        """The number of the database's schema; an older one is read as it is."""

    def ordinary(self, statement: str, *values: object) -> list[Values]:
        """Run a statement on the erasable tables, and return the rows it selects."""

    def beside(self, statement: str, *values: object) -> list[Values]:
        """Read the tables beside the log, at the same moment as the rows if they are frozen."""

    def together(self, statements: Iterable[Statement]) -> None:
        """Run statements on the tables beside the log, all or none."""

    def wipe(self) -> bool:
        """Remove what was erased from the files; False: a reader holds it up, try again."""

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot; the newest of a stream counts."""

    def snapshot(self, stream: str, kind: str) -> Snapshot | None:
        """The snapshot of a stream, if there is one of this kind."""

    def wall_ms(self) -> int | None:
        """The time by the database's clock, if several processes share it."""

    async def hold(self, streams: Iterable[str]) -> set[str]:
        """Take the streams that no other process holds, to run their clocks; return those held."""

    def holds(self, streams: set[str]) -> set[str]:
        """Which of these streams this process still holds."""

    async def check_still_there(self) -> None:
        """Stop if the file was moved or replaced under the house that runs over it; notice that
        the database was lost.
        """

    async def succeed(self, begin: Callable[[], Awaitable[None]]) -> None:
        """Write from now on, beside others of the same program. The first of them calls `begin`, to
        put that on record, once no older one writes.
        """

    def succeeded(self) -> str:
        """The newer program that writes here now, in words; empty: none."""

    def fault(self) -> str:
        """Why nothing can be written just now; empty: it can."""

    def free_mb(self) -> int | None:
        """Megabytes that are free on the disk; none where the database keeps that to itself."""

    def changes(self) -> AsyncGenerator[tuple[str, int], None]:
        """Yield streams that any process has written to, each with the number of its last row.

        The first has an empty name: from then on no change is missed.
        """

    async def close(self) -> None:
        """Write the appends already taken, and close."""


Answer = tuple[Row, ...] | Exception
Waiting = tuple[Append, asyncio.Future[tuple[Row, ...]]]


def last_before(log: EventLog, stream: str, at_ms: int) -> int:
    """The number of the last row of a stream before a moment, found by halving: of a busy year only
    the rows since then need be read; 0: there is none.
    """
    before, beyond = 0, log.head(stream).seq + 1
    while beyond - before > 1:
        middle = (before + beyond) // 2
        row = log.row(stream, middle)
        is_later = row is not None and row.at_ms >= at_ms
        before, beyond = (before, middle) if is_later else (middle, beyond)
    return before


def answer_all(batch: list[Waiting], answers: list[Answer]) -> None:
    """Give every waiting caller the rows or the error of its append."""
    for (_, future), answer in zip(batch, answers, strict=True):
        if future.done():  # the caller has gone away; the append is written all the same
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def is_repeated(asker: str, asked: bytes, before: Row) -> bool:
    """Say whether a row with the same id was asked for by the same person, for the same thing.

    A row of an older schema has only the hash of the command as it was decided.
    """
    if before.command is None:
        return (asker, sha256(asked).digest()) == (before.actor, before.command_hash)
    try:
        return asked_in(before) == (asker, asked)
    except msgspec.DecodeError:  # the row was changed: what was asked for cannot be read
        return False


def is_same_command(entry: Entry, before: Row) -> bool:
    """Say whether an entry repeats the command of the row that has its id."""
    asked = entry.asked or entry.command or entry.events
    return is_repeated(entry.asker or entry.actor, asked, before)


def check_append(append: Append) -> None:
    """Refuse texts that a database could not keep, before anything waits for the append."""
    for entry in append.entries:
        for text in (entry.stream, entry.actor, entry.command_id):
            check_text(text)
