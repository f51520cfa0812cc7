"""Times that were set and run out by the house's clock: for bets, for a turn, for a notice.

The clock does nobody's work. It puts on record that a time is over; the dealer still calls and
deals, management still lets a change hold, and whether a player who was too slow is held to the
minimum is for people to say [tas-2018:16.4.8].
"""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.clocks import next_deadline, over
from puntobanco.table.state import Table


def run_out(table: Table, _ask: c.RunOut, by: Actor) -> list[TableEvent]:
    """Put on record every time that is over by now."""
    found = over(table, by.at_ms)
    if not found:
        raise Refused(Reason.NO_TIME_IS_OVER, CONDITIONS)
    return found


def hold_clocks(table: Table, ask: c.HoldClocks, _by: Actor) -> list[TableEvent]:
    """Time in which nobody could act does not count: a time is never shortened."""
    if next_deadline(table) is None:
        raise Refused(Reason.NO_TIME_RUNS, CONDITIONS)
    return [events.ClocksHeld(ask.for_ms)]


DECIDE: Decides = {c.RunOut: run_out, c.HoldClocks: hold_clocks}
