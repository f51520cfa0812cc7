"""Cards, their points, and pairs.

A card is the two characters `9c` everywhere: events, API, command line and notation.
"""

from collections.abc import Iterable
from enum import StrEnum

from puntobanco.errors import MalformedError

RANKS = "A23456789TJQK"
SUITS = "cdhs"
ALLOWED = f"rank {RANKS}, then suit {SUITS}"


class Card(StrEnum):
    """One card: rank, then suit. A card in hand compares and encodes as its two characters.

    >>> import puntobanco as pb
    >>> pb.Card("9c").points, pb.Card("Kd").points, pb.Card("Kd").red
    (9, 0, True)
    """

    _ignore_ = "card name rank_of suit_of"
    card = vars()
    for rank_of in RANKS:
        for suit_of in SUITS:
            name = rank_of + suit_of
            card[name] = name

    def __init__(self, text: str) -> None:
        self.rank = text[0]
        self.suit = text[1]
        self.red = text[1] in "dh"
        # Court cards "count ten" and the hand drops its tens [tas-2018:8], or they count zero
        # [act-2015:2.4(b), mbs-2017:3.3.2]: the point is the same.
        self.points = min(RANKS.index(text[0]) + 1, 10) % 10


CARDS: dict[str, Card] = {str(card.value): card for card in Card}
DECK: tuple[Card, ...] = tuple(Card)


def parse_card(text: str) -> Card:
    """Read one card.

    >>> parse_card("9c").points
    9
    >>> parse_card("1c")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a card: '1c' (rank A23456789TJQK, then suit cdhs)
    """
    card = CARDS.get(text)
    if card is None:
        raise MalformedError(f"not a card: {text[:20]!r} ({ALLOWED})")
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks.

    >>> import puntobanco as pb
    >>> pb.parse_cards("9c Kd")
    (<Card.9c: '9c'>, <Card.Kd: 'Kd'>)
    """
    return tuple(parse_card(word) for word in text.split())


def points(cards: Iterable[Card]) -> int:
    """The point of a hand: its total less the tens [tas-2018:8, act-2015:2.6, mbs-2017:3.4].

    >>> points(parse_cards("7h 6s 5d"))  # 18 counts as 8
    8
    """
    return sum(card.points for card in cards) % 10


def burn_value(card: Card) -> int:
    """How many cards an exposed first card burns; ten to king burn ten [act-2015:5.5, 5.6].

    >>> burn_value(Card("Ks")), burn_value(Card("As"))
    (10, 1)
    """
    return card.points or 10


class Pair(StrEnum):
    """What kind of pair two cards make [tas-2018:15.1, act-2015:10.2-10.4]."""

    MIXED = "mixed"
    COLOURED = "coloured"
    PERFECT = "perfect"


def pair(first: Card, second: Card) -> Pair | None:
    """Class a pair, by rank and not by points: a ten and a jack are no pair [act-2015:9.5].

    >>> pair(Card("9c"), Card("9s")), pair(Card("Tc"), Card("Jc"))
    (<Pair.COLOURED: 'coloured'>, None)
    """
    if first.rank != second.rank:
        return None
    if first.suit == second.suit:
        return Pair.PERFECT
    return Pair.COLOURED if first.red == second.red else Pair.MIXED
