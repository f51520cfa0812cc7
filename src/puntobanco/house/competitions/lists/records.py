"""A competition as data to take along: the draw, standings coup by coup, results and money.

Rows of columns, as a spreadsheet or a program wants them; people stand in them by the number of
their entry and the alias they chose, as on papers for everybody.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo  # noqa: TID251  to write a moment, not to ask for one
from itertools import takewhile

from msgspec import Struct

from puntobanco.cage import events as cage
from puntobanco.competition.queries import entry_numbers
from puntobanco.competition.state import Competition
from puntobanco.competition.view import IN_CHARGE
from puntobanco.house.competitions.paperwork import draws_on_record
from puntobanco.house.lookback.told import events_of
from puntobanco.house.spreadsheet import csv_table
from puntobanco.house.stream import COMPETITION
from puntobanco.house.till.book import CAGE, cage_events_of
from puntobanco.journal.log import EventLog, last_before
from puntobanco.journal.rows import Row
from puntobanco.rules.competition.conditions import minutes_ahead, read_moment
from puntobanco.table import events as t
from puntobanco.table.actor import Role
from puntobanco.table.evolve import evolve
from puntobanco.table.result import standing
from puntobanco.table.sentences import zone
from puntobanco.table.state import Table
from puntobanco.words import money

Cell = str | int | None
CENTS, AT = "_cents", "at_ms"
POT = {
    cage.FeeTaken: 1,
    cage.FeeRefunded: -1,
    cage.PotAddedTo: 1,
    cage.PotRetained: -1,
    cage.PaidFromPot: -1,
}
"""Whether an event puts money into the pot or takes it out."""


class CupRecord(Struct, frozen=True):
    """One kind of data: who may have it, its columns, and its rows."""

    roles: frozenset[Role]
    """Empty: everybody who is shown the competition."""
    columns: tuple[str, ...]
    rows: Callable[[EventLog, Competition, Mapping[str, str]], Iterator[tuple[Cell, ...]]]


def _draw(
    log: EventLog, competition: Competition, aliases: Mapping[str, str]
) -> Iterator[tuple[Cell, ...]]:
    """Every seat of every draw there was; lots where they were drawn, not keyed in."""
    numbers = entry_numbers(competition)
    for one in draws_on_record(log, competition):
        for table, seats in one.seats.items():
            for seat, who in sorted(seats.items()):
                called = numbers.get(who), aliases.get(who, "")
                yield (one.session, one.draw, one.at_ms, table, seat, one.lots.get(who), *called)


def _standings(
    log: EventLog, competition: Competition, aliases: Mapping[str, str]
) -> Iterator[tuple[Cell, ...]]:
    """What each player had after each coup, as the table stood then; a correction shows from the
    coup on in which it was made.
    """
    numbers = entry_numbers(competition)
    for table in tables_played(competition):
        for session, coup, at_ms, chips, out in _coups(log, table, competition.id):
            for who in sorted({*chips, *out}, key=lambda who: numbers.get(who, 0)):
                called = numbers.get(who), aliases.get(who, "")
                yield (session, table, coup, at_ms, *called, chips.get(who), out.get(who))


def _coups(
    log: EventLog, table: str, competition: str
) -> Iterator[tuple[str, int, int, Mapping[str, int], Mapping[str, int]]]:
    state = Table()
    for row in log.read(table):
        for event in events_of(row):
            state = evolve(state, event)
            terms = state.conditions
            if not isinstance(event, t.CoupEnded) or terms is None or state.session is None:
                continue
            if terms.competition == competition:
                stands = standing(state)
                yield stands.session, stands.coups, row.at_ms, stands.chips, stands.out


def tables_played(competition: Competition) -> list[str]:
    """The tables at which sessions were or are played, wherever they went on."""
    sessions = competition.sessions.values()
    named = (table for one in sessions for table in (*one.seats, *one.moved.values()))
    return list(dict.fromkeys(named))


def _results(
    _log: EventLog, competition: Competition, aliases: Mapping[str, str]
) -> Iterator[tuple[Cell, ...]]:
    """Confirmed places, with what each was decided by."""
    numbers = entry_numbers(competition)
    for row in competition.places:
        for who in row.people:
            called = numbers.get(who), aliases.get(who, "")
            yield (row.from_, row.to, *called, row.how.value, row.each_cents)


def rows_between(log: EventLog, stream: str, first_ms: int, last_ms: int) -> Iterator[Row]:
    """Rows of a stream from one moment to another: of the cage only those of the days in which a
    competition lasted.
    """
    since = log.read(stream, last_before(log, stream, first_ms))
    return takewhile(lambda row: row.at_ms <= last_ms, since)


def _money(
    log: EventLog, competition: Competition, aliases: Mapping[str, str]
) -> Iterator[tuple[Cell, ...]]:
    """Every movement of the pot at the cage, and what it then had."""
    numbers, pot = entry_numbers(competition), 0
    own = f"{COMPETITION}{competition.id}"
    first = log.row(own, 1)
    if first is None:
        return
    for row in rows_between(log, CAGE, first.at_ms, log.head_ms(own)):
        for event in cage_events_of(row):
            if type(event) not in POT or getattr(event, "competition", "") != competition.id:
                continue
            cents = getattr(event, "cents", 0) + getattr(event, "commission_cents", 0)
            moved = POT[type(event)] * cents
            pot += moved
            who = getattr(event, "person", "")
            called = numbers.get(who), aliases.get(who, "")
            yield (row.seq, row.at_ms, str(event.__struct_config__.tag), *called, moved, pot)


RECORDS = {
    "draw": CupRecord(
        frozenset(),
        ("session", "draw", "at_ms", "table", "seat", "lot", "entry", "alias"),
        _draw,
    ),
    "standings": CupRecord(
        IN_CHARGE,
        ("session", "table", "coup", "at_ms", "entry", "alias", "chips_cents", "out_in_coup"),
        _standings,
    ),
    "results": CupRecord(
        frozenset(),
        ("place", "place_to", "entry", "alias", "by", "prize_cents"),
        _results,
    ),
    "money": CupRecord(
        IN_CHARGE,
        ("row", "at_ms", "what", "entry", "alias", "cents", "pot_cents"),
        _money,
    ),
}
"""Besides the entries, which have names and contacts: `entry_list.py`."""


def record_rows(
    log: EventLog, competition: Competition, aliases: Mapping[str, str], what: str
) -> list[dict[str, Cell]]:
    """One kind of data, row by row and by column."""
    asked = RECORDS[what]
    return [
        dict(zip(asked.columns, row, strict=True)) for row in asked.rows(log, competition, aliases)
    ]


def record_csv(
    what: str, rows: list[dict[str, Cell]], start: str, table: Callable[[str], str] = str
) -> str:
    """The same for a spreadsheet: amounts and times as people write them, by the clock by which the
    conditions give their `start`, each table as it is called, and no cell that is reckoned.
    """
    rows = [{**row, "table": table(str(row["table"]))} if "table" in row else row for row in rows]
    columns, clocks = RECORDS[what].columns, read_moment(start).tzinfo or UTC
    called = {"cents": "amount", AT: f"at ({zone(minutes_ahead(start))})"}
    head = [called.get(name, name.removesuffix(CENTS)) for name in columns]
    cells = ([_written(name, row[name], clocks) for name in columns] for row in rows)
    return csv_table(head, cells)


def _written(name: str, cell: Cell, clocks: tzinfo) -> str:
    if cell is None:
        return ""
    if name == AT:
        moment = datetime.fromtimestamp(int(cell) / 1000, clocks)
        return moment.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(cell, int):
        return money(cell) if name.endswith("cents") else str(cell)
    return cell
