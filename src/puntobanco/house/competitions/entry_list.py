"""Entries as a list: applications from a CSV file, all rows or none, and the entries as one.

Names and contacts go to the tables that can be erased; commands carry ids alone.
"""

import csv
import io
from collections.abc import Mapping
from datetime import date  # noqa: TID251  to read a day, not to ask for one
from functools import reduce
from hashlib import sha256

import msgspec
from msgspec import Struct

from puntobanco.competition import commands as c
from puntobanco.competition.dates import day_at
from puntobanco.competition.decide import decide
from puntobanco.competition.evolve import evolve
from puntobanco.competition.state import Competition, Entrant
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.people import Person
from puntobanco.house.house import House
from puntobanco.house.stream import COMPETITION
from puntobanco.journal.verify import REGISTER
from puntobanco.register import commands as register
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor
from puntobanco.table.commands import Name, Note
from puntobanco.table.commands import Person as PersonId
from puntobanco.words import money, one_line

COLUMNS: dict[str, object] = {"person": PersonId, "name": Name, "contact": Note, "received": str}
"""What a row has: an id without meaning, what the applicant is called, how they are reached, and
the day on which the application came."""
NEEDED = ("person", "name")
MOST_ROWS = 10_000
OUT = (
    "person", "name", "contact", "status", "version", "paid", "refunded", "table", "seat", "place",
    "prize",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t")
"""A cell that begins so is reckoned by some programs instead of shown."""


class EntryRow(Struct, frozen=True):
    """One application as a list has it."""

    number: int
    """The row in the file; the head is the first."""
    person: str
    name: str
    contact: str = ""
    received: str = ""


def read_entry_list(text: str) -> tuple[EntryRow, ...]:
    r"""Read a list, or name the row and the column that are wrong.

    >>> read_entry_list("person,name\nann,Ann Example\n")[0].name
    'Ann Example'
    """
    try:
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True))
    except csv.Error as error:
        raise MalformedError(f"the list is no CSV: {error}") from error
    if not rows:
        raise MalformedError("the list is empty; its first row names the columns")
    head = [cell.strip() for cell in rows[0]]
    _check_head(head)
    if len(rows) - 1 > MOST_ROWS:
        raise MalformedError(f"the list has more than {MOST_ROWS} rows")
    filled = [(number, row) for number, row in enumerate(rows[1:], 2) if any(row)]
    found = tuple(_row(head, number, cells) for number, cells in filled)
    _check_once(found)
    return found


def _check_head(head: list[str]) -> None:
    known = ", ".join(COLUMNS)
    for column in head:
        if column not in COLUMNS:
            raise MalformedError(f"row 1, column {column[:40]!r}: there are only {known}")
    for column in NEEDED:
        if column not in head:
            raise MalformedError(f"row 1: there is no column {column!r}")
    if len(set(head)) != len(head):
        raise MalformedError("row 1: a column is named twice")


def _row(head: list[str], number: int, cells: list[str]) -> EntryRow:
    if len(cells) != len(head):
        raise MalformedError(f"row {number}: it has {len(cells)} columns, not {len(head)}")
    facts = {column: cell.strip() for column, cell in zip(head, cells, strict=True)}
    for column, value in facts.items():
        try:
            msgspec.convert(value, COLUMNS[column])
        except msgspec.ValidationError as error:
            raise MalformedError(f"row {number}, column {column}: {error}") from error
    _check_day(number, facts.get("received", ""))
    return EntryRow(number, **facts)


def _check_day(number: int, text: str) -> None:
    try:
        if text:
            date.fromisoformat(text)
    except ValueError as error:
        wrong = f"row {number}, column received: {text[:40]!r} is no date, such as 2026-03-01"
        raise MalformedError(wrong) from error


def _check_once(rows: tuple[EntryRow, ...]) -> None:
    first: dict[str, int] = {}
    for row in rows:
        if row.person in first:
            before = first[row.person]
            wrong = f"row {row.number}, column person: {row.person} is in row {before} already"
            raise MalformedError(wrong)
        first[row.person] = row.number


async def import_entries(house: House, competition: str, text: str, who: str) -> int:
    """Enrol those who are not known, write their names down, and apply for everyone.

    All rows are tried first, one after another, and one that is refused refuses them all. Whoever
    repeats a list that was broken off brings about the rest of it.
    """
    name, rows = f"{COMPETITION}{competition}", read_entry_list(text)
    if name not in house.competitions:
        raise Refused(Reason.NO_SUCH_COMPETITION, CONDITIONS, competition=competition[:40])
    mark = sha256(text.encode()).hexdigest()[:16]
    ids = {row.person: f"list-{mark}-{row.number}" for row in rows}
    new = [row for row in rows if house.log.by_command(name, ids[row.person]) is None]
    _try_all(house, name, new, who)
    for row in new:
        if row.person not in house.register.state.people:
            enrol = register.Enrol(row.person, "patron")
            await house.give(REGISTER, enrol, who, f"enrol-{ids[row.person]}")
        house.people.put(Person(row.person, row.name, row.contact))
        await house.give(name, c.Apply(row.person), who, ids[row.person])
    return len(rows)


def _try_all(house: House, name: str, rows: list[EntryRow], who: str) -> None:
    by, state = house.actor(who, name), house.competitions[name].state
    for row in rows:
        state = _applied(state, row, by)
        if row.received and date.fromisoformat(row.received) > day_at(state, by.at_ms):
            wrong = f"row {row.number}, column received: {row.received} is still to come"
            raise MalformedError(wrong)
        member = house.register.state.people.get(row.person)
        if member is not None and (member.kind != "patron" or not member.enabled):
            wrong = f"row {row.number}, column person: {row.person} is no patron who may enter"
            raise MalformedError(wrong)


def _applied(state: Competition, row: EntryRow, by: Actor) -> Competition:
    try:
        events = decide(state, c.Apply(row.person), by)
    except Refused as refused:
        wrong = f"row {row.number}, column person: {row.person}: {one_line(refused)}"
        raise MalformedError(wrong) from refused
    return reduce(evolve, events, state)


def entries_listed(
    entries: Mapping[str, Entrant], people: Mapping[str, Person]
) -> list[dict[str, str]]:
    """Every entry by column, with names and contacts as far as the reader may have them."""
    listed = []
    for person, entrant in entries.items():
        named = people.get(person, Person(person, ""))
        cells = (
            person, named.name, named.contact, entrant.status, entrant.version or "",
            money(entrant.paid_cents), money(entrant.refunded_cents), entrant.table,
            entrant.seat or "", entrant.place or "", money(entrant.prize_cents),
        )  # fmt: skip
        listed.append(dict(zip(OUT, map(str, cells), strict=True)))
    return listed


def entries_csv(entries: Mapping[str, Entrant], people: Mapping[str, Person]) -> str:
    """Every entry as a row of CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(OUT)
    for cells in entries_listed(entries, people):
        writer.writerow([_shown(cell) for cell in cells.values()])
    return file.getvalue()


def _shown(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell
