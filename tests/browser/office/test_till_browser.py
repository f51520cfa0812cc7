"""A cashier's evening in a real browser: drawer, patrons, receipts, a fill, the count; on paper."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, Faults, open_page, sign_in
from tests.kit.web import Web, demo_house, give

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
GRAVE = ("serious", "critical")
RUN = "axe.run({resultTypes: ['violations'], preload: false}).then(found => found.violations)"
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=15) as web:
        manager, cashier = web.client("manager"), web.client("cashier")
        look = {"name": "Harbour House", "currency": "AUD"}
        assert give(manager, "/register/set-look", look).is_success
        for number, name in (("1042", "Anna Schmidt"), ("1093", "Anders Lund")):
            assert give(cashier, "/register/enrol", {"person": number, "kind": "patron"}).is_success
            assert give(cashier, f"/people/{number}/name", {"name": name}).is_success
            assert give(cashier, "/cage/open-account", {"person": number}).is_success
            assert give(cashier, "/cage/deposit", {"person": number, "cents": 10_000}).is_success
        yield web


@pytest.fixture
def cashier(web: Web, browser: Browser, faults: Faults) -> Iterator[Page]:
    page = open_page(browser, faults, 1280, 800)
    sign_in(page, web, "cashier")
    yield page
    # a refusal has a status of its own, which Chromium writes down; it is what was asked for
    faults.found[:] = [one for one in faults.found if "409" not in one]
    page.context.close()


def check_with_axe(page: Page) -> None:
    page.evaluate(AXE_SCRIPT)
    found = [one for one in page.evaluate(RUN) if one["impact"] in GRAVE]
    assert not found, json.dumps(found, indent=1)[:2000]


def test_a_pay_in_is_four_steps_by_keyboard_alone(web: Web, cashier: Page) -> None:
    """Find, amount, confirm, and the receipt stands there: each step ends with Enter."""
    page, steps = cashier, 0
    page.goto(f"{web.base}/house/cage")
    for typed, until in (("anna", "#amount"), ("1,250", ".sure"), ("", ".till-paper")):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect(page.locator(until)).to_be_visible()
        steps += 1
    assert steps <= 4
    expect(page.locator(".till-paper .sum")).to_contain_text("$1,250")
    expect(page.locator(".till-paper time").first).to_have_text(re.compile(r"\d\d:\d\d:\d\d$"))
    expect(page.locator("#region-stats")).to_contain_text("$1,350")
    page.keyboard.press("Enter")  # and the next patron
    expect(page.locator("#find")).to_be_focused()


def test_a_wrong_amount_is_no_dead_end(web: Web, cashier: Page) -> None:
    page = cashier
    page.goto(f"{web.base}/house/cage/patrons/1042?do=out")
    page.fill("#amount", "99999")
    page.keyboard.press("Enter")
    expect(page.locator("#amount-error")).to_contain_text("Anna Schmidt has")
    expect(page.locator("#amount")).to_have_value("99999")
    expect(page.locator("#amount")).to_be_focused()
    page.fill("#amount", "10")
    page.keyboard.press("Enter")
    expect(page.locator(".sure")).to_contain_text("Pay out to Anna Schmidt?")
    page.keyboard.press("Escape")
    expect(page.locator("#amount")).to_have_value("10")


def test_a_shift_from_the_float_to_the_count(web: Web, cashier: Page, browser: Browser) -> None:
    page = cashier
    page.goto(f"{web.base}/house/cage/drawer")
    expect(page.locator("[id='cash.10000']")).to_be_focused()
    page.keyboard.press("Enter")  # goes on to the next: half a count is not put on record
    page.keyboard.type("20")
    expect(page.locator("[id='cash.5000']")).to_have_value("20")
    page.fill("[id='chips.10000']", "300")
    expect(page.locator("#chips [data-total]")).to_have_text("$30,000")
    page.click("main form .button.first")
    expect(page.locator("#region-drawer")).to_contain_text("$1,000")
    chips = [{"cents": 10_000, "count": 50}]
    slip = {"kind": "fill", "table": "table-2", "cents": 500_000, "chips": chips}
    assert give(web.client("inspector"), "/cage/request-slip", slip).is_success
    expect(page.locator("#region-drawer")).to_contain_text("Fill, Tamar", timeout=15_000)
    page.click("#region-drawer >> text=Fill, Tamar")
    page.click("text=The chips have gone to the table")
    expect(page.locator(".badge.go")).to_have_text("done")
    page.goto(f"{web.base}/house/cage/drawer")
    page.fill("[id='cash.5000']", "twenty")
    page.click("text=Put the count on record")
    expect(page.locator(".counts .error")).to_contain_text("“twenty” is not a number")
    check_with_axe_of(web, browser, page)
    page.fill("[id='cash.5000']", "19")
    page.fill("[id='chips.10000']", "250")
    page.click("text=Put the count on record")
    expect(page.locator(".sheet-paper")).to_contain_text("−$50")
    expect(page.locator(".sheet-paper")).to_contain_text("exact")


def check_with_axe_of(web: Web, browser: Browser, page: Page) -> None:
    """The same page in a context without the policy that keeps axe out, in both schemes."""
    for scheme, width in (("light", 1280), ("dark", 390)):
        context = browser.new_context(
            bypass_csp=True,
            color_scheme="dark" if scheme == "dark" else "light",
            storage_state=page.context.storage_state(),
            viewport={"width": width, "height": 800},
        )
        other = context.new_page()
        other.goto(f"{web.base}/house/cage/patrons/1042?do=out")
        check_with_axe(other)
        assert not other.evaluate(WIDER)
        other.fill("#amount", "99999")
        other.keyboard.press("Enter")
        expect(other.locator("#amount-error")).to_be_visible()
        check_with_axe(other)
        other.fill("#amount", "1")
        other.keyboard.press("Enter")
        expect(other.locator(".sure")).to_be_visible()
        check_with_axe(other)
        other.goto(f"{web.base}/house/enrol?kind=patron")
        other.fill("#name", "")
        other.click("form[action='/house/people'] .button.first")
        expect(other.locator(".summary")).to_be_visible()
        check_with_axe(other)
        context.close()


def test_without_scripts_a_patron_is_found_and_paid(web: Web, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    sign_in(page, web, "cashier")
    page.goto(f"{web.base}/house/cage")
    page.fill("#find", "1093")
    page.press("#find", "Enter")
    page.fill("#amount", "20")
    page.press("#amount", "Enter")
    page.click("text=Yes, it is counted")
    expect(page.locator(".till-paper")).to_be_visible()
    context.close()


def test_a_receipt_is_one_till_roll_wide_and_one_page_long(
    web: Web, cashier: Page, tmp_path: Path
) -> None:
    """80 mm are 226.8 points; nothing but the receipt is on it."""
    page = cashier
    give(web.client("cashier"), "/cage/deposit", {"person": "1042", "cents": 125_000})
    row = web.client("cashier").get("/api/people/1042/ledger").json()[0]["seq"]
    page.goto(f"{web.base}/house/cage/receipts/{row}")
    page.pdf(path=str(tmp_path / "receipt.pdf"), prefer_css_page_size=True)
    pdf = (tmp_path / "receipt.pdf").read_bytes()
    assert pdf.count(b"/Type /Page\n") == 1
    width = float(pdf.split(b"/MediaBox [0 0 ")[1].split()[0])
    assert width == pytest.approx(226.8, abs=1)
    page.emulate_media(media="print")
    expect(page.locator(".till-paper")).to_be_visible()
    for unprinted in (".shell", ".papers"):
        expect(page.locator(unprinted)).to_be_hidden()


def test_people_are_not_asked_for_again_while_tables_play(web: Web, browser: Browser) -> None:
    """It was eight times in eight seconds."""
    context = browser.new_context()
    page = context.new_page()
    sign_in(page, web, "manager")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/house/people", "/house/cage/patrons/1042"):
        page.goto(web.base + path)
        page.wait_for_timeout(4000)
        assert [url for url in asked if url.endswith(path)] == [web.base + path]
    context.close()
