"""Events of cage, register and house as they were stored."""

from typing import Any

import msgspec

from puntobanco.cage import events as cage_events
from puntobanco.competition.events import CompetitionEvent
from puntobanco.house.notes import Note
from puntobanco.register import events as register_events
from tests.kit.places import STORED

EVENTS = STORED / "house"


KINDS = {
    "cage": cage_events.CageEvent,
    "register": register_events.RegisterEvent,
    "house": Note,
    "competition": CompetitionEvent,
}


def lines_of(name: str) -> list[bytes]:
    files = sorted((*EVENTS.glob(f"{name}.jsonl"), *EVENTS.glob(f"{name}-*.jsonl")))
    return [line for file in files for line in file.read_bytes().splitlines()]


def stored(name: str) -> list[Any]:
    """All events of a kind, or those of one file of it: `competition/competition.jsonl`."""
    kind, _, file = name.partition("/")
    lines = (EVENTS / file).read_bytes().splitlines() if file else lines_of(kind)
    return [msgspec.json.decode(line, type=KINDS[kind]) for line in lines]
