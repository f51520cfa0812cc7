"""A session at one table: seats, chips, lateness, absence, elimination and its end."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import stands_for
from puntobanco.table.decide import decide
from puntobanco.table.queries.competition import betting_order
from puntobanco.table.result import result
from puntobanco.table.state import Phase
from tests.kit.clauses import clause, tas
from tests.kit.table.at import balanced, of, one
from tests.kit.table.sessions import MIN, WAYS, begun, coup, opened
from tests.kit.table.verified import sound

RULESETS = ("tas-2018", "tas-2013", "act-2015")


@clause(
    *tas("16.1-competition-baccarat", "16.2.2(e)", "16.4.2"), "act-2015:15.7", "act-2015:15.4(d)"
)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_seats_and_equal_chips_are_given_at_once_also_to_who_is_not_there(ruleset: str) -> None:
    at = begun(ruleset, here=False)
    assert at.table.chips == dict.fromkeys(("ann", "bob", "cy"), 100_000)
    assert betting_order(at.table) == ()
    assert balanced(at.table)
    at.refuse("cora", c.AllotChips(), Reason.SESSION_GIVES_CHIPS)
    at.refuse("dan", c.Sit(5, "dee"), Reason.SEATS_ARE_THE_DIRECTORS)
    at.refuse("house", c.BeginSession({1: "ann"}, 8), Reason.SESSION_HAS_BEGUN)


@clause(*tas("16.4.5"))
def test_only_the_house_begins_a_session_and_no_seat_is_given_twice() -> None:
    at = opened()
    at.refuse("cora", c.BeginSession({1: "ann"}, 7), Reason.NOT_YOUR_ROLE)
    at.refuse("house", c.BeginSession({1: "ann", 2: "ann"}, 7), Reason.SEATS_DO_NOT_FIT)
    at.refuse("house", c.BeginSession({14: "ann"}, 7), Reason.SEATS_DO_NOT_FIT)
    at.refuse("dan", c.TakeSeat("ann"), Reason.NOT_EXPECTED)


@clause(*tas("16.3.2(a)", "16.3.2(b)"))
def test_a_late_player_pays_for_three_coups_and_is_out_before_the_fourth() -> None:
    at = begun(here=False)
    for person in ("ann", "bob"):
        at.do("dan", c.TakeSeat(person))
    for number in (1, 2, 3):
        paid = one(events.LatenessDeducted, coup(at))
        assert (paid.person, paid.cents, paid.coups) == ("cy", MIN, number)
        assert paid.clauses == ("tas-2018:16.3.2(a)",)
    removed = one(events.PlayerRemoved, at.do("dan", c.OpenCoup()))
    assert (removed.why, removed.left_over_cents) == ("late", 70_000)
    assert removed.clauses == ("tas-2018:16.3.2(b)",)
    assert "cy" not in at.table.chips
    assert balanced(at.table)
    at.refuse("dan", c.TakeSeat("cy"), Reason.NOT_EXPECTED)


@clause(*tas("16.3.2(lead)"))
def test_whoever_sits_down_before_their_turn_has_passed_plays_that_coup() -> None:
    at = begun(here=False)
    at.do("dan", c.TakeSeat("ann"))
    at.do("dan", c.OpenCoup())
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, MIN, "ann"))
    assert not one(events.SeatTaken, at.do("dan", c.TakeSeat("bob"))).missed
    at.do("dan", c.PlaceWager(2, Bet.PLAYER, MIN, "bob"))
    at.do("dan", c.NoMoreBets())
    assert one(events.SeatTaken, at.do("dan", c.TakeSeat("cy"))).missed
    at.deal("9c Kd Kh 7s")
    at.do("dan", c.DeclareResult())
    paid = one(events.LatenessDeducted, at.do("dan", c.EndCoup()))
    assert (paid.person, paid.coups) == ("cy", 1)
    coup(at)
    assert at.table.chips["cy"] == 100_000 - MIN + MIN  # plays on, and won this one


@clause("act-2015:15.9")
def test_in_canberra_who_is_not_seated_at_the_start_forfeits_the_position() -> None:
    at = begun("act-2015", here=False)
    for person in ("ann", "bob"):
        at.do("dan", c.TakeSeat(person))
    removed = one(events.PlayerRemoved, at.do("dan", c.OpenCoup()))
    assert (removed.person, removed.why, removed.clauses) == (
        "cy",
        "not-seated",
        ("act-2015:15.9",),
    )


@clause(*tas("16.1-live-competition-baccarat", "16.4.1", "16.4.2", "16.3.2(c)"))
def test_a_live_player_buys_exactly_the_allotment_and_forfeits_by_lateness() -> None:
    at = begun(chips="cash", here=False)
    at.refuse("dan", c.TakeSeat("ann"), Reason.ALLOTMENT_NOT_BOUGHT, "tas-2018:16.4.2")
    at.refuse("dan", c.BuyIn(50_000, "ann"), Reason.ALLOTMENT_ONLY)
    for person in ("ann", "bob"):
        at.do("dan", c.BuyIn(100_000, person))
        at.do("dan", c.TakeSeat(person))
    at.refuse("dan", c.BuyIn(100_000, "ann"), Reason.CHIPS_ARE_ALLOTTED)
    removed = one(events.PlayerRemoved, at.do("dan", c.OpenCoup()))
    assert (removed.why, removed.clauses) == ("not-seated", ("tas-2018:16.3.2(c)",))


@clause(*tas("16.5.9"))
def test_chips_of_a_live_player_who_is_out_stay_theirs_and_can_be_cashed() -> None:
    at = begun(chips="cash", ends=SessionEnds(coups=3))
    coup(at, "9c Kd Kh 7s", ann=("banker", 95_000))
    assert at.table.chips["ann"] == 5000
    assert at.table.contest.out == {"ann": 1}
    at.refuse("dan", c.CashOut(100, "bob"), Reason.CHIPS_ARE_ALLOTTED)
    at.do("dan", c.CashOut(5000, "ann"))
    assert balanced(at.table)


@clause(*tas("16.5.9", "16.8.2"))
def test_nobody_is_eliminated_after_the_last_coup() -> None:
    at = begun(ends=SessionEnds(coups=2))
    assert not of(events.LastCoupDeclared, coup(at))
    happened = coup(at, "9c Kd Kh 7s", ann=("banker", 105_000))
    one(events.LastCoupDeclared, happened)
    assert one(events.SessionEnded, happened).why == "coups"
    assert not of(events.PlayerEliminated, happened)
    assert at.table.phase is Phase.OVER
    final = result(at.table)
    assert final is not None
    assert (final.chips, final.out, final.coups) == (
        {"ann": 5000, "bob": 120_000, "cy": 120_000},
        {},
        2,
    )
    at.refuse("dan", c.OpenCoup(), Reason.WRONG_MOMENT)


@clause("tas-2018:14.6", "act-2015:d.void")
def test_a_void_coup_is_not_counted() -> None:
    at = begun(ends=SessionEnds(coups=1))
    at.do("dan", c.OpenCoup())
    at.do("ines", c.VoidCoup("impractical", "a fire alarm"))
    at.approve("mara")
    at.do("dan", c.EndCoup())
    assert at.table.phase is Phase.READY
    assert one(events.SessionEnded, coup(at)).coups == 1


@clause(*tas("16.8.5"))
def test_all_out_in_one_coup_ends_the_session() -> None:
    at = begun()
    bets = dict.fromkeys(("ann", "bob", "cy"), ("banker", 100_000))
    happened = coup(at, "9c Kd Kh 7s", **bets)
    assert {event.coup for event in of(events.PlayerEliminated, happened)} == {1}
    assert one(events.SessionEnded, happened).why == "all-out"
    assert at.table.phase is Phase.OVER


@clause(*tas("16.1-session", "16.2.2(f)", "9.4"), "act-2015:d.session")
def test_a_session_by_shoes_ends_with_the_last_coup_of_its_last_shoe() -> None:
    at = begun(ends=SessionEnds(shoes=1))
    at.do("dan", c.OpenCoup())
    for seat, person in at.table.seated.items():
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, MIN, person))
    at.do("dan", c.SeeMarker())
    at.deal("9c Kd Kh 7s")
    at.do("dan", c.DeclareResult())
    assert one(events.SessionEnded, at.do("dan", c.EndCoup())).why == "shoes"


@clause(*tas("16.1-session", "16.2.2(f)"))
def test_time_is_over_and_the_coup_in_play_is_finished() -> None:
    at = begun(ends=SessionEnds(minutes=30))
    at.do("dan", c.OpenCoup())
    for seat, person in at.table.seated.items():
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, MIN, person))
    at.do("house", c.EndSession("time", 9))
    at.deal("9c Kd Kh 7s")
    at.do("dan", c.DeclareResult())
    one(events.SessionEnded, at.do("dan", c.EndCoup()))
    assert at.table.phase is Phase.OVER


@clause(*tas("16.5.5", "16.2.3(b)"))
def test_the_puck_moves_on_at_once_from_a_player_who_is_removed() -> None:
    at = begun()
    coup(at)
    assert at.table.contest.puck == 2
    gone = at.do("house", c.RemovePlayer("bob", "disqualified", "hid chips", 12))
    assert one(events.PuckMoved, gone).seat == 3
    assert one(events.PlayerRemoved, gone).clauses == ("tas-2018:16.2.3(b)",)
    assert at.table.contest.gone == {"bob": "disqualified"}
    assert balanced(at.table)


@clause(*tas("16.2.3(b)"))
def test_a_removed_players_wager_goes_back_until_bets_are_locked() -> None:
    at = begun()
    at.do("dan", c.OpenCoup())
    for seat, person in at.table.seated.items():
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, MIN, person))
    locked = at.table
    at.do("house", c.RemovePlayer("ann", "disqualified", "hid chips", 12))
    assert balanced(at.table)
    assert {wager.by for wager in at.table.coup.wagers} == {"bob", "cy"}  # type: ignore[union-attr]
    at.table = locked
    at.deal("9c")
    ask = c.RemovePlayer("ann", "disqualified", "hid chips", 12)
    at.refuse("house", ask, Reason.STILL_HAS_WAGERS)


@clause(*tas("16.5.11", "16.5.12"))
def test_a_tie_that_leaves_too_little_gives_way() -> None:
    at = begun()
    coup(at, "9c Kd Kh 7s", ann=("banker", 83_000))  # 17,000 left
    at.do("dan", c.OpenCoup())
    for seat in (2, 3):
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, MIN, at.table.seated[seat]))
    at.refuse("ann", c.PlaceWager(1, Bet.TIE, 10_000), Reason.TIE_LEAVES_TOO_LITTLE)
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, 6000, "ann"))
    at.do("dan", c.PlaceWager(1, Bet.TIE, 10_000, "ann"))
    made = at.deal("9c")
    assert one(events.WagerWithdrawn, made).wager.on is Bet.TIE
    assert one(events.WagerMadeUp, made).wager.cents == MIN
    assert balanced(at.table)


@clause(*tas("16.4.4", "16.5.12"))
def test_all_chips_on_tie_can_be_put_right_before_the_call() -> None:
    at = begun()
    coup(at, "9c Kd Kh 7s", ann=("banker", 83_000))
    at.do("dan", c.OpenCoup())
    for seat in (2, 3):
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, MIN, at.table.seated[seat]))
    at.do("dan", c.PlaceWager(1, Bet.TIE, 17_000, "ann"))
    at.refuse("dan", c.NoMoreBets(), Reason.MUST_WAGER)
    at.do("dan", c.WithdrawWager(1, Bet.TIE, "ann"))
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, MIN, "ann"))
    at.do("dan", c.NoMoreBets())


@clause(*tas("16.5.7"))
def test_a_tie_wager_has_its_turn_like_any_other() -> None:
    at = begun()
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, MIN))
    own = one(events.WagerPlaced, at.do("ann", c.PlaceWager(1, Bet.TIE, MIN)))
    assert not own.out_of_turn
    at.do("bob", c.PlaceWager(2, Bet.PLAYER, MIN))
    at.do("cy", c.PlaceWager(3, Bet.PLAYER, MIN))
    late = one(events.WagerPlaced, at.do("bob", c.PlaceWager(2, Bet.TIE, MIN)))
    assert late.out_of_turn
    at.do("dan", c.NoMoreBets())
    at.refuse("dan", c.PlaceWager(3, Bet.TIE, MIN, "cy"), Reason.BETS_CLOSED)


@clause("act-2015:15.15", "act-2015:15.16")
def test_in_canberra_a_turn_is_the_dealers_ask_and_the_first_infringement_brings_advice() -> None:
    at = begun("act-2015")
    at.do("dan", c.OpenCoup())
    assert betting_order(at.table) == (1, 3, 2)
    at.do("dan", c.AskForWager(1))
    at.do("ann", c.PlaceWager(1, Bet.TIE, MIN))
    second = one(events.WagerPlaced, at.do("ann", c.PlaceWager(1, Bet.PLAYER, MIN)))
    assert not second.out_of_turn
    at.do("dan", c.AskForWager(3))
    happened = at.do("ann", c.PlaceWager(1, Bet.BANKER, MIN))
    assert one(events.WagerPlaced, happened).out_of_turn
    assert one(events.OrderWarningGiven, happened).clauses == ("act-2015:15.15",)
    happened = at.do("bob", c.PlaceWager(2, Bet.PLAYER, MIN))
    assert one(events.OrderWarningGiven, happened).person == "bob"
    assert not of(events.OrderWarningGiven, at.do("bob", c.PlaceWager(2, Bet.TIE, MIN)))
    own = one(events.WagerPlaced, at.do("cy", c.PlaceWager(3, Bet.PLAYER, MIN)))
    assert not own.out_of_turn


@clause("act-2015:14.2(a)", "act-2015:15.14", "act-2015:15.15")
def test_whoever_s_wager_was_declared_void_for_order_has_wagered_on_that_round() -> None:
    """[act-2015:15.14-15.15] They bet no more on it and are not eliminated, the turn goes on to the
    next, who is in order, and the round is dealt.
    """
    at = begun("act-2015")
    at.do("dan", c.OpenCoup())
    at.do("bob", c.PlaceWager(2, Bet.PLAYER, MIN))  # the order is 1 3 2
    at.do("sue", c.VoidWagers("bob", "out of order again"))
    at.do("cora", c.Approve(at.table.proposal_number))
    again = c.PlaceWager(2, Bet.PLAYER, MIN)
    at.refuse("bob", again, Reason.DECLARED_VOID, "act-2015:15.15")
    at.refuse("dan", replace(again, person="bob"), Reason.DECLARED_VOID)
    for seat, person in ((1, "ann"), (3, "cy")):
        at.do("dan", c.AskForWager(seat))
        assert not one(
            events.WagerPlaced, at.do(person, c.PlaceWager(seat, Bet.TIE, MIN))
        ).out_of_turn
    held = at.table.chips["bob"]
    at.do("dan", c.NoMoreBets())
    at.deal("9c Kd Kh 7s")
    at.do("dan", c.DeclareResult())
    ended = at.do("dan", c.EndCoup())
    assert not of(events.PlayerEliminated, ended)
    assert at.table.chips["bob"] == held == at.table.conditions.allotment_cents  # type: ignore[union-attr]
    at.do("dan", c.OpenCoup())
    at.do("dan", replace(again, person="bob"))  # and on the next as everyone


@clause("act-2015:15.11", "act-2015:15.14")
def test_in_canberra_play_waits_for_a_ruling_on_who_is_away() -> None:
    at = begun("act-2015")
    at.do("dan", c.MarkAbsent("bob"))
    at.refuse("dan", c.OpenCoup(), Reason.AWAY_WITHOUT_SUBSTITUTE, "act-2015:15.11")
    directed = at.do("cora", c.GiveDirection("bob is ill; play goes on", "bob"))
    assert one(events.DirectionGiven, directed).clauses == ("act-2015:15.19",)
    assert not of(events.AbsenceDeducted, coup(at))


@clause(*tas("16.3.3"), "act-2015:15.11")
def test_a_substitute_plays_from_the_same_seat_with_the_same_chips() -> None:
    at = begun()
    at.refuse("cora", c.NameSubstitute("ann", "bob"), Reason.PLAYS_ALREADY, "tas-2018:16.3.3")
    named = one(events.SubstituteNamed, at.do("cora", c.NameSubstitute("ann", "dee", 9)))
    assert (named.substitute, named.row) == ("dee", 9)
    at.refuse("cora", c.NameSubstitute("bob", "dee"), Reason.PLAYS_ALREADY)
    at.do("dan", c.OpenCoup())
    placed = one(events.WagerPlaced, at.do("dee", c.PlaceWager(1, Bet.PLAYER, MIN)))
    assert placed.wager.by == "ann"
    at.do("cora", c.NameSubstitute("ann"))
    at.refuse("dee", c.PlaceWager(1, Bet.TIE, MIN), Reason.NOT_AT_TABLE)


@clause(*tas("16.3.3"))
def test_who_stands_for_a_player_agrees_to_nothing_in_that_players_name() -> None:
    """Jill manages, too. When ann is out, no place of ann's stands in the way: as ann she would
    agree to what she proposed herself, and to ann's being put back.
    """
    at = begun()
    at.do("ines", c.SignOff())
    at.do("jill", c.SignOn(Role.INSPECTOR))
    at.do("jill", c.CorrectChips("bob", 200_000, "counted"))
    at.do("jill", c.SignOff())
    at.do("ines", c.SignOn(Role.INSPECTOR))
    at.do("cora", c.NameSubstitute("ann", "jill"))
    coup(at, "9c Kd Kh 7s", ann=("banker", 95_000))
    assert at.table.contest.out == {"ann": 1}
    at.do("cora", c.Reinstate("ann", "she asked for it"))
    for number in (1, 2):
        at.refuse("jill", c.Approve(number), Reason.NOT_YOUR_ROLE)
        at.refuse("jill", c.DropProposal(number), Reason.NOT_YOUR_ROLE)
    at.refuse("jill", c.SignOn(Role.DEALER), Reason.NOT_YOUR_ROLE)
    newcomer = replace(at.by("jill"), one_with=frozenset({"cora"}))
    assert stands_for(at.table, newcomer) == Actor(
        "ann", frozenset(), newcomer.at_ms, newcomer.one_with
    )
    at.do("mara", c.Approve(2))
    assert at.table.seated[1] == "ann"
    assert sound(at)


def test_chips_are_counted_by_two_who_were_both_there_before() -> None:
    """No wager bounds what a count gives a player: who enrolled the other gives it alone."""
    at = begun()
    at.do("ines", c.CorrectChips("bob", 200_000, "counted"))
    newcomer = replace(at.by("mara"), one_with=frozenset({"ines"}))
    with pytest.raises(Refused) as caught:
        decide(at.table, c.Approve(1), newcomer)
    assert caught.value.reason is Reason.NOT_A_SECOND
    at.do("mara", c.Approve(1))
    assert at.table.chips["bob"] == 200_000


@clause(*tas("16.5.3", "16.1-competition-baccarat"), "act-2015:15.4(g)")
def test_limits_only_rise_and_only_as_announced() -> None:
    at = begun()
    higher = at.table.terms.notice
    at.refuse("mara", c.PostChange(higher, 0), Reason.SESSION_FIXES_LIMITS, "tas-2018:16.5.3")


@clause(*tas("16.5.3", "16.8.3"))
def test_all_below_a_raised_minimum_ends_the_session_and_nobody_is_out() -> None:
    at = begun(raised_tie=Limits(MIN, 300_000))
    raised = Limits(150_000, 400_000)
    conditions = replace(at.table.conditions, raised_limits=raised)  # type: ignore[type-var]
    contest = replace(at.table.contest, indicator_out=True)
    at.table = replace(at.table, conditions=conditions, contest=contest)
    happened = at.do("cora", c.RaiseLimits())
    assert one(events.SessionEnded, happened).why == "all-below"
    assert not of(events.PlayerEliminated, happened)
    assert at.table.terms.limits[Bet.TIE].max_cents == 300_000


@clause(*tas("16.8.3"))
def test_a_card_says_how_many_coups_are_played_off() -> None:
    at = begun(kind="play-off", ends=SessionEnds())
    at.refuse("dan", c.OpenCoup(), Reason.COUPS_NOT_DRAWN, "tas-2018:16.8.3")
    drawn = one(events.CoupsDrawn, at.do("dan", c.DrawForCoups("2h")))  # type: ignore[arg-type]
    assert drawn.coups == 2
    coup(at)
    assert one(events.SessionEnded, coup(at)).coups == 2


@clause("act-2015:15.22")
def test_in_canberra_those_who_are_level_play_more_rounds_with_what_they_hold() -> None:
    at = begun("act-2015", ends=SessionEnds(coups=1))
    coup(at, "9c Kd Kh 7s", cy=("banker", MIN))
    at.do("house", c.ContinueSession(("ann", "bob"), "heats more rounds 1", 20))
    assert betting_order(at.table) in ((1, 2), (2, 1))
    assert not of(events.SessionEnded, coup(at, "9c Kd Kh 7s"))
    ended = coup(at, "9c Kd Kh 7s", bob=("banker", MIN))
    one(events.SessionEnded, ended)
    final = result(at.table)
    assert final is not None
    assert final.session == "heats more rounds 1"
    assert final.chips == {"ann": 130_000, "bob": 110_000}


@clause("act-2015:15.18")
def test_a_break_stops_the_next_coup_and_not_the_one_in_play() -> None:
    at = begun("act-2015")
    at.do("house", c.PauseSession("a break of ten minutes", 31))
    at.refuse("dan", c.OpenCoup(), Reason.SESSION_PAUSED, "act-2015:15.18")
    at.do("house", c.ResumeSession(32))
    coup(at)


@clause("act-2015:12.5", "act-2015:15.14")
def test_a_round_that_falls_puts_back_by_ruling_whom_it_had_eliminated() -> None:
    at = begun("act-2015")
    coup(at, "9c Kd Kh 7s", ann=("banker", 95_000))
    assert at.table.contest.out == {"ann": 1}
    at.do("dan", c.OpenCoup())
    for seat in betting_order(at.table):
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, MIN, at.table.seated[seat]))
    at.deal("9c Kd Kh 7s")
    at.do("sue", c.VoidEarlier(1, "the second card lay on Player", 2))
    at.approve("cora")
    assert at.table.chips["ann"] == 95_000
    at.do("cora", c.Reinstate("ann", "round 1 fell"))
    at.approve("mara")
    assert at.table.chips["ann"] == 100_000
    assert at.table.contest.out == {}
    assert balanced(at.table)


@clause("act-2015:15.13")
def test_two_people_put_a_miscount_right_also_once_it_is_over() -> None:
    at = begun("act-2015", ends=SessionEnds(coups=1))
    coup(at)
    at.do("sue", c.CorrectChips("ann", 120_000, "counted twice"))
    assert result(at.table).chips["ann"] == 110_000  # type: ignore[union-attr]
    at.approve("cora")
    assert result(at.table).chips["ann"] == 120_000  # type: ignore[union-attr]
    assert balanced(at.table)


def test_a_payment_is_put_right_in_chips_that_are_there() -> None:
    """No document says so: none is cut, nobody owes any, and what is not there is for a ruling."""
    at = begun("tas-2018")
    coup(at)
    held = at.table.chips["ann"]
    at.refuse("ines", c.CorrectPayment("ann", 5_001, 1, "short"), Reason.NOT_IN_WHOLE_CHIPS)
    at.refuse("ines", c.CorrectChips("ann", 5_001, "counted"), Reason.NOT_IN_WHOLE_CHIPS)
    more = c.CorrectPayment("ann", -held - 500, 1, "paid twice")
    at.refuse("ines", more, Reason.NOT_THERE_TO_TAKE)
    at.do("ines", replace(more, cents=-held))
    at.approve("mara")
    assert at.table.chips["ann"] == 0
    at.do("ines", c.CorrectPayment("ann", 500, 1, "but for one chip"))
    at.approve("mara")
    assert at.table.chips["ann"] == 500
    assert balanced(at.table)


@clause("mbs-2017:0.front")
def test_in_singapore_conditions_settle_how_it_is_played() -> None:
    """Conditions, not rules [mbs-2017:0.front]."""
    at = begun("mbs-2017", play=WAYS)
    at.do("dan", c.OpenCoup())
    assert betting_order(at.table) == (1, 3, 2)
    placed = one(events.WagerPlaced, at.do("dan", c.PlaceWager(2, Bet.PLAYER, MIN, "bob")))
    assert placed.out_of_turn


@clause(*tas("16.2.7"))
def test_the_director_must_be_there_also_for_the_first_card() -> None:
    at = begun()
    at.do("cora", c.SignOff())
    at.refuse("dan", c.OpenCoup(), Reason.STAFF_MISSING, "tas-2018:16.2.7")
    at.do("cora", c.SignOn(Role.DIRECTOR))
    coup(at)
