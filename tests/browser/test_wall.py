"""The wall in a real browser: nothing moves, every resolution is the same picture, none is lost."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

from puntobanco.roads import draw_roads, parse_results, pictured
from puntobanco.server.rendering import Pages
from tests.kit.browser import CHROMIUM, OURS, PATIENCE_MS, STATIC, Faults, open_page
from tests.kit.web import Web, demo_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
SHEETS = ("tokens.css", "style.css", "live/felt.css", "live/roads.css", "live/wall.css")
SHIFTS = """window.shifts = []; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shifts.push([one.value, ...one.sources.map(
    (source) => [source.node?.parentElement?.outerHTML.slice(0, 200), source.previousRect.x,
      source.currentRect.x, source.previousRect.y, source.currentRect.y])]);
}).observe({ type: "layout-shift", buffered: true });"""
PLACES = """() => Object.fromEntries([...document.querySelectorAll(
  ".board.on .region, .board.on .road-panel, .board.on .cells, .board.on .hand")].map((one, i) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [i + " " + one.className.replace(/ won| winner/g, ""), [x, y, width, height]]; }))"""
BEYOND = """() => [...document.querySelectorAll("#cup-board *")].filter((one) => {
  const { width, right, bottom } = one.getBoundingClientRect();
  return width && (right > innerWidth + 1 || bottom > innerHeight + 1);
}).map((one) => one.outerHTML)"""
LOTS = """async (at) => {
  const { reveal, showAll } = await import(at + "pages/competitions/reveal.js");
  const room = document.createElement("div");
  room.innerHTML = `<p data-reveal data-drawn="0" data-lots="2"><i data-lot-number></i>
    <b data-lot-name>all</b><i data-lot-at></i></p><i data-lot="1" data-name="Ines"></i>
    <i data-lot="2" data-name="Bao"></i>`;
  const panel = room.querySelector("[data-reveal]");
  const seen = () => [...[...room.querySelectorAll("[data-lot]")].map((one) => one.className),
    panel.querySelector("b").textContent, panel.querySelector("i").textContent];
  const found = [1900, 3700].map((now) => {
    panel.dataset.now = now; delete panel.dataset.began; reveal(panel, room); return seen(); });
  showAll(panel, room);
  return [...found, seen()]; }"""
SEAT = '<section class="at-table seats"><ol><li data-lot="{lot}">Ines</li></ol></section>'
LOT = """<section data-reveal data-drawn="0" data-now="0" data-lots="9"><i data-lot-number></i>
  <b data-lot-name></b><i data-lot-at></i></section>"""
BIG = "PB" * 18 + "PPBB"
"""A shoe that chops: more columns than any wall has at its full size."""
ROAD_SHARE = """(board) => board.querySelector(".big-road").getBoundingClientRect().height
  / board.getBoundingClientRect().height"""
"""Asked at one moment, for a road may be drawn anew at any."""
CUT_OFF = """() => [...document.querySelectorAll(".board :is(h2, small, .counts span)")].filter(
  (one) => one.getBoundingClientRect().right > one.closest(".board").getBoundingClientRect().right
).map((one) => one.textContent)"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=2, cup=True) as web:
        yield web


def rounded(places: dict[str, list[float]], unit: float = 1.0) -> dict[str, list[int]]:
    return {name: [round(one / unit) for one in place] for name, place in places.items()}


def test_nothing_moves_through_whole_coups(
    web: Web, browser: Browser, faults: Faults, pytestconfig: pytest.Config
) -> None:
    wall = open_page(browser, faults, 1920, 1080)
    wall.add_init_script(SHIFTS)
    wall.goto(f"{web.base}/tables/table-1/display")
    expect(wall.locator(".ring[data-of]")).to_be_visible(timeout=PATIENCE_MS)
    betting = rounded(wall.evaluate(PLACES))
    for _ in range(10 if pytestconfig.getoption("--slow") else 2):
        expect(wall.locator(".ring[data-of]")).to_be_visible(timeout=PATIENCE_MS)
        expect(wall.locator(".coup .card").nth(3)).to_be_visible(timeout=PATIENCE_MS)
        assert rounded(wall.evaluate(PLACES)) == betting
        expect(wall.locator(".call.won")).to_be_visible(timeout=PATIENCE_MS)
        assert rounded(wall.evaluate(PLACES)) == betting
    shifts = wall.evaluate("window.shifts")
    assert shifts == [], shifts
    wall.context.close()


def test_the_result_is_told_by_colour_letter_frame_and_words(
    web: Web, browser: Browser, faults: Faults
) -> None:
    wall = open_page(browser, faults, 1920, 1080)
    wall.goto(f"{web.base}/tables/table-2/display")
    won = wall.locator(".call.won")
    expect(won).to_be_visible(timeout=PATIENCE_MS)
    told = wall.evaluate(
        """() => ({ words: document.querySelector(".call.won").textContent,
        letter: document.querySelector(".ring.won text").textContent,
        seen: ((box) => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
          .closest(".ring.won") !== null)(document.querySelector(".ring").getBoundingClientRect()),
        framed: document.querySelectorAll(".hand.winner").length,
        beads: [...document.querySelectorAll(".bead-plate .newest .letter")].at(-1).textContent,
        high: parseFloat(getComputedStyle(document.querySelector("p.call")).fontSize) })"""
    )
    assert told["letter"] == told["words"].strip()[0] == told["beads"]
    assert told["seen"]
    assert told["framed"] == (0 if told["letter"] == "T" else 1)
    assert told["high"] >= 50
    wall.context.close()


def test_one_picture_at_1080p_and_4k_and_roads_have_most_of_it(web: Web, browser: Browser) -> None:
    """Without scripts, so that nothing changes between one look and the next."""
    context = browser.new_context(java_script_enabled=True)
    page = context.new_page()
    page.route("**/live/walls*", lambda route: route.abort())
    page.goto(f"{web.base}/tables/table-1/display")
    seen = {}
    for width, height in ((1920, 1080), (3840, 2160), (1080, 1920)):
        page.set_viewport_size({"width": width, "height": height})
        seen[width] = page.evaluate(PLACES)
        roads = next(place for name, place in seen[width].items() if "region roads" in name)
        assert roads[3] / height == pytest.approx(0.6, abs=0.002)
        assert all(x >= 0 and x + w <= width + 1 for x, _, w, _ in seen[width].values())
        assert all(y >= 0 and y + h <= height + 1 for _, y, _, h in seen[width].values())
    small, large = rounded(seen[1920], 4), rounded(seen[3840], 8)
    assert small.keys() == large.keys()
    for name in small:
        assert all(abs(a - b) <= 1 for a, b in zip(small[name], large[name], strict=True)), name
    context.close()


def test_tables_in_turn_and_a_whole_pit_on_one_screen(
    web: Web, browser: Browser, faults: Faults
) -> None:
    page = open_page(browser, faults, 1920, 1080)
    page.goto(f"{web.base}/display?tables=table-2,table-1&seconds=2&theme=light")
    assert page.locator("#wall").get_attribute("data-theme") == "light"
    on = page.locator(".board.on")
    expect(on).to_have_attribute("data-table", "table-2")
    expect(on).to_have_attribute("data-table", "table-1", timeout=PATIENCE_MS)
    expect(on).to_have_attribute("data-table", "table-2", timeout=PATIENCE_MS)
    found = [one["table"] for one in web.client().get("/api/tables").json()]
    tables = [one for one in found if one < "table-6"]
    page.goto(f"{web.base}/display/all?tables={','.join(tables)}")
    assert page.locator(".board").count() == len(tables) > 2
    for table in tables[:2]:
        board = page.locator(f".board[data-table={table}]")
        expect(board).to_contain_text("25")
        expect(board.locator(".big-road")).to_be_visible(timeout=PATIENCE_MS)
        assert board.evaluate(ROAD_SHARE) > 1 / 2
    page.set_viewport_size({"width": 1080, "height": 1920})  # the same, standing upright
    assert page.evaluate(CUT_OFF) == []
    phase = page.locator(".board .phase").first
    expect(phase).not_to_have_text(phase.inner_text(), timeout=PATIENCE_MS)
    page.context.close()


def test_a_board_follows_its_competition_and_the_event_proves_its_draw(
    web: Web, browser: Browser, faults: Faults
) -> None:
    """Entries are counted as they come, in the same picture at every size; sounds are off until
    somebody wants them; the seed of the draw is checked by the reader's own browser.
    """
    page = open_page(browser, faults, 1920, 1080)
    page.goto(f"{web.base}/competitions/table-6-1/board")
    expect(page.locator(".at-table li.above")).to_have_count(3)
    switch = page.locator(".sound-switch")
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.mouse.move(10, 10)
    page.keyboard.press("s")
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.goto(f"{web.base}/competitions/table-6-1")
    expect(page.locator("[data-same]").first).to_contain_text("✓")
    page.goto(f"{web.base}/display/competition")
    for width, height in ((1920, 1080), (3840, 2160), (1080, 1920)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(BEYOND) == []
    page.goto(f"{web.base}/competitions/table-6-1/board")
    told = page.evaluate(LOTS, OURS)
    assert told == [
        ["fresh", "to-come", "Ines", "1"],
        ["", "fresh", "Bao", "2"],
        ["", "", "all", ""],
    ]
    drawn = {"frame": "scene-draw n-1|lot table-0", "lot": LOT, "table-0": SEAT.format(lot=8)}
    anew = {"table-0": SEAT.format(lot=9)}  # the table is made ready while lots are told
    told = "".join(f"data: {json.dumps({'regions': some})}\n\n" for some in (drawn, anew))
    answer = {"body": f"retry: 60000\n\n{told}", "content_type": "text/event-stream"}
    page.route("**/live/competitions/**", lambda route: route.fulfill(**answer))
    page.reload()
    page.locator("[data-lot='9']").wait_for(state="attached")
    assert page.locator("[data-lot]").get_attribute("class") == "to-come"
    page.context.close()


def test_without_scripts_the_first_table_is_there(web: Web, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{web.base}/display?tables=table-2,table-1")
    expect(page.locator(".board[data-table=table-2]")).to_be_visible()
    expect(page.locator(".board[data-table=table-1]")).to_be_hidden()
    assert page.goto(f"{web.base}/display?tables=nowhere").status == 404  # type: ignore[union-attr]
    context.close()


def drawn(browser: Browser, size: tuple[int, int], text: str) -> Page:
    """The roads of a shoe on a wall, and nothing else."""
    beads = parse_results(text)
    pages = Pages(cast("Any", SimpleNamespace(register=None)))
    roads = pages.render("live/roads.html", beads=beads, last=None, page="display")
    styles = "".join((STATIC / name).read_text("utf-8") for name in SHEETS)
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.set_content(
        f"<!doctype html><style>{styles}</style><body class=wall><main><div class='boards display'>"
        f"<section class='board display on'><div class='region roads'>{roads}</div></section>"
    )
    return page


@pytest.mark.parametrize("size", [(1920, 1080), (3840, 2160), (1080, 1920)], ids=str)
@pytest.mark.parametrize("coups", [1, 30, 60, 80])
@pytest.mark.parametrize("shoe", [BIG, "PPBBBPBTPPPBPB", "PPPPBBBBBBBBPPPP"])
def test_a_long_shoe_halves_its_cells_instead_of_losing_columns(
    browser: Browser, size: tuple[int, int], coups: int, shoe: str
) -> None:
    text = (shoe * 20)[:coups]
    page = drawn(browser, size, text)
    for road in pictured(draw_roads(parse_results(text))):
        shown = page.evaluate(
            """(kind) => { const panel = document.querySelector("." + kind);
            const ruled = panel.querySelector(".ruled"), css = getComputedStyle(ruled);
            const cells = panel.querySelector(".cells").getBoundingClientRect();
            const across = parseFloat(css.fontSize);
            const bands = [...panel.querySelectorAll(".again")].filter((one) => one.offsetParent);
            return { columns: Math.round(cells.width / across), bands: 1 + bands.length,
              rows: Number(css.getPropertyValue("--rows") || 6),
              left: panel.querySelector(".road").getBoundingClientRect().left - cells.left }; }""",
            road.kind,
        )
        assert shown["bands"] == shown["rows"] // 6
        assert road.columns <= shown["columns"] * shown["bands"], (road.kind, shown)
        assert shown["left"] == pytest.approx(0, abs=1), (road.kind, shown)  # from its first column
    page.close()
