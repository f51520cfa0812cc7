"""A code on every row that only the house's key can make: the file alone is not enough to add one.

It is half of an HMAC-SHA-256 of the row's hash under a key derived from the house's key, with the
beginning of that key's id before it. It stands in a column of its own, outside the chain and the
exports. Codes of programs before schema 12 have both whole.
"""

from collections.abc import Mapping
from hashlib import sha256
from hmac import digest
from types import MappingProxyType

from puntobanco.journal.rows import Row

ID_BYTES, BLOCK = 8, 64
"""Bytes of a key's id, and of a block of SHA-256, to which HMAC pads its key."""
WHOLE = ID_BYTES + 32
"""Bytes of a code as older programs made it."""
SHORT_ID, SHORT = 4, 16
"""Bytes of the id, and of the HMAC, in a code: half of that, as much as RFC 2104 asks for."""
NONE: Mapping[str, int] = MappingProxyType({})


def derived(key: bytes, use: str) -> bytes:
    """Derive a key for one use from the house's key."""
    extracted = digest(bytes(32), key, "sha256")
    return digest(extracted, use.encode() + b"\x01", "sha256")


def key_id(key: bytes) -> bytes:
    """The id by which a key is recognised without being shown."""
    return sha256(b"puntobanco-key-1" + key).digest()[:ID_BYTES]


def id_in(code: bytes | None) -> bytes:
    """What a code says of the key that made it: its id, or the beginning of that."""
    return (code or b"")[: ID_BYTES if len(code or b"") == WHOLE else SHORT_ID]


def names_key(code: bytes | None, key: bytes) -> bool:
    """Say whether a code names the key with this id."""
    return bool(code) and key.startswith(id_in(code))


class RowMac:
    """Makes and checks the codes of rows under one key.

    The house may have had another key before: `former` says up to which row of each stream, and of
    those rows only codes are checked under keys that are here.
    """

    def __init__(self, key: bytes, former: Mapping[str, int] = NONE, *older: bytes) -> None:
        self.id = key_id(key)
        self.keys = (key, *older)
        self.former = former
        self._older = {key_id(one): RowMac(one) for one in older}
        self._for_itself = derived(key, "puntobanco-snapshot-1")
        secret = derived(key, "puntobanco-mac-1").ljust(BLOCK, b"\0")
        # an HMAC whose two key blocks are hashed once, not once a row
        self._inner = sha256(bytes(byte ^ 0x36 for byte in secret))
        self._outer = sha256(bytes(byte ^ 0x5C for byte in secret))

    def sign(self, digest: bytes) -> bytes:
        """Make the code of a row: the beginning of the key's id, and half the HMAC of its hash."""
        return self.id[:SHORT_ID] + self._hmac(digest)[:SHORT]

    def signed(self, row: Row) -> bool:
        """Say whether a row's code is the one this key makes, in either form."""
        made = self._hmac(row.hash)
        return row.mac in (self.id[:SHORT_ID] + made[:SHORT], self.id + made)

    def _hmac(self, digest: bytes) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(digest)
        outer.update(inner.digest())
        return outer.digest()

    def code(self, text: bytes) -> bytes:
        """Make the code of what the house keeps for itself alone."""
        return digest(self._for_itself, text, "sha256")

    def checks(self, row: Row) -> bool:
        """Say whether a row has no code, or one under a key that is here."""
        return row.mac is None or any(names_key(row.mac, one) for one in (self.id, *self._older))

    def fault(self, row: Row) -> str:
        """Say what is wrong with the code of a row that has one; empty if it holds."""
        if row.mac is None or self.signed(row):
            return ""
        if not names_key(row.mac, self.id):
            if not self.is_former(row.stream, row.seq):
                return "was written under another key"
            older = [key for name, key in self._older.items() if names_key(row.mac, name)]
            return older[0].fault(row) if older else ""
        return "was not written by this house: its code is not one its key makes"

    def is_former(self, stream: str, seq: int) -> bool:
        """Say whether a row is of the time before the house took this key."""
        return seq <= self.former.get(stream, 0)
