"""The cage: accounts, chips sold and redeemed, fills and credits; no cent from nowhere."""

from functools import reduce
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.cage import commands as m
from puntobanco.cage import events as m_events
from puntobanco.cage.authority import AUTHORITY
from puntobanco.cage.decide import ROOMS, decide
from puntobanco.cage.evolve import evolve
from puntobanco.cage.state import Cage, Tray
from puntobanco.cage.view import CageView, view
from puntobanco.errors import Reason, Refused
from puntobanco.table.actor import Actor, Role
from puntobanco.table.commands import Approve, DropProposal
from puntobanco.words import one_line
from tests.kit.aggregates import run_cage


def by(person: str, *roles: Role) -> Actor:
    return Actor(person, frozenset(roles), 0)


CAROL = by("carol", Role.CASHIER)
MARA = by("mara", Role.MANAGEMENT)
INES = by("ines", Role.INSPECTOR)
DAN = by("dan", Role.DEALER)
BOTH = by("jill", Role.CASHIER, Role.INSPECTOR)


def house() -> Cage:
    """Ann has paid in 1,000; table-1 has a tray of 50,000."""
    cage = Cage()
    for ask, actor in (
        (m.OpenAccount("ann"), CAROL),
        (m.Deposit("ann", 100_000), CAROL),
        (m.OpenTray("table-1", 5_000_000), MARA),
    ):
        cage, _ = run_cage(cage, ask, actor)
    return cage


def refused(cage: Cage, ask: m.CageCommand, actor: Actor) -> Reason:
    with pytest.raises(Refused) as caught:
        decide(cage, ask, actor)
    assert "{" not in one_line(caught.value)
    return caught.value.reason


def test_chips_are_bought_from_an_account_and_redeemed_into_it() -> None:
    cage, _ = run_cage(house(), m.SellChips("ann", "table-1", 60_000), DAN)
    assert (cage.accounts["ann"], cage.chips_out_cents) == (40_000, 60_000)
    cage, _ = run_cage(cage, m.RedeemChips("ann", "table-1", 90_000), DAN)
    assert (cage.accounts["ann"], cage.chips_out_cents) == (130_000, -30_000)
    assert cage.balances


def test_nobody_spends_more_than_their_account_has() -> None:
    cage = house()
    assert refused(cage, m.SellChips("ann", "table-1", 100_001), DAN) is Reason.ACCOUNT_SHORT
    assert refused(cage, m.Withdraw("ann", 100_001), CAROL) is Reason.ACCOUNT_SHORT
    assert refused(cage, m.Deposit("bob", 1), CAROL) is Reason.NO_ACCOUNT
    assert refused(cage, m.OpenAccount("ann"), CAROL) is Reason.ACCOUNT_IS_OPEN
    assert refused(cage, m.SellChips("ann", "table-2", 1), DAN) is Reason.NO_TRAY
    assert refused(cage, m.OpenTray("table-1", 1), MARA) is Reason.TRAY_IS_OPEN


def test_fills_and_credits_have_unbroken_numbers_and_two_people() -> None:
    cage, first = run_cage(house(), m.RequestSlip("fill", "table-1", 1_000_000), INES)
    cage, second = run_cage(cage, m.RequestSlip("credit", "table-1", 300_000), INES)
    cage, third = run_cage(cage, m.RequestSlip("fill", "table-1", 5), BOTH)
    numbers = [getattr(event, "number", 0) for (event,) in (first, second, third)]
    assert numbers == [1, 2, 3]
    assert cage.trays["table-1"] == Tray(5_000_000)
    cage, _ = run_cage(cage, m.CompleteSlip(1), CAROL)
    cage, _ = run_cage(cage, m.CompleteSlip(2), CAROL)
    assert cage.trays["table-1"] == Tray(5_000_000, 1_000_000, 300_000)
    assert refused(cage, m.CompleteSlip(1), CAROL) is Reason.NO_SUCH_SLIP
    assert refused(cage, m.CompleteSlip(3), BOTH) is Reason.SAME_PERSON
    cage, _ = run_cage(cage, m.VoidSlip(3, "asked twice"), INES)
    assert refused(cage, m.CompleteSlip(3), CAROL) is Reason.NO_SUCH_SLIP
    _, (fourth,) = run_cage(cage, m.RequestSlip("fill", "table-1", 5), INES)
    assert getattr(fourth, "number", 0) == 4


def test_a_pot_takes_fees_and_ends_at_nothing() -> None:
    """Fees in, a refund and what is retained out, the rest paid as prizes [tas-2018:16.2.1]."""
    cage = house()
    for ask, actor in (
        (m.TakeFee("cup", "ann", 10_000, 500), CAROL),
        (m.TakeFee("cup", "ann", 10_000, 500), CAROL),
        (m.RefundFee("cup", "ann", 10_500), CAROL),
        (m.AddToPot("cup", 2_000), MARA),
        (m.Retain("cup", 1_500), MARA),
    ):
        cage, _ = run_cage(cage, ask, actor)
        assert cage.balances
    assert cage.pots["cup"].cents == 11_000
    assert refused(cage, m.PayFromPot("cup", "ann", 11_002, 1), CAROL) is Reason.POT_SHORT
    cage, told = run_cage(cage, m.PayFromPot("cup", "ann", 11_001, 1), CAROL)
    assert told == [m_events.PotAddedTo("cup", 1), m_events.PaidFromPot("cup", "ann", 11_001)]
    assert (cage.pots["cup"].cents, cage.balances) == (0, True)
    assert view(cage, "ann", frozenset({Role.PATRON})).pots == {}
    assert view(cage, "carol", frozenset({Role.CASHIER})).pots == cage.pots


def test_a_count_stands_beside_what_must_be_there() -> None:
    cage, _ = run_cage(house(), m.SellChips("ann", "table-1", 60_000), DAN)
    cage, _ = run_cage(cage, m.RequestSlip("fill", "table-1", 1_000_000), INES)
    cage, _ = run_cage(cage, m.CompleteSlip(1), CAROL)
    cage, _ = run_cage(cage, m.RedeemChips("ann", "table-1", 20_000), DAN)
    counted = m.CountTray("table-1", 5_999_500, bank_cents=40_000)
    (event,) = decide(cage, counted, INES)
    assert event == m_events.TrayCounted("table-1", 6_000_000, 5_999_500, "ines")


def test_a_slip_and_a_count_name_chips_that_come_to_the_amount() -> None:
    cage, piles = house(), (m.Pile(2_500, 40), m.Pile(10_000, 9))
    cage, (told,) = run_cage(cage, m.RequestSlip("fill", "table-1", 190_000, piles), INES)
    assert isinstance(told, m_events.SlipRequested)
    assert told.chips == piles == cage.slips[1].chips
    wrong = m.RequestSlip("fill", "table-1", 190_001, piles)
    assert refused(cage, wrong, INES) is Reason.COUNT_NOT_THE_AMOUNT
    twice = m.RequestSlip("fill", "table-1", 5_000, (m.Pile(2_500, 1), m.Pile(2_500, 1)))
    assert refused(cage, twice, INES) is Reason.COUNTED_TWICE
    counted = m.CountTray("table-1", 190_000, chips=piles)
    cage, _ = run_cage(cage, counted, INES)
    assert cage.trays["table-1"].chips == piles
    off = m.CountTray("table-1", 190_100, chips=piles)
    assert refused(cage, off, INES) is Reason.COUNT_NOT_THE_AMOUNT


def test_a_command_without_a_count_is_stored_as_it_always_was() -> None:
    """Rows from before counts could be said must be, to the byte, what they were."""
    asked = m.RequestSlip("fill", "table-1", 5)
    assert msgspec.json.encode(asked) == (
        b'{"do":"request-slip","kind":"fill","table":"table-1","cents":5}'
    )
    assert msgspec.json.encode(m.CountTray("table-1", 5)) == (
        b'{"do":"count-tray","table":"table-1","counted_cents":5,"bank_cents":0}'
    )
    (told,) = decide(house(), m.Deposit("ann", 5), CAROL)
    assert msgspec.json.encode(told) == b'{"is":"money-deposited","person":"ann","cents":5}'


def test_a_drawer_is_counted_against_what_its_cashier_took_in_and_gave_out() -> None:
    cage, cora = house(), by("cora", Role.CASHIER)
    floating = m.OpenDrawer((m.Pile(5_000, 20),), (m.Pile(10_000, 300),))
    cage, _ = run_cage(cage, floating, CAROL)
    assert refused(cage, floating, CAROL) is Reason.DRAWER_IS_OPEN
    for ask, actor in (
        (m.Deposit("ann", 30_000), CAROL),
        (m.Withdraw("ann", 12_000), CAROL),
        (m.Deposit("ann", 70_000), cora),  # at another window, without a drawer
        (m.RequestSlip("fill", "table-1", 1_000_000), INES),
        (m.RequestSlip("credit", "table-1", 250_000), INES),
        (m.CompleteSlip(1), CAROL),
        (m.CompleteSlip(2), CAROL),
    ):
        cage, _ = run_cage(cage, ask, actor)
    drawer = cage.drawers["carol"]
    assert (drawer.cash_cents, drawer.chips_cents) == (118_000, 2_250_000)
    counting = m.CloseDrawer((m.Pile(5_000, 23),), (m.Pile(10_000, 225),), note="30 short")
    assert refused(cage, counting, cora) is Reason.NO_DRAWER
    other = msgspec.structs.replace(counting, person="carol")
    assert refused(cage, other, cora) is Reason.NOT_YOUR_ROLE
    assert decide(cage, other, MARA)  # for a cashier who is gone
    cage, told = run_cage(cage, counting, CAROL)
    cash, chips = counting.cash, counting.chips
    assert told == [
        m_events.DrawerClosed("carol", "carol", 118_000, 2_250_000, cash, chips, "30 short")
    ]
    assert cage.drawers == {}
    assert cage.balances


@pytest.mark.parametrize(
    "kind", get_args(m.CageCommand), ids=lambda kind: kind.__struct_config__.tag
)
def test_what_is_not_listed_is_refused(kind: type[m.CageCommand]) -> None:
    assert set(AUTHORITY) == set(ROOMS) == set(get_args(m.CageCommand))
    asks: dict[type, m.CageCommand] = {
        m.OpenAccount: m.OpenAccount("bob"),
        m.Deposit: m.Deposit("ann", 1),
        m.Withdraw: m.Withdraw("ann", 1),
        m.SellChips: m.SellChips("ann", "table-1", 1),
        m.RedeemChips: m.RedeemChips("ann", "table-1", 1),
        m.OpenTray: m.OpenTray("table-2", 1),
        m.RequestSlip: m.RequestSlip("fill", "table-1", 1),
        m.CompleteSlip: m.CompleteSlip(1),
        m.VoidSlip: m.VoidSlip(1, ""),
        m.CountTray: m.CountTray("table-1", 1, 0),
        m.OpenDrawer: m.OpenDrawer(()),
        m.CloseDrawer: m.CloseDrawer((), person="carol"),
        Approve: Approve(1),
        DropProposal: DropProposal(1),
        m.TakeFee: m.TakeFee("cup", "ann", 1),
        m.RefundFee: m.RefundFee("cup", "ann", 1),
        m.AddToPot: m.AddToPot("cup", 1),
        m.Retain: m.Retain("cup", 1),
        m.PayFromPot: m.PayFromPot("cup", "ann", 1),
    }
    cage, _ = run_cage(house(), m.RequestSlip("fill", "table-1", 1), INES)
    cage, _ = run_cage(cage, m.TakeFee("cup", "ann", 5), CAROL)
    cage, _ = run_cage(cage, m.OpenDrawer(()), CAROL)
    cage, _ = run_cage(cage, m.Deposit("ann", 2, limit_cents=1), CAROL)
    for role in Role:
        actor = by("carol" if kind is m.CloseDrawer else "somebody", role)
        if role in AUTHORITY[kind].roles:
            assert decide(cage, asks[kind], actor)
        else:
            assert refused(cage, asks[kind], actor) is Reason.NOT_YOUR_ROLE


def test_a_patron_sees_their_own_account_and_nothing_else() -> None:
    cage = house()
    assert view(cage, "ann", frozenset({Role.PATRON})) == CageView(100_000)
    assert view(cage, "bob", frozenset({Role.PATRON})) == CageView()
    assert view(cage, "dan", frozenset({Role.DEALER})) == CageView()
    whole = view(cage, "carol", frozenset({Role.CASHIER}))
    assert (whole.accounts, whole.cash_cents) == ({"ann": 100_000}, 100_000)


people, cents = st.sampled_from(("ann", "bob")), st.integers(1, 50_000)
tables, numbers = st.sampled_from(("table-1", "table-2")), st.integers(1, 6)
asked = st.one_of(
    st.builds(m.OpenAccount, people),
    st.builds(m.Deposit, people, cents),
    st.builds(m.Withdraw, people, cents),
    st.builds(m.SellChips, people, tables, cents),
    st.builds(m.RedeemChips, people, tables, cents),
    st.builds(m.OpenTray, tables, cents),
    st.builds(m.RequestSlip, st.sampled_from(("fill", "credit")), tables, cents),
    st.builds(m.CompleteSlip, numbers),
    st.builds(m.VoidSlip, numbers, st.just("why")),
    st.builds(m.OpenDrawer, st.just((m.Pile(5_000, 2),))),
    st.builds(m.CloseDrawer, st.just((m.Pile(5_000, 2),))),
)


@given(st.lists(st.tuples(asked, st.sampled_from((CAROL, MARA, INES, DAN, BOTH))), max_size=60))
def test_every_cent_is_accounted_for_and_any_history_is_rebuilt(
    history: list[tuple[m.CageCommand, Actor]],
) -> None:
    cage, log = house(), []
    for ask, actor in history:
        before = cage
        try:
            cage, events = run_cage(cage, ask, actor)
        except Refused:
            assert cage is before
            continue
        log += events
        assert cage.balances
        assert min(cage.accounts.values()) >= 0
    stored = msgspec.json.decode(msgspec.json.encode(log), type=list[m_events.CageEvent])
    assert reduce(evolve, stored, house()) == cage
