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
from puntobanco.sim.columns import Column, Named
from puntobanco.sim.kernels import state_of
from puntobanco.sim.shoes import ShoePlan, kernel_plan, lookup_tables, new_shoes

Plan = Literal["flat", "martingale", "paroli", "dalembert"]
PLANS: tuple[Plan, ...] = ("flat", "martingale", "paroli", "dalembert")
FATES = ("ruined", "reached", "lasted")
"""How a run ends: below one unit, at the target, or after the longest time."""
TRACE = 2**22
"""Coups dealt at once."""
MOST = 10**9
"""The largest bankroll, target and limit in units, and the longest run in coups."""


class Betting(Struct, frozen=True):
    """One unit on one wager, raised or lowered as the plan says."""

    plan: Plan
    gains: tuple[Fraction, Fraction, Fraction, Fraction]
    """What one unit gains when Player wins, Banker wins, a tie comes, Banker wins on 6."""
    bankroll: int
    target: int
    longest: int
    """Coups after which a run ends."""
    limit: int
    """The most units on one coup."""


class Runs(NamedTuple):
    """Runs that are finished: the units at their end, and how many coups they took."""

    finals: NDArray[np.float64]
    spans: NDArray[np.int64]
    walk: NDArray[np.float64]
    """The units after a coup and the stake on it, coup by coup: of the first runs, if asked."""


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


def run_bankrolls(
    plan: ShoePlan, betting: Betting, runs: int, seed: int, *, paths: int = 0
) -> Iterator[Runs]:
    """Play runs of a betting plan; yield those finished, a few million coups at a time.

    Of the first runs, as many as `paths`, every coup is kept.
    """
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
    shoes, dealt, lookup = new_shoes(plan), kernel_plan(plan), lookup_tables(plan)
    while done < runs:
        most = min(runs - done, TRACE)
        finals, spans = np.empty(most, np.int64), np.empty(most, np.int64)
        room = min(max(paths - done, 0) * betting.longest, TRACE)
        walk = np.empty((room, 2), np.int64)
        kernels.trace(state_of(seed, chunk), shoes[0], dealt, lookup, trace)
        found = kernels.bankrolls(trace, gains, unit, rules, under_way, finals, spans, walk)
        yield Runs(finals[:found] / unit, spans[:found].copy(), walk / (unit, 1))
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


def run_columns(chunks: Iterable[Runs], betting: Betting) -> dict[str, Column]:
    """One line for each run: how many coups it took, the units at its end, and how it ended."""
    some = list(chunks)
    units = np.concatenate([bankroll.finals for bankroll in some])
    ended = np.select([units < 1, units >= betting.target], [0, 1], 2).astype(np.uint8)
    return {
        "run": np.arange(1, units.size + 1),
        "coups": np.concatenate([bankroll.spans for bankroll in some]),
        "units": units,
        "fate": Named(ended, FATES),
    }


class Paths(NamedTuple):
    """Every coup of some runs, one run after the other."""

    run: NDArray[np.int64]
    coup: NDArray[np.int64]
    stake: NDArray[np.int64]
    units: NDArray[np.float64]
    """What the bankroll is after the coup."""

    def columns(self) -> dict[str, Column]:
        """One line for each coup of each run."""
        return self._asdict()


def paths_of(chunks: Iterable[Runs], paths: int) -> Paths:
    """The paths of the first runs, as far as they were kept."""
    some = list(chunks)
    spans = np.concatenate([bankroll.spans for bankroll in some])[:paths]
    coups = int(spans.sum())
    walk = np.concatenate([bankroll.walk for bankroll in some])[:coups]
    begins = np.cumsum(spans) - spans
    return Paths(
        np.repeat(np.arange(1, spans.size + 1), spans),
        np.arange(coups) - np.repeat(begins, spans) + 1,
        walk[:, 1].astype(np.int64),
        walk[:, 0],
    )


def fates(chunks: Iterable[Runs], betting: Betting) -> Fates:
    """What became of the runs, taken together."""
    some = list(chunks)
    have = np.concatenate([bankroll.finals for bankroll in some])
    spans = np.concatenate([bankroll.spans for bankroll in some])
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
