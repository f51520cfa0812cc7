"""What a simulated shoe needs to know of a rule set, as plain numbers for the kernels."""

from functools import cache
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from puntobanco.brief import Brief
from puntobanco.rules.documents.ruleset import Ruleset
from puntobanco.rules.drawing import Tableau
from puntobanco.sim.kernels import EXPOSE, LANES, U, products

STOOD = 10
PLAYER, BANKER, TIE, BANKER_ON_6 = range(4)
"""How a coup ends; BANKER is any Banker win but the one on 6."""
ENDS = 4
"""An end, plus four times the cards used beyond four, is what the kernels count."""

VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
NO_PAIR, MIXED, COLOURED, PERFECT = range(4)
"""Kinds of pair; with ranks alone every pair counts as MIXED."""


class ShoePlan(Brief, frozen=True):
    """How shoes are dealt. A cut leaves a uniform shuffle uniform, so it is not simulated."""

    decks: int
    behind_marker: int
    """No coup starts once fewer cards than these are left."""
    extra_after_tie: bool
    """One more coup is dealt if the one that went past the marker ends in a tie."""
    burn: Literal["", "unseen", "exposed"]
    """Nothing; one card; or one card and as many more as its value, tens counting ten."""
    tableau: Tableau
    suits: bool = False
    """Tell suits apart, for the kinds of pair."""

    @property
    def cards(self) -> int:
        return self.decks * 52

    @property
    def always_dealt(self) -> int:
        """How many coups a shoe has at least, if every one of them takes six cards.

        Whether a later coup is dealt depends on how many cards the earlier ones took, so only
        these have exactly the odds of a coup from a full shoe.
        """
        burned = {"": 0, "unseen": 1, "exposed": 11}[self.burn]
        spare = self.cards - burned - self.behind_marker
        return spare // 6 + 1 if spare >= 0 else 0


def plan_for(rules: Ruleset, decks: int, *, suits: bool = False) -> ShoePlan:
    """The shoes of a rule set, burned and marked as on its sample notice."""
    notice, last = rules.sample_notice, rules.shoe.last_coup
    marker = rules.shoe.marker
    behind = notice.get("behind_marker") or (marker.behind if marker else 0)
    assert isinstance(behind, int)
    behind -= max(last.cards - 1, 0)  # the shoe ends at the last.cards-th card after the marker
    behind = max(behind, rules.shoe.least_to_start.least)
    burn: Any = notice.get("burn", "")
    return ShoePlan(decks, behind, last.extra_after_tie, burn, rules.tableau, suits)


def kernel_plan(plan: ShoePlan) -> tuple[np.uint64, np.uint64, bool, np.uint64]:
    burn = {"": U(0), "unseen": U(1), "exposed": EXPOSE}[plan.burn]
    return U(plan.cards), U(plan.behind_marker), plan.extra_after_tie, burn


def new_shoes(plan: ShoePlan) -> NDArray[np.uint8]:
    """Sorted shoes, one for each lane: ranks 0 to 12, or cards 0 to 51 by rank, then suit."""
    kinds = 52 if plan.suits else 13
    shoe = np.repeat(np.arange(kinds, dtype=np.uint8), plan.cards // kinds)
    return np.tile(shoe, (LANES, 1))


@cache
def lookup_tables(plan: ShoePlan) -> tuple[Any, ...]:
    """Everything the kernels look up; two cards index their tables side by side."""
    kinds, shift = (52, 6) if plan.suits else (13, 4)
    per_rank = kinds // 13
    value = np.array([VALUES[card // per_rank] for card in range(kinds)], np.uint64)
    points = np.zeros((kinds, 2**shift), np.uint64)
    pairs = np.zeros((kinds, 2**shift), np.uint8)
    for first, second in product(range(kinds), repeat=2):
        points[first, second] = (value[first] + value[second]) % U(10)
        pairs[first, second] = _pair(first, second, per_rank)
    two = points.ravel()
    ends = end_table(plan.tableau)
    outcomes = products(plan.cards)
    return (
        outcomes,
        ends,
        two * U(1000),
        two * U(100),
        value * U(10),
        value,
        pairs.ravel(),
        U(shift),
    )


def _pair(first: int, second: int, per_rank: int) -> int:
    if first // per_rank != second // per_rank:
        return NO_PAIR
    if per_rank == 1:
        return MIXED
    if first == second:
        return PERFECT
    red = (1, 2)  # clubs, diamonds, hearts, spades
    return COLOURED if (first % 4 in red) == (second % 4 in red) else MIXED


def end_table(tableau: Tableau) -> NDArray[np.uint8]:
    """By Player's two-card point, Banker's, and the fifth and sixth card: how the coup ends."""
    table = np.zeros((10, 10, 10, 10), np.uint8)
    for player, banker, fifth, sixth in product(range(10), repeat=4):
        table[player, banker, fifth, sixth] = _end(player, banker, fifth, sixth, tableau)
    return table.ravel()


def _end(player: int, banker: int, fifth: int, sixth: int, tableau: Tableau) -> int:
    used = 0
    if player not in tableau.naturals and banker not in tableau.naturals:
        third, next_card, row = STOOD, fifth, tableau.banker_draws[banker]
        if player in tableau.player_draws:
            player, third, next_card, used = (player + fifth) % 10, fifth, sixth, 1
        if row[third]:
            banker, used = (banker + next_card) % 10, used + 1
    if player == banker:
        return TIE + ENDS * used
    if player > banker:
        return PLAYER + ENDS * used
    return (BANKER_ON_6 if banker == 6 else BANKER) + ENDS * used
