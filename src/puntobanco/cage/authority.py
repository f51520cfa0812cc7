"""Who may give each command of the cage, and all else that is known about it."""

from collections.abc import Iterator

from puntobanco.cage import commands as c
from puntobanco.cage.state import Cage
from puntobanco.table import commands as two
from puntobanco.table.actor import Actor, Role
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
from puntobanco.table.likely import as_it_is, for_each

CASHIER = frozenset({Role.CASHIER})
CHARGE = OVERSEER | MANAGEMENT
ENTRIES = CASHIER | DIRECTOR | MANAGEMENT
"""Who sees to the entries of a competition."""
SECOND = CASHIER | MANAGEMENT
"""Who may agree to money above the house's limit."""


def _drawers(cage: Cage, _by: Actor) -> Iterator[c.CloseDrawer]:
    """One's own drawer, or any that is open."""
    for person in ("", *cage.drawers):
        yield c.CloseDrawer((), person=person)


AUTHORITY: dict[type[c.ToCage | two.Command], Allowed] = {
    c.OpenAccount: Allowed(CASHIER),
    c.Deposit: Allowed(CASHIER, second=SECOND),
    c.Withdraw: Allowed(CASHIER, second=SECOND),
    two.Approve: Allowed(SECOND, likely=for_each(two.Approve, lambda cage: cage.proposals)),
    two.DropProposal: Allowed(
        SECOND, likely=for_each(two.DropProposal, lambda cage: cage.proposals)
    ),
    c.SellChips: Allowed(CASHIER | FLOOR, given_by=OTHER_HALF),
    c.RedeemChips: Allowed(CASHIER | FLOOR, given_by=OTHER_HALF),
    c.OpenTray: Allowed(MANAGEMENT),
    c.RequestSlip: Allowed(CHARGE),
    c.CompleteSlip: Allowed(CASHIER, likely=for_each(c.CompleteSlip, lambda cage: cage.slips)),
    c.VoidSlip: Allowed(CASHIER | CHARGE, likely=for_each(c.VoidSlip, lambda cage: cage.slips, "")),
    c.CountTray: Allowed(CHARGE, likely=for_each(c.CountTray, lambda cage: cage.trays, 0)),
    c.OpenDrawer: Allowed(CASHIER, likely=as_it_is(c.OpenDrawer, ())),
    c.CloseDrawer: Allowed(CASHIER | MANAGEMENT, likely=_drawers),
    c.TakeFee: Allowed(ENTRIES | PATRON, given_by=OTHER_HALF),
    c.RefundFee: Allowed(ENTRIES | PATRON | HOUSE, given_by=OTHER_HALF),
    c.AddToPot: Allowed(MANAGEMENT, given_by=OTHER_HALF),
    c.Retain: Allowed(MANAGEMENT | DIRECTOR, given_by=OTHER_HALF),
    c.PayFromPot: Allowed(CASHIER | MANAGEMENT, given_by=OTHER_HALF),
}
"""The entry of each command of the cage; a command that is not listed is refused."""
