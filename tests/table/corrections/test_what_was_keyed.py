"""What was keyed wrong is put right by two people: cards, wagers, burn, marker, later findings."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.state import Phase
from tests.kit.clauses import clause
from tests.kit.table.at import At, of, one, ready
from tests.kit.table.corrections import cards, pair

# several cards


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("position", [2, 3])
def test_one_card_alone_never_voids_a_coup_that_was_over(ruleset: str, position: int) -> None:
    """Two cards were swapped: 6c Kh 2d 5s was keyed, 6c 2d Kh 5s was dealt, 6 to 7."""
    at = ready(ruleset)
    at.coup("1 p 100, 2 b 100", "6c Kh 2d 5s")  # a natural eight
    right = {2: Card("2d"), 3: Card("Kh")}[position]
    if position == 3:  # 6 to 5, and Banker would be owed a card
        at.refuse("dan", c.CorrectCard(1, 3, right, "swapped"), Reason.WHOLE_COUP_WANTED)
    pair(at, c.CorrectCoup(1, cards("6c 2d Kh 5s"), "swapped"))
    assert at.table.coups[-1].verdict is Verdict.STANDS
    assert at.table.coups[-1].result is Result.BANKER
    assert at.table.chips["ann"] == 990_000
    assert at.table.chips["bob"] > 1_000_000


@clause("act-2015:12.5")
def test_the_whole_list_shows_an_error_of_placement_found_late() -> None:
    """Keyed as 6 to 7; Player's true five was owed the card that Banker never got either."""
    at = ready("act-2015")
    at.coup("1 b 100", "6c Kd Kh 7s")
    at.bet("1 p 100").deal("9c")
    done = pair(at, c.CorrectCoup(1, cards("5c Kd Kh 7s"), "seen on video"))
    assert one(events.EarlierCoupVoided, done).clauses == ("act-2015:12.5",)
    assert at.table.chips["ann"] == 990_000  # what lies on the coup in play


@clause("act-2015:12.5")
def test_an_extra_card_that_nobody_recorded_is_said_with_the_list() -> None:
    at = ready("act-2015")
    at.coup("1 b 100", "6c Kd Kh 7s")
    at.bet("1 p 100").deal("9c")
    at.refuse("sue", c.VoidEarlier(1, "a card too many"), Reason.NO_ERROR)
    done = pair(at, c.CorrectCoup(1, cards("6c Kd Kh 7s 4d@p"), "a card too many"))
    assert one(events.EarlierCoupVoided, done).clauses == ("act-2015:12.5",)
    assert at.table.shoe is not None
    assert at.table.shoe.drawn == 3 + 5 + 1


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_coup_in_play_is_played_again_from_the_whole_list(ruleset: str) -> None:
    at = ready(ruleset)
    at.bet("1 p 100").deal("6c Kh 2d 5s")
    at.do("dan", c.DeclareResult())
    assert at.table.chips["ann"] == 1_010_000
    pair(at, c.CorrectCoup(1, cards("6c 2d Kh 5s"), "swapped"))
    assert at.table.phase is Phase.DEALING
    at.do("dan", c.DeclareResult())
    assert at.table.chips["ann"] == 990_000
    at.refuse("dan", c.CorrectCoup(1, cards("6c 2d Kh 5s"), "again"), Reason.AS_ON_RECORD)


@clause("tas-2018:14.1", "act-2015:12.2")
@pytest.mark.parametrize("ruleset", ["tas-2018", "act-2015"])
@pytest.mark.parametrize("when", ["settled", "between", "opened"])
def test_a_phantom_excess_card_makes_no_coup_non_betting(ruleset: str, when: str) -> None:
    at = ready(ruleset)
    at.bet("1 p 100").deal("9c Kd Kh 3s 4d@p")
    at.do("dan", c.DeclareResult())
    if when != "settled":
        at.do("dan", c.EndCoup())
        assert at.table.next_kind is NextCoup.NON_BETTING
    if when == "opened":
        at.do("dan", c.OpenCoup())
    drawn = at.table.shoe.drawn if at.table.shoe else 0
    pair(at, c.CorrectCoup(1, cards("9c Kd Kh 3s"), "keyed twice"))
    assert at.table.shoe is not None
    assert at.table.shoe.drawn == drawn - 1
    if when == "settled":
        at.do("dan", c.DeclareResult())
        at.do("dan", c.EndCoup())
    if when == "opened":
        assert at.table.coup is not None
        assert at.table.coup.kind is CoupKind.ORDINARY
        at.do("dan", c.PlaceWager(1, Bet.PLAYER, 10_000, "ann"))
        at.deal("9c Kd Kh 3s")
        at.do("dan", c.DeclareResult())
        at.do("dan", c.EndCoup())
    else:
        at.coup("1 p 100", "9c Kd Kh 3s")
    assert at.table.chips["ann"] == 1_020_000
    assert at.table.pack.seen.get(Card("4d"), 0) == 0


@clause("tas-2018:14.1")
def test_an_excess_card_found_later_makes_the_next_coup_non_betting() -> None:
    at = ready()
    at.coup("1 p 100", "9c Kd Kh 3s")
    at.bet("1 p 100")
    found = c.CorrectCoup(1, cards("9c Kd Kh 3s 4d@p"), "it lies at the mouth of the shoe")
    at.refuse("dan", found, Reason.WAGERS_ON_NEXT, "tas-2018:14.1")
    at.do("dan", c.WithdrawWager(1, Bet.PLAYER, "ann"))
    pair(at, found)
    assert at.table.coup is not None
    assert at.table.coup.kind is CoupKind.NON_BETTING
    at.do("dan", c.DealCarried())
    at.deal("Kd Kh 3s 2c 2d")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())


def test_what_another_finding_made_of_the_next_coup_stays() -> None:
    at = ready()
    at.bet("1 p 100").deal("9c Kd Kh 3s 4d@p")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    at.do("dan", c.EndCoup())
    pair(at, c.CorrectCoup(1, cards("9c Kd Kh 3s 4d@p 5d@-"), "two came"))
    assert at.table.next_kind is NextCoup.NON_BETTING
    assert len(at.table.carried) == 2


# a card too often


@clause("tas-2018:4.1", "tas-2018:4.3")
def test_a_ninth_card_of_a_kind_is_taken_and_flagged() -> None:
    """One of the nine was keyed wrong, and nobody knows which yet."""
    at = ready("tas-2018", decks=6)
    for _ in range(6):
        at.coup("1 b 100", "6c Kd Kh 7s")
    at.bet("1 b 100")
    flagged = one(events.CopiesExceeded, at.deal("6c"))
    assert (flagged.card, flagged.copies) == (Card("6c"), 7)
    assert flagged.clauses == ("tas-2018:4.1",)
    at.deal("Qd Qh 7d")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    pair(at, c.CorrectCard(3, 1, Card("6s"), "it was a spade"))
    assert at.table.pack.seen[Card("6c")] == 6
    again = pair(at, c.CorrectCard(3, 1, Card("6c"), "no, a club"))
    assert one(events.CopiesExceeded, again).copies == 7


# a wager


@clause("tas-2018:6.3", "act-2015:4.6", "mbs-2017:5.6")
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("when", ["dealing", "settled", "between", "after"])
def test_a_wager_that_lay_in_time_counts_whenever_it_is_said(ruleset: str, when: str) -> None:
    at = ready(ruleset)
    at.bet("1 p 100").deal("9c Kd")
    at.do("dan", c.PlaceWager(2, Bet.PLAYER, 20_000, "bob"))  # keyed late
    ask = c.CorrectWager(1, "bob", 2, Bet.PLAYER, 20_000, "it lay there on video")
    if when == "dealing":
        pair(at, ask)
    at.deal("Kh 3s")
    at.do("dan", c.DeclareResult())
    if when == "settled":
        assert at.table.chips["bob"] == 1_000_000
        pair(at, ask)
    at.do("dan", c.EndCoup())
    if when == "after":
        at.coup("1 p 100", "9c Kd Kh 3s")
    if when in ("between", "after"):
        corrected = one(events.WagerCorrected, pair(at, ask))
        assert corrected.was is not None
        assert corrected.was.late_cents == 20_000
    assert at.table.chips["bob"] == 1_020_000
    assert at.table.chips["ann"] == (1_020_000 if when == "after" else 1_010_000)
    at.refuse("dan", ask, Reason.AS_ON_RECORD)


@pytest.mark.parametrize("over", [False, True])
def test_a_wager_that_never_lay_is_taken_out_again(over: bool) -> None:
    at = ready()
    at.bet("1 p 100, 2 p 500").deal("9c Kd Kh 3s")
    at.do("dan", c.DeclareResult())
    if over:
        at.do("dan", c.EndCoup())
    pair(at, c.CorrectWager(1, "bob", 2, Bet.PLAYER, 0, "keyed at the wrong box"))
    assert at.table.chips["bob"] == 1_000_000
    lines = at.table.coups[-1].lines if over else at.table.coup.lines if at.table.coup else ()
    assert [line.wager.by for line in lines] == ["ann"]
    at.refuse("dan", c.CorrectWager(1, "bob", 2, Bet.PLAYER, 0, ""), Reason.AS_ON_RECORD)


@clause("tas-2018:7.4")
def test_the_limits_hold_for_a_wager_put_right() -> None:
    at = ready()
    at.coup("1 p 100", "9c Kd Kh 3s")
    most = at.table.terms.notice.limits.max_cents
    pair(at, c.CorrectWager(1, "ann", 1, Bet.PLAYER, most + 10_000, "a stack fell over"))
    assert at.table.chips["ann"] == 1_000_000 + most
    at.refuse("dan", c.CorrectWager(1, "ann", 1, Bet.PLAYER, 101, ""), Reason.NOT_A_MULTIPLE)


@clause("act-2015:9.9(a)")
def test_a_pairs_wager_is_settled_as_soon_as_pairs_are() -> None:
    at = ready("act-2015")
    at.bet("1 p 100").deal("6c Kd 6h 5s")
    ask = c.CorrectWager(1, "ann", 1, Bet.PLAYER_PAIR, 10_000, "it lay there")
    settled = one(events.WagerSettled, pair(at, ask))
    assert settled.won_cents > 0


def test_no_wager_of_a_void_coup_is_put_right() -> None:
    at = ready("act-2015")
    at.bet("1 p 100").deal("9c Kd")
    at.do("sue", c.VoidCoup("disrupted", "riot"))
    at.approve("mara")
    ask = c.CorrectWager(1, "ann", 1, Bet.PLAYER, 20_000, "")
    at.refuse("dan", ask, Reason.COUP_IS_VOID)
    at.do("dan", c.EndCoup())
    at.refuse("dan", ask, Reason.COUP_IS_VOID)


# the burn and the marker


@clause("act-2015:5.5")
def test_a_burn_of_one_too_many_is_put_right() -> None:
    at = ready("act-2015")
    at.coup("1 p 100", "9c Kd Kh 3s")
    pair(at, c.CorrectBurn("it was a three", Card("3c"), 3))
    assert at.table.shoe is not None
    assert at.table.shoe.drawn == 4 + 4
    assert at.table.pack.seen[Card("3c")] == 1
    assert Card("2c") not in at.table.pack.seen
    at.refuse("dan", c.CorrectBurn("", Card("3c"), 3), Reason.AS_ON_RECORD)
    ready().refuse("dan", c.CorrectBurn("", Card("3c"), 3), Reason.BURN_NOT_PROVIDED)


@clause("tas-2018:9.4", "act-2015:5.7")
@pytest.mark.parametrize("ruleset", ["tas-2018", "act-2015"])
@pytest.mark.parametrize("over", [False, True])
def test_a_marker_that_was_not_seen_ends_no_shoe(ruleset: str, over: bool) -> None:
    at = ready(ruleset)
    at.refuse("dan", c.CorrectMarker(""), Reason.AS_ON_RECORD)
    at.bet("1 p 100").deal("9c Kd")
    at.do("dan", c.SeeMarker())
    at.deal("Kh 3s")
    at.do("dan", c.DeclareResult())
    if over:
        at.do("dan", c.EndCoup())
    pair(at, c.CorrectMarker("a joker of another colour"))
    if not over:
        at.do("dan", c.EndCoup())
    assert at.table.shoe is not None
    assert (at.table.shoe.since_marker, at.table.shoe.ended) == (None, "")
    at.coup("1 p 100", "9c Kd Kh 3s")
    at.coup("1 p 100", "9c Kd Kh 3s")


@clause("tas-2018:14.1", "tas-2018:9.4")
def test_without_the_marker_a_card_left_over_begins_the_next_coup() -> None:
    at = ready("act-2015")
    at.bet("1 p 100").deal("9c Kd")
    at.do("dan", c.SeeMarker())
    at.deal("Kh 3s 4d@p")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert at.table.next_kind is NextCoup.NONE
    ruled = one(events.NextCoupRuled, pair(at, c.CorrectMarker("a joker")))
    assert (ruled.next_kind, len(ruled.carried)) == (NextCoup.NON_BETTING, 1)
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())


# a change of shoe is no round


def new_shoe(at: At) -> None:
    at.do("dan", c.EndShoe("worn cards"))
    at.shoe()


@clause("act-2015:12.5")
def test_a_shoes_last_round_has_no_next_round_until_its_first_card() -> None:
    at = ready("act-2015")
    at.coup("1 b 100", "6c Kd Kh 7s")
    record = at.table.coups[-1]
    new_shoe(at)
    late = c.VoidEarlier(1, "laid wrong", 2, record)
    at.refuse("sue", late, Reason.NOTICED_IN_TIME, "act-2015:12.5")
    at.bet("1 b 100")
    at.refuse("sue", late, Reason.NOTICED_IN_TIME, "act-2015:12.5")
    at.deal("9c")
    at.do("sue", late)
    assert one(events.EarlierCoupVoided, at.approve("mara")).number == 1


@clause("act-2015:12.4")
def test_a_shoes_last_round_is_put_in_order_after_the_change() -> None:
    at = ready("act-2015")
    at.coup("1 b 100", "6c Kd Kh 7s")
    record = at.table.coups[-1]
    new_shoe(at)
    right = c.CorrectCoup(1, cards("9c Kd Kh 7s"), "a nine", record)
    assert not of(events.EarlierCoupVoided, pair(at, right))
    assert at.table.chips["ann"] == 990_000


@clause("mbs-2017:5.2")
@pytest.mark.parametrize("shoe", ["the same", "none", "a new one"])
def test_a_wrong_number_is_in_time_until_the_next_call(shoe: str) -> None:
    at = ready("mbs-2017")
    at.coup("1 p 100", "9c Kd Kh 3s")
    record = at.table.coups[-1]
    if shoe != "the same":
        at.do("dan", c.EndShoe("worn cards"))
    if shoe == "a new one":
        at.shoe()
    older = record if shoe == "a new one" else None
    at.do("ines", c.ReportIrregularity(Found.WRONG_NUMBER, "five cards lie there", older))
    assert at.table.chips["ann"] == 1_010_000  # two people take back what was paid
    assert one(events.EarlierCoupVoided, at.approve("mara")).clauses == ("mbs-2017:5.2",)
    assert at.table.chips["ann"] == 1_000_000


# what the operator learns later


@clause("act-2015:14.1", "act-2015:14.3")
@pytest.mark.parametrize(("cause", "cited"), [("disrupted", "14.1"), ("fraud", "14.3")])
def test_an_outcome_is_cancelled_after_the_round_is_over(cause: str, cited: str) -> None:
    at = ready("act-2015")
    at.coup("1 p 100", "9c Kd Kh 3s")
    at.do("sue", c.VoidEarlier(1, "seen on video", cause=cause))  # type: ignore[arg-type]
    assert one(events.EarlierCoupVoided, at.approve("mara")).clauses == (f"act-2015:{cited}",)
    assert at.table.chips["ann"] == 1_000_000


@clause("act-2015:14.2(a)")
def test_one_players_wagers_of_an_earlier_round_are_void() -> None:
    at = ready("act-2015")
    at.coup("1 p 100, 2 p 100", "9c Kd Kh 3s")
    at.refuse("sue", c.VoidWagers("ann", "past posting"), Reason.NO_WAGERS_OF_THEIRS)
    at.do("sue", c.VoidWagers("ann", "past posting", 1))
    at.approve("mara")
    assert (at.table.chips["ann"], at.table.chips["bob"]) == (1_000_000, 1_010_000)
    at.refuse("sue", c.VoidWagers("ann", "again", 1), Reason.NO_WAGERS_OF_THEIRS)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_between_two_shoes_what_is_found_is_noted(ruleset: str) -> None:
    at = ready(ruleset)
    at.coup("1 p 100", "9c Kd Kh 3s")
    at.do("dan", c.EndShoe("worn cards"))
    ruled = one(events.IrregularityRuled, at.do("dan", c.ReportIrregularity(Found.FOREIGN_CARD)))
    assert ruled.verdict is Verdict.STANDS
    at.refuse("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE), Reason.NO_SHOE)
    at.refuse("dan", c.ReportIrregularity(Found.INSUFFICIENT_CARDS), Reason.CARDS_SUFFICE)
