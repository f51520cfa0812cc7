"""The analyst's and the overseer's pages in a real browser: narrow, wide, without scripts."""

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browser import CHROMIUM, Faults, open_page, sign_in
from tests.kit.web import Web

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
PATHS = (
    "/odds",
    "/odds/composition?gone=9c+Kd",
    "/odds/course",
    "/odds/runs",
    "/house/verification",
    "/house/events",
    "/tables/table-1/journal",
    "/tables/table-1/receipts",
)
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.mark.parametrize("width", [360, 1280])
def test_pages_fit_and_break_no_policy(
    web: Web,
    browser: Browser,
    faults: Faults,
    width: int,
) -> None:
    page = open_page(browser, faults, width)
    sign_in(page, web, "manager")
    for path in PATHS:
        answer = page.goto(web.base + path)
        assert answer is not None
        assert answer.status == 200, path
        assert not page.evaluate(WIDER), path
        assert page.locator("h1").count() == 1, path
        for drawn in page.locator("svg.plot").all():
            assert drawn.get_attribute("aria-label")
    page.context.close()


def test_a_coup_is_stepped_through_without_scripts(
    web: Web,
    browser: Browser,
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 800})
    page = context.new_page()
    sign_in(page, web, "manager")
    for _ in range(60):
        page.goto(f"{web.base}/tables/table-1/journal")
        if page.locator("tbody th a").count() > 1:  # the first is over, with all its steps
            break
        page.wait_for_timeout(500)
    page.click("tbody tr:last-child th a")
    expect(page.locator("#now")).to_contain_text("Step 1 of")
    page.click("text=Next")
    expect(page.locator("#now")).to_contain_text("Step 2 of")
    page.click("text=Previous")
    page.locator(".now .pager a", has_text="Last").click()
    expect(page.locator(".now .pager .off").first).to_have_text("Next")
    page.goto(f"{web.base}/house/verification")
    page.click("text=Verify now")
    expect(page.locator(".verdict")).to_contain_text("Sound")
    page.goto(f"{web.base}/odds")
    page.select_option("[name=decks]", "6")
    page.select_option("[name=method]", "federal")
    page.click("text=Show")
    expect(page.locator("h2 small")).to_have_text("tas-2018, 6 decks, federal")
    context.close()
