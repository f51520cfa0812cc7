"""The state of a competition: conditions, entries, sessions, places and money."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct

from puntobanco.competition.commands import CompetitionCommand
from puntobanco.rules.competition.conditions import (
    CompetitionConditions,
    StageConditions,
    read_conditions,
)
from puntobanco.rules.competition.draw import ApartList
from puntobanco.rules.competition.places import PlaceRow
from puntobanco.rules.documents.competition_rules import CompetitionRules
from puntobanco.rules.documents.ruleset import CONDITIONS, Ruleset
from puntobanco.rules.documents.texts import by_digest, load_ruleset
from puntobanco.table.result import SessionResult
from puntobanco.table.state import Dispute

SECONDARY = "secondary"
"""The name of the session that gives those who failed to qualify a second chance."""
SessionKind = Literal["session", "play-off", "more-rounds"]


class CompetitionPhase(StrEnum):
    """How far a competition has come; from drawn to confirmed again for each stage."""

    DRAFTING = "drafting"
    PUBLISHED = "published"
    ENTERING = "entering"
    CLOSED = "closed"
    DRAWN = "drawn"
    PREPARING = "preparing"
    RUNNING = "running"
    OVER = "over"
    PLAY_OFF = "play-off"
    CONFIRMED = "confirmed"
    PLACED = "placed"
    PAID = "paid"
    DONE = "done"
    CANCELLED = "cancelled"


class EntryStatus(StrEnum):
    """What has become of an entry."""

    APPLIED = "applied"
    REFUSED = "refused"
    ACCEPTED = "accepted"
    ENDORSED = "endorsed"
    PAID = "paid"
    WITHDRAWN = "withdrawn"
    RESERVE = "reserve"
    SEATED = "seated"
    THROUGH = "through"
    OUT = "out"
    FORFEITED = "forfeited"
    DISQUALIFIED = "disqualified"
    SECONDARY = "secondary"
    PLACED = "placed"


ENDED = frozenset(
    {
        EntryStatus.REFUSED,
        EntryStatus.WITHDRAWN,
        EntryStatus.OUT,
        EntryStatus.FORFEITED,
        EntryStatus.DISQUALIFIED,
    }
)
"""Whoever is this is in the competition no longer."""


class Version(Struct, frozen=True):
    """Conditions as they were published."""

    text: str
    hash: str
    digest: str
    """Of the rule-set text it is played by."""


class Entrant(Struct, frozen=True):
    """One person's entry; it stays one, whoever sits for them [tas-2018:16.3.3]."""

    status: EntryStatus
    number: int = 1
    """Which entry of this person it is."""
    version: int = 0
    """The version of the conditions that they endorsed; 0: none yet [tas-2018:16.2.6]."""
    fee_cents: int = 0
    commission_cents: int = 0
    refunded_cents: int = 0
    refund_until: str = ""
    """The last day for a refund, as their receipt has it."""
    owed_cents: int = 0
    """A refund that is due."""
    table: str = ""
    seat: int = 0
    stage: str = ""
    """The stage in which they are, or went out."""
    why: str = ""
    substitute: str = ""
    place: int = 0
    place_to: int = 0
    """The last of the places that they share."""
    prize_cents: int = 0
    prize_added_cents: int = 0
    """What of the prize the operator adds."""
    prize_paid: bool = False
    earlier_cents: int = 0
    """What earlier entries of theirs paid and did not get back."""

    @property
    def paid_cents(self) -> int:
        return self.fee_cents + self.commission_cents

    @property
    def is_in(self) -> bool:
        return self.status not in ENDED


class Money(Struct, frozen=True):
    """What has gone through the competition's pot at the cage."""

    entries: int = 0
    """How many entries are paid and not refunded."""
    fees_cents: int = 0
    commission_cents: int = 0
    added_cents: int = 0
    refunded_cents: int = 0
    retained_cents: int = 0
    paid_cents: int = 0

    @property
    def pot_cents(self) -> int:
        taken = self.fees_cents + self.commission_cents + self.added_cents
        return taken - self.refunded_cents - self.retained_cents - self.paid_cents


class TakenResult(Struct, frozen=True):
    """A result as a table gave it."""

    version: int
    result: SessionResult


class PlaySession(Struct, frozen=True):
    """One session, played at all its tables at once."""

    id: str
    stage: str
    kind: SessionKind = "session"
    seats: dict[str, dict[int, str]] = {}
    first: dict[str, int] = {}
    draws: int = 0
    """How many draws there have been for it."""
    started_ms: int | None = None
    """None: it has not begun."""
    ends_ms: int | None = None
    last_coup: bool = False
    time_over: bool = False
    stopped: dict[str, str] = {}
    """Tables that cannot go on, and why."""
    moved: dict[str, str] = {}
    """Tables whose session goes on elsewhere, and where."""
    finished: frozenset[str] = frozenset()
    """Tables that finished early."""
    results: dict[str, TakenResult] = {}
    amended: dict[str, TakenResult] = {}
    """Results that changed after they were confirmed, and await a ruling."""
    overruled: dict[str, SessionResult] = {}
    """What tables say, and what does not count by ruling."""
    of: str = ""
    """Of a play-off: the table at whose session they ended level."""
    people: tuple[str, ...] = ()
    """Of a play-off: those who play it."""
    places_left: int = 0
    coups: int = 0
    chips_cents: int = 0
    order: tuple[str, ...] = ()
    """Of a ruling instead of a play-off: those who were level, best first."""

    @property
    def has_begun(self) -> bool:
        return self.started_ms is not None

    @property
    def is_in(self) -> bool:
        """Whether every table has given its result."""
        return bool(self.seats) and all(table in self.results for table in self.seats)


class Suggestion(Struct, frozen=True):
    """A command that waits for a second person."""

    ask: CompetitionCommand
    person: str


class RulingKept(Struct, frozen=True):
    about: str
    note: str
    person: str


class Competition(Struct, frozen=True):
    """One competition."""

    id: str = ""
    phase: CompetitionPhase = CompetitionPhase.DRAFTING
    draft: str = ""
    versions: dict[int, Version] = {}
    directors: frozenset[str] = frozenset()
    """Those who are signed on as its director [tas-2018:16.2.7]."""
    entries: dict[str, Entrant] = {}
    reserves: tuple[str, ...] = ()
    """Those who wait for a seat, in order [act-2015:15.10]."""
    starts: dict[str, tuple[int, ...]] = {}
    """Starts that were set anew, by stage; the last one holds [tas-2018:16.3.4]."""
    told: dict[str, int] = {}
    """When notice of a stage's new start was given."""
    tables: tuple[str, ...] = ()
    """The tables that the Director designated, in order [tas-2018:16.3.1]."""
    commitment: str = ""
    """The commitment to the seed of the next draw; empty: none is open."""
    apart: ApartList = ApartList()
    """Those who are not to be drawn to one table [act-2015:15.4(f)]."""
    sessions: dict[str, PlaySession] = {}
    session: str = ""
    """The session that is prepared, in play, or was last."""
    break_until_ms: int | None = None
    break_since_ms: int = 0
    confirmed: tuple[str, ...] = ()
    """The stages that have been confirmed."""
    secondary_into: str = ""
    """The stage that a second chance leads into; empty: there has been none."""
    wild_cards: tuple[str, ...] = ()
    """Those who advance besides, from the stage in play."""
    places: tuple[PlaceRow, ...] = ()
    prizes_cents: tuple[int, ...] = ()
    """The prize list by ruling; empty: the conditions'."""
    money: Money = Money()
    pool_cents: int = 0
    published: bool = False
    proposals: dict[int, Suggestion] = {}
    proposal_number: int = 0
    disputes: dict[int, Dispute] = {}
    rulings: tuple[RulingKept, ...] = ()
    stood_in: dict[str, str] = {}
    """For whom each substitute has sat, then or now."""
    directions: tuple[str, ...] = ()
    cancelled: str = ""
    """Why it does not proceed."""

    @property
    def version(self) -> int:
        """The number of the version in force; 0: none is published."""
        return max(self.versions, default=0)

    @property
    def conditions(self) -> CompetitionConditions:
        return read_conditions(self.versions[self.version].text)

    @property
    def rules(self) -> Ruleset:
        """The rule set by the very text that was in force when it was published."""
        return by_digest(self.versions[self.version].digest) or load_ruleset(
            self.conditions.ruleset
        )

    @property
    def says(self) -> CompetitionRules:
        """What the document says of competitions."""
        return self.rules.competition

    @property
    def director_clause(self) -> str:
        """The clause by which a director is present while it is in progress."""
        return self.says.director if self.version else CONDITIONS

    @property
    def now(self) -> PlaySession:
        return self.sessions[self.session]

    @property
    def stages_done(self) -> int:
        """How many of the conditions' stages have been confirmed."""
        return sum(stage != SECONDARY for stage in self.confirmed)

    @property
    def in_secondary(self) -> bool:
        """Whether those who failed to qualify play for their second chance."""
        return bool(self.secondary_into) and SECONDARY not in self.confirmed

    @property
    def stage(self) -> StageConditions:
        """The stage that is next or in play; a second chance is played like the stage before."""
        number = self.stages_done - (1 if self.in_secondary else 0)
        return self.conditions.stage[min(number, len(self.conditions.stage) - 1)]

    @property
    def stage_name(self) -> str:
        return SECONDARY if self.in_secondary else self.stage.name

    @property
    def is_final(self) -> bool:
        """Whether the stage that is next or in play is the last one."""
        return not self.in_secondary and self.stages_done >= len(self.conditions.stage) - 1
