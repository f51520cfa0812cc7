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


# after a void


@pytest.mark.parametrize("doc", RULESETS)
@pytest.mark.parametrize("card", [FOUR, None])
@clause(*tas("14.1", "14.2"), "act-2015:12.2", "act-2015:12.3", "mbs-2017:5.2")
def test_a_card_drawn_after_a_void_is_one_in_excess(doc: str, card: Card | None) -> None:
    """[tas-2018:14.1-14.2, act-2015:12.2-12.3, mbs-2017:5.2] As if it had come between coups."""
    at, after = (void_coup(ready(doc)) for _ in range(2))
    at.do("dan", stray(card))
    at.do("dan", c.EndCoup())
    after.do("dan", c.EndCoup())
    after.do("dan", stray(card))
    said, between = (
        (one.table.next_kind, one.table.carried, one.table.shoe, one.table.pack)
        for one in (at, after)
    )
    assert said == between
    assert sound(at)


@clause("tas-2018:14.1", "tas-2018:14.2")
def test_and_comes_after_the_card_that_the_void_coup_left_undealt() -> None:
    """[tas-2018:14.1-14.2]"""
    at = ready("tas-2018")
    at.coup("1 p 50", f"{NATURAL} 4d@p")
    at.do("dan", c.OpenCoup())
    at.do("ines", c.VoidCoup("impractical", "a fire"))
    at.approve("mara")
    ruled = one(events.IrregularityRuled, at.do("dan", stray()))
    assert (ruled.next_coup, [left.card for left in ruled.carried]) == (
        NextCoup.NON_BETTING,
        [FOUR, None],
    )
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    at.do("dan", c.DealCarried(Card("Kd")))
    at.deal("Kh 2s 6d")
    assert sound(at)


def void_coup(at: At) -> At:
    at.bet("1 p 100").deal("2c Kd Kh 3s")
    at.do(OVERSEER[at.notice.ruleset], c.VoidCoup("impractical", "a fire"))
    at.approve("mara")
    return at


# a card left over that shows its face before it is dealt


@pytest.mark.parametrize(
    ("doc", "number"),
    [("tas-2018", "14.1"), ("tas-2013", "14.1"), ("act-2015", "12.2"), ("mbs-2017", "5.2")],
)
@pytest.mark.parametrize("drawn", ["in the coup", "after it"])
@pytest.mark.parametrize("opened", [False, True])
@clause(*tas("14.1", "14.2"), "act-2015:12.2", "act-2015:12.3", "mbs-2017:5.2")
def test_an_unseen_card_that_is_turned_up_before_it_is_dealt_bars_bets(
    doc: str, number: str, drawn: str, *, opened: bool
) -> None:
    """[tas-2018:14.1-14.2, act-2015:12.2-12.3, mbs-2017:5.2] Wagers are removed first, and the
    card has its name wherever it is on record.
    """
    leftover = {"leftover": "first-of-next"} if doc == "mbs-2017" else {}
    at, seen = ready(doc, **leftover), ready(doc, **leftover)
    for one_at, card in ((at, None), (seen, FOUR)):
        one_at.bet("1 p 100").deal(NATURAL)
        if drawn == "in the coup":
            one_at.do("dan", stray(card))
        one_at.do("dan", c.DeclareResult())
        one_at.do("dan", c.EndCoup())
        if drawn == "after it":
            one_at.do("dan", stray(card))
    if opened:
        at.bet("1 p 100, 2 b 50")
    done = at.do("dan", c.TurnCarried(FOUR))
    assert one(events.NextCoupRuled, done).clauses == (f"{doc}:{number}",)
    assert len(of(events.WagerWithdrawn, done)) == (2 if opened else 0)
    assert at.table.chips == {**at.table.chips, "bob": 1_000_000}
    if not opened:
        at.do("dan", c.OpenCoup())
    seen.do("dan", c.OpenCoup())
    assert at.table.coup is not None
    assert at.table.coup.kind is CoupKind.NON_BETTING
    assert seen.table.coup is not None
    assert (at.table.coup.carried, at.table.pack) == (seen.table.coup.carried, seen.table.pack)
    assert at.table.coups == seen.table.coups
    at.refuse("dan", c.TurnCarried(FOUR), Reason.WRONG_MOMENT)
    at.do("dan", c.DealCarried())
    at.deal("Kd Kh 8s")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.refuse("dan", c.TurnCarried(FOUR), Reason.NOTHING_CARRIED)
    assert sound(at)


@clause("tas-2018:14.2", "tas-2018:14.4")
def test_and_is_put_right_like_one_that_was_seen_at_once() -> None:
    """[tas-2018:14.2] It was never drawn: the next coup is an ordinary one."""
    at = ready("tas-2018")
    at.coup("1 p 100", NATURAL)
    at.do("dan", stray())
    at.do("dan", c.TurnCarried(FOUR))
    at.do("dan", c.CorrectExcess(1, "another table's card"))
    at.approve("ines")
    assert (at.table.next_kind, at.table.carried) == (NextCoup.ORDINARY, ())
    assert FOUR not in at.table.pack.seen
    assert sound(at)
