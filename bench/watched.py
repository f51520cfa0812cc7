"""What live pages ask for and are sent while somebody looks at them.

    python -m bench.watched

The demo house in a real browser, every page open at once: ten seconds while bots play, and ten
while everybody waits for bets. Requests and bytes are Chromium's own counts, after the page is
there; a clock on the wall has no part in them but for the ten seconds.
"""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from tests.kit.browser import Faults, chromium, open_page, sign_in
from tests.kit.web import Web, demo_house

LOOKED_AT_S, SETTLED_S = 10, 6
BUSY_S, QUIET_S = 3, 600
"""The time for bets: while it runs nothing happens once the bots have bet."""
PAGES = {
    "player": ("/", "/tables/table-1"),
    "dealer": ("/tables/table-1/dealer",),
    "inspector": ("/tables/table-1/pit", "/floor"),
    "cashier": ("/house/cage", "/house/cage/chips", "/house/people"),
    "manager": ("/floor", "/house", "/house/people", "/house/cage", "/house/events"),
    "surveillance": ("/floor", "/tables/table-1/pit"),
}


class Watched:
    """One page, and what came to it."""

    def __init__(self, page: Page, who: str, path: str) -> None:
        self.name = f"{who:<13}{path}"
        self.asked, self.sent, self._files = list[str](), 0, set[str]()
        session = page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", self._asks)
        session.on("Network.dataReceived", self._gets)
        session.send("Network.enable")

    def _asks(self, told: dict[str, Any]) -> None:
        """Pictures and scripts are kept for ever: they are asked for once, and not counted."""
        if "/static/" in told["request"]["url"]:
            self._files.add(told["requestId"])
        else:
            self.asked.append(told["request"]["url"])

    def _gets(self, told: dict[str, Any]) -> None:
        self.sent += 0 if told["requestId"] in self._files else told["dataLength"]

    def begin(self) -> None:
        self.asked, self.sent = [], 0


def look(web: Web, browser: Browser) -> list[Watched]:
    """Every page for ten seconds, all at the same time."""
    with ExitStack() as open_:
        seen = list[Watched]()
        pages = [(who, path) for who, paths in PAGES.items() for path in paths]
        first = None
        for who, path in pages:
            page = open_page(browser, Faults())
            open_.callback(page.context.close)
            sign_in(page, web, who)
            seen.append(Watched(page, who, path))
            page.goto(f"{web.base}{path}")
            first = first or page
        assert first is not None
        first.wait_for_timeout(SETTLED_S * 1000)
        for one in seen:
            one.begin()
        first.wait_for_timeout(LOOKED_AT_S * 1000)
        return seen


def report() -> None:
    for named, bets_s in (("busy", BUSY_S), ("quiet", QUIET_S)):
        with (
            tempfile.TemporaryDirectory() as folder,
            demo_house(Path(folder), bets_s) as web,
            chromium() as browser,
        ):
            for one in look(web, browser):
                paths = sorted({url.partition(web.base)[2] for url in one.asked})
                said = f"{len(one.asked):>3} requests {one.sent / 1000:>8.1f} kB"
                print(f"{named:<6}{said}  {one.name}  {' '.join(paths)}", flush=True)


if __name__ == "__main__":
    report()
