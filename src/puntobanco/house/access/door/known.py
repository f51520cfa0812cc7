"""Browsers that are known: to their owner, who signed in there before, or to the house.

What such a browser shows proves nothing but that: whoever has it still needs the secret. It only
keeps them apart from strangers, whose guesses must not shut them out.
"""

import hmac

from msgspec import Struct

from puntobanco.house.access.people import Credential
from puntobanco.journal.mac import derived

USE = "puntobanco-known-browser-1"
NONCE_BYTES, MAC_DIGITS = 16, 64
MOST_OWNERS = 6
"""People to whom one browser can be known at a time; the one who has not come longest goes."""


class BrowserShown(Struct, frozen=True):
    """What a browser shows of itself when somebody signs in."""

    station: str = ""
    """The token of an enrolled station."""
    proofs: tuple[str, ...] = ()
    """One of each person who has signed in there."""


STRANGER = BrowserShown()


class KnownBrowsers:
    """Makes and checks what browsers show. It is bound to the secret that was used: a new password
    or PIN makes every browser a stranger again.
    """

    def __init__(self, key: bytes) -> None:
        self._key = derived(key, USE)

    def proof(self, held: Credential, nonce: bytes) -> str:
        return f"{nonce.hex()}{self._mac(held, nonce.hex())}"

    def _mac(self, held: Credential, nonce: str) -> str:
        about = f"{nonce} {held.set_ms} {held.kind} {held.person}".encode()
        return hmac.new(self._key, about, "sha256").hexdigest()

    def nonce_for(self, held: Credential, shown: BrowserShown) -> str:
        """The number of the browser, if it is known to the owner of a secret; else empty."""
        for proof in shown.proofs[:MOST_OWNERS]:
            nonce, mac = proof[:-MAC_DIGITS], proof[-MAC_DIGITS:]
            if proof.isascii() and hmac.compare_digest(self._mac(held, nonce), mac):
                return nonce
        return ""

    def shown_with(self, shown: BrowserShown, held: Credential, nonce: bytes) -> tuple[str, ...]:
        """What the browser shows from now on: the newest first."""
        own = self.nonce_for(held, shown)
        others = (one for one in shown.proofs if not own or not one.startswith(own))
        fresh = self.proof(held, bytes.fromhex(own) if own else nonce)
        return (fresh, *others)[:MOST_OWNERS]
