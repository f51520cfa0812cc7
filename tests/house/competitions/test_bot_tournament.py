"""Tournaments of bots: one after another, from conditions to prizes, forms and all."""

from pathlib import Path

from puntobanco.competition.commands import Substitute
from puntobanco.competition.state import CompetitionPhase
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import AT_ONCE, LIVE, Pace
from puntobanco.house.bots.setup import hire_cashier, staff_tournament
from puntobanco.house.checks.audit import audit
from puntobanco.house.competitions.relay import Relay
from puntobanco.house.loop import Running
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import verify
from puntobanco.register.commands import Enrol
from tests.kit.clauses import clause
from tests.kit.house.driver import Time, house_over
from tests.kit.journal import using

DONE = CompetitionPhase.DONE
COUPS = 3
FIRST, SECOND = "competition-table-4-1", "competition-table-4-2"


async def running(log: EventLog, pace: Pace = AT_ONCE) -> Running:
    house = house_over(log, Time(1_700_000_000_000).clock, 3)
    await house.found("mara", "found")
    await hire_cashier(house, "mara")
    await staff_tournament(house, "table-4", "mara", 5)
    runs = Running(house, Bots(house, pace))
    await runs.start()
    return runs


async def until_done(runs: Running, name: str, ticks: int) -> None:
    for _ in range(ticks):
        await runs.tick()
        await runs.house.clock.sleep(0.25)
        held = runs.house.competitions.get(name)
        if held is not None and held.state.phase is DONE:
            return
    phases = {name: held.state.phase for name, held in runs.house.competitions.items()}
    raise AssertionError(f"{name} is not done: {phases}, {runs.relay.refused}")


@clause("mbs-2017:0.front")
def test_bots_play_one_tournament_after_another_in_singapore(tmp_path: Path) -> None:
    """[mbs-2017:0.front] Fees, forms, places and prizes; the table opens again for the next."""

    async def use(log: EventLog) -> None:
        runs = await running(log)
        await until_done(runs, SECOND, 4000)
        house = runs.house
        for name in (FIRST, SECOND):
            won = house.competitions[name].state
            assert won.money.fees_cents == won.money.paid_cents == 5 * 10_000
            assert won.money.pot_cents == 0
            assert len(won.places) >= 1
        rows = [row.events for row in log.read("table-4")]
        assert sum(b'"secret-lodged"' in events for events in rows) >= 5
        assert any(b'"session-began"' in events or b'"session-begun"' in events for events in rows)
        assert house.cage.state.balances
        await house.record_root()
        assert verify(log).fault is None
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)


def test_a_tournament_goes_on_where_it_was_after_every_crash(tmp_path: Path) -> None:
    """Nothing is shut down properly; no row is doubled, and it comes to its end."""
    where = str(tmp_path / "house.db")

    async def begin(log: EventLog) -> None:
        await running(log)

    async def go_on(log: EventLog) -> None:
        house = house_over(log, Time(1_700_000_000_000).clock, 3)
        runs = Running(house, Bots(house, Pace(act_ms=200)))
        await runs.start()
        for _ in range(60):
            await runs.tick()
            await house.clock.sleep(0.25)

    async def end(log: EventLog) -> None:
        house = house_over(log, Time(1_700_000_100_000).clock, 3)
        runs = Running(house, Bots(house, AT_ONCE))
        await runs.start()
        await until_done(runs, FIRST, 2000)
        await house.record_root()
        assert audit(log).fault is None

    using(where, begin)
    for _ in range(3):
        using(where, go_on)
    using(where, end)


def test_a_bot_leaves_its_seat_to_the_person_who_sits_for_it(tmp_path: Path) -> None:
    """[tas-2018:16.3.3] So that whoever looks on can take over a seat at any time."""

    async def use(log: EventLog) -> None:
        house = (await running(log)).house
        bots, relay = Bots(house), Relay(house)
        await house.give("register", Enrol("ann", "patron"), "mara", "ann")
        for _ in range(200):
            await bots.step_tournament("table-4")
            await relay.bring_into_line(FIRST)
            if house.competitions[FIRST].state.phase is CompetitionPhase.RUNNING:
                break
        table = house.tables["table-4"]
        while not table.state.places and await bots.step(table):
            pass
        sits = Substitute(next(iter(table.state.places)), "ann")
        await house.give(FIRST, sits, "bot-director-table-4", "ann sits")
        await relay.bring_into_line(FIRST)
        since = table.seq
        while table.state.coup_number < COUPS and await bots.step(table):
            pass
        assert table.state.coup_number == COUPS
        assert sits.person not in {row.actor for row in log.read("table-4", since)}

    using(str(tmp_path / "house.db"), use)


def test_at_a_live_pace_people_have_time_to_watch(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        runs = await running(log, LIVE)
        for _ in range(4 * 180):
            await runs.tick()
            await runs.house.clock.sleep(0.25)
        cup = runs.house.competitions[FIRST].state
        assert cup.phase is CompetitionPhase.RUNNING
        assert 1 <= runs.house.tables["table-4"].state.coup_number <= 8
        (told_ms,) = cup.starts["final"]
        rows = log.read(FIRST)
        (began,) = (row for row in rows if b'"session-started"' in row.events)
        late_ms = began.at_ms - told_ms
        assert 0 <= late_ms < 60_000, "nobody is late before the time that everybody was told"

    using(str(tmp_path / "house.db"), use)
