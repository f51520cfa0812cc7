"""The keys that a house has had, as its register shows them: each by its public key.

The public key of receipts is derived from the house's key and tells nothing of it, so that it is
its fingerprint too: whoever starts a house with another key is told so.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from puntobanco.errors import UnusableError
from puntobanco.journal.chain import row_fault
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import RowMac
from puntobanco.journal.receipt import public_key
from puntobanco.journal.rows import Row, damaged, facts_in
from puntobanco.journal.verify import REGISTER

TAG = b'{"is":"key-shown"'
GROUPS, DIGITS = 4, 4


class ShownKey(Struct, frozen=True):
    """A key that is on record, since when, and by whose word if it is not the first."""

    since_ms: int
    public: str = ""
    first: str = ""
    second: str = ""
    rows: dict[str, int] = {}
    """The last row of each stream under the key before."""


def shown_keys(log: EventLog) -> list[ShownKey]:
    """Every key the house has had; the last is in use."""
    return [_said(row) for row in _rows(log)]


def _rows(log: EventLog) -> Iterator[Row]:
    return (row for row in log.read(REGISTER) if TAG in row.events)


def _said(row: Row) -> ShownKey:
    said = next((event for event in facts_in(row) if event.get("is") == "key-shown"), {})
    try:
        return msgspec.convert({**said, "since_ms": row.at_ms}, ShownKey)
    except msgspec.ValidationError as error:
        raise damaged(row) from error


def fingerprint_of(public: str) -> str:
    """A fingerprint as people compare it.

    >>> fingerprint_of("0123456789abcdef" * 4)
    '0123 4567 89ab cdef'
    """
    return " ".join(public[at * DIGITS : (at + 1) * DIGITS] for at in range(GROUPS))


def fingerprint(log: EventLog) -> str:
    """The key on record, as people compare it; empty if none is yet."""
    shown = shown_keys(log)
    return fingerprint_of(shown[-1].public) if shown else ""


def key_fault(log: EventLog, key: bytes) -> str:
    """Say that a key is not the house's; empty if it is, or if none is on record yet.

    Before keys were taken by the word of two people, a house took any it was started with, and may
    have gone back: all of those are its own. A key codes the row by which it is shown, so that one
    that is the house's is known without what receipts are signed by, which not every installation
    has.
    """
    rows = list(_rows(log))
    shown = [_said(row) for row in rows]
    since = max((at for at, one in enumerate(shown) if one.first), default=0)
    mac = RowMac(key)
    if not rows or any(mac.signed(row) for row in rows[since:]):
        return ""
    given = public_key(key)
    if given in {one.public for one in shown[since:]}:
        return ""
    if given in {one.public for one in shown}:
        was = f"this key, {fingerprint_of(given)}, was given up"
    else:
        was = f"this is not the key of this house, but {fingerprint_of(given)}"
    return (
        f"{was}; on record is {fingerprint_of(shown[-1].public)}, and no other will do: name it"
        " with --secret. If it is lost, two people take another with `serve --new-key`"
    )


def codes_of(log: EventLog, key: bytes, *older: bytes) -> RowMac:
    """What makes and checks the codes of a house under its key, and under those of before for rows
    before it was taken. The row that says so must be its own.
    """
    mac = RowMac(key)
    own = [row for row in _rows(log) if mac.signed(row)]
    whole = [row for row in own if not row_fault(row, REGISTER, row.seq - 1, row.previous)]
    return RowMac(key, _said(whole[-1]).rows, *older) if whole else mac


def own_codes(log: EventLog, key: bytes, *older: bytes) -> RowMac:
    """The codes of a house under its key; another is refused."""
    if wrong := key_fault(log, key):
        raise UnusableError(wrong)
    return codes_of(log, key, *older)
