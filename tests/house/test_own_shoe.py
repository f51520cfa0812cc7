"""The house's own shoe: squeezed by whoever holds the cards, opened by the house alone."""

from pathlib import Path
from typing import Any

import pytest

import puntobanco_verifier
from puntobanco.errors import Reason, Refused
from puntobanco.house.bots.pace import Pace
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.checks.audit import audit
from puntobanco.house.giving.orders import QUIET_MS
from puntobanco.house.intents import OpenOrder, ShuffleHouse, Turn
from puntobanco.house.lookback.export import export
from puntobanco.house.lookback.significant import significant
from puntobanco.house.loop import Running
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import facts_in
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.clauses import clause
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.house.evening import evening, turning
from tests.kit.journal import using


@clause("tas-2018:9.3", "tas-2018:9.3(e)", "tas-2013:9.3", "tas-2013:9.3(e)", "act-2015:6.3")
@pytest.mark.parametrize("ruleset", for_money())
def test_the_holder_turns_a_card_and_nobody_else(tmp_path: Path, ruleset: str) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, ruleset)
        house = bots.house
        person, position = await turning(bots)
        state = house.tables["table-1"].state
        other = next(one for one in state.places if one != person)

        async def refused(who: str, position: int, reason: Reason) -> None:
            by = house.actor(who, "table-1")
            with pytest.raises(Refused) as caught:
                await house.give("table-1", Turn(position), by.person, house.own_id("t"))
            assert caught.value.reason is reason

        await refused(other, position, Reason.NOT_THE_HOLDER)
        await refused(person, position % 2 + 1, Reason.NOT_THE_HOLDER)
        await refused(person, 9, Reason.NO_SUCH_CARD)
        done = await house.give("table-1", Turn(position), person, "squeeze-1")
        turned = done[0].events[0]
        assert turned.person == person
        coup = house.tables["table-1"].state.coup
        assert coup is not None
        assert turned.card == coup.drawn[position - 1].card
        await refused(person, position, Reason.CARD_IS_NAMED)
        named = c.TurnCard(turned.card, position + 2)
        with pytest.raises(Refused) as caught:  # nor may anyone name a card of the house's shoe
            await house.give("table-1", named, person, "squeeze-2")
        assert caught.value.reason is Reason.HOUSE_DEALS
        with pytest.raises(
            Refused
        ) as caught:  # who may not deal is told that, not whose shoe it is
            await house.give("table-1", c.DrawCard(turned.card), person, "squeeze-3")
        assert caught.value.reason is Reason.NOT_YOUR_ROLE

    using(str(tmp_path / "house.db"), use)


def test_where_cards_are_keyed_a_player_names_none(tmp_path: Path) -> None:
    """The holder of the cards cannot say of their own cards what they are."""

    async def use(log: EventLog) -> None:
        driver = await (await Driver(house_over(log)).open()).shoe()
        for person, ask in (
            ("ann", c.AskFaceDown()),
            ("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT)),
            ("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE)),
            ("dan", c.SetFaceDown(down=True)),
            ("dan", c.OpenCoup()),
            ("ann", c.PlaceWager(1, Bet.PLAYER, 2500)),
            *(("dan", c.DrawCard()) for _ in range(4)),
            ("dan", c.PassCards(Side.PLAYER)),
        ):
            await driver.do(person, ask)
        with pytest.raises(Refused) as caught:
            await driver.do("ann", c.TurnCard(Card("9c"), 1))
        assert caught.value.reason is Reason.DEALER_NAMES_CARDS
        await driver.do("dan", c.TurnCard(Card("9c"), 1))

    using(str(tmp_path / "house.db"), use)


def test_a_false_order_does_not_stand_in_the_way_of_the_true_one(tmp_path: Path) -> None:
    """Whoever is on the floor could otherwise have the house break its word."""

    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        house = driver.house
        await driver.do("dan", c.CheckCards("set A", player="ann"))
        await house.give("table-1", ShuffleHouse(), "dan", "shuffle")
        for ask in (c.CutCards(100, 1), c.LoadShoe()):
            await driver.do("dan", ask)
        await driver.do("ines", c.EndShoe("the shoe is worn"))
        proposal = max(house.tables["table-1"].state.proposals)
        await driver.do("mara", c.Approve(proposal))
        with pytest.raises(Refused) as caught:
            await driver.do("dan", c.OpenCommitment((Card("9c"),), "salt"))
        assert caught.value.reason is Reason.HOUSE_COMMITS
        done = await house.give("table-1", OpenOrder(), "dan", "open")
        assert done[0].events[0].agrees

    using(str(tmp_path / "house.db"), use)


async def unplayed(driver: Driver) -> None:
    """A shoe of the house's own, ended before its first coup."""
    await driver.do("dan", c.CheckCards("set A", player="ann"))
    await driver.house.give("table-1", ShuffleHouse(), "dan", driver.house.own_id("shuffle"))
    for ask in (c.CutCards(100, 1), c.LoadShoe(), c.EndShoe("the shoe is worn")):
        await driver.do("dan", ask)
    await driver.do("mara", c.Approve(max(driver.house.tables["table-1"].state.proposals)))


@pytest.mark.parametrize("end", [c.EndShoe(), c.CloseTable()])
def test_no_report_lets_one_person_end_an_unplayed_shoe(tmp_path: Path, end: c.Command) -> None:
    """A dealer said that it was disturbed, and tried the next; nobody heard of it."""

    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        await driver.do("dan", c.CheckCards("set A", player="ann"))
        await driver.house.give("table-1", ShuffleHouse(), "dan", "shuffle")
        disturbed = c.ReportIrregularity(Found.SHOE_DISTURBED)
        for ask in (c.CutCards(100, 1), c.LoadShoe(), c.OpenCoup(), c.CloseCoup(), disturbed):
            await driver.do("dan", ask)
        assert "no more coups from this shoe" in significant(driver.house)[0].says
        await driver.do("mara" if isinstance(end, c.CloseTable) else "dan", end)
        table = driver.house.tables["table-1"]
        assert table.state.shoe is not None, "it takes two"
        if isinstance(end, c.EndShoe):
            await driver.do("mara", c.Approve(max(table.state.proposals)))
            assert table.state.shoe is None
        assert audit(log).fault is None
        lines = (line.decode() for line in export(log, "table-1"))
        puntobanco_verifier.verify(lines)  # type: ignore[no-untyped-call]

    using(str(tmp_path / "house.db"), use)


def opened(log: EventLog) -> list[tuple[str, bool]]:
    """Who opened an order of a shoe, and whether it stands."""
    rows = [(row, facts_in(row)) for row in log.read("table-1")]
    told = [(row.actor, one) for row, events in rows for one in events]
    return [(who, one["agrees"]) for who, one in told if one["is"] == "commitment-opened"]


def test_every_order_is_opened_ended_early_or_not(tmp_path: Path) -> None:
    """By the house, if nobody does; not while the end of the shoe can still be taken back."""

    async def use(log: EventLog) -> None:
        time = Time()
        house = house_over(log, time.clock)
        driver = await Driver(house).open()
        await unplayed(driver)
        with pytest.raises(Refused):  # nor because somebody tries what is not theirs
            await house.give("table-1", c.Shuffle(), "ann", house.own_id("s"))
        running = Running(house)
        await running.start()
        await running.tick()
        assert not opened(log)
        time.steady_ms += QUIET_MS
        await running.tick()
        assert opened(log) == [("house", True)]
        await unplayed(driver)
        await unplayed(driver)  # shuffled again at once
        assert opened(log) == [("house", True)] * 2
        assert audit(log).fault is None
        lines = [line.decode() for line in export(log, "table-1")]
        assert puntobanco_verifier.verify(iter(lines))["head"]  # type: ignore[no-untyped-call]

    using(str(tmp_path / "house.db"), use)


@pytest.mark.parametrize("opens", [True, False])
def test_no_commitment_is_got_rid_of_with_its_table(tmp_path: Path, opens: bool) -> None:
    """Shuffled and closed: two people, and the order is opened before the table opens again, or on
    record as never opened if it is gone.
    """

    async def use(log: EventLog) -> None:
        house = house_over(log)
        driver = await Driver(house).open()
        table = house.tables["table-1"]
        await driver.do("dan", c.CheckCards("set A", player="ann"))
        await house.give("table-1", ShuffleHouse(), "dan", "shuffle")
        await driver.do("ines", c.CloseTable("another order, please"))
        await driver.do("mara", c.Approve(max(table.state.proposals)))
        assert not table.state.is_open
        opening = c.OpenTable(sample_notice("tas-2018"), "tuesday", "s", effective="2018")
        if not opens:
            log.together([("DELETE FROM sealed", ())])
        await house.give("table-1", opening, "mara", "again")
        assert opened(log) == [("house", True) if opens else ("mara", False)]
        assert audit(log).fault is None
        lines = [line.decode() for line in export(log, "table-1")]
        assert puntobanco_verifier.verify(iter(lines))["head"]  # type: ignore[no-untyped-call]

    using(str(tmp_path / "house.db"), use)


def test_nobody_corrects_or_changes_what_the_house_dealt(tmp_path: Path) -> None:
    """A card the house named was keyed by nobody; its marker is where the house knows it is."""

    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018")
        await let_bots_play(bots, [bots.house.tables["table-1"]], 3)
        for ask in (
            c.CorrectCard(1, 1, Card("9c"), "it was a nine"),
            c.ChangeCards((Card("9c"),)),
            c.SeeMarker(),
        ):
            by = bots.house.actor("bot-dealer-table-1", "table-1")
            with pytest.raises(Refused) as caught:
                await bots.house.give("table-1", ask, by.person, bots.house.own_id("t"))
            assert caught.value.reason is Reason.HOUSE_DEALS

    using(str(tmp_path / "house.db"), use)


def test_a_wish_is_granted_in_time_though_the_table_is_never_quiet(tmp_path: Path) -> None:
    """People come first, and are waited for from when it was asked, not from the last coup."""

    async def use(log: EventLog) -> None:
        time = Time(10**9)
        bots = await evening(log, 3, "tas-2018", pace=Pace(patience_ms=20_000))
        house, table = bots.house, bots.house.tables["table-1"]
        house.time._clock = time.clock
        await let_bots_play(bots, [table], 1)
        asks = next(iter(table.state.places))
        by = house.actor(asks, "table-1")
        await house.give("table-1", c.AskFaceDown(), by.person, "ask-face-down")
        began = time.steady_ms
        while not table.state.face_down.on:
            time.steady_ms += 1000
            await bots.step(table)
            assert time.steady_ms - began < 120_000, "nobody ever agreed"
        assert time.steady_ms - began >= 20_000

    using(str(tmp_path / "house.db"), use)


@pytest.mark.parametrize("kind", [c.PlaceWager, c.ChangeWager, c.WithdrawWager])
def test_staff_name_a_box_and_the_table_knows_whose_wager_it_is(
    tmp_path: Path, kind: type[Any]
) -> None:
    async def use(log: EventLog) -> None:
        driver = await (await Driver(house_over(log)).open()).shoe()
        await driver.do("dan", c.OpenCoup())
        if kind is not c.PlaceWager:
            await driver.do("ann", c.PlaceWager(1, Bet.PLAYER, 5000))
        cents = () if kind is c.WithdrawWager else (2500,)
        ask = kind(1, Bet.PLAYER, *cents)
        assert (await driver.house.complete("table-1", ask, "dan")).person == "ann"
        assert await driver.house.complete("table-1", ask, "ann") == ask
        (change,) = await driver.do("dan", ask)
        assert change.events[0].wager.by == "ann"

    using(str(tmp_path / "house.db"), use)
