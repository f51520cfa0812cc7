"""Applies events to the register. Nothing is refused here: an event has already happened."""

from collections.abc import Callable

from msgspec.structs import replace

from puntobanco.register import events as e
from puntobanco.register.settings import USUAL_CHIPS, GamingDay, Guests, Settings, TableLook, Watch
from puntobanco.register.state import Member, Register
from puntobanco.table.actor import Role

NONE: frozenset[Role] = frozenset()
GUEST = frozenset({Role.GUEST})


def evolve(register: Register, event: e.RegisterEvent) -> Register:
    if isinstance(event, e.RulesetKept):
        return replace(register, rulesets={**register.rulesets, event.digest: event.text})
    if isinstance(event, e.KeyShown):
        return replace(register, keys=register.keys | {event.public})
    if isinstance(event, e.OfSettings):
        return replace(register, settings=_settings(register.settings, event))
    if isinstance(event, e.SelfExcluded):
        shut = replace(register.people[event.person], excluded_until_ms=event.until_ms)
        return replace(register, people={**register.people, event.person: shut})
    if isinstance(event, e.GuestsSet):
        return _with_guests(register, Guests(event.table, event.seats))
    return replace(register, people={**register.people, event.person: _member(register, event)})


def _with_guests(register: Register, guests: Guests) -> Register:
    """The ids of guests are enrolled with the setting, and have a role at that table alone."""
    before = {who: one for who, one in register.people.items() if one.kind == "guest"}
    shut = {who: replace(one, roles={}) for who, one in before.items()}
    let_in = {
        who: replace(before.get(who, Member("guest")), roles={guests.table: GUEST})
        for who in guests.ids
    }
    settings = replace(register.settings, guests=guests)
    return replace(register, people={**register.people, **shut, **let_in}, settings=settings)


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


def _settings(now: Settings, event: e.OfSettings) -> Settings:  # noqa: PLR0911  one for each
    match event:
        case e.LookSet():
            facts = {name: getattr(event, name) for name in event.__struct_fields__}
            return replace(now, look=replace(now.look, **facts))
        case e.LogoSet():
            return replace(now, look=replace(now.look, logo=event.png))
        case e.TableNamed():
            look = TableLook(event.name, event.felt, event.pit)
            return replace(now, tables={**now.tables, event.table: look})
        case e.ChipsSet():
            return replace(now, chips=event.chips or USUAL_CHIPS)
        case e.GamingDaySet():
            added = GamingDay(event.begins, event.from_ms)
            return replace(now, gaming_days=(*now.gaming_days, added))
        case e.WatchSet():
            facts = {name: getattr(event, name) for name in event.__struct_fields__}
            return replace(now, watches=(*now.watches, Watch(**facts)))
        case e.PresetSet() | e.PresetDropped():
            left = {name: one for name, one in now.presets.items() if name != event.name}
            kept = {event.name: event.preset} if isinstance(event, e.PresetSet) else {}
            return replace(now, presets=left | kept)
        case e.TempoSet():
            others = {table: tempo for table, tempo in now.tempo.items() if table != event.table}
            return replace(now, tempo=others | ({event.table: event.tempo} if event.tempo else {}))


def _holding(
    register: Register,
    event: e.RoleGranted | e.RoleRevoked,
    now: Callable[[frozenset[Role]], frozenset[Role]],
) -> Member:
    member = register.people[event.person]
    roles = now(member.roles.get(event.table, NONE))
    return replace(member, roles={**member.roles, event.table: roles})
