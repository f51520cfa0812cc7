"""Incidents: what staff put on record of a table, with the clause, a note and perhaps a photo."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.house import House
from puntobanco.house.lookback.told import events_of
from puntobanco.journal.rows import Row
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import events as e

TOLD = (b'"is":"incident-recorded"', b'"is":"cards-touched"')
DAYS = (b'"is":"table-opened"', b'"is":"gaming-day-began"')
TOUCHED = "cards-touched"


class Incident(Struct, frozen=True):
    """One incident on record."""

    table: str
    row: int
    """The row of the table that records it."""
    at_ms: int
    by: str
    kind: str
    note: str
    people: tuple[str, ...]
    """Whom it concerns."""
    coup: int | None
    gaming_day: str
    clauses: tuple[str, ...]
    photo: str = ""
    """SHA-256 of its photo, which may have been erased; empty: there was none."""


class IncidentLog:
    """Every incident of a house, found once and then only read on."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._read: dict[str, int] = {}
        """By table, up to which row it has been read."""
        self._days: dict[str, list[tuple[int, str]]] = {}
        """By table, the rows at which a gaming day began."""
        self._found: dict[str, list[Incident]] = {}

    def all(self, tables: Iterable[str] | None = None) -> list[Incident]:
        """The incidents of these tables, or of all; the newest first."""
        names = self._house.tables if tables is None else tables
        found = [one for name in tuple(names) for one in self.at(name)]
        return sorted(found, key=lambda one: (one.at_ms, one.table, one.row), reverse=True)

    def at(self, table: str) -> list[Incident]:
        """The incidents of one table, in order."""
        end = self._house.tables[table].seq
        after = self._read.get(table, 0)
        if end > after:
            days = self._days.setdefault(table, [])
            days += sorted(one for text in DAYS for one in self._begun(table, after, text))
            rows = {row.seq: row for text in TOLD for row in self._rows(table, after, text)}
            found = self._found.setdefault(table, [])
            found += [one for seq in sorted(rows) for one in _incidents(rows[seq], days)]
            self._read[table] = end
        return self._found.get(table, [])

    def get(self, table: str, row: int) -> Incident:
        """The incident that a row of a table records."""
        for one in self.at(table):
            if one.row == row:
                return one
        raise Refused(Reason.NO_SUCH_INCIDENT, CONDITIONS)

    def _rows(self, table: str, after: int, text: bytes) -> list[Row]:
        """The rows with a text among those that the table has applied."""
        end = self._house.tables[table].seq
        return [row for row in self._house.log.find(table, after, text) if row.seq <= end]

    def _begun(self, table: str, after: int, text: bytes) -> Iterator[tuple[int, str]]:
        for row in self._rows(table, after, text):
            for event in events_of(row):
                if isinstance(event, e.TableOpened | e.GamingDayBegan):
                    yield row.seq, event.gaming_day


def _incidents(row: Row, days: list[tuple[int, str]]) -> Iterator[Incident]:
    day = next((name for seq, name in reversed(days) if seq <= row.seq), "")
    for event in map(_as_incident, events_of(row)):
        if event is not None:
            yield Incident(
                row.stream,
                row.seq,
                row.at_ms,
                row.actor,
                event.kind,
                event.note,
                event.people,
                event.coup,
                day,
                event.clauses,
                event.photo,
            )


def _as_incident(event: e.TableEvent) -> e.IncidentRecorded | None:
    """Cards that a player touched are an incident, too."""
    if isinstance(event, e.CardsTouched):
        return e.IncidentRecorded(TOUCHED, "", (event.person,), clauses=event.clauses)
    return event if isinstance(event, e.IncidentRecorded) else None
