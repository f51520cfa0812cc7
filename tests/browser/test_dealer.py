"""The dealer's instrument in a real browser: by keys alone, by touch, on a tablet, without scripts.

Keys are counted as the browser reports them; zones are measured at every step of a coup.
"""

import uuid
from collections.abc import Iterator

import httpx
import msgspec
import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from puntobanco.rules.notice import sample_notice
from tests.kit.browser import CHROMIUM, PATIENCE_MS, Faults, ScriptsRun, open_page, sign_in
from tests.kit.web import Web, demo_house, give

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
TABLE, FRESH = "table-9", "table-8"
SIX = "9c kd 2h 3s 4d 5h"
"""Player 5, Banker 8, with a third card for each."""
ZONES = (".cloth-of", ".work", "[id='region-desk/act']", ".seats", ".side > :last-child")
COUNTED = "addEventListener('keydown', () => { window.strokes = (window.strokes ?? 0) + 1; }, true)"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=10) as web:
        for table in (TABLE, FRESH):
            open_table(web, table)
        yield web


def does(web: Web, who: str, command: str, table: str = TABLE, **facts: object) -> None:
    given = uuid.uuid4().hex
    try:
        answer = give(web.client(who), f"/tables/{table}/{command}", facts, given)
    except httpx.RemoteProtocolError:  # it was idle for so long that the server hung up
        answer = give(web.client(who), f"/tables/{table}/{command}", facts, given)
    assert answer.status_code == 200, answer.text


def open_table(web: Web, table: str) -> None:
    """A table of people, with two players; the shoe is still to be made."""
    notice = msgspec.to_builtins(sample_notice("tas-2018"))
    opening = {"notice": notice, "gaming_day": "monday", "shoe": "shoe 1", "effective": "1 July"}
    does(web, "manager", "open-table", table, **opening)
    give(web.client("manager"), "/cage/open-tray", {"table": table, "cents": 10_000_000})
    for who in ("dealer", "inspector"):
        does(web, who, "sign-on", table, role=who)
    for seat, who in ((1, "player"), (4, "guest")):
        does(web, who, "sit", table, seat=seat)
        if table == TABLE:
            does(web, "dealer", "buy-in", cents=500_000, person=who)


def between_coups(web: Web) -> None:
    """From wherever another test left the table."""
    phase = web.client("dealer").get(f"/api/tables/{TABLE}").json()["view"]["phase"]
    if phase == "preparing":
        does(web, "dealer", "check-cards", set_id="set A", player="player")
        does(web, "dealer", "shuffle")
        does(web, "dealer", "cut-cards", depth=100, seat=1)
        does(web, "dealer", "load-shoe")
    if phase == "betting":
        does(web, "dealer", "no-more-bets")
        does(web, "dealer", "close-coup")
    if phase == "settled":
        does(web, "dealer", "end-coup")


def bets(web: Web, cents: int = 2500) -> None:
    does(web, "player", "bet-more", on="banker", cents=cents)
    does(web, "guest", "bet-more", on="player", cents=7500)


def told(page: Page, head: str) -> None:
    """The instrument says so, and what is first has the focus."""
    expect(page.locator(".tell h1")).to_have_text(head, timeout=PATIENCE_MS)
    expect(page.locator("[data-first]:not([hidden])").first).to_be_focused()


def press(page: Page, strokes: str, head: str) -> None:
    for stroke in strokes:
        page.keyboard.press(stroke)
    told(page, head)


def zones(page: Page) -> list[object]:
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight"), "it scrolls"
    return [page.locator(zone).bounding_box() for zone in ZONES]


def at_desk(
    web: Web, browser: Browser, faults: Faults, size: tuple[int, int] = (1280, 800)
) -> Page:
    between_coups(web)
    page = open_page(browser, faults, *size)
    page.add_init_script(COUNTED)
    sign_in(page, web, "dealer")
    page.goto(f"{web.base}/tables/{TABLE}/dealer")
    told(page, "Open the betting")
    return page


def test_a_dealer_makes_the_shoe_and_waits_for_the_inspector_to_cut(
    web: Web, browser: Browser, faults: Faults
) -> None:
    """[tas-2018:5.3]: nobody at the table cuts, so it is the inspector's, and not offered."""
    page = open_page(browser, faults)
    sign_in(page, web, "dealer")
    page.goto(f"{web.base}/tables/{FRESH}/dealer")
    told(page, "Check the cards")
    press(page, " ", "Shuffle")
    press(page, " ", "Offer the cut to seat 1")
    press(page, "r", "Offer the cut to seat 4")
    press(page, "r", "Waiting for the inspector to cut")
    assert page.locator(".doing form").count() == 0
    expect(page.locator(".tell .said")).to_contain_text("Then you place the marker")
    does(web, "inspector", "cut-cards", FRESH, depth=100)
    told(page, "Place the marker, load the shoe")
    press(page, " ", "Open the betting")
    does(web, "dealer", "buy-in", FRESH, cents=500_000, person="player")
    press(page, " ", "First card for Player")
    for _ in range(2):
        does(web, "player", "bet-more", FRESH, on="banker", cents=2500)
        expect(page.locator("#card")).to_be_attached(timeout=PATIENCE_MS)  # now there is a wager
        press(page, "9ckd0h3s", "Player wins, 9 to 3")
        press(page, " ", "Take the losing wagers")
        press(page, "p", "First card for Player")
    page.goto(f"{web.base}/tables/{FRESH}/do/correct-card")
    expect(page.get_by_label("Coup 3, now")).to_be_checked()  # few coups, so all are listed
    page.goto(f"{web.base}/tables/{FRESH}/do/see-marker")
    expect(page.locator("main button.first")).to_be_focused()  # there is nothing to be typed
    page.context.close()


def coup(web: Web, page: Page, opens: str = " ") -> list[list[object]]:
    """One whole coup of six cards; where every zone stood at each step."""
    stood = [zones(page)]
    press(page, opens, "First card for Player")
    bets(web, 120_000)
    expect(page.locator('.seats tr[data-box="1"] td.banker')).to_have_text("$1,200")
    stood.append(zones(page))
    heads = ("Banker", "Player", "Banker", "Player", "Banker")
    for card, side in zip(SIX.split()[:5], heads, strict=True):
        press(page, card, f"Card for {side}")
        stood.append(zones(page))
    press(page, SIX.split()[5], "Banker wins, 8 to 5")
    stood.append(zones(page))
    press(page, " ", "Take the losing wagers")
    stood.append(zones(page))
    return stood


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)])
def test_a_coup_takes_two_strokes_a_card_and_four_and_nothing_moves(
    web: Web, browser: Browser, faults: Faults, size: tuple[int, int]
) -> None:
    page = at_desk(web, browser, faults, size)
    page.evaluate("window.strokes = 0")
    stood = coup(web, page)
    assert all(one == stood[0] for one in stood)
    assert page.evaluate("window.strokes") == 14
    chips = page.locator(".paying [data-step]").last.locator(".chips")
    assert [one.inner_text().split()[0] for one in chips.all()] == ["×1", "×1", "×1", "×3"]
    press(page, " ", "Pay box 1 $1,140")
    expect(page.locator(".paying .done")).to_have_count(1)
    page.context.close()


def test_coups_of_four_and_five_cards_take_no_more(
    web: Web, browser: Browser, faults: Faults
) -> None:
    """From the call for bets to that of the next coup."""
    page = at_desk(web, browser, faults)
    page.evaluate("window.strokes = 0")
    press(page, " ", "First card for Player")
    for cards, result in (
        ("9ckd0h3s", "Player wins, 9 to 3"),
        ("2ckd3h7s4d", "Player wins, 9 to 7"),
    ):
        bets(web)
        expect(page.locator('.seats tr[data-box="1"] td.banker')).to_have_text("$25")
        press(page, cards, result)
        press(page, " ", "Take the losing wagers")
        press(page, "p", "First card for Player")
        assert page.evaluate("window.strokes") <= len(cards) + 4
        page.evaluate("window.strokes = 0")
    page.context.close()


def test_cards_keyed_ahead_come_in_their_order_and_a_wrong_rank_is_forgotten(
    web: Web, browser: Browser, faults: Faults
) -> None:
    """[tas-2018:6.3]: the first card closes the bets, without a call."""
    page = at_desk(web, browser, faults)
    press(page, " ", "First card for Player")
    bets(web)
    expect(page.locator("#card")).to_be_attached(timeout=PATIENCE_MS)
    for stroke in ("k", "Backspace", "8"):
        page.keyboard.press(stroke)
    expect(page.locator(".pad .aim")).to_have_count(4)
    press(page, "c2hqd3s", "Player wins, 8 to 5")
    cards = page.locator(".hand .card")
    names = [card.get_attribute("aria-label") for card in cards.all()]
    assert names == ["8 of clubs", "queen of diamonds", "2 of hearts", "3 of spades"]
    page.keyboard.press("9")
    page.keyboard.press("c")  # nobody is owed it: that is said, and nothing recorded
    expect(cards).to_have_count(4)
    press(page, " ", "Take the losing wagers")
    press(page, "p", "First card for Player")
    page.context.close()


def test_what_is_pressed_twice_goes_once_though_the_page_was_redrawn(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = at_desk(web, browser, faults)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(f"**/tables/{TABLE}/**", hold)
    act = page.locator("[id='region-desk/act']")
    drawn = act.inner_html()
    page.keyboard.press(" ")
    act.evaluate("(one, drawn) => { one.innerHTML = drawn; }", drawn)
    act.locator("[data-first]").press(" ")
    page.wait_for_timeout(250)
    assert [one.request.method for one in held] == ["POST"]
    held[0].continue_()
    told(page, "First card for Player")
    page.context.close()


def test_space_counts_as_soon_as_the_card_lies_there_though_its_answer_is_late(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = at_desk(web, browser, faults)
    press(page, " ", "First card for Player")
    bets(web)
    press(page, "9ckd0h", "Card for Banker")
    expect(page.locator(".hand .card")).to_have_count(3)  # it says so after one card, too
    late: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    page.route(f"**/tables/{TABLE}/**", hold)
    press(page, "3s", "Player wins, 9 to 3")
    page.keyboard.press(" ")
    page.keyboard.press(" ")
    page.wait_for_timeout(250)
    told(page, "Player wins, 9 to 3")  # nothing follows before the card's own answer
    late[0][0].fulfill(response=late[0][1])
    told(page, "Take the losing wagers")
    page.context.close()


def four_cards(web: Web, page: Page) -> None:
    """A natural for Player, keyed in eight strokes."""
    told(page, "First card for Player")
    bets(web)
    expect(page.locator('.seats tr[data-box="1"] td.banker')).to_have_text("$25")
    press(page, "9ckd0h3s", "Player wins, 9 to 3")


def put_right(page: Page) -> None:
    """The dealer says what happened, sees what follows, and sends it to whoever approves it."""
    page.keyboard.press("w")
    sheet = page.locator("dialog.sheet")
    expect(sheet.locator("[data-key='1']")).to_be_focused(timeout=PATIENCE_MS)
    sheet.get_by_role("link", name="Back").click()  # a tablet has no Esc
    expect(sheet).to_be_hidden()
    page.keyboard.press("w")
    wrong = sheet.locator("[data-key]", has_text="keyed or scanned wrong")
    expect(wrong).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press(wrong.get_attribute("data-key") or "")
    expect(sheet.locator("[name=position]")).to_be_focused(timeout=PATIENCE_MS)
    expect(sheet.locator("[name=position] option:checked")).to_have_text("4: 3♠, Banker")
    expect(sheet.locator("[name=coup]")).to_be_hidden()  # the one whose cards lie there
    for typed in ("8s", "Keyed 3 for 8."):
        page.keyboard.press("Tab")
        page.keyboard.type(typed)
    page.keyboard.press("Enter")
    expect(sheet.locator(".board.after .new .card")).to_have_count(1, timeout=PATIENCE_MS)
    expect(sheet.locator("[data-first]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet).to_be_hidden(timeout=PATIENCE_MS)
    expect(page.locator(".waiting")).to_contain_text("waiting for the inspector")
    expect(page.locator("[data-first]:not([hidden])").first).to_be_focused()
    page.keyboard.press(" ")
    page.wait_for_timeout(250)
    expect(page.locator(".tell h1")).to_contain_text("to approve")  # nothing was announced


def mistyped_wager(page: Page, faults: Faults) -> None:
    """A wager that cannot be is refused at its field, where it stays."""
    told(page, "First card for Player")
    page.keyboard.press("l")
    page.keyboard.type("9 x")
    page.keyboard.press("Enter")
    expect(page.locator("#lay-wrong")).to_contain_text("is not a wager", timeout=PATIENCE_MS)
    expect(page.locator("[name=wager]")).to_have_value("9 x")
    faults.found.clear()  # the browser's console tells of every answer that is a refusal
    page.keyboard.press("Backspace")
    expect(page.locator("#lay-wrong")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#lay-wrong")).to_be_visible(timeout=PATIENCE_MS)
    faults.found.clear()
    page.locator("[name=wager]").evaluate(
        "(one) => { one.value = ''; }"
    )  # nothing is typed over it
    page.keyboard.press("Escape")


def both_versions(web: Web, page: Page) -> None:
    """What was put right is looked back at: `B` puts both boards side by side, and back."""
    coups = web.client("manager").get(f"/api/tables/{TABLE}/journal").json()["coups"]
    number = max(int(coup["coup"]) for coup in coups)
    page.goto(f"{web.base}/tables/{TABLE}/journal/{number}")
    expect(page.locator("[data-ready]")).to_be_attached(timeout=PATIENCE_MS)
    page.keyboard.press("b")
    expect(page.locator(".versions figure")).to_have_count(2, timeout=PATIENCE_MS)
    expect(page.locator(".versions figcaption").first).to_contain_text("As first recorded")
    expect(page.locator(".versions figcaption").last).to_contain_text("As it stands")
    expect(page.locator("[data-ready]")).to_be_attached(timeout=PATIENCE_MS)
    page.keyboard.press("b")
    expect(page.locator(".versions")).to_have_count(0, timeout=PATIENCE_MS)


def test_a_new_dealer_deals_five_coups_and_puts_one_mistake_right(
    web: Web, browser: Browser, faults: Faults
) -> None:
    """From the screen alone: Space or Enter where it says so, cards, and one key for a mistake.

    [tas-2018:4.5]: a card keyed wrong is put right by two people, each of whom sees the cards and
    the money before and after; the inspector first says that it was not so.
    """
    ran = ScriptsRun()
    page, inspector = at_desk(web, browser, faults), open_page(browser, faults)
    for one in (page, inspector):
        ran.watch(one)
    page.reload()
    told(page, "Open the betting")
    sign_in(inspector, web, "inspector")
    page.keyboard.press("Enter")
    mistyped_wager(page, faults)
    for number in range(5):
        four_cards(web, page)
        expect(page.locator("#lay-wrong")).to_be_hidden()  # it is over, and lay over the last boxes
        if number == 2:
            put_right(page)
            look = page.locator(".waiting a").get_attribute("href") or ""
            inspector.goto(f"{web.base}{look.replace('dealer', 'pit')}")
            expect(inspector.locator(".board.after .points").last).to_have_text("8")
            inspector.keyboard.press("d")
            expect(inspector.locator("h1")).to_contain_text("what is right instead")
            expect(page.locator(".waiting")).to_contain_text("Inspector turned down")
            put_right(page)
            look = page.locator(".waiting a").get_attribute("href") or ""
            inspector.goto(f"{web.base}{look.replace('dealer', 'pit')}")
            inspector.keyboard.press("a")
            inspector.wait_for_url(f"{web.base}/tables/{TABLE}/pit")
            told(page, "Player wins, 9 to 8")
            both_versions(web, inspector)
        press(page, " ", "Take the losing wagers")
        if number == 3:
            press(page, " ", "Pay box 4 $75")  # ticked off one by one, the last by touch
            page.locator(".paying .now").click()
            expect(page.locator("#do-first button")).to_be_focused()
            page.keyboard.press(" ")
        else:
            page.keyboard.press("p")
    told(page, "First card for Player")
    expect(page.locator(".tell .phase")).to_contain_text("bets are open")
    ran.note()
    never = [name for name in ran.never if name.startswith(("live/desk.js", "commands/keys.js"))]
    assert not never, "\n".join(never)
    for one in (page, inspector):
        one.context.close()


def test_cards_dealt_face_down_are_passed_and_keyed_as_they_are_turned(
    web: Web, browser: Browser, faults: Faults
) -> None:
    """[tas-2018:9.3]: a press for each card, the roads in the middle, then rank and suit."""
    page = at_desk(web, browser, faults)
    does(web, "player", "ask-face-down")
    for who, role in (("manager", "management representative"), ("surveillance", "surveillance")):
        does(web, who, "acknowledge-face-down", role=role)
    does(web, "inspector", "set-face-down", down=True)
    press(page, " ", "First card for Player")
    bets(web)
    expect(page.locator('.seats tr[data-box="1"] td.banker')).to_have_text("$25")
    for head in ("Card for Banker", "Card for Player", "Card for Banker"):
        press(page, " ", head)
    press(page, " ", "Pass Player's cards to Guest")
    road = page.locator(".work .big-road").bounding_box()
    assert road is not None
    assert road["width"] > 300, "nothing is keyed now: the roads stand there"
    press(page, " ", "Turn Player's cards")
    press(page, "9c", "Turn Player's cards")
    press(page, "0h", "Pass Banker's cards to Player")
    press(page, " ", "Turn Banker's cards")
    press(page, "kd", "Turn Banker's cards")
    press(page, "3s", "Player wins, 9 to 3")
    page.keyboard.press(" ")
    told(page, "Take the losing wagers")
    does(web, "dealer", "end-coup")
    does(web, "inspector", "set-face-down", down=False)
    page.context.close()


def test_a_coup_is_dealt_without_scripts(web: Web, browser: Browser) -> None:
    """Every press is a form: the pad, the call, the result, the next coup."""
    between_coups(web)
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": 1280, "height": 800}
    )
    page = context.new_page()
    sign_in(page, web, "dealer")
    page.goto(f"{web.base}/tables/{TABLE}/dealer")
    head = page.locator(".tell h1")
    page.locator("#do-first button").click()
    bets(web)
    page.reload()
    for card in ("9c", "Kd", "Th", "3s"):
        page.locator(f".pad button[data-card='{card}']").click()
    expect(head).to_have_text("Player wins, 9 to 3")
    page.locator("#do-first button").click()
    expect(page.locator(".paying [data-step]")).to_have_count(2)
    page.locator("#do-first button").click()
    expect(head).to_have_text("First card for Player")
    page.get_by_text("What happened?").click()
    expect(page.locator(".what-happened .likely a").first).to_be_visible()
    context.close()
