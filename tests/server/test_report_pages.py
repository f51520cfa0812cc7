"""Reports in the browser's eyes: every figure leads to the coups behind it, and to no dead end."""

import csv
import io
import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.figures.report import WAYS
from puntobanco.journal.log import EventLog
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.office import Office, asked

START_MS = 1_700_000_000_000
DAY = "2023-11-14"


@pytest.fixture
def played(evening_of_bots: Path, tmp_path: Path) -> Path:
    """A copy for each test, for whoever signs in there signs in for the first time."""
    return Path(shutil.copy(evening_of_bots, tmp_path / "house.db"))


@pytest.fixture(scope="module")
def evening_of_bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five coups at each of three tables that are over, and one in play."""
    where = tmp_path_factory.mktemp("house") / "house.db"

    async def use(log: EventLog) -> None:
        bots = await evening(log, 5, start_ms=START_MS)
        tables = list(bots.house.tables.values())
        await let_bots_play(bots, tables, 6)
        while not (tables[0].state.coup and tables[0].state.coup.wagers):
            assert await bots.step(tables[0])
        await bots.house.shut()

    using(str(where), use)
    return where


def links(page: str) -> Iterator[str]:
    for href in re.findall(r'href="(/[^"]*)"', page):
        address = unescape(href)
        if re.match(r"/house/reports|/tables/[^/]+/journal|/api/reports", address):
            yield address


def test_every_report_answers_and_each_of_its_links_leads_somewhere(played: Path) -> None:
    async def use(office: Office) -> None:
        seen: set[str] = set()
        for by in WAYS:
            page = await office.get(f"/house/reports?days=all&by={by}", "mara")
            assert page.status_code == 200, by
            if by not in ("competition", "play"):
                assert "Nothing was played" not in page.text, by
            for address in links(page.text):
                shape = re.sub(r"=[^&]*|\d+", "", address)
                if shape not in seen:
                    seen.add(shape)
                    assert (await office.get(address, "mara")).status_code == 200, address
        assert any("wager" in shape for shape in seen)
        assert any("patrons" in shape for shape in seen)

    asked(played, use)


def test_a_report_tells_hold_beside_what_is_expected_and_draws_it(played: Path) -> None:
    async def use(office: Office) -> None:
        page = (await office.get(f"/house/reports?first={DAY}&last={DAY}", "mara")).text
        said = (await office.get(f"/api/reports?first={DAY}&last={DAY}", "mara")).json()
        assert said["total"]["coups"] == 15
        assert said["total"]["expected_cents"] > 0
        assert {one["table"] for one in said["lines"]} == {"table-1", "table-2", "table-3"}
        assert "14 November 2023" in page
        assert page.count('class="chart dot"') == 4
        assert page.count('class="chart"') == 2
        assert 'class="column most"' in page
        share = 100 * said["total"]["hold_cents"] / said["total"]["handle_cents"]
        assert f"{abs(share):.2f} %" in page
        empty = (await office.get("/house/reports?first=2020-01-01&last=2020-01-02", "mara")).text
        assert "Nothing was played for money" in empty
        crossed = await office.get("/house/reports?first=2020-01-02&last=2020-01-01", "mara")
        assert "The first day comes after the last one" in crossed.text
        wrong = await office.get("/house/reports?first=yesterday", "mara")
        assert wrong.status_code == 400
        assert "is no date" in wrong.text

    asked(played, use)


def test_coups_behind_a_figure_are_those_it_is_made_of(played: Path) -> None:
    async def use(office: Office) -> None:
        for by in ("hour", "dealer", "wager", "rules", "table", "person"):
            name = "ruleset" if by == "rules" else by
            lines = (await office.get(f"/api/reports?by={by}", "mara")).json()["lines"]
            for line in lines:
                at = f"/api/reports/coups?days=all&{name}={line[name]}"
                found = (await office.get(at, "mara")).json()
                assert len(found) == line["coups"], (by, line)
                if by != "wager":
                    assert sum(one["hold_cents"] for one in found) == line["hold_cents"]

    asked(played, use)


def test_a_patrons_history_is_theirs(played: Path) -> None:
    async def use(office: Office) -> None:
        lines = (await office.get("/api/reports?by=person", "mara")).json()["lines"]
        who = lines[0]["person"]
        own = (await office.get(f"/api/reports?by=day&person={who}", "mara")).json()
        assert own["total"]["hold_cents"] == lines[0]["hold_cents"]
        page = await office.get(f"/house/reports/patrons/{who}?days=all", "mara")
        assert page.status_code == 200
        assert "14 November 2023" in page.text
        assert (await office.get("/house/reports/patrons/nobody", "mara")).status_code == 404

    asked(played, use)


def test_a_report_as_a_file(played: Path) -> None:
    async def use(office: Office) -> None:
        answer = await office.get("/house/reports/csv?days=all&by=table", "mara")
        assert "attachment" in answer.headers["content-disposition"]
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert [row["table"] for row in rows] == ["table-1", "table-2", "table-3"]

    asked(played, use)
