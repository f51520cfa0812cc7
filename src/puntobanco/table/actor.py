"""Who gives a command, in which roles, and when. The core reads no clock: time comes with it."""

from enum import StrEnum

from msgspec import Struct


class Role(StrEnum):
    """What a person may be at a table, in the documents' words.

    >>> import puntobanco as pb
    >>> str(pb.Role.MANAGEMENT)
    'management representative'
    """

    DEALER = "dealer"
    INSPECTOR = "inspector"
    CASINO_SUPERVISOR = "casino supervisor"
    MANAGEMENT = "management representative"
    SURVEILLANCE = "surveillance"
    DIRECTOR = "competition director"
    CASHIER = "cashier"
    AUDITOR = "auditor"
    PATRON = "patron"
    GUEST = "guest"
    """A visitor without an account, at the one table where guests play for play money."""
    HOUSE = "house"
    """The house's clock; never a person."""


ON_DUTY = frozenset({Role.DEALER, Role.INSPECTOR, Role.CASINO_SUPERVISOR, Role.DIRECTOR})
"""Roles that count at a table only once their holder has signed on to it."""

PLAYERS = frozenset({Role.PATRON, Role.GUEST})
"""Who plays, each for themselves alone."""

STAFF = frozenset(Role) - PLAYERS - {Role.AUDITOR, Role.CASHIER, Role.HOUSE}


class Actor(Struct, frozen=True):
    """Who asks.

    >>> import puntobanco as pb
    >>> pb.Actor("dan", frozenset({pb.Role.DEALER}), at_ms=0).person
    'dan'
    """

    person: str
    roles: frozenset[Role]
    at_ms: int
    """Milliseconds since 1970, from the house's clock."""
    one_with: frozenset[str] = frozenset()
    """Those with whom they count as one person where two are wanted who were both there before."""
