"""The events of the register; their tags are permanent."""

from msgspec import Struct

from puntobanco.register.commands import Bot, Kind
from puntobanco.table.actor import Role


class AtRegister(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="is"
):
    """An event of the register."""


class HouseFounded(AtRegister, frozen=True, tag="house-founded"):
    person: str


class PersonEnrolled(AtRegister, frozen=True, tag="person-enrolled"):
    person: str
    kind: Kind
    bot: Bot | None = None


class PersonDisabled(AtRegister, frozen=True, tag="person-disabled"):
    person: str
    note: str


class PersonEnabled(AtRegister, frozen=True, tag="person-enabled"):
    person: str
    note: str


class RoleGranted(AtRegister, frozen=True, tag="role-granted"):
    person: str
    role: Role
    table: str = ""


class RoleRevoked(AtRegister, frozen=True, tag="role-revoked"):
    person: str
    role: Role
    table: str = ""


class RulesetKept(AtRegister, frozen=True, tag="ruleset-kept"):
    name: str
    digest: str
    text: str


class KeyShown(AtRegister, frozen=True, tag="key-shown"):
    public: str


OfPerson = (
    HouseFounded | PersonEnrolled | PersonDisabled | PersonEnabled | RoleGranted | RoleRevoked
)
RegisterEvent = OfPerson | RulesetKept | KeyShown
