"""Decides the commands of the register: nobody raises themselves, and a manager always remains."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from puntobanco.colours import READABLE, contrast
from puntobanco.errors import Reason, Refused
from puntobanco.register import commands as c
from puntobanco.register import events as e
from puntobanco.register.authority import AUTHORITY, SECOND
from puntobanco.register.png import MOST_PIXELS, png_of
from puntobanco.register.settings import CURRENCIES, FELT_INKS, MOST_PRESETS, Guests, Preset
from puntobanco.register.state import Member, Register
from puntobanco.rules.checked import checker
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import MANAGEMENT, check_listed
from puntobanco.table.commands import Approve, DropProposal
from puntobanco.table.events import Approved
from puntobanco.table.proposals import check_both_before, drop_proposal, find_proposal

Decided = list[e.RegisterEvent]
checked: Callable[[object], c.RegisterCommand] = checker(c.RegisterCommand)
"""Reads a command back by its declared types and bounds, or refuses it."""
DAY_MS, HOUR_MS = 86_400_000, 3_600_000
STILL_MS = 7 * DAY_MS
"""For so long after it may be, what was asked for can be asked for again."""
AHEAD_MS = 3_600_000
"""How long after it is given a new beginning of gaming days counts."""
RESERVED = "house"
"""The id under which the house's own commands are recorded; no person may have it."""
UNGRANTED = frozenset({Role.PATRON, Role.GUEST, Role.HOUSE})
"""Roles that are never granted: every patron is one, guests are set, and nobody is the house."""


def decide(register: Register, ask: c.RegisterCommand, by: Actor) -> Decided:
    """Return the events that a command brings about, or refuse it."""
    ask = checked(ask)
    if not isinstance(ask, c.FoundHouse):  # the founder of a house has no role in it yet
        check_listed(AUTHORITY, type(ask), by)
    if isinstance(ask, c.KeepRuleset) and ask.digest in register.rulesets:
        return []  # another table was opened by the same text in the same moment
    events = ROOMS[type(ask)](register, ask, by)
    if not isinstance(ask, c.ByTwo) or not _takes_two(register, ask):
        return events
    _check_not_waiting(register, ask)
    return [e.Proposed(register.proposal_number + 1, ask, by.person)]


def _takes_two(register: Register, ask: c.ByTwo) -> bool:
    """Whether a second person must agree: from two founders on, to a role given or given back,
    and to where two are wanted.
    """
    if register.settings.two_people.since_ms is None:
        return False
    return not isinstance(ask, c.Enable) or any(_member(register, ask.person).roles.values())


def _check_not_waiting(register: Register, ask: c.ByTwo) -> None:
    """Refuse what waits already, whatever note it has: the second could never be agreed to."""
    for number, proposal in register.proposals.items():
        if _unnoted(proposal.ask) == _unnoted(ask):
            raise Refused(Reason.ALREADY_PROPOSED, CONDITIONS, number=number)


def _unnoted(ask: c.ByTwo) -> c.ByTwo:
    return replace(ask, note="") if isinstance(ask, c.Enable) else ask


def _approve(register: Register, ask: Approve, by: Actor) -> Decided:
    """Another person, who was there before, agrees: it is decided as things are now."""
    proposal = find_proposal(register.proposals, ask.proposal)
    check_both_before(proposal.person, by)
    done = ROOMS[type(proposal.ask)](register, proposal.ask, by)
    return [Approved(ask.proposal, by.person), *done]


def _drop(register: Register, ask: DropProposal, by: Actor) -> Decided:
    return [drop_proposal(register.proposals, ask, by)]


def _member(register: Register, person: str) -> Member:
    if person not in register.people:
        raise Refused(Reason.NOT_ENROLLED, CONDITIONS, person=person)
    return register.people[person]


def _check_other(person: str, by: Actor) -> None:
    if person == by.person:
        raise Refused(Reason.SAME_PERSON, CONDITIONS, person=person)


def _check_manager_remains(register: Register, person: str) -> None:
    if register.managers == (person,):
        raise Refused(Reason.LAST_MANAGER, CONDITIONS, person=person)


def found_house(register: Register, ask: c.FoundHouse, by: Actor) -> Decided:
    """Found a house, by one person or by two; from two on neither can do everything alone."""
    if register.people or by.person == RESERVED:
        raise Refused(Reason.HOUSE_IS_FOUNDED, CONDITIONS)
    founded = e.HouseFounded(by.person)
    if not ask.second:
        return [founded]
    _check_other(ask.second, by)
    _check_new(ask.second, (by.person,))
    return [founded, e.FounderNamed(ask.second, by.at_ms)]


def _check_new(person: str, people: Iterable[str]) -> None:
    """Refuse an id that somebody has, also in capitals: people would take one for the other."""
    wanted, there = person.casefold(), (RESERVED, *people)
    if wanted in map(str.casefold, there):  # of a list of thousands each is held against all
        one = next(one for one in there if one.casefold() == wanted)
        raise Refused(Reason.ENROLLED_ALREADY, CONDITIONS, person=one)


def name_founder(register: Register, ask: c.NameFounder, by: Actor) -> Decided:
    """Name one more founder: a manager names a colleague, once, where the house has only one; the
    machine whomever those name who answer for it.
    """
    _check_other(ask.person, by)
    if Role.HOUSE not in by.roles:
        if register.settings.two_people.since_ms is not None:
            raise Refused(Reason.HAS_FOUNDERS, CONDITIONS)
        _member(register, ask.person)
    member = register.people.get(ask.person)
    if member is None:
        _check_new(ask.person, register.people)
    if member is not None and (member.kind != "staff" or member.bot):
        facts = {"person": ask.person, "role": Role.MANAGEMENT}
        raise Refused(Reason.ROLE_NOT_GRANTED, CONDITIONS, **facts)
    return [e.FounderNamed(ask.person, by.at_ms)]


def enrol(register: Register, ask: c.Enrol, by: Actor) -> Decided:
    """Enrol a person: staff by management, patrons also by the cage."""
    _check_new(ask.person, register.people)
    if (ask.kind == "staff" or ask.bot) and Role.MANAGEMENT not in by.roles:
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command="enrol", allowed=Role.MANAGEMENT)
    if ask.kind == "staff" and register.settings.two_people.since_ms is not None:
        return [e.PersonEnrolled(ask.person, ask.kind, ask.bot, by.person, by.at_ms)]
    return [e.PersonEnrolled(ask.person, ask.kind, ask.bot)]


def disable(register: Register, ask: c.Disable, by: Actor) -> Decided:
    """Disable another person at once, with a reason on record."""
    _check_other(ask.person, by)
    if not _member(register, ask.person).enabled:
        raise Refused(Reason.DISABLED, CONDITIONS, person=ask.person)
    return [e.PersonDisabled(ask.person, ask.note)]


def enable(register: Register, ask: c.Enable, by: Actor) -> Decided:
    _check_other(ask.person, by)
    if _member(register, ask.person).enabled:
        raise Refused(Reason.ENABLED_ALREADY, CONDITIONS, person=ask.person)
    return [e.PersonEnabled(ask.person, ask.note)]


def exclude_oneself(register: Register, ask: c.ExcludeOneself, by: Actor) -> Decided:
    """Shut oneself out; for longer than before, never for less."""
    until_ms = by.at_ms + ask.days * DAY_MS
    if until_ms <= _member(register, by.person).excluded_until_ms:
        raise Refused(Reason.EXCLUDED_LONGER, CONDITIONS)
    return [e.SelfExcluded(by.person, until_ms)]


def set_own_limits(register: Register, ask: c.SetOwnLimits, by: Actor) -> Decided:
    """Lower at once; higher when it is still wanted a day later."""
    member = _member(register, by.person)
    now, wanted, waits = member.limits, ask.limits, member.limits_asked
    lower = _lower(now, wanted)
    set_now: Decided = [e.OwnLimitsSet(by.person, lower)] if lower != now else []
    if lower == wanted:
        if not set_now and waits is None:
            raise Refused(Reason.LIMITS_ARE_SO, CONDITIONS)
        return [e.OwnLimitsSet(by.person, wanted)]  # what waited is not wanted any more
    if waits is not None and waits.limits == wanted and by.at_ms < waits.from_ms + STILL_MS:
        if by.at_ms < waits.from_ms:
            hours = -(-(waits.from_ms - by.at_ms) // HOUR_MS)
            raise Refused(Reason.LIMITS_WAIT, CONDITIONS, hours=hours)
        return [e.OwnLimitsSet(by.person, wanted)]
    return [*set_now, e.OwnLimitsAsked(by.person, wanted, by.at_ms + DAY_MS)]


def _lower(now: c.OwnLimits, wanted: c.OwnLimits) -> c.OwnLimits:
    """The lower of each two limits; how often somebody is reminded is theirs at any time."""

    def of(one: int, other: int) -> int:
        return min(one or other, other or one)

    return c.OwnLimits(
        of(now.day_cents, wanted.day_cents),
        of(now.week_cents, wanted.week_cents),
        of(now.minutes, wanted.minutes),
        wanted.remind_minutes,
    )


def grant(register: Register, ask: c.Grant, by: Actor) -> Decided:
    """Give a member of staff a role in the house or at one table; nobody grants their own."""
    _check_other(ask.person, by)
    member = _member(register, ask.person)
    if member.kind != "staff" or ask.role in UNGRANTED:
        raise Refused(Reason.ROLE_NOT_GRANTED, CONDITIONS, person=ask.person, role=ask.role)
    if ask.role in member.roles.get(ask.table, frozenset()):
        raise Refused(Reason.ROLE_HELD, CONDITIONS, person=ask.person, role=ask.role)
    return [e.RoleGranted(ask.person, ask.role, ask.table)]


def revoke(register: Register, ask: c.Revoke, _by: Actor) -> Decided:
    member = _member(register, ask.person)
    if ask.role not in member.roles.get(ask.table, frozenset()):
        raise Refused(Reason.ROLE_NOT_HELD, CONDITIONS, person=ask.person, role=ask.role)
    if ask.role is Role.MANAGEMENT and not ask.table:
        _check_manager_remains(register, ask.person)
    return [e.RoleRevoked(ask.person, ask.role, ask.table)]


def agree_to_erase(register: Register, ask: c.Erase, _by: Actor) -> Decided:
    """It cannot be taken back: of nobody who still belongs to the house."""
    if _member(register, ask.person).enabled:
        raise Refused(Reason.STILL_ENABLED, CONDITIONS, person=ask.person)
    return [e.ErasureAgreed(ask.person)]


def keep_ruleset(_register: Register, ask: c.KeepRuleset, _by: Actor) -> Decided:
    if sha256(ask.text.encode()).hexdigest() != ask.digest:
        what = "keep-ruleset: digest: it is not the SHA-256 of the text"
        raise Refused(Reason.MALFORMED, CONDITIONS, what=what)
    return [e.RulesetKept(ask.name, ask.digest, ask.text)]


def show_key(register: Register, ask: c.ShowKey, by: Actor) -> Decided:
    """The house's first key is noted; another takes the word of two who were there before."""
    if ask.public in register.keys:
        raise Refused(Reason.KEY_IS_SHOWN, CONDITIONS)
    if not ask.first:
        if register.keys:
            raise Refused(Reason.KEY_IS_ANOTHER, CONDITIONS)
        return [e.KeyShown(ask.public)]
    _check_word(register, ask.first, MANAGEMENT)
    _check_word(register, ask.second, SECOND)
    one_with = register.one_with(ask.second, by.at_ms)
    check_both_before(ask.first, Actor(ask.second, SECOND, by.at_ms, one_with))
    return [e.KeyShown(ask.public, ask.first, ask.second, ask.rows)]


def _check_word(register: Register, person: str, roles: frozenset[Role]) -> None:
    if not roles & _member(register, person).roles_at(""):
        raise Refused(Reason.WORD_DOES_NOT_COUNT, CONDITIONS, person=person)


def set_look(_register: Register, ask: c.SetLook, _by: Actor) -> Decided:
    if ask.currency and ask.currency not in CURRENCIES:
        raise Refused(Reason.NO_SUCH_CURRENCY, CONDITIONS, currency=ask.currency)
    _check_felt(ask.felt)
    return [e.LookSet(ask.name, ask.currency, ask.felt, ask.accent)]


def _check_felt(felt: str) -> None:
    """Refuse a felt on which what is written there could not be read."""
    if not felt:
        return
    found = min(contrast(felt, ink) for ink in FELT_INKS)
    if found < READABLE:
        facts = {"felt": felt, "found": f"{found:.2f}", "least": READABLE}
        raise Refused(Reason.FELT_TOO_LIGHT, CONDITIONS, **facts)


def set_logo(_register: Register, ask: c.SetLogo, _by: Actor) -> Decided:
    if ask.png and png_of(ask.png) is None:
        raise Refused(Reason.NOT_A_PICTURE, CONDITIONS, most=MOST_PIXELS)
    return [e.LogoSet(ask.png)]


def name_table(_register: Register, ask: c.NameTable, _by: Actor) -> Decided:
    _check_felt(ask.felt)
    return [e.TableNamed(ask.table, ask.name, ask.felt, ask.pit)]


def set_chips(_register: Register, ask: c.SetChips, _by: Actor) -> Decided:
    """The house's own chips, whatever a table's minimum is."""
    values = [chip.cents for chip in ask.chips]
    if values != sorted(set(values)):
        raise Refused(Reason.CHIPS_NOT_RISING, CONDITIONS)
    return [e.ChipsSet(ask.chips)]


def set_tempo(_register: Register, ask: c.SetTempo, _by: Actor) -> Decided:
    return [e.TempoSet(ask.table, ask.tempo)]


def set_gaming_day(_register: Register, ask: c.SetGamingDay, by: Actor) -> Decided:
    """From an hour on, so that every process knows of it before a coup is opened by it."""
    return [e.GamingDaySet(ask.begins, by.at_ms + AHEAD_MS)]


def set_time_zone(_register: Register, ask: c.SetTimeZone, by: Actor) -> Decided:
    """From an hour on, as gaming days; the house has looked up what clocks there show."""
    changes = [one.from_ms for one in ask.offsets]
    if not changes or changes[0] or changes != sorted(set(changes)):
        what = "set-time-zone: offsets: they are not what clocks show from the beginning on"
        raise Refused(Reason.MALFORMED, CONDITIONS, what=what)
    return [e.TimeZoneSet(ask.zone, ask.offsets, by.at_ms + AHEAD_MS)]


def set_reminder(_register: Register, ask: c.SetReminder, _by: Actor) -> Decided:
    return [e.ReminderSet(ask.minutes)]


def set_retention(_register: Register, ask: c.SetRetention, _by: Actor) -> Decided:
    return [e.RetentionSet(ask.record_days, ask.photos_days, ask.logs_days, ask.recordings_days)]


def set_watch(_register: Register, ask: c.SetWatch, by: Actor) -> Decided:
    """Amounts count from an hour on, as gaming days do; the second factor at the next sign-in."""
    amounts = (ask.wager_cents, ask.win_cents, ask.payment_cents)
    return [e.WatchSet(ask.second_factor, *amounts, by.at_ms + AHEAD_MS)]


def set_two_people(_register: Register, ask: c.SetTwoPeople, _by: Actor) -> Decided:
    return [e.TwoPeopleSet(ask.days, ask.cash_cents)]


def set_preset(register: Register, ask: c.SetPreset, _by: Actor) -> Decided:
    """Its notice is held against the rules when a table is opened by it, as any notice is."""
    presets = register.settings.presets
    if ask.name not in presets and len(presets) >= MOST_PRESETS:
        raise Refused(Reason.PRESETS_FULL, CONDITIONS, most=MOST_PRESETS)
    facts = {name: getattr(ask, name) for name in Preset.__struct_fields__}
    return [e.PresetSet(ask.name, Preset(**facts))]


def drop_preset(register: Register, ask: c.DropPreset, _by: Actor) -> Decided:
    if ask.name not in register.settings.presets:
        raise Refused(Reason.NO_SUCH_PRESET, CONDITIONS, name=ask.name)
    return [e.PresetDropped(ask.name)]


def set_guests(register: Register, ask: c.SetGuests, _by: Actor) -> Decided:
    """Let visitors play at a table under ids of the house's own; nobody else may have one."""
    guests = Guests(ask.table, ask.seats)
    if bool(guests.table) != bool(guests.seats):
        raise Refused(Reason.GUESTS_UNCLEAR, CONDITIONS)
    for who in guests.ids:
        if who in register.people and register.people[who].kind != "guest":
            raise Refused(Reason.ENROLLED_ALREADY, CONDITIONS, person=who)
    return [e.GuestsSet(guests.table, guests.seats)]


ROOMS: dict[type, Callable[[Register, Any, Actor], Decided]] = {
    Approve: _approve,
    DropProposal: _drop,
    c.FoundHouse: found_house,
    c.NameFounder: name_founder,
    c.Enrol: enrol,
    c.Disable: disable,
    c.Enable: enable,
    c.ExcludeOneself: exclude_oneself,
    c.SetOwnLimits: set_own_limits,
    c.Grant: grant,
    c.Revoke: revoke,
    c.Erase: agree_to_erase,
    c.KeepRuleset: keep_ruleset,
    c.ShowKey: show_key,
    c.SetLook: set_look,
    c.SetLogo: set_logo,
    c.NameTable: name_table,
    c.SetChips: set_chips,
    c.SetTempo: set_tempo,
    c.SetGuests: set_guests,
    c.SetGamingDay: set_gaming_day,
    c.SetWatch: set_watch,
    c.SetTimeZone: set_time_zone,
    c.SetRetention: set_retention,
    c.SetReminder: set_reminder,
    c.SetTwoPeople: set_two_people,
    c.SetPreset: set_preset,
    c.DropPreset: drop_preset,
}
