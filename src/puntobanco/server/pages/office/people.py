"""People on the web: names, roles, what they sign in with, slips, devices, one's own password."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.response import Redirect
from msgspec import Meta, Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.people import Credential, Person
from puntobanco.house.access.sign_in import Caller
from puntobanco.register import commands as register
from puntobanco.register.state import Member
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.gateway import Office, Short, TheCaller, TheOffice
from puntobanco.server.page_access import DESK, MANAGEMENT, WATCHES, check_role
from puntobanco.server.pages.journal.receipts import qr_code
from puntobanco.server.visit import address_of, command_id, form_of, show
from puntobanco.table.actor import Actor, Role
from puntobanco.table.commands import Name, Note
from puntobanco.table.commands import Person as PersonId

MOST_SHOWN = 500


def sees_to(office: Office, caller: Caller, person: str) -> Actor:
    """Staff are management's affair; patrons are the cage's too."""
    by = office.actor(caller)
    member = member_of(office, person)
    check_role(by, DESK if member.kind == "patron" else MANAGEMENT, "people")
    return by


def member_of(office: Office, person: str) -> Member:
    member = office.house.register.state.people.get(person)
    if member is None:
        raise Refused(Reason.NOT_ENROLLED, CONDITIONS, person=person[:64])
    return member


def check_patron(office: Office, person: str) -> None:
    """PINs are for patrons: staff sign in with a password."""
    if office.house.register.state.people[person].kind != "patron":
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command="slip", allowed=Role.PATRON)


def check_other(by: Actor, person: str) -> None:
    """One's own password is changed by whoever knows the one before."""
    if by.person == person:
        raise Refused(Reason.SAME_PERSON, CONDITIONS, person=person)


def check_gone(office: Office, person: str) -> None:
    """Whoever still belongs to the house keeps what they sign in with."""
    if office.house.register.state.people[person].enabled:
        raise Refused(Reason.STILL_ENABLED, CONDITIONS, person=person)


@get("/house/people", sync_to_thread=False, include_in_schema=False)
def people(
    request: Request[Any, Any, State], office: TheOffice, caller: TheCaller
) -> Response[str]:
    """Everybody who belongs to the house; staff first."""
    by = office.actor(caller)
    word = str(request.query_params.get("q", ""))[:40]
    members = found_people(office, caller, word)
    shown = members[:MOST_SHOWN]
    return show(
        request, caller, "office/people.html", people=shown, count=len(members), word=word,
        may=bool(by.roles & DESK), manages=bool(by.roles & MANAGEMENT),
    )  # fmt: skip


def found_people(office: Office, caller: Caller, word: str) -> list[tuple[str, str, Member]]:
    """Id, name and standing of everybody whose id or name has the word in it."""
    check_role(office.actor(caller), WATCHES, "people")
    wanted, names = word.lower(), office.house.people.all()
    members = [
        (person, names.get(person, Person(person)).name, member)
        for person, member in office.house.register.state.people.items()
    ]
    found = [one for one in members if wanted in one[0].lower() or wanted in one[1].lower()]
    return sorted(found, key=lambda one: (one[2].bot is not None, one[2].kind != "staff", one[0]))


class Enrolment(Struct, frozen=True):
    person: PersonId
    kind: register.Kind
    name: Name
    contact: Note = ""


@post("/house/people", include_in_schema=False)
async def enrol(
    request: Request[Any, Any, State], office: TheOffice, caller: TheCaller
) -> Response[Any]:
    """A new member of staff or a new patron; their name stands where it can be erased."""
    form = await form_of(request)
    given = command_id(form, office)
    asked = msgspec.convert(form, Enrolment)
    await office.give(caller, "register", register.Enrol(asked.person, asked.kind), given)
    office.house.people.put(Person(asked.person, asked.name, asked.contact))
    return Redirect(f"/house/people/{asked.person}", status_code=303)


@get("/house/people/{person:str}", sync_to_thread=False, include_in_schema=False)
def person_page(
    request: Request[Any, Any, State], person: Short, office: TheOffice, caller: TheCaller
) -> Response[str]:
    by = office.actor(caller)
    check_role(by, WATCHES, "people")
    return _person(request, office, caller, person)


def _person(
    request: Request[Any, Any, State], office: Office, caller: Caller, person: str, **new: object
) -> Response[str]:
    by = office.actor(caller)
    member = member_of(office, person)
    context: dict[str, object] = {
        "someone": person, "member": member, "named": office.house.people.get(person),
        "held": credentials_of(office, person),
        "account": office.house.cage.state.accounts.get(person),
        "manages": bool(by.roles & MANAGEMENT), "own": person == caller.person,
        "may": bool(by.roles & (DESK if member.kind == "patron" else MANAGEMENT)),
        "tables": sorted(office.house.tables), "grantable": GRANTABLE,
    }  # fmt: skip
    shown: dict[str, object] = {"pin": "", "card": "", "qr": "", "password": "", "base": ""}
    return show(request, caller, "office/person.html", **context, **(shown | new))


def credentials_of(office: Office, person: str) -> dict[str, Credential]:
    """What somebody signs in with, by kind."""
    kinds = ("password", "pin", "card")
    held = {kind: office.house.people.credential(person, kind) for kind in kinds}
    return {kind: credential for kind, credential in held.items() if credential}


def house_address(request: Request[Any, Any, State]) -> str:
    """Where this house is found, as whoever asks has it."""
    base = str(request.base_url).rstrip("/")
    return base.replace("http:", "https:", 1) if request.app.state.secure else base


GRANTABLE = tuple(sorted(set(Role) - {Role.PATRON, Role.HOUSE}))


@post("/house/people/{person:str}/name", include_in_schema=False)
async def rename(
    request: Request[Any, Any, State], person: Short, office: TheOffice, caller: TheCaller
) -> Response[Any]:
    form = await form_of(request)
    sees_to(office, caller, person)
    named = Person(
        person,
        msgspec.convert(form.get("name", ""), Name),
        msgspec.convert(form.get("contact", ""), Note),
    )
    office.house.people.put(named)
    return Redirect(f"/house/people/{person}", status_code=303)


@post("/house/people/{person:str}/slip", include_in_schema=False)
async def slip(
    request: Request[Any, Any, State], person: Short, office: TheOffice, caller: TheCaller
) -> Response[str]:
    """A fresh PIN and QR code on a slip to print; shown once, and the ones before are void."""
    by = sees_to(office, caller, person)
    check_patron(office, person)
    pin = await office.signin.issue_pin(person, by.person)
    card = await office.signin.issue_card(person, by.person)
    base = house_address(request)
    return _person(
        request,
        office,
        caller,
        person,
        pin=pin,
        card=card,
        base=base,
        qr=qr_code(f"{base}/sign-in#{card}".encode()),
    )


@post("/house/people/{person:str}/password", include_in_schema=False)
async def fresh_password(
    request: Request[Any, Any, State], person: Short, office: TheOffice, caller: TheCaller
) -> Response[str]:
    """A fresh password for a member of staff, shown once; whoever gets it changes it."""
    by = sees_to(office, caller, person)
    check_role(by, MANAGEMENT, "password")
    check_other(by, person)
    password = await office.signin.issue_password(person, by.person)
    return _person(request, office, caller, person, password=password)


@post("/house/people/{person:str}/unlock", include_in_schema=False)
async def unlock(person: Short, office: TheOffice, caller: TheCaller) -> Response[Any]:
    """After ten failures, by management and never by oneself."""
    await office.signin.unlock(person, office.actor(caller))
    return Redirect(f"/house/people/{person}", status_code=303)


@post("/house/people/{person:str}/erase", include_in_schema=False)
async def erase(
    request: Request[Any, Any, State], person: Short, office: TheOffice, caller: TheCaller
) -> Response[Any]:
    """Name, contact and credentials go for good; what the id did stays on record."""
    form = await form_of(request)
    by = sees_to(office, caller, person)
    check_role(by, MANAGEMENT, "erase")
    if form.get("sure") != person:
        raise Refused(Reason.NOT_SURE, CONDITIONS, person=person)
    check_gone(office, person)
    await office.signin.erase(person, by.person)
    return Redirect("/house/people", status_code=303)


# one's own


@get("/account", sync_to_thread=False, include_in_schema=False)
def account(
    request: Request[Any, Any, State], office: TheOffice, caller: TheCaller
) -> Response[str]:
    """What one is in this house, and one's own password."""
    by = office.actor(caller)
    member = office.house.register.state.people[by.person]
    cents = office.house.cage.state.accounts.get(by.person)
    named = office.house.people.get(by.person)
    context = {"member": member, "named": named, "account": cents}
    return show(request, caller, "office/account.html", **context)


@post("/account/password", include_in_schema=False)
async def own_password(
    request: Request[Any, Any, State], office: TheOffice, caller: TheCaller
) -> Response[Any]:
    """Changed by whoever knows the old one; all other sessions end."""
    form = await form_of(request)
    by = office.actor(caller)
    await office.signin.change_password(
        by.person, form.get("old", ""), form.get("new", ""), address_of(request)
    )
    return Redirect("/sign-in", status_code=303)


# devices


@get("/house/devices", sync_to_thread=False, include_in_schema=False)
def devices(
    request: Request[Any, Any, State], office: TheOffice, caller: TheCaller
) -> Response[str]:
    """Card scanners, electronic shoes and displays."""
    return _devices(request, office, caller)


def _devices(
    request: Request[Any, Any, State], office: Office, caller: Caller, token: str = ""
) -> Response[str]:
    check_role(office.actor(caller), MANAGEMENT, "devices")
    listed = office.house.people.devices()
    tables = sorted(office.house.tables)
    return show(request, caller, "office/devices.html", devices=listed, tables=tables, token=token)


class NewDevice(Struct, frozen=True):
    scope: Literal["draw", "watch"]
    table: Annotated[str, Meta(min_length=1, max_length=64)]


@post("/house/devices", include_in_schema=False)
async def new_device(
    request: Request[Any, Any, State], office: TheOffice, caller: TheCaller
) -> Response[str]:
    """A token that may only draw cards, or only watch; shown once."""
    form = await form_of(request)
    by = office.actor(caller)
    check_role(by, MANAGEMENT, "devices")
    asked = msgspec.convert(form, NewDevice)
    name = office.table(asked.table).name
    token = await office.signin.issue_device(by.person, asked.scope, name)
    return _devices(request, office, caller, token)


@post("/house/devices/{device:str}/end", include_in_schema=False)
async def end_device(device: Short, office: TheOffice, caller: TheCaller) -> Response[Any]:
    by = office.actor(caller)
    check_role(by, MANAGEMENT, "devices")
    await office.signin.end_device(device[:64], by.person)
    return Redirect("/house/devices", status_code=303)


HANDLERS = (
    people, enrol, person_page, rename, slip, fresh_password, unlock, erase,
    account, own_password, devices, new_device, end_device,
)  # fmt: skip
