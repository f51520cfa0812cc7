"""Who bets first, whose turn it is, and how long a turn lasts."""

from functools import reduce

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.decide.competition.wagers import riding
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.competition import (
    as_clauses,
    betting_order,
    check_contest,
    circuit,
    have_bet,
    riding_boxes,
    rules_of,
)
from puntobanco.table.state import Table


def begin(table: Table, kind: CoupKind) -> list[TableEvent]:
    """The puck before the first coup, where players bet one after another; after a Tie, wagers
    ride [tas-2018:16.5.4, 16.5.8].
    """
    if not table.is_contest:
        return []
    begun: list[TableEvent] = []
    rules = rules_of(table)
    if rules.order is not None and table.contest.puck is None:
        begun.append(events.PuckMoved(_first(table), clauses=as_clauses(rules.order_clause)))
    if kind.takes_wagers:
        clause = rules.after_tie
        begun += [
            events.WagerPlaced(wager, clauses=(clause,))
            for wager in riding(table)
            if table.chips.get(wager.by, 0) >= wager.cents
        ]
    return begun


def _first(table: Table) -> int:
    """At the dealer's right [tas-2018:16.5.4]; elsewhere as it was drawn."""
    assert table.conditions is not None
    right, seated = table.terms.seats.at_dealers_right, table.seated
    drawn = table.contest.first_seat or table.conditions.first_seat
    drawn = drawn if rules_of(table).first == "drawn" else None
    return next((seat for seat in circuit(table, drawn or right) if seat in seated), right)


def move_puck(table: Table) -> list[TableEvent]:
    """To the next player in the game [tas-2018:16.5.5, act-2015:d.starting-marker]."""
    rules, seated, here = rules_of(table), table.seated, table.contest.puck
    if rules.order is None or here is None or not seated:
        return []
    following = next(seat for seat in (*circuit(table, here)[1:], here) if seat in seated)
    return [events.PuckMoved(following, clauses=as_clauses(rules.moves_clause))]


def with_puck(table: Table, happened: list[TableEvent]) -> list[TableEvent]:
    """What happened; and the puck moves on at once from a seat that it has made void."""
    after = reduce(evolve, happened, table)
    holds = after.contest.puck is None or after.contest.puck in after.seated
    return [*happened, *([] if holds else move_puck(after))]


def ask_for_wager(table: Table, ask: c.AskForWager, by: Actor) -> list[TableEvent]:
    """The dealer asks the player whose turn it is [act-2015:15.16, tas-2018:16.4.7]."""
    check_contest(table)
    rules, due = rules_of(table), seat_to_ask(table)
    if due is None:
        raise Refused(Reason.ALL_HAVE_BET, rules.order_clause or CONDITIONS)
    if ask.seat not in (due, table.contest.asked):
        raise Refused(
            Reason.NOT_THEIR_TURN, rules.order_clause or CONDITIONS, seat=ask.seat, due=due
        )
    _check_time(table, ask, by)
    clauses = as_clauses(rules.time_limit)
    return [events.WagerAsked(ask.seat, ask.until_ms, table.utc_minutes, clauses=clauses)]


def seat_to_ask(table: Table) -> int | None:
    """Who is asked next: the first who has not bet, or who may alter what a Tie left lying and
    was not asked before [act-2015:15.16, tas-2018:16.5.8].
    """
    order, asked = betting_order(table), table.contest.asked
    passed = order[: order.index(asked) + 1] if asked in order else ()
    may = riding_boxes(table) - {*passed}
    done = have_bet(table)
    return next((seat for seat in order if seat not in done or seat in may), None)


def _check_time(table: Table, ask: c.AskForWager, by: Actor) -> None:
    """A time lies in the future, is never cut short, and is over once it was over."""
    contest, clause = table.contest, rules_of(table).time_limit or CONDITIONS
    if ask.until_ms is not None and ask.until_ms <= by.at_ms:
        raise Refused(Reason.TIME_IS_PAST, clause)
    if ask.seat in contest.restricted and ask.until_ms is not None:
        raise Refused(Reason.TIME_WAS_OVER, clause, seat=ask.seat)
    running = contest.until_ms if contest.asked == ask.seat else None
    if running is not None and (ask.until_ms is None or ask.until_ms < running):
        raise Refused(Reason.TIME_CUT_SHORT, clause, seat=ask.seat)


def close_window(table: Table, ask: c.CloseWindow, by: Actor) -> list[TableEvent]:
    """No wager in time: the player may be held to the minimum [tas-2018:16.4.8]."""
    check_contest(table)
    rules, contest = rules_of(table), table.contest
    if contest.asked != ask.seat or contest.until_ms is None:
        raise Refused(Reason.NO_TIME_SET, rules.time_limit or CONDITIONS, seat=ask.seat)
    if by.at_ms < contest.until_ms:
        raise Refused(Reason.TIME_NOT_OVER, rules.time_limit or CONDITIONS, seat=ask.seat)
    return [events.WindowClosed(ask.seat, clauses=as_clauses(rules.time_over))]


DECIDE: Decides = {c.AskForWager: ask_for_wager, c.CloseWindow: close_window}
