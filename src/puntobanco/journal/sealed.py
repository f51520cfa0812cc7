"""Sealed values: committed to in the log, encrypted beside it, opened by a later event.

The commitment is a salted hash; the content is encrypted with ChaCha20-Poly1305 under a key kept
outside the database, and bound to its commitment. Whoever opens a value shows salt and content,
and anyone can check them against the hash.
"""

from hashlib import sha256
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from puntobanco.errors import UnusableError
from puntobanco.journal.log import Sealed

KEY_BYTES = 32
NONCE_BYTES = 12
SALT_BYTES = 32


class Opening(Struct, frozen=True):
    """What proves a commitment: anyone can hash it again."""

    salt: bytes
    content: bytes


class SealError(Exception):
    """A sealed value that cannot be opened: the key is another, or it was changed."""


def commit(opening: Opening) -> str:
    """The hash that goes into the log."""
    salt, content = opening.salt, opening.content
    length = len(salt).to_bytes(8, "big")
    return sha256(b"puntobanco-seal-1" + length + salt + content).hexdigest()


def seal(opening: Opening, key: bytes, nonce: bytes) -> Sealed:
    """Encrypt a value; salt and nonce are random and come from outside."""
    assert len(opening.salt) >= SALT_BYTES // 2, "a salt is at least 128 bits"
    commitment = commit(opening)
    plain = msgspec.msgpack.encode((opening.salt, opening.content))
    content = ChaCha20Poly1305(key).encrypt(nonce, plain, commitment.encode())
    return Sealed(commitment, nonce, content)


def unseal(sealed: Sealed, key: bytes) -> Opening:
    """Decrypt a value and check it against its commitment."""
    try:
        plain = ChaCha20Poly1305(key).decrypt(
            sealed.nonce, sealed.content, sealed.commitment.encode()
        )
    except InvalidTag as error:
        raise SealError("this key does not open it, or it was changed") from error
    salt, content = msgspec.msgpack.decode(plain, type=tuple[bytes, bytes])
    opening = Opening(salt, content)
    if commit(opening) != sealed.commitment:
        raise SealError("it opens to something else than was committed to")
    return opening


def load_key(file: Path) -> bytes:
    """The key, from a file that stands outside the database."""
    try:
        key = bytes.fromhex(file.read_text().strip())
    except (OSError, ValueError) as error:
        raise UnusableError(f"{file}: no key can be read here") from error
    if len(key) != KEY_BYTES:
        raise UnusableError(f"{file}: a key has {KEY_BYTES} bytes in hexadecimal, not {len(key)}")
    return key
