"""What happens at a real table can be said when it happens, and play goes on."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import Limits
from puntobanco.rules.paper.notation import parse_drawn
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.queries.shoe import offers
from puntobanco.words import Step
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.act import STOOD, TIE, act
from tests.kit.table.at import At, contest, events, of, one, ready
from tests.kit.table.corrections import pair
from tests.kit.table.tas import BOTH, NATURAL, floor, step
from tests.kit.table.verified import sound

# limits agreed while bets are open


@pytest.mark.parametrize(
    ("doc", "number"), [("act-2015", "act-2015:3.2"), ("tas-2018", "tas-2018:7.2")]
)
@clause("act-2015:3.2", "tas-2018:7.2")
def test_a_higher_maximum_is_agreed_while_bets_are_open(doc: str, number: str) -> None:
    """[act-2015:3.2, tas-2018:7.2]"""
    at = ready(doc)
    posted = at.notice.limits
    at.do("dan", c.BuyIn(2 * posted.max_cents, "ann"))
    at.do("dan", c.OpenCoup())
    limits = Limits(posted.min_cents, 2 * posted.max_cents)
    agreed = one(events.LimitsAgreed, at.do("mara", c.AgreeLimits("ann", limits)))
    assert agreed.clauses == (number,)
    at.do(
        "dan", c.PlaceWager(1, at.table.terms.rules.wagers.offered[0].on, posted.max_cents, "ann")
    )
    at.do("ann", c.ChangeWager(1, at.table.terms.rules.wagers.offered[0].on, limits.max_cents))
    at.deal("9c Kd Kh 3s")
    at.refuse("mara", c.AgreeLimits("ann", None), Reason.WRONG_MOMENT)
    settled = one(events.WagerSettled, at.do("dan", c.DeclareResult()))
    assert settled.stake_cents == limits.max_cents
    assert sound(at)


# the marker


@clause("act-2015:5.7")
def test_a_marker_seen_once_the_round_is_settled_allows_no_round_too_many() -> None:
    """[act-2015:5.7] It came out in this round: no other follows but the one after a tie."""
    at = act().bet("1 p 50")
    at.deal(STOOD)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.SeeMarker())
    at.do("dan", c.EndCoup())
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "act-2015:5.7")
    assert sound(at)


@clause("act-2015:5.7")
def test_after_a_tie_the_one_more_round_is_the_last() -> None:
    """[act-2015:5.7]"""
    at = act().bet("1 p 50")
    at.deal(TIE)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.SeeMarker())
    at.do("dan", c.EndCoup())
    at.coup("1 p 50", STOOD)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "act-2015:5.7")
    assert sound(at)


@BOTH
@clause(*tas("14.2"))
def test_a_card_left_over_is_discarded_once_the_marker_was_seen(doc: str) -> None:
    """[tas-2018:14.2] It begins the next hand only while the marker has not been exposed."""
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} ??@-")
    at.do("dan", c.DeclareResult())
    ruled = one(events.IrregularityRuled, at.do("dan", c.SeeMarker()))
    assert (ruled.carried, len(ruled.discarded)) == ((), 1)
    assert one(events.CoupEnded, at.do("dan", c.EndCoup())).carried == ()
    assert sound(at)


@pytest.mark.parametrize("doc", RULESETS)
def test_the_marker_is_seen_while_play_is_stopped(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal("9c")
    at.do("dan", c.ReportIrregularity("order-unknown"))  # type: ignore[arg-type]
    at.do("dan", c.SeeMarker())
    assert at.table.shoe is not None
    assert at.table.shoe.since_marker == 0
    assert sound(at)


# an inspector who has gone


@BOTH
@clause(*tas("3"))
def test_nothing_is_dealt_while_no_inspector_is_there(doc: str) -> None:
    """[tas-2018:3] Gone between the call for bets and the first card."""
    at = ready(doc).bet("1 p 50")
    at.do("ines", c.SignOff())
    at.refuse("dan", c.DrawCard(), Reason.STAFF_MISSING, twin(doc, "3"))
    assert step(at).step is Step.SIGN_ON
    at.do("jill", c.SignOn(Role.INSPECTOR))
    at.deal(NATURAL)
    assert sound(at)


@clause("act-2015:d.casino-supervisor")
def test_nothing_is_dealt_while_no_casino_supervisor_is_there() -> None:
    """[act-2015:d.casino-supervisor]"""
    at = act().bet("1 p 50")
    at.do("dan", c.NoMoreBets())
    at.do("sue", c.SignOff())
    at.refuse("dan", c.DrawCard(), Reason.STAFF_MISSING, "act-2015:d.casino-supervisor")
    assert step(at).step is Step.SIGN_ON


@clause(*tas("14.1"))
def test_nor_is_a_card_left_over() -> None:
    """[tas-2018:3, 14.1]"""
    at = ready("tas-2018")
    at.coup("1 p 50", f"{NATURAL} 4d@p")
    at.do("dan", c.OpenCoup())
    at.do("ines", c.SignOff())
    at.refuse("dan", c.DealCarried(), Reason.STAFF_MISSING, "tas-2018:3")


def test_nothing_is_dealt_in_a_competition_without_its_director() -> None:
    """[tas-2018:16.2.7]"""
    at = contest("tas-2018", "ann", "bob").bet("1 p 50, 2 p 50")
    at.do("cora", c.SignOff())
    at.refuse("dan", c.DrawCard(), Reason.STAFF_MISSING, "tas-2018:16.2.7")
    assert step(at).step is Step.SIGN_ON
    at.do("cora", c.SignOn(Role.DIRECTOR))
    at.deal(NATURAL)
    assert not of(events.CoupVoided, at.log)
    assert sound(at)


@pytest.mark.parametrize("doc", ["act-2015", "tas-2013"])
@clause("act-2015:14.3", "tas-2013:3")
def test_nobody_is_asked_to_void_a_coup_twice(doc: str) -> None:
    """[act-2015:14.3, tas-2013:3] Proposals to void it, or to rule on what was found, went too."""
    at, overseer = ready(doc).bet("1 p 50"), "sue" if doc == "act-2015" else "ines"
    at.deal("9c Kd")
    at.do("dan", c.ReportIrregularity(Found.ORDER_UNKNOWN))
    at.do(overseer, c.RuleOn("stands", "it was seen"))
    at.do(overseer, c.VoidCoup("impractical", "one"))
    at.do(overseer, c.VoidCoup("impractical", "two"))
    at.do("mara", c.Approve(2))
    assert floor(at).proposals == {}
    at.do("dan", c.ReportIrregularity(Found.SHOE_DISTURBED))
    assert step(at).facts.get("proposal") != 3
    at.refuse("mara", c.Approve(3), Reason.COUP_IS_VOID)
    at.do(overseer, c.RuleOn("void", "dropped"))
    assert step(at).facts["proposal"] in (1, at.table.proposal_number)
    at.approve("mara")
    at.do("dan", c.EndCoup())
    assert sound(at)


# a shuffle that has to be done again


@BOTH
@clause(*tas("5.1", "5.3", "5.5"))
def test_cards_are_shuffled_again_before_they_are_in_the_shoe(doc: str) -> None:
    """[tas-2018:5.1, 5.3, 5.5] After the shuffle or after the cut; whose the cut is does not
    change by it.
    """
    at = At(doc).open().staffed().seat("ann", "bob")
    at.do("dan", c.CheckCards("set A", player="ann"))
    at.do("dan", c.Shuffle())
    first = offers(at.table)
    assert one(events.CardsShuffled, at.do("dan", c.Shuffle())).again
    assert offers(at.table) == first
    at.cut()
    again = one(events.CardsShuffled, at.do("dan", c.Shuffle()))
    assert (again.again, again.clauses) == (True, (twin(doc, "5.1"),))
    assert offers(at.table) == first
    at.refuse("dan", c.LoadShoe(), Reason.SHOE_OUT_OF_STEP)
    at.cut()
    at.do("dan", c.LoadShoe())
    at.refuse("dan", c.Shuffle(), Reason.WRONG_MOMENT)
    at.coup("1 p 50", NATURAL)
    at.do("dan", c.EndShoe("torn"))
    later = one(events.CardsShuffled, at.do("dan", c.Shuffle()))
    assert twin(doc, "5.5") in later.clauses
    assert offers(at.table) == first[::-1]
    assert sound(at)


@clause(*tas("4.2"), "act-2015:2.5")
@pytest.mark.parametrize("doc", ["tas-2018", "tas-2013", "act-2015"])
@pytest.mark.parametrize("moment", ["shuffled", "cut"])
@pytest.mark.parametrize("other", ["set A", "set B"])
def test_cards_found_amiss_once_shuffled_are_checked_again(
    doc: str, moment: str, other: str
) -> None:
    """[tas-2018:4.2, act-2015:2.5] The same set or another; it is still the first game's cut."""
    at = At(doc).open().staffed().seat("ann", "bob")
    at.do("dan", c.CheckCards("set A", player="ann"))
    at.do("dan", c.Shuffle())
    first = offers(at.table)
    if moment == "cut":
        at.cut()
    at.do("dan", c.CheckCards(other, player="ann", missing=(Card("9c"),)))
    at.refuse("dan", c.Shuffle(), Reason.CARDS_NOT_CHECKED)
    at.do("dan", c.CheckCards(other, player="ann"))
    at.shoe()
    cut = one(events.CardsCut, at.log[-3:] if doc == "act-2015" else at.log[-2:])
    assert cut.seat == first[0]
    assert twin("tas-2018", "5.5") not in cut.clauses
    at.coup("1 p 50", NATURAL)
    assert sound(at)


@clause("act-2015:2.5")
def test_a_coup_put_right_meanwhile_is_of_the_shoe_before() -> None:
    """[act-2015:2.5] Its cards are counted among none of the set that was shuffled since."""
    at = ready("act-2015")
    at.coup("1 p 50", NATURAL)
    at.do("dan", c.EndShoe("torn"))
    at.do("dan", c.Shuffle())
    at.do("dan", c.CheckCards("set A"))
    pair(at, c.CorrectCoup(1, parse_drawn("8c Kd Kh 2s"), "an eight"))
    assert at.table.pack.seen == {}
    at.shoe()
    at.coup("1 p 50", NATURAL)
    assert sound(at)


@clause("act-2015:5.1")
def test_in_canberra_too_but_not_what_the_house_is_bound_to() -> None:
    """[act-2015:5.1] A shoe that was committed to is not drawn a second time."""
    at = At("act-2015").open().staffed().seat("ann")
    at.do("dan", c.CheckCards("set A"))
    at.do("dan", c.Shuffle())
    at.do("dan", c.Shuffle())
    bound = c.Shuffle(commitment="0" * 64)
    at.refuse("dan", bound, Reason.SHOE_OUT_OF_STEP)
    other = At("act-2015").open().staffed().seat("ann")
    other.do("dan", c.CheckCards("set A"))
    other.do("dan", bound)
    other.refuse("dan", c.Shuffle(), Reason.SHOE_OUT_OF_STEP)
    other.refuse("dan", c.CheckCards("set B"), Reason.SHOE_OUT_OF_STEP)
    assert sound(at)
    assert sound(other)


# a change to which everybody agrees


@BOTH
@clause(*tas("7.6(a)", "7.6(b)"))
def test_what_all_players_agree_to_need_not_wait_for_the_time_that_was_posted(doc: str) -> None:
    """[tas-2018:7.6(a), 7.6(b)] The time is that of the half hour's notice."""
    at = ready(doc)
    limits = Limits(5000, at.notice.limits.max_cents)
    at.do("mara", c.PostChange(replace(at.notice, limits=limits), at.at_ms + 3_600_000))
    at.do("ann", c.ConsentToChange())
    at.refuse("mara", c.ApplyChange(), Reason.CHANGE_TOO_EARLY, twin(doc, "7.6(b)"))
    at.do("bob", c.ConsentToChange())
    changed = one(events.NoticeChanged, at.do("mara", c.ApplyChange()))
    assert twin(doc, "7.6(a)") in changed.clauses
    assert sound(at)
