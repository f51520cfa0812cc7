"""A winner is never paid nothing, however the notice rounds."""

import pytest

from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.drawing import fold
from puntobanco.rules.notice import Limits, Rounding, post
from puntobanco.rules.paper.notation import parse_drawn
from puntobanco.rules.settle import settle
from puntobanco.rules.wagers import Wager, take
from puntobanco.table import commands as c
from tests.kit.clauses import clause, tas
from tests.kit.table.at import At, events, of, one, ready
from tests.kit.table.verified import sound

BANKER = "2c 6d Kh 2s"
"""Banker wins with a natural."""
BANKER_6 = "2c 6d Kh Ks 2h"


def mean(doc: str, **more: object) -> At:
    """Chips of 25, rounded down, under a minimum of 50: whoever keeps the minimum is paid."""
    limits = Limits(5000, 500_000, 2500 if doc == "act-2015" else None)
    plain = {"limits": limits, "pairs": "", "pairs_limits": None, "tie_limits": None}
    return ready(doc, rounding=Rounding.DOWN, chip_cents=2500, **plain, **more)


@pytest.mark.parametrize(
    ("doc", "method", "cards"),
    [
        pytest.param("tas-2018", "commission", BANKER, marks=clause("tas-2018:12.2")),
        pytest.param("tas-2013", "commission", BANKER, marks=clause("tas-2013:12.2")),
        pytest.param("tas-2018", "federal", BANKER_6, marks=clause("tas-2018:12.4")),
        pytest.param("tas-2013", "federal", BANKER_6, marks=clause("tas-2013:12.4")),
        pytest.param("act-2015", "A", BANKER, marks=clause("act-2015:8.8(b)")),
        pytest.param("act-2015", "B", BANKER_6, marks=clause("act-2015:8.9(b)")),
    ],
)
def test_a_wager_below_the_minimum_that_wins_is_paid_the_smallest_chip(
    doc: str, method: str, cards: str
) -> None:
    """[tas-2018:12.2, 12.4, act-2015:8.8(b), 8.9(b)] It would be rounded to nothing."""
    at = mean(doc, method=method)
    paid = one(events.WagerSettled, at.coup("1 b 25", cards))
    assert (paid.stake_cents, paid.won_cents) == (2500, 2500)
    assert paid.breakage[0] > 0
    assert sound(at)


@clause(*tas("7.3(b)", "12.2"))
def test_a_wager_cut_back_to_one_chip_that_wins_is_paid_one() -> None:
    """[tas-2018:7.3(b), 12.2]"""
    at = mean("tas-2018", collective_liability_cents=20_000)
    at.bet("1 b 50, 2 b 300")
    at.do("dan", c.ReduceWagers())
    at.deal(BANKER)
    paid = of(events.WagerSettled, at.do("dan", c.DeclareResult()))[0]
    assert (paid.wager.by, paid.stake_cents, paid.won_cents) == ("ann", 2500, 2500)
    assert sound(at)


@clause(*tas("12.2"))
def test_on_paper_as_at_the_table() -> None:
    """[tas-2018:12.2]"""
    terms = post(mean("tas-2018").notice)
    hands = fold(parse_drawn(BANKER), terms.rules.tableau)
    (line,) = settle(hands, take([Wager(1, Bet.BANKER, 2500)], terms), terms).lines
    assert (line.won_cents, line.breakage) == (2500, (2500, 20))
