"""What is left in a shoe, by card or by point value alone."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError

RANKS = "A23456789TJQK"
SUITS = "cdhs"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
VALUE = {card: min(RANKS.index(card[0]) + 1, 10) % 10 for card in CARDS}
MOST_CARDS = 1400
"""Cards at most: far beyond any shoe, and their six-card sequences still fit 64 bits."""
IMPOSSIBLE = f"a composition needs ten counts of 0 or more, 6 to {MOST_CARDS} cards in all"


class Composition(Brief, frozen=True):
    """Cards left. By value always; by card where suits and ranks are known."""

    by_value: tuple[int, ...]
    """How many cards of point value 0 to 9."""
    by_card: tuple[int, ...] | None = None
    """How many of each of CARDS; None when only the values are known."""

    def __repr__(self) -> str:
        return f"Composition({self.cards} cards, by value {' '.join(map(str, self.by_value))})"

    @property
    def cards(self) -> int:
        return sum(self.by_value)


def from_cards(counts: Sequence[int]) -> Composition:
    by_value = [0] * 10
    for card, count in zip(CARDS, counts, strict=True):
        by_value[VALUE[card]] += count
    return Composition(tuple(by_value), tuple(counts))


def full(decks: int) -> Composition:
    """A full shoe.

    >>> full(8).by_value
    (128, 32, 32, 32, 32, 32, 32, 32, 32, 32)
    """
    if not 1 <= decks <= MOST_CARDS // 52:
        raise MalformedError(f"{decks} decks cannot be: 1 to {MOST_CARDS // 52}")
    return from_cards([decks] * 52)


def without(composition: Composition, gone: Iterable[str]) -> Composition:
    """A composition less some cards.

    >>> without(full(1), ["9c", "Kd"]).cards
    50
    >>> without(full(1), ["9c", "9c"])
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: 2 of 9c are gone, but there was only 1
    """
    assert composition.by_card is not None, "cards can only leave a composition of cards"
    counts = dict(zip(CARDS, composition.by_card, strict=True))
    for card, times in Counter(gone).items():
        if counts[card] < times:
            raise MalformedError(
                f"{times} of {card} are gone, but there was only {counts[card]}"
                if counts[card] == 1
                else f"{times} of {card} are gone, but there were only {counts[card]}"
            )
        counts[card] -= times
    return from_cards(tuple(counts.values()))


def parse_values(text: str) -> Composition:
    """Read ten counts, of the values 0 to 9.

    >>> parse_values("128,32,32,32,32,32,32,32,32,32").cards
    416
    """
    parts = text.split(",")
    if len(parts) != 10 or not all(re.fullmatch(r"\s*[0-9]{1,9}\s*", part) for part in parts):
        raise MalformedError(
            f"not a composition: {text.strip()[:60]!r} (ten counts, of the values 0 to 9: "
            "'128,32,32,32,32,32,32,32,32,32')"
        )
    counts = tuple(int(part) for part in parts)
    if sum(counts) > MOST_CARDS:
        raise MalformedError(f"{sum(counts)} cards cannot be counted: {MOST_CARDS} at most")
    return Composition(counts)
