"""Lists in with a preview of each row, and data out for spreadsheets and programs."""

import re
from base64 import b64encode
from fractions import Fraction
from pathlib import Path

from puntobanco.house.access.people import Person
from puntobanco.house.competitions.lists.league import event_points
from puntobanco.rules.competition.places import How, PlaceRow
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import CupOnWeb, enrol_players, on_web, page, post_form
from tests.kit.competition.papers import tasmanian, to_its_end
from tests.kit.replay import Asker

AT = "/competitions/cup"
LIST = f"{AT}/entries/list"
GOOD = "person,name,alias,paid,reserve\np1,,Sable,yes,\nn1,Nora One,,,\np2,,,,yes\n"


async def _read(asker: Asker, who: str, path: str) -> tuple[int, str]:
    answer = await asker.client.get(path, headers=asker.headers(who or None))
    return answer.status_code, answer.text


def test_a_list_is_looked_at_row_by_row_and_taken_in_whole_or_not_at_all(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        for who in ("p1", "dan", "sol"):
            await page(asker, who, LIST, 403)
        wrong = GOOD + "nobody,,,,\np3,,sable,,\n"
        shown = await post_form(asker, "carol", LIST, text=wrong)
        assert shown.status_code == 200
        for said in ("2 wrong", "nobody is not known here", "column alias:"):
            assert said in shown.text, said
        assert "Take in all" not in shown.text
        refused = await post_form(asker, "carol", LIST, text=wrong, do="take")
        assert refused.status_code == 400
        assert "Row 5, column name" in refused.text
        assert cup.state.entries == {}
        shown = await post_form(asker, "carol", LIST, text=GOOD)
        for said in ("enter, with the fee taken", "enrol a patron, apply", "reserve list",
                     "Take in all 3"):  # fmt: skip
            assert said in shown.text, said
        assert cup.state.entries == {}, "a preview does nothing"
        taken = await post_form(asker, "carol", LIST, text=GOOD, do="take")
        assert "3 entrants taken in" in taken.text
        found = {who: one.status.value for who, one in cup.state.entries.items()}
        assert found == {"p1": "paid", "n1": "applied", "p2": "reserve"}
        assert asker.house.people.alias("p1") == "Sable"
        body = {"text": GOOD}
        again = await asker.must("carol", "/competitions/cup/entry-list/preview", body)
        assert [one["does"] for one in again.json()] == [[], [], []]
        named = "name\nNora One\nNora Two\n"
        by_name = await asker.must("carol", "/competitions/cup/entry-list/preview", {"text": named})
        assert [one["column"] for one in by_name.json()] == ["name", "name"]
        unpaid = {"text": "person,paid\np3,yes\n"}
        by_manager = await asker.must("mara", "/competitions/cup/entry-list/preview", unpaid)
        assert by_manager.json()[0]["column"] == "paid", "the cashier takes fees"
        broke = {"text": "person,name,paid\nn9,Nine,yes\n"}
        (by_cashier,) = (await asker.must("carol", f"{AT}/entry-list/preview", broke)).json()
        assert "there is no account" in by_cashier["wrong"]

    on_web(tmp_path, play)


def test_a_director_takes_in_a_list_of_those_whom_the_house_knows(tmp_path: Path) -> None:
    """Patrons, what they are called and their money are the cage's and management's."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        asker.house.people.put(Person("p1", "Paul One", "paul@example.org"))
        assert LIST in await page(asker, "cora", f"{AT}/entries")
        wrong = "person,name,alias,paid\nn1,Nora,,\np2,Piet,,\np3,,Owl,\np4,,,yes\n"
        rows = (await asker.must("cora", f"{AT}/entry-list/preview", {"text": wrong})).json()
        assert [row["column"] for row in rows] == ["person", "name", "alias", "paid"]
        assert all("not for your role" in row["wrong"] for row in rows)
        good = "person,name,reserve\np1,Paul One,\np2,,yes\n"
        shown = await post_form(asker, "cora", LIST, text=good)
        assert "Take in all 2" in shown.text
        await post_form(asker, "cora", LIST, text=good, do="take")
        assert [one.status.value for one in cup.state.entries.values()] == ["applied", "reserve"]
        named = {"text": "person,name\np1,Paula One\np3,Pia\n"}
        rows = (await asker.must("carol", f"{AT}/entry-list/preview", named)).json()
        assert rows[0]["wrong"], "who has applied does not apply again"
        assert rows[1]["does"] == ["name", "apply"]
        assert asker.house.people.get("p1") == Person("p1", "Paul One", "paul@example.org")

    on_web(tmp_path, play)


def test_a_row_that_cannot_be_read_leaves_the_others_to_be_seen(tmp_path: Path) -> None:
    """Each wrong row says what is wrong with it, and the right ones what they would do."""

    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(cup_text())
        text = "person,paid,reserve\np1,,\np2,\np 3,,\np4,perhaps,\np5,yes,yes\np1,,\n,,\np6,,\n"
        rows = (await asker.must("carol", f"{AT}/entry-list/preview", {"text": text})).json()
        assert [(row["number"], row["column"], bool(row["wrong"])) for row in rows] == [
            (2, "", False),
            (3, "", True),
            (4, "person", True),
            (5, "paid", True),
            (6, "reserve", True),
            (7, "person", True),
            (9, "", False),
        ]
        shown = (await post_form(asker, "carol", LIST, text=text)).text
        for said in ("it has 2 columns, not 3", "write yes or no", "is in row 2 already"):
            assert said in shown
        assert "5 wrong" in shown
        told = await post_form(
            asker, "carol", LIST, file=b64encode("Zoë".encode("cp1252")).decode()
        )
        assert "CSV UTF-8" in told.text
        assert 'type="file"' in told.text, "and another can be chosen there"
        refused = await post_form(asker, "carol", LIST, text=text, do="take")
        assert "Row 3: it has 2 columns" in refused.text
        assert not cup.state.entries

    on_web(tmp_path, play)


def test_draw_standings_results_and_money_go_out_to_whoever_may_have_them(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await tasmanian(asker)
        league = (await asker.client.get("/api/leagues")).json()
        assert [(one["name"], one["rows"]) for one in league] == [("Winter", [])]
        await to_its_end(cup)
        league = (await asker.client.get("/api/leagues")).json()[0]
        told = [(row["place"], row["called"], row["points"]) for row in league["rows"]]
        assert told == [(1, "Sable", "10"), (2, "Lotte", "6")]
        assert "Sable" in await page(asker, "", "/leagues")
        till = await page(asker, "carol", "/house/cage/patrons/p2")
        assert "Prize of Spring Cup, place 2:" in till
        paid = await post_form(asker, "carol", f"{AT}/do/pay-prize", person="p2",
                               back=f"{AT}/papers/receipt?of=prize&person=p2")  # fmt: skip
        assert paid.status_code == 303
        assert "Prize receipt" in await page(asker, "carol", paid.headers["location"])
        assert "Prize of Spring" not in await page(asker, "carol", "/house/cage/patrons/p2")
        asker.house.people.put_alias("p1", "=1+1")
        for what, free in (("draw", True), ("results", True), ("money", False),
                           ("standings", False)):  # fmt: skip
            for who in ("", "p1", "dan"):
                assert (await _read(asker, who, f"{AT}/data/{what}.csv"))[0] == (
                    200 if free else 401 if not who else 403
                ), (what, who)
            assert (await _read(asker, "cora", f"{AT}/data/{what}.json"))[0] == 200
            assert (await _read(asker, "cora", f"{AT}/data/{what}.xls"))[0] == 404
        draw = (await _read(asker, "", f"{AT}/data/draw.csv"))[1].splitlines()
        assert draw[0] == "session,draw,at (UTC+11),table,seat,lot,entry,alias"
        assert re.match(r"heats,1,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,Cup 1,", draw[1]), draw[1]
        assert len(draw) == 1 + 6 + 2
        assert any(line.endswith(",1,'=1+1") for line in draw), "no cell is reckoned"
        results = (await _read(asker, "", f"{AT}/data/results.csv"))[1].splitlines()
        assert results[1] == "1,1,1,'=1+1,chips,180.97"
        rows = (
            await asker.client.get(f"/api{AT}/data/money", headers=asker.headers("mara"))
        ).json()
        kinds = [row["what"] for row in rows]
        assert kinds.count("fee-taken") == 7
        assert (kinds.count("fee-refunded"), kinds.count("paid-from-pot")) == (1, 2)
        assert rows[-1]["pot_cents"] == cup.state.money.pot_cents
        assert (await _read(asker, "mara", f"/api{AT}/data/none"))[0] == 404

    on_web(tmp_path, play)


def test_shared_places_share_their_points() -> None:
    places = (
        PlaceRow(1, 1, ("a",), How.CHIPS, 0, 0, ()),
        PlaceRow(2, 3, ("b", "c"), How.SHARED, 0, 0, ()),
        PlaceRow(4, 4, ("d",), How.CHIPS, 0, 0, ()),
    )
    half = Fraction(7, 2)
    assert event_points((10, 6, 1), places) == {"a": 10, "b": half, "c": half}
