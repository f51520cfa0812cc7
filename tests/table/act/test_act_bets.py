"""Canberra's wagers at the table: places, chips, the betting window and no-bet coups."""

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.state import Phase
from puntobanco.words import Step
from tests.kit.clauses import clause
from tests.kit.table.act import act
from tests.kit.table.at import At, of, one

# places and chips


@clause("act-2015:4.4")
def test_two_players_wager_on_an_option_of_a_place_and_no_more() -> None:
    """However many stand there: two may back its Player, and others its Banker."""
    at = act("ann")
    for person in ("cy", "dee"):
        at.do(person, c.StandAt(1))
        at.do("dan", c.BuyIn(100_000, person))
    at.bet("1 p 50")
    at.do("cy", c.PlaceWager(1, Bet.PLAYER, 5000))
    third = c.PlaceWager(1, Bet.PLAYER, 5000)
    at.refuse("dee", third, Reason.BOX_FULL, "act-2015:4.4")
    at.do("dee", c.PlaceWager(1, Bet.BANKER, 5000))
    assert at.table.coup is not None
    assert [wager.by for wager in at.table.coup.wagers] == ["ann", "cy", "dee"]


@clause("act-2015:4.4")
def test_a_wager_may_lie_at_another_place() -> None:
    at = act("ann", "bob").bet()
    placed = one(events.WagerPlaced, at.do("bob", c.PlaceWager(1, Bet.BANKER, 5000)))
    assert (placed.wager.by, placed.wager.box) == ("bob", 1)
    at.deal("2c 9d Kh Ks")
    settled = one(events.WagerSettled, at.do("dan", c.DeclareResult()))
    assert (settled.wager.by, settled.won_cents) == ("bob", 4750)


@clause("act-2015:9.7", "act-2015:9.1", "act-2015:4.5")
def test_the_common_pairs_box_is_every_players() -> None:
    at = act("ann", "bob", "cy", common_pairs_box=True)
    at.bet("1 pp 10, 2 pp 10, 3 bp 10")
    at.do("cy", c.PlaceWager(3, Bet.PLAYER_PAIR, 1000))
    other_side = c.PlaceWager(1, Bet.PLAYER_PAIR, 1000)
    at.refuse("cy", other_side, Reason.ONE_WAGER_PER_OPTION, "act-2015:4.5")


@clause("act-2015:4.2")
def test_a_wager_is_made_in_chips_on_a_box() -> None:
    at = act("ann")
    at.do("cy", c.Sit(2))
    at.bet()
    ask = c.PlaceWager(2, Bet.PLAYER, 5000)
    at.refuse("cy", ask, Reason.NOT_ENOUGH_CHIPS, "act-2015:4.2")
    bought = one(events.ChipsBought, at.do("dan", c.BuyIn(5000, "cy")))
    assert (bought.person, bought.cents, bought.clauses) == ("cy", 5000, ("act-2015:4.2",))
    at.refuse("cy", c.PlaceWager(9, Bet.PLAYER, 5000), Reason.NO_SUCH_BOX)
    at.refuse("eve", c.PlaceWager(2, Bet.PLAYER, 5000), Reason.NOT_AT_TABLE)
    at.do("cy", ask)
    assert at.table.chips["cy"] == 0


@clause("act-2015:4.5")
def test_one_wager_on_each_option_and_as_many_options_as_one_likes() -> None:
    at = act()
    at.bet("1 p 50, 1 b 50, 1 t 10, 1 pp 10, 1 bp 10")
    ask = c.PlaceWager(1, Bet.PLAYER, 5000)
    at.refuse("ann", ask, Reason.ONE_WAGER_PER_OPTION, "act-2015:4.5")


# the betting window


@clause("act-2015:4.1")
def test_no_card_before_everyone_could_bet() -> None:
    at = act()
    at.refuse("ann", c.PlaceWager(1, Bet.PLAYER, 5000), Reason.BETTING_NOT_OPEN, "act-2015:4.1")
    at.refuse("dan", c.DrawCard(Card("9c")), Reason.BETTING_NOT_OPEN, "act-2015:4.1")
    step = at.view("dan").next
    assert step is not None
    assert (step.step, step.clause) == (Step.OPEN_COUP, "act-2015:4.1")
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert "act-2015:4.1" in opened.clauses
    assert at.table.phase is Phase.BETTING


@clause("act-2015:6.2(a)", "act-2015:4.1")
def test_no_card_before_no_more_bets_is_called() -> None:
    at = act()
    at.bet("1 p 50")
    at.refuse("dan", c.DrawCard(Card("9c")), Reason.CALL_MISSING, "act-2015:6.2(a)")
    assert at.view("dan").next.step is Step.CALL  # type: ignore[union-attr]
    called = one(events.NoMoreBetsCalled, at.do("dan", c.NoMoreBets()))
    assert called.clauses == ("act-2015:6.2(a)",)


@clause("act-2015:4.6")
def test_the_first_card_and_not_the_call_locks_the_wagers() -> None:
    at = act()
    at.bet("1 p 50")
    at.do("dan", c.NoMoreBets())
    at.do("dan", c.ChangeWager(1, Bet.PLAYER, 6000, "ann"))
    locked = one(events.BetsLocked, at.do("dan", c.DrawCard(Card("9c"))))
    assert locked.clauses == ("act-2015:4.6",)
    for ask in (
        c.PlaceWager(1, Bet.BANKER, 5000),
        c.ChangeWager(1, Bet.PLAYER, 5000),
        c.ChangeWager(1, Bet.PLAYER, 7000),
        c.WithdrawWager(1, Bet.PLAYER),
    ):
        at.refuse("ann", ask, Reason.BETS_CLOSED, "act-2015:4.6")
    at.deal("Kd Kh 3s")
    at.do("dan", c.DeclareResult())
    at.refuse("ann", c.PlaceWager(1, Bet.BANKER, 5000), Reason.BETS_CLOSED, "act-2015:4.6")
    assert at.table.chips["ann"] == 1_006_000


@clause("act-2015:4.6")
def test_chips_laid_or_taken_away_too_late_change_nothing() -> None:
    at = act("ann", "bob", "cy")
    at.bet("1 p 50, 2 b 50")
    at.deal("9c")
    at.do("dan", c.ChangeWager(1, Bet.PLAYER, 9000, "ann"))
    at.do("dan", c.WithdrawWager(2, Bet.BANKER, "bob"))
    at.do("dan", c.PlaceWager(3, Bet.PLAYER, 5000, "cy"))
    at.deal("Kd Kh 3s")
    settled = of(events.WagerSettled, at.do("dan", c.DeclareResult()))
    assert [line.outcome for line in settled] == ["wins", "loses", "returned"]
    assert all("act-2015:4.6" in line.clauses for line in settled)
    assert at.table.chips == {"ann": 1_005_000, "bob": 995_000, "cy": 1_000_000}


@clause("act-2015:9.7")
def test_pairs_are_bet_on_before_the_first_card_only_and_in_chips() -> None:
    at = act("ann")
    at.do("cy", c.Sit(2))
    ask = c.PlaceWager(1, Bet.PLAYER_PAIR, 1000)
    at.refuse("ann", ask, Reason.BETTING_NOT_OPEN)
    at.bet()
    poor = c.PlaceWager(2, Bet.PLAYER_PAIR, 1000)
    at.refuse("cy", poor, Reason.NOT_ENOUGH_CHIPS)
    at.do("ann", ask)
    at.deal("9c")
    at.refuse("ann", c.PlaceWager(1, Bet.BANKER_PAIR, 1000), Reason.BETS_CLOSED)


@clause("act-2015:9.7", "act-2015:4.3(d)")
def test_no_pairs_wager_where_no_pairs_are_offered() -> None:
    at = act("ann", pairs="", pairs_limits=None)
    at.bet()
    ask = c.PlaceWager(1, Bet.PLAYER_PAIR, 1000)
    at.refuse("ann", ask, Reason.BET_NOT_OFFERED, "act-2015:8.2")


# no-bet coups


def no_bet(at: At) -> At:
    """All ask and agree, the supervisor directs, and the coup is opened."""
    at.do("ann", c.AskNoBetCoup())
    for person in at.table.places:
        if person != "ann":
            at.do(person, c.AgreeNoBetCoup())
    at.do("sue", c.DirectNoBetCoup())
    at.do("dan", c.OpenCoup())
    return at


def played(at: At, cards: str = "9c Kd Kh 3s") -> At:
    at.deal(cards)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    return at


@clause("act-2015:4.7", "act-2015:4.7(a)", "act-2015:4.7(b)")
def test_a_no_bet_coup_wants_a_request_and_everyones_agreement() -> None:
    at = act("ann", "bob")
    at.do("cy", c.StandAt(1))
    direct = c.DirectNoBetCoup()
    at.refuse("sue", direct, Reason.REQUEST_MISSING, "act-2015:4.7(a)")
    at.refuse("bob", c.AgreeNoBetCoup(), Reason.REQUEST_MISSING, "act-2015:4.7(a)")
    at.refuse("eve", c.AskNoBetCoup(), Reason.NOT_AT_TABLE)
    asked = one(events.NoBetCoupAsked, at.do("ann", c.AskNoBetCoup()))
    assert (asked.person, asked.clauses) == ("ann", ("act-2015:4.7(a)",))
    agreed = one(events.NoBetCoupAgreed, at.do("bob", c.AgreeNoBetCoup()))
    assert (agreed.person, agreed.clauses) == ("bob", ("act-2015:4.7(b)",))
    refused = at.refuse("sue", direct, Reason.NOT_ALL_AGREE, "act-2015:4.7(b)")
    assert refused.facts["missing"] == "cy"
    at.do("cy", c.AgreeNoBetCoup())
    at.refuse("dan", direct, Reason.NOT_YOUR_ROLE)
    assert "act-2015:4.7" in one(events.NoBetCoupDirected, at.do("sue", direct)).clauses


@clause("act-2015:4.7")
def test_nobody_but_a_casino_supervisor_directs_a_no_bet_coup() -> None:
    at = act()
    at.do("ann", c.AskNoBetCoup())
    at.do("bob", c.AgreeNoBetCoup())
    at.refuse("ines", c.DirectNoBetCoup(), Reason.NOT_YOUR_ROLE)


@clause("act-2015:4.7", "act-2015:4.7(a)")
def test_the_request_is_that_of_a_player_at_the_table() -> None:
    at = act("ann", "bob")
    at.do("ann", c.AskNoBetCoup())
    at.do("bob", c.AgreeNoBetCoup())
    at.do("dan", c.CashOut(1_000_000, "ann"))
    at.do("ann", c.Leave())
    at.refuse("sue", c.DirectNoBetCoup(), Reason.REQUEST_MISSING, "act-2015:4.7(a)")


@clause("act-2015:4.7", "act-2015:4.7(b)")
def test_an_agreement_is_for_the_round_it_was_asked_for() -> None:
    at = act()
    at.do("ann", c.AskNoBetCoup())
    at.do("bob", c.AgreeNoBetCoup())
    at.coup("1 p 50", "9c Kd Kh 3s")
    at.refuse("sue", c.DirectNoBetCoup(), Reason.REQUEST_MISSING, "act-2015:4.7(a)")


@clause("act-2015:4.7(b)")
def test_whoever_sits_down_before_the_round_must_agree_too() -> None:
    at = act()
    at.do("ann", c.AskNoBetCoup())
    at.do("bob", c.AgreeNoBetCoup())
    at.do("sue", c.DirectNoBetCoup())
    at.seat("cy")
    at.refuse("sue", c.DirectNoBetCoup(), Reason.NOT_ALL_AGREE, "act-2015:4.7(b)")
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


@clause("act-2015:d.no-bet-coup", "act-2015:4.7", "act-2015:4.8")
def test_a_no_bet_coup_takes_no_wager_and_is_dealt_in_full() -> None:
    at = no_bet(act())
    opened = at.log[-1]
    assert isinstance(opened, events.CoupOpened)
    assert opened.kind is CoupKind.NO_BET
    assert {"act-2015:4.7", "act-2015:4.8"} <= {*opened.clauses}
    for person in ("ann", "dan"):
        ask = c.PlaceWager(1, Bet.PLAYER, 5000, "ann")
        at.refuse(person, ask, Reason.NON_BETTING_COUP, "act-2015:4.7")
    at.deal("2c Kd Kh 3s")
    at.refuse("dan", c.DeclareResult(), Reason.COUP_INCOMPLETE, "act-2015:7.2")
    at.refuse("dan", c.EndCoup(), Reason.WRONG_MOMENT)
    played(at, "4h 5c")
    assert at.table.phase is Phase.READY


@clause("act-2015:4.9")
def test_a_fourth_no_bet_coup_in_a_row_is_refused_until_one_was_bet_on() -> None:
    at = act()
    for _ in range(3):
        played(no_bet(at))
    at.do("ann", c.AskNoBetCoup())
    at.do("bob", c.AgreeNoBetCoup())
    at.refuse("sue", c.DirectNoBetCoup(), Reason.TOO_MANY_IN_A_ROW, "act-2015:4.9")
    at.coup("1 p 50", "9c Kd Kh 3s")
    assert no_bet(at).table.coup.kind is CoupKind.NO_BET  # type: ignore[union-attr]


@clause("act-2015:4.9", "act-2015:12.2")
def test_a_non_betting_round_neither_counts_towards_three_nor_breaks_the_row() -> None:
    at = act()
    for _ in range(2):
        played(no_bet(at))
    played(no_bet(at), "6c Kd Kh 7s 4d@-")
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert opened.kind is CoupKind.NON_BETTING
    at.do("dan", c.DealCarried())
    played(at, "Kd Kh 8s")
    at.do("ann", c.AskNoBetCoup())
    at.do("bob", c.AgreeNoBetCoup())
    at.refuse("sue", c.DirectNoBetCoup(), Reason.TOO_MANY_IN_A_ROW, "act-2015:4.9")


@clause("act-2015:4.9", "act-2015:d.void")
def test_a_void_round_does_not_break_the_row_of_no_bet_coups() -> None:
    at = act()
    for _ in range(3):
        played(no_bet(at))
    at.bet("1 p 50").deal("9c")
    at.do("sue", c.VoidCoup("disrupted", "brawl"))
    at.approve("mara")
    at.do("dan", c.EndCoup())
    at.do("ann", c.AskNoBetCoup())
    at.do("bob", c.AgreeNoBetCoup())
    at.refuse("sue", c.DirectNoBetCoup(), Reason.TOO_MANY_IN_A_ROW, "act-2015:4.9")


@clause("act-2015:4.9", "act-2015:d.void")
def test_a_void_no_bet_coup_does_not_count_towards_three() -> None:
    at = act()
    for _ in range(2):
        played(no_bet(at))
    no_bet(at).deal("9c")
    at.do("sue", c.VoidCoup("disrupted", "brawl"))
    at.approve("mara")
    at.do("dan", c.EndCoup())
    assert no_bet(at).table.coup.kind is CoupKind.NO_BET  # type: ignore[union-attr]


@clause("act-2015:6.2(a)")
def test_after_no_more_bets_devices_take_nothing_more() -> None:
    """What lies on the layout the dealer still notes, until the first card."""
    at = act("ann", "bob").bet("1 p 50")
    at.do("dan", c.NoMoreBets())
    for ask in (
        c.PlaceWager(2, Bet.PLAYER, 50_000, "bob"),
        c.PlaceWager(2, Bet.PLAYER_PAIR, 1000, "bob"),
    ):
        at.refuse("bob", ask, Reason.BETS_CLOSED, "act-2015:6.2(a)")
    raised = c.ChangeWager(1, Bet.PLAYER, 100_000)
    at.refuse("ann", raised, Reason.BETS_CLOSED, "act-2015:6.2(a)")
    at.refuse("ann", c.WithdrawWager(1, Bet.PLAYER), Reason.BETS_CLOSED, "act-2015:6.2(a)")
    at.do("dan", c.PlaceWager(2, Bet.PLAYER, 50_000, "bob"))


@clause("act-2015:3.3")
def test_an_amount_off_the_multiples_is_flagged_on_what_the_dealer_keys() -> None:
    at = act("ann", "bob").bet("1 p 50")
    placed = one(events.WagerPlaced, at.do("dan", c.PlaceWager(2, Bet.BANKER, 5250, "bob")))
    assert placed.clauses == ("act-2015:4.3(a)", "act-2015:3.3")
    shown = at.view("dan").play
    assert shown is not None
    assert [laid.off_multiple for laid in shown.wagers] == [False, True]
    changed = one(events.WagerChanged, at.do("dan", c.ChangeWager(2, Bet.BANKER, 5500, "bob")))
    assert changed.clauses == ("act-2015:4.3(a)",)
