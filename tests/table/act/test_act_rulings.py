"""Canberra's table when cards go wrong: what the rule says, who rules, and errors found late."""

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid, Result
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.shoe import Last
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.state import Phase
from tests.kit.clauses import clause
from tests.kit.table.act import BANKER_DRAWS, PLAYER_WINS, STOOD, TIE, act, finish, void
from tests.kit.table.at import At, balanced, of, one, rebuilt

# irregularities


@clause("act-2015:12.1", "act-2015:12.4")
@pytest.mark.parametrize(
    ("cards", "number"),
    [
        (f"{BANKER_DRAWS} 4d@p", "12.1"),
        ("2c Kd Kh 7s 4d@b", "12.4"),
        ("6c@b Kd@p Kh 7s", "12.4"),
    ],
)
def test_a_card_on_the_wrong_hand_goes_where_the_table_of_play_puts_it(
    cards: str, number: str
) -> None:
    at = act()
    drawn = of(events.CardDrawn, at.bet("1 p 50").deal(cards))
    assert {event.laid for event in drawn} & {Laid.PLAYER, Laid.BANKER}
    ruled = one(events.IrregularityRuled, at.do("dan", c.DeclareResult()))
    assert (ruled.verdict, ruled.found) == (Verdict.STANDS, Found.CARDS_OUT_OF_ORDER)
    assert f"act-2015:{number}" in ruled.clauses


@clause("act-2015:12.2")
def test_an_exposed_excess_card_opens_a_round_on_which_nobody_bets() -> None:
    at = act()
    ruled = one(events.IrregularityRuled, at.coup("1 p 50", f"{STOOD} 4d@p"))
    assert [one_.card for one_ in ruled.carried] == ["4d"]
    assert (ruled.next_coup, ruled.clauses) == (NextCoup.NON_BETTING, ("act-2015:12.2",))
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert (opened.kind, opened.clauses) == (CoupKind.NON_BETTING, ("act-2015:12.2",))
    ask = c.PlaceWager(1, Bet.PLAYER, 5000, "ann")
    for person in ("ann", "dan"):
        at.refuse(person, ask, Reason.NON_BETTING_COUP, "act-2015:12.2")
    at.refuse("dan", c.DrawCard(Card("5h")), Reason.CARRIED_FIRST, "act-2015:12.2")
    at.do("dan", c.DealCarried())
    at.deal("Kd 4h")
    at.refuse("dan", c.DeclareResult(), Reason.COUP_INCOMPLETE)
    at.deal("Ks")
    finish(at)
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


@clause("act-2015:12.3", "act-2015:4.6")
def test_an_unexposed_excess_card_opens_a_round_that_is_bet_on_until_it_is_dealt() -> None:
    at = act()
    ruled = one(events.IrregularityRuled, at.coup("1 p 50", f"{STOOD} ??@-"))
    assert (ruled.next_coup, ruled.clauses) == (NextCoup.ORDINARY, ("act-2015:12.3",))
    at.bet("1 p 50")
    at.do("dan", c.NoMoreBets())
    at.do("dan", c.ChangeWager(1, Bet.PLAYER, 6000, "ann"))
    at.refuse("dan", c.DrawCard(Card("Kd")), Reason.CARRIED_FIRST)
    dealt = at.do("dan", c.DealCarried(Card("9c")))
    assert one(events.BetsLocked, dealt).clauses == ("act-2015:4.6",)
    assert one(events.CarriedDealt, dealt).card == "9c"
    at.refuse("ann", c.ChangeWager(1, Bet.PLAYER, 7000), Reason.BETS_CLOSED, "act-2015:4.6")
    at.deal("Kd Kh 3s")
    assert one(events.WagerSettled, at.do("dan", c.DeclareResult())).won_cents == 6000


@clause("act-2015:12.3")
def test_an_unexposed_excess_card_is_dealt_by_its_own_clause() -> None:
    at = act()
    at.coup("1 p 50", f"{STOOD} ??@-")
    at.bet("1 p 50")
    at.do("dan", c.NoMoreBets())
    dealt = one(events.CarriedDealt, at.do("dan", c.DealCarried(Card("9c"))))
    assert dealt.clauses == ("act-2015:12.3",)


@clause("act-2015:12.2", "act-2015:12.3")
def test_two_excess_cards_come_in_order_and_bar_betting_if_one_was_seen() -> None:
    at = act()
    ruled = one(events.IrregularityRuled, at.coup("1 p 50", f"{STOOD} 4d@- ??@-"))
    assert [one_.card for one_ in ruled.carried] == ["4d", None]
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert (opened.kind, opened.clauses) == (CoupKind.NON_BETTING, ("act-2015:12.2",))


@clause("act-2015:12.2", "act-2015:5.7")
def test_after_the_last_round_an_excess_card_goes_into_the_shuffle() -> None:
    at = act()
    at.do("dan", c.SeeMarker())
    ruled = one(events.IrregularityRuled, at.coup("1 p 50", f"{STOOD} 4d@-"))
    assert (ruled.carried, ruled.next_coup) == ((), NextCoup.NONE)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "act-2015:5.7")


@clause("act-2015:12.2", "act-2015:5.7")
def test_after_a_tie_an_excess_card_opens_the_extra_round() -> None:
    at = act()
    at.do("dan", c.SeeMarker())
    at.coup("1 p 50", f"{TIE} 4d@-")
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert (opened.kind, opened.last) == (CoupKind.NON_BETTING, Last.YES)
    at.do("dan", c.DealCarried())


@clause("act-2015:12.2", "act-2015:d.void")
def test_the_excess_card_of_a_void_round_bars_no_betting() -> None:
    at = act()
    at.bet("1 p 50").deal(f"{STOOD} 4d@p")
    at.do("dan", c.DeclareResult())
    void(at)
    at.do("dan", c.EndCoup())
    assert at.table.carried == ()
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


@clause("act-2015:12.2")
@pytest.mark.parametrize("betting", [False, True])
def test_nobody_bets_knowing_a_card_that_lies_face_up_in_the_shoe(betting: bool) -> None:
    at = act()
    if betting:
        at.bet("1 p 50")
    happened = at.do("sue", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    assert one(events.IrregularityRuled, happened).next_coup is NextCoup.NON_BETTING
    if betting:
        assert one(events.WagerSettled, happened).outcome == "void"
        at.do("dan", c.EndCoup())
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert (opened.kind, opened.clauses) == (CoupKind.NON_BETTING, ("act-2015:12.2",))


@clause("act-2015:12.6")
def test_too_few_cards_make_a_round_void_and_end_the_shoe() -> None:
    at = act()
    at.bet("1 p 50, 2 bp 10").deal("2c Kd Kh 3s")
    at.nearly_empty(1)
    happened = at.do("sue", c.ReportIrregularity(Found.INSUFFICIENT_CARDS))
    assert one(events.IrregularityRuled, happened).clauses == ("act-2015:12.6",)
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_000_000}
    at.do("dan", c.EndCoup())
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "act-2015:12.6")


@clause("act-2015:14.3")
def test_a_dealers_finding_that_voids_waits_for_the_supervisor() -> None:
    at = act()
    at.bet("1 p 50").deal("2c Kd")
    awaited = one(
        events.RulingAwaited, at.do("dan", c.ReportIrregularity(Found.FOREIGN_CARD, "joker"))
    )
    assert (awaited.note, awaited.clauses) == ("joker", ("act-2015:14.3",))
    at.refuse("dan", c.DrawCard(Card("4h")), Reason.WRONG_MOMENT)
    happened = at.do("sue", c.ConfirmFinding(True, "a joker"))
    assert one(events.RulingGiven, happened).verdict is Verdict.VOID
    assert at.table.chips["ann"] == 1_000_000


@clause("act-2015:14.3")
def test_a_finding_that_is_not_upheld_lets_the_round_go_on() -> None:
    at = act()
    at.bet("1 p 50").deal("9c Kd")
    at.do("dan", c.ReportIrregularity(Found.FOREIGN_CARD))
    at.do("sue", c.ConfirmFinding(False, "a soiled nine"))
    at.deal("Kh 3s")
    finish(at)
    assert at.table.chips["ann"] == 1_005_000


@clause("act-2015:14.3")
@pytest.mark.parametrize("verdict", ["stands", "void"])
def test_lost_order_is_the_operators_to_decide_with_two_people(verdict: str) -> None:
    at = act()
    at.bet("1 p 50").deal("9c Kd")
    at.do("dan", c.ReportIrregularity(Found.ORDER_UNKNOWN))
    at.refuse("sue", c.ConfirmFinding(True), Reason.RULING_NEEDED, "act-2015:14.3")
    at.do("sue", c.RuleOn(verdict, "seen on camera"))  # type: ignore[arg-type]
    assert at.table.phase is Phase.HELD
    given = one(events.RulingGiven, at.approve("mara"))
    assert (given.verdict, given.note) == (Verdict(verdict), "seen on camera")
    assert given.clauses == ("act-2015:14.3",)
    assert at.table.phase is (Phase.DEALING if verdict == "stands" else Phase.SETTLED)


@clause("act-2015:12.5", "act-2015:14.3")
def test_a_card_found_foreign_between_rounds_is_not_ruled_on_by_a_clause_that_voids() -> None:
    at = act()
    at.coup("1 p 50", PLAYER_WINS)
    ruled = one(
        events.IrregularityRuled, at.do("sue", c.ReportIrregularity(Found.FOREIGN_CARD, "joker"))
    )
    assert ruled.verdict is Verdict.STANDS
    assert "act-2015:12.5" not in ruled.clauses


# an error found after the next round began


def two_rounds() -> At:
    at = act()
    at.coup("1 p 50, 2 b 100, 2 bp 10", "6c Kd Kh 5s 4d")
    at.coup("1 p 50", PLAYER_WINS)
    return at


@clause("act-2015:12.5")
def test_an_error_found_late_voids_its_round_alone_by_two_people() -> None:
    at = two_rounds()
    before = dict(at.table.chips)
    proposed = one(events.Proposed, at.do("sue", c.VoidEarlier(1, "card 5 lay on Player", 5)))
    affected = {(event.wager.by, event.to_owner_cents) for event in proposed.affected}
    assert affected == {("ann", 5000), ("bob", -9500), ("bob", 1000)}
    assert at.table.chips == before
    assert at.view("mara").floor.proposals[1].person == "sue"  # type: ignore[union-attr]
    at.refuse("sue", c.Approve(1), Reason.SAME_PERSON)
    at.refuse("dan", c.Approve(1), Reason.NOT_YOUR_ROLE)
    happened = at.approve("mara")
    voided = one(events.EarlierCoupVoided, happened)
    assert (voided.number, voided.note) == (1, "card 5 lay on Player")
    assert voided.clauses == ("act-2015:12.5",)
    assert len(of(events.TransferReversed, happened)) == 3
    assert at.table.chips == {"ann": 1_005_000, "bob": 1_000_000}
    assert [record.verdict for record in at.table.coups] == [Verdict.VOID, Verdict.STANDS]
    assert [past.result for past in at.view().past] == [None, Result.PLAYER]
    assert balanced(at.table)
    assert rebuilt(at) == at.table
    again = c.VoidEarlier(1, "again", 5)
    at.refuse("sue", again, Reason.COUP_IS_VOID)


@clause("act-2015:12.5")
def test_an_error_found_late_does_not_touch_the_round_in_play() -> None:
    at = two_rounds()
    at.bet("2 p 100").deal("9c Kd")
    at.do("sue", c.VoidEarlier(2, "card 3 on Banker", 3))
    at.approve("mara")
    at.deal("Kh 3s")
    finish(at)
    assert [record.verdict for record in at.table.coups] == ["stands", "void", "stands"]
    assert at.table.chips == {"ann": 995_000, "bob": 1_000_000 + 9500 - 1000 + 10_000}


@clause("act-2015:12.5", "act-2015:d.round-of-play")
def test_the_next_round_begins_with_its_first_card() -> None:
    at = act()
    at.coup("1 p 50", PLAYER_WINS)
    ask = c.VoidEarlier(1, "card 3 on Banker", 3)
    at.refuse("sue", ask, Reason.NOTICED_IN_TIME, "act-2015:12.5")
    at.bet("1 p 50")
    at.refuse("sue", ask, Reason.NOTICED_IN_TIME, "act-2015:12.5")
    at.deal("9c")
    at.do("sue", ask)


@clause("act-2015:12.5")
def test_a_round_without_an_error_is_not_made_void() -> None:
    ask = c.VoidEarlier(1, "no idea")
    two_rounds().refuse("sue", ask, Reason.NO_ERROR, "act-2015:12.5")


@clause("act-2015:12.5", "act-2015:12.1")
@pytest.mark.parametrize("cards", [f"{BANKER_DRAWS} 4d@p", f"{STOOD} ??@p"])
def test_an_error_put_right_in_time_voids_nothing_later(cards: str) -> None:
    at = act()
    at.coup("1 p 50", cards)
    at.do("dan", c.OpenCoup())
    if at.table.coup and at.table.coup.carried:
        at.do("dan", c.NoMoreBets())
        at.do("dan", c.DealCarried(Card("9c")))
    else:
        at.deal("9c")
    with pytest.raises(Refused):
        at.do("sue", c.VoidEarlier(1, "the card that was put right"))


@clause("act-2015:12.5")
def test_a_round_of_an_older_shoe_is_reached_by_its_record() -> None:
    at = two_rounds()
    older = at.table.coups[0]
    at.do("dan", c.EndShoe("early"))
    at.shoe()
    at.coup("1 p 50", PLAYER_WINS)
    at.refuse("sue", c.VoidEarlier(1, "tape", 5), Reason.NO_SUCH_COUP)
    at.do("sue", c.VoidEarlier(1, "tape", 5, older))
    at.approve("mara")
    assert at.table.chips == {"ann": 1_010_000, "bob": 1_000_000}
    again = c.VoidEarlier(1, "tape", 5, older)
    at.refuse("sue", again, Reason.NO_SUCH_COUP)
    assert balanced(at.table)


@clause("act-2015:12.5")
def test_patrons_who_have_left_are_owed_or_owe() -> None:
    at = two_rounds()
    for person in ("ann", "bob"):
        at.do("dan", c.CashOut(at.table.chips[person], person))
        at.do(person, c.Leave())
    at.do("sue", c.VoidEarlier(1, "tape", 5))
    at.approve("mara")
    assert at.table.chips == {"ann": 5000, "bob": -8500}
    oversight = at.view("mara").oversight
    assert oversight is not None
    assert oversight.owing == {"bob": 8500}
    at.do("dan", c.CashOut(5000, "ann"))
    assert balanced(at.table)


@clause("act-2015:12.5")
def test_a_card_found_misread_before_the_next_round_is_not_an_error_found_late() -> None:
    at = act()
    at.coup("1 p 50", PLAYER_WINS)
    at.do("dan", c.CorrectCard(1, 1, Card("8c"), "an eight, not a nine"))
    assert not any("act-2015:12.5" in event.clauses for event in at.approve("sue"))


@clause("act-2015:14.3")
def test_a_ruling_proposed_for_one_round_is_not_given_in_another() -> None:
    at = act()
    at.bet("1 p 50").deal("9c Kd")
    at.do("dan", c.ReportIrregularity(Found.ORDER_UNKNOWN))
    at.do("sue", c.RuleOn("void", "not clear"))
    at.do("sue", c.RuleOn("stands", "clear on camera"))
    at.approve("mara")
    at.deal("Kh 3s")
    finish(at)
    at.bet("1 p 50").deal("9c Kd")
    at.do("dan", c.ReportIrregularity(Found.ORDER_UNKNOWN))
    with pytest.raises(Refused):
        at.do("mara", c.Approve(1))
