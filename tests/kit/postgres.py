"""A real, private PostgreSQL server for the tests, from Debian's package."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

NUMBERS = count(1)


def binaries() -> Path | None:
    """Where the server's programs are, if they are installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


class Server:
    """A server that listens on a socket in a folder of its own, and can be stopped and started."""

    def __init__(self, folder: str) -> None:
        programs = binaries()
        assert programs is not None
        self.folder = folder
        user = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
        if user:
            shutil.chown(folder, user)
        self._run: dict[str, Any] = {"cwd": folder, "user": user}
        self._run |= {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        data = f"{folder}/data"
        make: list[str | Path] = [
            programs / "initdb",
            "-D",
            data,
            "-U",
            "tester",
            "-A",
            "trust",
            "-k",
            "-N",
        ]
        subprocess.run(make, check=True, **self._run)
        listens = ("-k", folder, "-c", "listen_addresses=")
        self._command: list[str | Path] = [programs / "postgres", "-D", data, *listens]

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, **self._run)
        _wait(self.folder)

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        """At once, as when it crashes."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(timeout=30)


@contextmanager
def own_server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        server = Server(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def server() -> Iterator[str]:
    """Start a server; yields the folder of its socket."""
    with own_server() as started:
        yield started.folder


def _wait(folder: str) -> None:
    for _ in range(300):
        with suppress(psycopg.OperationalError):
            psycopg.connect(url(folder, "postgres"), connect_timeout=1).close()
            return
        subprocess.run(["sleep", "0.1"], check=True)
    raise AssertionError("the server did not come up")


def url(folder: str, name: str, user: str = "tester") -> str:
    return f"postgresql:///{name}?host={folder}&user={user}"


def new_database(folder: str) -> str:
    """The URL of an empty database."""
    name = f"house{next(NUMBERS)}"
    with psycopg.connect(url(folder, "postgres"), autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}")
    return url(folder, name)
