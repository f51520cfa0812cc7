"""The pictures of README and docs, taken anew: `python -m tools.pictures FOLDER`.

The folder is that of a demo house that has played a while (`puntobanco demo --folder FOLDER`), so
that its roads are full. Chromium takes the pictures as WebP; no two takes are alike.
"""

import sys
from base64 import b64decode
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.kit.browser import Faults, chromium, open_page, sign_in
from tests.kit.web import Web, demo_house, give

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
QUALITY = 80
TABLE, DEALT = "/tables/table-1", "/tables/table-2"
"""Where a player sits; and where the dealer signs on, and the bot leaves."""


PATIENCE = 240
"""Seconds within which the demo's own competition has begun."""


def keep(page: Page, name: str) -> None:
    shot = page.context.new_cdp_session(page).send(
        "Page.captureScreenshot", {"format": "webp", "quality": QUALITY}
    )
    (FOLDER / f"{name}.webp").write_bytes(b64decode(shot["data"]))


def seated(web: Web, browser: Browser, width: int, height: int) -> Page:
    page = open_page(browser, Faults(), width, height)
    sign_in(page, web, "player")
    page.goto(f"{web.base}{TABLE}")
    page.locator("#live[data-seq]").wait_for(state="attached")
    if not page.locator(".rack[data-betting]").count():
        page.locator(".sit").first.click()
    page.locator(".rack[data-betting]").wait_for(state="attached")
    buy = page.locator(".dock >> text=Buy chips for").last
    if buy.count():
        buy.click()
        buy.wait_for(state="detached")
    return page


def stage(web: Web, browser: Browser) -> None:
    """A coup that one has won something in, at a desk and on a phone."""
    desk = seated(web, browser, 1280, 800)
    phone = seated(web, browser, 390, 844)
    wall = open_page(browser, Faults(), 1920, 1080)
    wall.goto(f"{web.base}{TABLE}/display")
    desk.locator(".rack[data-betting=open]").wait_for(state="attached")
    for key in "3b2p":  # one of the two wins, unless it is a tie
        desk.keyboard.press(key)
    desk.locator("#result:not([data-winner=''])").wait_for(state="attached")
    desk.wait_for_timeout(2500)
    for page, name in ((desk, "table"), (phone, "phone"), (wall, "wall")):
        keep(page, name)


def others(web: Web, browser: Browser) -> None:
    lobby = open_page(browser, Faults(), 1280, 800)
    lobby.goto(web.base)
    keep(lobby, "lobby")
    dealer = open_page(browser, Faults(), 1280, 800)
    sign_in(dealer, web, "dealer")
    dealer.goto(f"{web.base}{DEALT}/dealer")
    dealer.locator("#live[data-seq]").wait_for(state="attached")
    dealer.locator("text=Sign on as dealer").click()
    dealer.locator("text=Sign on as dealer").wait_for(state="detached")
    for _ in range(4):  # no more bets, then a card at a time
        dealer.wait_for_timeout(2500)
        dealer.keyboard.press("Space")
    dealer.wait_for_timeout(1500)
    keep(dealer, "dealer")
    dealer.goto(f"{web.base}/training/tas-2018/mixed?seed=3")
    dealer.locator(".felt-picture").wait_for()
    keep(dealer, "training")


def cups(web: Web, browser: Browser) -> None:
    """A competition in play: its Director's console and its board, with as many tables as play."""
    board = open_page(browser, Faults(), 1920, 1080)
    for _ in range(PATIENCE):
        seen = web.client("director").get("/api/competitions").json()
        playing = [one["id"] for one in seen if one["phase"] == "running"]
        tables = {one: len(_tables(web, one)) for one in playing}
        if max(tables.values(), default=0) > 1:
            break
        board.wait_for_timeout(1000)
    cup = max(tables, key=lambda one: tables[one])
    console = open_page(browser, Faults(), 1280, 800)
    sign_in(console, web, "director")
    console.goto(f"{web.base}/competitions/{cup}")
    board.goto(f"{web.base}/competitions/{cup}/board")
    board.wait_for_timeout(2000)
    keep(console, "director")
    keep(board, "board")
    entrant(web, browser, cup)


def entrant(web: Web, browser: Browser, cup: str) -> None:
    """A seat that is taken over from a bot, and a secret form of its player's, on a phone."""
    session = web.client("director").get(f"/api/competitions/{cup}").json()["view"]["sessions"][-1]
    bot = next(iter(next(iter(session["seats"].values())).values()))
    sits = {"person": bot, "substitute": "player"}
    give(web.client("director"), f"/competitions/{cup}/substitute", sits)
    phone = open_page(browser, Faults(), 390, 844)
    sign_in(phone, web, "player")
    phone.goto(f"{web.base}/competitions/{cup}/me")
    phone.locator("text=Secret wager instead").click()
    phone.check("[name=on][value=p]")
    for digit in "500":
        phone.click(f"[data-digit='{digit}']")
    phone.click("[data-over]")
    keep(phone, "entrant")


def _tables(web: Web, cup: str) -> list[str]:
    return list(web.client("director").get(f"/api/competitions/{cup}").json()["view"]["tables"])


def main() -> None:
    with demo_house(Path(sys.argv[1]), bets=10, cup=True) as web, chromium() as browser:
        cups(web, browser)
        stage(web, browser)
        others(web, browser)


if __name__ == "__main__":
    main()
