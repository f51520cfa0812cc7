"""People of the house on the web: names, roles, what they sign in with, slips to print."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.access import desk
from puntobanco.house.access.people import Person
from puntobanco.house.access.rights import (
    DESK,
    MANAGEMENT,
    WATCHES,
    check_house_role,
    member_of,
    who_sees_to,
)
from puntobanco.register import commands as register
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import Short
from puntobanco.server.pages.journal.receipts import qr_code
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Role
from puntobanco.table.commands import Name, Note
from puntobanco.table.commands import Person as PersonId

MOST_SHOWN = 500
"""People on one page; a search finds the others."""


@get("/house/people", sync_to_thread=False, include_in_schema=False)
def people(visit: TheVisit) -> Response[str]:
    """Everybody who belongs to the house; staff first."""
    by, word = visit.actor(), visit.query("q")[:40]
    members = desk.enrolled(visit.house, by, word)
    shown = members[:MOST_SHOWN]
    return visit.show(
        "pages/office/people.html",
        people=shown,
        count=len(members),
        word=word,
        may=bool(by.roles & DESK),
        manages=bool(by.roles & MANAGEMENT),
    )


class NameForm(Struct, frozen=True):
    """What the form of a name has in it."""

    name: Name
    contact: Note = ""


class EnrolmentForm(Struct, frozen=True):
    """What the form for somebody new has in it."""

    person: PersonId
    kind: register.Kind
    name: Name
    contact: Note = ""


@post("/house/people", include_in_schema=False)
async def enrol(visit: TheVisit) -> Response[Any]:
    """A new member of staff or a new patron; their name stands where it can be erased."""
    form = await visit.form()
    given = visit.command_id(form)
    asked = msgspec.convert(form, EnrolmentForm)
    await visit.give("register", register.Enrol(asked.person, asked.kind), given)
    visit.house.people.put(Person(asked.person, asked.name, asked.contact))
    return _back_to(asked.person)


@get("/house/people/{person:str}", sync_to_thread=False, include_in_schema=False)
def person_page(visit: TheVisit, person: Short) -> Response[str]:
    """Who somebody is in this house, what they sign in with, and what can be done about it."""
    visit.check(WATCHES, "people")
    return _person(visit, person)


def _person(visit: Visit, person: str, **new: object) -> Response[str]:
    by = visit.actor()
    member = member_of(visit.house.register.state, person)
    context: dict[str, object] = {
        "someone": person,
        "member": member,
        "named": visit.house.people.get(person),
        "held": desk.credentials_of(visit.house, by, person),
        "account": visit.house.cage.state.accounts.get(person),
        "manages": bool(by.roles & MANAGEMENT),
        "own": person == visit.person,
        "may": bool(by.roles & who_sees_to(member)),
        "tables": sorted(visit.house.tables),
        "grantable": GRANTABLE,
    }
    shown: dict[str, object] = {"pin": "", "card": "", "qr": "", "password": "", "base": ""}
    return visit.show("pages/office/person.html", **context, **(shown | new))


def house_address(visit: Visit) -> str:
    """The address of this house, as the browser that asks has it."""
    base = str(visit.request.base_url).rstrip("/")
    return base.replace("http:", "https:", 1) if visit.kept.secure else base


GRANTABLE = tuple(sorted(set(Role) - {Role.PATRON, Role.GUEST, Role.HOUSE}))


@post("/house/people/{person:str}/name", include_in_schema=False)
async def rename(visit: TheVisit, person: Short) -> Response[Any]:
    """A name written down, or corrected."""
    form, by = await visit.form(), visit.actor()
    named = msgspec.convert(form, NameForm)
    desk.name_person(visit.house, by, Person(person, named.name, named.contact))
    return _back_to(person)


@post("/house/people/{person:str}/slip", include_in_schema=False)
async def slip(visit: TheVisit, person: Short) -> Response[str]:
    """A fresh PIN and QR code on a slip to print; shown once, and the ones before are void."""
    by = visit.actor()
    pin = await desk.issue_pin(visit.signin, by, person)
    card = await desk.issue_card(visit.signin, by, person)
    base = house_address(visit)
    code = qr_code(f"{base}/sign-in#{card}".encode())
    return _person(visit, person, pin=pin, card=card, base=base, qr=code)


@post("/house/people/{person:str}/password", include_in_schema=False)
async def fresh_password(visit: TheVisit, person: Short) -> Response[str]:
    """A fresh password for a member of staff, shown once; its owner then changes it."""
    password = await desk.issue_password(visit.signin, visit.actor(), person)
    return _person(visit, person, password=password)


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
    if form.get("sure") != person:
        raise Refused(Reason.NOT_SURE, CONDITIONS, person=person)
    await desk.erase(visit.signin, by, person)
    return Redirect("/house/people", status_code=303)


def _back_to(person: str) -> Redirect:
    return Redirect(f"/house/people/{person}", status_code=303)


HANDLERS = (people, enrol, person_page, rename, slip, fresh_password, unlock, erase)
