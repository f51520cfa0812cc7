"""A patron's receipts: their last wagers and payouts, and one of them to print and to keep.

A row of the dealer's that pays a patron pays others too. Its receipt for a patron has only what
concerns them, with the row's hash and the house's signature over it: held against the journal
that shows the row, and whoever may see it whole sees that nothing was changed.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import segno
from litestar import Response, get
from markupsafe import Markup
from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.rights import WATCH_OVER
from puntobanco.house.house import House
from puntobanco.house.lookback.told import events_of
from puntobanco.journal.receipt import Receipt, give_receipt
from puntobanco.journal.rows import Row
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.addresses import RowNumber, TableName
from puntobanco.server.gateway import is_own
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import events as e
from puntobanco.table.sentences import tell

BACK = 5000
"""So many rows back the list looks."""
MOST = 50
MOST_QR_BYTES = 1400
"""A denser code than this is hard to read from paper."""
SHORT_FORM = "puntobanco-receipt-hash-1"

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


def concerns(event: e.TableEvent, person: str) -> bool:
    """Does it move this person's chips?"""
    if type(event) not in AMOUNTS:
        return False
    wager = getattr(event, "wager", None)
    return bool(person) and (wager.by if wager else getattr(event, "person", "")) == person


def _facts(row: Row, person: str) -> tuple[Fact, ...]:
    """What a row says of a person; of everybody if none is named."""
    events = events_of(row)
    told = [one for one in events if not person or concerns(one, person)]
    return tuple(Fact(tell(one), one.clauses, _cents(one)) for one in told)


def _cents(event: e.TableEvent) -> int | None:
    amount = AMOUNTS.get(type(event))
    return amount(event) if amount else None


def kept_by(house: House, stream: str, person: str) -> list[Kept]:
    """A person's last wagers and payouts at a table, the newest first."""
    start = max(0, house.log.head(stream).seq - BACK)
    named = msgspec.json.encode(person)
    rows = [row for row in house.log.read(stream, start) if named in row.events]
    found: list[Kept] = []
    for row in reversed(rows):
        facts = _facts(row, person)
        if facts:
            own = row.actor == person and is_own(row, person)
            found.append(Kept(row.seq, row.at_ms, facts, own))
        if len(found) == MOST:
            break
    return found


@get("/tables/{table:str}/receipts", include_in_schema=False)
@in_reader
def receipts(visit: TheVisit, table: TableName) -> Response[str]:
    """What the caller wagered and was paid at this table, each with its receipt."""
    name = visit.table(table).name
    by = visit.actor(name)
    kept = kept_by(visit.house, name, by.person)
    return visit.show("journal/receipts.html", table=name, kept=kept, back=BACK)


@get("/tables/{table:str}/receipts/{row:int}", include_in_schema=False)
@in_reader
def receipt_page(visit: TheVisit, table: TableName, row: RowNumber) -> Response[str]:
    """One receipt, to print: what, when, how much, why, and the house's signature."""
    receipt, facts, whole = receipt_of(visit, table, row)
    return visit.show(
        "journal/receipt.html",
        table=receipt.stream,
        receipt=receipt,
        facts=facts,
        whole=whole,
        code=code_of(receipt, whole=whole),
        root=(root := visit.house.roots.noted),
        covered=root is not None and row <= root.heads.get(receipt.stream, (0, ""))[0],
        in_full=whole and len(in_full(receipt)) <= MOST_QR_BYTES,
    )


def receipt_of(visit: Visit, table: str, row: int) -> tuple[Receipt, tuple[Fact, ...], bool]:
    """A row's receipt, what it says of the caller, and whether they may have the whole of it."""
    name = visit.table(table).name
    by = visit.actor(name)
    found = next(visit.house.log.read(name, row - 1), None)
    if found is None or found.seq != row:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    own = found.actor == by.person and is_own(found, by.person)
    whole = own or bool(by.roles & WATCH_OVER)
    facts = _facts(found, "" if whole else by.person)
    if not facts:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return give_receipt(found, visit.house.key), facts, whole


def in_full(receipt: Receipt) -> bytes:
    """The receipt as `puntobanco verify` reads it."""
    return msgspec.json.encode(receipt)


def in_short(receipt: Receipt) -> bytes:
    """Which row, its hash, and the signature over it."""
    names = ("stream", "seq", "at_ms", "hash", "key", "signature")
    facts = {name: getattr(receipt, name) for name in names}
    return msgspec.json.encode({"form": SHORT_FORM, **facts})


def code_of(receipt: Receipt, *, whole: bool) -> Markup:
    """A QR code of the receipt, or of its hash where it does not fit or is not theirs to see."""
    text = in_full(receipt)
    if not whole or len(text) > MOST_QR_BYTES:
        text = in_short(receipt)
    return qr_code(text)


def qr_code(text: bytes) -> Markup:
    """A QR code as a drawing to stand in a page."""
    made = segno.make_qr(text, error="l", boost_error=False)
    drawn = made.svg_inline(omitsize=True, svgclass="qr", dark="#000", light="#fff", border=4)
    return Markup(drawn)  # noqa: S704  made of numbers alone


HANDLERS = (receipts, receipt_page)
