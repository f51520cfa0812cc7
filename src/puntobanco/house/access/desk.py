"""What the house does for people at the desk: names, PINs, cards, passwords, devices.

Each act checks who asks for it, so that a page and a program are refused alike.
"""

from collections.abc import Iterable
from typing import NamedTuple
from unicodedata import normalize

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.halves import FreshPassword, give_half, takes_two
from puntobanco.house.access.door.secrets import Kind
from puntobanco.house.access.names import called_erased, fit_name
from puntobanco.house.access.people import Credential, Person, WebSession
from puntobanco.house.access.rights import (
    DESK,
    MANAGEMENT,
    WATCHES,
    WORKS_HERE,
    check_house_role,
    check_other,
    check_patron,
    check_sees_to,
    member_of,
)
from puntobanco.house.access.sign_in import Caller, Scope, SignIn
from puntobanco.house.house import House
from puntobanco.house.trust.erasing import kept_back
from puntobanco.journal.verify import REGISTER
from puntobanco.register import commands as register
from puntobanco.register.state import Member
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor

MOST_ALIAS = 20
"""The most characters of an alias: it stands at a seat."""
KINDS: tuple[Kind, ...] = ("password", "pin", "card")


class Enrolled(NamedTuple):
    """Somebody who belongs to the house, with the name it may forget again."""

    person: str
    name: str
    member: Member


def enrolled(house: House, by: Actor, word: str) -> list[Enrolled]:
    """Everybody whose id or name has the word in it: staff first, bots last."""
    check_house_role(by, WATCHES, "people")
    wanted, names = word.lower(), {**_erased(house), **house.people.all()}
    everybody = [
        Enrolled(person, names.get(person, Person(person)).name, member)
        for person, member in house.register.state.people.items()
    ]
    found = [one for one in everybody if wanted in one.person.lower() or wanted in one.name.lower()]
    return sorted(found, key=_staff_first)


def _staff_first(one: Enrolled) -> tuple[bool, bool, str]:
    return one.member.bot is not None, one.member.kind != "staff", one.person


def credentials_of(house: House, by: Actor, person: str) -> dict[Kind, Credential]:
    """What somebody signs in with, by kind; never the secret itself, which nobody knows."""
    check_house_role(by, WATCHES, "people")
    member_of(house.register.state, person)
    held = {kind: house.people.credential(person, kind) for kind in KINDS}
    return {kind: credential for kind, credential in held.items() if credential}


def has_failed(signin: SignIn, by: Actor, person: str) -> bool:
    """Whether wrong tries are counted at a name, so that unlocking it would change anything."""
    held = credentials_of(signin.house, by, person).values()
    by_secret = any(one.failures for one in held) or signin.second.wrong(person)
    return bool(by_secret) or signin.throttle.counts(person)


def known(house: House, by: Actor, person: str) -> Person:
    """How a person is called and reached: for those who see to them."""
    check_sees_to(house.register.state, by, person)
    return house.people.get(person)


def named_to(house: House, by: Actor, people: Iterable[str]) -> dict[str, Person]:
    """How people are called, for staff, bots by their aliases; how they are reached, only for those
    who see to them.
    """
    if not by.roles & WORKS_HERE:
        return {}
    names, sees_to = house.people.all(), bool(by.roles & DESK)
    aliases, members = house.people.aliases(), house.register.state.people
    bots = {who for who in aliases if who in members and members[who].bot is not None}
    names = {**_erased(house), **{bot: Person(bot, aliases[bot]) for bot in bots}, **names}
    found = {person: names.get(person, Person(person)) for person in people}
    return {
        person: named if sees_to else replace(named, contact="") for person, named in found.items()
    }


def _erased(house: House) -> dict[str, Person]:
    """What those are called whose names were erased."""
    people = house.register.state.people
    gone = house.people.erased() & people.keys()
    return {person: Person(person, called_erased(house, person)) for person in gone}


def name_person(house: House, by: Actor, named: Person) -> None:
    """Write a name down, or correct it."""
    check_sees_to(house.register.state, by, named.person)
    house.people.put(replace(named, name=fit_name(named.name)))


def take_alias(house: House, by: Actor, alias: str) -> None:
    """What a patron wants to be called at tables, by everybody there; empty: by the seat's number.

    It is theirs to choose and to take back, and nobody else's at the same time.
    """
    check_patron(member_of(house.register.state, by.person))
    house.people.put_alias(by.person, fit_alias(house, by.person, alias))


def fit_alias(house: House, person: str, alias: str) -> str:
    """An alias as it is written down, if it is fit and nobody else's."""
    alias = fit_name(normalize("NFKC", alias))
    if len(alias) > MOST_ALIAS or not alias.isprintable():
        raise Refused(Reason.ALIAS_UNFIT, CONDITIONS, most=MOST_ALIAS)
    others = {one.casefold() for who, one in house.people.aliases().items() if who != person}
    if alias and alias.casefold() in others:
        raise Refused(Reason.ALIAS_TAKEN, CONDITIONS, alias=alias)
    return alias


async def issue_slip(signin: SignIn, by: Actor, person: str, *kinds: Kind) -> dict[Kind, str]:
    """A fresh PIN, a fresh code (the id, a dot, the secret) or both for a patron: they work once,
    and the ones before are void.
    """
    check_patron(check_sees_to(signin.house.register.state, by, person))
    return await signin.issue_slip(person, by.person, *kinds)


async def choose_pin(signin: SignIn, caller: Caller, old: str, new: str, address: str) -> None:
    """A patron's own PIN, chosen by themselves."""
    check_patron(member_of(signin.house.register.state, caller.person))
    await signin.choose_pin(caller, old, new, address)


async def issue_password(signin: SignIn, by: Actor, person: str) -> FreshPassword:
    """A fresh password for a member of staff, by management and never for oneself, with which they
    choose their own; where it takes two people, each of two managers is given one half.
    """
    check_sees_to(signin.house.register.state, by, person)
    check_house_role(by, MANAGEMENT, "password")
    check_other(by, person)
    if takes_two(signin.house, person):
        return await give_half(signin, by, person)
    return FreshPassword(await signin.issue_first(person, by.person))


async def unlock(signin: SignIn, by: Actor, person: str) -> None:
    """After ten failures, by management and never by oneself."""
    check_sees_to(signin.house.register.state, by, person)
    await signin.unlock(person, by)


async def reset_second(signin: SignIn, by: Actor, person: str) -> None:
    """For somebody who has lost their second factor; by management and never for oneself."""
    check_sees_to(signin.house.register.state, by, person)
    check_house_role(by, MANAGEMENT, "second-factor")
    check_other(by, person)
    await signin.second.reset(person, by.person)


async def erase(signin: SignIn, by: Actor, person: str) -> None:
    """Name, contact and all else that is personal go for good; what the id did stays on record.
    Where the house has two founders it is a proposal, and goes when another agrees to it.
    """
    house = signin.house
    check_sees_to(house.register.state, by, person)
    check_house_role(by, MANAGEMENT, "erase")
    for still in kept_back(house, person):
        raise still
    await house.give(REGISTER, register.Erase(person), by.person, house.own_id("erase"))


def devices(house: House, by: Actor) -> list[WebSession]:
    """Scanners, shoes and displays that have a token."""
    check_house_role(by, MANAGEMENT, "devices")
    return house.people.devices()


async def issue_device(signin: SignIn, by: Actor, scope: Scope, table: str) -> str:
    """A token that may only draw cards at one table, or only watch it; shown once."""
    check_house_role(by, MANAGEMENT, "devices")
    return await signin.issue_device(by.person, scope, table)


async def enrol_station(signin: SignIn, by: Actor, name: str) -> str:
    """A token by which one browser is known: whoever signs in there is no stranger."""
    check_house_role(by, MANAGEMENT, "devices")
    return await signin.enrol_station(by.person, name)


async def end_device(signin: SignIn, by: Actor, device: str) -> None:
    """A device's token is good for nothing from now on."""
    check_house_role(by, MANAGEMENT, "devices")
    await signin.end_device(device, by.person)
