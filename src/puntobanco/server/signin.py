"""Signing in: passwords for staff, PINs and cards for patrons, tokens for devices.

Three failures raise an alarm, ten lock the account; whoever is idle too long, was disabled or lost
a role is out at once. Secrets are stored hashed and appear in no log.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from typing import Literal, TypeVar
from weakref import WeakValueDictionary

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.house import House
from puntobanco.house.people import Credential, WebSession
from puntobanco.house.virtual import Chance
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.table.actor import Actor, Role

ALARM_AT, LOCK_AT = 3, 10
STAFF_IDLE_MS, PATRON_IDLE_MS = 5 * 60_000, 30 * 60_000
LONGEST_MS = 14 * 3_600_000
"""However busy, a session ends after so long."""
SEEN_EVERY_MS = 15_000
WAIT_MS = 1000
"""After the third failure the next try must wait, twice as long each time."""
LEAST_PASSWORD, MOST_PASSWORD = 15, 256
PIN_DIGITS = 6
Kind = Literal["password", "pin", "card"]
Scope = Literal["", "draw", "watch"]
"""What a token is good for: everything its owner may do, drawing cards, or watching."""

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that is easily taken for another."""
SHOWN = 12
"""So much of a token's hash names a device."""

HASHERS = ThreadPoolExecutor(2, "hasher")
Value = TypeVar("Value")
HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
NOBODY = HASHER.hash("nobody has this password")
"""Checked when there is no such person, so that the answer takes as long."""


class SignInFailed(Struct, frozen=True, tag="sign-in-failed", tag_field="is"):
    """Somebody gave a wrong secret; from the third time on it is an alarm."""

    person: str
    address: str
    failures: int
    locked: bool = False


class Unlocked(Struct, frozen=True, tag="sign-in-unlocked", tag_field="is"):
    person: str
    by: str


class CredentialIssued(Struct, frozen=True, tag="credential-issued", tag_field="is"):
    """A fresh password, PIN or card; never what it is."""

    person: str
    kind: str
    by: str


class PersonErased(Struct, frozen=True, tag="person-erased", tag_field="is"):
    person: str
    by: str


class DeviceIssued(Struct, frozen=True, tag="device-issued", tag_field="is"):
    table: str
    scope: str
    by: str


class DeviceEnded(Struct, frozen=True, tag="device-ended", tag_field="is"):
    table: str
    scope: str
    by: str


class Caller(Struct, frozen=True):
    """Who a request comes from."""

    person: str = ""
    session: WebSession | None = None

    @property
    def scope(self) -> str:
        return self.session.scope if self.session else ""

    @property
    def place(self) -> str:
        """The one table a device's token is good for."""
        return self.session.place if self.session else ""


ANONYMOUS = Caller()


class SignIn:
    """Sessions of a house."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.people = house.people
        self._trying: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # secrets

    def set_password(self, person: str, password: str) -> None:
        check_password(password)
        self._put(person, "password", HASHER.hash(password))

    def new_pin(self, person: str) -> str:
        """A fresh PIN, shown once."""
        pin = self._pin()
        self._put(person, "pin", HASHER.hash(pin))
        return pin

    def new_card(self, person: str) -> str:
        """What a slip with a QR code carries; good until the next one."""
        secret = self.house.chance.some_bytes(24).hex()
        self._put(person, "card", _digest(secret))
        return f"{person}.{secret}"

    def _pin(self) -> str:
        return f"{self.house.chance.below(10**PIN_DIGITS):0{PIN_DIGITS}}"

    def _put(self, person: str, kind: Kind, hashed: str) -> None:
        now = self.house.time.now_ms()
        self.people.put_credential(Credential(person, kind, hashed, now))
        self.people.end_sessions(person)

    # the same while the house runs: hashed in a thread, and on record

    async def issue_pin(self, person: str, by: str) -> str:
        pin = self._pin()
        await self._issue(person, "pin", pin, by)
        return pin

    async def issue_card(self, person: str, by: str) -> str:
        card = self.new_card(person)
        await self.house.note(CredentialIssued(person, "card", by))
        return card

    async def issue_password(self, person: str, by: str) -> str:
        """A fresh one, shown once."""
        password = passphrase(self.house.chance)
        await self._issue(person, "password", password, by)
        return password

    async def change_password(self, person: str, old: str, new: str, address: str) -> None:
        """By whoever knows the one before; a wrong guess counts as a failed sign-in."""
        check_password(new)
        async with self._trying.setdefault(person, asyncio.Lock()):
            await self._check(person, "password", old, address)
        await self._issue(person, "password", new, person)

    async def _issue(self, person: str, kind: Kind, secret: str, by: str) -> None:
        self._put(person, kind, await in_thread(HASHER.hash, secret))
        await self.house.note(CredentialIssued(person, kind, by))

    async def erase(self, person: str, by: str) -> None:
        self.people.erase(person)
        await self.house.note(PersonErased(person, by))

    # signing in

    async def sign_in(self, person: str, kind: Kind, secret: str, address: str) -> str:
        """A token for a new session; refused the same way whatever was wrong."""
        async with self._trying.setdefault(person, asyncio.Lock()):  # one guess after another
            await self._check(person, kind, secret, address)
        return self._begin(person)

    async def _check(self, person: str, kind: Kind, secret: str, address: str) -> None:
        held = self.people.credential(person, kind)
        self._check_throttle(person, held)
        good = await in_thread(_matches, kind, held.secret if held else NOBODY, secret)
        member = self.house.register.state.people.get(person)
        now = self.people.credential(person, kind)  # it may have been replaced meanwhile
        same = held is not None and now is not None and now.secret == held.secret
        if not good or not same or member is None or not member.enabled:
            await self._failed(person, kind, address)
            raise Refused(Reason.SIGN_IN_FAILED, CONDITIONS)
        self.people.cleared(person, kind)

    def _check_throttle(self, person: str, held: Credential | None) -> None:
        if held is None or held.failures < ALARM_AT:
            return
        if held.failures >= LOCK_AT:
            raise Refused(Reason.SIGN_IN_LOCKED, CONDITIONS, person=person)
        wait_ms = WAIT_MS << (held.failures - ALARM_AT)
        left_ms = held.failed_ms + wait_ms - self.house.time.now_ms()
        if left_ms > 0:
            seconds = -(-left_ms // 1000)
            raise Refused(Reason.SIGN_IN_WAIT, CONDITIONS, seconds=seconds)

    async def _failed(self, person: str, kind: Kind, address: str) -> None:
        """Counted where it is kept, for another process may count too."""
        self.people.failed(person, kind, self.house.time.now_ms())
        held = self.people.credential(person, kind)
        if held is not None:
            locked = held.failures >= LOCK_AT
            await self.house.note(SignInFailed(person, address, held.failures, locked))

    def _begin(self, person: str, scope: Scope = "", place: str = "") -> str:
        """A new token every time: none that was there before becomes good."""
        token = self.house.chance.some_bytes(32).hex()
        now = self.house.time.now_ms()
        self.people.forget_sessions(now - LONGEST_MS)
        self.people.begin(WebSession(_digest(token), person, now, now, scope, place))
        return token

    def device(self, by: str, scope: Scope, place: str) -> str:
        """A token for a card scanner, an electronic shoe or a display; it does not go idle."""
        return self._begin(by, scope, place)

    async def issue_device(self, by: str, scope: Scope, place: str) -> str:
        token = self.device(by, scope, place)
        await self.house.note(DeviceIssued(place, scope, by))
        return token

    async def end_device(self, device: str, by: str) -> None:
        """By the beginning of its token's hash, as the list shows it."""
        for one in self.people.devices():
            if one.token.startswith(device) and len(device) >= SHOWN:
                self.people.end(one.token)
                await self.house.note(DeviceEnded(one.place, one.scope, by))

    async def unlock(self, person: str, by: Actor) -> None:
        """By management, and never by oneself."""
        if Role.MANAGEMENT not in by.roles:
            raise Refused(
                Reason.NOT_YOUR_ROLE, CONDITIONS, command="unlock", allowed=Role.MANAGEMENT
            )
        if by.person == person:
            raise Refused(Reason.SAME_PERSON, CONDITIONS, person=person)
        for kind in ("password", "pin", "card"):
            self.people.cleared(person, kind)
        await self.house.note(Unlocked(person, by.person))

    # sessions

    def caller(self, token: str, *, touch: bool = True) -> Caller:
        """Whose token this is; nobody's if it is over, idle, or its owner was disabled.

        A page that asks for itself anew touches nothing: its reader may have gone.
        """
        session = self.people.session(_digest(token)) if token else None
        if session is None:
            return ANONYMOUS
        if not self._holds(session):
            self.people.end(session.token)
            return ANONYMOUS
        now = self.house.time.now_ms()
        if touch and now - session.seen_ms > SEEN_EVERY_MS:
            self.people.seen(session.token, now)
        return Caller(session.person, session)

    def is_good(self, caller: Caller) -> bool:
        """Does a session still hold? For streams, which stay open long."""
        if caller.session is None:
            return True
        held = self.people.session(caller.session.token)
        return held is not None and self._holds(held)

    def _holds(self, session: WebSession) -> bool:
        """Not idle, not too old, and its owner belongs to the house; devices do not go idle."""
        member = self.house.register.state.people.get(session.person)
        if member is None or not member.enabled:
            return False
        now = self.house.time.now_ms()
        idle_ms = PATRON_IDLE_MS if member.kind == "patron" else STAFF_IDLE_MS
        over = now - session.seen_ms > idle_ms or now - session.began_ms > LONGEST_MS
        return bool(session.scope) or not over

    def sign_out(self, caller: Caller) -> None:
        if caller.session is not None:
            self.people.end(caller.session.token)


def in_thread(work: Callable[..., Value], *args: object) -> Awaitable[Value]:
    """Hashing takes long, and must wait for nobody else's work."""
    return asyncio.get_running_loop().run_in_executor(HASHERS, partial(work, *args))


def check_password(password: str) -> None:
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        facts = {"least": LEAST_PASSWORD, "most": MOST_PASSWORD}
        raise Refused(Reason.PASSWORD_TOO_SHORT, CONDITIONS, **facts)


def kind_of(secret: str) -> Kind:
    """A PIN has so many digits and nothing else; a password is always longer."""
    return "pin" if len(secret) == PIN_DIGITS and secret.isdigit() else "password"


def passphrase(chance: Chance) -> str:
    """Five groups of four out of 31 letters: 99 bits, which nobody will guess."""
    groups = ["".join(LETTERS[chance.below(len(LETTERS))] for _ in range(4)) for _ in range(5)]
    return "-".join(groups)


def _matches(kind: Kind, stored: str, secret: str) -> bool:
    if kind == "card":
        return stored == _digest(secret)
    try:
        return HASHER.verify(stored, secret)
    except (VerificationError, InvalidHashError):
        return False


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
