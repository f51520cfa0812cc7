"""A house that is killed in a competition, at any moment, and opened again: nothing is lost or
doubled, and the places are the same.

`COMPETITION_KILLS=100 pytest tests/house/competitions/test_kills.py` tries more.
"""

import asyncio
import pickle
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from puntobanco.house.checks.audit import audit
from puntobanco.house.competitions.playing import NAME
from puntobanco.house.written_session import SessionTime
from puntobanco.journal import sqlite
from tests.kit.competition.killed import house_in, plan_of
from tests.kit.competition.seeds import seeds
from tests.kit.places import ROOT, TESTS

KILLS = seeds("COMPETITION_KILLS", 10)
A_HOUSE = 5
"""Kills that one house suffers."""
SCRIPT = TESTS / "data" / "competitions" / "tasmania-2018.competition"


def run(house: Path, plan: Path, until: float, chance: Random) -> bool:
    """Let a process play on, and kill it after so many commands; whether it came to the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.kit.competition.killed", str(house), str(plan)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    said = ""
    for number, line in enumerate(process.stdout):
        said = line
        if number >= until:
            time.sleep(chance.random() * 0.004)
            process.kill()
            break
    process.wait()
    process.stdout.close()
    return said.strip() == "done"


def on_record(file: Path) -> tuple[Any, dict[str, list[tuple[str, bytes]]]]:
    """The competition, and the rows of every stream but the house's own notes."""
    log = sqlite.open_log(file)
    try:
        found = audit(log)
        assert found.fault is None
        house = house_in(log, SessionTime())
        rows = {
            stream: [(row.command_id, bytes(row.events)) for row in log.read(stream)]
            for stream in log.streams()
            if stream != "house"
        }
        return house.competitions[NAME].state, rows
    finally:
        asyncio.run(log.close())


@pytest.mark.parametrize("number", range(KILLS.start // A_HOUSE, -(-KILLS.stop // A_HOUSE)))
def test_a_killed_house_comes_to_the_same_places(number: int, tmp_path: Path) -> None:
    chance = Random(f"kills {number}")
    texts = SCRIPT.read_text(), (SCRIPT.parent / "two-heats.toml").read_text()
    commands = asyncio.run(plan_of(tmp_path / "plan.db", *texts))
    plan = tmp_path / "plan"
    plan.write_bytes(pickle.dumps(commands))
    never, often = tmp_path / "never.db", tmp_path / "often.db"
    assert run(never, plan, float("inf"), chance)
    for _ in range(A_HOUSE):
        until = chance.randrange(1, 2 * len(commands) // (A_HOUSE + 1))
        if run(often, plan, until, chance):
            break
    assert run(often, plan, float("inf"), chance)
    wanted, rows = on_record(never)
    found, again = on_record(often)
    assert found == wanted
    assert found.phase == "done"
    for stream, played in again.items():
        ids = Counter(command_id for command_id, _ in played)
        assert max(ids.values()) == 1
        assert played == rows[stream], stream
