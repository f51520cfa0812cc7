"""Looking back by keys alone: any step, the last and the first, a clock, and a link to each."""

import re
import time

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, open_page, sign_in
from tests.kit.web import Web

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


def wait_for_coup(web: Web) -> int:
    """The number of a coup that is over, with another after it."""
    manager = web.client("manager")
    for _ in range(500):
        coups = manager.get("/api/tables/table-1/journal").json()["coups"]
        over = [coup["coup"] for coup in coups[1:] if coup["over"] and coup["player"]]
        if over:
            return int(over[0])
        time.sleep(0.2)  # bots play at the pace of people
    raise AssertionError("no coup is ever over")


def test_a_coup_is_leafed_through_by_keys(web: Web, browser: Browser, faults: Faults) -> None:
    page = open_page(browser, faults, 1280, 800)
    sign_in(page, web, "manager")
    path = f"{web.base}/tables/table-1/journal/{wait_for_coup(web)}"
    page.goto(path)
    expect(page.locator("[data-ready]")).to_be_attached(timeout=PATIENCE_MS)
    last = page.locator("#steps li").count()
    current = page.locator("#steps [aria-current=step] .n")

    def at(step: int) -> None:
        expect(current).to_have_text(str(step), timeout=PATIENCE_MS)
        expect(page.locator("#count")).to_have_text(f"Step {step} of {last}")
        assert page.url == f"{path}?step={step}", "the address names the step"

    page.keyboard.press("ArrowRight")
    at(2)
    page.keyboard.press("End")
    at(last)
    expect(page.locator("#board .points")).to_have_count(2)
    expect(page.locator(".transport [aria-disabled]")).to_have_count(2)
    expect(page.locator("[data-go=on][aria-disabled]")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    at(last - 1)
    page.keyboard.press("b")  # nothing was put right: there is one version
    page.keyboard.press("Home")
    at(1)
    expect(page.locator("#board .points")).to_have_count(0)
    expect(page.locator("#board .seconds:not(:empty)")).to_have_count(0)  # no clock runs in it
    expect(page.locator(".big-road .newest")).to_be_attached()  # the shoe as it was
    page.click("[data-go=pace]")
    page.keyboard.press("Space")
    beyond_2 = re.compile(r"^([3-9]|\d\d+)$")  # whoever looks late finds it further on
    expect(current).to_have_text(beyond_2, timeout=PATIENCE_MS)
    page.keyboard.press("Space")
    page.click(f'[data-step="{last}"]')
    at(last)
    page.keyboard.press("l")
    expect(page.locator("[data-copied]")).to_have_text("Copied")
    page.locator("#scrub").fill("2")
    at(2)
    for part in ("#board svg", "#scrub", "#wagers", "#steps"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + min(box["height"], 100) <= 800, f"{part} is in sight"
    page.keyboard.press("ArrowUp")
    page.wait_for_url(lambda url: "?" not in url)


def test_without_scripts_every_step_is_a_link(web: Web, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, web, "manager")
    page.goto(f"{web.base}/tables/table-1/journal/{wait_for_coup(web)}")
    page.click("a[rel=next]")
    expect(page.locator("#count")).to_contain_text("Step 2 of")
    page.click('[data-step="4"]')
    expect(page.locator("#count")).to_contain_text("Step 4 of")
    assert page.locator("[data-go=play]").is_hidden()
    context.close()
