"""Who may open which pages of the house; what may be done at a table, the table itself decides."""

from puntobanco.cage.authority import CHARGE
from puntobanco.cage.view import KEEPERS
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.sign_in import Caller
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.gateway import Office
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
    if not by.roles & roles:
        allowed = ", ".join(sorted(roles))
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=what, allowed=allowed)


def check_staff(office: Office, caller: Caller, table: str) -> None:
    """Only staff of this table open the pages of staff."""
    check_role(office.actor(caller, table), STAFF, "console")


def check_watches_over(office: Office, caller: Caller, table: str) -> None:
    check_role(office.actor(caller, table), WATCH_OVER, "games")


def check_oversees(office: Office, caller: Caller, what: str) -> None:
    check_role(office.actor(caller), OVERSEES, what)


def roles_of(office: Office, caller: Caller) -> frozenset[Role]:
    """The roles a caller has in the whole house; none for whoever is not signed in."""
    member = office.house.register.state.people.get(caller.person)
    good = member is not None and member.enabled and not caller.is_device
    return member.roles_at("") if member is not None and good else frozenset()
