"""Times that run at a table, and what is over when they are."""

from collections.abc import Iterator

from puntobanco.table import events
from puntobanco.table.events import TableEvent
from puntobanco.table.queries.betting import wants_wager
from puntobanco.table.queries.competition import rules_of, seat_to_bet
from puntobanco.table.queries.notice import change_due_ms, notice_clauses
from puntobanco.table.state import Phase, Table


def closing_clauses(table: Table) -> tuple[str, ...]:
    rule = table.terms.rules.table.early_closing
    return (rule.clause,) if rule else ()


def deadlines(table: Table) -> Iterator[tuple[int, TableEvent]]:
    """Every time that runs now, with what happens when it is over."""
    coup, contest = table.coup, table.contest
    if coup and coup.until_ms is not None and not (coup.called or coup.locked or coup.time_over):
        yield coup.until_ms, events.BettingTimeOver()
    waits = (
        table.phase is Phase.BETTING
        and seat_to_bet(table) == contest.asked
        and not contest.time_over
    )
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
