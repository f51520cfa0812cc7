"""A forger with every tool but the key: rows changed at will, chains and roots made anew."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from puntobanco.house.house import House
from puntobanco.house.written_session import SessionTime, write_session
from puntobanco.journal.chain import (
    BEGINNING,
    FIRST,
    Head,
    chained_root,
    hash_of,
    heads_digest,
    root,
)
from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.rows import Row
from puntobanco.journal.sqlite import open_log
from puntobanco.journal.verify import (
    HOUSE,
    ROOT_TAGS,
    Covered,
    covered_after,
    rows_tree,
    subtrees,
)
from puntobanco.table.session import parse_session
from tests.kit.house.driver import KEY, seeded

Rows = dict[str, list[Row]]


def written(folder: Path, session: Path) -> Rows:
    """The rows of a session that was written into a house."""
    log = open_log(folder / "house.db")
    said = session.read_text()

    async def main() -> Rows:
        time = SessionTime()
        house = House(log, time.clock, seeded(1), KEY)
        await write_session(parse_session(said), house, time)
        await house.record_root()
        rows = rows_of(log)
        await log.close()
        return rows

    return asyncio.run(main())


def rows_of(log: EventLog) -> Rows:
    return {stream: list(log.read(stream)) for stream in log.streams()}


class ListLog:
    """A journal in memory, for reading: as much of it as verification asks for."""

    shared = False
    address = ""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    def read(self, stream: str, after: int = 0) -> Iterator[Row]:
        return iter([row for row in self.rows.get(stream, []) if row.seq > after])

    def head(self, stream: str) -> Head:
        rows = self.rows.get(stream)
        return Head(rows[-1].seq, rows[-1].hash) if rows else BEGINNING

    def streams(self) -> tuple[str, ...]:
        return tuple(sorted(stream for stream, rows in self.rows.items() if rows))

    def count(self) -> int:
        return sum(map(len, self.rows.values()))

    def sealed(self, _commitment: str) -> Sealed | None:
        return None

    def all_sealed(self) -> Iterator[Sealed]:
        return iter(())

    def schema(self) -> int:
        return 1

    @contextmanager
    def frozen(self) -> Iterator[None]:
        yield


def log_of(rows: Rows) -> EventLog:
    return cast("EventLog", ListLog(rows))


def rechained(rows: Rows, stream: str, changed: list[Row]) -> Rows:
    """The same journal with one stream changed: numbers, links, hashes and roots come out."""
    made = {**rows, stream: chained(changed)}
    if stream != HOUSE:
        made[HOUSE] = roots_anew(made)
    return made


def remade(rows: Rows) -> Rows:
    """A journal in which anything was changed: numbers, links, hashes and roots come out."""
    made = {stream: chained(rows[stream]) for stream in rows}
    return {**made, HOUSE: roots_anew(made)} if HOUSE in made else made


def chained(rows: list[Row]) -> list[Row]:
    """Rows of one stream with numbers, links and hashes that come out."""
    linked: list[Row] = []
    previous = FIRST
    for seq, row in enumerate(rows, 1):
        digest = sha256(row.command or row.events).digest()
        bare = replace(row, seq=seq, previous=previous, command_hash=digest)
        linked.append(replace(bare, hash=hash_of(bare)))
        previous = linked[-1].hash
    return linked


def roots_anew(rows: Rows) -> list[Row]:
    """The house's stream with every root worked out again over what the streams now have."""
    made: list[Row] = []
    ends: dict[str, int] = {}
    covered = Covered()
    for row in rows.get(HOUSE, []):
        events = json.loads(row.events)
        for event in events:
            if event["is"] in ROOT_TAGS:
                event["heads"] = {
                    stream: min(seq, len(rows[stream]))
                    for stream, seq in event["heads"].items()
                    if rows.get(stream)
                }
                ends |= event["heads"]
                event["root"] = _root(rows, ends, made, event, covered)
        made = chained([*made, replace(row, events=msgspec.json.encode(events))])
        covered = covered_after(covered, made[-1:])
    return made


def _root(
    rows: Rows, ends: dict[str, int], made: list[Row], event: dict[str, Any], covered: Covered
) -> str:
    heads = {stream: _head(rows[stream], seq) for stream, seq in ends.items() if seq}
    if event["is"] == "heads-recorded":
        return root(heads).hex()
    if made:
        heads[HOUSE] = Head(made[-1].seq, made[-1].hash)
    kept = event["credentials"], event["sealed"]
    if "tree" not in event:
        return root(heads, kept).hex()
    over = rows_tree(subtrees(log_of({**rows, HOUSE: made}), covered, heads)).hex()
    event.pop("before", None)  # as the house writes it: not at all before the first root
    event.pop("tree")
    event |= {"before": covered.root, "tree": over} if covered.root else {"tree": over}
    return chained_root(covered.root, over, kept, heads_digest(heads))


def _head(rows: list[Row], seq: int) -> Head:
    return Head(seq, rows[seq - 1].hash)


# one fact changed


def paths(fact: Any, within: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every single value in a JSON object; of a list, to its first and last."""
    if isinstance(fact, dict):
        for name, value in fact.items():
            yield from paths(value, (*within, name))
    elif isinstance(fact, list) and fact:
        for index in sorted({0, len(fact) - 1}):
            yield from paths(fact[index], (*within, index))
    else:
        yield within


def value_at(fact: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        fact = fact[step]
    return fact


def with_value(fact: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with one value changed."""
    copy = json.loads(json.dumps(fact))
    at = copy
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return copy


def others(value: Any, seen: set[Any]) -> list[Any]:
    """What a forger might put in its place: a little more, or what stands there elsewhere."""
    found: list[Any] = []
    if isinstance(value, bool):
        found = [not value]
    elif isinstance(value, int):
        found = [value + 1, value + 100_000]
    elif isinstance(value, str):
        found = [*sorted((other for other in seen if other != value), key=str)[:2], f"{value}x"]
    elif value is None:
        found = sorted(seen, key=str)[:1] or [1]
    elif value == []:
        found = [sorted(seen, key=str)[:1] or ["x"]]
    elif value == {}:
        found = [{"x": 1}]
    return found
