"""The shell around every page: what each role can reach, where one is, and where one was going."""

import re
from collections.abc import Iterator

import httpx
import pytest

from puntobanco.server.shell import local_path
from tests.kit.web import Web, demo_house

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
        answer = client.get(href, headers=HTML)
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
