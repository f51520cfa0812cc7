"""Bankrolls under simple betting plans: what becomes of them, and how long they last."""

from fractions import Fraction
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from puntobanco.errors import MalformedError
from puntobanco.sim import kernels
from puntobanco.sim.generator import state_of
from puntobanco.sim.shoes import ShoePlan, kernel_plan, new_shoes, tables

Plan = Literal["flat", "martingale", "paroli", "dalembert"]
PLANS: tuple[Plan, ...] = ("flat", "martingale", "paroli", "dalembert")
TRACE = 2**22


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


def run_bankrolls(plan: ShoePlan, betting: Betting, runs: int, seed: int) -> Fates:
    """Play so many runs of a betting plan."""
    if not (0 < betting.bankroll < betting.target and betting.longest > 0 and betting.limit > 0):
        raise MalformedError(
            "a bankroll run needs a bankroll above nothing, a target above it, and limits"
        )
    unit = int(np.lcm.reduce([gain.denominator for gain in betting.gains]))
    gains = np.array([int(gain * unit) for gain in betting.gains], np.int64)
    rules = (
        betting.bankroll * unit,
        betting.target * unit,
        betting.longest,
        betting.limit,
        PLANS.index(betting.plan),
    )
    finals: list[NDArray[np.int64]] = []
    spans: list[NDArray[np.int64]] = []
    done, chunk = 0, 0
    trace = np.empty(max(TRACE, betting.longest), np.uint8)
    while done < runs:
        final, span = (np.empty(runs - done, np.int64) for _ in range(2))
        state, shoes = state_of(seed, chunk), new_shoes(plan)
        kernels.trace(state, shoes[0], kernel_plan(plan), tables(plan), trace)
        found = kernels.bankrolls(trace, gains, unit, rules, final, span)
        finals.append(final[:found])
        spans.append(span[:found])
        done, chunk = done + found, chunk + 1
    return _fates(np.concatenate(finals), np.concatenate(spans), unit, betting)


def _fates(
    finals: NDArray[np.int64], spans: NDArray[np.int64], unit: int, betting: Betting
) -> Fates:
    have = finals / unit
    runs = have.size
    return Fates(
        runs,
        float(have.mean()),
        float(have.std(ddof=1) / np.sqrt(runs)) if runs > 1 else 0.0,
        int((finals < unit).sum()),
        int((finals >= betting.target * unit).sum()),
        float(np.median(have)),
        float(have.min()),
        float(have.max()),
        float(spans.mean()),
    )
