"""What an event changes in the register."""

from msgspec.structs import replace

from puntobanco.register import messages as m
from puntobanco.register.state import Member, Register
from puntobanco.table.actor import Role

NONE: frozenset[Role] = frozenset()


def evolve(register: Register, event: m.Happened) -> Register:
    match event:
        case m.HouseFounded():
            founder = Member("staff", {"": frozenset({Role.MANAGEMENT})})
            return _with(register, event.person, founder)
        case m.PersonEnrolled():
            return _with(register, event.person, Member(event.kind, bot=event.bot))
        case m.PersonDisabled() | m.PersonEnabled():
            enabled = isinstance(event, m.PersonEnabled)
            member = replace(register.people[event.person], enabled=enabled)
            return _with(register, event.person, member)
        case m.RoleGranted():
            member = register.people[event.person]
            roles = member.roles.get(event.table, NONE) | {event.role}
            return _with(register, event.person, _holding(member, event.table, roles))
        case m.RoleRevoked():
            member = register.people[event.person]
            roles = member.roles.get(event.table, NONE) - {event.role}
            return _with(register, event.person, _holding(member, event.table, roles))
        case m.RulesetKept():
            return replace(register, rulesets=register.rulesets | {event.digest})


def _with(register: Register, person: str, member: Member) -> Register:
    return replace(register, people={**register.people, person: member})


def _holding(member: Member, table: str, roles: frozenset[Role]) -> Member:
    return replace(member, roles={**member.roles, table: roles})
