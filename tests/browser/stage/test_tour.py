"""The tour of a table: shown to new guests, beside what it speaks of, left at any point."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, chromium, open_page, sign_in
from tests.kit.web import Web, demo_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
COVERED = """() => {
  const steps = [...document.getElementById("tour").content.querySelectorAll("[data-at]")];
  const says = document.getElementById("tour-says").textContent.trim();
  const at = steps.find((one) => one.textContent.trim() === says).dataset.at.split(" | ");
  const card = document.querySelector(".tour").getBoundingClientRect();
  const things = at.map((one) => [...document.querySelectorAll(one)]).find((one) => one.length);
  const inside = card.left >= 0 && card.top >= 0
    && card.right <= innerWidth && card.bottom <= innerHeight;
  const boxes = things.map((one) => one.getBoundingClientRect()).filter((box) => box.width);
  const over = boxes.filter((box) => box.left < card.right && box.right > card.left
    && box.top < card.bottom && box.bottom > card.top);
  return [at[0], inside, over.length];
}"""

# In one go: a message of the table would draw them anew between two presses.
WITHOUT_RACK_AND_ROADS = """() => {
  document.querySelectorAll(".dock .rack, .roads").forEach((one) => one.remove());
  document.querySelector("[data-end]").click();
  document.querySelector(".bar > nav > [data-tour]").click();
}"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo")) as web:
        yield web


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def seated(browser: Browser, web: Web, faults: Faults, width: int, height: int) -> Page:
    page = open_page(browser, faults, width, height)
    page.goto(f"{web.base}/")
    page.locator(".invites button").click()
    expect(page.locator(".tour")).to_be_visible(timeout=PATIENCE_MS)
    return page


def leave(page: Page) -> None:
    page.locator(".bar form[action='/guest/leave'] button").click()
    page.wait_for_url("**/")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (360, 640)])
def test_it_never_covers_what_it_speaks_of(
    web: Web, browser: Browser, width: int, height: int
) -> None:
    faults = Faults()
    page = seated(browser, web, faults, width, height)
    expect(page.locator(".tour")).to_be_focused()
    seen = []
    page.wait_for_timeout(1000)  # the felt is drawn anew in the shape of the screen
    while page.locator(".tour").count():
        page.wait_for_timeout(200)
        thing, inside, over = page.evaluate(COVERED)
        assert inside, thing
        assert not over, thing
        seen.append(thing)
        expect(page.locator("[data-next]")).to_have_text("Play" if len(seen) == 7 else "Next")
        page.locator("[data-next]").click()
    assert page.evaluate("document.querySelector('.pager').scrollLeft") == 0  # as it was
    assert seen[0] == ".dock .rack"
    assert seen[-1] == "form[action='/guest/leave']"
    assert len(seen) == 7
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.reload()
    page.wait_for_timeout(500)
    expect(page.locator(".tour")).to_have_count(0)  # it was seen
    leave(page)
    assert faults.found == []


def test_it_goes_by_keys_and_ends_at_any_point(web: Web, browser: Browser) -> None:
    faults = Faults()
    page = seated(browser, web, faults, 1280, 800)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tour small")).to_have_text("2 / 7")
    expect(page.locator("#tour-says a.clause")).to_have_attribute("href", "/rules/tas-2018:6.5(a)")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-back]")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(page.locator(".tour, .tour-ring")).to_have_count(0)
    page.locator(".bar > nav > [data-tour]").click()
    expect(page.locator(".tour")).to_be_visible()
    page.evaluate(WITHOUT_RACK_AND_ROADS)
    expect(page.locator(".tour small")).to_have_text("1 / 5")  # what is missing is passed over
    page.locator("[data-end]").click()
    expect(page.locator(".tour")).to_have_count(0)
    leave(page)
    assert faults.found == []


def test_nobody_else_is_shown_it_unasked(web: Web, browser: Browser) -> None:
    faults = Faults()
    page = open_page(browser, faults)
    sign_in(page, web, "player")
    page.goto(f"{web.base}/tables/table-1")
    expect(page.locator(".bar > nav > [data-tour]")).to_be_visible()
    expect(page.locator(".tour")).to_have_count(0)
    page.locator(".bar > nav > [data-tour]").click()
    expect(page.locator(".tour")).to_be_visible()
    assert faults.found == []
