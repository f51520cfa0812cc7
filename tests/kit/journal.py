"""Rows to write, and a journal to write them to."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Raw
from msgspec.structs import replace

from puntobanco.journal import postgres, sqlite
from puntobanco.journal.chain import FIRST
from puntobanco.journal.envelope import Envelope, GivenBy, encode
from puntobanco.journal.log import (
    Append,
    EventLog,
)
from puntobanco.journal.packing.packed import row_from
from puntobanco.journal.rows import Entry
from puntobanco.journal.sql import COLUMNS

EVENTS = b'[{"is":"card-drawn","card":"9c"}]'


Value = TypeVar("Value")


def entry(stream: str, seq: int, **facts: object) -> Entry:
    """A row to be; what is said to be its command stands in an envelope, as commands do."""
    asked = bytes(facts.pop("command", b'"draw"'))  # type: ignore[call-overload]
    envelope = encode(Envelope(edition=1, by=GivenBy((), 0), command=Raw(asked)))
    cited = ("tas-2018:9.2",)
    plain = Entry(stream, seq, 1000 + seq, "dan", f"c{seq}", envelope, cited, EVENTS, asked)
    return replace(plain, **facts)


def one(stream: str, seq: int, **facts: object) -> Append:
    return Append((entry(stream, seq, **facts),))


async def opened(where: str, *, create: bool = True) -> EventLog:
    if where.startswith("postgresql:"):
        return await postgres.open_log(where, create=create)
    return sqlite.open_log(Path(where), create=create)


def using(where: str, use: Callable[[EventLog], Awaitable[Value]]) -> Value:
    """Open the journal, use it, close it."""

    async def main() -> Value:
        log = await opened(where)
        try:
            return await use(log)
        finally:
            await log.close()

    return asyncio.run(main())


def unpack_rows(db: Any, value: str = "?") -> None:
    """Store every row as programs did before rows were packed."""
    before: dict[str, bytes] = {}
    for stored in db.execute(f"SELECT {COLUMNS} FROM rows ORDER BY stream, seq").fetchall():
        row = row_from(stored, before.get(stored[0], FIRST))
        before[row.stream] = row.hash
        facts = {
            "actor": row.actor,
            "command_hash": row.command_hash,
            "clauses": row.clauses,
            "events": row.events,
            "previous": row.previous,
            "command": row.command,
        }
        changes = ", ".join(f"{name} = {value}" for name in facts)
        where = f"stream = {value} AND seq = {value}"
        db.execute(f"UPDATE rows SET {changes} WHERE {where}", (*facts.values(), *stored[:2]))
