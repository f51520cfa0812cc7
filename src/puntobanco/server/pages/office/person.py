"""One person of the house: roles with their history, ledger, signing in, and being shut out."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.cage.view import KEEPERS
from puntobanco.errors import Reason, Refused
from puntobanco.house.access import desk
from puntobanco.house.access.door.halves import half_waiting
from puntobanco.house.access.history import PeopleBook
from puntobanco.house.access.people import Person
from puntobanco.house.access.rights import (
    MANAGEMENT,
    OVERSEES,
    WATCHES,
    check_house_role,
    member_of,
    who_sees_to,
)
from puntobanco.house.access.waiting import on_duty_at, proposals_about
from puntobanco.house.till.papers import table_rows
from puntobanco.house.till.patron import patron_at_cage
from puntobanco.house.trust.erasing import kept_back
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import Short
from puntobanco.server.commands.faults import (
    FaultyFormError,
    ToPutRight,
    faults_in,
    of_refusal,
)
from puntobanco.server.commands.form_cycle import ShowAgain, or_again
from puntobanco.server.errors import http_status
from puntobanco.server.pages.cage.till import book_of
from puntobanco.server.pages.journal.receipts import qr_code
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Actor, Role
from puntobanco.table.commands import Name, Note
from puntobanco.words import name_order

GRANTABLE = tuple(sorted(set(Role) - {Role.PATRON, Role.GUEST, Role.HOUSE}))
LINES = 10
"""Lines of a patron's ledger on their page."""


def people_book(visit: Visit) -> PeopleBook:
    book: PeopleBook = visit.kept.people_book
    return book


@get("/house/people/{person:str}", sync_to_thread=False, include_in_schema=False)
def person_page(visit: TheVisit, person: Short) -> Response[str]:
    """Who somebody is in this house, what they sign in with, and what can be done about it."""
    return show_person(visit, person)


def show_person(visit: Visit, person: str, **new: object) -> Response[str]:
    by, house = visit.check(WATCHES, "people"), visit.house
    member = member_of(house.register.state, person)
    context: dict[str, object] = {
        "someone": person,
        "member": member,
        "now_ms": by.at_ms,
        "named": house.people.get(person),
        "held": desk.credentials_of(house, by, person),
        "failed": desk.has_failed(visit.signin, by, person),
        "history": people_book(visit).of(person),
        "on_duty": on_duty_at(house, person),
        "manages": bool(by.roles & MANAGEMENT),
        "later": _not_yet(visit, person) if by.roles & MANAGEMENT else (),
        "oversees": bool(by.roles & OVERSEES),
        "own": person == visit.person,
        "may": bool(by.roles & who_sees_to(member)),
        "tables": sorted(house.tables, key=name_order),
        "grantable": GRANTABLE,
        "second": visit.signin.second.has(person),
        "waits_half": half_waiting(house, person),
        "proposals": proposals_about(house, house.register, by, person),
        **_at_cage(visit, by, person, patron=member.kind == "patron"),
    }
    shown: dict[str, object] = {"pin": "", "card": "", "qr": "", "password": "", "half": ""}
    shown |= {"base": "", "enrolled": False, "wrong": {}, "typed": {}, "cup": ""}
    return visit.show("pages/office/person.html", **context, **(shown | new))


def _not_yet(visit: Visit, person: str) -> tuple[str, ...]:
    """Why what is personal of somebody who was shut out cannot be erased yet."""
    currency = visit.house.register.state.currency
    return tuple(of_refusal(one, (), currency).says for one in kept_back(visit.house, person))


SHORT = {
    "grant": "role",
    "revoke": "role",
    "disable": "note",
    "enable": "note",
    "name": "name",
    "erase": "sure",
}
"""The short forms of the page, each with the field that a refusal stands beside."""


def show_again(
    visit: Visit, person: str, form: str, typed: dict[str, str], problem: Exception
) -> Response[str]:
    """The page as it was, with what was typed, and beside its field what is wrong with it."""
    currency = visit.house.register.state.currency
    found = faults_in(visit.told(problem), (), currency)
    wrong = {f"{form}.{one.path or SHORT[form]}": one.says for one in found}
    kept = {f"{form}.{field}": text for field, text in typed.items()}
    shown = show_person(visit, person, wrong=wrong, typed=kept)
    shown.status_code = http_status(problem)
    return shown


def _at_cage(visit: Visit, by: Actor, person: str, *, patron: bool) -> dict[str, object]:
    """What the cage has of a patron, for those who may see it."""
    if not patron or not by.roles & KEEPERS:
        return {"at": None, "lines": [], "table_rows": {}}
    book = book_of(visit)
    lines = book.ledger(person, most=LINES)
    return {
        "at": patron_at_cage(visit.house, book, by, person),
        "lines": lines,
        "table_rows": table_rows(visit.house, by, lines),
    }


def house_address(visit: Visit) -> str:
    """The address of this house, as the browser that asks has it."""
    base = str(visit.request.base_url).rstrip("/")
    return base.replace("http:", "https:", 1) if visit.kept.secure else base


async def slip_for(visit: Visit, person: str) -> dict[str, Any]:
    """What somebody signs in with, fresh, to be shown once: the ones before are void."""
    by = visit.actor()
    if member_of(visit.house.register.state, person).kind == "patron":
        return await _patron_slip(visit, person)
    given = await desk.issue_password(visit.signin, by, person)
    return {"password": given.secret, "half": given.half}


async def _patron_slip(visit: Visit, person: str) -> dict[str, Any]:
    by = visit.actor()
    slip = await desk.issue_slip(visit.signin, by, person, "pin", "card")
    base = house_address(visit)
    code = qr_code(f"{base}/sign-in#{slip['card']}".encode())
    return {"pin": slip["pin"], "card": slip["card"], "base": base, "qr": code}


@post("/house/people/{person:str}/name", include_in_schema=False)
async def rename(visit: TheVisit, person: Short) -> Response[Any]:
    """A name written down, or corrected."""
    form, by = await visit.form(), visit.actor()

    async def name() -> Response[Any]:
        wanted = {key: form.get(key, "").strip() for key in ("name", "contact")}
        found = tuple(
            ToPutRight(say(f"enrol.wrong.{key}"), key)
            for key, kind in (("name", Name), ("contact", Note))
            if not _fits(wanted[key], kind)
        )
        if found:
            raise FaultyFormError(found)
        desk.name_person(visit.house, by, Person(person, **wanted))
        return _back_to(person)

    return await or_again(visit, form, name(), _again(visit, person, "name"))


def _fits(text: str, kind: Any) -> bool:
    try:
        msgspec.convert(text, kind)
    except msgspec.ValidationError:
        return False
    return True


def _again(visit: Visit, person: str, form: str) -> ShowAgain:
    return lambda typed, problem: show_again(visit, person, form, typed, problem)


@post("/house/people/{person:str}/slip", include_in_schema=False)
async def slip(visit: TheVisit, person: Short) -> Response[str]:
    """A fresh PIN and QR code on a slip to print; shown once, and the ones before are void."""
    return show_person(visit, person, **await _patron_slip(visit, person))


@post("/house/people/{person:str}/password", include_in_schema=False)
async def fresh_password(visit: TheVisit, person: Short) -> Response[str]:
    """A fresh password for a member of staff, or one's half of it, shown once; its owner then
    changes it.
    """
    return show_person(visit, person, **await slip_for(visit, person))


@post("/house/people/{person:str}/unlock", include_in_schema=False)
async def unlock(visit: TheVisit, person: Short) -> Response[Any]:
    """After ten failures, by management and never by oneself."""
    await desk.unlock(visit.signin, visit.actor(), person)
    return _back_to(person)


@post("/house/people/{person:str}/erase", include_in_schema=False)
async def erase(visit: TheVisit, person: Short) -> Response[Any]:
    """Name, contact and credentials go for good, once the id has been typed to be sure."""
    form, by = await visit.form(), visit.actor()
    check_house_role(by, MANAGEMENT, "erase")

    async def erase_them() -> Response[Any]:
        if form.get("sure") != person:
            raise Refused(Reason.NOT_SURE, CONDITIONS, person=person)
        await desk.erase(visit.signin, by, person)
        done = visit.house.people.is_erased(person)  # or it waits for a second person
        return Redirect("/house/people", status_code=303) if done else _back_to(person)

    return await or_again(visit, form, erase_them(), _again(visit, person, "erase"))


def _back_to(person: str) -> Redirect:
    return Redirect(f"/house/people/{person}", status_code=303)


HANDLERS = (person_page, rename, slip, fresh_password, unlock, erase)
