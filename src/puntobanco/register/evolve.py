"""Applies events to the register. Nothing is refused here: an event has already happened."""

from collections.abc import Callable

from msgspec.structs import replace

from puntobanco.register import events as e
from puntobanco.register.state import Member, Register
from puntobanco.table.actor import Role

NONE: frozenset[Role] = frozenset()


def evolve(register: Register, event: e.RegisterEvent) -> Register:
    if isinstance(event, e.RulesetKept):
        return replace(register, rulesets={**register.rulesets, event.digest: event.text})
    if isinstance(event, e.KeyShown):
        return replace(register, keys=register.keys | {event.public})
    return replace(register, people={**register.people, event.person: _member(register, event)})


def _member(register: Register, event: e.OfPerson) -> Member:
    """The person an event is about, as the event leaves them."""
    match event:
        case e.HouseFounded():
            return Member("staff", {"": frozenset({Role.MANAGEMENT})})
        case e.PersonEnrolled():
            return Member(event.kind, bot=event.bot)
        case e.PersonDisabled() | e.PersonEnabled():
            enabled = isinstance(event, e.PersonEnabled)
            return replace(register.people[event.person], enabled=enabled)
        case e.RoleGranted():
            return _holding(register, event, lambda held: held | {event.role})
        case e.RoleRevoked():
            return _holding(register, event, lambda held: held - {event.role})


def _holding(
    register: Register,
    event: e.RoleGranted | e.RoleRevoked,
    now: Callable[[frozenset[Role]], frozenset[Role]],
) -> Member:
    member = register.people[event.person]
    roles = now(member.roles.get(event.table, NONE))
    return replace(member, roles={**member.roles, event.table: roles})
