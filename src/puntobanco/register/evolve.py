"""What an event changes in the register."""

from collections.abc import Callable

from msgspec.structs import replace

from puntobanco.register import messages as m
from puntobanco.register.state import Member, Register
from puntobanco.table.actor import Role

NONE: frozenset[Role] = frozenset()


def evolve(register: Register, event: m.Happened) -> Register:
    if isinstance(event, m.RulesetKept):
        return replace(register, rulesets={**register.rulesets, event.digest: event.text})
    if isinstance(event, m.KeyShown):
        return replace(register, keys=register.keys | {event.public})
    return replace(register, people={**register.people, event.person: _member(register, event)})


def _member(register: Register, event: m.OfPerson) -> Member:
    """The person an event is about, as they are after it."""
    match event:
        case m.HouseFounded():
            return Member("staff", {"": frozenset({Role.MANAGEMENT})})
        case m.PersonEnrolled():
            return Member(event.kind, bot=event.bot)
        case m.PersonDisabled() | m.PersonEnabled():
            enabled = isinstance(event, m.PersonEnabled)
            return replace(register.people[event.person], enabled=enabled)
        case m.RoleGranted():
            return _holding(register, event, lambda held: held | {event.role})
        case m.RoleRevoked():
            return _holding(register, event, lambda held: held - {event.role})


def _holding(
    register: Register,
    event: m.RoleGranted | m.RoleRevoked,
    now: Callable[[frozenset[Role]], frozenset[Role]],
) -> Member:
    member = register.people[event.person]
    roles = now(member.roles.get(event.table, NONE))
    return replace(member, roles={**member.roles, event.table: roles})
