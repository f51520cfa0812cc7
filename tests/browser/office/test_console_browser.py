"""A competition written and looked through in a real browser, with scripts and without."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, Faults, open_page, sign_in
from tests.kit.competition.cup import cup_text
from tests.kit.web import Web, demo_house, give, grant

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
GRAVE = ("serious", "critical")
RUN = "axe.run({resultTypes: ['violations'], preload: false}).then(found => found.violations)"
SHEET = "/competitions/next/conditions?template=four-heats"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(Path(tmp_path_factory.mktemp("demo")), bets=15) as web:
        manager, second = web.client("manager"), web.client("auditor")
        grant(web, "auditor", "competition director")
        text = cup_text().replace("2026-03", "2036-03")
        for client, name, facts in (
            (manager, "draft", {"text": text}),
            (manager, "publish", {}),
            (second, "approve", {"proposal": 1}),
            (second, "open-entries", {}),
            (web.client("player"), "apply", {}),
        ):
            answer = give(client, f"/competitions/cup/{name}", facts)
            assert answer.is_success, answer.text
        yield web


def test_a_page_whose_session_is_over_asks_no_more_what_waits(web: Web, browser: Browser) -> None:
    """Nor does it keep another tab from asking."""
    page = open_page(browser, Faults())  # that it is refused once is said in the console
    sign_in(page, web, "manager")
    held = "() => navigator.locks.query().then(({held}) => held.some(one => one.name === 'waits'))"
    page.wait_for_function(held)
    with page.expect_response("**/api/me") as me:
        page.evaluate("() => fetch('/sign-out', {method: 'POST'})")
    assert me.value.status == 401
    page.wait_for_function(f"() => ({held})().then(is => !is)")
    page.context.close()


def without_grave_faults(page: Page) -> None:
    page.evaluate(AXE_SCRIPT)
    found = [one for one in page.evaluate(RUN) if one["impact"] in GRAVE]
    assert not found, json.dumps(found, indent=1)[:2000]


def test_the_prover_answers_as_one_types(web: Web, browser: Browser, faults: Faults) -> None:
    page = open_page(browser, faults, 1280, 800)
    sign_in(page, web, "manager")
    page.goto(f"{web.base}{SHEET}")
    expect(page.locator("#verdict .verdict")).to_contain_text("It works for every count")
    page.fill("[name='stage.0.advance']", "3")
    expect(page.locator("#verdict .verdict")).to_contain_text("It fails at 28 entries")
    page.locator("h2").first.click()
    page.keyboard.press("1")
    expect(page.locator("[name='entry.max']")).to_have_value("27")
    expect(page.locator("#verdict .verdict")).to_contain_text("It works for every count")
    page.click("button[value=save]")
    expect(page.locator(".doc .head")).to_contain_text("kept as the draft")
    page.context.close()


def test_entries_are_found_as_one_types_and_the_console_goes_by_keys(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = open_page(browser, faults, 1024, 768)
    sign_in(page, web, "manager")
    page.goto(f"{web.base}/competitions/cup")
    expect(page.locator("#region-missing")).to_contain_text("0 paid, 6 are needed")
    page.keyboard.press("e")
    page.wait_for_url("**/competitions/cup/entries")
    page.locator("h1").click(force=True)
    page.keyboard.press("f")
    page.keyboard.type("nobody")
    expect(page.locator("#found-entries")).to_contain_text("Nobody is found so")
    page.fill("#find-entrant", "player")
    expect(page.locator("#found-entries")).to_contain_text("1 found")
    page.context.close()


FOCUSED = "wanted => document.activeElement.matches(wanted)"


class Keys:
    """Somebody at a page who has no mouse."""

    def __init__(self, page: Page, cup: str) -> None:
        self.page, self.cup, self.press = page, cup, page.keyboard.press

    def tab_to(self, wanted: str) -> None:
        for _ in range(120):
            if self.page.evaluate(FOCUSED, wanted):
                return
            self.press("Tab")
        raise AssertionError(f"no key leads to {wanted}")

    def fill(self, wanted: str, text: str) -> None:
        self.tab_to(wanted)
        self.press("Control+a")
        self.page.keyboard.type(text)

    def comes_to(self, form: str) -> None:
        """The form is there, and what comes first in it has the focus."""
        self.page.wait_for_url(f"**/do/{form}*")
        expect(self.page.locator("main :focus")).to_be_attached()

    def give(self, key: str, name: str) -> None:
        """A command that cannot be taken back: its form, what will happen, confirmed."""
        if key:
            self.press(key)
        else:
            self.tab_to(f"a[href$='do/{name}']")
            self.press("Enter")
        self.comes_to(name)
        self.press("Enter")
        expect(self.page.locator(".foreseen")).to_be_visible()
        expect(self.page.locator("main :focus")).to_be_attached()
        self.press("Enter")
        self.page.wait_for_url(f"**{self.cup}")


def test_a_competition_is_set_up_by_keys_alone(web: Web, browser: Browser, faults: Faults) -> None:
    """From the list of competitions to seats drawn, by two people."""
    at = "/competitions/keyed"
    one, two = (open_page(browser, faults, 1280, 800) for _ in range(2))
    sign_in(one, web, "manager")
    sign_in(two, web, "auditor")
    one.goto(f"{web.base}/competitions")
    manager, director = Keys(one, at), Keys(two, at)
    manager.fill("[name=id]", "keyed")
    manager.press("Tab")
    one.keyboard.type("Single")
    manager.press("Tab")
    manager.press("Enter")
    one.wait_for_url("**/conditions*")
    for field, value in (("entry.min", "2"), ("entry.max", "3"), ("stage.0.least", "2")):
        manager.fill(f"[name='{field}']", value)
    expect(one.locator("#verdict .verdict")).to_contain_text("from 2 to 3 entries")
    manager.press("Escape")
    manager.press("s")
    expect(one.locator(".doc .head")).to_contain_text("kept as the draft")
    manager.give("p", "publish")
    two.goto(f"{web.base}{at}")
    director.give("a", "approve")
    director.press("n")
    expect(two.locator("#region-missing h2")).to_contain_text("close entries")
    director.tab_to("#region-missing a[href$='do/commit-draw']")  # what is missing leads there
    director.press("Enter")
    director.comes_to("commit-draw")
    director.press("Enter")
    two.wait_for_url(f"**{at}")
    for who in ("player", "guest"):
        give(web.client("cashier"), f"{at}/enter-at-desk", {"person": who, "version": 1})
    expect(two.locator("#region-missing [data-key=N]")).to_be_visible()  # live
    director.give("n", "close-entries")
    director.tab_to("a[href$='do/designate-table']")
    director.press("Enter")
    director.comes_to("designate-table")
    two.keyboard.type("Keyed 1")
    director.press("Enter")
    two.wait_for_url(f"**{at}")
    director.press("n")
    director.comes_to("draw")
    two.keyboard.type("wendy: rain on Tuesday")
    director.press("Tab")
    director.press("Enter")
    two.wait_for_url(f"**{at}")
    expect(two.locator("#region-tables")).to_contain_text("Guest")
    for page in (one, two):
        page.context.close()


def test_conditions_are_mended_without_scripts(web: Web, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, web, "manager")
    page.goto(f"{web.base}{SHEET.replace('next', 'plain')}")
    page.fill("[name='stage.0.advance']", "3")
    page.locator("[name='stage.0.advance']").press("Enter")
    expect(page.locator("#verdict .verdict")).to_contain_text("It fails at 28 entries")
    page.locator(".fixes button").first.click()
    expect(page.locator("#verdict .verdict")).to_contain_text("It works for every count")
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave(web: Web, browser: Browser, scheme: str) -> None:
    context = browser.new_context(
        bypass_csp=True, reduced_motion="reduce", color_scheme="dark" if scheme == "dark" else None
    )
    page = context.new_page()
    sign_in(page, web, "manager")
    for path in ("", "/cup", "/cup/entries", "/cup/draw", "/cup/results", "/cup/conditions"):
        page.goto(f"{web.base}/competitions{path}")
        without_grave_faults(page)
    context.close()


HEARD = """document.addEventListener("DOMContentLoaded", () => {
  const heard = () => {
    const said = [...document.querySelectorAll("#offline:not([hidden]), #told")];
    const text = said.map((one) => one.textContent.trim()).filter((one) => one.includes("lost"));
    if (text.length) sessionStorage.setItem("heard", text.join());
  };
  new MutationObserver(heard).observe(document, {subtree: true, childList: true, attributes: true});
});
const Source = window.EventSource;
window.EventSource = class extends Source {
  constructor(where) {
    super(where);
    const open = () => { document.documentElement.dataset.open = where; };
    if (where.includes("/live/office")) this.addEventListener("open", open);
  }
};"""
"""Keeps what is said of the connection, and marks the page once its stream is open."""


def test_a_lost_connection_is_told_only_to_whom_it_would_mislead(
    web: Web, browser: Browser, faults: Faults
) -> None:
    """Not where the stream is back with its next try, or the page was left before an answer."""
    page = open_page(browser, faults, 1280, 800)
    sign_in(page, web, "auditor")
    page.add_init_script(HEARD)
    page.clock.install(time=1_900_000_000)
    page.clock.pause_at(1_900_000_001)
    stream = "**/live/office*"
    page.route(stream, lambda route: route.fulfill(status=503))
    with page.expect_response(stream):
        page.goto(f"{web.base}/competitions/cup")
    page.unroute(stream)
    page.clock.run_for(2100)
    expect(page.locator("html[data-open]")).to_have_count(1)
    page.clock.run_for(10_000)
    assert page.evaluate("sessionStorage.getItem('heard')") is None

    page.route("**/do/**", lambda _route: None)  # never answered
    page.evaluate(
        "() => { const form = document.createElement('form'); form.method = 'post';"
        " form.action = '/competitions/cup/do/commit-draw'; form.dataset.live = '';"
        " document.body.append(form); form.requestSubmit(); }"
    )
    page.goto(f"{web.base}/competitions")
    assert page.evaluate("sessionStorage.getItem('heard')") is None

    page.route(stream, lambda route: route.fulfill(status=503))
    with page.expect_response(stream):
        page.goto(f"{web.base}/competitions/cup")
    page.clock.run_for(2900)
    expect(page.locator("#offline")).to_be_hidden()
    page.clock.run_for(3000)
    expect(page.locator("#offline")).to_be_visible()
    page.context.close()
    faults.found.clear()  # the browser notes what was refused
