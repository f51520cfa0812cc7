"""Every row of a house decided again, and its streams held against one another.

The journal checks that nothing was changed; this checks that the rules give what was stored. Each
stream is played by itself, on all cores; then what one stream says of another is looked up there.
"""

import asyncio
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, wait
from typing import Any, Protocol

from msgspec import Struct

from puntobanco.cage import commands as cage
from puntobanco.cage import events as cage_events
from puntobanco.cage.state import Cage
from puntobanco.competition import commands as competition
from puntobanco.competition.events import DrawCommitted
from puntobanco.editions import CHANGES, Change
from puntobanco.house.checks import older
from puntobanco.house.checks.again import Again, ForgedError, History, State, Thresholds, Went
from puntobanco.house.checks.crossing import Crossing, crossing_fault
from puntobanco.house.checks.together import (
    Looked,
    PlayedStream,
    cage_against_tables,
    pots_against_competitions,
    unmatched_half,
)
from puntobanco.house.figures.check import FiguresCheck, settings_in
from puntobanco.house.figures.noted import wrongly_kept
from puntobanco.house.figures.stored import ANEW
from puntobanco.house.giving.halves import (
    MOVING,
    moved_by_half,
    moved_in_pot,
    pot_half,
)
from puntobanco.house.house import CAGE, CAGES, COMPETITIONS, REGISTERS, TABLES
from puntobanco.house.stream import COMPETITION, TABLE, Aggregate
from puntobanco.journal.chain import Fault
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import NONE
from puntobanco.journal.opening import open_journal
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import REGISTER, RootRecorded, recorded
from puntobanco.rules.documents.texts import remember
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.result import result
from puntobanco.table.state import Table

TICK = 500
"""Rows between two reports of progress."""
WORTH_IT = 20_000
"""The fewest rows for which more processes are started; starting them takes time too."""
WHOLE = (c.BuyIn, c.CashOut, c.OpenTable, competition.Publish, *MOVING)
"""Commands whose second half the cage or the register has, or may have."""


class Audited(Struct, frozen=True):
    """The findings of deciding a whole house again."""

    fault: Fault | None = None
    decided: int = 0
    without: int = 0
    """Rows of older programs, which kept no command, checked as far as possible."""
    otherwise: int = 0
    """Rows of an earlier edition that are decided differently now, by a change that is named."""
    taken: int = 0
    """Rows up to a root from which on rows were to be decided: taken as they are stored."""
    commitments: dict[str, tuple[str, int]] = {}
    """Every commitment to a shoe of the house's own, with the stream and row that made it."""
    photos: dict[str, tuple[str, int]] = {}
    """Every digest of a photo, with the stream and row that has it."""


class Deciding(Struct, frozen=True):
    """By what a house is decided again."""

    changes: tuple[Change, ...]
    since: dict[str, int]
    """The row of each stream up to which nothing is decided."""

    def again(
        self, stream: str, aggregate: Aggregate[State], history: History, marks: Thresholds
    ) -> Again[State]:
        after = self.since.get(stream, 0)
        return Again(stream, aggregate, history, marks, self.changes, after)


def audit(
    log: EventLog,
    progress: Callable[[int], object] | None = None,
    workers: int = 1,
    changes: tuple[Change, ...] = CHANGES,
    since: Mapping[str, int] = NONE,
) -> Audited:
    """Decide every row of a house again, up to the first that is not what the rules give.

    `since` has the rows of each stream up to which nothing is decided: they are taken as they are
    stored, and all streams are held against one another as ever.
    """
    count = _Count(progress)
    deciding = Deciding(changes, dict(since))
    ends = {stream: log.head(stream).seq for stream in log.streams()}
    marks = _Marks(log)
    history = History()
    people = _register(log, ends, history, marks.of(REGISTER), deciding, count)
    if people.fault:
        return _summed([people], people.fault)
    money, looked, kept = _cage(log, ends, history, marks.of(CAGE), deciding, count)
    if money.fault:
        return _summed([people, money], money.fault)
    wanted: dict[str, set[int]] = {}
    for look in looked:
        wanted.setdefault(look.table, set()).add(look.row)
    played = [
        _competition(log, stream, end, history, marks.of(stream), deciding, count)
        for stream, end in sorted(ends.items())
        if stream.startswith(COMPETITION)
    ]
    results: dict[str, set[int]] = {}
    for taken in (taken for cup in played for taken in cup.crossing.taken):
        results.setdefault(taken.table, set()).add(taken.row)
    jobs = [
        TableJob(
            stream, end, marks.of(stream), wanted.get(stream, set()), results.get(stream, set())
        )
        for stream, end in ends.items()
        if stream.startswith(TABLE)
    ]
    many = workers > 1 and len(jobs) > 1 and sum(job.end for job in jobs) > WORTH_IT
    play = _in_processes if many else _in_turn
    tables = {
        played.stream: played for played in play(log, jobs, history, deciding, count, workers)
    }
    faults = [tables[stream].fault for stream in sorted(tables)]
    firsts = {**tables, **{competition.stream: competition for competition in played}}
    fault = (
        next(filter(None, [*faults, *(competition.fault for competition in played)]), None)
        or unmatched_half([people, money], firsts)
        or cage_against_tables(money, kept, looked, tables, history)
        or pots_against_competitions(money, played)
        or crossing_fault(_crossings(played), _crossings(tables.values()))
        or _noted_wrongly(log)
    )
    return _summed([people, money, *tables.values(), *played], fault)


def _noted_wrongly(log: EventLog) -> Fault | None:
    """A row that somebody has taken from the list of those management must see, or put there."""
    wrong = wrongly_kept(log, settings_in(log).watch)
    said = f"is wrongly among the rows that must be seen, or not; {ANEW}"
    return Fault(*wrong, said) if wrong else None


def _crossings(played: Iterable[PlayedStream]) -> dict[str, Crossing]:
    return {one.stream: one.crossing for one in played}


def _summed(played: Iterable[PlayedStream], fault: Fault | None) -> Audited:
    streams = list(played)
    counts = [stream.counts for stream in streams]
    return Audited(
        fault,
        sum(count.decided for count in counts),
        sum(count.without for count in counts),
        sum(count.otherwise for count in counts),
        sum(count.taken for count in counts),
        {made: (stream.stream, seq) for stream in streams for seq, made in stream.commitments},
        {digest: (stream.stream, seq) for stream in streams for seq, digest in stream.photos},
    )


class Counting(Protocol):
    """Counts rows as they are decided."""

    def add(self, rows: int) -> None: ...


class _Count:
    """Reports how many rows have been decided; the caller may raise to stop the audit."""

    def __init__(self, progress: Callable[[int], object] | None) -> None:
        self._progress = progress
        self._rows = 0

    def add(self, rows: int) -> None:
        self._rows += rows
        if self._progress:
            self._progress(self._rows)


class _Marks:
    """Reads from roots how far the register had come, at least, when later rows were written."""

    def __init__(self, log: EventLog) -> None:
        self._marks: dict[str, Thresholds] = {}
        self._ends: dict[str, int] = {}
        self._register = 0
        for root in recorded(log):
            if isinstance(root.event, RootRecorded):
                self._add(root.event)

    def _add(self, event: RootRecorded) -> None:
        for stream in event.heads.keys() - self._ends.keys():
            self._marks[stream] = [(0, self._register)]
        self._ends |= event.heads
        now = self._ends.get(REGISTER, 0)
        if now > self._register:
            self._register = now
            for stream, end in self._ends.items():
                self._marks[stream].append((end, now))

    def of(self, stream: str) -> Thresholds:
        return list(self._marks.get(stream, [(0, self._register)]))


def _rows(log: EventLog, stream: str, end: int, count: Counting) -> Iterator[Row]:
    for row in log.read(stream):
        if row.seq > end:  # the house is in use, and the stream has grown since
            break
        yield row
        if not row.seq % TICK:
            count.add(TICK)
    count.add(end % TICK)


def _check_rows(
    log: EventLog, played: PlayedStream, count: Counting, check: Callable[[Row], str]
) -> None:
    """Check the rows of a stream up to the first that does not hold, and note that one."""
    for row in _rows(log, played.stream, played.end, count):
        try:
            wrong = check(row)
        except ForgedError as forged:
            wrong = str(forged)
        except Exception as error:  # noqa: BLE001  a row that was changed may break anything
            wrong = f"cannot have happened as things were ({type(error).__name__})"
        if wrong:
            played.fault = Fault(row.stream, row.seq, wrong)
            return


# one stream at a time


def _register(
    log: EventLog,
    ends: dict[str, int],
    history: History,
    marks: Thresholds,
    deciding: Deciding,
    count: Counting,
) -> PlayedStream:
    played = PlayedStream(REGISTER, ends.get(REGISTER, 0))
    again = deciding.again(REGISTER, REGISTERS, history, marks)
    played.counts = again.counts

    def check(row: Row) -> str:
        before = again.state
        history.end = row.seq - 1
        went = again.row(row)
        history.add(row, went.events, again.state)
        _note_half(played, row, went)
        return "" if went.decided else older.register_fault(before, row, went.events)

    _check_rows(log, played, count, check)
    return played


def _cage(
    log: EventLog,
    ends: dict[str, int],
    history: History,
    marks: Thresholds,
    deciding: Deciding,
    count: Counting,
) -> tuple[PlayedStream, list[Looked], Cage]:
    played = PlayedStream(CAGE, ends.get(CAGE, 0), moved={}, pots={})
    again = deciding.again(CAGE, CAGES, history, marks)
    played.counts = again.counts
    looked: list[Looked] = []

    def check(row: Row) -> str:
        before = again.state
        went = again.row(row)
        for event in went.events:
            if isinstance(event, cage_events.ChipsSold | cage_events.ChipsRedeemed):
                sign = 1 if isinstance(event, cage_events.ChipsSold) else -1
                key = f"{event.table} {row.command_id}"
                played.moved.setdefault(key, []).append((event.person, sign * event.cents))
        for name, movement in moved_in_pot(went.events):
            played.pots.setdefault(f"{COMPETITION}{name} {row.command_id}", []).append(movement)
        _note_half(played, row, went)
        bank = went.command.bank_cents if isinstance(went.command, cage.CountTray) else None
        seen = went.envelope.seen if went.envelope else {}
        in_money = went.envelope is not None and went.envelope.edition > 1
        looked.extend(Looked(row.seq, table, seq, bank, in_money) for table, seq in seen.items())
        return "" if went.decided else older.cage_fault(before, row, went.events)

    _check_rows(log, played, count, check)
    return played, looked, again.state


def _competition(
    log: EventLog,
    stream: str,
    end: int,
    history: History,
    marks: Thresholds,
    deciding: Deciding,
    count: Counting,
) -> PlayedStream:
    """Decide a competition's rows again, and note what they move at the cage."""
    played = PlayedStream(stream, end, pots={}, commitments=[])
    again = deciding.again(stream, COMPETITIONS, history, marks)
    played.counts = again.counts

    def check(row: Row) -> str:
        went = again.row(row)
        for event in went.events:
            if isinstance(event, DrawCommitted):
                played.commitments.append((row.seq, event.commitment))
        if moved := moved_by_half(pot_half(stream, went.events)):
            played.pots[f"{stream} {row.command_id}"] = moved
        played.crossing.note_in_competition(row.seq, went.command, went.events, again.state)
        _note_half(played, row, went)
        return ""

    _check_rows(log, played, count, check)
    return played


class TableJob(Struct, frozen=True):
    """A table's stream to be decided again, up to a row."""

    stream: str
    end: int
    marks: Thresholds
    wanted: set[int]
    """The rows at which the cage looked up what the bank had gained."""
    results: set[int]
    """The rows at which a competition took the result."""


def _table(
    log: EventLog, job: TableJob, history: History, deciding: Deciding, count: Counting
) -> PlayedStream:
    played = PlayedStream(
        job.stream, job.end, moved={}, unkept=set(), banks={}, commitments=[], photos=[]
    )
    again = deciding.again(job.stream, TABLES, history, job.marks)
    played.counts = again.counts
    figures = FiguresCheck(log, job.stream, history.settings)

    def check(row: Row) -> str:
        before = again.state
        went = again.row(row)
        figures.take(row, went.events)
        for event in went.events:
            if isinstance(event, e.TableOpened) and went.envelope and not history.keeps(event):
                return "opens by a text of its rule set that the register does not keep"
            _note(played, row, event, again.state)
        _note_half(played, row, went)
        played.crossing.note_at_table(row.seq, went.command, again.state)
        if row.seq in job.results:
            played.crossing.results[row.seq] = result(again.state)
        if row.seq in job.wanted:
            played.banks[row.seq] = again.state.bank_cents, again.state.money_bank_cents
        return "" if went.decided else older.table_fault(before, row, went.events, again.state)

    _check_rows(log, played, count, check)
    if not played.fault and (wrong := figures.wrong()):
        played.fault = Fault(job.stream, figures.seq, wrong)
    return played


def _note(played: PlayedStream, row: Row, event: e.TableEvent, after: Table) -> None:
    """Note the chips, commitments and digests that must agree with what is kept elsewhere."""
    match event:
        case e.ChipsBought() | e.ChipsCashed() if _worth_money(after):
            sign = 1 if isinstance(event, e.ChipsBought) else -1
            key = f"{played.stream} {row.command_id}"
            played.moved.setdefault(key, []).append((event.person, sign * event.cents))
            if row.command is None:
                played.unkept.add(key)
        case e.CardsShuffled() | e.SecretLodged() if event.commitment:
            played.commitments.append((row.seq, event.commitment))
        case e.IncidentRecorded() if event.photo:
            played.photos.append((row.seq, event.photo))
        case _:
            pass


def _worth_money(table: Table) -> bool:
    """Whether chips are money; of a live competition they are
    [tas-2018:16.1-live-competition-baccarat].
    """
    return not table.plays_for_chips


def _note_half(played: PlayedStream, row: Row, went: Went) -> None:
    """Note by whom and when a command was given that is written in two streams."""
    by = went.envelope.by if went.envelope else None
    whole = played.stream not in (CAGE, REGISTER) and isinstance(went.command, WHOLE)
    if by and (by.at or whole):
        key = f"{by.at or played.stream} {row.command_id}"
        played.halves[key] = row.seq, (row.actor, row.at_ms, by.register, by.asker)


# many at once


def _in_turn(
    log: EventLog,
    jobs: list[TableJob],
    history: History,
    deciding: Deciding,
    count: Counting,
    _workers: int,
) -> Iterator[PlayedStream]:
    for job in jobs:
        yield _table(log, job, history, deciding, count)


_WORKER: list[Any] = []
"""In a worker process: the journal's address, the register's history, by what rows are decided,
and the shared count of rows."""


def _start_worker(*arguments: Any) -> None:
    _WORKER[:] = arguments
    for text in arguments[1].texts.values():
        remember(text)


class _Shared:
    """Counts rows in memory shared with the process that started the workers."""

    def __init__(self, done: Any) -> None:
        self._done = done

    def add(self, rows: int) -> None:
        with self._done.get_lock():
            self._done.value += rows


def _work(job: TableJob) -> PlayedStream:
    return asyncio.run(_open_and_play(job))


async def _open_and_play(job: TableJob) -> PlayedStream:
    address, history, deciding, done = _WORKER
    log = await open_journal(address)
    try:
        return _table(log, job, history, deciding, _Shared(done))
    finally:
        await log.close()


def _in_processes(
    log: EventLog,
    jobs: list[TableJob],
    history: History,
    deciding: Deciding,
    count: Counting,
    workers: int,
) -> Iterator[PlayedStream]:
    context = multiprocessing.get_context("spawn")
    done = context.Value("q", 0)
    arguments = (log.address, history, deciding, done)
    told = 0
    with ProcessPoolExecutor(workers, context, _start_worker, arguments) as pool:
        largest_first = sorted(jobs, key=lambda job: -job.end)
        waiting: set[Future[PlayedStream]] = {pool.submit(_work, job) for job in largest_first}
        while waiting:
            finished, waiting = wait(waiting, timeout=0.2)
            now = int(done.value)
            count.add(now - told)
            told = now
            for future in finished:
                yield future.result()
