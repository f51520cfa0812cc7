"""Every competition that the reader is shown, and the beginning of a new one."""

import re
from typing import Any

from litestar import Response, get
from litestar.response import Redirect

from puntobanco.competition.authority import CHARGE
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.competition.shipped import TEMPLATES
from puntobanco.server.api.competitions import listed_for
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit

WHEN = ("running", "coming", "past")
"""In the order in which they are looked for."""


@get("/competitions", sync_to_thread=False, include_in_schema=False)
def cups_page(visit: TheVisit) -> Response[str]:
    """Every competition that the reader is shown: running, coming and past; those in charge begin
    new ones here, from a template or from an old one.
    """
    return visit.show("pages/competitions/index.html", **cups_context(visit))


def cups_context(visit: Visit) -> dict[str, Any]:
    """All that the list shows."""
    cups = listed_for(visit)
    by_start = sorted(cups, key=lambda cup: cup.start)
    groups = {when: [one for one in by_start if one.when == when] for when in WHEN}
    groups["past"].reverse()
    return {
        "groups": groups,
        "cups": cups,
        "begins": bool(visit.roles & CHARGE),
        "templates": TEMPLATES,
        "copied": [one for one in reversed(by_start) if one.name],
        "since": cups_version(visit),
        "typed": "",
        "begun": "",
        "wrong": "",
    }


def cups_version(visit: Visit) -> int:
    """Moves whenever anything moves that the list shows."""
    return sum(stream.seq for stream in visit.house.competitions.values())


@get("/competitions/new", sync_to_thread=False, include_in_schema=False)
def new_cup(visit: TheVisit) -> Response[Any]:
    """On to the conditions, with a template in them or with those of an old competition."""
    typed = visit.query("id").strip()[:LONGEST]
    begin = (visit.query("from") or visit.query("template"))[:64]
    visit.check(CHARGE, "draft")
    name = in_addresses(typed)
    held = visit.house.competitions.get(f"{COMPETITION}{name}")
    taken = held is not None and held.seq > 0
    if name and not taken:
        return Redirect(f"/competitions/{name}/conditions?template={begin}", status_code=303)
    context = cups_context(visit) | {
        "typed": typed,
        "begun": begin,
        "wrong": say("cups.id.taken" if taken else "cups.id.needed"),
    }
    shown = visit.show("pages/competitions/index.html", **context)
    shown.status_code = 409 if taken else 400
    return shown


LONGEST = 50
"""Characters of a name in addresses."""


def in_addresses(typed: str) -> str:
    """A name as people write it, as it can stand in an address.

    >>> in_addresses("Spring Cup, 2027!")
    'spring-cup-2027'
    """
    if re.fullmatch(r"[A-Za-z0-9_.-]+", typed):
        return typed
    return re.sub(r"[^a-z0-9_.]+", "-", typed.casefold()).strip("-")


HANDLERS = (cups_page, new_cup)
