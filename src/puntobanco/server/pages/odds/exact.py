"""Odds for the analyst: exact figures of a notice, of any composition, and through a shoe.

Staff may not advise on play [act-2015:14.5(a)]: no page of a live table leads here, and whoever
plays or is on duty at a table is turned away until they have left it.
"""

from fractions import Fraction
from typing import Annotated

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from puntobanco.errors import MalformedError
from puntobanco.house.access.advice import ADVICE, check_not_at_table
from puntobanco.odds.composition import Composition, full
from puntobanco.odds.distribution import Distribution
from puntobanco.odds.plot import bar_plot
from puntobanco.odds.priced import (
    NO_PAIRS,
    Choice,
    Priced,
    choose,
    left_in,
    loses,
    priced,
    standard_deviation,
)
from puntobanco.odds.wagers import PAIR_KINDS, pairs
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.server.visit import TheVisit, Visit

RESULTS = ("player", "banker", "tie")

Word = Annotated[str, QueryParameter(max_length=20, pattern=r"^[a-zA-Z0-9-]*$")]
Decks = Annotated[int | None, QueryParameter(ge=1, le=26)]
Gone = Annotated[
    str,
    QueryParameter(max_length=4500, description="Cards that are gone, such as 9c Kd 2h"),
]
Left = Annotated[
    str,
    QueryParameter(max_length=80, description="Cards left by value: ten counts, of 0 to 9"),
]


def find_choice(
    visit: TheVisit,
    ruleset: Word = "",
    decks: Decks = None,
    method: Word = "",
    pairs_option: Annotated[str, QueryParameter(name="pairs", max_length=20)] = "",
) -> Choice:
    """What the caller asks about: a notice that may be posted."""
    check_not_at_table(visit.house, visit.signed_in_as)
    return choose(ruleset, decks, method, pairs_option)


TheChoice = NamedDependency[Choice]


def percent(share: Fraction | float, places: int = 4) -> str:
    """A minus, which a hyphen is not."""
    return f"{float(share * 100):.{places}f}".replace("-", "−")


def show_odds(visit: Visit, template: str, **context: object) -> Response[str]:
    facts: dict[str, object] = {
        "percent": percent,
        "loses": loses,
        "standard_deviation": standard_deviation,
    }
    facts |= {"rulesets": RULESETS, "no_pairs": NO_PAIRS, "load": load_ruleset, "advice": ADVICE}
    return visit.show(f"pages/odds/{template}", **facts, **context)


# the odds of a notice


@get("/odds", sync_to_thread=True, include_in_schema=False)
def odds(visit: TheVisit, choice: TheChoice) -> Response[str]:
    """Every wager of a notice, and how its coups end."""
    found = priced(choice, full(choice.decks))
    ends = found.ends
    by_point = {
        result: [float(Fraction(n, ends.total)) * 100 for n in ends.by_total(result)]
        for result in RESULTS
    }
    cards = {n: Fraction(count, ends.total) for n, count in ends.by_cards().items()}
    return show_odds(
        visit,
        "index.html",
        choice=choice,
        found=found,
        chances=chances(ends),
        by_point=by_point,
        points_plot=bar_plot([str(point) for point in range(10)], by_point),
        cards=cards,
        cards_plot=bar_plot(list(map(str, cards)), {"": [float(n) * 100 for n in cards.values()]}),
        pair_kinds=_pair_kinds(found),
    )


def chances(ends: Distribution) -> dict[str, Fraction]:
    """The results, and what some wagers turn on."""
    counts = {
        **{result: ends.where(result=result) for result in RESULTS},
        "banker-on-6": ends.banker_on_6,
        "natural": ends.natural_either,
    }
    return {name: Fraction(count, ends.total) for name, count in counts.items()}


def _pair_kinds(found: Priced) -> dict[str, Fraction]:
    known = pairs(found.left)
    if known is None:
        return {}
    total, counts = known
    return {kind: Fraction(counts[kind], total) for kind in PAIR_KINDS}


# any composition


@get("/odds/composition", sync_to_thread=True, include_in_schema=False)
def composition(
    visit: TheVisit, choice: TheChoice, gone: Gone = "", left: Left = ""
) -> Response[str]:
    """The odds once some cards are gone, beside those of the full shoe."""
    found = priced(choice, composition_of(choice, gone, left))
    before = {value.name: value for value in priced(choice, full(choice.decks)).worths}
    return show_odds(
        visit,
        "composition.html",
        choice=choice,
        found=found,
        before=before,
        chances=chances(found.ends),
        gone=gone,
        left=left,
    )


def composition_of(choice: Choice, gone: str, left: str) -> Composition:
    if gone.strip() and left.strip():
        raise MalformedError("give the cards that are gone, or what is left by value, not both")
    return left_in(choice, gone, left)


CHOSEN = {"choice": Provide(find_choice, sync_to_thread=False)}
"""Parameters of every page that is about a notice."""
HANDLERS = (Router("/", route_handlers=[odds, composition], dependencies=CHOSEN),)
