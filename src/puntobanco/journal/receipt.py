"""Receipts: one row of the journal, signed by the house, for the person it concerns to keep.

A receipt shows offline that the house gave it and what it said then. Held against the journal
it shows that the row is still there: a house that rewrote its journal could not disown it.
"""

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

from puntobanco.errors import UnusableError
from puntobanco.journal.chain import row_fault
from puntobanco.journal.mac import derived
from puntobanco.journal.rows import Row
from puntobanco.journal.witness.shown import Inclusion

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORM = "puntobanco-receipt-1"
SHORT_FORM = "puntobanco-receipt-hash-1"


class Receipt(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row in full, with all that its hash is made of; bytes are in hexadecimal."""

    form: str
    stream: str
    seq: Annotated[int, Meta(ge=1, le=2**53)]
    at_ms: Annotated[int, Meta(ge=0, le=2**53)]
    actor: str
    command_id: str
    command_hash: str
    clauses: str
    events: str
    """The events as the very text that was hashed."""
    previous: str
    hash: str
    key: str
    """The house's public key."""
    signature: str
    inclusion: Inclusion | None = None
    """The way from the row to a root that covers it, where it was asked for."""


class ShortReceipt(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which row, its hash, and the signature over it: what fits a code on paper, and what somebody
    has of a row that others are paid in, too.

    By itself it shows that the house signed this hash; what the row says, only the house shows.
    """

    form: str
    stream: str
    seq: Annotated[int, Meta(ge=1, le=2**53)]
    at_ms: Annotated[int, Meta(ge=0, le=2**53)]
    hash: str
    key: str
    signature: str
    inclusion: Inclusion | None = None


def _signer(key: bytes) -> "Ed25519PrivateKey":
    """Derive the signing key from the house's key, so that no second key has to be kept."""
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415  an extra

    return ed25519.Ed25519PrivateKey.from_private_bytes(derived(key, FORM))


def public_key(key: bytes) -> str:
    """The public key that the house publishes, so that anyone can check its receipts."""
    return _signer(key).public_key().public_bytes_raw().hex()


def give_receipt(row: Row, key: bytes, proof: Inclusion | None = None) -> Receipt:
    signer = _signer(key)
    return Receipt(
        FORM,
        row.stream,
        row.seq,
        row.at_ms,
        row.actor,
        row.command_id,
        row.command_hash.hex(),
        row.clauses,
        row.events.decode(),
        row.previous.hex(),
        row.hash.hex(),
        signer.public_key().public_bytes_raw().hex(),
        signer.sign(_signed(row.hash)).hex(),
        proof,
    )


def short_receipt(receipt: Receipt) -> ShortReceipt:
    """The receipt as far as it fits a code on paper, or is its reader's to have."""
    return ShortReceipt(
        SHORT_FORM,
        receipt.stream,
        receipt.seq,
        receipt.at_ms,
        receipt.hash,
        receipt.key,
        receipt.signature,
        receipt.inclusion,
    )


def _signed(row_hash: bytes) -> bytes:
    return FORM.encode() + row_hash


def read_receipt(text: bytes) -> Receipt | ShortReceipt:
    try:
        short = msgspec.json.decode(text, type=dict).get("form") == SHORT_FORM
        receipt: Receipt | ShortReceipt = (
            msgspec.json.decode(text, type=ShortReceipt)
            if short
            else msgspec.json.decode(text, type=Receipt)
        )
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnusableError(f"this is not a receipt: {error}") from error
    if receipt.form not in (FORM, SHORT_FORM):
        raise UnusableError(f"this is not a receipt of the form {FORM} or {SHORT_FORM}")
    return receipt


def row_of(receipt: Receipt) -> Row:
    try:
        return Row(
            receipt.stream,
            receipt.seq,
            receipt.at_ms,
            receipt.actor,
            receipt.command_id,
            bytes.fromhex(receipt.command_hash),
            receipt.clauses,
            receipt.events.encode(),
            bytes.fromhex(receipt.previous),
            bytes.fromhex(receipt.hash),
        )
    except ValueError as error:
        raise UnusableError("this receipt has a hash that is none") from error


def receipt_fault(receipt: Receipt | ShortReceipt) -> str:
    """Say what is wrong with a receipt by itself; empty if it is whole and signed."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415

    if isinstance(receipt, Receipt):
        row = row_of(receipt)
        fault = row_fault(row, row.stream, row.seq - 1, row.previous)
        if fault:
            return fault
    try:
        digest = bytes.fromhex(receipt.hash)
        public = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(receipt.key))
        public.verify(bytes.fromhex(receipt.signature), _signed(digest))
    except (ValueError, InvalidSignature):
        return "was not signed with the key it names"
    if receipt.inclusion and receipt.inclusion.leads_to(digest) != receipt.inclusion.root:
        return "is not under the root that it names"
    return ""
