"""What was keyed between two coups and was not so: a card drawn, a finding about the shoe."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found, NextCoup
from puntobanco.rules.shoe import Last
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import At, of, one, ready
from tests.kit.table.corrections import OVERSEER, cards, pair
from tests.kit.table.tas import BOTH, NATURAL, STOOD, finish, left, with_cards_left
from tests.kit.table.verified import sound

CARRIED = pytest.mark.parametrize("doc", ["tas-2018", "tas-2013", "act-2015"])
FOUR = Card("4d")
SEEN = c.DrawCard(FOUR, Laid.NOWHERE)
UNSEEN = c.DrawCard(None, Laid.NOWHERE)
FACE_UP = c.ReportIrregularity(Found.FACE_UP_IN_SHOE)
DISTURBED = c.ReportIrregularity(Found.SHOE_DISTURBED)
NO_FACE_UP = c.CorrectFinding("face-up-in-shoe", "a reflection")
NOT_DISTURBED = c.CorrectFinding("shoe-disturbed", "it was the next table's")


def played(doc: str, dealt: str = NATURAL) -> At:
    at = ready(doc)
    at.coup("1 p 50", dealt)
    return at


def never(at: At, number: int = 1) -> list[events.TableEvent]:
    return pair(at, c.CorrectExcess(number, "never drawn"))


def standing(at: At) -> tuple[NextCoup, list[Card | None]]:
    return at.table.next_kind, [left_over.card for left_over in at.table.carried]


def goes_on(at: At) -> bool:
    """The next coup takes wagers and begins with a card of the shoe; and all of it verifies."""
    if at.table.coup is None:
        at.do("dan", c.OpenCoup())
    assert at.table.coup is not None
    assert (at.table.coup.takes_wagers, at.table.coup.carried) == (True, ())
    if not at.table.coup.wagers:
        at.do("dan", c.PlaceWager(1, Bet.PLAYER, 5000, "ann"))
    at.deal(NATURAL)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    return sound(at)


# a card drawn between coups


@CARRIED
@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("drawn", [SEEN, UNSEEN])
@clause(*tas("14.1", "14.2"), "act-2015:12.2", "act-2015:12.3")
def test_a_card_that_never_left_the_shoe_begins_no_coup(
    doc: str, drawn: c.DrawCard, *, opened: bool
) -> None:
    """[tas-2018:14.2, act-2015:12.2-12.3]"""
    at = played(doc)
    before = at.table
    at.do("dan", drawn)
    if opened:
        at.do("dan", c.OpenCoup())
    ruled = one(events.NextCoupRuled, never(at))
    assert (ruled.next_kind, ruled.carried) == (NextCoup.ORDINARY, ())
    assert at.table.pack == before.pack
    assert at.table.shoe == before.shoe
    assert goes_on(at)


@CARRIED
@clause(*tas("14.1", "14.2"), "act-2015:12.2", "act-2015:12.3")
def test_a_card_that_nobody_saw_after_all_lets_bets_be_made(doc: str) -> None:
    """[tas-2018:14.2, act-2015:12.3] Keyed with a name, and nobody had turned it."""
    at = played(doc)
    at.do("dan", SEEN)
    ruled = one(events.NextCoupRuled, pair(at, c.CorrectExcess(1, "face down", cards("??"))))
    assert ruled.next_kind is NextCoup.ORDINARY
    assert at.table.pack.seen.get(FOUR, 0) == 0
    at.bet("1 p 50")
    at.refuse("dan", c.DrawCard(FOUR), Reason.CARRIED_FIRST)
    assert sound(at)


@CARRIED
@clause(*tas("14.1"), "act-2015:12.2")
def test_one_card_of_two_was_never_drawn(doc: str) -> None:
    """[tas-2018:14.1, act-2015:12.2] The other, and one left over before it, stay."""
    at = played(doc, "9c Kd Kh 2s ??@-")
    at.do("dan", SEEN)
    at.do("dan", UNSEEN)
    pair(at, c.CorrectExcess(1, "one only", cards("4d@-")))
    assert standing(at) == (NextCoup.NON_BETTING, [None, FOUR])
    never(at)
    assert standing(at) == (NextCoup.ORDINARY, [None])
    assert sound(at)


@CARRIED
@clause(*tas("14.1"), "act-2015:12.2")
def test_a_card_nobody_keyed_is_said_later(doc: str) -> None:
    """[tas-2018:14.1, act-2015:12.2] And not while chips lie on the coup it begins."""
    at = played(doc).bet("1 p 50")
    late = c.CorrectExcess(1, "seen on video", cards("4d"))
    at.refuse("dan", late, Reason.WAGERS_ON_NEXT)
    at.do("dan", c.WithdrawWager(1, Bet.PLAYER, "ann"))
    ruled = one(events.NextCoupRuled, pair(at, late))
    assert (ruled.next_kind, len(ruled.carried)) == (NextCoup.NON_BETTING, 1)
    assert at.table.coup is not None
    assert at.table.coup.kind is CoupKind.NON_BETTING
    at.do("dan", c.DealCarried())
    assert sound(at)


@BOTH
@clause(*tas("14.2"))
def test_a_card_that_a_marker_discarded_is_back_when_there_was_no_marker(doc: str) -> None:
    """[tas-2018:14.2] The cards are those on record; what became of them is not."""
    at = played(doc)
    at.do("dan", UNSEEN)
    at.do("dan", c.SeeMarker())
    assert at.table.carried == ()
    same = c.CorrectExcess(1, "it begins the next", cards("??"))
    at.refuse("dan", same, Reason.AS_ON_RECORD)
    pair(at, c.CorrectMarker("a joker"))
    ruled = one(events.NextCoupRuled, pair(at, same))
    assert (ruled.carried, ruled.clauses) == (cards("??@-"), (twin(doc, "14.2"),))
    at.refuse("dan", same, Reason.AS_ON_RECORD)
    assert sound(at)


@BOTH
@clause(*tas("9.4"))
def test_a_shoe_that_a_card_never_drawn_had_ended_goes_on(doc: str) -> None:
    """[tas-2018:9.4]"""
    at = with_cards_left(doc, 7)
    at.do("dan", UNSEEN)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)
    assert one(events.NextCoupRuled, never(at)).next_kind is NextCoup.ORDINARY
    assert left(at) == 7
    at.do("dan", c.OpenCoup())
    assert sound(at)


@BOTH
@pytest.mark.parametrize("card", ["4d@p", "??@p", "4d@-"])
@clause(*tas("14.1"))
def test_the_error_card_still_waits_when_one_like_it_was_never_drawn(doc: str, card: str) -> None:
    """[tas-2018:14.1] The other had ended the shoe, and was discarded; this one begins a coup."""
    at = with_cards_left(doc, 12).bet("1 p 50")
    at.deal(f"{STOOD} {card}")
    finish(at)
    waits, shoe = standing(at), at.table.shoe
    (same,) = cards(card)
    at.do("dan", c.DrawCard(same.card, same.laid))
    assert at.table.next_kind is NextCoup.NONE
    never(at, 2)
    assert (standing(at), at.table.shoe) == (waits, shoe)
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried(same.card or FOUR))
    assert sound(at)


@clause("act-2015:5.7")
@pytest.mark.parametrize("card", ["4d@-", "??@-"])
def test_a_card_put_on_record_that_the_marker_came_out_with_is_of_the_next_round(card: str) -> None:
    """[act-2015:5.7] The cutting card lay behind the round before, and was not drawn in it."""
    at = At("act-2015").open().staffed().seat("ann").shoe(behind=20).bet("1 p 50")
    at.deal(NATURAL)
    while left(at) > 20:
        at.do("dan", c.DrawCard(None, Laid.NOWHERE))
    at.do("sue", c.ReportIrregularity(Found.FOREIGN_CARD))
    at.do("dan", c.EndCoup())
    assert one(events.ShoeRecounted, pair(at, c.CorrectExcess(1, "", cards(card)))).goes_on
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).last is Last.UNLESS_TIE
    assert sound(at)


@pytest.mark.parametrize("seen", [False, True])
@clause("act-2015:5.7")
def test_a_marker_that_came_out_between_coups_leaves_the_round_that_is_the_last(
    *, seen: bool
) -> None:
    """[act-2015:5.7] The cutting card was not drawn in the round before."""
    at = played("act-2015")
    at.do("dan", FACE_UP if seen else SEEN)
    at.do("dan", c.SeeMarker())
    if seen:
        assert one(events.ShoeRecounted, pair(at, NO_FACE_UP)).goes_on
    else:
        pair(at, c.CorrectExcess(1, "the five", cards("5d")))
        assert standing(at) == (NextCoup.NON_BETTING, [Card("5d")])
    at.do("dan", c.OpenCoup())
    assert sound(at)


@CARRIED
@pytest.mark.parametrize("first", ["coup", "excess"])
@pytest.mark.parametrize("over", [False, True])
@clause(*tas("14.1"), "act-2015:12.2")
def test_once_the_next_coup_has_begun_record_and_count_are_put_right(
    doc: str, first: str, *, over: bool
) -> None:
    """[tas-2018:14.1, act-2015:12.2] 4d was never drawn; the coup began with 8d."""
    at = played(doc)
    drawn = at.table.shoe
    at.do("dan", SEEN)
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    at.deal("Kd 4h 7s")
    if over:
        at.do("dan", c.DeclareResult())
        at.do("dan", c.EndCoup())
    both: list[c.TableCommand] = [
        c.CorrectCoup(2, cards("8d Kd 4h 7s"), "8d"),
        c.CorrectExcess(1, "never drawn"),
    ]
    for ask in both if first == "coup" else both[::-1]:
        assert of(events.NextCoupRuled, pair(at, ask)) == []
    assert drawn is not None
    assert at.table.shoe is not None
    assert at.table.shoe.drawn == drawn.drawn + 4
    assert at.table.pack.between == ()
    assert at.table.pack.seen.get(FOUR, 0) == 0
    assert at.table.dealt[-4:] == (Card("8d"), Card("Kd"), Card("4h"), Card("7s"))
    at.refuse("dan", c.CorrectExcess(1, "again"), Reason.AS_ON_RECORD)
    assert sound(at)


@CARRIED
def test_the_first_card_of_a_coup_may_have_been_drawn_before_it(doc: str) -> None:
    """Then it has left the shoe once, not twice."""
    at = played(doc).bet("1 p 50")
    at.deal(NATURAL)
    before = left(at)
    pair(at, c.CorrectExcess(1, "drawn too early", cards("9c")))
    assert left(at) == before
    assert at.table.coup is not None
    assert at.table.coup.begun == 1
    pair(at, c.CorrectExcess(1, "another", cards("9c 3c")))
    assert left(at) == before - 1
    never(at)
    assert left(at) == before
    assert sound(at)


@CARRIED
def test_a_second_card_never_drawn_is_not_dealt_on(doc: str) -> None:
    at = played(doc)
    at.do("dan", SEEN)
    at.do("dan", UNSEEN)
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    pair(at, c.CorrectExcess(1, "one only", cards("4d@-")))
    assert at.table.coup is not None
    assert (at.table.coup.begun, at.table.coup.carried) == (1, ())
    at.deal("Kd 4h 7s")
    assert sound(at)


@pytest.mark.parametrize("doc", RULESETS)
def test_cards_are_drawn_before_the_first_coup_too_and_nowhere_else(doc: str) -> None:
    at = ready(doc)
    before = at.table.shoe
    at.do("dan", UNSEEN)
    at.refuse("dan", c.CorrectExcess(1, "no coup yet", cards("??")), Reason.NO_SUCH_COUP)
    never(at, 0)
    assert at.table.shoe == before
    at.coup("1 p 50", NATURAL)
    at.bet("1 p 50")
    at.refuse("dan", c.CorrectExcess(2, "in play", cards("??")), Reason.NO_SUCH_COUP)
    assert sound(at)


@CARRIED
def test_a_coup_void_without_a_card_is_ended_first(doc: str) -> None:
    at = played(doc)
    at.do("dan", SEEN)
    at.do("dan", c.OpenCoup())
    at.do("dan", c.ReportIrregularity(Found.FOREIGN_CARD))
    at.do(OVERSEER[doc], c.ConfirmFinding(upheld=True))
    at.refuse("dan", c.CorrectExcess(1, "never drawn"), Reason.END_VOID_COUP)
    at.do("dan", c.EndCoup())
    never(at)
    assert goes_on(at)


# a finding about the shoe


@pytest.mark.parametrize("doc", RULESETS)
@pytest.mark.parametrize("opened", [False, True])
@clause(*tas("14.4"), "act-2015:12.2")
def test_a_card_that_never_lay_face_up_bars_no_bets(doc: str, *, opened: bool) -> None:
    """[tas-2018:14.4, act-2015:12.2]"""
    at = played(doc)
    at.do("dan", FACE_UP)
    assert at.table.next_kind is NextCoup.NON_BETTING
    if opened:
        at.do("dan", c.OpenCoup())
    done = pair(at, NO_FACE_UP)
    assert [type(event) for event in done[-2:]] == [events.FindingCorrected, events.NextCoupRuled]
    assert goes_on(at)


@BOTH
@clause(*tas("14.4"))
def test_found_at_the_end_of_a_coup_it_is_taken_back_in_it(doc: str) -> None:
    """[tas-2018:14.4]"""
    at = ready(doc).bet("1 p 50")
    at.deal(NATURAL)
    at.do("dan", FACE_UP)
    pair(at, NO_FACE_UP)
    at.do("dan", c.DeclareResult())
    assert one(events.CoupEnded, at.do("dan", c.EndCoup())).next_kind is NextCoup.ORDINARY
    assert goes_on(at)


@clause("mbs-2017:5.1.2")
def test_found_while_bets_are_taken_it_bars_the_coup_after_that() -> None:
    """[mbs-2017:5.1.2] Ruled to stand, and taken back before the first card."""
    at = played("mbs-2017").bet("1 p 50")
    at.do("dan", FACE_UP)
    at.do("ines", c.RuleOn("stands", "nobody looked"))
    at.approve("mara")
    assert of(events.NextCoupRuled, pair(at, NO_FACE_UP)) == []
    at.deal(NATURAL)
    at.do("dan", c.DeclareResult())
    assert one(events.CoupEnded, at.do("dan", c.EndCoup())).next_kind is NextCoup.ORDINARY
    assert goes_on(at)


@pytest.mark.parametrize("doc", RULESETS)
def test_a_shoe_that_nobody_disturbed_is_dealt_from(doc: str) -> None:
    at = played(doc)
    at.do("dan", DISTURBED)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)
    pair(at, NOT_DISTURBED)
    assert goes_on(at)


@CARRIED
@clause(*tas("14.1"), "act-2015:12.2")
def test_what_else_bars_the_next_coup_stays(doc: str) -> None:
    """[tas-2018:14.1, act-2015:12.2] The gravest of what remains."""
    at = played(doc)
    at.do("dan", FACE_UP)
    at.do("dan", DISTURBED)
    at.do("dan", SEEN)  # discarded: no coup was to follow
    assert at.table.carried == ()
    pair(at, NOT_DISTURBED)
    assert (at.table.next_kind, len(at.table.carried)) == (NextCoup.NON_BETTING, 1)
    done = pair(at, NO_FACE_UP)
    assert of(events.NextCoupRuled, done) == []  # for the card that was drawn
    never(at)
    assert goes_on(at)


@BOTH
@clause(*tas("9.4"))
def test_a_shoe_that_has_ended_anyhow_has_ended(doc: str) -> None:
    """[tas-2018:9.4]"""
    at = with_cards_left(doc, 7)
    at.do("dan", UNSEEN)
    at.do("dan", DISTURBED)
    assert of(events.NextCoupRuled, pair(at, NOT_DISTURBED)) == []
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)
    assert sound(at)


@CARRIED
@clause(*tas("14.4"))
def test_a_coup_that_was_void_for_it_stays_void_and_the_next_is_not_barred(doc: str) -> None:
    """[tas-2018:14.4]"""
    at = played(doc).bet("1 p 50")
    at.do("dan", FACE_UP)
    at.do(OVERSEER[doc], c.ConfirmFinding(upheld=True))
    pair(at, NO_FACE_UP)
    at.do("dan", c.EndCoup())
    assert goes_on(at)


@pytest.mark.parametrize("doc", RULESETS)
def test_a_finding_has_done_its_work_with_the_next_card(doc: str) -> None:
    at = played(doc)
    at.refuse("dan", NO_FACE_UP, Reason.NOT_FOUND_HERE)
    at.do("dan", FACE_UP)
    at.refuse("dan", NOT_DISTURBED, Reason.NOT_FOUND_HERE)
    at.do("dan", c.OpenCoup())
    at.deal("9c")
    at.refuse("dan", NO_FACE_UP, Reason.NOT_FOUND_HERE)
    at.deal("Kd Kh 2s")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.refuse("dan", NO_FACE_UP, Reason.NOT_FOUND_HERE)
    assert sound(at)


def test_a_proposal_about_the_shoe_dies_with_it() -> None:
    at = played("tas-2018")
    at.do("dan", DISTURBED)
    at.do("dan", NOT_DISTURBED)
    at.do("dan", c.EndShoe())
    at.refuse("ines", c.Approve(at.table.proposal_number), Reason.NO_SUCH_PROPOSAL)
    assert at.table.findings == ()
