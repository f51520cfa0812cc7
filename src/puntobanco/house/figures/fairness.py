"""Whether chance alone is in the cards: what was counted of them, held against the exact odds.

The house's own shoes apart from others, and each of its orders as it was shuffled. All tests are
judged together, at 99 %: of houses in which nothing is amiss, one in a hundred has any that is
called unusual.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.figures.projection import FiguresRead, cells
from puntobanco.house.figures.significance import (
    chi_square_p,
    corrected,
    normal_p,
    share_between,
)
from puntobanco.house.figures.sums import Sums, Tallies, add
from puntobanco.house.figures.tallied import FIRST, RESULTS
from puntobanco.odds.composition import CARDS, RANKS, full
from puntobanco.odds.distribution import distribution
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.texts import by_digest

Source = Literal["order", "own", "other"]
"""The house's own orders as it shuffled them; coups from them; coups from other shoes."""
LEAST_COUPS, LEAST_SHOES = 520, 130
"""Fewer are shown but not judged: of each card or rank at its place ten must be expected."""
DOUBT = 0.01
SQUARE, FOURTH = 14, 350
"""The mean of the second and of the fourth power of a rank, counted from the middle one."""


class CountedShare(Struct, frozen=True):
    """How often something came, with the bounds within which its true share lies at 99 %."""

    what: str
    times: int
    of: int
    share: float
    low: float
    high: float
    expected: float
    """By the exact odds."""


class ChanceTest(Struct, frozen=True):
    """One test of chance."""

    name: str
    found: float
    """What was measured: standard deviations from what is expected, or chi-square."""
    freedom: int
    """Degrees of freedom of chi-square; 0: it is standard deviations."""
    p: float
    """How likely chance alone is as far off."""
    corrected: float = 1.0
    """The same among all tests that were judged."""

    @property
    def is_unusual(self) -> bool:
        return self.corrected < DOUBT


class FromSource(Struct, frozen=True):
    """All that is known of shoes of one kind."""

    source: Source
    count: int
    """Coups, or orders."""
    judged: bool
    """False: too few."""
    shares: tuple[CountedShare, ...]
    tests: tuple[ChanceTest, ...]
    places: dict[str, tuple[int, ...]] = {}
    """By place, how often each card lay there, in the order of `CARDS`; in an order, each rank."""


class Fairness(Struct, frozen=True):
    """What was found of all of them together."""

    first: str
    last: str
    table: str
    sources: tuple[FromSource, ...]
    tests: int
    """How many were judged together."""
    unusual: int


@lru_cache(maxsize=64)
def coup_odds(digest: str, decks: int) -> dict[str, Fraction] | None:
    """How likely each result and a pair are in a coup from a full shoe; None where nobody has the
    text of the rule set.
    """
    rules = by_digest(digest)
    if rules is None:
        return None
    ends = distribution(full(decks), rules.tableau)
    found = {str(one): Fraction(ends.where(result=one), ends.total) for one in RESULTS}
    return {**found, "pair": Fraction(4 * decks - 1, 52 * decks - 1)}


def fairness(reading: FiguresRead, first: str, last: str, table: str = "") -> Fairness:
    """Add up what was counted in a range of gaming days, and try it."""
    held: dict[str, list[Sums]] = {}
    for _, _, name, sums in cells(reading, "cards", first, last, table):
        held.setdefault(name, []).append(sums)
    groups = {name: add(many).tallies for name, many in held.items()}
    found = [_of_source(source, groups) for source in get_args(Source)]
    tried = [test for one in found if one.judged for test in one.tests]
    adjusted = iter(corrected([test.p for test in tried]))
    sources = tuple(
        replace(one, tests=tuple(replace(test, corrected=next(adjusted)) for test in one.tests))
        if one.judged
        else one
        for one in found
    )
    unusual = sum(test.is_unusual for one in sources for test in one.tests)
    return Fairness(first, last, table, sources, len(tried), unusual)


def _of_source(source: Source, groups: dict[str, Tallies]) -> FromSource:
    own = {
        name.partition(" ")[2]: tallies
        for name, tallies in groups.items()
        if name.partition(" ")[0] == source
    }
    return _of_orders(own) if source == "order" else _of_coups(source, own)


# coups


def _of_coups(source: Source, groups: dict[str, Tallies]) -> FromSource:
    """Coups that were played by any rules whose text is known, each against its own odds."""
    known = [
        (tallies, decks, odds)
        for name, tallies in groups.items()
        if (decks := int(name.split(" ")[1])) and (odds := coup_odds(name.split(" ")[0], decks))
    ]
    if not known:
        return FromSource(source, 0, judged=False, shares=(), tests=())
    count = sum(sum(tallies["results"]) for tallies, *_ in known)
    shares, tests = zip(*_shares(known), strict=True)
    tests = (*tests, _turns(known), _next(known), *_cards(known))
    places = {
        str(at): _rows(tallies[f"card {at}"] for tallies, *_ in known) for at in range(1, FIRST + 1)
    }
    done = tuple(test for test in tests if test is not None)
    return FromSource(source, count, count >= LEAST_COUPS, shares, done, places)


def _row(tallies: Tallies, name: str, width: int = 1) -> tuple[int, ...]:
    """A row of counts; one that has come to nothing is not kept."""
    return tallies.get(name) or (0,) * width


Known = list[tuple[Tallies, int, dict[str, Fraction]]]


def _shares(known: Known) -> Iterator[tuple[CountedShare, ChanceTest]]:
    """Results and pairs, each against its own odds in the rules that it was played by."""
    sought = [(str(result), "results", at, str(result)) for at, result in enumerate(RESULTS)]
    sought += [
        (name, "pairs", at, "pair") for at, name in enumerate(("player-pair", "banker-pair"))
    ]
    for name, row, at, chance in sought:
        times = of = 0
        wanted = variance = 0.0
        for tallies, _, odds in known:
            coups, p = sum(tallies["results"]), float(odds[chance])
            times, of = times + _row(tallies, row, 3)[at], of + coups
            wanted, variance = wanted + coups * p, variance + coups * p * (1 - p)
        z = (times - wanted) / sqrt(variance)
        low, high = share_between(times, of)
        yield (
            CountedShare(name, times, of, times / of, low, high, wanted / of),
            ChanceTest(name, z, 0, normal_p(z)),
        )


def _turns(known: Known) -> ChanceTest | None:
    """Runs of one winner: how often the winner is another than the last one."""
    off = variance = 0.0
    for tallies, _, odds in known:
        of, turned = _row(tallies, "turns", 2)
        p = float(odds[Result.PLAYER] / (odds[Result.PLAYER] + odds[Result.BANKER]))
        likely = 2 * p * (1 - p)
        off += turned - of * likely
        # two turns after one another share the coup between them
        variance += of * (likely * (1 - likely) + likely * (1 - 2 * likely))
    return _by_deviation("turns", off, variance)


def _next(known: Known) -> ChanceTest | None:
    """Serial correlation: each card of a coup with the next, by rank."""
    off = variance = 0.0
    for tallies, decks, _ in known:
        pairs, cards = (FIRST - 1) * sum(tallies["results"]), 52 * decks
        off += _row(tallies, "next")[0] + pairs * SQUARE / (cards - 1)
        variance += pairs * _mean_product(cards)
    return _by_deviation("next", off, variance)


def _mean_product(cards: int) -> float:
    """The mean of the squared product of the ranks of two cards of a set."""
    return (SQUARE**2 * cards - FOURTH) / (cards - 1)


def _cards(known: Known) -> Iterator[ChanceTest]:
    """Chi-square of the 52 cards at each of the first places. Coups of one shoe cannot have the
    same card too often, so that counts differ less than if each came from a full shoe.
    """
    for at in range(1, FIRST + 1):
        squares = freedom = 0.0
        for tallies, decks, _ in known:
            row, cards = tallies[f"card {at}"], 52 * decks
            (before,), of = _row(tallies, "before"), sum(row)
            apart = 1 - 2 * before / of / (cards - 1)
            squares += _chi_square(row) / apart
            freedom += len(CARDS) - 1
        yield ChanceTest(f"card-{at}", squares, int(freedom), chi_square_p(squares, int(freedom)))


# orders


def _of_orders(groups: dict[str, Tallies]) -> FromSource:
    """The orders that were opened, as the house shuffled them, before words and cut."""
    known = [(tallies, int(cards)) for cards, tallies in groups.items()]
    count = sum(tallies["shoes"][0] for tallies, _ in known)
    if not count:
        return FromSource("order", 0, judged=False, shares=(), tests=())
    tests = (*_places(known), _runs(known), _along(known), _again(known))
    places = {
        name.partition(" ")[2]: row
        for tallies, _ in known[:1]
        for name, row in tallies.items()
        if name.startswith("place ")
    }
    done = tuple(test for test in tests if test is not None)
    return FromSource("order", count, count >= LEAST_SHOES, (), done, places)


Orders = list[tuple[Tallies, int]]


def _places(known: Orders) -> Iterator[ChanceTest]:
    """Ranks by their place in the shoe: all places together, and the one that is farthest off."""
    total, of_all, each, worst, tries = 0.0, 0, len(RANKS) - 1, 0.0, 0
    for tallies, cards in known:
        squares = [_chi_square(tallies[f"place {at}"]) for at in range(1, cards + 1)]
        # of each rank there is one number in all, so that the last place follows from the others
        total += sum(squares) * (cards - 1) / cards
        of_all += (cards - 1) * each
        worst, tries = max(worst, *squares), tries + cards
    yield ChanceTest("places", total, of_all, chi_square_p(total, of_all))
    yield ChanceTest("worst-place", worst, each, min(1.0, tries * chi_square_p(worst, each)))


def _chi_square(row: tuple[int, ...]) -> float:
    wanted = sum(row) / len(row)
    return sum((count - wanted) ** 2 for count in row) / wanted


def _runs(known: Orders) -> ChanceTest | None:
    """Runs of one colour along an order (Wald and Wolfowitz)."""
    off = variance = 0.0
    for tallies, cards in known:
        shoes = tallies["shoes"][0]
        off += tallies["runs"][0] - shoes * (cards / 2 + 1)
        variance += shoes * cards * (cards - 2) / (4 * (cards - 1))
    return _by_deviation("runs", off, variance)


def _along(known: Orders) -> ChanceTest | None:
    """Serial correlation: each card of an order with the next, by rank; the moments are those of
    all orders of the set.
    """
    off = variance = 0.0
    for tallies, cards in known:
        shoes = tallies["shoes"][0]
        square, fourth = SQUARE * cards, FOURTH * cards
        two = (square**2 - fourth) / (cards * (cards - 1))
        three = (2 * fourth - square**2) / (cards * (cards - 1) * (cards - 2))
        four = (3 * square**2 - 6 * fourth) / (cards * (cards - 1) * (cards - 2) * (cards - 3))
        spread = (cards - 1) * two + 2 * (cards - 2) * three + (cards - 2) * (cards - 3) * four
        off += _row(tallies, "next")[0] + shoes * SQUARE
        variance += shoes * (spread - SQUARE**2)
    return _by_deviation("along", off, variance)


def _again(known: Orders) -> ChanceTest | None:
    """Correlation with the shoe before, place by place, by rank."""
    off = variance = 0.0
    for tallies, cards in known:
        shoes, products = _row(tallies, "again", 2)
        off += products
        variance += shoes * (SQUARE * cards) ** 2 / (cards - 1)
    return _by_deviation("again", off, variance)


def _by_deviation(name: str, off: float, variance: float) -> ChanceTest | None:
    if variance <= 0:
        return None
    z = off / sqrt(variance)
    return ChanceTest(name, z, 0, normal_p(z))


def _rows(many: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sum(column) for column in zip(*many, strict=True))
