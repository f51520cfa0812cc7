"""The package as it ships: a typed wheel with its data, and a clean public face."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.kit.places import ROOT

PACKED = "puntobanco/rules/documents/rulebook.zip"


def test_the_wheel_is_typed_and_carries_its_data(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    carried = zipfile.ZipFile(wheel)
    names = carried.namelist()
    for wanted in (
        "puntobanco/py.typed",
        "puntobanco/rules/documents/rulesets/tas-2018.toml",
        "puntobanco/rules/competition/templates/four-heats.toml",
        PACKED,
    ):
        assert wanted in names
    rulebook = zipfile.ZipFile(io.BytesIO(carried.read(PACKED)))
    for file in (ROOT / "src" / "puntobanco" / "rules" / "documents" / "rulebook").iterdir():
        assert rulebook.read(file.name) == file.read_bytes()
    server = ROOT / "src" / "puntobanco" / "server"
    for folder in ("templates", "static"):
        shown = {
            file.relative_to(ROOT / "src").as_posix() for file in (server / folder).rglob("*.*")
        }
        assert shown, folder
        assert shown <= set(names)
    assert not [name for name in names if name.startswith("tests")]


def test_light_commands_import_nothing_heavy() -> None:
    """--help must not pay for numbers or servers it does not use."""
    code = (
        "import sys\nfrom puntobanco.cli import app\n"
        "from puntobanco.rules.paper import playthrough\n"
        "heavy = {'numpy', 'numba', 'litestar', 'asyncio', 'sqlite3'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
