"""The part that both databases share: the steps of the schema, the statements, and reading."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import Struct
from msgspec.structs import astuple

from puntobanco.editions import EDITION
from puntobanco.journal.chain import BEGINNING, FIRST, Head
from puntobanco.journal.erasable_tables import (
    ALIASES,
    COMMANDS,
    ERASED,
    FIGURES,
    GAMES,
    PHOTOS,
    PLAYED,
    SIGN_INS,
    STATEMENTS,
    TOKENS_END,
    TRAINING,
    Values,
)
from puntobanco.journal.log import Sealed, Snapshot
from puntobanco.journal.packing.packed import is_packed, may_be_packed, row_from, stored_events
from puntobanco.journal.rows import Row

SCHEMA = 12
"""The schema that this program writes; it reads older ones."""
Generation = tuple[int, int]
"""The edition of a program's deciders, and the schema that it writes: what makes it newer."""
OURS: Generation = EDITION, SCHEMA
BATCH = 512
"""The most appends that share one transaction."""
FIRST_CHUNK, CHUNK = 16, 1000
"""The rows that are read at first, and at most, at a time: whoever looks for one row stops soon."""
WITHOUT_COMMANDS = 2
"""The last schema whose rows kept no command."""
OLD = "stream, seq, at_ms, actor, command_id, command_hash, clauses, events, previous, hash"
COLUMNS = f"{OLD}, command, mac"
NEWER = (
    "written by a newer puntobanco (schema {version}, this one knows {known}); use that one,"
    " nothing was touched"
)


def steps(
    log: tuple[str, ...], blob: str, twelfth: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], ...]:
    """The statements of each schema, added to the one before: the log; the erasable tables;
    commands and codes of rows, and when tokens end; aliases; photos; figures; training; sign-ins;
    who was erased; games; nothing but that rows may be packed; games by the day, and `twelfth`,
    what this database leaves out since. `blob` is the type of bytes here.
    """
    third = tuple(statement.format(blob=blob) for statement in (*COMMANDS, *TOKENS_END))
    photos, figures, played = (
        tuple(statement.format(blob=blob) for statement in step)
        for step in (PHOTOS, FIGURES, PLAYED)
    )
    eighth = (SIGN_INS, ERASED, GAMES, (), (*played, *twelfth))
    return log, STATEMENTS, third, ALIASES, photos, figures, TRAINING, *eighth


class Statements(Struct, frozen=True):
    """The statements that both databases use; `?` stands for a value."""

    after: str = "SELECT {columns} FROM rows WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?"
    found: str = "SELECT {columns} FROM rows WHERE stream = ? AND seq > ? AND {holds} ORDER BY seq"
    by_command: str = "SELECT {columns} FROM rows WHERE stream = ? AND command_id = ?"
    row: str = "SELECT {columns} FROM rows WHERE stream = ? AND seq = ?"
    hash_of: str = "SELECT hash FROM rows WHERE stream = ? AND seq = ?"
    head: str = "SELECT seq, hash FROM rows WHERE stream = ? ORDER BY seq DESC LIMIT 1"
    head_ms: str = "SELECT at_ms FROM rows WHERE stream = ? ORDER BY seq DESC LIMIT 1"
    acted: str = (
        "SELECT actor, max(at_ms), max(seq) FROM rows WHERE stream = ? AND seq > ? GROUP BY actor"
    )
    next_stream: str = "SELECT stream FROM rows WHERE stream > ? ORDER BY stream LIMIT 1"
    sealed: str = "SELECT commitment, nonce, content FROM sealed WHERE commitment = ?"
    all_sealed: str = (
        "SELECT commitment, nonce, content FROM sealed"
        " WHERE commitment > ? ORDER BY commitment LIMIT ?"
    )
    commitments: str = "SELECT commitment FROM sealed"
    insert_sealed: str = "INSERT INTO sealed VALUES (?, ?, ?)"


def statements(
    schema: int,
    value: str = "?",
    holds: str = "(instr(events, ?) > 0 OR (? AND substr(events, 1, 1) = x'01'))",
    events: str = "CAST(events AS BLOB)",
) -> Statements:
    """The statements for tables of a schema, with the database's own sign for a value; how it asks
    whether a row's events have some bytes in them, or may have them packed; and how it reads them
    as bytes, whatever somebody made of them.
    """
    columns = OLD if schema <= WITHOUT_COMMANDS else COLUMNS
    columns = columns.replace("events", events)
    texts = [
        text.replace("{columns}", columns).replace("{holds}", holds)
        for text in astuple(Statements())
    ]
    return Statements(*(text.replace("?", value) for text in texts))


def hash_in(found: Values | None) -> bytes:
    """The hash of the row before another; the first row is linked to none."""
    return cast("bytes", found[0]) if found else FIRST


class Reading(ABC):
    """The half of a log that reads; each database has its own connections and snapshots."""

    _sql: Statements
    _snapshot: str
    _value: str
    """The database's own sign for a value."""

    @abstractmethod
    def _select(self, query: str, values: Iterable[object] = ()) -> list[Values]:
        """All rows that a query selects, read by this thread."""

    def _first(self, query: str, *values: object) -> Values | None:
        rows = self._select(query, values)
        return rows[0] if rows else None

    def read(self, stream: str, after: int = 0) -> Iterator[Row]:
        chunk = FIRST_CHUNK
        last: Row | None = None
        while True:
            rows = self._select(self._sql.after, (stream, after, chunk))
            for stored in rows:
                last = self._row(stored, last)
                yield last
            if len(rows) < chunk:
                return
            after, chunk = rows[-1][1], min(4 * chunk, CHUNK)

    def _row(self, stored: Values, last: Row | None = None) -> Row:
        """A row as it was written; `last` is the one that was read before it."""
        if not is_packed(stored):
            return Row(*stored)
        stream, seq = stored[:2]
        if last is not None and last.seq == seq - 1:
            return row_from(stored, last.hash)
        return row_from(stored, hash_in(self._first(self._sql.hash_of, stream, seq - 1)))

    def find(self, stream: str, after: int, text: bytes) -> Iterator[Row]:
        packed = may_be_packed(text)
        for stored in self._select(self._sql.found, (stream, after, text, packed)):
            if text in stored_events(stored):
                yield self._row(stored)

    def row(self, stream: str, seq: int) -> Row | None:
        found = self._first(self._sql.row, stream, seq)
        return self._row(found) if found else None

    def acted(self, stream: str, after: int) -> list[Values]:
        return self._select(self._sql.acted, (stream, after))

    def head(self, stream: str) -> Head:
        row = self._first(self._sql.head, stream)
        return Head(*row) if row else BEGINNING

    def head_ms(self, stream: str) -> int:
        row = self._first(self._sql.head_ms, stream)
        return int(row[0]) if row else 0

    def streams(self) -> tuple[str, ...]:
        names: list[str] = []
        last = ""
        while (row := self._first(self._sql.next_stream, last)) is not None:
            last = row[0]
            names.append(last)
        return tuple(names)

    def by_command(self, stream: str, command_id: str) -> Row | None:
        row = self._first(self._sql.by_command, stream, command_id)
        return self._row(row) if row else None

    def sealed(self, commitment: str) -> Sealed | None:
        row = self._first(self._sql.sealed, commitment)
        return Sealed(*row) if row else None

    def all_sealed(self) -> Iterator[Sealed]:
        last = ""
        while rows := self._select(self._sql.all_sealed, (last, CHUNK)):
            for row in rows:
                yield Sealed(*row)
            last = rows[-1][0]

    def commitments(self) -> set[str]:
        return {row[0] for row in self._select(self._sql.commitments)}

    def beside(self, statement: str, *values: object) -> list[Values]:
        return self._select(statement.replace("?", self._value), values)

    def snapshot(self, stream: str, kind: str) -> Snapshot | None:
        row = self._first(self._snapshot, stream, kind)
        return Snapshot(*row) if row else None
