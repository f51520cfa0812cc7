"""What a correction at a table would change in its competition, before anyone approves it."""

from collections.abc import Iterable
from functools import reduce

from puntobanco.competition.impact import Impact, result_impact
from puntobanco.house.house import House
from puntobanco.house.stream import COMPETITION
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.result import result


def foreseen_impact(house: House, at: str, events: Iterable[TableEvent]) -> Impact | None:
    """The impact on standings, eliminations, lines and prizes of what would happen at a table
    whose session is over; None: its result stays as it is.
    """
    table = house.tables[at].state if at in house.tables else None
    if table is None or table.conditions is None or (now := result(table)) is None:
        return None
    held = house.competitions.get(f"{COMPETITION}{table.conditions.competition}")
    would = result(reduce(evolve, events, table))
    if held is None or would in (None, now) or now.session not in held.state.sessions:
        return None
    moved = held.state.sessions[now.session].moved
    drawn = next((name for name, there in moved.items() if there == at), at)
    return result_impact(held.state, now.session, drawn, would)
