"""Cards, points, pairs and the burn."""

from itertools import product

import pytest

from puntobanco.errors import MalformedError
from puntobanco.rules.cards import (
    CARDS,
    DECK,
    RANKS,
    SUITS,
    Card,
    Pair,
    burn_value,
    pair,
    parse_card,
    parse_cards,
    points,
)
from tests.kit.clauses import clause, tas

VALUES = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))


@clause("act-2015:d.suit")
def test_a_deck_is_52_cards_of_four_suits_without_jokers() -> None:
    assert len(set(DECK)) == 52
    assert {card.suit for card in DECK} == set(SUITS)
    assert all(str(card) == card.rank + card.suit for card in DECK)


@clause(
    *tas("8"),
    "act-2015:2.4",
    "act-2015:2.4(a)",
    "act-2015:2.4(b)",
    "act-2015:2.4(c)",
    "mbs-2017:3.3",
    "mbs-2017:3.3.1",
    "mbs-2017:3.3.2",
)
@pytest.mark.parametrize("card", DECK)
def test_points_of_each_card(card: Card) -> None:
    assert card.points == VALUES[card.rank]


@clause(*tas("8"), "act-2015:2.6")
def test_court_cards_counting_ten_or_zero_give_the_same_point() -> None:
    """Tasmania counts courts and tens as ten and drops the tens; the others count zero."""
    ten = {rank: value or 10 for rank, value in VALUES.items()}
    for hand in product(RANKS, repeat=3):
        cards = [Card(f"{rank}s") for rank in hand]
        assert points(cards) == sum(ten[rank] for rank in hand) % 10


@clause("mbs-2017:3.4", "mbs-2017:3.4.1", "mbs-2017:3.4.2", "mbs-2017:1.1.5-point-total")
@pytest.mark.parametrize(
    ("hand", "point"), [("4c 5d", 9), ("Kc Qd", 0), ("5c 5d", 0), ("9c 9d 9h", 7)]
)
def test_only_the_right_hand_digit_counts(hand: str, point: int) -> None:
    assert points(parse_cards(hand)) == point


@clause("act-2015:5.6")
@pytest.mark.parametrize("card", DECK)
def test_burning_counts_tens_and_courts_as_ten(card: Card) -> None:
    assert burn_value(card) == (VALUES[card.rank] or 10)


@clause(
    "tas-2018:15.1(a)",
    "tas-2018:15.1(b)",
    "tas-2018:15.1(c)",
    "act-2015:10.1",
    "act-2015:10.2",
    "act-2015:10.3(a)",
    "act-2015:10.3(b)",
    "act-2015:10.4",
    "act-2015:d.suited",
    "act-2015:11.1",
    "act-2015:9.5(a)",
    "act-2015:9.5(b)",
    "mbs-2017:1.1.4-player-banker-pair",
)
def test_every_two_cards_are_no_pair_mixed_coloured_or_perfect() -> None:
    red = set("dh")
    for first, second in product(DECK, repeat=2):
        kind = pair(first, second)
        if first.rank != second.rank:
            assert kind is None  # a ten and a jack have the same points and are no pair
        elif first.suit == second.suit:
            assert kind is Pair.PERFECT
        elif (first.suit in red) == (second.suit in red):
            assert kind is Pair.COLOURED
        else:
            assert kind is Pair.MIXED


@pytest.mark.parametrize("text", ["1c", "9", "", "9cc", "9x", "10c", "Ａc", "kd", "9C"])
def test_what_is_not_a_card_says_what_a_card_is(text: str) -> None:
    with pytest.raises(MalformedError, match=r"not a card: .*rank A23456789TJQK, then suit cdhs"):
        parse_card(text)


def test_each_card_reads_back_as_itself() -> None:
    assert [parse_card(str(card)) for card in DECK] == list(DECK)
    assert len(CARDS) == 52
