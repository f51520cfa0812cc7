"""Ways into a house that were found open once: each is shut, and stays so."""

import asyncio
import sqlite3
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.cage import commands as m
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.people import Credential, WebSession
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import LIVE
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.clock import Clock
from puntobanco.house.house import House
from puntobanco.house.intents import Deal, ShuffleHouse
from puntobanco.house.loop import Running
from puntobanco.journal.backup import copy
from puntobanco.journal.log import Append, EventLog, StoppedError
from puntobanco.journal.packing.packed import stored_events
from puntobanco.journal.rows import Entry
from puntobanco.journal.sql import COLUMNS
from puntobanco.journal.sqlite import open_log
from puntobanco.journal.verify import HOUSE
from puntobanco.register import commands as register
from puntobanco.rules.cards import Card
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.state import Phase
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.house.evening import evening
from tests.kit.journal import opened, using
from tests.kit.postgres import new_database


async def refused(reason: Reason, coroutine: object) -> None:
    with pytest.raises(Refused) as caught:
        await coroutine  # type: ignore[misc]
    assert caught.value.reason is reason


async def enrol(house: House, person: str, role: Role, table: str = "") -> Actor:
    await house.give("register", register.Enrol(person, "staff"), "mara", f"enrol-{person}")
    await house.give("register", register.Grant(person, role, table), "mara", f"grant-{person}")
    return house.actor(person, table or "table-1")


def in_a_house(tmp_path: Path, use: object) -> None:
    using(str(tmp_path / "house.db"), use)  # type: ignore[arg-type]


# people


def test_whoever_is_disabled_is_off_duty_at_once_and_a_bot_takes_over(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        house, table = bots.house, bots.house.table("table-1")
        await let_bots_play(bots, [table], 1)
        for person, role in (("dora", Role.DEALER), ("iris", Role.INSPECTOR)):
            by = await enrol(house, person, role, "table-1")
            await house.give("table-1", c.SignOn(role), by.person, f"on-{person}")
            await bots.step(table)
            await house.give("register", register.Disable(person, "left"), "mara", f"off-{person}")
            assert person not in {one.person for one in table.state.staff}
        await let_bots_play(bots, [table], 2)

    in_a_house(tmp_path, use)


def test_a_role_taken_away_counts_for_commands_already_on_their_way(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        house = bots.house
        await enrol(house, "dora", Role.DEALER, "table-1")
        sign_on = house.give(
            "table-1", c.SignOn(Role.DEALER), lambda: house.actor("dora", "table-1").person, "on"
        )
        await house.give("register", register.Disable("dora", "left"), "mara", "off")
        await refused(Reason.DISABLED, sign_on)

    in_a_house(tmp_path, use)


def test_a_manager_of_one_table_manages_no_house(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = (await evening(log, 1, "tas-2018")).house
        await enrol(house, "tom", Role.MANAGEMENT, "table-1")
        assert Role.MANAGEMENT in house.actor("tom", "table-1").roles
        ask = register.Enrol("eve", "staff")
        await refused(Reason.NOT_YOUR_ROLE, house.give("register", ask, "tom", "eve"))

    in_a_house(tmp_path, use)


def test_nobody_is_enrolled_as_the_houses_own_clock(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log)
        await refused(Reason.HOUSE_IS_FOUNDED, house.found(HOUSE, "f"))
        with pytest.raises(msgspec.ValidationError):
            await house.found("bad id\n", "f")
        await house.found("mara", "f")
        ask = register.Enrol(HOUSE, "staff")
        await refused(Reason.ENROLLED_ALREADY, house.give("register", ask, "mara", "e"))

    in_a_house(tmp_path, use)


# tables and shoes


@pytest.mark.parametrize("name", ["table-\n nope", "poker-1", "table-", "table-" + "x" * 80])
def test_a_command_makes_no_table(tmp_path: Path, name: str) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        await refused(
            Reason.NO_SUCH_TABLE,
            driver.house.give(name, c.BeginGamingDay("x"), "mara", "day"),
        )
        bad = c.OpenTable(replace(sample_notice("tas-2018"), seats=99), "d", "s")
        with pytest.raises(Refused):
            await driver.house.give("table-2", bad, "mara", "open")
        assert list(driver.house.tables) == ["table-1"]

    in_a_house(tmp_path, use)


def test_nobody_keys_a_card_where_the_house_deals(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        house, table = bots.house, bots.house.table("table-1")
        await let_bots_play(bots, [table], 1)
        while table.state.phase is not Phase.DEALING:
            assert await bots.step(table)
        dealer = house.actor("bot-dealer-table-1", "table-1")
        draw = c.DrawCard(Card("9c"))
        await refused(Reason.HOUSE_DEALS, house.give("table-1", draw, dealer.person, "key"))
        false = c.Shuffle(commitment="ab" * 32)
        await refused(Reason.HOUSE_COMMITS, house.give("table-1", false, dealer.person, "false"))

    in_a_house(tmp_path, use)


def test_two_deals_at_once_give_two_cards_and_a_repeated_one_the_first(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        house, table = bots.house, bots.house.table("table-1")
        await let_bots_play(bots, [table], 1)
        while not table.state.coup or len(table.state.coup.drawn) != 1:
            assert await bots.step(table)
        dealer = house.actor("bot-dealer-table-1", "table-1")
        one, two = await asyncio.gather(
            house.give("table-1", Deal(), dealer.person, "deal-one"),
            house.give("table-1", Deal(), dealer.person, "deal-two"),
        )
        assert one[0].seq != two[0].seq
        assert await house.give("table-1", Deal(), dealer.person, "deal-one") == one
        while table.state.shoe is not None:
            assert await bots.step(table)
        while table.state.pack.opening_due:
            assert await bots.step(table)
        last = [row for row in log.read("table-1") if b"commitment-opened" in row.events][-1]
        assert b'"agrees":true' in last.events

    in_a_house(tmp_path, use)


def test_a_shuffle_repeated_is_the_first_shuffle(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        await driver.do("dan", c.CheckCards("set A", player="ann"))
        first = await driver.house.give("table-1", ShuffleHouse(), "dan", "shuffle-1")
        assert await driver.house.give("table-1", ShuffleHouse(), "dan", "shuffle-1") == first

    in_a_house(tmp_path, use)


def test_a_shoe_that_does_not_open_stops_its_own_table_and_no_other(tmp_path: Path) -> None:
    where = tmp_path / "house.db"

    async def begin(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018", "tas-2013")
        await let_bots_play(bots, list(bots.house.tables.values()), 2)

    async def go_on(log: EventLog) -> None:
        house = house_over(log, Time().clock, seed=5)
        bots = Bots(house)
        running = Running(house, bots)
        await running.start()
        for _ in range(20):
            await running.tick()
        broken, sound = house.table("table-1"), house.table("table-2")
        assert sound.state.coup_number > 5
        assert broken.state.coup_number <= 3
        dealer = house.actor("bot-dealer-table-1", "table-1")
        await refused(Reason.SEAL_BROKEN, house.give("table-1", Deal(), dealer.person, "deal"))

    using(str(where), begin)
    with sqlite3.connect(where) as db:
        rows = db.execute(f"SELECT {COLUMNS} FROM rows WHERE stream = 'table-1'").fetchall()
        events = [event for row in rows for event in msgspec.json.decode(stored_events(row))]
        (commitment,) = [one["commitment"] for one in events if one["is"] == "cards-shuffled"]
        db.execute("DELETE FROM sealed WHERE commitment = ?", (commitment,))
    using(str(where), go_on)


# the cage


def test_chips_are_not_sold_without_the_table_and_a_count_uses_the_tables_own_bank(
    tmp_path: Path,
) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        await refused(Reason.WITH_THE_TABLE, driver.do("carol", m.SellChips("ann", "table-1", 100)))
        await refused(
            Reason.WITH_THE_TABLE, driver.do("carol", m.RedeemChips("ann", "table-1", 100))
        )
        (counted,) = await driver.do("mara", m.CountTray("table-1", 4_050_000, -950_000))
        assert counted.events[0].expected_cents == 5_000_000

    in_a_house(tmp_path, use)


# found by planting defects, and by a second attack


def test_a_lost_role_ends_the_sessions_too(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = (await evening(log, 1, "tas-2018")).house
        await enrol(house, "dora", Role.DEALER)
        house.people.begin(WebSession("t", "dora", 1, 1))
        await house.give("register", register.Revoke("dora", Role.DEALER), "mara", "revoke")
        assert house.people.session("t") is None
        house.people.begin(WebSession("u", "dora", 1, 1))
        house.people.end("u")
        assert house.people.session("u") is None

    in_a_house(tmp_path, use)


def test_a_bot_is_no_manager_who_remains(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = (await evening(log, 1, "tas-2018")).house
        bot = register.Bot("manager", "")
        await house.give("register", register.Enrol("robo", "staff", bot), "mara", "e")
        await house.give("register", register.Grant("robo", Role.MANAGEMENT), "mara", "g")
        last = register.Revoke("mara", Role.MANAGEMENT)
        await refused(Reason.LAST_MANAGER, house.give("register", last, "mara", "r"))
        await house.give(
            "register", register.Grant("robo", Role.MANAGEMENT, "table-9"), "mara", "g9"
        )
        await house.give(
            "register", register.Revoke("robo", Role.MANAGEMENT, "table-9"), "mara", "r9"
        )

    in_a_house(tmp_path, use)


def test_two_managers_who_disable_each_other_leave_one(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = (await evening(log, 1, "tas-2018")).house
        await enrol(house, "max", Role.MANAGEMENT)
        results = await asyncio.gather(
            house.give("register", register.Disable("max", "x"), "mara", "1"),
            house.give("register", register.Disable("mara", "x"), "max", "2"),
            return_exceptions=True,
        )
        assert sum(isinstance(one, Refused) for one in results) == 1
        assert len(house.register.state.managers) == 1

    in_a_house(tmp_path, use)


def test_credentials_go_with_a_backup_and_web_sessions_do_not(tmp_path: Path) -> None:
    async def main() -> None:
        source, target = await opened(str(tmp_path / "a.db")), await opened(str(tmp_path / "b.db"))
        house = house_over(source)
        people = house.people
        held = Credential("ann", "pin", "hash", 5, 2, 9)
        await house.issue(held, "mara")
        people.begin(WebSession("t", "ann", 1, 1))
        await copy(source, target)
        there = house_over(target).people
        assert there.credential("ann", "pin") == held
        assert there.session("t") is None
        await source.close()
        await target.close()

    asyncio.run(main())


def test_a_refusal_is_never_for_how_things_were_elsewhere(place: str) -> None:
    """Another process has seated bob; here he may bet at once, though nobody told us."""

    async def use(log: EventLog) -> None:
        here = await Driver(house_over(log), "here").open()
        there = Driver(house_over(log), "there")
        await there.do("bob", c.Sit(2))
        await here.do("bob", c.Leave())
        assert "bob" not in here.house.table("table-1").state.places

    using(place, use)


def test_a_foreign_lock_on_the_file_refuses_and_does_not_stop_the_house(tmp_path: Path) -> None:
    def quick(path: str) -> sqlite3.Connection:
        return sqlite3.connect(path, timeout=0.05, isolation_level=None, check_same_thread=False)

    async def main() -> None:
        log = open_log(tmp_path / "house.db", quick)
        other = sqlite3.connect(tmp_path / "house.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        entry = Entry("s", 1, 0, "a", "c1", b"", (), b"[]")
        with pytest.raises(StoppedError, match="nothing was written"):
            await log.append(Append((entry,)))
        other.execute("ROLLBACK")
        other.close()
        (row,) = await log.append(Append((entry,)))
        assert row.seq == 1
        await log.close()
        with pytest.raises(StoppedError, match="closed"):
            await log.append(Append((replace(entry, seq=2, command_id="c2"),)))

    asyncio.run(main())


def test_nobody_can_take_the_clocks_ids(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log)
        assert len({house.own_id("x") for _ in range(100)}) == 100
        assert house_over(log, seed=2).own_id("x") not in {house.own_id("x") for _ in range(100)}

    in_a_house(tmp_path, use)


def test_bots_with_a_clock_that_was_set_back_go_on(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")

    async def begin(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018", start_ms=10**10)
        await let_bots_play(bots, [bots.house.table("table-1")], 2)

    async def later(log: EventLog) -> None:
        house = house_over(log, Time(10**9).clock, seed=3)
        bots = Bots(house, LIVE)
        assert await bots.step(house.table("table-1"))

    using(where, begin)
    using(where, later)


def test_a_bot_gets_money_only_when_its_account_is_short(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        house, table = bots.house, bots.house.table("table-1")
        await let_bots_play(bots, [table], 1)
        state = replace(house.cage.state, trays={})  # no tray: nothing can be bought
        house.cage.state = state
        table.state = replace(table.state, chips=dict.fromkeys(table.state.chips, 0))
        before = house.cage.state.cash_cents
        for _ in range(60):
            await bots.step(table)
        assert house.cage.state.cash_cents <= before + 9 * 100 * 100_000

    in_a_house(tmp_path, use)


def test_a_supervisor_who_does_not_count_here_relieves_no_inspector(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        house, table = bots.house, bots.house.table("table-1")
        await let_bots_play(bots, [table], 1)
        by = await enrol(house, "sue", Role.CASINO_SUPERVISOR, "table-1")
        await house.give("table-1", c.SignOn(Role.CASINO_SUPERVISOR), by.person, "on")
        await let_bots_play(bots, [table], 2)
        assert any(one.role is Role.INSPECTOR for one in table.state.staff)

    in_a_house(tmp_path, use)


def test_processes_that_share_a_house_go_by_its_clock(pg: str) -> None:
    async def main() -> None:
        log = await opened(new_database(pg))
        here, there = Time(10**12), Time(10**12 + 15_000)
        machines = [Clock(time.wall_ms, lambda: 0, time.sleep) for time in (here, there)]
        one, two = (house_over(log, machine) for machine in machines)
        assert abs(one.time.now_ms() - two.time.now_ms()) < 5000
        assert one.time.jump_ms() == 0
        await log.close()

    asyncio.run(main())


def test_a_table_made_while_the_house_runs_gets_no_time_added(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        time = Time()
        house = house_over(log, time.clock)
        running = Running(house)
        await running.start()
        driver = await (await Driver(house).open()).shoe()
        until_ms = house.time.now_ms() + 30_000
        await driver.do("dan", c.OpenCoup(until_ms))
        for _ in range(20):
            await time.sleep(0.25)
            await running.tick()
        coup = house.table("table-1").state.coup
        assert coup is not None
        assert coup.until_ms == until_ms

    in_a_house(tmp_path, use)
