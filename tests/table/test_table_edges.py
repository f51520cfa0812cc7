"""The edges of the live table: each of these once went unnoticed when the code was broken there."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid, Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found, NextCoup
from puntobanco.rules.notice import Limits
from puntobanco.rules.shoe import Last
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.decide import decide
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.coup import live
from tests.kit.table.at import At, balanced, contest, of, one, ready

NATURAL = "9c Kd Kh 2s"
UNDRAWN = "6c Kd Kh 7s"


def with_left(at: At, left: int) -> At:
    """The same table with so many cards left in the shoe."""
    shoe = at.table.shoe
    assert shoe is not None
    drawn = shoe.cards - left
    at.table = replace(at.table, shoe=replace(shoe, drawn=drawn, behind_marker=None))
    return at


def coup_again(at: At, cards: str) -> None:
    at.deal(cards)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())


def test_a_card_carried_over_counts_towards_the_cards_a_coup_wants() -> None:
    at = ready("mbs-2017", leftover="first-of-next")
    at.bet("1 b 100").deal(f"{UNDRAWN} ??@-")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    with_left(at, 4).refuse("dan", c.OpenCoup(), Reason.TOO_FEW_CARDS)
    with_left(at, 5).do("dan", c.OpenCoup())


def test_a_card_carried_over_is_not_drawn_again_when_the_last_coup_is_foreseen() -> None:
    """Four more cards would bring the marker out; three will not."""
    at = ready("tas-2018")
    at.bet("1 b 100").deal(f"{UNDRAWN} ??@-")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    shoe = at.table.shoe
    assert shoe is not None
    at.table = replace(at.table, shoe=replace(shoe, drawn=shoe.cards - 7 - 3))
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).last is Last.NO


def test_what_is_added_late_twice_is_late_altogether() -> None:
    at = ready("mbs-2017")
    at.bet("1 p 100").deal("9c")
    at.do("dan", c.ChangeWager(1, Bet.PLAYER, 20_000, "ann"))
    at.do("dan", c.ChangeWager(1, Bet.PLAYER, 30_000, "ann"))
    assert live(at.table).wagers[0].in_time_cents == 10_000


def test_staff_lay_nothing_on_a_coup_that_is_settled() -> None:
    at = ready()
    at.bet("1 b 100").deal(UNDRAWN)
    at.do("dan", c.DeclareResult())
    at.refuse("dan", c.PlaceWager(2, Bet.PLAYER, 2500, "bob"), Reason.BETS_CLOSED)


def test_a_correction_changes_which_cards_were_seen() -> None:
    at = ready()
    at.coup("1 b 100", UNDRAWN)
    at.do("dan", c.CorrectCard(1, 1, Card("7d"), "n"))
    at.approve("ines")
    assert Card("6c") not in at.table.pack.seen
    assert at.table.pack.seen[Card("7d")] == 1


def test_a_card_drawn_unseen_is_seen_when_it_is_dealt() -> None:
    at = ready()
    at.bet("1 b 100").deal(f"{UNDRAWN} ??@-")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.bet("1 b 100")
    at.do("dan", c.DealCarried(Card("3c")))
    assert at.table.pack.seen[Card("3c")] == 1


def test_pairs_already_settled_are_settled_anew_when_a_card_was_wrong() -> None:
    at = ready("act-2015")
    at.bet("1 pp 10, 2 p 50").deal("8c 5d 8s Kh")
    assert at.table.chips["ann"] == 1_000_000 + 11 * 1000
    at.do("dan", c.CorrectCard(1, 3, Card("7s"), "n"))
    at.approve("sue")
    assert at.table.chips["ann"] == 1_000_000 - 1000
    assert balanced(at.table)


def test_a_correction_in_a_void_coup_moves_nothing() -> None:
    at = ready("act-2015")
    at.bet("1 pp 10").deal("8c 5d 8s Kh")
    at.do("sue", c.VoidCoup("fraud", "n"))
    at.approve("mara")
    at.refuse("sue", c.VoidCoup("fraud", "n"), Reason.COUP_IS_VOID)
    at.do("dan", c.CorrectCard(1, 3, Card("7s"), "n"))
    happened = at.approve("sue")
    assert [type(event) for event in happened] == [events.Approved, events.CardCorrected]
    assert at.table.chips["ann"] == 1_000_000


def test_a_corrected_coup_keeps_what_the_limits_left_of_each_wager() -> None:
    at = ready("tas-2018", "ann", "bob")
    most = at.notice.limits.max_cents
    at.bet(f"1 b {most // 100 + 1000}, 2 p 10").deal(UNDRAWN)  # above, and below
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.do("dan", c.CorrectCard(1, 4, Card("8s"), "n"))
    again = of(events.WagerSettled, at.approve("ines"))
    assert [(line.stake_cents, line.warn) for line in again] == [(most, False), (1000, True)]
    assert "tas-2018:7.4" in again[0].clauses


def test_a_result_waits_for_every_card_carried_over() -> None:
    at = ready("tas-2018")
    at.bet("1 b 100").deal(UNDRAWN)
    for _ in range(5):
        at.do("dan", c.DrawCard(None, Laid.NOWHERE))
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.bet("1 b 100")
    for card in NATURAL.split():
        at.do("dan", c.DealCarried(Card(card)))
    at.refuse("dan", c.DeclareResult(), Reason.CARRIED_FIRST)


def test_a_card_too_many_in_the_announced_last_hand_ends_the_shoe() -> None:
    at = ready("tas-2018")
    at.bet("1 b 100").deal("6c Kd")
    at.do("dan", c.SeeMarker())
    at.table = replace(at.table, shoe=replace(at.table.shoe, since_marker=None))  # type: ignore[type-var]
    at.deal("Kh 7s 4d@p")
    ruled = one(events.IrregularityRuled, at.do("dan", c.DeclareResult()))
    assert ruled.next_coup is NextCoup.NONE


def test_a_pairs_wager_below_the_minimum_warns_its_owner_too() -> None:
    at = ready("act-2015")
    happened = at.coup("1 pp 2.50", "8c 5d 9s Kh 2d")
    assert one(events.WarningGiven, happened).person == "ann"


def test_an_excluded_players_wagers_stay_once_bets_are_locked() -> None:
    at = ready("act-2015")
    at.bet("1 p 50").deal("9c")
    at.do("mara", c.Exclude("ann", "n"))
    assert [wager.by for wager in live(at.table).wagers] == ["ann"]


def test_an_empty_shoe_gives_no_card() -> None:
    at = ready("tas-2018")
    at.bet("1 b 100").deal("6c Kd")
    with_left(at, 0).refuse("dan", c.DrawCard(Card("9h")), Reason.SHOE_EMPTY, "tas-2018:14.5")


def test_one_person_acknowledges_face_down_play_in_one_role() -> None:
    at = ready()
    at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
    twice = Actor("mara", frozenset({Role.MANAGEMENT, Role.SURVEILLANCE}), at.at_ms)
    with pytest.raises(Refused, match="two people are needed"):
        decide(at.table, c.AcknowledgeFaceDown(Role.SURVEILLANCE), twice)


def squeezed(*bets: str) -> At:
    at = ready("tas-2018", "ann", "bob")
    at.do("ann", c.AskFaceDown())
    at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
    at.do("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE))
    at.do("dan", c.SetFaceDown(down=True))
    return at.bet(", ".join(bets))


def test_cards_are_passed_once_all_four_are_dealt() -> None:
    at = squeezed("1 p 100")
    at.deal("?? ?? ??")
    at.refuse("dan", c.PassCards(Side.PLAYER), Reason.NOTHING_FACE_DOWN)


def test_whoever_declines_after_all_has_the_cards_no_more() -> None:
    at = squeezed("1 p 100", "2 p 50")
    at.deal("?? ?? ?? ??")
    at.do("dan", c.PassCards(Side.PLAYER))
    at.do("ann", c.RefuseCards(Side.PLAYER))
    assert live(at.table).held_by == {}
    assert one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER))).person == "bob"


def test_the_minimum_itself_keeps_a_player_in() -> None:
    at = contest("tas-2018", "ann", dollars=100)
    at.bet("1 b 75")
    happened = at.deal("9c Kd Kh 2s") + at.do("dan", c.DeclareResult())
    happened += at.do("dan", c.EndCoup())
    assert at.table.chips == {"ann": 2500}
    assert of(events.PlayerEliminated, happened) == []


def test_absence_costs_nothing_on_a_non_betting_coup() -> None:
    at = contest("tas-2018", "ann", "bob")
    at.do("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    at.do("dan", c.MarkAbsent("ann"))
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.NON_BETTING
    coup_again(at, NATURAL)
    assert at.table.chips["ann"] == 100_000


def test_a_wager_rides_only_with_chips_to_carry_it_and_somebody_there() -> None:
    at = contest("tas-2018", "ann", "bob", "cy")
    at.do("dan", c.OpenCoup())
    for seat, person in ((1, "ann"), (2, "bob"), (3, "cy")):
        at.do("dan", c.PlaceWager(seat, Bet.BANKER, 5000, person))
    coup_again(at, "4c 4d 5h 5s")
    at.do("ines", c.CorrectPayment("ann", -96_000, 1, "paid too much"))
    at.approve("mara")
    at.do("cora", c.Leave("cy"))
    at.do("dan", c.OpenCoup())
    assert [wager.by for wager in live(at.table).wagers] == ["bob"]


def test_what_belongs_to_a_day_or_a_sitting_ends_with_it() -> None:
    at = ready("tas-2018")
    at.do("mara", c.AgreeLimits("ann", Limits(1000, 5000)))
    at.do("mara", c.AllowFreeCoups(3))
    at.coup("2 b 10", UNDRAWN)
    at.do("ines", c.CorrectPayment("bob", 500, 1, "short"))
    assert at.table.warned == {"bob"}
    at.do("dan", c.CashOut(at.table.chips["ann"], "ann"))
    at.do("ann", c.Leave())
    assert at.table.individual == {}
    at.do("mara", c.CloseTable())
    assert (at.table.proposals, at.table.free_coups) == ({}, 0)
    at.do("dan", c.CheckCardsAtEnd())
    at.open(gaming_day="tuesday")
    assert at.table.warned == frozenset()


def test_what_belongs_to_a_shoe_ends_with_it() -> None:
    at = At("act-2015").open().staffed().seat("ann").shoe(burn=False)
    at.do("sue", c.ReportIrregularity(Found.BURN_FORGOTTEN))
    at.coup("1 b 50", UNDRAWN)
    at.do("dan", c.EndShoe("new cards"))
    at.do("dan", c.Shuffle())
    assert (at.table.pack.seen, at.table.pack.burn_forgotten) == ({}, False)


def test_after_the_result_no_card_comes_out_of_an_empty_shoe_or_into_a_void_coup() -> None:
    at = ready("tas-2018")
    at.bet("1 b 100").deal(UNDRAWN)
    at.do("dan", c.DeclareResult())
    late = c.DrawCard(Card("9h"), Laid.NOWHERE)
    settled = at.table
    with_left(at, 0).refuse("dan", late, Reason.SHOE_EMPTY, "tas-2018:14.5")
    at.table = settled
    at.do("ines", c.VoidCoup("fraud", "n"))
    at.approve("mara")
    with_left(at, 0).refuse("dan", late, Reason.SHOE_EMPTY, "tas-2018:14.5")
    at.refuse("dan", c.DrawCard(Card("9h")), Reason.NO_CARD_IN_VOID_COUP)


def test_a_manager_who_plays_is_told_why_nothing_can_be_managed() -> None:
    at = ready("tas-2018")
    playing = Actor("mia", frozenset({Role.MANAGEMENT, Role.PATRON}), at.at_ms)
    for event in decide(at.table, c.Sit(5), playing):
        at.table = evolve(at.table, event)
    with pytest.raises(Refused) as refused:
        decide(at.table, c.AllowFreeCoups(1), playing)
    assert refused.value.reason is Reason.BANK_IS_THE_OPERATORS
    assert refused.value.clause == "tas-2018:2"


@pytest.mark.parametrize(("second", "cited"), [(100, True), (50, False)])
def test_the_clause_for_equal_wagers_is_cited_among_equals_alone(
    second: int, *, cited: bool
) -> None:
    at = squeezed("1 p 100", f"2 p {second}")
    at.deal("?? ?? ?? ??")
    passed = one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER)))
    assert passed.person == "ann"
    assert ("tas-2018:9.3(c)" in passed.clauses) == cited
