"""How the shoe stands once the record of its last coup is put right."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.state import Phase
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import At, of, one, ready
from tests.kit.table.corrections import OVERSEER, cards, pair
from tests.kit.table.tas import BOTH, with_cards_left
from tests.kit.table.verified import sound

TIE = "9c 9d Kh Ks"
NO_TIE = "9c 8d Kh Ks"


def last_round(dealt: str) -> At:
    """The round in which the cutting card came out, cleared away."""
    at = ready("act-2015")
    at.bet("1 p 100").deal(dealt)
    at.do("dan", c.SeeMarker())
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    return at


@clause("act-2015:5.7")
@pytest.mark.parametrize(
    "right", [c.CorrectCard(1, 2, Card("8d"), "an eight"), c.CorrectCoup(1, cards(NO_TIE), "seen")]
)
def test_a_tie_that_was_none_brings_no_extra_round(right: c.TableCommand) -> None:
    """[act-2015:5.7] The extra round that was opened is not dealt, and its wagers go back."""
    at = last_round(TIE)
    at.bet("1 p 200, 2 b 50")
    done = pair(at, right)
    closed = one(events.CoupNotDealt, done)
    assert (closed.number, closed.shoe_over, closed.clauses) == (2, True, ("act-2015:5.7",))
    back = [event for event in of(events.WagerSettled, done) if event.coup == 2]
    assert [event.outcome for event in back] == [Outcome.VOID, Outcome.VOID]
    assert at.table.phase is Phase.READY
    assert at.table.shoe is not None
    assert at.table.shoe.ended == "act-2015:5.7"
    assert at.table.chips == {"ann": 1_010_000, "bob": 1_000_000}
    assert sound(at)
    at.do("dan", c.EndShoe())


@clause("act-2015:5.7")
def test_a_tie_that_is_found_brings_the_extra_round() -> None:
    """[act-2015:5.7] While the shoe has not been ended; and it goes again with the tie."""
    at = last_round(NO_TIE)
    pair(at, c.CorrectCard(1, 2, Card("9d"), "a nine"))
    at.bet("1 p 200")
    pair(at, c.CorrectCard(1, 2, Card("8d"), "an eight after all"))
    pair(at, c.CorrectCard(1, 2, Card("9d"), "no, a nine"))
    at.coup("1 p 200", TIE)
    assert at.table.shoe is not None
    assert at.table.shoe.ended == "act-2015:5.7"
    assert sound(at)


@clause("act-2015:5.7", "act-2015:14.3")
def test_a_void_tie_brings_no_extra_round() -> None:
    """[act-2015:5.7, 14.3]"""
    at = last_round(TIE)
    at.bet("1 p 200")
    at.do("sue", c.VoidEarlier(1, "seen on video", cause="fraud"))
    assert one(events.CoupNotDealt, at.approve("mara")).shoe_over
    assert at.table.chips["ann"] == 1_000_000
    assert sound(at)


@clause("act-2015:5.7", "act-2015:12.2")
@pytest.mark.parametrize(("named", "closed"), [("8d", True), ("9h", False)])
def test_a_card_left_over_begins_the_extra_round_only_if_there_is_one(
    named: str, closed: bool
) -> None:
    """[act-2015:5.7, 12.2] Another correction leaves it where it is."""
    at = last_round(TIE + " 5d@p")
    at.do("dan", c.OpenCoup())
    pair(at, c.CorrectCard(1, 2, Card(named), "keyed wrong"))
    assert (at.table.coup is None) is closed
    left = at.table.carried if at.table.coup is None else at.table.coup.carried
    assert bool(left) is not closed
    assert sound(at)


@clause("act-2015:5.7")
def test_a_cutting_card_seen_since_then_makes_the_open_round_the_last() -> None:
    """[act-2015:5.7] It came out first in this round: the result before decides nothing."""
    at = ready("act-2015")
    at.coup("1 p 100", TIE)
    at.bet("1 p 100")
    at.do("dan", c.SeeMarker())
    pair(at, c.CorrectCard(1, 2, Card("8d"), "an eight"))
    at.deal(NO_TIE)
    at.do("dan", c.DeclareResult())
    assert sound(at)


def on_record(at: At) -> int:
    """The cards that have left the shoe, by all that is on record of it."""
    table = at.table
    dealt = sum(len(coup.drawn) - coup.begun for coup in table.coups)
    if table.coup is not None:
        dealt += len(table.coup.drawn) - table.coup.begun
    return len(table.pack.burned) + len(table.pack.between) + dealt


def drawn(at: At) -> int:
    assert at.table.shoe is not None
    assert at.table.shoe.drawn == on_record(at)
    assert sum(at.table.pack.seen.values()) <= at.table.shoe.drawn
    return at.table.shoe.drawn


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("over", [True, False])
@clause("tas-2018:14.1")
def test_a_card_never_dealt_began_no_coup(first: int, over: bool) -> None:
    """[tas-2018:14.1] Four cards left the shoe in each coup, in whichever order that is said."""
    at = ready()
    at.coup("1 p 100", "9c Kd Kh 5s 5d@p")
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    at.deal("Ks 4c Kc")
    if over:
        at.do("dan", c.DeclareResult())
        at.do("dan", c.EndCoup())
    right = {
        1: c.CorrectCoup(1, cards("9c Kd Kh 5s"), "four"),
        2: c.CorrectCoup(2, cards("9d Ks 4c Kc"), "a nine"),
    }
    pair(at, right[first])
    assert drawn(at) == 8
    pair(at, right[3 - first])
    assert drawn(at) == 8
    assert at.table.pack.seen[Card("9d")] == 1
    assert Card("5d") not in at.table.pack.seen
    assert sound(at)


@pytest.mark.parametrize("over", [True, False])
@clause("tas-2018:14.1")
def test_a_card_left_over_is_still_there_when_no_card_was_dealt(over: bool) -> None:
    """[tas-2018:14.1] The next coup never had it; in play, it is still to be dealt."""
    at = ready()
    at.coup("1 p 100", "9c Kd Kh 5s 5d@p")
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    if over:
        at.deal("Ks 4c Kc")
        at.do("dan", c.DeclareResult())
        at.do("dan", c.EndCoup())
    pair(at, c.CorrectCoup(2, (), "none was dealt"))
    assert drawn(at) == 5
    if not over:
        at.do("dan", c.DealCarried())
        assert drawn(at) == 5
    assert sound(at)


@pytest.mark.parametrize(
    ("right", "since"),
    [
        (c.CorrectCoup(1, cards("9c Kd Kh 5s 2c@p"), "one more"), 2),
        (c.CorrectCoup(2, cards("9d Qd Kd Kc 4s"), "one more before it"), 2),
        (c.CorrectCoup(2, cards("9d Kd Kc 4s 2d@b"), "one more after it"), 3),
        (c.CorrectCoup(2, cards("9d Kd Kc"), "one less"), 1),
    ],
)
@clause("tas-2018:9.4")
def test_a_marker_stays_where_it_was_seen(right: c.TableCommand, since: int) -> None:
    """[tas-2018:9.4] Cards that came before it are none of those after it."""
    at = ready()
    at.coup("1 p 100", "9c Kd Kh 5s")
    at.bet("1 p 100").deal("9d Kd")
    at.do("dan", c.SeeMarker())
    at.deal("Kc 4s")
    pair(at, right)
    assert at.table.shoe is not None
    assert (drawn(at), at.table.shoe.since_marker) == (at.table.shoe.drawn, since)
    assert sound(at)


@clause("tas-2018:9.4")
def test_a_coup_put_right_before_the_marker_ends_no_shoe() -> None:
    """[tas-2018:9.4] It shows at the mouth: one more coup is dealt."""
    at = ready()
    at.coup("1 p 100", "9c Kd Kh 5s")
    at.do("dan", c.OpenCoup())
    at.do("dan", c.SeeMarker())
    pair(at, c.CorrectCoup(1, cards("4c Kd Kh 8s"), "seen"))
    pair(at, c.CorrectCoup(1, cards("9c Kd Kh 5s 2c@b"), "one more"), "ines")
    assert at.table.shoe is not None
    assert (drawn(at), at.table.shoe.since_marker) == (5, 0)
    assert at.table.coup is not None
    assert sound(at)


@clause("act-2015:5.4(b)", "act-2015:5.7")
def test_the_burn_came_before_the_cutting_card() -> None:
    """[act-2015:5.4(b), 5.7]"""
    at = ready("act-2015")
    at.coup("1 p 100", NO_TIE)
    at.do("dan", c.SeeMarker())
    pair(at, c.CorrectBurn("keyed wrong", Card("2c"), 3))
    assert at.table.shoe is not None
    assert (drawn(at), at.table.shoe.since_marker) == (8, 0)
    assert sound(at)


@clause("tas-2018:14.1", "act-2015:12.2")
@pytest.mark.parametrize("ruleset", ["tas-2018", "act-2015"])
@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("voids", [False, True])
def test_a_card_never_dealt_goes_though_the_next_coup_was_void(
    ruleset: str, opened: bool, voids: bool
) -> None:
    """[tas-2018:14.1, act-2015:12.2] That coup was void before its first card."""
    at = ready(ruleset)
    at.coup("1 p 100", "9c Kd Kh 5s 5d@p")
    at.do("dan", c.OpenCoup())
    at.do(OVERSEER[ruleset], c.VoidCoup("fraud", "an alarm"))
    at.approve("mara")
    at.do("dan", c.EndCoup())
    if opened:
        at.do("dan", c.OpenCoup())
    if voids:
        at.do(OVERSEER[ruleset], c.VoidEarlier(1, "seen on video", cause="fraud"))
        at.approve("mara")
    else:
        pair(at, c.CorrectCoup(1, cards("9c Kd Kh 5s"), "four"))
    left = at.table.carried if at.table.coup is None else at.table.coup.carried
    assert left == ()
    if not opened:
        at.do("dan", c.OpenCoup())
    assert at.table.phase is Phase.BETTING
    assert sound(at)


RIGHT: dict[str, c.TableCommand] = {
    "card": c.CorrectCard(1, 1, Card("8c"), "an eight"),
    "tie": c.CorrectCoup(1, cards(TIE), "a nine"),
    "one-more": c.CorrectCoup(1, cards(NO_TIE + " 5d@p"), "one more"),
    "wager": c.CorrectWager(1, "ann", 1, Bet.PLAYER, 20_000, "twice as much"),
    "void": c.VoidEarlier(1, "seen on video", cause="fraud"),
    "her-wager": c.VoidWagers("ann", "a breach", coup=1),
}


@clause("act-2015:5.7")
@pytest.mark.parametrize("drawn_since", [False, True])
@pytest.mark.parametrize("right", RIGHT)
def test_a_cutting_card_seen_after_the_round_leaves_one_more(right: str, drawn_since: bool) -> None:
    """[act-2015:5.7] It was drawn in no round yet: whatever is put right of the round before, the
    next is dealt, and is the last.
    """
    at = ready("act-2015")
    at.coup("1 p 100", NO_TIE)
    at.do("dan", c.SeeMarker())
    if drawn_since:
        at.do("dan", c.DrawCard(Card("5h"), Laid.PLAYER))
    at.do("sue", RIGHT[right])
    at.approve("mara")
    assert at.table.shoe is not None
    assert (at.table.shoe.ended, at.table.shoe.extra_round) == ("", False)
    assert len(at.table.carried) == drawn_since + (right == "one-more")
    assert sound(at)
    at.do("dan", c.OpenCoup())
    while at.table.coup and at.table.coup.carried:
        at.do("dan", c.DealCarried())


@clause("tas-2018:4.2")
@pytest.mark.parametrize("cut", [False, True])
def test_cards_shuffled_again_are_not_seen_in_the_new_shoe(cut: bool) -> None:
    """[tas-2018:4.2] The last shoe's coup is put right after the shuffle."""
    at = ready()
    at.coup("1 p 100", "9c Kd Kh 5s")
    at.do("dan", c.EndShoe("early"))
    at.do("dan", c.Shuffle())
    if cut:
        at.do("bob", c.CutCards(100, 2))
    pair(at, c.CorrectCoup(1, cards("9c Kd Kh 5s 2c@b"), "one more"))
    assert at.table.pack.seen == {}
    assert sound(at)


@clause("tas-2018:14.6")
@pytest.mark.parametrize("declared", [False, True])
def test_a_shoe_disturbed_once_all_cards_are_dealt_leaves_the_coup_as_it_is(
    declared: bool,
) -> None:
    """[tas-2018:14.6] The order of its cards is known: it is paid, and no other coup follows."""
    at = ready("tas-2018")
    at.bet("1 p 100, 2 b 50")
    at.deal("9c Kd Kh 5s")
    if declared:
        at.do("dan", c.DeclareResult())
    ruled = one(events.IrregularityRuled, at.do("ines", c.ReportIrregularity(Found.SHOE_DISTURBED)))
    assert (ruled.verdict, ruled.next_coup) == (Verdict.STANDS, NextCoup.NONE)
    if not declared:
        at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert at.table.chips["ann"] == 1_010_000
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "tas-2018:14.6")
    assert sound(at)


# the count of an earlier coup, or of the burn


def near_marker(doc: str) -> At:
    """Two coups after one that took most of the shoe; the marker lies at its mouth."""
    at = with_cards_left(doc, 15)
    at.coup("1 p 50", NO_TIE)
    at.coup("1 p 50", NO_TIE)
    assert at.table.shoe is not None
    assert (at.table.shoe.before_marker, at.table.shoe.ended) == (0, "")
    return at


ONE_MORE = c.CorrectCoup(2, cards("2c 3d Kh 7s 4d"), "there were five")


@BOTH
@clause(*tas("9.4"))
def test_a_card_after_the_marker_on_record_of_an_earlier_coup_ends_the_shoe(doc: str) -> None:
    """[tas-2018:9.4, tas-2013:9.4] And if it was not so after all, the shoe goes on."""
    at = near_marker(doc)
    done = pair(at, ONE_MORE)
    assert one(events.ShoeRecounted, done).ends
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, twin(doc, "9.4"))
    done = pair(at, c.CorrectCoup(2, cards(NO_TIE), "four, by the video"))
    assert one(events.ShoeRecounted, done).goes_on
    at.coup("1 p 50", NO_TIE)
    assert sound(at)


@BOTH
@clause(*tas("9.4"))
def test_a_coup_that_was_opened_since_is_not_dealt(doc: str) -> None:
    """[tas-2018:9.4, tas-2013:9.4] Its wagers go back; one that has a card is dealt."""
    at = near_marker(doc).bet("1 p 50")
    done = pair(at, ONE_MORE)
    assert one(events.CoupNotDealt, done).shoe_over
    assert [event.outcome for event in of(events.WagerSettled, done)] == [Outcome.VOID]
    assert at.table.phase is Phase.READY
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, twin(doc, "9.4"))
    assert sound(at)
    begun = near_marker(doc).bet("1 p 50")
    begun.deal("9c")
    assert not of(events.CoupNotDealt, pair(begun, ONE_MORE))
    begun.deal("8d Kh Ks")
    begun.do("dan", c.DeclareResult())
    begun.do("dan", c.EndCoup())
    begun.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)
    assert sound(begun)


@clause("act-2015:5.7")
def test_a_burn_that_was_longer_ends_the_shoe_by_the_count() -> None:
    """[act-2015:5.7] The cutting card lay at the mouth, and one more card had been burned."""
    at = At("act-2015").open().staffed().seat("ann", "bob")
    at.shoe(behind=416 - 11)
    at.coup("1 p 50", NO_TIE)
    at.coup("1 p 50", NO_TIE)
    assert at.table.shoe is not None
    assert at.table.shoe.before_marker == 0
    done = pair(at, c.CorrectBurn("three, by the video", Card("2c"), 3))
    assert one(events.ShoeRecounted, done).ends
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, "act-2015:5.7")
    assert sound(at)
