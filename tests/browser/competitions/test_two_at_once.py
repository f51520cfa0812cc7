"""Two people, or two devices of one, who press the same step of a competition: it is done once,
and whoever came second reads what happened instead, with the way on.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browser import CHROMIUM, Faults
from tests.kit.competition.over_http import CUP, Floor, entered_conditions
from tests.kit.competition.room import Room, clean
from tests.kit.web import Web, demo_house, grant

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
ME = f"{CUP}/me"
OTHER = "inspector"
"""The second director."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(Path(tmp_path_factory.mktemp("demo")), bets=15) as web:
        yield web


def seated(floor: Floor) -> None:
    """Seats keyed in by two people, and both directors on duty."""
    floor.do(floor.director, f"{CUP}/designate-table", {"table": "table-cup"})
    drawn = {"tables": {"table-cup": {"1": "player", "2": "guest"}}, "first": {"table-cup": 1}}
    floor.do(floor.director, f"{CUP}/key-draw", drawn)
    floor.do("manager", f"{CUP}/approve", {"proposal": 2})
    for who in (floor.director, OTHER):
        floor.do(who, f"{CUP}/sign-on", {"role": "competition director"})


def seq(room: Room) -> int:
    return int(room.web.client("manager").get(f"/api{CUP}").json()["seq"])


def account_of(room: Room, who: str) -> int:
    me = room.web.client(who).get(f"/api{ME}").json()
    return int(me["account_cents"])


def pays_on_two_phones(room: Room, who: str) -> None:
    """What the second phone shows is old: it is told nothing of what the first one does."""
    room.floor.do(who, f"{CUP}/apply")
    room.floor.do("cashier", f"{CUP}/accept", {"person": who})
    room.floor.do(who, f"{CUP}/endorse", {"version": 1})
    one, two = (room.page(who, ME, 390, 844) for _ in range(2))
    before = account_of(room, who)
    two.route("**/live/**", lambda route: route.abort())
    two.reload()
    expect(two.locator("h1")).to_have_text("Pay the entry fee")
    one.locator(".tail button.first").dblclick()
    expect(one.locator("h1")).to_have_text("You are in")
    two.locator(".tail button.first").click()
    expect(two.locator("[role=alert], #told:not(:empty)").first).to_contain_text("paid")
    two.goto(f"{room.web.base}{ME}")
    expect(two.locator("h1")).to_have_text("You are in")
    assert before - account_of(room, who) == 5555
    for phone in (one, two):
        phone.context.close()


def both_press(room: Room, name: str, says: str) -> None:
    """Two directors have the same form before them; the first one sends it."""
    first, second = (room.page(who, f"{CUP}/do/{name}") for who in (room.floor.director, OTHER))
    room.sent(first, CUP)
    done = seq(room)
    second.click("main form button.first")
    told = second.locator("main [data-summary]")
    expect(told).to_contain_text(says)
    expect(told).to_contain_text("somebody may have done it before you")
    clean(second)
    second.keyboard.press("Escape")  # the way on
    second.wait_for_url(f"{room.web.base}{CUP}")
    assert seq(room) == done, "nothing is done twice"
    for page in (first, second):
        page.context.close()


def both_confirm(room: Room, name: str, says: str) -> None:
    """Both have been shown what will happen; when the second one sends it, it has happened."""
    first, second = (room.page(who, f"{CUP}/do/{name}") for who in (room.floor.director, OTHER))
    for page in (first, second):
        page.click("main form button.first")
        expect(page.locator(".foreseen")).to_be_visible()
    first.locator("main form button").dblclick()
    first.wait_for_url(f"{room.web.base}{CUP}")
    done = seq(room)
    second.click("main form button")
    expect(second.locator("main")).to_contain_text(says)
    assert seq(room) == done, "nothing is done twice"
    for page in (first, second):
        page.context.close()


def test_a_step_that_two_press_is_done_once(web: Web, browser: Browser, faults: Faults) -> None:
    room = Room(web, browser, faults)
    entered_conditions(room.floor)
    grant(web, OTHER, "competition director")
    for who in ("player", "guest"):
        pays_on_two_phones(room, who)
    both_press(room, "close-entries", "with the competition at: entries closed")
    seated(room.floor)
    both_confirm(room, "prepare-session", "somebody may have done it before you")
    faults.found.clear()  # the browser notes each refusal, and that a phone was offline
