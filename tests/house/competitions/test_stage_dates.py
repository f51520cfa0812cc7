"""A competition of several days: each stage has its date, told in the conditions before anyone
enters.
"""

from pathlib import Path

import puntobanco_verifier
from puntobanco.competition.dates import moment_ms
from puntobanco.competition.path import path_of, step_ahead
from puntobanco.competition.view import listed, view
from puntobanco.house.competitions.playing import NAME
from puntobanco.house.lookback.competition_export import export_competition
from puntobanco.house.written_session import SessionTime
from puntobanco.journal import sqlite
from puntobanco.table.actor import Actor
from tests.kit.clauses import clause, tas
from tests.kit.competition.killed import house_in
from tests.kit.places import TESTS
from tests.kit.program import run_json

SCRIPT = TESTS / "data" / "competitions" / "tasmania-2018.competition"
CONDITIONS = (SCRIPT.parent / "two-heats.toml").read_text()
FINAL = "2026-03-15T19:00:00+11:00"
TWO_DAYS = CONDITIONS.replace('name = "final",', f'name = "final", start = "{FINAL}",')
FINAL_MS = 1_773_561_600_000
TWICE = 'director: key-draw t1="p1 p4"\nmanager: approve\n'
TOLD = """! director: start-session   # the heats are over, and the final is told for tomorrow
2026-03-15 18:59
! director: start-session
19:00
"""


@clause(*tas("16.3.2(lead)", "16.3.4"))
def test_a_stage_starts_on_its_day_and_everybody_is_told_it(tmp_path: Path) -> None:
    """Not before the time that was told; its tables are opened on that day."""
    before, drawn, after = SCRIPT.read_text().partition(TWICE)
    assert drawn
    (tmp_path / "two-heats.toml").write_text(TWO_DAYS)
    script = tmp_path / "x.competition"
    script.write_text(before + drawn + TOLD + after)
    came_to = run_json("competition", "run", str(script), "--house", str(tmp_path))
    refused = [(one["reason"], one["clause"]) for one in came_to["refused"]]
    assert refused[-2:] == [("start_is_to_come", "tas-2018:16.3.4")] * 2
    assert came_to["phase"] == "done"
    log = sqlite.open_log(tmp_path / "house.db")
    house = house_in(log, SessionTime())
    cup = house.competitions[NAME].state
    shown = view(cup, Actor("", frozenset(), 0)).stages
    assert shown == listed(cup).stages
    assert [(one.name, one.start_ms) for one in shown][1] == ("final", FINAL_MS)
    assert [one.start_ms for one in path_of(cup) if one.stage == "final"] == [FINAL_MS]
    assert house.tables["table-t1"].state.gaming_day == "2026-03-15"
    lines = [line.decode() for line in export_competition(log, "cup")]
    assert puntobanco_verifier.verify(iter(lines))["head"]  # type: ignore[no-untyped-call]


@clause(*tas("16.3.4"))
def test_a_director_who_starts_sees_what_everybody_was_told(tmp_path: Path) -> None:
    """[tas-2018:16.3.4] Of a stage without a start of its own the time is the Director's; what was
    told, or told anew, stands beside the step.
    """
    (tmp_path / "two-heats.toml").write_text(CONDITIONS)
    before, _, _ = SCRIPT.read_text().partition("director: start-session\n")
    script = tmp_path / "x.competition"
    anew = "2026-03-16T20:30:00+11:00"
    for moved, told in (
        ("", "2026-03-14T18:00:00+11:00"),
        (f'director: set-start heats {anew} "the roof"\n', anew),
    ):
        script.write_text(before + moved + "director: prepare-session\n")
        folder = tmp_path / (moved[:1] or "x")
        run_json("competition", "run", str(script), "--house", str(folder))
        house = house_in(sqlite.open_log(folder / "house.db"), SessionTime())
        ahead = step_ahead(house.competitions[NAME].state)
        assert ahead
        assert ahead.command == "start-session"
        (line,) = [one for one in ahead.lines if one.what == "told-start"]
        assert (line.facts, line.clause) == ({"start_ms": moment_ms(told)}, "tas-2018:16.3.4")
