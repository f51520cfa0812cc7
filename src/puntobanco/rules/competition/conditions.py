"""The conditions of a competition: one TOML file, read, bounded and known by its hash.

What a document leaves open is settled here and told before anyone enters [tas-2018:16.2.2(lead)],
or approved [act-2015:15.3]; where a document says nothing at all, these are conditions, not rules.
All amounts are whole cents, of money or of chips alike. A required item that is absent reads as
empty, so that `checks.py` can name all that are missing, each with its clause.
"""

import re
from datetime import datetime  # noqa: TID251  to read a moment, not to ask for one
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.bounds import Few, Money, Text, Word
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.notice import Limits, Rounding
from puntobanco.rules.seats import Numbering

MOST_ENTRIES = 10_000
"""The most entries that conditions may provide for."""
MOST_STAGES = 20
MOST_PRIZES = 1000
PERCENT = re.compile(r"\d{1,3}(\.\d{1,6})?")
Entries = Annotated[int, Meta(ge=0, le=MOST_ENTRIES)]
Chips = Annotated[int, Meta(ge=0, le=10**12)]
"""An amount of chips, in cents; a session's sums must stay countable."""
Percent = Annotated[str, Meta(max_length=10)]
"""A percentage as it is written, such as "7.5"; exact, for no binary fraction is."""
Name = Annotated[str, Meta(max_length=80)]


class TableConditions(Brief, frozen=True, forbid_unknown_fields=True):
    """The rest of the table notice, the same for every stage; see `rules/notice.py`."""

    decks: Few = 0
    method: Word = ""
    layout: Word = ""
    pairs: Word = ""
    tie_limits: Limits | None = None
    """Limits of Tie, for stages that have none of their own."""
    pairs_limits: Limits | None = None
    chip_cents: Money = 1
    """The smallest chip; no document names it, so the conditions do."""
    rounding: Rounding = Rounding.UP
    collective_liability_cents: Money | None = None
    table_differential_cents: Money | None = None
    behind_marker: Few | None = None
    burn: Literal["", "unseen", "exposed"] = ""
    leftover: Literal["", "discard", "first-of-next"] = ""
    numbering: Numbering = "anticlockwise"
    common_pairs_box: bool = False
    table_approval: Text = ""
    pairs_approval: Text = ""
    shoe_approval: Text = ""
    """The approval of the shoes [act-2015:d.shoe]."""
    backs: Text = ""
    """What the backs of the cards look like [mbs-2017:2.1]."""
    effective: Text = ""
    """The rule set's date of effect, where the document does not give it [tas-2018:0.front]."""


class EntryConditions(Brief, frozen=True, forbid_unknown_fields=True):
    """Who may enter, and for what."""

    form: Text = ""
    """The form of application [tas-2018:16.2.2(a)]."""
    terms: Text = ""
    """The conditions of entry, or where they are to be had [tas-2018:16.2.2(b)]."""
    fee_cents: Money | None = None
    """The entry fee; 0 for an event that is free [tas-2018:16.2.2(c), act-2015:15.4(c)]."""
    retained_percent: Percent | float = "0"
    """What the operator keeps of all fees [tas-2018:16.2.1, act-2015:15.24]."""
    commission_cents: Money = 0
    """What the operator takes of each entry [act-2015:15.24]."""
    commission: Literal["inside", "beside"] = "inside"
    """Whether the commission is part of the fee or is paid beside it [act-2015:15.4(c)]."""
    min: Entries = 0
    """The fewest with whom it is played [tas-2018:16.2.2(d), act-2015:15.4(e)]."""
    max: Entries = 0
    """The most who may enter [tas-2018:16.2.2(d), act-2015:15.4(e)]."""
    reserves: Entries = 0
    """How many may wait for a seat that is not taken [act-2015:15.10]."""
    re_entries: Few = 0
    """How often one who is out may enter again; against one entry each [act-2015:15.6]."""
    until: Name = "start"
    """Until when entries are taken: "start", or a moment with its offset; one after the start is
    late entry [act-2015:15.13]."""
    groups: Text = ""
    """Restrictions on groups of players [act-2015:15.4(f)]."""
    refund_days: Few | None = None
    """Days before the start by which one who withdraws has the fee back, where the document lets
    the conditions say so; sooner than the document's is refused [tas-2018:16.2(lead)]."""


class PrizeConditions(Brief, frozen=True, forbid_unknown_fields=True):
    """The prize list: amounts or shares of the pool [tas-2018:16.2.2(g), act-2015:15.4(h)]."""

    list_cents: Annotated[tuple[Money, ...], Meta(max_length=MOST_PRIZES)] = ()
    """Amounts, first place first; what the pool lacks for them the operator adds."""
    percent: Annotated[tuple[Percent | float, ...], Meta(max_length=MOST_PRIZES)] = ()
    """Or shares of the pool in percent, together 100 [tas-2018:16.2.2(h)]."""
    goods: Annotated[tuple[Text, ...], Meta(max_length=MOST_PRIZES)] = ()
    """Goods or services, first place first, beside the money [tas-2018:16.2(lead)]."""
    added_cents: Money = 0
    """What the operator adds to the pool [tas-2018:16.2(lead)]."""

    @property
    def places(self) -> int:
        """How many places have a prize."""
        return max(len(self.list_cents), len(self.percent), len(self.goods))


class SecondaryConditions(Brief, frozen=True, forbid_unknown_fields=True):
    """A second chance for those who failed to qualify [tas-2018:16.1-secondary-competition]."""

    winners: Entries = 0
    """How many of them come back [tas-2018:16.2.3(f)]."""
    into: Name = "final"
    """The stage they come back into."""


class SessionEnds(Brief, frozen=True, forbid_unknown_fields=True):
    """How long a session lasts: exactly one of these [tas-2018:16.2.2(f), act-2015:d.session]."""

    coups: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    shoes: Annotated[int, Meta(ge=1, le=1000)] | None = None
    minutes: Annotated[int, Meta(ge=1, le=10_000)] | None = None

    @property
    def given(self) -> tuple[str, ...]:
        return tuple(name for name in self.__struct_fields__ if getattr(self, name) is not None)


class StageConditions(Brief, frozen=True, forbid_unknown_fields=True):
    """One stage, played at all its tables at once; the last one is the final."""

    name: Name = ""
    seats: Annotated[int, Meta(ge=0, le=100)] = 0
    """The most players at a table [tas-2018:16.2.3(e), act-2015:15.8]."""
    least: Annotated[int, Meta(ge=1, le=100)] = 2
    """The fewest players at a table."""
    tables: Few = 0
    """How many tables there are; 0: as many as are needed [tas-2018:16.3.1]."""
    advance: Entries | dict[Entries, Entries] = 0
    """How many advance from each table, or that number by how many tables there are
    [tas-2018:16.8.1]."""
    wild: Entries = 0
    """How many more advance, over all tables."""
    wild_by: Literal["chips"] = "chips"
    """By what they are chosen; equals by ballot."""
    allotment_cents: Chips = 0
    """What each player begins the session with [tas-2018:16.4.2, act-2015:15.4(d)]."""
    ends: SessionEnds = SessionEnds()
    secrets: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Secret wagers that each player may make in the session [tas-2018:16.2.2(i)]."""
    wager_seconds: Annotated[int, Meta(ge=0, le=3600)] = 0
    """The time for each wager; 0: none is set [tas-2018:16.4.7, act-2015:15.19]."""
    limits: Limits = Limits(0, 0)
    """The limits of Player and Banker; the multiple is the unit [tas-2018:16.4.6]."""
    tie_limits: Limits | None = None
    pairs_limits: Limits | None = None
    raised: Limits | None = None
    """What the limits rise to once the indicator card has come out [tas-2018:16.5.3]."""
    raised_tie: Limits | None = None
    """And those of Tie; None: they stay."""
    start: Name = ""
    """When it starts, with its offset, where that is told beforehand: of the first stage when the
    competition does, of the others later than the one before [tas-2018:16.3.2(lead),
    act-2015:15.9]."""


class PlayConditions(Brief, frozen=True, forbid_unknown_fields=True):
    """How it is played where the document leaves that open.

    "" is the document's own way, or, where it has none, the first one named here; `ways_of` says
    what then holds, and by which clause.
    """

    order: Literal["", "together", "anticlockwise", "clockwise"] = ""
    """Whether all bet at once or in turn [tas-2018:16.5.4, act-2015:15.15]."""
    every_coup: Literal["", "no", "yes"] = ""
    """Whether the minimum is wagered on every coup [tas-2018:16.5.11, act-2015:15.14]."""
    eliminated: Literal["", "no", "below-minimum"] = ""
    """Whether one with less than the minimum is out [tas-2018:16.5.9, act-2015:15.14]."""
    face_down: Literal["", "no", "yes"] = ""
    """Whether cards are dealt face down [tas-2018:16.7.1(a), act-2015:2.2]."""
    indicator: Literal["", "no", "yes"] = ""
    """Whether an indicator card goes in, after which limits may rise [tas-2018:16.5.1]."""
    absent: Literal["", "ruling", "minimum-deducted"] = ""
    """What becomes of one who is away during play [tas-2018:16.3.6(a)]."""
    time_over: Literal["", "ruling", "minimum-only"] = ""
    """What one may still wager whose time is over [tas-2018:16.4.8]."""
    late: Literal["", "forfeit", "three-coups"] = ""
    """What becomes of one not seated at the start [tas-2018:16.3.2(a), act-2015:15.9]."""
    level: Literal["", "more-rounds", "play-off"] = ""
    """How those level at the end are parted [tas-2018:16.8.3, act-2015:15.22]."""
    secret_wagers: bool = False
    """Brings secret wagers in where the document has none [tas-2018:16.6.1]."""
    puck_after_non_betting: bool = True
    """Whether the puck moves on after a non-betting coup, too [tas-2018:16.5.5]."""


class LeagueConditions(Brief, frozen=True, forbid_unknown_fields=True):
    """A table over several events: of which league this is one, and what its places count there."""

    name: Name = ""
    """Events that name the same league count together; empty: it counts in none."""
    points: Annotated[tuple[Annotated[int, Meta(ge=0, le=10**6)], ...], Meta(max_length=1000)] = ()
    """Points by place, first place first; those who share places share their points."""


class ApartConditions(Brief, frozen=True, forbid_unknown_fields=True):
    """Those who are not drawn to one table. The conditions name the list; who is on it is known
    once they enter, is kept by id, and is nobody's business but the staff's [act-2015:15.4(f)].
    """

    who: Text = ""
    """Whom the list names, such as members of one household; empty: there is no such list."""
    most: Few = 0
    """The most of them in one group: so many tables every draw of several must have."""


class CompetitionConditions(Brief, frozen=True, forbid_unknown_fields=True):
    """Everything that is settled before anyone enters."""

    ruleset: Word
    name: Name = ""
    chips: Literal["competition", "cash"] = "competition"
    """Chips without value, or a live competition [tas-2018:16.1-competition-chips]."""
    start: Name = ""
    """When it starts, with the offset of the casino's clock [act-2015:15.4(a)]."""
    approval: Text = ""
    """The reference of the approval of these conditions [act-2015:15.3]."""
    regulator: Name = ""
    """Who approved the rules, as it stands on forms; empty: whose document it is."""
    table: TableConditions | None = None
    entry: EntryConditions = EntryConditions()
    prizes: PrizeConditions = PrizeConditions()
    secondary: SecondaryConditions = SecondaryConditions()
    stage: Annotated[tuple[StageConditions, ...], Meta(max_length=MOST_STAGES)] = ()
    play: PlayConditions = PlayConditions()
    league: LeagueConditions = LeagueConditions()
    apart: ApartConditions = ApartConditions()

    @property
    def final(self) -> StageConditions:
        return self.stage[-1]

    def stage_named(self, name: str) -> StageConditions | None:
        return next((stage for stage in self.stage if stage.name == name), None)


@lru_cache(maxsize=64)
def read_conditions(text: str | bytes) -> CompetitionConditions:
    r"""Read conditions from TOML; what cannot be read is one line that says where and why.

    >>> read_conditions('ruleset = "tas-2018"\nentry = { mini = 8 }')
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not conditions: Object contains unknown field `mini` - at ...
    """
    raw = text.encode() if isinstance(text, str) else text
    try:
        read = msgspec.toml.decode(raw.removeprefix(b"\xef\xbb\xbf"), type=CompetitionConditions)
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors too
        raise MalformedError(f"not conditions: {error}") from error
    if read.ruleset not in RULESETS:
        known = ", ".join(RULESETS)
        raise MalformedError(f"not conditions: no rule set {read.ruleset[:40]!r}; choose {known}")
    for percent in (read.entry.retained_percent, *read.prizes.percent):
        exact_percent(percent)
    until = "" if read.entry.until == "start" else read.entry.until
    for moment in filter(None, (read.start, until, *(stage.start for stage in read.stage))):
        read_moment(moment)
    return read


def version_of(text: str | bytes) -> str:
    """The version of conditions: SHA-256 of their bytes, so that one is known for ever.

    >>> version_of("")[:12]
    'e3b0c44298fc'
    """
    return sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def exact_percent(written: str | float) -> Fraction:
    """A percentage, exactly.

    >>> exact_percent("7.5")
    Fraction(15, 2)
    >>> exact_percent("101")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a percentage: '101' (0 to 100, such as 7.5)
    """
    text = str(written)
    if not (text.isascii() and PERCENT.fullmatch(text)) or Fraction(text) > 100:
        raise MalformedError(f"not a percentage: {text[:40]!r} (0 to 100, such as 7.5)")
    return Fraction(text)


def read_moment(written: str) -> datetime:
    """A moment with its offset from UTC, since dates are counted by the casino's clock.

    >>> read_moment("2026-03-14T18:00:00+11:00").date().isoformat()
    '2026-03-14'
    >>> read_moment("2026-03-14T18:00:00")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a moment with its offset: '2026-03-14T18:00:00' (such ...
    """
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        such = "2026-03-14T18:00:00+11:00"
        raise MalformedError(f"not a moment with its offset: {written[:40]!r} (such as {such})")
    return moment


def minutes_ahead(start: str) -> int:
    """How far the clocks by which a start is given are ahead of UTC.

    >>> minutes_ahead("2026-03-14T18:00:00+11:00"), minutes_ahead("2026-03-14T18:00:00Z")
    (660, 0)
    """
    ahead = read_moment(start).utcoffset()
    return int(ahead.total_seconds()) // 60 if ahead else 0
