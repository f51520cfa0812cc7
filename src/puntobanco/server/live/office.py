"""Pages of the office while they are looked at: only what changed is sent, and only if it concerns
the page.

Once a beat a page is asked what it depends on: the cage's last row for the till, the register's for
people. Only if that has moved are its regions drawn anew, and those that differ are sent.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import suppress
from typing import Annotated, Any

from litestar import get
from litestar.params import QueryParameter
from litestar.response import Stream

from puntobanco.errors import Reason, Refused
from puntobanco.house.competitions.glance import glance_version
from puntobanco.house.till.versions import (
    chips_version,
    house_version,
    people_version,
    till_version,
)
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.live.board import BEAT_S, NOW, STILL_HERE, Message, encode, once_a_beat
from puntobanco.server.live.stream import event_stream
from puntobanco.server.live.tiles import QUIET
from puntobanco.server.pages.cage.chips import chips_context
from puntobanco.server.pages.cage.till import till_context
from puntobanco.server.pages.competitions.console import PARTS, REGIONS, console_context
from puntobanco.server.pages.competitions.draw import DRAW_REGIONS, draw_context
from puntobanco.server.pages.competitions.entrant.now import (
    BOARD_REGIONS,
    NOW_REGIONS,
    entrant_context,
    entrant_version,
)
from puntobanco.server.pages.competitions.index import cups_context, cups_version
from puntobanco.server.pages.competitions.one import one_context
from puntobanco.server.pages.competitions.results import RESULTS_REGIONS, results_context
from puntobanco.server.pages.journal.significant import (
    NEWER,
    events_number,
    games_number,
    newer_at,
)
from puntobanco.server.pages.office.overview import HOUSE_REGIONS, overview_context
from puntobanco.server.pages.office.people import people_context
from puntobanco.server.visit import TheVisit, Visit

Regions = dict[str, str]
Context = Callable[[Visit], dict[str, Any]]
PagePart = Annotated[str, QueryParameter(max_length=20)]


class OfficePage:
    """A page, its regions with their templates, what they show, and what they hang on."""

    def __init__(
        self, parts: dict[str, str], context: Context, depends: Callable[[Visit], Hashable]
    ) -> None:
        self.parts = parts
        self.context = context
        self.depends = depends

    def draw(self, visit: Visit) -> Regions:
        context = self.context(visit)
        render = visit.kept.pages.render
        return {
            name: render(template, person=visit.person, **context)
            for name, template in self.parts.items()
        }


def _till(visit: Visit) -> dict[str, Any]:
    person, word = visit.query("person")[:64], visit.query("q")[:80]
    return till_context(visit, visit.actor(), person, word)


def _cup(visit: Visit) -> str:
    return visit.query("cup")[:50]


def _console(visit: Visit) -> dict[str, Any]:
    return console_context(visit, _cup(visit))


def _console_version(visit: Visit) -> int:
    return glance_version(visit.house, visit.competition(_cup(visit)))


def _entrant(visit: Visit) -> dict[str, Any]:
    return entrant_context(visit, _cup(visit))


def _entrant_version(visit: Visit) -> str:
    return entrant_version(visit, _cup(visit))


def _newer_games(visit: Visit) -> dict[str, Any]:
    return newer_at(f"/tables/{visit.query('table')[:64]}/games", games_number(visit), visit)


def _newer_events(visit: Visit) -> dict[str, Any]:
    return newer_at("/house/events", events_number(visit), visit)


def _cup_version(visit: Visit) -> int:
    return visit.competition(_cup(visit)).seq


CAGE = "pages/cage/parts"
OFFICE_PAGES = {
    "till": OfficePage(
        {
            "who": f"{CAGE}/who.html",
            "stats": f"{CAGE}/stats.html",
            "ledger": f"{CAGE}/ledger.html",
            "drawer": f"{CAGE}/drawer.html",
        },
        _till,
        lambda visit: till_version(visit.house),
    ),
    "chips": OfficePage(
        {"slips": f"{CAGE}/slips.html", "trays": f"{CAGE}/trays.html"},
        chips_context,
        lambda visit: chips_version(visit.house),
    ),
    "house": OfficePage(HOUSE_REGIONS, overview_context, lambda visit: house_version(visit.house)),
    "games": OfficePage(NEWER, _newer_games, games_number),
    "events": OfficePage(NEWER, _newer_events, events_number),
    "people": OfficePage(
        {"people": "pages/office/parts/people.html", "filters": "pages/office/parts/filters.html"},
        people_context,
        lambda visit: people_version(visit.house),
    ),
    "competition": OfficePage(
        {"one": f"{PARTS}/one.html"}, lambda visit: one_context(visit, _cup(visit)), _cup_version
    ),
    "console": OfficePage(REGIONS, _console, _console_version),
    "entrant": OfficePage(NOW_REGIONS, _entrant, _entrant_version),
    "entrant-board": OfficePage(BOARD_REGIONS, _entrant, _entrant_version),
    "cups": OfficePage({"cups": f"{PARTS}/cups.html"}, cups_context, cups_version),
    "draw": OfficePage(DRAW_REGIONS, lambda visit: draw_context(visit, _cup(visit)), _cup_version),
    "results": OfficePage(
        RESULTS_REGIONS, lambda visit: results_context(visit, _cup(visit)), _cup_version
    ),
}


@get("/live/office", include_in_schema=False)
async def live_office(visit: TheVisit, page: PagePart = "till") -> Stream:
    """The regions of a page of the office as they change."""
    shown = OFFICE_PAGES.get(page)
    if shown is None:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    first = shown.draw(visit)  # refused here if it is not theirs to see
    still_good = once_a_beat(lambda: visit.signin.is_good(visit.caller))
    messages = _changes(visit, shown, first, still_good, visit.kept.boards.closing)
    return event_stream(messages)


async def _changes(
    visit: Visit,
    page: OfficePage,
    sent: Regions,
    is_good: Callable[[], bool],
    closing: asyncio.Event,
) -> AsyncGenerator[bytes, None]:
    """Nothing at first if the page is as things are now, else the whole; then what differs."""
    depends, quiet, number = page.depends(visit), 0, 1
    fresh = visit.query("since") == str(depends) and "last-event-id" not in visit.request.headers
    yield b"retry: 1000\n\n" + (b"" if fresh else encode(Message(number, sent, whole=True)))
    while not closing.is_set() and is_good():
        with suppress(TimeoutError):
            await asyncio.wait_for(closing.wait(), BEAT_S)
        now = page.depends(visit)
        news: Regions = {}
        if now != depends:
            depends, drawn = now, page.draw(visit)
            news = {name: html for name, html in drawn.items() if _differs(sent.get(name), html)}
            sent = drawn
        if news:
            number, quiet = number + 1, 0
            yield encode(Message(number, news))
        elif (quiet := quiet + 1) >= QUIET:
            quiet = 0
            yield STILL_HERE


def _differs(before: str | None, html: str) -> bool:
    """That time has passed is no change: clients count down by themselves."""
    return before is None or NOW.sub("", before) != NOW.sub("", html)


HANDLERS = (live_office,)
