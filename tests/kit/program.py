"""The program as people run it: in this process by `run`, or in one of its own by `started`."""

import io
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import Any, NamedTuple
from unittest.mock import patch

from rich.console import Console

PROGRAM = [sys.executable, "-m", "puntobanco"]
SERVERS = ("serve", "demo")
"""Commands that change the process that they run in."""


class Done(NamedTuple):
    code: int
    stdout: str
    stderr: str


def started(
    *args: str, stdin: str = "", columns: int = 120, program: Sequence[str] = PROGRAM
) -> Done:
    """Run the installed program in a process of its own."""
    done = subprocess.run(
        [*program, *args],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **surroundings(columns)},
    )
    return Done(done.returncode, done.stdout, done.stderr)


def called(*args: str, stdin: str = "", columns: int = 120) -> Done:
    """Run the program in this process; tests/cli/test_process.py proves it says the same."""
    with patch.dict(os.environ, surroundings(columns)), written() as files:
        from puntobanco.cli import app, main, show  # noqa: PLC0415  consoles ask for the columns

        with (
            patch.object(show.console, "_width", columns),
            patch.object(app, "_console", Console(width=columns)),  # of its help, kept otherwise
            patch.object(sys, "argv", ["puntobanco", *args]),
            patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()))),
            warnings.catch_warnings(),
        ):
            warnings.filterwarnings("ignore", "Cyclopts application invoked")  # by a test: yes
            try:
                main()
            except SystemExit as end:
                code = end.code
    assert isinstance(code, int)
    return Done(code, *files)


@contextmanager
def written() -> Iterator[list[str]]:
    """Standard output and error as real files, which a program may close; then their text."""
    texts: list[str] = []
    with TemporaryFile() as out, TemporaryFile() as err:
        kept = [os.dup(file.fileno()) for file in (out, err)]
        stdout, stderr = (
            io.TextIOWrapper(file, encoding="utf-8", write_through=True) for file in (out, err)
        )
        try:
            with patch.object(sys, "stdout", stdout), patch.object(sys, "stderr", stderr):
                yield texts
                stdout.flush()
                stderr.flush()
        finally:
            for number in kept:
                with os.fdopen(number, encoding="utf-8") as file:
                    file.seek(0)
                    texts.append(file.read())


def surroundings(columns: int) -> dict[str, str]:
    return {"COLUMNS": str(columns), "NO_COLOR": "1"}


def run(
    *args: str,
    stdin: str = "",
    code: int = 0,
    columns: int = 120,
    out: bool = False,
    program: Sequence[str] = (),
) -> str:
    """Run the program; return its output, or what it says is wrong."""
    if program or args[0] in SERVERS:
        done = started(*args, stdin=stdin, columns=columns, program=program or PROGRAM)
    else:
        done = called(*args, stdin=stdin, columns=columns)
    assert done.code == code, done.stdout + done.stderr
    return done.stderr if code and not out else done.stdout


def run_json(*args: str, stdin: str = "", code: int = 0) -> Any:
    return json.loads(run(*args, "--json", stdin=stdin, code=code, out=bool(code)))


def without(*modules: str) -> list[str]:
    """The program on a machine where these modules are not installed."""
    missing = "".join(f"sys.modules[{name!r}] = None; " for name in modules)
    return [sys.executable, "-c", f"import sys; {missing}from puntobanco.cli import main; main()"]


def refused(*args: str, program: Sequence[str] = ()) -> str:
    """Run the program with bad input: exit code 2 and one clear line."""
    said = run(*args, code=2, program=program)
    assert said.startswith("puntobanco: ")
    assert said.count("\n") == 1
    assert "Traceback" not in said
    return said
