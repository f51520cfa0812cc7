"""The draw: its proof in the order in which things happened, lots in the order they came."""

from typing import Any

from litestar import Response, get

from puntobanco.competition.may import given_now
from puntobanco.competition.path import path_of, step_ahead
from puntobanco.competition.queries import drawn_for, entry_words, next_draw
from puntobanco.competition.view import IN_CHARGE
from puntobanco.house.competitions.paperwork import DrawOnRecord, draws_on_record
from puntobanco.rules.competition.draw import check, people_hash
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.api.competitions import seen_by
from puntobanco.server.pages.competitions.console import (
    PARTS,
    common_context,
    missing_lines,
    path_href,
)
from puntobanco.server.visit import TheVisit, Visit

DRAWS = frozenset({"closed", "confirmed", "drawn", "preparing"})
"""Phases in which seats may be drawn for."""
LONGEST_NAME = 40
REVEALS_MS = 120_000
"""So long after a draw its lots are shown one by one to whoever opens the page."""
DRAW_REGIONS = {name: f"{PARTS}/{name}.html" for name in ("path", "proof", "drawn")}


@get("/competitions/{competition:str}/draw", sync_to_thread=False, include_in_schema=False)
def draw_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """What is sealed, who is drawn for, what was said, and where everybody sits."""
    return visit.show("pages/competitions/draw.html", **draw_context(visit, competition))


def draw_context(visit: Visit, competition: str) -> dict[str, Any]:
    """All that the page of the draw shows; refused to whoever is not in charge."""
    stream = visit.competition(competition)
    by = visit.check(IN_CHARGE, "draw", stream.name)
    seen, state = seen_by(visit, competition), stream.state
    draws = draws_on_record(visit.house.log, state, whole=True) if state.version else []
    session, number = next_draw(state) if state.version else ("", 1)
    people = drawn_for(state) if state.version and state.phase in DRAWS else ()
    shown = _asked(draws, visit.query("show")[:LONGEST_NAME], session, state.phase.value)
    may = frozenset(given_now(state, by))
    asked = visit.query("show")[:LONGEST_NAME]
    return {
        **common_context(visit, seen, by),
        "cup": competition,
        "console": {"path": path_of(state)},
        "path_href": path_href,
        "draws": draws,
        "asked": asked,
        "shown": shown,
        "lots": shown.lots if shown else {},
        "faults": check(shown.certificate) if shown and shown.certificate else (),
        "session": session,
        "number": number,
        "people_drawn": people,
        "list_hash": people_hash(map(entry_words(state).__getitem__, people)) if people else "",
        "keeps_apart": state.conditions.apart.who if state.version else "",
        "may": may,
        "draws_now": state.phase in DRAWS and "draw" in may and bool(people),
        "lines": missing_lines(visit, competition, step_ahead(state), seen, may),
        "now_ms": by.at_ms,
        "reveals_ms": REVEALS_MS,
        "since": stream.seq,
    }


def _asked(draws: list[DrawOnRecord], show: str, session: str, phase: str) -> DrawOnRecord | None:
    """The draw that is looked at: the one asked for, or the last of the session in hand."""
    for one in draws:
        if f"{one.session}.{one.draw}" == show:
            return one
    waits = phase in ("closed", "confirmed", "entering", "published")
    last = [one for one in draws if one.session == session]
    return last[-1] if last else (None if waits or not draws else draws[-1])


HANDLERS = (draw_page,)
