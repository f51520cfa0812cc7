"""`puntobanco password`, `founder` and `erase`: what whoever has the machine and the key can do."""

import asyncio
from pathlib import Path

from puntobanco.cli.keys import house_under, named_key
from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.house import House
from puntobanco.house.trust.erasing import erase_all
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import journal_at
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register import commands as register


def password(person: str, *, house: str, secret: Path | None = None) -> int:
    """A fresh password for a member of staff, shown once; for when nobody can sign in any more.

    Parameters
    ----------
    person
        Whose password is replaced; failed sign-ins are forgiven too.
    house
        The house: an SQLite file, while it is not in use, or the URL of a PostgreSQL database.
    secret
        The file with the house's key; by default where `serve` has made it.
    """
    return asyncio.run(_password(person, house, named_key(house, secret)))


async def _password(person: str, where: str, secret: Path) -> int:
    async with journal_at(where) as log:
        house = await _unused(log, where, secret)
        member = house.register.state.people.get(person)
        if member is None or member.kind != "staff":
            raise MalformedError(f"{person}: no member of staff of this house")
        print(await SignIn(house).issue_password(person, "the machine"))
        await house.record_root()
    return 0


def founder(person: str, *, house: str, secret: Path | None = None) -> int:
    """Name one more founder, with a fresh password: for when too few are left who could agree to
    anything, or for a house that was founded by one. It is on record, and management sees it.

    Parameters
    ----------
    person
        The id of a member of staff, or of somebody new.
    house
        The house: an SQLite file, while it is not in use, or the URL of a PostgreSQL database.
    secret
        The file with the house's key; by default where `serve` has made it.
    """
    return asyncio.run(_founder(person, house, named_key(house, secret)))


async def _founder(person: str, where: str, secret: Path) -> int:
    async with journal_at(where) as log:
        house = await _unused(log, where, secret)
        ask = register.NameFounder(person)
        await house.give(REGISTER, ask, HOUSE, house.own_id("founder"))
        print(await SignIn(house).issue_password(person, "the machine"))
        await house.record_root()
    return 0


def erase(person: str, *, house: str, secret: Path | None = None) -> int:
    """Erase what is personal of somebody who was shut out: for whoever asks for it when the house
    does not run. It is on record; what the id did stays, and verifies.

    Parameters
    ----------
    person
        The id of a patron or a member of staff.
    house
        The house: an SQLite file, while it is not in use, or the URL of a PostgreSQL database.
    secret
        The file with the house's key; by default where `serve` has made it.
    """
    return asyncio.run(_erase(person, house, named_key(house, secret)))


async def _erase(person: str, where: str, secret: Path) -> int:
    async with journal_at(where) as log:
        house = await _unused(log, where, secret)
        await erase_all(house, person, "the machine")
        await house.record_root()
    print(f"{person}: what was personal is erased; what the id did stays on record")
    return 0


async def _unused(log: EventLog, where: str, secret: Path) -> House:
    """A house that nobody runs, to be put right from the machine."""
    if not await log.hold([HOUSE]) and not log.shared:
        raise UnusableError(f"{where}: the house is in use; shut it first")
    house = house_under(secret, log)
    house.roots.check()
    return house
