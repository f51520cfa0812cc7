"""The training table in a real browser: by keyboard alone, without scripts, on a small phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.training.kinds import kinds
from puntobanco.training.run import order
from tests.kit.browser import CHROMIUM, chromium
from tests.kit.web import Web, demo_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo")) as web:
        yield web


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def test_a_scene_is_answered_by_keyboard_without_scripts(web: Web, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{web.base}/training")
    page.click(f"[href='/training/{RULESETS[0]}/wagers']")
    expect(page.locator("h1")).to_have_text("Scene 1 of 10")
    questions = page.locator("fieldset").count()
    for number in range(questions):
        page.locator("fieldset").nth(number).locator("input").first.focus()
        page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator(".marks li")).to_have_count(questions)
    page.click("text=Next scene")
    expect(page.locator("h1")).to_have_text("Scene 2 of 10")
    page.click("text=End here and see the debrief")
    expect(page.locator(".scenes > li")).to_have_count(1)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_six_cards_fit_on_a_small_phone(web: Web, browser: Browser, ruleset: str) -> None:
    wide = "card-too-many-on-banker"  # three cards on each hand
    seed = next(seed for seed in range(1000) if order(ruleset, kinds(), seed)[0].name == wide)
    page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    page.goto(f"{web.base}/training/{ruleset}/mixed?seed={seed}")
    assert page.locator(".felt-picture .card").count() == 6
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for card in page.locator(".felt-picture .card").all():
        box = card.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 360


def test_a_scene_is_answered_by_digits_and_enter(web: Web, browser: Browser) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{web.base}/training/tas-2018/competition?seed=1")
    page.keyboard.press("9")  # there are not so many answers
    expect(page.locator("input:checked")).to_have_count(0)
    for _ in range(page.locator("fieldset").count()):
        page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator("[data-first]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Scene 2 of 10")
