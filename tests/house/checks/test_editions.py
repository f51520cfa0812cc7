"""Houses of older programs open, go on and verify; what deciders changed is named, or a fault.

A house per schema and edition lies in `stored/houses`, as the statements that make its file. Files
are added, never changed.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.cage import commands as cage
from puntobanco.cage import events as cage_events
from puntobanco.cage.state import Cage
from puntobanco.editions import CHANGES, EDITION, Change, change_of
from puntobanco.house.access.people import Credential
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import hire_cashier, let_bots_play, open_bot_table, staff_table
from puntobanco.house.checks import again, audit
from puntobanco.house.checks.proof import Against, Proof, prove
from puntobanco.house.house import CAGES, House
from puntobanco.house.loop import Running
from puntobanco.house.written_session import FOUNDER, SessionTime, write_session
from puntobanco.journal.sqlite import open_log
from puntobanco.register import commands as register
from puntobanco.rules.notice import sample_notice
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import AUTHORITY, name_of
from puntobanco.table.session import parse_session
from tests.kit.forgery.rows import ListLog, Rows, rechained, written
from tests.kit.house.driver import KEY, Time, house_over, seeded
from tests.kit.places import PLAYTHROUGHS, STORED
from tests.kit.program import refused

HOUSES = STORED / "houses"
OLDER = {1: "schema-2.sql", 2: "schema-2.sql"}
"""A journal of schema 1 was one of schema 2 without names and credentials."""


NOT_AS_A_PLAYER = {"approve", "open-table", "open-commitment"}
"""An approval counts as what it approves; nobody plays where a table is opened; and an order is
opened by the house."""


def test_what_a_substitute_once_did_in_office_is_named() -> None:
    """Management wants no duty, so a substitute who manages gave all of theirs for a player who was
    out, and agreed to what takes two: no house of then is taken for a forgery.
    """
    of_office = {Role.MANAGEMENT, Role.SURVEILLANCE}
    given = {name_of(kind) for kind, one in AUTHORITY.items() if one.roles & of_office}
    given |= {name_of(kind) for kind, one in AUTHORITY.items() if one.second & of_office}
    unnamed = {tag for tag in given - NOT_AS_A_PLAYER if change_of(tag, 7) is None}
    assert not unnamed


def made_of(file: Path, at: Path, schema: int = 0) -> Path:
    """A house as it was kept."""
    db = sqlite3.connect(at)
    db.executescript(file.read_text())
    if schema == 1:
        db.executescript("DROP TABLE people; DROP TABLE credentials; DROP TABLE web_sessions;")
    if schema:
        db.execute(f"PRAGMA user_version = {schema}")
    db.close()
    return at


def proof_of(where: Path, **facts: Any) -> Proof:
    log = open_log(where, create=False)
    try:
        return prove(log, **facts)
    finally:
        asyncio.run(log.close())


@pytest.mark.parametrize("schema", OLDER)
def test_a_house_of_an_older_schema_verifies_goes_on_and_verifies(
    schema: int, tmp_path: Path
) -> None:
    where = made_of(HOUSES / OLDER[schema], tmp_path / "house.db", schema)
    before = proof_of(where)
    assert (before.fault, before.decided, before.signed) == (None, 0, 0)
    assert before.without == before.rows - 2  # two rows are the house's own

    async def go_on() -> None:
        log = open_log(where)
        house = house_over(log, Time(10**9).clock, seed=7)
        bots = Bots(house)
        await Running(house).start()
        await let_bots_play(bots, [house.table("table-1")], 2)
        await house.shut()
        await log.close()

    asyncio.run(go_on())
    after = proof_of(where, against=Against(key=KEY))
    assert after.fault is None
    assert after.without == before.without
    assert after.decided > 20
    noted = bytes.fromhex(before.root)
    assert proof_of(where, against=Against(noted)).fault is None


def test_a_house_of_a_newer_schema_is_left_alone(tmp_path: Path) -> None:
    where = made_of(HOUSES / "schema-2.sql", tmp_path / "house.db", 99)
    said = refused("verify", str(where))
    assert "written by a newer puntobanco (schema 99" in said
    assert len(said.strip().splitlines()) == 1


async def small_house(where: Path) -> None:
    """A session by people, and bots at the house's own shoe; with every kind of thing kept."""
    log = open_log(where)
    time = SessionTime()
    house = House(log, time.clock, seeded(3), KEY)
    session = parse_session((PLAYTHROUGHS / "tasmania-2013.session").read_text())
    await write_session(session, house, time)
    await hire_cashier(house, FOUNDER)
    await staff_table(house, "table-2", FOUNDER, 2)
    await open_bot_table(house, "table-2", sample_notice("act-2015"), FOUNDER, "monday")
    await let_bots_play(Bots(house), [house.table("table-2")], 4)
    count = cage.CountTray("table-2", 10**9)
    await house.give("cage", count, FOUNDER, "count")
    for number, ask in enumerate(
        (
            register.SetTimeZone("Australia/Hobart"),
            register.SetGamingDay("04:00"),
            register.SetReminder(45),
            register.SetRetention(3650, 90),
            register.Enrol("eve", "patron"),
            register.Disable("eve", "asked to"),
            register.Erase("eve"),
        )
    ):
        await house.give("register", ask, FOUNDER, f"settings-{number}")
    await house.issue(Credential(FOUNDER, "password", "hashed", time.now_ms), FOUNDER)
    await house.shut()
    await log.close()


def test_the_house_of_this_edition_is_kept(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """With --update, once for each edition: what is kept is never written again."""
    kept = HOUSES / f"edition-{EDITION}.sql"
    if pytestconfig.getoption("--update") and not kept.exists():
        asyncio.run(small_house(tmp_path / "house.db"))
        db = sqlite3.connect(tmp_path / "house.db")
        db.execute("DELETE FROM snapshots")
        db.commit()
        marks = [f"PRAGMA {name} = {db.execute(f'PRAGMA {name}').fetchone()[0]};"
                 for name in ("application_id", "user_version")]  # fmt: skip
        kept.write_text("\n".join([*marks, *db.iterdump(), ""]))
        db.close()
    assert kept.exists(), "keep one: pytest tests/house/checks/test_editions.py --update"


@pytest.mark.parametrize("edition", range(1, EDITION + 1))
def test_a_house_of_each_edition_is_decided_again(edition: int, tmp_path: Path) -> None:
    """A difference that CHANGES does not name is a fault; raise EDITION and name it."""
    where = made_of(HOUSES / f"edition-{edition}.sql", tmp_path / "house.db")
    proof = proof_of(where, against=Against(key=KEY))
    assert proof.fault is None
    assert proof.without == 0
    named = any(change.edition > edition for change in CHANGES)
    assert proof.otherwise == 0 or named


# a decider that has changed its mind


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    return written(tmp_path_factory.mktemp("house"), PLAYTHROUGHS / "canberra-2015.session")


Decide = Callable[[Cage, cage.CageCommand, Actor], list[cage_events.CageEvent]]


def generous(decide: Decide) -> Decide:
    """A cage that books a cent more than was paid in."""

    def decided(state: Cage, ask: cage.CageCommand, by: Actor) -> list[cage_events.CageEvent]:
        events = decide(state, ask, by)
        return [
            replace(event, cents=event.cents + 1)
            if isinstance(event, cage_events.MoneyDeposited)
            else event
            for event in events
        ]

    return decided


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of the next edition, whose cage decides otherwise."""
    monkeypatch.setattr(again, "EDITION", EDITION + 1)
    monkeypatch.setattr(audit, "CAGES", replace(CAGES, decide=generous(CAGES.decide)))


NAMED = (Change(EDITION + 1, ("deposit",), "conditions", "a cent more", "to see it named"),)


@pytest.mark.usefixtures("later")
def test_a_row_that_comes_out_otherwise_is_excused_only_by_name(rows: Rows) -> None:
    log: Any = ListLog(rows)
    assert "money-deposited" in str(audit.audit(log, changes=()).fault)
    other = (replace(NAMED[0], commands=("withdraw",)),)
    assert audit.audit(log, changes=other).fault is not None
    found = audit.audit(log, changes=NAMED)
    assert found.fault is None
    assert found.otherwise == sum(b'"do":"deposit"' in (row.command or b"") for row in rows["cage"])


@pytest.mark.usefixtures("later")
def test_what_is_excused_is_still_checked_as_older_rows_are(rows: Rows) -> None:
    deposit = next(row for row in rows["cage"] if b"money-deposited" in row.events)
    event = msgspec.json.decode(deposit.events)
    event[0]["cents"] = -event[0]["cents"]
    forged = replace(deposit, events=msgspec.json.encode(event))
    changed = [forged if row is deposit else row for row in rows["cage"]]
    log: Any = ListLog(rechained(rows, "cage", changed))
    assert "spends money nobody has" in str(audit.audit(log, changes=NAMED).fault)


def of_edition(rows: Rows, stream: str, seq: int, edition: int) -> Any:
    changed = [
        replace(
            row,
            command=(row.command or b"").replace(
                b'"edition":%d' % EDITION, b'"edition":%d' % edition
            ),
        )
        if row.seq == seq
        else row
        for row in rows[stream]
    ]
    return ListLog(rechained(rows, stream, changed))


def test_a_row_of_a_newer_edition_is_left_to_a_newer_program(rows: Rows) -> None:
    said = str(audit.audit(of_edition(rows, "table-1", 5, EDITION + 1)).fault)
    assert "table-1 row 5: was written by a newer program" in said


@pytest.mark.usefixtures("later")
def test_editions_never_fall_within_a_stream(rows: Rows) -> None:
    log = of_edition(rows, "table-1", 5, EDITION + 1)
    said = str(audit.audit(log, changes=NAMED).fault)
    assert f"table-1 row 6: is of edition {EDITION}, after one of {EDITION + 1}" in said


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (b"nonsense", "keeps a command that cannot be read"),
        (b'{"edition":1}', "keeps a command that cannot be read"),
        (
            b'{"edition":%d,"by":{"roles":[],"register":16},"command":{"do":"x"}}' % EDITION,
            "cannot be read",
        ),
        (b'{"edition":0,"by":{"roles":[],"register":3},"command":{"do":"x"}}', "is of edition 0"),
    ],
)
def test_a_command_that_no_longer_decodes_is_a_fault_with_its_row(
    rows: Rows, command: bytes, said: str
) -> None:
    changed = [replace(row, command=command) if row.seq == 9 else row for row in rows["table-1"]]
    log: Any = ListLog(rechained(rows, "table-1", changed))
    fault = str(audit.audit(log).fault)
    assert fault.startswith("table-1 row 9: ")
    assert said in fault
