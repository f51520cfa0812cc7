"""The shoe: completeness, shuffle, cut, marker, burn, last coup, handled cards."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import DECK, Card
from puntobanco.rules.coup import Result
from puntobanco.rules.shoe import (
    Last,
    Shoe,
    check_copies,
    check_cut,
    check_set,
    check_start,
    cut,
    cut_offers,
    draw,
    full_set,
    indicator_depth,
    last_coup,
    marker_out,
    new_shoe,
    replaced_after,
    shoe_after_coup,
    shuffled,
    tally,
    to_burn,
)
from tests.kit.clauses import clause, tas, twin
from tests.kit.terms import terms_of

TASMANIA = ("tas-2018", "tas-2013")
ALL = (*TASMANIA, "act-2015", "mbs-2017")


# The set of cards
@clause(*tas("4.2"), "act-2015:2.5")
@pytest.mark.parametrize("document", ALL)
def test_a_complete_set_passes_and_an_incomplete_one_is_named(document: str) -> None:
    terms = terms_of(document)
    cards = list(full_set(terms.notice.decks))
    check_set(cards, terms)
    cards[0] = Card("9h")  # an ace of clubs gone, a nine of hearts too many
    with pytest.raises(Refused) as refused:
        check_set(cards, terms)
    assert refused.value.reason is Reason.SHOE_INCOMPLETE
    assert refused.value.facts["missing"] == "1×Ac"
    assert refused.value.facts["surplus"] == "1×9h"
    assert refused.value.clause == terms.rules.cards.check


@clause(*tas("4.3"))
def test_what_the_closing_check_must_still_find() -> None:
    terms = terms_of("tas-2018")
    left, surplus = tally([Card("9h"), Card("9h"), Card("Kd")], terms)
    assert left.total() == 416 - 3
    assert (left[Card("9h")], left[Card("Kd")], left[Card("As")]) == (6, 7, 8)
    assert not surplus
    assert tally([Card("9h")] * 9, terms)[1] == {Card("9h"): 1}


@clause(*tas("4.1"), "act-2015:2.1", "mbs-2017:2.1")
@pytest.mark.parametrize("document", ALL)
def test_more_copies_than_decks_cannot_be(document: str) -> None:
    terms = terms_of(document)
    check_copies([Card("9h")] * 8, terms)
    with pytest.raises(Refused) as refused:
        check_copies([Card("9h")] * 9, terms)
    assert refused.value.reason is Reason.TOO_MANY_COPIES


# The shuffle
def _given(draws: Iterator[int], bound: int) -> int:
    drawn = next(draws)
    assert drawn < bound
    return drawn


def test_every_order_comes_from_exactly_one_row_of_draws() -> None:
    """Five cards: the 5! rows of bounded draws give the 5! orders, each once. No bias."""
    cards = DECK[:5]
    orders: Counter[tuple[Card, ...]] = Counter()
    for row in product(*(range(n) for n in (5, 4, 3, 2))):
        orders[shuffled(cards, partial(_given, iter(row)))] += 1
    assert orders == Counter(permutations(cards))


@given(st.randoms(use_true_random=False))
def test_a_shuffle_keeps_the_set_and_asks_for_each_bound_once(random: Random) -> None:
    asked: list[int] = []

    def below(bound: int) -> int:
        asked.append(bound)
        return random.randrange(bound)

    cards = full_set(8)
    assert Counter(shuffled(cards, below)) == Counter(cards)
    assert asked == list(range(416, 1, -1))


# The cut
CUTS = [
    ("tas-2018", "5.3", 10, 406),
    ("tas-2013", "5.2", 10, 406),
    ("act-2015", "5.3", 52, 364),
]


@pytest.mark.parametrize(
    ("document", "number", "least", "most"),
    [pytest.param(*row, marks=clause(f"{row[0]}:{row[1]}"), id=row[0]) for row in CUTS],
)
def test_the_cut_keeps_its_distance_from_either_end(
    document: str, number: str, least: int, most: int
) -> None:
    terms = terms_of(document)
    for depth in range(417):
        if least <= depth <= most:
            check_cut(depth, terms)
        else:
            with pytest.raises(Refused) as refused:
                check_cut(depth, terms)
            assert refused.value.clause == f"{document}:{number}"


@clause("act-2015:5.3")
def test_what_lay_in_front_of_the_cut_goes_to_the_back() -> None:
    cards = full_set(8)
    after = cut(cards, 60, terms_of("act-2015"))
    assert after[:356] == cards[60:]
    assert after[356:] == cards[:60]


@clause(*tas("5.3"))
@pytest.mark.parametrize("document", TASMANIA)
def test_the_cut_goes_to_the_first_seated_then_clockwise_from_the_highest_seat(
    document: str,
) -> None:
    terms = terms_of(document)  # nine seats, numbered anticlockwise
    assert cut_offers([4, 9, 1, 6], terms) == (4, 9, 6, 1)
    assert cut_offers([], terms) == ()  # nobody seated: the Inspector cuts
    assert terms.rules.shoe.cut.by_staff == "inspector"


@clause(*tas("5.5"))
@pytest.mark.parametrize("document", TASMANIA)
def test_later_the_cut_goes_first_to_the_left_of_the_last_cutter(document: str) -> None:
    terms = terms_of(document)
    assert cut_offers([4, 9, 1, 6], terms, last_cutter=6) == (4, 1, 9, 6)
    assert cut_offers([4, 9, 1, 6], terms, last_cutter=1) == (9, 6, 4, 1)
    assert cut_offers([4, 6], terms, last_cutter=5) == (4, 6)  # that seat is empty now
    assert terms.rules.shoe.cut.later_clause == twin(document, "5.5")


@clause(*tas("5.5"))
def test_a_table_numbered_the_other_way_round() -> None:
    terms = terms_of("tas-2018", numbering="clockwise")
    assert cut_offers([4, 9, 1, 6], terms, last_cutter=4) == (6, 9, 1, 4)


@clause("act-2015:5.2")
def test_canberra_offers_the_cut_to_any_player_then_the_supervisor() -> None:
    terms = terms_of("act-2015")
    assert set(cut_offers([3, 7, 1], terms)) == {1, 3, 7}
    assert cut_offers([3, 7, 1], terms, last_cutter=7) == cut_offers([3, 7, 1], terms)
    assert terms.rules.shoe.cut.by_staff == "casino supervisor"


# The burn
@clause("act-2015:5.4(a)")
def test_burning_unseen_takes_one_card() -> None:
    assert to_burn(None, terms_of("act-2015", burn="unseen")) == 1


@clause("act-2015:5.4(b)", "act-2015:5.5", "act-2015:5.6")
@pytest.mark.parametrize(("card", "burned"), [("As", 2), ("7d", 8), ("Th", 11), ("Kc", 11)])
def test_an_exposed_card_burns_as_many_more_as_its_value(card: str, burned: int) -> None:
    assert to_burn(Card(card), terms_of("act-2015")) == burned


@pytest.mark.parametrize("document", [*TASMANIA, "mbs-2017"])
def test_the_others_burn_nothing(document: str) -> None:
    assert to_burn(Card("7d"), terms_of(document)) == 0


# The marker and the last coup
@clause(*tas("5.4"))
@pytest.mark.parametrize("document", TASMANIA)
def test_seven_cards_lie_behind_tasmanias_marker(document: str) -> None:
    terms = terms_of(document)
    assert terms.behind_marker == 7
    assert new_shoe(terms).before_marker == 416 - 7


def shoe_with(document: str, before_marker: int) -> Shoe:
    """A shoe so many cards short of its marker."""
    shoe = new_shoe(terms_of(document))
    assert shoe.before_marker is not None
    return draw(shoe, shoe.before_marker - before_marker)


@clause(*tas("9.4"))
@pytest.mark.parametrize("document", TASMANIA)
@pytest.mark.parametrize("before", range(12))
@pytest.mark.parametrize("cards", [4, 5, 6])
def test_no_deal_starts_once_a_card_has_followed_the_marker(
    document: str, before: int, cards: int
) -> None:
    terms = terms_of(document)
    shoe = shoe_after_coup(draw(shoe_with(document, before), cards), Result.PLAYER, terms)
    if cards > before:  # the marker came out and at least one card after it
        with pytest.raises(Refused) as refused:
            check_start(shoe, terms)
        assert refused.value.reason is Reason.SHOE_ENDED
        assert refused.value.clause == f"{document}:9.4"
    else:
        check_start(shoe, terms)


@clause(*tas("9.4"))
def test_a_marker_that_shows_before_any_card_of_a_coup_still_allows_it() -> None:
    terms = terms_of("tas-2018")
    shoe = shoe_after_coup(marker_out(shoe_with("tas-2018", 0)), Result.TIE, terms)
    check_start(shoe, terms)
    assert shoe.left == 7
    assert last_coup(shoe, terms) is Last.YES


@clause(*tas("9.4"))
def test_the_last_hand_is_announced_when_the_next_is_certain_to_be_barred() -> None:
    terms = terms_of("tas-2018")
    for before in range(12):
        said = last_coup(shoe_with("tas-2018", before), terms)
        assert said is (Last.YES if before < 4 else Last.NO)  # a coup takes four cards or more


@clause(*tas("9.4"))
def test_fewer_than_six_cards_start_no_coup() -> None:
    terms = terms_of("tas-2018")
    with pytest.raises(Refused) as refused:
        check_start(Shoe(416, drawn=411), terms)
    assert refused.value.reason is Reason.TOO_FEW_CARDS


ACT = terms_of("act-2015")


@clause("act-2015:5.7")
@pytest.mark.parametrize("result", [Result.PLAYER, Result.BANKER])
def test_canberra_shuffles_after_the_round_of_the_cutting_card(result: Result) -> None:
    shoe = draw(shoe_with("act-2015", 3), 5)
    assert last_coup(shoe_with("act-2015", 3), ACT) is Last.UNLESS_TIE
    with pytest.raises(Refused) as refused:
        check_start(shoe_after_coup(shoe, result, ACT), ACT)
    assert refused.value.clause == "act-2015:5.7"


@clause("act-2015:5.7")
@pytest.mark.parametrize("second", list(Result))
def test_canberra_deals_one_more_round_after_a_tie_and_only_one(second: Result) -> None:
    shoe = shoe_after_coup(draw(shoe_with("act-2015", 3), 5), Result.TIE, ACT)
    check_start(shoe, ACT)
    assert last_coup(shoe, ACT) is Last.YES
    with pytest.raises(Refused):
        check_start(shoe_after_coup(draw(shoe, 6), second, ACT), ACT)


@clause("act-2015:5.7")
def test_the_cutting_card_as_first_card_of_a_round_makes_that_round_the_last() -> None:
    shoe = marker_out(shoe_with("act-2015", 0))
    check_start(shoe, ACT)
    assert last_coup(shoe, ACT) is Last.UNLESS_TIE
    assert shoe_after_coup(draw(shoe, 4), Result.BANKER, ACT).ended


@clause("act-2015:5.7")
def test_a_round_that_stops_short_of_the_cutting_card_is_not_the_last() -> None:
    shoe = shoe_after_coup(draw(shoe_with("act-2015", 4), 4), Result.PLAYER, ACT)
    assert not shoe.ended


def test_a_marker_of_the_operators_own_ends_singapores_shoe_sooner() -> None:
    terms = terms_of("mbs-2017", behind_marker=50)
    assert not shoe_after_coup(Shoe(416, 50, drawn=366), Result.PLAYER, terms).ended
    assert shoe_after_coup(Shoe(416, 50, drawn=367), Result.PLAYER, terms).ended


@clause("act-2015:5.7")
def test_a_carried_card_counts_towards_a_round_that_must_be_dealt() -> None:
    shoe = Shoe(416, 12, drawn=411, since_marker=7, extra_round=True)
    check_start(shoe, ACT, carried=1)
    with pytest.raises(Refused):
        check_start(shoe, ACT)


def test_the_last_coup_where_only_the_cards_left_decide() -> None:
    terms = terms_of("mbs-2017")
    assert last_coup(Shoe(416, drawn=416 - 10), terms) is Last.NO  # four cards leave six
    assert last_coup(Shoe(416, drawn=416 - 9), terms) is Last.YES


def test_a_marker_shown_twice_does_not_start_counting_again() -> None:
    shoe = draw(marker_out(new_shoe(terms_of("tas-2018"))), 3)
    assert marker_out(shoe).since_marker == 3


def test_singapore_deals_while_six_cards_are_left() -> None:
    terms = terms_of("mbs-2017")
    assert not shoe_after_coup(Shoe(416, drawn=410), Result.PLAYER, terms).ended
    assert shoe_after_coup(Shoe(416, drawn=411), Result.PLAYER, terms).ended == "conditions"


def test_a_marker_seen_early_or_late_is_believed() -> None:
    """A physical shoe: the dealer says when the marker shows, wherever it was thought to lie."""
    terms = terms_of("tas-2018")
    shoe = draw(marker_out(draw(new_shoe(terms), 100)), 1)
    assert shoe.since_marker == 1
    assert shoe_after_coup(shoe, Result.TIE, terms).ended == "tas-2018:9.4"


# Indicator and handled cards
@clause(*tas("16.5.1"))
@pytest.mark.parametrize("document", TASMANIA)
def test_the_indicator_card_lies_two_decks_from_the_rear(document: str) -> None:
    assert indicator_depth(terms_of(document)) == 6 * 52


@pytest.mark.parametrize("document", ["act-2015", "mbs-2017"])
def test_the_others_know_no_indicator_card(document: str) -> None:
    with pytest.raises(Refused):
        indicator_depth(terms_of(document))


@clause(*tas("4.4"))
@pytest.mark.parametrize("document", TASMANIA)
def test_handled_cards_retire_the_whole_set(document: str) -> None:
    terms = terms_of(document)
    assert replaced_after(handled=True, terms=terms) == f"{document}:4.4"
    assert replaced_after(handled=False, terms=terms) is None
    assert replaced_after(handled=True, terms=ACT) is None
