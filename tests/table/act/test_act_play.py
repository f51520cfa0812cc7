"""Canberra's table in play: the shoe, the burn, the deal, face-down cards and pairs."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.shoe import Last
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.words import Step
from tests.kit.clauses import clause
from tests.kit.table.act import PLAYER_WINS, TIE, act, empty, finish, void
from tests.kit.table.at import At, of, one


def cut_shoe(**choices: object) -> At:
    """The cards are cut; they still have to be put into the shoe."""
    at = empty(**choices).seat("ann", "bob")
    at.do("dan", c.CheckCards("set A"))
    at.do("dan", c.Shuffle())
    at.cut()
    return at


# shuffle and cut


@clause("act-2015:5.1")
def test_the_dealer_shuffles_by_hand_for_every_shoe() -> None:
    at = empty()
    at.do("dan", c.CheckCards("set A"))
    at.refuse("dan", c.Shuffle("SM-2"), Reason.MACHINE_NOT_PROVIDED, "act-2015:5.1")
    shuffled = one(events.CardsShuffled, at.do("dan", c.Shuffle()))
    assert (shuffled.shuffled_by, shuffled.clauses) == ("dan", ("act-2015:5.1",))
    at.cut()
    at.do("dan", c.LoadShoe())
    at.do("dan", c.EndShoe("early"))
    at.refuse("dan", c.CutCards(100), Reason.SHOE_OUT_OF_STEP)
    assert one(events.CardsShuffled, at.do("dan", c.Shuffle())).clauses == ("act-2015:5.1",)


@clause("act-2015:5.1")
def test_nobody_else_shuffles() -> None:
    at = empty()
    at.do("dan", c.CheckCards("set A"))
    at.refuse("sue", c.Shuffle(), Reason.NOT_YOUR_ROLE, "act-2015:5.1")


def shuffled(*people: str) -> At:
    at = empty().seat(*people)
    at.do("dan", c.CheckCards("set A"))
    at.do("dan", c.Shuffle())
    return at


@clause("act-2015:5.2")
def test_any_player_may_cut_and_it_is_on_record_who_did() -> None:
    at = shuffled("ann", "bob")
    assert at.view("dan").floor.cut_offers == (2, 1)  # type: ignore[union-attr]
    done = one(events.CardsCut, at.do("ann", c.CutCards(60, 1)))
    assert (done.person, done.seat, done.depth) == ("ann", 1, 60)
    assert "act-2015:5.2" in done.clauses


@clause("act-2015:5.2")
def test_the_supervisor_cuts_only_when_no_player_will() -> None:
    at = shuffled("ann", "bob")
    at.refuse("sue", c.CutCards(60), Reason.CUT_IS_THE_PLAYERS, "act-2015:5.2")
    refused = one(events.CutRefused, at.do("bob", c.RefuseCut(2)))
    assert (refused.seat, refused.person, refused.clauses) == (2, "bob", ("act-2015:5.2",))
    at.do("dan", c.RefuseCut(1))
    at.refuse("dan", c.CutCards(60), Reason.NOT_YOUR_ROLE, "act-2015:5.2")
    step = at.view("dan").next
    assert step is not None
    assert (step.step, step.facts["role"]) == (Step.STAFF_CUT, "casino supervisor")
    done = one(events.CardsCut, at.do("sue", c.CutCards(60)))
    assert (done.person, done.seat) == ("sue", None)


@clause("act-2015:5.3")
@pytest.mark.parametrize(("depth", "allowed"), [(51, False), (52, True), (364, True), (365, False)])
def test_the_cut_is_a_deck_from_either_end(depth: int, allowed: bool) -> None:
    at, ask = shuffled("ann"), c.CutCards(depth, 1)
    if allowed:
        assert "act-2015:5.3" in one(events.CardsCut, at.do("ann", ask)).clauses
    else:
        at.refuse("ann", ask, Reason.CUT_TOO_SHALLOW, "act-2015:5.3")


@clause("act-2015:5.3")
def test_the_second_cutting_card_lies_twelve_from_the_back_counted_or_not() -> None:
    at = cut_shoe()
    at.refuse("dan", c.LoadShoe(11), Reason.MARKER_TOO_SHALLOW, "act-2015:5.3")
    counted = one(events.ShoeLoaded, at.do("dan", c.LoadShoe(12)))
    assert (counted.cards, counted.behind) == (416, 12)
    assert {"act-2015:5.3", "act-2015:d.shoe"} <= {*counted.clauses}
    uncounted = one(events.ShoeLoaded, cut_shoe().do("dan", c.LoadShoe()))
    assert uncounted.behind is None


# burn


@clause("act-2015:5.4(a)")
def test_the_first_card_is_burned_unseen() -> None:
    at = cut_shoe(burn="unseen")
    at.do("dan", c.LoadShoe())
    burned = one(events.CardsBurned, at.do("dan", c.BurnCards(face_down=1)))
    assert (burned.exposed, burned.face_down) == (None, 1)
    assert burned.clauses == ("act-2015:5.4(a)",)
    at.refuse("dan", c.BurnCards(face_down=1), Reason.NOTHING_TO_BURN, "act-2015:5.5")
    at.do("dan", c.OpenCoup())


@clause("act-2015:5.4(b)", "act-2015:5.5", "act-2015:5.6")
@pytest.mark.parametrize(("card", "more"), [("Ah", 1), ("9s", 9), ("Th", 10), ("Kd", 10)])
def test_the_exposed_card_says_how_many_are_burned(card: str, more: int) -> None:
    at = cut_shoe()
    at.do("dan", c.LoadShoe())
    burned = one(events.CardsBurned, at.do("dan", c.BurnCards(Card(card), more - 1)))
    assert burned.exposed == card
    assert {"act-2015:5.4(b)", "act-2015:5.5", "act-2015:5.6"} == {*burned.clauses}
    assert at.refuse("dan", c.OpenCoup(), Reason.BURN_DUE, "act-2015:5.5").facts["due"] == 1
    step = at.view("dan").next
    assert step is not None
    assert (step.step, step.clause, step.facts["cards"]) == (Step.BURN, "act-2015:5.5", 1)
    at.refuse("dan", c.BurnCards(Card(card)), Reason.BURN_OTHERWISE, "act-2015:5.5")
    at.refuse("dan", c.BurnCards(face_down=500), Reason.BURN_MISCOUNT, "act-2015:5.5")
    at.do("dan", c.BurnCards(face_down=1))
    assert at.table.shoe is not None
    assert at.table.shoe.drawn == 1 + more
    at.do("dan", c.OpenCoup())


@clause("act-2015:5.4(a)", "act-2015:5.4(b)")
@pytest.mark.parametrize(("posted", "ask"), [
    ("exposed", c.BurnCards(face_down=1)), ("unseen", c.BurnCards(Card("2c"), 2)),
])  # fmt: skip
def test_either_way_of_burning_is_the_dealers_choice(posted: str, ask: c.BurnCards) -> None:
    at = cut_shoe(burn=posted)
    at.do("dan", c.LoadShoe())
    at.do("dan", ask)
    at.do("dan", c.OpenCoup())


@clause("act-2015:5.5")
def test_a_burn_of_too_many_is_recorded_as_it_happened() -> None:
    at = cut_shoe()
    at.do("dan", c.LoadShoe())
    at.do("dan", c.BurnCards(Card("2c"), 4))
    assert at.table.shoe is not None
    assert (at.table.shoe.drawn, at.table.burn_due) == (5, 0)
    at.do("dan", c.OpenCoup())


@clause("act-2015:12.7")
@pytest.mark.parametrize("burned", [0, 3])
def test_a_forgotten_burn_is_on_record_and_the_round_goes_on(burned: int) -> None:
    at = cut_shoe()
    at.do("dan", c.LoadShoe())
    if burned:
        at.do("dan", c.BurnCards(Card("Kd"), burned - 1))
    report = c.ReportIrregularity(Found.BURN_FORGOTTEN, "straight to the deal")
    at.refuse("dan", report, Reason.NOT_YOUR_ROLE)
    ruled = one(events.IrregularityRuled, at.do("sue", report))
    assert (ruled.verdict, ruled.next_coup) == (Verdict.STANDS, NextCoup.ORDINARY)
    assert (ruled.note, ruled.clauses) == ("straight to the deal", ("act-2015:12.7",))
    at.coup("1 p 50", PLAYER_WINS)
    assert at.table.chips["ann"] == 1_005_000
    assert at.table.shoe is not None
    assert at.table.shoe.drawn == burned + 4


@clause("act-2015:12.7")
def test_a_burn_that_was_made_was_not_forgotten() -> None:
    report = c.ReportIrregularity(Found.BURN_FORGOTTEN)
    act().refuse("dan", report, Reason.BURN_IS_DONE, "act-2015:12.7")


@clause("act-2015:12.7")
@pytest.mark.parametrize("over", [False, True])
def test_a_forgotten_burn_is_noticed_in_the_round_or_after_it(over: bool) -> None:
    """The burn was keyed and never made: those three cards are in the shoe."""
    at = act()
    at.bet("1 p 50").deal("9c Kd")
    if over:
        at.deal("Kh 3s")
        finish(at)
    report = c.ReportIrregularity(Found.BURN_FORGOTTEN, "seen on video")
    ruled = one(events.IrregularityRuled, at.do("sue", report))
    assert (ruled.verdict, ruled.clauses) == (Verdict.STANDS, ("act-2015:12.7",))
    assert at.table.shoe is not None
    assert at.table.shoe.drawn == (4 if over else 2)
    at.refuse("sue", report, Reason.BURN_IS_DONE)


# the last round


@clause("act-2015:5.7")
def test_a_round_in_which_the_cutting_card_comes_is_the_last_unless_it_ties() -> None:
    at = act()
    at.bet("1 p 50").deal("9c Kd")
    assert at.view().play.last is Last.NO  # type: ignore[union-attr]
    seen = at.do("dan", c.SeeMarker())
    assert one(events.MarkerSeen, seen).clauses == ("act-2015:5.7",)
    announced = one(events.LastCoupAnnounced, seen)
    assert (announced.last, announced.clauses) == (Last.UNLESS_TIE, ("act-2015:5.7",))
    assert at.view().play.last is Last.UNLESS_TIE  # type: ignore[union-attr]
    at.deal("Kh 3s")
    finish(at)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "act-2015:5.7")
    step = at.view("dan").next
    assert step is not None
    assert (step.step, step.clause) == (Step.END_SHOE, "act-2015:5.7")
    ended = one(events.ShoeEnded, at.do("dan", c.EndShoe()))
    assert ended.clauses == ("act-2015:5.7",)


@clause("act-2015:5.7")
def test_after_a_tie_one_more_round_is_dealt_and_only_one() -> None:
    at = act()
    at.do("dan", c.SeeMarker())
    opened = one(events.CoupOpened, at.coup("1 p 50", TIE))
    assert opened.last is Last.UNLESS_TIE
    at.bet("1 p 50")
    assert at.view().play.last is Last.YES  # type: ignore[union-attr]
    at.deal(TIE)
    finish(at)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "act-2015:5.7")


@clause("act-2015:5.7")
def test_a_counted_cutting_card_announces_the_last_round_by_itself() -> None:
    at = empty().seat("ann").shoe(behind=406)  # ten cards before it, three of them burned
    at.coup("1 p 50", PLAYER_WINS)
    at.bet("1 p 50")
    assert at.view("ann").play.last is Last.UNLESS_TIE  # type: ignore[union-attr]
    at.deal(PLAYER_WINS)
    finish(at)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "act-2015:5.7")


@clause("act-2015:5.7")
def test_a_shoe_goes_on_until_its_cutting_card() -> None:
    act().refuse("dan", c.EndShoe(), Reason.SHOE_GOES_ON, "act-2015:5.7")


# the deal


@clause("act-2015:6.1", "act-2015:6.2(a)", "act-2015:6.2(b)", "act-2015:7.2", "act-2015:7.3")
def test_every_card_is_on_record_as_it_leaves_the_shoe_for_its_hand() -> None:
    at = act()
    drawn = of(events.CardDrawn, at.bet("1 p 50").deal("2c Kd Kh 3s 4h 5c"))
    assert [event.card for event in drawn] == ["2c", "Kd", "Kh", "3s", "4h", "5c"]
    assert all("act-2015:6.1" in event.clauses for event in drawn)
    wanted = ["6.2(a)", "6.2(a)", "6.2(b)", "6.2(b)", "7.2", "7.3"]
    assert [event.clauses[0] for event in drawn] == [f"act-2015:{n}" for n in wanted]
    play = at.view().play
    assert play is not None
    assert (play.player, play.banker) == (("2c", "Kh", "4h"), ("Kd", "3s", "5c"))


@clause("act-2015:6.2(a)", "act-2015:6.2(b)")
def test_the_dealer_is_told_whose_card_is_next() -> None:
    at = act()
    at.bet("1 p 50")
    at.do("dan", c.NoMoreBets())
    for card, step, number in (
        ("2c", Step.CARD_FOR_PLAYER, "6.2(a)"),
        ("Kd", Step.CARD_FOR_BANKER, "6.2(a)"),
        ("Kh", Step.CARD_FOR_PLAYER, "6.2(b)"),
        ("3s", Step.CARD_FOR_BANKER, "6.2(b)"),
        ("4h", Step.CARD_FOR_PLAYER, "7.2"),
        ("5c", Step.CARD_FOR_BANKER, "7.3"),
    ):
        told = at.view("dan").next
        assert told is not None
        assert (told.step, told.clause) == (step, f"act-2015:{number}")
        at.do("dan", c.DrawCard(Card(card)))
    assert at.view("dan").next.step is Step.DECLARE  # type: ignore[union-attr]


@clause("act-2015:6.2(a)", "act-2015:6.4")
def test_a_card_nobody_is_owed_is_refused() -> None:
    at = act()
    at.bet("1 p 50").deal(PLAYER_WINS)
    at.refuse("dan", c.DrawCard(Card("4h")), Reason.NOTHING_OWED, "act-2015:6.4")
    assert at.view("dan").next.clause == "act-2015:6.4"  # type: ignore[union-attr]


@clause("act-2015:d.round-of-play")
def test_a_round_runs_from_its_first_card_to_the_discard_rack() -> None:
    at = act()
    happened = at.coup("1 p 50", PLAYER_WINS)
    where = "act-2015:d.round-of-play"
    cited = [type(event) for event in happened if where in event.clauses]
    assert cited == [events.CardDrawn, events.CoupEnded]


# face-down play


def face_down(at: At) -> At:
    at.do("sue", c.SetFaceDown(True))
    return at


@clause("act-2015:2.2")
def test_the_operator_says_before_a_round_how_it_is_dealt() -> None:
    at = act()
    at.refuse("dan", c.SetFaceDown(True), Reason.NOT_YOUR_ROLE, "act-2015:2.2")
    said = one(events.FaceDownSet, at.do("sue", c.SetFaceDown(True)))
    assert (said.down, said.clauses) == (True, ("act-2015:2.2",))
    at.do("dan", c.OpenCoup())
    opened = at.log[-1]
    assert isinstance(opened, events.CoupOpened)
    assert opened.face_down
    at.deal("?? ?? ?? ??")
    at.refuse("mara", c.SetFaceDown(False), Reason.WRONG_MOMENT)
    assert at.view("mara").play.player == (None, None)  # type: ignore[union-attr]


@clause("act-2015:2.2")
def test_a_round_dealt_face_up_has_no_card_face_down() -> None:
    at = act()
    at.bet("1 p 50")
    at.do("dan", c.NoMoreBets())
    at.refuse("dan", c.DrawCard(), Reason.DEALT_FACE_UP)
    at.refuse("sue", c.NameExposer(Side.PLAYER, "ann"), Reason.DEALT_FACE_UP, "act-2015:2.2")


@clause("act-2015:6.3")
def test_the_supervisor_names_who_turns_a_hand_and_a_wager_gives_no_right_to_it() -> None:
    at = face_down(act())
    at.bet("1 p 5000, 2 b 50").deal("?? ?? ?? ??")
    at.refuse("dan", c.PassCards(Side.PLAYER), Reason.DEALER_TURNS)
    at.refuse("dan", c.NameExposer(Side.PLAYER, "bob"), Reason.NOT_YOUR_ROLE)
    named = one(events.ExposerNamed, at.do("sue", c.NameExposer(Side.PLAYER, "bob")))
    assert (named.side, named.person, named.clauses) == (Side.PLAYER, "bob", ("act-2015:6.3",))
    passed = one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER)))
    assert (passed.person, passed.clauses) == ("bob", ("act-2015:6.3",))
    at.refuse("bob", c.TurnCard(Card("9c"), 1), Reason.DEALER_NAMES_CARDS)
    turned = one(events.CardTurned, at.do("dan", c.TurnCard(Card("9c"), 1)))
    assert turned.person == "bob"


@clause("act-2015:6.3")
def test_the_dealer_may_be_the_one_named() -> None:
    at = face_down(act())
    at.bet("1 p 50").deal("?? ?? ?? ??")
    assert one(events.ExposerNamed, at.do("sue", c.NameExposer(Side.BANKER))).person == ""
    at.do("dan", c.TurnCard(Card("9c"), 2))
    assert at.view().play.banker == ("9c", None)  # type: ignore[union-attr]


# pairs


@clause("act-2015:9.9(a)", "act-2015:9.9(b)", "act-2015:9.10")
def test_pairs_are_taken_and_paid_before_a_third_card() -> None:
    at = act()
    happened = at.bet("1 pp 10, 2 bp 20, 1 p 50").deal("2c Kd 2h 3s")
    lines = of(events.WagerSettled, happened)
    assert [(line.wager.by, line.outcome) for line in lines] == [("bob", "loses"), ("ann", "wins")]
    assert "act-2015:9.8(c)" in lines[0].clauses
    assert "act-2015:11.2(a)" in lines[1].clauses
    assert at.table.chips == {"ann": 1_000_000 - 5000 + 11_000, "bob": 998_000}
    assert [wager.on for wager in at.table.coup.wagers] == [Bet.PLAYER]  # type: ignore[union-attr]
    told = at.view("dan").next
    assert told is not None
    assert (told.step, told.clause) == (Step.CARD_FOR_PLAYER, "act-2015:7.2")


@clause("act-2015:9.9(a)", "act-2015:9.10")
def test_face_down_cards_are_turned_and_pairs_settled_before_a_third_card() -> None:
    at = face_down(act())
    at.bet("1 pp 10").deal("?? ?? ?? ??")
    at.refuse("dan", c.DrawCard(), Reason.CARDS_FACE_DOWN)
    for position, card in enumerate(("2c", "Kd", "2h"), 1):
        assert of(events.WagerSettled, at.do("dan", c.TurnCard(Card(card), position))) == []
        at.refuse("dan", c.DrawCard(), Reason.CARDS_FACE_DOWN)
    assert one(events.WagerSettled, at.do("dan", c.TurnCard(Card("3s"), 4))).outcome == "wins"
    at.do("dan", c.DrawCard())


@clause("act-2015:9.9(b)", "act-2015:d.void")
def test_pairs_already_settled_go_back_when_the_round_is_void() -> None:
    at = act()
    at.bet("1 pp 10, 2 bp 20, 1 p 50").deal("2c Kd 2h 3s")
    happened = void(at)
    back = {event.wager.by: event.to_owner_cents for event in of(events.TransferReversed, happened)}
    assert back == {"ann": -11_000, "bob": 2000}
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_000_000}
    assert at.table.bank_cents == 0
    assert "act-2015:d.void" in one(events.CoupVoided, happened).clauses


@clause("act-2015:9.4(a)")
def test_a_round_with_nothing_but_pairs_is_dealt_to_its_end() -> None:
    at = act()
    at.bet("1 pp 10").deal("2c Kd 3h 3s")
    at.refuse("dan", c.DeclareResult(), Reason.COUP_INCOMPLETE, "act-2015:7.2")
