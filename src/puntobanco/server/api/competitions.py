"""Competitions as data: all there are, each as the caller may see it, and what they may do."""

from typing import Annotated

from litestar import Router, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from puntobanco.competition.authority import CHARGE
from puntobanco.competition.may import GIVEN, why_not_in
from puntobanco.competition.path import PathStep, StepAhead, path_of, step_ahead
from puntobanco.competition.state import CompetitionPhase
from puntobanco.competition.view import (
    IN_CHARGE,
    CompetitionView,
    ListedCompetition,
    is_shown,
    listed,
    view,
)
from puntobanco.house.access.desk import named_to
from puntobanco.house.access.people import Person
from puntobanco.house.competitions.glance import (
    CupTable,
    SessionClock,
    ToldLine,
    clock_of,
    told_last,
    told_rulings,
)
from puntobanco.house.competitions.paperwork import DrawOnRecord, draws_on_record
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.competition.sheet import SheetVerdict, judge
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.commands.api import check_one_id
from puntobanco.server.errors import Error, error_of
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Role
from puntobanco.words.competition import COMPETITION_COMMANDS


class CompetitionSeen(Struct, frozen=True):
    """A competition as the caller may see it, and how far its record had come."""

    seq: int
    now_ms: int
    view: CompetitionView
    people: dict[str, Person]
    """What entrants are called, for staff; how they are reached, for those who see to them."""


class ConsoleSeen(Struct, frozen=True):
    """A competition as whoever runs it has it before them."""

    seq: int
    now_ms: int
    path: tuple[PathStep, ...]
    ahead: StepAhead | None
    """The next step, and what it waits for."""
    tables: tuple[CupTable, ...]
    clock: SessionClock | None
    told: list[ToldLine]
    """What happened last, the newest first."""


class CompetitionMay(Struct, frozen=True):
    """One command of a competition, as far as the caller is concerned."""

    command: Annotated[str, Meta(description="Its name, as in the address it is given to")]
    title: str
    when: Annotated[str, Meta(description="When people give it, in plain words")]
    possible: Annotated[bool, Meta(description="Can the caller give it now, with some facts?")]
    final: Annotated[bool, Meta(description="It cannot be taken back: ask for a preview first")]
    roles: Annotated[tuple[Role, ...], Meta(description="Whose command it is")]
    second: Annotated[
        tuple[Role, ...],
        Meta(description="Of these another person must approve it; empty: it takes effect at once"),
    ]
    phases: tuple[CompetitionPhase, ...]
    why_not: Annotated[Error | None, Meta(description="What it would be refused for now")]


def listed_for(visit: Visit) -> list[ListedCompetition]:
    """Every competition that the caller is shown, by id."""
    return [
        listed(stream.state)
        for name, stream in sorted(visit.house.competitions.items())
        if is_shown(stream.state, visit.gateway.spectator(visit.caller, name))
    ]


def seen_by(visit: Visit, name: str) -> CompetitionSeen:
    """A competition as the caller may see it."""
    stream = visit.competition(name)
    by = visit.gateway.spectator(visit.caller, stream.name)
    seen = view(stream.state, by)
    people = named_to(visit.house, by, seen.entries)
    return CompetitionSeen(stream.seq, visit.house.time.now_ms(), seen, people)


def console_of(visit: Visit, name: str) -> ConsoleSeen:
    """How far it has come, what is missing, all tables: for whoever is in charge of it. Whether
    a session is secured, the Director alone is told.
    """
    stream = visit.competition(name)
    by = visit.check(IN_CHARGE, "console", stream.name)
    director = Role.DIRECTOR in by.roles
    return ConsoleSeen(
        stream.seq,
        by.at_ms,
        path_of(stream.state),
        step_ahead(stream.state),
        visit.kept.cup_glances.tables(stream.state, director=director),
        clock_of(stream.state, by.at_ms),
        told_last(visit.house, stream),
    )


@get("/competitions", operation_id="competitions", sync_to_thread=False)
def competitions(visit: TheVisit) -> list[ListedCompetition]:
    """Every competition of the house; one that is only drafted, to whoever is in charge."""
    return listed_for(visit)


@get("/competitions/{competition:str}", operation_id="competition-view", sync_to_thread=False)
def competition_view(visit: TheVisit, competition: CompetitionName) -> CompetitionSeen:
    """A competition as the caller may see it: an entrant their own entry, staff all of them."""
    return seen_by(visit, competition)


@get(
    "/competitions/{competition:str}/console",
    operation_id="competition-console",
    sync_to_thread=False,
)
def competition_console(visit: TheVisit, competition: CompetitionName) -> ConsoleSeen:
    """For whoever is in charge: the way, the next step with what it waits for, every table."""
    return console_of(visit, competition)


@get(
    "/competitions/{competition:str}/draws",
    operation_id="competition-draws",
    sync_to_thread=False,
)
def competition_draws(visit: TheVisit, competition: CompetitionName) -> list[DrawOnRecord]:
    """Every draw there was, with its certificate: seed, words, list and lots."""
    visit.competition(competition)
    return draws_on_record(visit.house.log, competition)


@get(
    "/competitions/{competition:str}/rulings",
    operation_id="competition-rulings",
    sync_to_thread=False,
)
def competition_rulings(visit: TheVisit, competition: CompetitionName) -> list[ToldLine]:
    """For whoever is in charge: all that was ruled and directed, the newest first."""
    stream = visit.competition(competition)
    visit.check(IN_CHARGE, "rulings", stream.name)
    return told_rulings(visit.house, stream)


class ConditionsTyped(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions as they are typed."""

    text: Annotated[str, Meta(max_length=100_000)]


@post(
    "/competitions/{competition:str}/prove",
    operation_id="competition-prove",
    status_code=200,
    sync_to_thread=False,
)
def competition_prove(
    visit: TheVisit, competition: CompetitionName, data: JSONBody[ConditionsTyped]
) -> SheetVerdict:
    """Do these conditions work out for every number of entries, what do they lack, and which
    single changes would make all counts hold? Nothing is recorded.
    """
    visit.check(CHARGE, "draft", f"{COMPETITION}{competition}")
    return judge(data.text)


@get("/competitions/{competition:str}/may", operation_id="competition-may", sync_to_thread=False)
def competition_may(visit: TheVisit, competition: CompetitionName) -> list[CompetitionMay]:
    """Every command of a competition: whether the caller can give it now, and if not, why not."""
    stream = visit.competition(competition)
    by = visit.actor(stream.name)
    found = {name: why_not_in(stream.state, name, by) for name in GIVEN}
    return [
        CompetitionMay(
            name,
            COMPETITION_COMMANDS[name].title,
            COMPETITION_COMMANDS[name].when,
            possible=refused is None,
            final=GIVEN[name].final,
            roles=tuple(sorted(GIVEN[name].roles)),
            second=tuple(sorted(GIVEN[name].second)),
            phases=tuple(one for one in CompetitionPhase if one in GIVEN[name].phases),
            why_not=error_of(refused) if refused else None,
        )
        for name, refused in found.items()
    ]


HANDLERS = (
    Router(
        "/api",
        route_handlers=[
            competitions,
            competition_view,
            competition_console,
            competition_may,
            competition_prove,
            competition_draws,
            competition_rulings,
        ],
        tags=["competition"],
        before_request=check_one_id,
    ),
)
