"""Names, secrets and devices as data: what the back office does, for programs."""

from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from puntobanco.house.access.people import Person
from puntobanco.house.access.sign_in import SHOWN
from puntobanco.server.commands.api import check_one_id
from puntobanco.server.gateway import Office, TheCaller, TheOffice
from puntobanco.server.page_access import MANAGEMENT, check_role
from puntobanco.server.pages.office.people import check_gone, check_other, check_patron, sees_to
from puntobanco.table.commands import Name, Note

Who = Annotated[str, PathParameter(max_length=64, pattern=r"^[A-Za-z0-9_.@+-]+$")]
Device = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{12}$", max_length=12)]


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    contact: Note = ""


class Known(Struct, frozen=True):
    """What a house knows of a person and may forget again."""

    person: str
    name: str
    contact: str


class Secret(Struct, frozen=True):
    """Shown once; what was good before is void."""

    secret: str


class NewDevice(Struct, frozen=True, forbid_unknown_fields=True):
    table: Annotated[str, Meta(min_length=1, max_length=64)]
    may: Literal["draw", "watch"]


class DeviceListed(Struct, frozen=True):
    device: str
    table: str
    may: str
    by: str
    since_ms: int
    seen_ms: int


def _known(office: Office, person: str) -> Known:
    found = office.house.people.get(person)
    return Known(found.person, found.name, found.contact)


@get("/people/{person:str}", operation_id="person", sync_to_thread=False)
def person_known(person: Who, office: TheOffice, caller: TheCaller) -> Known:
    """How a person is called and reached: for those who see to them."""
    sees_to(office, caller, person)
    return _known(office, person)


@post("/people/{person:str}/name", operation_id="person-name", status_code=200)
async def name_person(
    person: Who, data: JSONBody[Named], office: TheOffice, caller: TheCaller
) -> Known:
    """Write a name down, or correct it."""
    sees_to(office, caller, person)
    office.house.people.put(Person(person, data.name, data.contact))
    return _known(office, person)


@post("/people/{person:str}/pin", operation_id="person-pin", status_code=200)
async def fresh_pin(person: Who, office: TheOffice, caller: TheCaller) -> Secret:
    """A fresh PIN for a patron."""
    by = sees_to(office, caller, person)
    check_patron(office, person)
    return Secret(await office.signin.issue_pin(person, by.person))


@post("/people/{person:str}/card", operation_id="person-card", status_code=200)
async def fresh_card(person: Who, office: TheOffice, caller: TheCaller) -> Secret:
    """A fresh code for a patron's slip, which a QR code carries: the id, a dot, the secret."""
    by = sees_to(office, caller, person)
    check_patron(office, person)
    return Secret(await office.signin.issue_card(person, by.person))


@post("/people/{person:str}/password", operation_id="person-password", status_code=200)
async def fresh_password(person: Who, office: TheOffice, caller: TheCaller) -> Secret:
    """A fresh password for a member of staff."""
    by = sees_to(office, caller, person)
    check_role(by, MANAGEMENT, "password")
    check_other(by, person)
    return Secret(await office.signin.issue_password(person, by.person))


@post("/people/{person:str}/unlock", operation_id="person-unlock", status_code=200)
async def unlock(person: Who, office: TheOffice, caller: TheCaller) -> Known:
    """After ten failures, by management and never by oneself."""
    sees_to(office, caller, person)
    await office.signin.unlock(person, office.actor(caller))
    return _known(office, person)


@post("/people/{person:str}/erase", operation_id="person-erase", status_code=200)
async def erase(person: Who, office: TheOffice, caller: TheCaller) -> Known:
    """Name, contact and credentials go for good; what the id did stays on record."""
    by = sees_to(office, caller, person)
    check_role(by, MANAGEMENT, "erase")
    check_gone(office, person)
    await office.signin.erase(person, by.person)
    return _known(office, person)


def _listed(office: Office) -> list[DeviceListed]:
    return [
        DeviceListed(one.token[:SHOWN], one.place, one.scope, one.person, one.began_ms, one.seen_ms)
        for one in office.house.people.devices()
    ]


@get("/devices", operation_id="devices", sync_to_thread=False)
def devices(office: TheOffice, caller: TheCaller) -> list[DeviceListed]:
    """Scanners, shoes and displays that have a token."""
    check_role(office.actor(caller), MANAGEMENT, "devices")
    return _listed(office)


@post("/devices", operation_id="device-new", status_code=200)
async def new_device(data: JSONBody[NewDevice], office: TheOffice, caller: TheCaller) -> Secret:
    """A token that may only draw cards at one table, or only watch it."""
    by = office.actor(caller)
    check_role(by, MANAGEMENT, "devices")
    name = office.table(data.table).name
    return Secret(await office.signin.issue_device(by.person, data.may, name))


@post("/devices/{device:str}/end", operation_id="device-end", status_code=200)
async def end_device(device: Device, office: TheOffice, caller: TheCaller) -> list[DeviceListed]:
    """A device's token is good for nothing from now on; those that remain."""
    by = office.actor(caller)
    check_role(by, MANAGEMENT, "devices")
    await office.signin.end_device(device, by.person)
    return _listed(office)


HANDLERS = (
    Router(
        "/api",
        route_handlers=[
            *(person_known, name_person, fresh_pin, fresh_card, fresh_password, unlock, erase),
            *(devices, new_device, end_device),
        ],
        before_request=check_one_id,
        tags=["people"],
    ),
)
