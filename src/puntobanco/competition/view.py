"""A competition as each viewer may see it, built up from nothing.

Everybody sees what was published: conditions, seats, standings of confirmed stages, places. An
entrant sees their own entry, staff all entries, whoever is in charge also money, proposals and
rulings. People are named by id; what they are called is in tables that can be erased.
"""

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition.queries import pool_now, prize_list, standings
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
from puntobanco.table.state import Dispute

IN_CHARGE = frozenset({Role.DIRECTOR, Role.MANAGEMENT, Role.AUDITOR})
SEES_ENTRIES = STAFF | {Role.CASHIER, Role.AUDITOR}
SEATED_FROM = frozenset(CompetitionPhase) - {
    CompetitionPhase.DRAFTING,
    CompetitionPhase.PUBLISHED,
    CompetitionPhase.ENTERING,
    CompetitionPhase.CLOSED,
}


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


class SeenPool(Struct, frozen=True):
    """The pool as it is now, and the prizes that it makes."""

    fees_cents: int
    retained_cents: int
    commission_cents: int
    pool_cents: int
    prizes_cents: tuple[int, ...]


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


def view(competition: Competition, by: Actor) -> CompetitionView:
    """Build a person's view up from nothing, so that a person without a role sees what all may."""
    facts: dict[str, object] = {}
    charge = bool(by.roles & IN_CHARGE)
    if competition.version:
        facts |= _public(competition, in_charge=charge)
    if by.person in competition.entries:
        facts["own"] = competition.entries[by.person]
    if by.roles & SEES_ENTRIES:
        facts |= {"entries": competition.entries, "reserves": competition.reserves}
    if charge:
        facts |= _for_charge(competition)
    return CompetitionView(competition.id, competition.phase, **facts)  # type: ignore[arg-type]


def _public(competition: Competition, *, in_charge: bool) -> dict[str, object]:
    now = competition.versions[competition.version]
    shown = competition.phase in SEATED_FROM
    return {
        "version": competition.version,
        "name": competition.conditions.name,
        "text": now.text,
        "hash": now.hash,
        "entries_in": competition.money.entries,
        "tables": competition.tables,
        "commitment": competition.commitment,
        "sessions": tuple(
            _session(competition, session, in_charge=in_charge)
            for session in competition.sessions.values()
            if shown and not session.order
        ),
        "places": competition.places,
        "cancelled": competition.cancelled,
    }


def _session(competition: Competition, session: PlaySession, *, in_charge: bool) -> SeenSession:
    """How those who are level stand is for whoever is in charge until the stage is confirmed."""
    seen = SeenSession(
        session.id,
        session.stage,
        session.kind,
        session.seats,
        bool(session.started_ms),
        session.ends_ms,
        session.last_coup,
        tuple(session.results),
        tuple(session.stopped),
    )
    confirmed = session.stage in competition.confirmed
    if session.kind != "session" or not (in_charge or confirmed):
        return seen
    found = [each for each in standings(competition, session.id).values() if each is not None]
    facts = {
        "through": tuple(person for each in found for person in each.through),
        "contested": tuple(person for each in found for person in each.contested),
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
    }
    if competition.version:
        pool = pool_now(competition)
        facts["pool"] = SeenPool(
            pool.fees_cents,
            pool.retained_cents,
            pool.commission_cents,
            pool.pool_cents,
            prize_list(competition),
        )
    return facts
