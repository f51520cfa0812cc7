"""Who may give each command of the cage, and all else that is known about it."""

from puntobanco.cage import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.authority import (
    FLOOR,
    MANAGEMENT,
    OTHER_HALF,
    OVERSEER,
    Allowed,
)
from puntobanco.table.likely import for_each

CASHIER = frozenset({Role.CASHIER})
CHARGE = OVERSEER | MANAGEMENT

AUTHORITY: dict[type[c.ToCage], Allowed] = {
    c.OpenAccount: Allowed(CASHIER),
    c.Deposit: Allowed(CASHIER),
    c.Withdraw: Allowed(CASHIER),
    c.SellChips: Allowed(CASHIER | FLOOR, given_by=OTHER_HALF),
    c.RedeemChips: Allowed(CASHIER | FLOOR, given_by=OTHER_HALF),
    c.OpenTray: Allowed(MANAGEMENT),
    c.RequestSlip: Allowed(CHARGE),
    c.CompleteSlip: Allowed(CASHIER, likely=for_each(c.CompleteSlip, lambda cage: cage.slips)),
    c.VoidSlip: Allowed(CASHIER | CHARGE, likely=for_each(c.VoidSlip, lambda cage: cage.slips, "")),
    c.CountTray: Allowed(CHARGE, likely=for_each(c.CountTray, lambda cage: cage.trays, 0)),
}
"""The entry of each command of the cage; a command that is not listed is refused."""
