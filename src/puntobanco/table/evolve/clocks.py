"""What the house's clock changes."""

from msgspec.structs import replace

from puntobanco.table import events
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Table


def betting_time_over(table: Table, _event: events.BettingTimeOver) -> Table:
    return replace(table, coup=replace(live(table), time_over=True))


def turn_time_over(table: Table, _event: events.TurnTimeOver) -> Table:
    return replace(table, contest=replace(table.contest, time_over=True))


def change_due(table: Table, _event: events.ChangeDue) -> Table:
    assert table.posted is not None
    return replace(table, posted=replace(table.posted, due=True))


def clocks_held(table: Table, event: events.ClocksHeld) -> Table:
    coup, posted, contest = table.coup, table.posted, table.contest
    if coup and coup.until_ms is not None:
        coup = replace(coup, until_ms=coup.until_ms + event.for_ms)
    if posted and not posted.due:
        posted = replace(posted, shown_ms=posted.shown_ms + event.for_ms)
    if contest.until_ms is not None:
        contest = replace(contest, until_ms=contest.until_ms + event.for_ms)
    return replace(table, coup=coup, posted=posted, contest=contest)


def closing_due(table: Table, _event: events.ClosingDue) -> Table:
    return replace(table, closing_due=True)


APPLY: events.Applies = {
    events.BettingTimeOver: betting_time_over,
    events.TurnTimeOver: turn_time_over,
    events.ChangeDue: change_due,
    events.ClosingDue: closing_due,
    events.ClocksHeld: clocks_held,
}
