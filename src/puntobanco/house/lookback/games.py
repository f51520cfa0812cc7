"""Looking back: the last games of a table, step by step."""

from collections.abc import Iterator

from msgspec import Struct

from puntobanco.house.lookback.told import Told, events_of, tell_row
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.table import events as e
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Table

LAST = 10
WINDOW = 500


class Game(Struct, frozen=True):
    """One game as it went, in the order it went; shown again, it is not played again."""

    table: str
    coup: int
    steps: tuple[Told, ...]
    over: bool


def rows_since(log: EventLog, stream: str, tag: str, times: int) -> list[Row]:
    """All rows from the `times`-th last row with an event of this tag."""
    end, wanted = log.head(stream).seq, f'{{"is":"{tag}"'.encode()
    window = WINDOW
    while True:
        rows = list(log.read(stream, max(0, end - window)))
        marks = [index for index, row in enumerate(rows) if wanted in row.events]
        if len(marks) >= times:
            return rows[marks[-times] :]
        if window >= end:
            return rows[marks[0] :] if marks else []
        window *= 4


def find_past_record(log: EventLog, table: str, number: int, digest: str) -> CoupRecord | None:
    """The record of a coup of an earlier shoe, found again by playing the journal."""
    state = Table()
    for row in log.read(table, 0):
        for event in events_of(row):
            before, state = state.coups, evolve(state, event)
            if state.coups is before:
                continue
            for record in state.coups:
                if record.number == number and record.digest == digest:
                    return record
    return None


def last_games(log: EventLog, table: str, count: int = LAST) -> Iterator[Game]:
    """The last games of a table, the oldest first."""
    steps: list[Told] = []
    number = 0
    for row in rows_since(log, table, "coup-opened", count):
        for step in tell_row(row):
            if isinstance(step.event, e.CoupOpened):
                if steps:
                    yield Game(table, number, tuple(steps), over=True)
                steps, number = [], step.event.number
            elif steps and isinstance(steps[-1].event, e.COUP_OVER):
                continue  # what a table does between two coups belongs to neither
            steps.append(step)
    if steps:
        ended = any(isinstance(step.event, e.COUP_OVER) for step in steps)
        yield Game(table, number, tuple(steps), over=ended)
