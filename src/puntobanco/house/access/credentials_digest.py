"""A digest, under the house's key, of what stands beside the log: credentials and sealed values.

It goes into every root, so that a person with only the file can neither put in a password of
their own nor take a sealed shoe away unseen.
"""

import hmac
from collections.abc import Iterable

from puntobanco.journal.chain import netstrings
from puntobanco.journal.erasable_tables import SINCE
from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.mac import derived

FORM = "puntobanco-kept-1"
CREDENTIALS = "SELECT person, kind, secret, set_ms FROM credentials ORDER BY person, kind"
Credential = tuple[str, str, str, int]
"""A credential: person, kind, hashed secret, and when it was set, in milliseconds."""


MODULUS = 2**256
"""The sum of digests is kept to the length of one digest, 256 bits."""


class KeptDigest:
    """Makes the digests, under a key derived from the house's key."""

    def __init__(self, key: bytes) -> None:
        self._key = derived(key, FORM)

    def credential(self, person: str, kind: str, secret: str, set_ms: int) -> str:
        """The digest of one credential, which the row that says it was issued records."""
        return self._of(["credential", person, kind, secret, str(set_ms)])

    def credentials(self, credentials: Iterable[Credential]) -> str:
        """The sum of the digests of all credentials: each change adds or subtracts one."""
        return moved(f"{0:064x}", add=[self.credential(*credential) for credential in credentials])

    def sealed(self, values: Iterable[Sealed]) -> str:
        """The digest of the sealed values that have not been opened yet."""
        facts = sorted(
            (value.commitment, value.nonce.hex(), value.content.hex()) for value in values
        )
        return self._of(["sealed", *(fact for value in facts for fact in value)])

    def _of(self, texts: list[str]) -> str:
        return hmac.digest(self._key, netstrings([FORM, *texts]), "sha256").hex()


def moved(total: str, add: Iterable[str] = (), less: Iterable[str] = ()) -> str:
    """Add digests to a sum of digests, and subtract others."""
    change = sum(int(digest, 16) for digest in add) - sum(int(digest, 16) for digest in less)
    return f"{(int(total, 16) + change) % MODULUS:064x}"


def credentials_in(log: EventLog) -> list[Credential]:
    """Every credential in the erasable tables; a journal of schema 1 had none."""
    if log.schema() < SINCE:
        return []
    return [(row[0], row[1], row[2], int(row[3])) for row in log.ordinary(CREDENTIALS)]
