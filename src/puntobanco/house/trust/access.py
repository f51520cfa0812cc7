"""Who may do what in a house: since when, by whom it was given, when it was last used. Somebody who
gave none of it looks through it each quarter and signs for it, on record.
"""

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.passkey import passkeys_in
from puntobanco.house.access.door.second import APP
from puntobanco.house.access.door.throttle import LOCK_AT
from puntobanco.house.access.history import PeopleBook, PersonHistory, RoleHeld
from puntobanco.house.access.names import person_called
from puntobanco.house.access.people import WebSession
from puntobanco.house.access.rights import OVERSEES, check_house_role
from puntobanco.house.house import House
from puntobanco.house.notes import AccessReviewed
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import facts_in
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register.state import Member
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor

DAY_MS = 86_400_000
QUARTER_MS = 91 * DAY_MS
UNUSED_MS = 90 * DAY_MS
"""Whoever has not come for so long is asked about."""
Mark = Literal["unused", "no-second", "locked"]
"""What a reviewer should ask about: not used for long, no second factor, an account that guesses
have shut."""


REVIEWED = b'"is":"access-reviewed"'


class LastActs:
    """When each person gave their last command, up to the last rows that were read."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._lock = Lock()
        self._seq: dict[str, int] = {}
        self._acted: dict[str, int] = {}

    def all(self) -> dict[str, int]:
        with self._lock:
            for stream in self._log.streams():
                for person, at_ms, seq in self._log.acted(stream, self._seq.get(stream, 0)):
                    self._acted[person] = max(int(at_ms), self._acted.get(person, 0))
                    self._seq[stream] = max(int(seq), self._seq.get(stream, 0))
            return dict(self._acted)


class DeviceHeld(Struct, frozen=True):
    """A device or station with a token, and who made it."""

    scope: str
    place: str
    """The table, or what the station is called."""
    by: str
    since_ms: int
    seen_ms: int


class Access(Struct, frozen=True):
    """One member of staff, or one program that has roles."""

    person: str
    name: str
    bot: bool
    enabled: bool
    enrolled_ms: int
    enrolled_by: str
    roles: tuple[RoleHeld, ...]
    """Those they have now; of a leaver, those they had."""
    signs_in_with: dict[str, int]
    """Each since when."""
    second_factor: bool
    passkeys: int
    """How many they have, if that is what it is."""
    signed_in_ms: int
    """The last time; 0: never, or longer ago than it is kept."""
    acted_ms: int
    """When they gave their last command; 0: never."""
    sessions: int
    """Where they are signed in now, programs' tokens with them."""
    left_ms: int = 0
    left_by: str = ""
    left_why: str = ""
    marks: tuple[Mark, ...] = ()

    @property
    def used_ms(self) -> int:
        return max(self.signed_in_ms, self.acted_ms)


class AccessReview(Struct, frozen=True):
    """Somebody has looked through all of it, and signed for it."""

    at_ms: int
    by: str
    note: str
    row: int


class AccessShown(Struct, frozen=True):
    """All that a reviewer looks through."""

    staff: tuple[Access, ...]
    bots: tuple[Access, ...]
    leavers: tuple[Access, ...]
    devices: tuple[DeviceHeld, ...]
    patrons: int
    """People who may play and nothing else, and are not listed."""
    row: int
    """The register's last row: what is signed for."""
    changed: int
    """People whose access has changed since the last review."""
    reviews: tuple[AccessReview, ...]
    due_ms: int
    """When the next review is due."""
    yours: bool
    """Whether the reader gave any of it since the last review, or counts as one with somebody who
    did: somebody else signs then."""


class AccessBooks(Struct, frozen=True):
    """Where it is read."""

    people: PeopleBook
    acts: LastActs


def access(house: House, books: AccessBooks, by: Actor) -> AccessShown:
    """Who may do what: for those who oversee the house."""
    check_house_role(by, OVERSEES, "access")
    register, row = house.register.state, house.register.seq
    reader = _Reader(house, books, by.at_ms)
    lines = [reader.line(person, one) for person, one in register.people.items() if _counts(one)]
    reviews = _reviews(house.log)
    changed, givers = _changed(reader.histories, _as_of(house, reviews[0].row) if reviews else 0)
    return AccessShown(
        tuple(one for one in lines if one.enabled and not one.bot),
        tuple(one for one in lines if one.enabled and one.bot),
        tuple(one for one in lines if not one.enabled),
        tuple(map(_device, house.people.devices())),
        sum(one.kind == "patron" and one.bot is None for one in register.people.values()),
        row,
        len(changed),
        reviews,
        (reviews[0].at_ms if reviews else _founded_ms(reader.histories)) + QUARTER_MS,
        not givers.isdisjoint({by.person, *by.one_with}),
    )


def _as_of(house: House, row: int) -> int:
    """When a row of the register was written: what came later was not looked through."""
    found = house.log.row(REGISTER, row)
    return found.at_ms if found else 0


def _counts(member: Member) -> bool:
    return member.kind == "staff"


def _founded_ms(histories: dict[str, PersonHistory]) -> int:
    return min((one.enrolled_ms for one in histories.values()), default=0)


class _Reader:
    """All that lines are made of, read once."""

    def __init__(self, house: House, books: AccessBooks, now_ms: int) -> None:
        self._house, self._now_ms = house, now_ms
        self.histories = books.people.everybody()
        self._acted = books.acts.all()
        self._signed_in = house.people.last_sign_ins()

    def line(self, person: str, member: Member) -> Access:
        history = self.histories.get(person, PersonHistory())
        left = None if member.enabled else next(iter(history.shut_out), None)
        people = self._house.people
        held = people.credentials(person)
        passkeys = passkeys_in(held)
        sessions = people.sessions_of(person)
        seen_ms = max((one.seen_ms for one in sessions), default=0)
        found = Access(
            person,
            person_called(self._house, person),
            member.bot is not None,
            member.enabled,
            history.enrolled_ms,
            history.enrolled_by,
            tuple(one for one in history.roles if one.until_ms is None),
            {kind: one.set_ms for kind, one in held.items() if not one.is_used},
            bool(passkeys or (APP in held and not held[APP].is_used)),
            len(passkeys),
            max(self._signed_in.get(person, 0), seen_ms),
            self._acted.get(person, 0),
            len(sessions),
            left.since_ms if left else 0,
            left.by if left else "",
            left.why if left else "",
        )
        shut = any(one.failures >= LOCK_AT for one in held.values())
        return replace(found, marks=tuple(self._marks(found, shut=shut)))

    def _marks(self, one: Access, *, shut: bool) -> Iterator[Mark]:
        if one.bot or not one.enabled:
            return
        if self._now_ms - max(one.used_ms, one.enrolled_ms) > UNUSED_MS:
            yield "unused"
        if one.roles and not one.second_factor:
            yield "no-second"
        if shut:
            yield "locked"


def _device(session: WebSession) -> DeviceHeld:
    return DeviceHeld(
        session.scope, session.place, session.person, session.began_ms, session.seen_ms
    )


def _changed(histories: dict[str, PersonHistory], since_ms: int) -> tuple[set[str], set[str]]:
    """Whose access has changed after a moment, and who brought that about."""
    changed, givers = set[str](), set[str]()
    for person, history in histories.items():
        acts = [by for at_ms, by in _acts(history) if at_ms > since_ms]
        if acts:
            changed.add(person)
            givers.update(acts)
    return changed, givers - {""}


def _acts(history: PersonHistory) -> Iterator[tuple[int, str]]:
    """What was done to somebody's access, when and by whom; patrons have none."""
    for role in history.roles:
        yield role.since_ms, role.given_by
        yield role.since_ms, role.proposed_by
        yield role.until_ms or 0, role.ended_by
    if history.roles:
        for shut in history.shut_out:
            yield shut.since_ms, shut.by
            yield shut.until_ms or 0, shut.ended_by


def _reviews(log: EventLog) -> tuple[AccessReview, ...]:
    """All reviews, the newest first."""
    found = [
        AccessReview(row.at_ms, event["by"], event["note"], event["row"])
        for row in log.find(HOUSE, 0, REVIEWED)
        for event in facts_in(row)
    ]
    return tuple(found[::-1])


async def review_access(
    house: House, books: AccessBooks, by: Actor, row: int, note: str
) -> AccessShown:
    """Sign for what was looked through: not who gave any of it since the last time, nor who counts
    as one with them, and not when it has changed since it was read.
    """
    shown = access(house, books, by)
    if shown.yours:
        raise Refused(Reason.SAME_PERSON, CONDITIONS, person=by.person)
    later, _ = _changed(books.people.everybody(), _as_of(house, row))
    if row > shown.row or later:
        raise Refused(Reason.NOT_AS_SHOWN, CONDITIONS)
    await house.note(AccessReviewed(row, by.person, note))
    return access(house, books, by)


def _given(role: RoleHeld | None, told: Callable[[int], str]) -> tuple[str, ...]:
    if role is None:
        return ("",) * 5
    return role.role, role.table, told(role.since_ms), role.given_by, role.proposed_by


COLUMNS = (
    *("person", "name", "kind", "role", "where", "since", "given_by", "proposed_by"),
    *("enrolled", "enrolled_by", "signed_in", "acted", "second_factor", "passkeys", "sessions"),
    *("left", "left_by", "why", "marks"),
)


def lines_of(shown: AccessShown, told: Callable[[int], str]) -> Iterator[tuple[object, ...]]:
    """A line for each role of each person, and one for whoever has none; then one for each device.

    `told` writes a moment.
    """
    for one in (*shown.staff, *shown.bots, *shown.leavers):
        kind = "bot" if one.bot else "staff" if one.enabled else "leaver"
        about = (
            *(told(one.enrolled_ms), one.enrolled_by, told(one.signed_in_ms), told(one.acted_ms)),
            *("yes" if one.second_factor else "no", one.passkeys, one.sessions),
            *(told(one.left_ms), one.left_by, one.left_why, " ".join(one.marks)),
        )
        for role in one.roles or (None,):
            given = _given(role, told)
            yield (one.person, one.name, kind, *given, *about)
    for device in shown.devices:
        since, seen = told(device.since_ms), told(device.seen_ms)
        given = (device.scope, device.place, since, device.by, "")
        yield ("", "", "device", *given, "", "", seen, *[""] * (len(COLUMNS) - 11))
