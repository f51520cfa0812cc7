"""What long play looks like: streaks and ties of simulated shoes, and what becomes of a bankroll.

Simulated, with the same seed every time, so that the figures stay; numba comes in only here, and
only when somebody asks.
"""

from functools import lru_cache
from typing import Annotated, Literal

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter
from msgspec import Struct

from puntobanco.errors import MalformedError
from puntobanco.odds.course import gains, is_simple
from puntobanco.odds.plot import bar_plot
from puntobanco.odds.priced import Choice, wagers_for
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.server.pages.odds.exact import CHOSEN, TheChoice, show_odds
from puntobanco.server.visit import TheVisit
from puntobanco.sim.streaks import LONGEST_STREAK, Streaks, streaks_of

SEED = 1
COUPS = 2**20
"""Some 13,000 shoes."""
RUNS = 10_000
Plan = Literal["flat", "martingale", "paroli", "dalembert"]
PLANS: tuple[Plan, ...] = ("flat", "martingale", "paroli", "dalembert")


@lru_cache(maxsize=32)
def streaks_in(ruleset: str, decks: int) -> Streaks:
    """Of as many shoes as COUPS make."""
    return streaks_of(load_ruleset(ruleset), decks, COUPS, SEED)


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
    """What became of all the bankrolls; every figure by its name."""
    from puntobanco.sim.bankroll import Betting, fates, run_bankrolls  # noqa: PLC0415
    from puntobanco.sim.shoes import plan_for  # noqa: PLC0415

    wagers = {wager.name: wager for wager in wagers_for(choice) if is_simple(wager)}
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
    plan = plan_for(load_ruleset(choice.ruleset), choice.decks)
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
def runs(visit: TheVisit, choice: TheChoice, staking: NamedDependency[Staking]) -> Response[str]:
    """Streaks, ties and a bankroll, simulated."""
    found = streaks_in(choice.ruleset, choice.decks)
    labels = [str(ties) for ties in range(len(found.ties))]
    return show_odds(
        visit,
        "runs.html",
        choice=choice,
        found=found,
        ties_plot=bar_plot(labels, {"": [share * 100 for share in found.ties]}),
        staking=staking,
        fate=fate_of(choice, staking),
        plans=PLANS,
        bets=[wager.name for wager in wagers_for(choice) if is_simple(wager)],
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
