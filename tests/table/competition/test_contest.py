"""What the conditions of a competition add: the same commands, stricter."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits
from puntobanco.rules.wagers import Wager
from puntobanco.server.commands.offered import turn_of
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Role
from puntobanco.table.competition_terms import Conditions
from puntobanco.table.decide.competition.wagers import at_risk
from puntobanco.table.queries.competition import betting_order, rise_due, seat_to_bet
from tests.kit.clauses import clause, tas
from tests.kit.table.at import At, balanced, contest, of, one
from tests.kit.terms import terms_of

MIN = 2500


def wager_all(at: At, cents: int = MIN) -> None:
    for seat in betting_order(at.table):
        at.do(at.table.seated[seat], c.PlaceWager(seat, Bet.BANKER, cents))


def play(at: At, cards: str) -> list[events.TableEvent]:
    at.deal(cards)
    return at.do("dan", c.DeclareResult()) + at.do("dan", c.EndCoup())


@clause(*tas("16.4.1", "16.4.2", "16.1-competition-chips"), "act-2015:15.13")
def test_everyone_gets_the_same_chips_once() -> None:
    at = contest()
    assert at.table.chips == {"ann": 100_000, "bob": 100_000, "cy": 100_000}
    assert balanced(at.table)
    at.refuse("cora", c.AllotChips(), Reason.CHIPS_ARE_ALLOTTED, "tas-2018:16.4.2")
    at.refuse("dan", c.BuyIn(100, "ann"), Reason.CHIPS_ARE_ALLOTTED)
    at.refuse("dan", c.CashOut(100, "ann"), Reason.CHIPS_ARE_ALLOTTED)


@clause(*tas("16.2.7", "16.4.2"))
def test_no_coup_begins_without_a_director_or_before_the_allotment() -> None:
    at = contest()
    at.do("cora", c.SignOff())
    at.refuse("dan", c.OpenCoup(), Reason.STAFF_MISSING, "tas-2018:16.2.7")
    bare = At()
    bare.open(conditions=Conditions("cup", "competition", 100_000)).staffed()
    bare.do("cora", c.SignOn(Role.DIRECTOR))
    bare.do("dan", c.Sit(1, "ann"))
    bare.shoe()
    bare.refuse("dan", c.OpenCoup(), Reason.NOT_ALLOTTED, "tas-2018:16.4.2")


@clause(*tas("16.5.4", "16.5.5"), "act-2015:15.15")
@pytest.mark.parametrize(
    ("ruleset", "order", "following"),
    [("tas-2018", (1, 2, 3), (2, 3, 1)), ("act-2015", (1, 3, 2), (3, 2, 1))],
)
def test_the_order_of_betting_moves_on_after_each_coup(
    ruleset: str, order: tuple[int, ...], following: tuple[int, ...]
) -> None:
    """Anticlockwise from the dealer's right; clockwise in Canberra."""
    at = contest(ruleset)
    at.do("dan", c.OpenCoup())
    assert betting_order(at.table) == order
    wager_all(at)
    play(at, "9c Kd Kh 7s")
    assert betting_order(at.table) == following


@clause(*tas("16.5.5"))
def test_the_puck_does_not_move_after_a_void_coup() -> None:
    at = contest("act-2015")
    at.do("dan", c.OpenCoup())
    wager_all(at)
    at.deal("9c Kd")
    at.do("sue", c.VoidCoup("impractical", "a fight"))
    at.approve("mara")
    happened = at.do("dan", c.EndCoup())
    assert of(events.PuckMoved, happened) == []
    assert betting_order(at.table) == (1, 3, 2)


@clause(*tas("16.4.4", "16.5.10(b)"))
def test_one_wager_on_one_hand_with_a_tie_if_wished() -> None:
    at = contest()
    at.do("dan", c.OpenCoup())
    at.refuse("ann", c.PlaceWager(1, Bet.PLAYER_PAIR, 500), Reason.BET_NOT_OFFERED)
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, MIN))
    at.do("ann", c.PlaceWager(1, Bet.TIE, 500))
    at.refuse("ann", c.PlaceWager(1, Bet.BANKER, MIN), Reason.BOTH_SIDES, "tas-2018:16.5.10(b)")


@clause(*tas("16.5.7"))
def test_a_wager_out_of_turn_stands_and_is_on_record() -> None:
    at = contest()
    at.do("dan", c.OpenCoup())
    assert seat_to_bet(at.table) == 1
    placed = one(events.WagerPlaced, at.do("bob", c.PlaceWager(2, Bet.PLAYER, MIN)))
    assert (placed.out_of_turn, placed.clauses) == (True, ("tas-2018:16.5.7",))
    placed = one(events.WagerPlaced, at.do("ann", c.PlaceWager(1, Bet.PLAYER, MIN)))
    assert not placed.out_of_turn
    assert seat_to_bet(at.table) == 3


@clause(*tas("16.5.6"))
def test_a_wager_once_made_lies() -> None:
    at = contest()
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, MIN))
    at.refuse("ann", c.ChangeWager(1, Bet.PLAYER, 5000), Reason.WAGER_FIXED, "tas-2018:16.5.6")
    at.refuse("ann", c.WithdrawWager(1, Bet.PLAYER), Reason.WAGER_FIXED)


@clause("act-2015:15.15", "act-2015:15.16")
def test_in_canberra_a_wager_is_fixed_when_the_next_player_is_asked() -> None:
    at = contest("act-2015")
    at.do("dan", c.OpenCoup())
    at.do("dan", c.AskForWager(1))
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, MIN))
    at.do("ann", c.ChangeWager(1, Bet.PLAYER, 5000))
    at.do("dan", c.AskForWager(3))
    at.refuse("ann", c.ChangeWager(1, Bet.PLAYER, MIN), Reason.WAGER_FIXED, "act-2015:15.15")


@clause(*tas("16.5.8"))
def test_after_a_tie_wagers_ride_and_may_be_altered() -> None:
    at = contest()
    at.do("dan", c.OpenCoup())
    wager_all(at)
    play(at, "4c 4d 5h 5s")
    opened = at.do("dan", c.OpenCoup())
    assert len(of(events.WagerPlaced, opened)) == 3
    assert betting_order(at.table) == (2, 3, 1)
    at.do("bob", c.WithdrawWager(2, Bet.BANKER))
    at.do("bob", c.PlaceWager(2, Bet.PLAYER, MIN))
    alter = c.ChangeWager(1, Bet.BANKER, 5000)  # cy, who bets before ann now, has not been asked
    at.refuse("ann", alter, Reason.NOT_YET_TO_ALTER, "tas-2018:16.5.8")
    at.do("dan", c.AskForWager(3))
    at.do("dan", c.AskForWager(1))
    changed = one(events.WagerChanged, at.do("ann", alter))
    assert (changed.clauses, changed.out_of_turn) == (("tas-2018:16.5.8",), False)
    at.refuse("ann", c.ChangeWager(1, Bet.BANKER, MIN), Reason.WAGER_FIXED)
    late = c.ChangeWager(3, Bet.BANKER, 5000)  # cy was asked, and let it lie
    at.refuse("cy", late, Reason.NOT_YET_TO_ALTER, "tas-2018:16.5.8")
    play(at, "9c Kd Kh 7s")
    assert balanced(at.table)


@clause(*tas("16.5.7", "16.5.8"))
def test_altered_out_of_sequence_is_flagged_and_takes_nobodys_turn() -> None:
    """What the dealer finds on the layout stands, flagged [tas-2018:16.5.7, 16.5.8]."""
    at = contest()
    at.do("dan", c.OpenCoup())
    wager_all(at)
    play(at, "4c 4d 5h 5s")
    at.do("dan", c.OpenCoup())
    early = one(events.WagerChanged, at.do("dan", c.ChangeWager(1, Bet.BANKER, 5000, "ann")))
    assert early.out_of_turn
    first = one(events.WagerChanged, at.do("bob", c.ChangeWager(2, Bet.BANKER, 5000)))
    assert not first.out_of_turn


@clause(*tas("16.5.8"), "tas-2018:14.6")
def test_wagers_ride_over_a_void_coup_and_a_new_shoe() -> None:
    """A void coup leaves all as it was before it [tas-2018:16.5.8, 14.6]."""
    at = contest()
    at.do("dan", c.OpenCoup())
    wager_all(at)
    play(at, "4c 4d 5h 5s")
    at.do("dan", c.OpenCoup())
    at.do("ines", c.VoidCoup("impractical", "a fire alarm"))
    at.approve("mara")
    at.do("dan", c.EndCoup())
    assert len(of(events.WagerPlaced, at.do("dan", c.OpenCoup()))) == 3


@clause(*tas("16.5.11", "16.5.12"))
def test_everyone_bets_the_minimum_made_up_where_it_falls_short() -> None:
    at = contest()
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, MIN))
    at.do("dan", c.PlaceWager(2, Bet.PLAYER, 1000, "bob"))
    at.refuse("dan", c.DrawCard(None), Reason.MUST_WAGER, "tas-2018:16.5.11")
    at.do("cy", c.PlaceWager(3, Bet.PLAYER, MIN))
    made_up = one(events.WagerMadeUp, at.deal("9c"))
    assert (made_up.wager.by, made_up.wager.cents) == ("bob", MIN)


@clause(*tas("16.4.4", "16.5.11"))
def test_a_tie_alone_does_not_meet_the_minimum() -> None:
    at = contest("tas-2018", "ann")
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.TIE, MIN))
    at.refuse("dan", c.DrawCard(None), Reason.MUST_WAGER)


@clause("act-2015:15.14")
def test_in_canberra_the_minimum_must_be_at_risk() -> None:
    at = contest("act-2015", "ann")
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 5000))
    at.do("ann", c.PlaceWager(1, Bet.BANKER, 5000))
    at.refuse("dan", c.NoMoreBets(), Reason.MUST_WAGER, "act-2015:15.14")


@clause("act-2015:15.14")
@pytest.mark.parametrize(
    ("player", "banker", "tie", "loss"),
    [(100, 0, 0, 100), (100, 100, 0, 5), (100, 40, 0, 62), (0, 0, 50, 50), (50, 50, 10, 13)],
)
def test_what_is_at_risk_is_the_worst_of_three_results(
    player: int, banker: int, tie: int, loss: int
) -> None:
    on = {Bet.PLAYER: player, Bet.BANKER: banker, Bet.TIE: tie}
    wagers = [Wager(1, bet, cents, "ann") for bet, cents in on.items() if cents]
    assert at_risk(wagers, terms_of("act-2015"), main_only=False) == loss


@clause(*tas("16.3.6(lead)", "16.3.6(a)"))
def test_an_absent_player_pays_the_minimum_on_each_betting_coup() -> None:
    at = contest()
    at.do("cora", c.MarkAbsent("bob"))
    at.do("dan", c.OpenCoup())
    wager_all(at)
    happened = play(at, "9c Kd Kh 7s")
    deducted = one(events.AbsenceDeducted, happened)
    assert (deducted.person, deducted.cents) == ("bob", MIN)
    assert deducted.clauses == ("tas-2018:16.3.6(a)",)
    assert balanced(at.table)
    at.do("cora", c.MarkAbsent("bob", absent=False))
    at.do("dan", c.OpenCoup())
    assert 2 in betting_order(at.table)


@clause(*tas("16.5.9"), "act-2015:15.14")
def test_whoever_cannot_make_the_minimum_is_out() -> None:
    at = contest("tas-2018", "ann", "bob", dollars=100)
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 9000))
    at.do("bob", c.PlaceWager(2, Bet.BANKER, MIN))
    happened = play(at, "6c Kd Kh 7s")
    out = one(events.PlayerEliminated, happened)
    assert (out.person, out.left_over_cents, out.kept_by) == ("ann", 1000, "operator")
    assert at.table.seated == {2: "bob"}
    assert balanced(at.table)
    at.refuse("cora", c.Sit(1, "ann"), Reason.ELIMINATED, "tas-2018:16.5.9")


@clause(*tas("16.4.7", "16.4.8"), "act-2015:15.19")
def test_out_of_time_only_the_minimum_may_be_wagered() -> None:
    at = contest()
    at.do("dan", c.OpenCoup())
    at.refuse("dan", c.AskForWager(2), Reason.NOT_THEIR_TURN)
    at.do("dan", c.AskForWager(1, at.at_ms + 30_000))
    at.refuse("dan", c.CloseWindow(1), Reason.TIME_NOT_OVER, "tas-2018:16.4.7")
    at.later(1).do("dan", c.CloseWindow(1))
    at.refuse("ann", c.PlaceWager(1, Bet.PLAYER, 5000), Reason.MINIMUM_ONLY, "tas-2018:16.4.8")
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, MIN))


@clause(*tas("16.5.1", "16.5.2", "16.5.3"))
def test_limits_rise_only_to_announced_values_after_the_indicator_card() -> None:
    at = At()
    raised = Limits(50_000, 500_000)
    conditions = Conditions("cup", "competition", 60_000, None, raised, face_down=False)
    at.open(conditions=conditions).staffed()
    at.do("cora", c.SignOn(Role.DIRECTOR))
    for seat, person in ((1, "ann"), (2, "bob")):
        at.do("dan", c.Sit(seat, person))
    at.do("cora", c.AllotChips())
    at.do("dan", c.CheckCards("set A", player="ann"))
    at.do("dan", c.Shuffle())
    at.do("dan", c.CutCards(100, 1))
    at.refuse("dan", c.LoadShoe(indicator=True), Reason.NOT_YOUR_ROLE)
    asked = turn_of(at.table, at.by("dan"))
    assert not asked.yours, "a dealer's press would leave it out, and limits could not rise"
    assert asked.says == "Waiting for the inspector to load the shoe, with the indicator card"
    assert [act.facts for act in turn_of(at.table, at.by("ines")).acts] == [{"indicator": True}]
    loaded = one(events.ShoeLoaded, at.do("ines", c.LoadShoe(indicator=True)))
    assert loaded.indicator_behind == 104
    at.refuse("cora", c.RaiseLimits(), Reason.NO_INDICATOR, "tas-2018:16.5.3")
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 20_000))
    at.do("bob", c.PlaceWager(2, Bet.BANKER, MIN))
    at.deal("6c Kd")
    at.do("dan", c.SeeIndicator())
    play(at, "Kh 7s")
    assert rise_due(at.table)
    happened = at.do("cora", c.RaiseLimits())
    assert not rise_due(at.table)
    assert one(events.NoticeChanged, happened).notice.limits == raised
    assert one(events.PlayerEliminated, happened).person == "ann"
    at.refuse("cora", c.RaiseLimits(), Reason.LIMITS_NOT_ANNOUNCED)


@clause(*tas("16.7.1(a)", "16.7.1(b)", "16.7.2", "16.7.3"))
def test_cards_go_to_the_highest_on_the_layout_of_equals_the_first_in_order() -> None:
    at = contest()
    at.do("ines", c.SetFaceDown(down=True))
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.BANKER, MIN))
    at.do("bob", c.PlaceWager(2, Bet.PLAYER, MIN))
    at.do("cy", c.PlaceWager(3, Bet.PLAYER, MIN))
    at.deal("?? ?? ?? ??")
    assert one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER))).person == "bob"
    wrong = one(events.CardsPassed, at.do("dan", c.PassCards(Side.BANKER, "cy")))
    assert (wrong.in_error, wrong.clauses) == (True, ("tas-2018:16.7.3",))


@clause("act-2015:15.1")
def test_an_ordinary_table_knows_none_of_this() -> None:
    at = At().open().staffed().seat("ann").shoe()
    at.refuse("cora", c.AllotChips(), Reason.NOT_ON_DUTY)
    at.refuse("ines", c.AllotChips(), Reason.NOT_A_COMPETITION)
    at.refuse("dan", c.MarkAbsent("ann"), Reason.NOT_A_COMPETITION)


@clause("act-2015:15.14")
def test_by_method_b_half_is_at_risk_and_pairs_are_too() -> None:
    """Banker winning with six pays half, so equal wagers on both hands risk half of one."""
    both = [Wager(1, Bet.PLAYER, 5000, "ann"), Wager(1, Bet.BANKER, 5000, "ann")]
    assert at_risk(both, terms_of("act-2015", method="B"), main_only=False) == 2500
    pairs = [Wager(1, Bet.PLAYER_PAIR, 2500, "ann")]
    assert at_risk(pairs, terms_of("act-2015"), main_only=False) == 2500
