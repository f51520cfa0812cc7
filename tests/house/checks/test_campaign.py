"""A forger's campaign against a whole house, with every hash and every root made anew.

In every recorded session, and in an evening at the house's own shoe, each field of each kind of
event and command is changed, left out or added; so are the envelope and the clauses; events are
removed, doubled and swapped. Deciding again must find all of it without any key. What says only
who asked, when, and what for in other words is found by the house's key and by a root noted before.

The ordinary run tries the first of each kind and field of a house, and one in thirty of those of
kinds that many sessions have: FORGERIES=all tries every one.
"""

import json
import os
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, get_args
from zlib import crc32

import msgspec
import pytest
from msgspec.structs import fields, replace

from puntobanco.cage import commands as cage
from puntobanco.cage import events as cage_events
from puntobanco.house.checks.audit import audit
from puntobanco.house.intents import TableIntent
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import RowMac
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import HOUSE, recorded, verify
from puntobanco.register import commands as register
from puntobanco.register import events as register_events
from puntobanco.table.commands import TableCommand
from puntobanco.table.events import TableEvent
from tests.kit.forgery.evening import whole_evening
from tests.kit.forgery.rows import (
    Rows,
    log_of,
    others,
    paths,
    rechained,
    rows_of,
    value_at,
    with_value,
    written,
)
from tests.kit.house.driver import KEY
from tests.kit.journal import using
from tests.kit.places import HOUSE_SESSIONS, PLAYTHROUGHS

ALL = os.environ.get("FORGERIES") == "all"
FEW, SAMPLE, OF_EVENING = 2, 60, 3
"""Kinds in no more sessions than this are tried in each; of others one in so many forgeries."""
MESSAGES = (TableEvent, TableCommand, TableIntent, cage.CageCommand, cage_events.CageEvent)
KINDS: dict[str, Any] = {
    str(kind.__struct_config__.tag): kind
    for union in (*MESSAGES, register.RegisterCommand, register_events.RegisterEvent)
    for kind in get_args(union)
}
"""Every event, command and intent by its tag."""
Fact = dict[str, Any]
encode = msgspec.json.encode


class Forgery(NamedTuple):
    what: tuple[str, ...]
    """The part of the row, the kind of event or command, the field, and what was done to it."""
    row: Row


class Seen:
    """What stands in a house, for a forger to put in another place."""

    def __init__(self, rows: Rows) -> None:
        self._values: dict[tuple[str, ...], set[Any]] = {}
        for row in (row for stream in rows if stream != HOUSE for row in rows[stream]):
            for fact in facts_in(row):
                for path in paths(fact):
                    self._add(fact, path)

    def _add(self, fact: Fact, path: tuple[Any, ...]) -> None:
        value = value_at(fact, path)
        if not isinstance(value, list | dict):
            self._values.setdefault((kind_of(fact), *names(path)), set()).add(value)
            self._values.setdefault(names(path), set()).add(value)

    def at(self, *where: str) -> set[Any]:
        return self._values.get(where, set())


def facts_in(row: Row) -> list[Fact]:
    """The events of a row, its command, and what was asked."""
    envelope = json.loads(row.command or b"{}")
    given = [envelope[part] for part in ("command", "asked") if part in envelope]
    return [*json.loads(row.events), *given]


def kind_of(fact: Fact) -> str:
    return str(fact.get("is") or fact.get("do"))


def names(path: tuple[Any, ...]) -> tuple[str, ...]:
    """The way to a value, whichever of a list it is in."""
    return tuple(step for step in path if isinstance(step, str))


def changed(fact: Fact, seen: Seen, actor: str) -> Iterator[tuple[tuple[str, ...], Fact]]:
    """A message with one thing in it changed, left out or added."""
    kind = kind_of(fact)
    for path in paths(fact):
        for other in others(value_at(fact, path), seen.at(kind, *names(path))):
            yield (*names(path), "changed"), with_value(fact, path, other)
    for name in fact:
        yield (name, "left out"), {field: fact[field] for field in fact if field != name}
    for name in [field.encode_name for field in fields(KINDS[kind])]:
        if name not in fact:
            for what, value in (
                ("actor", actor),
                ("other", min(seen.at(name), key=str, default=1)),
            ):
                yield (name, what, "added"), {**fact, name: value}


def forged_events(row: Row, seen: Seen) -> Iterator[Forgery]:
    events = json.loads(row.events)
    for index, event in enumerate(events):
        before, after, kind = events[:index], events[index + 1 :], event["is"]
        for what, new in changed(event, seen, row.actor):
            if not ALL and what[-1] != "changed":  # the bytes differ, as they do for any change
                continue
            yield Forgery((kind, *what), replace(row, events=encode([*before, new, *after])))
        for done, forged in (
            ("removed", [*before, *after]),
            ("doubled", [*before, event, event, *after]),
            ("swapped", [*before, *after[:1], event, *after[1:]]),
        ):
            yield Forgery((kind, done), replace(row, events=encode(forged)))


def forged_command(row: Row, seen: Seen) -> Iterator[Forgery]:
    envelope = json.loads(row.command or b"{}")
    given = kind_of(envelope["command"])
    for part in ("command", "asked"):
        for what, new in changed(envelope[part], seen, row.actor) if part in envelope else ():
            kept = encode({**envelope, part: new})
            yield Forgery((part, given, *what), replace(row, command=kept))
    for what, new in forged_envelope(envelope, row.actor):
        yield Forgery(("envelope", given, *what), replace(row, command=encode(new)))
    for clauses in (f"{row.clauses} x".strip(), row.clauses.partition(" ")[2]):
        yield Forgery(("clauses", given), replace(row, clauses=clauses))


def forged_envelope(envelope: Fact, actor: str) -> Iterator[tuple[tuple[str, ...], Fact]]:
    """What stands around the command: by whom, in which roles, what was looked at."""
    around = {name: envelope[name] for name in ("edition", "by", "seen") if name in envelope}
    for path in paths(around):
        for other in others(value_at(around, path), {actor}):
            yield names(path), with_value(envelope, path, other)
    for name in envelope:
        yield (name, "left out"), {part: envelope[part] for part in envelope if part != name}
    by, rest = envelope["by"], {"command": envelope["command"]}
    edition, asked = envelope["edition"], envelope.get("asked", envelope["command"])
    for name, value in (("asker", actor), ("asker", "zed"), ("at", "table-1")):
        yield ("by", name), {**envelope, "by": {**by, name: value}}
    yield ("seen", "added"), {"edition": edition, "by": by, "seen": {"table-1": 1}, **rest}
    yield ("asked", "added"), {"edition": edition, "by": by, "asked": asked, **rest}


def forged_by_whom(row: Row) -> Iterator[Forgery]:
    """Who, when, and under which id."""
    for what, new in (
        ("actor", replace(row, actor="zed")),
        ("time", replace(row, at_ms=row.at_ms + 1)),
        ("id", replace(row, command_id="other")),
    ):
        yield Forgery((what, kind_of(json.loads(row.command or b"{}")["command"])), new)


def forgeries(row: Row, seen: Seen) -> Iterator[Forgery]:
    yield from forged_events(row, seen)
    yield from forged_command(row, seen)
    yield from forged_by_whom(row)


@cache
def is_common(kind: str) -> bool:
    """Whether many sessions have such an event or command, or every house has it."""
    written = [file.read_text() for file in PLAYTHROUGHS.glob("*.session")]
    told = [file.read_text() for file in PLAYTHROUGHS.glob("*.events.jsonl")]
    homes = sum(f": {kind}" in text for text in written) + sum(f'"{kind}"' in text for text in told)
    return homes == 0 or homes > FEW


def is_tried(house: str, what: tuple[str, ...]) -> bool:
    kind = next(part for part in what if part in KINDS)
    one_in = OF_EVENING if house == "evening" else SAMPLE
    return ALL or crc32(f"{house} {what}".encode()) % one_in == 0 or not is_common(kind)


def campaign(house: str, rows: Rows) -> Iterator[tuple[tuple[str, ...], Row, Row, Rows]]:
    """Each forgery by its name, the row before and after, and the house that has it."""
    seen, tried = Seen(rows), set[tuple[str, ...]]()
    for stream in (stream for stream in rows if stream != HOUSE):
        for index, row in enumerate(rows[stream]):
            for what, new in forgeries(row, seen):
                named = (stream, *what)
                if new != row and (ALL or named not in tried):
                    tried.add(named)
                    if not is_tried(house, what):
                        continue
                    forged = [*rows[stream][:index], new, *rows[stream][index + 1 :]]
                    yield named, row, new, rechained(rows, stream, forged)


def says_the_same(row: Row, new: Row) -> bool:
    """Are events and command as they were? Then only who, when and in which words may differ."""
    if (row.events, row.clauses) != (new.events, new.clauses):
        return False
    return bool(json.loads(row.command or b"{}")["command"] == _command_of(new))


def _command_of(row: Row) -> Fact | None:
    return json.loads(row.command or b"{}").get("command")  # type: ignore[no-any-return]


def evening_rows(folder: Path) -> Rows:
    async def use(log: EventLog) -> Rows:
        await whole_evening(log)
        return rows_of(log)

    return using(str(folder / "house.db"), use)


HOUSES: dict[str, Callable[[Path], Rows]] = {
    **{file.stem: partial(written, session=file) for file in HOUSE_SESSIONS},
    "evening": evening_rows,
}


@pytest.mark.parametrize("house", HOUSES)
def test_every_forgery_is_found(house: str, tmp_path: Path) -> None:
    rows = HOUSES[house](tmp_path)
    log, mac = log_of(rows), RowMac(KEY)
    noted = bytes.fromhex(recorded(log)[-1].event.root)
    assert verify(log, noted, mac=mac).fault is None
    assert audit(log).fault is None
    tried, missed = 0, []
    for what, row, new, forged in campaign(house, rows):
        tried += 1
        log = log_of(forged)
        if audit(log).fault is not None:
            continue
        if not says_the_same(row, new):
            missed.append((what, "by deciding again"))
        if verify(log, mac=mac).fault is None:
            missed.append((what, "by the key"))
        if verify(log, noted).fault is None:
            missed.append((what, "by the root"))
    assert not missed, f"{len(missed)} of {tried} not found: {missed[:40]}"


def half_changed(row: Row, **changes: Any) -> Row:
    """Half of a command with something else said of who gave it."""
    envelope = json.loads(row.command or b"{}")
    return replace(row, command=encode({**envelope, "by": {**envelope["by"], **changes}}))


@pytest.mark.parametrize("stream", ["cage", "register"])
def test_both_halves_of_a_command_are_of_one_person_and_moment(stream: str, tmp_path: Path) -> None:
    rows = evening_rows(tmp_path)
    at = next(number for number, row in enumerate(rows[stream]) if b'"at":' in (row.command or b""))
    half = rows[stream][at]
    for forged in (
        replace(half, at_ms=half.at_ms + 1),
        replace(half, command_id="another"),
        half_changed(half, asker="zed"),
    ):
        changed = [*rows[stream][:at], forged, *rows[stream][at + 1 :]]
        log = log_of(rechained(rows, stream, changed))
        assert "is half of the command" in str(audit(log).fault)
