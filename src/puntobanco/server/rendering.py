"""Templates, and what every template may ask: words, money, moments, cards, clauses, roads."""

import re
from datetime import UTC, datetime  # noqa: TID251  to write a moment down, not to ask for one

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import asdict

from puntobanco.colours import colour_words
from puntobanco.house.access.names import id_shown, person_called, place_called, told_to_staff
from puntobanco.house.access.rights import WATCH_OVER
from puntobanco.house.access.search import FoundLine
from puntobanco.house.access.waiting import Waiting
from puntobanco.house.house import House
from puntobanco.house.may import INTENTS
from puntobanco.house.till.time_zone import house_ahead, zone_of
from puntobanco.pictures.cards import SUIT_PATHS
from puntobanco.pictures.glance import glance
from puntobanco.register.settings import Tempo, is_no_limit
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.conditions import minutes_ahead
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet
from puntobanco.rules.notice import Limits, Terms
from puntobanco.rules.settle import Outcome
from puntobanco.server import files
from puntobanco.server.commands.forms import changed
from puntobanco.server.commands.typed import DAY_MS, MINUTE_MS, chip_rows
from puntobanco.server.live.roads import road_mark, roads_of
from puntobanco.server.look import look_of, shown_money
from puntobanco.table.authority import Form, name_of
from puntobanco.table.commands import Command
from puntobanco.table.sentences import clock, tell_ask, zone
from puntobanco.table.view import View
from puntobanco.words import (
    BETS,
    LAST_SAYING,
    SAYINGS,
    STEPS,
    Step,
    capitalised,
    clause_called,
    money,
    step_facts,
    told_card,
    told_money,
    told_result,
    waited_for,
)
from puntobanco.words.commands import COMMANDS, OWN, VALUES
from puntobanco.words.competition import COMPETITION_COMMANDS
from puntobanco.words.pages import PAGES
from puntobanco.words.stage import WHY

SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
AREAS = (Bet.BANKER_PAIR, Bet.PLAYER_PAIR, Bet.TIE, Bet.BANKER, Bet.PLAYER)
"""Of a box on the layout, from the dealer's side to the player's."""
LAST_MS = 253_402_300_799_000
"""The end of the year 9999."""
USUAL_COLOURS = {"felt": "#20634a", "accent": "#0f6549"}
"""Where a colour starts from that the house has not set, as `tokens.css` has them."""
KEYS = {Bet.PLAYER: "p", Bet.BANKER: "b", Bet.TIE: "t", Bet.PLAYER_PAIR: "P", Bet.BANKER_PAIR: "B"}
"""By which a player puts a chip down."""


def say(key: str, **facts: object) -> str:
    """A sentence of the catalogue; with markup in it, markup, and all else escaped."""
    if any(isinstance(fact, Markup) for fact in facts.values()):
        return Markup(PAGES[key]).format(**facts)  # noqa: S704  our own catalogue
    return PAGES[key].format(**facts)


def moment(at_ms: int) -> str:
    """A moment as it stands in the record, in UTC.

    >>> moment(1_700_000_000_000)
    '2023-11-14 22:13:20'
    """
    at = datetime.fromtimestamp(min(max(at_ms, 0), LAST_MS) // 1000, UTC)
    return at.isoformat(" ")[: len("2023-11-14 22:13:20")]


def starts(at_ms: int, start: str, part: str = "start") -> Markup:
    """A day and a time to come to: by the clock by which a competition's conditions give its
    `start`, wherever its reader is, on every page as on paper; nobody comes to the second. `part`
    is `day` or `time` where the other stands beside it; the zone is said with the day.
    """
    ahead = minutes_ahead(start)
    date = moment(at_ms + ahead * MINUTE_MS).partition(" ")[0]
    time = clock(at_ms, ahead)
    told = {"day": f"{date} {zone(ahead)}", "time": time[:5]}.get(part, f"{date} {time}")
    return Markup('<time data-ms="{}" data-ahead="{}" data-zone="{}" data-{}>{}</time>').format(
        at_ms, ahead, zone(ahead), part, told
    )


def on_another_day(at_ms: int, now_ms: int, start: str) -> bool:
    """Whether a start is on another day than now, by the same clock: a time alone would mislead.

    >>> on_another_day(1_773_471_600_000, 1_773_406_800_000, "2026-03-14T18:00:00+11:00")
    False
    >>> on_another_day(1_773_471_600_000, 1_773_406_799_999, "2026-03-14T18:00:00+11:00")
    True
    """
    ahead_ms = minutes_ahead(start) * MINUTE_MS
    return (at_ms + ahead_ms) // DAY_MS != (now_ms + ahead_ms) // DAY_MS


def when(
    at_ms: int, ahead: int, *, full: bool = False, seconds: bool = False, day: bool = False
) -> Markup:
    """A moment by the house's clock; where the house has said nothing of where it is, the reader's
    own browser shows it in the reader's own time.
    """
    date, _, time = moment(at_ms + ahead * MINUTE_MS).partition(" ")
    if day:
        return Markup('<time data-ms="{}" data-day>{}</time>').format(at_ms, date)
    if seconds:
        return Markup('<time data-ms="{}" data-seconds>{}</time>').format(at_ms, time)
    if full:
        told = f"{date} {time} {zone(ahead)}"
        return Markup('<time data-ms="{}" data-full>{}</time>').format(at_ms, told)
    return Markup('<time data-ms="{}">{}</time>').format(at_ms, clock(at_ms, ahead))


def card_name(card: Card | None) -> str:
    if card is None:
        return say("face-down")
    rank = RANKS.get(card.value[0], card.value[0])
    return say("card", rank=rank, suit=SUITS[card.value[1]])


def waited(since_ms: int, now_ms: int) -> str:
    """How long somebody has waited.

    >>> waited(0, 42_900), waited(0, 3_725_000)
    ('0:42', '62:05')
    """
    minutes, seconds = divmod(max(0, now_ms - since_ms) // 1000, 60)
    return f"{minutes}:{seconds:02}"


def said_of(found: FoundLine) -> str:
    """What tells a thing that was found from others, in people's words."""
    if found.kind == "clause":
        return clause_called(found.id)
    phases = {"table": "phase", "competition": "phase-of-cup"}
    return say(f"{phases[found.kind]}.{found.more}") if found.kind in phases else found.more


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
        said = said.format(**points, result=told_result(**points))
    if play is not None and step.step in (Step.CALL, Step.TAKE_BETS):
        said = f"{LAST_SAYING.get(play.last, '')} {said}".strip()
    return said


def cite(clauses: tuple[str, ...] | str, *, short: bool = False) -> Markup:
    """Clauses as links into the rule browser; where the house decides, in words. In short: by
    their numbers alone, where the page says of which document; of several the first says it.
    """
    many = (clauses,) if isinstance(clauses, str) else clauses
    shown, document = list[Markup](), ""
    for one in dict.fromkeys(filter(None, many)):
        if one == CONDITIONS:
            own = say("conditions.short" if short else "conditions")
            shown.append(Markup('<span class="clause">{}</span>').format(own))
            continue
        before, document = document, one.partition(":")[0]
        called = clause_called(one, short=short or before == document)
        shown.append(Markup('<a class="clause" href="/rules/{}">{}</a>').format(one, called))
    return Markup(" ").join(shown)


def limit_lines(terms: Terms, was: Terms | None) -> list[tuple[str, Limits, Limits | None]]:
    """The limits of a notice, one line for those that are alike; with what they were before."""
    lines = {"hung.main": Bet.PLAYER, "tie": Bet.TIE, "hung.pairs": Bet.PLAYER_PAIR}
    return [
        (say(label), terms.limits[bet], was.limits.get(bet) if was else None)
        for label, bet in lines.items()
        if bet in terms.limits
    ]


class Pages:
    """Renders templates; every string that is not of the house's own making is escaped."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._env = Environment(
            loader=PackageLoader("puntobanco.server"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._env.globals |= {
            "say": self._say,
            "money": self.money,
            "chips_told": self.chips_told,
            "number_of": self.number_of,
            "look": lambda: look_of(house.register.state.settings),
            "tempo_of": self._tempo,
            "called": lambda place: place_called(house, place),
            "name_of": lambda person: person_called(house, person),
            "id_of": lambda person: id_shown(house, person),
            "names_of": lambda people: ", ".join(person_called(house, one) for one in people),
            "looks_back": self._looks_back,
            "told_ask": self.told_ask,
            "when": self.when,
            "starts": starts,
            "on_another_day": on_another_day,
            "time_zone": lambda: zone_of(house.register.state.settings),
            "changed": changed,
            "areas": AREAS,
            "whys": WHY,
            "area_names": {bet: say(f"area.{bet}") for bet in Bet},
            "card_name": card_name,
            "told_card": told_card,
            "capitalised": capitalised,
            "card_named": lambda card: card_name(Card(card)),
            "suit_paths": SUIT_PATHS,
            "waited": waited,
            "result_of": told_result,
            "plain_amount": money,
            "told_amount": told_money,
            "cite": cite,
            "pressed": [name_of(kind) for kind in INTENTS if INTENTS[kind].form is Form.NOTHING],
            "roads_of": roads_of,
            "glance": lambda *seats, **how: Markup(glance(*seats, **how)),  # noqa: S704  ours
            "road_mark": road_mark,
            "static": files.address,
            "keys": KEYS,
            "commands": COMMANDS,
            "own_words": {**COMMANDS, **OWN},
            "told_wait": self.told_wait,
            "told_by_two": self.told_by_two,
            "said_of": said_of,
            "saying": saying,
            "new_id": lambda: house.chance.some_bytes(16).hex(),
            "bet_names": BETS,
            "waited_for": waited_for,
            "outcomes": {outcome: say(f"outcome.{outcome}") for outcome in Outcome},
            "currency_sign": self._sign,
            "limit_lines": limit_lines,
            "is_day": lambda text: not text or re.fullmatch(r"\d{4}-\d\d-\d\d", text),
            "usual_colours": USUAL_COLOURS,
            "colour_words": colour_words,
            "chip_rows": chip_rows,
            "found_words": lambda found: VALUES[f"found.{found}"],
        }

    def _say(self, key: str, **facts: object) -> str:
        """The house's own name stands for the program's, if it has one."""
        own = self._house.register.state.settings.look.name if key == "brand" else ""
        return own or say(key, **facts)

    def when(self, at_ms: int, **how: bool) -> Markup:
        """A moment by the clock of the house."""
        return when(at_ms, house_ahead(self._house, at_ms), **how)

    def told_ask(self, ask: Command, coup: int = 0) -> str:
        """What somebody proposes, in words, to those who work here."""
        return tell_ask(ask, coup, told_to_staff(self._house))

    def told_by_two(self, ask: Struct) -> str:
        """What somebody proposes at the cage or in the register."""
        settings = self._house.register.state.settings
        facts: dict[str, object] = dict(asdict(ask))
        unlimited = ".no-limit" if is_no_limit(facts.get("cash_cents")) else ""
        for name in ("cents", "cash_cents"):
            if name in facts:
                facts[name] = self.money(int(str(facts[name])))
        table = str(facts.get("table") or "")
        facts["table"] = settings.called(table) if table else say("people.everywhere")
        facts["person"] = person_called(self._house, str(facts.get("person", "")))
        if "role" in facts:
            facts["role"] = say(f"role.{facts['role']}")
        return say(f"two.{ask.__struct_config__.tag}{unlimited}", **facts)

    def told_wait(self, wait: Waiting) -> str:
        """What waits for somebody, as one line."""
        called = self._house.register.state.settings.called
        key: str = wait.kind
        facts: dict[str, object] = {"table": called(wait.at), "number": wait.number}
        match wait.kind:
            case "slip":
                key, amount = str(wait.facts["kind"]), self.money(int(str(wait.facts["cents"])))
                facts |= {"amount": amount, "table": called(str(wait.facts["table"]))}
            case "approve":
                facts["what"] = self.told_ask(wait.ask)
            case "second":
                facts["what"] = self.told_by_two(wait.ask)
            case "step":
                own = step_facts(wait.facts, lambda person: person_called(self._house, person))
                facts["what"] = STEPS[wait.step or Step.SIGN_ON].format(**own)
            case "sign":
                key = f"sign.{wait.ask}"
            case "locked":
                facts["person"] = person_called(self._house, wait.by)
            case "competition":
                facts["name"] = place_called(self._house, wait.at)
                facts["what"] = {**COMMANDS, **COMPETITION_COMMANDS}[wait.ask].title
        return say(f"waits.{key}", **facts)

    def _sign(self) -> str:
        """What stands before an amount in this house; nothing where amounts are bare numbers."""
        return money(0, self._house.register.state.settings.look.currency).rstrip("0").strip()

    def _looks_back(self, person: str, table: str) -> bool:
        """May this reader look at all that happened at a table?"""
        member = self._house.register.state.people.get(person)
        return member is not None and bool(member.roles_at(table) & WATCH_OVER)

    def _tempo(self, table: str) -> Tempo:
        return self._house.register.state.settings.tempo_of(table)

    def money(self, cents: int) -> Markup:
        return shown_money(cents, self._house.register.state.currency)

    def number_of(self, person: str) -> str:
        """The number of somebody enrolled; bots, and whoever was erased, have names alone."""
        member = self._house.register.state.people.get(person)
        gone = member is None or member.bot or self._house.people.is_erased(person)
        return "" if gone else person

    def chips_told(self, cents: int) -> Markup:
        """Chips of a competition, or to play with: they are worth no money, and have no sign."""
        return shown_money(cents, "")

    def render(self, template: str, **context: object) -> str:
        context.setdefault("person", "")
        context.setdefault("guest", False)
        context.setdefault("worn", {})
        context.setdefault("shell", None)
        return self._env.get_template(template).render(**context)
