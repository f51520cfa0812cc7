"""The analyst's and the overseer's pages in a real browser: narrow, wide, without scripts."""

import uuid

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from puntobanco.rules.notice import sample_notice
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
    expect(page.locator("#count")).to_contain_text("Step 1 of")
    page.locator("#steps [data-step='2']").click()
    expect(page.locator("#count")).to_contain_text("Step 2 of")
    page.locator("#steps [data-step]").last.click()
    expect(page.locator("#steps li").last).to_have_attribute("aria-current", "step")
    page.goto(f"{web.base}/house/verification")
    page.click("text=Verify now")
    expect(page.locator(".verdict")).to_contain_text("Sound")
    page.goto(f"{web.base}/odds")
    page.select_option("[name=decks]", "6")
    page.select_option("[name=method]", "federal")
    page.click("text=Show")
    expect(page.locator("h2 small")).to_have_text("Tasmania 2018, 6 decks, federal")
    context.close()


# opening a table, changing its limits

MOST_STEPS = 5


class Steps:
    """Everything a person does, counted: a field filled in, a choice made, a button pressed."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.count += 1

    def choose(self, label: str) -> None:
        self.page.locator("label.choice", has_text=label).click()
        self.count += 1

    def fill(self, label: str, value: str) -> None:
        self.page.get_by_label(label, exact=True).fill(value)
        self.count += 1

    def click(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()
        self.count += 1


def keep_preset(web: Web) -> None:
    preset = {
        "name": "Salon",
        "notice": msgspec.to_builtins(sample_notice("tas-2018")),
        "tray_cents": 5_000_000,
        "shoe": "S-12",
        "effective": "1 July 2018",
    }
    headers = {"Command-Id": str(uuid.uuid4())}
    answer = web.client("manager").post("/api/register/set-preset", json=preset, headers=headers)
    assert answer.status_code == 200, answer.text


def test_a_table_is_opened_from_a_preset_in_at_most_five_steps(
    web: Web, browser: Browser, faults: Faults
) -> None:
    keep_preset(web)
    page = open_page(browser, faults)
    sign_in(page, web, "manager")
    page.goto(f"{web.base}/house/open-table")
    expect(page.locator("[name=ruleset]:checked")).to_be_focused()
    steps = Steps(page)
    steps.press("Enter")  # the document that most tables have is chosen already
    expect(page.get_by_role("heading", level=1)).to_have_text("Which kind of table?")
    steps.choose("Salon")
    expect(page.locator("[data-sheet=Salon] .hung")).to_be_visible()
    steps.click("Continue")
    table = page.locator("select[name=table], [name=table]:checked").input_value()
    expect(page.locator(".hung header")).to_contain_text(table.replace("table-", "Table "))
    page.locator("main details summary").click()
    page.locator("select[name='notice.decks']").focus()
    steps.press("Enter")  # as is written on the button, from a list to choose from, too
    page.wait_for_url(f"{web.base}/tables/{table}/pit")
    assert steps.count <= MOST_STEPS
    seen = web.client("manager")
    assert seen.get(f"/api/tables/{table}").json()["view"]["sign"]["notice"]["ruleset"]
    assert seen.get("/api/cage").json()["trays"][table]["opened_cents"] == 5_000_000
    page.context.close()


def test_a_limit_is_changed_once_it_was_seen_what_that_means(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = open_page(browser, faults)
    sign_in(page, web, "manager")
    page.goto(f"{web.base}/tables/table-1/limits")
    assert page.locator(".three .field").count() == 3
    least = page.get_by_label("Minimum", exact=True)
    least.fill("fifty")
    least.press("Enter")
    expect(page.locator(".field.bad")).to_have_count(1)
    assert "400" in faults.found.pop(), "a browser notes what was refused"
    least.fill("5")
    expect(page.locator(".field.bad")).to_have_count(0)  # it can be put up, so nothing is wrong
    least.fill("")
    expect(page.locator(".follows")).to_have_count(0)  # half a number is not scolded
    expect(page.locator(".summary")).to_have_count(0)
    expect(page.get_by_role("button", name="See what follows")).to_be_visible()
    steps = Steps(page)
    steps.fill("Minimum", "50")
    expect(page.locator(".follows")).to_contain_text("Tasmania 2018, 7.6(b)")
    expect(page.locator(".hung mark").first).to_have_text("$50")
    expect(least).to_be_focused()
    steps.press("Enter")
    page.wait_for_url(f"{web.base}/tables/table-1/pit")
    assert steps.count <= MOST_STEPS
    change = web.client("manager").get("/api/tables/table-1").json()["view"]["sign"]["change"]
    assert change["limits"]["min_cents"] == 5000
    page.context.close()
