"""A row of the journal, and an entry that is to become one.

docs/journal.md describes the form well enough to write another verifier.
"""

from typing import Any

import msgspec
from msgspec import Struct

from puntobanco.errors import DamagedError, MalformedError

MOST_TEXT = 200
"""The most characters of a stream's name, an actor or a command id."""


class Entry(Struct, frozen=True, gc=False):
    """One accepted command, on its way into a stream."""

    stream: str
    seq: int
    """The number the row is to have in its stream: one more than the last."""
    at_ms: int
    actor: str
    command_id: str
    command: bytes
    """The envelope of the command (`envelope.py`); empty for the house's own notes."""
    clauses: tuple[str, ...]
    events: bytes
    """All its events, as a JSON array."""
    asked: bytes = b""
    """The command or intent as asked, by which a repetition is told from a reuse of the id; it is
    the command in the envelope, unless the house filled something in."""
    asker: str = ""
    """The person who asked, if the actor gave the command on their behalf."""


def check_text(text: str) -> None:
    """Refuse a text that a database could not keep, for a failed write stops the journal."""
    if not text or len(text) > MOST_TEXT or not text.isprintable():
        raise MalformedError(f"not an id: {text[:40]!r}; use 1 to {MOST_TEXT} printable characters")


class Row(Struct, frozen=True, gc=False):
    """One accepted command with all its events, as the journal keeps it."""

    stream: str
    seq: int
    at_ms: int
    actor: str
    command_id: str
    command_hash: bytes
    clauses: str
    """Ids of the clauses cited, separated by blanks."""
    events: bytes
    previous: bytes
    """The hash of the row before."""
    hash: bytes
    command: bytes | None = None
    """The envelope whose hash is `command_hash`; rows of schemas 1 and 2 have none."""
    mac: bytes | None = None
    """The key's id and an HMAC of the hash; outside the chain, and not exported."""


_decode = msgspec.json.Decoder(list[dict[str, Any]]).decode


def facts_in(row: Row) -> list[dict[str, Any]]:
    """The events of a row of any stream, undecoded; a row that was tampered with may have none."""
    try:
        return _decode(row.events)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
        raise damaged(row) from error


def damaged(row: Row) -> DamagedError:
    return DamagedError(
        f"{row.stream} row {row.seq} is damaged; verify the journal before relying on it"
    )
