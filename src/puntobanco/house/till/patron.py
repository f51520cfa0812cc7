"""A patron as the cage knows them: found by name, number or code, with what they hold where."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from puntobanco.cage import decide as cage_decide
from puntobanco.cage import events as e
from puntobanco.cage.view import KEEPERS
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.names import person_called
from puntobanco.house.access.people import Person
from puntobanco.house.access.rights import check_house_role, member_of
from puntobanco.house.house import House
from puntobanco.house.serving import check_served
from puntobanco.house.till.book import CageBook
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor

CODE = re.compile(r"(?:.*#)?([^#]+)\.[0-9a-f]{48}")
"""What the code on a slip carries: an address, the id, and the secret that nobody here needs."""
DAY_MS = 24 * 60 * 60 * 1000
MOST_FOUND = 40


class Patron(Struct, frozen=True):
    """One line of a list of patrons."""

    person: str
    name: str
    enabled: bool
    cents: int | None
    """What the account has; None: there is none."""
    table: str = ""
    """Where they are, at which box; empty: at no table."""
    box: int = 0


class PatronAtCage(Struct, frozen=True):
    """All that a cashier looks at before money changes hands."""

    patron: Patron
    contact: str
    chips: dict[str, int]
    """Their chips at each table, in cents."""
    in_cents: int
    """Paid in over the last 24 hours."""
    out_cents: int

    @property
    def chips_cents(self) -> int:
        return sum(self.chips.values())


def whose_code(text: str) -> str:
    """The id that a scanned code names; anything else is what it is.

    >>> whose_code("https://house.example/sign-in#ann." + "0f" * 24)
    'ann'
    >>> whose_code(" ann ")
    'ann'
    """
    found = CODE.fullmatch(text.strip())
    return unquote(found[1]) if found else text.strip()


def places_taken(house: House) -> dict[str, tuple[str, int]]:
    """Who is at which table, and at which box."""
    return {
        person: (name, place.box)
        for name, stream in house.tables.items()
        for person, place in stream.state.places.items()
    }


def duties_taken(house: House) -> dict[str, str]:
    """Who is on duty at which table."""
    return {
        duty.person: name for name, stream in house.tables.items() for duty in stream.state.staff
    }


def patrons(house: House, by: Actor, word: str = "") -> list[Patron]:
    """Patrons whose id or name has the word in it, the nearest first: those who are called so,
    those at tables, those with an account.
    """
    check_house_role(by, KEEPERS, "cage")
    wanted = whose_code(word).casefold()
    names, places = house.people.all(), places_taken(house)
    found = [
        _patron(house, person, names.get(person, Person(person)), places)
        for person in _enrolled_patrons(house)
        if wanted in person.casefold() or wanted in names.get(person, Person("")).name.casefold()
    ]
    return sorted(found, key=lambda one: _nearness(one, wanted))


def _enrolled_patrons(house: House) -> Iterator[str]:
    return (
        person
        for person, member in house.register.state.people.items()
        if member.kind == "patron" and member.bot is None
    )


def _nearness(one: Patron, wanted: str) -> tuple[bool, bool, bool, bool, str]:
    called = one.person.casefold(), one.name.casefold()
    return (
        wanted not in called,
        not any(name.startswith(wanted) for name in called),
        not one.table,
        one.cents is None,
        one.name.casefold() or one.person,
    )


def _patron(house: House, person: str, named: Person, places: dict[str, tuple[str, int]]) -> Patron:
    table, box = places.get(person, ("", 0))
    member = house.register.state.people[person]
    cents = house.cage.state.accounts.get(person)
    called = named.name or person_called(house, person)
    return Patron(person, called, member.enabled, cents, table, box)


def patron_at_cage(house: House, book: CageBook, by: Actor, person: str) -> PatronAtCage:
    """A patron; refused for whoever is none, for nobody else has an account."""
    check_house_role(by, KEEPERS, "cage")
    if member_of(house.register.state, person).kind != "patron":
        raise Refused(Reason.NOT_A_PATRON, CONDITIONS, person=person)
    book.catch_up()
    named = house.people.get(person)
    chips = {
        name: stream.state.chips[person]
        for name, stream in house.tables.items()
        if stream.state.chips.get(person) and not stream.state.plays_for_chips
    }
    moved = [
        line
        for line in book.since(person, house.time.now_ms() - DAY_MS)
        if line.kind in OVER_THE_COUNTER
    ]
    paid_in = sum(line.cents for line in moved if line.cents > 0)
    paid_out = -sum(line.cents for line in moved if line.cents < 0)
    listed = _patron(house, person, named, places_taken(house))
    return PatronAtCage(listed, named.contact, chips, paid_in, paid_out)


OVER_THE_COUNTER = frozenset(
    str(kind.__struct_config__.tag) for kind in (e.MoneyDeposited, e.MoneyWithdrawn)
)


def foresee_at_cage(house: House, ask: Any, by: Actor) -> None:
    """Refuse what the cage would refuse, before anything is put on record."""
    check_served(ask, house.register.state, house.tables, by)
    cage_decide.decide(house.cage.state, ask, by)
