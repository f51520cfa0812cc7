"""`puntobanco backup`, `restore` and `drill`: a house copied elsewhere, brought back, and tried."""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter  # noqa: TID251  how long a restore takes
from typing import Annotated

from cyclopts import Parameter

from puntobanco.cli import show
from puntobanco.cli.journal import print_proof, print_sound, progress_bar, prove_house, using
from puntobanco.cli.keys import house_under, key_of, load_keys, missing_key, root_beside
from puntobanco.cli.show import Flag
from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.checks.proof import under
from puntobanco.house.notes import HouseRestored
from puntobanco.house.roots import read_noted
from puntobanco.house.system import CLOCK
from puntobanco.journal.backup import Following, copy
from puntobanco.journal.log import AwayError, EventLog, FullError
from puntobanco.journal.opening import is_url, journal_at, open_journal
from puntobanco.journal.verify import last_root

EVERY_S = 10
"""Seconds between two looks of a copy that follows."""


def backup(*, house: str, to: str, follow: Flag = False, every: int = EVERY_S) -> int:
    """Copy a house, while it is in use, into one SQLite file; the copy is verified.

    Parameters
    ----------
    house
        The house: an SQLite file, or the URL of a PostgreSQL database.
    to
        The file to make, or an empty PostgreSQL database. It is a house by itself.
    follow
        Go on copying what comes, until stopped; begun again, it goes on from the copy it has.
    every
        With --follow, the seconds between two looks: at most so much is lost with the house.
    """
    if every < 1:
        raise MalformedError("--every takes at least 1 second")
    if follow:
        return asyncio.run(_follow(house, to, every))
    if not is_url(to) and Path(to).exists():
        raise MalformedError(
            f"{to} is there already; name a new file, or --follow to go on with it"
        )
    return _copied(house, to)


async def _follow(where: str, to: str, every_s: int) -> int:
    """Keep a copy up to date; while a database is away, or the disk full, what is due waits."""
    async with journal_at(where) as log, journal_at(to, create=True) as made:
        if not made.streams():
            await copy(log, made)
        following, behind = Following(log, made), True
        while True:
            try:
                await following.catch_up()
                if behind:
                    rows = show.counted(made.count(), "row")
                    print(f"the copy has {rows}, as the house; it follows", flush=True)
                behind = False
            except (AwayError, FullError) as error:
                if not behind:
                    print(f"the copy waits: {error}", file=sys.stderr, flush=True)
                behind = True
            await CLOCK.sleep(every_s)


def drill(
    copied: str,
    /,
    *,
    secret: Path | None = None,
    folder: Annotated[Path | None, Parameter(name="--in")] = None,
) -> int:
    """Try a restore: bring a copy back into a house of its own, verify all of it, say how long it
    took, and remove it again.

    Parameters
    ----------
    copied
        The copy: a file that `backup` made or keeps, or the URL of a database.
    secret
        The file with the house's key; without it, codes of rows and seals are not checked.
    folder
        Where to make the house; by default where the system has its temporary files.
    """
    keys = load_keys(secret) if secret else ()
    with TemporaryDirectory(prefix="puntobanco-drill-", dir=folder) as place:
        house, start = str(Path(place) / "house.db"), perf_counter()
        if done := _copied(copied, house):
            return done
        restored = perf_counter()
        proof = using(house, lambda log: prove_house(log, under(keys), links_only=False))
        verified = perf_counter()
        print_proof(proof)
        last_ms = using(house, _last_ms)
    age_s = max(CLOCK.wall_ms() - last_ms, 0) // 1000
    print(f"restored in {restored - start:.1f} s, verified in {verified - restored:.1f} s")
    print(f"the newest row of this copy is {show.counted(age_s, 'second')} old")
    return int(proof.fault is not None)


async def _last_ms(log: EventLog) -> int:
    """The time of the newest row."""
    return max((log.head_ms(stream) for stream in log.streams()), default=0)


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
    if not done and (key is None or not key.exists()):
        using(to, _without_key)
    if done or key is None or not key.exists():
        return done
    return using(to, lambda log: _record_restored(log, key), create=True)


async def _without_key(log: EventLog) -> None:
    print(f"The house is restored, but {missing_key(log)}")


async def _record_restored(log: EventLog, key: Path) -> int:
    """Put on record which root the house goes on from, and what is given up."""
    noted = read_noted(root_beside(key))
    last = last_root(log)
    root = last.event.root if last else ""
    instead = noted.root if noted and noted.root != root else ""
    house = house_under(key, log)
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
