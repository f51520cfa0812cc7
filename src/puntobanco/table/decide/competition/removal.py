"""Who is out of a competition, and why."""

from typing import Literal

from puntobanco.table import events
from puntobanco.table.events import TableEvent
from puntobanco.table.queries.competition import rules_of
from puntobanco.table.state import Table


def eliminations(table: Table) -> list[TableEvent]:
    """Who can no longer make the posted minimum [tas-2018:16.5.9, act-2015:15.14]."""
    rules, conditions = rules_of(table), table.conditions
    assert conditions is not None
    if not rules.eliminated:
        return []
    least = table.terms.notice.limits.min_cents
    kept: Literal["operator", "player"] = (
        "operator" if conditions.chips == "competition" else "player"
    )
    return [
        events.PlayerEliminated(
            person, seat, table.chips.get(person, 0), kept, clauses=(rules.eliminated,)
        )
        for seat, person in table.seated.items()
        if table.chips.get(person, 0) < least
    ]
