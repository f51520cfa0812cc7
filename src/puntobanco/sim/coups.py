"""Coups one by one: the cards of both hands and all that is read off them, a slice at a time.

One shoe follows another in a single random stream, so the seed fixes every coup, and a longer run
begins with the coups of a shorter one.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from puntobanco.rules.cards import DECK
from puntobanco.rules.drawing import Tableau
from puntobanco.sim import kernels
from puntobanco.sim.columns import NOTHING, Codes, Column, Named
from puntobanco.sim.kernels import state_of
from puntobanco.sim.run import Totals
from puntobanco.sim.shoes import ENDS, ShoePlan, kernel_plan, lookup_tables, new_shoes

SLICE = 2**16
"""Coups worked on at once: with their columns some tens of megabytes, however many there are."""
CARDS = tuple(map(str, DECK))
RESULTS = ("player", "banker", "tie", "banker")
"""The result for each end as the kernels number them; the fourth is Banker winning on 6."""
PAIRS = ("none", "mixed", "coloured", "perfect")
SHIFT = 6
"""Bits of one card: two of them side by side index a table."""


class Coups(NamedTuple):
    """Some coups that follow one another."""

    shoe: NDArray[np.int64]
    """Which shoe, from 1."""
    number: NDArray[np.int64]
    """Which coup of its shoe, from 1."""
    drawn: NDArray[np.uint8]
    """Six cards for each, in the order of the shoe; a coup uses four to six of them."""
    ends: NDArray[np.uint8]
    """How each ends, plus ENDS times the cards beyond four."""
    tables: tuple[NDArray[np.uint64], NDArray[np.uint8]]
    """The value of a card, and the kind of pair of two cards."""

    def pairs(self) -> tuple[Codes, Codes]:
        """The kinds of pair of both hands."""
        first, second = self.drawn[:, :2].astype(np.uint16), self.drawn[:, 2:4].astype(np.uint16)
        kinds = self.tables[1][(first << SHIFT) | second]
        return kinds[:, 0], kinds[:, 1]

    def totals(self) -> Totals:
        """What the kernels would have counted."""
        totals = Totals()
        totals.ends += np.bincount(self.ends, minlength=ENDS * 3)
        totals.pairs += [np.bincount(kinds, minlength=len(PAIRS)) for kinds in self.pairs()]
        return totals


def play_coups(plan: ShoePlan, coups: int, seed: int) -> Iterator[Coups]:
    """Play coups with whole cards; yield them in slices."""
    plan = replace(plan, suits=True)
    state, shoe, lookup = state_of(seed, 0), new_shoes(plan)[0], lookup_tables(plan)
    dealt = kernel_plan(plan)
    under_way = np.array([0, dealt[1], 0], np.uint64)
    shoes = in_shoe = 0
    for start in range(0, coups, SLICE):
        size = min(SLICE, coups - start)
        drawn, results = np.empty((size, 6), np.uint8), np.empty(size, np.uint8)
        kernels.record(state, shoe, dealt, lookup, under_way, drawn, results)
        is_first = results >= 16
        numbers = _numbered(is_first, in_shoe)
        yield Coups(
            shoes + np.cumsum(is_first), numbers, drawn, results & np.uint8(15), lookup[5:7]
        )
        shoes, in_shoe = shoes + int(is_first.sum()), int(numbers[-1])


def _numbered(is_first: NDArray[np.bool_], before: int) -> NDArray[np.int64]:
    """The number of each coup in its shoe, after those of the first shoe that came before.

    >>> _numbered(np.array([False, True, False, False, True]), 7).tolist()
    [8, 1, 2, 3, 1]
    """
    at = np.arange(is_first.size, dtype=np.int64)
    return at - np.maximum.accumulate(np.where(is_first, at, -before)) + 1


def columns_of(coups: Coups, tableau: Tableau) -> dict[str, Column]:
    """One line for each coup, in columns; docs/odds.md says what they mean."""
    values = coups.tables[0][coups.drawn].astype(np.int8)
    player, banker = (values[:, 0] + values[:, 2]) % 10, (values[:, 1] + values[:, 3]) % 10
    naturals, draws = list(tableau.naturals), list(tableau.player_draws)
    natural = np.isin(player, naturals) | np.isin(banker, naturals)
    player_draws = np.isin(player, draws) & ~natural
    extra = coups.ends >> 2
    banker_draws = extra > player_draws
    fifth, sixth = values[:, 4], values[:, 5]
    player_third = np.where(player_draws, fifth, 0)
    banker_third = np.where(banker_draws, np.where(player_draws, sixth, fifth), 0)
    cards = coups.drawn
    last = np.where(player_draws, cards[:, 5], cards[:, 4])
    pairs = coups.pairs()
    return {
        "shoe": coups.shoe,
        "coup": coups.number,
        "player_1": Named(cards[:, 0], CARDS),
        "player_2": Named(cards[:, 2], CARDS),
        "player_3": Named(np.where(player_draws, cards[:, 4], NOTHING), CARDS),
        "banker_1": Named(cards[:, 1], CARDS),
        "banker_2": Named(cards[:, 3], CARDS),
        "banker_3": Named(np.where(banker_draws, last, NOTHING), CARDS),
        "player_points": (player + player_third) % 10,
        "banker_points": (banker + banker_third) % 10,
        "result": Named(coups.ends & np.uint8(3), RESULTS),
        "natural": natural,
        "cards": (extra + 4).astype(np.int8),
        "player_pair": Named(pairs[0], PAIRS),
        "banker_pair": Named(pairs[1], PAIRS),
    }
