"""The house's look and settings, as pages and programs meet them."""

import re
from base64 import b64decode
from html import unescape
from pathlib import Path

import httpx

from puntobanco.colours import BLACK, READABLE, contrast
from puntobanco.register import commands as m
from puntobanco.register.settings import FELT_INKS, ChipKind, Look, Settings, Tempo
from puntobanco.rules.notice import sample_notice
from puntobanco.server.look import DARK_WELL, FAINTEST, WELL, stylesheet
from tests.kit.aggregates import png
from tests.kit.office import BASE, Office, asked
from tests.kit.places import ROOT


def token(name: str) -> list[str]:
    """A colour as `tokens.css` has it, light and dark."""
    tokens = (ROOT / "src/puntobanco/server/static/tokens.css").read_text()
    found = re.search(rf"{name}: (?:light-dark\()?([^;)]+)", tokens)
    assert found
    return found[1].split(", ")


def test_colours_are_checked_against_those_that_pages_have() -> None:
    assert token("--well") == [WELL, DARK_WELL]
    assert (*token("--felt-ink"), *token("--felt-ink-2")) == FELT_INKS
    written = ("--felt-ink", "--felt-ink-2", "--felt-gold-ink", "--word-p", "--word-b", "--word-t")
    assert FAINTEST in (inks := [token(name)[0] for name in written])
    assert min(contrast(ink, BLACK) for ink in inks) == contrast(FAINTEST, BLACK)


def test_the_lightest_felt_that_is_taken_is_darkened_for_the_faintest_words_on_it() -> None:
    css = stylesheet(Settings(look=Look(felt="#2f63a8")))
    shades = re.findall(r"--felt-\d: (#\w+);", css)
    assert min(contrast(ink, "#2f63a8") for ink in FELT_INKS) >= READABLE
    assert min(contrast(FAINTEST, shade) for shade in shades) >= READABLE
    assert "--bar: var(--felt-3);" in css  # the bar above every page is of the house's cloth


def test_management_sets_the_look_from_a_form_and_every_page_has_it(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        form = {
            "name": "The Harbour",
            "currency": "AUD",
            "felt@colour": "113355",
            "accent@colour": "#FFE14D",
        }
        at = "/house/do/register/set-look"
        for person in ("ann", "ines"):
            assert (await office.post(at, person, form)).status_code == 403
        assert (await office.post(at, "mara", form)).status_code == 303
        assert office.house.register.state.settings.look == Look(
            "The Harbour", "AUD", "#113355", "#ffe14d"
        )
        page = (await office.get("/")).text
        assert "The Harbour</title>" in page
        address = re.search(r'href="(/look\.css\?v=[0-9a-f]{12})"', page)
        assert address
        styles = await office.get(address[1])
        assert styles.headers["content-type"].startswith("text/css")
        assert "immutable" in styles.headers["cache-control"]
        assert "--felt-1: #113355;" in styles.text
        accent = re.search(r"--accent: light-dark\((#\w+), (#\w+)\)", styles.text)
        assert accent
        assert accent[2] == "#ffe14d"  # light enough for a dark page
        assert contrast(accent[1], token("--well")[0]) >= READABLE
        assert not re.sub(r"--[a-z0-9-]+: [^;{}]+;", "", styles.text).count(";")
        old = await office.get("/look.css?v=000000000000")
        assert old.headers["cache-control"] == "no-cache"
        again = (await office.get(at, "mara")).text
        assert 'value="The Harbour"' in again
        assert 'value="#113355"' in again

    asked(tmp_path / "house.db", use)


def test_a_colour_that_cannot_be_read_is_refused_in_words(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        at = "/house/do/register/set-look"
        light = await office.post(at, "mara", {"felt@colour": "#eeeeee"})
        assert light.status_code == 409
        assert "Take a darker colour" in light.text
        assert 'value="#eeeeee"' in light.text
        none = await office.post(at, "mara", {"felt@colour": "green"})
        assert none.status_code == 400
        assert "“green” is not a colour" in none.text
        assert office.house.register.state.settings.look == Look()

    asked(tmp_path / "house.db", use)


def test_a_logo_is_sent_as_a_file_and_served_as_it_was(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        assert (await office.get("/look/logo.png")).status_code == 404
        at = "/house/do/register/set-logo"
        assert 'enctype="multipart/form-data"' in (await office.get(at, "mara")).text
        sent = await send_file(office, at, b64decode(png()))
        assert sent.status_code == 303, sent.text
        address = re.search(
            r'src="(/look/logo\.png\?v=[0-9a-f]{12})"', (await office.get("/")).text
        )
        assert address
        assert address[1] in (await office.get("/tables/table-1/display")).text  # on the wall, too
        logo = await office.get(address[1])
        assert (logo.content, logo.headers["content-type"]) == (b64decode(png()), "image/png")
        assert "immutable" in logo.headers["cache-control"]
        assert (await send_file(office, at, b"<svg onload=alert(1)>")).status_code == 409
        assert (await office.get("/look/logo.png")).content == b64decode(png())

    asked(tmp_path / "house.db", use)


async def send_file(office: Office, at: str, content: bytes) -> httpx.Response:
    headers = office._headers("mara")
    files = {"png@picture": ("logo.png", content, "image/png")}
    return await office._client.post(f"{BASE}{at}", headers=headers, files=files)


def test_amounts_are_shown_in_the_house_s_currency(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        page = (await office.get("/house/settings", "mara")).text
        assert '<data class="money" value="2500">25</data>' in page
        await office.house.give("register", m.SetLook(currency="EUR"), "mara", "look-0001")
        page = (await office.get("/house/settings", "mara")).text
        assert '<data class="money" value="2500" data-currency="EUR">€25</data>' in page

    asked(tmp_path / "house.db", use)


def test_chips_and_tempo_from_forms_and_as_data(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        settings = office.house.register.state.settings
        chips = "5 #bf2730\n25 #1d8653 #000000"
        at = "/house/do/register/{}"
        assert (
            await office.post(at.format("set-chips"), "mara", {"chips@chips": chips})
        ).is_redirect
        tempo = {"table": "table-1", "tempo.card_ms@seconds": "0.55", "tempo.bets_ms@seconds": "20"}
        assert (await office.post(at.format("set-tempo"), "mara", tempo)).is_redirect
        named = {"table": "table-1", "name": "Green Room"}
        assert (await office.post(at.format("name-table"), "mara", named)).is_redirect
        settings = office.house.register.state.settings
        assert settings.chips == (ChipKind(500, "#bf2730"), ChipKind(2500, "#1d8653", "#000000"))
        assert settings.tempo == {"table-1": Tempo(bets_ms=20_000, card_ms=550)}
        page = (await office.get("/house/settings", "mara")).text
        assert "Green Room" in page
        again = (await office.get(f"{at.format('set-tempo')}?table=table-1", "mara")).text
        assert 'value="0.55"' in again
        form = (await office.get(at.format("set-chips"), "mara")).text
        chosen = re.findall(r'name="chips@chips" value="([^"]*)"', form)  # two rows are free
        assert chosen[:6] == ["5", "#bf2730", "#fff6e6", "25", "#1d8653", "#000000"]
        rows = [*chosen[:6], "", "#123456", "#654321", "100", "#000000", "#ffffff"]
        sent = {"chips@chips": " ".join(rows)}  # as several fields of one name are read
        assert (await office.post(at.format("set-chips"), "mara", sent)).is_redirect
        kept = office.house.register.state.settings.chips
        assert [chip.cents for chip in kept] == [500, 2500, 10_000]
        look = (await office.get("/api/look")).json()
        assert look["tables"] == {"table-1": {"name": "Green Room", "felt": "", "pit": ""}}
        assert [chip["cents"] for chip in look["chips"]] == [500, 2500, 10_000]
        assert (await office.get("/api/house/settings", "ann")).status_code == 403
        whole = (await office.get("/api/house/settings", "ines")).status_code
        assert whole == 403  # an inspector of one table works at that table
        seen = (await office.get("/api/house/settings", "mara")).json()
        assert seen["tempo"]["table-1"]["bets_ms"] == 20_000

    asked(tmp_path / "house.db", use)


def test_a_station_s_name_that_cannot_be_stays_beside_what_is_wrong(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        for typed in ("", "x" * 81):
            again = await office.post("/house/stations", "mara", {"name": typed})
            assert again.status_code == 400
            assert "Write 1 to 80 characters" in again.text
            assert f'name="name" value="{typed}"' in again.text

    asked(tmp_path / "house.db", use)


def test_a_house_that_says_where_it_is_shows_its_own_time_to_everybody(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        page = (await office.get("/house/settings", "mara")).text
        assert "data-zone" not in page
        assert "None is set: pages go by the clock of the machine" in page
        at = "/house/do/register/set-time-zone"
        wrong = await office.post(at, "mara", {"zone": "Tasmania"})
        assert wrong.status_code == 409
        assert "Tasmania is no time zone that this machine knows" in wrong.text
        assert (await office.post(at, "ines", {"zone": "Asia/Tokyo"})).status_code == 403
        assert (await office.post(at, "mara", {"zone": "Asia/Tokyo"})).status_code == 303
        page = (await office.get("/house/settings", "mara")).text
        assert '<html lang="en" data-zone="Asia/Tokyo">' in page
        at_ms = office.house.register.at_ms + 3_600_000
        minute = at_ms // 60_000 + 540
        shown = f"{minute // 60 % 24:02}:{minute % 60:02}:{at_ms // 1000 % 60:02} UTC+9"
        assert shown in page
        form = (await office.get("/house/open-table?preset=main&ruleset=tas-2018", "mara")).text
        assert re.search(r'value="540" selected', form)
        kept = {"record_days": "3650", "photos_days": "90"}
        assert (
            await office.post("/house/do/register/set-retention", "mara", kept)
        ).status_code == 303
        page = (await office.get("/house/settings", "mara")).text
        assert "3650 days" in page
        assert page.count("for ever") == 2

    asked(tmp_path / "house.db", use)


def test_a_preset_of_the_house_is_kept_chosen_again_and_taken_away(tmp_path: Path) -> None:
    """From its line in the settings, with nothing to be chosen a second time."""

    async def use(office: Office) -> None:
        kept = m.SetPreset("Our evening", sample_notice("tas-2018"), shoe="S-12")
        await office.house.give("register", kept, "mara", "keep-our-evening")
        page = (await office.get("/house/settings", "mara")).text
        links = {one.split("?")[0].rpartition("/")[2]: one
                 for one in map(unescape, re.findall(r'href="(/house/do/register/[^"]+)"', page))
                 if "Our%20evening" in one}  # fmt: skip
        assert set(links) == {"set-preset", "drop-preset"}
        again = (await office.get(links["set-preset"], "mara")).text
        assert 'value="Our evening"' in again
        drop = (await office.get(links["drop-preset"], "mara")).text
        assert re.search(r'value="Our evening" (checked|selected)', drop)
        choice = "/house/open-table?ruleset=tas-2018"
        assert "Our evening" in (await office.get(choice, "mara")).text
        gone = await office.post("/house/do/register/drop-preset", "mara", {"name": "Our evening"})
        assert gone.status_code == 303
        assert "Our evening" not in (await office.get(choice, "mara")).text

    asked(tmp_path / "house.db", use)


def test_a_setting_is_saved_and_its_form_says_where_it_is(tmp_path: Path) -> None:
    """A heading is no verb: what a button does is said by the button."""
    button = re.compile(r'<button class="button first">([^<]+)</button>')

    def way(page: str) -> list[str]:
        nav = page.partition('<nav aria-label="Where you are">')[2].partition("</nav>")[0]
        return re.findall(r"<(?:a|b)[^>]*>([^<]+)<", nav)

    async def use(office: Office) -> None:
        settings = (await office.get("/house/settings", "mara")).text
        links = map(unescape, re.findall(r'href="(/house/do/register/[^"]+)"', settings))
        said = {}
        for link in links:
            page = (await office.get(link, "mara")).text
            assert way(page)[:2] == ["Back office", "Settings"], link
            said[link.partition("?")[0].rpartition("/")[2]] = button.findall(page)[-1]
        verbs = {"set-preset": "Keep a preset", "name-founder": "Name a second founder"}
        assert said == {name: verbs.get(name, "Save") for name in said}
        assert len(said) > 10
        form = "/house/do/register/grant?person=mara&back=/house/people/mara"
        assert way((await office.get(form, "mara")).text)[:2] == ["People", "mara"]

    asked(tmp_path / "house.db", use)
