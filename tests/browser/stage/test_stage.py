"""A seat at the stage in a real browser: acts, a refusal in its place, an outage, no movement."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, open_page, own_stake, sign_in
from tests.kit.web import Web

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
FRESH = re.compile(r"^(8|9|10)$")
OPEN = ".rack[data-betting=open]"
SETTLED = "#result:not([data-winner=''])"
SIZES = [(1280, 800), (1024, 768), (390, 844), (844, 390), (360, 640), (640, 360)]
PLACES = """() => Object.fromEntries([".bar", "#felt", ".dock", ".rack", ".acts", "#status"].map(
  (one) => { const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
    return [one, [x, y, width, height]]; }))"""
OUTSIDE = """() => [...document.querySelectorAll(
  ".bar nav summary, .hand, .area.own, .rack .chip, .acts button, .headline, .last b"
  )].filter((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  }).map((one) => one.outerHTML.slice(0, 90))"""
DRAWN_ANEW = """() => { document.getElementById("status").className = "status";
  document.dispatchEvent(new CustomEvent("shown", { detail: ["dock"] })); }"""
BESIDE = """() => { const at = document.querySelector(".area.refused");
  const [x, , , wide] = at.dataset.why.split(" ").map(Number);
  const chips = at.dataset.chips.split(" ").map(Number), why = at.querySelector(".why").getBBox();
  const laid = document.querySelector(`.stake.own[data-key$=" ${at.dataset.bet}"]`);
  const amount = laid.querySelector(".amount").getBBox();
  const cross = (one) => one.x < why.x + why.width && why.x < one.x + one.width
    && one.y < why.y + why.height && why.y < one.y + one.height;
  return [cross(amount) && "amount", why.x + why.width > x + wide && "edge",
    why.x + why.width > chips[0] - chips[2] + 1 && "chips"].filter(Boolean); }"""
SAW = """window.moved = 0; requestAnimationFrame(function frame() {
  moved = Math.max(moved, document.getAnimations().length); requestAnimationFrame(frame); });"""


def seated(page: Page, web: Web, table: str, person: str = "player") -> Page:
    sign_in(page, web, person)
    page.goto(f"{web.base}/tables/{table}")
    page.locator(".sit").first.click()
    page.locator(".dock >> text=Buy chips for").last.click()
    fresh_window(page)
    return page


def fresh_window(page: Page) -> None:
    """Time enough for what follows, however slow the machine."""
    expect(page.locator("#ring .seconds")).to_have_text(FRESH, timeout=PATIENCE_MS)
    expect(page.locator(OPEN)).to_be_attached(timeout=PATIENCE_MS)


def test_acts_are_one_request_each_and_what_is_refused_is_told_in_its_place(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = seated(open_page(browser, faults, 1280, 800), web, "table-1")
    stake = own_stake(page, "banker")
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.url.endswith("/lay") else None)
    for keys, laid in (("2b", "25"), ("d", "50"), ("u", "25"), ("c", ""), ("u", "25")):
        for key in keys:
            page.keyboard.press(key)
        if laid:
            expect(stake).to_have_text(laid, timeout=PATIENCE_MS)
        else:
            expect(page.locator(".stake.own")).to_have_count(0, timeout=PATIENCE_MS)
    assert len(sent) == 5
    expect(page.locator("#ring.last")).to_be_visible(timeout=PATIENCE_MS)  # in the last seconds
    expect(page.locator(SETTLED)).to_be_attached(timeout=PATIENCE_MS)
    expect(page.locator("#status")).to_contain_text("next bets open soon")
    fresh_window(page)
    page.keyboard.press("r")
    expect(stake).to_have_text("25", timeout=PATIENCE_MS)
    page.keyboard.press("c")
    expect(page.locator(".stake.own")).to_have_count(0, timeout=PATIENCE_MS)

    places = page.evaluate(PLACES)
    page.keyboard.press("1")
    page.keyboard.press("b")  # five, where twenty-five is the least
    why = page.locator(".area.own.banker.refused .why")
    expect(why).to_have_text("Minimum 25 · 7.1", timeout=PATIENCE_MS)
    expect(page.locator("#status.bad")).to_contain_text("[7.1]")
    page.evaluate(DRAWN_ANEW)
    expect(page.locator("#status.bad")).to_contain_text("[7.1]")
    assert page.evaluate(PLACES) == places
    assert page.locator(".stake.own").count() == 0
    for keys in ("2b", "6b"):  # more than there is, on what lies there
        for key in keys:
            page.keyboard.press(key)
        expect(stake).to_have_text("25", timeout=PATIENCE_MS)
    expect(why).to_have_text(re.compile(r"^(You have|Maximum) [\d,.]+"), timeout=PATIENCE_MS)
    assert page.evaluate(BESIDE) == []

    page.evaluate("document.querySelector('.rack').dataset.betting = 'shut'")
    page.route("**/lay", lambda route: route.abort())  # the house is away for a moment
    page.keyboard.press("2")
    page.keyboard.press("p")
    expect(page.locator(".area.own.player.refused")).to_be_visible(timeout=PATIENCE_MS)
    page.evaluate("document.querySelector('.rack').dataset.betting = 'open'")
    page.evaluate(DRAWN_ANEW)  # the next bets are open: what was refused is over
    expect(page.locator(".area.refused")).to_have_count(0, timeout=1000)
    page.unroute("**/lay")
    fresh_window(page)
    page.keyboard.press("p")
    expect(own_stake(page, "player")).to_have_text("25", timeout=PATIENCE_MS)
    page.context.close()
    faults.found.clear()  # the browser itself reports what was refused and what was cut off


def test_all_of_it_is_on_one_screen_and_nothing_moves_for_whoever_wants_no_movement(
    web: Web, browser: Browser, faults: Faults
) -> None:
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 800})
    page = seated(faults.watch(context.new_page()), web, "table-3")
    page.evaluate(SAW)
    page.keyboard.press("2")
    page.keyboard.press("b")
    expect(own_stake(page, "banker")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".hand [data-lies]").nth(3)).to_be_visible(timeout=PATIENCE_MS)
    assert page.locator(".points").count() >= 1  # the same is shown, at once
    expect(page.locator(SETTLED)).to_be_attached(timeout=PATIENCE_MS)
    assert page.evaluate("moved") == 0
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)  # another shape of the felt is asked for
        expect(page.locator(".area.own").first).to_be_visible(timeout=PATIENCE_MS)
        assert page.evaluate(OUTSIDE) == [], (width, height)
        wide = page.evaluate("[document.documentElement.scrollWidth, document.body.scrollHeight]")
        assert wide == [width, height]
        results = page.locator(".last b, .bead-plate .newest").filter(visible=True)
        expect(results.first).to_be_visible(timeout=PATIENCE_MS)
    for turned in ("> 100", "=== 0"):  # from the last results to the roads and back
        page.locator(".last").click()
        page.wait_for_function(f"document.querySelector('.pager').scrollLeft {turned}")
    context.close()


@contextmanager
def in_pieces(web: Web, path: str, after: str) -> Iterator[tuple[str, threading.Event]]:
    """A house whose page comes in two pieces, the second when it is let go; all else as it is."""
    go_on = threading.Event()

    class Slow(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = httpx.get(f"{web.base}{self.path}")
            self.send_response(found.status_code)
            self.send_header("Content-Type", found.headers["content-type"])
            self.end_headers()
            first, mark, second = found.content.partition(after.encode())
            self.wfile.write(first + mark)
            if self.path == path:
                self.wfile.flush()
                go_on.wait(PATIENCE_MS / 1000)
            self.wfile.write(second)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{path}", go_on
        go_on.set()
        server.shutdown()


def test_nothing_is_painted_before_all_of_the_page_is_there(web: Web, browser: Browser) -> None:
    """What came in pieces would move as its rest came: a dock with half of its chips."""
    page = open_page(browser, Faults(), 1280, 800)
    with in_pieces(web, "/tables/table-1", 'class="rack"') as (address, go_on):
        page.route("**/live/**", lambda route: route.abort())
        page.goto(address, wait_until="commit")
        page.locator(".staked").wait_for(state="attached")
        page.wait_for_timeout(1500)
        assert page.evaluate("performance.getEntriesByType('paint').length") == 0
        go_on.set()
        page.wait_for_function("performance.getEntriesByType('paint').length")
    page.context.close()


def test_a_box_pressed_before_the_table_is_ready_is_taken_all_the_same(
    web: Web, browser: Browser
) -> None:
    """On a slow way the table is painted before what makes it move is there."""
    page = open_page(browser, Faults(), 1280, 800)
    sign_in(page, web, "player")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    def press() -> Route:
        page.goto(f"{web.base}/tables/table-2", wait_until="commit")
        page.locator(".sit").first.click()
        while not held:
            page.wait_for_timeout(20)
        return held.pop()

    page.route("**/stage/page.js", hold)
    press().abort()  # it never comes: the box leads to its form
    page.wait_for_url("**/tables/table-2/do/sit*")
    press().continue_()
    expect(page.locator("#felt .box.own")).to_be_attached(timeout=PATIENCE_MS)
    page.context.close()
