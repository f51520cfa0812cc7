"""A house that runs: its clocks, its roots, its snapshots, and news from other processes.

Several processes may run one house in PostgreSQL. Any of them decides; whoever holds a stream
runs its clocks and its bots, and when that process is gone another takes it over.
"""

import asyncio
from contextlib import aclosing, suppress
from typing import Any

from puntobanco.errors import Refused, UnusableError
from puntobanco.house.bots.crew import Bots
from puntobanco.house.house import House
from puntobanco.house.notes import ClockJumped
from puntobanco.house.roots import is_sealed
from puntobanco.house.stream import TABLE, Stream
from puntobanco.journal.chain import HOUSE
from puntobanco.journal.log import StoppedError
from puntobanco.journal.receipt import public_key
from puntobanco.table import commands as c
from puntobanco.table.queries.clocks import next_deadline, over
from puntobanco.table.state import Table

TICK_S = 0.25
ROOT_MS, ROOT_ROWS = 60_000, 1000
"""A root is recorded at the latest after this time, or this many rows."""
TAKE_OVER_MS = 2000
"""So often it looks for streams that nobody holds any more."""
SNAPSHOT_ROWS = 2000
"""A stream that has grown by so much is snapshotted, so that a start reads no more than that."""
SNAPSHOTS_A_TICK = 5
BOT_STEPS = 30
"""So much bots do at a table in one tick at most."""


class Running:
    """What a house does of itself, a quarter of a second at a time."""

    def __init__(
        self,
        house: House,
        bots: Bots | None = None,
        root_ms: int = ROOT_MS,
        root_rows: int = ROOT_ROWS,
    ) -> None:
        self.house = house
        self.bots = bots
        self.held: set[str] = set()
        self._root_ms, self._root_rows = root_ms, root_rows
        self._tries_at = house.time.now_ms()

    async def run(self) -> None:
        """Once started, until it is cancelled; what stops the journal stops the house."""
        listening = asyncio.create_task(self._listen(), name="listening")
        try:
            while True:
                await self.tick()
                await self.house.clock.sleep(TICK_S)
                if listening.done():
                    listening.result()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            with suppress(StoppedError):  # there is nothing more to write to
                await self.house.shut()

    async def start(self) -> None:
        """A clock that went back while the house was shut is noticed here, and a wrong key."""
        self._check_key()
        await self._take_over()
        if HOUSE not in self.held and not self.house.log.shared:
            raise UnusableError("another process runs this house; there can be one at a time")
        if HOUSE in self.held:
            self.house.roots.check()
        log, now = self.house.log, self.house.time.now_ms()
        before = max((log.head_ms(stream) for stream in log.streams()), default=0)
        if now < before and HOUSE in self.held:
            await self.house.note(ClockJumped(now - before))
        await self._show_key()
        if HOUSE in self.held:  # nothing is served before all that is there is covered
            await self.house.record_root()

    def _check_key(self) -> None:
        """If no shoe opens, the key is another; if one does not, its table says so at the deal."""
        tables = [one.state for one in self.house.tables.values() if is_sealed(one.state)]
        broken = [one for one in tables if not self._opens(one)]
        if tables and broken == tables:
            raise UnusableError(
                "this key opens none of the shoes in play; run the house with the one they were"
                " sealed with"
            )

    def _opens(self, table: Table) -> bool:
        try:
            self.house.order(table)
        except Refused:
            return False
        return True

    async def _show_key(self) -> None:
        """Receipts can be checked only if the house's key is on record."""
        public = public_key(self.house.key)
        if public not in self.house.register.state.keys:
            with suppress(Refused):  # another process may have shown it meanwhile
                await self.house.show_key(public)

    async def tick(self) -> None:
        house = self.house
        now = house.time.now_ms()
        if (jump := house.time.jump_ms()) and HOUSE in self.held:
            await house.note(ClockJumped(jump))
        if house.people.unwiped:
            house.people.wipe()
        if now - self._tries_at >= TAKE_OVER_MS:
            self._tries_at = now
            await self._take_over()
        for name in [name for name in self.held if name in house.tables]:
            await self._run_out(house.tables[name], now)
            if self.bots is not None:
                await self._let_bots(house.tables[name], self.bots)
        self._save_some()
        if HOUSE in self.held and self._root_is_due(now):
            await house.record_root()

    def _root_is_due(self, now_ms: int) -> bool:
        roots = self.house.roots
        grown = self.house.written - roots.rows
        return now_ms - roots.at_ms >= self._root_ms or grown >= self._root_rows

    async def _take_over(self) -> None:
        wanted = {HOUSE, *self.house.tables} - self.held
        if not wanted:
            return
        taken = await self.house.log.hold(wanted)
        if HOUSE in taken:  # whoever had it may have written until a moment ago
            await self._read_on()
            taken |= await self.house.log.hold(self.house.tables)
        for name in sorted(taken & set(self.house.tables)):
            table = self.house.tables[name]
            async with table.lock:
                table.catch_up()
            if not table.made_here:
                await self._hold_clocks(table)
        self.held |= taken

    async def _hold_clocks(self, table: Stream[Table]) -> None:
        """Nobody ran its clocks since its last row: every time has as much left as then."""
        if next_deadline(table.state) is None:
            return
        away_ms = self.house.time.now_ms() - self.house.log.head_ms(table.name)
        await self._clockwork(table, c.HoldClocks(away_ms), "clocks-held")

    async def _run_out(self, table: Stream[Table], now_ms: int) -> None:
        if over(table.state, now_ms):
            await self._clockwork(table, c.RunOut(), "time-over")

    async def _let_bots(self, table: Stream[Table], bots: Bots) -> None:
        """Patrons all bet in one go; staff do one thing at a time."""
        for _ in range(BOT_STEPS):
            if not await bots.step(table):
                return

    async def _clockwork(self, table: Stream[Table], ask: c.TableCommand, what: str) -> None:
        """A command of the clock's; refused when somebody was quicker, and then it is not due."""
        with suppress(Refused):
            await self.house.give(table.name, ask, HOUSE, self.house.own_id(what))

    def _save_some(self) -> None:
        house = self.house
        streams: list[Stream[Any]] = [house.tables[name] for name in self.held & set(house.tables)]
        if HOUSE in self.held:
            streams += [house.register, house.cage]
        grown = [one for one in streams if one.seq - one.saved_seq >= SNAPSHOT_ROWS]
        for stream in grown[:SNAPSHOTS_A_TICK]:
            stream.save()

    async def _listen(self) -> None:
        """Read on wherever another process has written."""
        async with aclosing(self.house.log.changes()) as changes:
            async for name, seq in changes:
                if not name:
                    await self._read_on()
                    continue
                stream = self._stream(name)
                if stream is not None and stream.seq < seq:
                    async with stream.lock:
                        stream.catch_up()

    async def _read_on(self) -> None:
        """What was written before we listened."""
        for name in self.house.log.streams():
            if (stream := self._stream(name)) is not None:
                async with stream.lock:
                    stream.catch_up()

    def _stream(self, name: str) -> Stream[Any] | None:
        house = self.house
        if name.startswith(TABLE):
            return house.table(name)
        others: dict[str, Stream[Any]] = {"cage": house.cage, "register": house.register}
        return others.get(name)
