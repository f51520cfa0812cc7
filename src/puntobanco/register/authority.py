"""Who may give each command of the register, and all else that is known about it."""

from collections.abc import Iterable

from puntobanco.register import commands as c
from puntobanco.register.state import Register
from puntobanco.table.actor import Role
from puntobanco.table.authority import DIRECTOR, HOUSE, ITSELF, MANAGEMENT, OTHER_HALF, Allowed
from puntobanco.table.likely import for_each

ANYONE = frozenset(Role)


def _disabled(register: Register) -> Iterable[str]:
    return [person for person, member in register.people.items() if not member.enabled]


AUTHORITY: dict[type[c.ToRegister], Allowed] = {
    c.FoundHouse: Allowed(ANYONE, given_by=ITSELF),
    c.Enrol: Allowed(MANAGEMENT | {Role.CASHIER}),
    c.Disable: Allowed(MANAGEMENT, likely=for_each(c.Disable, lambda book: book.people, "")),
    c.Enable: Allowed(MANAGEMENT, likely=for_each(c.Enable, _disabled, "")),
    c.ExcludeOneself: Allowed(frozenset({Role.PATRON}), final=True),
    c.Grant: Allowed(MANAGEMENT),
    c.Revoke: Allowed(MANAGEMENT),
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
    c.SetPreset: Allowed(MANAGEMENT),
    c.DropPreset: Allowed(
        MANAGEMENT, likely=for_each(c.DropPreset, lambda book: book.settings.presets)
    ),
}
"""The entry of each command of the register; a command that is not listed is refused."""
