"""An evening of bots."""

from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import AT_ONCE, Pace
from puntobanco.house.bots.setup import hire_cashier, open_bot_table, staff_table
from puntobanco.journal.log import EventLog
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.next_step import next_step
from puntobanco.words import Step
from tests.kit.house.driver import Time, house_over


async def evening(
    log: EventLog, seed: int = 1, *rulesets: str, pace: Pace = AT_ONCE, start_ms: int = 1_000_000
) -> Bots:
    """A house with a table for each rule set that is played for money, staffed by bots."""
    house = house_over(log, Time(start_ms).clock, seed)
    await house.found("mara", "found")
    await hire_cashier(house, "mara")
    for number, ruleset in enumerate(rulesets or for_money(), 1):
        name = f"table-{number}"
        notice = sample_notice(ruleset)
        await staff_table(house, name, "mara", notice.seats)
        await open_bot_table(house, name, notice, "mara", "monday")
    return Bots(house, pace)


async def turning(bots: Bots) -> tuple[str, int]:
    """A player asks for it; play goes on until a hand lies face down before somebody."""
    stream = bots.house.tables["table-1"]
    for number in range(400):
        state = stream.state
        if state.coup and state.coup.held_by and next_step(state).step is Step.TURN_CARDS:
            side, person = next(iter(state.coup.held_by.items()))
            return person, 1 if side == "player" else 2
        if state.places and len(state.face_down.asked_by) < len(state.places):
            asks = next(one for one in state.places if one not in state.face_down.asked_by)
            by = bots.house.actor(asks, "table-1")
            await bots.house.give("table-1", c.AskFaceDown(), by.person, f"ask-{number}")
        else:
            assert await bots.step(stream)
    raise AssertionError("no hand was ever passed to a player")
