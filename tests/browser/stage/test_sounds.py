"""Sounds and the dealer's voice: off until wanted, then heard, and in the words that are shown."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHROMIUM, OURS, PATIENCE_MS, Faults, open_page
from tests.kit.web import Web

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
LISTENS = """window.spoken = []; window.announced = []; window.heard = [];
speechSynthesis.speak = (one) => spoken.push(one.text);
for (const kind of ["OscillatorNode", "AudioBufferSourceNode"]) {
  const start = window[kind].prototype.start;
  window[kind].prototype.start = function begin(at) { heard.push(kind); start.call(this, at); };
}
document.addEventListener("shown", () => {
  const said = document.querySelector("#region-said [data-announced]")?.dataset.announced;
  if (said && announced.at(-1) !== said) announced.push(said);
});"""
RENDERED = """async (address) => {
  const { SOUNDS, play } = await import(address);
  const came = {};
  for (const name of Object.keys(SOUNDS)) {
    const audio = new OfflineAudioContext(1, 2 * 44100, 44100);
    play(audio, name);
    const samples = (await audio.startRendering()).getChannelData(0).map(Math.abs);
    const loudest = samples.reduce((most, one) => Math.max(most, one), 0);
    came[name] = [loudest, (samples.findLastIndex((one) => one > loudest / 1000) + 1) / 44100];
  }
  return came;
}"""


def watching(web: Web, browser: Browser, faults: Faults) -> Page:
    page = open_page(browser, faults)
    page.add_init_script(LISTENS)
    page.goto(f"{web.base}/tables/table-1")
    return page


def until(page: Page, holds: str) -> None:
    """Its policy lets a page evaluate nothing, so it is asked from outside."""
    for _ in range(PATIENCE_MS // 200):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(200)
    pytest.fail(f"never: {holds}")


def test_every_sound_is_short_quiet_and_there(web: Web, browser: Browser, faults: Faults) -> None:
    page = watching(web, browser, faults)
    came = page.evaluate(RENDERED, f"{OURS}stage/sounds.js")
    assert {"card-shown", "chips-laid", "last-call", "settled"} <= came.keys()
    for name, (loudest, seconds) in came.items():
        assert 0.02 < loudest < 0.5, name
        assert 0.03 < seconds < 1.5, name


def test_nothing_is_heard_until_it_is_wanted(web: Web, browser: Browser, faults: Faults) -> None:
    page = watching(web, browser, faults)
    until(page, "announced.length > 1")
    assert page.evaluate("[spoken.length, heard.length]") == [0, 0]
    page.locator("summary.icon").click()
    page.locator("[data-look] [name=sound]").check()
    page.locator("[data-look] [name=voice]").check()
    until(page, "spoken.length > 2 && heard.length > 3")
    spoken, announced = page.evaluate("[spoken, announced]")
    assert spoken == announced[-len(spoken) :]
    page.reload()
    expect(page.locator("[data-look] [name=voice]")).to_be_checked()
    until(page, "spoken.length > 0")
    assert faults.found == []
