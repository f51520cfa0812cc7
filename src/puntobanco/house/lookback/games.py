"""Looking back: the last games of a table, step by step."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.table import events as e
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.evolve import evolve
from puntobanco.table.sentences import tell
from puntobanco.table.state import Table

LAST = 10
WINDOW = 500
_decode = msgspec.json.Decoder(list[e.TableEvent]).decode


class Told(Struct, frozen=True):
    """One event of a game: when, by whom, what happened, and why."""

    seq: int
    at_ms: int
    actor: str
    says: str
    clauses: tuple[str, ...]
    event: e.TableEvent


class Game(Struct, frozen=True):
    """One game as it went, in the order it went; shown again, it is not played again."""

    table: str
    coup: int
    steps: tuple[Told, ...]
    over: bool


def rows_since(log: EventLog, stream: str, tag: str, times: int) -> list[Row]:
    """The rows from the so-manyeth last one on that has an event of this kind."""
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


def record_of(log: EventLog, table: str, number: int, digest: str) -> CoupRecord | None:
    """The record of a coup of an earlier shoe, found again by playing the journal."""
    state = Table()
    for row in log.read(table, 0):
        for event in _decode(row.events):
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
        for event in _decode(row.events):
            if isinstance(event, e.CoupOpened):
                if steps:
                    yield Game(table, number, tuple(steps), over=True)
                steps, number = [], event.number
            elif steps and isinstance(steps[-1].event, e.CoupEnded):
                continue  # what a table does between two coups belongs to neither
            told = Told(row.seq, row.at_ms, row.actor, tell(event), event.clauses, event)
            steps.append(told)
    if steps:
        ended = any(isinstance(one.event, e.CoupEnded) for one in steps)
        yield Game(table, number, tuple(steps), over=ended)
