"""A plain install: what it can do, and what a command says whose extra is missing."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from puntobanco.cli import COMMANDS
from puntobanco.extras import EXTRA_OF
from tests.kit.commands_once import EXTRA, ONCE, check_plain, furnish
from tests.kit.places import ROOT

PLAIN = (
    "import sys\nfrom puntobanco.extras import EXTRA_OF\n"
    "sys.modules.update(dict.fromkeys(EXTRA_OF))\n"  # None there: it cannot be imported
    "from puntobanco.cli import main\nmain()\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("plain")
    furnish(made)
    return made


def run_in(folder: Path, *args: str) -> tuple[int, str]:
    """The exit code, and what was said: of what is wrong, if anything is."""
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, *args],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_CONFIG_HOME": str(folder)},
    )
    return done.returncode, done.stderr if done.returncode else done.stdout


def test_every_command_works_or_says_what_to_install(folder: Path) -> None:
    assert {once[0] for once in ONCE} == set(COMMANDS)
    for once in ONCE:
        check_plain(lambda *args: run_in(folder, *args), once)


def test_a_database_a_picture_and_a_receipt_say_what_they_want(folder: Path) -> None:
    (folder / "r.json").write_text(RECEIPT)
    for args, extra in (
        (("verify", "postgresql://localhost/none"), "postgres"),
        (("odds", "course", "a.shoe", "--plot", "a.png"), "plot"),
        (("verify", "r.json"), "server"),
    ):
        code, said = run_in(folder, *args)
        assert code == 2, said
        assert f"pip install 'puntobanco[{extra}]'" in said
        assert said.count("\n") == 1


def test_the_library_says_it_too() -> None:
    code = PLAIN.replace("from puntobanco.cli import main\nmain()\n", "") + (
        "import puntobanco as pb\n"
        "assert pb.price('tas-2018').worths\n"
        "try:\n    pb.simulate\n"
        "except ModuleNotFoundError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "this wants the extra 'sim': pip install 'puntobanco[sim]'\n"


def test_every_extra_is_declared_and_every_module_of_one_is_known() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert set(EXTRA_OF.values()) | {"all"} <= set(extras)
    assert set(EXTRA.values()) <= set(EXTRA_OF.values())
    (everything,) = extras["all"]
    assert everything == f"puntobanco[{','.join(sorted(set(extras) - {'all'}))}]"


ELSEWHERE = """
import asyncio, os, signal, socket, subprocess, sys, time  # each does there without what we take
import multiprocessing.context, multiprocessing.resource_tracker, shutil, ssl, tempfile, tarfile
GONE = "fcntl resource uvloop pwd grp termios tty pty readline curses syslog"
WITHOUT = {
    os: "O_NOFOLLOW O_CLOEXEC O_NONBLOCK O_DIRECTORY O_SYNC fork forkpty getuid geteuid getgid"
    " getegid getgroups statvfs fstatvfs mkfifo uname sync fdatasync posix_fallocate getloadavg"
    " chown lchown fchown fchmod pread pwrite killpg setsid getpgid WNOHANG sched_getaffinity"
    " nice sysconf openpty setuid posix_spawn ttyname wait3 wait4 register_at_fork sendfile",
    signal: "SIGHUP SIGKILL SIGUSR1 SIGUSR2 SIGALRM SIGPIPE SIGCHLD SIGQUIT SIGTSTP SIGCONT pause"
    " setitimer alarm pthread_kill pthread_sigmask sigwait siginterrupt",
    socket: "SO_REUSEPORT", time: "tzset",
}
sys.modules.update(dict.fromkeys(GONE.split()))
for module, names in WITHOUT.items():
    for name in names.split():
        delattr(module, name)
def held(path, folder=None):
    # Windows takes away or replaces no file that somebody has open
    at = os.readlink(f"/proc/self/fd/{folder}") if folder is not None else os.getcwd()
    file = os.path.realpath(os.path.join(at, path))
    for number in os.listdir("/proc/self/fd"):
        place = f"/proc/self/fd/{number}"
        if os.path.lexists(place) and os.readlink(place) == file and not os.path.isdir(file):
            sys.exit(f"{file} is open, and cannot be taken away")
def careful(do):
    def done(path, *others, dir_fd=None, **more):
        for one in (path, *others):
            held(one, dir_fd)
        return do(path, *others, **({} if dir_fd is None else {"dir_fd": dir_fd}), **more)
    return done
fds = os.supports_dir_fd
for name in ("unlink", "remove", "replace", "rename"):
    whole = getattr(os, name)
    setattr(os, name, careful(whole))
    if whole in fds:
        fds.add(getattr(os, name))
import puntobanco, puntobanco_verifier
from puntobanco.cli import main
assert puntobanco.price("tas-2018").worths
for line in sys.argv[1:]:
    sys.argv = ["puntobanco", *line.split()]
    try:
        main()
    except SystemExit as end:
        print(line, end.code, file=sys.stderr)
sys.exit(puntobanco_verifier.main(["b.jsonl"]))
"""
"""Python as it is on Windows: without what only others have, and with no encoding by default."""
READING = (
    "deal 9c Kd",
    "replay a.session --house old.db --secret k",
    "export table-1 --house old.db --to t.jsonl",
    "verify t.jsonl",
    "verify old.db",
    "report --house old.db",
    "games table-1 --house old.db",
    "backup --house old.db --to old-copy.db",
    "drill old-copy.db",
    "restore old-copy.db --to old-back.db",
    "competition prove cup.toml",
    "rules show tas-2018:9.4",
    "program",
    "roads BBP",
)
RUNNING = ("serve --house n.db --secret n.key", "demo", "password mara --house old.db --secret k")


def test_where_no_file_can_be_locked_all_works_but_to_run_a_house(folder: Path) -> None:
    """Reading, verifying and the library want nothing that Windows lacks; to run a house does."""
    strict = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")
    done = subprocess.run(
        [sys.executable, *strict, "-c", ELSEWHERE, *READING, *RUNNING],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stderr.splitlines()
    assert done.returncode == 0, done.stderr
    assert lines[: len(READING)] == [f"{line} 0" for line in READING]
    for said, ended, line in zip(
        lines[len(READING) :: 2], lines[len(READING) + 1 :: 2], RUNNING, strict=True
    ):
        assert ended == f"{line} 2"
        assert said.startswith("puntobanco: a house is run on Linux or macOS")


RECEIPT = (
    '{"form":"puntobanco-receipt-1","stream":"table-1","seq":1,"at_ms":0,"actor":"a",'
    '"command_id":"c","command_hash":"00","clauses":"","events":"[]","previous":"00","hash":"00",'
    '"key":"00","signature":"00"}'
)
