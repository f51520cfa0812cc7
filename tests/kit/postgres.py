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

import psycopg

NUMBERS = count(1)


def binaries() -> Path | None:
    """Where the server's programs are, if they are installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


@contextmanager
def server() -> Iterator[str]:
    """Start a server that listens on a socket of its own; yields the folder of the socket."""
    programs = binaries()
    assert programs is not None
    user = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        if user:
            shutil.chown(folder, user)
        data = f"{folder}/data"
        run = {"user": user, "cwd": folder} if user else {"cwd": folder}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        make = [programs / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-k", "-N"]
        subprocess.run(make, check=True, **run, **quiet)  # type: ignore[call-overload]
        command = [programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses="]
        process = subprocess.Popen(command, **run, **quiet)  # type: ignore[call-overload]
        try:
            _wait(folder)
            yield folder
        finally:
            process.send_signal(signal.SIGQUIT)  # at once: what it would still write is thrown away
            process.wait(timeout=30)


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
