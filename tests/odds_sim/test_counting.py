"""Odds without the kernel: the same digits in plain integers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.errors import MalformedError
from puntobanco.odds import counting
from puntobanco.odds.composition import MOST_CARDS, full
from puntobanco.odds.course import course_of
from puntobanco.odds.kernel import count
from puntobanco.odds.wagers import wagers_of
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import sample_notice
from puntobanco.rules.paper.playthrough import deal_shoe
from puntobanco.rules.shoe import full_set

compositions = st.lists(st.integers(0, 130), min_size=10, max_size=10).filter(
    lambda counts: 6 <= sum(counts) <= MOST_CARDS
)


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("decks", [1, 4, 6, 8, 26])
def test_full_shoes_count_the_same_with_and_without_the_kernel(name: str, decks: int) -> None:
    tableau, left = load_ruleset(name).tableau, full(decks).by_value
    assert counting.count_plainly(left, tableau) == count(left, tableau)


@given(by_value=compositions, name=st.sampled_from(RULESETS))
@settings(max_examples=60)
def test_every_composition_counts_the_same(by_value: list[int], name: str) -> None:
    left, tableau = tuple(by_value), load_ruleset(name).tableau
    assert counting.count_plainly(left, tableau) == count(left, tableau)


@pytest.mark.parametrize(
    "by_value",
    [(0,) * 10, (5,) + (0,) * 9, (6,) * 9, (-1, 20, *(0,) * 8), (MOST_CARDS + 1,) + (0,) * 9],
)
def test_what_cannot_be_counted_is_refused_by_both(by_value: tuple[int, ...]) -> None:
    tableau = load_ruleset("tas-2018").tableau
    for counts in (count, counting.count_plainly):
        with pytest.raises(MalformedError, match="a composition needs ten counts"):
            counts(by_value, tableau)


def test_a_course_is_the_same_without_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, shoe = load_ruleset("mbs-2017"), deal_shoe(full_set(8), sample_notice("mbs-2017"))
    fast = course_of(shoe, wagers_of(rules), rules.tableau)
    monkeypatch.setattr(counting, "find_spec", lambda _name: None)
    counting.counting.cache_clear()
    assert counting.counting() is counting.count_plainly
    assert course_of(shoe, wagers_of(rules), rules.tableau) == fast
    counting.counting.cache_clear()
