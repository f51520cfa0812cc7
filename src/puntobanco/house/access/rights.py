"""Who may see what of the house; what may be done at a table, the table itself decides."""

from puntobanco.cage.authority import CHARGE
from puntobanco.cage.view import KEEPERS
from puntobanco.errors import Reason, Refused
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.table.actor import STAFF, Actor, Role
from puntobanco.table.authority import OVERSEER

MANAGEMENT = frozenset({Role.MANAGEMENT})
DESK = MANAGEMENT | {Role.CASHIER}
"""Who sees to patrons: management, and the cage where they come to sign on."""
OVERSEES = MANAGEMENT | {Role.SURVEILLANCE, Role.AUDITOR}
"""Who sees all that happened in the whole house."""
WATCHES = OVERSEES | {Role.CASHIER}
"""Who sees who belongs to it."""
AT_CAGE = KEEPERS | CHARGE
WORKS_HERE = STAFF | KEEPERS
WATCH_OVER = OVERSEER | OVERSEES
"""Who may see all that happened at a table."""


def check_role(by: Actor, roles: frozenset[Role], what: str) -> None:
    """Refuse whoever has none of these roles; `what` says in the refusal what was asked for."""
    if not by.roles & roles:
        allowed = ", ".join(sorted(roles))
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=what, allowed=allowed)
