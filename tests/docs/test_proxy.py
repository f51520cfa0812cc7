"""`kits/nginx.conf` in a real nginx, before two servers that say what they were sent."""

import asyncio
import re
import shutil
import ssl
import subprocess
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.kit.places import ROOT
from tests.kit.web import free_port

NGINX = shutil.which("nginx", path=f"{Path('/usr/sbin')}:/usr/bin:/usr/local/sbin:/usr/local/bin")
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""Folders that nginx makes wherever it was built for, which may not be ours."""
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed: see tools/nginx.sh")


class Upstream:
    """A server of the house as the proxy sees it; it may hang up on whoever gives a command."""

    def __init__(self, *, hangs_up: bool = False) -> None:
        self.port = free_port()
        self.asked: list[str] = []
        self.read_on = asyncio.Event()
        self._hangs_up = hangs_up

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if length := LENGTH.search(head):
            await reader.readexactly(int(length[1]))
        self.asked.append(head.decode())
        if self._hangs_up:
            writer.close()
            return
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
        writer.write(b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n6\r\nfirst\n\r\n")
        if b"/live/" in head:
            await self.read_on.wait()
        writer.write(b"5\r\nlast\n\r\n0\r\n\r\n")
        await writer.drain()
        writer.close()


def certificate(folder: Path) -> None:
    """A certificate of one's own for this machine."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "cert.pem").write_bytes(made.public_bytes(pem))
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    (folder / "cert.key").write_bytes(secret)


def configured(folder: Path, upstreams: tuple[Upstream, Upstream]) -> tuple[Path, int, int]:
    """The kit's own file, with this machine's places and ports; by TLS, and plain."""
    text, by_tls, plain = (ROOT / "kits" / "nginx.conf").read_text(), free_port(), free_port()
    places = "".join(f"    {name}_temp_path {folder / name};\n" for name in TEMPORARY)
    for old, new in (
        ("house-1:8000", f"127.0.0.1:{upstreams[0].port}"),
        ("house-2:8000", f"127.0.0.1:{upstreams[1].port}"),
        ("/etc/nginx/tls", str(folder)),
        ("listen 443", f"listen 127.0.0.1:{by_tls}"),
        ("listen 80", f"listen 127.0.0.1:{plain}"),
        ("http {\n", f"http {{\n{places}"),
    ):
        assert text.count(old) >= 1, old
        text = text.replace(old, new)
    file = folder / "nginx.conf"
    file.write_text(f"daemon off;\npid {folder / 'pid'};\n{text}")
    return file, by_tls, plain


@contextmanager
def proxied(upstreams: tuple[Upstream, Upstream]) -> Iterator[tuple[Path, int, int]]:
    """A folder with the proxy's certificate, and the ports by TLS and plain."""
    assert NGINX is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # nginx's workers pass through
        certificate(folder)
        file, by_tls, plain = configured(folder, upstreams)
        said = ["-p", name, "-e", str(folder / "said"), "-c", str(file)]
        tried = subprocess.run([NGINX, "-t", *said], capture_output=True, text=True, check=False)
        assert tried.returncode == 0, tried.stderr
        with subprocess.Popen([NGINX, *said], stderr=subprocess.DEVNULL) as process:
            try:
                yield folder, by_tls, plain
            finally:
                process.terminate()


def with_client(
    use: Callable[[httpx.AsyncClient, int], Awaitable[None]], first: Upstream, second: Upstream
) -> None:
    async def main(folder: Path, by_tls: int, plain: int) -> None:
        servers = [
            await asyncio.start_server(one.answer, "127.0.0.1", one.port) for one in (first, second)
        ]
        await listening(by_tls)
        trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
        base = f"https://localhost:{by_tls}"
        async with httpx.AsyncClient(base_url=base, verify=trust, timeout=20) as client:
            await use(client, plain)
        for server in servers:
            server.close()

    with proxied((first, second)) as (folder, by_tls, plain):
        asyncio.run(main(folder, by_tls, plain))


async def listening(port: int) -> None:
    for _ in range(400):
        with suppress(OSError):
            (await asyncio.open_connection("127.0.0.1", port))[1].close()
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the proxy does not listen")


def test_streams_pass_unbuffered_and_addresses_are_the_proxys_own_word() -> None:
    houses = Upstream(), Upstream()

    async def use(client: httpx.AsyncClient, plain: int) -> None:
        lied = {"X-Forwarded-For": "203.0.113.9"}
        async with client.stream("GET", "/live/table-1/player", headers=lied) as answer:
            lines = answer.aiter_lines()
            async with asyncio.timeout(20):
                assert await anext(lines) == "first"  # though the server has not said the rest
                for house in houses:
                    house.read_on.set()
                assert await anext(lines) == "last"
        (asked,) = [*houses[0].asked, *houses[1].asked]
        told = re.findall(r"(?im)^x-forwarded-for: (.*?)\r", asked)
        assert told == ["127.0.0.1"]
        assert re.search(rf"(?im)^host: localhost:{client.base_url.port}\r", asked)
        moved = await client.get(f"http://localhost:{plain}/tables/table-1?x=1")
        assert (moved.status_code, moved.headers["location"]) == (
            301,
            "https://localhost/tables/table-1?x=1",
        )

    with_client(use, *houses)


def test_a_page_goes_to_the_other_server_and_a_command_is_sent_once() -> None:
    """The proxy cannot know whether it was done; whoever gave it tries again with its id."""
    dead, house = Upstream(hangs_up=True), Upstream()

    async def use(client: httpx.AsyncClient, _plain: int) -> None:
        for _ in range(4):
            answer = await client.post("/api/tables/table-1/sit", json={"seat": 1})
            assert answer.status_code in (200, 503)
        given = [one for one in dead.asked + house.asked if one.startswith("POST")]
        assert len(given) == 4
        for _ in range(4):
            assert (await client.get("/")).status_code == 200

    with_client(use, dead, house)


def test_while_no_house_answers_it_is_said_in_words_and_asked_again() -> None:
    """A page that was opened meanwhile comes back by itself, and a program knows when to."""

    async def use(client: httpx.AsyncClient, _plain: int) -> None:
        for _ in range(3):
            answer = await client.get("/tables/table-1")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
            assert int(answer.headers["refresh"]) <= 5
            assert "The house does not answer" in answer.text
            assert "<main" not in answer.text  # by which a live page knows its own house

    with_client(use, Upstream(hangs_up=True), Upstream(hangs_up=True))
