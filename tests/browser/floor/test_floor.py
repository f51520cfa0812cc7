"""The floor in a real browser: rows that change, keys, a note with a photo, a phone."""

import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from puntobanco.rules.notice import sample_notice
from tests.kit.aggregates import photo
from tests.kit.browser import CHROMIUM, Faults, open_page, sign_in
from tests.kit.web import Web, give

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


def test_the_floor_follows_the_tables_and_the_keys(
    web: Web, browser: Browser, faults: Faults, tmp_path: Path
) -> None:
    page = open_page(browser, faults, 1280, 800)
    sign_in(page, web, "manager")
    page.goto(f"{web.base}/floor")
    rows = page.locator("#floor tr[data-table]")
    chosen = page.locator("#floor tr[aria-selected=true]")
    expect(chosen).to_have_count(1)
    states = page.locator("#floor [data-region=now]").all_inner_texts()
    expect(page.locator("#floor [data-region=now]")).not_to_have_text(states)
    first, second = (rows.nth(at).get_attribute("data-table") for at in (0, 1))
    rows.nth(0).locator("[data-choose]").click()
    expect(chosen).to_have_attribute("data-table", first or "")
    page.keyboard.press("ArrowDown")
    expect(chosen).to_have_attribute("data-table", second or "")
    name = rows.nth(1).locator("b").first.inner_text()
    expect(page.locator("#region-peek h2")).to_contain_text(name)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{web.base}/tables/{second}/pit")
    expect(page.get_by_role("heading", name="What the table needs")).to_be_visible()

    page.get_by_text("Everything that can be done here").click()
    page.get_by_role("link", name="Announce a change").click()
    page.wait_for_url(f"{web.base}/tables/{second}/limits")  # a page of its own, not in a dialog
    page.go_back()
    page.get_by_role("link", name="Note an incident").click()
    page.get_by_text("Something else").click()
    page.get_by_label("In your words").fill("a glass was spilled")
    picture = tmp_path / "cards.png"
    picture.write_bytes(photo())
    page.set_input_files("#photo", picture)
    expect(page.locator("#photo-shown")).to_be_visible()
    page.get_by_role("button", name="Put on record").click()
    page.wait_for_url(re.compile("/floor/incidents/"))
    expect(page.get_by_text("a glass was spilled")).to_be_visible()
    assert page.locator("img.photo").evaluate("one => one.naturalWidth") > 0
    page.goto(f"{web.base}/floor/handover")
    expect(page.get_by_text("a glass was spilled")).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.context.close()


def test_the_floor_on_a_phone_is_a_list_of_tables(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = open_page(browser, faults, 390, 844)
    sign_in(page, web, "manager")
    page.goto(f"{web.base}/floor")
    row = page.locator("#floor tr[data-table]").first
    expect(row).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert row.evaluate("one => one.getBoundingClientRect().height") >= 44
    expect(page.get_by_role("link", name="Handover sheet")).to_be_visible()
    page.get_by_text("Need somebody").click()
    page.get_by_text(re.compile(r"^All \d")).click()
    name = row.get_attribute("data-table")
    row.click()
    page.wait_for_url(f"{web.base}/tables/{name}/pit")
    page.context.close()


def test_many_tables_stand_by_pit_and_one_of_those_shown_is_looked_at(
    web: Web, browser: Browser, faults: Faults
) -> None:
    manager, notice = web.client("manager"), msgspec.to_builtins(sample_notice("tas-2018"))
    for number in range(20, 32):
        opening = {"notice": notice, "gaming_day": "monday", "shoe": "1", "effective": "1 July"}
        assert give(manager, f"/tables/table-{number}/open-table", opening).is_success
        look = {
            "table": f"table-{number}",
            "name": "",
            "pit": ("North", "South", "East")[number % 3],
        }
        assert give(manager, "/register/name-table", look).is_success
    page = open_page(browser, faults, 1280, 800)
    sign_in(page, web, "manager")
    page.goto(f"{web.base}/floor")
    sums, choice = page.locator(".floor-list .stats"), page.locator(".segments")
    above, below = choice.bounding_box(), sums.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"], "the choice of pits lies over the sums"
    choice.get_by_text("South").click()
    expect(page.locator("#floor tr[data-table]:visible")).to_have_count(4)
    expect(page.locator("#floor tr[aria-selected=true]:visible")).to_have_count(1)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{web.base}/floor?show=East")
    expect(page.locator("#floor .pit-head:visible")).to_have_text("East")
    head = page.locator("#floor .pit-head:visible").bounding_box()
    for row in page.locator("#floor tr[data-table]:visible").all():  # also those in need, on top
        at = row.bounding_box()
        assert head is not None
        assert at is not None
        assert at["y"] >= head["y"] + head["height"] - 1, "it stands above the name of its pit"
    expect(page.locator("#floor tr[aria-selected=true]:visible")).to_have_count(1)
    page.context.close()
