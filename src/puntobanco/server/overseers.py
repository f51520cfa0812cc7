"""Who oversees the whole house, and not one table of it."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.office import Office
from puntobanco.server.signin import Caller
from puntobanco.table.actor import Role

OVERSEES = frozenset({Role.MANAGEMENT, Role.SURVEILLANCE, Role.AUDITOR})


def oversees(office: Office, caller: Caller) -> bool:
    member = office.house.register.state.people.get(caller.person)
    return bool(member and member.enabled and member.roles_at("") & OVERSEES and not caller.scope)


def check_oversees(office: Office, caller: Caller, what: str) -> None:
    """Refuse everybody else."""
    office.actor(caller)
    if not oversees(office, caller):
        allowed = ", ".join(sorted(OVERSEES))
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=what, allowed=allowed)
