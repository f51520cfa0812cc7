"""A board's sounds: the last coup, the last minute and the end of the time, for whoever wants them.

The session's time is real; the browser's clock is moved on, so that nobody waits for it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, open_page
from tests.kit.competition.over_http import CONDITIONS, CUP, Floor, entered, started
from tests.kit.web import Web, demo_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
MINUTES = 30
BY_TIME = CONDITIONS.replace("coups = 1", f"minutes = {MINUTES}")
LISTENS = """window.heard = []; window.asked = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function begin(at) {
  heard.push(this.frequency.value);
  start.call(this, at);
};
for (const name of ["last-minute", "last-coup", "time-over"]) {
  document.addEventListener(name, () => asked.push(name));
}
"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(Path(tmp_path_factory.mktemp("demo")), bets=15) as web:
        floor = Floor(web)
        entered(floor, BY_TIME)
        started(floor)
        yield web


def watching(web: Web, browser: Browser, faults: Faults) -> Page:
    page = open_page(browser, faults, 1920, 1080)
    page.clock.install()
    page.add_init_script(LISTENS)
    page.goto(f"{web.base}{CUP}/board")
    expect(page.locator(".head [data-until]")).to_contain_text(":")
    return page


def asked(page: Page, *names: str) -> None:
    """What was told until now is this, in this order."""
    for _ in range(PATIENCE_MS // 200):
        if page.evaluate("asked") == list(names):
            return
        page.clock.run_for(250)
        page.wait_for_timeout(50)
    assert page.evaluate("asked") == list(names)


def test_who_wants_sounds_hears_the_last_minute_the_time_and_the_last_coup(
    web: Web, browser: Browser, faults: Faults
) -> None:
    quiet, loud = (watching(web, browser, faults) for _ in range(2))
    loud.keyboard.press("s")  # it is heard once, so that one knows how loud it is
    tried = len(loud.evaluate("heard"))
    assert tried > 0
    assert quiet.evaluate("heard") == []
    for page, before in ((quiet, ()), (loud, ("last-minute",))):
        page.clock.run_for((MINUTES - 2) * 60_000)
        asked(page, *before)
        page.clock.run_for(90_000)
        asked(page, *before, "last-minute")
        page.clock.run_for(60_000)
        asked(page, *before, "last-minute", "time-over")
    floor = Floor(web)
    floor.do("dealer", "/tables/table-cup/open-coup")
    floor.do(floor.director, f"{CUP}/last-coup")
    asked(loud, "last-minute", "last-minute", "time-over", "last-coup")
    asked(quiet, "last-minute", "time-over", "last-coup")
    assert len(loud.evaluate("heard")) > tried
    assert quiet.evaluate("heard") == [], "sounds are off until somebody wants them"


SQUEEZED = """() => {
  const line = document.createElement("p");
  line.className = "lately-coups";
  line.innerHTML = "<i class='player'>P</i>".repeat(12);
  document.querySelector("main").append(line);
  line.style.width = "30vw";
  return [...line.children].map((one) => Math.round(one.clientWidth - one.clientHeight));
}"""
"""The last coups of a final beside its table: more than fit on a line."""


def test_the_last_coups_stay_round_however_many_there_are(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = open_page(browser, faults, 1920, 1080)
    page.goto(f"{web.base}{CUP}/board")
    assert set(page.evaluate(SQUEEZED)) == {0}
