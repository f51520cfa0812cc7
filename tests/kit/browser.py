"""A browser to test with: Debian's Chromium, and an ear for whatever a page complains of."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from tests.kit.web import Web

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 40_000


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Faults:
    """Whatever a page complains of: script errors, refused by the policy, failed requests."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def watch(self, page: Page) -> Page:
        page.on("pageerror", lambda error: self.found.append(str(error)))
        page.on(
            "console",
            lambda said: self.found.append(said.text) if said.type == "error" else None,
        )
        return page


def open_page(browser: Browser, faults: Faults, width: int = 1280, height: int = 860) -> Page:
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE_MS)
    return faults.watch(context.new_page())


def sign_in(page: Page, web: Web, person: str) -> None:
    page.goto(f"{web.base}/sign-in")
    page.fill("[name=who]", person)
    page.fill("[name=secret]", web.secrets[person])
    page.click("main button")
    page.wait_for_url(f"{web.base}/")
