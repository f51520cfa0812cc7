"""Entries as a list: applications from a CSV file, all rows or none, and the entries as one.

Names and contacts go to the tables that can be erased; commands carry ids alone.
"""

import csv
import io
from collections.abc import Mapping
from datetime import date  # noqa: TID251  to read a day, not to ask for one
from typing import Literal

import msgspec
from msgspec import Struct

from puntobanco.competition.state import Entrant
from puntobanco.errors import MalformedError
from puntobanco.house.access.people import Person
from puntobanco.house.spreadsheet import csv_table
from puntobanco.table.commands import Name, Note
from puntobanco.table.commands import Person as PersonId
from puntobanco.words import money

Said = Literal["", "yes", "no"]
COLUMNS: dict[str, object] = {
    "person": PersonId,
    "name": Name,
    "contact": Note,
    "received": str,
    "alias": Note,
    "paid": Said,
    "reserve": Said,
}
"""What a row has: an id without meaning, or what an applicant is called who is known here; how
they are reached; the day on which the application came; what they are called on boards; whether
the fee is taken at once, with the conditions signed on paper; whether they wait as a reserve."""
NEEDED = ("person", "name")
"""One of these."""
YES_OR_NO = ("paid", "reserve")
CELLS = {
    "person": "an id has letters, figures and . _ @ + - alone, 64 at most",
    **dict.fromkeys(YES_OR_NO, "write yes or no, or nothing"),
}
"""What a cell of these columns must be, in words."""
SEPARATORS = ",;\t"
"""What parts the columns, as spreadsheets write them; the first row says which it is."""
MOST_ROWS = 10_000
OUT = (
    "entry", "person", "name", "alias", "contact", "status", "version", "paid", "refunded", "table",
    "seat", "place", "prize",
)  # fmt: skip
SHOWN = 40
"""Characters of a cell that is quoted."""
FORMULA = ("=", "+", "-", "@", "\t")
"""A cell that begins so is reckoned by some programs instead of shown."""


class EntryRow(Struct, frozen=True):
    """One application as a list has it."""

    number: int
    """The row in the file; the head is the first."""
    person: str = ""
    name: str = ""
    contact: str = ""
    received: str = ""
    alias: str = ""
    paid: Said = ""
    reserve: Said = ""
    column: str = ""
    wrong: str = ""
    """What cannot be read of it, and in which column, where it is one; nothing else of it is kept
    then but its number and name."""


def read_entry_list(text: str) -> tuple[EntryRow, ...]:
    r"""Read a list; a row that cannot be read says which of its columns is wrong.

    >>> read_entry_list("person,name\nann,Ann Example\n")[0].name
    'Ann Example'
    """
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    parted = max(SEPARATORS, key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text), strict=True, delimiter=parted))
    except csv.Error as error:
        raise MalformedError(f"the list is no CSV: {error}") from error
    if not rows:
        raise MalformedError("the list is empty; its first row names the columns")
    head = _without_empty([cell.strip().casefold() for cell in rows[0]])
    _check_head(head)
    if len(rows) - 1 > MOST_ROWS:
        raise MalformedError(f"the list has more than {MOST_ROWS} rows")
    filled = [(number, row) for number, row in enumerate(rows[1:], 2) if any(row)]
    return tuple(_row(head, number, _without_empty(cells, len(head))) for number, cells in filled)


def _without_empty(cells: list[str], least: int = 1) -> list[str]:
    """Without the empty cells beyond the last column, which spreadsheets save."""
    last = max((at for at, cell in enumerate(cells, 1) if cell.strip()), default=0)
    return cells[: max(last, least)]


def _check_head(head: list[str]) -> None:
    known = ", ".join(COLUMNS)
    for column in head:
        if column not in COLUMNS:
            raise MalformedError(f"row 1, column {column[:40]!r}: there are only {known}")
    if not {*NEEDED} & {*head}:
        raise MalformedError("row 1: there is no column 'person' and none called 'name'")
    if len(set(head)) != len(head):
        raise MalformedError("row 1: a column is named twice")


def _row(head: list[str], number: int, cells: list[str]) -> EntryRow:
    """One application, or the column that is wrong: the other rows are looked at all the same."""
    if len(cells) != len(head):
        return EntryRow(number, wrong=f"it has {len(cells)} columns, not {len(head)}")
    facts = {column: cell.strip() for column, cell in zip(head, cells, strict=True)}
    facts |= {column: facts[column].casefold() for column in YES_OR_NO if column in facts}
    faults = (found for column, cell in facts.items() if (found := _fault(column, cell)))
    column, wrong = next(faults, None) or _fault_together(facts)
    if wrong:
        return EntryRow(number, name=facts.get("name", "")[:SHOWN], column=column, wrong=wrong)
    return msgspec.convert({"number": number, **facts}, EntryRow)


def _fault(column: str, cell: str) -> tuple[str, str] | None:
    """What a cell is wrong by."""
    if not cell and column in NEEDED:
        return None
    try:
        msgspec.convert(cell, COLUMNS[column])
        if cell and column == "received":
            date.fromisoformat(cell)
    except msgspec.ValidationError:
        why = CELLS.get(column, "it is too long, or has what cannot be printed")
        return column, f"{cell[:SHOWN]!r}: {why}"
    except ValueError:
        return column, f"{cell[:SHOWN]!r} is no date, such as 2026-03-01"
    return None


def _fault_together(facts: Mapping[str, str]) -> tuple[str, str]:
    """What cells are wrong by that are right each by itself."""
    if not (facts.get("person") or facts.get("name")):
        return "name", "neither an id nor a name"
    if "yes" == facts.get("paid") == facts.get("reserve"):
        return "reserve", "a reserve pays when called"
    return "", ""


def entries_listed(
    entries: Mapping[str, Entrant], people: Mapping[str, Person], aliases: Mapping[str, str]
) -> list[dict[str, str]]:
    """Every entry by column, the first one first, with names and contacts as far as the reader may
    have them.
    """
    listed = []
    for number, (person, entrant) in enumerate(entries.items(), 1):
        named = people.get(person, Person(person, ""))
        cells = (
            number, person, named.name, aliases.get(person, ""), named.contact, entrant.status,
            entrant.version or "", money(entrant.paid_cents), money(entrant.refunded_cents),
            entrant.table, entrant.seat or "", entrant.place or "", money(entrant.prize_cents),
        )  # fmt: skip
        listed.append(dict(zip(OUT, map(str, cells), strict=True)))
    return listed


def entries_csv(
    entries: Mapping[str, Entrant], people: Mapping[str, Person], aliases: Mapping[str, str]
) -> str:
    """Every entry as a row of CSV."""
    return csv_table(OUT, (cells.values() for cells in entries_listed(entries, people, aliases)))
