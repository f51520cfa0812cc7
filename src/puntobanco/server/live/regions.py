"""The regions of live pages: what of a table each page shows, and to whom.

A region is drawn from the table's view, names and the time, and from what the viewer can do now;
so that no page knows more than the view of whoever looks at it.
"""

import re
from typing import Any

from puntobanco.house.may import why_not
from puntobanco.house.stream import Stream
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.server.commands.offered import acts, grouped, in_words, turn_of
from puntobanco.server.gateway import Gateway
from puntobanco.server.rendering import Pages
from puntobanco.table.actor import Actor
from puntobanco.table.view import Sign, Viewer, view

REGIONS: dict[str, tuple[str, ...]] = {
    "player": ("sign", "felt", "bets", "own", "roads"),
    "dealer": ("desk", "felt", "wagers", "roads"),
    "pit": ("pit", "felt", "wagers", "sign", "roads"),
    "display": ("sign", "felt", "roads"),
}
"""Which regions each live page of a table has."""
STAFF_PAGES = frozenset({"dealer", "pit"})
CHIPS = (1, 2, 4, 10, 20, 40, 100)
"""Chips on offer, in minimum wagers."""
MOST_CHIPS = 6
"""Kinds of chips that a player is offered."""
INDENTED = re.compile(r"\s*\n\s*")
"""Every watcher gets it: nobody need send spaces to five hundred."""
NAME_MS = 5000
"""Milliseconds after which a name is looked up again: it may have been corrected."""
MOST_NAMES = 10_000
"""Names remembered at a time."""


def chips_of(sign: Sign) -> tuple[int, ...]:
    """The chips a player may put down, in cents: every minimum, and handy multiples."""
    limits = sign.limits[Bet.BANKER]
    least = {bet.min_cents for bet in sign.limits.values()}
    fit = [
        limits.min_cents * times for times in CHIPS if limits.min_cents * times <= limits.max_cents
    ]
    return tuple(sorted(least | set(fit))[:MOST_CHIPS])


class LivePages:
    """Draws the live pages of every table."""

    def __init__(self, gateway: Gateway, pages: Pages) -> None:
        self.gateway = gateway
        self.pages = pages
        self._names: dict[str, tuple[str, int]] = {}

    def regions(self, page: str, table: Stream[Any], viewer: Viewer) -> dict[str, str]:
        """The regions of a live page as one viewer sees it."""
        context = self.context(table, viewer)
        drawn = {
            name: self.pages.render(f"live/{name}.html", **context, page=page)
            for name in REGIONS[page]
        }
        return {name: INDENTED.sub("\n", html) for name, html in drawn.items()}

    def context(self, table: Stream[Any], viewer: Viewer) -> dict[str, Any]:
        """The view, names and the time; what the viewer can do; what else the house knows."""
        house, state = self.gateway.house, table.state
        now_ms = house.time.now_ms()
        seen, by = view(state, viewer), Actor(viewer.person, viewer.roles, now_ms)
        results = tuple(past.result for past in seen.past if past.result)
        return {
            "table": table.name,
            "now_ms": now_ms,
            "view": seen,
            "viewer": viewer,
            "name_of": self.name_of,
            # made of the view
            "results": results,
            "counts": {side: results.count(side) for side in Result},
            "chips": chips_of(seen.sign) if seen.sign else (),
            # what the viewer can do
            "acts": dict(grouped(acts(state, by))) if by.roles else {},
            "turn": turn_of(state, by, self.name_of) if by.roles else None,
            "can": lambda name, **facts: why_not(state, name, by, facts) is None,
            "why_not": lambda name: in_words(why_not(state, name, by)),
            # of the house
            "root": house.roots.noted,
            "house_hours": house.hours,
            "account": house.cage.state.accounts.get(viewer.person),
            "bot_deals": self.gateway.bot_dealer(table.name) != "",
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
