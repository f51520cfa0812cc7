"""A house that runs: its clocks, its roots, its snapshots, and news from other processes.

Several processes may run one house in PostgreSQL. Any of them decides; the one that holds a
stream runs its clocks and bots, and when that process is gone another takes the stream over.
"""

import asyncio
from contextlib import aclosing, suppress
from typing import Any

from puntobanco import __version__
from puntobanco.competition.queries import next_clock_ms
from puntobanco.competition.state import Competition
from puntobanco.errors import Refused, UnusableError
from puntobanco.house.access.guests import GuestSeats
from puntobanco.house.bots.crew import Bots
from puntobanco.house.checks.drawing import note_failure, note_generator
from puntobanco.house.checks.generator import heed_record
from puntobanco.house.checks.program import CheckProgram, note_program
from puntobanco.house.clock import LEAST_JUMP_MS
from puntobanco.house.competitions.relay import Relay
from puntobanco.house.figures import noted
from puntobanco.house.giving.orders import open_if_quiet
from puntobanco.house.house import House
from puntobanco.house.notes import (
    ClockFollowed,
    ClockJumped,
    LowDisk,
    WritingBegan,
    last_note,
)
from puntobanco.house.roots import ROOT_MS, is_sealed
from puntobanco.house.stream import COMPETITION, TABLE, Stream
from puntobanco.house.trust.erasing import erase_agreed
from puntobanco.journal.log import AwayError, EventLog, FullError, StoppedError, SucceededError
from puntobanco.journal.receipt import public_key
from puntobanco.journal.shown_keys import key_fault
from puntobanco.journal.sql import OURS, Generation
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register.commands import ShowKey
from puntobanco.table import commands as c
from puntobanco.table.queries.clocks import deadlines, next_deadline, over
from puntobanco.table.state import Table

TICK_S = 0.25
"""The most seconds between two ticks."""
LEAST_TICK_S = 0.02
"""The least: what falls due within it is done together."""
ROOT_ROWS = 1000
"""The most rows between two roots."""
HEARTBEAT_MS = 10_000
"""The most milliseconds between two roots while a session's clock runs. Whoever takes the house
over counts its absence from the last row, so the session gains at most this much too much."""
TAKE_OVER_MS = 2000
"""Milliseconds between two looks for streams that no process holds any more."""
DAY_MS = 86_400_000
"""Milliseconds between two checks of the program's files, and two notes of the generator."""
SOON_MS = 60_000
"""Milliseconds from the start to the check of what is compiled, too."""
KEEP_MS = 5000
"""Milliseconds after which the numbers of rows that must be seen are kept again."""
DISK_MS = 3_600_000
LEAST_FREE_MB = 500
"""Megabytes below which the disk is put on record, each hour."""
SNAPSHOT_ROWS = 2000
"""Rows after which a stream is snapshotted again, so that a start reads about this many."""
FIGURES_ROWS = 200
"""Rows of a table, some twelve coups, after which its figures are kept again: until then they are
in memory, and all that is kept at once is waited for."""
OF_THE_CLOCK, OF_WRITING = b'"is":"clock-', b'"is":"writing-began"'
"""How notes begin that say how far the clock is off, and which program writes."""
NEWER_WRITES = (
    "a newer puntobanco writes here (edition {edition}, schema {schema}); use that one, nothing was"
    " touched"
)
GRACE_S = 2
"""Seconds in which a process that writes no more still says so, before it ends."""
BOT_STEPS = 30
"""The most commands that bots give at one table in one tick."""


class Running:
    """Every 250 ms or sooner: expire clocks, run bots, save grown streams, record a due root."""

    def __init__(
        self,
        house: House,
        bots: Bots | None = None,
        root_ms: int = ROOT_MS,
        root_rows: int = ROOT_ROWS,
        program: CheckProgram | None = None,
    ) -> None:
        self.house = house
        self._program, self._program_due_ms = program, 0
        self._drawn_ms = 0
        self.bots = bots
        self._taken: set[str] = set()
        self.relay = Relay(house)
        self.guests = GuestSeats(house)
        house.roots.every_ms, self._root_rows = root_ms, root_rows
        self._tries_at = house.time.now_ms()
        self._times_before: dict[str, set[int]] = {}
        """Those that ran when the clock was last looked at."""
        self._kept_ms = 0
        self._noted: dict[str, int] = {}
        """The rows of competitions up to which those that must be seen are kept."""
        self._looked_ms = -DISK_MS
        self.slowest_ms = 0
        """The longest tick since somebody last asked."""

    @property
    def held(self) -> set[str]:
        """The streams that this process has taken over, and has not lost since."""
        return self.house.log.holds(self._taken)

    async def run(self) -> None:
        """Tick until cancelled; an error that stops the journal stops the house. While the
        database is away, or the disk full, what is due waits.
        """
        listening = asyncio.create_task(self._listen(), name="listening")
        try:
            while True:
                began = self.house.clock.steady_ms()
                with suppress(AwayError, FullError, SucceededError):
                    await self.tick()
                if newer := self.house.log.succeeded():
                    await self.house.clock.sleep(GRACE_S)
                    raise SucceededError(newer)
                self.slowest_ms = max(self.slowest_ms, self.house.clock.steady_ms() - began)
                await self.house.clock.sleep(self.nap_s())
                if listening.done():
                    listening.result()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            with suppress(StoppedError, AwayError, FullError):  # the journal takes no more rows
                await self.house.shut()

    def nap_s(self) -> float:
        """The seconds until the next tick: until a clock is over or a bot's pause, if that is
        sooner than usual.
        """
        now, tables = self.house.time.now_ms(), self.house.tables
        due = [next_deadline(tables[name].state) for name in self.held & set(tables)]
        due.append(self.bots.due_ms(now) if self.bots else None)
        soonest = min(
            (at_ms - now for at_ms in due if at_ms is not None and at_ms > now), default=0
        )
        return min(max(soonest / 1000, LEAST_TICK_S), TICK_S) if soonest else TICK_S

    async def start(self) -> None:
        """Take the house over: check the key and the last root, and what time it is."""
        self._check_key()
        log, noted_off_ms = self.house.log, off_on_record(self.house.log)
        if HOUSE not in await log.hold({HOUSE}):
            if not log.shared:
                raise UnusableError("another process runs this house; there can be one at a time")
            self.house.time.begin(self.house.last_ms(), noted_off_ms)  # it is the others' time
        await self._succeed()
        await self._take_over()
        if HOUSE in self.held:
            self.house.roots.check()
            self.house.figures.forget_wrong()
        now = self._tries_at = self.house.time.now_ms()
        await self._tell_off(noted_off_ms)
        await self._show_key()
        if HOUSE in self.held:  # every row is covered by a root before anything is served
            await self._check_program(now)
            await self._check_drawing(now)
            await erase_agreed(self.house, HOUSE)
            await self.house.record_root()

    async def _check_program(self, now_ms: int) -> None:
        """At the start, soon after it and once a day, put on record whether the program's files are
        its own; what is compiled of them takes longer, and nobody waits for it.
        """
        if self._program is None or now_ms < self._program_due_ms:
            return
        begins = not self._program_due_ms
        self._program_due_ms = now_ms + (SOON_MS if begins else DAY_MS)
        found = await asyncio.to_thread(self._program, compiled=not begins)
        await note_program(self.house, found)

    async def _check_drawing(self, now_ms: int) -> None:
        """At the start and once a day, put on record what tests of the generator have seen."""
        if not self._drawn_ms or now_ms - self._drawn_ms >= DAY_MS:
            self._drawn_ms = now_ms
            await note_generator(self.house)

    async def _succeed(self) -> None:
        """Go on where an older program wrote, which stops first; never where a newer one has."""
        newest = newest_writer(self.house.log)
        if newest > OURS:
            raise UnusableError(NEWER_WRITES.format(edition=newest[0], schema=newest[1]))
        if newest < OURS or self.house.log.shared:
            await self.house.log.succeed(self._begin_writing)

    async def _begin_writing(self) -> None:
        self.house.roots.check()
        await self.house.note(WritingBegan(*OURS, __version__))

    def _check_key(self) -> None:
        """Refuse a key that opens no shoe in play; if only some do not open, the deal says so."""
        tables = [table.state for table in self.house.tables.values() if is_sealed(table.state)]
        broken = [table for table in tables if not self._opens(table)]
        if tables and broken == tables and not self.house.codes.former:
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
        """Record the house's public key, without which nobody can check receipts."""
        public = public_key(self.house.key)
        if public not in self.house.register.state.keys:
            with suppress(Refused):  # another process may have shown it meanwhile
                ask = ShowKey(public)
                await self.house.give(REGISTER, ask, HOUSE, f"key-{public[:16]}")
            if wrong := key_fault(self.house.log, self.house.key):
                raise UnusableError(wrong)

    async def tick(self) -> None:
        house = self.house
        await self._follow_clock()
        now = house.time.now_ms()
        if house.people.unwiped:
            house.people.wipe()
        if now - self._tries_at >= TAKE_OVER_MS or self.held != self._taken:
            self._tries_at = now
            self._taken = self.held
            await house.log.check_still_there()
            await self._take_over()
            if HOUSE in self.held:
                await erase_agreed(house, HOUSE)
        await self._run_tables(now)
        await self._run_competitions(now)
        if self.bots is not None and HOUSE in self.held:
            await self._let_tournaments(self.bots)
        self._follow_figures()
        if HOUSE in self.held and now - self._kept_ms >= KEEP_MS:
            self._kept_ms = now
            self._keep_noted()
        self._save_some()
        await note_failure(house)
        if HOUSE in self.held:
            await self._check_program(now)
            await self._check_drawing(now)
            await self._record_due(now)
            await self._look_at_disk(now)

    async def _look_at_disk(self, now_ms: int) -> None:
        """Say in time that records will soon have no room."""
        if now_ms - self._looked_ms < DISK_MS:
            return
        self._looked_ms, free = now_ms, self.house.log.free_mb()
        if free is not None and free < LEAST_FREE_MB:
            await self.house.note(LowDisk(free))

    async def _run_tables(self, now_ms: int) -> None:
        tables = self.house.tables
        for name in self.held & set(tables):
            if name not in self.held:  # the session that held it was lost meanwhile
                continue
            await self._run_out(tables[name], now_ms)
            await open_if_quiet(self.house, name, tables[name].state)
            if self.bots is not None:
                await self._let_bots(tables[name], self.bots)
        await self.guests.sweep([tables[name] for name in self.held & set(tables)])

    async def _run_competitions(self, now_ms: int) -> None:
        competitions = self.house.competitions
        for name in self.held & set(competitions):
            if name in self.held:
                await self._run_out_session(competitions[name], now_ms)
                await self.relay.bring_into_line(name)

    async def _record_due(self, now_ms: int) -> None:
        """Record a root when one is due; where a session's clock runs, also of a quiet house."""
        clocks = (next_clock_ms(held.state) for held in self.house.competitions.values())
        quiet_ms = now_ms - self.house.roots.at_ms
        if quiet_ms >= HEARTBEAT_MS and any(ends is not None for ends in clocks):
            await self.house.record_root(anew=True)
        elif self._root_is_due(now_ms):
            await self.house.record_root()

    def _root_is_due(self, now_ms: int) -> bool:
        roots = self.house.roots
        grown = self.house.written - roots.rows
        return now_ms - roots.at_ms >= roots.every_ms or grown >= self._root_rows

    async def _take_over(self) -> None:
        wanted = {HOUSE, *self.house.tables, *self.house.competitions} - self.held
        if not wanted:
            return
        taken = await self.house.log.hold(wanted)
        if HOUSE in taken:  # the process that had it may have written until a moment ago
            await self._read_on()
            taken |= await self.house.log.hold({*self.house.tables, *self.house.competitions})
        alive_ms = self.house.last_ms()  # before this process writes anything
        for name in sorted(taken & set(self.house.tables)):
            table = self.house.tables[name]
            async with table.lock:
                table.catch_up()
            if not table.made_here:
                await self._hold_clocks(table)
        for name in sorted(taken & set(self.house.competitions)):
            await self._hold_session(self.house.competitions[name], alive_ms)
        self._taken |= taken

    async def _hold_session(self, competition: Stream[Competition], alive_ms: int) -> None:
        """Lengthen a session's one clock by the time since the house's last sign of life, for all
        tables alike.
        """
        async with competition.lock:
            competition.catch_up()
        if competition.made_here or next_clock_ms(competition.state) is None:
            return
        away_ms = self.house.time.now_ms() - alive_ms
        await self._clockwork(competition, c.HoldClocks(away_ms), "clocks-held")

    # what time it is

    async def _tell_off(self, noted_off_ms: int) -> None:
        """Put on record that the clock is further off, or less, than when the house last said."""
        off_ms = self.house.time.off_ms()
        by_ms = off_ms - noted_off_ms
        if HOUSE not in self.held or abs(by_ms) <= LEAST_JUMP_MS:
            return
        moved = abs(off_ms) > abs(noted_off_ms)
        await self.house.note(
            ClockJumped(by_ms, off_ms) if moved else ClockFollowed(-by_ms, off_ms)
        )

    async def _follow_clock(self) -> None:
        """Notice a clock that was moved, keep to the time of other processes, and come closer."""
        time, told = self.house.time, HOUSE in self.held
        time.look()
        if (jump := time.jump_ms()) and told:
            await self.house.note(ClockJumped(jump, time.off_ms()))
        if by_ms := time.catch_up():
            await self._hold_all(by_ms)
        self._times_before = self._times()
        time.follow(self._is_quiet)
        if (by_ms := by_ms + time.moved_ms()) and told:
            await self.house.note(ClockFollowed(by_ms, time.off_ms()))

    async def _hold_all(self, by_ms: int) -> None:
        """Move times on that were set before the house's time was: none is shortened by it."""
        now_ms = self.house.time.now_ms()
        for name, times in self._times().items():
            before = self._times_before.get(name, set())
            if times & before or any(at_ms <= now_ms for at_ms in times):
                stream = self.house.tables.get(name) or self.house.competitions[name]
                await self._clockwork(stream, c.HoldClocks(by_ms), "clocks-held")

    def _times(self) -> dict[str, set[int]]:
        """The times that run now at what this process holds."""
        house, held = self.house, self.held
        found = {
            name: {at_ms for at_ms, _ in deadlines(house.tables[name].state)}
            for name in held & set(house.tables)
        }
        for name in held & set(house.competitions):
            ends_ms = next_clock_ms(house.competitions[name].state)
            found[name] = set() if ends_ms is None else {ends_ms}
        return found

    def _is_quiet(self) -> bool:
        """Whether no time runs that was set, at any table or in any competition."""
        house = self.house
        return all(next_deadline(one.state) is None for one in house.tables.values()) and all(
            next_clock_ms(one.state) is None and one.state.break_until_ms is None
            for one in house.competitions.values()
        )

    async def _run_out_session(self, competition: Stream[Competition], now_ms: int) -> None:
        ends_ms = next_clock_ms(competition.state)
        if ends_ms is not None and now_ms >= ends_ms:
            await self._clockwork(competition, c.RunOut(), "time-over")

    async def _hold_clocks(self, table: Stream[Table]) -> None:
        """Move a table's clocks on by the time that no process ran them, so that none is cut."""
        if next_deadline(table.state) is None:
            return
        away_ms = self.house.time.now_ms() - self.house.log.head_ms(table.name)
        await self._clockwork(table, c.HoldClocks(away_ms), "clocks-held")

    async def _run_out(self, table: Stream[Table], now_ms: int) -> None:
        if over(table.state, now_ms):
            await self._clockwork(table, c.RunOut(), "time-over")

    async def _let_bots(self, table: Stream[Table], bots: Bots) -> None:
        """Let bots act: patrons all bet in one tick, staff give one command at a time."""
        for _ in range(BOT_STEPS):
            if not await bots.step(table):
                return

    async def _let_tournaments(self, bots: Bots) -> None:
        for table in bots.tournaments():
            for _ in range(BOT_STEPS):
                if not await bots.step_tournament(table):
                    break

    async def _clockwork(self, table: Stream[Any], ask: c.TableCommand, what: str) -> None:
        """Give a command of the clock's; it is refused, and not needed, if a person was first."""
        with suppress(Refused):
            await self.house.give(table.name, ask, HOUSE, self.house.own_id(what))

    def _keep_noted(self) -> None:
        """Of competitions only those are asked about that have moved: a house has hundreds."""
        house, at = self.house, {name: one.seq for name, one in self.house.competitions.items()}
        moved = [name for name, seq in at.items() if self._noted.get(name) != seq]
        streams = (*noted.STREAMS, *moved)
        watch = house.register.state.settings.watch
        if noted.keep(house.log, watch, streams=streams) < noted.AT_ONCE:
            self._noted = at

    def _save_some(self) -> None:
        """One snapshot and one table's figures a tick, so that a tick stays short."""
        house = self.house
        streams: list[Stream[Any]] = [house.tables[name] for name in self.held & set(house.tables)]
        streams += [house.competitions[name] for name in self.held & set(house.competitions)]
        if HOUSE in self.held:
            streams += [house.register, house.cage]
        grown = max(streams, key=lambda one: one.seq - one.saved_seq, default=None)
        if grown is not None and grown.seq - grown.saved_seq >= SNAPSHOT_ROWS:
            grown.save()
        figures = [house.figures.of(name) for name in self.held & set(house.tables)]
        longest = max(figures, key=lambda one: one.unkept, default=None)
        if longest is not None and longest.unkept >= FIGURES_ROWS:
            longest.save()

    def _follow_figures(self) -> None:
        """Read on where figures are behind; what another process keeps need not stay in memory."""
        tables = self.house.tables
        self.house.figures.catch_up({name: table.seq for name, table in tables.items()})
        for name in tables.keys() - self.held:
            self.house.figures.refresh(name)

    async def _listen(self) -> None:
        """Read on in every stream that another process has written to; from the beginning again
        if the database went away meanwhile.
        """
        while True:
            with suppress(AwayError):
                async with aclosing(self.house.log.changes()) as changes:
                    async for name, seq in changes:
                        await self._read_change(name, seq)
            await self.house.clock.sleep(TICK_S)

    async def _read_change(self, name: str, seq: int) -> None:
        if not name:
            await self._read_on()
            return
        if name == HOUSE and self.house.chance.watch is not None:
            heed_record(self.house.chance.watch, self.house.log)
        stream = self._stream(name)
        if stream is not None and stream.seq < seq:
            async with stream.lock:
                stream.catch_up()

    async def _read_on(self) -> None:
        """Read the rows that were written before listening began."""
        for name in self.house.log.streams():
            if (stream := self._stream(name)) is not None:
                async with stream.lock:
                    stream.catch_up()

    def _stream(self, name: str) -> Stream[Any] | None:
        house = self.house
        if name.startswith(TABLE):
            return house.table(name)
        if name.startswith(COMPETITION):
            return house.competition(name)
        others: dict[str, Stream[Any]] = {"cage": house.cage, "register": house.register}
        return others.get(name)


def off_on_record(log: EventLog) -> int:
    """How far the clock was ahead of the house's time when the house last said so."""
    return int(last_note(log, OF_THE_CLOCK).get("off_ms", 0))


def newest_writer(log: EventLog) -> Generation:
    """The newest program that has begun to write here; no later one is older."""
    found = last_note(log, OF_WRITING)
    return found.get("edition", 0), found.get("schema", 0)
