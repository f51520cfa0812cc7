"""The pages in a real browser: bet and be paid, relieve a dealer, watch the wall, come back."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, open_page, own_stake, sign_in
from tests.kit.web import Web

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


def test_a_player_sits_down_bets_and_is_told_what_came_of_it_and_why(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page, wall = open_page(browser, faults, 390, 800), open_page(browser, faults, 1920, 1080)
    wall.goto(f"{web.base}/tables/table-1/display")
    sign_in(page, web, "player")
    page.goto(f"{web.base}/tables/table-1")
    page.locator(".sit").first.click()
    page.click(".dock >> text=Buy chips for $500")
    expect(page.locator("#purse")).to_have_text("$500", timeout=PATIENCE_MS)
    a_fresh_window = re.compile(r"^(8|9|10)$")
    expect(page.locator("#ring .seconds")).to_have_text(a_fresh_window, timeout=PATIENCE_MS)
    page.locator(".area.own.banker").click()
    expect(own_stake(page, "banker")).to_have_text("25", timeout=PATIENCE_MS)
    expect(page.locator("#purse")).to_have_text("$475")
    page.locator(".area.own.banker").click()
    expect(own_stake(page, "banker")).to_have_text("50", timeout=PATIENCE_MS)
    page.locator("[data-act=clear] button").click()
    expect(page.locator(".stake.own")).to_have_count(0, timeout=PATIENCE_MS)
    page.locator(".area.own.player").click()
    expect(wall.locator(".coup .card").nth(3)).to_be_visible(timeout=PATIENCE_MS)
    result = page.locator(".payouts li")
    expect(result).to_contain_text("Player $25", timeout=PATIENCE_MS)
    page.locator(".drawer summary").first.click()
    expect(result.locator("a.clause").first).to_be_visible()
    expect(wall.locator(".bead-plate .letter").first).to_be_visible(timeout=PATIENCE_MS)
    page.context.close()
    wall.context.close()


def _wagers_at(web: Web, table: str) -> bool:
    view = web.client("dealer").get(f"/api/tables/{table}").json()["view"]
    return bool(view["play"] and view["play"]["wagers"])


def test_a_person_relieves_the_bot_dealer_and_deals_a_coup(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = open_page(browser, faults)
    sign_in(page, web, "dealer")
    page.goto(f"{web.base}/tables/table-3/dealer")
    while not _wagers_at(web, "table-3"):  # the bots have chips: they buy none of a person
        page.wait_for_timeout(250)
    laid = page.locator(".seats tfoot")
    page.click("text=Sign on as dealer")
    relief = page.locator("text=Sign off")
    expect(relief).to_be_visible(timeout=PATIENCE_MS)
    seen: list[str] = []
    for _ in range(60):
        head = page.locator(".tell h1").inner_text()
        if head.startswith("Open the betting"):  # a coup of one's own, from its beginning
            seen = []
        seen.append(head)
        settled = page.locator(".paying").count() > 0
        if settled and seen[0].startswith("Open the betting"):
            break
        if head.startswith("Call") and seen[0].startswith("Open"):  # the bots' chips come first
            expect(laid).to_contain_text(re.compile(r"\d"), timeout=PATIENCE_MS)
        with page.expect_response(lambda answer: answer.request.method == "POST") as pressed:
            page.locator("[data-first]:not([hidden])").first.press("p" if settled else "Enter")
        page.wait_for_function(
            "seq => Number(document.querySelector('#live').dataset.seq) >= seq",
            arg=pressed.value.json()["seq"],
        )
    assert any("Card for" in one for one in seen), seen
    assert any("wins" in one or "Tie" in one for one in seen), seen
    relief.click()
    expect(page.locator("text=Sign on as dealer")).to_be_visible(timeout=PATIENCE_MS)
    page.context.close()


def test_what_the_rules_refuse_is_said_on_the_page_with_its_clause(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = open_page(browser, faults)
    sign_in(page, web, "player")
    page.goto(f"{web.base}/tables/table-2")
    page.locator(".sit").first.click()
    expect(page.locator("#region-dock")).to_contain_text("chips", timeout=PATIENCE_MS)
    page.locator(".drawer summary").first.click()
    page.click("text=Leave the table")
    expect(page.locator(".box.own")).to_have_count(0, timeout=PATIENCE_MS)
    page.context.close()


def test_every_page_works_without_scripts(web: Web, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for path in ("/", "/sign-in", "/tables/table-1", "/tables/table-1/display"):
        page.goto(web.base + path)
        assert page.locator("main").inner_text().strip()
    sign_in(page, web, "player")
    page.goto(f"{web.base}/tables/table-3")
    page.locator(".sit").first.click()
    page.locator("main button:not(.quiet)").first.click()
    page.wait_for_url(f"{web.base}/tables/table-3")
    expect(page.locator(".box.own")).to_contain_text("You")
    context.close()
