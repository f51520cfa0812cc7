"""The house on the web, asked by real requests: sign-in, headers, errors, commands, streams."""

import json
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.server.live.regions import REGIONS
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.office import app_over
from tests.kit.web import Web, demo_house, give


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo")) as web:
        yield web


def error(answer: httpx.Response) -> dict[str, str]:
    found: dict[str, Any] = answer.json()
    assert set(found) == {"reason", "clause", "detail", "remedy", "facts"}
    assert isinstance(found.pop("facts"), dict)
    assert all(isinstance(value, str) and value for value in found.values())
    return found


@pytest.mark.parametrize("path", ["/", "/sign-in", "/tables/table-1", "/tables/table-4/display"])
def test_public_pages_open_with_every_header_that_protects_them(web: Web, path: str) -> None:
    answer = web.client().get(path, headers={"accept": "text/html"})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "server" not in answer.headers


def test_a_page_of_a_session_is_out_of_reach_of_the_window_that_opened_it(web: Web) -> None:
    """A stranger's is everybody's, and painted sooner without a process of its own."""
    apart = "cross-origin-opener-policy"
    stranger, player = web.client(), web.client("player")
    for path in ("/", "/tables/table-1", "/account"):
        assert player.get(path).headers[apart] == "same-origin"
    assert stranger.get("/sign-in").headers[apart] == "same-origin"
    assert apart not in stranger.get("/tables/table-1").headers


def test_errors_have_one_shape_and_pages_say_them_in_words(web: Web) -> None:
    client = web.client()
    assert error(client.get("/api/tables/table-9"))["reason"] == "no_such_table"
    assert error(client.get("/api/nothing"))["reason"] == "not_found"
    assert error(client.get("/api/me"))["reason"] == "sign_in_needed"
    assert error(give(client, "/tables/table-1/sit", {"seat": 9}))["reason"] == "sign_in_needed"
    page = client.get("/tables/table-9", headers={"accept": "text/html"})
    assert page.status_code == 404
    assert "there is no table" in page.text.lower()


@pytest.mark.parametrize(
    "body",
    [
        {"seat": "x"}, {"seat": 99}, {"seat": 10**30}, {"seat": None}, {}, [], "x", 3,
        {"seat": 1, "more": 2}, {"seat": 9, "person": "a b"},
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_and_nothing_is_recorded(web: Web, body: object) -> None:
    client = web.client("player")
    answer = give(client, "/tables/table-2/sit", body)
    assert answer.status_code == 400, answer.text
    assert error(answer)["reason"] == "malformed"


def test_a_seat_is_taken_once_however_often_it_is_asked_for(web: Web) -> None:
    client = web.client("player")
    command_id = str(uuid.uuid4())
    boxes = client.get("/api/tables/table-3").json()["view"]["boxes"]
    seat = len(boxes)  # the last one is left free by the bots
    first = give(client, "/tables/table-3/sit", {"seat": seat}, command_id)
    assert first.status_code == 200, first.text
    again = give(client, "/tables/table-3/sit", {"seat": seat}, command_id)
    assert again.json() == first.json()
    other = give(client, "/tables/table-3/leave", {}, command_id)
    assert (other.status_code, error(other)["reason"]) == (409, "id_used")
    taken = give(client, "/tables/table-3/sit", {"seat": 1})
    assert taken.status_code == 409
    assert give(client, "/tables/table-3/leave").status_code == 200


@pytest.mark.parametrize("path", ["run-out", "hold-clocks"])
def test_nobody_is_the_houses_clock(web: Web, path: str) -> None:
    assert give(web.client("manager"), f"/tables/table-1/{path}").status_code == 404


def test_what_came_of_a_command_at_the_cage_is_told_in_words(web: Web) -> None:
    answer = give(web.client("cashier"), "/cage/deposit", {"person": "player", "cents": 100})
    assert answer.is_success, answer.text
    (happened,) = answer.json()["happened"]
    assert (happened["is"], happened["says"]) == ("money-deposited", "Money deposited")


def test_a_player_may_not_do_what_staff_do(web: Web) -> None:
    client = web.client("player")
    for path, body in (
        ("/tables/table-1/open-coup", {}),
        ("/tables/table-1/draw-card", {"card": "9c"}),
        ("/cage/deposit", {"person": "player", "cents": 100}),
        ("/register/grant", {"person": "player", "role": "dealer"}),
    ):
        answer = give(client, path, body)
        assert answer.status_code == 403, (path, answer.text)
    assert client.get("/api/register").status_code == 403
    assert client.get("/api/tables/table-1/games").status_code == 403
    seen = client.get("/api/cage").json()
    assert seen["own_cents"] > 0
    assert (seen["accounts"], seen["trays"]) == ({}, {})


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"origin": "null"},
    ],
)
def test_another_sites_page_cannot_act_for_someone_signed_in(
    web: Web, headers: dict[str, str]
) -> None:
    client = web.client("player")
    full = {"Command-Id": str(uuid.uuid4()), **headers}
    answer = client.post("/api/tables/table-2/sit", json={"seat": 9}, headers=full)
    assert (answer.status_code, error(answer)["reason"]) == (403, "foreign_page")


def test_signing_out_ends_the_session(web: Web) -> None:
    client = web.fresh("player")
    cookies = dict(client.cookies)
    assert client.get("/api/me").json()["person"] == "player"
    client.post("/sign-out")
    with httpx.Client(base_url=web.base, cookies=cookies) as again:
        assert again.get("/api/me").status_code == 401
    web.fresh("player")


def test_ten_wrong_tries_lock_an_account_and_alarm_before(web: Web) -> None:
    client = web.client()
    reasons = []
    for _ in range(60):
        answer = client.post("/sign-in", data={"who": "inspector", "secret": "wrong"})
        reasons.append(error(answer)["reason"])
        if reasons[-1] == "sign_in_wait":
            time.sleep(0.2)
        if reasons.count("sign_in_failed") >= 4:
            break
    assert reasons[:4] == ["sign_in_failed"] * 3 + ["sign_in_wait"]
    unknown = client.post("/sign-in", data={"who": "nobody-here", "secret": "wrong"})
    assert error(unknown)["reason"] == "sign_in_failed"


def test_a_stream_begins_with_the_whole_page_and_goes_on_with_what_changed(web: Web) -> None:
    with (
        httpx.Client(base_url=web.base, timeout=30) as client,
        client.stream("GET", "/live/table-1/display") as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        messages = []
        for line in answer.iter_lines():
            if line.startswith("data: "):
                messages.append(json.loads(line[6:]))
            if len(messages) == 3:
                break
    assert messages[0]["whole"]
    assert set(messages[0]["regions"]) == set(REGIONS["display"])
    assert [one["whole"] for one in messages[1:]] == [False, False]
    seqs = [one["seq"] for one in messages]
    assert seqs == sorted(seqs)
    assert set(messages[1]["regions"]) < set(REGIONS["display"])


def test_every_command_of_the_api_is_documented(web: Web) -> None:
    schema = web.client().get("/api/schema/openapi.json").json()
    paths = set(schema["paths"])
    assert "/api/tables/{table}/place-wager" in paths
    assert "/api/cage/deposit" in paths
    assert "/api/register/grant" in paths
    assert len(paths) > 85


def test_the_api_says_what_the_caller_may_do_now_and_why_not(web: Web) -> None:
    def may(person: str, path: str) -> dict[str, dict[str, Any]]:
        answer = web.client(person).get(f"/api{path}/may")
        assert answer.status_code == 200, answer.text
        return {one["command"]: one for one in answer.json()}

    player, manager = may("player", "/tables/table-2"), may("manager", "/tables/table-2")
    assert set(player) == set(manager)
    assert not {"run-out", "hold-clocks"} & set(player)
    for one in (*player.values(), *manager.values()):
        assert one["possible"] == (one["why_not"] is None)
        if not one["possible"]:
            assert set(one["why_not"]) == {"reason", "clause", "detail", "remedy", "facts"}
    assert player["raise-dispute"]["possible"]
    assert player["deal"]["why_not"]["reason"] == "not_your_role"
    assert manager["void-coup"]["final"]
    assert manager["void-coup"]["second"] == ["competition director", "management representative"]
    assert manager["open-table"]["why_not"]["reason"] == "wrong_moment"
    assert manager["open-table"]["phases"] == ["shut"]
    cage, people = may("manager", "/cage"), may("manager", "/register")
    assert cage["open-tray"]["possible"]
    assert cage["deposit"]["why_not"]["reason"] == "not_your_role"
    assert "sell-chips" not in cage
    assert people["grant"]["possible"]
    assert not {"found-house", "keep-ruleset", "show-key"} & set(people)
    assert error(web.client().get("/api/tables/table-2/may"))["reason"] == "sign_in_needed"


def test_every_clause_that_a_page_cites_can_be_read(web: Web) -> None:
    client = web.client()
    for path, words in (
        ("/rules", "Marina Bay Sands 2017"),
        ("/rules?q=marker", "clauses speak of"),
        ("/rules/tas-2018", "9.2"),
        ("/rules/tas-2018", 'id="c7.6(b)"'),
        ("/rules/act-2015", 'id="cd.round-of-play"'),
        ("/rules/play/mbs-2017", "draws"),
        ("/rules/compare?one=tas-2018&other=act-2015", "Only differences 123"),
    ):
        answer = client.get(path, headers={"accept": "text/html"})
        assert answer.status_code == 200, path
        assert words in answer.text, path
    for clause, place in (
        ("tas-2018:6.6", "/rules/tas-2018#c6.6"),
        ("tas-2018:7.6(b)", "/rules/tas-2018#c7.6(b)"),
        ("act-2015:d.round-of-play", "/rules/act-2015#cd.round-of-play"),
    ):
        answer = client.get(f"/rules/{clause}", headers={"accept": "text/html"})
        assert (answer.status_code, answer.headers["location"]) == (303, place)
    for path in ("/rules/nsw-2020", "/rules/tas-2018:99", "/rules/play/x", "/rules/compare?one=x"):
        assert client.get(path, headers={"accept": "text/html"}).status_code == 404, path


def test_no_page_of_a_live_table_speaks_of_odds(web: Web) -> None:
    """act-2015:14.5(a)"""
    text = web.client().get("/tables/table-3", headers={"accept": "text/html"}).text
    assert 'href="/odds' not in text


def test_those_who_watch_over_a_house_see_its_last_games_and_what_matters(web: Web) -> None:
    html = {"accept": "text/html"}
    for path in ("/tables/table-1/games", "/house/events"):
        assert web.client().get(path, headers=html).status_code == 302
        assert web.client("player").get(path, headers=html).status_code == 403
        assert web.client("manager").get(path, headers=html).status_code == 200
    wrong = web.client().post("/sign-in", data={"who": "dealer", "secret": "wrong"})
    assert wrong.status_code == 401
    text = web.client("manager").get("/house/events", headers=html).text
    assert "Failed sign-in as Dealer from 127.0.0.1" in text
    assert "The table opens under Tasmania 2018" in text
    assert "wrong" not in text


def test_a_fault_of_the_house_is_said_in_the_one_shape_and_is_on_record(tmp_path: Path) -> None:
    """A page that cannot be drawn: whoever asked is told no lie, and management sees it."""

    async def use(log: EventLog) -> None:
        house = (await evening(log, 1, "tas-2018")).house
        app = app_over(house)

        def broken(*_: object, **__: object) -> str:
            raise KeyError("planted")

        app.state.pages.render = broken
        transport = httpx.ASGITransport(cast("Any", app), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as client:
            answer = await client.get("/tables/table-1/notice")
        assert answer.status_code == 500
        assert error(answer)["reason"] == "fault"
        assert "planted" not in answer.text
        notes = [row.events for row in log.read(HOUSE)]
        assert b'"fault-found"' in notes[-1]

    using(str(tmp_path / "house.db"), use)
