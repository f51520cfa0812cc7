"""Every competition that the reader is shown, and the beginning of a new one."""

from typing import Any

from litestar import Response, get
from litestar.response import Redirect

from puntobanco.competition.authority import CHARGE
from puntobanco.errors import Reason, Refused
from puntobanco.house.house import COMPETITION_NAME
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.competition.shipped import TEMPLATES
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.api.competitions import listed_for
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
    }


def cups_version(visit: Visit) -> int:
    """Moves whenever anything moves that the list shows."""
    return sum(stream.seq for stream in visit.house.competitions.values())


@get("/competitions/new", sync_to_thread=False, include_in_schema=False)
def new_cup(visit: TheVisit) -> Response[Any]:
    """On to the conditions, with a template in them or with those of an old competition."""
    name = visit.query("id").strip()
    begin = visit.query("from") or visit.query("template")
    visit.check(CHARGE, "draft")
    if not COMPETITION_NAME.fullmatch(f"{COMPETITION}{name}"):
        raise Refused(Reason.NO_SUCH_COMPETITION, CONDITIONS, competition=name[:40])
    return Redirect(f"/competitions/{name}/conditions?template={begin[:64]}", status_code=303)


HANDLERS = (cups_page, new_cup)
