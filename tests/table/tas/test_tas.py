"""A live Tasmanian table before the first bet: opening, people, cards, shuffle and cut."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.state import Life, Phase
from puntobanco.words import Step
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import At, events, of, one, ready
from tests.kit.table.tas import (
    BOTH,
    NATURAL,
    floor,
    sign,
    step,
)

# 0 the document, 1 the table


@clause("tas-2018:0.front")
def test_a_2018_table_records_its_document_and_the_date_the_operator_gives() -> None:
    opened = one(events.TableOpened, At("tas-2018").open().log)
    assert opened.notice.ruleset == "tas-2018"
    assert opened.opened.reference == "CM Ref 18/155791"
    assert opened.opened.effective == "1 July 2018"
    assert len(opened.opened.digest) == 64
    assert "tas-2018:0.front" in opened.clauses


@clause("tas-2018:0.front")
def test_no_2018_table_opens_without_a_date_of_effect() -> None:
    at = At("tas-2018")
    ask = c.OpenTable(at.notice, "monday", "shoe 1")
    at.refuse("mara", ask, Reason.EFFECTIVE_DATE_MISSING, "tas-2018:0.front")


@clause("tas-2013:0.front")
def test_the_2013_edition_brings_its_date_of_effect_with_it() -> None:
    opened = one(events.TableOpened, At("tas-2013").open(effective="").log)
    assert opened.opened.reference == "Variation 3/13"
    assert opened.opened.effective == "8 July 2013"
    assert "tas-2013:0.front" in opened.clauses


@clause("tas-2013:0.front")
def test_no_operator_gives_the_2013_edition_another_date() -> None:
    opened = one(events.TableOpened, At("tas-2013").open(effective="1 July 2018").log)
    assert opened.opened.effective == "8 July 2013"


@BOTH
@pytest.mark.parametrize(
    ("layout", "number"),
    [
        pytest.param("mini", "1(para2)", marks=clause(*tas("1(para2)"))),
        pytest.param("midi", "1(para3)", marks=clause(*tas("1(para3)"))),
    ],
)
def test_the_layout_in_use_is_on_record_and_on_the_sign(doc: str, layout: str, number: str) -> None:
    at = At(doc, layout=layout).open()
    opened = one(events.TableOpened, at.log)
    assert opened.notice.layout == layout
    assert twin(doc, number) in opened.clauses
    assert sign(at).notice.layout == layout
    assert len(at.view().boxes) == at.notice.seats


@BOTH
@clause(*tas("1(para1)"))
def test_a_seat_is_one_persons_and_none_is_beyond_the_layout(doc: str) -> None:
    at = ready(doc)
    at.refuse("cy", c.Sit(2), Reason.SEAT_TAKEN)
    at.refuse("cy", c.Sit(10), Reason.NO_SUCH_BOX, twin(doc, "1(para1)"))
    at.do("cy", c.Sit(9))


# 2 the bank, 3 inspection


@BOTH
@clause(*tas("2"))
def test_nobody_is_on_both_sides_of_the_bank(doc: str) -> None:
    at = ready(doc)
    at.do("dan", c.Sit(4, "jill"))
    bank = twin(doc, "2")
    at.refuse("jill", c.SignOn(Role.INSPECTOR), Reason.BANK_IS_THE_OPERATORS, bank)
    at.refuse("dan", c.Sit(5, "ines"), Reason.BANK_IS_THE_OPERATORS, bank)
    at.refuse("dan", c.StandAt(1, "dan"), Reason.BANK_IS_THE_OPERATORS, bank)


@BOTH
@clause(*tas("2"))
def test_a_player_sent_away_with_chips_in_hand_is_no_dealer(doc: str) -> None:
    at = ready(doc)
    at.do("dan", c.Sit(4, "jill"))
    at.do("dan", c.BuyIn(5000, "jill"))
    at.do("ines", c.Exclude("jill", "for the test"))
    at.refuse("jill", c.SignOn(Role.DEALER), Reason.BANK_IS_THE_OPERATORS, twin(doc, "2"))


@BOTH
@clause(*tas("3"))
def test_no_coup_opens_without_an_inspector(doc: str) -> None:
    at = ready(doc)
    at.do("ines", c.SignOff())
    at.refuse("dan", c.OpenCoup(), Reason.STAFF_MISSING, twin(doc, "3"))
    due = step(at)
    assert (due.step, due.clause) == (Step.SIGN_ON, twin(doc, "3"))
    at.do("ines", c.SignOn(Role.INSPECTOR))
    at.do("dan", c.OpenCoup())


@BOTH
@clause(*tas("3"))
def test_an_inspectors_coming_and_going_are_on_record_with_the_gap_they_leave(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    signed_on = of(events.StaffSignedOn, at.log)
    assert ("ines", Role.INSPECTOR) in [(event.person, event.role) for event in signed_on]
    assert {event.clauses for event in signed_on if event.person == "ines"} == {(twin(doc, "3"),)}
    assert all(event.at_ms > 72_000_000 for event in signed_on)
    gone = one(events.StaffSignedOff, at.do("ines", c.SignOff()))
    assert (gone.person, gone.role, gone.gap) == ("ines", Role.INSPECTOR, True)
    assert gone.clauses == (twin(doc, "3"),)


@BOTH
@clause(*tas("3"))
def test_there_is_no_gap_while_another_inspector_stays_or_nothing_is_in_play(doc: str) -> None:
    at = ready(doc)
    at.do("jill", c.SignOn(Role.INSPECTOR))
    at.bet("1 p 50")
    assert not one(events.StaffSignedOff, at.do("ines", c.SignOff())).gap
    at.deal(NATURAL)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert not one(events.StaffSignedOff, at.do("jill", c.SignOff())).gap


# 4 the cards


@BOTH
@clause(*tas("4.2"))
def test_no_cards_are_shuffled_before_they_are_checked_and_complete(doc: str) -> None:
    at = At(doc).open().staffed().seat("ann")
    at.refuse("dan", c.Shuffle(), Reason.CARDS_NOT_CHECKED, twin(doc, "4.2"))
    short = c.CheckCards("set A", player="ann", missing=(Card("Kd"),), surplus=(Card("2c"),))
    checked = one(events.CardsChecked, at.do("dan", short))
    assert (checked.missing, checked.surplus) == ((Card("Kd"),), (Card("2c"),))
    at.refuse("dan", c.Shuffle(), Reason.CARDS_NOT_CHECKED, twin(doc, "4.2"))
    at.do("ines", c.CheckCards("set A", player="ann"))
    at.do("dan", c.Shuffle())


@BOTH
@clause(*tas("4.2"))
def test_a_table_that_opens_again_checks_its_cards_before_play_begins_again(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 50", NATURAL)
    at.do("ines", c.CloseTable())
    at.do("dan", c.CheckCardsAtEnd())
    at.open(gaming_day="tuesday")
    at.refuse("dan", c.Shuffle(), Reason.CARDS_NOT_CHECKED, twin(doc, "4.2"))


@BOTH
@clause(*tas("4.2"))
def test_cards_shuffled_before_a_closing_are_checked_anew_after_it(doc: str) -> None:
    at = At(doc).open().staffed().seat("ann")
    at.do("dan", c.CheckCards("set A", player="ann"))
    at.do("dan", c.Shuffle())
    at.do("ines", c.CloseTable())
    at.open(gaming_day="tuesday")
    assert at.table.pack.life is Life.NONE


@BOTH
@clause(*tas("4.2", "5.1"))
def test_the_check_before_play_is_on_record_with_who_made_it(doc: str) -> None:
    at = At(doc).open().staffed().seat("ann")
    checked = one(events.CardsChecked, at.do("dan", c.CheckCards("set A", player="ann")))
    assert (checked.set_id, checked.decks) == ("set A", 8)
    assert (checked.checked_by, checked.player) == ("dan", "ann")
    assert checked.clauses == (twin(doc, "4.2"), twin(doc, "5.1"))


@BOTH
@clause(*tas("4.3"))
def test_after_play_the_cards_are_checked_before_another_set_or_another_opening(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 50", NATURAL)
    at.do("dan", c.EndShoe("the table closes"))
    other = c.CheckCards("set B", player="ann")
    at.refuse("dan", other, Reason.CLOSING_CHECK_DUE, twin(doc, "4.3"))
    at.do("ines", c.CloseTable())
    again = c.OpenTable(at.notice, "tuesday", "shoe 1", effective="1 July 2018")
    at.refuse("mara", again, Reason.CLOSING_CHECK_DUE, twin(doc, "4.3"))
    due = step(at)
    assert (due.step, due.clause) == (Step.CHECK_AT_END, twin(doc, "4.3"))
    done = at.do("dan", c.CheckCardsAtEnd(missing=(Card("9c"),)))
    checked = one(events.CardsCheckedAtEnd, done)
    assert (checked.checked_by, checked.missing) == ("dan", (Card("9c"),))
    assert checked.clauses == (twin(doc, "4.3"),)
    at.do("mara", again)


@BOTH
@clause(*tas("4.3"))
def test_the_cards_seen_in_play_are_listed_for_the_closing_check(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 50", NATURAL)
    assert floor(at).off_count is None
    at.do("dan", c.EndShoe("the table closes"))
    listed = floor(at).off_count
    assert listed is not None
    assert (listed[Card("9c")], listed[Card("9d")]) == (7, 8)
    assert sum(listed.values()) == 8 * 52 - 4
    at.do("dan", c.CheckCardsAtEnd())
    assert floor(at).off_count is None


@BOTH
@clause(*tas("4.3"))
def test_cards_found_short_after_play_are_not_shuffled_again_unchecked(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 50", NATURAL)
    at.do("dan", c.EndShoe("a card was on the floor"))
    at.do("dan", c.CheckCardsAtEnd(missing=(Card("9c"),)))
    at.refuse("dan", c.Shuffle(), Reason.CARDS_NOT_CHECKED, twin(doc, "4.2"))


@BOTH
@clause(*tas("4.4", "6.4"))
def test_cards_a_player_touched_do_not_come_back(doc: str) -> None:
    at = ready(doc)
    touched = one(events.CardsTouched, at.do("dan", c.Touched("bob")))
    assert touched.person == "bob"
    assert touched.clauses == (twin(doc, "4.4"), twin(doc, "6.4"))
    assert floor(at).handled
    at.coup("1 p 50", NATURAL)
    ended = one(events.ShoeEnded, at.do("dan", c.EndShoe("early")))
    assert ended.set_retired
    assert twin(doc, "4.4") in ended.clauses
    at.refuse("dan", c.Shuffle(), Reason.CARDS_NOT_CHECKED)
    at.do("dan", c.CheckCardsAtEnd())
    same = c.CheckCards("set A", player="ann")
    at.refuse("dan", same, Reason.SET_RETIRED, twin(doc, "4.4"))
    at.do("dan", c.CheckCards("set B", player="ann"))
    assert not floor(at).handled
    at.do("dan", c.Shuffle())


@BOTH
@clause(*tas("4.4"))
def test_closing_the_table_retires_handled_cards_too(doc: str) -> None:
    at = ready(doc)
    at.do("dan", c.Touched("bob"))
    ended = one(events.ShoeEnded, at.do("ines", c.CloseTable()))
    assert ended.set_retired
    assert at.table.pack.retired == {"set A"}


@BOTH
@clause(*tas("4.4"))
def test_cards_nobody_handled_are_shuffled_again(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 50", NATURAL)
    assert not one(events.ShoeEnded, at.do("dan", c.EndShoe("early"))).set_retired
    at.do("dan", c.Shuffle())


@BOTH
@clause(*tas("4.5"))
def test_the_shoe_is_on_record_and_every_card_is_drawn_from_it(doc: str) -> None:
    at = ready(doc)
    loaded = one(events.ShoeLoaded, at.log)
    assert (loaded.shoe, loaded.cards) == ("shoe 1", 416)
    assert twin(doc, "4.5") in loaded.clauses
    assert len(of(events.CardDrawn, at.coup("1 p 50", NATURAL))) == 4
    assert at.table.shoe is not None
    assert at.table.shoe.left == 412


# 5 the shuffle and cut


@BOTH
@clause(*tas("5.1"))
def test_players_at_the_table_have_one_of_them_check_the_cards(doc: str) -> None:
    at = At(doc).open().staffed().seat("ann")
    checked = twin(doc, "5.1")
    at.refuse("dan", c.CheckCards("set A"), Reason.PLAYERS_CHECK_MISSING, checked)
    stranger = c.CheckCards("set A", player="zoe")
    at.refuse("dan", stranger, Reason.NOT_AT_TABLE, checked)
    at.do("dan", c.CheckCards("set A", player="ann"))
    shuffled = one(events.CardsShuffled, at.do("dan", c.Shuffle()))
    assert (shuffled.shuffled_by, shuffled.machine) == ("dan", "")
    assert shuffled.clauses == (checked,)


@clause("tas-2018:5.1")
def test_pre_checked_cards_need_no_player_in_2018() -> None:
    at = At("tas-2018").open().staffed().seat("ann")
    checked = one(events.CardsChecked, at.do("dan", c.CheckCards("set A", prechecked_lot="L7")))
    assert (checked.lot, checked.player) == ("L7", "")
    assert at.table.pack.life is Life.CHECKED


@clause("tas-2013:5.1")
def test_the_2013_edition_knows_no_pre_checked_cards() -> None:
    at = At("tas-2013").open().staffed().seat("ann")
    for player in ("", "ann"):
        ask = c.CheckCards("set A", prechecked_lot="L7", player=player)
        at.refuse("dan", ask, Reason.PRECHECKED_NOT_PROVIDED, "tas-2013:5.1")


@clause("tas-2018:5.2")
def test_only_an_approved_machine_shuffles_in_2018() -> None:
    at = At("tas-2018").open().staffed().seat("ann")
    at.do("dan", c.CheckCards("set A", player="ann"))
    at.refuse("dan", c.Shuffle("SM-9"), Reason.MACHINE_NOT_APPROVED, "tas-2018:5.2")
    shuffled = one(events.CardsShuffled, at.do("dan", c.Shuffle("SM-2")))
    assert (shuffled.machine, shuffled.approval) == ("SM-2", "approved 12/18")
    assert shuffled.clauses == ("tas-2018:5.2",)


@clause("tas-2013:5.1")
def test_no_machine_shuffles_in_2013() -> None:
    at = At("tas-2013").open().staffed().seat("ann")
    at.do("dan", c.CheckCards("set A", player="ann"))
    at.refuse("dan", c.Shuffle("SM-2"), Reason.MACHINE_NOT_PROVIDED, "tas-2013:5.1")


def shuffled_table(doc: str) -> At:
    """Bob sat down first, at 2; then ann at 5 and cy at 8. The cards are shuffled."""
    at = At(doc).open().staffed()
    for person, seat in (("bob", 2), ("ann", 5), ("cy", 8)):
        at.do(person, c.Sit(seat))
    at.do("dan", c.CheckCards("set A", player="ann"))
    at.do("dan", c.Shuffle())
    return at


@BOTH
@clause(*tas("5.3"))
def test_the_cut_is_offered_to_the_first_to_sit_and_then_from_the_highest_seat(doc: str) -> None:
    at = shuffled_table(doc)
    cut = twin(doc, "5.3")
    assert floor(at).cut_offers == (2, 8, 5)
    due = step(at)
    assert (due.step, due.clause, due.facts) == (Step.OFFER_CUT, cut, {"seat": 2})
    at.refuse("cy", c.CutCards(100, 8), Reason.CUT_NOT_OFFERED, cut)
    at.refuse("ines", c.CutCards(100), Reason.CUT_IS_THE_PLAYERS, cut)
    at.refuse("cy", c.RefuseCut(2), Reason.NOT_YOURSELF, cut)
    refused = one(events.CutRefused, at.do("bob", c.RefuseCut(2)))
    assert (refused.seat, refused.person, refused.clauses) == (2, "bob", (cut,))
    cards_cut = one(events.CardsCut, at.do("cy", c.CutCards(100, 8)))
    assert (cards_cut.seat, cards_cut.person, cards_cut.depth) == (8, "cy", 100)
    assert cards_cut.clauses == (cut,)


@BOTH
@clause(*tas("5.3"))
def test_when_every_player_declines_only_the_inspector_cuts(doc: str) -> None:
    at = shuffled_table(doc)
    for seat in (2, 8, 5):
        at.do("dan", c.RefuseCut(seat))
    at.refuse("dan", c.CutCards(100), Reason.NOT_YOUR_ROLE, twin(doc, "5.3"))
    cards_cut = one(events.CardsCut, at.do("ines", c.CutCards(100)))
    assert (cards_cut.seat, cards_cut.person) == (None, "ines")


@BOTH
@clause(*tas("5.3"))
@pytest.mark.parametrize("depth", [9, 407])
def test_nobody_cuts_within_ten_cards_of_an_end(doc: str, depth: int) -> None:
    at = shuffled_table(doc)
    at.refuse("bob", c.CutCards(depth, 2), Reason.CUT_TOO_SHALLOW, twin(doc, "5.3"))
    at.do("bob", c.CutCards(10 if depth == 9 else 406, 2))


@BOTH
@clause(*tas("5.4"))
def test_the_marker_lies_in_front_of_seven_cards(doc: str) -> None:
    at = shuffled_table(doc)
    at.do("bob", c.CutCards(100, 2))
    at.refuse("dan", c.LoadShoe(8), Reason.MARKER_FIXED, twin(doc, "5.4"))
    loaded = one(events.ShoeLoaded, at.do("dan", c.LoadShoe()))
    assert loaded.behind == 7
    assert twin(doc, "5.4") in loaded.clauses


@BOTH
@clause(*tas("5.5"))
def test_the_next_cut_is_first_offered_on_the_last_cutters_left(doc: str) -> None:
    at = shuffled_table(doc)
    at.do("bob", c.RefuseCut(2))
    at.do("cy", c.CutCards(100, 8))
    at.do("dan", c.LoadShoe())
    at.do("dan", c.EndShoe("a test"))
    later = twin(doc, "5.5")
    assert later in one(events.CardsShuffled, at.do("dan", c.Shuffle())).clauses
    assert floor(at).cut_offers == (5, 2, 8)
    at.refuse("bob", c.CutCards(100, 2), Reason.CUT_NOT_OFFERED, later)
    assert later in one(events.CardsCut, at.do("ann", c.CutCards(100, 5))).clauses
    assert at.table.phase is Phase.PREPARING


def test_the_sample_notices_differ_only_in_pairs() -> None:
    """What the tests above take from both editions at once."""
    new, old = sample_notice("tas-2018"), sample_notice("tas-2013")
    assert replace(new, ruleset="tas-2013", pairs="", pairs_limits=None) == old
