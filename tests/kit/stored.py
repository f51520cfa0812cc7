"""Events of cage, register and house as they were stored."""

from typing import Any

import msgspec

from puntobanco.cage import events as cage_events
from puntobanco.house.notes import Note
from puntobanco.register import events as register_events
from tests.kit.places import STORED

EVENTS = STORED / "house"


KINDS = {
    "cage": cage_events.CageEvent,
    "register": register_events.RegisterEvent,
    "house": Note,
}


def lines_of(name: str) -> list[bytes]:
    files = sorted(EVENTS.glob(f"{name}*.jsonl"))
    return [line for file in files for line in file.read_bytes().splitlines()]


def stored(name: str) -> list[Any]:
    lines = lines_of(name)
    return [msgspec.json.decode(line, type=KINDS[name]) for line in lines]
