"""Competitions with something to print in each, and their papers as a browser without a house
prints them: every sheet of style stands in the page itself.
"""

import re

from puntobanco.competition.queries import pool_now
from puntobanco.house.access.people import Person
from puntobanco.rules.competition.shipped import template_text
from puntobanco.server.files import kept_files
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import (
    ONE,
    TWO,
    CupOnWeb,
    enrol_players,
    page,
)
from tests.kit.replay import Asker

STYLE = re.compile(r'<link rel="stylesheet" href="/static/[^/]+/([^"]+)">')
SIX = ("p1", "p2", "p3", "p4", "p5", "p6")
MORE = "secrets = 2\nraised = { min_cents = 20000, max_cents = 400000, multiple_cents = 10000 }"
TOP = 'regulator = "Gaming Board"\nleague = { name = "Winter", points = [10, 6, 4] }'
ALIASES = {"p1": "Sable", "p2": "Lotte"}


async def tasmanian(asker: Asker) -> CupOnWeb:
    """Played to its end, with a ruling; p1 and p2 have an alias, all have names, and p6 withdrew
    in time.
    """
    await enrol_players(asker)
    for number, who in enumerate((*SIX, "p7"), 1):
        asker.house.people.put(Person(who, f"Person Number{number}"))
    for who, alias in ALIASES.items():
        asker.house.people.put_alias(who, alias)
    cup = CupOnWeb(asker, "cup")
    await cup.entering(cup_text(more=MORE, top=TOP))
    await cup.enter(*SIX, "p7")
    await cup.do("p7", "withdraw")
    await cup.do("cora", "close-entries")
    await cup.do("cora", "designate-table", {"table": ONE})
    await cup.do("cora", "sign-on", {"role": "competition director"})
    await cup.start()
    held = {"p1": 2_000_000, "p2": 900_000, "p3": 900_000}
    await cup.result(held | {"p4": 800_000, "p5": 700_000, "p6": 600_000})
    ruled = {"about": "places", "note": "by lot, both agreed", "order": ["p2", "p3"]}
    await cup.do("cora", "rule", ruled)
    await cup.do("cora", "confirm-stage")
    return cup


async def to_its_end(cup: CupOnWeb) -> None:
    """The final, places, and the first prize."""
    await cup.do("cora", "commit-draw")
    await cup.start()
    await cup.result({"p1": 1_900_000, "p2": 400_000})
    await cup.do("cora", "confirm-stage")
    assert pool_now(cup.state).pool_cents
    await cup.two("cora", "confirm-places")
    await cup.do("carol", "pay-prize", {"person": "p1"})


async def drawn_by(asker: Asker, name: str, text: str, people: int) -> CupOnWeb:
    """A competition of another document, drawn."""
    cup = CupOnWeb(asker, name)
    await cup.entering(text)
    await cup.enter(*(f"p{number}" for number in range(1, people + 1)))
    await cup.do("cora", "close-entries")
    for table in (ONE, TWO):
        await cup.do("cora", "designate-table", {"table": table})
    await cup.do("cora", "draw", {"words": [{"by": "wendy", "words": "rain on Tuesday"}]})
    return cup


def singapore() -> str:
    """The template, for a house whose players have less."""
    return template_text("singapore")


async def printed(asker: Asker, who: str, path: str) -> str:
    """A paper with its styles in it."""
    shown = await page(asker, who, path)
    kept = kept_files()
    return STYLE.sub(lambda found: f"<style>{kept[found[1]].plain.decode()}</style>", shown)
