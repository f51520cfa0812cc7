"""Bankrolls coup by coup: every path is that of its run."""

import csv
from collections import Counter
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.sim import bankroll
from puntobanco.sim.bankroll import PLANS, Betting, Plan, paths_of, run_bankrolls
from puntobanco.sim.shoes import plan_for
from tests.kit.program import refused, run_json, without

COMMISSION = (Fraction(-1), Fraction(19, 20), Fraction(0), Fraction(19, 20))
SHOES = plan_for(load_ruleset("tas-2018"), 8)


@pytest.mark.parametrize("trace", [1000, 2**17])
@pytest.mark.parametrize("plan", PLANS)
def test_every_path_leads_from_the_bankroll_to_the_end_of_its_run(
    plan: Plan, trace: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a trace ends in the middle of a run."""
    monkeypatch.setattr(bankroll, "TRACE", trace)
    betting = Betting(plan, COMMISSION, 12, 30, 90, 16)
    chunks = list(run_bankrolls(SHOES, betting, 80, 3, paths=60))
    found = paths_of(chunks, 60)
    finals = np.concatenate([some.finals for some in chunks])
    spans = np.concatenate([some.spans for some in chunks])
    lines = zip(found.run, found.coup, found.stake, found.units, strict=True)
    runs = [list(path) for _, path in groupby(lines, key=lambda line: line[0])]
    assert len(runs) == 60
    for path, final, span in zip(runs, finals[:60], spans[:60], strict=True):
        assert [coup for _, coup, _, _ in path] == list(range(1, span + 1))
        assert path[-1][3] == pytest.approx(final)
        assert path[0][2] == 1
        have = 12.0
        for _, _, stake, units in path:
            gains = [float(gain) * stake for gain in COMMISSION]
            assert any(units - have == pytest.approx(gain) for gain in gains)
            assert stake <= min(16, have)
            have = units


def test_keeping_paths_changes_no_run() -> None:
    betting = Betting("martingale", COMMISSION, 20, 40, 100, 50)
    (plain,) = run_bankrolls(SHOES, betting, 200, 5)
    (kept,) = run_bankrolls(SHOES, betting, 200, 5, paths=200)
    assert (plain.finals == kept.finals).all()
    assert (plain.spans == kept.spans).all()
    assert plain.walk.size == 0


def read(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_runs_paths_and_a_plot_in_files(tmp_path: Path) -> None:
    runs, paths, plot = (tmp_path / name for name in ("runs.csv", "paths.csv", "paths.svg"))
    asked = ["bankroll", "50", "--plan", "martingale", "--runs", "300", "--seed", "2"]
    files = ["--runs-to", str(runs), "--paths-to", str(paths), "--plot", str(plot)]
    fates = run_json(*asked, "--paths", "20", *files)["fates"]
    lines = read(runs)
    assert list(lines[0]) == ["run", "coups", "units", "fate"]
    ended = Counter(line["fate"] for line in lines)
    assert (len(lines), ended["ruined"], ended["reached"]) == (
        300,
        fates["ruined"],
        fates["reached"],
    )
    assert np.mean([float(line["units"]) for line in lines]) == pytest.approx(fates["mean"])
    walked = read(paths)
    assert list(walked[0]) == ["run", "coup", "stake", "units"]
    last = {line["run"]: (line["coup"], line["units"]) for line in walked}
    assert last == {line["run"]: (line["coups"], line["units"]) for line in lines[:20]}
    drawn = ET.fromstring(plot.read_text())  # noqa: S314  our own text
    assert sum("stroke-opacity" in path.attrib for path in drawn.iter()) == 20


def test_paths_that_cannot_be_kept_or_drawn_are_refused(tmp_path: Path) -> None:
    plot = str(tmp_path / "x.pdf")
    said = refused("bankroll", "9", "--plot", plot, program=without("matplotlib"))
    assert "pip install 'puntobanco[plot]'" in said
    lines = str(tmp_path / "x.arrow")
    said = refused("bankroll", "9", "--paths-to", lines, program=without("pyarrow"))
    assert "pip install 'puntobanco[arrow]'" in said
    assert not list(tmp_path.iterdir())
    kept = ("--paths-to", str(tmp_path / "x.csv"), "--longest", "1000000000")
    assert "cannot be kept" in refused("bankroll", "9", *kept)
    assert "cannot be kept" in refused("bankroll", "9", "--plot", "x.svg", "--paths", "0")
