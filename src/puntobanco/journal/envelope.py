"""The envelope in which a row keeps its command: who gave it, in which roles, and what was asked.

The journal does not read the command: it is bytes here.
"""

import msgspec
from msgspec import Raw, Struct

from puntobanco.journal.rows import Row


class GivenBy(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The roles in which the actor gave a command, and how they were looked up."""

    roles: tuple[str, ...]
    """The roles, sorted by name."""
    register: int
    """The number of the register's row by which the roles were looked up."""
    at: str = ""
    """The table whose roles they are, in a row of another stream (a buy-in's half at the cage)."""
    asker: str = ""
    """The person who asked, where the actor gave the command on their behalf."""
    device: str = ""
    """The device that drew for the actor, the dealer on duty: the beginning of its token's hash."""


class PlayedBefore(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the house had counted of a player with limits of their own, when they wagered."""

    day: str
    """The gaming day."""
    day_cents: int = 0
    """Lost in it, stakes that lie at other tables with it; below nothing: won."""
    week_cents: int = 0
    """The same of seven gaming days, this one with them."""
    minutes: int = 0
    """Played in the gaming day."""


NOTHING = Raw(b"")


class Envelope(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A command as a row keeps it. Defaults are not encoded: a new field changes no old hash."""

    edition: int
    """The edition of the deciders that accepted the command (`editions.py`)."""
    by: GivenBy
    seen: dict[str, int] = {}
    """The rows of other streams that facts were read from, each number by its stream."""
    played: PlayedBefore | None = None
    """What a wager or a purchase of chips was held against, of a player who has limits."""
    asked: Raw = NOTHING
    """The command or intent as it was asked, where the house filled something in."""
    command: Raw
    """The command that was decided."""


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Envelope).decode


def asked_in(row: Row) -> tuple[str, bytes] | None:
    """The asker and what they asked for, in a row that keeps its command."""
    if row.command is None:
        return None
    envelope = decode(row.command)
    return envelope.by.asker or row.actor, bytes(envelope.asked) or bytes(envelope.command)
