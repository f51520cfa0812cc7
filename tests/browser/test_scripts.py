"""Every function of our scripts runs in a real browser at least once, or it is not needed."""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.kit.browser import (
    CHROMIUM,
    PATIENCE_MS,
    STATIC,
    Faults,
    ScriptsRun,
    chromium,
    open_page,
    sign_in,
)
from tests.kit.web import Web, demo_house, give

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
INSECURE = "delete Crypto.prototype.randomUUID"
"""As in a browser that reaches the house without TLS, by another name than localhost."""


SHEET = "dialog.sheet"
NEXT = "section.desk .actions form.inline button:not(.quiet)"


class Reader:
    """One person at one page after another, whose scripts are counted."""

    def __init__(self, web: Web, browser: Browser, ran: ScriptsRun, person: str = "") -> None:
        self.web, self.ran, self.faults = web, ran, Faults()
        self.page = ran.watch(open_page(browser, self.faults))
        self.page.add_init_script(INSECURE)
        if person:
            sign_in(self.page, web, person)

    def at(self, path: str) -> Page:
        self.ran.note()
        self.page.goto(f"{self.web.base}{path}")
        return self.page


def sign_in_by_card(reader: Reader) -> None:
    """The code on a slip, and one that is no good."""
    reader.at("/")
    page = reader.at(f"/sign-in#player.{'0' * 48}")
    expect(page.locator("[role=alert]")).to_be_visible(timeout=PATIENCE_MS)


def follow_the_house(reader: Reader, cashier: httpx.Client) -> None:
    """A list shows what changed, and whoever types in it goes on typing."""
    page = reader.at("/house/people")
    page.locator("[name=q]").press_sequentially("new")
    give(cashier, "/register/enrol", {"person": "newcomer", "kind": "patron"})
    expect(page.locator("tbody")).to_contain_text("newcomer", timeout=PATIENCE_MS)
    expect(page.locator("[name=q]")).to_be_focused()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    away(page, "**/live/house")
    page = reader.at("/house/people")
    back_again(page, "**/live/house")


def away(page: Page, stream: str) -> None:
    page.route(stream, lambda route: route.fulfill(status=503))


def back_again(page: Page, stream: str) -> None:
    """The page says that the house is away, and finds it again by itself."""
    expect(page.locator("#offline")).to_be_visible(timeout=PATIENCE_MS)
    page.unroute(stream)
    expect(page.locator("#offline")).to_be_hidden(timeout=PATIENCE_MS)


def deal(reader: Reader) -> None:
    """A dealer keys a wager that cannot be read, and looks at what a mistake would bring about."""
    page = reader.at("/tables/table-2/dealer")
    page.click("text=Sign on as dealer")
    page.click("details.more summary")  # unfolded, it stays so while the page changes
    wager = page.locator("[name=wager]")
    for _ in range(60):
        if wager.count():
            break
        button = page.locator(NEXT).first
        if button.count():
            button.click()
        page.wait_for_timeout(250)
    wager.fill("nothing of the kind")
    page.keyboard.press("Enter")
    told = page.locator("#told")
    expect(told).to_contain_text("nothing of the kind", timeout=PATIENCE_MS)
    expect(told).to_be_empty(timeout=PATIENCE_MS)
    page.click("text=What happened?")
    sheet = page.locator(SHEET)
    sheet.locator("a", has_text="turned up").first.click()
    sheet.locator("button", has_text="Show what will happen").click()
    expect(sheet.locator("button", has_text="Confirm")).to_be_visible(timeout=PATIENCE_MS)
    sheet.locator("[data-close]").click()
    expect(sheet).to_be_hidden()


def lose_the_house(reader: Reader) -> None:
    """While it is away a link opens as a page of its own."""
    page = reader.page
    away(page, "**/live/table-2/*")
    page = reader.at("/tables/table-2/dealer")
    back_again(page, "**/live/table-2/*")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.resource_type)
        if len(asked) == 1:
            route.abort()
        else:
            route.fulfill(status=204)  # the browser stays where it is, and can be asked

    page.route("**/what-happened*", answer)
    page.click("text=What happened?")
    for _ in range(200):
        if len(asked) == 2:
            break
        page.wait_for_timeout(100)
    assert asked == ["fetch", "document"]


def bet(reader: Reader) -> None:
    """By keys, by hand, and on one's own box."""
    page = reader.at("/tables/table-3")
    page.locator("text=Take seat").first.click()
    page.locator("text=Buy chips for").first.click()
    expect(page.locator("section.own")).to_contain_text("More", timeout=PATIENCE_MS)
    page.locator("section.own a", has_text="More").click()
    page.locator(f"{SHEET} a", has_text="Ask for face-down cards").click()
    page.locator(f"{SHEET} button", has_text="Ask for face-down cards").click()
    expect(page.locator(SHEET)).to_be_hidden(timeout=PATIENCE_MS)
    expect(page.locator(".option.banker")).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press("3")
    page.keyboard.press("b")
    expect(page.locator(".box.own .stake.banker")).to_be_visible(timeout=PATIENCE_MS)
    page.locator(".chip").first.drag_to(page.locator(".option.banker"))
    page.locator(".box.own .area.banker").click()


def squeeze(reader: Reader) -> None:
    """A natural of the other hand may end a coup before it comes to us: then the next one."""
    page = reader.page
    back, option = page.locator(".squeeze button").first, page.locator(".option.banker")
    for _ in range(6):
        expect(back.or_(option).first).to_be_visible(timeout=PATIENCE_MS)
        if back.count():
            break
        option.click()
        page.wait_for_timeout(500)
        expect(back.or_(page.locator(".call .won")).first).to_be_visible(timeout=PATIENCE_MS)
    box = back.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 5
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - box["height"] * 0.3, steps=5)
    page.mouse.up()


def test_every_function_of_our_scripts_runs(tmp_path: Path) -> None:
    """Whoever writes one that no page needs, or that no test reaches, is told its place here."""
    ran = ScriptsRun()
    with demo_house(tmp_path / "demo", bets=5) as web, chromium() as browser:
        sign_in_by_card(Reader(web, browser, ran))
        follow_the_house(Reader(web, browser, ran, "manager"), web.client("cashier"))
        dealer, player = (Reader(web, browser, ran, who) for who in ("dealer", "player"))
        deal(dealer)
        lose_the_house(dealer)
        bet(player)
        squeeze(player)
        ran.note()
    assert ran.files == {file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.js")}
    assert not ran.never, "\n".join(ran.never)
