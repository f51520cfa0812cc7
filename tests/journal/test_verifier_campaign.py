"""A forger's campaign against exports, with every hash made anew after each forgery.

In every recorded session, and at the cage and the register, each field of each event and of each
command is changed or left out; events are removed, doubled, swapped and moved to another row. The
stand-alone verifier must find all of it.

The ordinary run tries a sample: FORGERIES=all tries every one, 18,617 in ten minutes.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import msgspec
import pytest

import puntobanco_verifier as verifier
from puntobanco.cage import commands as cage
from puntobanco.cage import events as cage_events
from puntobanco.register import commands as register
from puntobanco.register import events as register_events
from puntobanco.table import commands as c
from puntobanco.table.events import TableEvent
from tests.kit.forgery.export import (
    SESSIONS,
    Line,
    as_text,
    compact,
    exported_cage,
    exported_register,
    exported_session,
    rechained,
)

ALL = os.environ.get("FORGERIES") == "all"
SAMPLE = 5
"""Otherwise one in this many of those that differ in more than the row and the value."""

CITATIONS = {"clauses", "next_clause"}
"""Say by which clause something is so; they move nothing, and are left to the full check."""
UNMOVING = {"vacate-advised", "betting-time-over", "turn-time-over", "change-due", "closing-due"}
"""Events that move neither chips nor cards, points or results, and are left to it too."""
SAME_OUTCOME = {"load-shoe.behind left out"}
"""A command that says less and brings about the very same: the rule puts the marker there."""
TYPES: dict[str, tuple[Any, Any]] = {
    "table-1": (list[TableEvent], c.TableCommand),
    "cage": (list[cage_events.CageEvent], cage.CageCommand),
    "register": (list[register_events.RegisterEvent], register.RegisterCommand),
}
"""By stream, the types of its events and of its commands."""


class Forgery(NamedTuple):
    what: str
    """The kind of event or command, what was done to it, and in which row."""
    row: int
    events: list[Any] | None = None
    command: Line | None = None


OTHER_WORDS = {
    "ann": "bob",
    "player": "banker",
    "banker": "player",
    "tie": "player",
    "wins": "loses",
    "loses": "wins",
    "void": "stands",
    "stands": "void",
    "ordinary": "free",
    "up": "down",
}


def other(value: Any) -> Iterator[Any]:
    """What a forger might write instead."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
            yield -value or 100
        case str() if value in OTHER_WORDS:
            yield OTHER_WORDS[value]
        case str() if len(value) == 2 and value[0] in verifier.RANKS:
            yield ("A" if value[0] != "A" else "2") + value[1]
            yield value[0] + ("c" if value[1] != "c" else "d")
        case str():
            yield value + "x"
            yield "ann"
        case None:
            yield 1
        case _:
            yield type(value)()


def changed(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The value with one thing in it changed, in every place and every way."""
    match value:
        case dict():
            yield from changed_fields(value, path)
        case list():
            for index, inner in enumerate(value):
                for where, new in changed(inner, f"{path}[{index}]"):
                    yield where, [*value[:index], new, *value[index + 1 :]]
            if value:
                yield f"{path} shortened", value[:-1]
                yield f"{path} doubled", [*value, value[-1]]
        case _:
            for new in other(value):
                yield f"{path} {value!r} -> {new!r}", new


def changed_fields(value: Line, path: str) -> Iterator[tuple[str, Any]]:
    for name in sorted(value.keys() - CITATIONS):
        for where, new in changed(value[name], f"{path}.{name}"):
            yield where, {**value, name: new}
        if name not in {"is", "do"}:
            yield f"{path}.{name} left out", {k: v for k, v in value.items() if k != name}


def forged_events(number: int, events: list[Any]) -> Iterator[Forgery]:
    for index, event in enumerate(events):
        kind, before, after = event["is"], events[:index], events[index + 1 :]
        if kind in UNMOVING:
            continue
        for where, new in changed(event):
            yield Forgery(f"{kind}{where}, row {number}", number, [*before, new, *after])
        yield Forgery(f"{kind} removed, row {number}", number, [*before, *after])
        yield Forgery(f"{kind} doubled, row {number}", number, [*before, event, event, *after])
        if after and after[0]["is"] not in UNMOVING:
            swapped = [*before, after[0], event, *after[1:]]
            yield Forgery(f"{kind} swapped, row {number}", number, swapped)


def forgeries(lines: list[Line]) -> Iterator[Forgery]:
    """Every forgery that says something else than the row does."""
    event_type, command_type = TYPES[lines[0]["stream"]]
    for number, row in enumerate(lines[1:], 1):
        events = json.loads(row["events"])
        command = json.loads(row["command"])["command"]
        for forgery in forged_events(number, events):
            if not is_same(forgery.events, events, event_type):
                yield forgery
        for where, new in changed(command):
            same = is_same(new, command, command_type)
            if not same and f"{command['do']}{where}" not in SAME_OUTCOME:
                yield Forgery(f"{command['do']}{where}, row {number}", number, command=new)
        before = json.loads(lines[number - 1].get("events", "[]"))
        if number > 1 and uncited(before) != uncited(events):
            yield Forgery(
                f"{events[0]['is']} and the rest moved up, row {number}", number - 1, events
            )


def sample(tried: Iterable[Forgery]) -> Iterator[Forgery]:
    """Of each kind of forgery the first, and of these a few."""
    first: dict[str, Forgery] = {}
    for forgery in tried:
        what = re.sub(r"\[\d+\]| .* -> .*|, row.*", "", forgery.what)
        first.setdefault(what, forgery)
    return islice(first.values(), 0, None, SAMPLE)


def uncited(value: Any) -> Any:
    """A value without the clauses by which it is so."""
    if isinstance(value, dict):
        return {name: uncited(inner) for name, inner in value.items() if name not in CITATIONS}
    return [uncited(inner) for inner in value] if isinstance(value, list) else value


def is_same(one: Any, other: Any, kind: Any) -> bool:
    """Do both mean the same? A field that is as usual may be left out."""
    try:
        return bool(msgspec.convert(one, kind) == msgspec.convert(other, kind))
    except msgspec.ValidationError:
        return False


def applied(lines: list[Line], forgery: Forgery) -> list[Line]:
    row = dict(lines[forgery.row])
    if forgery.events is not None:
        row["events"] = compact(forgery.events)
    if forgery.command is not None:
        row["command"] = compact({**json.loads(row["command"]), "command": forgery.command})
    return rechained([*lines[: forgery.row], row, *lines[forgery.row + 1 :]])


def is_found(lines: list[Line]) -> bool:
    try:
        verifier.verify(as_text(lines))  # type: ignore[no-untyped-call]
    except verifier.Fault:
        return True
    return False


STREAMS: dict[str, Callable[[], list[Line]]] = {
    **{file.stem: partial(exported_session, file) for file in SESSIONS},
    "cage": exported_cage,
    "register": exported_register,
}


@pytest.mark.parametrize("stream", STREAMS)
def test_every_forgery_is_found(stream: str) -> None:
    lines = STREAMS[stream]()
    assert not is_found(lines)
    tried, missed = 0, []
    for forgery in forgeries(lines) if ALL else sample(forgeries(lines)):
        tried += 1
        if not is_found(applied(lines, forgery)):
            missed.append(forgery.what)
    assert not missed, f"{len(missed)} of {tried} not found: {missed[:40]}"
