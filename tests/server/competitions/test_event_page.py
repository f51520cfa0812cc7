"""The page of an event and its board, as anybody sees them who has not signed in."""

from pathlib import Path

import msgspec

from puntobanco.competition.path import path_of
from puntobanco.house.access.people import Person
from puntobanco.rules.competition.draw import Certificate, check
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import ONE, CupOnWeb, enrol_players, on_web, page
from tests.kit.replay import Asker

AT = "/competitions/cup"
SIX = ("p1", "p2", "p3", "p4", "p5", "p6")


def test_an_event_is_public_from_its_conditions_to_its_prizes(tmp_path: Path) -> None:
    """Every version, the schedule, the draw with its check, results once they are confirmed."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        for person in SIX:
            asker.house.people.put_alias(person, f"Alias of {person}")
        cup = CupOnWeb(asker, "cup")
        text = cup_text(prizes='goods = ["a silver cup", ""]')
        await cup.do("mara", "draft", {"text": text})
        await page(asker, "", AT, 404)
        await cup.two("mara", "publish")
        await cup.do("mara", "draft", {"text": text.replace("max = 12", "max = 11")})
        await cup.two("mara", "publish")
        text = await page(asker, "", AT)
        for said in ("Version 2", "Version 1", "in force", "12", "no date set yet", "2. prize<"):
            assert said in text, said
        in_force = text.partition('id="conditions"')[2].partition("</section>")[0]
        for said in ("Conditions in force", "Entry fee", "Heats", "16.2.2", ">1. a silver cup<"):
            assert said in in_force, said
        assert "_cents" not in in_force, "the file itself stands below, to the letter"
        assert "Entries open soon" in await page(asker, "", f"{AT}/board")
        await cup.do("cora", "open-entries")
        await cup.do("cora", "commit-draw")
        assert cup.state.commitment[:8] in await page(asker, "", AT)
        for person in SIX:
            await cup.do("carol", "enter-at-desk", {"person": person, "version": 2})
        await cup.do("cora", "close-entries")
        await cup.do("cora", "designate-table", {"table": ONE})
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.start()
        text = await page(asker, "", AT)
        for said in ("rain on Tuesday", "the one that was sealed", "draw-check cup-draw.json"):
            assert said in text, said
        file = await asker.client.get(f"{AT}/draws.json?draw=1")
        assert check(msgspec.json.decode(file.content, type=Certificate)) == ()
        await cup.result({person: 2_000_000 - 10_000 * n for n, person in enumerate(SIX)})
        assert "1990000" not in await page(asker, "", AT), "nobody knows it before it is confirmed"
        await cup.do("cora", "confirm-stage")
        text = await page(asker, "", AT)
        assert "Alias of p1" in text
        assert 'value="1990000"' in text
        for who in ("", "p1", "carol", "dan", "mara"):
            shown = await page(asker, who, f"{AT}/event")
            assert ">p2<" not in shown.partition("<main")[2]
            assert "Alias of p1" in shown
        assert "over-all of-1" in await page(asker, "", f"{AT}/board?show=overall")
        board = await page(asker, "", f"{AT}/board?theme=light")
        assert "Heats: confirmed" in board
        assert "Alias of p2" in board
        to = await asker.client.get("/display/competition", follow_redirects=False)
        assert to.headers["location"] == f"{AT}/board"
        seen = (await asker.client.get("/api/competitions/cup/board")).json()
        assert seen["scene"] == "over"
        for bad in ("tables=" + "x" * 2001, "show=secrets", "theme=pink"):
            await page(asker, "", f"{AT}/board?{bad}", 400)
        await page(asker, "", "/competitions/none/board", 404)

    on_web(tmp_path, play)


def test_who_went_on_after_a_play_off_stands_above_the_line_for_good(tmp_path: Path) -> None:
    """On the event's page, also while the next stage is played; a second chance changes nothing."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        for person in SIX:
            asker.house.people.put_alias(person, f"Alias of {person}")
        cup = CupOnWeb(asker, "cup")
        secondary = '[secondary]\nwinners = 1\ninto = "final"\n'
        await cup.entering(cup_text(prizes=secondary, advance="2"))
        await cup.enter(*SIX)
        await cup.do("cora", "close-entries")
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.do("cora", "designate-table", {"table": ONE})
        await cup.start()
        held = {"p1": 2_000_000, "p2": 900_000, "p3": 900_000}
        await cup.result(held | {"p4": 800_000, "p5": 700_000, "p6": 600_000})
        await cup.do("cora", "order-play-off", {"people": ["p2", "p3"], "table": ONE})
        await cup.do("cora", "set-play-off-chips", {"cents": 1_000_000})
        await cup.start()
        await cup.result({"p2": 900_000, "p3": 1_100_000})
        await cup.do("cora", "confirm-stage")
        above = ["Alias of p1", "Alias of p3"]
        assert await _above(asker) == above
        form = await page(asker, "cora", f"{AT}/do/open-secondary")
        assert 'value="final"' in form, "there is one stage into which it may lead"
        await cup.do("cora", "open-secondary", {"into": "final"})
        second = await page(asker, "p4", f"{AT}/me")
        assert "You have a second chance to go on" in second
        assert "when entries have closed" not in second
        asker.house.people.put(Person("p4", "Dee Example"))
        assert "A second chance into final for p2, Dee Example" in await page(asker, "cora", AT)
        await cup.do("cora", "commit-draw")
        await cup.start()
        now = [step.stage for step in path_of(cup.state) if step.state == "now"]
        assert now == ["secondary"], "it stands on the way, before the final"
        await cup.result({"p4": 900_000, "p2": 800_000, "p5": 700_000, "p6": 600_000})
        await cup.do("cora", "confirm-stage")
        assert await _above(asker) == above
        heats, again, final = (await asker.client.get("/api/competitions/cup/event")).json()[
            "stages"
        ]
        assert (heats["name"], again["name"], final["name"]) == ("heats", "secondary", "final")
        back = [row["name"] for row in again["tables"][0]["rows"] if row["above"]]
        assert back == ["Alias of p4"], "what the second chance came to is public, too"
        await cup.do("cora", "commit-draw")
        await cup.start()
        assert {*next(iter(cup.state.now.seats.values())).values()} == {"p1", "p3", "p4"}
        assert await _above(asker) == above

    on_web(tmp_path, play)


async def _above(asker: Asker) -> list[str]:
    """Who stands above the line of the heats on the event's page."""
    seen = (await asker.client.get("/api/competitions/cup/event")).json()
    return [row["name"] for row in seen["stages"][0]["tables"][0]["rows"] if row["above"]]
