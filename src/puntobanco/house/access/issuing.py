"""Credentials issued, used up and erased: each change is a row with the digests before and after.

What a row says is made in the moment it is recorded, so that of two who change the same one, or use
the same slip, in two processes, one comes second and sees what the first has done.
"""

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import astuple, replace

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.people import (
    ERASE,
    ONCE,
    PUT_CREDENTIAL,
    PUT_ERASED,
    USED,
    Credential,
)
from puntobanco.house.notes import CredentialIssued, PersonErased
from puntobanco.journal.log import Statement
from puntobanco.rules.documents.ruleset import CONDITIONS

if TYPE_CHECKING:
    from puntobanco.house.house import House

ON_SLIPS = ("pin", "card")
ISSUED = "credential-issued"
Notes = tuple[tuple[Struct, ...], tuple[Statement, ...]]
"""Events of the house, and what they change in the erasable tables."""


async def issue(
    house: "House", credentials: tuple[Credential, ...], by: str, *also: Struct
) -> None:
    """Replace credentials, and record that they were issued, and what it was for, in one append."""

    def issued() -> Notes:
        events, statements = _changed(house, credentials, by)
        return (*events, *also), statements

    await house.note_as_is(ISSUED, issued)


async def take_away(house: "House", gone: tuple[Credential, ...], by: str) -> None:
    """Credentials that are good for nothing from now on, whoever has them."""
    await house.note_as_is(ISSUED, lambda: _changed(house, gone, by, used=True))


async def use_slip(house: "House", held: Credential) -> None:
    """A slip is used up, by whichever of its secrets; refused if somebody was faster."""

    def used() -> Notes:
        now = house.people.credential(held.person, held.kind)
        if now is None or now.secret != held.secret:
            raise Refused(Reason.SLIP_USED, CONDITIONS)
        on_it = (house.people.credential(held.person, kind) for kind in ON_SLIPS)
        gone = tuple(_used_up(one) for one in on_it if one is not None and one.is_once)
        return _changed(house, gone, held.person, used=True)

    await house.note_as_is(ISSUED, used)


async def use_one(house: "House", held: Credential, left: Credential, by: str = "") -> None:
    """Of several codes one is used up, or a passkey was copied; refused if somebody was faster."""

    def used() -> Notes:
        now = house.people.credential(held.person, held.kind)
        if now is None or now.secret != held.secret:
            raise Refused(Reason.SIGN_IN_FAILED, CONDITIONS)
        return _changed(house, (left,), by or held.person, used=True)

    await house.note_as_is(ISSUED, used)


def _used_up(one: Credential) -> Credential:
    return replace(one, secret=USED + one.secret.removeprefix(ONCE), failures=0, failed_ms=0)


def _changed(
    house: "House", credentials: tuple[Credential, ...], by: str, *, used: bool = False
) -> Notes:
    events = tuple(
        CredentialIssued(
            one.person,
            one.kind,
            by,
            house.kept.credential(one.person, one.kind, one.secret, one.set_ms),
            _digest(house, one.person, one.kind),
            used,
        )
        for one in credentials
    )
    return events, tuple((PUT_CREDENTIAL, astuple(one)) for one in credentials)


async def erase_person(house: "House", person: str, by: str) -> None:
    """Erase a person's name, contact and credentials, and record it; the id stays."""

    def erased() -> Notes:
        gone = tuple(_digest(house, person, kind) for kind in house.people.credentials(person))
        statements = tuple((statement, (person,)) for statement in ERASE)
        marked = (PUT_ERASED, (person, house.time.now_ms()))
        return (PersonErased(person, by, gone),), (*statements, marked)

    await house.note_as_is("person-erased", erased)
    house.people.wipe()


def _digest(house: "House", person: str, kind: str) -> str:
    held = house.people.credential(person, kind)
    return house.kept.credential(person, kind, held.secret, held.set_ms) if held else ""
