"""Every door leads to one way in: a command means one thing, whoever carries it there."""

import asyncio
from pathlib import Path

import httpx
import msgspec
import pytest

from puntobanco.cage import commands as cage
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.checks.audit import audit
from puntobanco.house.house import House
from puntobanco.house.intents import BetMore
from puntobanco.journal.envelope import decode
from puntobanco.journal.log import EventLog, ReusedError
from puntobanco.register import commands as register
from puntobanco.register.settings import ChipKind
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.session import wager_of
from tests.kit.house.driver import Driver, enrol, house_over
from tests.kit.journal import using
from tests.kit.office import Office, office_of


async def betting(log: EventLog) -> Driver:
    """Ann sits at box 1 with chips, Bob at box 2 without any; bets are open."""
    driver = await (await Driver(house_over(log)).open()).shoe()
    await driver.do("bob", c.Sit(2))
    await driver.do("dan", c.OpenCoup())
    return driver


def last(house: House) -> tuple[dict[str, object], dict[str, object]]:
    """What was asked in the last row of the table, and what it came to."""
    row = list(house.log.read("table-1"))[-1]
    envelope = decode(row.command or b"")
    asked = bytes(envelope.asked) or bytes(envelope.command)
    return msgspec.json.decode(asked), msgspec.json.decode(envelope.command)


def test_a_used_id_is_known_by_what_was_asked_not_by_who_asked(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = (await betting(log)).house
        first = await house.give("table-1", BetMore(Bet.BANKER, 5000), "ann", "bet-1")
        again = await house.give("table-1", BetMore(Bet.BANKER, 5000), "ann", "bet-1")
        assert again == first
        with pytest.raises(ReusedError):
            await house.give("table-1", BetMore(Bet.PLAYER, 20_000), "ann", "bet-1")
        with pytest.raises(ReusedError):
            await house.give("table-1", BetMore(Bet.BANKER, 5000), "bob", "bet-1")
        (wager,) = house.tables["table-1"].state.coup.wagers  # type: ignore[union-attr]
        assert (wager.on, wager.cents) == (Bet.BANKER, 5000)

    using(str(tmp_path / "house.db"), use)


def test_what_was_asked_is_kept_beside_what_it_came_to(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = (await betting(log)).house
        more = {"do": "bet-more", "on": "banker", "cents": 2500}
        await house.give("table-1", BetMore(Bet.BANKER, 2500), "ann", "bet-1")
        asked, command = last(house)
        assert (asked, command["do"], command["cents"]) == (more, "place-wager", 2500)
        await house.give("table-1", BetMore(Bet.BANKER, 2500), "ann", "bet-2")
        asked, command = last(house)
        assert (asked, command["do"], command["cents"]) == (more, "change-wager", 5000)
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)


async def by_api(office: Office, box: int) -> httpx.Response:
    body = {"box": box, "on": "player", "cents": 2500}
    headers = {
        **office._headers("dan"),
        "accept": "application/json",
        "command-id": f"by-the-api-{box}",
    }
    return await office._client.post("/api/tables/table-1/place-wager", headers=headers, json=body)


async def by_form(office: Office, box: int) -> httpx.Response:
    form = {"box": str(box), "on": "player", "cents@money": "25"}
    return await office.post("/tables/table-1/do/place-wager", "dan", form)


async def by_line(office: Office, box: int) -> httpx.Response:
    return await office.post("/tables/table-1/box", "dan", {"wager": f"{box} p 25"})


@pytest.mark.parametrize("door", [by_api, by_form, by_line])
def test_a_dealer_names_a_box_and_means_whoever_sits_there(door: object, tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await betting(log)
        async with office_of(driver.house) as office:
            answer = await door(office, 1)  # type: ignore[operator]
            assert answer.status_code in (200, 303), answer.text
            (wager,) = driver.house.tables["table-1"].state.coup.wagers  # type: ignore[union-attr]
            assert wager.by == "ann"
            empty = await door(office, 7)  # type: ignore[operator]
            assert empty.status_code == 409, empty.text

    using(str(tmp_path / "house.db"), use)


@pytest.mark.parametrize("line", ["9 b 500 late 40", "9 b 500 withdrawn", "9+1 b 500"])
def test_what_the_dealers_line_cannot_carry_is_refused_never_dropped(line: str) -> None:
    with pytest.raises(MalformedError, match="box, bet and amount"):
        wager_of(line)
    assert wager_of("9@ann b 500") == c.PlaceWager(9, Bet.BANKER, 50_000, "ann")


@pytest.mark.parametrize("kind", [c.ChangeWager, c.WithdrawWager])
def test_of_two_with_the_same_wager_at_a_box_staff_must_say_whose(
    kind: type[c.ChangeWager | c.WithdrawWager], tmp_path: Path
) -> None:
    async def use(log: EventLog) -> None:
        driver = await betting(log)
        for person, ask in (
            ("cy", c.StandAt(1)),
            ("carol", cage.OpenAccount("cy")),
            ("carol", cage.Deposit("cy", 100_000)),
            ("dan", c.BuyIn(50_000, "cy")),
            ("ann", c.PlaceWager(1, Bet.TIE, 2500)),
            ("cy", c.PlaceWager(1, Bet.TIE, 2500)),
        ):
            await driver.do(person, ask)
        doubtful = c.ChangeWager(1, Bet.TIE, 5000)
        which = doubtful if kind is c.ChangeWager else c.WithdrawWager(1, Bet.TIE)
        with pytest.raises(Refused) as caught:
            await driver.do("dan", which)
        assert caught.value.reason is Reason.SAY_WHOSE
        assert caught.value.facts["people"] == "ann, cy"

    using(str(tmp_path / "house.db"), use)


# whom the house serves


@pytest.mark.parametrize(
    ("who", "ask", "reason"),
    [
        ("carol", cage.OpenAccount("nobody"), Reason.NOT_ENROLLED),
        ("carol", cage.OpenAccount("dan"), Reason.NOT_A_PATRON),
        ("mara", cage.OpenTray("table-9", 100), Reason.NO_SUCH_TABLE),
        ("ines", cage.CountTray("table-9", 100), Reason.NO_SUCH_TABLE),
        ("carol", cage.Deposit("nobody", 100), Reason.NOT_ENROLLED),
        (
            "ines",
            cage.RequestSlip("fill", "table-1", 300, (cage.Pile(300, 1),)),
            Reason.NO_SUCH_CHIP,
        ),
    ],
)
def test_the_cage_serves_patrons_and_tables_there_are(
    who: str, ask: cage.CageCommand, reason: Reason, tmp_path: Path
) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        await enrol(driver.house, "dan")
        before = log.count()
        with pytest.raises(Refused) as caught:
            await driver.house.give("cage", ask, who, "ask-1")
        assert caught.value.reason is reason
        assert log.count() == before

    using(str(tmp_path / "house.db"), use)


def test_nothing_is_taken_in_for_whoever_was_shut_out_and_all_they_have_is_paid_out(
    tmp_path: Path,
) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        house = driver.house
        await house.give("register", register.Disable("ann", "asked to stay away"), "mara", "out")
        for who, at, ask in (
            ("carol", "cage", cage.Deposit("ann", 100)),
            ("dan", "table-1", c.BuyIn(100, "ann")),
        ):
            with pytest.raises(Refused) as caught:
                await house.give(at, ask, who, f"for ann at {at}")
            assert caught.value.reason is Reason.ACCOUNT_IS_SHUT
        await house.give("cage", cage.Withdraw("ann", 100_000), "carol", "all of it")
        assert house.cage.state.accounts["ann"] == 0
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)


def test_a_slip_goes_by_the_chips_that_the_house_had_then(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        house = driver.house
        chip = ChipKind(300, "#20634a")
        for number, chips in enumerate(((), (chip,), ())):
            await house.give("register", register.SetChips(chips), "mara", f"chips {number}")
            cents = 300 if chips else 2500
            ask = cage.RequestSlip("fill", "table-1", cents, (cage.Pile(cents, 1),))
            await house.give("cage", ask, "ines", f"fill {number}")
        drawer = cage.OpenDrawer((cage.Pile(5000, 2),)), cage.CloseDrawer(())
        for number, to_drawer in enumerate(drawer):
            await house.give("cage", to_drawer, "carol", f"drawer {number}")
        found = audit(log)
        assert found.fault is None

    using(str(tmp_path / "house.db"), use)


def test_nobody_acts_in_a_role_that_is_being_taken_away(tmp_path: Path) -> None:
    """The row would have been written after the revocation, by a look at the register before."""

    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        house = driver.house
        await enrol(house, "dora")
        revoke = house.give("register", register.Revoke("dora", Role.DEALER), "mara", "revoke")
        sign_on = house.give("table-1", c.SignOn(Role.DEALER), "dora", "on")
        results = await asyncio.gather(revoke, sign_on, return_exceptions=True)
        assert not isinstance(results[0], BaseException)
        rows = [row for row in log.read("table-1") if row.actor == "dora"]
        for row in rows:  # if it came first, the register was as it says
            assert decode(row.command or b"").by.register < house.register.seq
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)
