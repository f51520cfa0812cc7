"""Pages: templates, the regions they are made of, and what the templates may ask."""

import hashlib
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from puntobanco import roads as road
from puntobanco.house.stream import Stream
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Result
from puntobanco.rules.notation import BETS
from puntobanco.rules.ruleset import CONDITIONS, Bet
from puntobanco.server.office import Office
from puntobanco.table.actor import ON_DUTY, Role
from puntobanco.table.state import Table
from puntobanco.table.telling import clock
from puntobanco.table.view import Viewer, view
from puntobanco.words import STEPS, money
from puntobanco.words.pages import PAGES

REGIONS: dict[str, tuple[str, ...]] = {
    "player": ("sign", "felt", "bets", "own", "roads"),
    "dealer": ("desk", "felt", "wagers", "roads"),
    "display": ("sign", "felt", "roads"),
}
"""Which regions each live page of a table has."""
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
CHIPS = (1, 2, 4, 10, 20, 40, 100)
"""Chips on offer, in minimum wagers."""
MOST_CHIPS = 5
SHORT = {bet: word for word, bet in BETS.items()}


def say(key: str, **facts: object) -> str:
    """A sentence of the catalogue."""
    return PAGES[key].format(**facts)


def card_name(card: Card | None) -> str:
    if card is None:
        return say("face-down")
    rank = RANKS.get(card.value[0], card.value[0])
    return say("card", rank=rank, suit=SUITS[card.value[1]])


def cite(clauses: tuple[str, ...] | str) -> Markup:
    """Clauses as links into the rule browser; where the house decides, in words."""
    many = (clauses,) if isinstance(clauses, str) else clauses
    shown = [
        Markup('<a class="clause" href="/rules/{0}">{0}</a>').format(one)
        if one != CONDITIONS
        else Markup('<span class="clause">{}</span>').format(say("conditions"))
        for one in dict.fromkeys(many)
        if one
    ]
    return Markup(" ").join(shown)


def chips_of(table: Table) -> tuple[int, ...]:
    """The chips a player may put down, in cents: the minimum and handy multiples of it."""
    limits = table.terms.limits[Bet.BANKER]
    fit = [
        limits.min_cents * times for times in CHIPS if limits.min_cents * times <= limits.max_cents
    ]
    return tuple(fit[:MOST_CHIPS])


class Pages:
    """Renders templates; every string that is not of the house's own making is escaped."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self._env = Environment(
            loader=PackageLoader("puntobanco.server"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._env.globals |= {
            "say": say,
            "money": money,
            "card_name": card_name,
            "cite": cite,
            "clock": clock,
            "steps": STEPS,
            "roads_of": _roads_of,
            "layout_of": road.derived_layout,
            "version": _version(),
            "Role": Role,
            "on_duty_roles": ON_DUTY,
            "short": SHORT,
        }

    def render(self, template: str, **context: object) -> str:
        context.setdefault("person", "")
        return self._env.get_template(template).render(**context)

    def regions(self, page: str, table: Stream[Table], viewer: Viewer) -> dict[str, str]:
        """The regions of a live page as one viewer sees it."""
        context = self.context(table, viewer)
        return {
            name: self._env.get_template(f"regions/{name}.html").render(**context, page=page)
            for name in REGIONS[page]
        }

    def context(self, table: Stream[Table], viewer: Viewer) -> dict[str, Any]:
        state = table.state
        seen = view(state, viewer)
        names = self.office.house.people
        results = tuple(one.result for one in seen.past if one.result)
        return {
            "table": table.name,
            "seq": table.seq,
            "now_ms": self.office.house.time.now_ms(),
            "view": seen,
            "viewer": viewer,
            "results": results,
            "counts": {side: results.count(side) for side in Result},
            "chips": chips_of(state) if state.notice else (),
            "offered": tuple(state.terms.limits) if state.notice else (),
            "limits": state.terms.limits if state.notice else {},
            "virtual": bool(state.pack.commitment),
            "name_of": lambda person: names.get(person).name or person,
            "account": self.office.house.cage.state.accounts.get(viewer.person),
            "on_duty": any(one.person == viewer.person for one in state.staff),
        }


def _roads_of(results: tuple[Result, ...]) -> road.Roads:
    return road.roads(results)


def _version() -> str:
    """Changes whenever a file that browsers keep does."""
    digest = hashlib.sha256()
    folder = resources.files("puntobanco.server").joinpath("static")
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
