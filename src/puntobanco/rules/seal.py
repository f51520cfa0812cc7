"""Commitments: a salted hash that fixes what is still secret, and that anyone can check later.

It stands here and not with the journal, so that a table and a competition can check what is opened
to them without knowing how it is kept.
"""

from hashlib import sha256

SALT_BYTES = 32


def commit(salt: bytes, content: bytes) -> str:
    """The hash that goes on record; to open it is to show salt and content.

    >>> commit(bytes(32), b"one thousand on Banker")[:16]
    'a6803b8c95d9f36a'
    """
    assert len(salt) >= SALT_BYTES // 2, "a salt is at least 128 bits"
    length = len(salt).to_bytes(8, "big")
    return sha256(b"puntobanco-seal-1" + length + salt + content).hexdigest()
