"""What the page of a coup shows of each of its steps: the felt, the wagers, the words."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup, escape
from msgspec.structs import replace

from puntobanco.house.lookback.course import Moment, Part
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.rules.cards import Card, points
from puntobanco.rules.coup import Coup
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet
from puntobanco.rules.drawing import Tableau, fold
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.settle import Line, Outcome
from puntobanco.server.live.felt import result_told
from puntobanco.server.rendering import card_name, say
from puntobanco.server.visit import Visit
from puntobanco.table import events as e
from puntobanco.table.actor import Role
from puntobanco.table.sentences import Writing, document_named, tell
from puntobanco.table.view import Play, View, Viewer, WagerLaid, view
from puntobanco.words import SUITS, clause_called

AUDITOR = Viewer("", frozenset({Role.AUDITOR}))
"""Through whose eyes a coup is shown again."""
MARKED = re.compile("\ue000(..)\ue001|\ue002(-?[0-9]+)\ue001|\ue003([^\ue001]*)\ue001")
"""A card, an amount or a person in a sentence, between marks that nobody types."""
WRITING = Writing(
    "\ue000{}\ue001".format,
    "\ue002{}\ue001".format,
    "\ue003{}\ue001".format,
    document_named,
)
LYING = re.compile(r'<g class="card"([^>]*) data-lies="((?:player|banker)-\d) ')


class PageHand(NamedTuple):
    """How the house writes amounts and people on a page."""

    money: Callable[[int], Markup]
    name: Callable[[str], str]


def cardlet(card: Card | None) -> Markup:
    """A card inside a sentence or a line: 10♣ on a little card of its own."""
    if card is None:
        drawn = '<span class="cardlet back" role="img" aria-label="{}">?</span>'
        return Markup(drawn).format(card_name(None))  # noqa: S704  ours
    rank = "10" if card.rank == "T" else card.rank
    drawn = '<span class="cardlet{}" role="img" aria-label="{}">{}<em>{}</em></span>'
    red = " red" if card.red else ""
    return Markup(drawn).format(red, card_name(card), rank, SUITS[card.suit])  # noqa: S704  ours


def in_pictures(text: str, hand: PageHand) -> Markup:
    """A sentence with its cards drawn and its amounts as the house writes them."""

    def draw(found: re.Match[str]) -> str:
        card, cents, person = found.groups()
        if person is not None:
            return str(escape(hand.name(person)))
        return str(cardlet(Card(card)) if card else hand.money(int(cents)))

    return Markup(MARKED.sub(draw, str(escape(text))))  # noqa: S704  escaped before


def told_in_pictures(event: e.TableEvent, hand: PageHand) -> Markup:
    return in_pictures(tell(event, WRITING), hand)


def step_told(moment: Moment, hands: Coup, hand: PageHand) -> Markup:
    """A step in words; on its coup's own page the coup need not be named."""
    event = moment.told.event
    match event:
        case e.CardDrawn(laid=None) | e.CarriedDealt() if hands.given(moment.position - 1):
            side = hands.given(moment.position - 1)
            return Markup(say("step.card", card=cardlet(event.card), side=say(str(side))))  # noqa: S704
        case e.ResultDeclared():
            return Markup.escape(result_told(event.result, hands.player, hands.banker))
        case e.Approved():
            return Markup.escape(say("step.approved", person=hand.name(event.person)))
        case e.CardCorrected():
            cards = {"card": cardlet(event.card), "was": cardlet(event.was)}
            words = Markup(say("step.corrected", **cards))  # noqa: S704  our own catalogue
            return words + (f": {event.note}" if event.note else "")
    said = tell(event, WRITING).removeprefix(f"Coup {moment.coup.number}: ")
    return in_pictures(said[:4].replace("the ", "The ") + said[4:], hand)


def hand_of(visit: Visit) -> PageHand:
    return PageHand(visit.kept.pages.money, visit.kept.live_pages.name_of)


def clause_links(clauses: Sequence[str]) -> Markup:
    """Clauses by their numbers alone: a table is played by one document."""
    link = Markup('<a class="clause" href="/rules/{}" title="{}">{}</a>')
    words = Markup('<span class="clause">{}</span>')
    found = dict.fromkeys(one for one in clauses if one)
    shown = [
        words.format(say("conditions"))
        if one == CONDITIONS
        else link.format(one, clause_called(one), clause_called(one, short=True))
        for one in found
    ]
    return Markup(", ").join(shown)


# the board


def views_of(course: Sequence[Moment], tableau: Tableau) -> Iterator[View]:
    """The table after each step as an auditor sees it; once the coup is over, as the coup stood."""
    seen = View(course[0].table.phase) if course[0].table else View("ready")  # type: ignore[arg-type]
    for moment in course:
        table = moment.table
        if table is not None and table.coup is not None:
            seen = view(table, AUDITOR)
        elif seen.play is not None:
            seen = replace(seen, play=_play(seen.play, moment.coup, tableau))
        yield seen


def _play(play: Play, coup: PastCoup, tableau: Tableau) -> Play:
    hands = fold(coup.drawn, tableau)
    player_points, banker_points = map(points_shown, (hands.player, hands.banker))
    return replace(
        play,
        player=hands.player,
        banker=hands.banker,
        player_points=player_points,
        banker_points=banker_points,
        next=None,
        result=coup.result,
        verdict=Verdict.VOID if coup.void else Verdict.STANDS,
        wagers=() if coup.lines else play.wagers,
        settled=tuple(map(_laid, coup.lines.values())),
    )


def points_shown(hand: tuple[Card | None, ...]) -> int | None:
    """A hand's point, once two of its cards have shown their faces and none is hidden."""
    cards = [card for card in hand if card is not None]
    return points(cards) if len(cards) == len(hand) > 1 else None


def _laid(line: Line) -> WagerLaid:
    wager = line.wager
    late = wager.late_cents > 0
    laid = WagerLaid(
        wager.box, wager.on, wager.cents, wager.standing, False, wager.by, late, wager.withdrawn
    )
    return replace(laid, outcome=line.outcome, won_cents=line.won_cents)


def fresh_cards(moment: Moment, before: Moment | None, hands: Coup) -> frozenset[str]:
    """The cards that a step laid, turned or put right, by hand and number."""
    was = before.coup.drawn if before else ()
    now = moment.coup.drawn
    changed = [at for at, one in enumerate(now) if at >= len(was) or was[at].card != one.card]
    sides = {at: hands.given(at) for at in changed}
    return frozenset(f"{side}-{2 if at > 3 else at // 2}" for at, side in sides.items() if side)


def lit(stage: str, fresh: frozenset[str]) -> str:
    """The stage with the cards of this step marked."""

    def mark(found: re.Match[str]) -> str:
        kind = "card fresh" if found[2] in fresh else "card"
        return f'<g class="{kind}"{found[1]} data-lies="{found[2]} '

    return LYING.sub(mark, stage)


# the wagers


class WagerRow(NamedTuple):
    """What one person has at one box, and what became of it."""

    box: int
    standing: bool
    person: str
    laid: dict[Bet, tuple[WagerLaid, ...]]
    net_cents: int | None
    """Won or lost so far; None: nothing of it is settled."""
    back: bool
    """All that is settled of it went back."""
    now: bool
    """This step is about it."""


class WagerTable(NamedTuple):
    bets: tuple[Bet, ...]
    rows: tuple[WagerRow, ...]
    totals: dict[Bet, int]
    house_cents: int | None


def wager_table(seen: View, event: e.TableEvent) -> WagerTable:
    """A line for each person at a box."""
    bets = tuple(bet for bet in Bet if seen.sign and bet in seen.sign.limits)
    play = seen.play
    if play is None:
        return WagerTable(bets, (), {}, None)
    found = defaultdict[tuple[int, bool, str], list[WagerLaid]](list)
    for laid in (*play.wagers, *play.settled):
        found[laid.box, laid.standing, laid.person].append(laid)
    wager = getattr(event, "wager", None)
    about = (wager.box, wager.standing, wager.by) if wager else None
    rows = tuple(_row(key, found[key], now=key == about) for key in sorted(found))
    totals = {bet: sum(one.cents for row in rows for one in row.laid.get(bet, ())) for bet in bets}
    nets = [row.net_cents for row in rows if row.net_cents is not None]
    return WagerTable(bets, rows, totals, -sum(nets) if nets else None)


def _row(key: tuple[int, bool, str], laid: list[WagerLaid], *, now: bool) -> WagerRow:
    by_bet = {bet: tuple(one for one in laid if one.on is bet) for bet in Bet}
    settled = [one for one in laid if one.outcome is not None]
    net = sum(one.won_cents - (one.cents if one.outcome is Outcome.LOSES else 0) for one in settled)
    kept = (Outcome.WINS, Outcome.LOSES)
    back = bool(settled) and not any(one.outcome in kept for one in settled)
    return WagerRow(*key, by_bet, net if settled else None, back, now)


# the course as it is drawn


class StepDrawn(NamedTuple):
    number: int
    moment: Moment
    seen: View
    hands: Coup
    words: Markup
    clauses: Markup
    fresh: frozenset[str]
    heading: Part | None
    """The part of the coup that begins with this step."""


def drawn_course(
    course: Sequence[Moment], tableau: Tableau, hand: PageHand
) -> tuple[StepDrawn, ...]:
    """Every step of a coup with what its page shows of it, apart from the pictures."""
    found = []
    befores = (None, *course)
    for number, (moment, seen) in enumerate(zip(course, views_of(course, tableau), strict=True), 1):
        hands, before = fold(moment.coup.drawn, tableau), befores[number - 1]
        begins = before is None or before.part is not moment.part
        found.append(
            StepDrawn(
                number,
                moment,
                seen,
                hands,
                step_told(moment, hands, hand),
                clause_links(moment.told.clauses),
                fresh_cards(moment, before, hands),
                moment.part if begins else None,
            )
        )
    return tuple(found)


def marks_of(steps: Sequence[StepDrawn]) -> list[tuple[Part, int]]:
    """Where on the scrubber each part of the coup begins, the first time."""
    begun: dict[Part, int] = {}
    for step in steps:
        if step.heading:
            begun.setdefault(step.heading, step.number)
    kept = [*begun.items()]
    least = max(1, len(steps) // 9)
    crowded = {part for (_, one), (part, other) in pairwise(kept) if other - one < least}
    return [(part, at) for part, at in kept if part not in crowded or part is Part.PUT_RIGHT]
