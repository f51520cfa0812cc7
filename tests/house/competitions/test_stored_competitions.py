"""Whole competitions as they were stored, event by event: read, folded and verified for ever.

`pytest tests/house/competitions/test_stored_competitions.py --update` stores the scripts that are
not stored yet; what is stored is never written again.
"""

import json
from functools import reduce
from pathlib import Path
from typing import Any

import msgspec
import pytest

import puntobanco_verifier as verifier
from puntobanco.house.competitions.paperwork import draws_on_record
from puntobanco.house.competitions.report import report_of
from puntobanco.house.house import CAGE, CAGES, COMPETITIONS, TABLES
from puntobanco.house.lookback.exported import Export, read_export
from puntobanco.house.stream import TABLE, Aggregate
from puntobanco.journal.rows import Row
from puntobanco.rules.competition.draw import check
from tests.kit.forgery.rows import log_of
from tests.kit.places import STORED, TESTS
from tests.kit.program import run, run_json

KEPT = STORED / "competitions"
SCRIPTS = sorted((TESTS / "data" / "competitions").glob("*.competition"))
FILES = sorted(KEPT.glob("*.jsonl"))
CUP = "competition-cup"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_every_script_is_stored(
    script: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    kept = KEPT / f"{script.stem}.jsonl"
    if request.config.getoption("--update") and not kept.exists():
        run("competition", "run", str(script), "--house", str(tmp_path))
        run("competition", "export", str(tmp_path), "cup", str(kept))
        came_to = run_json("competition", "results", str(tmp_path), "cup")
        kept.with_suffix(".json").write_text(json.dumps(came_to, indent=1) + "\n")
    assert kept.exists(), "store it: pytest tests/house/competitions --update"


def aggregate_of(stream: str) -> Aggregate[Any]:
    if stream.startswith(TABLE):
        return TABLES
    return CAGES if stream == CAGE else COMPETITIONS


def folded(export: Export) -> dict[str, Any]:
    """Every stream as its events leave it; each event is written as it was read."""
    states: dict[str, Any] = {}
    for row in export.rows:
        used = aggregate_of(row.stream)
        events = msgspec.json.decode(row.events, type=list[used.event])  # type: ignore[name-defined]
        assert msgspec.json.encode(events).decode() == row.events
        states[row.stream] = reduce(used.evolve, events, states.get(row.stream, used.empty))
    return states


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_stored_competition_is_read_folds_and_verifies(file: Path) -> None:
    """It comes to what it came to, to the cent and to the last place."""
    export = read_export(file)
    states = folded(export)
    tables = {name: state for name, state in states.items() if name.startswith(TABLE)}
    heads = {name: export.heads[name] for name in (CUP, *tables)}
    came_to = report_of(states[CUP], tables, heads)
    assert json.loads(json.dumps({"ok": True, **came_to})) == json.loads(
        file.with_suffix(".json").read_text()
    )
    assert states[CAGE].pots["cup"].cents == came_to["money"]["pot_cents"] == 0
    with file.open() as lines:
        found: dict[str, Any] = verifier.verify(iter(lines))  # type: ignore[no-untyped-call]
    assert found["head"] == export.head


@pytest.mark.parametrize("name", ["apart", "ruling"])
def test_what_was_drawn_of_ids_is_drawn_again_of_ids(name: str) -> None:
    """Since edition 8 lots are drawn of the numbers of entries; these are older."""
    export = read_export(KEPT / f"{name}.jsonl")
    rows = [
        Row(
            one.stream, one.seq, one.at_ms, one.actor, one.command_id,
            bytes.fromhex(one.command_hash), one.clauses, one.events.encode(),
            bytes.fromhex(one.previous), bytes.fromhex(one.hash), one.command.encode() or None,
        )
        for one in export.rows
        if one.stream == CUP
    ]  # fmt: skip
    draws = draws_on_record(log_of({CUP: rows}), folded(export)[CUP], whole=True)
    made = [(one, one.certificate) for one in draws if one.certificate]
    assert made
    for draw, certificate in made:
        assert draw.of_ids
        assert check(certificate) == ()
        for place, person in zip(certificate.places, certificate.lots, strict=True):
            assert draw.seats[place.table][place.seat] == person
