"""Signing in: passwords for staff, PINs and cards for patrons, tokens for devices.

Three failures raise an alarm, ten shut an account to strangers, though not to a browser its owner
has signed in with before, nor to an enrolled station. A person who is idle too long, was disabled
or lost a role is out at once. Secrets are stored hashed and appear in no log.
"""

from contextlib import suppress
from typing import Literal

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.known import NONCE_BYTES, STRANGER, BrowserShown, KnownBrowsers
from puntobanco.house.access.door.passkey import Code
from puntobanco.house.access.door.second import RECOVERY, SecondFactor
from puntobanco.house.access.door.secrets import (
    HASHER,
    HASHERS,
    NOBODY,
    OF_STRANGERS,
    PIN_DIGITS,
    Kind,
    check_chosen,
    check_password,
    in_thread,
    is_easy,
    matches,
    passphrase,
    token_digest,
)
from puntobanco.house.access.door.throttle import LOCK_AT, WITHIN_MS, CameFrom, Throttle
from puntobanco.house.access.guests import session_holds
from puntobanco.house.access.issuing import issue, use_slip
from puntobanco.house.access.people import ONCE, Credential, WebSession
from puntobanco.house.house import House
from puntobanco.house.notes import (
    AddressSlowed,
    DeviceEnded,
    DeviceIssued,
    SignInFailed,
    SignInUnlocked,
    StationEnded,
    StationEnrolled,
)
from puntobanco.house.serving import check_plays
from puntobanco.journal.log import FullError, SucceededError
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor, Role

STAFF_IDLE_MS, PATRON_IDLE_MS = 5 * 60_000, 30 * 60_000
LONGEST_MS = 14 * 3_600_000
"""Milliseconds after which a session ends, however busy."""
SEEN_EVERY_MS = 15_000
WATCHERS = frozenset({Role.SURVEILLANCE, Role.AUDITOR})
"""Who watches and neither deals, rules, pays nor approves."""
FAILED_MS = 300
"""A sign-in that fails is answered after a multiple of this, so that how long it took tells nobody
whether there is such a person."""
MOST_STRANGERS = 64
"""Tries of strangers that may be under way at a time; known browsers do not wait behind them."""
STATION: Literal["station"] = "station"
SECOND: Literal["second"] = "second"
FIRST: Literal["first"] = "first"
Scope = Literal["", "play", "read", "draw", "watch", "guest", "station", "second", "first"]
"""What a token is good for: everything its owner may do, playing, reading; a device's for drawing
cards, or watching; a guest's for the one table that guests play at; a station's for nothing but to
be known by; one of staff without a second factor, where the house wants it, for setting one up;
one of whoever signed in with a password that others were shown, for choosing their own."""
OPEN_TO = "open_to"
PLAY = {OPEN_TO: ("play",)}
"""An option of a route: a token for playing is good for it."""
GUESTS = {OPEN_TO: ("guest",)}
"""An option of a route: a guest is somebody there; on every other page they are a stranger."""
SETS_UP = {OPEN_TO: ("second",)}
"""An option of the routes by which staff set up a second factor."""
OWN_PASSWORD = {OPEN_TO: ("first",)}
"""An option of the routes by which staff choose a password that nobody else knows."""
PLAY_OR_GUESTS = {OPEN_TO: ("play", "guest")}
ANY_TOKEN = {OPEN_TO: ("play", "read", "guest")}
"""An option of a route that changes nothing."""
ITS_END = {OPEN_TO: ("play", "read", "guest", "second", "first")}
"""An option of the routes that only end the token itself."""

SHOWN = 12
"""Hexadecimal digits of a token's hash that name a device."""


class Caller(Struct, frozen=True):
    """Who a request comes from."""

    person: str = ""
    session: WebSession | None = None

    @property
    def scope(self) -> str:
        return self.session.scope if self.session else ""

    @property
    def is_device(self) -> bool:
        return bool(self.place)

    @property
    def is_guest(self) -> bool:
        return self.scope == "guest"

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
        self.known = KnownBrowsers(house.key)
        self.throttle = Throttle()
        self.second = SecondFactor(house)
        self.own_check = ""
        """The operator's own command that looks at a password somebody chose."""
        self._strangers = 0
        """Tries of strangers that are under way."""

    # secrets: hashed in a thread, and on record

    async def set_password(self, person: str, password: str, by: str) -> None:
        check_password(password)
        await self._issue(person, "password", password, by)

    def _pin(self) -> str:
        return f"{self.house.chance.below(10**PIN_DIGITS):0{PIN_DIGITS}}"

    async def issue_pin(self, person: str, by: str) -> str:
        """A PIN that is good until the next one: for houses to try. The desk gives out slips."""
        pin = self._pin()
        await self._issue(person, "pin", pin, by)
        return pin

    async def issue_slip(self, person: str, by: str, *kinds: Kind) -> dict[Kind, str]:
        """Fresh secrets on a slip: the first use of either uses up all that is on it, and its owner
        then chooses a PIN of their own. What a QR code carries is the id, a dot and a secret.
        """
        code = self.house.chance.some_bytes(24).hex()
        secrets: dict[Kind, str] = {"pin": self._pin(), "card": code}
        secrets = {kind: secrets[kind] for kind in kinds}
        now, kept = self.house.time.now_ms(), []
        for kind, secret in secrets.items():
            hashed = (
                token_digest(secret) if kind == "card" else await in_thread(HASHER.hash, secret)
            )
            kept.append(Credential(person, kind, f"{ONCE}{hashed}", now))
        await issue(self.house, tuple(kept), by)
        self.people.end_sessions(person)
        return {**secrets, "card": f"{person}.{code}"} if "card" in secrets else secrets

    async def issue_password(self, person: str, by: str) -> str:
        """A fresh one, shown once, at the machine."""
        password = passphrase(self.house.chance)
        await self._issue(person, "password", password, by)
        return password

    async def issue_first(self, person: str, by: str) -> str:
        """A fresh one, shown once to somebody else: good for choosing another and nothing more."""
        password = passphrase(self.house.chance)
        await self._keep(person, "password", ONCE + await in_thread(HASHER.hash, password), by)
        return password

    def is_first(self, person: str, kind: Kind = "password") -> bool:
        """Whether somebody's password is one that others were shown."""
        held = self.people.credential(person, kind) if kind == "password" else None
        return held is not None and held.is_once

    async def change_password(self, person: str, old: str, new: str, address: str) -> None:
        """Change a password, knowing the one before; a wrong guess counts as a failed sign-in."""
        known = self.people.get(person)
        shown = old if self.is_first(person) else ""  # others have seen it
        await check_chosen(new, self.own_check, person, known.name, known.contact, shown)
        await self._admit(person, "password", old, CameFrom(address, f"owner {person}"))
        await self._issue(person, "password", new, person)

    def has_own_pin(self, person: str) -> bool:
        """Is there a PIN that is not one of a slip?"""
        held = self.people.credential(person, "pin")
        return held is not None and not held.is_once and not held.is_used

    async def choose_pin(self, caller: Caller, old: str, new: str, address: str) -> None:
        """A PIN of one's own, good until the next; by the one before, unless that was a slip's.

        All other sessions of its owner end.
        """
        person = caller.person
        if not (len(new) == PIN_DIGITS and new.isascii() and new.isdigit()) or is_easy(new):
            raise Refused(Reason.PIN_UNFIT, CONDITIONS, digits=PIN_DIGITS)
        if self.has_own_pin(person):
            await self._admit(person, "pin", old, CameFrom(address, f"owner {person}"))
        hashed = await in_thread(HASHER.hash, new)
        await issue(
            self.house, (Credential(person, "pin", hashed, self.house.time.now_ms()),), person
        )
        for session in self.people.sessions_of(person):
            if caller.session is None or session.token != caller.session.token:
                self.people.end(session.token)

    async def _issue(self, person: str, kind: Kind, secret: str, by: str) -> None:
        await self._keep(person, kind, await in_thread(HASHER.hash, secret), by)

    async def _keep(self, person: str, kind: Kind, hashed: str, by: str) -> None:
        """The new secret, its row on record, and the end of the owner's sessions."""
        now = self.house.time.now_ms()
        await self.house.issue(Credential(person, kind, hashed, now), by)
        self.people.end_sessions(person)

    async def erase(self, person: str, by: str) -> None:
        await self.house.erase(person, by)

    # signing in

    async def sign_in(
        self,
        person: str,
        kind: Kind,
        secret: str,
        address: str,
        shown: BrowserShown = STRANGER,
        code: Code = "",
    ) -> str:
        """A token for a new session; refused the same way for every cause. Whoever came by a
        password that others were shown can do nothing with it but choose their own; then whoever
        must have a second factor and has none, nothing but set one up.
        """
        place = self._place(person, kind, address, shown, code)
        await self._admit(person, kind, secret, place, code)
        self.people.signed_in(person, self.house.time.now_ms(), address)
        if self.is_first(person, kind):
            return self._begin(person, FIRST)
        return self._begin(person, SECOND if self.second.is_due(person) else "")

    async def issue_token(  # noqa: PLR0913  all that a program says of itself
        self,
        person: str,
        secret: str,
        address: str,
        *,
        scope: Scope,
        life_ms: int,
        kind: Kind,
        shown: BrowserShown = STRANGER,
        code: Code = "",
    ) -> str:
        """A token for a program: good for its scope until its time is over, idle or not; by a
        password that others were shown, for choosing another alone.
        """
        place = self._place(person, kind, address, shown, code)
        await self._admit(person, kind, secret, place, code)
        if self.is_first(person, kind):
            scope = FIRST
        elif self.second.is_due(person):
            raise Refused(Reason.SECOND_FACTOR_DUE, CONDITIONS)
        if scope == "play" and self.house.register.state.people[person].kind != "patron":
            raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=scope, allowed=Role.PATRON)
        now_ms = self.house.time.now_ms()
        self.people.signed_in(person, now_ms, address)
        return self._begin(person, scope, until_ms=now_ms + life_ms)

    def proofs(self, person: str, kind: Kind, shown: BrowserShown) -> tuple[str, ...]:
        """What a browser that somebody has signed in with shows from now on."""
        held = self.people.credential(person, kind)
        if held is None:
            return shown.proofs
        return self.known.shown_with(shown, held, self.house.chance.some_bytes(NONCE_BYTES))

    def _place(
        self, person: str, kind: Kind, address: str, shown: BrowserShown, code: Code = ""
    ) -> CameFrom:
        """Where somebody signs in: known to the house, to the person, or to nobody."""
        station = self.people.session(token_digest(shown.station)) if shown.station else None
        if station is not None and station.scope == STATION and self._holds(station):
            return CameFrom(address, f"station {station.token}")
        held = self.people.credential(person, kind)
        nonce = self.known.nonce_for(held or _nobodys(person, kind), shown)
        coded = bool(code) and kind == "password"
        return CameFrom(address, f"browser {nonce}" if nonce else "", coded)

    async def _admit(
        self, person: str, kind: Kind, secret: str, place: CameFrom, code: Code | None = None
    ) -> None:
        """Let nobody in but the owner of the secret, and of the second factor where `code` is of
        one; without, it is not asked for.

        Every try is counted before its secret is looked at, and one that fails is answered in the
        same words and after the same time whether there is such a person, the secret is wrong, or
        the account is shut to strangers.
        """
        began_ms = self.house.clock.steady_ms()
        self.throttle.check(place, person, self.house.time.now_ms())
        if not place.known and self._strangers >= MOST_STRANGERS:
            raise Refused(Reason.SIGN_IN_WAIT, CONDITIONS, seconds=1)
        self._strangers += not place.known
        try:
            good = await self._is_good(person, kind, secret, place, code)
        finally:
            self._strangers -= not place.known
        if not good:
            late_ms = (self.house.clock.steady_ms() - began_ms) % FAILED_MS
            await self.house.clock.sleep((FAILED_MS - late_ms) / 1000)
            raise Refused(Reason.SIGN_IN_FAILED, CONDITIONS)

    async def _is_good(
        self, person: str, kind: Kind, secret: str, place: CameFrom, code: Code | None
    ) -> bool:
        now_ms = self.house.time.now_ms()
        failures = self.throttle.count(place, person, now_ms)
        held = self.people.credential(person, kind)
        shut = held is not None and held.failures >= LOCK_AT and not place.known
        if held is not None and not shut and not place.known:
            self.people.failed(person, kind, now_ms)  # where it is kept: another process counts too
            failed = self.people.credential(person, kind)
            failures = failed.failures if failed else 0
        hashers = HASHERS if place.known else OF_STRANGERS
        stored = held.hashed if held else NOBODY
        good = await in_thread(matches, kind, stored, secret, hashers=hashers)
        member = self.house.register.state.people.get(person)
        now = self.people.credential(person, kind)  # it may have been replaced meanwhile
        same = held is not None and now is not None and now.secret == held.secret
        # whoever has a second factor is let in by it where strangers have shut the account
        proven = bool(code) and kind == "password" and self.second.has(person)
        admitted = good and same and member is not None and member.enabled and (not shut or proven)
        if admitted and code is not None and kind == "password":
            admitted = await self.second.admits(person, code, known=bool(place.known))
        if not admitted:
            knows = good and proven  # the password: each wrong code is on record, shut or not
            counted = held is not None and (not shut or knows)
            await self._failed(person, place, failures, counted=counted)
            return False
        self.throttle.forgive(place, person)
        assert now is not None
        check_plays(self.house.register.state, person, now_ms)
        if now.is_used:
            self.people.cleared(person, kind)
            raise Refused(Reason.SLIP_USED, CONDITIONS)
        if now.is_once and kind != "password":
            await use_slip(self.house, now)
        self.people.cleared(person, kind)
        return True

    async def _failed(self, person: str, place: CameFrom, failures: int, *, counted: bool) -> None:
        """On record: each failure at an account until it is shut, and once each address that makes
        too many, whatever names it tries.
        """
        if counted:
            locked = failures >= LOCK_AT and not place.known
            await self.house.note(SignInFailed(person, place.address, failures, locked))
        if self.throttle.reaches_most(place):
            await self.house.note(AddressSlowed(place.address, WITHIN_MS))

    def _begin(self, person: str, scope: Scope = "", place: str = "", until_ms: int = 0) -> str:
        """A new token every time: none that was there before becomes good."""
        token = self.house.chance.some_bytes(32).hex()
        now = self.house.time.now_ms()
        self.people.forget_sessions(now - LONGEST_MS)
        self.people.begin(WebSession(token_digest(token), person, now, now, scope, place, until_ms))
        return token

    def begin_guest(self, person: str) -> str:
        """A token for a visitor who plays under one of the ids for guests."""
        return self._begin(person, "guest")

    def device(self, by: str, scope: Scope, place: str) -> str:
        """A token for a card scanner, an electronic shoe or a display; it does not go idle."""
        return self._begin(by, scope, place)

    async def issue_device(self, by: str, scope: Scope, place: str) -> str:
        token = self.device(by, scope, place)
        await self.house.note(DeviceIssued(place, scope, by))
        return token

    async def enrol_station(self, by: str, name: str) -> str:
        """A token by which a browser is known to the house, whoever signs in there."""
        token = self.device(by, STATION, name)
        await self.house.note(StationEnrolled(name, by))
        return token

    async def end_device(self, device: str, by: str) -> None:
        """By the beginning of its token's hash, as the list shows it."""
        for session in self.people.devices():
            if session.token.startswith(device) and len(device) >= SHOWN:
                self.people.end(session.token)
                is_station = session.scope == STATION
                ended = DeviceEnded(session.place, session.scope, by)
                await self.house.note(StationEnded(session.place, by) if is_station else ended)

    async def unlock(self, person: str, by: Actor) -> None:
        """By management, and never by oneself."""
        if Role.MANAGEMENT not in by.roles:
            raise Refused(
                Reason.NOT_YOUR_ROLE, CONDITIONS, command="unlock", allowed=Role.MANAGEMENT
            )
        if by.person == person:
            raise Refused(Reason.SAME_PERSON, CONDITIONS, person=person)
        for kind in ("password", "pin", "card", RECOVERY):
            self.people.cleared(person, kind)
        self.throttle.forget(person)
        await self.house.note(SignInUnlocked(person, by.person))

    # sessions

    def caller(self, token: str, *, touch: bool = True) -> Caller:
        """Whose token this is; nobody's if it is over, idle, or its owner was disabled.

        A page that asks for itself anew touches nothing: its reader may have gone.
        """
        session = self.people.session(token_digest(token)) if token else None
        if session is None:
            return ANONYMOUS
        if not self._holds(session):
            self.people.end(session.token)
            return ANONYMOUS
        now = self.house.time.now_ms()
        if touch and now - session.seen_ms > SEEN_EVERY_MS:
            with suppress(FullError, SucceededError):  # reading goes on
                self.people.seen(session.token, now)
        return Caller(session.person, session)

    def is_good(self, caller: Caller) -> bool:
        """Does a session still hold? For streams, which stay open long."""
        if caller.session is None:
            return True
        held = self.people.session(caller.session.token)
        return held is not None and self._holds(held)

    def is_watching(self, caller: Caller) -> bool:
        """The same for a stream by which the floor is watched: whoever does nothing but watch is
        there as long as they do, up to the longest session.
        """
        if not self.is_good(caller):
            return False
        held = self.people.session(caller.session.token) if caller.session else None
        now = self.house.time.now_ms()
        if held and now - held.seen_ms > SEEN_EVERY_MS and self._only_watches(held.person):
            self.people.seen(held.token, now)
        return True

    def _only_watches(self, person: str) -> bool:
        """Whether all that somebody may do here is watch: nobody else's screen stays open by
        itself, for who passes it could give a command.
        """
        roles = self.house.register.state.people[person].roles.values()
        held = frozenset[Role]().union(*roles)
        return bool(held) and held <= WATCHERS

    def _holds(self, session: WebSession) -> bool:
        """Its owner belongs to the house, and neither idleness nor its time has ended it.

        Devices do not go idle, nor do tokens, which have a time of their own.
        """
        member = self.house.register.state.people.get(session.person)
        now = self.house.time.now_ms()
        if member is None or not member.enabled or member.excluded_until_ms > now:
            return False
        if session.place:
            return True
        if member.kind == "guest":
            return session_holds(session, member, now)
        if session.until_ms:
            return now < session.until_ms
        idle_ms = PATRON_IDLE_MS if member.kind == "patron" else STAFF_IDLE_MS
        return now - session.seen_ms <= idle_ms and now - session.began_ms <= LONGEST_MS

    def sign_out(self, caller: Caller) -> None:
        if caller.session is not None:
            self.people.end(caller.session.token)

    def end_token(self, person: str, token: str) -> None:
        """One of a person's own, by the beginning of its hash, as their list shows it."""
        for session in self.people.sessions_of(person):
            if session.token[:SHOWN] == token:
                self.people.end(session.token)


def _nobodys(person: str, kind: Kind) -> Credential:
    """A secret for whoever has none, so that as much is worked out for them."""
    return Credential(person, kind, NOBODY, 0)
