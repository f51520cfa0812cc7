"""One writer for each stream: decide, append, evolve, publish.

Commands to a stream are taken one after another. Events are stored before they are applied and
published; a process that loses a race with another reads on and decides again.
"""

import asyncio
import hmac
import re
import zlib
from collections.abc import AsyncGenerator, Callable, Hashable, Sequence
from contextlib import AsyncExitStack
from functools import lru_cache, reduce
from hashlib import sha256
from types import GenericAlias
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from puntobanco.editions import EDITION
from puntobanco.errors import Refused, UnusableError
from puntobanco.journal.chain import FIRST, row_fault
from puntobanco.journal.envelope import NOTHING, Envelope, GivenBy, PlayedBefore
from puntobanco.journal.envelope import encode as encode_envelope
from puntobanco.journal.log import (
    Append,
    ConflictError,
    EventLog,
    ReusedError,
    Sealed,
    Snapshot,
    Statement,
    is_repeated,
)
from puntobanco.journal.mac import RowMac
from puntobanco.journal.rows import Entry, Row
from puntobanco.table.actor import Actor

State = TypeVar("State")
TABLE = "table-"
"""The prefix of the names of tables' streams."""
TABLE_NAME = re.compile(rf"{TABLE}[A-Za-z0-9_.-]{{1,50}}")
COMPETITION = "competition-"
"""The prefix of the names of competitions' streams."""
TRIES = 100
"""Most retries after losing a version race."""
MAC_BYTES = 32
"""Bytes of the code that stands before the state in a snapshot."""
WAY_ROWS = 2000
"""Rows of a table among which one state is kept for looking back, the last that was saved."""
WAYS_BACK = 4
"""So many such stretches are looked through for one."""
QUEUE = 256
"""The most changes a subscriber may lag behind before it is dropped."""


@lru_cache
def state_form(state: Hashable) -> str:
    """Digest the form of a state, so that a snapshot of another form is not read."""
    fields = msgspec.json.schema(state)
    return sha256(msgspec.json.encode(fields, order="deterministic")).hexdigest()


class Aggregate(Struct, Generic[State], frozen=True):
    """The pure functions and types by which a stream is run."""

    decide: Callable[[State, Any, Actor], list[Any]]
    evolve: Callable[[State, Any], State]
    event: Any
    """The type of its events, for decoding."""
    empty: State
    command: Any = None
    """The type of its commands, for deciding a row again."""

    @property
    def kind(self) -> str:
        return state_form(cast("Hashable", type(self.empty)))


class StreamChange(Struct, frozen=True):
    """The row that one command brought about, decoded."""

    seq: int
    at_ms: int
    actor: str
    events: tuple[Any, ...]


class Stream(Generic[State]):
    """One aggregate as it is now, over its rows; the only way to change it is `give`."""

    def __init__(
        self,
        name: str,
        aggregate: Aggregate[State],
        log: EventLog,
        mac: RowMac,
        heed: Callable[[Any], object] = lambda _: None,
        follow: "Callable[[StreamChange], object]" = lambda _: None,
    ) -> None:
        self.name = name
        self._heed = heed
        """A function called with each event before it is applied."""
        self._follow = follow
        """A function called with each row after it was applied."""
        self.aggregate = aggregate
        self._mac = mac
        self._signed = False
        """Whether a row with a code of the house's key has been read."""
        self.state = aggregate.empty
        self.seq = 0
        self._head = FIRST
        """The hash of the last row."""
        self.saved_seq = 0
        """The number of the row that the last snapshot was made of."""
        self.at_ms = 0
        """The time of the last row; 0 until one has been applied."""
        self.made_here = False
        """Whether the stream had no row when this process first opened it."""
        self.lock = asyncio.Lock()
        self._log = log
        self.decode = msgspec.json.Decoder(GenericAlias(list, (aggregate.event,))).decode
        self._subscribers: set[asyncio.Queue[StreamChange | None]] = set()

    def start(self) -> None:
        """Start from the last snapshot, if this house made it of a row still there, and read on."""
        held = self._log.snapshot(self.name, self.aggregate.kind)
        if held is not None and self._is_own(held):
            row = next(self._log.read(self.name, held.seq - 1), None)
            if row is not None and (row.seq, row.hash) == (held.seq, held.hash):
                self.state = self._decoded(held)
                self.seq, self._head = row.seq - 1, row.previous
                self._check_written(row)
                self.seq, self._head, self.at_ms = row.seq, row.hash, row.at_ms
                self.saved_seq = held.seq
        self.catch_up()

    def _is_own(self, held: Snapshot) -> bool:
        code = self._code(held, held.state[MAC_BYTES:])
        return hmac.compare_digest(held.state[:MAC_BYTES], code)

    def _code(self, held: Snapshot, body: bytes) -> bytes:
        """The code of a snapshot: only the house's key makes one that `start` believes."""
        about = f"{held.stream} {held.seq} {held.hash.hex()} {held.kind} ".encode()
        return self._mac.code(about + body)

    def save(self) -> None:
        """Save the state as a snapshot, so that the next start is short; and a table's once more,
        to stay, so that whoever looks back need not play it from its beginning.
        """
        head = next(self._log.read(self.name, self.seq - 1), None)
        if head is None:
            return
        body = zlib.compress(msgspec.json.encode(self.state))
        ways = (self._way(self.seq),) if self.name.startswith(TABLE) else ()
        for name in (self.name, *ways):
            made = Snapshot(name, self.seq, head.hash, self.aggregate.kind, b"")
            self._log.save_snapshot(replace(made, state=self._code(made, body) + body))
        self.saved_seq = self.seq

    def _way(self, seq: int) -> str:
        """The name under which a state on the way is kept; no stream has such a name."""
        return f"{self.name}@{seq // WAY_ROWS}"

    def saved_before(self, seq: int) -> tuple[int, State] | None:
        """A state that was saved at or before a row, and the number of its row."""
        for back in range(WAYS_BACK):
            name = self._way(max(0, seq - back * WAY_ROWS))
            held = self._log.snapshot(name, self.aggregate.kind)
            if held is not None and held.seq <= seq and self._is_of_row(held):
                return held.seq, self._decoded(held)
        return None

    def _decoded(self, held: Snapshot) -> State:
        body = held.state[MAC_BYTES:]
        text = body if body[:1] == b"{" else zlib.decompress(body)  # older ones are as they are
        return msgspec.json.decode(text, type=type(self.aggregate.empty))

    def _is_of_row(self, held: Snapshot) -> bool:
        """Whether this house made it, of a row that is still there."""
        row = next(self._log.read(self.name, held.seq - 1), None)
        same = row is not None and (row.seq, row.hash) == (held.seq, held.hash)
        return same and self._is_own(held)

    def catch_up(self) -> bool:
        """Apply the rows after the last one applied; say whether there were any."""
        before = self.seq
        for row in self._log.read(self.name, self.seq):
            self._check_written(row)
            self.apply(row)
        return self.seq != before

    def _check_written(self, row: Row) -> None:
        """Refuse a row that is not linked to the one before; and, after the first row with a code
        of the house's key, one whose code is missing or wrong.
        """
        self._signed = self._signed or row.mac is not None
        wrong = row_fault(row, self.name, self.seq, self._head)
        if self._signed and not wrong:
            wrong = self._mac.fault(row) if row.mac else "has no code of the house's key"
        if wrong:
            raise UnusableError(
                f"{self.name} row {row.seq} {wrong}; this house does not go on from it:"
                " verify the journal"
            )

    def apply(self, row: Row) -> StreamChange:
        events = self.decode(row.events)
        for event in events:
            self._heed(event)
        self.state = reduce(self.aggregate.evolve, events, self.state)
        self.seq, self._head, self.at_ms = row.seq, row.hash, row.at_ms
        change = StreamChange(row.seq, row.at_ms, row.actor, tuple(events))
        self._follow(change)
        self._publish(change)
        return change

    def entry(self, given: "Given") -> Entry:
        """Decide a command, and return the entry for its row."""
        events = self.aggregate.decide(self.state, given.command, given.by)
        cited = dict.fromkeys(
            clause for event in events for clause in getattr(event, "clauses", ())
        )
        command = encoded(given.command)
        asked = encoded(given.asked)
        envelope = Envelope(
            edition=EDITION,
            by=given.roles,
            seen=given.seen,
            played=given.played,
            asked=Raw(asked) if asked != command else NOTHING,
            command=Raw(command),
        )
        return Entry(
            self.name,
            self.seq + 1,
            given.by.at_ms,
            given.by.person,
            given.command_id,
            encode_envelope(envelope),
            tuple(cited),
            encoded(events),
            asked,
            given.roles.asker,
        )

    def before(self, asked: Any, asker: str, command_id: str) -> StreamChange | None:
        """The change that this very command brought about before, if it did."""
        row = self._log.by_command(self.name, command_id)
        if row is None:
            return None
        if not is_repeated(asker, encoded(asked), row):
            raise ReusedError(self.name, command_id)
        return StreamChange(row.seq, row.at_ms, row.actor, tuple(self.decode(row.events)))

    def written(self, entry: Entry, row: Row) -> StreamChange:
        """Apply the row of an entry; a repeated command's row is returned, not applied again."""
        if row.seq == entry.seq == self.seq + 1:
            return self.apply(row)
        return StreamChange(row.seq, row.at_ms, row.actor, tuple(self.decode(row.events)))

    # who listens

    def _publish(self, change: StreamChange) -> None:
        for queue in tuple(self._subscribers):
            try:
                queue.put_nowait(change)
            except asyncio.QueueFull:  # the subscriber is too slow: end it, and keep the others
                self._subscribers.discard(queue)
                queue.get_nowait()
                queue.put_nowait(None)

    async def changes(self) -> AsyncGenerator[StreamChange, None]:
        """Yield every change from now on; it ends when the subscriber lags behind too far."""
        queue: asyncio.Queue[StreamChange | None] = asyncio.Queue(QUEUE)
        self._subscribers.add(queue)
        try:
            while (change := await queue.get()) is not None:
                yield change
        finally:
            self._subscribers.discard(queue)


encoded = msgspec.json.Encoder().encode
"""Encodes a command or events as they are hashed and stored."""


class Given(Struct, frozen=True):
    """A command on its way to one stream."""

    asked: Any
    """The command or intent as it was asked."""
    command: Any
    """The command as it is decided, completed by the house."""
    by: Actor
    roles: GivenBy
    command_id: str
    seen: dict[str, int] = {}
    played: PlayedBefore | None = None


class Attempt(Struct, frozen=True):
    """The commands to decide as things are now, one for each stream concerned."""

    given: tuple[Given, ...]
    sealed: tuple[Sealed, ...] = ()
    unmoved: tuple[str, int] | None = None
    """The register, by which roles were looked up, and the number of its last row."""
    erasable: tuple[Statement, ...] = ()
    """Changes of the erasable tables that go with it."""


_GIVING: set[asyncio.Task[tuple[StreamChange, ...]]] = set()
"""Commands on their way: a caller that goes away does not cancel what was begun."""


async def give(
    log: EventLog,
    streams: Sequence[Stream[Any]],
    register: Stream[Any],
    attempt: Callable[[], Attempt],
    first: Callable[[], tuple[StreamChange, ...]],
) -> tuple[StreamChange, ...]:
    """Give commands to streams, all or none: one append, every version checked.

    `attempt` completes the commands once the streams are locked; `first` returns the changes of
    a command that was given before. A caller that goes away does not cancel what was begun.
    """
    giving = asyncio.create_task(_give(log, streams, register, attempt, first))
    _GIVING.add(giving)
    giving.add_done_callback(_GIVING.discard)
    return await asyncio.shield(giving)


async def _give(
    log: EventLog,
    streams: Sequence[Stream[Any]],
    register: Stream[Any],
    attempt: Callable[[], Attempt],
    first: Callable[[], tuple[StreamChange, ...]],
) -> tuple[StreamChange, ...]:
    concerned = {*streams, register}
    async with AsyncExitStack() as stack:
        for stream in sorted(streams, key=lambda stream: stream.name):
            await stack.enter_async_context(stream.lock)
        for _ in range(TRIES):
            try:
                trying = attempt()
                pairs = list(zip(streams, trying.given, strict=False))
                entries = tuple(stream.entry(given) for stream, given in pairs)
            except Refused:
                if before := first():
                    return before
                moved = [stream.catch_up() for stream in concerned]
                if True in moved:  # it was refused by a state that is out of date
                    continue
                raise
            try:
                append = Append(entries, trying.sealed, trying.unmoved, trying.erasable)
                rows = await log.append(append)
            except ConflictError as conflict:
                lost = conflict
                for stream in concerned:
                    stream.catch_up()
                continue
            return tuple(
                stream.written(entry, row)
                for (stream, _), entry, row in zip(pairs, entries, rows, strict=True)
            )
    raise lost
