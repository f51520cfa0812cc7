"""Applies events to the register. Nothing is refused here: an event has already happened."""

from collections.abc import Callable

from msgspec.structs import replace

from puntobanco.register import events as e
from puntobanco.register.settings import (
    USUAL_CHIPS,
    GamingDay,
    Guests,
    Retention,
    Settings,
    TableLook,
    TimeZone,
    Watch,
)
from puntobanco.register.state import Hired, LimitsAsked, Member, ProposedChange, Register
from puntobanco.table.actor import Role
from puntobanco.table.proposals import without_proposal

NONE: frozenset[Role] = frozenset()
GUEST = frozenset({Role.GUEST})


def evolve(register: Register, event: e.RegisterEvent) -> Register:
    if isinstance(event, e.RulesetKept):
        return replace(register, rulesets={**register.rulesets, event.digest: event.text})
    if isinstance(event, e.KeyShown):
        return replace(register, keys=(*register.keys, event.public))
    if isinstance(event, e.OfSettings):
        return replace(register, settings=_settings(register.settings, event))
    if isinstance(event, e.GuestsSet):
        return _with_guests(register, Guests(event.table, event.seats))
    if isinstance(event, e.OfProposal):
        return _with_proposal(register, event)
    people = {**register.people, event.person: _member(register, event)}
    return _of_two(replace(register, people=people), event)


def _of_two(register: Register, event: e.OfPerson) -> Register:
    """What two people agree to: since when it takes two, who enrolled whom, who is erased."""
    if isinstance(event, e.ErasureAgreed):
        return replace(register, to_erase=register.to_erase | {event.person})
    if isinstance(event, e.PersonEnabled):
        return _kept_again(register, event.person)
    if isinstance(event, e.PersonEnrolled) and event.by:
        hired = Hired(event.by, event.at_ms, event.bot is not None)
        return replace(register, hired={**register.hired, event.person: hired})
    rule = register.settings.two_people
    if isinstance(event, e.FounderNamed):
        hired_by = {one: by for one, by in register.hired.items() if one != event.person}
        since = event.at_ms if rule.since_ms is None else rule.since_ms
        settings = replace(register.settings, two_people=replace(rule, since_ms=since))
        return _kept_again(replace(register, settings=settings, hired=hired_by), event.person)
    return register


def _kept_again(register: Register, person: str) -> Register:
    """Who comes back is not erased when they go again, unless two people say so anew."""
    return replace(register, to_erase=register.to_erase - {person})


def _with_proposal(register: Register, event: e.OfProposal) -> Register:
    proposals = without_proposal(register.proposals, event.number)
    if not isinstance(event, e.Proposed):
        return replace(register, proposals=proposals)
    proposals[event.number] = ProposedChange(event.ask, event.person)
    return replace(register, proposals=proposals, proposal_number=event.number)


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


def _member(register: Register, event: e.OfPerson) -> Member:  # noqa: C901, PLR0911  one for each
    """The person an event is about, as the event leaves them."""
    match event:
        case e.HouseFounded():
            return Member("staff", {"": frozenset({Role.MANAGEMENT})})
        case e.FounderNamed():
            known = register.people.get(event.person, Member("staff"))
            house = known.roles.get("", NONE) | {Role.MANAGEMENT}
            return replace(known, roles={**known.roles, "": house}, enabled=True)
        case e.PersonEnrolled():
            return Member(event.kind, bot=event.bot)
        case e.ErasureAgreed():
            return register.people[event.person]
        case e.PersonDisabled() | e.PersonEnabled():
            enabled = isinstance(event, e.PersonEnabled)
            return replace(register.people[event.person], enabled=enabled)
        case e.SelfExcluded():
            return replace(register.people[event.person], excluded_until_ms=event.until_ms)
        case e.OwnLimitsSet():
            member = register.people[event.person]
            return replace(member, limits=event.limits, limits_asked=None)
        case e.OwnLimitsAsked():
            asked = LimitsAsked(event.limits, event.from_ms)
            return replace(register.people[event.person], limits_asked=asked)
        case e.RoleGranted():
            return _holding(register, event, lambda held: held | {event.role})
        case e.RoleRevoked():
            return _holding(register, event, lambda held: held - {event.role})


def _settings(now: Settings, event: e.OfSettings) -> Settings:  # noqa: C901, PLR0911  one for each
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
        case e.GamingDaySet() | e.TimeZoneSet() | e.WatchSet():
            return _from_then_on(now, event)
        case e.ReminderSet():
            return replace(now, remind_minutes=event.minutes)
        case e.RetentionSet():
            facts = {name: getattr(event, name) for name in event.__struct_fields__}
            return replace(now, retention=Retention(**facts))
        case e.TwoPeopleSet():
            rule = replace(now.two_people, days=event.days, cash_cents=event.cash_cents)
            return replace(now, two_people=rule)
        case e.PresetSet() | e.PresetDropped():
            left = {name: one for name, one in now.presets.items() if name != event.name}
            kept = {event.name: event.preset} if isinstance(event, e.PresetSet) else {}
            return replace(now, presets=left | kept)
        case e.TempoSet():
            others = {table: tempo for table, tempo in now.tempo.items() if table != event.table}
            return replace(now, tempo=others | ({event.table: event.tempo} if event.tempo else {}))


def _from_then_on(now: Settings, event: e.GamingDaySet | e.TimeZoneSet | e.WatchSet) -> Settings:
    """What holds from a time on stays what it was before."""
    match event:
        case e.GamingDaySet():
            day = GamingDay(event.begins, event.from_ms)
            return replace(now, gaming_days=(*now.gaming_days, day))
        case e.TimeZoneSet():
            zone = TimeZone(event.zone, event.offsets, event.from_ms)
            return replace(now, time_zones=(*now.time_zones, zone))
        case e.WatchSet():
            facts = {name: getattr(event, name) for name in event.__struct_fields__}
            return replace(now, watches=(*now.watches, Watch(**facts)))


def _holding(
    register: Register,
    event: e.RoleGranted | e.RoleRevoked,
    now: Callable[[frozenset[Role]], frozenset[Role]],
) -> Member:
    member = register.people[event.person]
    roles = now(member.roles.get(event.table, NONE))
    return replace(member, roles={**member.roles, event.table: roles})
