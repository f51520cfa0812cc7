"""What a row of a table means to one person: their wagers and payouts, and what they may keep.

A row of the dealer's that pays a patron pays others too. Its receipt for a patron has only what
concerns them, with the row's hash and the house's signature over it: held against the journal
that shows the row, and a reader who may see it whole sees that nothing was changed.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from puntobanco.errors import Reason, Refused, UnusableError
from puntobanco.house.access.names import told_to_staff
from puntobanco.house.access.rights import WATCH_OVER
from puntobanco.house.house import House
from puntobanco.house.lookback.told import events_of
from puntobanco.journal.receipt import Receipt, ShortReceipt, give_receipt, short_receipt
from puntobanco.journal.rows import Row
from puntobanco.journal.witness.shown import Inclusion, inclusion, provable
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import events as e
from puntobanco.table.actor import Actor
from puntobanco.table.sentences import Writing, tell

BACK = 5000
"""Rows back that a person's list looks."""
OPENED = b'"table-opened"'
MOST = 50
"""Rows on a person's list."""

AMOUNTS: dict[type[e.Event], Callable[[Any], int]] = {
    e.WagerPlaced: lambda event: event.wager.cents,
    e.WagerChanged: lambda event: event.wager.cents,
    e.WagerWithdrawn: lambda event: event.wager.cents,
    e.WagerReduced: lambda event: event.wager.cents,
    e.WagerMadeUp: lambda event: event.wager.cents,
    e.WagerSettled: lambda event: event.returned_cents + event.won_cents,
    e.TransferReversed: lambda event: event.to_owner_cents,
    e.PaymentCorrected: lambda event: event.cents,
    e.ChipsBought: lambda event: event.cents,
    e.ChipsCashed: lambda event: event.cents,
    e.AbsenceDeducted: lambda event: event.cents,
}
"""What moves a patron's chips, and by how much; a settled wager by what came back."""


class Fact(Struct, frozen=True):
    says: str
    clauses: tuple[str, ...]
    cents: int | None


class Kept(Struct, frozen=True):
    """A row of the journal, as far as it concerns one person."""

    seq: int
    at_ms: int
    facts: tuple[Fact, ...]
    own: bool
    """They gave the command themselves, so the whole row is theirs to have."""
    play: bool = False
    """It was played for play money, which is worth nothing."""


def concerns(event: e.TableEvent, person: str) -> bool:
    """Does it move this person's chips?"""
    if type(event) not in AMOUNTS:
        return False
    wager = getattr(event, "wager", None)
    return bool(person) and (wager.by if wager else getattr(event, "person", "")) == person


def _facts(row: Row, person: str, writing: Writing) -> tuple[Fact, ...]:
    """What a row says of a person; of everybody if none is named."""
    events = events_of(row)
    told = [event for event in events if not person or concerns(event, person)]
    return tuple(Fact(tell(event, writing), event.clauses, _cents(event)) for event in told)


def _cents(event: e.TableEvent) -> int | None:
    amount = AMOUNTS.get(type(event))
    return amount(event) if amount else None


def kept_by(house: House, stream: str, person: str) -> list[Kept]:
    """A person's last wagers and payouts at a table, the newest first."""
    start = max(0, house.log.head(stream).seq - BACK)
    named = msgspec.json.encode(person)
    rows = [row for row in house.log.read(stream, start) if named in row.events]
    found: list[Kept] = []
    play, writing = rows_of_play(house, stream), told_to_staff(house)
    for row in reversed(rows):
        facts = _facts(row, person, writing)
        if facts:
            own = row.actor == person and is_own(row, person)
            found.append(Kept(row.seq, row.at_ms, facts, own, play(row.seq)))
        if len(found) == MOST:
            break
    return found


def rows_of_play(house: House, stream: str) -> Callable[[int], bool]:
    """Tells of a row of a table whether it was open for play money then."""
    table = house.tables[stream].state
    if not table.play_cents and not table.chip_coups:  # it never was
        return lambda _: False
    openings = [
        (row.seq, event.play_cents > 0)
        for row in house.log.read(stream)
        if OPENED in row.events
        for event in events_of(row)
        if isinstance(event, e.TableOpened)
    ]
    return lambda seq: next((play for at, play in reversed(openings) if at <= seq), False)


def is_for(event: Struct, patron: str) -> bool:
    """May a patron read this? Whose a wager is, others at the table need not know."""
    wager = getattr(event, "wager", None)
    return wager is None or wager.by == patron


def is_own(row: Row, person: str) -> bool:
    """Does a row of the journal speak of nobody else's wager?"""
    events = msgspec.json.decode(row.events, type=list[e.TableEvent])
    return all(is_for(event, person) for event in events)


def may_have(row: Row, by: Actor) -> bool:
    """Is the whole row theirs to have? They gave its command, or watch over the table."""
    own = row.actor == by.person and is_own(row, by.person)
    return own or bool(by.roles & WATCH_OVER)


def find_row(house: House, stream: str, seq: int) -> Row:
    """A row by its number."""
    row = next(house.log.read(stream, seq - 1), None)
    if row is None or row.seq != seq:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return row


def whole_receipt(
    house: House, by: Actor, stream: str, seq: int, *, proven: bool = False
) -> Receipt:
    """A receipt that `puntobanco verify` reads; of somebody else's row, as if there were none."""
    row = find_row(house, stream, seq)
    if not may_have(row, by):
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return give_receipt(row, house.key, _proof(house, row) if proven else None)


def _proof(house: House, row: Row) -> Inclusion:
    """Refuse a proof that cannot be given yet, or no more."""
    try:
        return inclusion(house.log, row)
    except UnusableError as error:
        raise Refused(Reason.NOT_FOUND, CONDITIONS) from error


def is_provable(house: House, stream: str, seq: int) -> bool:
    """Whether a row's receipt can carry a proof: a root covers it, and not an older program's."""
    try:
        provable(house.log, find_row(house, stream, seq))
    except UnusableError:
        return False
    return True


class ReceiptShown(Struct, frozen=True):
    """A receipt, what it says of its reader, and whether they may have the whole of it."""

    receipt: Receipt
    facts: tuple[Fact, ...]
    whole: bool
    play: bool
    """It was played for play money, which is worth nothing."""


def receipt_of(
    house: House, by: Actor, stream: str, seq: int, *, proven: bool = False
) -> ReceiptShown:
    """A row's receipt as far as it concerns its reader; else it is not found."""
    row = find_row(house, stream, seq)
    whole = may_have(row, by)
    facts = _facts(row, "" if whole else by.person, told_to_staff(house))
    if not facts:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    play = rows_of_play(house, stream)(seq)
    receipt = give_receipt(row, house.key, _proof(house, row) if proven else None)
    return ReceiptShown(receipt, facts, whole, play)


def signed_part(
    house: House, by: Actor, stream: str, seq: int, *, proven: bool = False
) -> ShortReceipt:
    """The signed hash of a row that concerns somebody: a file for whoever may not have all of it,
    such as a patron paid with others.
    """
    return short_receipt(receipt_of(house, by, stream, seq, proven=proven).receipt)
