"""The draw with its proof, and results with places, prizes, the pot and every ruling."""

import re
from pathlib import Path

from puntobanco.competition import commands as c
from puntobanco.table.result import SessionResult
from tests.kit.clauses import clause, tas
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import ONE, CupOnWeb, enrol_players, on_web, page, post_form
from tests.kit.replay import Asker

AT = "/competitions/cup"
SIX = ("p1", "p2", "p3", "p4", "p5", "p6")


async def entered(asker: Asker) -> CupOnWeb:
    await enrol_players(asker)
    cup = CupOnWeb(asker, "cup")
    await cup.entering(cup_text())
    await cup.enter(*SIX)
    return cup


@clause(*tas("16.2.3(d)", "16.3.1"))
def test_a_draw_is_made_from_its_page_and_proved_there(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entered(asker)
        text = await page(asker, "cora", f"{AT}/draw")
        assert cup.state.commitment[:8] in text
        assert "Entries are still open" in text
        assert "words@spoken" not in text
        await cup.do("cora", "close-entries")
        text = await page(asker, "cora", f"{AT}/draw")
        assert "Tables designated: 0, needed: 1" in text
        assert "words@spoken" in text
        assert "words@spoken" not in await page(asker, "mara", f"{AT}/draw"), "the Director draws"
        said = {"words@spoken": "wendy:  ", "back": f"{AT}/draw"}
        silent = await post_form(asker, "cora", f"{AT}/do/draw", **said)
        assert "who spoke, a colon and the words" in silent.text
        said = {"words@spoken": "wendy: rain on Tuesday", "back": f"{AT}/draw"}
        missing = await post_form(asker, "cora", f"{AT}/do/draw", **said)
        assert missing.status_code == 409
        await cup.do("cora", "designate-table", {"table": ONE})
        drawn = await post_form(asker, "cora", f"{AT}/do/draw", **said)
        assert drawn.status_code == 303, drawn.text
        assert drawn.headers["location"] == f"{AT}/draw"
        text = await page(asker, "cora", f"{AT}/draw")
        for shown in ("rain on Tuesday", "the one that was sealed", "lot 6", "Draw again"):
            assert shown in text, shown
        for who in ("p1", "dan", "carol"):
            await page(asker, who, f"{AT}/draw", 403)
            await page(asker, who, f"{AT}/results", 403)
        await cup.do("cora", "commit-draw")
        again = {"words@spoken": "will: a blue hat", "back": f"{AT}/draw"}
        assert (await post_form(asker, "cora", f"{AT}/do/draw", **again)).status_code == 303
        text = await page(asker, "cora", f"{AT}/draw")
        assert "a blue hat" in text
        first = await page(asker, "cora", f"{AT}/draw?show=heats.1")
        assert "rain on Tuesday" in first, "both stay to be seen"

    on_web(tmp_path, play)


def test_a_draw_by_hand_is_keyed_in_by_two_people(tmp_path: Path) -> None:
    """Nobody sealed a seed while entries were open: that is the only way, and the next step."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.do("mara", "draft", {"text": cup_text()})
        await cup.do("mara", "publish")
        waits = await page(asker, "cora", AT)
        assert re.search(r"proposes: Publish the conditions<", waits), "and no fingerprint"
        await cup.do("cora", "approve", {"proposal": 1})
        await cup.do("cora", "open-entries")
        await cup.enter(*SIX)
        await cup.do("cora", "close-entries")
        await cup.do("cora", "designate-table", {"table": ONE})
        shown = await page(asker, "cora", AT)
        assert "lots are drawn by hand" in shown
        assert f'data-key="N" aria-keyshortcuts="N" href="{AT}/do/key-draw"' in shown
        assert f'href="{AT}/do/key-draw"' in await page(asker, "cora", f"{AT}/draw")
        keyed = {"tables": {ONE: dict(enumerate(SIX, 1))}, "first": {ONE: 1}}
        await cup.do("cora", "key-draw", keyed)
        assert "Nothing is drawn yet" in await page(asker, "cora", f"{AT}/draw")
        await cup.do("mara", "approve", {"proposal": cup.state.proposal_number})
        assert "keyed in by two people" in await page(asker, "cora", f"{AT}/draw")

    on_web(tmp_path, play)


@clause(*tas("16.8.3"))
def test_results_propose_a_play_off_and_reconcile_the_pot(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entered(asker)
        await cup.do("mara", "add-value", {"cents": 10_000, "what": "a cup"})
        await cup.do("cora", "close-entries")
        await cup.do("cora", "designate-table", {"table": ONE})
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.start()
        held = {"p1": 2_000_000, "p2": 900_000, "p3": 900_000}
        await cup.result(held | {"p4": 800_000, "p5": 700_000, "p6": 700_000})
        glance = (await page(asker, "cora", AT)).partition('id="region-tables"')[2]
        assert re.findall(r"<tr[^>]*><td>(\d?)</td>", glance) == ["1", "2", "2", "4", "5", "5"]
        text = await page(asker, "cora", f"{AT}/results")
        assert "A play-off is due" in text
        assert "p2, p3 are level; places for them: 1. A play-off is due" in text
        href = f"{AT}/do/order-play-off?people=p2%20p3&table={ONE}"
        assert f'href="{href}"' in text
        form = await page(asker, "cora", href)
        assert "p2 p3" in form
        assert f'href="/api{AT}/data/results"' in text
        board = await asker.client.get(f"/api{AT}/board")
        rows = board.json()["tables"][0]["rows"]
        assert [row["place"] for row in rows] == [1, 2, 2, 4, 5, 5], "equals have the same place"
        for said in ("333.30", "100", "In the pot", "433.30", "The prizes return the pool"):
            assert said in text, said
        await cup.do("cora", "rule", {"about": "places", "note": "by lot", "order": ["p3", "p2"]})
        text = await page(asker, "cora", f"{AT}/results")
        assert "A play-off is due" not in text
        assert "rules about places" in text

    on_web(tmp_path, play)


@clause(*tas("16.8.2"))
def test_a_result_that_changed_stands_beside_the_one_it_was(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entered(asker)
        await cup.do("cora", "close-entries")
        await cup.do("cora", "designate-table", {"table": ONE})
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.start()
        chips = {f"p{i}": 2_000_000 - i * 10_000 for i in range(1, 7)}
        await cup.result(chips)
        await cup.do("cora", "confirm-stage")
        other = SessionResult("heats", "coups", 30, chips | {"p6": 3_000_000})
        ask = c.TakeResult(ONE, 2, other, 2)
        await asker.house.give("competition-cup", ask, "house", next(asker.ids))
        for path in (f"{AT}/results", AT):
            text = await page(asker, "cora", path)
            assert f"{AT}/do/rule?about=result" in text, path
        text = await page(asker, "cora", f"{AT}/results")
        assert "Would be through, and is not: p6" in text
        assert "30000" in text
        assert "19400" in text
        for who in ("p1", "p6", "dan"):
            assert "Would be through" not in await page(asker, who, AT)

    on_web(tmp_path, play)


@clause(*tas("16.8.3"))
def test_a_stage_that_was_played_off_is_told_as_it_ended_and_the_next_one_as_what_comes(
    tmp_path: Path,
) -> None:
    """Board, phone and console: who is through, where they play next, and chips without a sign."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text(advance="2"))
        await cup.enter(*SIX)
        await cup.do("cora", "close-entries")
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.do("cora", "designate-table", {"table": ONE})
        await cup.start()
        held = {"p1": 2_000_000, "p2": 900_000, "p3": 900_000}
        await cup.result(held | {"p4": 800_000, "p5": 700_000, "p6": 600_000})
        await cup.do("cora", "order-play-off", {"people": ["p2", "p3"], "table": ONE})
        await cup.do("cora", "set-play-off-chips", {"cents": 500_000})
        told = await page(asker, "cora", "/competitions/cup")
        assert "Each has 5,000 in chips" in told
        await cup.start()
        await cup.result({"p2": 400_000, "p3": 600_000})
        await cup.do("cora", "confirm-stage")
        board = (await asker.client.get("/api/competitions/cup/board")).json()
        assert board["scene"] == "over"
        rows = board["tables"][0]["rows"]
        assert [(row["name"], row["above"]) for row in rows[:3]] == [
            ("Entrant 1", True), ("Entrant 3", True), ("Entrant 2", False),
        ]  # fmt: skip
        assert not any(row["level"] for row in rows)
        for who, stage in (("p1", "final"), ("p3", "final"), ("p2", "heats")):
            seen = await asker.client.get("/api/competitions/cup/me", headers=asker.headers(who))
            assert seen.json()["stage"] == stage, who
        for path in ("", "/event", "/me", "/me/board", "/board"):
            shown = await page(asker, "p1", f"/competitions/cup{path}")
            assert not re.search(r"\bp[2-6]\b", shown), "aliases everywhere outside staff pages"

    on_web(tmp_path, play)
