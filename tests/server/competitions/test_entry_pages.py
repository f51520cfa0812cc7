"""The list of entries, and the desk where a walk-in is entered in one step."""

from pathlib import Path

import httpx

from puntobanco.server.pages.competitions.papers.terms import day_told
from tests.kit.clauses import clause, tas
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import CupOnWeb, enrol_players, on_web, page, post_form
from tests.kit.replay import Asker
from tests.kit.web import form_on

AT = "/competitions/cup/entries"


async def entering(asker: Asker) -> CupOnWeb:
    """Three who paid, one of them gone again; one accepted, one to be, and one in reserve."""
    await enrol_players(asker)
    cup = CupOnWeb(asker, "cup")
    await cup.entering(cup_text())
    await cup.enter("p1", "p2", "p3")
    await cup.do("p3", "withdraw")
    for person in ("p4", "p5", "p6"):
        await cup.do(person, "apply")
    await cup.do("carol", "accept", {"person": "p4"})
    await cup.do("cora", "add-reserve", {"person": "p6"})
    return cup


async def send(asker: Asker, who: str, **form: str) -> httpx.Response:
    return await post_form(asker, who, "/competitions/cup/do/enter-at-desk", **form)


def test_filters_carry_their_numbers_and_a_word_finds_anybody(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await entering(asker)
        await asker.must("carol", "/people/p4/name", {"name": "Quill Example"})
        text = await page(asker, "cora", AT)
        for said in ("3 of 12", "Ready <b>2", "Not endorsed <b>1", "Withdrawn <b>1", "Reserve <b>1",
                     "To accept <b>1", "Unpaid <b>0", "4 to go"):  # fmt: skip
            assert said in text, said
        lacking = await page(asker, "cora", f"{AT}?show=not-endorsed")
        assert "Quill Example" in lacking
        assert "1 shown, 1 found, 6 on record" in lacking
        assert "1 found" in await page(asker, "cora", f"{AT}?q=quill+exa")
        assert "Nobody is found so" in await page(asker, "cora", f"{AT}?q=nobody")
        for who in ("p1", "dan"):
            await page(asker, who, AT, 403 if who == "p1" else 200)

    on_web(tmp_path, play)


@clause(*tas("16.2.6"))
def test_a_walk_in_is_entered_at_the_desk_in_one_step(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entering(asker)
        text = await page(asker, "carol", f"{AT}?desk=p7")
        assert 'action="/competitions/cup/entries/desk"' in text
        back = f"{AT}?done=p7"
        before = cup.state
        wrong = await send(asker, "carol", person="p7", version="2", back=back)
        assert wrong.status_code == 409
        assert cup.state == before, "nothing of it was recorded"
        answer = await send(asker, "carol", person="p7", version="1", back=back)
        assert answer.status_code == 303, answer.text
        assert answer.headers["location"] == back
        assert cup.state.entries["p7"].status == "paid"
        receipt = await page(asker, "carol", back)
        assert "p7 is entered" in receipt
        assert day_told(cup.state.entries["p7"].refund_until) in receipt
        assert "papers/receipt?of=fee&person=p7" in await page(asker, "carol", AT)
        assert "papers/receipt" not in await page(asker, "cora", AT), "the cage keeps receipts"
        away = await send(asker, "carol", person="p8", version="1", back="//elsewhere.example")
        assert away.headers["location"] == "/competitions/cup"

    on_web(tmp_path, play)


def test_the_desk_says_beforehand_why_somebody_cannot_enter(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entering(asker)
        entered = await page(asker, "carol", f"{AT}?desk=p1")
        assert 'role="alert"' in entered
        assert "No patron is called so" in await page(asker, "carol", f"{AT}?desk=zoe")
        money = asker.house.cage.state.accounts["p7"]
        await asker.must("carol", "/cage/withdraw", {"person": "p7", "cents": money})
        short = await page(asker, "carol", f"{AT}?desk=p7")
        assert "too little" in short
        answer = await send(asker, "carol", person="p7", version="1")
        assert answer.status_code == 409
        assert "p7" not in cup.state.entries, "all of it or nothing"
        assert "At the desk" not in await page(asker, "cora", AT)

    on_web(tmp_path, play)


def test_a_walk_in_pays_cash_and_says_what_others_are_to_call_them(tmp_path: Path) -> None:
    """Who was enrolled a moment ago has no account: one press opens it, takes cash and enters."""

    async def play(asker: Asker) -> None:
        cup, desk = await entering(asker), f"{AT}/desk"
        asker.house.people.put_alias("p1", "Sable")
        await asker.must("carol", "/register/enrol", {"person": "zoe", "kind": "patron"})
        shown = await page(asker, "carol", f"{AT}?desk=zoe")
        form = form_on(shown[shown.index("entries/desk") :])
        assert form["pay"] == "cash", "there is no account to take it from"
        for wrong in ({"alias": "sable"}, {"version": "2"}, {"version": "x"}, {"person": "p1"}):
            refused = await post_form(asker, "carol", desk, **{**form, **wrong})
            assert refused.status_code in (400, 409), wrong
            assert 'role="alert"' in refused.text
            assert "zoe" not in asker.house.cage.state.accounts, "no cash is taken for nothing"
        assert (
            'value="sable"'
            in (await post_form(asker, "carol", desk, **{**form, "alias": "sable"})).text
        )
        for who, status in (("cora", 403), ("zoe", 403)):
            assert (await post_form(asker, who, desk, **form)).status_code == status
        form["alias"] = "Rook"
        for _ in range(2):  # a double press
            done = await post_form(asker, "carol", desk, **form)
            assert done.headers["location"] == f"{AT}?done=zoe", done.text
        assert asker.house.cage.state.accounts["zoe"] == 0, "paid in once, and taken"
        assert cup.state.entries["zoe"].status == "paid"
        assert asker.house.people.alias("zoe") == "Rook"
        form = form_on((await page(asker, "carol", f"{AT}?desk=p8")).split("entries/desk")[1])
        before = asker.house.cage.state.accounts["p8"]
        assert form["pay"] == "account"
        assert (await post_form(asker, "carol", desk, **form)).status_code == 303
        assert asker.house.cage.state.accounts["p8"] == before - 5555

    on_web(tmp_path, play)


@clause("act-2015:15.10")
def test_a_walk_in_for_whom_there_is_no_place_waits_as_a_reserve(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.do("mara", "draft", {"text": cup_text("act-2015")})
        await cup.two("mara", "publish")
        await cup.do("cora", "open-entries")
        assert "Nobody has applied yet" in await page(asker, "carol", AT)
        assert "Apply at the desk" in await page(asker, "", "/competitions/cup/board")
        for number in range(1, 7):
            await cup.do("carol", "enter-at-desk", {"person": f"p{number}", "version": 1})
        board = await page(asker, "", "/competitions/cup/board")
        assert "All places are taken" in board
        assert "Apply at the desk" not in board, "there is no place to apply for"
        back = f"{AT}?desk=p7"
        for name, words in (
            ("apply", "Take the application of p7"),
            ("add-reserve", "Put p7 on the reserve list"),
        ):
            assert words in await page(asker, "carol", back)
            path = f"/competitions/cup/do/{name}"
            sent = await post_form(asker, "carol", path, person="p7", back=back)
            assert sent.status_code == 303, sent.text
        headers = asker.headers("carol") | {"Accept": "application/json"}
        by_script = await asker.client.post(
            "/competitions/cup/do/withdraw", data={"person": "p1"}, headers=headers
        )
        assert by_script.json()["happened"], "a live page is told what came of it, not sent on"
        assert cup.state.reserves == ("p7",)
        shown = await page(asker, "carol", f"{AT}?show=reserve")
        assert 'action="/competitions/cup/do/endorse"' in shown, "before a seat can be theirs"
        await cup.do("carol", "endorse", {"person": "p7", "version": 1})
        shown = await page(asker, "carol", f"{AT}?show=reserve")
        assert "endorsed v1" in shown
        assert 'action="/competitions/cup/do/endorse"' not in shown

    on_web(tmp_path, play)


def test_a_reserve_is_called_by_the_next_one_s_name(tmp_path: Path) -> None:
    """The form has the next in line in it; what is refused says who, not what they sign in as."""

    async def play(asker: Asker) -> None:
        await entering(asker)
        await asker.must("carol", "/people/p6/name", {"name": "Quill Example"})
        at = "/competitions/cup/do/take-reserve"
        person = form_on(await page(asker, "cora", at))["person"]
        assert person == "p6"
        refused = await post_form(asker, "cora", at, command_id="12345678", person=person)
        assert refused.status_code == 409
        assert "Quill Example has not endorsed" in refused.text

    on_web(tmp_path, play)


def test_a_walk_in_nobody_knows_is_enrolled_and_led_back_to_the_desk(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await entering(asker)
        text = await page(asker, "carol", f"{AT}?desk=Quill Example")
        link = "/house/enrol?kind=patron&cup=cup&name=Quill%20Example"
        assert f'href="{link}"' in text
        form = form_on(await page(asker, "carol", link))
        assert form["name"] == "Quill Example"
        enrolled = await post_form(asker, "carol", "/house/people", **form)
        assert f'href="{AT}?desk={form["person"]}"' in enrolled.text
        elsewhere = await post_form(
            asker, "carol", "/house/people", **form | {"person": "p77", "cup": "none"}
        )
        assert "/entries?desk=" not in elsewhere.text

    on_web(tmp_path, play)
