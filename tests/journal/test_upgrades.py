"""Houses of every schema there has been are brought forward, play on and verify.

Each lies in `stored/schemas` as the statements that make it, in both databases: a table in
mid-coup, with money, people and a root, written by the program of its time. Files are added, never
changed; `--update` keeps one of this program's schema, once.
"""

import asyncio
import os
import signal
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from puntobanco.cage.commands import OpenAccount
from puntobanco.house.access.people import Credential, Person
from puntobanco.house.checks.proof import Against, Proof, prove
from puntobanco.house.loop import Running
from puntobanco.journal import postgres, sqlite
from puntobanco.journal.file.tables import prepare_file
from puntobanco.journal.log import EventLog
from puntobanco.journal.sql import SCHEMA
from puntobanco.journal.verify import last_root
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from tests.kit.house.driver import KEY, Driver, Time, house_over
from tests.kit.journal import using
from tests.kit.places import STORED
from tests.kit.postgres import binaries, new_database

SCHEMAS = STORED / "schemas"
FIRST_WITH_PEOPLE = 2
"""A house of schema 1 knew no people, and kept no texts: only its links can be verified, and its
tables are looked at. No program of its time ran one on the web.
"""
DATABASES = ("sqlite", "postgres")
LEFT_OUT = ("--", "SET ", "\\", "SELECT pg_catalog.set_config")
"""Lines of a dump that make nothing."""
NOTHING = Against()
Find = Callable[[int], str]


def stored(schema: int, database: str) -> Path:
    return SCHEMAS / f"schema-{schema}.{database}.sql"


@pytest.fixture(params=DATABASES)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Find:
    """Makes a house of a schema, as it was kept, and says where it is."""
    if request.param == "sqlite":

        def in_file(schema: int) -> str:
            file = tmp_path / f"schema-{schema}.db"
            db = sqlite3.connect(file)
            db.executescript(stored(schema, "sqlite").read_text())
            db.close()
            return str(file)

        return in_file
    folder = request.getfixturevalue("pg")

    def in_database(schema: int) -> str:
        where = new_database(folder)
        with psycopg.connect(where) as db:
            db.execute(stored(schema, "postgres").read_text())
        return where

    return in_database


async def as_it_is(where: str) -> EventLog:
    if where.startswith("postgres"):
        return await postgres.open_log(where, create=False)
    return sqlite.open_log(Path(where), create=False)


def seen(where: str, against: Against = NOTHING, *, links: bool = False) -> tuple[int, Proof]:
    """The schema of a house that nobody brings forward, and the proof of it."""

    async def look() -> tuple[int, Proof]:
        log = await as_it_is(where)
        try:
            return log.schema(), prove(log, against, links_only=links)
        finally:
            await log.close()

    return asyncio.run(look())


async def in_mid_coup(log: EventLog) -> None:
    """What each of the kept houses has: three cards of a coup lie on the table."""
    house = house_over(log)
    driver = await (await Driver(house).open()).shoe()
    asks = (c.OpenCoup(), c.NoMoreBets(), *(c.DrawCard(Card(card)) for card in ["Kc", "9d", "Kh"]))
    await driver.do("dan", asks[0])
    await driver.do("ann", c.PlaceWager(1, Bet.PLAYER, 5000))
    for ask in asks[1:]:
        await driver.do("dan", ask)
    house.people.put(Person("ann", "Ann Archer", "ann@example.org"))
    await house.issue(Credential("mara", "password", "hashed", house.time.now_ms()), "mara")
    await house.shut()


async def play_on(log: EventLog) -> None:
    """The coup is dealt to its end, and another after it."""
    house = house_over(log, Time(10**9).clock, seed=7)
    await Running(house).start()
    driver, table = Driver(house, "on-"), house.table("table-1")
    await driver.do("dan", c.DrawCard(Card("Ks")))
    for ask in (c.DeclareResult(), c.EndCoup(), c.OpenCoup()):
        await driver.do("dan", ask)
    await driver.do("ann", c.PlaceWager(1, Bet.BANKER, 5000))
    cards = [c.DrawCard(Card(card)) for card in ["2c", "9h", "3h", "Ts"]]
    for then in (c.NoMoreBets(), *cards, c.DeclareResult()):
        await driver.do("dan", then)
    assert table.state.coup_number == 2
    if log.ordinary("SELECT person FROM people"):
        assert house.people.get("ann").name == "Ann Archer"
    house.people.put(Person("bob", "Bob", ""))
    await house.shut()


async def found_anew(log: EventLog) -> None:
    """What was there is looked at, and a table is opened beside it."""
    house = house_over(log, Time(10**9).clock, seed=7)
    await Running(house).start()
    driver = Driver(house, "on-")
    await driver.do("carol", OpenAccount("bob"))
    notice = sample_notice("tas-2018")
    opening = c.OpenTable(notice, "monday", "shoe 1", effective="1 July 2018")
    await house.give("table-2", opening, "mara", "opening")
    assert [house.tables[name].state.is_open for name in sorted(house.tables)] == [True, True]
    coup = house.tables["table-1"].state.coup
    assert coup is not None
    assert len(coup.drawn) == 3
    await house.shut()


def test_a_house_of_the_first_schema_is_brought_forward_and_goes_on(kept: Find) -> None:
    where = kept(1)
    was, before = seen(where, links=True)
    assert (was, before.fault) == (1, None)
    using(where, found_anew)
    now, after = seen(where, links=True)
    assert (now, after.fault) == (SCHEMA, None)
    assert after.rows > before.rows
    assert seen(where, Against(bytes.fromhex(before.root)), links=True)[1].fault is None


@pytest.mark.parametrize("schema", range(FIRST_WITH_PEOPLE, SCHEMA + 1))
def test_a_house_of_each_schema_is_brought_forward_plays_on_and_verifies(
    schema: int, kept: Find
) -> None:
    where = kept(schema)
    was, before = seen(where)
    assert (was, before.fault) == (schema, None)
    assert before.rows > 19
    using(where, play_on)
    now, after = seen(where, Against(key=KEY))
    assert (now, after.fault) == (SCHEMA, None)
    assert after.without == before.without
    assert after.decided >= before.decided + 12
    assert seen(where, Against(bytes.fromhex(before.root)))[1].fault is None


def made(where: str) -> set[tuple[str, ...]]:
    """All columns and indexes that there are, by name; the first schemas' own number had no date,
    which nobody reads.
    """
    if where.startswith("postgres"):
        with psycopg.connect(where) as db:
            return {
                *db.execute(
                    "SELECT table_name, column_name, data_type, is_nullable, column_default"
                    " FROM information_schema.columns WHERE table_schema = 'public'"
                    " AND (table_name, column_name) <> ('puntobanco', 'since')"
                ).fetchall(),
                *db.execute(
                    "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'"
                ).fetchall(),
            }
    file = sqlite3.connect(where)
    tables = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    found = {
        (table, *map(str, column[1:]))
        for (table,) in tables
        for column in file.execute(f"PRAGMA table_info({table})").fetchall()
    }
    others = "SELECT type, name FROM sqlite_master WHERE type <> 'table'"
    found |= set(file.execute(others).fetchall())
    file.close()
    return found


@pytest.mark.parametrize("schema", range(1, SCHEMA))
def test_what_is_brought_forward_has_what_a_new_house_has(schema: int, kept: Find) -> None:
    async def nothing(_log: EventLog) -> None:
        pass

    where = kept(schema)
    using(where, nothing)
    assert made(where) == made(kept(SCHEMA))


# all or nothing

MAKES = ("CREATE", "ALTER", "INSERT INTO puntobanco", "PRAGMA user_version =", "COMMIT")


class Deadly(sqlite3.Connection):
    """Kills its process before the statement of this number that brings a file forward."""

    left = 0

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if self.in_transaction and statement.startswith(MAKES):
            Deadly.left -= 1
            if Deadly.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(statement, *values)


def is_killed_at(number: int, where: str) -> bool:
    """Bring a house forward in a process that is killed at a statement; False: it came through."""
    child = os.fork()
    if not child:
        try:
            _brought_forward(number, where)
        finally:
            os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def _brought_forward(number: int, where: str) -> None:
    if not where.startswith("postgres"):
        Deadly.left = number
        db = Deadly(where, isolation_level=None)
        prepare_file(db, Path(where), create=True)
        return
    execute, left = psycopg.AsyncConnection.execute, [number]

    def deadly(self: Any, query: Any, *values: Any, **more: Any) -> Awaitable[Any]:
        if str(query).startswith(MAKES):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
        return execute(self, query, *values, **more)

    psycopg.AsyncConnection.execute = deadly  # type: ignore[method-assign, assignment]
    asyncio.run(postgres.open_log(where))


@pytest.mark.parametrize("schema", [1, SCHEMA - 1])
def test_a_house_killed_while_it_is_brought_forward_is_as_it_was(schema: int, kept: Find) -> None:
    """At every statement: the next start begins again, and the one after that finds it done."""
    where = kept(schema)
    _, before = seen(where)
    kills = 1
    while is_killed_at(kills, where):
        assert seen(where) == (schema, before)
        kills += 1
    assert kills > SCHEMA - schema  # that rows may be packed is a number alone
    now, after = seen(where)
    assert (now, after) == (SCHEMA, before)


# what is kept


def test_the_house_of_this_schema_is_kept(
    tmp_path: Path, pg: str, pytestconfig: pytest.Config
) -> None:
    """With --update, once for each schema: what is kept is never written again."""
    if pytestconfig.getoption("--update") and not stored(SCHEMA, "sqlite").exists():
        using(str(tmp_path / "house.db"), in_mid_coup)
        with sqlite3.connect(tmp_path / "house.db") as db:
            db.execute("DELETE FROM snapshots")
            marks = [
                f"PRAGMA {name} = {db.execute(f'PRAGMA {name}').fetchone()[0]};"
                for name in ("application_id", "user_version")
            ]
            stored(SCHEMA, "sqlite").write_text("\n".join([*marks, *db.iterdump(), ""]))
        using(where := new_database(pg), in_mid_coup)
        bare = ("--inserts", "--no-owner", "--no-privileges", "--exclude-table-data=snapshots")
        programs = binaries()
        assert programs is not None
        dump = subprocess.run(
            [programs / "pg_dump", *bare, where], check=True, capture_output=True, text=True
        ).stdout
        lines = [line for line in dump.splitlines() if line and not line.startswith(LEFT_OUT)]
        stored(SCHEMA, "postgres").write_text("\n".join([*lines, ""]))
    for database in DATABASES:
        assert stored(SCHEMA, database).exists(), (
            "keep one: pytest tests/journal/test_upgrades.py --update"
        )


def test_each_kept_house_has_a_root_over_its_rows(kept: Find) -> None:
    async def root(log: EventLog) -> bool:
        return last_root(log) is not None

    assert using(kept(1), root)
