"""Roots as a house shows them to a witness, and the proof that a row is under one of them."""

from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct

from puntobanco.errors import UnusableError
from puntobanco.journal.chain import Head, chained_root, heads_digest
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import (
    HOUSE,
    Covered,
    Root,
    RootRecorded,
    between,
    covered_before,
    roots_in,
    subtrees,
)
from puntobanco.journal.witness.tree import Step, leaf, top, way_up

MOST = 500
"""Roots shown at once."""


class ShownRoot(Struct, frozen=True, forbid_unknown_fields=True):
    """A root with all that it is made of; the heads are those of streams that grew, or all."""

    row: int
    """The row of the house's own stream that records it."""
    at_ms: int
    root: str
    before: str
    tree: str
    credentials: str
    sealed: str
    heads: dict[str, tuple[int, str]]


def _chained(rows: Iterator[Row]) -> Iterator[tuple[Root, RootRecorded]]:
    for record in (record for row in rows for record in roots_in(row)):
        if isinstance(record.event, RootRecorded) and record.event.tree:
            yield record, record.event


def _head(log: EventLog, stream: str, seq: int) -> tuple[int, str]:
    row = next(log.read(stream, seq - 1), None)
    return seq, row.hash.hex() if row else ""


def _shown(log: EventLog, record: Root, event: RootRecorded, ends: Mapping[str, int]) -> ShownRoot:
    heads = {stream: _head(log, stream, seq) for stream, seq in ends.items() if seq}
    kept = event.credentials, event.sealed
    return ShownRoot(record.seq, record.at_ms, event.root, event.before, event.tree, *kept, heads)


def roots_since(log: EventLog, row: int) -> tuple[ShownRoot, ...]:
    """The roots on record from a row of the house on, each with the heads of what grew."""
    found = islice(_chained(log.read(HOUSE, row - 1)), MOST)
    return tuple(
        _shown(log, record, event, event.heads | {HOUSE: record.seq - 1}) for record, event in found
    )


def newest_root(log: EventLog) -> ShownRoot | None:
    """The last root on record with the heads of all streams: where a witness begins."""
    covered = covered_before(log, log.head(HOUSE).seq + 1, log.streams())
    last = next(_chained(log.read(HOUSE, covered.row - 1)), None) if covered.row else None
    return _shown(log, *last, covered.ends) if last else None


class Inclusion(Struct, frozen=True, forbid_unknown_fields=True):
    """That a row was there when a root was recorded: the hashes from the one up to the other."""

    house_row: int
    root: str
    before: str
    credentials: str
    sealed: str
    heads: str
    """The digest of all heads."""
    way: tuple[Step, ...]

    def leads_to(self, row_hash: bytes) -> str:
        """The root that the way up from a row's hash ends at."""
        tree = top(leaf(row_hash), self.way).hex()
        return chained_root(self.before, tree, (self.credentials, self.sealed), self.heads)


def provable(log: EventLog, row: Row) -> tuple[Root, RootRecorded, Covered]:
    """The first root that covers a row and what the one before it covered; no hash is made."""
    record, event = _covering(log, row)
    covered = covered_before(log, record.seq, log.streams())
    if row.seq <= covered.ends.get(row.stream, 0):
        raise UnusableError("the root over this row is an older program's, which proves no rows")
    return record, event, covered


def inclusion(log: EventLog, row: Row) -> Inclusion:
    """Prove that a row is under the first root that covers it: all rows of that root are read."""
    record, event, covered = provable(log, row)
    after = covered.ends.get(row.stream, 0)
    ends = covered.ends | event.heads | {HOUSE: record.seq - 1}
    heads = heads_of({name: _head(log, name, end) for name, end in ends.items() if end})
    leaves = [leaf(one.hash) for one in between(log, row.stream, after, ends[row.stream])]
    below = subtrees(log, covered, heads)
    names = sorted(below)
    beside = way_up([below[name] for name in names], names.index(row.stream))
    way = (*way_up(leaves, row.seq - after - 1), *beside)
    kept = event.credentials, event.sealed
    return Inclusion(record.seq, event.root, event.before, *kept, heads_digest(heads), way)


def _covering(log: EventLog, row: Row, back: int = 256) -> tuple[Root, RootRecorded]:
    """The first root that covers a row, looked for from the end in steps that double."""
    end = log.head(HOUSE).seq
    while True:
        after = max(0, end - back)
        naming = [
            (record, event, reach[row.stream])
            for record, event in _chained(log.read(HOUSE, after))
            if row.stream in (reach := event.heads | {HOUSE: record.seq - 1})
        ]
        covering = [(record, event) for record, event, reach in naming if reach >= row.seq]
        if covering and (not after or len(covering) < len(naming)):
            return covering[0]
        if not after or (naming and not covering):
            raise UnusableError("no root covers this row yet; one is recorded every minute")
        back *= 2


def heads_of(shown: Mapping[str, tuple[int, str]]) -> dict[str, Head]:
    return {stream: Head(seq, bytes.fromhex(digest)) for stream, (seq, digest) in shown.items()}
