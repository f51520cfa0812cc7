"""The one interface of the journal, and the ways in which it says no."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import Protocol

import msgspec
from msgspec import Struct

from puntobanco.errors import UnusableError
from puntobanco.journal.envelope import asked_in
from puntobanco.journal.erasable_tables import Values
from puntobanco.journal.rows import Entry, Head, Row, Sign, check_text


class ConflictError(Exception):
    """Someone else was first: read on, and decide again."""

    def __init__(self, stream: str, seq: int, head: int) -> None:
        super().__init__(f"{stream} is at {head}, so {seq} cannot be next")
        self.stream = stream
        self.seq = seq
        self.head = head


class ReusedError(Exception):
    """A command id that was used before, by someone else or for something else."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(f"the command id {command_id!r} has been used in {stream}")
        self.stream = stream
        self.command_id = command_id


class StoppedError(UnusableError):
    """A write or flush failed: nothing more is taken, and nothing is pretended."""


class ForeignRowError(StoppedError):
    """A row is there that this house did not write, although it holds the journal alone."""


class Sealed(Struct, frozen=True):
    """A value nobody may know yet: its commitment is in the log, its content is encrypted here."""

    commitment: str
    nonce: bytes
    content: bytes


Statement = tuple[str, tuple[object, ...]]
"""A statement on the erasable tables, and its values."""


class Append(Struct, frozen=True, gc=False):
    """What goes in together or not at all; it may span streams."""

    entries: tuple[Entry, ...]
    sealed: tuple[Sealed, ...] = ()
    unmoved: tuple[str, int] | None = None
    """A stream that was read to decide, and its last number then; has it grown: a conflict."""
    erasable: tuple[Statement, ...] = ()
    """What changes in the erasable tables with it."""


class Snapshot(Struct, frozen=True):
    """The state of a stream at one row, to start from; it can always be made again."""

    stream: str
    seq: int
    hash: bytes
    kind: str
    """Of which form of state: another program does not read it."""
    state: bytes


class EventLog(Protocol):
    """An append-only log of streams, in one of two databases."""

    shared: bool
    """May several processes run one house over it?"""
    address: str
    """Where it is: a file, or the URL of a database."""
    sign: Sign | None
    """Makes the MAC of every row that is written; set by the house that has the key."""

    async def append(self, append: Append) -> tuple[Row, ...]:
        """Store durably; when it returns, it is on disk.

        The same actor repeating the same command gets the rows of the first time.
        """

    def read(self, stream: str, after: int = 0) -> Iterator[Row]:
        """The rows of a stream after a number, in order, without holding them all."""

    def head(self, stream: str) -> Head:
        """Where a stream ends; seq 0 for one that has not begun."""

    def head_ms(self, stream: str) -> int:
        """When its last row was written; 0 for one that has not begun."""

    def streams(self) -> tuple[str, ...]:
        """Every stream there is, by name."""

    async def heads(self) -> dict[str, Head]:
        """Where every stream ended at one moment; what is appended later follows all of them."""

    def by_command(self, stream: str, command_id: str) -> Row | None:
        """The row of a command that was given before, if it was."""

    def count(self) -> int:
        """How many rows there are, counted without the indexes that reading goes by."""

    def sealed(self, commitment: str) -> Sealed | None:
        """The encrypted content of a commitment, if it is here."""

    def all_sealed(self) -> Iterator[Sealed]:
        """Every encrypted content there is."""

    def frozen(self) -> AbstractContextManager[None]:
        """While it lasts, this thread reads the journal as it was at one moment."""

    async def adopt(self, rows: list[Row], sealed: list[Sealed]) -> None:
        """Take rows over as they are, from a journal that is being copied."""

    def schema(self) -> int:
        """Which form of database this is; an older one is read as it is."""

    def ordinary(self, statement: str, *values: object) -> list[Values]:
        """Run a statement on the ordinary tables; what it selects."""

    def wipe(self) -> bool:
        """See that nothing that was erased is left in the files; False: not yet, try again."""

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot; the newest one counts."""

    def snapshot(self, stream: str, kind: str) -> Snapshot | None:
        """The snapshot of a stream, if there is one of this kind."""

    def wall_ms(self) -> int | None:
        """The time by the database's clock, if several processes share it."""

    async def hold(self, streams: Iterable[str]) -> set[str]:
        """Take streams that no other process holds, to run their clocks; those it holds now."""

    def changes(self) -> AsyncGenerator[tuple[str, int], None]:
        """Streams that have grown, in whatever process, each with its last number.

        The first is nobody's, and says that from here on nothing is missed.
        """

    async def close(self) -> None:
        """Finish what was taken, and close."""


Answer = tuple[Row, ...] | Exception
Waiting = tuple[Append, asyncio.Future[tuple[Row, ...]]]


def give(batch: list[Waiting], answers: list[Answer]) -> None:
    """Tell everyone what became of what they asked."""
    for (_, future), answer in zip(batch, answers, strict=True):
        if future.done():  # whoever asked has gone away; it is written all the same
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def is_repeated(asker: str, asked: bytes, before: Row) -> bool:
    """Is this asked by the same person for the same thing as the row that has its id?

    A row of an older schema has only the hash of the command as it was decided.
    """
    if before.command is None:
        return (asker, sha256(asked).digest()) == (before.actor, before.command_hash)
    try:
        return asked_in(before) == (asker, asked)
    except msgspec.DecodeError:  # it was changed: what was asked for nobody can say
        return False


def is_same(entry: Entry, before: Row) -> bool:
    """Does an entry ask again for what the row with its id was asked for?"""
    asked = entry.asked or entry.command or entry.events
    return is_repeated(entry.asker or entry.actor, asked, before)


def check(append: Append) -> None:
    """Refuse what a database could not keep, before anything waits for it."""
    for entry in append.entries:
        for text in (entry.stream, entry.actor, entry.command_id):
            check_text(text)
