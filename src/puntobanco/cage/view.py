"""What each viewer may see of the cage: a patron their own account, those who keep it the whole."""

from msgspec import Struct

from puntobanco.cage.state import Cage, Slip, Tray
from puntobanco.table.actor import Role

KEEPERS = frozenset({Role.CASHIER, Role.MANAGEMENT, Role.SURVEILLANCE, Role.AUDITOR})


class View(Struct, frozen=True):
    """The cage as one viewer sees it."""

    own_cents: int | None = None
    accounts: dict[str, int] = {}
    trays: dict[str, Tray] = {}
    slips: dict[int, Slip] = {}
    cash_cents: int | None = None
    chips_out_cents: int | None = None


def view(cage: Cage, person: str, roles: frozenset[Role]) -> View:
    """Built up from nothing: whoever is nobody here sees nothing."""
    own = cage.accounts.get(person) if Role.PATRON in roles else None
    if not roles & KEEPERS:
        return View(own)
    return View(own, cage.accounts, cage.trays, cage.slips, cage.cash_cents, cage.chips_out_cents)
