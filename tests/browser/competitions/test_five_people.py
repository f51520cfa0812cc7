"""A small Tasmanian competition through its pages by five people: Director, inspector, dealer and
two entrants with phones, one of whom hands in a secret form; and what goes wrong on the way.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, Faults
from tests.kit.competition.over_http import CUP, TABLE, dealt, entered_conditions, made_ready
from tests.kit.competition.room import Room, clean
from tests.kit.web import Web, demo_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
ME = f"{CUP}/me"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(Path(tmp_path_factory.mktemp("demo")), bets=15) as web:
        yield web


def enters(phone: Page, room: Room, who: str) -> None:
    """From the code on a poster to the receipt; a double tap pays once."""
    phone.click("text=Apply to enter")
    expect(phone.locator("h1")).to_have_text("You have applied")
    room.floor.do("cashier", f"{CUP}/accept", {"person": who})
    expect(phone.locator("h1")).to_have_text("Endorse the conditions")  # live
    clean(phone)
    phone.check("[form=endorse]")
    phone.click("text=Endorse version 1")
    phone.locator(".tail button.first").dblclick()
    expect(phone.locator("h1")).to_have_text("You are in")
    account = room.floor.cup("manager")["entries"][who]
    assert account["fee_cents"] == 5555


def shown_a_cancellation(director: Page, room: Room) -> None:
    director.goto(f"{room.web.base}{CUP}/do/cancel")
    director.fill("[name=note]", "the lights are out")
    director.click("main form button.first")
    expect(director.locator(".foreseen")).to_contain_text("55.55")


def confirms_too_late(director: Page, room: Room) -> None:
    """Somebody else has paid since: nothing happens, and the note is still there."""
    director.click("main form button")
    expect(director.locator("[role=alert]")).to_contain_text("what was shown")
    expect(director.locator("[name=note]")).to_have_value("the lights are out")
    clean(director)
    assert room.floor.cup()["proposals"] == {}
    room.faults.found.clear()  # the browser notes the refusal


def directs(director: Page, room: Room) -> None:
    """Entries closed, seats keyed in by two people, tables made ready: each from its form."""
    for name in ("close-entries", "sign-on", "prepare-session", "start-session"):
        if name == "sign-on":
            room.floor.do(room.floor.director, f"{CUP}/designate-table", {"table": "table-cup"})
            seats = {"table-cup": {"1": "player", "2": "guest"}}
            drawn = {"tables": seats, "first": {"table-cup": 1}}
            room.floor.do(room.floor.director, f"{CUP}/key-draw", drawn)
            room.floor.do("manager", f"{CUP}/approve", {"proposal": 2})
        if name == "start-session":
            room.floor.wait(lambda: bool(room.floor.table()))
            room.floor.do("dealer", f"{TABLE}/sign-on", {"role": "dealer"})
            room.floor.do("inspector", f"{TABLE}/sign-on", {"role": "inspector"})
        director.goto(f"{room.web.base}{CUP}/do/{name}")
        room.sent(director, CUP)
    room.floor.wait(lambda: bool(room.floor.table("manager")["floor"]["people"]))
    for person in ("player", "guest"):
        room.floor.do("dealer", f"{TABLE}/take-seat", {"person": person})
    made_ready(room.floor)


def by_keys(director: Page, room: Room) -> None:
    """A Director's session without a mouse: each key stands where it works, and all in a list."""

    def phase(paused: bool) -> None:
        room.floor.wait(lambda: bool(room.floor.cup()["break_until_ms"]) is paused)

    director.goto(f"{room.web.base}{CUP}")
    press = director.keyboard.press
    keys = director.locator(".all-acts")
    expect(keys).not_to_have_attribute("open", "")
    press("?")
    expect(keys).to_have_attribute("open", "")
    expect(keys).to_contain_text("Give a direction G")
    clean(director)
    press("b")
    phase(paused=True)
    expect(director.locator("#told")).to_be_empty()
    expect(director.locator("#region-clock button.first")).to_contain_text("B")  # live
    press("b")
    phase(paused=False)
    for key, form in (("t", "substitute"), ("f", "forfeit"), ("x", "disqualify"), ("r", "rule")):
        press(key)
        director.wait_for_url(f"**/do/{form}")
        press("Escape")  # leaves the field, then the form
        press("Escape")
        director.wait_for_url(f"{room.web.base}{CUP}")
    press("g")
    director.wait_for_url("**/do/give-direction")
    expect(director.locator("[name=note]")).to_be_focused()
    director.keyboard.type("thirty seconds a wager")
    press("Tab")
    press("Enter")
    director.wait_for_url(f"{room.web.base}{CUP}")
    expect(director.locator("#region-told")).to_contain_text("thirty seconds a wager")
    for key, page in (("e", "entries"), ("d", "draw"), ("p", "results")):
        press(key)
        director.wait_for_url(f"**/{page}")
        clean(director)
        director.locator("body").evaluate("() => document.activeElement.blur()")
        press("Escape")
        director.wait_for_url(f"{room.web.base}{CUP}")
    press("1")
    director.wait_for_url(f"**{TABLE}/pit")


def writes(phone: Page) -> None:
    """Figures become words; nothing is sent before it is confirmed, and all forms are as long."""
    sent: list[str] = []
    phone.on(
        "request",
        lambda asked: sent.append(asked.post_data or "") if asked.method == "POST" else None,
    )
    phone.click("text=Secret wager instead")
    phone.check("[name=on][value=p]")
    for digit in "250":
        phone.click(f"[data-digit='{digit}']")
    expect(phone.locator(".said")).to_have_text("two hundred and fifty")
    clean(phone)
    phone.click("[data-over]")
    expect(phone.locator("[data-step=confirm]").first).to_contain_text("two hundred and fifty")
    assert sent == []
    phone.context.set_offline(True)  # the connection is lost in one's turn
    phone.click("[data-step=confirm] button.first")
    expect(phone.locator("#told")).not_to_be_empty()
    phone.context.set_offline(False)
    phone.click("[data-step=confirm] button.first")  # the same form again: handed in once
    expect(phone.locator("[data-step=lodged] h2")).to_be_visible()
    assert {len(one) for one in sent} == {400}


def test_five_people_play_a_competition_through_its_pages(
    web: Web, browser: Browser, faults: Faults
) -> None:
    room = Room(web, browser, faults)
    floor = room.floor
    entered_conditions(floor)
    one = room.page("player", ME, 360, 640)
    two = room.page("guest", ME, 390, 844)
    enters(one, room, "player")
    director = room.page(floor.director, CUP)
    shown_a_cancellation(director, room)
    enters(two, room, "guest")
    confirms_too_late(director, room)
    directs(director, room)
    by_keys(director, room)
    dealer = room.page("dealer", f"{TABLE}/dealer")
    dealer.click("#do-first button, button[form=do-first]")
    expect(one.locator(".where h2")).to_have_text("Your turn")  # live
    expect(two.locator("#region-body")).to_contain_text("You are next")
    writes(one)
    expect(two.locator(".where h2")).to_have_text("Your turn")
    two.goto(f"{web.base}{ME}/secret")
    two.check("[name=on][value=b]")
    two.fill("[name=figures]", "100")
    two.click("[data-over]")
    floor.do("guest", f"{TABLE}/place-wager", {"box": 2, "on": "banker", "cents": 10_000})
    floor.do("dealer", f"{TABLE}/no-more-bets")
    two.click("[data-step=confirm] button.first")  # a late form is handed back
    expect(two.locator("#told")).to_contain_text("handed back")
    faults.found.clear()  # the browser notes the refusal, and that it was offline
    inspector = room.page("inspector", f"{TABLE}/pit")
    clean(inspector)
    inspector.click(f"form[action='{TABLE}/forms/player'] button")
    expect(inspector.locator(".complies")).to_contain_text("Complies")
    clean(inspector)
    inspector.keyboard.press("Enter")
    inspector.wait_for_url(f"**{TABLE}/pit")
    dealt(floor)
    floor.do("dealer", f"{TABLE}/declare-result")
    expect(one.locator(".chips-now b").first).to_have_text("1,250")  # live, from "Handed in"
    assert one.url == f"{web.base}{ME}"
    floor.do("dealer", f"{TABLE}/end-coup")
    floor.wait(lambda: floor.cup()["phase"] == "over")
    floor.do(floor.director, f"{CUP}/confirm-stage")
    floor.do(floor.director, f"{CUP}/confirm-places")
    floor.do("manager", f"{CUP}/approve", {"proposal": 3})
    expect(one.locator(".prize b")).to_have_text("$84.10")  # live
    clean(one)
    for page in (one, two, director, dealer, inspector):
        page.context.close()
