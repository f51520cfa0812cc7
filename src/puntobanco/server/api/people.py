"""Names, secrets and devices as data: what the back office does, for programs."""

from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from puntobanco.house.access import desk
from puntobanco.house.access.own_data import Books, PersonData, person_data
from puntobanco.house.access.people import Person
from puntobanco.house.access.rights import DESK, MANAGEMENT
from puntobanco.house.access.sign_in import SHOWN
from puntobanco.house.trust.erasing import kept_back
from puntobanco.server.commands.api import check_one_id, roles_first
from puntobanco.server.commands.faults import of_refusal
from puntobanco.server.pages.cage.till import book_of
from puntobanco.server.pages.office.person import people_book
from puntobanco.server.reader_threads import read
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.commands import Name, Note

Who = Annotated[str, PathParameter(max_length=64, pattern=r"^[A-Za-z0-9_.@+-]+$")]
Device = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{12}$", max_length=12)]


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    contact: Note = ""


class Known(Struct, frozen=True):
    """What a house knows of a person and may forget again."""

    person: str
    name: str
    contact: str


class Secret(Struct, frozen=True):
    """A fresh secret, shown once; the one before it is void."""

    secret: str
    half: Literal["", "first", "second"] = ""
    """Where it takes two people, one's half of a password; its owner signs in with both, a hyphen
    between them."""


class NewDevice(Struct, frozen=True, forbid_unknown_fields=True):
    table: Annotated[str, Meta(min_length=1, max_length=64)]
    may: Literal["draw", "watch"]


class NewStation(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    """What the station is called, such as "desk 2"."""


class DeviceListed(Struct, frozen=True):
    device: str
    table: str
    may: str
    by: str
    since_ms: int
    seen_ms: int


def _known(visit: Visit, person: str) -> Known:
    found = visit.house.people.get(person)
    return Known(found.person, found.name, found.contact)


@get("/people/{person:str}", operation_id="person", sync_to_thread=False)
def person_known(visit: TheVisit, person: Who) -> Known:
    """How a person is called and reached: for those who see to them."""
    found = desk.known(visit.house, visit.actor(), person)
    return Known(found.person, found.name, found.contact)


@post(
    "/people/{person:str}/name",
    operation_id="person-name",
    status_code=200,
    before_request=roles_first(DESK, "people"),
)
async def name_person(visit: TheVisit, person: Who, data: JSONBody[NewName]) -> Known:
    """Write a name down, or correct it."""
    desk.name_person(visit.house, visit.actor(), Person(person, data.name, data.contact))
    return _known(visit, person)


@post("/people/{person:str}/pin", operation_id="person-pin", status_code=200)
async def fresh_pin(visit: TheVisit, person: Who) -> Secret:
    """A fresh PIN for a patron, which works once; they then choose their own."""
    slip = await desk.issue_slip(visit.signin, visit.actor(), person, "pin")
    return Secret(slip["pin"])


@post("/people/{person:str}/card", operation_id="person-card", status_code=200)
async def fresh_card(visit: TheVisit, person: Who) -> Secret:
    """A fresh code for a patron's slip, which a QR code carries and which works once: the id, a
    dot, the secret.
    """
    slip = await desk.issue_slip(visit.signin, visit.actor(), person, "card")
    return Secret(slip["card"])


@post("/people/{person:str}/password", operation_id="person-password", status_code=200)
async def fresh_password(visit: TheVisit, person: Who) -> Secret:
    """A fresh password for a member of staff; where it takes two people, half of one for each."""
    given = await desk.issue_password(visit.signin, visit.actor(), person)
    return Secret(given.secret, given.half)


@post("/people/{person:str}/unlock", operation_id="person-unlock", status_code=200)
async def unlock(visit: TheVisit, person: Who) -> Known:
    """Let a person sign in again after ten failures; by management, and never oneself."""
    await desk.unlock(visit.signin, visit.actor(), person)
    return _known(visit, person)


@post("/people/{person:str}/second-reset", operation_id="person-second-reset", status_code=200)
async def take_second_away(visit: TheVisit, person: Who) -> Known:
    """Take a lost second factor away; by management, and never one's own."""
    await desk.reset_second(visit.signin, visit.actor(), person)
    return _known(visit, person)


@post("/people/{person:str}/erase", operation_id="person-erase", status_code=200)
async def erase(visit: TheVisit, person: Who) -> Known:
    """What is personal goes for good; what the id did stays on record. Refused while the house owes
    them something or must know them again.
    """
    await desk.erase(visit.signin, visit.actor(), person)
    return _known(visit, person)


class KeptBack(Struct, frozen=True):
    """One thing that must be done before somebody can be erased."""

    reason: str
    says: str


@get("/people/{person:str}/erase", operation_id="person-kept", sync_to_thread=False)
def person_kept(visit: TheVisit, person: Who) -> list[KeptBack]:
    """Why what is personal of somebody cannot be erased yet; nothing: it can."""
    visit.check(MANAGEMENT, "erase")
    currency = visit.house.register.state.currency
    found = kept_back(visit.house, person)
    return [KeptBack(one.reason, of_refusal(one, (), currency).says) for one in found]


def _listed(visit: Visit) -> list[DeviceListed]:
    return [
        DeviceListed(
            device.token[:SHOWN],
            device.place,
            device.scope,
            device.person,
            device.began_ms,
            device.seen_ms,
        )
        for device in desk.devices(visit.house, visit.actor())
    ]


@get("/devices", operation_id="devices", sync_to_thread=False)
def devices(visit: TheVisit) -> list[DeviceListed]:
    """Scanners, shoes and displays that have a token."""
    return _listed(visit)


@post(
    "/devices",
    operation_id="device-new",
    status_code=200,
    before_request=roles_first(MANAGEMENT, "devices"),
)
async def new_device(visit: TheVisit, data: JSONBody[NewDevice]) -> Secret:
    """A token that may only draw cards at one table, or only watch it."""
    by, table = visit.actor(), visit.table(data.table).name
    return Secret(await desk.issue_device(visit.signin, by, data.may, table))


@post(
    "/stations",
    operation_id="station-new",
    status_code=200,
    before_request=roles_first(MANAGEMENT, "devices"),
)
async def new_station(visit: TheVisit, data: JSONBody[NewStation]) -> Secret:
    """A token by which one browser is known, sent as its cookie `station`: strangers' guesses shut
    nobody out who signs in there.
    """
    return Secret(await desk.enrol_station(visit.signin, visit.actor(), data.name))


@post(
    "/devices/{device:str}/end",
    operation_id="device-end",
    status_code=200,
    before_request=roles_first(MANAGEMENT, "devices"),
)
async def end_device(visit: TheVisit, device: Device) -> list[DeviceListed]:
    """End a device's token; the answer lists the devices that remain."""
    await desk.end_device(visit.signin, visit.actor(), device)
    return _listed(visit)


async def _data(visit: Visit, person: str) -> PersonData:
    by, house = visit.actor(), visit.house
    books = Books(people_book(visit), book_of(visit), house.figures.reading())
    return await read(lambda: person_data(house, books, by, person))


@get("/me/data", operation_id="own-data")
async def own_data(visit: TheVisit) -> PersonData:
    """All that the house has of the caller, as one file; what others did stays theirs."""
    return await _data(visit, visit.actor().person)


@get("/people/{person:str}/data", operation_id="person-data")
async def data_of(visit: TheVisit, person: Who) -> PersonData:
    """The same of anybody, for management, who answer those that ask for it."""
    return await _data(visit, person)


HANDLERS = (
    Router(
        "/api",
        route_handlers=[
            *(person_known, name_person, fresh_pin, fresh_card, fresh_password, unlock, erase),
            person_kept,
            *(take_second_away, devices, new_device, new_station, end_device, own_data, data_of),
        ],
        before_request=check_one_id,
        tags=["people"],
    ),
)
