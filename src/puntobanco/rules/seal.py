"""Commitments: a salted hash that fixes what is still secret, and that anyone can check later; and
chance that anyone can draw again from what was opened.

It stands here and not with the journal, so that a table and a competition can check what is opened
to them without knowing how it is kept.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import count

SALT_BYTES = 32
_WIDTH = 2**64


def commit(salt: bytes, content: bytes) -> str:
    """The hash that goes on record; to open it is to show salt and content.

    >>> commit(bytes(32), b"one thousand on Banker")[:16]
    'a6803b8c95d9f36a'
    """
    assert len(salt) >= SALT_BYTES // 2, "a salt is at least 128 bits"
    length = len(salt).to_bytes(8, "big")
    return sha256(b"puntobanco-seal-1" + length + salt + content).hexdigest()


def framed_parts(parts: Iterable[str]) -> bytes:
    """Parts one after another, each after its length: no two lists come out alike."""
    encoded = [part.encode() for part in parts]
    return b"".join(len(part).to_bytes(8, "big") + part for part in encoded)


def below_by(key: bytes) -> Callable[[int], int]:
    """Make the bounded draw of one key: numbers of 64 bits from SHA-256 over a counter."""
    numbers = _numbers(key)

    def below(bound: int) -> int:
        even = _WIDTH - _WIDTH % bound  # from here on some results would be likelier than others
        return next(number for number in numbers if number < even) % bound

    return below


def _numbers(key: bytes) -> Iterator[int]:
    for block in count():
        digest = sha256(key + block.to_bytes(8, "big")).digest()
        for at in range(0, len(digest), 8):
            yield int.from_bytes(digest[at : at + 8], "big")
