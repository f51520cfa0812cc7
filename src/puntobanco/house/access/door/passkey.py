"""Passkeys (WebAuthn) as a second factor of staff: keys that never leave a device.

The house keeps the public half, bound to the name of the host where it was added. A challenge is
kept nowhere: it says when it was given, and proves that the house gave it to this browser. It is
good for five minutes, and once: what a passkey has answered was given later than all before it.
"""

import hmac
from base64 import b64decode, b64encode, urlsafe_b64encode
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.access.issuing import take_away, use_one
from puntobanco.house.access.people import USED, Credential
from puntobanco.house.house import House
from puntobanco.journal.mac import derived
from puntobanco.journal.verify import HOUSE
from puntobanco.words.pages import PAGES

if TYPE_CHECKING:
    from fido2.server import Fido2Server

USE = "puntobanco-passkey-1"
PASSKEY = "passkey-"
"""The kind of a passkey's credential, before its number."""
MOST_PASSKEYS, LONGEST_NAME, LONGEST_ANSWER = 8, 40, 8192
GOOD_MS = 5 * 60_000
"""How long a challenge may be answered."""
MOMENT_BYTES, NONCE_BYTES = 8, 16
ALGORITHMS = (-7, -8, -257)
"""ES256, EdDSA and RS256: what devices have."""
REQUIRED = "required"


class AtPlace(Struct, frozen=True):
    """Where a passkey is used: the address as the browser says it, and what only it can show."""

    origin: str
    browser: str

    @property
    def host(self) -> str:
        """What passkeys there are bound to; empty where there are none: by a machine's number, or
        where others could read along.
        """
        with suppress(ValueError):
            place = urlsplit(self.origin)
            name = place.hostname or ""
            if place.scheme == "https" or (place.scheme, name) == ("http", "localhost"):
                return "" if is_number(name) else name
        return ""


class PasskeyShown(Struct, frozen=True):
    """What a passkey answered, in the place of a code."""

    answer: str
    at: AtPlace


Code = str | PasskeyShown
"""What somebody shows as their second factor."""


class Passkey(Struct, frozen=True):
    """One that somebody has."""

    number: int
    name: str
    host: str
    """The only name of the house that it is good at."""
    since_ms: int
    used_ms: int
    """When the challenge was given that it answered last."""
    good: bool
    """Not after a count that went back, as that of a copied key does."""


class _Kept(Struct, frozen=True):
    """How it is kept."""

    name: str
    host: str
    key: str
    """Its id and public key, in base 64."""


class _Answered(Struct, frozen=True):
    held: Credential
    given_ms: int
    count: int
    """How often the device says that it was used; 0: it does not count."""


def is_number(host: str) -> bool:
    """Whether a machine is called by its number, which no passkey can be bound to."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def passkeys_in(held: dict[str, Credential]) -> dict[str, Credential]:
    """Of all credentials of a person: no passkeys that were removed, but one that was copied."""
    return {
        kind: one for kind, one in held.items() if kind.startswith(PASSKEY) and one.secret != USED
    }


class Passkeys:
    """The passkeys of a house's staff."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._key = derived(house.key, USE)

    def held(self, person: str) -> dict[str, Credential]:
        return passkeys_in(self.house.people.credentials(person))

    def listed(self, person: str) -> tuple[Passkey, ...]:
        return tuple(map(_told, self.held(person).values()))

    # challenges

    def _mac(self, about: bytes, at: AtPlace) -> bytes:
        whole = about + f"{at.origin} {at.browser}".encode()
        return hmac.digest(self._key, whole, "sha256")

    def _challenge(self, at: AtPlace) -> bytes:
        moment = self.house.time.now_ms().to_bytes(MOMENT_BYTES, "big")
        about = moment + self.house.chance.some_bytes(NONCE_BYTES)
        return about + self._mac(about, at)

    def _given_ms(self, challenge: bytes, at: AtPlace) -> int:
        about = challenge[: MOMENT_BYTES + NONCE_BYTES]
        given_ms = int.from_bytes(about[:MOMENT_BYTES], "big")
        genuine = hmac.compare_digest(about + self._mac(about, at), challenge)
        if not genuine or abs(self.house.time.now_ms() - given_ms) > GOOD_MS:
            raise ValueError("not a challenge of this house, to this browser, of late")
        return given_ms

    def to_use(self, at: AtPlace) -> dict[str, Any]:
        """What the browser asks any passkey of this address; the same for whoever it is."""
        options, _ = self._server(at).authenticate_begin(
            user_verification=REQUIRED,  # type: ignore[arg-type]
            challenge=self._challenge(at),
        )
        return dict(options.public_key)

    def to_make(self, person: str, at: AtPlace) -> dict[str, Any]:
        """What it asks for to make one that this device does not have yet."""
        called = self.house.people.get(person).name or person
        handle = hmac.digest(self._key, person.encode(), "sha256")
        options, _ = self._server(at).register_begin(
            {"id": handle, "name": person, "displayName": called},  # type: ignore[arg-type]
            [_key_of(one) for one in self.held(person).values() if _kept(one).host == at.host],
            resident_key_requirement=REQUIRED,  # type: ignore[arg-type]
            user_verification=REQUIRED,  # type: ignore[arg-type]
            challenge=self._challenge(at),
        )
        return msgspec.convert(dict(options.public_key), dict[str, Any])

    def _server(self, at: AtPlace) -> "Fido2Server":
        from fido2.server import Fido2Server  # noqa: PLC0415  an extra
        from fido2.webauthn import PublicKeyCredentialRpEntity  # noqa: PLC0415

        called = self.house.register.state.settings.look.name or "puntobanco"
        server = Fido2Server(
            PublicKeyCredentialRpEntity(id=at.host, name=called),
            attestation="none",  # type: ignore[arg-type]
            verify_origin=lambda origin: bool(at.host) and origin == at.origin,
        )
        server.allowed_algorithms = [
            one for one in server.allowed_algorithms if one.alg in ALGORITHMS
        ]
        return server

    # answers

    def made(self, person: str, name: str, shown: PasskeyShown) -> Credential | None:
        """A new one, not kept yet; none if it was not made as it was asked for."""
        from fido2.webauthn import RegistrationResponse  # noqa: PLC0415  an extra

        held = self.held(person)
        with suppress(Exception):  # what was sent may break the reading of it in any way
            answer = RegistrationResponse.from_dict(msgspec.json.decode(shown.answer))
            given_ms, state = self._state(answer.response.client_data, shown.at)
            made = self._server(shown.at).register_complete(state, answer)
            key = made.credential_data
            if key is None or key.public_key[3] not in ALGORITHMS or any(
                _key_of(one).credential_id == key.credential_id for one in held.values()
            ):  # fmt: skip
                return None
            free = next(n for n in range(1, MOST_PASSKEYS + 1) if f"{PASSKEY}{n}" not in held)
            called = " ".join(name.split())[:LONGEST_NAME] or PAGES["passkey"]
            kept = _Kept(called, shown.at.host, b64encode(key).decode())
            return Credential(
                *(person, f"{PASSKEY}{free}", msgspec.json.encode(kept).decode()),
                *(self.house.time.now_ms(), -made.counter, given_ms),
            )
        return None

    def _state(self, client: Any, at: AtPlace) -> tuple[int, dict[str, Any]]:
        """When the challenge was given, and what the library holds the answer against."""
        if client.cross_origin:
            raise ValueError("from within another page")
        given_ms = self._given_ms(client.challenge, at)
        challenge = urlsafe_b64encode(client.challenge).decode()
        return given_ms, {"challenge": challenge, "user_verification": REQUIRED}

    def _answered(self, person: str, shown: PasskeyShown) -> _Answered | None:
        from fido2.webauthn import AuthenticationResponse  # noqa: PLC0415  an extra

        good = [one for one in self.held(person).values() if not one.is_used]
        with suppress(Exception):  # what was sent may break the reading of it in any way
            answer = AuthenticationResponse.from_dict(msgspec.json.decode(shown.answer))
            given_ms, state = self._state(answer.response.client_data, shown.at)
            here = [one for one in good if _kept(one).host == shown.at.host]
            keys = [_key_of(one) for one in here]
            used = self._server(shown.at).authenticate_complete(state, keys, answer)
            count = answer.response.authenticator_data.counter
            return _Answered(here[keys.index(used)], given_ms, count)
        return None

    async def accepts(self, person: str, shown: PasskeyShown) -> bool:
        """Whether it is one of theirs, at this address, and the challenge was not answered before.
        A passkey whose count goes back has a copy: it is good for nothing any more, on record.
        """
        found = self._answered(person, shown)
        if found is None or found.given_ms <= found.held.failed_ms:
            return False
        held, before = found.held, -found.held.failures
        if (found.count or before) and found.count <= before:
            await use_one(self.house, held, replace(held, secret=USED + held.secret), by=HOUSE)
            return False
        return self.house.people.counted(held, found.given_ms, -found.count)

    async def remove(self, person: str, number: int) -> None:
        gone = Credential(person, f"{PASSKEY}{number}", USED, self.house.time.now_ms())
        await take_away(self.house, (gone,), person)


def _kept(held: Credential) -> _Kept:
    return msgspec.json.decode(held.hashed, type=_Kept)


def _key_of(held: Credential) -> Any:
    from fido2.webauthn import AttestedCredentialData  # noqa: PLC0415  an extra

    return AttestedCredentialData(b64decode(_kept(held).key))


def _told(held: Credential) -> Passkey:
    kept, number = _kept(held), int(held.kind.removeprefix(PASSKEY))
    return Passkey(
        number, kept.name, kept.host, held.set_ms, max(0, held.failed_ms), not held.is_used
    )
