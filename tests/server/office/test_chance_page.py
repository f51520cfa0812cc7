"""How the cards fall, as page, data and table: what the rows have, for whoever oversees them."""

import csv
import io
from pathlib import Path

from puntobanco.house.figures.fairness import fairness
from puntobanco.house.figures.projection import FiguresRead, Unkept
from puntobanco.house.figures.report import EVER
from puntobanco.house.intents import OpenOrder, ShuffleHouse
from puntobanco.journal.log import EventLog
from puntobanco.rules.coup import Result
from puntobanco.table import commands as c
from tests.kit.house.driver import Driver, house_over
from tests.kit.house.evening import evening
from tests.kit.house.figures import coups_in
from tests.kit.journal import using
from tests.kit.office import office_of


async def played(log: EventLog, coups: int = 25) -> None:
    """An evening of bots, dealt from the house's own shoe; a shoe is over, and its order opened."""
    bots = await evening(log, 1, "tas-2018")
    house = bots.house
    table = house.tables["table-1"]
    while table.state.coup_number < coups:
        assert await bots.step(table)
    house.figures.save()


def test_what_is_counted_is_what_the_rows_have(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        await played(log)
        dealt = [coup for coup in coups_in(log) if coup.result and not coup.void]
        assert len(dealt) >= 24
        assert all(coup.own for coup in dealt)
        found = fairness(FiguresRead(log, Unkept({}, {})), *EVER)
        (own,) = [one for one in found.sources if one.count]
        assert (own.source, own.count, own.judged) == ("own", len(dealt), False)
        times = {one.what: one.times for one in own.shares}
        for result in Result:
            assert times[str(result)] == sum(coup.result is result for coup in dealt)
        ranks = [[str(card.card)[0] for card in coup.drawn[:4]] for coup in dealt]
        assert times["player-pair"] == sum(one == three for one, _, three, _ in ranks)
        assert times["banker-pair"] == sum(two == four for _, two, _, four in ranks)
        assert [coup.nth for coup in dealt[:10]] == list(range(10))
        won = [coup.result for coup in dealt[:-1]]
        wins = [one for one in won if one is not Result.TIE]
        assert dealt[-1].after is wins[-1]

    using(str(tmp_path / "house.db"), use)


def test_an_order_that_was_opened_is_counted_once(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        for number in range(2):
            await driver.do("dan", c.CheckCards("set A", player="ann"))
            await driver.do("dan", ShuffleHouse())
            for ask in (c.CutCards(100, 1), c.LoadShoe()):
                await driver.do("dan", ask)
            await driver.do("dan", c.EndShoe("a new one"))
            await driver.do("mara", c.Approve(number + 1))
            await driver.do("dan", OpenOrder())
        found = fairness(driver.house.figures.reading(), *EVER)
        (orders,) = [one for one in found.sources if one.source == "order"]
        assert orders.count == 2
        assert all(sum(row) == 2 for row in orders.places.values())
        assert len(orders.places) == 416

    using(str(tmp_path / "house.db"), use)


def test_page_data_and_table_say_the_same(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        await played(log, 6)
        async with office_of(house_over(log)) as office:
            for path in ("/house/chance", "/house/chance/csv", "/api/house/chance"):
                assert (await office.get(path)).status_code in (401, 302)
                assert (await office.get(f"{path}?days=all", "mara")).status_code == 200
            page = (await office.get("/house/chance?days=all", "mara")).text
            said = (await office.get("/api/house/chance", "mara")).json()
            table = (await office.get("/house/chance/csv?days=all", "mara")).text
            own = said["sources"][1]
            lines = list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff"))))
            assert "Coups from the house" in page
            assert "Nothing is judged yet" in page
            assert '<svg class="chart bars"' in page
            for share in own["shares"]:
                (line,) = [one for one in lines if one["what"] == share["what"] and one["counted"]]
                assert int(line["counted"]) == share["times"]
                assert float(line["low_99"]) == share["low"] < share["high"]
                assert f"{100 * share['share']:.3f} %" in page
            placed = [one for one in lines if one["place"] == "1"]
            assert len(placed) == 52
            assert sum(int(one["counted"]) for one in placed) == own["count"]
            assert (await office.get("/house/chance?table=table-9", "mara")).status_code == 404

    using(str(tmp_path / "house.db"), use)
