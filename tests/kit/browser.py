"""A browser to test with: Debian's Chromium, and an ear for whatever a page complains of."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Locator, Page, sync_playwright

from puntobanco.server import files
from tests.kit.web import Web

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The first is the same engine without the windows, menus and bars around a page, which nobody
sees here: a fifth of the processor time for every context."""
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
STATIC = Path(str(resources.files("puntobanco.server").joinpath("static")))


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


def own_stake(page: Page, bet: str) -> Locator:
    """The amount of one's own wager, as it lies on the felt."""
    return page.locator(f'.stake.own[data-key$=" {bet}"] .amount')


OURS = files.address("")


class ScriptsRun:
    """Which functions of our scripts have run, as Chromium itself counts them."""

    def __init__(self) -> None:
        self._sessions: list[CDPSession] = []
        self._ran: dict[str, bool] = {}

    def watch(self, page: Page) -> Page:
        session = page.context.new_cdp_session(page)
        session.send("Profiler.enable")
        counting = {"callCount": True, "detailed": False}
        session.send("Profiler.startPreciseCoverage", counting)
        self._sessions.append(session)
        return page

    def note(self) -> None:
        """Before a page goes elsewhere or is closed: what it leaves is counted no more."""
        for session in self._sessions:
            for script in session.send("Profiler.takePreciseCoverage")["result"]:
                path = urlsplit(script["url"]).path
                if path.startswith(OURS):
                    self._count(path.removeprefix(OURS), script["functions"])

    def _count(self, path: str, functions: list[dict[str, Any]]) -> None:
        text = (STATIC / path).read_text("utf-8")
        for function in functions:
            whole = function["ranges"][0]
            line = text.count("\n", 0, whole["startOffset"]) + 1
            at = whole["startOffset"] - text.rfind("\n", 0, whole["startOffset"])
            name = f"{path}:{line}:{at} {function['functionName'] or 'unnamed'}"
            self._ran[name] = self._ran.get(name, False) or whole["count"] > 0

    @property
    def files(self) -> set[str]:
        return {name.partition(":")[0] for name in self._ran}

    @property
    def never(self) -> list[str]:
        return sorted(name for name, ran in self._ran.items() if not ran)
