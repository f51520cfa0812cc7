"""Streams that were played, held against one another: halves, chips, pots, banks."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from puntobanco.cage.state import Cage
from puntobanco.house.checks.again import Counts, History
from puntobanco.house.checks.crossing import Crossing
from puntobanco.house.giving.halves import Movement
from puntobanco.house.house import CAGE
from puntobanco.journal.chain import Fault

Moved = dict[str, list[tuple[str, int]]]
"""Chips bought (above zero) and cashed (below), by table and command id: person and cents."""
Halves = dict[str, tuple[int, tuple[str, int, int, str]]]
"""Commands written in two streams, by table and command id: the number of the row; then actor,
time, row of the register, and asker."""
Pots = dict[str, list[Movement]]
"""Movements of competitions' money, by competition and command id."""


class PlayedStream(Struct):
    """One stream played to its end, with the facts that other streams must agree with."""

    stream: str
    end: int = 0
    fault: Fault | None = None
    counts: Counts = msgspec.field(default_factory=Counts)
    moved: Moved = {}
    """Chips that were bought and cashed for money."""
    unkept: set[str] = set()
    """The keys of `moved` in rows of older programs, which kept no command."""
    banks: dict[int, tuple[int, int]] = {}
    """The cents the bank had gained, with competition chips and without, by the rows that the cage
    looked at.
    """
    commitments: list[tuple[int, str]] = []
    """The commitments to shoes of the house's own, each with its row."""
    photos: list[tuple[int, str]] = []
    """The digests of photos, each with its row."""
    halves: Halves = {}
    """The commands whose other half another stream has."""
    pots: Pots = {}
    """What was moved in the pots of competitions."""
    crossing: Crossing = msgspec.field(default_factory=Crossing)
    """What competitions and tables told each other."""


class Looked(Struct, frozen=True):
    """A row of a table that a row of the cage says it was decided by."""

    seq: int
    table: str
    row: int
    bank_cents: int | None
    in_money: bool = True
    """The first edition counted competition chips with the bank's money."""


def cage_against_tables(
    money: PlayedStream,
    kept: Cage,
    looked: list[Looked],
    tables: dict[str, PlayedStream],
    history: History,
) -> Fault | None:
    """Find where the cage disagrees with the tables or the register."""
    for look in looked:
        table = tables.get(look.table)
        if table is None or not 1 <= look.row <= table.end:
            return Fault(CAGE, look.seq, f"looked at row {look.row} of {look.table}: it is gone")
        if look.bank_cents not in (None, table.banks.get(look.row, (None, None))[look.in_money]):
            return Fault(CAGE, look.seq, f"counts with another bank than {look.table} had")
    for name in kept.trays:
        if name not in tables:
            return Fault(CAGE, 0, f"has a tray for {name}, and there is no such table")
    people = history.at(history.end).people
    for person in kept.accounts:
        if person not in people or people[person].kind != "patron":
            return Fault(CAGE, 0, f"has an account for {person}, who is no patron of this house")
    return _chips(money.moved, tables, kept)


def unmatched_half(others: Iterable[PlayedStream], tables: dict[str, PlayedStream]) -> Fault | None:
    """Find a second half without its first, or by another person or at another moment."""
    wholes = {key: given for table in tables.values() for key, (_, given) in table.halves.items()}
    for played in others:
        for key, (seq, given) in played.halves.items():
            if wholes.get(key) != given:
                table, _, command_id = key.partition(" ")
                said = f"is half of the command {command_id}, which {table} has not, or otherwise"
                return Fault(played.stream, seq, said)
    return None


def _chips(sold: Moved, tables: dict[str, PlayedStream], kept: Cage) -> Fault | None:
    """Find a command by which the cage moved other chips than the table.

    A table of an older program may have been run without a cage.
    """
    bought = {
        key: moved
        for name, table in tables.items()
        for key, moved in table.moved.items()
        if name in kept.trays or key not in table.unkept
    }
    for key in sorted({*sold, *bought}):
        if sold.get(key) != bought.get(key):
            table, _, command_id = key.partition(" ")
            said = (
                f"has moved {_said(sold.get(key))} of chips by command {command_id},"
                f" where {table} has {_said(bought.get(key))}"
            )
            return Fault(CAGE, 0, said)
    return None


def _said(moved: list[tuple[str, int]] | None) -> str:
    return ", ".join(f"{cents} cents for {person}" for person, cents in moved or ()) or "none"


def pots_against_competitions(
    money: PlayedStream, competitions: Iterable[PlayedStream]
) -> Fault | None:
    """Find a command by which the cage moved other money than the competition says."""
    said = {key: moved for played in competitions for key, moved in played.pots.items()}
    for key in sorted({*said, *money.pots}):
        if said.get(key) != money.pots.get(key):
            stream, _, command_id = key.partition(" ")
            told = f"has moved other money of {stream} by command {command_id} than that has"
            return Fault(CAGE, 0, told)
    return None
