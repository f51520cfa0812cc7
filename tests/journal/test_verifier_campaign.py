"""A forger's campaign against exports, with every hash made anew after each forgery.

In every recorded session, and at the cage and the register, each field of each event and of each
command is changed or left out; events are removed, doubled, swapped and moved to another row. The
stand-alone verifier must find all of it.

The ordinary run tries a sample: FORGERIES=all tries every one, 18,617 in ten minutes.
"""

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import puntobanco_verifier as verifier
from puntobanco.cage import commands as cage
from puntobanco.cage import events as cage_events
from puntobanco.register import commands as register
from puntobanco.register import events as register_events
from puntobanco.table import commands as c
from puntobanco.table.events import TableEvent
from tests.kit.forgery.campaign import Forgery, forged_row, forgeries, sample
from tests.kit.forgery.export import (
    Line,
    as_text,
    exported_cage,
    exported_register,
    exported_session,
    rechained,
)
from tests.kit.places import HOUSE_SESSIONS

ALL = os.environ.get("FORGERIES") == "all"
TYPES: dict[str, tuple[Any, Any]] = {
    "table-1": (list[TableEvent], c.TableCommand),
    "cage": (list[cage_events.CageEvent], cage.CageCommand),
    "register": (list[register_events.RegisterEvent], register.RegisterCommand),
}
"""By stream, the types of its events and of its commands."""


def applied(lines: list[Line], forgery: Forgery) -> list[Line]:
    row = forged_row(lines[forgery.row], forgery)
    return rechained([*lines[: forgery.row], row, *lines[forgery.row + 1 :]])


def is_found(lines: list[Line]) -> bool:
    try:
        verifier.verify(as_text(lines))  # type: ignore[no-untyped-call]
    except verifier.Fault:
        return True
    return False


STREAMS: dict[str, Callable[[], list[Line]]] = {
    **{file.stem: partial(exported_session, file) for file in HOUSE_SESSIONS},
    "cage": exported_cage,
    "register": exported_register,
}


@pytest.mark.parametrize("stream", STREAMS)
def test_every_forgery_is_found(stream: str) -> None:
    lines = STREAMS[stream]()
    assert not is_found(lines)
    tried, missed = 0, []
    every = forgeries(lines, TYPES[lines[0]["stream"]], every=ALL)
    for forgery in every if ALL else sample(every):
        tried += 1
        if not is_found(applied(lines, forgery)):
            missed.append(forgery.what)
    assert not missed, f"{len(missed)} of {tried} not found: {missed[:40]}"
