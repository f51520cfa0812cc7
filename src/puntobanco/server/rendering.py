"""Pages: templates, the regions they are made of, and what the templates may ask."""

import hashlib
import re
from datetime import UTC, datetime  # noqa: TID251  to write a moment down, not to ask for one
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from puntobanco import roads as road
from puntobanco.house.may import INTENTS, why_not
from puntobanco.house.stream import Stream
from puntobanco.house.virtual_shoe import face_down_position, hand_positions
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Result, Side
from puntobanco.rules.ruleset import CONDITIONS, Bet
from puntobanco.rules.settle import Outcome
from puntobanco.server.commands.offered import acts, awaited, grouped, in_words, turn_of
from puntobanco.server.gateway import Gateway
from puntobanco.table.actor import ON_DUTY, Actor
from puntobanco.table.authority import AUTHORITY, Form, counting, name_of
from puntobanco.table.commands import Command
from puntobanco.table.next_step import next_step
from puntobanco.table.sentences import clock
from puntobanco.table.state import Table
from puntobanco.table.view import View, Viewer, view
from puntobanco.words import BETS, LAST_SAYING, SAYINGS, Step, money
from puntobanco.words.commands import COMMANDS, FIELDS, OWN, VALUES
from puntobanco.words.pages import PAGES

REGIONS: dict[str, tuple[str, ...]] = {
    "player": ("sign", "felt", "bets", "own", "roads"),
    "dealer": ("desk", "felt", "wagers", "roads"),
    "pit": ("pit", "felt", "wagers", "sign", "roads"),
    "display": ("sign", "felt", "roads"),
}
"""Which regions each live page of a table has."""
STAFF_PAGES = frozenset({"dealer", "pit"})
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
CHIPS = (1, 2, 4, 10, 20, 40, 100)
"""Chips on offer, in minimum wagers."""
MOST_CHIPS = 6
AREAS = (Bet.BANKER_PAIR, Bet.PLAYER_PAIR, Bet.TIE, Bet.BANKER, Bet.PLAYER)
"""Of a box on the layout, from the dealer's side to the player's."""
LAST_MS = 253_402_300_799_000
"""The end of the year 9999."""
INDENTED = re.compile(r"\s*\n\s*")
"""Every watcher gets it: nobody need send spaces to five hundred."""
NAME_MS, MOST_NAMES = 5000, 10_000
KEYS = {Bet.PLAYER: "p", Bet.BANKER: "b", Bet.TIE: "t", Bet.PLAYER_PAIR: "P", Bet.BANKER_PAIR: "B"}
"""By which a player puts a chip down."""


def say(key: str, **facts: object) -> str:
    """A sentence of the catalogue; with markup in it, markup, and all else escaped."""
    if any(isinstance(fact, Markup) for fact in facts.values()):
        return Markup(PAGES[key]).format(**facts)  # noqa: S704  our own catalogue
    return PAGES[key].format(**facts)


def _money(cents: int) -> Markup:
    """An amount; the reader's own browser writes it as the reader is used to."""
    return Markup('<data class="money" value="{}">{}</data>').format(cents, money(cents))


def moment(at_ms: int) -> str:
    """A moment as it stands in the record, in UTC.

    >>> moment(1_700_000_000_000)
    '2023-11-14 22:13:20'
    """
    at = datetime.fromtimestamp(min(max(at_ms, 0), LAST_MS) // 1000, UTC)
    return at.strftime("%Y-%m-%d %H:%M:%S")


def when(at_ms: int, *, full: bool = False) -> Markup:
    """A moment; the reader's own browser shows it in the reader's own time."""
    if full:
        return Markup('<time data-ms="{}" data-full>{} UTC</time>').format(at_ms, moment(at_ms))
    return Markup('<time data-ms="{}">{}</time>').format(at_ms, clock(at_ms))


def card_name(card: Card | None) -> str:
    if card is None:
        return say("face-down")
    rank = RANKS.get(card.value[0], card.value[0])
    return say("card", rank=rank, suit=SUITS[card.value[1]])


def tell_ask(ask: Command) -> str:
    """A command that waits for a second person, as people say it."""
    name = str(ask.__struct_config__.tag)
    facts = [
        f"{FIELDS[key].lower()} {money(value) if key.endswith('cents') else value}"
        for key in ask.__struct_fields__
        if (value := getattr(ask, key)) not in (None, "", ()) and key in FIELDS
    ]
    return f"{COMMANDS[name].title}: {', '.join(facts)}" if facts else COMMANDS[name].title


def saying(seen: View) -> str:
    """What the dealer announces now; nothing where there is nothing to say."""
    step, play = seen.next, seen.play
    if step is None:
        return ""
    said = SAYINGS.get(step.step, "")
    if "{" in said:
        if play is None or play.player_points is None or play.banker_points is None:
            return ""
        points = {"player": play.player_points, "banker": play.banker_points}
        said = said.format(**points, result=_won(str(step.facts.get("result", ""))))
    if play is not None and step.step in (Step.CALL, Step.TAKE_BETS):
        said = f"{LAST_SAYING.get(play.last, '')} {said}".strip()
    return said


def _won(result: str) -> str:
    return say("tie") if result == "tie" else say("says-wins", side=result.capitalize())


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
    """The chips a player may put down, in cents: every minimum, and handy multiples."""
    limits = table.terms.limits[Bet.BANKER]
    least = {one.min_cents for one in table.terms.limits.values()}
    fit = [
        limits.min_cents * times for times in CHIPS if limits.min_cents * times <= limits.max_cents
    ]
    return tuple(sorted(least | set(fit))[:MOST_CHIPS])


class Pages:
    """Renders templates; every string that is not of the house's own making is escaped."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway
        self._names: dict[str, tuple[str, int]] = {}
        self._env = Environment(
            loader=PackageLoader("puntobanco.server"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._env.globals |= {
            "say": say,
            "money": _money,
            "when": when,
            "area_names": {bet: say(f"area.{bet}") for bet in Bet},
            "card_name": card_name,
            "cite": cite,
            "pressed": [name_of(one) for one in INTENTS if INTENTS[one].form is Form.NOTHING],
            "roads_of": _roads_of,
            "layout_of": road.derived_layout,
            "ruled": _ruled,
            "version": _version(),
            "keys": KEYS,
            "commands": COMMANDS,
            "own_words": {**COMMANDS, **OWN},
            "tell_ask": tell_ask,
            "saying": saying,
            "new_id": lambda: gateway.house.chance.some_bytes(16).hex(),
            "bet_names": BETS,
            "outcomes": {one: say(f"outcome.{one}") for one in Outcome},
            "found_words": lambda found: VALUES[f"found.{found}"],
        }

    def name_of(self, person: str) -> str:
        """A person's name; asked for again after a while, for it may have been corrected."""
        now_ms = self.gateway.house.time.now_ms()
        name, until_ms = self._names.get(person, ("", -1))
        if until_ms < now_ms:
            name = self.gateway.house.people.get(person).name or person
            if len(self._names) >= MOST_NAMES:
                self._names.clear()
            self._names[person] = (name, now_ms + NAME_MS)
        return name

    def render(self, template: str, **context: object) -> str:
        context.setdefault("person", "")
        return self._env.get_template(template).render(**context)

    def regions(self, page: str, table: Stream[Table], viewer: Viewer) -> dict[str, str]:
        """The regions of a live page as one viewer sees it."""
        context = self.context(table, viewer)
        drawn = {
            name: self._env.get_template(f"regions/{name}.html").render(**context, page=page)
            for name in REGIONS[page]
        }
        return {name: INDENTED.sub("\n", html) for name, html in drawn.items()}

    def context(self, table: Stream[Table], viewer: Viewer) -> dict[str, Any]:
        state, now_ms = table.state, self.gateway.house.time.now_ms()
        seen, by = view(state, viewer), Actor(viewer.person, viewer.roles, now_ms)
        results = tuple(one.result for one in seen.past if one.result)
        return {
            "table": table.name,
            "now_ms": now_ms,
            "view": seen,
            "viewer": viewer,
            "results": results,
            "counts": {side: results.count(side) for side in Result},
            "chips": chips_of(state) if state.notice else (),
            "offered": tuple(state.terms.limits) if state.notice else (),
            "areas": [bet for bet in AREAS if state.notice and bet in state.terms.limits],
            "limits": state.terms.limits if state.notice else {},
            "virtual": bool(state.pack.commitment),
            "root": self.gateway.house.roots.noted,
            "name_of": self.name_of,
            "account": self.gateway.house.cage.state.accounts.get(viewer.person),
            "acts": dict(grouped(acts(state, by))) if by.roles else {},
            "turn": turn_of(state, by, self.name_of) if by.roles else None,
            "can": lambda name, **facts: why_not(state, name, by, facts) is None,
            "why_not": lambda name: in_words(why_not(state, name, by)),
            "held": state.coup if state.coup and state.coup.found else None,
            "second_of": lambda ask: awaited(state, AUTHORITY[type(ask)].second),
            "partnership": _incident(state, "partnership"),
            "asked_face_down": state.face_down.asked_by,
            "face_down_on": state.face_down.on,
            "told": state.face_down.informed,
            "free_coups": state.free_coups,
            "position": _turned_next(state),
            "turning": _turning(state, viewer.person),
            "bot_deals": self.gateway.bot_dealer(table.name) != "",
            "duties": sorted(counting(state, viewer.roles) & ON_DUTY),
            "on_duty": any(one.person == viewer.person for one in state.staff),
        }


def _incident(table: Table, kind: str) -> str:
    """The clause behind something that people must look at, where the document has one."""
    return table.terms.rules.people.incidents.get(kind, "") if table.notice else ""


def _turned_next(table: Table) -> int | None:
    """Which card is turned next, where some lie face down."""
    step = next_step(table) if table.coup and table.coup.face_down else None
    if step is None or step.step is not Step.TURN_CARDS:
        return None
    return face_down_position(table, Side(str(step.facts["side"])))


def _turning(table: Table, person: str) -> dict[str, tuple[int, ...]]:
    """The hand that this person turns now, and which cards of the coup it has."""
    next_one, coup = _turned_next(table), table.coup
    if next_one is None or coup is None or not table.pack.commitment:
        return {}
    side = coup.hands(table.terms).given(next_one - 1)
    if side is None or coup.held_by.get(side) != person:
        return {}
    return {side: hand_positions(table, side)}


def _roads_of(results: tuple[Result, ...]) -> road.Roads:
    return road.roads(results)


@cache
def _ruled(columns: int) -> str:
    """The lines of a road's grid, as an SVG path."""
    down = "".join(f"M{column * 10} 0V60" for column in range(1, columns))
    return down + "".join(f"M0 {row * 10}H{columns * 10}" for row in range(1, 6))


def _version() -> str:
    """Changes whenever a file that browsers keep does."""
    digest = hashlib.sha256()
    folder = resources.files("puntobanco.server").joinpath("static")
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
