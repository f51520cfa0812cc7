"""Rows as a database stores them: what rows say over and over is packed away.

A packed row has its clauses, command and events in one value, compressed against a
dictionary that never changes; what follows from the rest is left out. What is hashed, exported
and decided again is the row as it was: packing is the database's own affair.
"""

import re
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from msgspec.structs import astuple

from puntobanco.journal.chain import hash_of
from puntobanco.journal.rows import Row

SIGN = b"\x01"
"""The first byte of a packed row; events that are not packed begin with a bracket."""
MOST = 65_536
"""Fewer bytes than these are packed, so that no more come out of what is."""
SOUGHT = frozenset(
    {
        "cards-touched",
        "commitment-opened",
        "conditions-published",
        "gaming-day-began",
        "incident-recorded",
        "proposed",
        "table-opened",
    }
)
"""Rows with an event of one of these kinds are looked for by the database (`find`), and never
packed. A kind may be taken from here, but none added: it could have been packed before."""
KIND = re.compile(rb'"is":"([a-z-]+)"')
Stored = tuple[object, ...]
EVENTS = 7
"""The place of the events among the values of a row."""


def _dictionary() -> bytes:
    return (Path(__file__).parent / "dictionary-1.txt").read_bytes()


DICTIONARY = _dictionary()
_COMPRESS = zlib.compressobj(9, zlib.DEFLATED, -15, 5, zlib.Z_DEFAULT_STRATEGY, DICTIONARY)
_DECOMPRESS = zlib.decompressobj(-15, DICTIONARY)


def pack_row(row: Row) -> Stored:
    """The values of a row as they are stored; of a row that was just linked, or whose hash holds.

    A row without a command stays as it is, and so does one that is looked for by its events.
    """
    command = row.command
    if command is None or sha256(command).digest() != row.command_hash or not _packs(row):
        return astuple(row)
    parts = (row.clauses.encode(), command)
    plain = b"\n".join((*parts, row.events))
    if len(plain) >= MOST or any(b"\n" in part for part in parts):
        return astuple(row)
    deflate = _COMPRESS.copy()
    body = SIGN + deflate.compress(plain) + deflate.flush()
    return (
        *(row.stream, row.seq, row.at_ms, row.actor, row.command_id),
        *(b"", "", body, b"", row.hash, None, row.mac),
    )


def adopted(row: Row) -> Stored:
    """The values of a row that is copied; one whose hash does not hold is copied as it stands."""
    try:
        holds = row.hash == hash_of(row)
    except (TypeError, AttributeError):  # a field was changed to another type
        holds = False
    return pack_row(row) if holds else astuple(row)


def _packs(row: Row) -> bool:
    return SOUGHT.isdisjoint(kind.decode() for kind in KIND.findall(row.events))


def may_be_packed(text: bytes) -> bool:
    """Whether rows with this text in their events may be packed, so that each must be read."""
    kind = KIND.search(text)
    return kind is None or kind[1].decode() not in SOUGHT


def is_packed(stored: Stored) -> bool:
    events = stored[EVENTS]
    return isinstance(events, bytes) and events[:1] == SIGN


def stored_events(stored: Stored) -> bytes:
    """The events of a row as it is stored, packed or not."""
    parts = _parts(stored[EVENTS]) if is_packed(stored) else None
    return parts[2] if parts else cast("bytes", stored[EVENTS])


def row_from(stored: Stored, before: bytes) -> Row:
    """The row as it was; `before` is the hash of the row before it.

    What a column still says counts; what cannot be unpacked is left as it stands. In either case
    the hash says that the row was changed.
    """
    row = Row(*cast("Any", stored))
    parts = _parts(row.events) if is_packed(stored) else None
    if parts is None:
        return row
    clauses, command, events = parts
    command = row.command or command
    return Row(
        row.stream,
        row.seq,
        row.at_ms,
        row.actor,
        row.command_id,
        row.command_hash or sha256(command).digest(),
        row.clauses or clauses.decode(errors="replace"),
        events,
        row.previous or before,
        row.hash,
        command,
        row.mac,
    )


def _parts(body: Any) -> list[bytes] | None:
    """Clauses, command and events; None if they cannot be had from this."""
    inflate = _DECOMPRESS.copy()
    try:
        parts = inflate.decompress(body[1:], MOST).split(b"\n", 2)
    except zlib.error:
        return None
    return parts if inflate.eof and not inflate.unused_data and len(parts) == 3 else None
