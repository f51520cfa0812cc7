"""Odds as data: the same figures as on the pages, exact ones with their fractions."""

import asyncio
from collections.abc import Mapping

from litestar import Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody
from msgspec import Struct

from puntobanco.house.access.advice import check_not_at_table
from puntobanco.house.access.sign_in import ANY_TOKEN
from puntobanco.odds.priced import loses, priced, standard_deviation
from puntobanco.odds.wagers import Worth
from puntobanco.server.pages.odds.course import Pasted, course_through
from puntobanco.server.pages.odds.exact import (
    CHOSEN,
    RESULTS,
    Gone,
    Left,
    TheChoice,
    chances,
    composition_of,
)
from puntobanco.server.pages.odds.runs import (
    RUNS,
    SEED,
    Staking,
    fate_of,
    find_staking,
    streaks_in,
)
from puntobanco.server.visit import TheVisit
from puntobanco.sim.streaks import Streaks


class WagerOdds(Struct, frozen=True):
    """One wager; exact values are fractions written out."""

    wager: str
    wins: float
    loses: float
    pushes: float
    house_edge: float
    standard_deviation: float
    exact_wins: str
    exact_pushes: str
    exact_house_edge: str
    exact_variance: str


class Odds(Struct, frozen=True):
    """Exact odds of every wager of a notice."""

    ruleset: str
    decks: int
    method: str
    pairs: str
    """Empty: none are offered."""
    composition: tuple[int, ...]
    """Cards left, by value 0 to 9."""
    sequences: str
    """Ordered six-card sequences, over which everything is counted."""
    chances: Mapping[str, float]
    by_cards: Mapping[str, float]
    by_point: Mapping[str, tuple[float, ...]]
    """For each result, by the point of the winning hand, or of both."""
    wagers: tuple[WagerOdds, ...]


def _wager_odds(one: Worth) -> WagerOdds:
    return WagerOdds(
        one.name,
        float(one.wins),
        float(loses(one)),
        float(one.pushes),
        float(one.house_edge),
        standard_deviation(one),
        str(one.wins),
        str(one.pushes),
        str(one.house_edge),
        str(one.variance),
    )


@get("/api/odds", operation_id="odds", tags=["odds"], sync_to_thread=True)
def odds_data(choice: TheChoice, gone: Gone = "", left: Left = "") -> Odds:
    """Every wager of a table notice: chances, house edge, standard deviation; for the analyst."""
    found = priced(choice, composition_of(choice, gone, left))
    ends = found.ends
    return Odds(
        choice.ruleset,
        choice.decks,
        choice.method,
        choice.pairs,
        found.left.by_value,
        str(ends.total),
        {name: float(share) for name, share in chances(ends).items()},
        {str(cards): count / ends.total for cards, count in ends.by_cards().items()},
        {result: tuple(n / ends.total for n in ends.by_total(result)) for result in RESULTS},
        tuple(map(_wager_odds, found.worths)),
    )


class EdgesBefore(Struct, frozen=True):
    """The house edge of every wager before one coup, by the cards nobody has seen."""

    coup: int
    edges: dict[str, float]


class Exposed(Struct, frozen=True):
    """When, if ever, a wager turned against the house."""

    wager: str
    first: int | None
    """The first coup at which it did."""
    coups: int
    best_coup: int
    best_ev: float


class CourseShown(Struct, frozen=True):
    ruleset: str
    decks: int
    method: str
    pairs: str
    points: tuple[EdgesBefore, ...]
    exposures: tuple[Exposed, ...]


@post("/api/odds/course", operation_id="odds-course", tags=["odds"], status_code=200, opt=ANY_TOKEN)
async def course_data(visit: TheVisit, data: JSONBody[Pasted]) -> CourseShown:
    """The course of every wager's edge through a shoe that is over, written in the notation."""
    check_not_at_table(visit.house, visit.signed_in_as)
    return await asyncio.to_thread(_course, data.shoe.replace("\r\n", "\n"))


def _course(text: str) -> CourseShown:
    found = course_through(text)
    points = tuple(
        EdgesBefore(point.coup, {worth.name: float(worth.house_edge) for worth in point.worths})
        for point in found.points
    )
    exposures = tuple(
        Exposed(wager.name, wager.first, wager.coups, wager.best_coup, float(wager.best_ev))
        for wager in found.exposures
    )
    choice = found.choice
    return CourseShown(choice.ruleset, choice.decks, choice.method, choice.pairs, points, exposures)


class RunsShown(Struct, frozen=True):
    """What long play looks like, simulated from the same seed every time."""

    seed: int
    streaks: Streaks
    bankrolls: int
    fate: dict[str, float]


@get("/api/odds/runs", operation_id="odds-runs", tags=["odds"], sync_to_thread=True)
def runs_data(choice: TheChoice, staking: NamedDependency[Staking]) -> RunsShown:
    """Streaks and ties of simulated shoes, and what becomes of a bankroll."""
    found = streaks_in(choice.ruleset, choice.decks)
    return RunsShown(SEED, found, RUNS, fate_of(choice, staking))


HANDLERS = (
    Router("/", route_handlers=[odds_data], dependencies=CHOSEN),
    Router(
        "/",
        route_handlers=[runs_data],
        dependencies={**CHOSEN, "staking": Provide(find_staking, sync_to_thread=False)},
    ),
    course_data,
)
