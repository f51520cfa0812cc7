"""A competition as each viewer may see it, built up from nothing.

Everybody sees what was published: conditions, seats, standings of confirmed stages, places. An
entrant sees their own entry, staff all entries, whoever is in charge also money, proposals and
rulings. Staff see people by id. An id is what somebody signs in with: everybody else sees them by
the number of their entry (`entry-0007`). What they are called is in tables that can be erased.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition.dates import began_ms, start_ms
from puntobanco.competition.impact import Impact, amended_impacts
from puntobanco.competition.next_step import ActDue, next_acts, own_acts, waits_for
from puntobanco.competition.queries import (
    apart_listed,
    entries_in,
    entry_words,
    pool_cents,
    pool_now,
    prize_list,
    seated,
    standings,
    went_on,
)
from puntobanco.competition.state import (
    Competition,
    CompetitionPhase,
    Entrant,
    Money,
    PlaySession,
    RulingKept,
    SessionKind,
    Suggestion,
)
from puntobanco.rules.competition.places import PlaceRow
from puntobanco.table.actor import STAFF, Actor, Role
from puntobanco.table.result import SessionResult
from puntobanco.table.state import Dispute

IN_CHARGE = frozenset({Role.DIRECTOR, Role.MANAGEMENT, Role.AUDITOR})
REASONABLE_MS = 30 * 60_000
"""The notice that an ordinary table gives of other limits [tas-2018:7.6(b)]."""
SEES_ENTRIES = STAFF | {Role.CASHIER, Role.AUDITOR}
SEATED_FROM = frozenset(CompetitionPhase) - {
    CompetitionPhase.DRAFTING,
    CompetitionPhase.PUBLISHED,
    CompetitionPhase.ENTERING,
    CompetitionPhase.CLOSED,
}

SUBSTITUTE = "substitute"
"""Whoever sits for a player and has not entered."""
PAST = frozenset({CompetitionPhase.DONE, CompetitionPhase.CANCELLED})
RUNNING = SEATED_FROM - PAST - {CompetitionPhase.DRAWN}
"""From when tables are made ready to when the last prize is paid."""


class SeenSession(Struct, frozen=True):
    """One session: who sits where, how long it lasts, and how it stands."""

    id: str
    stage: str
    kind: SessionKind
    seats: dict[str, dict[int, str]]
    started: bool
    ends_ms: int | None
    last_coup: bool
    tables_in: tuple[str, ...]
    """Tables whose results are in."""
    stopped: tuple[str, ...]
    through: tuple[str, ...] = ()
    """For whoever is in charge, or once the stage is confirmed."""
    contested: tuple[str, ...] = ()
    places_left: int = 0
    amended: tuple[str, ...] = ()
    """For whoever is in charge: tables whose confirmed result has changed."""
    results: dict[str, SessionResult] = {}
    """What each table's session came to, as far as that is in: for the same."""


class MovedStart(Struct, frozen=True):
    """A stage that starts at another time than the conditions say [tas-2018:16.3.4]."""

    stage: str
    start_ms: int
    told_ms: int
    short: bool
    """Whether notice was given less than half an hour before, which may not be reasonable."""


class SeenPool(Struct, frozen=True):
    """The pool as it is now, and the prizes that it makes."""

    fees_cents: int
    retained_cents: int
    commission_cents: int
    pool_cents: int
    prizes_cents: tuple[int, ...]


class ListedStage(Struct, frozen=True):
    """A stage in a list of competitions, with its date."""

    name: str
    start_ms: int | None
    """None: no date has been set for it yet."""
    over: bool
    began_ms: int | None = None
    """When it did start."""


class CompetitionView(Struct, frozen=True):
    """A competition as one viewer sees it."""

    id: str
    phase: CompetitionPhase
    version: int = 0
    name: str = ""
    text: str = ""
    """The conditions in force, whole."""
    hash: str = ""
    entries_in: int = 0
    """How many entries are paid and not refunded."""
    tables: tuple[str, ...] = ()
    commitment: str = ""
    sessions: tuple[SeenSession, ...] = ()
    places: tuple[PlaceRow, ...] = ()
    cancelled: str = ""
    own: Entrant | None = None
    """The viewer's own entry."""
    entries: dict[str, Entrant] = {}
    reserves: tuple[str, ...] = ()
    draft: str = ""
    pool: SeenPool | None = None
    money: Money | None = None
    proposals: dict[int, Suggestion] = {}
    disputes: dict[int, Dispute] = {}
    rulings: tuple[RulingKept, ...] = ()
    directors: frozenset[str] = frozenset()
    impacts: tuple[Impact, ...] = ()
    """For whoever is in charge: what each changed result of a confirmed stage would change."""
    start: str = ""
    """When the conditions say that it starts."""
    moved: tuple[MovedStart, ...] = ()
    break_until_ms: int | None = None
    """When a break that was announced is over [act-2015:15.18]."""
    ruleset: str = ""
    most: int = 0
    """The most entries there may be."""
    next: tuple[ActDue, ...] = ()
    """What comes next: of an entry for its owner, of it all for staff."""
    waits_for: tuple[str, ...] = ()
    """The tables whose results are waited for."""
    stages: tuple[ListedStage, ...] = ()
    """The stages with their dates, as far as they are told."""
    apart: tuple[tuple[str, ...], ...] = ()
    """For whoever is in charge: those who are not drawn to one table."""
    apart_hash: str = ""
    """The fingerprint of that list, for everybody."""


class ListedCompetition(Struct, frozen=True):
    """A competition in a list of all of them."""

    id: str
    phase: CompetitionPhase
    name: str = ""
    ruleset: str = ""
    start: str = ""
    entries_in: int = 0
    most: int = 0
    when: Literal["coming", "running", "past"] = "coming"
    stages: tuple[ListedStage, ...] = ()
    fee_cents: int = 0
    reserves: int = 0
    """How many wait for a place."""


def is_shown(competition: Competition, by: Actor) -> bool:
    """Say whether somebody is shown it at all: before it is published, who is in charge."""
    return bool(competition.version) or bool(by.roles & IN_CHARGE)


def listed(competition: Competition) -> ListedCompetition:
    if not competition.version:
        return ListedCompetition(competition.id, competition.phase)
    held, phase = competition.conditions, competition.phase
    return ListedCompetition(
        competition.id,
        phase,
        held.name,
        held.ruleset,
        held.start,
        entries_in(competition),
        held.entry.max,
        "past" if phase in PAST else "running" if phase in RUNNING else "coming",
        listed_stages(competition),
        held.entry.fee_cents or 0,
        len(competition.reserves),
    )


def listed_stages(competition: Competition) -> tuple[ListedStage, ...]:
    """Every stage with its date, as it was told or set last."""
    return tuple(
        ListedStage(
            one.name,
            start_ms(competition, one.name) or None,
            one.name in competition.confirmed,
            began_ms(competition, one.name),
        )
        for one in competition.conditions.stage
    )


Called = Callable[[str], str]
"""What a viewer sees somebody as."""


def sees_ids(by: Actor) -> bool:
    """Whether somebody sees the entries, and people by id."""
    return bool(by.roles & SEES_ENTRIES)


def called_for(competition: Competition, by: Actor) -> Called:
    """What people are to a viewer: ids for staff, for everybody else the numbers of entries."""
    words = {} if sees_ids(by) else entry_words(competition)
    return lambda person: person if sees_ids(by) else words.get(person, SUBSTITUTE)


def own_entry(competition: Competition, person: str) -> Entrant | None:
    """Somebody's entry as they see it: whoever sits for them is no more to them than that."""
    entry = competition.entries.get(person)
    return replace(entry, substitute=SUBSTITUTE) if entry and entry.substitute else entry


def view(competition: Competition, by: Actor) -> CompetitionView:
    """Build a person's view up from nothing, so that a person without a role sees what all may."""
    facts: dict[str, object] = {}
    charge = bool(by.roles & IN_CHARGE)
    if competition.version:
        facts |= _public(competition, called_for(competition, by), in_charge=charge)
    if by.person in competition.entries:
        facts["own"] = own_entry(competition, by.person)
        facts["next"] = own_acts(competition, by.person)
    if sees_ids(by):
        facts |= {"entries": competition.entries, "reserves": competition.reserves}
        facts["next"] = _next(competition, in_charge=charge)
    if charge:
        facts |= _for_charge(competition)
    return CompetitionView(competition.id, competition.phase, **facts)  # type: ignore[arg-type]


def _next(competition: Competition, *, in_charge: bool) -> tuple[ActDue, ...]:
    """What comes next; who is level is for whoever is in charge until the stage is confirmed."""
    return tuple(
        act if in_charge or act.command != "order-play-off" else replace(act, about=())
        for act in next_acts(competition)
    )


def _public(competition: Competition, called: Called, *, in_charge: bool) -> dict[str, object]:
    now = competition.versions[competition.version]
    shown = competition.phase in SEATED_FROM
    return {
        "version": competition.version,
        "name": competition.conditions.name,
        "text": now.text,
        "hash": now.hash,
        "entries_in": entries_in(competition),
        "tables": competition.tables,
        "commitment": competition.commitment,
        "apart_hash": apart_listed(competition).hash,
        "sessions": tuple(
            _session(competition, session, called, in_charge=in_charge)
            for session in competition.sessions.values()
            if shown and not session.order
        ),
        "places": tuple(
            replace(row, people=_all(called, row.people)) for row in competition.places
        ),
        "cancelled": competition.cancelled,
        "start": competition.conditions.start,
        "stages": listed_stages(competition),
        "moved": tuple(_moved(competition)),
        "break_until_ms": competition.break_until_ms,
        "ruleset": competition.conditions.ruleset,
        "most": competition.conditions.entry.max,
        "waits_for": waits_for(competition),
    }


def _moved(competition: Competition) -> Iterator[MovedStart]:
    for stage, starts in competition.starts.items():
        told = competition.told.get(stage, 0)
        yield MovedStart(stage, starts[-1], told, starts[-1] - told < REASONABLE_MS)


def _all(called: Called, people: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(called, people))


def _by(called: Called, people: Mapping[str, Any]) -> dict[str, Any]:
    return {called(person): fact for person, fact in people.items()}


def _result(called: Called, result: SessionResult) -> SessionResult:
    return replace(
        result,
        chips=_by(called, result.chips),
        out=_by(called, result.out),
        gone=_by(called, result.gone),
        secrets_left=_by(called, result.secrets_left),
    )


def _session(
    competition: Competition, session: PlaySession, called: Called, *, in_charge: bool
) -> SeenSession:
    """How those who are level stand is for whoever is in charge until the stage is confirmed."""
    seen = SeenSession(
        session.id,
        session.stage,
        session.kind,
        {
            table: {seat: called(person) for seat, person in sat.items()}
            for table, sat in session.seats.items()
        },
        session.has_begun,
        session.ends_ms,
        session.last_coup,
        tuple(session.results),
        tuple(session.stopped),
    )
    confirmed = session.stage in competition.confirmed
    if not (in_charge or confirmed):
        return seen
    seen = replace(
        seen,
        results={table: _result(called, taken.result) for table, taken in session.results.items()},
    )
    if session.kind != "session":
        return seen
    found = [each for each in standings(competition, session.id).values() if each is not None]
    through = [person for each in found for person in each.through]
    if confirmed:  # as it was; whoever is gone since makes nobody go on
        on = went_on(competition, session.id) & seated(session)
        through = [*(one for one in through if one in on), *sorted(on - {*through})]
    facts = {
        "through": _all(called, iter(through)),
        "contested": _all(called, (person for each in found for person in each.contested)),
        "places_left": sum(each.places_left for each in found),
        "amended": tuple(session.amended) if in_charge else (),
    }
    return replace(seen, **facts)


def _for_charge(competition: Competition) -> dict[str, object]:
    facts: dict[str, object] = {
        "draft": competition.draft,
        "money": competition.money,
        "proposals": competition.proposals,
        "disputes": competition.disputes,
        "rulings": competition.rulings,
        "directors": competition.directors,
        "apart": competition.apart.groups,
    }
    if competition.version:
        facts["impacts"] = amended_impacts(competition)
    if competition.version and competition.phase is not CompetitionPhase.CANCELLED:
        pool = pool_now(competition)
        facts["pool"] = SeenPool(
            pool.fees_cents,
            pool.retained_cents,
            pool.commission_cents,
            pool_cents(competition),
            prize_list(competition),
        )
    return facts
