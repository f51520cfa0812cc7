"""What a competition and its tables told each other: each looked up in the other's rows."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from puntobanco.competition.commands import TakeResult
from puntobanco.competition.events import SessionStarted
from puntobanco.competition.state import Competition, PlaySession
from puntobanco.house.stream import COMPETITION
from puntobanco.journal.chain import Fault
from puntobanco.table.commands import BeginSession
from puntobanco.table.result import SessionResult
from puntobanco.table.state import Table


class ReadResult(Struct, frozen=True):
    """A result that a row of a competition took, and the row of the table it was read from."""

    seq: int
    table: str
    row: int
    result: SessionResult


class SeatedSession(Struct, frozen=True):
    """A session that a row of a table began, and the row of the competition it followed from."""

    seq: int
    competition: str
    session: str
    ask: BeginSession


class Crossing(Struct):
    """What one stream says of others, and what others may ask of it."""

    taken: list[ReadResult] = []
    begun: list[SeatedSession] = []
    started: dict[str, tuple[int, PlaySession]] = {}
    """The sessions of a competition as they stood when they started, each with its row."""
    results: dict[int, SessionResult | None] = {}
    """What a table's session had come to, by the rows that a competition looked at."""

    def note_in_competition(
        self, seq: int, command: Any, events: Iterable[Any], now: Competition
    ) -> None:
        """Note what a row of a competition takes from a table, or starts."""
        if isinstance(command, TakeResult):
            self.taken.append(ReadResult(seq, command.table, command.row, command.result))
        for event in events:
            if isinstance(event, SessionStarted):
                self.started[event.session] = seq, now.sessions[event.session]

    def note_at_table(self, seq: int, command: Any, table: Table) -> None:
        """Note what a row of a table begins for a competition."""
        if isinstance(command, BeginSession) and table.session and table.conditions:
            of = f"{COMPETITION}{table.conditions.competition}"
            self.begun.append(SeatedSession(seq, of, table.session.id, command))


def crossing_fault(
    competitions: Mapping[str, Crossing], tables: Mapping[str, Crossing]
) -> Fault | None:
    """Find a result that its table had not, or a session that began otherwise than it was drawn
    [tas-2018:16.8.2, 16.2.3(e), act-2015:15.20, 15.7].

    A session of a competition that is not in this house is held against nothing: a written session
    has its table alone. A stream that was taken away is missing from the root.
    """
    for name, cup in competitions.items():
        for one in cup.taken:
            table = tables.get(one.table)
            if table is None or table.results.get(one.row) != one.result:
                said = f"takes a result that {one.table} did not have at its row {one.row}"
                return Fault(name, one.seq, said)
    for name, crossed in tables.items():
        for begun in crossed.begun:
            of = competitions.get(begun.competition)
            if of and (wrong := _begun_otherwise(name, begun, of)):
                return Fault(name, begun.seq, wrong)
    return None


def _begun_otherwise(name: str, begun: SeatedSession, cup: Crossing) -> str:
    """How a session began otherwise than its competition says; empty if it did not."""
    row, session = cup.started.get(begun.session, (0, None))
    if session is None or begun.ask.row < row:
        return f"begins a session that {begun.competition} had not started"
    ask = begun.ask
    same = [table for table, seats in session.seats.items() if seats == ask.seats]
    drawn = name if name in session.seats else next(iter(same), "")  # it began elsewhere at once
    if drawn not in same or ask.first_seat != session.first.get(drawn):
        return f"seats others than {begun.competition} drew for it"
    if ask.starts_ms != session.started_ms:
        return f"begins at another time than {begun.competition} says"
    return ""
