"""Papers as a real browser prints them: as many pages as there should be, and nothing cut off."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from puntobanco.house.access.people import Person
from tests.kit.browser import CHROMIUM
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import CupOnWeb, furnished
from tests.kit.competition.papers import drawn_by, printed, singapore, tasmanian, to_its_end

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
A4, LYING, ROLL = 595, 842, 227
"""Widths of a page, in points."""
WANTED = {
    "cup/papers/entry-form": (1, A4),
    "cup/papers/sign-in": (1, A4),
    "cup/papers/seat-slips": (1, A4),
    "cup/papers/seat-slips?width=roll": (6, ROLL),
    "cup/papers/secret-form": (1, A4),
    "cup/papers/secret-form?width=roll": (1, ROLL),
    "cup/papers/table-sign": (2, A4),
    "cup/papers/certificate": (1, A4),
    "cup/papers/score-sheet": (2, LYING),
    "cup/papers/receipt?person=p1&of=fee&width=roll": (1, ROLL),
    "act/papers/receipt?person=p1&of=fee&width=roll": (1, ROLL),
    "act/papers/entry-form": (1, A4),
    "act/papers/table-sign": (1, A4),
    "act/papers/seat-slips": (1, A4),
    "act/papers/seat-slips?width=roll": (5, ROLL),
    "mbs/papers/entry-form": (1, A4),
    "mbs/papers/table-sign": (2, A4),
}
AT_THE_END = {
    "cup/papers/results": (1, A4),
    "cup/papers/receipt?person=p1&of=prize": (1, A4),
    "cup/papers/receipt?person=p7&of=refund&width=roll": (1, ROLL),
}
REPORT = "/house/reports"
CUT = "[...document.querySelectorAll('.a4, .roll, .seat-slip, .wager, .half')]"
CUT += ".filter(one => one.scrollHeight > one.clientHeight + 1).length"

FOUR_TABLES = """() => {
  const one = document.querySelector(".tables-up table");
  for (let n = 0; n < 3; n += 1) one.after(one.cloneNode(true));
  return new Set([...document.querySelectorAll(".tables-up table")].map(t => t.offsetTop)).size;
}"""


async def _papers(folder: Path) -> dict[str, str]:
    """Every paper of three competitions under three documents."""
    async with furnished(folder) as asker:
        cup = await tasmanian(asker)
        await drawn_by(asker, "act", cup_text("act-2015"), 5)
        asker.house.people.put(Person("p4", "Bartholomew Featherstonehaugh-Cholmondeley III"))
        await CupOnWeb(asker, "mbs").entering(singapore())
        shown = {path: await printed(asker, "mara", f"/competitions/{path}") for path in WANTED}
        shown[REPORT] = await printed(asker, "mara", REPORT)
        await to_its_end(cup)
        for path in AT_THE_END:
            shown[path] = await printed(asker, "mara", f"/competitions/{path}")
        return shown


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Before there is a browser, whose own loop would be in the way."""
    return asyncio.run(_papers(tmp_path_factory.mktemp("papers")))


def test_every_paper_prints_on_the_pages_it_should(shown: dict[str, str], browser: Browser) -> None:
    page = browser.new_context(viewport={"width": 1200, "height": 900}).new_page()
    page.emulate_media(media="print")
    for path, (pages, width) in {**WANTED, **AT_THE_END}.items():
        page.set_content(shown[path])
        pdf = page.pdf(prefer_css_page_size=True)
        assert pdf.count(b"/Type /Page\n") == pages, path
        wide = {round(float(one)) for one in re.findall(rb"/MediaBox \[0 0 ([\d.]+)", pdf)}
        assert wide == {width}, path
        assert page.evaluate(CUT) == 0, path
        assert not page.locator(".choose").is_visible()
        if path.endswith("certificate"):
            assert page.evaluate(FOUR_TABLES) == 1, "four tables stand side by side"
    page.context.close()


def test_a_printed_report_says_whose_figures_they_are(
    shown: dict[str, str], browser: Browser
) -> None:
    """Also on A4 across, which is narrower than the window where the bar has no room for it."""
    page = browser.new_context(viewport={"width": 1032, "height": 700}).new_page()
    page.emulate_media(media="print")
    page.set_content(shown[REPORT])
    named = page.locator(".shell .brand span").bounding_box()
    assert named is not None
    assert named["width"] > 50
    assert not page.locator(".shell nav").first.is_visible()
    page.context.close()
