"""What patrons are called at tables: as they choose, never by name, and erased with them."""

from pathlib import Path

from puntobanco.house.access.people import Person
from puntobanco.journal.log import EventLog
from puntobanco.table.view import Viewer
from tests.kit.house.driver import Driver, Time, enrol, house_over
from tests.kit.journal import using
from tests.kit.office import office_of


def test_an_alias_is_one_s_own_and_is_all_that_others_see(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log, Time().clock)
        driver = await Driver(house).open()
        await enrol(house, "bob")
        house.people.put(Person("ann", "Ann Example"))
        async with office_of(house) as office:
            assert (await office.get("/api/tables/table-1")).json()["aliases"] == {}
            page = await office.post("/account/alias", "ann", {"alias": "  Lucky\u3000Seven "})
            assert page.status_code == 303
            seen = (await office.get("/api/tables/table-1")).json()
            assert seen["aliases"] == {"1": "Lucky Seven"}
            assert "Example" not in str(seen)
            assert 'value="Lucky Seven"' in (await office.get("/account", "ann")).text
            taken = await office.post("/account/alias", "bob", {"alias": "lucky seven"})
            assert taken.status_code == 409
            for unfit in ("x" * 21, "a\u202eb"):
                refused = await office.post("/account/alias", "bob", {"alias": unfit})
                assert refused.status_code == 409
            assert (
                await office.post("/account/alias", "mara", {"alias": "boss"})
            ).status_code == 403
            live = office._client._transport.app.state.live_pages  # type: ignore[attr-defined]
            context = live.context(house.tables["table-1"], Viewer())
            assert context["alias_at"](1) == "Lucky Seven"
            assert context["alias_at"](2) == ""
            await office.post("/account/alias", "ann", {"alias": ""})
            assert house.people.alias("ann") == ""
        house.people.put_alias("ann", "Gone")
        await house.erase("ann", "mara")
        assert house.people.aliases() == {}
        assert not any(b"Lucky" in row.events for row in log.read("table-1"))
        assert driver.house is house

    using(str(tmp_path / "house.db"), use)


def test_without_one_it_is_the_seat(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log, Time().clock)
        await Driver(house).open()
        async with office_of(house) as office:
            live = office._client._transport.app.state.live_pages  # type: ignore[attr-defined]
            assert (
                live.context(house.tables["table-1"], Viewer())["alias_at"](1) == "Player at seat 1"
            )

    using(str(tmp_path / "house.db"), use)
