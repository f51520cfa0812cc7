"""A patron's ledger, as a page and as CSV, and the receipt of each of its lines."""

from typing import Annotated

from litestar import Response, get
from litestar.params import QueryParameter

from puntobanco.cage.view import KEEPERS
from puntobanco.house.access.names import person_called
from puntobanco.house.access.rights import member_of
from puntobanco.house.spreadsheet import csv_table
from puntobanco.house.till.book import Movement
from puntobanco.house.till.papers import receipt_at_cage, table_rows
from puntobanco.server.addresses import PersonId, RowNumber
from puntobanco.server.pages.cage.till import book_of
from puntobanco.server.pages.journal.receipts import MOST_QR_BYTES, code_of, in_full
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.rendering import moment, say
from puntobanco.server.visit import TheVisit
from puntobanco.words import money

LINES = 50
Before = Annotated[int | None, QueryParameter(ge=1, le=2**53)]


@get("/house/people/{person:str}/ledger", include_in_schema=False)
@in_reader
def ledger_page(visit: TheVisit, person: PersonId, before: Before = None) -> Response[str]:
    """Every movement with what the account had then, the newest first."""
    by = visit.check(KEEPERS, "ledger")
    member_of(visit.house.register.state, person)
    lines = book_of(visit).ledger(person, before, LINES)
    return visit.show(
        "pages/cage/ledger.html",
        someone=person,
        name=person_called(visit.house, person),
        lines=lines,
        table_rows=table_rows(visit.house, by, lines),
        before=before,
        earlier=lines[-1].seq if len(lines) == LINES else None,
    )


@get("/house/people/{person:str}/ledger.csv", include_in_schema=False)
@in_reader
def ledger_file(visit: TheVisit, person: PersonId) -> Response[bytes]:
    """All of it, the oldest first."""
    visit.check(KEEPERS, "ledger")
    member_of(visit.house.register.state, person)
    headers = {
        "Content-Disposition": f'attachment; filename="ledger-{person}.csv"',
        "Cache-Control": "no-store",
    }
    body = as_csv(book_of(visit).whole_ledger(person))
    return Response(body, media_type="text/csv", headers=headers)


def as_csv(lines: list[Movement]) -> bytes:
    """A ledger as a file for a spreadsheet; times in UTC."""
    rows = []
    for one in lines:
        what = say(f"moved.{one.kind}", place="").rstrip(", ")
        amounts = money(one.cents), money(one.balance_cents)
        rows.append((one.seq, moment(one.at_ms), what, one.place, *amounts, one.actor))
    return csv_table(("row", "utc", "what", "place", "amount", "account", "by"), rows).encode()


@get("/house/cage/receipts/{row:int}", include_in_schema=False)
@in_reader
def cage_receipt(visit: TheVisit, row: RowNumber) -> Response[str]:
    """One receipt, as wide as a till's paper."""
    found = receipt_at_cage(visit.house, book_of(visit), visit.actor(), row)
    return visit.show(
        "pages/cage/receipt.html",
        receipt=found,
        name=person_called(visit.house, found.person),
        code=code_of(found.receipt, whole=True),
        in_full=len(in_full(found.receipt)) <= MOST_QR_BYTES,
        keeps=bool(visit.roles & KEEPERS),
    )


HANDLERS = (ledger_page, ledger_file, cage_receipt)
