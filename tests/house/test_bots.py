"""Bots play by the rules, whole evenings from a seed; a person relieves them at any time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from puntobanco.errors import Refused, UnusableError
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import LIVE
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.checks.audit import audit
from puntobanco.house.checks.older import balances
from puntobanco.house.house import House
from puntobanco.house.loop import Running
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import verify
from puntobanco.register import commands as register
from puntobanco.rules.documents.texts import for_money
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.next_step import next_step
from puntobanco.table.state import Phase
from tests.kit.house.driver import Time, house_over, seeded
from tests.kit.house.evening import evening
from tests.kit.journal import using

KILLS = 3 * int(os.environ.get("FAULTS", "1"))


def shown(house: House) -> str:
    return "; ".join(f"{n}: {next_step(s.state).step}" for n, s in house.tables.items())


def test_an_evening_under_every_rule_set_verifies(tmp_path: Path) -> None:
    """More than a shoe each: ended, opened, checked, shuffled anew."""

    async def use(log: EventLog) -> None:
        bots = await evening(log)
        house = bots.house
        tables = list(house.tables.values())
        await let_bots_play(bots, tables, 100)
        for table in tables:
            assert table.state.coup_number >= 100, shown(house)
            assert table.state.shoe_number >= 2
            assert balances(table.state)
            opened = [row for row in log.read(table.name) if b'"commitment-opened"' in row.events]
            assert opened
            assert all(b'"agrees":true' in row.events for row in opened)
        assert house.cage.state.balances
        assert verify(log).fault is None
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)


def test_a_seed_gives_the_same_evening_to_the_byte(tmp_path: Path) -> None:
    def root(name: str, seed: int) -> bytes:
        async def use(log: EventLog) -> bytes:
            bots = await evening(log, seed)
            await let_bots_play(bots, list(bots.house.tables.values()), 20)
            return verify(log).root

        return using(str(tmp_path / name), use)

    first = root("a.db", 1)
    assert root("b.db", 1) == first
    assert root("c.db", 2) != first


def test_an_evening_goes_on_where_it_was_after_every_crash(tmp_path: Path) -> None:
    """Nothing is shut down properly; the house starts from its rows each time."""
    where = str(tmp_path / "house.db")

    async def begin(log: EventLog) -> None:
        await evening(log, 1, "tas-2018")

    async def some(log: EventLog) -> None:
        house = house_over(log, Time(50_000_000).clock, seed)
        table = house.table("table-1")
        bots = Bots(house)
        for _ in range(7 * seed):
            assert await bots.step(table), shown(house)
        assert balances(table.state)

    using(where, begin)
    for seed in range(2, 12):  # noqa: B007  `some` uses it
        using(where, some)

    async def check(log: EventLog) -> None:
        assert verify(log).fault is None
        assert audit(log).fault is None
        assert house_over(log).table("table-1").state.coup_number > 10

    using(where, check)


@pytest.mark.parametrize("duty", ["dealer", "inspector"])
def test_a_person_relieves_a_bot_amid_a_coup_and_is_relieved_in_turn(
    tmp_path: Path, duty: str
) -> None:
    role = Role(duty)

    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        house, table = bots.house, bots.house.table("table-1")
        await let_bots_play(bots, [table], 2)
        while table.state.phase is not Phase.DEALING:
            assert await bots.step(table)
        await house.give("register", register.Enrol("dora", "staff"), "mara", "1")
        await house.give("register", register.Grant("dora", role, "table-1"), "mara", "2")
        dora = house.actor("dora", "table-1")
        await house.give("table-1", c.SignOn(role), dora.person, "on")
        assert await bots.step(table)
        on_duty = [one.person for one in table.state.staff if one.role is role]
        assert on_duty == ["dora"]
        if duty == "dealer":
            assert not await bots.step(table)  # her turn now
        await house.give("table-1", c.SignOff(), "dora", "off")
        assert await bots.step(table)
        assert [one.person for one in table.state.staff if one.role is role] == [
            f"bot-{duty}-table-1"
        ]
        await let_bots_play(bots, [table], 2)

    using(str(tmp_path / "house.db"), use)


def test_at_a_live_pace_bets_have_their_time(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "act-2015", pace=LIVE)
        house, table = bots.house, bots.house.table("table-1")
        time = house.clock
        running = Running(house, bots)
        await running.start()
        for _ in range(4 * 240):
            await running.tick()
            await time.sleep(0.25)
        assert 5 <= table.state.coup_number <= 10
        over = [row.at_ms for row in log.read("table-1") if b"betting-time-over" in row.events]
        begun = [row.at_ms for row in log.read("table-1") if b"coup-opened" in row.events]
        assert all(15_000 <= end - start <= 15_500 for start, end in zip(begun, over, strict=False))

    using(str(tmp_path / "house.db"), use)


def test_a_disabled_bot_does_nothing_more(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        house, table = bots.house, bots.house.table("table-1")
        await let_bots_play(bots, [table], 1)
        disable = register.Disable("bot-dealer-table-1", "enough")
        await house.give("register", disable, "mara", "enough")
        seq = table.seq
        while await bots.step(table):
            assert table.seq < seq + 20
        assert not await bots.step(table)

    using(str(tmp_path / "house.db"), use)


def test_an_interrupted_coup_is_where_it_was_its_stakes_held_and_void_before_the_next(
    tmp_path: Path,
) -> None:
    where = str(tmp_path / "house.db")

    async def before(log: EventLog) -> tuple[int, int, int]:
        bots = await evening(log, 1, "tas-2018")
        table = bots.house.table("table-1")
        await let_bots_play(bots, [table], 3)
        while table.state.coup is None or len(table.state.coup.drawn) != 3:
            assert await bots.step(table)
        state = table.state
        return state.layout_cents, sum(state.chips.values()), table.seq

    async def after(log: EventLog) -> None:
        house = house_over(log, Time().clock, 9)
        table = house.table("table-1")
        state = table.state
        assert (state.layout_cents, sum(state.chips.values()), table.seq) == stopped
        assert state.layout_cents > 0
        mara = house.actor("mara")
        for person, role in (("dora", Role.DEALER), ("ines", Role.INSPECTOR)):
            await house.give("register", register.Enrol(person, "staff"), "mara", f"e-{person}")
            await house.give("register", register.Grant(person, role), "mara", f"g-{person}")
            by = house.actor(person, "table-1")
            await house.give("table-1", c.SignOn(role), by.person, f"on-{person}")
        with pytest.raises(Refused):
            await house.give("table-1", c.OpenCoup(), "dora", "next")
        ines = house.actor("ines", "table-1")
        void = c.VoidCoup("impractical", "the power failed")
        await house.give("table-1", void, ines.person, "void")
        assert table.state.layout_cents > 0  # one person voids nothing
        (number,) = table.state.proposals
        await house.give("table-1", c.Approve(number), mara.person, "approve")
        assert table.state.layout_cents == 0
        assert sum(table.state.chips.values()) == stopped[0] + stopped[1]
        await house.give("table-1", c.EndCoup(), "dora", "end")
        await house.give("table-1", c.OpenCoup(), "dora", "again")
        assert audit(log).fault is None

    stopped = using(where, before)
    using(where, after)


def test_a_house_with_the_wrong_key_says_so_before_it_runs(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")

    async def before(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        await let_bots_play(bots, [bots.house.table("table-1")], 1)

    async def wrong(log: EventLog) -> None:
        with pytest.raises(UnusableError, match="was written under another key"):
            House(log, Time().clock, seeded(1), b"x" * 32)

    using(where, before)
    using(where, wrong)


PLAYING = """
import asyncio, sys
from pathlib import Path
from puntobanco.house.bots.crew import Bots
from puntobanco.house.house import House
from puntobanco.house.system import CHANCE, CLOCK
from puntobanco.journal.sqlite import open_log

async def main():
    house = House(open_log(Path(sys.argv[1])), CLOCK, CHANCE, b"k" * 32)
    bots = Bots(house)
    async def one(table):
        while await bots.step(table):
            print(table.name, table.seq, flush=True)
    await asyncio.gather(*(one(table) for table in house.tables.values()))

asyncio.run(main())
"""


def test_a_whole_house_killed_again_and_again_loses_nothing_it_said(tmp_path: Path) -> None:
    """Killed with -9 amid play: every row a bot was told of is there, and all of it verifies."""
    where = str(tmp_path / "house.db")

    async def begin(log: EventLog) -> None:
        await evening(log)

    async def check(log: EventLog) -> dict[str, int]:
        assert verify(log).fault is None
        assert audit(log).fault is None
        return {stream: log.head(stream).seq for stream in log.streams()}

    using(where, begin)
    for turn in range(KILLS):
        child = subprocess.Popen(
            [sys.executable, "-c", PLAYING, where], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        said: dict[str, int] = {}
        for line in child.stdout:
            stream, seq = line.split()
            said[stream] = int(seq)
            if sum(said.values()) > 400 * (turn + 1) + 37 * turn:
                child.kill()
                break
        child.stdout.close()
        child.wait()
        ends = using(where, check)
        assert len(said) == len(for_money())
        assert all(ends[stream] >= seq for stream, seq in said.items())
