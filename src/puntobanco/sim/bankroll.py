"""Bankrolls under simple betting plans: what becomes of them, and how long they last.

flat stakes one unit. martingale doubles after a loss and starts again after a win; paroli doubles
after a win, to four units, and starts again after three wins or a loss; dalembert stakes one unit
more after a loss and one less after a win. No stake passes the limit or what is left of the
bankroll, and a wager given back changes nothing.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import lcm, sqrt
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from puntobanco.errors import MalformedError
from puntobanco.sim import kernels
from puntobanco.sim.kernels import state_of
from puntobanco.sim.shoes import ShoePlan, kernel_plan, new_shoes, tables

Plan = Literal["flat", "martingale", "paroli", "dalembert"]
PLANS: tuple[Plan, ...] = ("flat", "martingale", "paroli", "dalembert")
TRACE = 2**22
MOST = 10**9


class Betting(Struct, frozen=True):
    """One unit on one wager, raised or lowered as the plan says."""

    plan: Plan
    gains: tuple[Fraction, Fraction, Fraction, Fraction]
    """What one unit gains when Player wins, Banker wins, a tie comes, Banker wins on 6."""
    bankroll: int
    target: int
    longest: int
    """A run ends after so many coups."""
    limit: int
    """The most units on one coup."""


class Runs(NamedTuple):
    """Runs that are finished: the units at their end, and how many coups they took."""

    finals: NDArray[np.float64]
    spans: NDArray[np.int64]


class Fates(Struct, frozen=True):
    """What became of the runs, in units."""

    runs: int
    mean: float
    standard_error: float
    ruined: int
    reached: int
    median: float
    least: float
    most: float
    mean_coups: float


def run_bankrolls(plan: ShoePlan, betting: Betting, runs: int, seed: int) -> Iterator[Runs]:
    """Play so many runs of a betting plan; yield those finished, a few million coups at a time."""
    _check(betting)
    unit, gains = _in_whole_parts(betting)
    start = betting.bankroll * unit
    rules = (
        start,
        betting.target * unit,
        betting.longest,
        betting.limit,
        PLANS.index(betting.plan),
    )
    under_way = np.array([start, 1, 0, 0], np.int64)
    trace, done, chunk = np.empty(TRACE, np.uint8), 0, 0
    shoes, dealt, lookup = new_shoes(plan), kernel_plan(plan), tables(plan)
    while done < runs:
        most = min(runs - done, TRACE)
        finals, spans = np.empty(most, np.int64), np.empty(most, np.int64)
        kernels.trace(state_of(seed, chunk), shoes[0], dealt, lookup, trace)
        found = kernels.bankrolls(trace, gains, unit, rules, under_way, finals, spans)
        yield Runs(finals[:found] / unit, spans[:found].copy())
        done, chunk = done + found, chunk + 1


def _check(betting: Betting) -> None:
    amounts = (betting.bankroll, betting.longest, betting.limit)
    if not all(0 < amount <= MOST for amount in amounts) or not (
        betting.bankroll < betting.target <= MOST
    ):
        raise MalformedError(
            f"a bankroll run needs a bankroll, a target above it, and limits, each 1 to {MOST}"
        )


def _in_whole_parts(betting: Betting) -> tuple[int, NDArray[np.int64]]:
    """The parts of a unit that make every gain whole, and the gains in them."""
    unit = lcm(*(gain.denominator for gain in betting.gains))
    return unit, np.array([int(gain * unit) for gain in betting.gains], np.int64)


def fates(chunks: Iterable[Runs], betting: Betting) -> Fates:
    """What became of the runs, taken together."""
    some = list(chunks)
    have = np.concatenate([one.finals for one in some])
    spans = np.concatenate([one.spans for one in some])
    runs = have.size
    if not runs:
        raise MalformedError("no run was finished")
    return Fates(
        runs,
        float(have.mean()),
        float(have.std(ddof=1) / sqrt(runs)) if runs > 1 else 0.0,
        int((have < 1).sum()),
        int((have >= betting.target).sum()),
        float(np.median(have)),
        float(have.min()),
        float(have.max()),
        float(spans.mean()),
    )
