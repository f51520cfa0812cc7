"""The commands of the register; their tags are permanent.

They name people by id. Names, contacts and credentials are in tables that can be erased.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from puntobanco.register.settings import (
    MOST_CHIPS,
    ChipKind,
    ClockChanges,
    Colour,
    KeptDays,
    ShownName,
    Tempo,
    TimeOfDay,
)
from puntobanco.rules.notice import Notice
from puntobanco.table.actor import Role
from puntobanco.table.commands import Approve, DropProposal, Note, Person, Someone

TableId = Annotated[str, Meta(max_length=64, pattern=r"\A[A-Za-z0-9_.-]*\Z")]
"""The id of a table; empty: the whole house."""
PresetName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=r"\A[^\x00-\x20\x7f]([^\x00-\x1f\x7f]*[^\x00-\x20\x7f])?\Z",
    ),
]
Kind = Literal["staff", "patron"]
Plan = Literal[
    "dealer",
    "inspector",
    "manager",
    "surveillance",
    "cashier",
    "director",
    "banker",
    "player",
    "tie",
    "double",
    "follow",
]


class Bot(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a program does in a person's place, and at which table."""

    plan: Plan
    table: TableId
    seat: Annotated[int, Meta(ge=0, le=14)] = 0
    """The seat of a bot that is a patron; 0 for staff."""


class ToRegister(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"
):
    """A command to the register."""


class FoundHouse(ToRegister, frozen=True, tag="found-house"):
    """The first manager: only while nobody is enrolled."""

    second: Someone = ""
    """The other founder, so that from the first day two people are wanted where one could do
    harm; empty: the house has one, and one can do everything."""


class NameFounder(ToRegister, frozen=True, tag="name-founder"):
    """One more person who answers for the house: by a manager where one alone founded it, else
    from the machine, for when too few of those are left who could agree to anything.
    """

    person: Person


class Enrol(ToRegister, frozen=True, tag="enrol"):
    person: Person
    kind: Kind
    bot: Bot | None = None


class Disable(ToRegister, frozen=True, tag="disable"):
    person: Person
    note: Note


class Enable(ToRegister, frozen=True, tag="enable"):
    person: Person
    note: Note


class ExcludeOneself(ToRegister, frozen=True, tag="exclude-oneself"):
    """A patron is shut out at their own wish: no sign-in, no chips, no entry until it is over.
    Nobody ends it sooner.
    """

    days: Annotated[int, Meta(ge=1, le=36_500)]


class OwnLimits(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a patron lets themselves lose and play; 0: without a limit."""

    day_cents: Annotated[int, Meta(ge=0, le=10**12)] = 0
    """The most that is lost in a gaming day."""
    week_cents: Annotated[int, Meta(ge=0, le=10**12)] = 0
    """The most that is lost in seven gaming days, today with them."""
    minutes: Annotated[int, Meta(ge=0, le=1440)] = 0
    """How long they play in a gaming day."""
    remind_minutes: Annotated[int, Meta(ge=0, le=240)] = 0
    """After how long they are told how long they have played; 0: as usual here."""


class SetOwnLimits(ToRegister, frozen=True, tag="set-own-limits"):
    """A patron's own limits become these: what is lower holds at once. What is higher, or no limit
    any more, holds when the same is asked again, a day later and within a week.
    """

    limits: OwnLimits


class Grant(ToRegister, frozen=True, tag="grant"):
    person: Person
    role: Role
    table: TableId = ""


class Revoke(ToRegister, frozen=True, tag="revoke"):
    person: Person
    role: Role
    table: TableId = ""


class Erase(ToRegister, frozen=True, tag="erase"):
    """What is personal of somebody who has left goes for good, as soon as the house owes them
    nothing; the id stays on record.
    """

    person: Person


class KeepRuleset(ToRegister, frozen=True, tag="keep-ruleset"):
    """The text a table is opened by, kept for whoever checks it years later."""

    name: Person
    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    """The SHA-256 of the text."""
    text: Annotated[str, Meta(min_length=1, max_length=1_000_000)]


class ShowKey(ToRegister, frozen=True, tag="show-key"):
    """The public key that receipts of this house are signed with, by which the house's own key is
    known too. Another one than is on record takes the word of two people.
    """

    public: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    first: Someone = ""
    second: Someone = ""
    rows: Annotated[
        dict[TableId, Annotated[int, Meta(ge=1, le=2**53)]], Meta(max_length=10_000)
    ] = {}
    """The last row of each stream that was written before, under the former key."""


class SetLook(ToRegister, frozen=True, tag="set-look"):
    """What the house is called on its pages, its currency and its colours; empty: as usual."""

    name: ShownName = ""
    currency: Annotated[str, Meta(max_length=3, pattern=r"\A([A-Z]{3})?\Z")] = ""
    """A code of ISO 4217; empty: amounts are bare numbers."""
    felt: Colour = ""
    accent: Colour = ""


class SetLogo(ToRegister, frozen=True, tag="set-logo"):
    """The house's logo, a PNG in base64; empty: none."""

    png: Annotated[str, Meta(max_length=44_000, pattern=r"\A[A-Za-z0-9+/]*={0,2}\Z")] = ""


class NameTable(ToRegister, frozen=True, tag="name-table"):
    """What a table is called on pages, and its felt where that is not the house's."""

    table: Annotated[str, Meta(max_length=64, pattern=r"\A[A-Za-z0-9_.-]+\Z")]
    name: ShownName = ""
    felt: Colour = ""
    pit: ShownName = ""
    """The pit that it stands in; empty: none."""


class SetChips(ToRegister, frozen=True, tag="set-chips"):
    """The denominations of the house's chips, rising; none: the usual ones."""

    chips: Annotated[tuple[ChipKind, ...], Meta(max_length=MOST_CHIPS)] = ()


class SetTempo(ToRegister, frozen=True, tag="set-tempo"):
    """How fast bots and the house's own shoe play in the house, or at one table.

    Without a tempo a table keeps the house's, and the house the usual one.
    """

    table: TableId = ""
    tempo: Tempo | None = None


class SetGuests(ToRegister, frozen=True, tag="set-guests"):
    """At which table visitors play without an account, and how many at a time; none: nowhere.

    They come and go under a few ids that the setting itself enrols: guest-1, guest-2, …
    """

    table: TableId = ""
    seats: Annotated[int, Meta(ge=0, le=14)] = 0


class SetGamingDay(ToRegister, frozen=True, tag="set-gaming-day"):
    """When a gaming day begins, by the local time of the tables."""

    begins: TimeOfDay = "06:00"


class SetTimeZone(ToRegister, frozen=True, tag="set-time-zone"):
    """Where the house is, by a name of the IANA's database: pages and papers show times by it, and
    gaming days are counted by it.
    """

    zone: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z][A-Za-z0-9_+/-]*\Z")]
    offsets: ClockChanges = ()
    """What its clocks show from when on, since the house began and for twenty years to come; the
    house fills it in.
    """


class SetReminder(ToRegister, frozen=True, tag="set-reminder"):
    """After how many minutes of play a player is told of it who chose no other interval."""

    minutes: Annotated[int, Meta(ge=1, le=240)] = 60


class SetRetention(ToRegister, frozen=True, tag="set-retention"):
    """For how many days the house keeps what it has; 0: for ever. Nothing is deleted by it: whoever
    keeps the house is reminded of what is older.
    """

    record_days: KeptDays = 0
    photos_days: KeptDays = 0
    logs_days: KeptDays = 0
    recordings_days: KeptDays = 0


class SetWatch(ToRegister, frozen=True, tag="set-watch"):
    """Whether staff must have a second factor, and from which amounts on management must see what
    is wagered, won, or paid in or out at the cage; 0: from none.
    """

    second_factor: bool = False
    wager_cents: Annotated[int, Meta(ge=0, le=10**12)] = 0
    win_cents: Annotated[int, Meta(ge=0, le=10**12)] = 0
    payment_cents: Annotated[int, Meta(ge=0, le=10**12)] = 0


class SetTwoPeople(ToRegister, frozen=True, tag="set-two-people"):
    """Where two people are wanted who were both there before, once the house has two founders."""

    days: Annotated[int, Meta(ge=0, le=365)]
    """For so long somebody who was enrolled counts as one with whoever enrolled them."""
    cash_cents: Annotated[int, Meta(ge=0, le=10**12)]
    """Above this, money paid in or out is two people's."""


class SetPreset(ToRegister, frozen=True, tag="set-preset"):
    """Keep what tables of one kind are opened with, under a name; one of that name is replaced."""

    name: PresetName
    notice: Notice
    tray_cents: Annotated[int, Meta(ge=0, le=10**12)] = 0
    shoe: Annotated[str, Meta(max_length=80)] = ""
    shoe_approval: Note = ""
    effective: Note = ""
    backs: Note = ""
    hours: Note = ""


class DropPreset(ToRegister, frozen=True, tag="drop-preset"):
    """The house opens no more tables of this kind by its name."""

    name: PresetName


Kept = SetPreset | DropPreset
Setting = (
    SetLook | SetLogo | NameTable | SetChips | SetTempo | SetGuests | SetGamingDay | SetTwoPeople
    | SetWatch | SetTimeZone | SetRetention | SetReminder | Kept
)  # fmt: skip
ByTwo = Grant | Enable | SetTwoPeople | Erase
"""What takes two people once the house has two founders."""
RegisterCommand = (
    FoundHouse | NameFounder | Enrol | Disable | Enable | ExcludeOneself | SetOwnLimits | Grant
    | Revoke | Erase | KeepRuleset | ShowKey | Setting | Approve | DropProposal
)  # fmt: skip
