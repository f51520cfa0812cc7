"""A passkey in a real browser, with a device that Chromium plays: added, used, refused, removed."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.kit.browser import CHROMIUM, Faults, open_page
from tests.kit.web import Web

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}
PERSON, NAME = "inspector", "My phone"
SHOTS = os.environ.get("SHOTS", "")


def with_device(page: Page) -> tuple[CDPSession, str]:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    return session, made["authenticatorId"]


def fill_in(page: Page, web: Web, base: str) -> None:
    page.goto(f"{base}/sign-in")
    page.fill("[name=who]", PERSON)
    page.fill("[name=secret]", web.secrets[PERSON])


def grave(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [one["id"] for one in found if one["impact"] in {"serious", "critical"}]


def looked_at(page: Page, name: str) -> None:
    """A picture in each look, where somebody wants to see it; and what axe says."""
    for width, height, scheme in ((1280, 800, "light"), (390, 844, "dark")):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert grave(page) == []
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"{name}-{width}-{scheme}.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 800})


def test_a_passkey_is_added_and_signs_in(web: Web, browser: Browser, faults: Faults) -> None:
    base = f"http://localhost:{web.port}"
    page = open_page(browser, faults)
    session, device = with_device(page)
    fill_in(page, web, base)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{base}/")
    page.goto(f"{base}/account/second")
    expect(page.get_by_text("at this address only: localhost")).to_be_visible()
    expect(page.get_by_text("takes a browser with scripts")).to_be_hidden()
    looked_at(page, "none")
    page.get_by_label("What you call it").fill(NAME)
    page.keyboard.press("Enter")
    expect(page.locator("main li code")).to_have_count(8)
    code = page.locator("main li code").first.inner_text()
    looked_at(page, "codes")
    page.goto(f"{base}/account/second")
    expect(page.get_by_text(NAME, exact=True)).to_be_visible()
    use = page.locator("#passkeys").get_by_role("button", name="Use passkey")
    use.click()
    expect(page.locator("#before-passkey-done")).to_be_visible()
    looked_at(page, "one")
    page.get_by_role("button", name="Add passkey").click()  # this device has one already
    expect(page.locator("#not-made")).to_be_visible()
    looked_at(page, "not made")
    page.locator("header").get_by_role("button", name="Sign out").click()

    fill_in(page, web, base)
    looked_at(page, "door")
    page.get_by_role("button", name="Sign in").click()  # a password alone
    expect(page.get_by_role("alert").first).to_be_visible()
    faults.found.clear()  # the browser says 401, too
    fill_in(page, web, base)
    session.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    page.get_by_role("button", name="Use passkey").click()
    expect(page.locator("#code-failed")).to_be_visible()
    looked_at(page, "refused")
    session.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": True})
    page.get_by_role("button", name="Use passkey").click()
    page.wait_for_url(f"{base}/")

    page.goto(f"{base}/account/second")
    page.locator("#before-passkey").fill(code)
    page.get_by_role("button", name=f"Remove {NAME}").click()
    expect(page.get_by_role("button", name=f"Remove {NAME}")).to_have_count(0)
    page.context.close()


def test_without_scripts_codes_work_as_ever(web: Web, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    fill_in(page, web, f"http://localhost:{web.port}")
    expect(page.get_by_role("button", name="Use passkey")).to_be_hidden()
    page.get_by_role("button", name="Sign in").click()
    page.goto(f"http://localhost:{web.port}/account/second")
    expect(page.get_by_text("takes a browser with scripts")).to_be_visible()
    expect(page.get_by_role("button", name="Add passkey")).to_be_hidden()
    page.goto(f"{web.base}/sign-in")
    assert page.locator("[data-passkey]").count() == 0  # by a number no passkey works
    context.close()
