"""A competition's people, each with a browser of their own."""

import json

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import PATIENCE_MS, Faults
from tests.kit.competition.over_http import Floor
from tests.kit.web import Web

GRAVE = ("serious", "critical")
RUN = "axe.run({resultTypes: ['violations'], preload: false}).then(found => found.violations)"


class Room:
    """Everybody's browser, signed in."""

    def __init__(self, web: Web, browser: Browser, faults: Faults) -> None:
        self.web, self.browser, self.faults = web, browser, faults
        self.floor = Floor(web)

    def page(self, who: str, path: str, width: int = 1280, height: int = 800) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, bypass_csp=True, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        cookies = self.web.client(who).cookies.items()
        context.add_cookies([{"name": k, "value": v, "url": self.web.base} for k, v in cookies])
        page = self.faults.watch(context.new_page())
        page.goto(f"{self.web.base}{path}")
        return page

    def sent(self, page: Page, console: str) -> None:
        """A form sent: what cannot be taken back is seen first; then the console is there."""
        page.click("main form button.first")
        shown = page.locator("h2:text-is('What will happen')")
        expect(shown.or_(page.locator("#region-path"))).to_be_visible(timeout=PATIENCE_MS)
        if shown.count():
            clean(page)
            page.click("main form button")
        page.wait_for_url(f"{self.web.base}{console}")


def clean(page: Page) -> None:
    """Axe finds nothing grave, light or dark, and nothing is wider than the screen."""
    page.evaluate(AXE_SCRIPT)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        found = [one for one in page.evaluate(RUN) if one["impact"] in GRAVE]
        assert not found, json.dumps(found, indent=1)[:2000]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
