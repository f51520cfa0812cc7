"""A house over its journal: one writer for each stream, on both databases."""

import asyncio
import json
import os
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.house.checks.audit import Audited, audit
from puntobanco.house.stream import QUEUE, StreamChange
from puntobanco.house.written_session import SessionTime, write_session
from puntobanco.journal.log import EventLog, ReusedError
from puntobanco.journal.verify import verify
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.session import parse_session, play_session
from tests.kit.house.driver import Driver, house_over
from tests.kit.house.kept import kept
from tests.kit.journal import using
from tests.kit.places import PLAYTHROUGHS

Value = TypeVar("Value")


def test_a_house_is_where_it_was_after_a_restart(place: str) -> None:
    async def before(log: EventLog) -> tuple[object, object]:
        driver = await Driver(house_over(log)).open()
        await driver.do("dan", c.BuyIn(50_000, "ann"))
        house = driver.house
        return house.table("table-1").state, house.cage.state

    async def after(log: EventLog) -> tuple[object, object]:
        house = house_over(log)
        assert list(house.tables) == ["table-1"]
        return house.table("table-1").state, house.cage.state

    assert using(place, before) == using(place, after)


def test_a_start_from_a_snapshot_is_the_same_and_a_false_one_is_not_used(
    place: str,
) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        await driver.do("dan", c.BuyIn(50_000, "ann"))
        await driver.house.shut()
        await driver.do("bob", c.Sit(2))
        state = driver.house.table("table-1").state
        stream = driver.house.table("table-1")
        held = log.snapshot("table-1", stream.aggregate.kind)
        assert held is not None
        assert held.seq == stream.seq - 1
        assert house_over(log).table("table-1").state == state
        log.save_snapshot(replace(held, hash=b"x" * 32, state=b"{}"))
        assert house_over(log).table("table-1").state == state
        log.save_snapshot(replace(held, kind="other", state=b"{}"))
        assert house_over(log).table("table-1").state == state

    using(place, use)


def test_a_buy_in_moves_money_and_chips_together_or_not_at_all(place: str) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        table, cage = driver.house.table("table-1"), driver.house.cage
        await driver.do("dan", c.BuyIn(60_000, "ann"))
        assert (table.state.chips["ann"], cage.state.accounts["ann"]) == (60_000, 40_000)
        seqs = (log.head("table-1").seq, log.head("cage").seq)
        with pytest.raises(Refused) as refused:
            await driver.do("dan", c.BuyIn(40_001, "ann"))
        assert refused.value.reason is Reason.ACCOUNT_SHORT
        with pytest.raises(Refused):
            await driver.do("dan", c.CashOut(60_001, "ann"))
        assert (log.head("table-1").seq, log.head("cage").seq) == seqs
        await driver.do("dan", c.CashOut(60_000, "ann"))
        assert (table.state.chips["ann"], cage.state.accounts["ann"]) == (0, 100_000)
        assert cage.state.balances

    using(place, use)


def test_the_same_command_again_gets_the_first_outcome_though_it_is_too_late(
    place: str,
) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        first = await driver.do("bob", c.Sit(2), "sit-down")
        again = await driver.do("bob", c.Sit(2), "sit-down")
        assert again == first
        for person, ask in (("cy", c.Sit(2)), ("bob", c.Sit(3))):
            with pytest.raises(ReusedError):
                await driver.do(person, ask, "sit-down")
        bought = await driver.do("dan", c.BuyIn(50_000, "ann"), "buy")
        assert await driver.do("dan", c.BuyIn(50_000, "ann"), "buy") == bought
        assert driver.house.cage.state.accounts["ann"] == 50_000

    using(place, use)


def test_two_houses_on_one_journal_decide_again_when_the_other_was_first(
    place: str,
) -> None:
    async def use(log: EventLog) -> None:
        here = await Driver(house_over(log), "here").open()
        there = Driver(house_over(log), "there")
        await asyncio.gather(
            *(here.do(f"h{seat}", c.Sit(seat)) for seat in (2, 3, 4)),
            *(there.do(f"t{seat}", c.Sit(seat)) for seat in (5, 6, 7)),
        )
        with pytest.raises(Refused) as refused:
            await there.do("zoe", c.Sit(2))
        assert refused.value.reason is Reason.SEAT_TAKEN
        await here.do("h2", c.Leave())
        tables = [driver.house.table("table-1") for driver in (here, there)]
        for table in tables:
            table.catch_up()
        assert tables[0].state == tables[1].state
        assert len(tables[0].state.places) == 6

    using(place, use)


def test_a_whole_session_through_a_house_verifies(place: str) -> None:
    """Every accepted command of a session, with its chips bought at the cage."""
    session = parse_session((PLAYTHROUGHS / "tasmania-2018.session").read_text())
    steps = list(play_session(session))

    async def use(log: EventLog) -> None:
        time = SessionTime()
        house = house_over(log, time.clock)
        assert await write_session(session, house, time) == []
        table, played = house.table("table-1").state, steps[-1].table
        assert (table.chips, table.coups, table.bank_cents) == (
            played.chips,
            played.coups,
            played.bank_cents,
        )
        root = await house.record_root()
        assert await house.record_root() == root  # nothing was written since
        found = verify(log, bytes.fromhex(root))
        assert found.fault is None
        assert audit(log) == Audited(None, log.count() - 1)

    using(place, use)


def test_whoever_listens_hears_every_change_in_order_and_the_slow_are_dropped(
    tmp_path: Path,
) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        table = driver.house.table("table-1")
        async with aclosing(table.changes()) as quick, aclosing(table.changes()) as slow:
            heard: list[StreamChange] = []
            first = asyncio.ensure_future(anext(slow))
            listening = asyncio.ensure_future(anext(quick))
            await asyncio.sleep(0)
            for number in range(QUEUE + 10):
                await driver.do("dan", c.RaiseDispute(f"{number}", person="ann"))
                heard.append(await listening)
                listening = asyncio.ensure_future(anext(quick))
            assert [change.seq for change in heard] == list(
                range(heard[0].seq, heard[0].seq + QUEUE + 10)
            )
            assert (await first).seq == heard[0].seq
            missed = [change async for change in slow]
            assert len(missed) < QUEUE + 9
            listening.cancel()

    using(str(tmp_path / "house.db"), use)


def test_a_wager_is_stored_before_anyone_is_told(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        table = driver.house.table("table-1")
        async with aclosing(table.changes()) as changes:
            told = asyncio.ensure_future(anext(changes))
            await asyncio.sleep(0)
            await driver.do("dan", c.BuyIn(50_000, "ann"))
            change = await told
            assert log.head("table-1").seq >= change.seq
        with pytest.raises(Refused):
            await driver.do("ann", c.PlaceWager(1, Bet.PLAYER, 5000))
        assert log.head("table-1").seq == table.seq

    using(str(tmp_path / "house.db"), use)


REPLAY = """
import sys
from hashlib import sha256
from pathlib import Path
from msgspec import Struct
from puntobanco.house.house import House
from puntobanco.journal.sqlite import open_log

def plain(value):
    if isinstance(value, Struct):
        return [plain(getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return [(str(key), plain(one)) for key, one in value.items()]  # in the order they came
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    return [plain(one) for one in value] if isinstance(value, tuple) else str(value)

from puntobanco.house.system import CHANCE, CLOCK

for file in sys.argv[1:]:
    log = open_log(Path(file), create=False)
    state = House(log, CLOCK, CHANCE, b"k" * 32).table("table-1").state
    print(file, sha256(repr(plain(state)).encode()).hexdigest())
"""


def test_a_replay_is_the_same_in_another_process_with_another_hash_seed(tmp_path: Path) -> None:
    sessions = sorted(PLAYTHROUGHS.glob("*.session"))
    houses = [str(kept(tmp_path / f"{session.stem}.db", session)) for session in sessions]
    first, *others = (
        subprocess.run(
            [sys.executable, "-c", REPLAY, *houses],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for seed, zone in (("1", "UTC"), ("2", "Australia/Hobart"), ("3", "Asia/Singapore"))
    )
    assert len(first) == len(houses)
    assert others == [first, first]


def test_what_means_the_same_is_stored_in_one_form(tmp_path: Path) -> None:
    """Whoever names themselves says no more than who does not, and says it once."""

    async def use(log: EventLog) -> None:
        driver = await (await Driver(house_over(log)).open()).shoe()
        await driver.do("bob", c.Sit(2, "bob"), "sits")
        await driver.do("bob", c.Sit(2, "bob"), "sits")
        with pytest.raises(ReusedError):
            await driver.do("bob", c.Sit(2), "sits")
        stored = json.loads(list(log.read("table-1"))[-1].command or b"")
        assert stored["command"] == {"do": "sit", "seat": 2}
        assert stored["asked"] == {"do": "sit", "seat": 2, "person": "bob"}
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)
