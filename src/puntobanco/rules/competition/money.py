"""The money of a competition on paper: the pool, what is kept of it, prizes, shares, refunds.

All amounts are whole cents. What is kept is rounded down, so that it never passes what a document
allows; what is shared is rounded up, and the operator adds the difference, so that shares are
equal and no cent of the pool stays behind.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta  # noqa: TID251  to count days, not to ask for today
from fractions import Fraction
from typing import Literal

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.conditions import EntryConditions, exact_percent
from puntobanco.rules.documents.ruleset import Ruleset

CommissionMode = Literal["inside", "beside"]
Day = date
"""A date by the casino's calendar."""
WHOLE = Fraction(100)


class Pool(Brief, frozen=True):
    """What came in, what the operator keeps of it, and what is left for prizes."""

    fees_cents: int
    """The total of entry fees, less those refunded; a commission beside the fee is not in it."""
    retained_cents: int
    commission_cents: int
    pool_cents: int


class Refund(Brief, frozen=True):
    """What comes back to one who paid, and the clause that says so."""

    refund_cents: int
    clause: str


class Shortfall(Brief, frozen=True):
    """What of the pool is not paid out, and the clause that wants it paid out."""

    short_cents: int
    clause: str


class Share(Brief, frozen=True):
    """Prizes combined and divided equally: what each has, and what the operator adds to it."""

    each_cents: int
    added_cents: int


def pool_of(
    fee_cents: int,
    entries: int,
    *,
    retained: Fraction = Fraction(0),
    commission_cents: int = 0,
    mode: CommissionMode = "inside",
    added_cents: int = 0,
) -> Pool:
    """The pool of so many fees paid and not refunded [tas-2018:16.2.1, act-2015:15.24].

    Fees of forfeited and disqualified entries stay in it [act-2015:15.9]. What is retained is a
    percentage of all fees, down to the cent; a commission is so much an entry, inside or beside.

    >>> pool_of(5555, 36, retained=Fraction(10))
    Pool(fees_cents=199980, retained_cents=19998, commission_cents=0, pool_cents=179982)
    """
    fees = fee_cents * entries
    kept = int(fees * retained / 100)
    commission = commission_cents * entries
    inside = commission if mode == "inside" else 0
    return Pool(fees, kept, commission, fees - kept - inside + added_cents)


def entry_pool(entry: EntryConditions, entries: int, added_cents: int = 0) -> Pool:
    """The pool that conditions make of so many entries."""
    return pool_of(
        entry.fee_cents or 0,
        entries,
        retained=exact_percent(entry.retained_percent),
        commission_cents=entry.commission_cents,
        mode=entry.commission,
        added_cents=added_cents,
    )


def kept_percent(
    fee_cents: int, retained: Fraction, commission_cents: int = 0, mode: CommissionMode = "inside"
) -> Fraction:
    """What the operator keeps of all that an entrant is charged, in percent [tas-2018:16.2.1].

    Whatever is charged to enter is a fee: a commission counts in what is kept, and one beside the
    fee in the total, too.

    >>> kept_percent(10_000, Fraction(5), 500), kept_percent(10_000, Fraction(0), 1000, "beside")
    (Fraction(10, 1), Fraction(100, 11))
    """
    total = fee_cents + (commission_cents if mode == "beside" else 0)
    kept = fee_cents * retained / 100 + commission_cents
    if total:
        return kept * 100 / total
    return Fraction(100) if commission_cents else retained


def divided(pool_cents: int, percent: Sequence[Fraction]) -> tuple[int, ...]:
    """Prizes from percentages: whole dollars down, the rest to first, so that they are the pool
    [tas-2018:16.2.2(h), act-2015:15.4(h)].

    >>> divided(179982, [Fraction(50), Fraction(30), Fraction(20)])
    (90182, 53900, 35900)
    """
    if not percent:
        return ()
    if sum(percent) > WHOLE:
        raise MalformedError(f"the percentages come to {_plain(sum(percent))}, not 100")
    others = tuple(int(pool_cents * each / 10_000) * 100 for each in percent[1:])
    return (pool_cents - sum(others), *others)


def _plain(number: Fraction | int) -> str:
    return f"{float(number):g}"


def prizes_of(
    pool_cents: int, *, listed: Sequence[int] = (), percent: Iterable[str | float] = ()
) -> tuple[int, ...]:
    """The prizes by place, from the list or from percentages of the pool."""
    return tuple(listed) or divided(pool_cents, [exact_percent(each) for each in percent])


def not_returned(pool_cents: int, prizes_cents: Iterable[int], rules: Ruleset) -> Shortfall | None:
    """What of the pool the prizes do not pay out, if anything: the balance of the fees is the
    prize pool [tas-2018:16.2.1], and all of it is returned as prizes [act-2015:15.21].
    """
    short = pool_cents - sum(prizes_cents)
    return Shortfall(short, rules.competition.prizes.returned) if short > 0 else None


def to_be_added(pool_cents: int, prizes_cents: Iterable[int]) -> int:
    """What the operator adds so that the pool pays the prizes [tas-2018:16.2(lead)]."""
    return max(0, sum(prizes_cents) - pool_cents)


def share_prizes(prizes_cents: Sequence[int], people: int) -> Share:
    """Combine prizes and divide them equally, up to the cent; the operator adds the difference
    [tas-2018:16.8.4, act-2015:15.23].

    >>> share_prizes([5000, 3000], 3)
    Share(each_cents=2667, added_cents=1)
    """
    total = sum(prizes_cents)
    each = -(-total // people)
    return Share(each, each * people - total)


def read_day(written: str, beside: str = "") -> Day:
    """A date by the casino's calendar, from a date or a time with its offset.

    A time is put into the offset of `beside`, where that has one: the casino's clock.

    >>> read_day("2026-03-07T20:00:00Z", beside="2026-03-14T18:00:00+11:00").isoformat()
    '2026-03-08'
    >>> read_day("2026-02-30")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a date: '2026-02-30' (such as 2026-03-14, or ...
    """
    moment = _moment(written)
    if isinstance(moment, datetime):
        clock = _moment(beside) if beside else None
        if isinstance(clock, datetime):
            return _at_clock(moment, clock).date()
        return moment.date()
    return moment


def _at_clock(moment: datetime, clock: datetime) -> datetime:
    try:
        return moment.astimezone(clock.tzinfo)
    except OverflowError:  # the first or last day that there is
        return moment


def _moment(written: str) -> date | datetime:
    try:
        if len(written) == len("2026-03-14"):
            return date.fromisoformat(written)
        moment = datetime.fromisoformat(written)
    except ValueError:
        pass
    else:
        if moment.tzinfo is not None:
            return moment
    such = "such as 2026-03-14, or 2026-03-14T18:00:00+11:00"
    raise MalformedError(f"not a date: {written[:40]!r} ({such})")


def refund_deadline(starts: Iterable[Day], rules: Ruleset, days: int | None = None) -> Day | None:
    """The last day on which one who withdraws has the fee back; None where there is none.

    It is counted in calendar dates, back from the start [tas-2018:16.2(lead)]. Of several starts,
    where one was moved, the kindest counts [tas-2018:16.3.4]. `days` is what conditions say.
    """
    entry = rules.competition.entry
    before = entry.refund_days if days is None else days
    if before is None:
        return None
    return max(_earlier(start, before) for start in starts)


def _earlier(start: Day, days: int) -> Day:
    try:
        return start - timedelta(days=days)
    except OverflowError:
        return date.min


def refund_of(
    paid_cents: int,
    rules: Ruleset,
    *,
    deadline: Day | None = None,
    withdrawn: Day | None = None,
    cancelled: bool = False,
    disqualified: bool = False,
) -> Refund:
    """What comes back of what an entrant paid, fee and commission alike.

    Tasmania: all of it if the competition does not proceed or on withdrawal by the deadline
    [tas-2018:16.2(lead)]; never to a disqualified player, cancelled or not [tas-2018:16.2.4].
    Canberra: nothing [act-2015:15.25(1)] unless cancelled, and then everything to everybody
    [act-2015:15.25(2)]. Elsewhere as the conditions say.
    """
    entry = rules.competition.entry
    if disqualified and entry.disqualified:
        return Refund(0, entry.disqualified)
    if cancelled:
        return Refund(paid_cents, entry.not_proceeding)
    in_time = withdrawn is not None and deadline is not None and withdrawn <= deadline
    back = in_time and not disqualified
    return Refund(paid_cents if back else 0, entry.withdrawn)
