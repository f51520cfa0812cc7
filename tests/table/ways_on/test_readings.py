"""Where a rule was too strict, too lax, or misread."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.notice import Limits
from puntobanco.table import commands as c
from puntobanco.table.state import Phase
from puntobanco.words import Step
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.act import act
from tests.kit.table.at import At, events, of, one, ready
from tests.kit.table.tas import BOTH, NATURAL, STOOD, face_down, step
from tests.kit.table.verified import sound

# 5.2 in Singapore


@clause("mbs-2017:5.2")
@pytest.mark.parametrize("called", [False, True])
def test_a_wrong_number_found_after_the_next_call_does_not_touch_the_new_game(
    called: bool,
) -> None:
    """[mbs-2017:5.2]"""
    at = ready("mbs-2017")
    at.coup("1 p 100", NATURAL)
    at.bet("1 p 100")
    if called:
        at.do("dan", c.NoMoreBets())
    done = at.do("ines", c.ReportIrregularity(Found.WRONG_NUMBER, "seen on tape"))
    assert one(events.IrregularityRuled, done).verdict is Verdict.STANDS
    assert not of(events.CoupVoided, done)
    assert at.table.phase is (Phase.DEALING if called else Phase.BETTING)
    assert sound(at)


@clause("mbs-2017:5.2")
def test_nor_is_it_in_time_after_a_game_that_was_called_and_not_dealt() -> None:
    """[mbs-2017:5.2, 3.1]"""
    at = ready("mbs-2017")
    at.coup("1 p 100", NATURAL)
    at.do("dan", c.OpenCoup())
    at.do("dan", c.CloseCoup())
    ruled = one(events.IrregularityRuled, at.do("ines", c.ReportIrregularity(Found.WRONG_NUMBER)))
    assert ruled.verdict is Verdict.STANDS
    assert sound(at)


@clause("mbs-2017:5.2")
def test_conditions_that_do_not_name_what_becomes_of_a_card_left_over_are_refused() -> None:
    """[mbs-2017:5.2]"""
    at = At("mbs-2017", leftover="")
    ask = c.OpenTable(at.notice, "monday", "shoe 1", backs="red")
    at.refuse("mara", ask, Reason.LEFTOVER_MISSING, "mbs-2017:5.2")
    at.do("mara", replace(ask, notice=replace(at.notice, leftover="first-of-next")))


# 7.3 collective liability


@BOTH
@clause(*tas("7.3(b)"))
def test_collective_liability_counts_only_what_is_within_each_maximum(doc: str) -> None:
    """[tas-2018:7.3(b), 7.4] 600 of a maximum of 500 count as 500."""
    at = ready(doc, limits=Limits(2500, 50_000), collective_liability_cents=100_000)
    at.bet("1 p 600, 2 p 500")
    at.refuse("dan", c.ReduceWagers(), Reason.NOTHING_TO_REDUCE)
    at.do("mara", c.AgreeLimits("bob", Limits(2500, 150_000)))
    at.do("dan", c.ChangeWager(2, Bet.PLAYER, 150_000, "bob"))
    cuts = of(events.WagerReduced, at.do("dan", c.ReduceWagers()))
    assert [cut.wager.cents for cut in cuts] == [25_000, 75_000]
    at.deal(NATURAL)
    assert one(events.BetsLocked, at.log).unreduced == ()
    assert sound(at)


# 14.6 in Canberra


@clause("act-2015:14.6")
def test_who_had_to_give_up_a_seat_does_not_sit_again_unasked() -> None:
    """[act-2015:14.6] The casino supervisor lets them, by seating them; they may stand."""
    people = [f"p{number}" for number in range(1, act().notice.seats + 1)]
    at = act(*people)
    for _ in range(3):
        at.coup("1 p 50", STOOD)
    vacated = one(events.SeatVacated, at.do("sue", c.RequireVacate(2)))
    assert vacated.until_asked
    at.refuse("p2", c.Sit(2), Reason.SEAT_GIVEN_UP, "act-2015:14.6")
    at.refuse("dan", c.Sit(2, "p2"), Reason.SEAT_GIVEN_UP)
    at.do("sue", c.Sit(2, "p2"))
    assert "p2" not in at.table.vacated
    assert sound(at)


# 14.1: the coup that is ordered, and the card that lies face up


@pytest.mark.parametrize("doc", ["tas-2018", "act-2015"])
@clause("tas-2018:14.1", "act-2015:12.2")
def test_the_ordered_non_betting_coup_is_left_out_by_two_people_with_a_reason(doc: str) -> None:
    """[tas-2018:14.1, act-2015:12.2]"""
    at = ready(doc)
    at.coup("1 p 50", f"{NATURAL} 4d@p")
    at.refuse("dan", c.EndShoe(), Reason.SHOE_GOES_ON, at.table.next_clause)
    assert one(events.Proposed, at.do("dan", c.EndShoe("cards torn"))).person == "dan"
    assert at.table.phase is Phase.READY
    at.refuse("dan", c.Approve(1), Reason.SAME_PERSON)
    assert one(events.ShoeEnded, at.approve("mara")).note == "cards torn"
    assert sound(at)


@pytest.mark.parametrize("doc", ["tas-2018", "tas-2013", "act-2015"])
@clause("tas-2018:14.1", "tas-2013:14.1", "act-2015:12.2")
def test_nor_is_it_left_out_by_closing_the_table(doc: str) -> None:
    """[tas-2018:14.1, act-2015:12.2] Two people and a reason, as for ending the shoe."""
    at = ready(doc)
    at.coup("1 p 50", f"{NATURAL} 4d@p")
    overseer = "sue" if doc == "act-2015" else "ines"
    at.do(overseer, c.GiveClosingNotice(at.at_ms + 2000))
    at.later(1).refuse("mara", c.CloseTable(), Reason.SHOE_GOES_ON, at.table.next_clause)
    assert one(events.Proposed, at.do(overseer, c.CloseTable("a fire"))).person == overseer
    assert at.table.phase is Phase.READY
    one(events.TableClosed, at.approve("mara"))
    assert sound(at)


def test_an_ordinary_table_is_closed_by_one_and_so_is_one_whose_ordered_coup_was_dealt() -> None:
    """[tas-2018:14.1] A proposal to close dies with the shoe."""
    at = ready("tas-2018")
    at.coup("1 p 50", f"{NATURAL} 4d@p")
    at.do("ines", c.CloseTable("a fire"))
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    at.deal("Kd Kh 8s")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.do("dan", c.EndShoe("cards torn"))
    assert not at.table.proposals
    assert of(events.TableClosed, at.do("ines", c.CloseTable()))
    assert sound(at)


def test_an_ordinary_shoe_is_ended_by_one() -> None:
    at = ready("tas-2018")
    at.coup("1 p 50", NATURAL)
    assert of(events.ShoeEnded, at.do("dan", c.EndShoe("cards torn")))
    assert sound(at)


@BOTH
@clause(*tas("14.1"))
def test_a_card_carried_over_lies_face_up_in_squeeze_play_too(doc: str) -> None:
    """[tas-2018:14.1]"""
    at = face_down(ready(doc)).bet("1 p 50")
    at.deal("?? ?? ?? ??")
    for position, card in enumerate(("9c", "Kd", "Kh", "2s"), 1):
        at.do("dan", c.TurnCard(Card(card), position))
    at.deal("??@p")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    at.refuse("dan", c.DealCarried(), Reason.DEALT_FACE_UP, twin(doc, "14.1"))
    at.do("dan", c.DealCarried(Card("4d")))
    assert sound(at)


# a disturbed shoe


@pytest.mark.parametrize("when", ["between", "betting", "dealing"])
@pytest.mark.parametrize(
    ("doc", "number"),
    [("tas-2018", "14.6"), ("tas-2013", "3"), ("act-2015", "14.3"), ("mbs-2017", "5.4")],
)
@clause("tas-2018:14.6", "tas-2013:3", "act-2015:14.3", "mbs-2017:5.4")
def test_nothing_more_is_dealt_from_a_disturbed_shoe(doc: str, number: str, when: str) -> None:
    """[tas-2018:14.6, tas-2013:3, act-2015:14.3, mbs-2017:5.4]"""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    if when != "between":
        at.bet("1 p 100")
    if when == "dealing":
        at.deal("9c Kd")
    overseer = "sue" if doc == "act-2015" else "ines"
    at.do(overseer, c.ReportIrregularity(Found.SHOE_DISTURBED))
    if at.table.phase is Phase.HELD:
        at.do(overseer, c.RuleOn("void", "dropped"))
        at.approve("mara")
    if at.table.phase is Phase.SETTLED:
        ended = one(events.CoupEnded, at.do("dan", c.EndCoup()))
        assert ended.next_kind is NextCoup.NONE
    assert step(at).step is Step.END_SHOE
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, f"{doc}:{number}")
    assert of(events.ShoeEnded, at.do("dan", c.EndShoe()))
    assert sound(at)


@pytest.mark.parametrize("doc", ["act-2015", "tas-2013"])
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("called", [False, True])
@clause("act-2015:14.3", "tas-2013:3")
def test_a_coup_without_a_card_is_not_dealt_from_it_though_it_is_ruled_to_stand(
    doc: str, *, first: bool, called: bool
) -> None:
    """[act-2015:14.3, tas-2013:3] What lay goes back; and the shoe goes on if nobody moved it."""
    at = ready(doc)
    if not first:
        at.coup("1 p 100", NATURAL)
    chips = dict(at.table.chips)
    at.bet("1 p 100")
    if called:
        at.do("dan", c.NoMoreBets())
    at.do("dan", c.ReportIrregularity(Found.SHOE_DISTURBED))
    at.do("sue" if doc == "act-2015" else "ines", c.RuleOn("stands", "nothing was dealt"))
    closed = one(events.CoupNotDealt, at.approve("mara"))
    assert (closed.next_kind, closed.disturbed) == (NextCoup.NONE, True)
    assert (at.table.chips, step(at).step) == (chips, Step.END_SHOE)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)
    at.do("dan", c.CorrectFinding("shoe-disturbed", "the next table's"))
    at.approve("sue" if doc == "act-2015" else "ines")
    at.coup("1 p 100", NATURAL)
    assert sound(at)


@clause("act-2015:14.3")
def test_nor_after_a_ruling_that_the_round_stands() -> None:
    """[act-2015:14.3]"""
    at = act().bet("1 p 50")
    at.deal("6c Kd")
    at.do("dan", c.ReportIrregularity(Found.SHOE_DISTURBED))
    at.do("sue", c.RuleOn("stands", "only the back cards moved"))
    at.approve("mara")
    at.deal("Kh 7s")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "act-2015:14.3")
    assert sound(at)


# advice after a correction


@pytest.mark.parametrize(("doc", "number"), [("tas-2018", "7.5"), ("act-2015", "3.4")])
@clause("tas-2018:7.5", "act-2015:3.4")
def test_a_correction_from_a_tie_to_a_win_advises_the_owner(doc: str, number: str) -> None:
    """[tas-2018:7.5, act-2015:3.4] Only now is the wager paid or collected."""
    at = ready(doc)
    low = at.notice.limits.min_cents // 2 // at.notice.chip_cents * at.notice.chip_cents
    at.do("dan", c.OpenCoup())
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, low, "ann"))
    at.deal("9c 9d Kh Ks")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert not of(events.WarningGiven, at.log)
    at.do("ines" if doc != "act-2015" else "sue", c.CorrectCard(1, 2, Card("8d"), "tape"))
    warned = one(events.WarningGiven, at.approve("mara"))
    assert (warned.person, warned.clauses) == ("ann", (f"{doc}:{number}",))
    assert "ann" in at.table.warned
    assert sound(at)
