"""What long play looks like: streaks and ties of simulated shoes, and what becomes of a bankroll.

Simulated, with the same seed every time, so that the figures stay; numba comes in only here, and
only when somebody asks.
"""

from functools import lru_cache
from typing import Annotated, Any, Literal

from litestar import Request, Response, Router, get
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter
from msgspec import Struct

from puntobanco.errors import MalformedError
from puntobanco.odds.course import gains, is_simple
from puntobanco.odds.plot import bar_plot
from puntobanco.odds.priced import Choice, wagers_for
from puntobanco.rules.ruleset import load
from puntobanco.server.gateway import TheCaller
from puntobanco.server.pages.odds.exact import CHOSEN, TheChoice, show

SEED = 1
COUPS = 2**20
"""Some 13,000 shoes."""
RUNS = 10_000
LONGEST_STREAK = 12
"""Longer ones are counted together."""
Plan = Literal["flat", "martingale", "paroli", "dalembert"]
PLANS: tuple[Plan, ...] = ("flat", "martingale", "paroli", "dalembert")


class Streaks(Struct, frozen=True):
    """Of whole simulated shoes."""

    shoes: int
    coups_a_shoe: float
    ties_a_shoe: float
    streaks: dict[str, tuple[int, ...]]
    """For Player and Banker: how many of length 1, 2 and so on; the last, of that or more."""
    longest: dict[str, int]
    ties: tuple[float, ...]
    """The share of shoes with 0, 1, 2 ... ties."""


@lru_cache(maxsize=32)
def streaks_of(ruleset: str, decks: int) -> Streaks:
    from puntobanco.sim.run import Job, play_chunk  # noqa: PLC0415  compiled only when needed
    from puntobanco.sim.shoes import plan_for  # noqa: PLC0415

    job = Job(plan_for(load(ruleset), decks), COUPS, SEED, details=True)
    totals = play_chunk(job, 0, COUPS)
    shoes = int(totals.lengths.sum())
    lengths, ties = ([int(n) for n in counts] for counts in (totals.lengths, totals.ties))
    rows = {
        side: [int(n) for n in row]
        for side, row in zip(("player", "banker"), totals.streaks, strict=True)
    }
    most = max(at for at, n in enumerate(ties) if n)
    return Streaks(
        shoes,
        sum(at * n for at, n in enumerate(lengths)) / shoes,
        sum(at * n for at, n in enumerate(ties)) / shoes,
        {side: (*row[1:LONGEST_STREAK], sum(row[LONGEST_STREAK:])) for side, row in rows.items()},
        {side: max(at for at, n in enumerate(row) if n) for side, row in rows.items()},
        tuple(n / shoes for n in ties[: most + 1]),
    )


class Staking(Struct, frozen=True):
    """What is staked on what, in units of the smallest stake."""

    plan: Plan = "flat"
    bet: str = "banker"
    units: int = 100
    target: int = 200
    longest: int = 500
    limit: int = 100


@lru_cache(maxsize=64)
def fate_of(choice: Choice, staking: Staking) -> dict[str, float]:
    """What became of so many bankrolls; every figure by its name."""
    from puntobanco.sim.bankroll import Betting, fates, run_bankrolls  # noqa: PLC0415
    from puntobanco.sim.shoes import plan_for  # noqa: PLC0415

    wagers = {one.name: one for one in wagers_for(choice) if is_simple(one)}
    if staking.bet not in wagers:
        raise MalformedError(f"no wager {staking.bet[:20]!r}; choose {', '.join(wagers)}")
    betting = Betting(
        staking.plan,
        gains(wagers[staking.bet]),
        staking.units,
        staking.target,
        staking.longest,
        staking.limit,
    )
    plan = plan_for(load(choice.ruleset), choice.decks)
    found = fates(run_bankrolls(plan, betting, RUNS, SEED), betting)
    return {
        "mean": found.mean,
        "error": found.standard_error,
        "median": found.median,
        "least": found.least,
        "most": found.most,
        "ruined": found.ruined / found.runs,
        "reached": found.reached / found.runs,
        "coups": found.mean_coups,
    }


def find_staking(
    plan: Annotated[Plan, QueryParameter()] = "flat",
    bet: Annotated[str, QueryParameter(max_length=20)] = "banker",
    units: Annotated[int, QueryParameter(ge=1, le=10_000)] = 100,
    target: Annotated[int, QueryParameter(ge=2, le=100_000)] = 200,
    longest: Annotated[int, QueryParameter(ge=1, le=2000)] = 500,
    limit: Annotated[int, QueryParameter(ge=1, le=100_000)] = 100,
) -> Staking:
    return Staking(plan, bet, units, target, longest, limit)


@get("/odds/runs", sync_to_thread=True, include_in_schema=False)
def runs(
    request: Request[Any, Any, State],
    caller: TheCaller,
    choice: TheChoice,
    staking: NamedDependency[Staking],
) -> Response[str]:
    """Streaks, ties and a bankroll, simulated."""
    found = streaks_of(choice.ruleset, choice.decks)
    labels = [str(ties) for ties in range(len(found.ties))]
    return show(
        request,
        caller,
        "runs.html",
        choice=choice,
        found=found,
        ties_plot=bar_plot(labels, {"": [share * 100 for share in found.ties]}),
        staking=staking,
        fate=fate_of(choice, staking),
        plans=PLANS,
        bets=[one.name for one in wagers_for(choice) if is_simple(one)],
        runs=RUNS,
        seed=SEED,
        longest=LONGEST_STREAK,
    )


HANDLERS = (
    Router(
        "/",
        route_handlers=[runs],
        dependencies={**CHOSEN, "staking": Provide(find_staking, sync_to_thread=False)},
    ),
)
