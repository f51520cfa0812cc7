"""The roads in a real browser: grids fill their panels, marks are round, the newest is in sight."""

import base64
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page

from puntobanco.roads import parse_results
from puntobanco.server.rendering import Pages
from tests.kit.browser import CHROMIUM, STATIC

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
SHEETS = ("tokens.css", "style.css", "live/felt.css", "live/roads.css")
SIZES = ((1280, 800), (390, 844), (1920, 1080))
SHOE = "PBbTPPBBpBTTPBPBBPPPPPPPPPBBbpPBTBBBPPBBPBPPPBBTPBPPPBBPBBPPPBTPBPPBTPPPBPBBPBPPP"
PANELS = """() => [...document.querySelectorAll(".road-panel")].map((panel) => {
  const box = (one) => one.getBoundingClientRect();
  const [cells, ruled, road] = ["cells", "ruled", "road"].map((n) => panel.querySelector("." + n));
  const css = getComputedStyle(ruled);
  const across = parseFloat(css.fontSize);
  const caption = panel.querySelector("figcaption");
  const above = getComputedStyle(caption).position === "absolute" ? 0 : box(caption).height;
  const [outer, seen, grid] = [box(panel), box(cells), box(ruled)];
  return {
    kind: panel.className, across, down: seen.height / 6,
    fills: (seen.width * Math.min(seen.height, grid.height))
      / ((outer.width - 2) * (outer.height - 2 - above)),
    covers: Math.min(grid.right, seen.right) - Math.max(grid.left, seen.left) - seen.width,
    columns: seen.width / across, marks: box(road).right - seen.right,
  };
})"""
COLOURED = """async ([shot, tone]) => {
  const image = new Image();
  image.src = shot;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  const found = { left: 1e9, right: -1, top: 1e9, bottom: -1 };
  for (let at = 0; at < data.length; at += 4) {
    if (tone.some((part, i) => Math.abs(data[at + i] - part) > 60)) continue;
    const [x, y] = [(at / 4) % image.width, Math.floor(at / 4 / image.width)];
    found.left = Math.min(found.left, x); found.right = Math.max(found.right, x + 1);
    found.top = Math.min(found.top, y); found.bottom = Math.max(found.bottom, y + 1);
  }
  return found;
}"""


def opened(browser: Browser, size: tuple[int, int], text: str) -> Page:
    """A page with the roads of a shoe and nothing else."""
    beads = parse_results(text)
    roads = Pages(cast("Any", None)).render(
        "live/roads.html", beads=beads, last=None, page="player"
    )
    styles = "".join((STATIC / name).read_text("utf-8") for name in SHEETS)
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="light",
        reduced_motion="reduce",
    )
    page.set_content(f"<!doctype html><style>{styles}</style><main>{roads}</main>")
    return page


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("text", ["", "B", SHOE, "PB" * 40], ids=["none", "one", "shoe", "chop"])
def test_a_grid_fills_its_panel_with_whole_cells_and_shows_the_newest(
    browser: Browser, size: tuple[int, int], text: str
) -> None:
    page = opened(browser, size, text)
    for panel in page.evaluate(PANELS):
        assert panel["fills"] >= 0.99, panel
        assert abs(panel["columns"] - round(panel["columns"])) < 0.02, panel
        assert panel["covers"] > -0.5, panel
        assert 0.8 < panel["across"] / panel["down"] < 1.25, panel
        assert panel["marks"] < 0.5, panel  # nothing stands to the right of what is seen
    page.close()


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", ["bead-plate", "big-road", "big-eye-boy", "small-road"])
def test_marks_are_round_and_in_the_middle_of_their_cells(
    browser: Browser, size: tuple[int, int], kind: str
) -> None:
    """Measured on the picture: the only red mark of a road, as wide as it is high."""
    text = "B" if kind in {"bead-plate", "big-road"} else "PBPBPBPBPB"
    page = opened(browser, size, text)
    page.add_style_tag(content=".road text, .road .cut { display: none !important }")
    panel = next(one for one in page.evaluate(PANELS) if kind in one["kind"])
    cells = page.locator(f".{kind} .cells")
    box = cells.bounding_box()
    assert box is not None
    cell = {"x": box["x"], "y": box["y"], "width": panel["across"], "height": panel["down"]}
    shot = base64.b64encode(page.screenshot(clip=cast("Any", cell))).decode()
    found = page.evaluate(COLOURED, [f"data:image/png;base64,{shot}", [0xC1, 0x23, 0x2B]])
    wide, high = found["right"] - found["left"], found["bottom"] - found["top"]
    assert wide > 0.55 * min(panel["across"], panel["down"]), (panel, found)
    assert abs(wide - high) <= 1, (panel, found)
    assert abs(found["left"] + wide / 2 - panel["across"] / 2) <= 1, (panel, found)
    assert abs(found["top"] + high / 2 - panel["down"] / 2) <= 1, (panel, found)
    page.close()


def test_rings_have_letters_where_there_is_room_and_always_where_contrast_is_asked_for(
    browser: Browser,
) -> None:
    page = opened(browser, (1280, 800), "BP")
    letters = page.locator(".big-road .inside").first
    assert not letters.is_visible()
    page.evaluate("document.documentElement.dataset.contrast = 'more'")
    assert letters.is_visible()
    page.evaluate("delete document.documentElement.dataset.contrast")
    page.set_viewport_size({"width": 1920, "height": 1400})
    assert letters.is_visible()
    page.close()
