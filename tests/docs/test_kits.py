"""What an operator starts from, `kits/`: settings and commands in it are such, and parts fit."""

import re
import shutil
import subprocess
import sys
from importlib import import_module
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest

from puntobanco.cli import app
from puntobanco.cli.house.config import FILE, PREFIX, settings
from puntobanco.register.pictures import MOST_BYTES
from tests.kit.places import ROOT

KITS = ROOT / "kits"
FILES = sorted(file for file in KITS.iterdir() if file.is_file())
UNITS = sorted(KITS.glob("*.service"))
PROGRAM = "/opt/puntobanco/bin/puntobanco"
MOST_EXPOSED = "20"
"""Of 100, by systemd's own reckoning."""


def compose() -> dict[str, Any]:
    """Read by what the documentation site is read with."""
    read: dict[str, Any] = import_module("yaml").safe_load((KITS / "compose.yaml").read_text())
    return read


def flags_of(command: str) -> set[str]:
    arguments = app[command].assemble_argument_collection()
    return {name for argument in arguments for name in argument.names}


def test_every_variable_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {PREFIX + flag[2:].replace("-", "_").upper() for flag in flags_of("serve")}
    named = {name for file in FILES for name in re.findall(r"PUNTOBANCO_\w+", file.read_text())}
    assert named
    assert named <= known
    monkeypatch.setenv(FILE, str(KITS / "puntobanco.toml"))
    told = {name: value for name, value, _ in settings(app)}  # refuses what is no setting
    assert Path(told["house"]).parent != Path(told["secret"]).parent


def test_every_command_is_one_and_has_its_flags() -> None:
    given = [line.split()[1:] for unit in UNITS for line in started_by(unit)]
    given.append(compose()["services"]["prepare"]["command"][1:])
    image = (KITS / "Containerfile").read_text()
    given.append(re.findall(r'^CMD \["puntobanco", "(\w+)"\]', image, re.MULTILINE))
    assert len(given) == 4
    for command, *words in given:
        assert {word for word in words if word.startswith("--")} <= flags_of(command)


def started_by(unit: Path) -> list[str]:
    return re.findall(rf"^ExecStart=({PROGRAM} .*)", unit.read_text(), re.MULTILINE)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_finds_no_fault_in_a_unit_and_little_exposed(unit: Path, tmp_path: Path) -> None:
    here = Path(sys.executable).with_name("puntobanco")
    tried = tmp_path / unit.name
    tried.write_text(unit.read_text().replace(PROGRAM, str(here)))
    for asked in (
        ["verify", "--man=no"],
        ["security", "--offline=yes", f"--threshold={MOST_EXPOSED}"],
    ):
        done = subprocess.run(
            ["systemd-analyze", *asked, str(tried)], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_the_parts_of_the_composition_fit() -> None:
    services, proxy = compose()["services"], (KITS / "nginx.conf").read_text()
    at = services["proxy"]["networks"]["inside"]["ipv4_address"]
    (net,) = compose()["networks"]["inside"]["ipam"]["config"]
    assert ip_address(at) in ip_network(net["subnet"])
    assert ip_address(at) not in ip_network(net["ip_range"])  # given to nobody else
    image = (KITS / "Containerfile").read_text()
    (port,) = re.findall(r"PUNTOBANCO_PORT=(\d+)", image)
    houses = [name for name in services if name.startswith("house-")]
    assert re.findall(r"server (\S+) max_fails", proxy) == [f"{name}:{port}" for name in houses]
    for name in houses:
        held = services[name]["environment"]
        assert held["PUNTOBANCO_BEHIND_TLS"] == at
        assert (
            f"CREATE ROLE {held['PUNTOBANCO_HOUSE'].split('/')[2].split('@')[0]} "
            in (KITS / "house-role.sh").read_text()
        )
    for needed in ("proxy_buffering off", "proxy_read_timeout 1h", "X-Forwarded-For $remote_addr"):
        assert needed in proxy
    (largest,) = re.findall(r"client_max_body_size (\d+)m", proxy)
    assert int(largest) * 1024 * 1024 >= MOST_BYTES * 3 // 2
    for volume in (one for service in services.values() for one in service.get("volumes", [])):
        source = volume.split(":")[0]
        assert source in compose()["volumes"] or source == "./tls" or (KITS / source).is_file()


def test_the_image_is_made_of_what_is_locked() -> None:
    """tests/cli/test_installed.py runs its steps; what they take from a checkout is there."""
    image = (KITS / "Containerfile").read_text()
    lock = (ROOT / "requirements.txt").read_text()
    assert "--require-hashes" in image
    assert re.search(r"^psycopg==", lock, re.MULTILINE)
    tested = (ROOT / "requirements-dev.txt").read_text()
    pins = (set(re.findall(r"^\S+==\S+", text, re.MULTILINE)) for text in (lock, tested))
    assert next(pins) <= next(pins)
    assert "USER puntobanco" in image
    let_in = (KITS / "Containerfile.dockerignore").read_text().splitlines()[1:]
    assert re.findall(r"^COPY (\S+) (\S+) /made/", image, re.MULTILINE) == [
        tuple(one.removeprefix("!") for one in let_in)
    ]


def test_operations_names_every_file_of_the_kits() -> None:
    said = (ROOT / "docs" / "operations.md").read_text()
    hidden = {"Containerfile.dockerignore"}
    assert [file.name for file in FILES if file.name not in said and file.name not in hidden] == []
