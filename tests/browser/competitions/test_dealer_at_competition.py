"""A competition's coups at the dealer's desk, by keys alone: puck, turns, wagers, forms, last coup.

Two players of a small Tasmanian final, two coups; cards are dealt face down and turned by the
dealer [tas-2018:16.4.7, 16.5.5, 16.5.6, 16.6.4].
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, open_page, sign_in
from tests.kit.competition.over_http import CONDITIONS, FORM, TABLE, Floor, entered, started
from tests.kit.web import Web, demo_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
WHOLE = "e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight + 1"
"""Nothing of it is cut off."""
TWO_COUPS = CONDITIONS.replace("coups = 1", "coups = 2")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(Path(tmp_path_factory.mktemp("demo")), bets=15) as web:
        floor = Floor(web)
        entered(floor, TWO_COUPS)
        started(floor)
        yield web


def told(page: Page, head: str) -> None:
    """The instrument says so, and what is first has the focus."""
    expect(page.locator(".tell h1")).to_have_text(head, timeout=PATIENCE_MS)
    expect(page.locator("[data-first]:not([hidden])").first).to_be_focused()


def press(page: Page, strokes: tuple[str, ...], head: str) -> None:
    for stroke in strokes:
        page.keyboard.press(stroke)
    told(page, head)


def cells(page: Page) -> list[str]:
    """The seats in their order, as they are read."""
    return [" ".join(one.inner_text().split()) for one in page.locator(".order li").all()]


def test_two_coups_of_a_competition_are_dealt_by_keys_alone(
    web: Web, browser: Browser, faults: Faults
) -> None:
    floor = Floor(web)
    page = open_page(browser, faults, 1280, 800)
    sign_in(page, web, "dealer")
    page.goto(f"{web.base}{TABLE}/dealer")
    told(page, "Open the betting")
    # the puck is at seat 1, which bets first; each is asked in turn
    press(page, ("Space",), "Seat 1, Player")
    assert cells(page) == ["1 Player 1st 1,000 lays now", "2 Guest 1,000"]
    for width, height in ((1024, 768), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        for button in page.locator(".doing .button").all():
            assert button.evaluate(WHOLE), (width, button.inner_text())
    press(page, ("Space",), "Seat 1, Player")
    expect(page.locator(".doing .button.first")).to_contain_text("Lay this wager")
    press(page, ("b", "Enter"), "Seat 2, Guest")
    assert cells(page) == ["1 Player 1st 900 B 100", "2 Guest 1,000 lays now"]
    page.keyboard.press("Space")
    expect(page.locator(".doing .button.first")).to_contain_text("Lay this wager")  # was asked
    # a form is seen to be in, and nothing of it; the inspector is waited for
    floor.do("guest", f"{TABLE}/lodge-form", FORM)
    told(page, "Call: no more bets")
    press(page, ("Space",), "Waiting for the inspector to examine the form of seat 2")
    expect(page.locator(".phase")).to_contain_text("bets are closed")
    expect(page.locator(".order li.done").last).to_contain_text("secret")
    expect(page.locator(".seats tr[data-box='2']")).to_contain_text("secret")
    assert "250" not in page.inner_text("main")
    assert page.locator(".doing form").count() == 0
    assert page.locator(".tell h1").evaluate(WHOLE), "what is waited for is cut off"
    floor.do("inspector", f"{TABLE}/forms/guest")
    floor.do("inspector", f"{TABLE}/examine-secret", {"person": "guest", "verdict": "accepted"})
    told(page, "Card for Player")
    # face down, turned, announced with the form, paid in order
    for head in ("Card for Banker", "Card for Player", "Card for Banker", "Turn Player's cards"):
        press(page, ("Space",), head)
    press(page, ("9", "c"), "Turn Player's cards")
    press(page, ("k", "d"), "Pass Banker's cards to Player")
    press(page, ("Space",), "Turn Banker's cards")
    press(page, ("k", "h"), "Turn Banker's cards")
    press(page, ("7", "s"), "Player wins, 9 to 7")
    press(page, ("Space",), "Take the losing wagers")
    expect(page.locator(".paying li").nth(1)).to_contain_text("Player 250 at 1 to 1")
    # the puck has moved on, and it is the last coup
    press(page, ("p",), "Seat 2, Guest")
    assert cells(page) == ["2 Guest 1st 1,250 lays now", "1 Player 900"]
    expect(page.locator(".phase")).to_contain_text("last coup of the session")
    expect(page.locator(".session")).to_contain_text("2 of 2 · the last")
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight"), "it scrolls"
    page.context.close()
