"""Marina Bay Sands at the table: the call that closes bets, and irregularities as they happen."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Result, Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.state import Phase
from puntobanco.words import Step
from tests.kit.clauses import clause
from tests.kit.table.at import At, balanced, of, one, ready, rebuilt

MBS = "mbs-2017"
PLAYER_WINS = "9c Kd Kh 3s"
STOOD = "6c Kd Kh 7s"


def mbs(*people: str, **choices: object) -> At:
    return ready(MBS, *people, **choices)


def called(wagers: str, **choices: object) -> At:
    """Wagers lie on the layout and no more bets has been called."""
    at = mbs(**choices).bet(wagers)
    at.do("dan", c.NoMoreBets())
    return at


# opening


@clause("mbs-2017:0.front", "mbs-2017:2.1", "mbs-2017:2.2")
def test_version_date_backs_and_layout_are_on_record() -> None:
    at = At(MBS, layout="F", decks=6).open(effective="", backs="red diamonds")
    opened = one(events.TableOpened, at.log)
    assert (opened.opened.reference, opened.opened.effective) == ("Version 5", "17 February 2017")
    assert (opened.opened.backs, opened.notice.layout) == ("red diamonds", "F")
    assert {"mbs-2017:0.front", "mbs-2017:2.1", "mbs-2017:2.2"} <= {*opened.clauses}


@clause("mbs-2017:2.1")
def test_cards_whose_backs_nobody_noted_are_not_used() -> None:
    ask = c.OpenTable(sample_notice(MBS), "monday", "shoe 1", backs=" ")
    At(MBS).refuse("mara", ask, Reason.BACKS_MISSING, "mbs-2017:2.1")


@clause("mbs-2017:2.1")
def test_the_set_that_is_checked_is_as_many_decks_as_the_sign_says() -> None:
    at = At(MBS, decks=10).open().staffed()
    checked = one(events.CardsChecked, at.do("dan", c.CheckCards("set A")))
    assert (checked.decks, checked.clauses) == (10, ("mbs-2017:2.1",))


@clause("mbs-2017:2.2")
def test_the_layouts_letter_is_on_the_sign() -> None:
    at = At(MBS, layout="H").open()
    assert at.view().sign.notice.layout == "H"  # type: ignore[union-attr]
    ask = c.OpenTable(replace(sample_notice(MBS), layout="I"), "monday", "shoe 1")
    At(MBS).refuse("mara", ask, Reason.LAYOUT_NOT_ALLOWED, "mbs-2017:2.2")


@clause("mbs-2017:2.2.1", "mbs-2017:2.2.2", "mbs-2017:2.2.3", "mbs-2017:2.2.4", "mbs-2017:3.5")
def test_every_betting_area_takes_its_wager_and_all_may_be_combined() -> None:
    at = mbs()
    at.bet("1 p 100, 1 b 100, 1 t 100, 1 pp 100, 1 bp 100")
    laid = of(events.WagerPlaced, at.log)
    where = {event.wager.on: event.clauses for event in laid}
    assert where[Bet.BANKER] == ("mbs-2017:2.2.1",)
    assert where[Bet.PLAYER] == ("mbs-2017:2.2.2",)
    assert where[Bet.TIE] == ("mbs-2017:2.2.3",)
    assert where[Bet.PLAYER_PAIR] == where[Bet.BANKER_PAIR] == ("mbs-2017:2.2.4",)


# the round


@clause("mbs-2017:3.1", "mbs-2017:1.1.6-round-of-play")
def test_place_your_bets_begins_the_round() -> None:
    at = mbs()
    at.refuse("ann", c.PlaceWager(1, Bet.PLAYER, 10_000), Reason.BETTING_NOT_OPEN, "mbs-2017:3.1")
    assert at.view("dan").next.clause == "mbs-2017:3.1"  # type: ignore[union-attr]
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert opened.number == 1
    assert opened.clauses == ("mbs-2017:3.1", "mbs-2017:1.1.6-round-of-play")
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 10_000))


@clause("mbs-2017:1.1.6-round-of-play")
def test_the_round_is_over_once_announced_and_settled() -> None:
    at = mbs()
    happened = at.coup("1 p 100", PLAYER_WINS)
    where = "mbs-2017:1.1.6-round-of-play"
    cited = [type(event) for event in happened if where in event.clauses]
    assert cited[0] is events.CoupOpened
    assert cited[-1] is events.ResultDeclared


@clause("mbs-2017:3.2", "mbs-2017:5.6", "mbs-2017:5.7")
def test_the_call_locks_the_wagers_before_any_card() -> None:
    at = mbs()
    at.bet("1 p 100")
    at.do("ann", c.ChangeWager(1, Bet.PLAYER, 12_000))
    happened = at.do("dan", c.NoMoreBets())
    assert one(events.NoMoreBetsCalled, happened).clauses == ("mbs-2017:3.2",)
    assert of(events.BetsLocked, happened)
    for ask in (c.PlaceWager(1, Bet.TIE, 10_000), c.ChangeWager(1, Bet.PLAYER, 20_000)):
        at.refuse("ann", ask, Reason.BETS_CLOSED, "mbs-2017:5.6")


@clause("mbs-2017:3.2")
def test_no_card_before_the_call() -> None:
    at = mbs()
    at.bet("1 p 100")
    at.refuse("dan", c.DrawCard(Card("9c")), Reason.CALL_MISSING, "mbs-2017:3.2")
    at.do("dan", c.NoMoreBets())
    at.refuse("dan", c.NoMoreBets(), Reason.WRONG_MOMENT)


@clause("mbs-2017:5.7")
def test_taking_a_wager_back_after_the_call_is_refused_by_its_own_clause() -> None:
    at = called("1 p 100")
    at.refuse("ann", c.WithdrawWager(1, Bet.PLAYER), Reason.BETS_CLOSED, "mbs-2017:5.7")


@clause("mbs-2017:5.6")
def test_only_the_part_laid_in_time_wins_or_loses() -> None:
    at = called("1 p 100, 2 b 100")
    more = c.ChangeWager(1, Bet.PLAYER, 15_000, "ann")
    changed = one(events.WagerChanged, at.do("dan", more))
    assert (changed.wager.late_cents, changed.clauses) == (5000, ("mbs-2017:5.6",))
    at.do("dan", c.ChangeWager(2, Bet.BANKER, 30_000, "bob"))
    at.deal(PLAYER_WINS)
    won, lost = of(events.WagerSettled, at.do("dan", c.DeclareResult()))
    assert (won.stake_cents, won.won_cents, won.returned_cents) == (10_000, 10_000, 15_000)
    assert (lost.stake_cents, lost.returned_cents) == (10_000, 20_000)
    assert at.table.chips == {"ann": 1_010_000, "bob": 990_000}


@clause("mbs-2017:5.6")
def test_a_wager_laid_after_the_call_is_not_honoured() -> None:
    at = called("1 p 100")
    placed = one(events.WagerPlaced, at.do("dan", c.PlaceWager(2, Bet.PLAYER, 10_000, "bob")))
    assert (placed.wager.late_cents, placed.clauses) == (10_000, ("mbs-2017:5.6",))
    shown = at.view("bob").play
    assert shown is not None
    assert [wager.late for wager in shown.wagers] == [False, True]
    at.deal(PLAYER_WINS)
    late = of(events.WagerSettled, at.do("dan", c.DeclareResult()))[1]
    assert (late.outcome, late.won_cents, at.table.chips["bob"]) == ("returned", 0, 1_000_000)
    assert "mbs-2017:5.6" in late.clauses


@clause("mbs-2017:5.7")
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(("cards", "chips"), [(PLAYER_WINS, 1_020_000), ("2c Kd Kh 9s", 980_000)])
def test_a_wager_withdrawn_after_the_call_still_wins_or_loses(
    whole: bool, cards: str, chips: int
) -> None:
    at = called("1 p 200")
    ask = (
        c.WithdrawWager(1, Bet.PLAYER, "ann")
        if whole
        else c.ChangeWager(1, Bet.PLAYER, 10_000, "ann")
    )
    gone = one(events.WagerWithdrawn, at.do("dan", ask))
    assert (gone.wager.withdrawn, gone.clauses) == (True, ("mbs-2017:5.7",))
    at.deal(cards)
    line = one(events.WagerSettled, at.do("dan", c.DeclareResult()))
    assert "mbs-2017:5.7" in line.clauses
    assert at.table.chips["ann"] == chips


# the deal


@clause("mbs-2017:3.7", "mbs-2017:3.7.1", "mbs-2017:3.7.2")
def test_cards_go_to_the_hands_in_turn_and_no_others_are_dealt() -> None:
    at = called("1 p 100")
    for card, step, number in (
        ("9c", Step.CARD_FOR_PLAYER, "3.7.1"),
        ("Kd", Step.CARD_FOR_BANKER, "3.7.2"),
        ("Kh", Step.CARD_FOR_PLAYER, "3.7.1"),
        ("3s", Step.CARD_FOR_BANKER, "3.7.2"),
    ):
        told = at.view("dan").next
        assert told is not None
        assert (told.step, told.clause) == (step, f"mbs-2017:{number}")
        drawn = one(events.CardDrawn, at.do("dan", c.DrawCard(Card(card))))
        assert drawn.clauses == (f"mbs-2017:{number}",)
    at.refuse("dan", c.DrawCard(Card("4h")), Reason.NOTHING_OWED, "mbs-2017:3.9.1")


@clause("mbs-2017:3.9")
@pytest.mark.parametrize(
    ("cards", "points", "side"),
    [("2c Kd Kh 3s", (2, 3), Side.PLAYER), ("6c Kd Kh 3s", (6, 3), Side.BANKER)],
)
def test_totals_and_the_hand_that_draws_are_announced_and_shown(
    cards: str, points: tuple[int, int], side: Side
) -> None:
    at = called("1 p 100")
    announced = one(events.PointsAnnounced, at.deal(cards))
    assert (announced.player, announced.banker) == points
    assert announced.next is side
    assert announced.clauses[0] == "mbs-2017:3.9"
    for person in ("", "ann", "dan"):
        play = at.view(person).play
        assert play is not None
        assert (play.player_points, play.banker_points, play.next) == (*points, side)


@clause("mbs-2017:3.9", "mbs-2017:3.9.1")
def test_no_card_is_announced_after_a_natural() -> None:
    at = called("1 p 100")
    announced = one(events.PointsAnnounced, at.deal(PLAYER_WINS))
    assert (announced.player, announced.banker, announced.next) == (9, 3, None)
    assert announced.clauses == ("mbs-2017:3.9", "mbs-2017:3.9.1")
    assert at.view().play.next is None  # type: ignore[union-attr]


@clause("mbs-2017:4.1", "mbs-2017:3.8")
def test_pairs_are_settled_with_the_rest_when_the_round_ends() -> None:
    at = called("1 pp 100, 1 b 100")
    assert of(events.WagerSettled, at.deal("Kc 4d Kh 3s 2c")) == []
    at.do("dan", c.DeclareResult())
    assert at.table.chips["ann"] == 1_000_000 + 110_000 + 10_000


# irregularities


@clause("mbs-2017:5.1", "mbs-2017:5.1.1")
def test_a_foreign_card_makes_the_round_void() -> None:
    at = called("1 p 100, 2 bp 100")
    at.deal("9c Kd")
    happened = at.do("ines", c.ReportIrregularity(Found.FOREIGN_CARD, "a joker"))
    ruled = one(events.IrregularityRuled, happened)
    assert (ruled.verdict, ruled.note) == (Verdict.VOID, "a joker")
    assert ruled.clauses == ("mbs-2017:5.1.1",)
    assert one(events.CoupVoided, happened).clauses == ("mbs-2017:5.1.1",)
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_000_000}
    at.do("dan", c.EndCoup())
    assert at.table.coups[0].verdict is Verdict.VOID


@clause("mbs-2017:5.1", "mbs-2017:5.1.2", "mbs-2017:1.1.6-round-of-play")
@pytest.mark.parametrize("cleared", [False, True])
def test_a_foreign_card_found_after_a_round_leaves_its_result(cleared: bool) -> None:
    at = called("1 p 100")
    at.deal(PLAYER_WINS)
    at.do("dan", c.DeclareResult())
    if cleared:
        at.do("dan", c.EndCoup())
    happened = at.do("ines", c.ReportIrregularity(Found.FOREIGN_CARD))
    ruled = one(events.IrregularityRuled, happened)
    assert (ruled.verdict, ruled.clauses) == (Verdict.STANDS, ("mbs-2017:5.1.2",))
    assert at.table.chips["ann"] == 1_010_000


@clause("mbs-2017:5.2")
def test_a_wrong_number_of_cards_is_put_right_by_the_order_drawn() -> None:
    at = called("1 b 100")
    at.deal(f"{STOOD} 4d@p")
    happened = at.do("dan", c.DeclareResult())
    ruled = one(events.IrregularityRuled, happened)
    assert (ruled.verdict, ruled.clauses) == (Verdict.STANDS, ("mbs-2017:5.2",))
    assert (ruled.carried, [one_.card for one_ in ruled.discarded]) == ((), ["4d"])
    assert one(events.ResultDeclared, happened).result is Result.BANKER


@clause("mbs-2017:5.2")
def test_the_conditions_may_make_a_leftover_card_the_first_of_the_next_round() -> None:
    at = called("1 b 100", leftover="first-of-next")
    at.deal(f"{STOOD} 4d@p")
    ruled = one(events.IrregularityRuled, at.do("dan", c.DeclareResult()))
    assert [one_.card for one_ in ruled.carried] == ["4d"]


@clause("mbs-2017:5.2")
@pytest.mark.parametrize("when", ["in play", "settled", "cleared"])
def test_a_wrong_number_noticed_before_the_next_call_for_bets_voids_the_round(when: str) -> None:
    at = called("1 p 100")
    at.deal(PLAYER_WINS)
    if when != "in play":
        at.do("dan", c.DeclareResult())
    if when == "cleared":
        at.do("dan", c.EndCoup())
    done = at.do("ines", c.ReportIrregularity(Found.WRONG_NUMBER, "tape"))
    if when != "in play":  # a declared result is taken back by two people
        assert one(events.Proposed, done).person == "ines"
        done = at.approve("mara")
    ruled = one(events.IrregularityRuled, done)
    assert (ruled.verdict, ruled.clauses) == (Verdict.VOID, ("mbs-2017:5.2",))
    assert at.table.chips["ann"] == 1_000_000
    assert balanced(at.table)


@clause("mbs-2017:5.2", "mbs-2017:3.1")
def test_after_the_next_place_your_bets_an_error_is_noted_and_the_result_stands() -> None:
    at = mbs()
    at.coup("1 p 100", PLAYER_WINS)
    ask = c.VoidEarlier(1, "card 3 on Banker", 3)
    at.refuse("ines", ask, Reason.NOTICED_IN_TIME, "mbs-2017:5.2")
    at.do("dan", c.OpenCoup())
    at.do("ines", ask)
    happened = at.approve("mara")
    noted = one(events.ErrorNoted, happened)
    assert (noted.number, noted.clauses) == (1, ("mbs-2017:5.2",))
    assert of(events.TransferReversed, happened) == []
    assert at.table.chips["ann"] == 1_010_000
    assert at.table.coups[0].verdict is Verdict.STANDS


@clause("mbs-2017:5.3", "mbs-2017:5.4")
@pytest.mark.parametrize(
    ("found", "cards", "number"),
    [
        (Found.INITIAL_ORDER_UNKNOWN, "9c Kd", "5.3"),
        (Found.ORDER_UNKNOWN, "9c Kd", "5.3"),
        (Found.ORDER_UNKNOWN, "2c Kd Kh 3s 4h", "5.4"),
        (Found.SHOE_DISTURBED, "2c Kd Kh 3s 4h", "5.4"),
    ],
)
def test_lost_order_is_on_record_and_voids_the_round(found: Found, cards: str, number: str) -> None:
    at = called("1 p 100")
    at.deal(cards)
    awaited = one(events.RulingAwaited, at.do("dan", c.ReportIrregularity(found, "two at once")))
    assert (awaited.found, awaited.note) == (found, "two at once")
    assert awaited.clauses == (f"mbs-2017:{number}",)
    assert at.table.phase is Phase.HELD
    told = at.view("dan").next
    assert told is not None
    assert (told.step, told.clause) == (Step.RULE, f"mbs-2017:{number}")
    happened = at.do("ines", c.ConfirmFinding(True, "so it was"))
    ruled = one(events.IrregularityRuled, happened)
    assert (ruled.verdict, ruled.clauses) == (Verdict.VOID, (f"mbs-2017:{number}",))
    assert at.table.chips["ann"] == 1_000_000
    assert rebuilt(at) == at.table


@clause("mbs-2017:5.3", "mbs-2017:5.4", "mbs-2017:1.1.6-round-of-play")
@pytest.mark.parametrize("found", [Found.SHOE_DISTURBED, Found.ORDER_UNKNOWN])
def test_order_lost_after_a_round_touches_it_no_more(found: Found) -> None:
    at = called("1 p 100")
    at.deal(PLAYER_WINS)
    at.do("dan", c.DeclareResult())
    ruled = one(events.IrregularityRuled, at.do("ines", c.ReportIrregularity(found)))
    assert ruled.verdict is Verdict.STANDS
    assert at.table.chips["ann"] == 1_010_000


@clause("mbs-2017:5.5")
def test_too_few_cards_make_the_round_void_and_end_the_shoe() -> None:
    at = called("1 p 100")
    at.deal("2c Kd Kh 3s")
    at.nearly_empty(1)
    happened = at.do("ines", c.ReportIrregularity(Found.INSUFFICIENT_CARDS))
    ruled = one(events.IrregularityRuled, happened)
    assert (ruled.verdict, ruled.next_coup) == (Verdict.VOID, NextCoup.NONE)
    assert ruled.clauses == ("mbs-2017:5.5",)
    at.do("dan", c.EndCoup())
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)


@clause("mbs-2017:5.5")
def test_a_finished_round_had_cards_enough() -> None:
    at = called("1 p 100")
    at.deal(PLAYER_WINS)
    report = c.ReportIrregularity(Found.INSUFFICIENT_CARDS)
    at.refuse("ines", report, Reason.CARDS_SUFFICE, "mbs-2017:5.5")


def test_nobody_bets_into_a_card_seen_in_the_shoe() -> None:
    at = mbs()
    at.do("ines", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert opened.kind is CoupKind.NON_BETTING
    with pytest.raises(Refused):
        at.do("ann", c.PlaceWager(1, Bet.PLAYER, 10_000))
