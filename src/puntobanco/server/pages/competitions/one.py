"""One competition: to whoever is in charge its console, to everybody else what was published."""

from functools import partial
from typing import Any

from litestar import Response, get

from puntobanco.competition.may import given_now, why_not_in
from puntobanco.competition.sentences import came_to
from puntobanco.competition.view import IN_CHARGE, SEES_ENTRIES
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.api.competitions import seen_by
from puntobanco.server.commands.preview import writing_to
from puntobanco.server.pages.competitions.boards.event import show_event
from puntobanco.server.pages.competitions.console import (
    PRESSED,
    by_subject,
    common_context,
    console_context,
)
from puntobanco.server.visit import TheVisit, Visit

PLACES_OF = {
    True: ("entries", "papers", "event", "board"),
    False: ("me", "event", "board", "papers"),
}
"""Other pages of a competition, for staff and for whoever may enter."""


@get("/competitions/{competition:str}", sync_to_thread=False, include_in_schema=False)
def cup_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """Phase, entries, tables and seats, results, money, what comes next, what one may do; to
    whoever has not signed in, the event.
    """
    stream = visit.competition(competition)
    by = visit.gateway.spectator(visit.caller, stream.name)
    if by.roles & IN_CHARGE:
        context = console_context(visit, competition)
        return visit.show("pages/competitions/console.html", **context)
    if not by.person:
        return show_event(visit, competition)
    return visit.show("pages/competitions/one.html", **one_context(visit, competition))


def one_context(visit: Visit, competition: str) -> dict[str, Any]:
    """All that the page shows to whoever has signed in and is not in charge."""
    stream = visit.competition(competition)
    by = visit.gateway.spectator(visit.caller, stream.name)
    seen = seen_by(visit, competition)
    names, staff = given_now(stream.state, by), bool(by.roles & SEES_ENTRIES)

    def can(name: str, **facts: object) -> bool:
        return why_not_in(stream.state, name, by, facts) is None

    return {
        **common_context(visit, seen, by),
        "since": stream.seq,
        "cup": competition,
        "groups": by_subject(names),
        "pressed": PRESSED,
        "can": can,
        "came_to": partial(came_to, writing=writing_to(visit)),
        "staff": staff,
        "places": PLACES_OF[staff] if stream.state.version else (),
        "contacts": any(person.contact for person in seen.people.values()),
    }


HANDLERS = (cup_page,)
