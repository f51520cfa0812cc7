"""Bytes that are hardly HTTP, and nonsense on live pages: the server refuses, and goes on."""

import json
import socket
from collections.abc import Iterator

import httpx
import pytest

from puntobanco.server import files
from tests.kit.house.mid_evening import refusal
from tests.kit.web import Web, demo_house


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo")) as web:
        yield web


def first_line(web: Web, request: bytes) -> bytes:
    """What the server says first to these bytes; nothing, if it hangs up or waits for more."""
    host, _, port = web.base.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=2) as one:
        try:
            one.sendall(request)
            one.shutdown(socket.SHUT_WR)
            return one.recv(4096).partition(b"\r\n")[0]
        except OSError:
            return b""


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x00\xff\xfe\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 9x\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /api/tables HTTP/1.1\r\nHost: x:y\r\n\r\n",
        b"GET /api/nothing HTTP/1.1\r\nHost: [\r\n\r\n",
        b"GET http://[x/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /api/tables/table-1/sit HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n",
    ],
    ids=lambda one: repr(one[:40]),
)
def test_bytes_that_are_hardly_http_are_refused(web: Web, request_bytes: bytes) -> None:
    said = first_line(web, request_bytes)
    assert not said or said.split()[1].startswith(b"4"), said
    assert web.client().get("/").status_code == 200


@pytest.mark.parametrize("last", ["x", "-1", "9" * 400, "1\x002", "' OR 1=1", "1, 2"])
def test_whatever_a_live_page_says_it_saw_last_it_gets_the_whole_page(web: Web, last: str) -> None:
    headers = {"Last-Event-ID": last.replace("\x00", "%00"), "Range": "bytes=5-1"}
    with (
        httpx.Client(base_url=web.base, timeout=30) as client,
        client.stream("GET", "/live/table-1/display", headers=headers) as answer,
    ):
        assert answer.status_code == 200
        lines = (line for line in answer.iter_lines() if line.startswith("data: "))
        assert json.loads(next(lines)[6:])["whole"]


def test_a_range_that_makes_no_sense_gets_the_file(web: Web) -> None:
    whole = web.client().get(files.address("style.css"))
    for asked in ("bytes=999999999-", "bytes=-0", "bytes=abc", "lines=1-2"):
        answer = web.client().get(files.address("style.css"), headers={"Range": asked})
        assert (answer.status_code, answer.text) == (200, whole.text)


def test_a_live_page_that_is_none_is_refused_as_data(web: Web) -> None:
    for path in ("/live/table-1/nothing", "/live/table-9/player", "/live/table-1/dealer"):
        for accept in ("text/event-stream", "text/html"):
            refusal(web.client().get(path, headers={"accept": accept}))


@pytest.mark.parametrize(
    ("path", "sheet", "last"),
    [
        ("/tables/table-1", "table.css", "stage/stage.css"),
        ("/tables/table-1/display", "display.css", "live/wall.css"),
        ("/sign-in", "page.css", "live/roads.css"),
        ("/tables/none", "page.css", "desk.css"),
    ],
)
def test_a_page_wears_what_its_reader_chose_and_has_its_styles_in_one_file(
    web: Web, path: str, sheet: str, last: str
) -> None:
    html = {"accept": "text/html"}
    plain = web.client().get(path, headers=html).text
    assert '<html lang="en">' in plain
    worn = web.client().get(path, headers={**html, "cookie": "look=dark.contrast.pink"}).text
    assert '<html lang="en" data-theme="dark" data-contrast="more">' in worn
    assert plain.count('rel="stylesheet"') == 1
    assert f'href="{files.address(sheet)}"' in plain
    styles = web.client().get(files.address(sheet)).text
    for name in ("tokens.css", "style.css", last):
        assert (files.FOLDER / name).read_text("utf-8") in styles
