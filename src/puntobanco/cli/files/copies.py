"""`puntobanco backup` and `restore`: a house copied elsewhere, and brought back."""

from pathlib import Path

from puntobanco.cli.journal import print_sound, progress_bar, using
from puntobanco.cli.keys import key_of, root_beside
from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.house import House
from puntobanco.house.notes import HouseRestored
from puntobanco.house.roots import read_noted
from puntobanco.house.system import CHANCE, CLOCK
from puntobanco.journal.backup import copy
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import is_url, open_journal
from puntobanco.journal.seal import load_key
from puntobanco.journal.verify import last_root


def backup(*, house: str, to: Path) -> int:
    """Copy a house, while it is in use, into one SQLite file; the copy is verified.

    Parameters
    ----------
    house
        The house: an SQLite file, or the URL of a PostgreSQL database.
    to
        The file to make. It is a house by itself.
    """
    if to.exists():
        raise MalformedError(f"{to} is there already; name a new file")
    return _copied(house, str(to))


def restore(file: Path, /, *, to: str, secret: Path | None = None) -> int:
    """Bring a backup back into a new house; the copy is verified.

    With the house's key it is put on record which root the house went back to; without, a house
    that had gone further does not open again.

    Parameters
    ----------
    file
        The backup.
    to
        The house to make: an SQLite file that is not there, or an empty PostgreSQL database.
    secret
        The file with the house's key; by default, where the house keeps it.
    """
    if not is_url(to) and Path(to).exists():
        raise MalformedError(f"{to} is there already; name a new file")
    key = secret or key_of(to)
    if secret is not None and not secret.exists():
        raise UnusableError(f"{secret}: there is no key here")
    done = _copied(str(file), to)
    if done or key is None or not key.exists():
        return done
    return using(to, lambda log: _record_restored(log, key), create=True)


async def _record_restored(log: EventLog, key: Path) -> int:
    """Put on record which root the house goes on from, and what is given up."""
    noted = read_noted(root_beside(key))
    last = last_root(log)
    root = last.event.root if last else ""
    instead = noted.root if noted and noted.root != root else ""
    house = House(log, CLOCK, CHANCE, load_key(key), root_beside(key))
    await house.note(HouseRestored(root, instead))
    await house.record_root()
    print(f"on record: the house went back to the root {root or 'of its beginning'}")
    return 0


def _copied(source: str, target: str) -> int:
    async def main(log: EventLog) -> int:
        made = await open_journal(target, create=True)
        try:
            with progress_bar("rows copied") as tick:
                found = await copy(log, made, tick)
        except BaseException:
            await made.close()
            remove_house(target)  # half a copy is none
            raise
        await made.close()
        if found.fault is not None:
            print(f"FAULT: {found.fault}")
            return 1
        print_sound(found, "copied")
        return 0

    return using(source, main)


def remove_house(target: str) -> None:
    """Remove a file that was begun; a database in PostgreSQL is left to its owner."""
    if not is_url(target):
        for file in (target, f"{target}-wal", f"{target}-shm"):
            Path(file).unlink(missing_ok=True)
