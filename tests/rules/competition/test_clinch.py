"""Decided, secured or open: against everything that anyone could wager and any cards."""

import time
from itertools import product
from random import Random

import pytest

from puntobanco.errors import MalformedError
from puntobanco.rules.competition.clinch import CoupStakes, clinch, play_under
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import Limits
from tests.kit.clauses import clause, tas
from tests.rules.competition import plain

HUNDREDS = CoupStakes(Limits(100_00, 2000_00), Limits(100_00, 2000_00))


def verdict(chips: str, places: int, coups: int, play: CoupStakes = HUNDREDS) -> str:
    words = chips.split()
    held = {who: int(each) * 100 for who, each in zip(words[::2], words[1::2], strict=True)}
    return clinch(held, places, coups, play).verdict


SMALL_TIE = CoupStakes(Limits(100_00, 2000_00), Limits(5_00, 50_00))
CASES = [
    # who, places, coups, verdict
    ("a Tie with the maximum, one short", "A 21001 B 5000", 1, 1, HUNDREDS, "decided"),
    ("level is caught", "A 21000 B 5000", 1, 1, HUNDREDS, "open"),
    ("a Tie needs the minimum beside it", "A 8201 B 1000", 1, 1, HUNDREDS, "decided"),
    ("the minimum is saved for it", "A 8200 B 1000", 1, 1, HUNDREDS, "open"),
    ("no coup is left", "A 101 B 100", 1, 0, HUNDREDS, "decided"),
    ("no coup is left, and level", "A 100 B 100", 1, 0, HUNDREDS, "open"),
    ("everyone advances", "A 100 B 100", 2, 5, HUNDREDS, "decided"),
    ("nobody else is left", "A 5000 B 99 C 12", 1, 30, HUNDREDS, "decided"),
    ("those out are level", "A 5000 B 99 C 12", 2, 30, HUNDREDS, "open"),
    ("all are out", "A 99 B 98", 1, 3, HUNDREDS, "open"),
    ("nobody is out after the last coup", "A 99 B 98", 1, 0, HUNDREDS, "decided"),
    ("far ahead", "A 5100 B 500", 1, 1, SMALL_TIE, "decided"),
    ("who may lose all is not safe", "A 2000 B 400", 1, 1, SMALL_TIE, "secured"),
    ("two places", "A 9000 B 8000 C 100", 2, 1, SMALL_TIE, "decided"),
    ("two places, one is near", "A 9000 B 200 C 100", 2, 1, SMALL_TIE, "open"),
    ("out before the end", "A 4000 B 100", 1, 3, SMALL_TIE, "secured"),
    ("even the minimum may be the end", "A 190 B 100", 1, 2, SMALL_TIE, "open"),
]


@clause(*tas("16.3.5"))
@pytest.mark.parametrize(
    ("chips", "places", "coups", "play", "expected"),
    [pytest.param(*row[1:], id=row[0]) for row in CASES],
)
def test_verdicts(chips: str, places: int, coups: int, play: CoupStakes, expected: str) -> None:
    """[tas-2018:16.3.5]"""
    assert verdict(chips, places, coups, play) == expected


@clause(*tas("16.3.5"))
def test_the_proof_can_be_gone_through_by_hand() -> None:
    """[tas-2018:16.3.5]"""
    found = clinch({"A": 2_100_100, "B": 500_000, "C": 9_900}, 1, 1, HUNDREDS)
    assert (found.verdict, found.ahead) == ("decided", ("A",))
    assert found.proof == (
        "Out, below the minimum of 100: C.",
        "Ahead: A is the last, with 21001; B is next, with 5000.",
        "Whatever they wager and whatever cards fall:",
        "With 1 coup won by a hand: B at most 7000, A at least 17001.",
        "With 1 Tie: B at most 21000, A at least 21001.",
    )


def test_who_is_level_at_the_line_is_not_ahead() -> None:
    found = clinch({"A": 900_00, "B": 500_00, "C": 500_00}, 2, 1, HUNDREDS)
    assert (found.verdict, found.ahead) == ("open", ("A",))


def test_a_long_proof_tells_the_closest_step() -> None:
    found = clinch({"A": 10**9, "B": 100_00}, 1, 30, SMALL_TIE)
    assert found.verdict == "decided"
    assert found.proof[-2] == "Closest of all:"


def test_what_may_be_staked_comes_from_the_document() -> None:
    """One wager on a hand is Tasmania's [tas-2018:16.4.4]; elsewhere a Tie may stand alone."""
    limits, pairs = Limits(100_00, 200_00), Limits(10_00, 50_00)
    found = {
        name: play_under(load_ruleset(name), limits, None, pairs)
        for name in ("tas-2018", "act-2015", "mbs-2017")
    }
    assert [play.needs_main for play in found.values()] == [True, False, False]
    assert [play.pairs for play in found.values()] == [None, pairs, pairs]
    assert [play.pairs_odds for play in found.values()] == [(25, 1), (25, 1), (11, 1)]
    assert {play.main_odds for play in found.values()} == {(1, 1)}
    assert {play.tie_odds for play in found.values()} == {(8, 1)}
    chips = {"A": 1000_00, "B": 110_00}
    assert clinch(chips, 1, 1, found["tas-2018"]).verdict == "decided"
    assert clinch(chips, 1, 1, found["act-2015"]).verdict == "open"  # 25 to 1, twice


def test_wagers_in_units() -> None:
    chips, limits = {"A": 8 * 190 + 199, "B": 199}, Limits(10, 1000)
    assert clinch(chips, 1, 1, CoupStakes(limits, limits, needs_main=False)).verdict == "open"
    assert (
        clinch(chips, 1, 1, CoupStakes(limits, limits, needs_main=False, unit_cents=10)).verdict
        == "open"
    )
    ahead = {**chips, "A": chips["A"] + 1}
    assert clinch(ahead, 1, 1, CoupStakes(limits, limits, needs_main=False)).verdict == "open"
    assert (
        clinch(ahead, 1, 1, CoupStakes(limits, limits, needs_main=False, unit_cents=10)).verdict
        != "open"
    )


@pytest.mark.parametrize(
    ("chips", "places", "coups"), [({"A": 1}, 0, 1), ({"A": 1}, 1, -1), ({"A": -1}, 1, 1)]
)
def test_nonsense_is_refused(chips: dict[str, int], places: int, coups: int) -> None:
    with pytest.raises(MalformedError):
        clinch(chips, places, coups, HUNDREDS)


@clause(*tas("16.3.5"))
def test_everything_that_can_be_wagered_is_tried_in_ten_thousand_small_sessions() -> None:
    """[tas-2018:16.3.5]: one coup in all, and two where no total is barred."""
    random, seen = Random(16), dict[str, int]()
    for _ in range(10_000):
        coups = random.choice((0, 1, 1, 1, 1, 2))
        least = random.randint(1, 3)
        most = least + random.randint(0, 2)
        tie_least = random.randint(1, 3 if coups < 2 else most - least + 1)
        tie_most = tie_least + random.randint(0, 2)
        tops = [random.choice((4, 8, 14, 40, 60)) for _ in range(random.randint(1, 3))]
        chips = {f"p{number}": random.randint(0, top) for number, top in enumerate(tops)}
        places, alone = random.randint(1, 2), random.random() < 0.3
        limits, ties = (least, most), (tie_least, tie_most)
        play = CoupStakes(Limits(*limits), Limits(*ties), needs_main=not alone)
        found = clinch(chips, places, coups, play).verdict
        expected = plain.verdict(chips, places, coups, limits, ties, alone)
        assert found == expected, (chips, places, coups, limits, ties, alone)
        seen[found] = seen.get(found, 0) + 1
    assert min(seen[one] for one in ("decided", "secured", "open")) > 100, seen


def test_who_is_through_really_is_the_same_in_every_combination() -> None:
    """The whole table at once, wager by wager: pairs of players are enough to look at."""
    random, limits, ties = Random(5), (1, 2), (1, 1)
    play = CoupStakes(Limits(*limits), Limits(*ties))
    for _ in range(150):
        chips = {who: random.randint(0, 12) for who in "ABC"}
        places = random.randint(1, 2)
        outcomes = set()
        for results in product("pbt", repeat=1):
            ends = [
                sorted(plain.ends(chips[who], results, limits, ties, False, False)) for who in chips
            ]
            for combined in product(*ends):
                by_rank = sorted(zip(combined, chips, strict=True), reverse=True)
                level = by_rank[places - 1][0] == by_rank[places][0]
                outcomes.add(
                    "level" if level else "".join(sorted(who for _, who in by_rank[:places]))
                )
        decided = len(outcomes) == 1 and outcomes != {"level"}
        assert (clinch(chips, places, 1, play).verdict == "decided") == decided, chips


def test_on_the_safe_side_where_totals_are_barred() -> None:
    """A Tie minimum above the difference of the limits: never decided where it is not."""
    random = Random(9)
    for _ in range(400):
        limits, ties = (2, 2), (random.randint(2, 3), 3)
        chips = {who: random.randint(0, 30) for who in "AB"}
        found = clinch(chips, 1, 2, CoupStakes(Limits(*limits), Limits(*ties))).verdict
        truly = plain.verdict(chips, 1, 2, limits, ties)
        assert ["open", "secured", "decided"].index(found) <= ["open", "secured", "decided"].index(
            truly
        )


def test_ten_coups_and_nine_players_take_less_than_fifty_milliseconds() -> None:
    chips = {f"p{number}": 10**9 - number * 10**7 for number in range(9)}
    clinch(chips, 4, 10, HUNDREDS)
    began = time.process_time()
    clinch(chips, 4, 10, HUNDREDS)
    assert time.process_time() - began < 0.05
