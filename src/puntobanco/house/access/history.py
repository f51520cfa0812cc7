"""What the register has on record of each person: enrolled, shut out, and every role they held.

It is read from the register's rows, once, and then row by row as they come.
"""

from threading import Lock
from types import GenericAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row, damaged
from puntobanco.journal.verify import REGISTER
from puntobanco.register import events as e
from puntobanco.table.actor import Role
from puntobanco.table.events import Approved

_decode = msgspec.json.Decoder(GenericAlias(list, (e.RegisterEvent,))).decode
OF_PEOPLE = (
    b'"person-',
    b'"self-',
    b'"role-',
    b'"house-founded"',
    b'"founder-named"',
    b'"proposed"',
)

MANAGES = (Role.MANAGEMENT, "", None)
"""A role that a founder has, in the whole house and without end."""


class RoleHeld(Struct, frozen=True):
    """A role from the day it was given to the day it was taken away."""

    role: Role
    table: str
    """Empty: in the whole house."""
    since_ms: int
    given_by: str
    until_ms: int | None = None
    ended_by: str = ""
    proposed_by: str = ""
    """Who proposed it, where it took two people; `given_by` agreed."""


class ShutOut(Struct, frozen=True):
    """A time during which a person was shut out of the house."""

    since_ms: int
    by: str
    why: str
    until_ms: int | None = None
    ended_by: str = ""
    ended_why: str = ""


class SelfExclusion(Struct, frozen=True):
    """A time for which a patron shut themselves out of play."""

    since_ms: int
    until_ms: int


class PersonHistory(Struct, frozen=True):
    """All of it, the newest first."""

    enrolled_ms: int = 0
    enrolled_by: str = ""
    roles: tuple[RoleHeld, ...] = ()
    shut_out: tuple[ShutOut, ...] = ()
    excluded: tuple[SelfExclusion, ...] = ()


class PeopleBook:
    """The history of everybody, up to the last row that was read."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._lock = Lock()
        self._seq = 0
        self._people: dict[str, PersonHistory] = {}
        self._proposed: dict[int, str] = {}
        """Who proposed what, by its number."""

    def of(self, person: str) -> PersonHistory:
        self.catch_up()
        return self._people.get(person, PersonHistory())

    def everybody(self) -> dict[str, PersonHistory]:
        self.catch_up()
        return dict(self._people)

    def catch_up(self) -> None:
        """Read the rows that have come since."""
        with self._lock:
            for row in self._log.read(REGISTER, self._seq):
                if any(tag in row.events for tag in OF_PEOPLE):
                    self._take(row, _events(row))
                self._seq = row.seq

    def _take(self, row: Row, events: list[e.RegisterEvent]) -> None:
        proposer = ""
        for event in events:
            if isinstance(event, e.Proposed):
                self._proposed[event.number] = event.person
            elif isinstance(event, Approved):
                proposer = self._proposed.pop(event.number, "")
            elif isinstance(event, e.OfPerson):
                held = self._people.get(event.person, PersonHistory())
                self._people[event.person] = _after(held, row, event, proposer)


def _events(row: Row) -> list[e.RegisterEvent]:
    try:
        found: list[e.RegisterEvent] = _decode(row.events)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
        raise damaged(row) from error
    return found


def _after(  # noqa: PLR0911  one for each
    held: PersonHistory, row: Row, event: e.OfPerson, proposer: str
) -> PersonHistory:
    at_ms, by = row.at_ms, row.actor
    match event:
        case e.HouseFounded() | e.FounderNamed():
            return _founding(held, at_ms, by)
        case e.PersonEnrolled():
            return replace(held, enrolled_ms=at_ms, enrolled_by=by)
        case e.PersonDisabled():
            return replace(held, shut_out=(ShutOut(at_ms, by, event.note), *held.shut_out))
        case e.PersonEnabled():
            return _let_in(held, at_ms, by, event.note)
        case e.SelfExcluded():
            return replace(held, excluded=(SelfExclusion(at_ms, event.until_ms), *held.excluded))
        case e.OwnLimitsSet() | e.OwnLimitsAsked() | e.ErasureAgreed():
            return held
        case e.RoleGranted():
            role = RoleHeld(event.role, event.table, at_ms, by, proposed_by=proposer)
            return replace(held, roles=(role, *held.roles))
        case e.RoleRevoked():
            roles = tuple(
                replace(one, until_ms=at_ms, ended_by=by)
                if (one.role, one.table, one.until_ms) == (event.role, event.table, None)
                else one
                for one in held.roles
            )
            return replace(held, roles=roles)


def _founding(held: PersonHistory, at_ms: int, by: str) -> PersonHistory:
    """A founder manages the house from then on, whoever they were before."""
    if not held.enrolled_ms:
        held = replace(held, enrolled_ms=at_ms, enrolled_by=by)
    if held.shut_out and held.shut_out[0].until_ms is None:
        held = _let_in(held, at_ms, by)
    if any((one.role, one.table, one.until_ms) == MANAGES for one in held.roles):
        return held
    return replace(held, roles=(RoleHeld(Role.MANAGEMENT, "", at_ms, by), *held.roles))


def _let_in(held: PersonHistory, at_ms: int, by: str, why: str = "") -> PersonHistory:
    last, *before = held.shut_out
    ended = replace(last, until_ms=at_ms, ended_by=by, ended_why=why)
    return replace(held, shut_out=(ended, *before))
