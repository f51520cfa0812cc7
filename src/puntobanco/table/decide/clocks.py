"""Times that were set and run out by the house's clock: for bets, for a turn, for a notice.

The clock does nobody's work. It puts on record that a time is over; the dealer still calls and
deals, management still lets a change hold, and whether a player who was too slow is held to the
minimum is for people to say [tas-2018:16.4.8].
"""

from collections.abc import Iterator

from puntobanco.errors import Reason, Refused
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.decide.betting import wants_wager
from puntobanco.table.decide.contest import rules_of, turn
from puntobanco.table.decide.notices import change_due_ms, notice_clauses
from puntobanco.table.decide.opening import closing_clauses
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.state import Phase, Table


def deadlines(table: Table) -> Iterator[tuple[int, TableEvent]]:
    """Every time that runs now, with what happens when it is over."""
    coup, contest = table.coup, table.contest
    if coup and coup.until_ms is not None and not (coup.called or coup.locked or coup.time_over):
        yield coup.until_ms, events.BettingTimeOver()
    waits = table.phase is Phase.BETTING and turn(table) == contest.asked and not contest.time_over
    if contest.until_ms is not None and contest.asked and waits:
        limit = rules_of(table).time_limit
        yield (
            contest.until_ms,
            events.TurnTimeOver(contest.asked, clauses=(limit,) if limit else ()),
        )
    if table.posted is not None and not table.posted.due:
        yield change_due_ms(table), events.ChangeDue(clauses=notice_clauses(table))
    if table.closing_ms is not None and table.is_open and not table.closing_due:
        yield table.closing_ms, events.ClosingDue(clauses=closing_clauses(table))


def next_deadline(table: Table) -> int | None:
    """When the next time is over; None while none runs."""
    return min((at_ms for at_ms, _ in deadlines(table)), default=None)


def over(table: Table, now_ms: int) -> list[TableEvent]:
    """What is over by now; bets stay open while a wager is wanted and nobody has made one."""
    found = [event for at_ms, event in deadlines(table) if at_ms <= now_ms]
    if wants_wager(table) and table.coup and not table.coup.wagers:
        return [event for event in found if not isinstance(event, events.BettingTimeOver)]
    return found


def run_out(table: Table, _ask: c.RunOut, by: Actor) -> list[TableEvent]:
    """Put on record whatever is over by now."""
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
