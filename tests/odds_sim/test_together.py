"""Wagers of one coup together: exactly what going through every deal gives, and what is dealt."""

from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random

import pytest
from msgspec.structs import replace

from puntobanco.house.figures.expected import expectation
from puntobanco.house.figures.sums import Sums
from puntobanco.odds.together import wagers_together
from puntobanco.rules.coup import Drawn
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import Tableau, fold
from puntobanco.rules.notice import post, sample_notice
from puntobanco.rules.paper.notation import parse_wager
from puntobanco.rules.settle import settle
from puntobanco.rules.shoe import full_set
from puntobanco.rules.wagers import take

VALUES = (*range(1, 10), 0, 0, 0, 0)
"""The points of each rank, from ace to king."""


def test_a_pair_and_a_result_go_together_as_every_deal_by_rank_says() -> None:
    """All deals of two hands by rank, each with its third cards: nothing is taken from the odds."""
    rules, decks = load_ruleset("mbs-2017"), 6
    tableau = rules.tableau
    left = [4 * decks] * 13
    chance = dict.fromkeys(("player", "player pair", "banker pair", "player, player pair",
                            "player, banker pair", "pairs"), Fraction(0))  # fmt: skip
    for first, second, third, fourth in product(range(13), repeat=4):
        ways = 1
        for rank in (first, second, third, fourth):
            ways *= left[rank]
            left[rank] -= 1
        hand = (VALUES[first] + VALUES[third]) % 10, (VALUES[second] + VALUES[fourth]) % 10
        if ways:
            gain = ways * player_gains(hand, by_value(left), tableau)
            pairs = first == third, second == fourth
            chance["player"] += gain
            chance["player pair"] += ways * pairs[0]
            chance["banker pair"] += ways * pairs[1]
            chance["player, player pair"] += gain * pairs[0]
            chance["player, banker pair"] += gain * pairs[1]
            chance["pairs"] += ways * (pairs[0] and pairs[1])
        for rank in (first, second, third, fourth):
            left[rank] += 1
    total = 52 * decks * (52 * decks - 1) * (52 * decks - 2) * (52 * decks - 3)
    mean = {name: Fraction(value) / total for name, value in chance.items()}
    found = wagers_together(rules.digest, decks, "even", "pair")
    assert found is not None
    assert found.ev["player"] == mean["player"]
    assert found.ev["player-pair"] == 12 * mean["player pair"] - 1  # eleven to one
    for side in ("player", "banker"):
        covariance = mean[f"player, {side} pair"] - mean["player"] * mean[f"{side} pair"]
        names = sorted(("player", f"{side}-pair"))
        assert found.covariance[names[0], names[1]] == 12 * covariance != 0
    both = mean["pairs"] - mean["player pair"] * mean["banker pair"]
    assert found.covariance["banker-pair", "player-pair"] == 144 * both != 0


def by_value(ranks: list[int]) -> list[int]:
    counts = [0] * 10
    for rank, count in enumerate(ranks):
        counts[VALUES[rank]] += count
    return counts


_gains: dict[tuple[tuple[int, int], tuple[int, ...]], Fraction] = {}


def player_gains(hand: tuple[int, int], counts: list[int], tableau: Tableau) -> Fraction:
    """What one unit on Player gains from two hands of two cards, over all third cards."""
    key = hand, tuple(counts)
    if key not in _gains:
        _gains[key] = _player_gains(hand, counts, tableau)
    return _gains[key]


def _player_gains(hand: tuple[int, int], counts: list[int], tableau: Tableau) -> Fraction:
    player, banker = hand
    naturals, draws = tableau.naturals, tableau.banker_draws
    many = sum(counts)
    if player in naturals or banker in naturals:
        return Fraction((player > banker) - (player < banker))
    if player not in tableau.player_draws:
        if not draws[banker][10]:
            return Fraction((player > banker) - (player < banker))
        ends = [(player, (banker + card) % 10, counts[card]) for card in range(10)]
        return Fraction(sum(((p > b) - (p < b)) * n for p, b, n in ends), many)
    found = Fraction(0)
    for card in range(10):
        point = (player + card) % 10
        if not draws[banker][card]:
            found += Fraction(counts[card] * ((point > banker) - (point < banker)), many)
            continue
        for last in range(10):
            end = (banker + last) % 10
            ways = counts[card] * (counts[last] - (last == card))
            found += Fraction(ways * ((point > end) - (point < end)), many * (many - 1))
    return found


@pytest.mark.parametrize(
    ("ruleset", "method", "wagers"),
    [
        ("tas-2018", "commission", ("1 p 400", "2 b 1000", "3 t 50", "4 pp 25", "5 bp 50")),
        ("tas-2013", "federal", ("1 p 1000", "2 b 600", "3 t 25")),
        ("act-2015", "A", ("1 b 500", "2 b 300", "3 p 100", "4 pp 20")),
    ],
)
def test_hold_and_spread_are_those_of_coups_dealt_from_full_shoes(
    ruleset: str, method: str, wagers: tuple[str, ...]
) -> None:
    """Nine thousand coups, each dealt and settled by the rules: mean and spread as expected."""
    rules, notice = (
        load_ruleset(ruleset),
        replace(sample_notice(ruleset), method=method, chip_cents=1),
    )
    terms, cards, chance = post(notice), full_set(notice.decks), Random(ruleset)
    taken = take([parse_wager(text) for text in wagers], terms)
    stakes: dict[str, int] = {}
    for one in taken:
        stakes[one.wager.on.value] = stakes.get(one.wager.on.value, 0) + one.wager.cents
    products = {
        f"{one} {two}": stakes[one] * stakes[two]
        for one, two in product(sorted(stakes), repeat=2)
        if one <= two
    }
    odds = f"{rules.digest} {notice.decks} {method} {notice.pairs}".strip()
    wanted = expectation(Sums(stakes={odds: stakes | products}))
    assert wanted is not None
    held = []
    for _ in range(9000):
        drawn = [Drawn(card) for card in chance.sample(cards, 6)]
        for many in (4, 5, 6):
            coup = fold(drawn[:many], rules.tableau)
            if coup.is_complete:
                break
        held.append(settle(coup, taken, terms).bank_cents)
    mean = sum(held) / len(held)
    spread = sqrt(sum((one - mean) ** 2 for one in held) / (len(held) - 1))
    assert abs(mean - wanted.cents) < 4 * wanted.spread_cents / sqrt(len(held))
    assert abs(spread / wanted.spread_cents - 1) < 0.1
