"""Who may see what of the house, and who sees to whom; at a table, the table itself decides."""

from puntobanco.cage.authority import CHARGE
from puntobanco.cage.view import KEEPERS
from puntobanco.errors import Reason, Refused
from puntobanco.register.state import Member, Register
from puntobanco.rules.documents.ruleset import CONDITIONS
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


def check_house_role(by: Actor, roles: frozenset[Role], what: str) -> None:
    """Refuse a person without any of these roles; `what` says what was asked for."""
    if not by.roles & roles:
        allowed = ", ".join(sorted(roles))
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=what, allowed=allowed)


def member_of(register: Register, person: str) -> Member:
    """Somebody who belongs to the house, or did; refused for everybody else."""
    member = register.people.get(person)
    if member is None:
        raise Refused(Reason.NOT_ENROLLED, CONDITIONS, person=person[:64])
    return member


def who_sees_to(member: Member) -> frozenset[Role]:
    """Staff are management's affair; patrons are the cage's too."""
    return DESK if member.kind == "patron" else MANAGEMENT


def check_sees_to(register: Register, by: Actor, person: str) -> Member:
    """Names and secrets are written down only by those who see to that person; a guest has
    neither. Whoever sees to nobody is not told who is there.
    """
    check_house_role(by, DESK, "people")
    member = member_of(register, person)
    if member.kind == "guest":
        raise Refused(Reason.GUEST_ID, CONDITIONS, person=person)
    check_house_role(by, who_sees_to(member), "people")
    return member


def check_patron(member: Member) -> None:
    """PINs and cards are for patrons: staff sign in with a password."""
    if member.kind != "patron":
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command="slip", allowed=Role.PATRON)


def check_works_here(register: Register, person: str) -> None:
    """A second factor is for staff: patrons sign in with a PIN."""
    if member_of(register, person).kind != "staff":
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command="second-factor", allowed="staff")


def check_other(by: Actor, person: str) -> None:
    """Refuse to issue one's own password: it is changed by knowing the one before."""
    if by.person == person:
        raise Refused(Reason.SAME_PERSON, CONDITIONS, person=person)


def check_gone(member: Member, person: str) -> None:
    """Refuse to erase a person who still belongs to the house."""
    if member.enabled:
        raise Refused(Reason.STILL_ENABLED, CONDITIONS, person=person)
