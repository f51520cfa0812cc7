"""Every page of the house for everyone, narrow and wide, light and dark: axe finds nothing grave.

The pages are the application's own routes, so that a new one is looked at as soon as it is there.
"""

import re
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Literal

import httpx
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from litestar.routes import HTTPRoute
from playwright.sync_api import Browser, BrowserContext, Page

from puntobanco.journal import sqlite
from tests.kit.browser import CHROMIUM, chromium
from tests.kit.competition.cup import cup_text
from tests.kit.house.driver import house_over
from tests.kit.office import app_over
from tests.kit.web import Web, demo_house, give, grant

VALUES: dict[str, tuple[str, ...]] = {
    "table": ("table-1", "table-2", "table-9"),
    "competition": ("cup", "none"),
    "page_name": ("player",),
    "ruleset": ("act-2015",),
    "name": ("open-coup", "post-change", "deposit", "grant", "key-draw", "apply"),
    "at": ("cage", "register"),
    "person": ("player", "dealer"),
    "coup": ("1",),
    "dispute": ("1",),
    "proposal": ("1",),
    "row": ("5", "7"),
    "stream": ("house", "register"),
    "number": ("1",),
    "file": ("draw.csv",),
    "paper": ("entry-form", "secret-form", "receipt"),
    "form": ("json",),
    "what": ("tas-2013", "tas-2018:6.6", "tas-2018:99"),
}
"""What stands in the paths of pages, by the name of the parameter; some of it is not there."""
QUERIES = {
    "/rules": ("?q=marker",),
    "/display": ("?theme=light",),
    "/display/all": ("?theme=light",),
    "/house/open-table": ("?ruleset=tas-2018", "?ruleset=act-2015&preset=main"),
    "/house/reports": ("?days=all&by=person", "?first=2020-01-01&last=2020-01-02"),
}
VIEWERS = ("", "player", "dealer", "inspector", "cashier", "manager")
Scheme = Literal["light", "dark"]
Looks = tuple[tuple[int, Scheme], ...]
LOOKS: Looks = ((390, "light"), (1280, "dark"))
"""One page in the one, the next in the other; every page, in every look, with --slow."""
MORE_LOOKS: Looks = ((390, "dark"), (1280, "light"))
GRAVE = ("serious", "critical")
RUN = "axe.run({resultTypes: ['violations'], preload: false}).then(found => found.violations)"
"""What passes is not handed over, and style sheets are not fetched again: neither finds more."""
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


class Kinds(HTMLParser):
    """The kinds of elements of a page: each with its classes, attributes and the element around it.

    Two pages that differ in words alone have the same, and axe says the same of both.
    """

    WITHOUT_END = ("br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.around = [""]
        self.found: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        names = sorted(name for name in given if not name.startswith("data-"))
        element = f"{tag}.{given.get('class')} {given.get('type')} {given.get('role')} {names}"
        self.found.add(f"{self.around[-1]} > {element}")
        if tag not in self.WITHOUT_END:
            self.around.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.WITHOUT_END and len(self.around) > 1:
            self.around.pop()


def paths(folder: Path) -> Iterator[str]:
    """Every path that a browser can open, apart from the API and files."""
    app = app_over(house_over(sqlite.open_log(folder / "house.db")))
    for route in app.routes:
        if isinstance(route, HTTPRoute) and _is_page(route):
            names = re.findall(r"\{(\w+):\w+\}", route.path)
            missing = set(names) - set(VALUES)
            assert not missing, f"{route.path}: give {missing} in VALUES, so that it can be opened"
            for values in product(*(VALUES[name] for name in names)):
                yield _filled(route.path, values)
            yield from (route.path + query for query in QUERIES.get(route.path, ()))


def _is_page(route: HTTPRoute) -> bool:
    handlers = [one for one in route.route_handlers if "GET" in one.http_methods]
    ours = [one for one in handlers if one.fn.__module__.startswith("puntobanco.")]
    return any(not one.resolve_include_in_schema() for one in ours)


def _filled(path: str, values: tuple[str, ...]) -> str:
    rest = iter(values)
    return re.sub(r"\{\w+:\w+\}", lambda _: next(rest), path)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=10) as web:
        take_part(web)
        yield web


def take_part(web: Web) -> None:
    """A player with chips at one table, a person as dealer at another."""
    player, dealer = web.client("player"), web.client("dealer")
    seats = player.get("/api/tables/table-1").json()["view"]["boxes"]
    assert give(player, "/tables/table-1/sit", {"seat": len(seats)}).status_code == 200
    assert give(dealer, "/tables/table-2/sign-on", {"role": "dealer"}).status_code == 200
    enter_cup(web)
    for _ in range(100):
        if player.post("/tables/table-1/chips/buy", data={"cents": 50_000}).is_success:
            return
        time.sleep(0.1)  # the dealer, who is a bot, is not there yet
    raise AssertionError("nobody sells chips")


def enter_cup(web: Web) -> None:
    """A competition with an entry, and something that waits for a second person."""
    manager, second = web.client("manager"), web.client("auditor")
    grant(web, "auditor", "competition director")
    text = cup_text().replace("2026-03", "2036-03")
    for client, name, facts in (
        (manager, "draft", {"text": text}),
        (manager, "publish", {}),
        (second, "approve", {"proposal": 1}),
        (second, "open-entries", {}),
        (web.client("player"), "apply", {}),
        (manager, "cancel", {"note": "perhaps"}),
    ):
        answer = give(client, f"/competitions/cup/{name}", facts)
        assert answer.status_code == 200, answer.text


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def context_of(web: Web, browser: Browser, viewer: str) -> BrowserContext:
    """Signed in, and without the policy that keeps axe out; other tests hold pages to it."""
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    if viewer:
        cookies = web.client(viewer).cookies.jar
        context.add_cookies(
            [{"name": one.name, "value": one.value or "", "url": web.base} for one in cookies]
        )
    return context


def main_of(client: httpx.Client, path: str) -> str:
    """What a page has to say; nothing, if it is not a page."""
    with client.stream("GET", path, headers={"accept": "text/html"}) as answer:
        if answer.status_code == 302:
            return str(answer.headers["location"])
        if "html" not in answer.headers["content-type"]:
            return ""
        return answer.read().decode().partition("<main")[2]


Shown = tuple[str, str, set[str]]
"""Somebody, a path, and what they are shown there that axe could find fault with."""


def shown_to(web: Web, viewer: str, every: list[str], slow: bool) -> Iterator[Shown]:
    """Every page of theirs with its kinds of elements, or with --slow its every word."""
    client = web.client(viewer)
    shown = {path: main_of(client, path) for path in every}
    assert all(shown[path] for path in ("/", "/sign-in", "/rules", "/tables/table-1"))
    for path, main in shown.items():
        yield viewer, path, {main} - {""} if slow else Kinds(main).found


def fewest(shown: list[Shown]) -> Iterator[tuple[str, str]]:
    """Pages that together show everything: fullest first, and none without anything new."""
    seen = set[str]()
    for viewer, path, new in sorted(shown, key=lambda one: -len(one[2])):
        if not new <= seen:
            seen |= new
            yield viewer, path


def grave(page: Page, looks: Looks) -> Iterator[str]:
    page.evaluate(AXE_SCRIPT)
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for found in page.evaluate(RUN):
            if found["impact"] in GRAVE:
                where = "; ".join(node["html"][:160] for node in found["nodes"][:3])
                why = found["nodes"][0]["failureSummary"].splitlines()[-1].strip()
                yield f"{page.url} {width} {scheme}: {found['id']}: {why} {where}"


def test_axe_finds_nothing_grave(
    web: Web, browser: Browser, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """One test, so that what one person was shown is not looked at again as another."""
    slow = pytestconfig.getoption("--slow")
    every = list(paths(tmp_path))
    shown = [one for viewer in VIEWERS for one in shown_to(web, viewer, every, slow)]
    looked_at, found = sorted(fewest(shown)), list[str]()
    for viewer in VIEWERS:
        context = context_of(web, browser, viewer)
        page = context.new_page()
        for number, path in enumerate(path for who, path in looked_at if who == viewer):
            page.goto(web.base + path, wait_until="load")
            some = (*LOOKS, *MORE_LOOKS) if slow else (LOOKS[number % len(LOOKS)],)
            found += list(grave(page, some))
        context.close()
    assert not found, "\n".join(found)
