"""Exact odds as data: the same figures as on the pages, each with its exact fraction."""

from collections.abc import Mapping

from litestar import Router, get
from msgspec import Struct

from puntobanco.odds.priced import loses, priced, standard_deviation
from puntobanco.odds.wagers import Worth
from puntobanco.server.odds import CHOSEN, RESULTS, Gone, Left, TheChoice, chances, composition_of


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


HANDLERS = (Router("/", route_handlers=[odds_data], dependencies=CHOSEN),)
