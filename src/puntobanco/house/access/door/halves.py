"""A password in two halves: where two people are wanted, neither of the two who give somebody a
fresh one can sign in with it.

The first half is worked out from the house's key and from who asked for whom and when, so that it
is kept nowhere; that it was asked for is a credential like any other, on record by its digest.
"""

import hmac
from typing import Literal

from msgspec import Struct

from puntobanco.house.access.door.secrets import HASHER, LETTERS, in_thread, passphrase
from puntobanco.house.access.issuing import issue
from puntobanco.house.access.people import ONCE, Credential
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.house import House
from puntobanco.journal.mac import derived
from puntobanco.table.actor import Actor
from puntobanco.table.proposals import check_both_before

HALF = "half"
USE = "puntobanco-first-half-1"
GROUPS, OF_LETTERS = 3, 4
"""Groups of letters in a half: 59 bits, which whoever has the other half will not guess."""
GOOD_MS = 86_400_000
"""For so long a first half waits for the second."""


class FreshPassword(Struct, frozen=True):
    """A fresh password, or one's half of it; shown once."""

    secret: str
    half: Literal["", "first", "second"] = ""


def takes_two(house: House, person: str) -> bool:
    """Whether somebody has a role or had one, in a house where it takes two: with their password
    one manager would be two people, and one alone takes roles away.
    """
    book = house.register.state
    return book.settings.two_people.since_ms is not None and bool(book.people[person].roles)


def half_waiting(house: House, person: str) -> Credential | None:
    """The first half that waits for the second, for the password is still the one before; its
    secret says who has it.
    """
    held, password = (house.people.credential(person, kind) for kind in (HALF, "password"))
    if held is None or house.time.now_ms() > held.set_ms + GOOD_MS:
        return None
    return None if password is not None and password.set_ms > held.set_ms else held


async def give_half(signin: SignIn, by: Actor, person: str) -> FreshPassword:
    """The first half to whoever asks first, and the same again if they ask again; the second to
    another who was there before, and then the password is another.
    """
    house = signin.house
    held = half_waiting(house, person)
    if held is None:
        held = Credential(person, HALF, by.person, house.time.now_ms())
        await issue(house, (held,), by.person)
    first = _first(house, held)
    if held.secret == by.person:
        return FreshPassword(first, "first")
    check_both_before(held.secret, by)
    second = passphrase(house.chance, GROUPS)
    hashed = await in_thread(HASHER.hash, f"{first}-{second}")
    set_ms = max(house.time.now_ms(), held.set_ms + 1)  # so that the first half waits no more
    await issue(house, (Credential(person, "password", ONCE + hashed, set_ms),), by.person)
    house.people.end_sessions(person)
    return FreshPassword(second, "second")


def _first(house: House, held: Credential) -> str:
    said = f"{held.person} {held.secret} {held.set_ms}".encode()
    number = int.from_bytes(hmac.digest(derived(house.key, USE), said, "sha256"), "big")
    letters = ""
    for _ in range(GROUPS * OF_LETTERS):
        number, letter = divmod(number, len(LETTERS))
        letters += LETTERS[letter]
    return "-".join(letters[at : at + OF_LETTERS] for at in range(0, len(letters), OF_LETTERS))
