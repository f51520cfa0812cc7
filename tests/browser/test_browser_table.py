"""A table run by people in a real browser: dealer, two players, an inspector and the wall at once.

Cards are keyed, a mistake is put right, a card is squeezed, the house is lost and found again, and
somebody is locked out.
"""

import re
import sqlite3
import uuid
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from puntobanco.rules.notice import sample_notice
from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, open_page, own_stake, sign_in
from tests.kit.web import Web, demo_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
SEAT = '.box[data-seat="{}"] .sit'
OPEN = ".rack[data-betting=open]"
NUMBERS = count(9)
"""A table of its own for every test, in one house."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=5) as web:
        yield web


def give(client: httpx.Client, path: str, **facts: object) -> None:
    headers = {"Command-Id": str(uuid.uuid4())}
    answer = client.post(f"/api{path}", json=facts, headers=headers)
    assert answer.status_code == 200, answer.text


def open_table(web: Web, table: str) -> None:
    """A table without bots, dealt from a shoe of cards that are keyed."""
    manager = web.client("manager")
    notice = msgspec.to_builtins(sample_notice("tas-2018"))
    opening = {"notice": notice, "gaming_day": "monday", "shoe": "shoe 1", "effective": "1 July"}
    give(manager, f"/tables/{table}/open-table", **opening)
    give(manager, "/cage/open-tray", table=table, cents=10_000_000)


def act(page: Page, name: str, button: str = "", **typed: str) -> None:
    """Open a command's form from the console, fill it in, and send it."""
    sheet = page.locator("dialog.sheet")
    page.keyboard.press("m")
    sheet.locator(f"a[href*='/do/{name}?']").first.click()
    expect(sheet).to_be_visible()
    for field, value in typed.items():
        found = sheet.locator(f"[name^='{field}']").first
        if found.get_attribute("type") == "radio":
            sheet.locator(f"[name='{field}'][value='{value}']").check()
        elif found.evaluate("one => one.tagName") == "SELECT":
            found.select_option(value)
        else:
            found.fill(value)
    sheet.locator("button" if not button else f"button:has-text('{button}')").first.click()


def done(page: Page) -> None:
    expect(page.locator("dialog.sheet")).to_be_hidden(timeout=PATIENCE_MS)


def told(page: Page, head: str) -> None:
    """The instrument says what is to be done."""
    expect(page.locator(".tell h1")).to_have_text(head, timeout=PATIENCE_MS)


def press(page: Page, button: str) -> None:
    page.locator(".doing button", has_text=button).first.click()


def key(page: Page, card: str, after: str) -> None:
    """Two strokes, and the card is out."""
    for stroke in card:
        page.keyboard.press(stroke)
    told(page, after)


def make_ready(dealer: Page) -> None:
    """The likely facts stand there already: Space says that it was so."""
    for head in ("Shuffle", "Offer the cut to seat 1", "Place the marker, load the shoe"):
        dealer.keyboard.press(" ")
        told(dealer, head)
    dealer.keyboard.press(" ")
    told(dealer, "Open the betting")


class Room:
    """Everybody at one table, each in a window of their own."""

    def __init__(self, web: Web, table: str, browser: Browser, faults: Faults) -> None:
        self.dealer, self.inspector = open_page(browser, faults), open_page(browser, faults)
        self.player, self.guest = open_page(browser, faults, 390, 800), open_page(browser, faults)
        self.wall = open_page(browser, faults, 1920, 1080)
        self.wall.goto(f"{web.base}/tables/{table}/display")
        for page, person, where in (
            (self.dealer, "dealer", "/dealer"),
            (self.inspector, "inspector", "/pit"),
            (self.player, "player", ""),
            (self.guest, "guest", ""),
        ):
            sign_in(page, web, person)
            page.goto(f"{web.base}/tables/{table}{where}")

    def gather(self) -> None:
        """Staff on duty, players seated with chips, a shoe in place."""
        dealer = self.dealer
        told(dealer, "You are not signed on")
        dealer.keyboard.press("Enter")
        self.inspector.click("text=Sign on as inspector")
        self.player.locator(SEAT.format(1)).click()
        expect(self.guest.locator(SEAT.format(1))).to_have_count(0, timeout=PATIENCE_MS)
        self.guest.locator(SEAT.format(2)).click()
        expect(dealer.locator(".crumbs")).to_contain_text("Sign off", timeout=PATIENCE_MS)
        for person in ("player", "guest"):
            act(dealer, "buy-in", person=person, cents="1000")
            done(dealer)
        expect(self.player.locator("#purse")).to_have_text("$1,000", timeout=PATIENCE_MS)
        make_ready(dealer)

    def bets(self) -> None:
        press(self.dealer, "Place your bets")
        expect(self.player.locator(OPEN)).to_be_visible(timeout=PATIENCE_MS)
        self.player.locator(".area.own.banker").click()
        expect(self.stake("1 banker")).to_have_text("$25", timeout=PATIENCE_MS)

    def stake(self, key: str) -> Locator:
        """What lies on an area, as the dealer sees it."""
        box, on = key.split()
        return self.dealer.locator(f'.seats tr[data-box="{box}"] td.{on}')

    def close(self) -> None:
        for page in (self.dealer, self.inspector, self.player, self.guest, self.wall):
            page.context.close()


@pytest.fixture
def room(web: Web, browser: Browser, faults: Faults) -> Iterator[Room]:
    table = f"table-{next(NUMBERS)}"
    open_table(web, table)
    room = Room(web, table, browser, faults)
    room.gather()
    yield room
    room.close()
    for who in ("dealer", "inspector"):
        give(web.client(who), f"/tables/{table}/sign-off")


def test_a_dealer_two_players_and_the_wall_play_a_coup(room: Room) -> None:
    dealer, guest, wall = room.dealer, room.guest, room.wall
    room.bets()
    expect(wall.locator("p.call")).to_contain_text("Place your bets")
    guest.keyboard.press("3")  # the third chip, put on Player by a key
    guest.keyboard.press("p")
    expect(room.stake("2 player")).to_have_text("$100", timeout=PATIENCE_MS)
    guest.locator(".rack .chip").first.drag_to(guest.locator(".area.own.tie"))
    expect(room.stake("2 tie")).to_have_text("$5", timeout=PATIENCE_MS)
    dealer.locator("[name=wager]").fill("1 t 5")  # a chip that lies in box 1
    dealer.keyboard.press("Enter")
    expect(room.stake("1 tie")).to_have_text("$5", timeout=PATIENCE_MS)
    key(dealer, "9c", "Card for Banker")
    key(dealer, "5h", "Card for Player")
    key(dealer, "kd", "Card for Banker")
    key(dealer, "0s", "Player wins, 9 to 5")
    press(dealer, "Announced")
    expect(wall.locator("p.call.won")).to_have_text("Player wins, 9 to 5", timeout=PATIENCE_MS)
    expect(guest.locator(".payouts li", has_text="player $100")).to_contain_text("wins")
    expect(room.player.locator(".payouts li", has_text="banker $25")).to_contain_text("loses")
    expect(dealer.locator(".paying [data-step]")).to_have_count(2)
    press(dealer, "All paid")
    expect(wall.locator(".bead-plate .letter")).to_have_count(1, timeout=PATIENCE_MS)


def stands_on_a_phone(page: Page, sheet: Locator) -> None:
    """What is about to happen is read from its head, with the answers in sight, nothing cut off."""
    was = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    sheet.locator("[data-close]").click()
    page.click("text=What happened?")
    sheet.locator("a", has_text="not Player's was laid on Player").first.click()
    sheet.locator("[name='card@card']").fill("7h")
    sheet.locator("button", has_text="Show what will happen").click()
    expect(sheet.locator("h1")).to_be_in_viewport()
    for seen in ("button.first", "[data-close]"):
        expect(sheet.locator(f".foot {seen}")).to_be_in_viewport(ratio=0.9)
    panel, money = sheet.locator(".will"), sheet.locator(".will table")
    assert panel.evaluate("one => one.scrollWidth <= one.clientWidth"), money.inner_text()
    page.set_viewport_size(was or {"width": 1280, "height": 860})


def test_a_third_card_nobody_is_owed_is_put_right_by_the_rule(room: Room) -> None:
    """[tas-2018:14.1]: the dealer says what happened, and sees what follows before it does."""
    dealer = room.dealer
    room.bets()
    key(dealer, "8c", "Card for Banker")
    key(dealer, "2h", "Card for Player")
    key(dealer, "qd", "Card for Banker")
    key(dealer, "3s", "Player wins, 8 to 5")
    dealer.click("text=What happened?")
    sheet = dealer.locator("dialog.sheet")
    sheet.locator("a", has_text="not Player's was laid on Player").first.click()
    expect(sheet.locator("h1")).to_have_text("A card that was not Player's was laid on Player")
    sheet.locator("[name='card@card']").fill("7h")
    sheet.locator("button", has_text="Show what will happen").click()
    expect(sheet).to_contain_text("What the rule says", timeout=PATIENCE_MS)
    expect(sheet).to_contain_text("nobody may bet on the next coup")
    expect(sheet.locator("a.clause", has_text="14.1").first).to_be_visible()
    expect(sheet.locator(".board.after .left .card")).to_have_count(1)
    stands_on_a_phone(dealer, sheet)
    sheet.locator("button", has_text="Confirm").click()
    done(dealer)
    press(dealer, "Announced")
    won = room.wall.locator("p.call.won")
    expect(won).to_have_text("Player wins, 8 to 5", timeout=PATIENCE_MS)
    expect(room.wall.locator(".left-over .card")).to_have_count(1)


def test_a_player_squeezes_a_card(web: Web, browser: Browser, faults: Faults) -> None:
    """In Canberra the supervisor names who turns a hand; a bot sees to it when asked."""
    page = open_page(browser, faults)
    sign_in(page, web, "player")
    page.goto(f"{web.base}/tables/table-3")
    page.locator(".sit").first.click()
    page.locator(".dock >> text=Buy chips for").last.click()
    expect(page.locator(OPEN)).to_be_hidden(timeout=PATIENCE_MS)  # these bets may be about to close
    back = page.locator(".hand.banker .turns").first
    settled = page.locator("#result:not([data-winner=''])")
    for coup in range(5):  # a natural of the other hand may end a coup before it comes to us
        expect(page.locator(OPEN)).to_be_visible(timeout=PATIENCE_MS)
        page.locator(".area.own.banker").click()
        expect(own_stake(page, "banker")).to_be_visible(timeout=PATIENCE_MS)
        if not coup:
            ask_face_down(page)
        expect(page.locator(OPEN)).to_be_hidden(timeout=PATIENCE_MS)  # and with it the last result
        expect(back.or_(settled).first).to_be_visible(timeout=PATIENCE_MS)
        if back.count():
            break
    turned = page.locator(".hand.banker [data-lies]:not([data-lies$=down])")
    before = turned.count()
    expect(page.locator("#status")).to_contain_text("Your cards to turn")
    back.click()
    slider = page.locator("#squeeze svg")
    expect(slider).to_be_visible(timeout=PATIENCE_MS)
    shown = page.locator("#squeeze .face").get_attribute("href") or ""
    page.keyboard.press("ArrowLeft")
    assert int(slider.get_attribute("aria-valuenow") or 0) > 0
    pull(page, slider, 0.3)  # let go too soon: it lies down again, and nothing has happened
    assert turned.count() == before
    pull(page, slider, 1.9)
    expect(turned).to_have_count(before + 1, timeout=PATIENCE_MS)
    lies = [card.get_attribute("data-lies") or "" for card in turned.all()]
    assert shown.rpartition("-")[2] in [key.split()[1] for key in lies]
    page.context.close()


def ask_face_down(page: Page) -> None:
    """Asked for, taken back, and asked for again; it lapses where one does not bet."""
    page.locator(".drawer summary").first.click()
    for asked in ("Ask for", "No", "Ask for"):
        page.locator("section.own button", has_text=f"{asked} face-down cards").click()
    expect(page.locator("section.own")).to_contain_text("You asked for face-down cards")
    page.keyboard.press("Escape")


def pull(page: Page, card: Locator, part: float) -> None:
    """Pull the right edge of a card to the left, by a part of its width."""
    box = card.bounding_box()
    assert box
    x, y = box["x"] + box["width"] * 0.86, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - box["width"] * part, y, steps=8)
    page.mouse.up()


def test_a_page_finds_the_house_again_after_it_was_killed(
    tmp_path: Path, browser: Browser, faults: Faults
) -> None:
    page = open_page(browser, faults)
    with demo_house(tmp_path / "demo", bets=2) as web:
        page.goto(f"{web.base}/tables/table-1")
        live = page.locator("#live")
        expect(live).to_have_attribute("data-seq", re.compile(r"\d+"), timeout=PATIENCE_MS)
        web.process.kill()
        web.process.wait()
        expect(page.locator("#offline")).to_be_visible(timeout=PATIENCE_MS)
    seen = int(live.get_attribute("data-seq") or 0)
    with demo_house(tmp_path / "demo", bets=2, port=web.port):
        expect(page.locator("#offline")).to_be_hidden(timeout=PATIENCE_MS)
        for _ in range(200):
            if int(live.get_attribute("data-seq") or 0) > seen:
                break
            page.wait_for_timeout(100)
        assert int(live.get_attribute("data-seq") or 0) > seen
    page.context.close()
    faults.found.clear()  # the browser itself reports the connections it lost


def test_whoever_guesses_too_often_is_locked_out_until_a_manager_unlocks_them(
    web: Web, browser: Browser, faults: Faults
) -> None:
    with sqlite3.connect(web.folder / "data" / "house.db") as database:
        database.execute("UPDATE credentials SET failures = 9 WHERE person = 'guest'")
        # eight more failures, without the wait
    guest, manager = open_page(browser, faults), open_page(browser, faults)

    def tries(secret: str) -> None:
        guest.goto(f"{web.base}/sign-in")
        guest.fill("[name=who]", "guest")
        guest.fill("[name=secret]", secret)
        guest.click("main button")

    tries("000000" if web.secrets["guest"] != "000000" else "111111")
    expect(guest.locator("[role=alert]")).to_be_visible()
    tries(web.secrets["guest"])
    expect(guest.locator("[role=alert]")).to_contain_text("management to unlock it")
    sign_in(manager, web, "manager")
    manager.goto(f"{web.base}/house/events")
    expect(manager.locator("main")).to_contain_text("Failed sign-in as Guest")
    manager.goto(f"{web.base}/house/people/guest")
    manager.click("text=Unlock after failed sign-ins")
    expect(manager.locator("#away")).to_be_visible()
    expect(manager.get_by_text("Unlock after failed")).to_have_count(0)  # there is nothing left
    tries(web.secrets["guest"])
    guest.wait_for_url(f"{web.base}/")
    guest.context.close()
    manager.context.close()
    faults.found.clear()  # the browser itself reports what was refused


def test_a_finding_that_voids_the_coup_is_the_inspectors_to_make(room: Room) -> None:
    """[tas-2018:14.6]: a dealer's report stops play; the inspector upholds it, and all go back."""
    dealer, inspector = room.dealer, room.inspector
    room.bets()
    key(dealer, "8c", "Card for Banker")
    dealer.click("text=What happened?")
    sheet = dealer.locator("dialog.sheet")
    sheet.locator("summary").click()
    sheet.locator("details a", has_text="not of this shoe has turned up").click()
    sheet.locator("button", has_text="Show what will happen").click()
    expect(sheet).to_contain_text("play stops until a person has ruled", timeout=PATIENCE_MS)
    sheet.locator("button", has_text="Confirm").click()
    done(dealer)
    expect(room.wall.locator("p.call")).to_contain_text("Play is stopped", timeout=PATIENCE_MS)
    inspector.locator(".waits a.button").first.click()
    upheld = inspector.locator("dialog.sheet")
    upheld.locator("[name=upheld][value=true]").check()
    upheld.locator("button", has_text="Show what will happen").click()
    upheld.locator("button", has_text="Confirm").click()
    expect(room.wall.locator("p.call")).to_contain_text("void", timeout=PATIENCE_MS)
    expect(room.player.locator("#purse")).to_have_text("$1,000", timeout=PATIENCE_MS)
