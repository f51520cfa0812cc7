"""All of a player's wagers in one request from the page; and a refusal says on which area it is."""

from pathlib import Path

from puntobanco.house.access.people import Person
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import using
from tests.kit.office import office_of

LAY = "/tables/table-1/lay"


def test_wagers_are_laid_all_or_none_and_a_refusal_names_its_area(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log, Time().clock)).open()
        await driver.shoe()
        await driver.do("dan", c.OpenCoup())
        async with office_of(driver.house) as office:

            async def lay(wagers: str) -> tuple[int, dict[str, object]]:
                headers = {**office._headers("ann"), "accept": "application/json"}
                answer = await office._client.post(LAY, headers=headers, data={"wagers": wagers})
                return answer.status_code, answer.json()

            def lies() -> dict[Bet, int]:
                coup = driver.house.tables["table-1"].state.coup
                assert coup
                return {wager.on: wager.cents for wager in coup.wagers}

            status, done = await lay("banker=20000,tie=2500")
            assert (status, lies()) == (200, {Bet.BANKER: 20_000, Bet.TIE: 2_500})
            assert [one["is"] for one in done["happened"]] == ["wager-placed"] * 2  # type: ignore[attr-defined]
            before = driver.house.tables["table-1"].seq
            status, error = await lay("player=20000,tie=9900000")
            assert (status, error["reason"]) == (409, "not_enough_chips")
            assert error["facts"] == {"has": "475", "wanted": "98975", "on": "tie"}
            assert (lies(), driver.house.tables["table-1"].seq) == (
                {Bet.BANKER: 20_000, Bet.TIE: 2_500},
                before,
            )
            look = register.SetLook(currency="AUD")
            await driver.house.give("register", look, "mara", "currency")
            status, error = await lay("player=20000,tie=9900000")  # in words, the house's currency
            assert "$475" in str(error["detail"])
            assert "$98,975" in str(error["detail"])
            assert error["facts"] == {"has": "475", "wanted": "98975", "on": "tie"}
            for nonsense in ("banker", "banker=", "queen=500", "banker=5.5", "tie=1,tie=2"):
                assert (await lay(nonsense))[0] == 400, nonsense
            status, done = await lay("")
            assert (status, lies()) == (200, {})
            assert driver.house.tables["table-1"].seq == before + 1

    using(str(tmp_path / "house.db"), use)


def test_a_press_that_is_refused_on_a_live_page_is_told_by_name(tmp_path: Path) -> None:
    """The page's own script shows what it is answered; programs go by ids."""

    async def use(log: EventLog) -> None:
        driver = await (await Driver(house_over(log, Time().clock)).open()).shoe()
        driver.house.people.put(Person("ann", "Ann Lee"))
        await driver.do("ines", c.Exclude("ann", "Loud."))
        async with office_of(driver.house) as office:
            headers = {
                **office._headers("dan"),
                "accept": "application/json",
                "command-id": "sit-down",
            }
            sit = {"seat": "2", "person": "ann"}
            page = await office._client.post("/tables/table-1/do/sit", headers=headers, data=sit)
            program = await office._client.post(
                "/api/tables/table-1/sit", headers=headers, json={"seat": 2, "person": "ann"}
            )
        assert page.status_code == program.status_code == 409, (page.text, program.text)
        assert page.json()["detail"] == "Ann Lee is excluded from this game"
        assert program.json()["detail"] == "ann is excluded from this game"
        assert page.json()["facts"] == program.json()["facts"]

    using(str(tmp_path / "house.db"), use)
