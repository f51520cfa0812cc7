"""Whole competitions as scripts: played in a house, checked line by line, decided again."""

from pathlib import Path

import pytest

from puntobanco.errors import MalformedError
from puntobanco.house.checks.audit import audit
from puntobanco.house.competitions.script import parse_script
from puntobanco.journal import sqlite
from tests.kit.places import TESTS
from tests.kit.program import run_json

SCRIPTS = sorted((TESTS / "data" / "competitions").glob("*.competition"))
HEAD = '+++\nconditions = "x.toml"\n[people]\nann = ["patron"]\n+++\n'


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_written_competition_goes_as_it_is_written(script: Path, tmp_path: Path) -> None:
    """From conditions to prizes; every row of its house is decided again."""
    came_to = run_json("competition", "run", str(script), "--house", str(tmp_path))
    assert came_to["phase"] in ("done", "cancelled")
    assert came_to["money"]["pot_cents"] == 0
    log = sqlite.open_log(tmp_path / "house.db")
    assert audit(log).fault is None


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "begins with"),
        ("+++\n+++\nann: apply", "the head"),
        (HEAD + "bob: apply", "line 6: bob is not among the people"),
        (HEAD + "nonsense", "line 6: write who: command"),
        (HEAD + "t1 coup: 1 p 100", "line 6: a coup is wagers : cards"),
        (HEAD + 'ann: apply "', "line 6"),
    ],
)
def test_a_script_that_cannot_be_read_names_its_line(text: str, wrong: str) -> None:
    with pytest.raises(MalformedError, match=wrong):
        parse_script(text)
