"""The second factor of staff: codes of an app by the time (RFC 6238), passkeys, recovery codes.

What app and house share is sealed under the house's key, for codes are made from it; recovery codes
are kept hashed, and each works once. Both are credentials like a password: on record by digest.
"""

import hmac
from base64 import b32decode, b32encode
from binascii import Error as NotBase32Error
from hashlib import sha256
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.passkey import Code, Passkeys, PasskeyShown
from puntobanco.house.access.issuing import issue, use_one
from puntobanco.house.access.people import USED, Credential
from puntobanco.house.house import House
from puntobanco.house.notes import SecondFactorReset
from puntobanco.journal.log import Sealed
from puntobanco.journal.mac import derived
from puntobanco.journal.seal import NONCE_BYTES, SealError, seal, unseal
from puntobanco.rules.documents.ruleset import CONDITIONS

STEP_MS, DIGITS = 30_000, 6
AROUND = (0, -1, 1)
"""Steps by which an app's clock may differ."""
SHARED_BYTES = 20
RECOVERY_CODES, RECOVERY_LETTERS = 8, "abcdefghjkmnpqrstuvwxyz23456789"
MOST_WRONG = 10
"""Wrong codes of strangers who know the password; after that only a passkey or a code for recovery,
which nobody guesses, lets a stranger in."""
USE = "puntobanco-second-factor-1"
APP, RECOVERY = "totp", "recovery"


def code_at(shared: bytes, step: int, digits: int = DIGITS, digest: str = "sha1") -> str:
    """The code of one step (RFC 4226, RFC 6238).

    >>> code_at(b"12345678901234567890", 59 // 30, digits=8)
    '94287082'
    """
    mac = hmac.digest(shared, step.to_bytes(8, "big"), digest)
    at = mac[-1] & 0x0F
    number = int.from_bytes(mac[at : at + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**digits:0{digits}}"


class AppKey(Struct, frozen=True):
    """What an app is set up with; it counts when a code of the app has come back."""

    shared: str
    """In base 32, as apps take it."""
    proof: str
    """That the house made it for this person, so that nobody chooses a weak one."""
    address: str
    """The same for a QR code."""


class SecondFactor:
    """The second factors of a house's staff."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.passkeys = Passkeys(house)
        self._keys = [derived(key, USE) for key in house.keys]

    def has(self, person: str) -> bool:
        """A passkey that was copied is one too: without it a password alone would do."""
        return self.has_app(person) or bool(self.passkeys.held(person))

    def has_app(self, person: str) -> bool:
        held = self.house.people.credential(person, APP)
        return held is not None and not held.is_used

    def is_due(self, person: str) -> bool:
        """Whether the house wants one of somebody who has none."""
        book = self.house.register.state
        member = book.people.get(person)
        works = member is not None and member.kind == "staff" and member.bot is None
        return works and book.settings.watches[-1].second_factor and not self.has(person)

    def offer(self, person: str) -> AppKey:
        shared = b32encode(self.house.chance.some_bytes(SHARED_BYTES)).decode()
        called = quote(self.house.register.state.settings.look.name or "puntobanco")
        about = f"secret={shared}&issuer={called}"
        address = f"otpauth://totp/{called}:{quote(person)}?{about}"
        return AppKey(shared, self._proof(person, shared), address)

    def _proof(self, person: str, shared: str) -> str:
        return hmac.new(self._keys[0], f"{person} {shared}".encode(), "sha256").hexdigest()

    async def enrol(self, person: str, offer: AppKey, code: str, before: Code = "") -> list[str]:
        """Take an app on, by a code of it and, if there was one before, of that; recovery codes
        are given out once.
        """
        genuine = hmac.compare_digest(self._proof(person, offer.shared), offer.proof)
        shared = _decoded(offer.shared) if genuine else b""
        step = self._step_of(shared, code) if shared else None
        if step is None:
            raise Refused(Reason.SECOND_FACTOR_WRONG, CONDITIONS)
        await self._check_before(person, before)
        now_ms = self.house.time.now_ms()
        sealed = seal(person, shared, self._keys[0], self.house.chance.some_bytes(NONCE_BYTES))
        kept = f"{sealed.nonce.hex()}.{sealed.content.hex()}"
        app = Credential(person, APP, kept, now_ms, failed_ms=step * STEP_MS)
        codes, recovery = self._recovery(person)
        await issue(self.house, (app, recovery), person)
        return codes

    async def add_passkey(
        self, person: str, name: str, shown: PasskeyShown, before: Code = ""
    ) -> list[str]:
        """Take a passkey on; recovery codes are given out with what is the first second factor."""
        made = self.passkeys.made(person, name, shown)
        if made is None:
            raise Refused(Reason.PASSKEY_UNFIT, CONDITIONS)
        is_first = not self.has(person)
        await self._check_before(person, before)
        codes, recovery = self._recovery(person)
        await issue(self.house, (made, recovery) if is_first else (made,), person)
        return codes if is_first else []

    async def remove_passkey(self, person: str, number: int, before: Code) -> None:
        """By its owner, and by what they have; nothing is done where it is gone already."""
        found = [one.number for one in self.passkeys.listed(person)]
        if number in found:
            await self._check_before(person, before)
            await self.passkeys.remove(person, number)

    async def _check_before(self, person: str, before: Code) -> None:
        """Whoever has a second factor changes it by that, not by a session alone."""
        if self.has(person) and not await self.admits(person, before, known=False):
            raise Refused(Reason.SECOND_FACTOR_WRONG, CONDITIONS)

    def _recovery(self, person: str) -> tuple[list[str], Credential]:
        codes = [self._recovery_code() for _ in range(RECOVERY_CODES)]
        digests = " ".join(map(_digest, codes))
        return codes, Credential(person, RECOVERY, digests, self.house.time.now_ms())

    async def admits(self, person: str, code: Code, *, known: bool) -> bool:
        """Whether whoever knows the password is let in; strangers' wrong codes are counted."""
        by_app = known or self.wrong(person) < MOST_WRONG
        if await self.accepts(person, code, by_app=by_app):
            self.house.people.cleared(person, RECOVERY)
            return True
        if code and not known:
            self.house.people.failed(person, RECOVERY, self.house.time.now_ms())
        return False

    def wrong(self, person: str) -> int:
        """How many wrong codes strangers who have the password gave since somebody was let in."""
        held = self.house.people.credential(person, RECOVERY)
        return held.failures if held else 0

    async def accepts(self, person: str, code: Code, *, by_app: bool = True) -> bool:
        """Whether a code is good: of the app, of those for recovery, of a passkey; each once."""
        if not self.has(person):
            return True
        if isinstance(code, PasskeyShown):
            return await self.passkeys.accepts(person, code)
        code = code.strip().replace(" ", "").lower()
        held = self.house.people.credential(person, APP) if by_app else None
        shared = self._shared(held) if held and not held.is_used else b""
        step = self._step_of(shared, code) if shared else None
        if held and step is not None and step * STEP_MS > held.failed_ms:
            self.house.people.used_at(person, APP, step * STEP_MS)
            return True
        return await self._recovers(person, code)

    async def _recovers(self, person: str, code: str) -> bool:
        held = self.house.people.credential(person, RECOVERY)
        digests = held.secret.split() if held else []
        if held is None or _digest(code) not in digests:
            return False
        left = " ".join(one for one in digests if one != _digest(code))
        await use_one(self.house, held, replace(held, secret=left or USED))
        return True

    async def reset(self, person: str, by: str) -> None:
        """Somebody has lost theirs: none is asked for until they set up another."""
        now_ms = self.house.time.now_ms()
        kinds = (APP, RECOVERY, *self.passkeys.held(person))
        gone = tuple(Credential(person, kind, USED, now_ms) for kind in kinds)
        await issue(self.house, gone, by, SecondFactorReset(person, by))
        self.house.people.end_sessions(person)

    def _shared(self, held: Credential) -> bytes:
        """What the app knows too; nothing if it was sealed under a key that the house gave up, and
        only recovery codes are good.
        """
        nonce, _, content = held.secret.partition(".")
        sealed = Sealed(held.person, bytes.fromhex(nonce), bytes.fromhex(content))
        try:
            return unseal(sealed, *self._keys)
        except SealError:
            return b""

    def _step_of(self, shared: bytes, code: str) -> int | None:
        """The step that a code is of; none if it is of no step about now: by the clock, as phones
        have it, or by the house's time, for either may be off.
        """
        time = self.house.time
        steps = (
            at_ms // STEP_MS + off
            for at_ms in (time.reference_ms(), time.now_ms())
            for off in AROUND
        )
        return next((step for step in steps if hmac.compare_digest(
            code_at(shared, step).encode(), code.encode())), None)  # fmt: skip

    def _recovery_code(self) -> str:
        chance = self.house.chance
        letters = [RECOVERY_LETTERS[chance.below(len(RECOVERY_LETTERS))] for _ in range(16)]
        return "-".join("".join(letters[at : at + 4]) for at in range(0, 16, 4))


def _decoded(shared: str) -> bytes:
    try:
        return b32decode(shared)
    except NotBase32Error:
        return b""


def _digest(code: str) -> str:
    return sha256(code.replace("-", "").encode()).hexdigest()
