"""The installed program, run for real."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

PROGRAM = [sys.executable, "-m", "puntobanco"]


def run(
    *args: str,
    stdin: str = "",
    code: int = 0,
    columns: int = 120,
    out: bool = False,
    program: Sequence[str] = PROGRAM,
) -> str:
    """Run the program; return its output, or what it says is wrong."""
    done = subprocess.run(
        [*program, *args],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": str(columns), "NO_COLOR": "1"},
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stderr if code and not out else done.stdout


def run_json(*args: str, stdin: str = "", code: int = 0) -> Any:
    return json.loads(run(*args, "--json", stdin=stdin, code=code, out=bool(code)))


def without(*modules: str) -> list[str]:
    """The program on a machine where these modules are not installed."""
    missing = "".join(f"sys.modules[{name!r}] = None; " for name in modules)
    return [sys.executable, "-c", f"import sys; {missing}from puntobanco.cli import main; main()"]


def refused(*args: str, program: Sequence[str] = PROGRAM) -> str:
    """Run the program with bad input: exit code 2 and one clear line."""
    said = run(*args, code=2, program=program)
    assert said.startswith("puntobanco: ")
    assert said.count("\n") == 1
    assert "Traceback" not in said
    return said
