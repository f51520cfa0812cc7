"""Competitions as data: all there are, each as the caller may see it, and what they may do."""

from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from puntobanco.competition.authority import CHARGE, DESK
from puntobanco.competition.may import GIVEN, why_not_in
from puntobanco.competition.path import PathStep, StepAhead, path_of
from puntobanco.competition.state import CompetitionPhase
from puntobanco.competition.view import (
    IN_CHARGE,
    CompetitionView,
    ListedCompetition,
    called_for,
    is_shown,
    listed,
    sees_ids,
    view,
)
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.desk import named_to
from puntobanco.house.access.people import Person
from puntobanco.house.competitions.entrant import EntrantSeen, entrant_seen
from puntobanco.house.competitions.glance import (
    CupTable,
    SessionClock,
    ToldLine,
    clock_of,
    told_last,
    told_rulings,
)
from puntobanco.house.competitions.lists.league import LeagueTable, league_tables
from puntobanco.house.competitions.lists.records import RECORDS, record_rows
from puntobanco.house.competitions.lists.taking_in import (
    PlannedRow,
    import_entries,
    plan_list,
)
from puntobanco.house.competitions.paperwork import (
    DrawOnRecord,
    draws_on_record,
    told_to_all,
)
from puntobanco.house.competitions.public.board import BoardSeen, CupBoards, wanted_board
from puntobanco.house.competitions.public.event import CupEvents, EventSeen
from puntobanco.house.competitions.readying import ahead_in
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.competition.sheet import SheetVerdict, judge
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import CompetitionName, Short
from puntobanco.server.commands.api import check_one_id, roles_first
from puntobanco.server.errors import Error, error_of
from puntobanco.server.reader_threads import in_reader
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
    aliases: dict[str, str]
    """What entrants want to be called, by what the view sees them as; who chose nothing is not
    named."""


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
    people, called = named_to(visit.house, by, seen.entries), called_for(stream.state, by)
    chosen = visit.house.people.aliases()
    aliases = {called(who): chosen[who] for who in stream.state.entries if who in chosen}
    if not seen.version:
        aliases = {}
    return CompetitionSeen(stream.seq, visit.house.time.now_ms(), seen, people, aliases)


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
        ahead_in(visit.house, stream.state),
        visit.kept.cup_glances.tables(stream.state, director=director),
        clock_of(stream.state, by.at_ms),
        told_last(visit.house, stream),
    )


def seen_by_entrant(visit: Visit, name: str) -> EntrantSeen:
    """A competition as the caller's own; refused without a sign-in."""
    stream = visit.competition(name)
    person = visit.actor(stream.name).person
    if not stream.state.version:
        raise Refused(Reason.NO_SUCH_COMPETITION, CONDITIONS, competition=name[:40])
    return entrant_seen(visit.house, stream, visit.kept.cup_glances, person)


def draws_for(visit: Visit, name: str) -> list[DrawOnRecord]:
    """Every draw there was, as the caller may see it."""
    state = visit.competition(name).state
    by = visit.gateway.spectator(visit.caller, f"{COMPETITION}{name}")
    draws = draws_on_record(visit.house.log, state)
    return draws if sees_ids(by) else told_to_all(state, draws)


@get("/competitions", operation_id="competitions", sync_to_thread=False)
def competitions(visit: TheVisit) -> list[ListedCompetition]:
    """Every competition of the house; one that is only drafted, to whoever is in charge."""
    return listed_for(visit)


@get("/competitions/{competition:str}", operation_id="competition-view", sync_to_thread=False)
def competition_view(visit: TheVisit, competition: CompetitionName) -> CompetitionSeen:
    """A competition as the caller may see it: an entrant their own entry, staff all of them."""
    return seen_by(visit, competition)


@get("/competitions/{competition:str}/me", operation_id="competition-me", sync_to_thread=False)
def competition_me(visit: TheVisit, competition: CompetitionName) -> EntrantSeen:
    """The caller's own entry: what is due of them, where they play, how they stand there."""
    return seen_by_entrant(visit, competition)


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
    """Every draw there was, with its certificate: seed, words, list and lots. Outside staff people
    are the numbers of their entries, by which lots are drawn.
    """
    return draws_for(visit, competition)


@get(
    "/competitions/{competition:str}/event",
    operation_id="competition-event",
    sync_to_thread=False,
)
def competition_event(visit: TheVisit, competition: CompetitionName) -> EventSeen:
    """The event as everybody sees it: every published version, the schedule, draws with their
    check, results of confirmed stages, places and prizes; entrants by their aliases.
    """
    events: CupEvents = visit.kept.cup_events
    return events.event(visit.competition(competition))


@get(
    "/competitions/{competition:str}/board",
    operation_id="competition-board",
    sync_to_thread=False,
)
def competition_board(
    visit: TheVisit,
    competition: CompetitionName,
    tables: Annotated[str, QueryParameter(max_length=2000)] = "",
    pit: Annotated[str, QueryParameter(max_length=64)] = "",
    show: Annotated[Literal["tables", "overall"], QueryParameter()] = "tables",
) -> BoardSeen:
    """What a board on the wall shows: of all tables of the session, of some, of one pit, or over
    all tables. It is the same for everybody.
    """
    boards: CupBoards = visit.kept.cup_walls.boards
    return boards.board(visit.competition(competition), wanted_board(tables, pit, show))


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


@get(
    "/competitions/{competition:str}/data/{what:str}",
    operation_id="competition-data",
)
@in_reader
def competition_data(
    visit: TheVisit, competition: CompetitionName, what: Short
) -> list[dict[str, str | int | None]]:
    """The draw, the standings coup by coup, the results or the money of a competition, row by row;
    amounts are cents. Draw and results are for everybody, the rest for whoever is in charge.
    """
    return data_of(visit, competition, what)


def data_of(visit: Visit, competition: str, what: str) -> list[dict[str, str | int | None]]:
    """One kind of data, if there is such a kind and the caller may have it."""
    stream = visit.competition(competition)
    if what not in RECORDS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    if RECORDS[what].roles:
        visit.check(RECORDS[what].roles, what, stream.name)
    house = visit.house
    return record_rows(house.log, stream.state, house.people.aliases(), what)


@get("/leagues", operation_id="leagues", sync_to_thread=False)
def leagues(visit: TheVisit) -> list[LeagueTable]:
    """Every league: its events with what their places count, and everybody with points."""
    return league_tables(visit.house)


class EntryListTyped(Struct, frozen=True, forbid_unknown_fields=True):
    """A list of entrants."""

    text: Annotated[str, Meta(max_length=2_000_000, description="CSV; its head names columns")]


class EntryListTaken(Struct, frozen=True):
    """How many entrants a list had; all of them are taken in."""

    entries: int


@post(
    "/competitions/{competition:str}/entry-list/preview",
    operation_id="competition-entry-list-preview",
    status_code=200,
    before_request=roles_first(DESK, "entries", "competition", COMPETITION),
    sync_to_thread=False,
)
def competition_entry_list_preview(
    visit: TheVisit, competition: CompetitionName, data: JSONBody[EntryListTyped]
) -> list[PlannedRow]:
    """What each row of a list would do, or which column of it is wrong; nothing is done."""
    by = visit.check(DESK, "entries", visit.competition(competition).name)
    return plan_list(visit.house, competition, data.text, by.person)


@post(
    "/competitions/{competition:str}/entry-list",
    operation_id="competition-entry-list",
    status_code=200,
    before_request=roles_first(DESK, "entries", "competition", COMPETITION),
)
async def competition_entry_list(
    visit: TheVisit, competition: CompetitionName, data: JSONBody[EntryListTyped]
) -> EntryListTaken:
    """Take a list in: all rows or none. The same list again brings about what was left of it."""
    by = visit.check(DESK, "entries", visit.competition(competition).name)
    return EntryListTaken(await import_entries(visit.house, competition, data.text, by.person))


class ConditionsTyped(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions as they are typed."""

    text: Annotated[str, Meta(max_length=100_000)]


@post(
    "/competitions/{competition:str}/prove",
    operation_id="competition-prove",
    status_code=200,
    before_request=roles_first(CHARGE, "draft", "competition", COMPETITION),
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
            competition_me,
            competition_console,
            competition_may,
            competition_prove,
            competition_draws,
            competition_rulings,
            competition_data,
            leagues,
            competition_entry_list,
            competition_entry_list_preview,
            competition_board,
            competition_event,
        ],
        tags=["competition"],
        before_request=check_one_id,
    ),
)
