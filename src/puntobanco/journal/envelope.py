"""The envelope in which a row keeps its command: who gave it, in which roles, and what was asked.

The journal looks at nothing within: a command is bytes here, whatever it is about.
"""

import msgspec
from msgspec import Raw, Struct

from puntobanco.journal.rows import Row


class GivenBy(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """In which roles the actor gave a command."""

    roles: tuple[str, ...]
    """Sorted by name."""
    register: int
    """The number of the register's row by which they were looked up."""
    at: str = ""
    """The table whose roles they are, in a row of another stream (a buy-in's half at the cage)."""
    asker: str = ""
    """Who asked, where the actor gave the command on somebody's behalf."""


NOTHING = Raw(b"")


class Envelope(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A command as it is kept. Defaults are not encoded: a new field changes no old hash."""

    edition: int
    """Of the deciders that accepted it (`editions.py`)."""
    by: GivenBy
    seen: dict[str, int] = {}
    """Rows of other streams that a fact was read from: the stream and the number of its row."""
    asked: Raw = NOTHING
    """What was asked, where the house filled something in."""
    command: Raw
    """The command that was decided."""


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Envelope).decode


def asked_in(row: Row) -> tuple[str, bytes] | None:
    """Who asked for what in a row that keeps its command."""
    if row.command is None:
        return None
    envelope = decode(row.command)
    return envelope.by.asker or row.actor, bytes(envelope.asked) or bytes(envelope.command)
