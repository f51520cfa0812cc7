"""A forger's campaign against the exports of whole competitions, every hash made anew each time.

Every field of the competition's own events and commands; commands to tables and to the cage, and
results, changed together with their events; rows dropped, doubled and swapped; a table left out.

The ordinary run tries a sample: FORGERIES=all tries every one.
"""

import json
import os
from functools import cache, reduce
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import puntobanco_verifier
from puntobanco.competition.authority import AUTHORITY
from puntobanco.competition.commands import CompetitionCommand
from puntobanco.competition.events import CompetitionEvent
from puntobanco.competition.evolve import evolve
from puntobanco.competition.state import Competition
from tests.kit.forgery.campaign import forged_row, forgeries, sample
from tests.kit.forgery.competition import CUP, WholeExport, in_concert
from tests.kit.forgery.export import Line
from tests.kit.places import STORED

ALL = os.environ.get("FORGERIES") == "all"
FILES = sorted((STORED / "competitions").glob("*.jsonl"))
FEWER = 3
"""Where a whole file is verified each time, one in this many again."""
COULD_HAVE_BEEN = {"draft doubled", "commit-draw dropped", "take-result dropped"}
"""Drafted twice; a draw that was keyed in after all; no result of what is cancelled. The last of
them is found wherever something comes of a result, by `test_every_forgery…` and here."""
SAME_RESULT = "take-result.row "
"""The next row of a table has the same result, as long as nothing else has happened there."""
TYPES = (list[CompetitionEvent], CompetitionCommand)
read_events = msgspec.json.Decoder(list[CompetitionEvent]).decode
NAMED = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@cache
def whole(file: Path) -> WholeExport:
    return WholeExport(file)


@NAMED
def test_every_forgery_of_a_competition_is_found(file: Path) -> None:
    export = whole(file)
    rows = export.streams[CUP]
    assert not export.is_found(export.streams)
    assert not export.is_found_in_cup(rows)
    missed = []
    every = forgeries([{"stream": CUP}, *rows], TYPES, every=ALL)
    for forgery in every if ALL else sample(every):
        at = forgery.row - 1
        made = [*rows[:at], forged_row(rows[at], forgery), *rows[at + 1 :]]
        if not forgery.what.startswith(SAME_RESULT) and not export.is_found_in_cup(made):
            missed.append(forgery.what)
    assert not missed, f"{len(missed)} not found: {missed[:40]}"


@NAMED
def test_what_follows_from_another_stream_is_not_changed_in_concert(file: Path) -> None:
    export, missed = whole(file), []
    for name, rows in export.streams.items():
        tried = (forgery for at, row in enumerate(rows, 1) for forgery in in_concert(at, row))
        for forgery in tried if ALL else islice(sample(tried), 0, None, FEWER):
            at = forgery.row - 1
            made = [*rows[:at], forged_row(rows[at], forgery), *rows[at + 1 :]]
            if not export.is_found({**export.streams, name: made}):
                missed.append(f"{name}: {forgery.what}")
    assert not missed, f"{len(missed)} not found: {missed[:40]}"


def asked(row: Line) -> str:
    return str(json.loads(row["command"])["command"]["do"])


@NAMED
def test_no_row_of_a_competition_is_dropped_or_doubled(file: Path) -> None:
    export, missed = whole(file), []
    rows = export.streams[CUP]
    for at, row in islice(enumerate(rows[:-1]), 0, None, 1 if ALL else FEWER):
        again = {**row, "command_id": "again"}
        for what, made in (
            ("dropped", [*rows[:at], *rows[at + 1 :]]),
            ("doubled", [*rows[: at + 1], again, *rows[at + 1 :]]),
        ):
            done = f"{asked(row)} {what}"
            if done not in COULD_HAVE_BEEN and not export.is_found_in_cup(made):
                missed.append(f"{done}, row {at + 1}")
    assert not missed, f"{len(missed)} not found: {missed[:40]}"


def came_to(rows: list[Line]) -> dict[str, Any]:
    """What a competition's events leave, whoever was on duty when."""
    events = (event for row in rows for event in read_events(row["events"]))
    now = reduce(evolve, events, Competition())
    return {
        name: getattr(now, name) for name in ("phase", "entries", "sessions", "places", "money")
    }


@NAMED
def test_rows_that_are_swapped_are_found_or_come_to_the_same(file: Path) -> None:
    """Two people who apply in another order, and the like."""
    export = whole(file)
    rows = export.streams[CUP]
    for at in range(0, len(rows) - 1, 1 if ALL else FEWER):
        made = [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]
        if not export.is_found_in_cup(made):
            assert came_to(made) == came_to(rows), f"{asked(rows[at])} swapped, row {at + 1}"


@NAMED
def test_no_table_is_left_out(file: Path) -> None:
    export = whole(file)
    for name in export.streams:
        if name.startswith("table-"):
            rest = {one: rows for one, rows in export.streams.items() if one != name}
            assert export.is_found(rest), name


def test_the_verifier_knows_every_command_and_event_of_a_competition() -> None:
    """When each may be given, and which take two people, is the same in both."""
    own: Any = puntobanco_verifier
    for kind, allowed in AUTHORITY.items():
        name = str(kind.__struct_config__.tag)  # type: ignore[attr-defined]
        assert {*map(str, allowed.phases)} == {*own.MOMENT[name]}, name
        assert bool(allowed.second) == (name in own.TWO_PEOPLE), name
    for kind in get_args(CompetitionEvent):
        name = str(kind.__struct_config__.tag)
        handler = getattr(own.Competition, "on_" + name.replace("-", "_"), None)
        assert handler or name in own.Competition.no_change, name
