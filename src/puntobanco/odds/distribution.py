"""How every coup ends, counted exactly by going through all of them.

Counts are over ordered six-card sequences, so that coups of four, five and six cards can be added
up: a coup that ends early is counted once for every way the cards after it could have come.
Python's integers never overflow, so this is exact for any composition; it is the cross-check of
the fast kernel, and the only source for what the kernel does not count.
"""

from collections import Counter
from collections.abc import Iterator
from math import perm
from typing import Literal, NamedTuple

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.odds.composition import Composition
from puntobanco.rules.drawing import Tableau

STOOD = 10
"""The column of the drawing table for a Player who stood."""


Hands = tuple[int, int, int, int]
"""The points of Player and Banker, and the cards of each: an End in the making."""


class End(NamedTuple):
    """How a coup can end."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int

    @property
    def result(self) -> str:
        if self.player == self.banker:
            return "tie"
        return "player" if self.player > self.banker else "banker"

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards


class Distribution(Brief, frozen=True):
    """Of all six-card sequences, how many end each way."""

    total: int
    ends: dict[End, int]
    naturals: frozenset[int]

    def __repr__(self) -> str:
        return f"Distribution({len(self.ends)} ends, {self.total:,} sequences)"

    def where(self, *, result: str) -> int:
        return sum(count for end, count in self.ends.items() if end.result == result)

    @property
    def banker_on_6(self) -> int:
        return sum(n for end, n in self.ends.items() if end.result == "banker" and end.banker == 6)

    def is_natural(self, end: End) -> bool:
        return end.cards == 4 and bool({end.player, end.banker} & self.naturals)

    @property
    def natural_either(self) -> int:
        return sum(count for end, count in self.ends.items() if self.is_natural(end))

    def by_cards(self) -> dict[int, int]:
        counts = Counter[int]()
        for end, count in self.ends.items():
            counts[end.cards] += count
        return dict(sorted(counts.items()))

    def by_total(self, result: str) -> list[int]:
        """For one result, by the point of the winning hand, or of both."""
        counts = [0] * 10
        for end, count in self.ends.items():
            if end.result == result:
                counts[max(end.player, end.banker)] += count
        return counts


def distribution(composition: Composition, tableau: Tableau) -> Distribution:
    """Count how every coup from a composition ends.

    >>> from puntobanco.odds.composition import full
    >>> from puntobanco.rules.documents.texts import load_ruleset
    >>> distribution(full(8), load_ruleset("tas-2018").tableau).where(result="tie")
    475627426473216
    """
    left = composition.cards
    if left < 6:
        raise MalformedError(
            f"{left} cards are left; a coup can take six, so odds need six or more"
        )
    return _counted(_initial_deals(list(composition.by_value)), tableau, left, 6)


def distribution_given(
    composition: Composition, tableau: Tableau, side: Literal["player", "banker"], value: int
) -> Distribution:
    """Count how every coup ends in which the first two cards of a hand both have this value."""
    counts = list(composition.by_value)
    counts[value] -= 2
    if counts[value] < 0 or composition.cards < 6:
        raise MalformedError(f"there are not two cards of value {value} in six or more")
    known = 2 * value % 10
    deals = (
        (counts, *((known, other) if side == "player" else (other, known)), ways)
        for counts, other, ways in _hands(counts)
    )
    return _counted(deals, tableau, composition.cards, 4)


def _hands(counts: list[int]) -> Iterator[tuple[list[int], int, int]]:
    """Every hand of two cards: what it leaves, its points, the orders it comes in."""
    for first, second, ways in _twos(counts):
        counts[first] -= 1
        counts[second] -= 1
        yield counts, (first + second) % 10, ways
        counts[first] += 1
        counts[second] += 1


def _counted(
    deals: Iterator[tuple[list[int], int, int, int]], tableau: Tableau, left: int, unknown: int
) -> Distribution:
    """Play two hands of two cards to their ends; of six cards so many are not known."""
    ends: dict[Hands, int] = {}
    for counts, player, banker, ways in deals:
        for hands, more in _draws(counts, player, banker, tableau):
            ends[hands] = ends.get(hands, 0) + ways * more
    found: dict[End, int] = {}
    for end, count in sorted((End(*hands), count) for hands, count in ends.items() if count):
        found[end] = count * perm(left - end.cards, 6 - end.cards)  # the cards that may follow
    return Distribution(perm(left - 6 + unknown, unknown), found, tableau.naturals)


def _draws(
    counts: list[int], player: int, banker: int, tableau: Tableau
) -> Iterator[tuple[Hands, int]]:
    """How two hands of two cards can end, and in how many ways their third cards come."""
    natural = player in tableau.naturals or banker in tableau.naturals
    row = tableau.banker_draws[banker] if not natural else ()
    if natural or (player not in tableau.player_draws and not row[STOOD]):
        yield (player, banker, 2, 2), 1
    elif player not in tableau.player_draws:
        for third in range(10):
            yield (player, (banker + third) % 10, 2, 3), counts[third]
    else:
        for third in range(10):
            drawn, ways = (player + third) % 10, counts[third]
            if not ways:
                continue
            if not row[third]:
                yield (drawn, banker, 3, 2), ways
                continue
            for last in range(10):
                more = counts[last] - (last == third)
                yield (drawn, (banker + last) % 10, 3, 3), ways * more


def _initial_deals(counts: list[int]) -> Iterator[tuple[list[int], int, int, int]]:
    """Every two hands of two cards: what they leave, their points, the orders they come in."""
    for left, player, ways in _hands(counts):
        for after, banker, more in _hands(left):
            yield after, player, banker, ways * more


def _twos(counts: list[int]) -> Iterator[tuple[int, int, int]]:
    """Two values out of the counts, the lower first, and how many ordered ways there are."""
    for low in range(10):
        if counts[low] > 1:
            yield low, low, counts[low] * (counts[low] - 1)
        for high in range(low + 1, 10):
            if counts[low] and counts[high]:
                yield low, high, 2 * counts[low] * counts[high]
