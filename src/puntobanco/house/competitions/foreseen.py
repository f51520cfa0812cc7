"""What a correction at a table would change in its competition, before anyone approves it."""

from functools import reduce
from typing import Any

from puntobanco.competition.impact import Impact, result_impact
from puntobanco.house.house import House
from puntobanco.house.stream import COMPETITION
from puntobanco.table.decide import foresee
from puntobanco.table.evolve import evolve
from puntobanco.table.result import result


async def foreseen_impact(house: House, at: str, ask: Any, who: str) -> Impact | None:
    """The impact on standings, eliminations, lines and prizes of what somebody asks, or approves,
    at a table whose session is over; None: it has none. Nothing is given.
    """
    table = house.tables[at].state
    if table.conditions is None or result(table) is None:
        return None
    held = house.competitions.get(f"{COMPETITION}{table.conditions.competition}")
    whole = await house.complete(at, ask, who)
    would = result(reduce(evolve, foresee(table, whole, house.actor(who, at)), table))
    if held is None or would is None or would.session not in held.state.sessions:
        return None
    moved = held.state.sessions[would.session].moved
    drawn = next((name for name, there in moved.items() if there == at), at)
    return result_impact(held.state, would.session, drawn, would)
