"""A competition on an entrant's phone: from the code on a poster to the prize, as pages."""

import gzip
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from puntobanco.house.giving.forms import CHECKED
from puntobanco.server.files import kept_files
from puntobanco.server.pages.competitions.papers.terms import day_told
from tests.kit.clauses import clause, tas
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import CupOnWeb, enrol_players, on_web, page, post_form
from tests.kit.competition.over_http import FORM
from tests.kit.competition.sealed import ME, SAID, TABLE, begun, dealt, entering, seated
from tests.kit.replay import Asker
from tests.kit.web import form_on

MOST_BYTES = 40_000
"""What the first look may cost on the wire."""


async def me(asker: Asker, who: str) -> Any:
    return (await asker.client.get(f"/api{ME}", headers=asker.headers(who))).json()


@clause(*tas("16.2.6", "16.2(lead)"))
def test_one_enters_from_a_code_on_a_poster_and_pays_once(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entering(asker)
        shown = await asker.client.get(ME, headers={"Accept": "text/html"})
        assert shown.headers["location"] == f"/sign-in?to={ME}"
        stranger = await page(asker, "", f"/sign-in?to={ME}%3Fv%3D1")
        assert "gets them at the desk" in stranger, "who scans a poster may be nobody's patron yet"
        assert 'href="/competitions/sealed/event"' in stranger
        assert "gets them at the desk" not in await page(asker, "", "/sign-in?to=/account")
        assert "Your paper has version 7. Version 1" in await page(asker, "p1", f"{ME}?v=7")
        assert (await post_form(asker, "p1", f"{ME}/apply")).headers["location"] == ME
        assert "The desk has your application" in await page(asker, "p1", ME)
        await cup.do("carol", "accept", {"person": "p1"})
        endorsing = await page(asker, "p1", ME)
        assert "<dt>Entry fee</dt>" in endorsing, "conditions as people read them"
        assert "fee_cents = 5555" in endorsing, "and to the letter"
        stale = await post_form(asker, "p1", f"{ME}/endorse", version="2")
        assert stale.status_code == 409
        assert "version" in re.findall(r'role="alert">([^<]*)', stale.text)[0]
        await post_form(asker, "p1", f"{ME}/endorse", version="1")
        paying = await page(asker, "p1", ME)
        assert "Full refund if you withdraw by" in paying
        twice = [
            await post_form(asker, "p1", f"{ME}/pay-entry", command_id="tapped-1") for _ in "ab"
        ]
        assert [one.status_code for one in twice] == [303, 303]
        assert cup.state.money.fees_cents == 5555
        papers = await page(asker, "p1", f"{ME}/papers")
        assert "Full refund if you withdraw by" in papers
        assert day_told(cup.state.entries["p1"].refund_until) in papers
        before = await page(asker, "p1", f"{ME}/withdraw")
        assert "comes back to your account" in before
        shown_as = re.findall(r'name="shown" value="([^"]+)"', before)[0]
        other = await post_form(asker, "p1", f"{ME}/withdraw", shown="0" * len(shown_as))
        assert other.status_code == 409
        assert cup.state.entries["p1"].status == "paid"
        await post_form(asker, "p1", f"{ME}/withdraw", shown=shown_as)
        assert cup.state.entries["p1"].refunded_cents == 5555
        assert "You have withdrawn" in await page(asker, "p1", ME)
        assert "Receipt: refund" in await page(asker, "p1", f"{ME}/papers")
        assert (await post_form(asker, "p1", f"{ME}/cancel")).status_code == 404

    on_web(tmp_path, play)


@clause(*tas("16.2(lead)"))
def test_a_last_day_for_a_refund_that_is_past_is_told_as_past(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        at = datetime.fromtimestamp(asker.house.time.now_ms() / 1000, UTC)
        for days, told in ((3, "The last day for a refund was"), (30, "Full refund if you")):
            cup = CupOnWeb(asker, f"in-{days}-days")
            start = (at + timedelta(days=days)).isoformat(timespec="seconds")
            await cup.entering(cup_text().replace("2026-03-14T18:00:00+11:00", start))
            assert told in await page(asker, "p1", f"/competitions/{cup.name}/me")
            await cup.do("carol", "enter-at-desk", {"person": "p1", "version": 1})
            papers = await page(asker, "p1", f"/competitions/{cup.name}/me/papers")
            assert told in papers
            assert ("After that nothing comes back" in papers) == (days > 7)

    on_web(tmp_path, play)


@clause(*tas("16.3.2(a)"))
def test_the_seat_that_was_drawn_is_taken_from_the_phone(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entering(asker)
        await cup.enter("p1", "p2")
        sit = f'action="{ME}/take-seat"'
        assert sit not in await page(asker, "p1", ME)
        assert (await post_form(asker, "p1", f"{ME}/take-seat")).status_code == 404
        await begun(cup)
        for who in ("p1", "p2"):
            assert sit in await page(asker, who, ME)
            for _ in "ab":  # a double tap sits once
                sat = await post_form(asker, who, f"{ME}/take-seat", command_id=f"tapped-{who}")
                assert sat.status_code == 303, sat.text
            assert sit not in await page(asker, who, ME)
        assert asker.house.tables["table-cup"].state.seated == {1: "p1", 2: "p2"}

    on_web(tmp_path, play)


async def announced(asker: Asker) -> set[str]:
    """The forms that are announced, as dealer and inspector read them [tas-2018:16.6.8]."""
    shown = [
        await page(asker, *one) for one in (("dan", f"{TABLE}/dealer"), ("ines", f"{TABLE}/pit"))
    ]
    panels = [re.search(r'(?s)class="panel told-forms".*?</section>', text) for text in shown]
    return {re.sub(r"<[^>]*>", "", found[0]) if found else "" for found in panels}


def scenes_before(cup: CupOnWeb, person: str) -> dict[str, str]:
    """What a phone shows before each command that is given from now on."""
    before = dict[str, str]()

    async def look(_cup: CupOnWeb, _who: str, command: str) -> None:
        before[command] = (await me(cup.asker, person))["scene"]

    cup.watch = look
    return before


@clause(*tas("16.6.1", "16.6.2", "16.6.7", "16.6.8"))
def test_a_phone_follows_its_entrant_from_the_seat_to_the_prize(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entering(asker)
        await cup.enter("p1", "p2")
        assert (await me(asker, "p1"))["scene"] == "in"
        await seated(cup)
        assert [(await me(asker, who))["scene"] for who in ("p1", "p2")] == ["turn", "playing"]
        assert "You are next" in await page(asker, "p2", ME)
        assert "In your turn" not in await page(asker, "p1", f"{ME}/secret")
        early = await post_form(asker, "p2", f"{ME}/secret", **FORM, **SAID)
        assert early.status_code == 409
        unsaid = await post_form(asker, "p1", f"{ME}/secret", **FORM)
        assert "not confirmed" in unsaid.text
        wrong = await post_form(asker, "p1", f"{ME}/secret", **{**FORM, "words": "two"}, **SAID)
        assert wrong.status_code == 409
        assert 'value="250"' in wrong.text
        done = await post_form(asker, "p1", f"{ME}/secret", **FORM, **SAID)
        assert (done.status_code, done.headers["location"], done.text) == (303, ME, "")
        assert "Your form lies" in await page(asker, "p1", ME)
        await asker.must("p2", f"{TABLE}/place-wager", {"box": 2, "on": "banker", "cents": 10_000})
        assert "Your wager lies" in await page(asker, "p2", ME)
        await asker.must("dan", f"{TABLE}/no-more-bets", {})
        looked = await post_form(asker, "ines", f"{TABLE}/forms/p1")
        assert ("Complies" in looked.text, "$" in looked.text) == (True, False), "chips, no money"
        assert looked.text.count('href="/rules/tas-2018:16.') >= len(CHECKED)
        back = {"person": "p1", "verdict": "sent-back", "reasons": ["type-not-shown"]}
        await asker.must("ines", f"{TABLE}/examine-secret", back)
        why = (
            "Your form came back. Put it right once, or lay chips. What was wrong: the type is not"
        )
        assert why in await page(asker, "p1", ME)
        assert (await me(asker, "p2"))["table"]["reasons"] == [], "nobody else is told why"
        await post_form(asker, "p1", f"{ME}/secret", **FORM, **SAID)
        accepted = {"person": "p1", "verdict": "accepted"}
        await asker.must("ines", f"{TABLE}/examine-secret", accepted)
        await dealt(asker)
        assert await announced(asker) == {""}
        await asker.must("dan", f"{TABLE}/declare-result", {})
        (told,) = await announced(asker)
        assert "Seat 1: “two hundred and fifty on Player” counts as 250 on" in told
        own = (await me(asker, "p1"))["table"]
        assert (own["chips_cents"], own["secrets_left"], own["rank"]) == (125_000, 0, 1)
        await asker.must("dan", f"{TABLE}/end-coup", {})
        await cup.into_line()
        assert (await me(asker, "p1"))["scene"] == "over"
        await cup.do("cora", "confirm-stage")
        assert (await me(asker, "p1"))["scene"] == "over"
        await cup.two("cora", "confirm-places")
        assert "Show this page at the cage" in await page(asker, "p1", ME)
        await cup.do("carol", "pay-prize", {"person": "p1"})
        assert "Receipt: prize" in await page(asker, "p1", f"{ME}/papers")
        assert "Entrant 2" in await page(asker, "p1", f"{ME}/board")

    on_web(tmp_path, play)


@clause(*tas("16.6.7"))
def test_the_inspector_sends_a_form_back_by_one_press(tmp_path: Path) -> None:
    """All that the rules find wrong with it goes with it, as the page has it."""

    async def play(asker: Asker) -> None:
        cup = await entering(asker)
        await cup.enter("p1", "p2")
        await seated(cup)
        done = await post_form(asker, "p1", f"{ME}/secret", **{**FORM, "on": "t"}, **SAID)
        assert done.status_code == 303, done.text
        await asker.must("p2", f"{TABLE}/place-wager", {"box": 2, "on": "banker", "cents": 10_000})
        await asker.must("dan", f"{TABLE}/no-more-bets", {})
        assert f'href="{ME}"' in await page(asker, "p1", TABLE), "from the felt back to one's entry"
        assert f'href="{ME}"' not in await page(asker, "dan", TABLE)
        looked = (await post_form(asker, "ines", f"{TABLE}/forms/p1")).text
        assert "Send it back to seat 1" in looked
        answers = looked.partition('class="answers"')[2].partition("</form>")[0]
        sent = await post_form(asker, "ines", f"{TABLE}/do/examine-secret", **form_on(answers))
        assert sent.status_code == 303, sent.text
        told = "What was wrong: no wager on Banker or Player beside it."
        assert told in await page(asker, "p1", ME)

    on_web(tmp_path, play)


@clause(*tas("16.3.3"))
def test_a_substitute_has_the_seat_on_their_own_phone(tmp_path: Path) -> None:
    """Seat, turn and secret wagers; neither the receipt nor the prize, which stay the player's."""

    async def play(asker: Asker) -> None:
        cup = await entering(asker)
        await cup.enter("p1", "p2")
        before = scenes_before(cup, "p1")
        await seated(cup)
        assert (before["prepare-session"], before["start-session"]) == ("seat", "seat")
        assert (await me(asker, "p3"))["scene"] == "shut"
        await cup.do("cora", "substitute", {"person": "p1", "substitute": "p3"})
        await cup.into_line()
        seen = await me(asker, "p3")
        assert (seen["scene"], seen["sits_for"], seen["entry"]) == ("turn", 1, None)
        assert (seen["table"]["seat"], seen["table"]["may_form"]) == (1, True)
        assert "You sit for entry 1" in await page(asker, "p3", ME)
        assert "Somebody sits for you" in await page(asker, "p1", ME)
        assert "Receipt" not in await page(asker, "p3", f"{ME}/papers")
        done = await post_form(asker, "p3", f"{ME}/secret", **FORM, **SAID)
        assert done.status_code == 303, done.text
        assert (await me(asker, "p1"))["table"]["form"] is True
        back = "/competitions/sealed/do/substitute"  # with nobody named, the player is back
        answer = await post_form(asker, "cora", back, person="p1", substitute="")
        assert answer.status_code == 303, answer.text
        await cup.into_line()
        assert (await me(asker, "p3"))["scene"] == "shut"

    on_web(tmp_path, play)


def test_the_first_look_is_small(tmp_path: Path) -> None:
    """Page, styles and modules, packed as they are sent."""

    async def play(asker: Asker) -> None:
        cup = await entering(asker)
        await cup.enter("p1", "p2")
        await seated(cup)
        shown = await page(asker, "p2", ME)
        files, asked = kept_files(), set[str]()

        def ask(name: str) -> None:
            if name in asked:
                return
            asked.add(name)
            if name.endswith(".js"):
                folder = Path(name).parent
                for found in re.findall(r'from "([^"]+)"', files[name].plain.decode()):
                    path = (Path("/") / folder / found).resolve().relative_to("/")
                    ask(path.as_posix())

        for found in re.findall(r'"/static/[0-9a-f]+/([^"]+)"', shown):
            ask(found)
        assert "pages/competitions/entrant.js" in asked
        total = len(gzip.compress(shown.encode(), 6)) + sum(len(files[one].packed) for one in asked)
        assert total <= MOST_BYTES, (total, sorted(asked))

    on_web(tmp_path, play)
