"""Who may give each command of the cage, and all else that is known about it."""

from puntobanco.cage import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.authority import (
    DIRECTOR,
    FLOOR,
    HOUSE,
    MANAGEMENT,
    OTHER_HALF,
    OVERSEER,
    PATRON,
    Allowed,
)
from puntobanco.table.likely import for_each

CASHIER = frozenset({Role.CASHIER})
CHARGE = OVERSEER | MANAGEMENT
ENTRIES = CASHIER | DIRECTOR | MANAGEMENT
"""Who sees to the entries of a competition."""

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
    c.TakeFee: Allowed(ENTRIES | PATRON, given_by=OTHER_HALF),
    c.RefundFee: Allowed(ENTRIES | PATRON | HOUSE, given_by=OTHER_HALF),
    c.AddToPot: Allowed(MANAGEMENT, given_by=OTHER_HALF),
    c.Retain: Allowed(MANAGEMENT | DIRECTOR, given_by=OTHER_HALF),
    c.PayFromPot: Allowed(CASHIER | MANAGEMENT, given_by=OTHER_HALF),
}
"""The entry of each command of the cage; a command that is not listed is refused."""
