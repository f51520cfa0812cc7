"""The wheel, installed outside the checkout: every command once, with each Python there is.

Always: a plain install, with one Python. With --slow: with all of them, and with every extra.
"""

import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from functools import reduce
from pathlib import Path
from typing import NamedTuple

import pytest

from puntobanco.cli import COMMANDS
from tests.kit.commands_once import ONCE, SERVERS, check_plain, furnish
from tests.kit.places import ROOT
from tests.kit.web import free_port

UV = str(Path(sys.executable).with_name("uv"))
MOST_OTHERS = 18_000_000
"""What other people's packages may take: a dependency too many is more than the rest together."""
MOST_OWN = 13_500_000
"""What the program itself may take, bytecode and all: it grows by what it does, and nobody ships
something large with it unseen.
"""
OLDEST = 11
WHERE = "import puntobanco; print(puntobanco.__file__)"


def pythons() -> Iterator[str]:
    """Each Python from 3.11 up that starts, one of a kind; pyenv keeps some off the path."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(OLDEST, OLDEST + 10):
        named = f"python3.{minor}"
        found = [shutil.which(named), *map(str, sorted(kept.glob(f"3.{minor}.*/bin/{named}")))]
        yield from [one for one in found if one and _starts(one)][:1]


def _starts(python: str) -> bool:
    return subprocess.run([python, "-c", ""], check=False, capture_output=True).returncode == 0


class Installed(NamedTuple):
    """A fresh environment with the package in it, and a folder to work in."""

    environment: Path
    folder: Path

    def run(self, *args: str) -> tuple[int, str]:
        done = subprocess.run(
            [self.environment / "bin" / "puntobanco", *args],
            cwd=self.folder,
            env=self.variables,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr if done.returncode else done.stdout

    @property
    def variables(self) -> dict[str, str]:
        """Nothing that leads back to the checkout."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return {**kept, "XDG_CONFIG_HOME": str(self.folder), "NUMBA_CACHE_DIR": str(self.folder)}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (made,) = place.glob("*.whl")
    return made


def test_the_same_files_make_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """To the byte, whoever builds it and when."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, env=os.environ | {"TZ": "X+9"})
    (again,) = tmp_path.glob("*.whl")
    assert again.read_bytes() == wheel.read_bytes()


def install(wheel: Path, extra: str, python: str, place: Path) -> Installed:
    environment, folder = place / "environment", place / "work"
    folder.mkdir()
    furnish(folder)
    subprocess.run([UV, "venv", "--quiet", "--python", python, environment], check=True)
    add = [UV, "pip", "install", "--quiet", "--python", str(environment)]
    probe = subprocess.run(
        [*add, "--dry-run", "msgspec"], capture_output=True, text=True, check=False, cwd=place
    )
    if probe.returncode:
        pytest.skip(f"no package index can be reached: {probe.stderr.strip()[-120:]}")
    wanted = f"puntobanco{extra} @ {wheel.as_uri()}"
    subprocess.run([*add, "--compile-bytecode", wanted], check=True, cwd=place)
    return Installed(environment, folder)


def check_outside(installed: Installed) -> None:
    """What runs is the wheel, not the checkout."""
    where = subprocess.run(
        [str(installed.environment / "bin" / "python"), "-c", WHERE],
        cwd=installed.folder,
        env=installed.variables,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert str(installed.environment) in where


def check_all_plain(wheel: Path, python: str, place: Path) -> Installed:
    installed = install(wheel, "", python, place)
    check_outside(installed)
    for once in ONCE:
        check_plain(installed.run, once)
    return installed


def check_server(installed: Installed, once: tuple[str, ...], port: int) -> None:
    """It opens the house, and shuts it when it is told to."""
    with subprocess.Popen(
        [installed.environment / "bin" / "puntobanco", *once, "--port", str(port)],
        cwd=installed.folder,
        env=installed.variables,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        try:
            said = next((line for line in running.stdout if "The house is open" in line), "")
        finally:
            running.send_signal(signal.SIGINT)
        assert said, once
        running.stdout.read()
    assert running.returncode == 0, once


def test_a_plain_install_is_light_and_runs_every_command(wheel: Path, tmp_path: Path) -> None:
    installed = check_all_plain(wheel, sys.executable, tmp_path)
    (packages,) = (installed.environment / "lib").glob("python3*/site-packages")
    files = [one for one in packages.rglob("*") if one.is_file()]
    assert any(one.suffix == ".pyc" for one in files)
    own = {one for one in files if "puntobanco" in one.relative_to(packages).parts[0]}
    own |= {*packages.glob("__pycache__/puntobanco*")}
    assert sum(one.stat().st_size for one in own) <= MOST_OWN
    assert sum(one.stat().st_size for one in files if one not in own) <= MOST_OTHERS
    assert len([*packages.glob("*.dist-info")]) <= 10


IMAGE = (ROOT / "kits" / "Containerfile").read_text()


def run_the_images_steps(wheel: Path, root: Path) -> Path:
    """Where the environment is that the first stage of `kits/Containerfile` makes."""
    made, opt = root / "made", root / "opt"
    made.mkdir()
    for file in (wheel, ROOT / "requirements.txt"):
        shutil.copy(file, made)
    ours = {
        "python -m venv": f"{UV} venv --quiet --python {sys.executable}",
        "/opt/puntobanco/bin/pip install --no-cache-dir": f"{UV} pip install -q --python {opt}",
        "/opt/puntobanco": str(opt),
        "/made": str(made),
    }
    steps = re.findall(r"^RUN (.*)", IMAGE.split("\nFROM ")[1], re.MULTILINE)
    assert len(steps) == 4
    for step in steps:
        line = reduce(lambda line, word: line.replace(word, ours[word]), ours, step)
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        if "error sending request" in done.stderr:
            pytest.skip(f"no package index can be reached: {done.stderr.strip()[-120:]}")
        assert done.returncode == 0, (line, done.stdout, done.stderr)
    return opt / "bin"


def images_settings(root: Path, port: int) -> dict[str, str]:
    """What the image sets, with folders of ours and a free port."""
    (said,) = re.findall(r"^ENV ((?:.*\\\n)*.*)", IMAGE, re.MULTILINE)
    told = dict(word.split("=", 1) for word in said.replace("\\\n", " ").split())
    for name in ("data", "key"):
        (root / name).mkdir()
    places = {name: f"{root}{at}" for name, at in told.items() if at.startswith(("/data", "/key"))}
    return {**told, **places, "PUNTOBANCO_HOST": "127.0.0.1", "PUNTOBANCO_PORT": str(port)}


def test_the_images_steps_make_a_house_that_is_well(wheel: Path, tmp_path: Path) -> None:
    """In a clean folder: what the image runs, sets, starts, asks itself and is stopped by."""
    programs, port = run_the_images_steps(wheel, tmp_path), free_port()
    (asks,) = re.findall(r'^  CMD \["python", "-c", "(.*)"\]$', IMAGE, re.MULTILINE)
    (starts,) = re.findall(r'^CMD \["puntobanco", "(\w+)"\]$', IMAGE, re.MULTILINE)
    (stops,) = re.findall(r"^STOPSIGNAL (\w+)$", IMAGE, re.MULTILINE)
    with subprocess.Popen(
        [programs / "puntobanco", starts],
        cwd=tmp_path,
        env={**os.environ, **images_settings(tmp_path, port)},
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert any("The house is open" in line for line in running.stdout)
        asked = [programs / "python", "-c", asks.replace("8000", str(port))]
        assert subprocess.run(asked, check=False).returncode == 0
        running.send_signal(signal.Signals[stops])
    assert running.returncode == 0
    assert "house.db" in {file.name for file in (tmp_path / "data").iterdir()}
    assert {file.name for file in (tmp_path / "key").iterdir()} == {"house.key", "house.key.root"}


@pytest.mark.parametrize("python", list(pythons()))
def test_every_python_runs_every_command(
    wheel: Path, python: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if not request.config.getoption("--slow"):
        pytest.skip("takes a minute for each Python: --slow")
    check_all_plain(wheel, python, tmp_path)


@pytest.mark.parametrize("python", list(pythons()))
def test_with_every_extra_every_command_works(
    wheel: Path, python: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if not request.config.getoption("--slow"):
        pytest.skip("installs hundreds of megabytes: --slow")
    installed = install(wheel, "[all]", python, tmp_path)
    assert {once[0] for once in ONCE} == set(COMMANDS)
    for once in ONCE:
        if once[0] in SERVERS:
            check_server(installed, once, free_port())
        else:
            code, said = installed.run(*once)
            assert code == 0, (once, said)


def test_the_package_page_says_what_it_is(wheel: Path) -> None:
    """Metadata for a package index: Pythons, licence, typing, and no picture that cannot show."""
    with zipfile.ZipFile(wheel) as opened:
        (name,) = (one for one in opened.namelist() if one.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(opened.read(name))
    kinds = metadata.get_all("Classifier") or []
    assert "Typing :: Typed" in kinds
    assert f"Programming Language :: Python :: 3.{OLDEST}" in kinds
    assert metadata["License-Expression"] == "MIT"
    assert {"all", "sim", "server", "postgres", "cluster", "plot"} <= {
        *(metadata.get_all("Provides-Extra") or [])
    }
    page = str(metadata.get_payload())
    assert page.startswith("# puntobanco")
    assert not re.findall(r"\]\((?!https?:)", page), "a link that leads nowhere from a package page"


def test_with_an_address_pictures_and_links_of_the_page_lead_there() -> None:
    page = runpy.run_path(str(ROOT / "tools" / "package_page.py"))["page"]
    shown = page((ROOT / "README.md").read_text(), "https://example.org/v1/")
    assert "(https://example.org/v1/docs/pictures/table.webp)" in shown
    assert "(https://example.org/v1/docs/library.md)" in shown
    assert not re.findall(r"\]\((?!https?:)", shown)
