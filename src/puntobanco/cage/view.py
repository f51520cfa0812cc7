"""The cage as each viewer may see it: patrons their own account, the floor trays and slips, its
keepers all of it.
"""

from msgspec import Struct

from puntobanco.cage.authority import CHARGE
from puntobanco.cage.state import Cage, Drawer, Pot, Slip, Tray
from puntobanco.table.actor import Role

KEEPERS = frozenset({Role.CASHIER, Role.MANAGEMENT, Role.SURVEILLANCE, Role.AUDITOR})


class CageView(Struct, frozen=True):
    """The cage as one viewer sees it."""

    own_cents: int | None = None
    accounts: dict[str, int] = {}
    trays: dict[str, Tray] = {}
    slips: dict[int, Slip] = {}
    cash_cents: int | None = None
    chips_out_cents: int | None = None
    pots: dict[str, Pot] = {}
    drawers: dict[str, Drawer] = {}


def view(cage: Cage, person: str, roles: frozenset[Role]) -> CageView:
    """Build a person's view up from nothing, so that a person without a role sees nothing."""
    own = cage.accounts.get(person) if Role.PATRON in roles else None
    if not roles & KEEPERS:
        floor = bool(roles & CHARGE)
        return CageView(own, trays=cage.trays, slips=cage.slips) if floor else CageView(own)
    return CageView(
        own,
        cage.accounts,
        cage.trays,
        cage.slips,
        cage.cash_cents,
        cage.chips_out_cents,
        cage.pots,
        cage.drawers,
    )
