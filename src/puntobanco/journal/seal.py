"""Sealed values: committed to in the log, encrypted beside it, opened by a later event.

The commitment is a salted hash (`rules/seal.py`); the content is encrypted with ChaCha20-Poly1305
under a key derived from the house's, which is kept outside the database, and bound to its
commitment. Whoever opens a value shows salt and content, and anyone can check them against the
hash.
"""

from contextlib import suppress

from puntobanco.journal.log import Sealed
from puntobanco.journal.mac import derived
from puntobanco.rules.seal import SALT_BYTES, commit

__all__ = [
    "KEY_BYTES",
    "NONCE_BYTES",
    "SALT_BYTES",
    "SealError",
    "commit",
    "seal",
    "unseal",
]

USE = "puntobanco-sealing-1"
"""What the key that seals is derived for."""
KEY_BYTES = 32
NONCE_BYTES = 12


class SealError(Exception):
    """A sealed value that cannot be opened: the key is another, or it was changed."""


def seal(commitment: str, content: bytes, key: bytes, nonce: bytes) -> Sealed:
    """Encrypt what a commitment stands for, bound to it; the nonce is random, from outside."""
    from cryptography.hazmat.primitives.ciphers.aead import (  # noqa: PLC0415  an extra
        ChaCha20Poly1305,
    )

    hidden = ChaCha20Poly1305(derived(key, USE)).encrypt(nonce, content, commitment.encode())
    return Sealed(commitment, nonce, hidden)


def unseal(sealed: Sealed, *keys: bytes) -> bytes:
    """Decrypt a sealed value by the house's key or one of before; the caller checks it against the
    commitment. Older programs sealed with the house's key itself.
    """
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415  an extra
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415

    for key in (one for held in keys for one in (derived(held, USE), held)):
        with suppress(InvalidTag):
            return ChaCha20Poly1305(key).decrypt(
                sealed.nonce, sealed.content, sealed.commitment.encode()
            )
    raise SealError("this key does not open it, or it was changed")
