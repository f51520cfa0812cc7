"""`puntobanco serve --new-key`: another key for a house, by the word of two people.

For when the key is lost, or may have been seen. Both give their passwords at the machine, and both
names are on record with the fingerprint; the house's rows up to then stay as they are.
"""

from collections.abc import Callable
from getpass import getpass
from pathlib import Path

from puntobanco.cli.keys import made_key, root_beside
from puntobanco.errors import UnusableError
from puntobanco.house.access.door.secrets import is_password_of
from puntobanco.house.access.people import People
from puntobanco.house.house import House
from puntobanco.house.system import CHANCE, CLOCK
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import RowMac
from puntobanco.journal.receipt import public_key
from puntobanco.journal.shown_keys import fingerprint_of
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register.commands import ShowKey


async def take_key(
    log: EventLog, secret: Path, people: tuple[str, str], ask: Callable[[str], str] = getpass
) -> None:
    """Put a key on record that is not the house's yet; it is made if it is not there."""
    for person in people:
        known = People(log).credential(person, "password")
        if not await is_password_of(known, ask(f"Password of {person}: ")):
            raise UnusableError(f"this is not the password of {person}; the key stays as it is")
    key = made_key(secret)
    public = public_key(key)
    heads = await log.heads()
    rows = {stream: head.seq for stream, head in heads.items()}
    house = House(log, CLOCK, CHANCE, key, root_beside(secret), codes=RowMac(key, rows))
    shown = ShowKey(public, *people, rows)
    await house.give(REGISTER, shown, HOUSE, f"key-{public[:16]}")
    await house.record_root()
    print(f"on record: from now on the key of this house is {fingerprint_of(public)}", flush=True)
