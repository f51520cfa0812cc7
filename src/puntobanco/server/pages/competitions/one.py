"""One competition: how far it has come, what comes next, and what the reader may do."""

import msgspec
from litestar import Response, get
from msgspec import Struct

from puntobanco.competition.authority import CHARGE
from puntobanco.competition.may import GIVEN, KINDS, given_now, why_not_in
from puntobanco.competition.sentences import came_to, tell_impact
from puntobanco.house.access.rights import WORKS_HERE
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.api.competitions import seen_by
from puntobanco.server.commands.forms import fields_of
from puntobanco.server.commands.typed import written
from puntobanco.server.pages.competitions.forms import words_for
from puntobanco.server.visit import TheVisit
from puntobanco.words.competition import (
    COMPETITION_COMMANDS,
    COMPETITION_FIELDS,
    COMPETITION_GROUPS,
)

PRESSED = frozenset(
    name for name, kind in KINDS.items() if not fields_of(kind, {}, {}) and not GIVEN[name].final
)
"""Commands with nothing to be said and nothing to be sure of: one press."""


@get("/competitions/{competition:str}", sync_to_thread=False, include_in_schema=False)
def cup_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """Phase, entries, tables and seats, results, money, what comes next, what one may do."""
    seen = seen_by(visit, competition)
    stream = visit.competition(competition)
    by = visit.gateway.spectator(visit.caller, stream.name)
    names = given_now(stream.state, by)

    def can(name: str, **facts: object) -> bool:
        return why_not_in(stream.state, name, by, facts) is None

    return visit.show(
        "pages/competitions/one.html",
        cup=competition,
        seen=seen.view,
        people=seen.people,
        groups=_grouped(names),
        words=words_for(by),
        titles=COMPETITION_COMMANDS,
        pressed=PRESSED,
        can=can,
        told=told_proposal,
        came_to=came_to,
        told_impact=tell_impact,
        staff=bool(by.roles & WORKS_HERE),
        contacts=any(person.contact for person in seen.people.values()),
        refused=list(visit.house.unrelayed.values()) if by.roles & CHARGE else [],
    )


def _grouped(names: list[str]) -> list[tuple[str, list[str]]]:
    found = (
        (group, [name for name in members if name in names])
        for group, members in COMPETITION_GROUPS.items()
    )
    return [(group, members) for group, members in found if members]


def told_proposal(ask: Struct) -> str:
    """A command that waits for a second person, with what it says."""
    facts = dict(written(msgspec.to_builtins(ask, str_keys=True)))
    name = facts.pop("do")
    said = [f"{_label(path)} {text}" for path, text in facts.items() if len(text) <= LONGEST_TOLD]
    title = COMPETITION_COMMANDS[name].title
    return f"{title}: {', '.join(said)}" if said else title


LONGEST_TOLD = 200
"""Longer facts, such as a fingerprint or conditions, stand elsewhere on the page."""


def _label(path: str) -> str:
    label = COMPETITION_FIELDS.get(path, path.rpartition(".")[2])
    return label.partition(",")[0].lower()


HANDLERS = (cup_page,)
