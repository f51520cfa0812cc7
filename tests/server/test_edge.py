"""At the socket: whose address a request has, half-sent requests, and pages over plain HTTP."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
import uvicorn

from puntobanco.errors import MalformedError
from puntobanco.journal.log import EventLog
from puntobanco.server.edge.connections import Gate, bounded_by
from puntobanco.server.edge.prompt import PromptProtocol
from puntobanco.server.edge.proxy import client_of, networks_of
from tests.kit.house.sign_in import PASSWORD, Door, noted
from tests.kit.journal import using
from tests.kit.office import app_over

HOUSE = "https://house.test"


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "10.9.9.9", "203.0.113.9"),  # anyone can send the header
        ("10.0.0.2", "", "10.0.0.2"),
        ("10.0.0.2", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.2", "1.1.1.1, 198.51.100.7", "198.51.100.7"),  # the first was the client's own
        ("10.0.0.2", "198.51.100.7, 10.1.2.3", "198.51.100.7"),
        ("10.0.0.2", "198.51.100.7, not an address", "10.0.0.2"),
        ("10.0.0.2", "2001:db8::1", "2001:db8::1"),
        ("", "198.51.100.7", ""),
    ],
)
def test_an_address_is_believed_only_from_a_trusted_proxy(
    peer: str, forwarded: str, client: str
) -> None:
    assert client_of(peer, forwarded, networks_of("10.0.0.2, 10.1.0.0/16")) == client


@pytest.mark.parametrize("text", ["yes", "10.0.0.300", "10.0.0.1/8"])
def test_what_is_no_address_is_no_proxy(text: str) -> None:
    with pytest.raises(MalformedError, match="proxy's addresses"):
        networks_of(text)


def test_failures_are_counted_and_recorded_by_the_clients_own_address(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        door = await Door(log).open()
        app = app_over(door.house, secure=True, proxies=networks_of("10.0.0.2"))
        transport = httpx.ASGITransport(cast("Any", app), client=("10.0.0.2", 1))
        async with httpx.AsyncClient(transport=transport, base_url=HOUSE) as client:

            async def guess(secret: str, forwarded: str) -> int:
                body, via = {"who": "dan", "secret": secret}, {"X-Forwarded-For": forwarded}
                return (await client.post("/api/sign-in", json=body, headers=via)).status_code

            for _ in range(3):
                assert await guess("wrong", "10.0.0.9, 203.0.113.9") == 401
            assert await guess("wrong", "10.0.0.8, 203.0.113.9") == 429  # cannot be talked round
            assert await guess(PASSWORD, "198.51.100.7") == 200
        failed = {one["address"] for one in noted(log) if one["is"] == "sign-in-failed"}
        assert failed == {"203.0.113.9"}

    using(str(tmp_path / "house.db"), use)


def test_a_house_with_tls_takes_no_form_from_a_page_without(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        door = await Door(log).open()
        for secure, origin, status in (
            (True, "https://house.test", 303),
            (True, "http://house.test", 403),
            (True, "house.test", 403),
            (False, "http://house.test", 303),
        ):
            transport = httpx.ASGITransport(cast("Any", app_over(door.house, secure=secure)))
            async with httpx.AsyncClient(transport=transport, base_url=HOUSE) as client:
                form = {"who": "dan", "secret": PASSWORD}
                answer = await client.post("/sign-in", data=form, headers={"origin": origin})
                assert answer.status_code == status, (secure, origin)

    using(str(tmp_path / "house.db"), use)


def test_a_browser_that_signed_in_is_known_and_an_enrolled_one_is_a_station(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        door = await Door(log).open()
        await door.signin.set_password("max", PASSWORD, "mara")
        transport = httpx.ASGITransport(cast("Any", app_over(door.house, secure=True)))
        headers = {"origin": HOUSE}
        async with httpx.AsyncClient(
            transport=transport, base_url=HOUSE, headers=headers
        ) as client:
            for person in ("dan", "max"):
                form = {"who": person, "secret": PASSWORD}
                done = await client.post("/sign-in", data=form)
                kept = [one for one in done.headers.get_list("set-cookie") if "-known=" in one]
                assert len(kept) == 1
                for part in ("__Host-known=", "HttpOnly", "Secure", "SameSite=strict", "Path=/"):
                    assert part in kept[0]
            assert client.cookies["__Host-known"].count(".") == 1  # one for each of the two
            assert "max" not in client.cookies["__Host-known"]
            done = await client.post("/house/stations", data={"name": "desk 1"})
            assert done.status_code == 303
            assert client.cookies["__Host-station"]
            page = await client.get("/house/devices", headers={"accept": "text/html"})
            assert "desk 1" in page.text
            listed = await client.get("/api/devices")
            assert [one["may"] for one in listed.json()] == ["station"]

    using(str(tmp_path / "house.db"), use)


class Slow(PromptProtocol):
    within_s = 0.3


@contextmanager
def served(protocol: type[PromptProtocol] = Slow) -> Iterator[int]:
    """An application that answers whatever was sent, on loopback."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            part = await receive()
            if part["type"] == "http.disconnect":
                return
            body, more = body + part["body"], part["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body, "more_body": True})
        await asyncio.sleep(0.5)  # longer than a request may take to come
        await send({"type": "http.response.body", "body": b"!"})

    with socket.create_server(("127.0.0.1", 0)) as sock:
        config = uvicorn.Config(app, http=protocol, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([sock],), daemon=True)
        thread.start()
        try:
            yield sock.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(10)


HALVES = (
    b"",
    b"GET / HT",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-Sl",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf",
    b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha",
)


def test_half_sent_requests_are_hung_up_on_though_bytes_trickle_in() -> None:
    with served() as port:
        waiting = []
        for half in HALVES * 20:
            one = socket.create_connection(("127.0.0.1", port), timeout=20)
            one.sendall(half)
            waiting.append(one)
        for one in waiting:
            said = b""
            while part := one.recv(1000):  # ends when the server hangs up, or fails after 20 s
                said += part
            assert not said or said.startswith(b"HTTP/1.1 408 "), said
            one.close()


def test_a_whole_request_is_answered_in_full_however_long_the_answer_takes() -> None:
    with served() as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        for _ in range(3):  # over one connection
            assert client.post("/", content=b"whole").text == "whole!"


def said_to(port: int, request: bytes) -> bytes:
    """All that is answered, until the house hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        one.sendall(request)
        return b"".join(iter(lambda: one.recv(1000), b""))


ASKED = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def test_an_address_with_too_many_connections_is_refused_in_words_until_some_are_gone() -> None:
    with served(bounded_by(Gate(3))) as port:
        there = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(3)]
        said = said_to(port, ASKED)
        assert said.startswith(b"HTTP/1.1 503 ")
        assert b"Retry-After: 10\r\n" in said
        assert b"Too many connections from your address" in said
        for one in there:
            one.close()
        tries = (said_to(port, ASKED) for _ in range(20))  # it may not have seen them go yet
        assert any(said.startswith(b"HTTP/1.1 200 ") for said in tries)


def test_far_above_the_bound_nobody_is_answered_and_a_proxy_is_not_counted() -> None:
    gate = Gate(1, networks_of("10.0.0.2, 2001:db8::/64"))
    assert [gate.enter("10.0.0.2") for _ in range(3)] == [0, 0, 0]
    assert [gate.enter("2001:db8:0:1::7"), gate.enter("2001:db8:0:1::8")] == [1, 2]  # one line
    assert gate.enter("2001:db8:0:2::7") == 1
    gate.leave("10.0.0.2")
    gate.leave("2001:db8:0:1::7")
    assert gate.enter("2001:db8:0:1::9") == 2
    with served(bounded_by(Gate(1))) as port:
        held = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(2)]
        assert held[1].recv(12) == b"HTTP/1.1 503"
        with suppress(ConnectionError):
            assert said_to(port, ASKED) == b""
        for one in held:
            one.close()
