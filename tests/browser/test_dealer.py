"""The dealer's instrument in a real browser: by keys alone, by touch, on a tablet, without scripts.

Keys are counted as the browser reports them; zones are measured at every step of a coup.
"""

from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from puntobanco.rules.notice import sample_notice
from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, open_page, sign_in
from tests.kit.web import Web, demo_house, give

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
TABLE = "table-9"
SIX = "9c kd 2h 3s 4d 5h"
"""Player 5, Banker 8, with a third card for each."""
ZONES = (".cloth-of", ".work", "[id='region-desk/act']", ".seats", ".side > :last-child")
COUNTED = "addEventListener('keydown', () => { window.strokes = (window.strokes ?? 0) + 1; }, true)"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=10) as web:
        open_table(web)
        yield web


def does(web: Web, who: str, command: str, **facts: object) -> None:
    answer = give(web.client(who), f"/tables/{TABLE}/{command}", facts)
    assert answer.status_code == 200, answer.text


def open_table(web: Web) -> None:
    """A table of people, with two players; the shoe is still to be made."""
    notice = msgspec.to_builtins(sample_notice("tas-2018"))
    opening = {"notice": notice, "gaming_day": "monday", "shoe": "shoe 1", "effective": "1 July"}
    does(web, "manager", "open-table", **opening)
    give(web.client("manager"), "/cage/open-tray", {"table": TABLE, "cents": 10_000_000})
    for who in ("dealer", "inspector"):
        does(web, who, "sign-on", role=who)
    for seat, who in ((1, "player"), (4, "guest")):
        does(web, who, "sit", seat=seat)
        does(web, "dealer", "buy-in", cents=500_000, person=who)


def bets(web: Web) -> None:
    does(web, "player", "bet-more", on="banker", cents=120_000)
    does(web, "guest", "bet-more", on="player", cents=7500)


def told(page: Page, head: str) -> None:
    """The instrument says so, and what is first has the focus."""
    expect(page.locator(".tell h1")).to_have_text(head, timeout=PATIENCE_MS)
    expect(page.locator("[data-first]:not([hidden])").first).to_be_focused()


def press(page: Page, strokes: str, head: str) -> None:
    for stroke in strokes:
        page.keyboard.press(stroke)
    told(page, head)


def zones(page: Page) -> list[object]:
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight"), "it scrolls"
    return [page.locator(zone).bounding_box() for zone in ZONES]


def at_desk(web: Web, browser: Browser, faults: Faults, size: tuple[int, int]) -> Page:
    page = open_page(browser, faults, *size)
    page.add_init_script(COUNTED)
    sign_in(page, web, "dealer")
    page.goto(f"{web.base}/tables/{TABLE}/dealer")
    return page


def make_ready(web: Web, page: Page) -> None:
    """Nobody takes the cut, and it is the inspector's: the dealer waits, and is offered none."""
    told(page, "Check the cards")
    press(page, " ", "Shuffle")
    press(page, " ", "Offer the cut to seat 1")
    press(page, "r", "Offer the cut to seat 4")
    press(page, "r", "Waiting for the inspector to cut")
    assert page.locator(".doing form").count() == 0
    expect(page.locator(".tell .said")).to_contain_text("Then you place the marker")
    does(web, "inspector", "cut-cards", depth=100)
    told(page, "Marker in, shoe loaded")
    press(page, " ", "Open the betting")


def coup(web: Web, page: Page, opens: str = " ") -> list[list[object]]:
    """One whole coup of six cards; where every zone stood at each step."""
    stood = [zones(page)]
    press(page, opens, "First card for Player")
    bets(web)
    expect(page.locator('.seats tr[data-box="1"] td.banker')).to_have_text("1,200")
    stood.append(zones(page))
    heads = ("Banker", "Player", "Banker", "Player", "Banker")
    for card, side in zip(SIX.split()[:5], heads, strict=True):
        press(page, card, f"Card for {side}")
        stood.append(zones(page))
    press(page, SIX.split()[5], "Banker wins, 8 to 5")
    stood.append(zones(page))
    press(page, " ", "Pay box 1 1,140")
    stood.append(zones(page))
    return stood


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)])
def test_a_coup_takes_two_strokes_a_card_and_four_and_nothing_moves(
    web: Web, browser: Browser, faults: Faults, size: tuple[int, int]
) -> None:
    page = at_desk(web, browser, faults, size)
    if page.locator(".tell h1").inner_text() == "Check the cards":
        make_ready(web, page)
    else:  # the coup before, at the other size, is all paid
        press(page, "p", "First card for Player")
        does(web, "dealer", "no-more-bets")
        press(page, " ", "Open the betting")
    page.evaluate("window.strokes = 0")
    stood = coup(web, page)
    assert all(one == stood[0] for one in stood)
    assert page.evaluate("window.strokes") == 14
    chips = page.locator(".paying [data-step]").first.locator(".chips")
    assert [one.inner_text().split()[0] for one in chips.all()] == ["×1", "×1", "×1", "×3"]
    press(page, " ", "Take the losing wagers")
    expect(page.locator(".paying .done")).to_have_count(1)
    page.context.close()


def test_cards_keyed_ahead_come_in_their_order_and_a_wrong_rank_is_forgotten(
    web: Web, browser: Browser, faults: Faults
) -> None:
    """[tas-2018:6.3]: the first card closes the bets, without a call."""
    page = at_desk(web, browser, faults, (1280, 800))
    press(page, "p", "First card for Player")
    bets(web)
    for stroke in ("k", "Backspace", "8"):
        page.keyboard.press(stroke)
    expect(page.locator(".pad .aim")).to_have_count(4)
    press(page, "c2hqd3s", "Player wins, 8 to 5")
    cards = page.locator(".hand .card")
    names = [card.get_attribute("aria-label") for card in cards.all()]
    assert names == ["8 of clubs", "queen of diamonds", "2 of hearts", "3 of spades"]
    page.keyboard.press("9")
    page.keyboard.press("c")  # nobody is owed it: that is said, and nothing recorded
    expect(cards).to_have_count(4)
    press(page, " ", "Take the losing wagers")
    press(page, "p", "First card for Player")
    page.context.close()
