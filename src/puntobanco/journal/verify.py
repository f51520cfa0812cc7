"""Roots on record, and the check of every link in the journal.

A root is a hash over the heads of all streams, recorded in a row of the house's own stream. A
tail that was cut off, or a stream that was dropped, then shows: its root cannot be made again.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, takewhile
from types import MappingProxyType

import msgspec
from msgspec import Struct

from puntobanco.errors import DamagedError
from puntobanco.journal.chain import (
    BEGINNING,
    FIRST,
    Fault,
    Head,
    chained_root,
    check_chain,
    heads_digest,
    root,
    row_fault,
)
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import RowMac
from puntobanco.journal.rows import Row, damaged, facts_in
from puntobanco.journal.witness.tree import leaf, tree

HOUSE = "house"
"""The name of the stream in which the house records roots and notes of its own."""
REGISTER = "register"
"""The name of the stream that says who had which role."""
SHORT = 20
"""Hexadecimal digits of a root that two people read to each other."""


class HeadsRecorded(Struct, frozen=True, tag="heads-recorded", tag_field="is"):
    """A root as programs up to schema 2 recorded it: the house's own stream was left out."""

    heads: dict[str, int]
    root: str


class RootRecorded(
    Struct,
    frozen=True,
    omit_defaults=True,
    tag="root-recorded",
    tag_field="is",
    forbid_unknown_fields=True,
):
    """A root over every stream, with the heads of those that grew since the last root.

    Of the house's own stream it covers everything up to the row before this one.
    """

    heads: dict[str, int]
    root: str
    credentials: str
    """The sum of the credentials' digests under the house's key (`credentials_digest.py`)."""
    sealed: str
    """A digest, under the same key, of the sealed values that have not been opened yet."""
    before: str = ""
    """The root on record before it, which it is chained to."""
    tree: str = ""
    """The tree over the rows since then (`rows_tree`); absent in roots of older programs."""


Recorded = HeadsRecorded | RootRecorded
ROOT_TAGS = ("heads-recorded", "root-recorded")


class Covered(Struct, frozen=True):
    """The root that was recorded last, its row, and the end of each stream that it covers."""

    root: str = ""
    row: int = 0
    ends: dict[str, int] = {}


def root_of(
    heads: Mapping[str, Head],
    known: Mapping[str, int],
    kept: tuple[str, str],
    before: str,
    over: bytes,
) -> tuple[RootRecorded, dict[str, int]]:
    """Make the root over all heads, to be recorded, and the end of each stream for the next root.

    `known` has the end of each stream when this house last recorded one; `over` is the tree over
    the rows since the root on record `before` this one.
    """
    ends = {stream: head.seq for stream, head in heads.items()}
    grown = {
        stream: seq
        for stream, seq in ends.items()
        if stream != HOUSE and known.get(stream) != seq  # the house's ends before this row
    }
    total = chained_root(before, over.hex(), kept, heads_digest(heads))
    return RootRecorded(grown, total, *kept, before, over.hex()), ends


def rows_tree(subtrees: Mapping[str, bytes]) -> bytes:
    """The tree over the rows between two roots: for each stream that grew, by name, the tree over
    the hashes of its rows.
    """
    return tree([subtrees[stream] for stream in sorted(subtrees)])


def between(log: EventLog, stream: str, after: int, end: int) -> Iterable[Row]:
    """The rows of a stream after a number, up to another."""
    return takewhile(lambda row: row.seq <= end, log.read(stream, after))


def subtrees(log: EventLog, covered: Covered, heads: Mapping[str, Head]) -> dict[str, bytes]:
    """For each stream that grew since a root, the tree over its rows since."""
    grown = {stream: covered.ends.get(stream, 0) for stream in heads}
    return {
        stream: tree([leaf(row.hash) for row in between(log, stream, after, heads[stream].seq)])
        for stream, after in grown.items()
        if heads[stream].seq > after
    }


class Root(Struct, frozen=True):
    """A root on record, and the row of the house's stream that holds it."""

    seq: int
    at_ms: int
    event: Recorded


def recorded(log: EventLog) -> list[Root]:
    """Every root on record, from the first."""
    return [root for row in log.read(HOUSE) for root in roots_in(row)]


def roots_in(row: Row) -> Iterable[Root]:
    for event in facts_in(row):
        if event.get("is") in ROOT_TAGS:
            try:
                yield Root(row.seq, row.at_ms, msgspec.convert(event, Recorded))
            except msgspec.ValidationError as error:
                raise damaged(row) from error


def last_root(log: EventLog, back: int = 256) -> Root | None:
    """The newest root on record, searched for from the end in steps that double."""
    end = log.head(HOUSE).seq
    while end:
        after = max(0, end - back)
        roots = [root for row in log.read(HOUSE, after) for root in roots_in(row)]
        if roots or not after:
            return roots[-1] if roots else None
        back *= 2
    return None


def covered_after(covered: Covered, rows: Iterable[Row]) -> Covered:
    """Read on over the house's rows, to what their last root covers."""
    for row in rows:
        for record in roots_in(row):
            own = {HOUSE: record.seq - 1} if isinstance(record.event, RootRecorded) else {}
            ends = covered.ends | record.event.heads | own
            covered = Covered(record.event.root, record.seq, ends)
    return covered


def covered_before(log: EventLog, row: int, streams: Iterable[str], back: int = 256) -> Covered:
    """What the last root before a row of the house covers, of these streams at least; looked for
    from there in steps that double, for the first root after a start names every stream.
    """
    while True:
        after = max(0, row - 1 - back)
        covered = covered_after(Covered(), between(log, HOUSE, after, row - 1))
        if not after or covered.ends.keys() >= set(streams):
            return covered
        back *= 2


def covered_at(log: EventLog, said: str) -> Covered | None:
    """What a root on record covers, named by the house's row that records it, its digest, or the
    beginning of that as witnesses read it to each other; None: there is none.
    """
    asked = "".join(said.split()).lower()
    covered = Covered()
    for row in log.read(HOUSE):
        covered = covered_after(covered, (row,))
        names = {str(row.seq), covered.root, covered.root[:SHORT]}
        if covered.row == row.seq and asked in names:
            return covered
    return None


class Checked(Struct, frozen=True):
    """The findings of a verification of links and roots."""

    rows: int
    streams: int
    root: bytes
    """The last root on record, to note down and check against later; else that of all heads."""
    fault: Fault | None
    after_root: int = 0
    """The number of rows that no root covers yet, not counting the root's own."""
    signed: int = 0
    """The number of rows that carry a code of the house's key."""
    former: int = 0
    """The number of them whose code is of a former key and could not be checked."""
    recorded: bool = False
    """Whether the root is one on record."""


NOWHERE: Mapping[str, Head] = MappingProxyType({})


class _Walk:
    """Follows every link of every stream, and remembers the hashes that roots cover."""

    def __init__(
        self,
        roots: list[Root],
        mac: RowMac | None,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self._mac = mac
        self._progress = progress
        self._roots = {root.seq for root in roots if isinstance(root.event, RootRecorded)}
        self._wanted: dict[str, set[int]] = {HOUSE: {seq - 1 for seq in self._roots}}
        for record in roots:
            for stream, seq in record.event.heads.items():
                self._wanted.setdefault(stream, set()).add(seq)
        self.at: dict[tuple[str, int], bytes] = {}
        self.subtrees: dict[tuple[str, int], bytes] = {}
        """The tree over the rows of a stream from one that a root names up to the next."""
        self.ends: dict[str, Head] = {}
        self.count = self.signed = self.former = 0

    def stream(self, stream: str, rows: Iterable[Row], begins: Head = BEGINNING) -> Fault | None:
        """Follow the rows of a stream, from the first or from after one that is known."""
        seq, previous, signed = begins.seq, begins.hash, False
        wanted = self._wanted.get(stream, set())
        leaves: list[bytes] = []
        if seq:
            self.at[stream, seq] = previous
        if seq and stream == HOUSE:  # the row of a root is under the next one
            leaves.append(leaf(previous))
            self._cover(stream, seq, leaves, wanted)
        for row in rows:
            wrong = row_fault(row, stream, seq, previous)
            if not wrong and (self._mac or row.mac is None):
                wrong = self._mac_fault(row, signed=signed)
            if wrong:
                return Fault(stream, seq + 1, wrong)
            seq, previous = row.seq, row.hash
            signed = signed or row.mac is not None
            leaves.append(leaf(previous))
            if seq in wanted:
                self.at[stream, seq] = previous
            self._cover(stream, seq, leaves, wanted)
            self._count(row)
        self.ends[stream] = Head(seq, previous)
        return None

    def _cover(self, stream: str, seq: int, leaves: list[bytes], wanted: set[int]) -> None:
        if seq in wanted:
            self.subtrees[stream, seq] = tree(leaves)
            leaves.clear()

    def _count(self, row: Row) -> None:
        self.count += 1
        self.signed += row.mac is not None
        self.former += self._mac is not None and not self._mac.checks(row)
        if self._progress and not self.count % 1000:
            self._progress(self.count)

    def _is_new(self, row: Row) -> bool:
        """Say whether a row is of a kind that only programs write that put a code on each row."""
        return row.command is not None or (row.stream == HOUSE and row.seq in self._roots)

    def _mac_fault(self, row: Row, *, signed: bool) -> str:
        if row.mac is None:
            due = signed or self._is_new(row)
            return "has no code of the house's key, and it should" if due else ""
        return self._mac.fault(row) if self._mac else ""


def verify(
    log: EventLog,
    noted: bytes | None = None,
    progress: Callable[[int], object] | None = None,
    mac: RowMac | None = None,
) -> Checked:
    """Follow every link of every stream, and make every root on record again.

    `noted` is a root that somebody wrote down earlier: it must be one on record. `mac` checks
    the codes of the house's key; without it only their presence is checked.
    """
    roots = _roots(log)
    if isinstance(roots, Fault):
        return Checked(0, 0, b"", roots)
    walk = _Walk(roots, mac, progress)
    for stream in log.streams():
        fault = walk.stream(stream, log.read(stream))
        if fault:
            return Checked(walk.count, len(walk.ends), b"", fault)
    if (there := log.count()) != walk.count:
        lost = Fault(
            HOUSE, 0, f"{there} rows are there, but only {walk.count} can be read in order"
        )
        return Checked(walk.count, len(walk.ends), b"", lost)
    fault = _check_roots(roots, walk)
    if fault:
        return Checked(walk.count, len(walk.ends), b"", fault)
    known = [bytes.fromhex(record.event.root) for record in roots]
    last = known[-1] if known else root(walk.ends, ("", ""))
    if noted not in (None, last, *known):
        fault = Fault(HOUSE, 0, "never had the root that was noted down")
    covered = covered_after(Covered(), log.read(HOUSE)).ends
    after = sum(end.seq - covered.get(stream, 0) for stream, end in walk.ends.items())
    rest = max(0, after - 1) if roots else after
    return Checked(
        walk.count, len(walk.ends), last, fault, rest, walk.signed, walk.former, bool(roots)
    )


def verify_after(
    begins: Mapping[str, Head],
    before: str,
    parts: Iterable[tuple[str, Iterable[Row]]],
    mac: RowMac | None = None,
) -> Checked:
    """Follow links and roots from where streams and the root `before` are known to have ended; of
    `parts`, streams with their rows, the house's own comes first.
    """
    rest = iter(parts)
    own: list[Row] = list(next(rest, (HOUSE, ()))[1])
    try:
        roots = [root for row in own for root in roots_in(row)]
    except DamagedError as error:
        return Checked(0, 0, b"", Fault(HOUSE, begins[HOUSE].seq + 1, str(error)))
    walk = _Walk(roots, mac)
    for stream, rows in chain(((HOUSE, own),), rest):
        if fault := walk.stream(stream, rows, begins.get(stream, BEGINNING)):
            return Checked(walk.count, len(walk.ends), b"", fault)
    covered = {**begins, HOUSE: Head(begins[HOUSE].seq - 1, FIRST)}
    fault = _check_roots(roots, walk, covered, before)
    last = bytes.fromhex(roots[-1].event.root) if roots else b""
    at = roots[-1].seq if roots else 0
    if fault is None and at != walk.ends[HOUSE].seq:
        fault = Fault(HOUSE, walk.ends[HOUSE].seq, "is no root, with which an archive ends")
    signed, former = walk.signed, walk.former
    return Checked(walk.count, len(walk.ends), last, fault, 0, signed, former, recorded=True)


def _roots(log: EventLog) -> list[Root] | Fault:
    """Read the roots on record, or the fault by which the house's own chain does not hold."""
    fault = check_chain(log.read(HOUSE), HOUSE)
    if fault:
        return fault
    roots: list[Root] = []
    for row in log.read(HOUSE):
        try:
            roots.extend(roots_in(row))
        except DamagedError:
            return Fault(HOUSE, row.seq, "records what cannot be read")
    return roots


def _check_roots(
    roots: list[Root], walk: _Walk, begins: Mapping[str, Head] = NOWHERE, before: str = ""
) -> Fault | None:
    ends, chained = dict(begins), False
    for record in roots:
        earlier = dict(ends)
        for stream, end in record.event.heads.items():
            if (stream, end) not in walk.at:
                return Fault(stream, end, f"is gone: house row {record.seq} recorded it")
            if end < ends.get(stream, BEGINNING).seq:
                return Fault(HOUSE, record.seq, f"records less of {stream} than was there before")
            ends[stream] = Head(end, walk.at[stream, end])
        if isinstance(record.event, RootRecorded) and record.seq > 1:
            ends[HOUSE] = Head(record.seq - 1, walk.at[HOUSE, record.seq - 1])
        grown = {stream: head.seq for stream, head in ends.items() if earlier.get(stream) != head}
        subtrees = {stream: walk.subtrees[stream, end] for stream, end in grown.items()}
        is_chained = isinstance(record.event, RootRecorded) and bool(record.event.tree)
        if (
            _root_there(record, ends, before, rows_tree(subtrees)) != record.event.root
            or is_chained < chained
        ):
            return Fault(HOUSE, record.seq, "recorded another root than its streams have")
        before, chained = record.event.root, is_chained
    return None


def _root_there(record: Root, ends: dict[str, Head], before: str, over: bytes) -> str:
    """Make the root again from the streams, in the form in which it was recorded."""
    event = record.event
    if isinstance(event, HeadsRecorded):
        return root({stream: head for stream, head in ends.items() if stream != HOUSE}).hex()
    kept = event.credentials, event.sealed
    if not event.tree:
        return root(ends, kept).hex()
    if (event.before, event.tree) != (before, over.hex()):
        return ""
    return chained_root(before, event.tree, kept, heads_digest(ends))
