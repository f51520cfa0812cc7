"""Times that were set: they run out on record, are never shortened, and do nobody's work."""

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.decide import run
from puntobanco.table.queries.clocks import next_deadline
from tests.kit.table.at import At, contest, of, one, ready

RULESETS = ("tas-2018", "tas-2013", "act-2015", "mbs-2017")


def tick(at: At, ask: c.TableCommand) -> list[events.TableEvent]:
    """The house's clock says so."""
    at.table, new = run(at.table, ask, Actor("house", frozenset({Role.HOUSE}), at.at_ms))
    return new


@pytest.mark.parametrize("ruleset", RULESETS)
def test_when_time_is_over_devices_are_shut_and_the_dealer_deals_as_ever(ruleset: str) -> None:
    at = ready(ruleset, "ann", "bob")
    least = at.table.terms.limits[Bet.BANKER].min_cents
    at.do("dan", c.OpenCoup(at.at_ms + 30_000))
    assert next_deadline(at.table) == at.at_ms + 29_000
    at.do("ann", c.PlaceWager(1, Bet.BANKER, least))
    at.later(1)
    assert of(events.BettingTimeOver, tick(at, c.RunOut()))
    assert next_deadline(at.table) is None
    assert at.view().play is not None
    for ask in (
        c.PlaceWager(2, Bet.PLAYER, least),
        c.ChangeWager(1, Bet.BANKER, 2 * least),
        c.WithdrawWager(1, Bet.BANKER),
    ):
        person = "bob" if ask.box == 2 else "ann"
        at.refuse(person, ask, Reason.BETTING_TIME_OVER)
    at.do("dan", c.PlaceWager(2, Bet.PLAYER, least, "bob"))
    at.deal("9c Kd Kh 7s")
    one(events.ResultDeclared, at.do("dan", c.DeclareResult()))


def test_a_clock_that_was_called_before_it_ran_out_runs_no_more() -> None:
    at = ready("mbs-2017", "ann")
    at.do("dan", c.OpenCoup(at.at_ms + 30_000))
    at.do("dan", c.NoMoreBets())
    assert next_deadline(at.table) is None


def test_bets_stay_open_while_a_wager_is_wanted_and_nobody_has_made_one() -> None:
    """tas-2018:6.2: without one the coup could never be dealt."""
    at = ready("tas-2018", "ann")
    at.do("dan", c.OpenCoup(at.at_ms + 30_000))
    at.later(2)
    with pytest.raises(Refused):
        tick(at, c.RunOut())
    at.do("ann", c.PlaceWager(1, Bet.BANKER, 5000))
    assert of(events.BettingTimeOver, tick(at, c.RunOut()))


def test_a_time_for_bets_lies_in_the_future() -> None:
    at = ready("tas-2018", "ann")
    at.refuse("dan", c.OpenCoup(at.at_ms), Reason.TIME_IS_PAST)


def test_a_turn_clock_runs_out_on_record_and_people_hold_the_player_to_the_minimum() -> None:
    """tas-2018:16.4.7-16.4.8"""
    at = contest("tas-2018", "ann", "bob")
    at.do("dan", c.OpenCoup())
    seat = at.table.contest.puck
    assert seat is not None
    at.do("dan", c.AskForWager(seat, at.at_ms + 20_000))
    at.later(1)
    assert one(events.TurnTimeOver, tick(at, c.RunOut())).clauses == ("tas-2018:16.4.7",)
    assert next_deadline(at.table) is None
    assert seat not in at.table.contest.restricted  # whether they are held to it, people say
    closed = one(events.WindowClosed, at.do("dan", c.CloseWindow(seat)))
    assert closed.clauses == ("tas-2018:16.4.8",)
    assert seat in at.table.contest.restricted


def test_time_in_which_the_house_was_away_does_not_count() -> None:
    at = contest("tas-2018", "ann", "bob")
    at.do("dan", c.OpenCoup(at.at_ms + 40_000))
    seat = at.table.contest.puck
    assert seat is not None
    at.do("dan", c.AskForWager(seat, at.at_ms + 20_000))
    coup, turn = at.table.coup, at.table.contest.until_ms
    assert coup is not None
    assert coup.until_ms is not None
    assert turn is not None
    tick(at, c.HoldClocks(5000))
    held = at.table.coup
    assert held is not None
    assert held.until_ms == coup.until_ms + 5000
    assert at.table.contest.until_ms == turn + 5000


def test_a_player_who_bet_in_time_is_not_closed_out() -> None:
    """tas-2018:16.4.8"""
    at = contest("tas-2018", "ann", "bob")
    at.do("dan", c.OpenCoup())
    seat = at.table.contest.puck
    assert seat is not None
    at.do("dan", c.AskForWager(seat, at.at_ms + 20_000))
    person = at.table.seated[seat]
    least = at.table.terms.limits[Bet.PLAYER].min_cents
    at.do(person, c.PlaceWager(seat, Bet.PLAYER, least))
    at.later(1)
    with pytest.raises(Refused):
        tick(at, c.RunOut())


def test_a_turns_time_is_never_cut_short_nor_begun_again() -> None:
    """tas-2018:16.4.7-16.4.8"""
    at = contest("tas-2018", "ann", "bob")
    at.do("dan", c.OpenCoup())
    seat = at.table.contest.puck
    assert seat is not None
    at.refuse("dan", c.AskForWager(seat, at.at_ms), Reason.TIME_IS_PAST)
    until = at.at_ms + 30_000
    at.do("dan", c.AskForWager(seat, until))
    at.refuse("dan", c.AskForWager(seat, until - 5000), Reason.TIME_CUT_SHORT)
    at.refuse("dan", c.AskForWager(seat), Reason.TIME_CUT_SHORT)
    at.do("dan", c.AskForWager(seat, until + 5000))
    at.later(1)
    tick(at, c.RunOut())
    at.do("dan", c.CloseWindow(seat))
    at.refuse("dan", c.AskForWager(seat, at.at_ms + 9000), Reason.TIME_WAS_OVER)
