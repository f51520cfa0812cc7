"""A device with passkeys, in software: it answers as it is told to, also as no real one would."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

UP, UV, AT = (AuthenticatorData.FLAG(bit) for bit in (1, 4, 64))


def written(some: bytes) -> str:
    return urlsafe_b64encode(some).rstrip(b"=").decode()


def read(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


NONE_AT_ALL = AuthenticatorData.FLAG(0)


class Device:
    """One passkey, and the count of its uses."""

    def __init__(self, origin: str, number: int = 1, *, counts: bool = True) -> None:
        self.origin, self.host = origin, origin.split("://")[1]
        self.key = ec.derive_private_key(number, ec.SECP256R1())
        self.id = number.to_bytes(16, "big")
        self.count, self.counts, self.flags = 0, counts, UP | UV

    def _counted(self) -> int:
        self.count += self.counts
        return self.count

    def _said(self, kind: str, asked: dict[str, Any]) -> bytes:
        said = {"type": kind, "challenge": asked["challenge"], "origin": self.origin}
        return json.dumps(said).encode()

    def _answer(self, **parts: bytes) -> str:
        own = written(self.id)
        response = {name: written(part) for name, part in parts.items()}
        return json.dumps({"id": own, "rawId": own, "type": "public-key", "response": response})

    def make(self, asked: dict[str, Any]) -> str:
        """What it answers when a new passkey is asked for."""
        held = AttestedCredentialData.create(
            bytes(16),
            self.id,
            ES256.from_cryptography_key(self.key.public_key()),  # type: ignore[no-untyped-call]
        )
        made = AuthenticatorData.create(
            sha256(self.host.encode()).digest(), self.flags | AT, self._counted(), held
        )
        return self._answer(
            clientDataJSON=self._said("webauthn.create", asked),
            attestationObject=AttestationObject.create("none", made, {}),
        )

    def use(self, asked: dict[str, Any]) -> str:
        """What it answers when its passkey is asked for."""
        said = self._said("webauthn.get", asked)
        told = AuthenticatorData.create(
            sha256(self.host.encode()).digest(), self.flags, self._counted()
        )
        signature = self.key.sign(told + sha256(said).digest(), ec.ECDSA(SHA256()))
        return self._answer(clientDataJSON=said, authenticatorData=told, signature=signature)
