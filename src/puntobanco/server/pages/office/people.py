"""People on the web: names, roles, what they sign in with, slips, devices, one's own password."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Meta, Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.people import Credential, Person
from puntobanco.house.access.rights import DESK, MANAGEMENT, WATCHES, check_role
from puntobanco.register import commands as register
from puntobanco.register.state import Member
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.addresses import Short
from puntobanco.server.pages.journal.receipts import qr_code
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Actor, Role
from puntobanco.table.commands import Name, Note
from puntobanco.table.commands import Person as PersonId

MOST_SHOWN = 500


def sees_to(visit: Visit, person: str) -> Actor:
    """Staff are management's affair; patrons are the cage's too."""
    by = visit.actor()
    member = member_of(visit, person)
    check_role(by, DESK if member.kind == "patron" else MANAGEMENT, "people")
    return by


def member_of(visit: Visit, person: str) -> Member:
    member = visit.house.register.state.people.get(person)
    if member is None:
        raise Refused(Reason.NOT_ENROLLED, CONDITIONS, person=person[:64])
    return member


def check_patron(visit: Visit, person: str) -> None:
    """PINs are for patrons: staff sign in with a password."""
    if visit.house.register.state.people[person].kind != "patron":
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command="slip", allowed=Role.PATRON)


def check_other(by: Actor, person: str) -> None:
    """One's own password is changed by whoever knows the one before."""
    if by.person == person:
        raise Refused(Reason.SAME_PERSON, CONDITIONS, person=person)


def check_gone(visit: Visit, person: str) -> None:
    """Whoever still belongs to the house keeps what they sign in with."""
    if visit.house.register.state.people[person].enabled:
        raise Refused(Reason.STILL_ENABLED, CONDITIONS, person=person)


@get("/house/people", sync_to_thread=False, include_in_schema=False)
def people(visit: TheVisit) -> Response[str]:
    """Everybody who belongs to the house; staff first."""
    by = visit.actor()
    word = visit.query("q")[:40]
    members = found_people(visit, word)
    shown = members[:MOST_SHOWN]
    return visit.show("office/people.html", people=shown, count=len(members), word=word,
        may=bool(by.roles & DESK), manages=bool(by.roles & MANAGEMENT),
    )  # fmt: skip


def found_people(visit: Visit, word: str) -> list[tuple[str, str, Member]]:
    """Id, name and standing of everybody whose id or name has the word in it."""
    visit.check(WATCHES, "people")
    wanted, names = word.lower(), visit.house.people.all()
    members = [
        (person, names.get(person, Person(person)).name, member)
        for person, member in visit.house.register.state.people.items()
    ]
    found = [one for one in members if wanted in one[0].lower() or wanted in one[1].lower()]
    return sorted(found, key=lambda one: (one[2].bot is not None, one[2].kind != "staff", one[0]))


class Enrolment(Struct, frozen=True):
    person: PersonId
    kind: register.Kind
    name: Name
    contact: Note = ""


@post("/house/people", include_in_schema=False)
async def enrol(visit: TheVisit) -> Response[Any]:
    """A new member of staff or a new patron; their name stands where it can be erased."""
    form = await visit.form()
    given = visit.command_id(form)
    asked = msgspec.convert(form, Enrolment)
    await visit.give("register", register.Enrol(asked.person, asked.kind), given)
    visit.house.people.put(Person(asked.person, asked.name, asked.contact))
    return Redirect(f"/house/people/{asked.person}", status_code=303)


@get("/house/people/{person:str}", sync_to_thread=False, include_in_schema=False)
def person_page(visit: TheVisit, person: Short) -> Response[str]:
    by = visit.actor()
    check_role(by, WATCHES, "people")
    return _person(visit, person)


def _person(visit: Visit, person: str, **new: object) -> Response[str]:
    by = visit.actor()
    member = member_of(visit, person)
    context: dict[str, object] = {
        "someone": person, "member": member, "named": visit.house.people.get(person),
        "held": credentials_of(visit, person),
        "account": visit.house.cage.state.accounts.get(person),
        "manages": bool(by.roles & MANAGEMENT), "own": person == visit.person,
        "may": bool(by.roles & (DESK if member.kind == "patron" else MANAGEMENT)),
        "tables": sorted(visit.house.tables), "grantable": GRANTABLE,
    }  # fmt: skip
    shown: dict[str, object] = {"pin": "", "card": "", "qr": "", "password": "", "base": ""}
    return visit.show("office/person.html", **context, **(shown | new))


def credentials_of(visit: Visit, person: str) -> dict[str, Credential]:
    """What somebody signs in with, by kind."""
    kinds = ("password", "pin", "card")
    held = {kind: visit.house.people.credential(person, kind) for kind in kinds}
    return {kind: credential for kind, credential in held.items() if credential}


def house_address(visit: Visit) -> str:
    """Where this house is found, as whoever asks has it."""
    base = str(visit.request.base_url).rstrip("/")
    return base.replace("http:", "https:", 1) if visit.kept.secure else base


GRANTABLE = tuple(sorted(set(Role) - {Role.PATRON, Role.HOUSE}))


@post("/house/people/{person:str}/name", include_in_schema=False)
async def rename(visit: TheVisit, person: Short) -> Response[Any]:
    form = await visit.form()
    sees_to(visit, person)
    named = Person(
        person,
        msgspec.convert(form.get("name", ""), Name),
        msgspec.convert(form.get("contact", ""), Note),
    )
    visit.house.people.put(named)
    return Redirect(f"/house/people/{person}", status_code=303)


@post("/house/people/{person:str}/slip", include_in_schema=False)
async def slip(visit: TheVisit, person: Short) -> Response[str]:
    """A fresh PIN and QR code on a slip to print; shown once, and the ones before are void."""
    by = sees_to(visit, person)
    check_patron(visit, person)
    pin = await visit.signin.issue_pin(person, by.person)
    card = await visit.signin.issue_card(person, by.person)
    base = house_address(visit)
    return _person(
        visit,
        person,
        pin=pin,
        card=card,
        base=base,
        qr=qr_code(f"{base}/sign-in#{card}".encode()),
    )


@post("/house/people/{person:str}/password", include_in_schema=False)
async def fresh_password(visit: TheVisit, person: Short) -> Response[str]:
    """A fresh password for a member of staff, shown once; whoever gets it changes it."""
    by = sees_to(visit, person)
    check_role(by, MANAGEMENT, "password")
    check_other(by, person)
    password = await visit.signin.issue_password(person, by.person)
    return _person(visit, person, password=password)


@post("/house/people/{person:str}/unlock", include_in_schema=False)
async def unlock(visit: TheVisit, person: Short) -> Response[Any]:
    """After ten failures, by management and never by oneself."""
    await visit.signin.unlock(person, visit.actor())
    return Redirect(f"/house/people/{person}", status_code=303)


@post("/house/people/{person:str}/erase", include_in_schema=False)
async def erase(visit: TheVisit, person: Short) -> Response[Any]:
    """Name, contact and credentials go for good; what the id did stays on record."""
    form = await visit.form()
    by = sees_to(visit, person)
    check_role(by, MANAGEMENT, "erase")
    if form.get("sure") != person:
        raise Refused(Reason.NOT_SURE, CONDITIONS, person=person)
    check_gone(visit, person)
    await visit.signin.erase(person, by.person)
    return Redirect("/house/people", status_code=303)


# one's own


@get("/account", sync_to_thread=False, include_in_schema=False)
def account(visit: TheVisit) -> Response[str]:
    """What one is in this house, and one's own password."""
    by = visit.actor()
    member = visit.house.register.state.people[by.person]
    cents = visit.house.cage.state.accounts.get(by.person)
    named = visit.house.people.get(by.person)
    context = {"member": member, "named": named, "account": cents}
    return visit.show("office/account.html", **context)


@post("/account/password", include_in_schema=False)
async def own_password(visit: TheVisit) -> Response[Any]:
    """Changed by whoever knows the old one; all other sessions end."""
    form = await visit.form()
    by = visit.actor()
    await visit.signin.change_password(
        by.person, form.get("old", ""), form.get("new", ""), visit.address
    )
    return Redirect("/sign-in", status_code=303)


# devices


@get("/house/devices", sync_to_thread=False, include_in_schema=False)
def devices(visit: TheVisit) -> Response[str]:
    """Card scanners, electronic shoes and displays."""
    return _devices(visit)


def _devices(visit: Visit, token: str = "") -> Response[str]:
    visit.check(MANAGEMENT, "devices")
    listed = visit.house.people.devices()
    tables = sorted(visit.house.tables)
    return visit.show("office/devices.html", devices=listed, tables=tables, token=token)


class NewDevice(Struct, frozen=True):
    scope: Literal["draw", "watch"]
    table: Annotated[str, Meta(min_length=1, max_length=64)]


@post("/house/devices", include_in_schema=False)
async def new_device(visit: TheVisit) -> Response[str]:
    """A token that may only draw cards, or only watch; shown once."""
    form = await visit.form()
    by = visit.actor()
    check_role(by, MANAGEMENT, "devices")
    asked = msgspec.convert(form, NewDevice)
    name = visit.table(asked.table).name
    token = await visit.signin.issue_device(by.person, asked.scope, name)
    return _devices(visit, token)


@post("/house/devices/{device:str}/end", include_in_schema=False)
async def end_device(visit: TheVisit, device: Short) -> Response[Any]:
    by = visit.actor()
    check_role(by, MANAGEMENT, "devices")
    await visit.signin.end_device(device[:64], by.person)
    return Redirect("/house/devices", status_code=303)


HANDLERS = (
    people, enrol, person_page, rename, slip, fresh_password, unlock, erase,
    account, own_password, devices, new_device, end_device,
)  # fmt: skip
