"""A small house with everything in it, and somebody who has its file but not its key."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple, replace

from puntobanco.cage import commands as cage
from puntobanco.errors import UnusableError
from puntobanco.house.access.people import Credential, Person, WebSession
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.house import House
from puntobanco.house.loop import Running
from puntobanco.house.notes import SignInFailed
from puntobanco.house.roots import NotedRoot, Roots, read_noted
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.sqlite import INSERT
from puntobanco.register import commands as register
from puntobanco.table import commands as c
from puntobanco.table.state import Phase
from tests.kit.forgery.rows import Rows, remade, rows_of
from tests.kit.house.driver import KEY, seeded, ticking
from tests.kit.house.evening import evening
from tests.kit.journal import using

CASHIER, MANAGER, INSPECTOR = "bot-cashier", "mara", "bot-inspector-table-1"


class Kept(NamedTuple):
    """A house as it was left, and what was noted of it outside."""

    file: Path
    root_file: Path
    """The last root beside the key."""
    earlier: Path
    """The whole file as it was some roots before."""

    @property
    def noted(self) -> NotedRoot:
        noted = read_noted(self.root_file)
        assert noted is not None
        return noted

    def copied(self, folder: Path) -> "Kept":
        """The same again, for somebody to change."""
        folder.mkdir()
        for file in self:
            shutil.copy(file, folder)
        return Kept(*(folder / file.name for file in self))


def kept_house(folder: Path) -> Kept:
    """Two tables with bots, an opened order, credentials, slips; rows after its last root."""
    kept = Kept(folder / "house.db", folder / "house.key.root", folder / "earlier.db")

    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018", "tas-2013")
        house = bots.house
        house.roots = Roots(house, kept.root_file)
        await Running(house).start()
        await let_bots_play(bots, list(house.tables.values()), 2)
        await _desk(house)
        table = house.table("table-1")
        while table.state.phase is not Phase.READY:
            assert await bots.step(table)
        await house.give("table-1", c.EndShoe("worn"), INSPECTOR, "worn")
        await let_bots_play(bots, [table], 1)
        await house.record_root()
        with closing(sqlite3.connect(kept.earlier)) as copy, closing(_opened(kept.file)) as db:
            db.backup(copy)
        await _late(house, "before the root")
        await house.shut()
        await _late(house, "after the root")

    using(str(kept.file), use)
    return kept


async def _desk(house: House) -> None:
    """A patron with an account and a PIN, replaced once; a manager's password; a name; sign-ins."""
    await house.give("register", register.Enrol("ann", "patron"), MANAGER, "enrol-ann")
    for number, ask in enumerate(
        (cage.OpenAccount("ann"), cage.Deposit("ann", 5000), cage.Deposit("ann", 7000))
    ):
        await house.give("cage", ask, CASHIER, f"ann-{number}")
    house.people.put(Person("ann", "Ann"))
    for credential in (
        Credential(MANAGER, "password", "hashed", 1),
        Credential("ann", "pin", "hashed too", 2),
        Credential("ann", "pin", "hashed again", 3),
    ):
        await house.issue(credential, MANAGER)
    house.people.begin(WebSession("a token's hash", "ann", 1, 1))
    await house.note(SignInFailed("ann", "here", 1))


async def _late(house: House, when: str) -> None:
    dispute = c.RaiseDispute(when, person="bot-1-table-1")
    await house.give("table-1", dispute, "bot-1-table-1", f"dispute {when}")
    await house.give("cage", cage.Deposit("ann", 900), CASHIER, f"deposit {when}")
    await house.note(SignInFailed("ann", when, 2))


def starts(kept: Kept) -> bool:
    """Does the house go on from what it finds?"""

    async def use(log: EventLog) -> bool:
        try:
            house = House(log, ticking(), seeded(9), KEY, kept.root_file)
            await Running(house).start()
        except UnusableError:
            return False
        return True

    return using(str(kept.file), use)


# whoever has the file


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, isolation_level=None)


async def _read(log: EventLog) -> Rows:
    return rows_of(log)


class Forger:
    """Changes a house's file at will, and makes chain and roots anew; the key is not in it."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.rows = using(str(kept.file), _read)
        self.root = kept.noted
        with closing(_opened(kept.file)) as db:
            db.execute("DROP TRIGGER rows_stay")
            db.execute("DROP TRIGGER rows_remain")

    def sql(self, statement: str, *values: object) -> None:
        with closing(_opened(self.kept.file)) as db:
            assert db.execute(statement, values).rowcount != 0

    def write(self, *, anew: bool = True) -> None:
        """All rows as they are now, with numbers, links, hashes and roots that come out."""
        made = remade(self.rows) if anew else self.rows
        with closing(_opened(self.kept.file)) as db:
            db.execute("BEGIN")
            db.execute("DELETE FROM rows")
            db.executemany(INSERT, [astuple(row) for rows in made.values() for row in rows])
            db.execute("COMMIT")

    # rows

    def covered(self, stream: str) -> int:
        """How many rows of a stream the noted root covers."""
        return self.root.heads[stream][0]

    def find(self, stream: str, what: str, after: int = 0) -> int:
        """The place of the first row in which something is written, counted from 0."""
        for index, row in enumerate(self.rows[stream]):
            if index >= after and what.encode() in (row.command or b"") + row.events:
                return index
        raise AssertionError(f"{stream} has no {what}")

    def edit(self, stream: str, index: int, **changes: Any) -> None:
        self.rows[stream][index] = replace(self.rows[stream][index], **changes)

    def rewrite(self, stream: str, index: int, old: str, new: str) -> None:
        """Another text in command and events."""
        row = self.rows[stream][index]
        events = row.events.replace(old.encode(), new.encode())
        command = (row.command or b"").replace(old.encode(), new.encode()) or None
        assert (events, command) != (row.events, row.command)
        self.edit(stream, index, events=events, command=command)

    def note(self, event: dict[str, Any]) -> Row:
        """A row like the last of the house's own stream, with another event."""
        events = msgspec.json.encode([event])
        return replace(self.rows["house"][-1], command_id="forged", events=events)

    def events_of(self, stream: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Every event with the place of its row, the last first."""
        for index in reversed(range(len(self.rows[stream]))):
            for event in json.loads(self.rows[stream][index].events):
                yield index, event


Tampering = Callable[[Forger], None]
