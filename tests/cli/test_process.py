"""The program in a process of its own says what it says in the tests' own process.

Other tests call it where they are (tests/kit/program.py): most answers take less than a start.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from puntobanco.cli import COMMANDS
from puntobanco.cli.competition import COMMANDS as COMPETITION
from puntobanco.rules.competition.draw import Spoken, certify, places_at, write_certificate
from tests.kit.commands_once import ONCE
from tests.kit.places import DATA, PLAYTHROUGHS
from tests.kit.program import called, started

CUP = DATA / "competitions" / "spring-cup.toml"
SCRIPT = DATA / "competitions" / "decided.competition"
LIMITS = ("--limits", "100-2000")
CLINCH = ("--ruleset", "tas-2018", *LIMITS, "--chips", "A 21001,B 5000", "--advance", "1")
FORM = ("--held", "6000", *LIMITS, "--unit", "5", "--left", "3", "--form", "1000|one thousand|b")
SAID: dict[str, tuple[str, ...]] = {
    "templates": (),
    "new": ("canberra",),
    "prove": (str(CUP),),
    "pool": ("--ruleset", "tas-2018", "--fee", "55.55", "--entries", "36", "--retained", "10.5"),
    "refund": ("--ruleset", "tas-2018", "--fee", "10", "--start", "yesterday"),
    "places": ("--ruleset", "act-2015", "--chips", "A 9,B 4,C 4", "--advance", "2"),
    "secret": FORM,
    "clinch": (*CLINCH, "--coups", "1", "--json"),
    "run": (str(SCRIPT), "--json"),
    "draw-check": ("draw.json",),
    "results": ("house", "cup"),
    "export": ("house", "cup", "cup.jsonl"),
    "certificate": ("house", "cup"),
    "entries": ("house", "cup"),
    "data": ("house", "cup", "draw"),
    "import-entries": ("house", "cup", "entries.csv"),
}


@pytest.mark.parametrize("name", COMPETITION)
def test_a_command_of_a_competition(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = certify(
        ("cup", "heats", 1), bytes(32), (Spoken("w", "x"),), ("a",), places_at([("t", 1)])
    )
    (tmp_path / "draw.json").write_text(write_certificate(draw))
    monkeypatch.chdir(tmp_path)
    asked = ("competition", name, *SAID[name])
    done = started(*asked)
    assert done == called(*asked)
    assert done.stdout or done.code == 2


ASKED = [
    ("--help",),
    ("competition", "--help"),
    ("deal", "6c", "Kd", "Kh", "7s", "4d@p"),
    ("deal", "1c"),
    ("deal", "9c", "--notice", "/no/such/file"),
    ("settle", "--shoe", str(PLAYTHROUGHS / "singapore-2017.shoe")),
    ("roads", "-"),
    ("rules", "compare", "tas-2018", "tas-2013"),
]


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_what_is_printed_piped_and_refused(asked: tuple[str, ...]) -> None:
    given = {"stdin": "BBP\nX\nT\n", "columns": 90}
    assert started(*asked, **given) == called(*asked, **given)  # type: ignore[arg-type]


def test_every_command_is_started_once() -> None:
    """The others by tests/cli/test_extras.py and test_installed.py."""
    assert {*(once[0] for once in ONCE), "competition"} == set(COMMANDS)
    assert set(SAID) == set(COMPETITION)


def test_a_process_that_ends_does_not_look_through_all_it_has_loaded() -> None:
    """Whoever starts it anew waits for its end."""
    held = "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 1000))"
    code = f"{held}; import sys; sys.argv[1:] = ['--version']; import puntobanco.cli as c; c.main()"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "True"
