"""One search over tables, people, coups, clauses and receipts, as far as one may see them."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Literal

from msgspec import Struct

from puntobanco.competition.state import CompetitionPhase
from puntobanco.errors import Refused
from puntobanco.house.access.desk import enrolled
from puntobanco.house.access.names import place_called
from puntobanco.house.access.rights import WATCH_OVER, WATCHES
from puntobanco.house.house import House
from puntobanco.house.lookback.receipts import find_row, receipt_of
from puntobanco.house.stream import COMPETITION
from puntobanco.house.till.book import CAGE
from puntobanco.house.till.papers import whose_receipt
from puntobanco.rules.documents import rulebook
from puntobanco.table.actor import Actor, Role

EACH = 8
"""Of one kind are shown at the most."""
MOST_TABLES = 40
"""Tables at which a receipt is looked for by its number alone."""
NUMBERED = re.compile(r"\A(?P<words>.*?)\s*#?(?P<number>\d{1,9})\Z", re.DOTALL)
"""Words, and a number behind them: «Derwent 41», «receipt 772», «41»."""
CUP_OVER = (CompetitionPhase.DONE, CompetitionPhase.CANCELLED)
FoundKind = Literal["table", "person", "coup", "clause", "receipt", "competition"]
COUP: FoundKind = "coup"
RECEIPT: FoundKind = "receipt"


class FoundLine(Struct, frozen=True):
    """One thing that was found: what it is, what it is called, and what tells it from others."""

    kind: FoundKind
    id: str
    """Of the table, person, clause or competition; a receipt of the cage has `cage`."""
    name: str
    number: int = 0
    """Of the coup or the receipt."""
    more: str = ""


def find(house: House, person: str, query: str) -> tuple[FoundLine, ...]:
    """What a person finds by these words; a stranger finds tables, competitions and clauses."""
    wanted = " ".join(query.split()).casefold()
    if not wanted:
        return ()
    looks: tuple[Callable[[House, str, str], Iterator[FoundLine]], ...] = (
        *(_tables, _competitions, _coups, _cage_receipts, _receipts, _people, _clauses),
    )
    return tuple(found for look in looks for found in islice(look(house, person, wanted), EACH))


def _actor(house: House, person: str, table: str = "") -> Actor | None:
    try:
        return house.actor(person, table) if person else None
    except Refused:
        return None


def _called(house: House, table: str) -> str:
    return house.register.state.settings.called(table)


def _tables(house: House, _person: str, wanted: str) -> Iterator[FoundLine]:
    for table in sorted(house.tables):
        name, phase = _called(house, table), house.tables[table].state.phase
        if wanted in f"{name} {table}".casefold():
            yield FoundLine("table", table, name, more=phase)


def _competitions(house: House, _person: str, wanted: str) -> Iterator[FoundLine]:
    """Those that are over come last: by the end of a year there are more than are shown."""
    by_id = sorted(house.competitions.items())
    for id_, stream in sorted(by_id, key=lambda cup: cup[1].state.phase in CUP_OVER):
        name = stream.state.conditions.name if stream.state.version else ""
        cup = id_.removeprefix(COMPETITION)
        if name and wanted in f"{name} {cup}".casefold():
            yield FoundLine("competition", cup, name, more=stream.state.phase)


def _numbered(house: House, wanted: str, kind: str) -> Iterator[tuple[str, int]]:
    """The tables that the words name, or all, and the number behind them."""
    parts = NUMBERED.match(wanted)
    if parts is None or any(wanted == _called(house, table).casefold() for table in house.tables):
        return  # «table 6» is that table, and no coup 6 of every table
    words = [one for one in parts["words"].split() if one not in (kind, f"{kind}s")]
    for table in sorted(house.tables)[:MOST_TABLES]:
        if all(word in f"{_called(house, table)} {table}".casefold() for word in words):
            yield table, int(parts["number"])


def _coups(house: House, person: str, wanted: str) -> Iterator[FoundLine]:
    if RECEIPT in wanted:
        return
    for table, number in _numbered(house, wanted, COUP):
        by = _actor(house, person, table)
        if by and by.roles & WATCH_OVER and 0 < number <= house.tables[table].state.coup_number:
            yield FoundLine(COUP, table, _called(house, table), number)


def _receipts(house: House, person: str, wanted: str) -> Iterator[FoundLine]:
    if COUP in wanted:
        return
    for table, number in _numbered(house, wanted, RECEIPT):
        by = _actor(house, person, table)
        if by is None or not 0 < number <= house.tables[table].seq:
            continue
        try:
            receipt_of(house, by, table, number)
        except Refused:
            continue
        yield FoundLine(RECEIPT, table, _called(house, table), number)


def _cage_receipts(house: House, person: str, wanted: str) -> Iterator[FoundLine]:
    """Papers of the cage, by the number that stands on them."""
    parts, by = NUMBERED.match(wanted), _actor(house, person)
    if parts is None or by is None or parts["words"].strip() not in ("", RECEIPT):
        return
    number = int(parts["number"])
    if 0 < number <= house.cage.seq:
        with suppress(Refused):
            whose_receipt(find_row(house, CAGE, number), by)
            yield FoundLine(RECEIPT, CAGE, place_called(house, CAGE), number)


def _people(house: House, person: str, wanted: str) -> Iterator[FoundLine]:
    by = _actor(house, person)
    if by is None or not by.roles & WATCHES:
        return
    for one in enrolled(house, by, wanted):
        roles = {Role.PATRON} if one.member.kind == "patron" else one.member.roles_at("")
        yield FoundLine("person", one.person, one.name or one.person, more=", ".join(sorted(roles)))


def _clauses(_house: House, _person: str, wanted: str) -> Iterator[FoundLine]:
    """By number first: whoever types 7.6 means the clause."""
    exact = [one for one in rulebook.load_clauses().values() if _numbers(one.id, wanted)]
    word = re.compile(rf"\b{re.escape(wanted)}", re.IGNORECASE)
    said = [
        one for one in rulebook.search(wanted) if word.search(f"{one.section} {one.paraphrase}")
    ]
    for clause in {one.id: one for one in (*exact, *said)}.values():
        yield FoundLine("clause", clause.id, clause.paraphrase, more=clause.section)


def _numbers(clause_id: str, wanted: str) -> bool:
    """Is the clause, or one above it, called by this number?

    >>> _numbers("tas-2018:7.6(b)", "7.6"), _numbers("tas-2018:17.6", "7.6")
    (True, False)
    """
    document, _, local = clause_id.casefold().partition(":")
    at = wanted.removeprefix(f"{document}:").removeprefix(f"{document} ")
    return local == at or local.startswith((f"{at}(", f"{at}."))
