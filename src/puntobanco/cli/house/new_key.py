"""`puntobanco serve --new-key`: another key for a house, by the word of two people.

For when the key is lost, or may have been seen. Both give their passwords at the machine, and both
names are on record with the fingerprint; the house's rows up to then stay as they are.
"""

import warnings
from collections.abc import Callable
from getpass import GetPassWarning, getpass
from pathlib import Path

from puntobanco.cli.keys import load_keys, made_keys, renewed_beside, root_beside
from puntobanco.errors import Refused, UnusableError
from puntobanco.house.access.door.secrets import is_password_of
from puntobanco.house.access.people import People
from puntobanco.house.house import House
from puntobanco.house.system import CHANCE, CLOCK
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import RowMac
from puntobanco.journal.receipt import public_key
from puntobanco.journal.shown_keys import fingerprint_of, key_fault, own_codes
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register.commands import ShowKey

Pair = tuple[str, str]


def _asked(prompt: str) -> str:
    """What somebody types unseen; nothing where it would be seen, or come from a program."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", GetPassWarning)
            return getpass(prompt)
    except (EOFError, GetPassWarning) as error:
        raise UnusableError(
            "two people give their passwords for another key: run it at a terminal"
        ) from error


async def take_key(
    log: EventLog, secret: Path, people: Pair, ask: Callable[[str], str] = _asked
) -> None:
    """Put a key on record that is not the house's yet: the first in the file, or a fresh one where
    the first is in use. Those after it are the house's of before.
    """
    for person in people:
        known = People(log).credential(person, "password")
        if not await is_password_of(known, ask(f"Password of {person}: ")):
            raise UnusableError(
                f"this is not the password of {person}, or somebody else was shown it, and they"
                " choose their own first; the key stays as it is"
            )
    keys = made_keys(secret)
    if key_fault(log, keys[0]):
        await _show(log, keys, secret, people)
        return
    renewed = renewed_beside(secret)
    try:
        await _show(log, load_keys(renewed), secret, people)
    except Refused:
        renewed.unlink()
        raise
    renewed.replace(secret)


async def _show(log: EventLog, keys: tuple[bytes, ...], secret: Path, people: Pair) -> None:
    """Show the first of the keys by two people's word; the house must be sound under the second."""
    (key, *older), root = keys, root_beside(secret)
    if older:
        House(log, CLOCK, CHANCE, older[0], root, codes=own_codes(log, *older)).roots.check()
    public, heads = public_key(key), await log.heads()
    rows = {stream: head.seq for stream, head in heads.items()}
    house = House(log, CLOCK, CHANCE, key, root, codes=RowMac(key, rows, *older))
    shown = ShowKey(public, *people, rows)
    await house.give(REGISTER, shown, HOUSE, f"key-{public[:16]}")
    await house.record_root()
    print(f"on record: from now on the key of this house is {fingerprint_of(public)}", flush=True)
