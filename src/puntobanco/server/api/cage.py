"""The till as data: patrons, their ledgers and receipts, slips, and drawers that were counted."""

from typing import Annotated

from litestar import Router, get
from litestar.params import QueryParameter

from puntobanco.cage.view import KEEPERS
from puntobanco.house.access.history import PersonHistory
from puntobanco.house.access.rights import WATCHES, member_of
from puntobanco.house.till.book import Movement
from puntobanco.house.till.papers import (
    ShiftShown,
    SlipShown,
    receipt_at_cage,
    shift_shown,
    slip_shown,
)
from puntobanco.house.till.patron import Patron, PatronAtCage, patron_at_cage, patrons
from puntobanco.journal.receipt import Receipt
from puntobanco.server.addresses import PersonId, RowNumber
from puntobanco.server.commands.api import check_one_id
from puntobanco.server.pages.cage.till import book_of
from puntobanco.server.pages.office.person import people_book
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit

Search = Annotated[str, QueryParameter(name="q", max_length=200)]
Before = Annotated[int | None, QueryParameter(ge=1, le=2**53, description="Those before a row")]
MOST_LINES = 500
"""Lines of a ledger in one answer; `before` leads to those before them."""


@get("/cage/patrons", operation_id="cage-patrons", tags=["cage"], sync_to_thread=False)
def cage_patrons(visit: TheVisit, word: Search = "") -> list[Patron]:
    """Patrons by name, id or scanned code, the nearest first."""
    return patrons(visit.house, visit.actor(), word)


@get("/cage/patrons/{person:str}", operation_id="cage-patron", tags=["cage"], sync_to_thread=False)
def cage_patron(visit: TheVisit, person: PersonId) -> PatronAtCage:
    """What a patron has in the account and in chips, and paid in and out over 24 hours."""
    return patron_at_cage(visit.house, book_of(visit), visit.actor(), person)


@get("/people/{person:str}/ledger", operation_id="ledger", tags=["cage"])
@in_reader
def ledger(visit: TheVisit, person: PersonId, before: Before = None) -> list[Movement]:
    """Every movement of a patron's account with what it had then, the newest first."""
    visit.check(KEEPERS, "ledger")
    member_of(visit.house.register.state, person)
    return book_of(visit).ledger(person, before, MOST_LINES)


@get("/people/{person:str}/history", operation_id="person-history", tags=["people"])
@in_reader
def history(visit: TheVisit, person: PersonId) -> PersonHistory:
    """When somebody was enrolled, and every role: since when, by whom, until when."""
    visit.check(WATCHES, "people")
    member_of(visit.house.register.state, person)
    return people_book(visit).of(person)


@get("/cage/receipts/{row:int}", operation_id="cage-receipt", tags=["cage"])
@in_reader
def cage_receipt(visit: TheVisit, row: RowNumber) -> Receipt:
    """The signed receipt of a movement: for the cage, and for the patron whose account it is."""
    return receipt_at_cage(visit.house, book_of(visit), visit.actor(), row).receipt


@get("/cage/slips/{number:int}", operation_id="cage-slip", tags=["cage"])
@in_reader
def cage_slip(visit: TheVisit, number: RowNumber) -> SlipShown:
    """A fill or credit with its chips by denomination, and what became of it."""
    return slip_shown(book_of(visit), visit.actor(), number)


@get("/cage/drawers", operation_id="cage-drawers", tags=["cage"])
@in_reader
def cage_drawers(visit: TheVisit) -> list[ShiftShown]:
    """Drawers that were counted, each beside what had to be there; the newest first."""
    visit.check(KEEPERS, "cage")
    return [shift_shown(one) for one in book_of(visit).shifts()]


HANDLERS = (
    Router(
        "/api",
        route_handlers=[
            *(cage_patrons, cage_patron, ledger, history),
            *(cage_receipt, cage_slip, cage_drawers),
        ],
        before_request=check_one_id,
    ),
)
