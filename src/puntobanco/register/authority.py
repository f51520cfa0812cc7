"""Who may give each command of the register, and all else that is known about it."""

from collections.abc import Iterable

from puntobanco.register import commands as c
from puntobanco.register.state import Register
from puntobanco.table import commands as two
from puntobanco.table.actor import Role
from puntobanco.table.authority import (
    DIRECTOR,
    HOUSE,
    ITSELF,
    MANAGEMENT,
    OTHER_HALF,
    PEOPLE,
    SURVEILLANCE,
    Allowed,
)
from puntobanco.table.likely import for_each

ANYONE = frozenset(Role)
SECOND = MANAGEMENT | SURVEILLANCE
"""Who may agree that somebody is given a role: another manager, or those who watch the house."""


def _founders(register: Register) -> Iterable[str]:
    return [person for person, member in register.people.items() if member.kind == "staff"]


def _disabled(register: Register) -> Iterable[str]:
    return [person for person, member in register.people.items() if not member.enabled]


AUTHORITY: dict[type[c.ToRegister | two.Command], Allowed] = {
    c.FoundHouse: Allowed(ANYONE, given_by=ITSELF),
    c.NameFounder: Allowed(
        MANAGEMENT | HOUSE, likely=for_each(c.NameFounder, _founders), given_by=PEOPLE | ITSELF
    ),
    c.Enrol: Allowed(MANAGEMENT | {Role.CASHIER}),
    c.Disable: Allowed(MANAGEMENT, likely=for_each(c.Disable, lambda book: book.people, "")),
    c.Enable: Allowed(MANAGEMENT, second=SECOND, likely=for_each(c.Enable, _disabled, "")),
    c.ExcludeOneself: Allowed(frozenset({Role.PATRON}), final=True),
    c.SetOwnLimits: Allowed(frozenset({Role.PATRON}), final=True),
    c.Grant: Allowed(MANAGEMENT, second=SECOND),
    c.Revoke: Allowed(MANAGEMENT),
    c.Erase: Allowed(MANAGEMENT, second=SECOND, given_by=ITSELF, final=True),
    c.KeepRuleset: Allowed(MANAGEMENT | DIRECTOR, given_by=OTHER_HALF),
    c.ShowKey: Allowed(HOUSE, given_by=ITSELF),
    c.SetLook: Allowed(MANAGEMENT),
    c.SetLogo: Allowed(MANAGEMENT),
    c.NameTable: Allowed(MANAGEMENT),
    c.SetChips: Allowed(MANAGEMENT),
    c.SetTempo: Allowed(MANAGEMENT),
    c.SetGuests: Allowed(MANAGEMENT),
    c.SetGamingDay: Allowed(MANAGEMENT),
    c.SetWatch: Allowed(MANAGEMENT),
    c.SetTimeZone: Allowed(MANAGEMENT),
    c.SetRetention: Allowed(MANAGEMENT),
    c.SetReminder: Allowed(MANAGEMENT),
    c.SetTwoPeople: Allowed(MANAGEMENT, second=SECOND),
    two.Approve: Allowed(SECOND, likely=for_each(two.Approve, lambda book: book.proposals)),
    two.DropProposal: Allowed(
        SECOND, likely=for_each(two.DropProposal, lambda book: book.proposals)
    ),
    c.SetPreset: Allowed(MANAGEMENT),
    c.DropPreset: Allowed(
        MANAGEMENT, likely=for_each(c.DropPreset, lambda book: book.settings.presets)
    ),
}
"""The entry of each command of the register; a command that is not listed is refused."""
