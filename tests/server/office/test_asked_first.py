"""What cannot be taken back by another press is said before it is done."""

import html
import re
from collections.abc import Iterator

import pytest

from tests.kit.web import Web, demo_house

HTML = {"accept": "text/html"}
ASKED = re.compile(
    r'<details class="asks-first"><summary.*?</summary><div><p>([^<]+)</p>(.*?)</details>',
    re.DOTALL,
)
GONE = re.compile(r'action="[^"]*/(?:revoke|end|remove|slip|password)"')
"""Presses after which something is no more."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=3) as web:
        yield web


def test_what_one_press_would_end_says_so_before_it_does(web: Web) -> None:
    manager = web.client("manager")
    manager.post("/house/devices", data={"scope": "watch", "table": "table-1"})
    scene = {"title": "One of ours", "story": "A fifth card is out.", "asks": "coup", "then": "-"}
    written = manager.get("/training/tas-2018/write", headers=HTML).text
    lines = re.findall(r"<textarea[^>]*>([^<]*)</textarea>", written)
    scene |= {"before": html.unescape(lines[-2]), "then": html.unescape(lines[-1])}
    kept = manager.post("/training/tas-2018/write", data=scene, headers=HTML)
    assert kept.headers.get("location") == "/training/tas-2018", kept.text
    for page, presses in (
        ("/house/devices", 1),
        ("/house/people/dealer", 2),
        ("/house/people/player", 1),
        ("/training/tas-2018", 1),
    ):
        text = manager.get(page, headers=HTML).text
        asked = [says for says, form in ASKED.findall(text) if GONE.search(form)]
        assert len(asked) == presses == len(GONE.findall(text)), page
        assert all(says.endswith(".") for says in asked)
