"""Outside staff nobody sees an id but their own: every competition on record, after each row."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from puntobanco.competition.view import view
from puntobanco.house.house import COMPETITIONS
from puntobanco.house.lookback.exported import read_export
from puntobanco.table.actor import Actor, Role
from tests.kit.places import STORED

KEPT = sorted((STORED / "competitions").glob("*.jsonl"))


def words_in(seen: object) -> Iterator[str]:
    """Every text and every key in what is sent."""
    if isinstance(seen, dict):
        for key, value in seen.items():
            yield key
            yield from words_in(value)
    elif isinstance(seen, list):
        for value in seen:
            yield from words_in(value)
    elif isinstance(seen, str):
        yield seen


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_nobody_s_id_is_in_what_others_see(file: Path) -> None:
    state, read = COMPETITIONS.empty, msgspec.json.Decoder(list[COMPETITIONS.event]).decode  # type: ignore[name-defined]
    seated = False
    for row in read_export(file).rows:
        if not row.stream.startswith("competition-"):
            continue
        for event in read(row.events):
            state = COMPETITIONS.evolve(state, event)
        people = {*state.entries, *(one.substitute for one in state.entries.values())} - {""}
        for who in ("", next(iter(state.entries), "")):
            by = Actor(who, frozenset({Role.PATRON} if who else ()), row.at_ms)
            seen = set(words_in(json.loads(msgspec.json.encode(view(state, by)))))
            assert not seen & (people - {who}), (row.seq, who)
            assert not who or who not in str(view(state, by).sessions)
        seated = seated or "entry-0001" in str(view(state, Actor("", frozenset(), 0)).sessions)
    assert seated or file.stem.startswith("cancelled")
