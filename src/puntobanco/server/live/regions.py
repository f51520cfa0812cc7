"""The regions of live pages: what of a table each page shows, and to whom.

A region is drawn from the table's view, names and the time, and from what the viewer can do now;
so that no page knows more than the view of whoever looks at it.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup
from msgspec.structs import replace

from puntobanco.errors import Refused
from puntobanco.house.access.names import person_called, with_names
from puntobanco.house.competitions.relay import is_kept_open
from puntobanco.house.floor.now import recent
from puntobanco.house.giving.command import dealt_at
from puntobanco.house.may import possible, why_not
from puntobanco.house.stream import Stream
from puntobanco.house.trust.reminder import Reminders
from puntobanco.pictures.chips import Chip
from puntobanco.pictures.felt import PictureFiles
from puntobanco.pictures.geometry import SHAPES
from puntobanco.register.settings import Settings
from puntobanco.roads import Bead
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.settle import Outcome
from puntobanco.server import files
from puntobanco.server.commands.offered import NOBODYS, acts, grouped, in_words, turn_of
from puntobanco.server.gateway import Gateway
from puntobanco.server.live.board import LiveScreen
from puntobanco.server.live.desk import (
    MadeStep,
    box_rows,
    carrying,
    desk_of,
    making_of,
    puts_right,
)
from puntobanco.server.live.felt import (
    LAYERS,
    STANDING,
    Looker,
    dealt_told,
    draw_felt,
    framed,
    own_box,
    result_told,
    standing_layers,
)
from puntobanco.server.live.paying import in_order
from puntobanco.server.live.step_times import StepTimes
from puntobanco.server.live.wall import shown_of
from puntobanco.server.look import chips_of, look_of, shown_money
from puntobanco.server.rendering import Pages, say
from puntobanco.table.actor import Actor
from puntobanco.table.view import Sign, View, Viewer, WagerLaid, beads, view

REGIONS: dict[str, tuple[str, ...]] = {
    "player": ("bar", *LAYERS, "dock", "roads", "own", "sign"),
    "dealer": ("desk/facts", "desk/tell", "desk/work", "desk/act", "desk/seats", "desk/shoe"),
    "pit": ("pit", *LAYERS, "wagers", "sign", "roads"),
    "display": ("coup", "centre", "call", "figures", "placard", "roads"),
    "pit-tile": ("pit-tile",),
    "floor": ("peek",),
}
"""Which regions each live page of a table has."""
CLOSING = frozenset({"close-table"})
DROPPED = b'"is":"proposal-dropped"'
"""What is not offered at a table that its competition still has a use for."""
STAFF_PAGES = frozenset({"dealer", "pit", "floor"})
MOST_CHIPS = 6
"""Kinds of chips that a player is offered."""
INDENTED = re.compile(r"\n\s+")
"""Every watcher gets it: nobody need send spaces to five hundred."""
NAME_MS = 5000
"""Milliseconds after which a name is looked up again: it may have been corrected."""
MOST_NAMES = 10_000
"""Names remembered at a time."""


def shape_of(asked: str, agent: str = "") -> str:
    """The shape of the felt that a page asks for; else one that fits most devices of its kind."""
    if asked in SHAPES:
        return asked
    return "phone" if "Mobi" in agent else "wide"


def offered(sign: Sign, chips: Sequence[Chip]) -> tuple[Chip, ...]:
    """The chips a player puts down: from the largest that the least wager allows, upwards."""
    least = min(limits.min_cents for limits in sign.limits.values())
    most = sign.limits[Bet.BANKER].max_cents
    known = sorted(chips)
    start = max((at for at, chip in enumerate(known) if chip.cents <= least), default=0)
    return tuple(chip for chip in known[start:] if chip.cents <= most)[:MOST_CHIPS]


def own_wagers(seen: View) -> list[WagerLaid]:
    """The viewer's own wagers at their box that are not settled yet."""
    box, play = own_box(seen), seen.play
    return [laid for laid in play.wagers if laid.own and laid.box == box] if play else []


def on_felt(seen: View) -> int:
    """What lies on the layout of the viewer's own: at stake, or won and not taken up yet."""
    settled = seen.play.settled if seen.play else ()
    stays = [laid for laid in settled if laid.own and laid.outcome is not Outcome.LOSES]
    return sum(laid.cents for laid in (*own_wagers(seen), *stays))


def may_change_one(table: Any, seen: View, by: Actor) -> bool:
    """Can a wager that lies there of the viewer's own still be altered?"""
    laid = ({"box": one.box, "on": one.on, "cents": one.cents} for one in own_wagers(seen))
    return any(why_not(table, "change-wager", by, facts) is None for facts in laid)


def net_told(seen: View) -> int | None:
    """What the viewer won or lost in the coup that is settled now, or was last; None: no part."""
    own, play = seen.own, seen.play
    if own is None:
        return None
    if play is not None and play.result is not None and own.payouts:
        return sum(line.won_cents - line.collected_cents for line in own.payouts)
    is_over = play is None or (seen.phase == "betting" and not own_wagers(seen))
    return own.last_net_cents if is_over else None


def is_for_money(seen: View) -> bool:
    """Are the chips here worth money? Those of a competition, and to play with, are not."""
    return not (seen.contest or (seen.sign and seen.sign.play_cents))


class LastTold(NamedTuple):
    """The coup that was decided last."""

    result: Result
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]


RoadsTold = tuple[tuple[Bead, ...], LastTold | None]
"""What the region of the roads is drawn of."""


def last_told(seen: View) -> LastTold | None:
    for coup in (seen.play, *seen.past[-1:]):
        if coup is not None and coup.result is not None:
            return LastTold(coup.result, coup.player, coup.banker)
    return None


def own_place(seen: View) -> bool:
    return seen.own is not None and seen.own.place is not None


def takes_bets(seen: View) -> bool:
    """Is the viewer at a box while bets are taken?"""
    play = seen.play
    taken = play is not None and play.kind.takes_wagers and not play.time_over
    return bool(own_box(seen)) and seen.phase == "betting" and taken


class LivePages:
    """Draws the live pages of every table."""

    def __init__(self, gateway: Gateway, pages: Pages) -> None:
        self.gateway = gateway
        self.pages = pages
        self.step_times = StepTimes()
        self.reminders = Reminders(gateway.house)
        self._names: dict[str, tuple[str, int]] = {}
        self._roads: dict[tuple[str, str], tuple[RoadsTold, str]] = {}
        """By table and page as they were last drawn: the same for all viewers, once a coup."""

    def regions(self, screen: LiveScreen, table: Stream[Any], viewer: Viewer) -> dict[str, str]:
        """The regions of a live page as one viewer sees it."""
        context = self.context(table, viewer)
        names = REGIONS[screen.page]
        drawn = {}
        if LAYERS[0] in names:
            drawn = draw_felt(context["view"], self._looker(context, screen))
        if screen.page == "dealer":
            context |= self._desk(context)
        for name in names:
            if name == "roads":
                drawn[name] = self._drawn_roads(screen.page, context)
            elif name not in LAYERS:
                drawn[name] = self._drawn(name, page=screen.page, **context)
        return drawn

    def _drawn(self, region: str, /, **context: object) -> str:
        return INDENTED.sub("\n", self.pages.render(f"live/{region}.html", **context))

    def _drawn_roads(self, page: str, context: dict[str, Any]) -> str:
        now: RoadsTold = context["beads"], last_told(context["view"])
        before, html = self._roads.get((context["table"], page), (None, ""))
        if before != now:
            shown, last = now
            told = result_told(*last) if last else ""
            html = self._drawn("roads", page=page, beads=shown, last=last, told=told)
            self._roads[context["table"], page] = now, html
        return html

    @property
    def settings(self) -> Settings:
        return self.gateway.house.register.state.settings

    @property
    def files(self) -> PictureFiles:
        """Where the pictures of cards and of the house's chips are."""
        return PictureFiles(files.address("cards.svg"), look_of(self.settings).chips)

    def standing(self, seen: View, shape: str = STANDING) -> Markup:
        """A felt that stands still, with the house's own chips: a coup looked back at, a scene."""
        return framed(self.layers(seen, shape), shape)

    def layers(self, seen: View, shape: str = STANDING) -> dict[str, str]:
        """The same, layer by layer."""
        return standing_layers(seen, chips_of(self.settings), self.files, shape)

    def _looker(self, context: dict[str, Any], screen: LiveScreen) -> Looker:
        seen: View = context["view"]
        plays = screen.page == "player"
        may_sit = (
            plays and seen.own is not None and seen.own.place is None and context["can"]("sit")
        )
        return Looker(
            context["table"],
            screen.shape or shape_of(""),
            context["now_ms"],
            may_sit,
            context["may_bet"],
            lambda box: context["alias_at"](box.seat),
            chips_of(self.settings),
            self.files,
            plays,
            context["currency"],
            context["bets_ms"],
        )

    def context(self, table: Stream[Any], viewer: Viewer) -> dict[str, Any]:
        """The view, names and the time; what the viewer can do; what else the house knows."""
        house, state = self.gateway.house, table.state
        settings = house.register.state.settings
        now_ms = house.time.now_ms()
        seen, by = view(state, viewer), Actor(viewer.person, viewer.roles, now_ms)
        currency = house.register.state.currency if is_for_money(seen) else ""

        def told(refused: Refused | None) -> str:
            named = with_names(house, refused, viewer.person) if refused else None
            return in_words(named, currency)

        turn = turn_of(state, by, self.name_of, told) if by.roles else None
        left_open = CLOSING if is_kept_open(house.competitions, state) else frozenset()
        if turn and left_open:
            turn = replace(turn, acts=tuple(a for a in turn.acts if a.name not in left_open))
        refused = why_not(state, "bet-more", by) if seen.own and seen.own.place else None
        return {
            "table": table.name,
            "now_ms": now_ms,
            "sits_for": state.contest.substitutes,
            "cup": state.conditions.competition if state.conditions else "",
            "begun": self.step_times.note(table),
            "view": seen,
            "viewer": viewer,
            "currency": currency,
            "money": lambda cents: shown_money(cents, currency),
            "name_of": self.name_of,
            "alias_at": lambda seat: self.alias_at(state.seated.get(seat, ""), seat),
            # made of the view
            "beads": beads(seen),
            "shown": shown_of(seen),
            "dealt": dealt_told(seen.play) if seen.play else "",
            "dealt_at": dealt_at(state),
            "chips": offered(seen.sign, chips_of(self.settings)) if seen.sign else (),
            "chips_at": self.files.chips,
            "on_felt": on_felt(seen),
            "staked": sum(laid.cents for laid in own_wagers(seen)),
            "lay_now": {laid.on.value: laid.cents for laid in own_wagers(seen)},
            "doubled": {laid.on.value: 2 * laid.cents for laid in own_wagers(seen)},
            "may_bet": takes_bets(seen) and refused is None,
            "may_change": seen.contest is None or may_change_one(state, seen, by),
            "not_betting": told(refused) if seen.phase == "betting" else "",
            "net_cents": net_told(seen),
            # what the viewer can do
            "acts": lambda: grouped([one for one in acts(state, by) if one not in left_open]),
            "may_act": lambda: any(possible(state, by)),
            "turn": turn,
            "can": lambda name, **facts: why_not(state, name, by, facts) is None,
            # of the house
            "root": house.roots.noted,
            "name": settings.called(table.name),
            "bets_ms": settings.tempo_of(table.name).bets_ms,
            "house_hours": house.hours,
            "reminder": lambda: self.reminders.due(viewer.person) if own_place(seen) else None,
            "account": house.cage.state.accounts.get(viewer.person),
            "recent": lambda: recent(house, table.name),
            "put_right_by": puts_right(seen),
            "bot_deals": self.gateway.bot_dealer(table.name) != "",
        }

    def _desk(self, context: dict[str, Any]) -> dict[str, Any]:
        """What the dealer's instrument shows besides."""
        seen: View = context["view"]
        table: str = context["table"]
        lines = seen.floor.payouts if seen.floor and seen.play else ()
        least = seen.sign.notice.chip_cents if seen.sign else 0
        return {
            "desk": carrying(
                desk_of(seen, context["turn"] or NOBODYS, context["can"], self.name_of),
                context["dealt_at"],
            ),
            "paying": in_order(lines, chips_of(self.settings), least),
            "rows": box_rows(seen),
            "declined_by": self._declined_by(table),
            "counted": Counter(bead.result for bead in context["beads"]),
            "making": self._making(table, seen) if seen.sign else (),
        }

    def _declined_by(self, table: str) -> str:
        """Who turned down a proposal, while nothing has happened since; empty: nobody did."""
        house = self.gateway.house
        rows = house.log.read(table, house.tables[table].seq - 1)
        return next((row.actor for row in rows if DROPPED in row.events), "")

    def _making(self, table: str, seen: View) -> tuple[MadeStep, ...]:
        rules = load_ruleset(seen.sign.notice.ruleset) if seen.sign else None
        if rules is None or seen.phase not in ("preparing", "ready"):
            return ()
        return making_of(seen, rules, lambda step: self.step_times.done_ms(table, step))

    def alias_at(self, person: str, seat: int) -> str:
        """What everybody may call whoever sits there; empty: nobody does."""
        if not person:
            return ""
        return self._kept(f"{person}@", self.gateway.house.people.alias, person) or say(
            "player-at", seat=seat
        )

    def name_of(self, person: str) -> str:
        """A person's name; asked for again after a while, for it may have been corrected."""
        house = self.gateway.house
        return self._kept(person, lambda one: person_called(house, one), person)

    def _kept(self, key: str, find: Callable[[str], str], person: str) -> str:
        now_ms = self.gateway.house.time.now_ms()
        name, until_ms = self._names.get(key, ("", -1))
        if until_ms < now_ms:
            name = find(person)
            if len(self._names) >= MOST_NAMES:
                self._names.clear()
            self._names[key] = (name, now_ms + NAME_MS)
        return name
