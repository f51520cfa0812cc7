"""A guest's first minute in a real browser, and the lobby that one comes from."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, chromium, open_page
from tests.kit.web import Web, demo_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
TABLE = "table-5"
SHIFTS = """
window.shifted = [];
new PerformanceObserver((list) => {
  for (const { sources } of list.getEntries())
    for (const { node, previousRect, currentRect } of sources)
      window.shifted.push([node?.className ?? node?.nodeName, previousRect, currentRect]);
}).observe({ type: "layout-shift", buffered: true });
"""
WRITTEN = """() => [...document.querySelectorAll("[data-region]")].map((one) =>
  one.closest("li").dataset.table + "/" + one.dataset.region + "/" + one.innerHTML)"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=6) as web:
        yield web


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def seen(page: Page, web: Web) -> dict[str, object]:
    """The guests' table as the one who asks sees it."""
    found: dict[str, object] = page.request.get(f"{web.base}/api/tables/{TABLE}").json()["view"]
    return found


def until(page: Page, what: str, found: object) -> None:
    """Wait for something that a view shows."""
    for _ in range(PATIENCE_MS // 200):
        if callable(found) and found():
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"never: {what}")


def roads_of(page: Page) -> list[str]:
    return [one for one in page.evaluate(WRITTEN) if "/road/" in one]


def test_a_guests_first_minute(web: Web, browser: Browser) -> None:
    """Press, seated with chips, bet, see the result, leave: without a name or a word typed."""
    faults = Faults()
    page = open_page(browser, faults)
    page.goto(f"{web.base}/")
    page.locator(".invites button").click()
    page.wait_for_url(f"**/tables/{TABLE}")
    expect(page.locator("body")).to_contain_text("worth nothing")
    own = seen(page, web)["own"]
    assert isinstance(own, dict)
    assert own["place"] is not None
    assert own["chips"] == 100_000

    def betting() -> bool:
        now = seen(page, web)
        play = now["play"]
        return now["phase"] == "betting" and isinstance(play, dict) and not play["time_over"]

    def laid() -> bool:
        play = seen(page, web)["play"]
        return isinstance(play, dict) and any(one["own"] for one in play["wagers"])

    until(page, "bets are open", betting)
    page.locator("body").press("b")
    until(page, "the wager lies", laid)

    def paid() -> bool:
        own = seen(page, web)["own"]
        return isinstance(own, dict) and bool(own["payouts"])

    until(page, "the result is paid or taken", paid)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.locator("form[action='/guest/leave'] button").first.click()
    page.wait_for_url(f"{web.base}/")
    expect(page.locator(".invites button")).to_be_visible()
    assert page.request.get(f"{web.base}/api/me").status == 401
    assert faults.found == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_lobby_changes_in_place(web: Web, browser: Browser, width: int, tmp_path: Path) -> None:
    """Tables play on and nothing moves; the page is asked for once, and stays the house's own."""
    faults = Faults()
    page = open_page(browser, faults, width)
    page.add_init_script(SHIFTS)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{web.base}/")
    as_sent = page.request.get(f"{web.base}/").text()
    before = page.evaluate(WRITTEN)
    alike = [one.partition("/road/")[2] in as_sent for one in before if "/road/" in one]
    assert sum(alike) >= len(alike) - 1, "a coup may have ended between the two"
    first = [one for one in before if "/road/" in one]
    until(page, "a coup is over", lambda: first != roads_of(page))
    page.wait_for_timeout(1500)
    roads = roads_of(page)
    fresh = page.request.get(f"{web.base}/").text()
    assert any(one.partition("/road/")[2] in fresh for one in roads)
    assert [url for url in asked if url == f"{web.base}/"] == [f"{web.base}/"]
    assert page.evaluate("window.shifted") == []
    page.screenshot(path=tmp_path / "lobby.png")
    assert faults.found == []


def test_filters_work_at_once_and_by_address(web: Web, browser: Browser) -> None:
    faults = Faults()
    page = open_page(browser, faults)
    page.goto(f"{web.base}/")
    shown = page.locator(".tile-of:visible")
    everything = shown.count()
    page.locator("[data-show=play]").click()
    expect(shown).to_have_count(1)
    assert page.url.endswith("?show=play")
    page.reload()
    expect(shown).to_have_count(1)
    page.locator("[data-show=face-down]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".nothing")).to_be_visible()
    page.locator("[data-show=free]").click()
    assert 0 < shown.count() < everything
    page.locator("[data-show=all]").click()
    expect(shown).to_have_count(everything)
    assert faults.found == []


def test_without_scripts_the_lobby_is_as_it_was_asked_for(web: Web, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{web.base}/?show=play")
    expect(page.locator(".tile-of:visible")).to_have_count(1)
    page.locator(".tile-of:visible button.sit").click()
    page.wait_for_url(f"**/tables/{TABLE}")
    context.close()
