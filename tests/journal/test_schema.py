"""An older journal is read as it is, and brought forward when a house is opened over it."""

import asyncio
import sqlite3
from pathlib import Path

import psycopg
import pytest

from puntobanco.errors import UnusableError
from puntobanco.house.access.people import Person
from puntobanco.journal import postgres, sqlite
from puntobanco.journal.backup import copy
from puntobanco.journal.log import EventLog
from puntobanco.journal.sql import SCHEMA
from puntobanco.journal.verify import verify
from tests.kit.house.driver import Driver, house_over
from tests.kit.journal import opened, unpack_rows, using
from tests.kit.postgres import new_database

ORDINARY = (
    *("people", "credentials", "web_sessions", "aliases", "photos"),
    *("training", "training_scenes", "sign_ins", "erased"),
)
FIGURES = ("past_coups", "figures", "figures_at", "notable_rows", "games", "played")


SET_BACK = (
    *(f"DROP TABLE {table}" for table in (*ORDINARY, *FIGURES)),
    "ALTER TABLE rows DROP COLUMN command",
    "ALTER TABLE rows DROP COLUMN mac",
)


def set_back(where: str) -> None:
    """Make of it what a program that knew schema 1 would have written."""
    if where.startswith("postgres"):
        with psycopg.connect(where) as db:
            unpack_rows(db, "%s")
            for statement in SET_BACK:
                db.execute(statement)
            db.execute("UPDATE puntobanco SET schema = 1")
        return
    with sqlite3.connect(where) as db:
        (stays,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'rows_stay'").fetchone()
        db.execute("DROP TRIGGER rows_stay")
        unpack_rows(db)
        for statement in (*SET_BACK, stays):
            db.execute(statement)
        db.execute("PRAGMA user_version = 1")


async def read_only(where: str) -> EventLog:
    if where.startswith("postgres"):
        return await postgres.open_log(where, create=False)
    return sqlite.open_log(Path(where), create=False)


def test_an_older_journal_is_read_untouched_and_brought_forward_by_a_house(
    place: str,
) -> None:
    async def fill(log: EventLog) -> bytes:
        await Driver(house_over(log)).open()
        return verify(log).root

    async def only_read(where: str) -> None:
        log = await read_only(where)
        assert log.schema() == 1
        assert verify(log).root == root
        await log.close()

    async def go_on(log: EventLog) -> None:
        assert log.schema() == SCHEMA
        assert verify(log).root == root
        house = house_over(log)
        house.people.put(Person("ann", "Ann"))
        assert house.people.get("ann").name == "Ann"
        assert house.table("table-1").state.places

    root = using(place, fill)
    set_back(place)
    asyncio.run(only_read(place))
    asyncio.run(only_read(place))
    using(place, go_on)
    using(place, go_on)


def test_a_backup_of_an_older_journal_is_a_house_of_today(tmp_path: Path) -> None:
    old, new = str(tmp_path / "old.db"), str(tmp_path / "new.db")

    async def fill(log: EventLog) -> None:
        await Driver(house_over(log)).open()

    async def main() -> None:
        source, target = await read_only(old), await opened(new)
        assert (await copy(source, target)).fault is None
        assert (source.schema(), target.schema()) == (1, SCHEMA)
        await source.close()
        await target.close()

    using(old, fill)
    set_back(old)
    asyncio.run(main())


def test_names_and_credentials_go_with_a_backup(tmp_path: Path) -> None:
    async def main() -> None:
        source, target = await opened(str(tmp_path / "a.db")), await opened(str(tmp_path / "b.db"))
        house_over(source).people.put(Person("ann", "Ann", "x"))
        await copy(source, target)
        assert house_over(target).people.get("ann") == Person("ann", "Ann", "x")
        await source.close()
        await target.close()

    asyncio.run(main())


def test_two_processes_that_bring_it_forward_at_once_do_it_once(pg: str) -> None:
    where = new_database(pg)

    async def main() -> None:
        logs = await asyncio.gather(*(postgres.open_log(where) for _ in range(8)))
        assert {log.schema() for log in logs} == {SCHEMA}
        for log in logs:
            await log.close()

    asyncio.run(main())


def test_a_newer_schema_is_left_alone(place: str) -> None:
    async def fill(log: EventLog) -> None:
        await Driver(house_over(log)).open()

    using(place, fill)
    if place.startswith("postgres"):
        with psycopg.connect(place) as db:
            db.execute("INSERT INTO puntobanco VALUES (%s)", (SCHEMA + 1,))
    else:
        with sqlite3.connect(place) as file:
            file.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(UnusableError, match="newer puntobanco"):
        asyncio.run(read_only(place))
