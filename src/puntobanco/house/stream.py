"""One writer for each stream: decide, append, evolve, publish.

Commands to a stream are taken one after another. What was decided is stored before it is applied
and told to anyone; whoever loses a race with another process reads on and decides again.
"""

import asyncio
import hmac
from collections.abc import AsyncGenerator, Callable, Hashable, Iterable, Sequence
from contextlib import AsyncExitStack
from functools import lru_cache, reduce
from hashlib import sha256
from types import GenericAlias
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import Refused
from puntobanco.journal.log import (
    Append,
    ConflictError,
    EventLog,
    ReusedError,
    Sealed,
    Snapshot,
    is_repeated,
)
from puntobanco.journal.rows import Entry, Row, check_text
from puntobanco.table.actor import Actor

State = TypeVar("State")
TABLE = "table-"
"""Streams of tables have names that begin so."""
TRIES = 100
"""So often a command is decided anew because somebody else was first."""
MAC_BYTES = 32
QUEUE = 256
"""How many changes a subscriber may lag behind before it is dropped."""


@lru_cache
def form_of(state: Hashable) -> str:
    """The form of a state: when a field comes or goes, old snapshots are not read."""
    fields = msgspec.json.schema(state)
    return sha256(msgspec.json.encode(fields, order="deterministic")).hexdigest()


class Aggregate(Struct, Generic[State], frozen=True):
    """The pure functions that a stream is run by."""

    decide: Callable[[State, Any, Actor], list[Any]]
    evolve: Callable[[State, Any], State]
    event: Any
    """The type of its events, for decoding."""
    empty: State

    @property
    def kind(self) -> str:
        return form_of(cast("Hashable", type(self.empty)))


class Change(Struct, frozen=True):
    """What one command brought about."""

    seq: int
    at_ms: int
    actor: str
    events: tuple[Any, ...]


class Stream(Generic[State]):
    """One table, or the cage, as it is now; the only way to change it is `give`."""

    def __init__(
        self, name: str, aggregate: Aggregate[State], log: EventLog, key: bytes = b""
    ) -> None:
        self.name = name
        self.aggregate = aggregate
        self._key = key
        self.state = aggregate.empty
        self.seq = 0
        self.saved_seq = 0
        """How far the last snapshot goes."""
        self.at_ms = 0
        """When its last row was written; known once one has been applied."""
        self.made_here = False
        """It had no row when this process began with it."""
        self.lock = asyncio.Lock()
        self._log = log
        self.decode = msgspec.json.Decoder(GenericAlias(list, (aggregate.event,))).decode
        self._subscribers: set[asyncio.Queue[Change | None]] = set()

    def start(self) -> None:
        """From the last snapshot, if this house made it of a row that is there, and on from it."""
        held = self._log.snapshot(self.name, self.aggregate.kind)
        if held is not None and held.state[:MAC_BYTES] == self._mac(held, held.state[MAC_BYTES:]):
            row = next(self._log.read(self.name, held.seq - 1), None)
            if row is not None and (row.seq, row.hash) == (held.seq, held.hash):
                state_type = type(self.aggregate.empty)
                self.state = msgspec.json.decode(held.state[MAC_BYTES:], type=state_type)
                self.seq, self.at_ms = held.seq, row.at_ms
                self.saved_seq = held.seq
        self.catch_up()

    def _mac(self, held: Snapshot, body: bytes) -> bytes:
        """Only whoever has the house's key can make a snapshot that is believed."""
        about = f"{held.stream} {held.seq} {held.hash.hex()} {held.kind} ".encode()
        return hmac.digest(self._key, about + body, "sha256")

    def save(self) -> None:
        """Keep the state as it is now, so that the next start is short."""
        head = next(self._log.read(self.name, self.seq - 1), None)
        if head is not None:
            body = msgspec.json.encode(self.state)
            made = Snapshot(self.name, self.seq, head.hash, self.aggregate.kind, b"")
            self._log.save_snapshot(replace(made, state=self._mac(made, body) + body))
            self.saved_seq = self.seq

    def catch_up(self) -> bool:
        """Read on from where we are: at the start, and when another process has written."""
        before = self.seq
        for row in self._log.read(self.name, self.seq):
            self.apply(row)
        return self.seq != before

    def apply(self, row: Row) -> Change:
        events = self.decode(row.events)
        self.state = reduce(self.aggregate.evolve, events, self.state)
        self.seq, self.at_ms = row.seq, row.at_ms
        change = Change(row.seq, row.at_ms, row.actor, tuple(events))
        self._publish(change)
        return change

    def entry(self, ask: Any, by: Actor, command_id: str) -> Entry:
        """Decide on a command; the row it would be. What is callable is made of the state now."""
        ask = ask(self.state) if callable(ask) else ask
        events = self.aggregate.decide(self.state, ask, by)
        cited = dict.fromkeys(one for event in events for one in getattr(event, "clauses", ()))
        return Entry(
            self.name,
            self.seq + 1,
            by.at_ms,
            by.person,
            command_id,
            encoded(ask),
            tuple(cited),
            msgspec.json.encode(events),
        )

    def before(self, ask: Any, by: Actor, command_id: str) -> Change | None:
        """What this very command brought about when it was given first, if it was.

        What the house fills in itself is not asked for, and not compared.
        """
        row = self._log.by_command(self.name, command_id)
        if row is None:
            return None
        same = (
            row.actor == by.person if callable(ask) else is_repeated(by.person, encoded(ask), row)
        )
        if not same:
            raise ReusedError(self.name, command_id)
        return Change(row.seq, row.at_ms, row.actor, tuple(self.decode(row.events)))

    # who listens

    def _publish(self, change: Change) -> None:
        for queue in tuple(self._subscribers):
            try:
                queue.put_nowait(change)
            except asyncio.QueueFull:  # too slow: it is told to come back, and others go on
                self._subscribers.discard(queue)
                queue.get_nowait()
                queue.put_nowait(None)

    async def changes(self) -> AsyncGenerator[Change, None]:
        """Every change from now on. It ends when the listener is too slow: come back then."""
        queue: asyncio.Queue[Change | None] = asyncio.Queue(QUEUE)
        self._subscribers.add(queue)
        try:
            while (change := await queue.get()) is not None:
                yield change
        finally:
            self._subscribers.discard(queue)


def encoded(ask: Any) -> bytes:
    """A command as it is hashed."""
    return msgspec.json.encode(ask)


Asked = Sequence[tuple[Stream[Any], Any]]
By = Actor | Callable[[], Actor]
"""Who asks; looked up anew at the moment of deciding, if it can be."""


async def give(
    log: EventLog, asked: Asked, by: By, command_id: str, sealed: tuple[Sealed, ...] = ()
) -> tuple[Change, ...]:
    """Give commands to streams, all or none: one append, every version checked.

    The same actor giving the same again under the same id gets the first outcome.
    """
    check_text(command_id)
    giving = asyncio.create_task(_give(log, asked, by, command_id, sealed))
    _GIVING.add(giving)
    giving.add_done_callback(_GIVING.discard)
    return await asyncio.shield(giving)


_GIVING: set[asyncio.Task[tuple[Change, ...]]] = set()
"""Commands on their way: whoever asked may go away, what was begun is finished."""


async def _give(
    log: EventLog, asked: Asked, by: By, command_id: str, sealed: tuple[Sealed, ...]
) -> tuple[Change, ...]:
    async with AsyncExitStack() as stack:
        for stream in sorted((stream for stream, _ in asked), key=lambda one: one.name):
            await stack.enter_async_context(stream.lock)
        for _ in range(TRIES):
            actor = by() if callable(by) else by
            if any(callable(ask) for _, ask in asked) and (
                first := _first_time(asked, actor, command_id)
            ):
                return first
            try:
                entries = tuple(stream.entry(ask, actor, command_id) for stream, ask in asked)
            except Refused:
                if first := _first_time(asked, actor, command_id):
                    return first
                moved = [stream.catch_up() for stream, _ in asked]
                if True in moved:  # it was refused for how things were
                    continue
                raise
            try:
                rows = await log.append(Append(entries, sealed))
            except ConflictError:
                for stream, _ in asked:
                    stream.catch_up()
                continue
            return _applied(asked, entries, rows)
    raise ConflictError(entries[0].stream, entries[0].seq, asked[0][0].seq)


def _first_time(asked: Asked, by: Actor, command_id: str) -> tuple[Change, ...]:
    """What came of it when it was given first; nothing if it was not."""
    found = [stream.before(ask, by, command_id) for stream, ask in asked]
    return () if None in found else tuple(one for one in found if one is not None)


def _applied(asked: Asked, entries: Iterable[Entry], rows: Iterable[Row]) -> tuple[Change, ...]:
    """Apply what is new; what was stored before is told again and changes nothing."""
    changes = []
    for (stream, _), entry, row in zip(asked, entries, rows, strict=True):
        if row.seq == entry.seq == stream.seq + 1:
            changes.append(stream.apply(row))
        else:
            events = tuple(stream.decode(row.events))
            changes.append(Change(row.seq, row.at_ms, row.actor, events))
    return tuple(changes)
