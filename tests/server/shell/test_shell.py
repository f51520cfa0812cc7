"""The shell around every page: what each role can reach, where one is, and where one was going."""

import re
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from puntobanco.competition.state import CompetitionPhase
from puntobanco.house.access.search import FoundLine, _competitions
from puntobanco.server.rendering import said_of
from puntobanco.server.shell import local_path
from puntobanco.table.state import Phase
from tests.kit.web import Web, demo_house, give

HTML = {"accept": "text/html"}
STAFF = ("manager", "inspector", "surveillance", "cashier", "auditor", "dealer", "player", "")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=3) as web:
        yield web


def bar(answer: httpx.Response) -> dict[str, str]:
    """The pages of the bar with their addresses."""
    nav = answer.text.partition('<nav aria-label="Pages">')[2].partition("</nav>")[0]
    return {name: href for href, name in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', nav)}


@pytest.mark.parametrize("person", STAFF)
def test_every_page_of_the_bar_opens_for_whoever_is_shown_it(web: Web, person: str) -> None:
    client = web.client(person)
    links = bar(client.get("/", headers=HTML))
    assert len(links) >= 3
    for name, href in links.items():
        answer = client.get(href, headers=HTML, follow_redirects=True)
        assert answer.status_code == 200, f"{person} at {name}"
        assert bar(answer) == links
        assert answer.text.count('aria-current="page"') >= 1


def test_the_bar_differs_by_role(web: Web) -> None:
    shown = {one: set(bar(web.client(one).get("/", headers=HTML))) for one in STAFF}
    assert "Cage" in shown["cashier"]
    assert "Cage" not in shown["surveillance"] | shown["dealer"] | shown["player"]
    assert "Reports" in shown["surveillance"]
    assert "People" not in shown["inspector"] | shown[""]


def test_signing_in_leads_to_where_one_was_going(web: Web) -> None:
    client = web.client()
    asked = client.get("/house/reports?by=table", headers=HTML)
    assert asked.status_code == 302
    to = "/sign-in?to=/house/reports%3Fby%3Dtable"
    assert asked.headers["location"] == to
    page = client.get(to, headers=HTML)
    assert 'name="to" value="/house/reports?by=table"' in page.text
    form = {"who": "manager", "secret": web.secrets["manager"], "to": "/house/reports?by=table"}
    wrong = client.post("/sign-in", data=form | {"secret": "wrong"}, headers=HTML)
    assert 'name="to" value="/house/reports?by=table"' in wrong.text
    answer = client.post("/sign-in", data=form, headers=HTML)
    assert answer.headers["location"] == "/house/reports?by=table"


@pytest.mark.parametrize(
    "asked",
    [
        "//evil.test",
        "https://evil.test/",
        "/\\evil.test",
        "javascript:alert(1)",
        "",
        "/a\r\nb",
        "x",
    ],
)
def test_signing_in_never_leads_out_of_the_house(web: Web, asked: str) -> None:
    assert local_path(asked) == "/"
    form = {"who": "manager", "secret": web.secrets["manager"], "to": asked}
    assert web.client().post("/sign-in", data=form, headers=HTML).headers["location"] == "/"


def test_a_page_that_failed_has_the_bar_of_its_reader(web: Web) -> None:
    answer = web.client("cashier").get("/house/nothing", headers=HTML)
    assert answer.status_code == 404
    assert "Cage" in bar(answer)


def finds(client: httpx.Client, words: str) -> list[tuple[str, str, int]]:
    found = client.get("/api/search", params={"q": words}).json()
    return [(one["kind"], one["id"], one["number"]) for one in found]


def test_the_search_finds_what_its_reader_may_see(web: Web) -> None:
    manager, player = web.client("manager"), web.client("player")
    assert ("table", "table-1", 0) in finds(player, "derwent")
    assert ("clause", "tas-2018:7.6(b)", 0) in finds(web.client(), "7.6")
    assert ("person", "cashier", 0) in finds(manager, "cashier")
    assert not [one for one in finds(player, "cashier") if one[0] == "person"]
    assert finds(manager, "") == []
    page = manager.get("/search", params={"q": "<script>"}, headers=HTML)
    assert page.status_code == 200
    assert "<script>" not in page.text.partition("<main")[2]


def test_a_coup_is_found_by_table_and_number_by_whoever_watches_over_it(web: Web) -> None:
    manager = web.client("manager")
    for _ in range(300):
        if ("coup", "table-1", 1) in finds(manager, "Derwent 1"):
            break
        time.sleep(0.1)
    assert ("coup", "table-1", 1) in finds(manager, "Derwent 1")
    assert ("coup", "table-1", 1) in finds(manager, "table-1 coup 1")
    assert ("coup", "table-1", 999_999) not in finds(manager, "Derwent 999999")
    assert not [one for one in finds(web.client("player"), "Derwent 1") if one[0] == "coup"]
    part = manager.get("/search", params={"q": "derwent 1", "part": "1"}, headers=HTML)
    assert "/tables/table-1/journal/1" in part.text
    assert "<header" not in part.text


def test_competitions_that_are_over_are_found_last() -> None:
    def cup(phase: str) -> Any:
        conditions = SimpleNamespace(name=f"Harbour Cup, {phase}")
        return SimpleNamespace(state=SimpleNamespace(conditions=conditions, version=1, phase=phase))

    phases = {f"competition-{n}": cup("done") for n in range(9)}
    cups = {**phases, "competition-a": cup("cancelled"), "competition-b": cup("entering")}
    house: Any = SimpleNamespace(competitions=cups, tables={})
    found = next(_competitions(house, "", "harbour"))
    assert (found.id, found.more) == ("b", "entering")


def test_what_is_found_is_told_in_words() -> None:
    told = {
        ("clause", "act-2015:d.natural", ""): "Canberra 2015, definition of natural",
        ("clause", "tas-2018:1(para1)", ""): "Tasmania 2018, 1, paragraph 1",
        ("competition", "cup", "entering"): "entries open",
        ("table", "table-1", "betting"): "bets open",
        ("person", "ann", "patron"): "patron",
    }
    for (kind, id_, more), said in told.items():
        assert said_of(FoundLine(kind, id_, id_, more=more)) == said  # type: ignore[arg-type]
    for phase in Phase:
        assert said_of(FoundLine("table", "table-1", "Derwent", more=phase))
    for stage in CompetitionPhase:
        assert said_of(FoundLine("competition", "cup", "Cup", more=stage))


def test_a_paper_of_the_cage_is_found_by_its_number(web: Web) -> None:
    cashier, player = web.client("cashier"), web.client("player")
    paid = give(cashier, "/cage/deposit", {"person": "player", "cents": 1000}).json()
    found = ("receipt", "cage", int(paid["seq"]))
    for who in (cashier, player):
        assert found in finds(who, f"receipt {found[2]}")
        page = who.get("/search", params={"q": str(found[2])}, headers=HTML).text
        href = f"/house/cage/receipts/{found[2]}"
        assert f'href="{href}"' in page
        assert who.get(href, headers=HTML).status_code == 200
    assert found not in finds(web.client("guest"), f"receipt {found[2]}")
    manager = web.client("manager")
    give(manager, "/register/name-table", {"table": "table-1", "name": "Derwent 1"})
    assert not [one for one in finds(manager, "Derwent 1") if one[0] == "coup"]
    give(manager, "/register/name-table", {"table": "table-1", "name": "Derwent"})


def test_a_slip_waits_for_the_cashier_until_it_is_done(web: Web) -> None:
    """Nothing ever waits for a player."""
    manager, cashier = web.client("manager"), web.client("cashier")
    assert cashier.get("/api/waiting").json() == []
    ask = {"kind": "fill", "table": "table-1", "cents": 500_000}
    give(manager, "/cage/request-slip", ask)
    waits = cashier.get("/api/waiting").json()
    assert [(one["kind"], one["href"]) for one in waits] == [("slip", "/house/cage/slips/1")]
    assert "Derwent" in waits[0]["says"]
    bar_of = cashier.get("/house/cage", headers=HTML).text.partition("<main")[0]
    assert "1 waits for me" in bar_of
    assert "Derwent" in cashier.get("/waiting", headers=HTML).text.partition("<main")[2]
    with cashier.stream("GET", "/live/waits") as stream:
        first = next(line for line in stream.iter_lines() if line.startswith("data:"))
    assert "Derwent" in first
    give(cashier, "/cage/complete-slip", {"number": waits[0]["number"]})
    assert cashier.get("/api/waiting").json() == []
    assert "wait" not in web.client("player").get("/", headers=HTML).text.partition("<main")[0]
    assert web.client("player").get("/api/waiting").json() == []


def ways(page: str) -> list[str]:
    """Where a page that was refused leads."""
    return re.findall(r'<a class="button[^"]*" href="([^"]+)"', page.partition("<main")[2])


def test_whoever_is_shown_the_floor_follows_each_table_on_it(web: Web) -> None:
    """An auditor oversees all tables, and is no staff of any."""
    asked = "/live/table-1/floor"
    for person in ("auditor", "surveillance", "inspector"):
        with web.client(person).stream("GET", asked) as stream:
            assert stream.status_code == 200, person
    for person in ("dealer", "player"):
        assert web.client(person).get(asked).status_code == 403, person
    assert web.client("auditor").get("/live/table-1/pit").status_code == 403


@pytest.mark.parametrize("person", STAFF)
def test_whatever_is_refused_leads_on_for_whoever_is_refused(web: Web, person: str) -> None:
    client = web.client(person)
    own = list(bar(client.get("/", headers=HTML)).values())
    for path in ("/house/nothing", "/tables/none/pit", "/tables/table-1/do/nothing", "/rules/none"):
        answer = client.get(path, headers=HTML)
        if answer.status_code == 302:  # to be signed in first
            continue
        assert answer.status_code in (403, 404), path
        found = ways(answer.text)
        assert found[-1] in own or found[0].startswith("/tables/table-1"), path
        for href in found:
            on = client.get(href, headers=HTML, follow_redirects=True)
            assert on.status_code == 200, f"{person}: {path} → {href}"


def test_whoever_is_refused_is_led_back_to_where_they_were(web: Web) -> None:
    client = web.client("inspector")

    def led(path: str, referer: str) -> list[str]:
        return ways(client.get(path, headers=HTML | {"referer": referer}).text)

    assert led("/house/people", f"{web.base}/floor?pit=1") == ["/floor?pit=1", "/house"]
    assert led("/house/people", f"{web.base}/house/people") == ["/house", "/floor"]
    assert led("/house/people", "http://elsewhere.test/floor") == ["/house", "/floor"]
    assert led("/house/people", f"{web.base}//elsewhere.test/")[0] == "/"
    form = "/tables/table-1/do/burn-cards"  # which is not asked for while cards are dealt
    assert led(form, f"{web.base}{form}") == ["/tables/table-1/pit", "/floor"]
    assert ways(web.client("player").get(form, headers=HTML).text)[0] == "/tables/table-1"
