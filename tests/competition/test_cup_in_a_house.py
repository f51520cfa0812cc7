"""A competition in a real house: every command through one door, money at the cage, one journal."""

from pathlib import Path
from typing import Any

import pytest

import puntobanco_verifier
from puntobanco.cage import commands as cage
from puntobanco.competition import commands as c
from puntobanco.competition.state import CompetitionPhase, EntryStatus
from puntobanco.errors import Reason
from puntobanco.house.checks.audit import audit
from puntobanco.house.checks.beside import beside_fault
from puntobanco.house.lookback.export import export
from puntobanco.house.stream import Given
from puntobanco.journal.envelope import GivenBy
from puntobanco.journal.log import Append
from puntobanco.register import commands as register
from puntobanco.table.actor import Role
from puntobanco.table.result import SessionResult
from tests.kit.clauses import clause
from tests.kit.competition.cup import WORDS, cup_text
from tests.kit.competition.in_house import CUP, CupHouse, in_house
from tests.kit.house.driver import house_over


@clause("tas-2018:16.2(lead)", "tas-2018:16.2.6")
def test_an_entry_and_its_fee_are_one_append(tmp_path: Path) -> None:
    """Whoever pays has the receipt's deadline on record, and the pot has the fee."""

    async def play(cups: CupHouse) -> None:
        await cups.opened()
        await cups.enter("p1")
        assert cups.cup.entries["p1"].refund_until == "2026-03-07"
        now = cups.house.cage.state
        assert (now.accounts["p1"], now.pots["spring"].cents) == (4_445, 5_555)
        assert now.balances
        await cups.do("p1", c.Withdraw())
        now = cups.house.cage.state
        assert (now.accounts["p1"], now.pots["spring"].cents) == (10_000, 0)
        assert now.balances
        assert cups.cup.entries["p1"].status is EntryStatus.WITHDRAWN

    in_house(tmp_path, play)


def test_nobody_enters_on_credit_and_nothing_is_half_done(tmp_path: Path) -> None:
    async def play(cups: CupHouse) -> None:
        await cups.opened()
        await cups.do("mara", register.Enrol("poor", "patron"), "register")
        await cups.do("carol", cage.OpenAccount("poor"), "cage")
        await cups.do("poor", c.Apply())
        await cups.do("carol", c.Accept("poor"))
        await cups.do("poor", c.Endorse(1))
        rows = cups.house.written
        assert await cups.refused("poor", c.PayEntry()) is Reason.ACCOUNT_SHORT
        assert cups.house.written == rows
        assert cups.cup.entries["poor"].status is EntryStatus.ENDORSED
        half = cage.TakeFee("spring", "poor", 1)
        assert await cups.refused("carol", half, "cage") is Reason.WITH_THE_COMPETITION

    in_house(tmp_path, play)


@pytest.mark.parametrize(("first", "second"), [("dora", "mara"), ("mara", "dora")])
def test_whoever_publishes_first_in_a_house_its_rule_set_is_kept(
    tmp_path: Path, first: str, second: str
) -> None:
    """A director may: the register keeps the text with it."""

    async def play(cups: CupHouse) -> None:
        await cups.staffed()
        await cups.do("mara", c.Draft(cup_text()))
        await cups.two(c.Publish(), first, second)
        assert cups.cup.phase is CompetitionPhase.PUBLISHED
        assert cups.house.register.state.rulesets
        assert audit(cups.house.log).fault is None

    in_house(tmp_path, play)


async def whole(cups: CupHouse) -> None:
    """From the conditions to the last prize."""
    await cups.opened()
    await cups.enter(*(f"p{i}" for i in range(1, 7)))
    await cups.do("dora", c.CloseEntries())
    await cups.do("dora", c.SignOn(Role.DIRECTOR))
    await cups.do("dora", c.DesignateTable("table-1"))
    for number in (1, 2):
        await cups.do("dora", c.Draw(WORDS))
        await cups.do("dora", c.PrepareSession())
        await cups.do("dora", c.StartSession())
        session = cups.cup.now
        held = {p: 1_000_000 - 10_000 * int(p[1:]) for p in session.seats["table-1"].values()}
        result = SessionResult(session.id, "coups", 30, held)
        await cups.do("house", c.TakeResult("table-1", 1, result, number))
        await cups.do("dora", c.ConfirmStage())
        if number == 1:
            await cups.do("dora", c.CommitDraw())
    await cups.two(c.ConfirmPlaces())
    for person in ("p1", "p2"):
        await cups.do("carol", c.PayPrize(person))
    await cups.do("dora", c.PublishResults())


@clause("tas-2018:16.2.1")
def test_a_whole_competition_empties_its_pot_and_verifies(tmp_path: Path) -> None:
    async def play(cups: CupHouse) -> None:
        await whole(cups)
        assert cups.cup.phase is CompetitionPhase.DONE
        pot = cups.house.cage.state.pots["spring"]
        assert (pot.fees_cents, pot.retained_cents, pot.paid_cents) == (33_330, 3_333, 29_997)
        assert pot.cents == 0
        assert cups.house.cage.state.balances
        found = audit(cups.house.log)
        assert found.fault is not None  # nobody played at table-1: its results are made up
        assert found.fault.what.startswith("takes a result that table-1 did not have")
        assert len(found.commitments) == 2
        assert beside_fault(cups.house.log, found.commitments, cups.house.keys) is None
        assert found.otherwise == found.without == 0
        for stream, counted in (("cage", "movements"), (CUP, "places")):
            lines = (line.decode() for line in export(cups.house.log, stream))
            verify: Any = puntobanco_verifier.verify
            assert verify(lines)[counted]
        again = house_over(cups.house.log)
        assert again.competitions[CUP].state == cups.cup

    in_house(tmp_path, play)


@clause("act-2015:15.25(2)")
def test_a_cancelled_competition_refunds_everybody(tmp_path: Path) -> None:
    async def play(cups: CupHouse) -> None:
        await cups.opened()
        await cups.enter("p1", "p2")
        await cups.do("mara", c.AddValue(5_000, "cash"))
        await cups.two(c.Cancel("too few"))
        assert cups.house.cage.state.pots["spring"].cents == 2 * 5_555
        for person in ("p1", "p2"):
            await cups.do("house", c.PayRefund(person))
            assert cups.house.cage.state.accounts[person] == 10_000
        assert cups.house.cage.state.pots["spring"].cents == 0
        assert cups.cup.money.pot_cents == 0
        assert audit(cups.house.log).fault is None

    in_house(tmp_path, play)


def test_an_unopened_seed_is_under_the_root_and_a_changed_one_is_found(tmp_path: Path) -> None:
    async def play(cups: CupHouse) -> None:
        await cups.opened()
        committed = cups.cup.commitment
        await cups.house.record_root()
        found = audit(cups.house.log)
        assert list(found.commitments) == [committed]
        assert beside_fault(cups.house.log, found.commitments, cups.house.keys) is None
        assert beside_fault(cups.house.log, found.commitments, (b"x" * 32,)) is not None
        assert await cups.refused("dora", c.CommitDraw("0" * 64)) is Reason.HOUSE_COMMITS

    in_house(tmp_path, play)


@pytest.mark.parametrize("forged", ["refund", "fee"])
def test_money_that_moves_without_its_half_is_found(tmp_path: Path, forged: str) -> None:
    """A row of the cage that no row of the competition brought about is no such row."""

    async def play(cups: CupHouse) -> None:
        await cups.opened()
        await cups.enter("p1")
        ask: cage.CageCommand = cage.TakeFee("spring", "p1", 100)
        if forged == "refund":
            ask = cage.RefundFee("spring", "p1", 100)
        by = cups.house.actor("carol")
        roles = GivenBy(tuple(sorted(by.roles)), cups.house.register.seq, at=CUP)
        given = Given(ask, ask, by, roles, "forged")
        entry = cups.house.cage.entry(given)
        await cups.house.log.append(Append((entry,)))
        fault = audit(cups.house.log).fault
        assert fault is not None
        assert fault.stream == "cage"

    in_house(tmp_path, play)


def test_the_same_command_again_is_the_first_outcome(tmp_path: Path) -> None:
    async def play(cups: CupHouse) -> None:
        await cups.opened()
        await cups.enter("p1")
        rows = cups.house.written
        await cups.do("p1", c.Withdraw(), command_id="once-only")
        await cups.do("p1", c.Withdraw(), command_id="once-only")
        assert cups.house.written == rows + 2
        assert cups.house.cage.state.accounts["p1"] == 10_000

    in_house(tmp_path, play)


def test_staff_do_not_enter_and_strangers_direct_nothing(tmp_path: Path) -> None:
    async def play(cups: CupHouse) -> None:
        await cups.opened()
        assert await cups.refused("carol", c.Apply("dora")) is Reason.NOT_A_PATRON
        assert await cups.refused("carol", c.Apply("nobody")) is Reason.NOT_ENROLLED
        assert await cups.refused("carol", c.CloseEntries()) is Reason.NOT_YOUR_ROLE
        await cups.do("mara", c.Draft(cup_text()), "competition-other")
        dora = await cups.refused("dora", c.Draft(cup_text()), "competition-other")
        assert dora is Reason.NOT_YOUR_ROLE
        gone = await cups.refused("dora", c.OpenEntries(), "competition-none")
        assert gone is Reason.NO_SUCH_COMPETITION

    in_house(tmp_path, play)
