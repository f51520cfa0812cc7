"""All of a patron's wagers at once: what the single commands would do one by one, or nothing."""

from collections.abc import Iterable
from contextlib import suppress
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.decide import decide
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Table
from tests.kit.clauses import clause
from tests.kit.table.at import At, balanced, contest, ready
from tests.kit.table.verified import sound

AMOUNTS = (100, 2_500, 5_000, 10_000, 12_345, 100_000, 600_000, 2_000_000)
LAID = st.dictionaries(st.sampled_from(Bet), st.sampled_from(AMOUNTS), max_size=5)
TABLES = [(ready, name) for name in RULESETS] + [(contest, name) for name in RULESETS]


def ask_for(laid: dict[Bet, int]) -> c.LayWagers:
    return c.LayWagers(tuple(c.Stake(on, cents) for on, cents in laid.items()))


def lying(table: Table, person: str = "ann") -> dict[Bet, int]:
    wagers = table.coup.wagers if table.coup else ()
    return {wager.on: wager.cents for wager in wagers if wager.by == person}


def singly(table: Table, wanted: dict[Bet, int]) -> Iterable[c.TableCommand]:
    """The commands by which somebody would do it by hand: first what comes off the layout."""
    now = lying(table)
    yield from (c.WithdrawWager(1, on) for on in now if on not in wanted)
    for more in (False, True):
        for on, cents in wanted.items():
            if on in now and cents != now[on] and (cents > now[on]) is more:
                yield c.ChangeWager(1, on, cents)
    yield from (c.PlaceWager(1, on, cents) for on, cents in wanted.items() if on not in now)


def one_by_one(at: At, wanted: dict[Bet, int]) -> tuple[list[events.TableEvent], Refused | None]:
    table, done = at.table, list[events.TableEvent]()
    for ask in singly(table, wanted):
        try:
            came = decide(table, ask, at.by("ann"))
        except Refused as refused:
            return done, refused
        done += came
        table = reduce(evolve, came, table)
    return done, None


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(TABLES), LAID, LAID, st.sampled_from(("", "over", "called")))
def test_it_is_the_single_commands_or_nothing(
    made: tuple[object, str], before: dict[Bet, int], wanted: dict[Bet, int], moment: str
) -> None:
    make, name = made
    at: At = make(name)  # type: ignore[operator]
    at.do("dan", c.OpenCoup(at.at_ms + 60_000))
    for on, cents in before.items():
        with suppress(Refused):
            at.do("ann", c.PlaceWager(1, on, cents))
    if moment == "over":
        at.later(2)
        with suppress(Refused):  # bets stay open while nobody has made one
            at.do("house", c.RunOut())
    elif moment == "called":
        try:
            at.do("dan", c.NoMoreBets())
        except Refused:
            return  # a player of a competition must bet first
    was = at.table
    expected, refused = one_by_one(at, wanted)
    if refused or not expected:
        with pytest.raises(Refused) as caught:
            decide(was, ask_for(wanted), at.by("ann"))
        if refused:
            found = caught.value
            assert (found.reason, found.clause) == (refused.reason, refused.clause)
            assert found.facts["on"] in {*wanted, *lying(was)}
        assert at.table is was
        return
    assert at.do("ann", ask_for(wanted)) == expected
    assert lying(at.table) == wanted
    assert balanced(at.table)
    assert sound(at)


@clause("tas-2018:6.4")
def test_only_one_s_own_box_is_laid() -> None:
    """A Tie that lies elsewhere stays there."""
    at = ready()
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(2, Bet.TIE, 2_500))
    at.do("bob", ask_for({Bet.BANKER: 10_000}))
    at.do("ann", ask_for({Bet.PLAYER: 5_000}))
    at.do("ann", ask_for({}))
    assert at.table.coup
    left = [(wager.by, wager.box, wager.on) for wager in at.table.coup.wagers]
    assert left == [("ann", 2, Bet.TIE), ("bob", 2, Bet.BANKER)]


@clause("tas-2018:6.1")
def test_one_that_is_refused_refuses_all_and_says_where() -> None:
    at = ready()
    at.do("dan", c.OpenCoup())
    at.do("ann", ask_for({Bet.BANKER: 10_000}))
    wanted = {Bet.PLAYER: 5_000, Bet.TIE: 100_000_000}
    refused = at.refuse("ann", ask_for(wanted), Reason.NOT_ENOUGH_CHIPS)
    assert refused.facts["on"] is Bet.TIE
    assert lying(at.table) == {Bet.BANKER: 10_000}
    low = at.refuse("ann", ask_for({Bet.BANKER: 1_000}), Reason.BELOW_MINIMUM)
    assert low.facts["on"] is Bet.BANKER


def test_chips_that_come_back_are_laid_elsewhere() -> None:
    at = At().open().staffed().seat("ann", dollars=1000).shoe()
    at.do("dan", c.OpenCoup())
    at.do("ann", ask_for({Bet.BANKER: 50_000, Bet.PLAYER: 50_000}))
    at.do("ann", ask_for({Bet.PLAYER: 60_000, Bet.BANKER: 40_000}))
    assert lying(at.table) == {Bet.PLAYER: 60_000, Bet.BANKER: 40_000}


def test_it_is_a_patron_s_own_and_changes_something() -> None:
    at = ready()
    at.refuse("ann", ask_for({}), Reason.BETTING_NOT_OPEN)
    at.do("dan", c.OpenCoup())
    at.refuse("ann", ask_for({}), Reason.WAGERS_LIE_SO)
    at.refuse("dan", ask_for({Bet.TIE: 500}), Reason.NOT_YOUR_ROLE)
    at.refuse("eve", ask_for({Bet.TIE: 500}), Reason.NOT_AT_TABLE)
    twice = c.LayWagers((c.Stake(Bet.TIE, 2_500), c.Stake(Bet.TIE, 5_000)))
    at.refuse("ann", twice, Reason.MALFORMED)
