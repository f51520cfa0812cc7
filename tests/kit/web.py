"""A house on the web to test with: a real server on loopback, and its demo people."""

import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

import httpx

from tests.kit.program import PROGRAM


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Web:
    """A running demo house."""

    def __init__(self, folder: Path, port: int, process: subprocess.Popen[str]) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self.port = port
        self.folder = folder
        self.process = process
        lines = (folder / "sign-ins.txt").read_text().splitlines()
        self._clients: dict[str, httpx.Client] = {}
        self.secrets = dict(line.split() for line in lines if len(line.split()) == 2)

    def client(self, person: str = "") -> httpx.Client:
        """A browser's worth of a client, signed in if a person is named."""
        client = self._clients.get(person) if person else None
        if client is None:
            client = self._clients[person or f"anonymous {len(self._clients)}"] = self._new(person)
        return client

    def close(self) -> None:
        for client in self._clients.values():
            client.close()

    def fresh(self, person: str) -> httpx.Client:
        """Signed in anew."""
        old = self._clients.pop(person, None)
        if old is not None:
            old.close()
        return self.client(person)

    def _new(self, person: str) -> httpx.Client:
        headers = {"origin": self.base, "sec-fetch-site": "same-origin"}
        client = httpx.Client(base_url=self.base, headers=headers, timeout=20)
        if person:
            form = {"who": person, "secret": self.secrets[person]}
            answer = client.post("/sign-in", data=form)
            assert answer.status_code == 303, answer.text
        return client


@contextmanager
def demo_house(folder: Path, bets: int = 15, port: int = 0, *, cup: bool = False) -> Iterator[Web]:
    """Start a demo house as its users do, and stop it as they do; with its competition or not."""
    port = port or free_port()
    command = [sys.executable, "-m", "puntobanco", "demo", "--port", str(port)]
    command += ["--bets", str(bets), "--cup" if cup else "--no-cup"]
    process = subprocess.Popen(
        [*command, "--folder", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if "The house is open" in line:
                break
        _wait_for(f"http://127.0.0.1:{port}/", process)
        web = Web(folder, port, process)
        try:
            yield web
        finally:
            web.close()
    finally:
        if process.poll() is None:
            process.send_signal(2)
        said = process.communicate(timeout=20)[0]
        assert "Traceback" not in said, said


class Served:
    """A house that `serve` runs: where it is, and what it said so far."""

    def __init__(self, process: subprocess.Popen[str], base: str, said: list[str]) -> None:
        self.process, self.base, self.said = process, base, said

    def end(self) -> str:
        """Stop it as people do; all that it said."""
        if self.process.poll() is None:
            self.process.send_signal(2)
        self.said.append(self.process.communicate(timeout=30)[0])
        said = "".join(self.said)
        assert "Traceback" not in said, said
        return said


@contextmanager
def serving(*args: str, program: Sequence[str] = PROGRAM, port: int = 0) -> Iterator[Served]:
    """Run `serve` in a process of its own, until it is open."""
    port = port or free_port()
    process = subprocess.Popen(
        [*program, "serve", "--port", str(port), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    served = Served(process, f"http://127.0.0.1:{port}", [])
    try:
        for line in process.stdout:
            served.said.append(line)
            if "The house is open" in line:
                break
        _wait_for(f"{served.base}/health", process)
        yield served
    finally:
        served.end()


def _wait_for(url: str, process: subprocess.Popen[str]) -> None:
    for _ in range(200):
        try:
            httpx.get(url)
        except httpx.TransportError:
            assert process.poll() is None, "the server ended"
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server does not answer")


def give(
    client: httpx.Client, path: str, body: object = None, command_id: str = ""
) -> httpx.Response:
    headers = {"Command-Id": command_id or str(uuid.uuid4())}
    return client.post(f"/api{path}", json=body if body is not None else {}, headers=headers)


def grant(web: Web, person: str, role: str) -> None:
    """A role, by one manager of the demo and the other."""
    give(web.client("manager"), "/register/grant", {"person": person, "role": role})
    agree(web)


def agree(web: Web) -> None:
    """The other manager agrees to what waits for a second person."""
    deputy = web.client("deputy")
    (waits,) = (one for one in deputy.get("/api/waiting").json() if one["kind"] == "second")
    answer = give(deputy, "/register/approve", {"proposal": waits["number"]})
    assert answer.is_success, answer.text


TICKED = ("radio", "checkbox")


class FormReader(HTMLParser):
    """What a browser would send of a page's fields, were its form sent as it is."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}
        self._name = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        name, value = has.get("name") or "", has.get("value") or ""
        if tag in ("select", "textarea"):
            self._name = name
        elif tag == "option" and ("selected" in has or self._name not in self.sent):
            self.sent[self._name] = value
        elif tag == "input" and name and ("checked" in has or has.get("type") not in TICKED):
            self.sent[name] = value

    def handle_data(self, data: str) -> None:
        if self.lasttag == "textarea" and data.strip():
            self.sent[self._name] = data


def form_on(page: str) -> dict[str, str]:
    """The fields of a page's forms, as they are filled in."""
    return {name: value for name, value in FormReader(page).sent.items() if value}
