"""What a forger tries on the rows of an export: every field, every event, every command."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec

import puntobanco_verifier as verifier
from tests.kit.forgery.export import Line, compact

SAMPLE = 5
"""Unless all are tried, one in this many of those that differ in more than the row and the
value."""
CITATIONS = {"clauses", "next_clause"}
"""Say by which clause something is so; they move nothing, and are left to the full check."""
UNMOVING = {"vacate-advised", "betting-time-over", "turn-time-over", "change-due", "closing-due"}
"""Events that move neither chips nor cards, points or results, and are left to it too."""
SAME_OUTCOME = {"load-shoe.behind left out", "order-play-off.people doubled"}
"""Commands that say less, or twice, and bring about the very same: the rule puts the marker there,
and who plays off is a set of people."""

VARYING = re.compile(r"\[\d+\]| .* -> .*|, row.*")


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


def forgeries(
    lines: list[Line], types: tuple[Any, Any], *, every: bool = True
) -> Iterator[Forgery]:
    """Every forgery that says something else than the row does, or the first of each kind; `types`
    are the stream's lists of events and its commands.
    """
    event_type, command_type = types
    found = set[str]()
    for number, row in enumerate(lines[1:], 1):
        events = json.loads(row["events"])
        command = json.loads(row["command"])["command"]
        for forgery in forged_events(number, events):
            tried = not every and kind_of(forgery.what) in found
            if not tried and not is_same(forgery.events, events, event_type):
                found.add(kind_of(forgery.what))
                yield forgery
        for where, new in changed(command):
            what = f"{command['do']}{where}"
            tried = what in SAME_OUTCOME or (not every and kind_of(what) in found)
            if not tried and not is_same(new, command, command_type):
                found.add(kind_of(what))
                yield Forgery(f"{what}, row {number}", number, command=new)
        before = json.loads(lines[number - 1].get("events", "[]"))
        if number > 1 and uncited(before) != uncited(events):
            yield Forgery(
                f"{events[0]['is']} and the rest moved up, row {number}", number - 1, events
            )


def sample(tried: Iterable[Forgery]) -> Iterator[Forgery]:
    """Of each kind of forgery the first, and of these a few."""
    first: dict[str, Forgery] = {}
    for forgery in tried:
        first.setdefault(kind_of(forgery.what), forgery)
    return islice(first.values(), 0, None, SAMPLE)


def kind_of(what: str) -> str:
    """What was done, whatever the row, the place in a list and the value."""
    return VARYING.sub("", what)


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


def forged_row(row: Line, forgery: Forgery) -> Line:
    """A row as the forger leaves it; its hashes are not made anew yet."""
    made = dict(row)
    if forgery.events is not None:
        made["events"] = compact(forgery.events)
    if forgery.command is not None:
        made["command"] = compact({**json.loads(row["command"]), "command": forgery.command})
    return made
