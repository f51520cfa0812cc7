"""Attacks by a crooked dealer, colluding patrons and a careless inspector; each is held off."""

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.errors import Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet
from puntobanco.rules.irregularities import Found
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.competition_terms import Conditions
from puntobanco.table.decide import run
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.coup import live
from puntobanco.table.sentences import tell
from puntobanco.table.state import Phase
from tests.kit.table.at import At, balanced, contest, ready
from tests.kit.table.attacks import B_WINS, P_WINS, TIE, close, pair, two_shoes


def reseat(at: At, *people: str) -> None:
    for seat, person in enumerate(people, 1):
        at.do("dan", c.Sit(seat, person))


# 1 money


def test_competition_chips_are_cashed_after_reopening() -> None:
    at = contest("tas-2018", "ann", "bob", dollars=1000)
    close(at)
    at.open()
    with pytest.raises(Refused):
        at.do("dan", c.CashOut(100_000, "ann"))  # 16.4.9: they are the operator's


def test_second_session_on_the_same_table_is_equal_and_balanced() -> None:
    at = contest("tas-2018", "ann", "bob", dollars=1000)
    cup = at.table.conditions
    close(at)
    at.open(conditions=cup)
    reseat(at, "ann", "bob")
    at.do("cora", c.AllotChips())
    assert balanced(at.table)


def test_void_wager_comes_back_to_life_by_a_card_correction() -> None:
    at = ready("act-2015").bet("1 p 50, 2 p 50")
    at.deal(B_WINS.replace("9d", "5d"))  # 2 to 5: not a natural; P draws
    pair(at, "sue", c.VoidWagers("ann", "past posting"))
    had = at.table.chips["ann"]
    pair(at, "dan", c.CorrectCard(1, 1, Card("9s"), "keyed wrong"), "sue")  # now Player 9
    at.do("dan", c.DeclareResult())
    assert at.table.chips["ann"] == had  # void is void


def test_the_same_after_the_coup_is_over() -> None:
    at = ready("act-2015").bet("1 p 50, 2 p 50")
    at.deal(B_WINS)
    pair(at, "sue", c.VoidWagers("ann", "past posting"))
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    had = at.table.chips["ann"]
    pair(at, "dan", c.CorrectCard(1, 4, Card("9s"), "keyed wrong"), "sue")  # 2 to 8
    pair(at, "dan", c.CorrectCard(1, 1, Card("9h"), "keyed wrong"), "sue")  # 9 to 8
    assert at.table.chips["ann"] == had


def test_excluded_and_returned_wager_is_settled_after_all() -> None:
    at = ready("tas-2018").bet("1 p 50, 2 p 50")
    at.do("ines", c.Exclude("ann", "a breach"))  # wager returned
    at.deal(B_WINS)
    at.do("dan", c.DeclareResult())
    had = at.table.chips["ann"]
    pair(at, "dan", c.CorrectCard(1, 1, Card("3s"), "keyed wrong"), "ines")
    at.do("dan", c.DeclareResult())
    assert at.table.chips["ann"] == had  # she loses $50 she had taken back


def test_wager_made_again_after_a_void_one_counts_twice() -> None:
    at = ready("act-2015").bet("1 p 50, 2 p 50")
    pair(at, "sue", c.VoidWagers("ann", "touched her chips"))
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, 5000, "ann"))
    at.deal(P_WINS)
    at.do("dan", c.DeclareResult())
    had = at.table.chips["ann"]
    pair(at, "dan", c.CorrectCard(1, 1, Card("9s"), "wrong suit"), "sue")
    at.do("dan", c.DeclareResult())
    assert at.table.chips["ann"] == had  # paid $100 on a stake of $50


def test_older_coup_corrected_twice_from_the_same_record() -> None:
    at = ready("tas-2018")
    record = two_shoes(at)
    had = at.table.chips["ann"]
    tie = c.CorrectCard(1, 1, Card("7s"), "n", record)  # 7 to 7: a Tie, the win goes back
    pair(at, "dan", tie, "ines")
    assert at.table.chips["ann"] == had - 5000
    with pytest.raises(Refused):
        pair(at, "dan", tie, "ines")  # and again, and again


def test_older_coup_void_and_then_corrected_pays_it_back_again() -> None:
    at = ready("act-2015")
    record = two_shoes(at)
    pair(at, "sue", c.VoidEarlier(1, "laid wrong", 1, record))
    had = at.table.chips["ann"]
    try:
        pair(at, "dan", c.CorrectCard(1, 1, Card("9s"), "wrong suit", record), "sue")
        pair(at, "dan", c.CorrectCard(1, 1, Card("7s"), "n", record), "sue")
    except Refused:
        pass
    assert at.table.chips["ann"] == had  # a void coup takes the win away a second time


def test_older_coup_corrected_and_then_void() -> None:
    at = ready("act-2015")
    record = two_shoes(at)
    before = 1_000_000
    pair(at, "dan", c.CorrectCard(1, 1, Card("7s"), "n", record), "sue")  # Tie: win goes back
    assert at.table.chips["ann"] == before
    with pytest.raises(Refused):
        pair(at, "sue", c.VoidEarlier(1, "laid wrong", 1, record))
    assert at.table.chips["ann"] == before


def test_forged_older_record_moves_any_sum_without_management() -> None:
    at = ready("tas-2018")
    record = two_shoes(at)
    line = record.lines[0]
    forged = replace(
        record,
        lines=(
            replace(
                line,
                wager=replace(line.wager, by="zed", cents=10**9),
                stake_cents=10**9,
                returned_cents=0,
                won_cents=0,
            ),
        ),
    )
    with pytest.raises(Refused):
        pair(at, "dan", c.CorrectCard(1, 1, Card("9s"), "wrong suit", forged), "ines")
    assert "zed" not in at.table.chips


def test_absence_of_a_player_who_owes_pays_the_debt() -> None:
    at = contest("tas-2018", "ann", "bob", "cy", dollars=1000)
    at.do("dan", c.MarkAbsent("ann"))
    at.bet()
    at.do("dan", c.PlaceWager(2, Bet.PLAYER, 2500, "bob"))
    at.do("dan", c.PlaceWager(3, Bet.PLAYER, 2500, "cy"))
    owed = events.PaymentCorrected("ann", -150_000, 1, "paid too much", clauses=(CONDITIONS,))
    at.table = evolve(at.table, owed)  # as one of an earlier edition may stand in a journal
    assert at.table.chips["ann"] == -50_000
    at.deal(TIE)
    at.do("dan", c.DeclareResult())
    new = at.do("dan", c.EndCoup())
    assert all(
        getattr(event, "cents", 0) >= 0
        for event in new
        if type(event).__name__ == "AbsenceDeducted"
    )


def test_late_part_rides_after_a_tie() -> None:
    at = contest("tas-2018", "ann")
    at.bet("1 p 50")
    at.do("dan", c.DrawCard(Card("9c")))
    at.do("dan", c.ChangeWager(1, Bet.PLAYER, 50_000, "ann"))  # $450 laid too late
    for card in ("9d", "Kh", "Ks"):
        at.do("dan", c.DrawCard(Card(card)))
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    (rides,) = live(at.table).wagers
    assert rides.cents == 5000


def test_void_wager_rides_after_a_tie() -> None:
    at = contest("tas-2018", "ann", "bob")
    at.bet("1 p 50, 2 p 50")
    at.do("dan", c.DrawCard(Card("9c")))
    pair(at, "ines", c.VoidWagers("ann", "a breach"), "cora")
    for card in ("9d", "Kh", "Ks"):
        at.do("dan", c.DrawCard(Card(card)))
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    assert [wager.by for wager in live(at.table).wagers] == ["bob"]


def test_amount_no_chips_make_is_paid_rounded_up() -> None:
    at = ready("tas-2018")  # smallest chip $2.50, rounded up
    at.do("dan", c.OpenCoup())
    with pytest.raises(Refused):
        at.do("dan", c.PlaceWager(1, Bet.PLAYER, 2501, "ann"))  # $25.01 wins $27.50


def test_reduced_flag_outlives_the_reduction() -> None:
    at = ready("tas-2018", collective_liability_cents=10_000)
    at.coup("1 p 5, 2 p 50", B_WINS)  # ann is warned
    assert "ann" in at.table.warned
    at.bet("1 p 100, 2 p 100")
    at.do("dan", c.ReduceWagers())
    at.do("dan", c.ChangeWager(1, Bet.PLAYER, 500, "ann"))  # then she takes it down to $5
    had = at.table.chips["ann"]
    at.deal(P_WINS)
    at.do("dan", c.DeclareResult())
    assert at.table.chips["ann"] == had + 500  # 7.5: returned whatever the result


def test_who_owes_may_take_chips_off_before_the_lock() -> None:
    at = ready("tas-2018", "ann")
    at.bet("1 p 5000")
    pair(at, "ines", c.CorrectPayment("ann", -1_500_000, 1, "n"))
    at.do("dan", c.ChangeWager(1, Bet.PLAYER, 2500, "ann"))


def test_even_wager_can_be_declared_void() -> None:
    at = ready("act-2015").bet("1 p 50, 1 t 5")
    at.deal("9c 9d Kh Ks")
    at.do("dan", c.DeclareResult())
    at2 = ready("act-2015").bet("1 p 50")
    at2.deal(TIE)
    at2.do("dan", c.DeclareResult())
    pair(at2, "sue", c.VoidWagers("ann", "a breach"))  # refused: "no wagers of theirs"


def test_cash_chips_of_a_live_competition_can_be_cashed() -> None:
    at = At("tas-2018")
    at.open(conditions=Conditions("cup", "cash", 100_000, face_down=False)).staffed()
    at.do("cora", c.SignOn(Role.DIRECTOR))
    reseat(at, "ann")
    at.do("cora", c.AllotChips())
    at.do("ines", c.CloseTable())
    at.do("dan", c.CashOut(100_000, "ann"))  # 16.4.9: they stay the player's


# 2 authority


def test_proposal_to_void_a_coup_hits_another_coup() -> None:
    at = ready("tas-2018")
    at.bet("1 p 50")
    at.do("ines", c.VoidCoup("disrupted", "a fight at seat 3"))  # in coup 1, never approved
    at.deal(B_WINS)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.bet("1 p 5000")
    at.deal(B_WINS)
    at.do("dan", c.DeclareResult())
    with pytest.raises(Refused):
        at.approve("mara")  # voids coup 2, and ann has her $5,000 back


def test_ruling_proposed_on_one_finding_decides_another() -> None:
    at = ready("act-2015").bet("1 p 50")
    at.do("dan", c.NoMoreBets())
    at.do("dan", c.DrawCard(Card("9c")))
    at.do("dan", c.ReportIrregularity(Found.SHOE_DISTURBED))
    at.do("sue", c.RuleOn("void", "shoe fell"))
    pair(at, "sue", c.RuleOn("stands", "no, it did not"))
    assert at.table.phase is Phase.DEALING
    at.do("dan", c.ReportIrregularity(Found.ORDER_UNKNOWN))
    with pytest.raises(Refused):
        at.do("mara", c.Approve(1))


def test_two_dealers_change_cards() -> None:
    at = ready("act-2015")
    at.do("dora", c.SignOn(Role.DEALER))
    at.do("dora", c.ChangeCards((Card("9c"),)))
    at.do("dora", c.SignOff())
    with pytest.raises(Refused):
        at.approve("dan")  # 2.3: supervisor and dealer


def test_patron_names_the_card() -> None:
    at = ready("tas-2018")
    at.do("ann", c.AskFaceDown())
    at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
    at.do("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE))
    at.do("dan", c.SetFaceDown(True))
    at.bet("1 p 5000")
    for _ in range(4):
        at.do("dan", c.DrawCard())
    at.do("dan", c.PassCards(Side.PLAYER))
    with pytest.raises(Refused):
        at.do("ann", c.TurnCard(Card("9h"), 1))  # says who?


def test_approver_is_the_one_who_gains() -> None:
    at = ready("tas-2018")
    at.do("dan", c.Sit(5, "mara"))
    with pytest.raises(Refused):
        pair(at, "ines", c.CorrectPayment("mara", 1_000_000, 1, "n"))


def test_staff_cannot_be_paid() -> None:
    at = ready("tas-2018")
    with pytest.raises(Refused):
        pair(at, "ines", c.CorrectPayment("ines", 1_000_000, 999, "coup 999 never was"))


def test_dealer_voids_a_coup_alone() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.do("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    assert at.table.phase is Phase.HELD


def test_reporter_confirms_his_own_report() -> None:
    at = ready("tas-2018")
    at.do("dan", c.SignOff())
    at.do("jill", c.SignOn(Role.DEALER))
    at.do("jill", c.OpenCoup())
    at.do("jill", c.PlaceWager(1, Bet.PLAYER, 5000, "ann"))
    at.do("jill", c.DrawCard(Card("9c")))
    at.do("jill", c.ReportIrregularity(Found.ORDER_UNKNOWN))
    at.do("jill", c.SignOff())
    at.do("jill", c.SignOn(Role.INSPECTOR))
    with pytest.raises(Refused):
        at.do("jill", c.ConfirmFinding(True))


def test_dealer_drops_the_inspectors_proposal() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.do("ines", c.VoidCoup("fraud", "dan marked the cards"))
    with pytest.raises(Refused):
        at.do("dan", c.DropProposal(1))


def test_sign_on_as_a_patron() -> None:
    at = ready("tas-2018")
    with pytest.raises(Refused):
        run(
            at.table, c.SignOn(Role.PATRON), Actor("xena", frozenset({Role.PATRON, Role.DEALER}), 1)
        )


def test_owner_of_a_wager_signs_on_as_dealer() -> None:
    at = ready("tas-2018", "ann").bet("1 p 5000")
    both = frozenset({Role.PATRON, Role.DEALER})
    at.do("dan", c.DrawCard(Card("9c")))
    at.do("dan", c.CashOut(500_000, "ann"))
    at.do("ines", c.Exclude("ann", "n"))
    with pytest.raises(Refused):
        run(at.table, c.SignOn(Role.DEALER), Actor("ann", both, at.at_ms))


def test_excluded_player_is_passed_the_cards() -> None:
    at = ready("tas-2018")
    at.do("ann", c.AskFaceDown())
    at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
    at.do("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE))
    at.do("dan", c.SetFaceDown(True))
    at.bet("1 p 5000, 2 p 50")
    for _ in range(4):
        at.do("dan", c.DrawCard())
    at.do("ines", c.Exclude("ann", "n"))
    at.do("dan", c.Sit(1, "zed"))
    at.do("dan", c.PassCards(Side.PLAYER))
    assert live(at.table).held_by[Side.PLAYER] == "bob"


@pytest.mark.parametrize("person", ["ann\n", "ann\u200b", "\n"])
def test_names_that_look_the_same(person: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(c.Sit(1, person)), type=c.TableCommand)


def test_a_person_called_no_has_no_name() -> None:
    at = ready("tas-2018", "no")
    assert (
        "no" in tell(next(event for event in at.log if type(event).__name__ == "PatronSat")).split()
    )
