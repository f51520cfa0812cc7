"""Results for whoever is in charge: stages, play-offs, places, prizes, the pot, every ruling."""

from typing import Any

from litestar import Response, get

from puntobanco.competition.may import given_now, why_not_in
from puntobanco.competition.path import path_of, step_ahead
from puntobanco.competition.view import IN_CHARGE, CompetitionView
from puntobanco.house.competitions.glance import told_rulings
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.api.competitions import seen_by
from puntobanco.server.pages.competitions.console import (
    KEYS,
    NEXT,
    PARTS,
    common_context,
    missing_lines,
    path_href,
)
from puntobanco.server.pages.competitions.papers.shelf import papers_for
from puntobanco.server.visit import TheVisit, Visit

ACTS = (
    "confirm-stage",
    "confirm-places",
    "order-play-off",
    "rule",
    "substitute",
    "disqualify",
    "forfeit",
    "publish-results",
)
"""What one does here, each on the key that it has on the console."""
RESULTS_REGIONS = {name: f"{PARTS}/{name}.html" for name in ("path", "ended", "pot")}
NEEDS_FACTS = frozenset({"rule", "substitute", "disqualify", "forfeit", "order-play-off"})


@get("/competitions/{competition:str}/results", sync_to_thread=False, include_in_schema=False)
def results_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """How every stage ended, who has which place and prize, and whether the money agrees."""
    return visit.show("pages/competitions/results.html", **results_context(visit, competition))


def results_context(visit: Visit, competition: str) -> dict[str, Any]:
    """All that the page of results shows; refused to whoever is not in charge."""
    stream = visit.competition(competition)
    by = visit.check(IN_CHARGE, "results", stream.name)
    seen, state = seen_by(visit, competition), stream.state
    may = frozenset(given_now(state, by))

    def can(name: str, **facts: object) -> bool:
        return why_not_in(state, name, by, facts) is None

    lines = missing_lines(visit, competition, step_ahead(state), seen, may)
    return {
        **common_context(visit, seen, by),
        "cup": competition,
        "papers": papers_for(visit, competition),
        "console": {"path": path_of(state)},
        "path_href": path_href,
        "can": can,
        "acts": [(name, KEYS.get(name, NEXT)) for name in ACTS if name in may],
        "level": [one for one in lines if one["key"].startswith("missing.level")],
        "lines": lines,
        "pot": pot_lines(seen.view),
        "rulings": told_rulings(visit.house, stream),
        "since": stream.seq,
    }


def pot_lines(seen: CompetitionView) -> list[tuple[str, int]]:
    """What went into the pot and out of it, line by line: together what is in it now."""
    held: Any = seen.money
    if held is None:
        return []
    lines = {
        "fees": held.fees_cents,
        "commission": held.commission_cents,
        "added": held.added_cents,
        "refunded": -held.refunded_cents,
        "retained": -held.retained_cents,
        "paid-out": -held.paid_cents,
    }
    return [(name, cents) for name, cents in lines.items() if cents]


HANDLERS = (results_page,)
