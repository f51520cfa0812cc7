"""Exact odds: the oracle to the last digit, the kernel, the rule engine, and laws of their own."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.errors import MalformedError
from puntobanco.odds.composition import (
    CARDS,
    Composition,
    from_cards,
    full,
    parse_values,
    without,
)
from puntobanco.odds.course import course, exposures, is_simple, simple_ends
from puntobanco.odds.distribution import Distribution, End, distribution
from puntobanco.odds.kernel import count, count_batch
from puntobanco.odds.wagers import Worth, pairs, read_paytable, wagers_of, worth
from puntobanco.rules.cards import Card, pair
from puntobanco.rules.coup import Drawn
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import fold
from puntobanco.rules.notice import sample_notice
from puntobanco.rules.paper.notation import cards_of
from puntobanco.rules.paper.playthrough import deal_shoe
from puntobanco.rules.shoe import full_set, shuffled
from tests.kit.places import DATA

ORACLE = json.loads((DATA / "odds.json").read_text())
TABLEAU = load_ruleset("tas-2018").tableau

compositions = st.lists(st.integers(0, 40), min_size=10, max_size=10).filter(lambda c: sum(c) >= 6)
tiny = st.lists(st.integers(0, 3), min_size=10, max_size=10).filter(lambda c: sum(c) >= 6)


def counted(ends: Distribution) -> tuple[int, int, int, int]:
    player, banker, tie = (ends.where(result=one) for one in ("player", "banker", "tie"))
    return player, banker, tie, ends.banker_on_6


# The oracle
@pytest.mark.parametrize("decks", ["6", "8"])
def test_a_full_shoe_agrees_with_the_oracle_to_the_last_digit(decks: str) -> None:
    expected, left = ORACLE["decks"][decks], full(int(decks))
    ends = distribution(left, TABLEAU)
    assert ends.total == expected["permutations_6"]
    names = ("player", "banker", "tie", "banker_win_on_6")
    assert counted(ends) == tuple(expected[name] for name in names)
    assert ends.by_cards() == {n: expected[f"cards_{n}"] for n in (4, 5, 6)}
    assert ends.by_total("tie") == expected["tie_by_total"]
    assert ends.natural_either == expected["natural_either"]
    assert count(left.by_value, TABLEAU) == counted(ends)


@pytest.mark.parametrize(
    "shoe", ORACLE["depleted_shoes"], ids=lambda shoe: str(shoe.get("cards_gone"))
)
def test_a_depleted_shoe_agrees_with_the_oracle(shoe: dict[str, list[int] | int]) -> None:
    left = shoe["remaining_by_value_0_to_9"]
    assert isinstance(left, list)
    expected = (shoe["player"], shoe["banker"], shoe["tie"])
    assert counted(distribution(Composition(tuple(left)), TABLEAU))[:3] == expected
    assert count(tuple(left), TABLEAU)[:3] == expected


WAGERS = {
    "player_1_1": ("tas-2018", "player"),
    "banker_5pct": ("tas-2018", "banker-commission"),
    "banker_nocomm_6_pays_half": ("tas-2018", "banker-federal"),
    "tie_8_1": ("mbs-2017", "tie"),
    "pair_11_1": ("act-2015", "canberra-pairs"),
    "perfect_pairs_mixed6_col12_perf25": ("tas-2018", "perfect-pairs"),
    "perfect_pairs_mixed5_col12_perf25": ("act-2015", "perfect-pairs"),
}


def price(ruleset: str, name: str, left: Composition) -> Worth:
    wagers = {wager.name: wager for wager in wagers_of(load_ruleset(ruleset))}
    found = worth(wagers[name], left, distribution(left, TABLEAU))
    assert found is not None
    return found


@pytest.mark.parametrize("decks", ["6", "8"])
@pytest.mark.parametrize("name", WAGERS)
def test_expected_values_agree_with_the_oracle(decks: str, name: str) -> None:
    expected = Fraction(ORACLE["decks"][decks]["ev_per_unit"][name])
    assert price(*WAGERS[name], full(int(decks))).ev == expected


def test_every_wager_of_every_rule_set_is_priced() -> None:
    names = {
        ruleset: {wager.name for wager in wagers_of(load_ruleset(ruleset))} for ruleset in RULESETS
    }
    main = {"player", "tie"}
    assert names["tas-2018"] == main | {"banker-commission", "banker-federal", "perfect-pairs"}
    assert names["tas-2013"] == main | {"banker-commission", "banker-federal"}
    assert names["act-2015"] == main | {"banker-A", "banker-B", "perfect-pairs", "canberra-pairs"}
    assert names["mbs-2017"] == main | {"banker", "pair"}


@pytest.mark.parametrize("decks", ["6", "8"])
def test_pairs_agree_with_the_oracle(decks: str) -> None:
    found = pairs(full(int(decks)))
    assert found is not None
    total, kinds = found
    for kind, count_ in kinds.items():
        assert Fraction(count_, total) == Fraction(ORACLE["decks"][decks][f"p_{kind}"])


# Three ways of counting agree
@given(compositions)
def test_the_kernel_agrees_with_going_through_all_coups(by_value: list[int]) -> None:
    assert count(tuple(by_value), TABLEAU) == counted(
        distribution(Composition(tuple(by_value)), TABLEAU)
    )


@given(st.lists(compositions, min_size=1, max_size=5))
def test_a_batch_is_the_same_as_one_at_a_time(batch: list[list[int]]) -> None:
    together = count_batch(np.array(batch, np.int64), TABLEAU)
    assert [tuple(row) for row in together.tolist()] == [count(tuple(b), TABLEAU) for b in batch]


def test_ten_decks_need_more_than_a_double_and_stay_exact() -> None:
    left = full(10)
    assert perm(520, 6) > 2**53
    assert count(left.by_value, TABLEAU) == counted(distribution(left, TABLEAU))
    most = Composition((500, *[100] * 9))
    assert count(most.by_value, TABLEAU) == counted(distribution(most, TABLEAU))


SMALL = [
    "9c Kd 2h 3s 5h 6d 7c",
    "As 2s 3s 8d 9d Td Jh",
    "4c 4d 4h 6s 6c Kd 7d",
    "7c 7d 8h 5s 6s Ad Ah",
]


@pytest.mark.parametrize("cards", SMALL)
def test_the_rule_engine_dealing_every_order_agrees(cards: str) -> None:
    """All 5040 orders of seven cards, dealt by the engine, against the exact count."""
    names = cards.split()
    results = {"player": 0, "banker": 0, "tie": 0}
    on_6 = used = 0
    for order in permutations(names, 6):
        coup = fold([Drawn(Card(name)) for name in order], TABLEAU)
        assert coup.result is not None
        results[coup.result] += 1
        on_6 += coup.result == "banker" and coup.banker_points == 6
        used += len(coup.player) + len(coup.banker)
    left = from_cards([names.count(card) for card in CARDS])
    ends = distribution(left, TABLEAU)
    assert counted(ends) == (*results.values(), on_6)
    assert sum(cards * n for cards, n in ends.by_cards().items()) == used


@given(st.lists(st.sampled_from(CARDS), min_size=6, max_size=12))
def test_pairs_agree_with_the_engine_card_by_card(names: list[str]) -> None:
    found = pairs(from_cards([names.count(card) for card in CARDS]))
    assert found is not None
    total, kinds = found
    seen = [pair(Card(a), Card(b)) for a, b in permutations(names, 2)]
    assert total == len(seen)
    assert kinds == {kind: sum(one == kind for one in seen) for kind in kinds}


# Laws
@settings(max_examples=50)
@given(tiny)
def test_every_sequence_ends_somehow(by_value: list[int]) -> None:
    ends = distribution(Composition(tuple(by_value)), TABLEAU)
    assert sum(ends.ends.values()) == ends.total == perm(sum(by_value), 6)
    assert all(end.player_cards in (2, 3) and end.banker_cards in (2, 3) for end in ends.ends)


def test_worth_adds_up() -> None:
    """Player and an even-money Banker are each other's mirror; a tie gives both back."""
    left = full(8)
    player, banker = price("mbs-2017", "player", left), price("mbs-2017", "banker", left)
    assert player.ev == -banker.ev
    assert player.wins + banker.wins + player.pushes == 1
    assert player.ev_resolved == player.ev / (1 - player.pushes)
    assert player.variance == player.wins + banker.wins - player.ev**2
    assert player.house_edge == -player.ev


def test_simple_wagers_are_worth_the_same_from_four_counts() -> None:
    left = full(8)
    ends = distribution(left, TABLEAU)
    few = simple_ends(count(left.by_value, TABLEAU), TABLEAU.naturals)
    for wager in wagers_of(load_ruleset("act-2015")):
        if is_simple(wager):
            assert worth(wager, left, few) == worth(wager, left, ends)


# Cards gone
def test_cards_gone_leave_the_others() -> None:
    left = without(full(1), ["9c", "Kd"])
    assert left.cards == 50
    assert left.by_value == (15, 4, 4, 4, 4, 4, 4, 4, 4, 3)


BAD = [
    ("1,2", "not a composition"),
    ("a,b,c,d,e,f,g,h,i,j", "not a composition"),
    ("-1,2,3,4,5,6,7,8,9,1", "not a composition"),
    ("1,2,3,4,5,6,7,8,9,999999999", "1400 at most"),
    ("1.5,2,3,4,5,6,7,8,9,1", "not a composition"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_impossible_counts_are_refused(text: str, says: str) -> None:
    with pytest.raises(MalformedError, match=says):
        parse_values(text)


def test_too_few_or_too_many_cards_are_refused() -> None:
    few = (1, 1, 1, 1, 1, 0, 0, 0, 0, 0)
    with pytest.raises(MalformedError, match="odds need six"):
        distribution(Composition(few), TABLEAU)
    huge = (2**62, 2**62, 2**62, 2**62, 6, 0, 0, 0, 0, 0)
    short, long = (50,) * 9, (50,) * 11
    for wrong in (few, (-1, 9, *[0] * 8), (1401, *[0] * 9), huge, short, long):
        with pytest.raises(MalformedError, match="6 to 1400 cards"):
            count(wrong, TABLEAU)
        with pytest.raises(MalformedError, match="6 to 1400 cards"):
            count_batch(np.array([wrong], np.int64), TABLEAU)
    with pytest.raises(MalformedError, match="2 of 9c are gone"):
        without(full(1), ["9c", "9c"])


# Pay tables
def test_published_side_bets_price_as_published() -> None:
    """Dragon 7 and Panda 8 on eight decks: 7.61 and 10.19 per cent, as every table prints."""
    dragon, panda, again = read_paytable(
        """
        [[wager]]
        name = "Dragon 7"
        pays = [{ result = "banker", points = 7, cards = 3, odds = [40, 1] }]
        [[wager]]
        name = "Panda 8"
        pays = [{ result = "player", points = 8, cards = 3, odds = [25, 1] }]
        [[wager]]
        name = "Super 6"
        pays = [
          { result = "banker", points = 6, odds = [1, 2] },
          { result = "banker", odds = [1, 1] },
          { result = "tie", odds = [0, 1] },
        ]
        """
    )
    left = full(8)
    ends = distribution(left, TABLEAU)
    priced = [worth(one, left, ends) for one in (dragon, panda)]
    edges = [float(one.house_edge) for one in priced if one]
    assert edges == pytest.approx([0.0761, 0.1019], abs=0.00005)
    federal = next(
        one for one in wagers_of(load_ruleset("tas-2018")) if one.name == "banker-federal"
    )
    assert worth(again, left, ends) == Worth(
        "Super 6",
        *[
            getattr(worth(federal, left, ends), name)
            for name in ("ev", "wins", "pushes", "variance")
        ],
    )


@pytest.mark.parametrize(
    ("condition", "fits"),
    [
        ("natural = true", lambda end, ends: ends.is_natural(end)),
        ("total_cards = 5", lambda end, _: end.cards == 5),
        ("margin = 4", lambda end, _: abs(end.player - end.banker) == 4),
        ('result = "tie", cards = 6', lambda end, _: end.result == "tie" and end.cards == 6),
    ],
)
def test_each_condition_of_a_pay_table(
    condition: str, fits: Callable[[End, Distribution], bool]
) -> None:
    (wager,) = read_paytable(f'[[wager]]\nname = "x"\npays = [{{ {condition}, odds = [1, 1] }}]')
    left = full(6)
    ends = distribution(left, TABLEAU)
    expected = sum(n for end, n in ends.ends.items() if fits(end, ends))
    found = worth(wager, left, ends)
    assert found is not None
    assert found.wins == Fraction(expected, ends.total)


MALFORMED = [
    "",
    "wager = 3",
    "[[wager]]\nname = 'x'",
    "[[wager]]\nname = 'x'\npays = []",
    "[[wager]]\nname = 'x'\npays = [{ odds = [1, 0] }]",
    "[[wager]]\nname = ' '\npays = [{ odds = [1, 1] }]",
    '[[wager]]\nname = "\\u001b[2J"\npays = [{ odds = [1, 1] }]',
    "[[wager]]\nname = 'x'\npays = [{ odds = [" + "9" * 400 + ", 1] }]",
    "[[wager]]\nname = 'x'\npays = [{ odds = [1, 1], points = 12 }]",
    "[[wager]]\nname = 'x'\npays = [{ odds = [1, 1], result = 'tie', cards = 3 }]",
    "[[wager]]\nname = 'x'\npays = [{ odds = [1, 1] }, { odds = [2, 1], points = 7 }]",
    (
        "[[wager]]\nname = 'x'\n"
        "pays = [{ odds = [1, 1], pair = 'any' }, { odds = [2, 1], pair = 'mixed' }]"
    ),
    "x = " + "[" * 5000,
    "[[wager]]\nname = 'x'\npays = [{ odds = [-1, 1] }]",
    "[[wager]]\nname = 'x'\npays = [{ odds = [1, 1], pair = 'any', points = 3 }]",
    "[[wager]]\nname = 'x'\npays = [{ odds = [1, 1], pair = 'any' }, { odds = [1, 1] }]",
    "[[wager]]\nname = 'x'\npays = [{ odds = [1, 1] }]\n" * 2,
]


@pytest.mark.parametrize("text", MALFORMED)
def test_a_pay_table_that_cannot_be_read_says_why(text: str) -> None:
    with pytest.raises(MalformedError, match=r"not a pay table: .+"):
        read_paytable(text)


# The course through a shoe
def dealt(seed: int) -> list[list[str]]:
    import random  # noqa: PLC0415

    order = shuffled(full_set(8), random.Random(seed).randrange)
    return [
        [str(c) for c in cards_of(one.drawn)]
        for one in deal_shoe(order, sample_notice("tas-2018")).coups
    ]


def bet_on(coups: list[list[str]]) -> list[tuple[list[str], bool]]:
    return [(cards, True) for cards in coups]


def test_coups_nobody_can_bet_on_are_no_exposure() -> None:
    coups = [(["9c", "Kd"], True), (["9c"], False), (["9c"], True)]
    points = list(course(coups, full(8), wagers_of(load_ruleset("tas-2013")), TABLEAU))
    assert [(point.coup, point.composition.cards) for point in points] == [(1, 416), (3, 413)]


@pytest.mark.parametrize("seed", range(3))
def test_the_course_is_the_odds_of_what_nobody_has_seen(seed: int) -> None:
    coups, rules = dealt(seed), load_ruleset("tas-2018")
    wagers = wagers_of(rules)
    points = list(course(bet_on(coups), full(8), wagers, rules.tableau))
    assert points[0].worths == tuple(price("tas-2018", one.name, full(8)) for one in wagers)
    middle = len(points) // 2
    left = without(full(8), [card for cards in coups[:middle] for card in cards])
    assert points[middle].composition == left
    assert points[middle].worths == tuple(price("tas-2018", one.name, left) for one in wagers)


def test_exposure_tells_when_a_wager_turned_against_the_house() -> None:
    """With every king of one suit left and little else, perfect pairs pay the player."""
    gone = [card for card in CARDS if card != "Ks" for _ in range(8)]
    rules = load_ruleset("tas-2018")
    wagers = tuple(one for one in wagers_of(rules) if one.name == "perfect-pairs")
    points = course(bet_on([gone[:-6], ["Ks"]]), full(8), wagers, rules.tableau)
    (found,) = exposures(points)
    assert found.first == 2
    assert found.coups == 1
    assert found.best_ev > 0


def test_a_wager_of_the_operators_own_follows_the_shoe_too() -> None:
    dragon = read_paytable(
        '[[wager]]\nname = "d"\n'
        'pays = [{ result = "banker", points = 7, cards = 3, odds = [40, 1] }]'
    )
    coups = dealt(1)[:3]
    points = list(course(bet_on(coups), full(8), dragon, TABLEAU))
    assert not is_simple(dragon[0])
    left = without(full(8), [card for cards in coups[:2] for card in cards])
    expected = worth(dragon[0], left, distribution(left, TABLEAU))
    assert points[2].worths == (expected,)


def test_values_alone_cannot_price_pairs() -> None:
    by_value = Composition(full(8).by_value)
    assert pairs(by_value) is None
    perfect = next(one for one in wagers_of(load_ruleset("tas-2018")) if one.is_on_pairs)
    assert worth(perfect, by_value, distribution(by_value, TABLEAU)) is None
