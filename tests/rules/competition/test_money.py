"""Pool, retention, prizes, shares and refunds, against a plain telling of the same."""

from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.errors import MalformedError
from puntobanco.rules.competition.conditions import EntryConditions
from puntobanco.rules.competition.money import (
    Refund,
    Share,
    Shortfall,
    divided,
    entry_pool,
    kept_percent,
    not_returned,
    pool_of,
    prizes_of,
    read_day,
    refund_deadline,
    refund_of,
    share_prizes,
    to_be_added,
)
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from tests.kit.clauses import clause, tas

START = date(2026, 3, 14)
TASMANIA = ("tas-2018", "tas-2013")
CASES = 10_000


@clause(*tas("16.2.1"))
@given(st.integers(0, 10**7), st.integers(0, 1000), st.integers(0, 1000))
def test_never_more_than_the_percentage_is_kept(fee: int, entries: int, tenths: int) -> None:
    """What is kept is rounded down to the cent, the balance is the pool [tas-2018:16.2.1] S9"""
    pool = pool_of(fee, entries, retained=Fraction(tenths, 10))
    assert pool.retained_cents * 1000 <= pool.fees_cents * tenths < (pool.retained_cents + 1) * 1000
    assert pool.pool_cents == pool.fees_cents - pool.retained_cents


@clause("act-2015:15.24", "act-2015:15.4(c)", "act-2015:d.tournament-commission")
def test_a_commission_comes_out_of_the_fees_or_is_paid_beside_them() -> None:
    """[act-2015:15.24, act-2015:15.4(c)] B49"""
    inside = pool_of(11_000, 20, commission_cents=1000)
    assert (inside.fees_cents, inside.commission_cents, inside.pool_cents) == (
        220_000,
        20_000,
        200_000,
    )
    beside = pool_of(11_000, 20, commission_cents=1000, mode="beside")
    assert (beside.fees_cents, beside.commission_cents, beside.pool_cents) == (
        220_000,
        20_000,
        220_000,
    )


@clause(*tas("16.2.1"))
def test_a_commission_counts_in_what_is_kept() -> None:
    """Whatever is charged to enter is a fee [tas-2018:16.2.1]."""
    assert kept_percent(10_000, Fraction(10)) == 10
    assert kept_percent(10_000, Fraction(10), 1) > 10
    assert kept_percent(10_000, Fraction(5), 500) == 10
    assert kept_percent(9000, Fraction(0), 1000, "beside") == 10
    assert kept_percent(8999, Fraction(0), 1000, "beside") > 10
    assert kept_percent(0, Fraction(7)) == 7
    assert kept_percent(0, Fraction(0), 5, "beside") == 100


def test_conditions_make_a_pool() -> None:
    entry = EntryConditions(fee_cents=5555, retained_percent="10")
    assert entry_pool(entry, 36).pool_cents == 179_982
    assert entry_pool(entry, 36, added_cents=18).pool_cents == 180_000


PERCENTAGES = st.lists(st.integers(1, 40), min_size=1, max_size=12).map(
    lambda parts: [Fraction(100 * part, sum(parts)) for part in parts]
)


@clause(*tas("16.2.2(h)"), "act-2015:15.4(h)")
@given(st.integers(0, 10**9), PERCENTAGES)
def test_prizes_by_percentage_are_the_pool_to_the_cent(pool: int, percent: list[Fraction]) -> None:
    """Whole dollars down, the rest to first [tas-2018:16.2.2(h), act-2015:15.4(h)] S8"""
    prizes = divided(pool, percent)
    assert sum(prizes) == pool
    assert all(prize % 100 == 0 for prize in prizes[1:])
    for prize, each in zip(prizes[1:], percent[1:], strict=True):
        assert prize <= pool * each / 100 < prize + 100
    assert prizes[0] >= pool * percent[0] / 100


def test_prizes_come_from_the_list_or_from_percentages() -> None:
    assert prizes_of(1, listed=[500, 300]) == (500, 300)
    assert prizes_of(100_000, percent=["50", 30, 20.0]) == (50_000, 30_000, 20_000)
    assert prizes_of(100_000) == ()
    with pytest.raises(MalformedError, match="come to 110, not 100"):
        prizes_of(100, percent=["60", "50"])


@clause(*tas("16.2.1"), "act-2015:15.21")
@pytest.mark.parametrize(
    ("document", "cited"),
    [("tas-2018", "16.2.1"), ("tas-2013", "15.2.1"), ("act-2015", "15.21"), ("mbs-2017", "")],
)
def test_prizes_return_the_whole_pool(document: str, cited: str) -> None:
    """The balance is the prize pool [tas-2018:16.2.1], all of it prizes [act-2015:15.21]."""
    rules = load_ruleset(document)
    assert not_returned(800, [500, 300], rules) is None
    assert not_returned(799, [500, 300], rules) is None
    clause_id = f"{document}:{cited}" if cited else "conditions"
    assert not_returned(801, [500, 300], rules) == Shortfall(1, clause_id)


@clause(*tas("16.2(lead)"))
def test_what_the_list_has_above_the_pool_the_operator_adds() -> None:
    """[tas-2018:16.2(lead)]"""
    assert [to_be_added(pool, [500, 300]) for pool in (799, 800, 801)] == [1, 0, 0]


@given(st.lists(st.integers(0, 10**8), max_size=9), st.integers(1, 14))
def test_shares_are_equal_and_cost_less_than_a_cent_each(prizes: list[int], people: int) -> None:
    """Combined and divided equally [tas-2018:16.8.4, act-2015:15.23] S6"""
    share = share_prizes(prizes, people)
    assert share.each_cents * people == sum(prizes) + share.added_cents
    assert 0 <= share.added_cents < people
    assert share_prizes([5000, 3000], 3) == Share(2667, 1)


# refunds


@clause(*tas("16.2(lead)"))
@pytest.mark.parametrize("document", TASMANIA)
@pytest.mark.parametrize(
    ("days", "back"), [(30, True), (8, True), (7, True), (6, False), (0, False), (-1, False)]
)
def test_seven_days_before_by_the_calendar(document: str, days: int, back: bool) -> None:
    """Withdrawn not less than seven days before [tas-2018:16.2(lead)] S11"""
    rules = load_ruleset(document)
    deadline = refund_deadline([START], rules)
    assert deadline == date(2026, 3, 7)
    refund = refund_of(5555, rules, deadline=deadline, withdrawn=START - timedelta(days=days))
    lead = "16.2(lead)" if document == "tas-2018" else "15.2(lead)"
    assert refund == Refund(5555 if back else 0, f"{document}:{lead}")


@clause(*tas("16.2(lead)", "16.2.4"))
@pytest.mark.parametrize("document", TASMANIA)
def test_tasmania_returns_fees_of_what_does_not_proceed_but_never_to_the_disqualified(
    document: str,
) -> None:
    """[tas-2018:16.2(lead), 16.2.4] O1"""
    rules = load_ruleset(document)
    edition = "16" if document == "tas-2018" else "15"
    lead, never = (f"{document}:{edition}.2{more}" for more in ("(lead)", ".4"))
    late = START - timedelta(days=1)
    deadline = refund_deadline([START], rules)
    assert refund_of(100, rules, cancelled=True) == Refund(100, lead)
    assert refund_of(100, rules, deadline=deadline, withdrawn=late, cancelled=True) == (
        Refund(100, lead)
    )
    assert refund_of(100, rules) == Refund(0, lead)
    for more in ({}, {"cancelled": True}, {"withdrawn": date(2026, 1, 1), "deadline": deadline}):
        assert refund_of(100, rules, disqualified=True, **more) == Refund(0, never)


@clause("act-2015:15.25(1)", "act-2015:15.25(2)")
def test_canberra_returns_nothing_unless_cancelled_and_then_everything_to_all() -> None:
    """[act-2015:15.25(1), act-2015:15.25(2)] O1"""
    rules = load_ruleset("act-2015")
    kept, all_back = Refund(0, "act-2015:15.25(1)"), Refund(12_000, "act-2015:15.25(2)")
    assert refund_deadline([START], rules) is None
    assert refund_of(12_000, rules, withdrawn=date(2026, 1, 1)) == kept
    assert refund_of(12_000, rules) == kept
    assert refund_of(12_000, rules, disqualified=True) == kept
    assert refund_of(12_000, rules, cancelled=True) == all_back
    assert refund_of(12_000, rules, cancelled=True, disqualified=True) == all_back


def test_singapore_returns_what_the_conditions_say() -> None:
    """The document is silent; a fee for what is not played comes back."""
    rules = load_ruleset("mbs-2017")
    assert refund_deadline([START], rules) is None
    deadline = refund_deadline([START], rules, days=3)
    assert deadline == date(2026, 3, 11)
    assert refund_of(100, rules, withdrawn=START) == Refund(0, "conditions")
    assert refund_of(100, rules, withdrawn=deadline, deadline=deadline) == (
        Refund(100, "conditions")
    )
    assert refund_of(100, rules, cancelled=True) == Refund(100, "conditions")


@clause(*tas("16.2(lead)"))
def test_of_a_start_that_was_moved_the_kinder_deadline_counts() -> None:
    """[tas-2018:16.2(lead), 16.3.4] O5"""
    rules = load_ruleset("tas-2018")
    for moved in (START + timedelta(days=10), START - timedelta(days=10)):
        assert refund_deadline([START, moved], rules) == max(START, moved) - timedelta(days=7)
    assert refund_deadline([date(1, 1, 3)], rules) == date.min


def test_days_are_counted_by_the_casinos_clock() -> None:
    """S11, S55"""
    start = "2026-03-14T18:00:00+11:00"
    assert read_day(start) == START
    assert read_day("2026-03-07T12:59:59Z", beside=start) == date(2026, 3, 7)
    assert read_day("2026-03-07T13:00:00Z", beside=start) == date(2026, 3, 8)
    assert read_day("2026-03-07T23:59:59+11:00", beside=start) == date(2026, 3, 7)
    assert read_day("2026-03-07", beside=start) == date(2026, 3, 7)
    assert read_day("2026-03-07T13:00:00Z", beside="2026-03-14") == date(2026, 3, 7)
    assert read_day("0001-01-01T00:00:00+23:00", beside=start) == date.min


NO_DAYS = ["", "tomorrow", "2026-02-30", "2026-13-01", "2026-03-14T18:00:00", "14.03.2026", "٢٠٢٦"]


@pytest.mark.parametrize("written", NO_DAYS)
def test_dates_that_are_none_are_refused(written: str) -> None:
    with pytest.raises(MalformedError, match="not a date"):
        read_day(written)


# the same again, plainly: nothing below uses what it checks


def plain_pool(chance: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Any figures, and what they come to, counted in whole numbers alone."""
    fee, entries = chance.randint(0, 100_000), chance.randint(0, 400)
    tenths, added = chance.randint(0, 1000), chance.choice([0, chance.randint(0, 10**6)])
    commission, mode = chance.randint(0, fee), chance.choice(["inside", "beside"])
    if mode == "inside" and fee * (1000 - tenths) < commission * 1000:
        commission = 0
    fees = 0
    for _ in range(entries):
        fees += fee
    kept = fees * tenths // 1000
    pool = fees - kept + added
    if mode == "inside":
        pool -= commission * entries
    parts = [chance.randint(1, 30) for _ in range(chance.randint(1, 8))]
    parts[0] += 100 - sum(parts) if sum(parts) < 100 else 0
    while sum(parts) > 100:
        parts[parts.index(max(parts))] -= 1
    prizes = [pool * part // 100 // 100 * 100 for part in parts]
    prizes[0] = pool - sum(prizes[1:])
    asked: dict[str, Any] = {"fee": fee, "entries": entries, "tenths": tenths, "added": added}
    asked |= {"commission": commission, "mode": mode, "parts": parts}
    figures = [fees, kept, commission * entries, pool]
    return asked, {"figures": figures, "prizes": prizes}


def test_a_plain_pool_agrees() -> None:
    """10,000 of them."""
    chance = Random(16)
    for _ in range(CASES):
        asked, wanted = plain_pool(chance)
        pool = pool_of(
            asked["fee"],
            asked["entries"],
            retained=Fraction(f"{asked['tenths']}/10"),
            commission_cents=asked["commission"],
            mode=asked["mode"],
            added_cents=asked["added"],
        )
        figures = [pool.fees_cents, pool.retained_cents, pool.commission_cents, pool.pool_cents]
        prizes = prizes_of(pool.pool_cents, percent=asked["parts"])
        assert {"figures": figures, "prizes": list(prizes)} == wanted, asked


MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def day_number(text: str) -> int:
    """Days since the beginning of the year 2000, counted one after another."""
    year, month, day = (int(part) for part in text.split("-"))
    days = sum(366 if one % 4 == 0 else 365 for one in range(2000, year))
    leap = 1 if month > 2 and year % 4 == 0 else 0
    return days + sum(MONTHS[: month - 1]) + leap + day


def plain_refund(ruleset: str, paid: int, start: str, withdrawn: str, flags: str) -> list[object]:
    if ruleset == "act-2015":
        return [paid, "act-2015:15.25(2)"] if "c" in flags else [0, "act-2015:15.25(1)"]
    if ruleset == "mbs-2017":
        return [paid if "c" in flags else 0, "conditions"]
    chapter = {"tas-2018": "tas-2018:16.2", "tas-2013": "tas-2013:15.2"}[ruleset]
    if "d" in flags:
        return [0, f"{chapter}.4"]
    if "c" in flags:
        return [paid, f"{chapter}(lead)"]
    if withdrawn and day_number(start) - day_number(withdrawn) >= 7:
        return [paid, f"{chapter}(lead)"]
    return [0, f"{chapter}(lead)"]


def test_a_plain_refund_agrees() -> None:
    """10,000 of them, around every turn of month and year."""
    chance, back = Random(17), 0
    for _ in range(CASES):
        ruleset, paid = chance.choice(RULESETS), chance.randint(1, 10**6)
        start = date(2024, 1, 10) + timedelta(days=chance.randint(0, 1500))
        left = start - timedelta(days=chance.randint(-3, 20)) if chance.random() < 0.8 else None
        flags = chance.choice(["", "", "", "c", "d", "cd"])
        rules = load_ruleset(ruleset)
        ours = refund_of(
            paid,
            rules,
            deadline=refund_deadline([start], rules),
            withdrawn=left,
            cancelled="c" in flags,
            disqualified="d" in flags,
        )
        plain = plain_refund(ruleset, paid, str(start), str(left or ""), flags)
        assert [ours.refund_cents, ours.clause] == plain, (ruleset, start, left, flags)
        back += bool(ours.refund_cents)
    assert 2000 < back < 8000
