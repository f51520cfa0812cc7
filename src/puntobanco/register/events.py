"""The events of the register; their tags are permanent."""

from msgspec import Struct

from puntobanco.register.commands import Bot, ByTwo, Kind, OwnLimits
from puntobanco.register.settings import ChipKind, ClockChanges, Preset, Tempo
from puntobanco.table.actor import Role
from puntobanco.table.events import Approved, ProposalDropped


class AtRegister(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="is"
):
    """An event of the register."""


class HouseFounded(AtRegister, frozen=True, tag="house-founded"):
    person: str


class FounderNamed(AtRegister, frozen=True, tag="founder-named"):
    person: str
    at_ms: int
    """From the first of these on it takes two people where one could do harm."""


class PersonEnrolled(AtRegister, frozen=True, tag="person-enrolled"):
    person: str
    kind: Kind
    bot: Bot | None = None
    by: str = ""
    """Who enrolled them, if they are staff and the house has two founders."""
    at_ms: int = 0


class PersonDisabled(AtRegister, frozen=True, tag="person-disabled"):
    person: str
    note: str


class PersonEnabled(AtRegister, frozen=True, tag="person-enabled"):
    person: str
    note: str


class SelfExcluded(AtRegister, frozen=True, tag="self-excluded"):
    person: str
    until_ms: int


class OwnLimitsSet(AtRegister, frozen=True, tag="own-limits-set"):
    """They hold from now on, and nothing else waits."""

    person: str
    limits: OwnLimits


class OwnLimitsAsked(AtRegister, frozen=True, tag="own-limits-asked"):
    """Higher ones were asked for; they hold if they are asked for again from then on."""

    person: str
    limits: OwnLimits
    from_ms: int


class RoleGranted(AtRegister, frozen=True, tag="role-granted"):
    person: str
    role: Role
    table: str = ""


class RoleRevoked(AtRegister, frozen=True, tag="role-revoked"):
    person: str
    role: Role
    table: str = ""


class ErasureAgreed(AtRegister, frozen=True, tag="erasure-agreed"):
    """What is personal of them is to be erased; that it was is on record in the house's stream."""

    person: str


class RulesetKept(AtRegister, frozen=True, tag="ruleset-kept"):
    name: str
    digest: str
    text: str


class KeyShown(AtRegister, frozen=True, tag="key-shown"):
    public: str
    first: str = ""
    """Who gave their word for it, if the house had another key before."""
    second: str = ""
    rows: dict[str, int] = {}


class LookSet(AtRegister, frozen=True, tag="look-set"):
    name: str = ""
    currency: str = ""
    felt: str = ""
    accent: str = ""


class LogoSet(AtRegister, frozen=True, tag="logo-set"):
    png: str = ""


class TableNamed(AtRegister, frozen=True, tag="table-named"):
    table: str
    name: str = ""
    felt: str = ""
    pit: str = ""


class ChipsSet(AtRegister, frozen=True, tag="chips-set"):
    chips: tuple[ChipKind, ...] = ()


class TempoSet(AtRegister, frozen=True, tag="tempo-set"):
    table: str = ""
    tempo: Tempo | None = None


class GuestsSet(AtRegister, frozen=True, tag="guests-set"):
    table: str
    seats: int


class GamingDaySet(AtRegister, frozen=True, tag="gaming-day-set"):
    begins: str
    from_ms: int
    """For coups opened from then on."""


class TimeZoneSet(AtRegister, frozen=True, tag="time-zone-set"):
    zone: str
    offsets: ClockChanges
    from_ms: int
    """For coups opened from then on."""


class ReminderSet(AtRegister, frozen=True, tag="reminder-set"):
    minutes: int


class RetentionSet(AtRegister, frozen=True, tag="retention-set"):
    """Days; 0: for ever."""

    record_days: int
    photos_days: int
    logs_days: int
    recordings_days: int


class WatchSet(AtRegister, frozen=True, tag="watch-set"):
    second_factor: bool
    wager_cents: int
    win_cents: int
    payment_cents: int
    from_ms: int
    """Amounts are for rows from then on."""


class PresetSet(AtRegister, frozen=True, tag="preset-set"):
    name: str
    preset: Preset


class PresetDropped(AtRegister, frozen=True, tag="preset-dropped"):
    name: str


class TwoPeopleSet(AtRegister, frozen=True, tag="two-people-set"):
    days: int
    cash_cents: int


class Proposed(AtRegister, frozen=True, tag="proposed"):
    number: int
    ask: ByTwo
    person: str


OfPresets = PresetSet | PresetDropped
OfSettings = (
    LookSet | LogoSet | TableNamed | ChipsSet | TempoSet | GamingDaySet | TwoPeopleSet | WatchSet
    | TimeZoneSet | RetentionSet | ReminderSet | OfPresets
)  # fmt: skip
OfPerson = (
    HouseFounded | FounderNamed | PersonEnrolled | PersonDisabled | PersonEnabled | RoleGranted
    | RoleRevoked | ErasureAgreed | SelfExcluded | OwnLimitsSet | OwnLimitsAsked
)  # fmt: skip
OfProposal = Proposed | Approved | ProposalDropped
RegisterEvent = OfPerson | RulesetKept | KeyShown | OfSettings | GuestsSet | OfProposal
