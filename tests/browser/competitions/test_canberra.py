"""A Canberra tournament through its pages: a reserve who is called in for one who does not come,
seats by ballot alone, and extra rounds among two who end level.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, Faults
from tests.kit.clauses import clause
from tests.kit.competition.over_http import CARDS, CUP, TABLE, made_ready
from tests.kit.competition.room import Room, clean
from tests.kit.web import Web, demo_house, grant

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
ME = f"{CUP}/me"
AWAY = "zoe"
CONDITIONS = """
name = "Canberra Open"
ruleset = "act-2015"
start = "2096-06-12T15:00:00+10:00"
approval = "sample only"
prizes = { percent = [100] }

[table]
decks = 8
method = "A"
chip_cents = 500
burn = "exposed"
behind_marker = 14
table_approval = "sample only"

[entry]
form = "C"
terms = "on the form"
fee_cents = 11000
commission_cents = 1000
min = 2
max = 2
reserves = 1

[[stage]]
name = "final"
seats = 7
least = 2
allotment_cents = 100000
ends = { coups = 1 }
limits = { min_cents = 10000, max_cents = 50000, multiple_cents = 10000 }
"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(Path(tmp_path_factory.mktemp("demo")), bets=15) as web:
        yield web


def gives(director: Page, room: Room, name: str, **typed: str) -> None:
    """A command from its form, seen first where it cannot be taken back."""
    director.goto(f"{room.web.base}{CUP}/do/{name}")
    for field, said in typed.items():
        control = director.locator(f"[name={field}]").first
        if control.evaluate("one => one.tagName") == "SELECT":
            control.select_option(said)
        else:
            control.fill(said)
    room.sent(director, CUP)


def published(room: Room) -> None:
    floor = room.floor
    grant(floor.web, floor.director, "competition director")
    floor.do("manager", "/register/enrol", {"person": AWAY, "kind": "patron"})
    floor.do("cashier", "/cage/open-account", {"person": AWAY})
    floor.do("cashier", "/cage/deposit", {"person": AWAY, "cents": 50_000})
    floor.do("manager", f"{CUP}/draft", {"text": CONDITIONS})
    floor.do("manager", f"{CUP}/publish")
    floor.do(floor.director, f"{CUP}/approve", {"proposal": 1})
    floor.do(floor.director, f"{CUP}/open-entries")
    floor.do(floor.director, f"{CUP}/commit-draw")


def entered(director: Page, room: Room, one: Page, waits: Page) -> None:
    """One by phone, one at the desk; the third waits, and is told so on the phone."""
    one.click("text=Apply to enter")
    room.floor.do("cashier", f"{CUP}/accept", {"person": "player"})
    one.check("[form=endorse]")
    one.click("text=Endorse version 1")
    one.locator(".tail button.first").dblclick()
    expect(one.locator("h1")).to_have_text("You are in")
    room.floor.do("cashier", f"{CUP}/enter-at-desk", {"person": AWAY, "version": 1})
    waits.click("text=Apply to enter")
    expect(waits.locator("h1")).to_have_text("You have applied")
    gives(director, room, "add-reserve", person="guest")
    waits.check("[form=endorse]")
    waits.click("text=Endorse version 1")
    expect(waits.locator("#region-body")).to_contain_text("1")
    clean(waits)


def drawn(director: Page, room: Room) -> None:
    """By ballot, with a witness's words typed on the page of the draw."""
    gives(director, room, "close-entries")
    room.floor.do(room.floor.director, f"{CUP}/designate-table", {"table": "table-cup"})
    director.goto(f"{room.web.base}{CUP}/draw")
    director.fill("#words", "wendy: rain on Tuesday")
    clean(director)
    director.click("text=Open the seed and draw final")
    expect(director.locator("#region-proof")).to_contain_text("the one that was sealed")
    expect(director.locator("#region-drawn")).to_contain_text("bets first")


def seated(room: Room) -> None:
    floor = room.floor
    floor.do(floor.director, f"{CUP}/sign-on", {"role": "competition director"})
    floor.do(floor.director, f"{CUP}/prepare-session")
    floor.wait(lambda: floor.table() is not None and floor.table()["phase"] != "shut")
    for who, role in (("dealer", "dealer"), ("inspector", "casino supervisor")):
        floor.do(who, f"{TABLE}/sign-on", {"role": role})


def played(room: Room, amounts: dict[str, int]) -> None:
    """One coup: each bets on Player in turn, and Player wins."""
    floor = room.floor
    made_ready(floor)
    floor.do("dealer", f"{TABLE}/open-coup")
    seats = {
        who: int(seat) for seat, who in floor.cup()["sessions"][-1]["seats"]["table-cup"].items()
    }
    for _ in range(2):
        turn = floor.table()["contest"]["turn"]
        who = next(person for person, seat in seats.items() if seat == turn)
        wager = {"box": turn, "on": "player", "cents": amounts[who]}
        floor.do(who, f"{TABLE}/place-wager", wager)
    floor.do("dealer", f"{TABLE}/no-more-bets")
    for card in CARDS:
        floor.do("dealer", f"{TABLE}/draw-card", {"card": card})
    floor.do("dealer", f"{TABLE}/declare-result")
    floor.do("dealer", f"{TABLE}/end-coup")
    floor.wait(lambda: floor.cup()["phase"] == "over")


PRIZES = """() => document.querySelectorAll(".at-table").forEach((table) => {
  table.classList.add("with-prizes");
  for (const name of table.querySelectorAll("li .clip"))
    name.insertAdjacentHTML("afterend", "<em>$4,500</em>");
})"""
"""Nobody has one as long as both are level."""
ROWS = """() => [...document.querySelectorAll(".at-table li")].every((row) => {
  const across = [...row.children].filter((one) => one.offsetHeight)
    .map((one) => one.getBoundingClientRect()).map((one) => (one.top + one.bottom) / 2);
  return Math.max(...across) - Math.min(...across) < 12;
})"""


def each_stands_in_one_row(room: Room) -> None:
    """On the wall: rank, name, prize and chips of a player beside one another."""
    wall = room.page("player", f"{CUP}/board", 1920, 1080)
    expect(wall.locator(".scene-final .at-table li")).to_have_count(2)
    wall.evaluate(PRIZES)
    assert wall.evaluate(ROWS)
    wall.context.close()


def is_told_of_more_rounds(phone: Page) -> None:
    """Live: nothing of the start that is past, nor of the chips that all began with."""
    expect(phone.locator("h1")).to_have_text("You play on")
    for said in ("Prizes you play for", "1,100"):
        expect(phone.locator("#region-body")).to_contain_text(said)
    expect(phone.locator("#region-body")).not_to_contain_text("1,000")
    clean(phone)


@clause("act-2015:15.7", "act-2015:15.9", "act-2015:15.10", "act-2015:15.22")
def test_a_reserve_comes_in_and_extra_rounds_part_equals(
    web: Web, browser: Browser, faults: Faults
) -> None:
    """[act-2015:15.10], [act-2015:15.22]"""
    room = Room(web, browser, faults)
    floor = room.floor
    published(room)
    one = room.page("player", ME, 360, 640)
    waits = room.page("guest", ME, 390, 844)
    director = room.page(floor.director, CUP)
    entered(director, room, one, waits)
    drawn(director, room)
    seated(room)
    gives(director, room, "take-reserve", person="guest", instead_of=AWAY)
    expect(waits.locator("h1")).to_contain_text("seat")  # live: the seat, not the entry
    assert floor.cup()["entries"][AWAY]["status"] == "forfeited"
    assert floor.cup()["entries_in"] == 2  # the third fee is in the pool, and plays no more
    gives(director, room, "start-session")
    floor.wait(lambda: bool(floor.table("manager")["floor"]["people"]))
    dealer = room.page("dealer", f"{TABLE}/dealer")
    for person in ("player", "guest"):
        late = dealer.locator(f"[data-person={person}]")
        expect(late).to_contain_text("late")
        late.locator("button").click()
        expect(late.locator("button")).to_have_count(0)  # live: seated at one press
    each_stands_in_one_row(room)
    played(room, {"player": 10_000, "guest": 10_000})
    director.goto(f"{web.base}{CUP}/results")
    expect(director.locator("main")).to_contain_text("More rounds are due")
    clean(director)
    director.click(".wait-line a.first")
    expect(director.locator("[name=coups]")).to_have_value("1")  # until a round parts them
    director.click("main form button.first")
    director.click("main form button")
    director.wait_for_url(f"{web.base}{CUP}")
    is_told_of_more_rounds(waits)
    gives(director, room, "start-session")
    floor.wait(lambda: floor.cup()["phase"] == "running")
    floor.wait(lambda: floor.table()["phase"] != "over")  # the table is told a moment later
    board = floor.web.client("player").get(f"/api{CUP}/board").json()
    assert [one["chips_cents"] for one in board["tables"][0]["rows"]] == [110_000, 110_000]
    console = room.page(floor.director, CUP)
    expect(console.locator(".cup-table")).to_contain_text("1,100")  # as the table has it
    console.context.close()
    played(room, {"player": 10_000, "guest": 20_000})
    gives(director, room, "confirm-stage")
    gives(director, room, "confirm-places")
    proposed = int(next(iter(floor.cup()["proposals"])))
    floor.do("manager", f"{CUP}/approve", {"proposal": proposed})
    expect(waits.locator(".prize h2")).to_have_text("1")  # live
    expect(one.locator("h1")).to_be_visible()
    clean(waits)
    for page in (one, waits, director, dealer):
        page.context.close()
