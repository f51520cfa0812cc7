"""Settings of the house: how it and its tables look, its chips, and how fast play goes.

They decide nothing that a rule decides: a table plays the same under any of them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from datetime import date  # noqa: TID251  to count days, not to ask for today
from operator import attrgetter
from typing import Annotated

from msgspec import Meta, Struct

from puntobanco.rules.notice import Notice
from puntobanco.words import told_table

Colour = Annotated[str, Meta(max_length=7, pattern=r"\A(#[0-9a-f]{6})?\Z")]
"""`#rrggbb`; empty: as usual."""
ShownName = Annotated[
    str, Meta(max_length=40, pattern=r"\A([^\x00-\x20\x7f]([^\x00-\x1f\x7f]*[^\x00-\x20\x7f])?)?\Z")
]
"""What the house or a table is called on pages; empty: as usual."""
TimeOfDay = Annotated[str, Meta(max_length=5, pattern=r"\A([01][0-9]|2[0-3]):[0-5][0-9]\Z")]
"""Such as `06:00`."""
MOST_CHIPS = 10
CURRENCIES = frozenset(
    """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD
    CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD
    GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD
    KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO
    NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE
    SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND
    VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
    """.split()  # noqa: SIM905  a list of 157 would be as many lines
)
"""Codes of ISO 4217 for money that people pay with; one that was ever listed stays."""
FELT_INKS = ("#f4ecd8", "#d6e3d5")
"""What is written on the felt, as `tokens.css` has it (`--felt-ink`, `--felt-ink-2`)."""


class Look(Struct, frozen=True):
    """How the house looks on its pages."""

    name: str = ""
    currency: str = ""
    """A code of ISO 4217; empty: amounts are shown as bare numbers."""
    felt: str = ""
    accent: str = ""
    logo: str = ""
    """A PNG in base64; empty: none."""


class TableLook(Struct, frozen=True):
    """What one table is called, its felt where that is not the house's, and where it stands."""

    name: str = ""
    felt: str = ""
    pit: str = ""
    """The tables of one pit are shown together to those who oversee them; empty: none."""


class ChipKind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One denomination of the house's chips."""

    cents: Annotated[int, Meta(ge=1, le=10**12)]
    face: Annotated[str, Meta(max_length=7, pattern=r"\A#[0-9a-f]{6}\Z")]
    spot: Annotated[str, Meta(max_length=7, pattern=r"\A#[0-9a-f]{6}\Z")] = "#fff6e6"
    """The colour of the spots on its edge."""


class Tempo(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The time that bots and the house's own shoe take, in milliseconds, so that people follow."""

    bets_ms: Annotated[int, Meta(ge=1000, le=600_000)] = 15_000
    """The time for bets."""
    card_ms: Annotated[int, Meta(ge=100, le=10_000)] = 550
    """From one card to the next."""
    third_ms: Annotated[int, Meta(ge=100, le=10_000)] = 900
    """Before a third card."""
    declare_ms: Annotated[int, Meta(ge=100, le=30_000)] = 1_100
    """From the last card to the result."""
    result_ms: Annotated[int, Meta(ge=100, le=120_000)] = 5_500
    """The time that a result stays before the next coup is opened."""
    turn_ms: Annotated[int, Meta(ge=1000, le=120_000)] = 15_000
    """The time a person has for each face-down card that is theirs to turn."""

    @property
    def coup_ms(self) -> int:
        """How long a coup takes by it: opened, bets, called, four cards and, as on average, one
        more, the result.
        """
        steps = 6 * self.card_ms + self.third_ms
        return self.bets_ms + steps + self.declare_ms + self.result_ms


DAY_MINUTES = 24 * 60
DAY_MS = DAY_MINUTES * 60_000
WEST_MINUTES, EAST_MINUTES = -12 * 60, 14 * 60
"""How far clocks are from UTC at most."""
UNIX_DAY = date(1970, 1, 1).toordinal()


class GamingDay(Struct, frozen=True):
    """When a gaming day begins: what is played before it belongs to the day before."""

    begins: str = "06:00"
    """In the local time of the table."""
    from_ms: int = 0
    """For coups opened from then on."""

    @property
    def minutes(self) -> int:
        """Minutes after midnight."""
        return int(self.begins[:2]) * 60 + int(self.begins[3:])


class ClockChange(Struct, frozen=True, forbid_unknown_fields=True):
    """From when on clocks are how far ahead of UTC."""

    from_ms: Annotated[int, Meta(ge=0, le=2**53)]
    utc_minutes: Annotated[int, Meta(ge=-16 * 60, le=16 * 60)]


FROM = attrgetter("from_ms")
ClockChanges = Annotated[tuple[ClockChange, ...], Meta(max_length=200)]


class TimeZone(Struct, frozen=True):
    """Where the house is, and what its clocks showed and will show: worked out when it was set, and
    on record, so that a gaming day is the same wherever and whenever it is worked out again.
    """

    name: str
    """As the IANA's database has it: `Australia/Hobart`."""
    offsets: ClockChanges
    """The first from the beginning on."""
    from_ms: int
    """For coups opened from then on."""

    def ahead(self, at_ms: int) -> int:
        """Minutes ahead of UTC at a moment.

        >>> zone = TimeZone("Nowhere", (ClockChange(0, 60), ClockChange(1000, 120)), 0)
        >>> zone.ahead(-1), zone.ahead(999), zone.ahead(1000)
        (60, 60, 120)
        """
        return self.offsets[max(0, bisect_right(self.offsets, at_ms, key=FROM) - 1)].utc_minutes

    def changed(self, first_ms: int, last_ms: int) -> Iterator[int]:
        """The moments from one to another at which clocks were put forward or back, or the house
        began to go by this zone.
        """
        since_ms = max(self.from_ms, first_ms)
        if since_ms == self.from_ms <= last_ms:
            yield self.from_ms
        for at in range(bisect_left(self.offsets, since_ms, key=FROM), len(self.offsets)):
            if self.offsets[at].from_ms > last_ms:
                break
            yield self.offsets[at].from_ms


KeptDays = Annotated[int, Meta(ge=0, le=36_500)]


class Retention(Struct, frozen=True):
    """For how many days the house keeps what it has; 0: for ever."""

    record_days: KeptDays = 0
    """Rows of the record, and their archives."""
    photos_days: KeptDays = 0
    """Photos of incidents."""
    logs_days: KeptDays = 0
    """What the program and the proxy write of themselves, outside the house."""
    recordings_days: KeptDays = 0
    """What cameras recorded, outside the house."""


class Watch(Struct, frozen=True):
    """What the house holds its staff to, and the amounts that management must see."""

    second_factor: bool = False
    wager_cents: int = 0
    """0: no wager is large."""
    win_cents: int = 0
    payment_cents: int = 0
    from_ms: int = 0


class Guests(Struct, frozen=True):
    """Where visitors play without an account, and how many at a time."""

    table: str = ""
    """Empty: nowhere."""
    seats: int = 0

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids under which they play, one after another."""
        return tuple(f"guest-{number}" for number in range(1, self.seats + 1))


NO_LIMIT_CENTS = 10**12
"""The amount that stands for no limit: it is the most that any command moves."""


def is_no_limit(cents: object) -> bool:
    return cents == NO_LIMIT_CENTS


class TwoPeople(Struct, frozen=True):
    """Where two people are wanted who were both there before."""

    since_ms: int | None = None
    """From when on the house has had two founders; None: it has one, and one can do all."""
    days: int = 7
    """For so long somebody who was enrolled counts as one with whoever enrolled them."""
    cash_cents: int = 10_000_00
    """Above this, money paid in or out is two people's."""

    @property
    def limit_cents(self) -> int | None:
        """The most that one person pays in or out; None: there is no such limit."""
        return None if self.since_ms is None or is_no_limit(self.cash_cents) else self.cash_cents

    def is_new(self, enrolled_ms: int, at_ms: int) -> bool:
        return at_ms < enrolled_ms + self.days * DAY_MINUTES * 60_000


USUAL_CHIPS = (
    ChipKind(100, "#e7e3d8", "#3a5a9c"),
    ChipKind(500, "#bf2730"),
    ChipKind(2_500, "#1d8653"),
    ChipKind(10_000, "#25282e", "#f3ead6"),
    ChipKind(50_000, "#6b3fa6"),
    ChipKind(100_000, "#e0951b", "#3b2504"),
    ChipKind(500_000, "#2f7fb5"),
)
"""The chips of a house that has set none."""


class Preset(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of table that the house opens again and again: all that does not change from night to
    night. It decides nothing: what it says is held against the rules when a table is opened by it.
    """

    notice: Notice
    tray_cents: Annotated[int, Meta(ge=0, le=10**12)] = 0
    """The chips that its tray is opened with; 0: it has one, or needs none."""
    shoe: Annotated[str, Meta(max_length=80)] = ""
    """The shoe it is usually dealt from."""
    shoe_approval: Annotated[str, Meta(max_length=1000)] = ""
    effective: Annotated[str, Meta(max_length=1000)] = ""
    backs: Annotated[str, Meta(max_length=1000)] = ""
    hours: Annotated[str, Meta(max_length=1000)] = ""


MOST_PRESETS = 100


class Settings(Struct, frozen=True):
    """All that management has set; what it has not set is as usual."""

    look: Look = Look()
    chips: tuple[ChipKind, ...] = USUAL_CHIPS
    tempo: dict[str, Tempo] = {}
    """By table; the empty name stands for the whole house."""
    tables: dict[str, TableLook] = {}
    guests: Guests = Guests()
    presets: dict[str, Preset] = {}
    """By name."""
    gaming_days: tuple[GamingDay, ...] = (GamingDay(),)
    """Each from its time on, in that order."""
    time_zones: tuple[TimeZone, ...] = ()
    """The same; none: every table goes by its own clock, and pages by the machine's."""
    retention: Retention = Retention()
    remind_minutes: int = 60
    """After so much play whoever has chosen no other interval is told of it."""
    two_people: TwoPeople = TwoPeople()
    watches: tuple[Watch, ...] = (Watch(),)
    """The same."""

    def watch(self, at_ms: int) -> Watch:
        """The amounts to be seen, as they were set for this time."""
        return next(one for one in reversed(self.watches) if one.from_ms <= max(at_ms, 0))

    def gaming_day(self, at_ms: int) -> GamingDay:
        """When a gaming day begins, as it was set for this time."""
        return next(one for one in reversed(self.gaming_days) if one.from_ms <= max(at_ms, 0))

    def day_of(self, at_ms: int, utc_minutes: int = 0) -> str:
        """The gaming day of a moment, as a date.

        >>> Settings().day_of(5 * 3_600_000), Settings().day_of(6 * 3_600_000)
        ('1969-12-31', '1970-01-01')
        """
        return self._day(max(self._days(at_ms, utc_minutes)))

    def _days(self, at_ms: int, utc_minutes: int) -> Iterator[int]:
        """The day that clocks show, and those that they showed before each time that they were
        put back less than two days ago: a gaming day does not come twice.
        """
        yield self._number(at_ms, self._ahead(at_ms, utc_minutes))
        for zone in self.time_zones:
            for from_ms in zone.changed(at_ms - 2 * DAY_MS, at_ms):
                yield self._number(from_ms - 1, self._ahead(from_ms - 1, utc_minutes))

    def _ahead(self, at_ms: int, utc_minutes: int) -> int:
        """By the time zone that holds for a moment; before one was set, by the table's clock."""
        held = (one.ahead(at_ms) for one in reversed(self.time_zones) if one.from_ms <= at_ms)
        return next(held, utc_minutes)

    def _number(self, at_ms: int, ahead: int) -> int:
        """A gaming day, counted from the first of 1970."""
        return (at_ms // 60_000 + ahead - self.gaming_day(at_ms).minutes) // DAY_MINUTES

    def _day(self, number: int) -> str:
        return date.fromordinal(UNIX_DAY + number).isoformat()

    def hour_of(self, at_ms: int, utc_minutes: int = 0) -> str:
        """The hour of a moment by the clock that its gaming day goes by: `00` to `23`."""
        return f"{(at_ms // 60_000 + self._ahead(at_ms, utc_minutes)) // 60 % 24:02}"

    def clock(self, at_ms: int) -> int | None:
        """How far the clocks of the house are ahead of UTC at a moment, in minutes; None: it has
        said nothing of where it is.
        """
        return self.time_zones[-1].ahead(at_ms) if self.time_zones else None

    def is_somewhere(self, day: str, at_ms: int) -> bool:
        """Can a moment belong to this gaming day, wherever the tables stand?

        Clocks differ by up to 26 hours, so that it can be three days at once.

        >>> days = ("1969-12-31", "1970-01-01", "1970-01-02", "1970-01-03")
        >>> [Settings().is_somewhere(day, 17 * 3_600_000) for day in days]
        [True, True, True, False]
        """
        west, east = (self._number(at_ms, ahead) for ahead in (WEST_MINUTES, EAST_MINUTES))
        return self._day(west) <= day <= self._day(east)

    def tempo_of(self, table: str) -> Tempo:
        """A table's own tempo, else the house's."""
        return self.tempo.get(table) or self.tempo.get("") or Tempo()

    def table_look(self, table: str) -> TableLook:
        return self.tables.get(table, TableLook())

    def called(self, table: str) -> str:
        """What people call a table: by the name it was given, else by its number.

        >>> Settings().called("table-9"), Settings(tables={"b": TableLook("Salon")}).called("b")
        ('Table 9', 'Salon')
        """
        return self.table_look(table).name or told_table(table)
