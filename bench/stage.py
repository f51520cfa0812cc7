"""The table in a real browser: what shifts, what is dropped, how soon it and a bet are there.

Chromium's own figures: layout shifts and paints by its `PerformanceObserver`, bytes as its network
counts them. The machine's load stands beside them, for a busy one paints late.
"""

import os
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page
from tests.kit.browser import CHROMIUM, Faults, chromium, open_page, sign_in
from tests.kit.web import Web, demo_house

TABLE = "table-1"
SIZES = {
    "1280×800": (1280, 800),
    "1024×768": (1024, 768),
    "390×844": (390, 844),
    "360×640": (360, 640),
}
WALL = "wall 1920×1080"
COUPS, VISITS, BETS = 10, 9, 60
BETS_S, LONG_BETS_S = 4, 60
OPEN = ".rack[data-betting=open]"

WATCH = """
window.seen = { shifts: [], moved: [], frames: 0, dropped: 0 };
function named(node) {
  const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  if (!element) return "gone meanwhile";
  if (element.id) return `#${element.id}`;
  const within = element.closest("[id]");
  return [within && `#${within.id}`, [element.localName, ...element.classList].join(".")]
    .filter(Boolean).join(" ");
}
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) {
    seen.shifts.push(one.value);
    for (const { node } of one.sources) seen.moved.push(named(node));
  }
}).observe({ type: "layout-shift", buffered: true });
"""
"""Every shift counts, those after a press too."""
FRAMES = """
let last = 0;
requestAnimationFrame(function frame(now) {
  const since = now - last;
  if (last && document.getAnimations().some((one) => one.playState === "running")) {
    seen.frames += Math.max(1, Math.round(since / (1000 / 60)));
    seen.dropped += Math.max(0, Math.round(since / (1000 / 60)) - 1);
  }
  last = now;
  requestAnimationFrame(frame);
});
"""
"""Frames that were due and did not come, while anything was in motion."""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"
PRESS = """async (bet) => {
  const laid = () => document.querySelector(`.stake.own[data-key$=" ${bet}"]`)?.dataset.cents ?? "";
  const [was, start] = [laid(), performance.now()];
  document.querySelector(`.area.own[data-bet="${bet}"]`).dispatchEvent(
    new MouseEvent("click", { bubbles: true }));
  while (laid() === was) {
    if (performance.now() - start > 5000) return -1;
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - start;
}"""
"""From the press until the chips lie on the felt as the house confirmed them."""


def seated(web: Web, browser: Browser, size: tuple[int, int]) -> Page:
    page = open_page(browser, Faults(), *size)
    sign_in(page, web, "player")
    page.goto(f"{web.base}/tables/{TABLE}")
    if not page.locator(".rack[data-betting]").count():
        page.locator(".sit").first.click()
    buy = page.locator(".dock >> text=Buy chips for").last
    page.locator(".rack[data-betting]").wait_for(state="attached")
    if buy.count():
        buy.click()
        buy.wait_for(state="detached")
    return page


def coup(pages: list[Page]) -> None:
    """A coup with two bets on the first page, and a refusal in its place on every one."""
    for page in pages:
        page.locator(OPEN).wait_for(state="attached")
        page.locator(".rack .chip").first.click()
        page.keyboard.press("b")  # less than the minimum
        page.wait_for_timeout(100)
    first = pages[0]
    for key in "2bt":
        first.keyboard.press(key)
    first.locator("#result:not([data-winner=''])").wait_for(state="attached")
    first.locator(OPEN).wait_for(state="attached")


def shifts(web: Web, browser: Browser) -> dict[str, dict[str, Any]]:
    pages = {name: seated(web, browser, size) for name, size in SIZES.items()}
    wall = open_page(browser, Faults(), 1920, 1080)
    watched = {**pages, WALL: wall}
    for page in watched.values():
        page.add_init_script(WATCH)
    for page in pages.values():
        page.reload()
    wall.goto(f"{web.base}/tables/{TABLE}/display")
    for _ in range(COUPS):
        coup(list(pages.values()))
    seen = {name: page.evaluate("seen") for name, page in watched.items()}
    for page in watched.values():
        page.context.close()
    return seen


def frames(web: Web, browser: Browser) -> dict[str, Any]:
    """One page alone, as on a player's own device."""
    page = seated(web, browser, SIZES["1280×800"])
    page.add_init_script(WATCH + FRAMES)
    page.reload()
    for _ in range(3):
        coup([page])
    seen: dict[str, Any] = page.evaluate("seen")
    page.context.close()
    return seen


class Word(BaseHTTPRequestHandler):
    """Answers with a page of one word."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>word</title><p id=live data-seq=0>word")

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def one_word() -> Iterator[str]:
    """Where a page of one word is: what it takes to be painted, this browser takes for any page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Word) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Visit:
    """A page opened: how soon it was painted, and what came over the wire."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        page = context.new_page()
        network = context.new_cdp_session(page)
        self.sent = 0
        network.on("Network.loadingFinished", self._count)
        network.send("Network.enable")
        page.goto(address)
        page.locator("#live[data-seq]").wait_for(state="attached")
        page.wait_for_timeout(300)
        self.painted_ms: float = page.evaluate(PAINTED)
        page.close()

    def _count(self, finished: dict[str, Any]) -> None:
        self.sent += finished["encodedDataLength"]


def visits(browser: Browser, address: str) -> tuple[list[Visit], list[Visit]]:
    first, second = [], []
    for _ in range(VISITS):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        first.append(Visit(context, address))
        second.append(Visit(context, address))
        context.close()
    return first, second


def bets(web: Web, browser: Browser) -> list[float]:
    page = seated(web, browser, SIZES["1280×800"])
    took: list[float] = []
    page.locator(".rack .chip").nth(1).click()
    while len(took) < BETS:
        page.locator(OPEN).wait_for(state="attached")
        ms = page.evaluate(PRESS, "banker")
        if ms >= 0:
            took.append(ms)
        if len(took) % 20 == 0:
            page.keyboard.press("c")
            page.locator(".stake.own").first.wait_for(state="detached")
    page.context.close()
    return took


def loaded() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


def report() -> None:
    if CHROMIUM is None:
        print("the table in a browser: Chromium is not installed")
        return
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        with demo_house(Path(name) / "long", bets=LONG_BETS_S) as web:
            with one_word() as address:
                _report_painted("page of one word", *visits(browser, address))
            table = visits(browser, f"{web.base}/tables/{TABLE}")
            _report_painted("table (wanted 250)", *table)
            _report_sent(*table)
            took = statistics.quantiles(bets(web, browser), n=20)
            shown = f"{took[9]:.0f} ms, p95 {took[18]:.0f} ms"
            print(f"bet to one's own felt         {shown:>20} (wanted p95 100), {loaded()}")
        with demo_house(Path(name) / "short", bets=BETS_S) as web:
            moved = frames(web, browser)
            part = moved["dropped"] / max(1, moved["frames"])
            print(f"frames dropped in motion      {part:>18.1%} of {moved['frames']:,}, {loaded()}")
            for size, seen in shifts(web, browser).items():
                worst = f" {sorted(set(seen['moved']))}" if seen["moved"] else ""
                shown = f"{sum(seen['shifts']):.4f} (wanted 0.00){worst}"
                print(f"shifted in {COUPS} coups, {size:<15}    {shown}")


def _report_painted(what: str, first: list[Visit], second: list[Visit]) -> None:
    shown = [f"{statistics.median(one.painted_ms for one in made):.0f}" for made in (first, second)]
    print(f"painted, {what:<18} {' / '.join(shown):>20} ms, first / second visit, {loaded()}")


def _report_sent(first: list[Visit], second: list[Visit]) -> None:
    sent = [statistics.median(one.sent for one in made) / 1000 for made in (first, second)]
    shown = [f"{one:.1f}" for one in sent]
    print(f"sent, table                  {' / '.join(shown):>20} kB (wanted 80)")


if __name__ == "__main__":
    report()
