"""Starts stand everywhere by the clock of the conditions, which is said; a draft's way is whole; a
table is called as it was typed.
"""

import re
from datetime import datetime
from pathlib import Path

from puntobanco.competition.dates import is_moved, start_ms
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import ONE, CupOnWeb, enrol_players, on_web, page, post_form
from tests.kit.replay import Asker

AT = "/competitions/cup"
SIX = tuple(f"p{number}" for number in range(1, 7))
STARTS = re.compile(r'<time data-ms="(\d+)" data-ahead="(\d+)" data-zone="([^"]+)" data-start>')


def test_a_start_is_told_by_one_clock_on_pages_papers_and_boards(tmp_path: Path) -> None:
    """Its zone stands beside it, for whoever hears the page, too; a house elsewhere, or a browser,
    changes nothing of it.
    """

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        await cup.enter(*SIX)
        moved_ms = asker.house.time.now_ms() + 3 * 86_400_000
        moved = {"stage": "heats", "start_ms": moved_ms, "note": "the roof"}
        await cup.do("cora", "set-start", moved)
        for who, path in (
            *(("", "/competitions"), ("", AT), ("p1", f"{AT}/me"), ("p1", AT)),
            *(("cora", AT), ("carol", f"{AT}/entries?person=p1"), ("mara", f"{AT}/draw")),
        ):
            text = await page(asker, who, path)
            found = STARTS.findall(text)
            assert (str(moved_ms), "660", "UTC+11") in found or path == f"{AT}/me", (who, path)
            assert {told[1:] for told in found} <= {("660", "UTC+11")}, (who, path)
        assert 'data-ahead="660"' in await page(asker, "p1", f"{AT}/me")
        assert 'data-ahead="660"' in await page(asker, "", f"{AT}/board")
        await cup.do("cora", "close-entries")
        await cup.do("cora", "designate-table", {"table": ONE})
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.do("cora", "draw", {"words": [{"by": "wendy", "words": "rain"}]})
        await cup.do("cora", "prepare-session")
        told = (await page(asker, "cora", AT)).partition("Everybody was told ")[2]
        assert STARTS.match(told), told[:100]
        assert re.search(r"\d\d:\d\d UTC\+11", await page(asker, "cora", f"{AT}/papers/seat-slips"))

    on_web(tmp_path, play)


def test_a_stage_that_began_stands_with_the_time_it_did_begin(tmp_path: Path) -> None:
    """Not with the one that it was told for."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        await cup.enter(*SIX)
        told = str(start_ms(cup.state, "heats"))
        await cup.do("cora", "close-entries")
        await cup.do("cora", "designate-table", {"table": ONE})
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.start()
        began = str(cup.state.sessions["heats"].started_ms)
        for path in ("/competitions", f"{AT}/event"):
            found = [ms for ms, *_ in STARTS.findall(await page(asker, "", path))]
            assert began in found, path
            assert told not in found, path

    on_web(tmp_path, play)


def test_a_draft_has_the_whole_way_before_it(tmp_path: Path) -> None:
    """Every stage that its text names, and each leads somewhere."""

    async def play(asker: Asker) -> None:
        cup = CupOnWeb(asker, "cup")
        await cup.do("mara", "draft", {"text": cup_text()})
        shown = await page(asker, "mara", AT)
        way = shown.partition('id="region-path"')[2].partition("</ol>")[0]
        names = re.findall(r"<(?:a|span)[^>]*>([^<]+)</(?:a|span)>", way)
        assert names == ["Conditions", "Entries", "Draw", "Heats", "Final", "Prizes"]
        for to in re.findall(r'<a href="([^"]+)"', way):
            await page(asker, "mara", to)

    on_web(tmp_path, play)


def test_a_table_is_called_as_it_was_typed(tmp_path: Path) -> None:
    """One that is there is meant by what it is called, however it is written."""

    async def play(asker: Asker) -> None:
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        named = {"table": "table-3", "name": "Salon Privé"}
        await asker.must("max", "/register/name-table", named)
        for typed in ("Cup 1", "salon  privé"):
            form = {"table": typed, "back": AT}
            answer = await post_form(asker, "cora", f"{AT}/do/designate-table", **form)
            assert answer.status_code == 303, answer.text
        assert cup.state.tables == ("table-cup-1", "table-3")
        text = await page(asker, "cora", f"{AT}/do/release-table")
        assert "Cup 1" in text
        assert "Salon Privé" in text

    on_web(tmp_path, play)


def test_a_start_on_another_day_is_typed_and_told_with_its_day(tmp_path: Path) -> None:
    """By the clock of the conditions: on the way of a draft, on the board, in what was told."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.do("mara", "draft", {"text": cup_text()})
        told_ms = int(datetime.fromisoformat("2026-03-14T18:00:00+11:00").timestamp() * 1000)
        drafted = await page(asker, "mara", AT)
        assert f'data-ms="{told_ms}"' in drafted
        assert "No date is set for heats" not in drafted
        await cup.two("mara", "publish")
        await cup.do("cora", "open-entries")
        board = await page(asker, "", f"{AT}/board")
        assert re.search(r'Heats, <time data-ms="\d+"[^>]*data-day>', board), "it is not today"
        form = {"stage": "final", "start_ms@start": "2026-03-20 19:30", "note": "the roof"}
        sent = await post_form(asker, "cora", f"{AT}/do/set-start", **form)
        assert sent.status_code == 303, sent.text
        set_ms = int(datetime.fromisoformat("2026-03-20T19:30:00+11:00").timestamp() * 1000)
        assert start_ms(cup.state, "final") == set_ms
        assert not is_moved(cup.state, "final"), "nobody was told another start before"
        console = await page(asker, "cora", AT)
        assert "The start of final is set to 2026-03-20 19:30 UTC+11: the roof" in console
        asker.time.steady_ms += told_ms - asker.house.time.now_ms() - 60_000
        assert "Heats at" in await page(asker, "", f"{AT}/board"), "it is today"
        await post_form(asker, "cora", f"{AT}/do/set-start", **{**form, "start_ms@start": "19:45"})
        assert is_moved(cup.state, "final")
        wrong = {**form, "start_ms@start": "soon"}
        refused = await post_form(asker, "cora", f"{AT}/do/set-start", **wrong)
        assert "“soon” is no day with a time" in refused.text

    on_web(tmp_path, play)
