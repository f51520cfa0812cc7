"""Every function of our scripts runs in a real browser at least once, or it is not needed."""

import re
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
    own_stake,
    sign_in,
)
from tests.kit.web import Web, demo_house, give

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
INSECURE = "delete Crypto.prototype.randomUUID"
"""As in a browser that reaches the house without TLS, by another name than localhost."""


SHEET = "dialog.sheet"
ELSEWHERE = re.compile(
    r"(pages/(competitions(/\w+)?|journal/lookback|floor/(floor|photo|handover)|office/passkey)"
    r"|live/desk|commands/(keys|opening)|stage/first)\.js"
    r"|commands/forms\.js:\d+:\d+ signIn|shell\.js:\d+:\d+ again"
)
"""Competitions, looking back, floor, passkeys, the instrument, opening a table, a press before a
table is ready, a session that is over: all have own tests. Whoever signs in anew leaves the page
with its counts."""
OPEN = ".rack[data-betting=open]"


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
    page.locator("#find").press_sequentially("new")
    give(cashier, "/register/enrol", {"person": "newcomer", "kind": "patron"})
    expect(page.locator("#region-people")).to_contain_text("newcomer", timeout=PATIENCE_MS)
    expect(page.locator("#find")).to_be_focused()
    page = reader.at("/competitions")
    page.locator("main input[name]:not([type=hidden])").first.fill("spring")
    page.locator("main select").select_option(index=1)
    expect(page.locator("main input[name]:not([type=hidden])").first).to_have_value("spring")
    page = reader.at("/tables/table-1/games")
    expect(page.locator("#region-newer")).to_contain_text("Show it", timeout=PATIENCE_MS)
    away(page, "**/live/office*")
    page = reader.at("/house")
    back_again(page, "**/live/office*")


def use_the_bar(reader: Reader, cashier: httpx.Client, manager: httpx.Client) -> None:
    """Search by keys alone, light and dark, and a slip that comes to wait for the cashier."""
    away(
        reader.page, "**/live/waits*"
    )  # the house is away for a moment: what waits is told all the same
    with reader.page.expect_response("**/live/waits*"):
        page = reader.at("/house/cage/chips")
    page.unroute("**/live/waits*")
    page.keyboard.press("/")
    page.keyboard.type("table-3")
    found = page.locator(".found a")
    expect(found.first).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press("ArrowDown")
    expect(found.first).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    expect(page.locator(".found")).to_be_hidden()
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.locator("[data-theme-switch]").click()
    worn = page.evaluate("document.documentElement.dataset.theme")
    assert worn == ("light" if dark else "dark")
    give(manager, "/cage/request-slip", {"kind": "fill", "table": "table-1", "cents": 500_000})
    badge = page.locator(".inbox summary")
    expect(badge).to_have_text("1 waits for me", timeout=PATIENCE_MS)
    badge.click()
    other = reader.ran.watch(page.context.new_page())
    other.goto(page.url)
    give(manager, "/cage/request-slip", {"kind": "fill", "table": "table-2", "cents": 500_000})
    expect(other.locator(".inbox summary")).to_have_text("2 wait for me", timeout=PATIENCE_MS)
    reader.ran.note()
    other.goto("about:blank")
    page.locator(".inbox-list a").first.click()
    page.wait_for_url("**/house/cage/slips/*")
    for slip in cashier.get("/api/waiting").json():
        give(cashier, "/cage/complete-slip", {"number": slip["number"]})
    expect(badge).to_have_text("Nothing waits", timeout=PATIENCE_MS)


def train(reader: Reader) -> None:
    """A scene answered by digits."""
    page = reader.at("/training/tas-2018/competition?seed=1")
    page.keyboard.press("1")
    expect(page.locator("input:checked")).to_have_count(1)


def keep_the_till(reader: Reader, cashier: httpx.Client) -> None:
    """A code is scanned, an amount keyed and taken back, a drawer counted, a receipt printed."""
    row = cashier.get("/api/people/player/ledger").json()[0]["seq"]
    page = reader.at("/house/cage")
    page.evaluate("window.print = () => { window.printed = true; }")
    scanned = f"https://house.example/sign-in#player.{'0f' * 24}"
    stay = "**/house/cage/find"
    page.route(stay, lambda route: route.fulfill(status=204))  # it stays, and can be asked
    page.locator("#find").fill(scanned)
    reader.ran.note()
    page.unroute(stay)
    page = reader.at("/house/cage")
    page.locator("#find").fill(scanned)
    for key in ("1", "2", "⌫", "+50"):
        page.click(f"[data-key='{key}']")
    expect(page.locator("#amount")).to_have_value("51")
    page.keyboard.press("Escape")
    reader.ran.note()
    page.click("form[data-till] > .button")
    expect(page.locator(".sure")).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press("Escape")
    expect(page.locator("#amount")).to_have_value("51")
    page = reader.at(f"/house/cage/receipts/{row}")
    page.evaluate("window.print = () => { window.printed = true; }")
    page.click("[data-print]")
    assert page.evaluate("window.printed")
    page = reader.at("/house/cage/drawer")
    page.fill("[id='cash.5000']", "3")
    expect(page.locator("#cash [data-total]")).to_contain_text("150")
    page.press("[id='cash.5000']", "Enter")


def open_a_table(reader: Reader) -> None:
    """The notice beside a choice of presets is that of the one chosen."""
    page = reader.at("/house/open-table?ruleset=tas-2018")
    page.locator("[name=preset]").last.check()
    expect(page.locator("[data-sheet]:visible")).to_have_count(1)


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
    expect(page.locator("[data-first]")).to_be_focused()
    wager = page.locator("[name=wager]")
    for _ in range(60):
        if wager.count():
            break
        page.keyboard.press("Enter")
        page.wait_for_timeout(250)
    page.keyboard.press("l")
    expect(wager).to_be_focused()
    wager.fill("nothing of the kind")
    page.keyboard.press("Enter")
    told = page.locator("#lay-wrong")
    expect(told).to_contain_text("nothing of the kind", timeout=PATIENCE_MS)
    page.click("text=What happened?")
    sheet = page.locator(SHEET)
    sheet.locator("summary").click()
    sheet.locator("details a", has_text="turned up").first.click()
    sheet.locator("button", has_text="Show what will happen").click()
    expect(sheet.locator("button", has_text="Confirm")).to_be_visible(timeout=PATIENCE_MS)
    sheet.locator("[data-close]").click()
    expect(sheet).to_be_hidden()
    page.route("**/box", lambda route: route.abort(), times=1)
    wager.fill("1 b 50")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("The connection was lost")
    reader.ran.note()
    page.context.clear_cookies()  # signed out meanwhile: signing in leads back here
    wager.fill("1 b 50")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sign-in?to=*")
    page.fill("[name=who]", "dealer")
    page.fill("[name=secret]", reader.web.secrets["dealer"])
    page.click("main button")
    page.wait_for_url("**/tables/table-2/dealer")


def lose_the_house(reader: Reader) -> None:
    """While it is away nobody is led off a page that will come back, whether the way is gone or a
    proxy answers in the house's place.
    """
    page = reader.page
    away(page, "**/live/table-2/*")
    page = reader.at("/tables/table-2/dealer")
    back_again(page, "**/live/table-2/*")
    told, here = page.locator("#told"), page.url

    def lost(route: Route) -> None:
        route.abort()

    def of_a_proxy(route: Route) -> None:
        route.fulfill(status=502, body="<h1>502 Bad Gateway</h1>")

    for answer in (lost, of_a_proxy):
        page.evaluate("document.getElementById('told').textContent = ''")
        page.route("**/what-happened*", answer, times=1)
        page.click("text=What happened?")
        expect(told).to_contain_text("no answer came", timeout=PATIENCE_MS)
        assert page.locator("dialog[open]").count() == 0
        assert page.url == here
    page.click("text=What happened?")
    expect(page.locator(SHEET)).to_be_visible(timeout=PATIENCE_MS)


def look_around_the_lobby(reader: Reader, manager: httpx.Client) -> None:
    """Filters, a table that is called otherwise, and a house that is away."""
    page = reader.at("/")
    page.locator("[data-show=play]").click()
    expect(page.locator(".tile-of:visible")).to_have_count(1)
    page.locator("[data-show=all]").click()
    give(manager, "/register/name-table", {"table": "table-1", "name": "Esk"})
    expect(page.locator("#tables")).to_contain_text("Esk", timeout=PATIENCE_MS)
    expect(page.locator(".state b").first).not_to_be_empty(timeout=PATIENCE_MS)
    away(page, "**/live/lobby*")
    page = reader.at("/")
    back_again(page, "**/live/lobby*")


def watch_the_wall(reader: Reader) -> None:
    """Tables in turn, a house that is away, and tables that have come or gone."""
    page = reader.at("/display?tables=table-1,table-3&seconds=2")
    second = page.locator(".board[data-table=table-3]")
    expect(second).to_have_class(re.compile(r"\bon\b"), timeout=PATIENCE_MS)
    counting = page.locator("[data-until][data-ends]").first
    counting.wait_for(state="attached", timeout=PATIENCE_MS)  # bets are open somewhere
    away(page, "**/live/walls*")
    page = reader.at("/display/all")
    back_again(page, "**/live/walls*")
    held, asked = list[Route](), list[str]()

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.continue_()
        else:
            route.fulfill(status=204)  # the browser stays where it is, and can be asked

    page.route("**/display/all", answer)
    page.route("**/live/walls*", lambda route: held.append(route))  # noqa: PLW0108  playwright wants a function
    page = reader.at("/display/all")
    page.wait_for_timeout(500)
    held[0].fulfill(content_type="text/event-stream", body="event: again\ndata: {}\n\n")
    for _ in range(200):
        if len(asked) > 1:
            break
        page.wait_for_timeout(100)
    assert len(asked) > 1


def bet(reader: Reader) -> None:
    """By keys, by hand, and on one's own box."""
    page = reader.at("/tables/table-3")
    page.locator(".sit").first.click()
    page.locator(".dock >> text=Buy chips for").last.click()
    a_fresh_window = re.compile(r"^(9|1\d)$")  # a request of whoever does not bet lapses
    expect(page.locator("#ring .seconds")).to_have_text(a_fresh_window, timeout=PATIENCE_MS)
    page.keyboard.press("2")
    page.keyboard.press("b")
    expect(own_stake(page, "banker")).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press("d")
    expect(own_stake(page, "banker")).to_have_text("50", timeout=PATIENCE_MS)
    page.locator(".drawer summary").first.click()
    page.locator("section.own a", has_text="More").click()
    page.locator(f"{SHEET} a", has_text="Ask for face-down cards").click()
    page.locator(f"{SHEET} button", has_text="Ask for face-down cards").click()
    expect(page.locator(SHEET)).to_be_hidden(timeout=PATIENCE_MS)
    page.locator(".rack .chip").first.drag_to(page.locator(".area.own.banker"))
    page.locator(".area.own.banker").click()


def squeeze(reader: Reader) -> None:
    """A natural of the other hand may end a coup before it comes to us: then the next one."""
    page = reader.page
    back, settled = page.locator(".turns").first, page.locator("#result:not([data-winner=''])")
    for _ in range(8):
        expect(back.or_(page.locator(OPEN)).first).to_be_visible(timeout=PATIENCE_MS)
        if back.count():
            break
        page.keyboard.press("2")  # the chip that was dragged is less than the minimum
        page.locator(".area.own.banker").click()
        page.wait_for_timeout(500)
        expect(back.or_(settled).first).to_be_visible(timeout=PATIENCE_MS)
    back.click()
    card = page.locator("#squeeze svg")
    expect(card).to_be_visible(timeout=PATIENCE_MS)
    page.locator("#squeeze [data-later]").click()
    back.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_visible(timeout=PATIENCE_MS)
    card.press("ArrowLeft")
    box = card.bounding_box()
    assert box
    x, y = box["x"] + box["width"] * 0.86, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y, steps=3)
    page.mouse.up()
    card.press("Enter")
    expect(page.locator("#squeeze")).to_be_hidden(timeout=PATIENCE_MS)


def take_the_tour(reader: Reader) -> None:
    """On and back, by buttons and by keys, and left in the middle."""
    page = reader.at("/tables/table-3")
    page.locator(".bar > nav > [data-tour]").click()
    step = page.locator(".tour h2 small")
    for press, shown in (("[data-next]", "2"), ("[data-back]", "1")):
        page.locator(f".tour {press}").click()
        expect(step).to_contain_text(f"{shown} /")
    page.locator(".tour").press("ArrowRight")
    expect(step).to_contain_text("2 /")
    page.keyboard.press("Escape")
    expect(page.locator(".tour")).to_have_count(0)


def look_around(reader: Reader) -> None:
    """Themes, sounds and the voice; a neighbour's box and the roads on a phone; a refusal."""
    page = reader.at("/tables/table-3")
    page.locator(".drawer summary").last.click()
    for name in ("contrast", "sound", "voice"):
        page.locator(f"[data-look] [name={name}]").check()
    page.locator("[data-look] [value=dark]").check()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#felt[data-shape=phone]")).to_be_attached(timeout=PATIENCE_MS)
    expect(page.locator(".pager.placed")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(OPEN)).to_be_visible(timeout=PATIENCE_MS)
    page.locator(".pager .blank").click(position={"x": 20, "y": 20})
    expect(page.locator("#status")).to_contain_text("1 · ")  # a neighbour's box, in words
    page.keyboard.press("r")
    expect(own_stake(page, "banker")).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press("2")
    page.locator(".area.own.banker").click()
    page.locator("[data-act=clear] button:enabled").click()
    page.locator(".rack .chip").last.click()
    for _ in range(3):
        page.locator(".area.own.player-pair, .area.own.tie").first.click()
    expect(page.locator("#status.bad")).to_be_visible(timeout=PATIENCE_MS)
    page.locator(".area.own.banker").focus()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.keyboard.press("u")


def look_back(reader: Reader) -> None:
    page = reader.at("/tables/table-1/journal/1")
    expect(page.locator("[data-ready]")).to_be_attached(timeout=PATIENCE_MS)
    page = reader.at("/rules/tas-2018:9.4")
    expect(page.locator(".contents .here .head")).to_contain_text("Initial deal")
    page.evaluate("document.getElementById('c14.2').scrollIntoView()")
    expect(page.locator(".contents .here .head")).to_contain_text("Irregularities")


def watch_the_floor(reader: Reader) -> None:
    page = reader.at("/floor")
    expect(page.locator("#floor tr[aria-selected=true]")).to_be_visible(timeout=PATIENCE_MS)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    reader.at("/tables/table-1/note")
    reader.at("/floor/handover")
    reader.at("/competitions/next/conditions?template=four-heats")


def test_every_function_of_our_scripts_runs(tmp_path: Path) -> None:
    """Whoever writes one that no page needs, or that no test reaches, is told its place here."""
    ran = ScriptsRun()
    with demo_house(tmp_path / "demo", bets=12) as web, chromium() as browser:
        sign_in_by_card(Reader(web, browser, ran))
        watch_the_wall(Reader(web, browser, ran))
        train(Reader(web, browser, ran))
        open_a_table(Reader(web, browser, ran, "manager"))
        look_around_the_lobby(Reader(web, browser, ran), web.client("manager"))
        follow_the_house(Reader(web, browser, ran, "manager"), web.client("cashier"))
        use_the_bar(
            Reader(web, browser, ran, "cashier"), web.client("cashier"), web.client("manager")
        )
        keep_the_till(Reader(web, browser, ran, "cashier"), web.client("cashier"))
        dealer, player = (Reader(web, browser, ran, who) for who in ("dealer", "player"))
        deal(dealer)
        lose_the_house(dealer)
        bet(player)
        squeeze(player)
        take_the_tour(player)
        look_around(player)
        look_back(Reader(web, browser, ran, "manager"))
        watch_the_floor(Reader(web, browser, ran, "manager"))
        ran.note()
    files = {file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.js")}
    assert not {file for file in files - ran.files if not ELSEWHERE.match(file)}
    never = [name for name in ran.never if not ELSEWHERE.match(name)]
    assert not never, "\n".join(never)
