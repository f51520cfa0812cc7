"""Bots keep a table's tempo: as it is set now, to a tenth of a second, by the house's clock."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from puntobanco.errors import Refused
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import LIVE
from puntobanco.house.loop import LEAST_TICK_S, TICK_S, Running
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.register.settings import Tempo
from puntobanco.rules.documents.texts import for_money
from puntobanco.table import commands as c
from tests.kit.house.evening import evening
from tests.kit.journal import using

NEAR_MS = 100
ONE_COUP_MS = 5000
"""Cards that are further apart are of two coups."""


async def played(bots: Bots, minutes: float) -> Running:
    """Let the house run as it runs by itself, from one tick to the next."""
    house = bots.house
    running = Running(house, bots)
    await running.start()
    until = house.time.now_ms() + minutes * 60_000
    while house.time.now_ms() < until:
        await running.tick()
        nap = running.nap_s()
        assert LEAST_TICK_S <= nap <= TICK_S
        await house.clock.sleep(nap)
    return running


def moments(log: EventLog, after: int = 0) -> list[tuple[str, int]]:
    """What happened at the table, and when: one line for each event."""
    return [
        (event["is"], row.at_ms)
        for row in log.read("table-1")
        if row.seq > after
        for event in msgspec.json.decode(row.events)
    ]


def between(log: EventLog, first: str, then: str, after: int = 0) -> list[int]:
    """Milliseconds from each event of one kind to the next, if that is of the other."""
    kept = [one for one in moments(log, after) if one[0] in (first, then)]
    return [there - here for (a, here), (b, there) in pairwise(kept) if (a, b) == (first, then)]


def run(tmp_path: Path, use: Callable[[EventLog], Awaitable[None]]) -> None:
    using(str(tmp_path / "house.db"), use)


@pytest.mark.parametrize("ruleset", for_money())
def test_a_coup_goes_at_the_usual_tempo(tmp_path: Path, ruleset: str) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, ruleset, pace=LIVE)
        await played(bots, 8)
        usual = Tempo()
        opened = between(log, "coup-opened", "betting-time-over")
        assert len(opened) >= 8
        assert all(0 <= ms - usual.bets_ms <= NEAR_MS for ms in opened), opened
        stayed = between(log, "result-declared", "coup-opened")
        assert all(
            usual.result_ms <= ms <= usual.result_ms + usual.card_ms + NEAR_MS for ms in stayed
        )
        cleared = between(log, "result-declared", "coup-ended")
        assert all(0 <= ms - usual.result_ms <= NEAR_MS for ms in cleared), cleared
        cards = [ms for ms in between(log, "card-drawn", "card-drawn") if ms < ONE_COUP_MS]
        first = [ms for ms in cards if ms < usual.third_ms - NEAR_MS]
        third = [ms for ms in cards if ms not in first]
        assert first
        assert third
        assert all(0 <= ms - usual.card_ms <= NEAR_MS for ms in first), first
        assert all(0 <= ms - usual.third_ms <= NEAR_MS for ms in third), third
        declared = between(log, "card-drawn", "result-declared")
        assert all(0 <= ms - usual.declare_ms <= NEAR_MS for ms in declared), declared

    run(tmp_path, use)


def test_a_tempo_that_is_set_holds_from_the_next_step_at_that_table_alone(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018", "tas-2018", pace=LIVE)
        house = bots.house
        await played(bots, 1)
        quick = Tempo(5_000, 200, 300, 400, 2_000)
        await house.give("register", register.SetTempo("table-1", quick), "mara", "tempo-0001")
        begun = house.tables["table-1"].seq
        coups = {name: stream.state.coup_number for name, stream in house.tables.items()}
        await played(bots, 3)
        more = {
            name: stream.state.coup_number - coups[name] for name, stream in house.tables.items()
        }
        assert more["table-1"] > 2 * more["table-2"] > 0
        cards = between(log, "card-drawn", "card-drawn", begun)
        cards = [ms for ms in cards if ms < ONE_COUP_MS]
        assert cards
        assert {round(ms, -2) for ms in cards} == {200, 300}
        cleared = between(log, "result-declared", "coup-ended", begun)
        assert all(0 <= ms - 2_000 <= NEAR_MS for ms in cleared)

    run(tmp_path, use)


def test_whatever_a_player_does_meanwhile_holds_up_nobody(tmp_path: Path) -> None:
    """A patron who buys chips again and again, sooner than staff act, does not stop the table."""

    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018", pace=LIVE)
        house = bots.house
        running = Running(house, bots)
        await running.start()
        buys = c.BuyIn(1000, "bot-1-table-1")
        for number in range(300):
            await running.tick()
            with suppress(Refused):
                await house.give("table-1", buys, "bot-dealer-table-1", f"again-{number}")
            await house.clock.sleep(0.3)
        stayed = between(log, "result-declared", "coup-opened")
        assert len(stayed) >= 2
        assert max(stayed) <= Tempo().result_ms + Tempo().card_ms + 300 + NEAR_MS

    run(tmp_path, use)


def test_nobody_looks_at_a_table_that_waits_for_its_time(tmp_path: Path) -> None:
    """A tick costs nothing where a pause is not over and no row has come."""

    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018", pace=LIVE)
        house, table = bots.house, bots.house.tables["table-1"]
        running = await played(bots, 1)
        for _ in range(400):  # within a coup
            if bots.due_ms(house.time.now_ms()) is not None:
                break
            await running.tick()
            await house.clock.sleep(0.05)
        asked: list[object] = []

        def counted(*args: object) -> object:
            asked.append(args)
            return iter(())

        bots._wishes = counted  # type: ignore[assignment,method-assign]
        assert not await bots.step(table)
        assert not asked
        await house.clock.sleep(60)
        assert not await bots.step(table)
        assert len(asked) == 1

    run(tmp_path, use)
