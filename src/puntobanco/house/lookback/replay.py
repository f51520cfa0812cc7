"""One coup played back, with the table as it was after every step."""

from collections import OrderedDict
from collections.abc import Callable
from functools import reduce
from itertools import dropwhile, takewhile
from threading import Lock

from msgspec import Struct

from puntobanco.errors import DamagedError, Reason, Refused
from puntobanco.house.lookback.coups import OPENED, LaterRulings, find_coup, ruled_later
from puntobanco.house.lookback.told import Told, events_of, tell_row
from puntobanco.journal.chain import row_fault
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import events as e
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Table

WAYMARK = 1000
"""Rows between two states that are kept in memory to go on from."""
MOST_WAYMARKS = 256
Saved = Callable[[str, int], tuple[int, Table] | None]
"""Finds a state of a table that was saved at or before a row."""
MOST_ROWS = 2000
"""No coup has more; what a table does between two coups is shown up to here."""
IMPOSSIBLE = (AssertionError, KeyError, IndexError, StopIteration, Refused)


class ReplayStep(Struct, frozen=True):
    """One thing that happened, and the table after it."""

    told: Told
    table: Table


class Replay(Struct, frozen=True):
    """One coup from its opening to the next; shown again, it is not played again."""

    number: int
    steps: tuple[ReplayStep, ...]
    over: bool
    is_last: bool
    """No coup has been opened after it."""
    later: tuple[Told, ...] = ()
    """What was ruled on it when others had begun."""


class Replays:
    """Coups of a journal, played back; states on the way are kept, for others to start from."""

    def __init__(self, log: EventLog, saved: Saved = lambda _stream, _seq: None) -> None:
        self._log = log
        self._saved = saved
        self.rulings = LaterRulings(log)
        self._marks: OrderedDict[tuple[str, int], Table] = OrderedDict()
        self._lock = Lock()

    def replay(self, stream: str, number: int) -> Replay:
        opened = find_coup(self._log, stream, number)
        if opened is None:
            raise Refused(Reason.NOT_FOUND, CONDITIONS)
        table = self.at(stream, opened.seq - 1)
        self._keep(stream, opened.seq - 1, table)
        steps: list[ReplayStep] = []
        rows = self._log.read(stream, opened.seq - 1)
        following: Row | None = None
        for row in takewhile(lambda row: row.seq < opened.seq + MOST_ROWS, rows):
            if row.seq > opened.seq and OPENED in row.events:
                following = row
                break
            if not steps or not _ended(steps):
                done = _steps(table, row)
                table = done[-1].table if done else table
                steps += done if steps else dropwhile(_before_opening, done)
        last = steps[-1].told.seq if steps else opened.seq
        later = tuple(ruled_later(self.rulings, stream, number, last))
        over = _ended(steps)
        return Replay(number, tuple(steps), over, following is None, later)

    def links_hold(self, stream: str, first: int, last: int) -> bool:
        """Whether rows are whole, and each linked to the one before it."""
        rows = takewhile(lambda row: row.seq <= last, self._log.read(stream, max(0, first - 2)))
        before: Row | None = None
        for row in rows:
            at = (before.seq, before.hash) if before else (row.seq - 1, row.previous)
            if row_fault(row, stream, *at):
                return False
            before = row
        return before is not None and before.seq == last

    def at(self, stream: str, seq: int) -> Table:
        """A table as it was after a row: from the nearest state that is kept."""
        start, table = self._nearest(stream, seq)
        for row in self._log.read(stream, start):
            if row.seq > seq:
                break
            table = _after(table, row)
            if not row.seq % WAYMARK:
                self._keep(stream, row.seq, table)
        return table

    def _nearest(self, stream: str, seq: int) -> tuple[int, Table]:
        with self._lock:
            known = [key for key in self._marks if key[0] == stream and key[1] <= seq]
            start = max(known, default=(stream, 0))
            table = self._marks.get(start, Table())
            if start in self._marks:
                self._marks.move_to_end(start)
        saved = self._saved(stream, seq) if seq - start[1] > WAYMARK else None
        return max((start[1], table), saved or (0, table), key=lambda found: found[0])

    def _keep(self, stream: str, seq: int, table: Table) -> None:
        with self._lock:
            self._marks[stream, seq] = table
            self._marks.move_to_end((stream, seq))
            while len(self._marks) > MOST_WAYMARKS:
                self._marks.popitem(last=False)


def _before_opening(step: ReplayStep) -> bool:
    """Who lost a seat, or that a session's last coup comes now, is said before it opens."""
    return not isinstance(step.told.event, e.CoupOpened)


def _ended(steps: list[ReplayStep]) -> bool:
    """What a table does between two coups belongs to neither."""
    return any(isinstance(step.told.event, e.COUP_OVER) for step in steps)


def _after(table: Table, row: Row) -> Table:
    try:
        return reduce(evolve, events_of(row), table)
    except IMPOSSIBLE as error:
        raise _damaged(row) from error


def _steps(table: Table, row: Row) -> list[ReplayStep]:
    steps: list[ReplayStep] = []
    try:
        for step in tell_row(row):
            table = evolve(table, step.event)
            steps.append(ReplayStep(step, table))
    except IMPOSSIBLE as error:
        raise _damaged(row) from error
    return steps


def _damaged(row: Row) -> DamagedError:
    """A journal somebody changed is shown as far as it can be; verification says more."""
    return DamagedError(
        f"{row.stream} row {row.seq} cannot have happened as things were; verify the journal"
    )
