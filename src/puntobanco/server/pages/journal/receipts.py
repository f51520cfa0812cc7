"""A patron's receipts: their last wagers and payouts, and one of them to print and to keep."""

import msgspec
import segno
from litestar import Response, get
from markupsafe import Markup

from puntobanco.house.access.names import person_called
from puntobanco.house.lookback.receipts import is_provable, kept_by, receipt_of
from puntobanco.journal.receipt import Receipt, short_receipt
from puntobanco.journal.verify import HOUSE
from puntobanco.server.addresses import RowNumber, TableName
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit

MOST_QR_BYTES = 1400
"""A denser code than this is hard to read from paper."""


@get("/tables/{table:str}/receipts", include_in_schema=False)
@in_reader
def receipts(visit: TheVisit, table: TableName) -> Response[str]:
    """What the caller wagered and was paid at this table, each with its receipt."""
    name = visit.table(table).name
    by = visit.actor(name)
    kept = kept_by(visit.house, name, by.person)
    return visit.show("pages/journal/receipts.html", table=name, kept=kept)


@get("/tables/{table:str}/receipts/{row:int}", include_in_schema=False)
@in_reader
def receipt_page(visit: TheVisit, table: TableName, row: RowNumber) -> Response[str]:
    """One receipt, to print: what, when, how much, why, and the house's signature."""
    name = visit.table(table).name
    by = visit.actor(name)
    shown = receipt_of(visit.house, by, name, row)
    receipt = shown.receipt
    known = shown.whole or receipt.actor in (by.person, HOUSE)
    return visit.show(
        "pages/journal/receipt.html",
        table=receipt.stream,
        receipt=receipt,
        facts=shown.facts,
        by=person_called(visit.house, receipt.actor) if known else say("receipt.actor.staff"),
        whole=shown.whole,
        play=shown.play,
        code=code_of(receipt, whole=shown.whole),
        root=(root := visit.house.roots.noted),
        covered=root is not None and row <= root.heads.get(receipt.stream, (0, ""))[0],
        provable=is_provable(visit.house, name, row),
        in_full=shown.whole and len(in_full(receipt)) <= MOST_QR_BYTES,
    )


def in_full(receipt: Receipt) -> bytes:
    """The receipt as `puntobanco verify` reads it."""
    return msgspec.json.encode(receipt)


def in_short(receipt: Receipt) -> bytes:
    """Which row, its hash, and the signature over it; `puntobanco verify` reads that too."""
    return msgspec.json.encode(short_receipt(receipt))


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
