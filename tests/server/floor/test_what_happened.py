"""What can have happened: offered where it can be so, told why not where it cannot."""

import re
from pathlib import Path

from puntobanco.journal.log import EventLog
from tests.kit.house.driver import Driver, house_over
from tests.kit.journal import using
from tests.kit.office import office_of


def test_a_finding_that_cannot_be_is_told_and_not_offered(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await (await Driver(house_over(log)).open()).shoe()
        async with office_of(driver.house) as office:
            headers = {**office._headers("dan"), "accept": "text/html"}
            answer = await office._client.get("/tables/table-1/what-happened", headers=headers)
        offered = set(re.findall(r"found=([a-z-]+)", answer.text))
        assert {"foreign-card", "face-up-in-shoe", "shoe-disturbed"} <= offered
        assert not offered & {"burn-forgotten", "insufficient-cards"}
        shut = re.findall(r'<span class="shut">(.*?)</span>', answer.text, re.DOTALL)
        (burn,) = (one for one in shut if one.startswith("The burn at the start of the shoe"))
        assert "no burn is due from this shoe" in burn.lower()

    using(str(tmp_path / "house.db"), use)
