"""What is asked of the register, and what happened there; tags are permanent.

Only ids are here. Names, contacts and credentials stand in ordinary tables and can be erased.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from puntobanco.table.actor import Role
from puntobanco.table.commands import Note, Person

TableId = Annotated[str, Meta(max_length=64, pattern=r"\A[A-Za-z0-9_.-]*\Z")]
"""A table; empty: the whole house."""
Kind = Literal["staff", "patron"]
Plan = Literal[
    "dealer",
    "inspector",
    "manager",
    "surveillance",
    "cashier",
    "banker",
    "player",
    "tie",
    "double",
    "follow",
]


class Bot(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a program does in a person's place, and at which table."""

    plan: Plan
    table: TableId
    seat: Annotated[int, Meta(ge=0, le=14)] = 0
    """Where a patron sits."""


class RegisterCommand(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"
):
    """Something a person wants of the register."""


class FoundHouse(RegisterCommand, frozen=True, tag="found-house"):
    """The first manager: only while nobody is enrolled."""


class Enrol(RegisterCommand, frozen=True, tag="enrol"):
    person: Person
    kind: Kind
    bot: Bot | None = None


class Disable(RegisterCommand, frozen=True, tag="disable"):
    person: Person
    note: Note


class Enable(RegisterCommand, frozen=True, tag="enable"):
    person: Person
    note: Note


class Grant(RegisterCommand, frozen=True, tag="grant"):
    person: Person
    role: Role
    table: TableId = ""


class Revoke(RegisterCommand, frozen=True, tag="revoke"):
    person: Person
    role: Role
    table: TableId = ""


class KeepRuleset(RegisterCommand, frozen=True, tag="keep-ruleset"):
    """The text a table is opened by, kept for whoever checks it years later."""

    name: Person
    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    """The SHA-256 of the text."""
    text: Annotated[str, Meta(min_length=1, max_length=1_000_000)]


class ShowKey(RegisterCommand, frozen=True, tag="show-key"):
    """The public key that receipts of this house are signed with."""

    public: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


Ask = FoundHouse | Enrol | Disable | Enable | Grant | Revoke | KeepRuleset | ShowKey


class RegisterEvent(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="is"
):
    """Something that happened to the register."""


class HouseFounded(RegisterEvent, frozen=True, tag="house-founded"):
    person: str


class PersonEnrolled(RegisterEvent, frozen=True, tag="person-enrolled"):
    person: str
    kind: Kind
    bot: Bot | None = None


class PersonDisabled(RegisterEvent, frozen=True, tag="person-disabled"):
    person: str
    note: str


class PersonEnabled(RegisterEvent, frozen=True, tag="person-enabled"):
    person: str
    note: str


class RoleGranted(RegisterEvent, frozen=True, tag="role-granted"):
    person: str
    role: Role
    table: str = ""


class RoleRevoked(RegisterEvent, frozen=True, tag="role-revoked"):
    person: str
    role: Role
    table: str = ""


class RulesetKept(RegisterEvent, frozen=True, tag="ruleset-kept"):
    name: str
    digest: str
    text: str


class KeyShown(RegisterEvent, frozen=True, tag="key-shown"):
    public: str


OfPerson = (
    HouseFounded | PersonEnrolled | PersonDisabled | PersonEnabled | RoleGranted | RoleRevoked
)
Happened = OfPerson | RulesetKept | KeyShown
