"""What the cage hands out: a receipt for each movement, the paper of a slip, a drawer's sheet."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from puntobanco.cage import commands as c
from puntobanco.cage import events as e
from puntobanco.cage.view import KEEPERS
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.rights import AT_CAGE, WATCH_OVER, check_house_role
from puntobanco.house.house import House
from puntobanco.house.lookback.receipts import find_row
from puntobanco.house.till.book import CAGE, SIGNED, CageBook, Movement, Shift, cage_events_of
from puntobanco.journal.receipt import Receipt, give_receipt
from puntobanco.journal.rows import Row
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor


class CageReceipt(Struct, frozen=True):
    """A movement with its signed row."""

    person: str
    line: Movement
    receipt: Receipt

    @property
    def before_cents(self) -> int:
        return self.line.balance_cents - self.line.cents


def whose_receipt(row: Row, by: Actor) -> str:
    """Whose account a row of the cage moved: for those who keep the cage, and for the patron."""
    moved = [event for event in cage_events_of(row) if type(event) in SIGNED]
    person = str(getattr(moved[0], "person", "")) if moved else ""
    if not person or not (by.person == person or by.roles & KEEPERS):
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return person


def receipt_at_cage(house: House, book: CageBook, by: Actor, seq: int) -> CageReceipt:
    """The receipt of a row of the cage, for whoever may see it."""
    row = find_row(house, CAGE, seq)
    person = whose_receipt(row, by)
    return CageReceipt(person, book.at(person, seq), give_receipt(row, house.key))


class Scanned(Struct, frozen=True):
    """What the code of a printed receipt says of its row, in full or in short."""

    form: Literal["puntobanco-receipt-1", "puntobanco-receipt-hash-1"]
    stream: str
    seq: Annotated[int, Meta(ge=1, le=2**53)]
    hash: str


def scanned_at_cage(house: House, by: Actor, text: str) -> int | None:
    """The row of the cage whose receipt was scanned; 0 if this house gave no such receipt, and
    nothing if it is no receipt of a cage at all.
    """
    try:
        scanned = msgspec.json.decode(text, type=Scanned)
    except msgspec.DecodeError:
        return None
    if scanned.stream != CAGE:
        return None
    try:
        row = find_row(house, CAGE, scanned.seq)
        whose_receipt(row, by)
    except Refused:
        return 0
    return scanned.seq if row.hash.hex() == scanned.hash else 0


class SlipShown(Struct, frozen=True):
    """A slip from its request to its end."""

    number: int
    kind: c.Kind
    table: str
    cents: int
    chips: tuple[c.Pile, ...]
    asked_by: str
    row: int
    at_ms: int
    """When it was asked for."""
    done: str = ""
    """`slip-completed` or `slip-voided`; empty: it is open."""
    done_by: str = ""
    note: str = ""
    done_ms: int = 0


def slip_shown(book: CageBook, by: Actor, number: int) -> SlipShown:
    """For the cage and for whoever may ask for one."""
    check_house_role(by, AT_CAGE, "cage")
    (row, asked), *later = book.slip(number)
    assert isinstance(asked, e.SlipRequested)
    facts = asked.kind, asked.table, asked.cents, asked.chips, asked.person
    when = row.seq, row.at_ms
    for ended, event in later:
        done = str(event.__struct_config__.tag)
        said = getattr(event, "person", ""), getattr(event, "note", "")
        return SlipShown(number, *facts, *when, done, *said, ended.at_ms)
    return SlipShown(number, *facts, *when)


class ShiftShown(Struct, frozen=True):
    """A drawer's count beside what had to be there."""

    shift: Shift
    cash_cents: int
    chips_cents: int

    @property
    def cash_over_cents(self) -> int:
        """More cash than there had to be; below zero, what is missing."""
        return self.cash_cents - self.shift.closed.expected_cash_cents

    @property
    def chips_over_cents(self) -> int:
        return self.chips_cents - self.shift.closed.expected_chips_cents


def shift_shown(shift: Shift) -> ShiftShown:
    closed = shift.closed
    return ShiftShown(shift, c.worth_cents(closed.cash), c.worth_cents(closed.chips))


def table_rows(house: House, by: Actor, lines: list[Movement]) -> dict[int, int]:
    """By row of the cage, the row of the table where chips changed hands: it leads to the coups,
    for those who may look at them.
    """
    if not by.roles & WATCH_OVER:
        return {}
    found = {
        line.seq: house.log.by_command(line.place, line.command_id)
        for line in lines
        if line.command_id
    }
    return {seq: row.seq for seq, row in found.items() if row is not None}
