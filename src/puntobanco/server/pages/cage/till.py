"""The till: who is at the window, how much, is it right; and the receipt.

A wrong amount is said beside its field, and what was typed stays. Nothing is on record before it
was shown and confirmed.
"""

from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.cage import commands as c
from puntobanco.cage.authority import CASHIER
from puntobanco.cage.view import KEEPERS, view
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.names import person_called
from puntobanco.house.access.rights import AT_CAGE, DESK
from puntobanco.house.access.waiting import proposals_about
from puntobanco.house.competitions.paperwork import due_from_pots
from puntobanco.house.till.book import CageBook
from puntobanco.house.till.papers import receipt_at_cage, scanned_at_cage
from puntobanco.house.till.patron import (
    MOST_FOUND,
    foresee_at_cage,
    patron_at_cage,
    patrons,
    whose_code,
)
from puntobanco.house.till.versions import till_version
from puntobanco.server.addresses import PersonId
from puntobanco.server.commands.typed import Now, facts_of
from puntobanco.server.look import shown_money
from puntobanco.server.pages.journal.receipts import MOST_QR_BYTES, code_of
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Actor
from puntobanco.table.commands import Cents
from puntobanco.words import capitalised

WAYS: dict[str, type[c.Deposit] | type[c.Withdraw]] = {"in": c.Deposit, "out": c.Withdraw}
"""What a till does with money, by its name on the page."""
SHOWN = 9
"""Lines of the ledger beside the till."""


def book_of(visit: Visit) -> CageBook:
    book: CageBook = visit.kept.cage_book
    return book


def till_context(visit: Visit, by: Actor, person: str, word: str) -> dict[str, Any]:
    """All that the till shows but what was typed: the page and its live regions have it alike."""
    house, book = visit.house, book_of(visit)
    found = patrons(house, by, word)
    book.catch_up()
    return {
        "found": found[:MOST_FOUND],
        "more": max(0, len(found) - MOST_FOUND),
        "word": word,
        "someone": person,
        "at": patron_at_cage(house, book, by, person) if person else None,
        "lines": book.ledger(person, most=SHOWN) if person else [],
        "table_rows": {},
        "proposals": proposals_about(house, house.cage, by, person) if person else {},
        "due": due_from_pots(house, person) if person else [],
        "drawer": house.cage.state.drawers.get(by.person),
        "opened_ms": book.opened_ms(by.person),
        "slips": view(house.cage.state, by.person, by.roles).slips,
        "cashier": bool(by.roles & CASHIER),
        "enrols": bool(by.roles & DESK),
        "since": till_version(house),
    }


def _till(visit: Visit, person: str = "", **typed: Any) -> Response[str]:
    by = visit.check(AT_CAGE, "cage")
    at_work = {
        "way": "in",
        "amount": "",
        "problem": "",
        "sure_cents": 0,
        "receipt": None,
        "code": "",
        **typed,
    }
    context = till_context(visit, by, person, visit.query("q")[:80])
    shown = visit.show("pages/cage/till.html", **context, **at_work)
    shown.status_code = 409 if at_work["problem"] else 200
    return shown


@get("/house/cage", sync_to_thread=False, include_in_schema=False)
def till(visit: TheVisit) -> Response[Any]:
    """For those who keep the cage; the floor is shown its fills and trays."""
    if not visit.check(AT_CAGE, "cage").roles & KEEPERS:
        return Redirect("/house/cage/chips", status_code=303)
    return _till(visit)


@post("/house/cage/find", include_in_schema=False)
async def find_patron(visit: TheVisit) -> Response[Any]:
    """By name, number or scanned code: one patron at once, several as a list; or the receipt.

    What was typed may be a code with a secret in it, so that it never comes into an address.
    """
    form, by = await visit.form(), visit.check(KEEPERS, "cage")
    row = scanned_at_cage(visit.house, by, form.get("q", "")[:MOST_QR_BYTES])
    if row:
        return Redirect(f"/house/cage/receipts/{row}", status_code=303)
    word = say("till.receipt.foreign") if row == 0 else whose_code(form.get("q", ""))[:80]
    found = patrons(visit.house, by, word)
    exact = [
        one for one in found if word.casefold() in (one.person.casefold(), one.name.casefold())
    ]
    if word and len(exact or found) == 1:
        return Redirect(f"/house/cage/patrons/{(exact or found)[0].person}", status_code=303)
    return Redirect(f"/house/cage?q={quote(word)}", status_code=303)


@get("/house/cage/patrons/{person:str}", sync_to_thread=False, include_in_schema=False)
def till_for(visit: TheVisit, person: PersonId) -> Response[str]:
    """The till with a patron at it, and the receipt of what was just done."""
    visit.check(KEEPERS, "cage")
    member = visit.house.register.state.people.get(person)
    usual = "out" if member is not None and not member.enabled else "in"
    way = visit.query("do", usual)
    asked = visit.query("receipt")
    facts: dict[str, Any] = {}
    if asked.isdecimal() and len(asked) < 16:
        found = receipt_at_cage(visit.house, book_of(visit), visit.actor(), int(asked))
        if found.person == person:
            facts = {"receipt": found, "code": code_of(found.receipt, whole=True)}
    way = way if way in WAYS else usual
    return _till(visit, person, way=way, amount=visit.query("amount")[:20], **facts)


@post("/house/cage/patrons/{person:str}", include_in_schema=False)
async def book_money(visit: TheVisit, person: PersonId) -> Response[Any]:
    """Money in or out: shown first, and on record once it is confirmed."""
    by, form = visit.check(KEEPERS, "cage"), await visit.form()
    given = visit.command_id(form)
    way, amount = form.get("do", "in"), form.get("amount", "")[:40]
    way = way if way in WAYS else "in"
    typed = {"way": way, "amount": amount}
    cents = 0
    try:
        cents = _cents(amount)
        ask = WAYS[way](person, cents)
        if form.get("sure"):
            done = await visit.give("cage", ask, given)
            booked = done.happened[0].is_ != "proposed"
            shown = f"&receipt={done.seq}" if booked else ""
            return Redirect(f"/house/cage/patrons/{person}?do={way}{shown}", status_code=303)
        foresee_at_cage(visit.house, ask, by)
    except (Refused, MalformedError) as error:
        if not visit.wants_page:
            raise
        return _till(visit, person, **typed, problem=_problem(visit, person, cents, error))
    return _till(visit, person, **typed, sure_cents=cents)


def _cents(amount: str) -> int:
    if not amount.strip():
        raise MalformedError(say("till.amount-none"))
    try:
        cents = facts_of({"cents@money": amount}, Now(0))["cents"]
        return msgspec.convert(cents, Cents)
    except msgspec.ValidationError as error:
        raise MalformedError(
            say("till.amount-much" if cents > 0 else "till.amount-none")
        ) from error
    except MalformedError as error:
        raise MalformedError(say("till.amount-wrong", text=amount[:20])) from error


def _problem(visit: Visit, person: str, cents: int, error: Exception) -> str:
    """Why not, in the words of whoever stands at the till."""
    if isinstance(error, MalformedError):
        return str(error)
    assert isinstance(error, Refused)
    if error.reason is Reason.ACCOUNT_SHORT:
        return _short(visit, person, cents)
    happened, remedy = visit.words_of(error)
    return f"{capitalised(happened)}. {remedy}"


def _short(visit: Visit, person: str, cents: int) -> str:
    house = visit.house
    currency, has = house.register.state.settings.look.currency, house.cage.state.accounts[person]
    facts = {"has": shown_money(has, currency), "over": shown_money(cents - has, currency)}
    return say("till.short", name=person_called(house, person), **facts)


HANDLERS = (till, find_patron, till_for, book_money)
