"""Player, Banker, Tie and Banker-on-6 of a composition in microseconds, exactly.

The number of six-card sequences with values v1 ... v6 is a product, over the ten values, of
falling factorials of their counts: n(n-1) for a value that comes twice, and so on. Every order of
the same six values has the same product, so each outcome is

    sum over multisets k of six values of  c[k] * prod over v of falling(n[v], k[v])

where c[k], the number of orders with that outcome, depends on the drawing table alone. With the
values split into 0-4 and 5-9 the 5005 products become seven small matrices between the products
of the lower half, by degree, and those of the upper half.

All is done in 64-bit integers: sums stay below the number of six-card sequences, which fits up to
1400 cards. A double would not do: ten decks pass 2**53.
"""

import os
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from puntobanco.errors import MalformedError
from puntobanco.odds.composition import IMPOSSIBLE, MOST_CARDS
from puntobanco.odds.distribution import STOOD
from puntobanco.rules.drawing import Tableau

Integers = NDArray[np.int64]
Coefficients = NDArray[np.int16]

CACHE = any(os.access(place, os.W_OK) for place in (Path(__file__).parent, Path.home()))
"""Can compiled kernels be kept? Where nothing can be written they are compiled in every run."""

HALF, SIX = 5, 6
SIZES = [comb(degree + HALF - 1, HALF - 1) for degree in range(SIX + 1)]
STARTS = np.cumsum([0, *SIZES]).astype(np.int64)
MONOMIALS = int(STARTS[-1])


def _monomials() -> list[tuple[int, ...]]:
    """The products of one half, as their factors in order, by degree."""
    return [
        factors
        for degree in range(SIX + 1)
        for factors in combinations_with_replacement(range(HALF), degree)
    ]


def _recipe() -> tuple[Integers, Integers, Integers]:
    """How each product is made from an earlier one: which, times the cards of which value, less
    how many of them the earlier one took.
    """
    order = {factors: index for index, factors in enumerate(_monomials())}
    rows = [
        (order[factors[:-1]], factors[-1], factors[:-1].count(factors[-1]))
        for factors in _monomials()[1:]
    ]
    parent, value, taken = np.array(rows, np.int64).T
    return parent.copy(), value.copy(), taken.copy()


PARENT, VALUE, TAKEN = _recipe()


@cache
def coefficients(tableau: Tableau) -> Coefficients:
    """c[k] for Player, Banker and Banker on 6, matrix after matrix, row after row."""
    place = np.full(7**HALF, -1, np.int64)
    for index, factors in enumerate(_monomials()):
        place[sum(7**factor for factor in factors)] = index
    cards = np.indices((10,) * SIX, np.int8).reshape(SIX, -1)
    powers = np.array([7 ** (value % HALF) for value in range(10)])
    is_low = cards < HALF
    low = place[np.where(is_low, powers[cards], 0).sum(0)]
    high = place[np.where(is_low, 0, powers[cards]).sum(0)]
    player, banker = _points(cards, tableau)
    outcomes = (player > banker, banker > player, (banker > player) & (banker == 6))
    grids = [np.bincount((low * MONOMIALS + high)[won], minlength=MONOMIALS**2) for won in outcomes]
    grid = np.array(grids).reshape(3, MONOMIALS, MONOMIALS)
    blocks = [_block(grid, degree).reshape(3, -1) for degree in range(SIX + 1)]
    return np.concatenate(blocks, axis=1).astype(np.int16)


def _block(grid: Integers, degree: int) -> Integers:
    """The matrix of one degree, turned so that its longer side is the inner one."""
    low = slice(STARTS[degree], STARTS[degree + 1])
    high = slice(STARTS[SIX - degree], STARTS[SIX - degree + 1])
    block = grid[:, low, high]
    return block.transpose(0, 2, 1) if degree > SIX // 2 else block


def _points(cards: NDArray[np.int8], tableau: Tableau) -> tuple[Integers, Integers]:
    """The final points of all 10**6 orders of six values."""
    player, banker = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10
    draws = np.zeros((10, 11), bool)
    draws[:8] = tableau.banker_draws
    natural = np.isin(player, list(tableau.naturals)) | np.isin(banker, list(tableau.naturals))
    player_draws = np.isin(player, list(tableau.player_draws)) & ~natural
    third = np.where(player_draws, cards[4], STOOD)
    banker_draws = draws[banker, third] & ~natural
    banker_card = np.where(player_draws, cards[5], cards[4])
    player_end = (player + np.where(player_draws, cards[4], 0)) % 10
    banker_end = (banker + np.where(banker_draws, banker_card, 0)) % 10
    return player_end.astype(np.int64), banker_end.astype(np.int64)


@njit(cache=CACHE, nogil=True, boundscheck=False)
def _half(counts, parent, value, taken, products):  # pragma: no cover
    products[0] = 1
    for index in range(parent.size):
        factor = counts[value[index]] - taken[index]
        products[index + 1] = products[parent[index]] * factor


@njit(cache=CACHE, nogil=True, boundscheck=False)
def _row(counts, coefs, starts, parent, value, taken, low, high):  # pragma: no cover
    """One composition; all zeros when it cannot be counted."""
    cards = 0
    for count in counts:
        if count < 0:
            return 0, 0, 0, 0
        cards += count
    if not 6 <= cards <= 1400:
        return 0, 0, 0, 0
    _half(counts[:5], parent, value, taken, low)
    _half(counts[5:], parent, value, taken, high)
    player = banker = on_6 = at = 0
    for degree in range(7):
        outer, inner, out_degree = low, high, degree
        if degree > 3:
            outer, inner, out_degree = high, low, 6 - degree
        products = inner[starts[6 - out_degree] : starts[7 - out_degree]]
        length = products.size
        for i in range(starts[out_degree], starts[out_degree + 1]):
            # slices, for an index into a slice needs no check that would keep SIMD out
            to_player = coefs[0, at : at + length]
            to_banker = coefs[1, at : at + length]
            to_6 = coefs[2, at : at + length]
            p = b = s = 0
            for j in range(length):
                p += to_player[j] * products[j]
                b += to_banker[j] * products[j]
                s += to_6[j] * products[j]
            at += length
            player += outer[i] * p
            banker += outer[i] * b
            on_6 += outer[i] * s
    total = 1
    for less in range(6):
        total *= cards - less
    return player, banker, total - player - banker, on_6


@njit(cache=CACHE, nogil=True, boundscheck=False)
def _batch(batch, coefs, starts, parent, value, taken, out):  # pragma: no cover
    low = np.empty(starts[-1], np.int64)
    high = np.empty(starts[-1], np.int64)
    for row in range(batch.shape[0]):
        out[row] = _row(batch[row], coefs, starts, parent, value, taken, low, high)


@njit(cache=CACHE, nogil=True, boundscheck=False)
def _single(counts, coefs, starts, parent, value, taken):  # pragma: no cover
    low = np.empty(starts[-1], np.int64)
    high = np.empty(starts[-1], np.int64)
    return _row(np.array(counts), coefs, starts, parent, value, taken, low, high)


def count_batch(batch: Integers, tableau: Tableau) -> Integers:
    """Player, Banker, Tie and Banker on 6 for each row of ten counts."""
    if batch.ndim != 2 or batch.shape[1] != 10 or batch.dtype != np.int64:
        raise MalformedError(IMPOSSIBLE)
    if batch.size and not 0 <= batch.min() <= batch.max() <= MOST_CARDS:
        raise MalformedError(IMPOSSIBLE)
    out = np.empty((batch.shape[0], 4), np.int64)
    _batch(batch, coefficients(tableau), STARTS, PARENT, VALUE, TAKEN, out)
    if not out.any(axis=1).all():
        raise MalformedError(IMPOSSIBLE)
    return out


def count(by_value: tuple[int, ...], tableau: Tableau) -> tuple[int, int, int, int]:
    """Player, Banker, Tie and Banker on 6 of one composition, given by ten counts."""
    if len(by_value) != 10 or not 0 <= min(by_value) <= max(by_value) <= MOST_CARDS:
        raise MalformedError(IMPOSSIBLE)
    counted: tuple[int, int, int, int] = _single(
        by_value, coefficients(tableau), STARTS, PARENT, VALUE, TAKEN
    )
    if counted == (0, 0, 0, 0):
        raise MalformedError(IMPOSSIBLE)
    return counted
