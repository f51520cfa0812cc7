"""What the wagers of one coup are worth together: expectation and covariance, exactly.

Whoever adds up a table's hold needs more than each wager's own variance: Player and Banker of one
coup cannot both win, and a pair of eights makes a tie likelier. Everything is of a full shoe.
"""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import Literal

from puntobanco.brief import Brief
from puntobanco.odds.composition import RANKS, SUITS, Composition, full
from puntobanco.odds.distribution import Distribution, distribution, distribution_given
from puntobanco.odds.priced import wagers_chosen
from puntobanco.odds.wagers import LOST, PairKind, PricedWager, paid, pair_paid, pairs
from puntobanco.rules.documents.ruleset import Bet, Ruleset
from puntobanco.rules.documents.texts import by_digest
from puntobanco.rules.drawing import Tableau

RANKS_OF_VALUE = (4, *[1] * 9)
"""How many ranks have the point value 0 to 9."""
MAIN = (Bet.PLAYER, Bet.BANKER, Bet.TIE)
Hand = Literal["player", "banker"]
HANDS: dict[Bet, Hand] = {Bet.PLAYER_PAIR: "player", Bet.BANKER_PAIR: "banker"}
Two = tuple[str, str]
"""Two wagers, in the order of the alphabet."""


class Together(Brief, frozen=True):
    """What one unit on each wager gains its player on average, and how any two go together."""

    ev: dict[str, Fraction]
    covariance: dict[Two, Fraction]


@lru_cache(maxsize=64)
def wagers_together(digest: str, decks: int, method: str, option: str = "") -> Together | None:
    """The wagers of a table that was opened by this text; None if nobody has the text.

    >>> from puntobanco.rules.documents.texts import load_ruleset
    >>> both = wagers_together(load_ruleset("tas-2018").digest, 8, "commission")
    >>> round(float(both.ev["banker"]), 6), both.covariance["banker", "player"] < 0
    (-0.010579, True)
    """
    rules = by_digest(digest)
    return None if rules is None else _together(rules, decks, method, option)


def _together(rules: Ruleset, decks: int, method: str, option: str) -> Together:
    shoe, tableau = full(decks), rules.tableau
    offered = {wager.name: wager for wager in wagers_chosen(rules, method, option)}
    main = {bet.value: offered[bet] for bet in MAIN if bet in offered}
    ends = distribution(shoe, tableau)
    means = _Means(ends, main)
    ev = {name: means.of(name) for name in main}
    products = {
        (one, two): means.of(one, two)
        for one, two in combinations_with_replacement(sorted(main), 2)
    }
    if option in offered:
        pair = _Pair(offered[option], shoe)
        ev |= dict.fromkeys(map(str, HANDS), pair.mean)
        products |= _with_pair(pair, main, ev, tableau)
    covariance = {two: mean - ev[two[0]] * ev[two[1]] for two, mean in products.items()}
    return Together(ev, covariance)


class _Means:
    """Mean gains over all ends of a coup, added up once for ends at which all gain the same."""

    def __init__(self, ends: Distribution, wagers: dict[str, PricedWager]) -> None:
        self._at = {name: index for index, name in enumerate(wagers)}
        self._total = ends.total
        self._cases = Counter[tuple[Fraction, ...]]()
        for end, count in ends.ends.items():
            gains = tuple(_gain(paid(wager, end, ends)) for wager in wagers.values())
            self._cases[gains] += count

    def of(self, one: str, two: str = "") -> Fraction:
        """The mean gain of one unit; with another wager, of the product of both gains."""
        cases = self._cases.items()
        gains = (
            (case[self._at[one]] * (case[self._at[two]] if two else 1), n) for case, n in cases
        )
        return sum((gain * count for gain, count in gains), Fraction(0)) / self._total


def _gain(pays: Fraction | None) -> Fraction:
    return LOST if pays is None else pays


class _Pair:
    """The wager on a pair of either hand, from a full shoe."""

    def __init__(self, wager: PricedWager, shoe: Composition) -> None:
        counted = pairs(shoe)
        assert counted is not None, "a full shoe is known by card"
        total, counts = counted
        self.shoe = shoe
        self.above = {kind: _gain(pair_paid(wager, kind)) - LOST for kind in counts}
        """What each kind of pair brings more than a loss."""
        self.shares = {kind: Fraction(count, total) for kind, count in counts.items()}
        self.brings = sum(
            (share * self.above[kind] for kind, share in self.shares.items()), Fraction(0)
        )

    @property
    def mean(self) -> Fraction:
        return LOST + self.brings

    @property
    def square(self) -> Fraction:
        """The mean of the square of its gain, (a - 1)² with a what it brings more than a loss."""
        squares = (share * self.above[kind] ** 2 for kind, share in self.shares.items())
        return 1 - 2 * self.brings + sum(squares, Fraction(0))

    @property
    def of_both_hands(self) -> Fraction:
        """The mean of the product of both hands' gains."""
        both = (
            share * self.above[one] * self.above[two]
            for (one, two), share in _both_pair(self.shoe).items()
        )
        return 1 - 2 * self.brings + sum(both, Fraction(0))


def _with_pair(
    pair: _Pair, main: dict[str, PricedWager], ev: dict[str, Fraction], tableau: Tableau
) -> dict[Two, Fraction]:
    """The mean of the product of a pair's gain with that of each other wager, and of pairs."""
    found: dict[Two, Fraction] = {_two(*HANDS): pair.of_both_hands}
    for bet, hand in HANDS.items():
        given = _given_pair(main, pair.shoe, tableau, hand)
        found |= {_two(bet, name): LOST * ev[name] + pair.brings * given[name] for name in main}
        found[_two(bet, bet)] = pair.square
    return found


def _two(one: str, two: str) -> Two:
    return (str(one), str(two)) if one <= two else (str(two), str(one))


def _given_pair(
    main: dict[str, PricedWager], shoe: Composition, tableau: Tableau, hand: Hand
) -> dict[str, Fraction]:
    """The mean gain of each wager in coups in which this hand's first cards are of one rank;
    which kind of pair it is changes nothing, for suits have no points.
    """
    found = dict.fromkeys(main, Fraction(0))
    for value, ranks in enumerate(RANKS_OF_VALUE):
        means = _Means(distribution_given(shoe, tableau, hand, value), main)
        for name in main:
            found[name] += ranks * means.of(name) / len(RANKS)
    return found


def _both_pair(shoe: Composition) -> dict[tuple[PairKind, PairKind], Fraction]:
    """How likely both hands pair, by the kinds of their pairs, from a full shoe."""
    decks = shoe.cards // (len(RANKS) * len(SUITS))
    found: dict[tuple[PairKind, PairKind], int] = {}
    for suits in product(range(len(SUITS)), repeat=4):
        one, two = _kind(suits[0], suits[1]), _kind(suits[2], suits[3])
        same = other = 1
        for index, suit in enumerate(suits):
            same *= decks - suits[:index].count(suit)
            other *= decks - suits[index // 2 * 2 : index].count(suit)
        ways = len(RANKS) * same + len(RANKS) * (len(RANKS) - 1) * other
        found[one, two] = found.get((one, two), 0) + ways
    total = perm(shoe.cards, 4)
    return {kinds: Fraction(ways, total) for kinds, ways in found.items()}


def _kind(one: int, two: int) -> PairKind:
    """The kind of a pair by its suits, in the order clubs, diamonds, hearts, spades."""
    if one == two:
        return "perfect"
    black = {0, 3}
    return "coloured" if (one in black) == (two in black) else "mixed"
