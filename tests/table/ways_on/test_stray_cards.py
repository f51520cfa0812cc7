"""Cards that leave the shoe, change hands or show their faces when they should not."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid, Side
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import NextCoup
from puntobanco.rules.paper.notation import parse_drawn
from puntobanco.table import commands as c
from puntobanco.table.coup_record import CoupKind
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import At, contest, events, of, one, ready
from tests.kit.table.corrections import OVERSEER
from tests.kit.table.tas import BOTH, NATURAL, STOOD, with_cards_left
from tests.kit.table.verified import sound

FOUR = Card("4d")


def stray(card: Card | None = None, laid: Laid = Laid.NOWHERE) -> c.DrawCard:
    return c.DrawCard(card, laid)


# between two coups


@pytest.mark.parametrize(
    ("doc", "number"),
    [("tas-2018", "14.2"), ("tas-2013", "14.2"), ("act-2015", "12.3")],
)
@clause(*tas("14.2"), "act-2015:12.3")
def test_an_unseen_card_drawn_between_coups_begins_the_next(doc: str, number: str) -> None:
    """[tas-2018:14.2, tas-2013:14.2, act-2015:12.3]"""
    at = ready(doc)
    before = at.table.shoe
    ruled = one(events.IrregularityRuled, at.do("dan", stray()))
    assert (ruled.next_coup, ruled.clauses) == (NextCoup.ORDINARY, (f"{doc}:{number}",))
    assert at.table.shoe is not None
    assert before is not None
    assert at.table.shoe.left == before.left - 1
    at.bet("1 p 50")
    if doc == "act-2015":
        at.do("dan", c.NoMoreBets())
    at.refuse("dan", c.DrawCard(FOUR), Reason.CARRIED_FIRST)
    at.do("dan", c.DealCarried(Card("9c")))
    at.deal("Kd Kh 2s")
    assert sound(at)


@pytest.mark.parametrize(
    ("doc", "number"),
    [("tas-2018", "14.1"), ("tas-2013", "14.1"), ("act-2015", "12.2")],
)
@clause(*tas("14.1"), "act-2015:12.2")
def test_nobody_bets_into_a_card_that_was_seen_between_coups(doc: str, number: str) -> None:
    """[tas-2018:14.1, tas-2013:14.1, act-2015:12.2]"""
    at = ready(doc)
    at.coup("1 p 50", NATURAL)
    ruled = one(events.IrregularityRuled, at.do("dan", stray(FOUR)))
    assert (ruled.next_coup, ruled.clauses) == (NextCoup.NON_BETTING, (f"{doc}:{number}",))
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert opened.kind is CoupKind.NON_BETTING
    at.do("dan", c.DealCarried())
    at.deal("Kd 4h 7s")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert [card for card in at.table.dealt if card == FOUR] == [FOUR]
    assert sound(at)


# while bets are made


@clause("act-2015:12.2")
def test_a_card_seen_before_the_call_clears_the_layout() -> None:
    """[act-2015:12.2] It begins the round that was called for, and nobody bets into it."""
    at = ready("act-2015")
    at.coup("1 p 50", NATURAL)
    chips = dict(at.table.chips)
    at.bet("1 p 50, 2 b 100")
    at.refuse("dan", c.DrawCard(FOUR), Reason.CALL_MISSING)
    happened = at.do("dan", stray(FOUR))
    assert len(of(events.WagerWithdrawn, happened)) == 2
    ruled = one(events.NextCoupRuled, happened)
    assert (ruled.next_kind, ruled.clauses) == (NextCoup.NON_BETTING, ("act-2015:12.2",))
    assert at.table.chips == chips
    at.do("dan", c.DealCarried())
    at.deal("Kd 4h 7s")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert at.table.dealt[-4:] == (FOUR, Card("Kd"), Card("4h"), Card("7s"))
    assert sound(at)


@pytest.mark.parametrize(
    ("doc", "number"),
    [("tas-2018", "14.2"), ("tas-2013", "14.2"), ("act-2015", "12.3")],
)
@clause(*tas("14.2"), "act-2015:12.3")
def test_an_unseen_card_lets_bets_go_on_and_is_the_first(doc: str, number: str) -> None:
    """[tas-2018:14.2, act-2015:12.3]"""
    at = ready(doc).bet("1 p 50")
    ruled = one(events.NextCoupRuled, at.do("dan", stray()))
    assert (ruled.next_kind, ruled.clauses) == (NextCoup.ORDINARY, (f"{doc}:{number}",))
    at.do("dan", stray(FOUR if doc == "act-2015" else None, Laid.PLAYER))
    at.do("dan", c.CorrectExcess(0, "one only", parse_drawn("??@-")))
    at.approve(OVERSEER[doc])
    at.do("dan", c.PlaceWager(2, Bet.BANKER, 10_000, "bob"))
    if doc == "act-2015":
        at.do("dan", c.NoMoreBets())
    at.refuse("dan", c.DrawCard(FOUR), Reason.CARRIED_FIRST)
    at.do("dan", c.DealCarried(Card("9c")))
    at.deal("Kd Kh 2s")
    at.do("dan", c.DeclareResult())
    assert sound(at)


@BOTH
@clause(*tas("6.3"))
def test_in_tasmania_a_card_that_is_named_is_the_first_and_locks_the_bets(doc: str) -> None:
    """[tas-2018:6.3]"""
    at = ready(doc).bet("1 p 50")
    assert of(events.BetsLocked, at.do("dan", stray(FOUR)))
    assert sound(at)


@pytest.mark.parametrize("leftover", ["discard", "first-of-next"])
@pytest.mark.parametrize("card", [None, FOUR])
@clause("mbs-2017:5.2")
def test_in_singapore_it_goes_by_the_conditions_before_the_call_too(
    leftover: str, card: Card | None
) -> None:
    """[mbs-2017:5.2]"""
    at = ready("mbs-2017", leftover=leftover).bet("1 p 50")
    ruled = one(events.NextCoupRuled, at.do("dan", stray(card)))
    begins = leftover == "first-of-next"
    assert len(ruled.carried) == begins
    assert (ruled.next_kind is NextCoup.NON_BETTING) == (begins and card is not None)
    assert sound(at)


# in Singapore


@clause("mbs-2017:5.2")
def test_in_singapore_the_conditions_say_what_becomes_of_it() -> None:
    """[mbs-2017:5.2]"""
    at = ready("mbs-2017")
    ruled = one(events.IrregularityRuled, at.do("dan", stray(FOUR)))
    assert (ruled.carried, len(ruled.discarded)) == ((), 1)
    assert sound(at)


@BOTH
@clause(*tas("9.4"))
def test_a_card_after_the_marker_ends_the_shoe_between_coups_too(doc: str) -> None:
    """[tas-2018:9.4] The marker and one card have been drawn: no deal starts."""
    at = with_cards_left(doc, 7)
    ruled = one(events.IrregularityRuled, at.do("dan", stray()))
    assert ruled.next_coup is NextCoup.NONE
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, twin(doc, "9.4"))
    assert sound(at)


@BOTH
@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("left", ["9c Kd Kh 5s ??@-", ""])
@clause(*tas("14.2"))
def test_a_marker_seen_late_discards_the_card_before_it(doc: str, opened: bool, left: str) -> None:
    """[tas-2018:14.2] Drawn at the end of a coup or after it, and nobody saw it."""
    at = ready(doc)
    if left:
        at.coup("1 p 50", left)
    else:
        at.do("dan", stray())
    if opened:
        at.bet("1 p 50")
    ruled = one(events.NextCoupRuled, at.do("dan", c.SeeMarker()))
    assert (ruled.next_kind, ruled.carried) == (NextCoup.ORDINARY, ())
    assert ruled.clauses == (twin(doc, "14.2"),)
    if not opened:
        at.bet("1 p 50")
    at.deal(NATURAL)
    at.do("dan", c.DeclareResult())
    assert sound(at)


@BOTH
@clause(*tas("14.1", "14.2"))
def test_a_marker_seen_late_leaves_a_card_that_was_seen(doc: str) -> None:
    """[tas-2018:14.1] Nobody bets into it, and it begins the next coup."""
    at = ready(doc)
    at.do("dan", stray(FOUR))
    at.do("dan", stray())
    at.do("dan", c.SeeMarker())
    assert [left.card for left in at.table.carried] == [FOUR]
    assert at.table.next_kind is NextCoup.NON_BETTING
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    assert sound(at)


@clause("act-2015:12.3")
def test_in_canberra_the_card_before_the_marker_begins_the_next_round() -> None:
    """[act-2015:12.3] There is no such proviso."""
    at = ready("act-2015")
    at.do("dan", stray())
    assert of(events.NextCoupRuled, at.do("dan", c.SeeMarker())) == []
    assert len(at.table.carried) == 1
    assert sound(at)


@pytest.mark.parametrize("doc", RULESETS)
def test_a_card_that_nobody_meant_to_record_is_refused(doc: str) -> None:
    ready(doc).refuse("dan", c.DrawCard(FOUR), Reason.BETTING_NOT_OPEN)


# squeeze play


def face_down(doc: str = "tas-2018") -> At:
    at = ready(doc, "ann", "bob", "cy")
    if doc.startswith("tas"):
        at.do("ann", c.AskFaceDown())
        at.do("mara", c.AcknowledgeFaceDown(next(iter(at.by("mara").roles))))
        at.do("sol", c.AcknowledgeFaceDown(next(iter(at.by("sol").roles))))
    at.do("dan" if doc.startswith("tas") else "sue", c.SetFaceDown(down=True))
    return at


@BOTH
@clause(*tas("9.3(a)", "4.4"))
def test_cards_passed_to_the_wrong_player_are_on_record_and_the_set_is_replaced(doc: str) -> None:
    """[tas-2018:9.3(a), 4.4] The hand goes on, and the right player may still have them."""
    at = face_down(doc).bet("1 p 100, 2 p 50, 3 b 50")
    at.deal("?? ?? ?? ??")
    passed = one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER, "bob")))
    assert passed.in_error
    assert passed.clauses == (twin(doc, "9.3(a)"), twin(doc, "4.4"))
    assert at.table.pack.handled
    again = one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER)))
    assert (again.person, again.in_error) == ("ann", False)
    at.refuse("dan", c.PassCards(Side.BANKER, "dee"), Reason.NOT_THE_HOLDER)
    assert sound(at)


@clause("tas-2018:9.3(a)")
def test_a_hand_nobody_backed_may_have_been_passed_all_the_same() -> None:
    """[tas-2018:9.3(a)]"""
    at = face_down().bet("1 p 100")
    at.deal("?? ?? ?? ??")
    at.refuse("dan", c.PassCards(Side.BANKER), Reason.DEALER_TURNS)
    assert one(events.CardsPassed, at.do("dan", c.PassCards(Side.BANKER, "bob"))).in_error
    assert sound(at)


@pytest.mark.parametrize("doc", ["tas-2018", "act-2015"])
@clause("tas-2018:9.3", "act-2015:2.2")
def test_a_card_dealt_face_up_in_a_face_down_coup_is_noted(doc: str) -> None:
    """[tas-2018:9.3, act-2015:2.2] It counts all the same."""
    at = face_down(doc).bet("1 p 100")
    at.deal("??")
    noted = one(events.IncidentRecorded, at.do("dan", c.DrawCard(Card("Kd"))))
    rule = at.table.terms.rules.dealing.face_down.clause
    assert (noted.kind, noted.clauses) == ("dealt-face-up", (rule,))
    at.deal("?? ??")
    assert len(of(events.IncidentRecorded, at.log)) == 1
    assert sound(at)


def test_in_a_competition_the_wrong_holder_is_noted_as_before() -> None:
    """[tas-2018:16.7.3]"""
    at = contest("tas-2018", "ann", "bob")
    at.do("ines", c.SetFaceDown(down=True))
    at.bet("1 p 50, 2 p 60")
    at.deal("?? ?? ?? ??")
    passed = one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER, "ann")))
    assert passed.clauses[0] == "tas-2018:16.7.3"
    assert sound(at)


def test_an_ordinary_coup_notes_nothing() -> None:
    at = ready("tas-2018")
    at.coup("1 p 50", STOOD)
    assert not of(events.IncidentRecorded, at.log)
    assert Bet.PLAYER in at.table.terms.limits
