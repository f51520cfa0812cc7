"""The list of competitions and the Director's console: the way, what is missing, all tables."""

import re
from pathlib import Path
from typing import Any

import pytest

from puntobanco.competition import commands as c
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.people import Person
from puntobanco.house.competitions import readying
from puntobanco.house.competitions.relay import RefusedRelay
from puntobanco.table.next_step import Next
from puntobanco.table.result import SessionResult
from puntobanco.words import Step
from tests.kit.clauses import clause, tas
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import (
    ONE,
    TWO,
    WORDS,
    CupOnWeb,
    enrol_players,
    on_web,
    page,
    post_form,
)
from tests.kit.competition.papers import singapore
from tests.kit.replay import Asker

CALLED = "Cup 1"
SIX = ("p1", "p2", "p3", "p4", "p5", "p6")


async def console(asker: Asker, who: str) -> Any:
    answer = await asker.client.get("/api/competitions/cup/console", headers=asker.headers(who))
    assert answer.status_code == 200, answer.text
    return answer.json()


async def in_heats(asker: Asker, text: str = "") -> CupOnWeb:
    """Six players in one heat that has started."""
    await enrol_players(asker)
    cup = CupOnWeb(asker, "cup")
    await cup.entering(text or cup_text())
    await cup.enter(*SIX)
    await cup.do("cora", "close-entries")
    await cup.do("cora", "designate-table", {"table": ONE})
    await cup.do("cora", "sign-on", {"role": "competition director"})
    await cup.start()
    await cup.into_line()
    return cup


async def shown(asker: Asker, who: str, path: str) -> str:
    """A page, or that it is refused."""
    headers = {**asker.headers(who or None), "Accept": "text/html"}
    return (await asker.client.get(path, headers=headers)).text


def section(text: str, title: str) -> str:
    """What stands under one heading of the list."""
    found = re.search(rf'id="cups-{title}">.*?</section>', text, re.DOTALL)
    return found[0] if found else ""


def section_of_missing(text: str) -> str:
    found = re.search(r'id="region-missing".*?</section>', text, re.DOTALL)
    assert found
    return found[0]


def test_competitions_are_listed_as_coming_running_and_past(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await in_heats(asker)
        spring, winter = CupOnWeb(asker, "spring"), CupOnWeb(asker, "winter")
        await spring.entering(cup_text().replace("Spring Cup", "Next Cup"))
        await winter.entering(cup_text().replace("Spring Cup", "Old Cup"))
        await winter.two("cora", "cancel", {"note": "too few"})
        later = asker.house.time.now_ms() + 86_400_000
        await spring.do("cora", "set-start", {"stage": "final", "start_ms": later, "note": "day 2"})
        for who in ("", "p1", "mara"):
            text = await page(asker, who, "/competitions")
            assert "Spring Cup" in section(text, "running")
            assert "6 of 12" in section(text, "running")
            coming = section(text, "coming")
            assert "Next Cup" in coming
            assert f'data-ms="{later}"' in coming, "the final has a date of its own"
            assert "Old Cup" in section(text, "past")
            assert ("Write its conditions" in text) == (who == "mara")

    on_web(tmp_path, play)


def test_a_new_competition_begins_with_the_conditions_of_an_old_one(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        old = CupOnWeb(asker, "old")
        await old.entering(cup_text())
        assert 'value="copy:old"' in await page(asker, "mara", "/competitions")
        headers = {**asker.headers("mara"), "Accept": "text/html"}
        to = "/competitions/new?id=next&from=copy:old"
        answer = await asker.client.get(to, headers=headers)
        assert answer.status_code == 303
        assert 'name = "Spring Cup"' in await page(asker, "mara", answer.headers["location"])

    on_web(tmp_path, play)


def test_a_name_in_addresses_is_made_of_what_was_typed(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await CupOnWeb(asker, "old").entering(cup_text())
        headers = {**asker.headers("mara"), "Accept": "text/html"}

        async def new(typed: str) -> Any:
            query = {"id": typed, "from": "single-table"}
            return await asker.client.get("/competitions/new", params=query, headers=headers)

        begun = await new("Spring Cup, 2027!")
        assert begun.status_code == 303
        assert begun.headers["location"].startswith("/competitions/spring-cup-2027/conditions?")
        for typed, status, says in (("", 400, "Write a name"), ("old", 409, "has this name")):
            refused = await new(typed)
            assert refused.status_code == status
            assert says in refused.text
            assert 'aria-describedby="cup-id-error"' in refused.text
            assert '<option value="single-table" selected>' in refused.text

    on_web(tmp_path, play)


@clause(*tas("16.2.2(d)", "16.2.6"))
def test_what_is_missing_is_named_with_its_clause_and_leads_to_its_form(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        await cup.enter("p1", "p2")
        await cup.do("p3", "apply")
        ahead = (await console(asker, "cora"))["ahead"]
        assert ahead["command"] == "close-entries"
        open_ = {one["what"]: one for one in ahead["lines"] if not one.get("met")}
        assert set(open_) == {"minimum", "applied"}
        assert open_["minimum"]["clause"] == "tas-2018:16.2.2(d)"
        text = await page(asker, "cora", "/competitions/cup")
        assert "2 paid, 6 are needed" in text
        assert 'href="/competitions/cup/do/accept"' in text
        assert "disabled" in text
        for link in re.findall(r'href="(/competitions/cup/do/[^"]+)"', text):
            await page(asker, "cora", link)

    on_web(tmp_path, play)


def test_a_session_waits_for_each_table_that_is_not_ready(tmp_path: Path) -> None:
    """A line for each, which leads there; until then the page does not lead to the start."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        await cup.enter(*SIX)
        await cup.do("cora", "close-entries")
        text = await page(asker, "cora", "/competitions/cup")
        assert "Draw tables and seats: 1 still missing" in text, "no table is designated"
        await cup.do("cora", "designate-table", {"table": ONE})
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.do("cora", "draw", WORDS)
        await cup.do("cora", "prepare-session")
        text = await page(asker, "cora", "/competitions/cup")
        assert f"{CALLED} is not open yet" in text
        assert f"/tables/{ONE}/pit" not in section_of_missing(text), "it has no page yet"
        await cup.into_line()
        text = await page(asker, "cora", "/competitions/cup")
        assert "Start the session: 1 still missing" in text
        line = f'<a href="/tables/{ONE}/pit">{CALLED}: Check the cards and spread them in suits</a>'
        assert line in text
        missing = [one for one in (await console(asker, "cora"))["ahead"]["lines"]
                   if not one.get("met")]  # fmt: skip
        assert [(one["what"], one["about"]) for one in missing] == [("readying", [ONE])]

    on_web(tmp_path, play)


def test_a_play_off_waits_for_the_cards_last_played_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its table is opened by its start, and not before they were checked."""

    async def play(asker: Asker) -> None:
        cup = await in_heats(asker, cup_text(advance="2"))
        held = dict.fromkeys(SIX[1:3], 900_000) | {"p1": 2_000_000}
        await cup.result(held | dict.fromkeys(SIX[3:], 100_000))
        await cup.do("cora", "order-play-off", {"people": list(SIX[1:3]), "table": ONE})
        await cup.do("cora", "set-play-off-chips", {"cents": 1_000_000})

        async def waits_for(step: Step) -> list[Any]:
            now = Next(step, "tas-2018:4.3")
            monkeypatch.setattr(readying, "next_step", lambda _: now)
            lines = (await console(asker, "cora"))["ahead"]["lines"]
            return [one["about"] for one in lines if one["what"] in ("readying", "not-open")]

        assert await waits_for(Step.CHECK_AT_END) == [[ONE]]
        assert "Check the cards at the end" in await page(asker, "cora", "/competitions/cup")
        assert await waits_for(Step.CHECK_CARDS) == [], "that comes once the table is open"

    on_web(tmp_path, play)


def test_a_table_is_not_closed_by_hand_while_its_competition_has_a_use_for_it(
    tmp_path: Path,
) -> None:
    """Equals may play on there: the house closes it once places are confirmed."""

    async def play(asker: Asker) -> None:
        cup = await in_heats(asker, cup_text(advance="2"))
        await asker.must("ines", f"/tables/{ONE}/sign-on", {"role": "inspector"})
        for person in SIX[2:]:
            await cup.do("cora", "forfeit", {"person": person, "why": "left"})
            await cup.into_line()
        await cup.do("cora", "finish-early", {"table": ONE})
        await cup.into_line()
        assert cup.state.phase == "over"
        text = await page(asker, "ines", f"/tables/{ONE}/pit")
        assert "Session over" in text
        assert "close-table" not in text
        assert "or the house" not in await page(asker, "dan", f"/tables/{ONE}/dealer")

    on_web(tmp_path, play)


def test_who_sits_for_somebody_is_named_to_staff(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await in_heats(asker)
        await asker.must("dan", f"/tables/{ONE}/sign-on", {"role": "dealer"})
        asker.house.people.put(Person("p9", "Zoe Substitute"))
        await cup.do("cora", "substitute", {"person": "p1", "substitute": "p9"})
        await cup.into_line()
        for who, path in (("cora", "/competitions/cup"), ("dan", f"/tables/{ONE}/dealer")):
            assert "Zoe Substitute sits for them" in await page(asker, who, path), path

    on_web(tmp_path, play)


def test_a_form_without_a_table_designates_none(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        answer = await post_form(asker, "cora", "/competitions/cup/do/designate-table", table=" ")
        assert answer.status_code == 400
        assert "aria-invalid" in answer.text, "said beside the field"
        for name in ("table-", "nowhere", "table-" + "x" * 51):
            refused = await asker.give("cora", "/competitions/cup/designate-table", {"table": name})
            assert refused.json()["reason"] == "no_such_table", name
        assert cup.state.tables == ()

    on_web(tmp_path, play)


def test_a_result_is_told_in_words(tmp_path: Path) -> None:
    """Chips with thousands apart, people by name, and why somebody is gone."""

    async def play(asker: Asker) -> None:
        cup = await in_heats(asker, cup_text(advance="2"))
        asker.house.people.put(Person("p1", "Nora First"))
        held = {"p1": 2_000_000, "p2": 900_000, "p3": 800_000, "p4": 700_000, "p5": 600_000}
        gone = {"p6": "not-seated"}
        result = SessionResult("heats", "coups", 30, held, gone=gone)
        ask = c.TakeResult(ONE, 1, result, 1)
        await asker.house.give("competition-cup", ask, "house", next(asker.ids))
        await cup.do("cora", "confirm-stage")
        text = await page(asker, "cora", "/competitions/cup")
        assert "Nora First 20,000 in chips" in text
        assert "p6 was not seated" in text
        assert "still in: Nora First, p2" in text

    on_web(tmp_path, play)


def test_what_a_table_refused_and_what_a_ruling_is_about_are_told_as_people_say_it(
    tmp_path: Path,
) -> None:
    async def play(asker: Asker) -> None:
        await in_heats(asker)
        asker.house.tables["table-1"] = asker.house.tables[ONE]
        why = Refused(Reason.CLOSING_CHECK_DUE, "tas-2018:4.3")
        for table in (ONE, "table-1"):
            asker.house.unrelayed[table] = RefusedRelay(table, "open-table", why, 0)
        text = await page(asker, "cora", "/competitions/cup")
        told = re.findall(r"(?s)<h2>Not taken by a table.*?</section>", text)[0]
        assert told.count("<li>") == 1, "another competition's is not told here"
        assert "Cup 1, “Open the table”: The cards last played with" in told
        assert "open-table" not in told
        ruling = await page(asker, "cora", "/competitions/cup/do/rule")
        assert {ONE, "table-1"} <= {*asker.house.tables}
        assert set(re.findall(r'value="(table-[^"]+)', ruling)) == {ONE}
        chips = await page(asker, "cora", "/competitions/cup/do/set-play-off-chips")
        assert "money-in" not in chips, "they are worth no money"
        for who, first in (("carol", "entries"), ("dan", "entries"), ("p1", "me")):
            shown = await page(asker, who, "/competitions/cup")
            line = shown.partition('class="facts-line"')[2].partition("</div>")[0]
            links = re.findall(r'href="([^"]+)"', line)
            assert links[0] == f"/competitions/cup/{first}"
            for link in links:
                await page(asker, who, link)

    on_web(tmp_path, play)


@clause(*tas("16.8.1"))
def test_nothing_of_the_next_stage_is_started_while_a_result_is_missing(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await in_heats(asker)
        ahead = (await console(asker, "cora"))["ahead"]
        assert ahead["command"] == "confirm-stage"
        assert [one["what"] for one in ahead["lines"]] == ["playing"]
        text = await page(asker, "cora", "/competitions/cup")
        assert "Cup 1 plays on" in text
        assert "Confirm the stage: 1 still missing" in text
        for name in ("confirm-stage", "draw", "prepare-session", "start-session"):
            assert f'action="/competitions/cup/do/{name}"' not in text
            assert f'href="/competitions/cup/do/{name}"' not in text
            body = {"words": [{"by": "w", "words": "rain"}]} if name == "draw" else {}
            refused = await asker.give("cora", f"/competitions/cup/{name}", body)
            assert refused.status_code == 409, (name, refused.text)
        chips = {f"p{i}": 2_000_000 - i * 10_000 for i in range(1, 7)}
        await cup.result(chips)
        text = await page(asker, "cora", "/competitions/cup")
        assert 'href="/competitions/cup/do/confirm-stage"' in text

    on_web(tmp_path, play)


def test_every_table_is_seen_at_a_glance(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await in_heats(asker)
        seen = await console(asker, "cora")
        (table,) = seen["tables"]
        assert table["at"] == ONE
        assert table["ends"]["coups"] == 30
        assert table["through"] == 2
        assert {row["chips_cents"] for row in table["rows"]} == {1_000_000}
        assert not any(row["level"] for row in table["rows"]), "all are level: nothing to say"
        await cup.do("cora", "stop-table", {"table": ONE, "note": "the lamp"})
        text = await page(asker, "cora", "/competitions/cup")
        assert "coup 0 of 30" in text, "none has been opened yet"
        assert "Stopped: the lamp" in text
        assert f'href="/competitions/cup/do/resume-at?table={ONE}"' in text
        for who in ("p1", "dan", "carol", ""):
            headers = asker.headers(who or None)
            refused = await asker.client.get("/api/competitions/cup/console", headers=headers)
            assert refused.status_code in (401, 403), who

    on_web(tmp_path, play)


def test_the_clock_stands_in_a_break_and_says_until_when(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await in_heats(asker, cup_text(ends="minutes = 60"))
        clock = (await console(asker, "cora"))["clock"]
        assert clock["runs"]
        assert 3_500_000 < clock["left_ms"] <= 3_600_000
        headers = {
            **asker.headers("cora"),
            "Accept": "text/html",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        at = "/competitions/cup/do"
        answer = await asker.client.post(f"{at}/break", content="minutes=10", headers=headers)
        assert answer.status_code == 303, answer.text
        stands = (await console(asker, "cora"))["clock"]
        assert not stands.get("runs")
        asker.time.steady_ms += 60_000
        again = (await console(asker, "cora"))["clock"]
        assert again["left_ms"] == stands["left_ms"]
        text = await page(asker, "cora", "/competitions/cup")
        assert "The clock stands" in text
        assert 'action="/competitions/cup/do/resume"' in text
        await cup.do("cora", "resume")
        assert "The clock stands" not in await page(asker, "cora", "/competitions/cup")

    on_web(tmp_path, play)


@clause(*tas("16.3.5"))
def test_only_the_director_is_told_that_a_session_is_secured(tmp_path: Path) -> None:
    """Everybody else may be playing, or talk to somebody who does."""

    async def play(asker: Asker) -> None:
        cup = await in_heats(asker)
        for person in ("p3", "p4", "p5", "p6"):
            await cup.do("cora", "forfeit", {"person": person, "why": "left"})
            await cup.into_line()
        await cup.do("cora", "last-coup")
        await cup.into_line()
        mine, theirs = await console(asker, "cora"), await console(asker, "mara")
        assert mine["tables"][0]["verdict"] == "decided"
        assert "verdict" not in theirs["tables"][0] or not theirs["tables"][0]["verdict"]
        assert "Finish early" in await page(asker, "cora", "/competitions/cup")
        for who in ("mara", "p1", "p3", "dan", "ines", "carol", "otto", ""):
            text = await page(asker, who, "/competitions/cup")
            assert "Decided:" not in text, who
            assert "Secured" not in text, who
            for place in ("board", "event", "results", "me", "draw", "papers/results"):
                text = await shown(asker, who, f"/competitions/cup/{place}")
                assert not re.search("Decided:|Secured|Finish early", text), (who, place)

    on_web(tmp_path, play)


def test_the_console_is_streamed_to_whoever_is_in_charge_alone(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await in_heats(asker)
        for who, status in (("p1", 403), ("dan", 403), ("", 401)):
            headers = asker.headers(who or None)
            answer = await asker.client.get("/live/office?page=console&cup=cup", headers=headers)
            assert answer.status_code == status, who
        assert TWO not in await page(asker, "mara", "/competitions/cup")

    on_web(tmp_path, play)


def test_a_commission_beside_the_fee_is_in_the_sum_of_what_was_paid(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(singapore())
        await cup.enter("p1", "p2")
        sums = (await page(asker, "cora", "/competitions/cup")).partition('class="sums"')[2]
        told = re.findall(r'value="(-?\d+)"', sums.partition("</dl>")[0])
        assert told == ["44000", "-4000", "40000", "44000"]

    on_web(tmp_path, play)
