"""Figures that follow the play: each coup is added as it ends, and put right as it is put right.

They are a projection: made of rows alone, kept beside the journal so that nobody reads a million
rows for one page, and made again from the rows at any time. Nothing is ever decided by them.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from puntobanco.house.figures import stored
from puntobanco.house.figures.expected import priced_by
from puntobanco.house.figures.notable import added_rows, any_notable
from puntobanco.house.figures.parts import Cell, Kind, parts
from puntobanco.house.figures.stored import ReadTo, Unfinished
from puntobanco.house.figures.sums import NOTHING, Sums, less, plus
from puntobanco.house.figures.tallied import tallied_order
from puntobanco.house.lookback.past_coup import Circumstances, PastCoup, PastCoups
from puntobanco.house.lookback.told import events_of
from puntobanco.house.stream import TABLE, StreamChange
from puntobanco.journal.erasable_tables import Values
from puntobanco.journal.log import EventLog, Statement
from puntobanco.register.settings import Settings
from puntobanco.table.events import CommitmentOpened

MOST_BEHIND = 500
"""Rows after which a process that does not keep a table's figures begins again from those kept."""
ALL = 1 << 62
AT_ONCE = 500
"""Rows of one table that are read in one go, so that nobody waits long."""


class _MovedError(Exception):
    """Another process has kept the figures of a later row: begin again from these."""


class TableFigures:
    """The figures of one table: those that are kept, and what has come since."""

    def __init__(
        self, log: EventLog, stream: str, settings: Callable[[], Settings], *, anew: bool = False
    ) -> None:
        self._log, self.stream, self._settings = log, stream, settings
        self._kept = not anew and stored.are_kept(log) and stored.games_are_kept(log)
        self.begin(stored.read_to(log, stream) if self._kept else ReadTo())

    def begin(self, at: ReadTo) -> None:
        """Go on from a row; what came after it is read again."""
        self.seq = self.base = at.seq
        self.past = PastCoups(at.state.standing, at.state.current, self._recall)
        self.past.coups = {coup.number: coup for coup in at.state.coups}
        self._counted = {coup.number: coup for coup in at.state.coups if coup.over}
        self.cells: dict[Cell, Sums] = {}
        """The cells that have changed since they were kept, as they are now."""
        self.is_forward = at.without_sides
        """Those kept are of the form before: what they lack is added, and kept with the rest."""
        if at.without_sides:
            self.cells = stored.sides_of_coups(self._log, self.stream)
        self.coups: dict[int, Values] = {}
        """The coups that have ended or changed since, as they are to be kept."""
        self.notable: dict[int, int] = (
            added_rows(self._log, self.stream, at.seq) if at.without_sides else {}
        )
        """The rows since that management must see, with their times."""

    def follow(self, change: StreamChange) -> None:
        """Read a row as the house has just applied it."""
        self.take(change.seq, change.at_ms, change.events)

    def take(self, seq: int, at_ms: int, events: Iterable[Any]) -> None:
        """Read a row, if it is the next one."""
        if seq != self.seq + 1:
            return
        events = tuple(events)
        before = self.past.standing
        try:
            self.past.take(self.stream, seq, at_ms, events)
            if self.past.touched:
                self._count()
            for event in events:
                if type(event) is CommitmentOpened and event.agrees:
                    self._count_order(event, before, at_ms)
            if any_notable(events, self._settings().watch(at_ms)):
                self.notable[seq] = at_ms
        except _MovedError:
            self.begin(stored.read_to(self._log, self.stream))
        else:
            self.seq = seq

    def catch_up(self, most: int) -> int:
        """Read on in the journal; say how many rows were read."""
        read = 0
        for row in self._log.read(self.stream, self.seq):
            if read == most:
                break
            self.take(row.seq, row.at_ms, events_of(row))
            read += 1
        return read

    def _count(self) -> None:
        """Add the coups that are over, and take away what was added of them before."""
        touched = [number for number in self.past.touched if self.past.coups[number].over]
        self.past.touched.clear()
        for number in touched:
            before, now = self._counted.get(number), self.past.coups[number]
            own = parts(now, self._settings())
            self._exchange(parts(before, self._settings()) if before else {}, own)
            self.coups[number] = stored.coup_row(now, self._settings(), own)
            self._counted[number] = now
        for number in [one for one in self._counted if one != self.past.current]:
            del self._counted[number], self.past.coups[number]

    def _count_order(self, event: CommitmentOpened, before: Circumstances, at_ms: int) -> None:
        """Add one of the house's own orders that was opened, as the house had shuffled it."""
        day = self._settings().day_of(at_ms, before.utc_minutes)
        cell: Cell = (day, "cards", f"order {len(event.order)}")
        self._exchange({}, {cell: Sums(tallies=tallied_order(event.order, before.order))})

    def _exchange(self, before: dict[Cell, Sums], now: dict[Cell, Sums]) -> None:
        for cell in {**before, **now}:
            held = self.cells[cell] if cell in self.cells else self._load(cell)
            if cell in before:
                held = less(held, before[cell])
            self.cells[cell] = plus(held, now[cell]) if cell in now else held

    def _load(self, cell: Cell) -> Sums:
        if not self._kept or self._begins():
            return Sums()
        sums, seq = stored.cell(self._log, self.stream, cell)
        if seq != self.base:
            raise _MovedError
        return sums

    def _begins(self) -> bool:
        """Whether nothing is kept of this form, only perhaps of an older one."""
        return not self.base and not stored.kept_to(self._log, self.stream)

    def _recall(self, number: int) -> PastCoup | None:
        """A coup that was over before; something is said of it after all."""
        if number in self.coups:
            found: PastCoup | None = stored.unpacked(self.coups[number][-1])
        elif self._kept and not self._begins():
            found = stored.coup(self._log, self.stream, number)
            if stored.kept_to(self._log, self.stream) != self.base:
                raise _MovedError
        else:
            found = None
        if found is not None:
            self._counted[number] = found
        return found

    @property
    def at(self) -> ReadTo:
        """How far rows have been read, and how the table stands there."""
        past = self.past
        unfinished = Unfinished(past.standing, past.current, tuple(past.coups.values()))
        return ReadTo(self.seq, unfinished)

    @property
    def unkept(self) -> int:
        """The rows that have come since figures were kept."""
        return self.seq - self.base

    def save(self) -> None:
        """Keep what has come since."""
        if not self._kept or (self.seq == self.base and not self.is_forward):
            return
        self._log.together(self.statements())
        self.base, self.is_forward = self.seq, False
        self.cells, self.coups, self.notable = {}, {}, {}

    def statements(self) -> list[Statement]:
        """What is to be written, for a journal that has the figures of the base row."""
        anew = stored.drop(self.stream) if not self.base else []  # of an older form
        coups = stored.put_coups(self._log, self.stream, self.coups, anew=not self.base)
        cells = [stored.put_cell(self.stream, cell, sums) for cell, sums in self.cells.items()]
        notable = [(stored.PUT_NOTABLE, (self.stream, *row)) for row in self.notable.items()]
        return [*anew, *coups, *cells, *notable, stored.put_at(self.stream, self.at)]


class Unkept(Struct, frozen=True):
    """What has come since figures were last kept, at one moment."""

    cells: dict[str, dict[Cell, Sums]]
    """By table."""
    coups: dict[str, dict[int, Values]]
    notable: dict[str, dict[int, int]] = {}


class FiguresRead(Struct, frozen=True):
    """The figures of a house as one reader sees them: those kept, and what has come since."""

    log: EventLog
    unkept: Unkept


class HouseFigures:
    """The figures of all tables of a house."""

    def __init__(self, log: EventLog, settings: Callable[[], Settings]) -> None:
        self.log, self.settings = log, settings
        self.tables: dict[str, TableFigures] = {}

    def of(self, stream: str) -> TableFigures:
        if stream not in self.tables:
            self.tables[stream] = TableFigures(self.log, stream, self.settings)
        return self.tables[stream]

    def forget_wrong(self) -> None:
        """Have figures made anew that a program before kept, and that are wrong by more than what
        is added to them.
        """
        for stream, table in self.tables.items():
            if table.is_forward and stored.lacks_chips(self.log, stream):
                self.log.together(stored.drop(stream))
                table.begin(ReadTo())

    def learn_odds(self) -> None:
        """Work out the exact odds that tables play by now, so that no first page waits for it."""
        for odds in {table.past.standing.odds for table in list(self.tables.values())} - {""}:
            priced_by(odds)

    def behind(self, heads: dict[str, int]) -> Iterator[TableFigures]:
        """The tables of which rows have still to be read."""
        for stream, seq in heads.items():
            if self.of(stream).seq < seq:
                yield self.tables[stream]

    def catch_up(self, heads: dict[str, int], most: int = AT_ONCE) -> None:
        """Read on a little where something was missed: after an upgrade, or from a backup."""
        for table in self.behind(heads):
            most -= table.catch_up(most)
            if most <= 0:
                return

    def save(self) -> None:
        """Keep the figures of every table as far as they go."""
        for table in self.tables.values():
            table.save()

    def refresh(self, stream: str) -> None:
        """Begin again from what another process has kept, so that memory does not fill."""
        table = self.of(stream)
        if table.unkept > MOST_BEHIND:
            table.begin(stored.read_to(self.log, stream))

    def reading(self, stream: str = "") -> FiguresRead:
        """All that is known now, also for another thread."""
        return FiguresRead(self.log, self.unkept(stream))

    def unkept(self, stream: str = "") -> Unkept:
        """What has come since, to be read beside what is kept, also by another thread."""
        tables = [self.of(stream)] if stream else list(self.tables.values())
        return Unkept(
            {table.stream: dict(table.cells) for table in tables if table.cells},
            {table.stream: dict(table.coups) for table in tables if table.coups},
            {table.stream: dict(table.notable) for table in tables if table.notable},
        )


def reading_of(log: EventLog, settings: Settings) -> FiguresRead:
    """The figures of a house that is not running, up to its last row, whatever was kept."""
    figures = HouseFigures(log, lambda: settings)
    for stream in log.streams():
        if stream.startswith(TABLE):
            figures.of(stream).catch_up(ALL)
    return FiguresRead(log, figures.unkept())


def cells(
    reading: FiguresRead, kind: Kind, first: str, last: str, stream: str = "", name: str = ""
) -> Iterator[tuple[str, str, str, Sums]]:
    """The cells of one kind in a range of gaming days: table, day, name and sums."""
    newer = _newer(reading, kind, first, last, stream)
    if stored.are_kept(reading.log):
        where = stored.Where(kind, first, last, stream, name)
        for table, day, called, sums in stored.cells_between(reading.log, where):
            if (table, day, called) not in newer:
                yield table, day, called, sums
    for (table, day, called), sums in newer.items():
        if sums != NOTHING and name in ("", called):
            yield table, day, called, sums


def cell_handles(
    reading: FiguresRead, kind: Kind, first: str, last: str, stream: str = ""
) -> Iterator[tuple[str, str, str, int]]:
    """The handle alone of the same cells, which need not be decoded for it."""
    newer = _newer(reading, kind, first, last, stream)
    if stored.are_kept(reading.log):
        where = stored.Where(kind, first, last, stream)
        for table, day, name, cents in stored.handles_between(reading.log, where):
            if (table, day, name) not in newer:
                yield table, day, name, cents
    for (table, day, name), sums in newer.items():
        yield table, day, name, sums.handle_cents


def _newer(
    reading: FiguresRead, kind: Kind, first: str, last: str, stream: str
) -> dict[tuple[str, str, str], Sums]:
    """The cells that have changed since they were kept."""
    return {
        (table, day, name): sums
        for table, own in reading.unkept.cells.items()
        if stream in ("", table)
        for (day, of, name), sums in own.items()
        if of == kind and first <= day <= last
    }
