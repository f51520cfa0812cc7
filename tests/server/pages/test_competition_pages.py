"""Competitions in the browser, plainly: every command from its form."""

import html
import re
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest

from puntobanco.errors import MalformedError
from puntobanco.server.commands.api import COMPETITION
from puntobanco.server.commands.forms import fields_of
from puntobanco.server.commands.typed import Now, facts_of
from puntobanco.table.authority import name_of
from tests.kit.clauses import clause, tas
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import (
    PLAYERS,
    CupOnWeb,
    enrol_players,
    entries_closed,
    on_web,
)
from tests.kit.replay import Asker

EVERYBODY = ("", "ann", "p1", "dan", "ines", "cora", "carol", "mara", "otto")


async def page(asker: Asker, who: str, path: str) -> httpx.Response:
    headers = {**asker.headers(who or None), "Accept": "text/html"}
    return await asker.client.get(path, headers=headers)


async def send(asker: Asker, who: str, path: str, **form: str) -> httpx.Response:
    headers = {
        **asker.headers(who),
        "Accept": "text/html",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    return await asker.client.post(path, content=urlencode(form), headers=headers)


def test_every_command_has_its_form_and_links_lead_to_forms(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        await entries_closed(CupOnWeb(asker, "spring"))
        for kind in COMPETITION:
            for who in ("p1", "carol", "cora", "mara"):
                shown = await page(asker, who, f"/competitions/spring/do/{name_of(kind)}")
                assert shown.status_code in (200, 403), (who, kind, shown.text[:300])
        for who in EVERYBODY:
            text = (await page(asker, who, "/competitions/spring")).text
            for link in re.findall(r'href="(/competitions/spring/do/[^"]+)"', text):
                assert (await page(asker, who, link)).status_code == 200, (who, link)
        assert (await page(asker, "mara", "/competitions/spring/do/no-such")).status_code == 404
        assert (await page(asker, "mara", "/competitions/none")).status_code == 404

    on_web(tmp_path, play)


def test_a_competition_is_run_from_forms_to_its_draw(tmp_path: Path) -> None:
    """Conditions, two people, entries, the draw by hand: as people type it."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        new = await page(asker, "mara", "/competitions/new?id=cup&template=four-heats")
        assert new.status_code == 303
        at = "/competitions/cup/do"
        assert (await page(asker, "mara", new.headers["location"])).status_code == 200
        people = PLAYERS[:6]
        steps: list[tuple[str, str, dict[str, str]]] = [
            ("mara", "draft", {"text": cup_text().replace("\n", "\r\n")}),
            ("mara", "publish", {}),
            ("cora", "approve", {"proposal": "1"}),
            ("cora", "open-entries", {}),
            ("cora", "commit-draw", {}),
            *((who, "apply", {}) for who in people),
            *(("carol", "accept", {"person": who}) for who in people),
            *((who, "endorse", {"version": "1"}) for who in people),
            *((who, "pay-entry", {}) for who in people),
            ("mara", "add-value", {"cents@money": "100", "what": "a cup"}),
            ("cora", "close-entries", {}),
            ("cora", "designate-table", {"table": "table-7"}),
            ("cora", "draw", {"words@spoken": "wendy: rain on Tuesday\r\nwill: a blue hat"}),
            ("cora", "key-draw", {"tables@seating": "table-7: p1 p2 p3 p4@6 p5 p6@4",
                                  "first@pairs": "table-7 = 1"}),
            ("mara", "approve", {"proposal": "2"}),
            ("cora", "set-start", {"stage": "heats", "start_ms@start": "90", "note": "late"}),
            ("cora", "sign-on", {"role": "competition director"}),
        ]  # fmt: skip
        for who, name, form in steps:
            answer = await send(asker, who, f"{at}/{name}", **form)
            assert answer.status_code == 303, (who, name, answer.text)
            assert answer.headers["location"] == "/competitions/cup"
        state = asker.house.competitions["competition-cup"].state
        assert state.versions[1].text == cup_text()
        assert state.now.seats["table-7"] == {1: "p1", 2: "p2", 3: "p3", 6: "p4", 5: "p5", 4: "p6"}
        refused = await send(asker, "p1", f"{at}/withdraw", person="p2")
        assert refused.status_code == 403
        assert 'role="alert"' in refused.text
        again = await send(asker, "mara", f"{at}/add-value", **{"cents@money": "much"})
        assert again.status_code == 400
        assert 'value="much"' in again.text

    on_web(tmp_path, play)


DISCLOSED = {
    "tas-2018": ("16.2.2(b)", "16.2.2(c)", "16.2.2(g)", "16.2.5"),
    "act-2015": ("15.4(a)", "15.4(b)", "15.4(c)", "15.4(h)"),
}


@clause(*tas(*DISCLOSED["tas-2018"]), *(f"act-2015:{one}" for one in DISCLOSED["act-2015"]))
@pytest.mark.parametrize("ruleset", ["tas-2018", "tas-2013", "act-2015"])
def test_conditions_are_shown_to_everybody_before_they_apply(ruleset: str, tmp_path: Path) -> None:
    """Form, terms, fee, start, heats and prizes: the text that is endorsed, word for word."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.do("mara", "draft", {"text": cup_text(ruleset)})
        assert (await page(asker, "p1", "/competitions/cup")).status_code == 404
        await cup.two("mara", "publish")
        for who in ("", "p1"):
            shown = html.unescape((await page(asker, who, "/competitions/cup")).text)
            for line in filter(None, cup_text(ruleset).splitlines()):
                assert line in shown, line

    on_web(tmp_path, play)


@clause(*tas("16.3.4"))
def test_a_start_that_moves_is_shown_and_short_notice_pointed_out(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        now = asker.time.steady_ms
        later = {"stage": "heats", "note": "the lights", "start_ms": now + 7_200_000}
        await cup.do("cora", "set-start", later)
        shown = (await page(asker, "p1", "/competitions/cup")).text
        assert "New start of heats" in shown
        assert "which is short" not in shown
        await cup.do("cora", "set-start", {**later, "start_ms": now + 1_200_000})
        assert "which is short" in (await page(asker, "p1", "/competitions/cup")).text

    on_web(tmp_path, play)


@clause("act-2015:15.18")
def test_a_break_says_how_long_it_lasts(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text("act-2015"))
        await cup.enter("p1", "p2", "p3", "p4")
        await cup.do("cora", "close-entries")
        await cup.do("cora", "designate-table", {"table": "table-cup-1"})
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.start()
        await cup.do("cora", "break", {"minutes": 10})
        assert "Break until" in (await page(asker, "p1", "/competitions/cup")).text
        await cup.do("cora", "resume")
        assert "Break until" not in (await page(asker, "p1", "/competitions/cup")).text

    on_web(tmp_path, play)


@pytest.mark.parametrize("kind", COMPETITION, ids=name_of)
def test_every_field_has_a_label_of_its_own(kind: type) -> None:
    for field in fields_of(kind, {}, {}):
        assert field.label
        assert field.label[0].isupper()
        assert field.kind != "choice" or field.choices


def test_what_people_write_of_a_draw_becomes_what_the_command_says() -> None:
    assert facts_of({"tables@seating": "t1: a b@5 c\nt2: d"}, Now(0)) == {
        "tables": {"t1": {1: "a", 5: "b", 3: "c"}, "t2": {1: "d"}}
    }
    assert facts_of({"words@spoken": "w: it: rains"}, Now(0)) == {
        "words": [{"by": "w", "words": "it: rains"}]
    }
    assert facts_of({"prizes_cents@amounts": "5,000, 30 12.50"}, Now(0)) == {
        "prizes_cents": [500_000, 3000, 1250]
    }
    for wrong in (
        {"tables@seating": "t1 a b"},
        {"tables@seating": "t1: a b@1"},
        {"tables@seating": "t1: a@x"},
        {"tables@seating": "t1: a\nt1: b"},
        {"words@spoken": "no colon"},
        {"prizes_cents@amounts": "1,5"},
    ):
        with pytest.raises(MalformedError):
            facts_of(wrong, Now(0))
