"""Roots recorded now and then, and the check of every link in the journal.

Every so often a row of the house's own stream records the root over the heads of all streams.
A tail that was cut off, or a stream that was dropped, then shows: the root no longer comes out.
"""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from puntobanco.journal.log import EventLog, Head
from puntobanco.journal.rows import FIRST, Fault, check_chain, root, row_fault

HOUSE = "house"
"""The stream of the house itself; roots leave it out, for it holds them."""


class HeadsRecorded(Struct, frozen=True, tag="heads-recorded", tag_field="is"):
    """Where streams ended at one moment: those that grew since the last time, and the root."""

    heads: dict[str, int]
    root: str


def heads_now(log: EventLog, known: dict[str, int]) -> HeadsRecorded | None:
    """Where all streams end now, to be recorded; None when none has grown.

    `known` is where they ended when it was last recorded.
    """
    ends = {stream: log.head(stream) for stream in log.streams() if stream != HOUSE}
    grown = {stream: end.seq for stream, end in ends.items() if known.get(stream) != end.seq}
    if not grown:
        return None
    now = root({stream: (end.seq, end.hash) for stream, end in ends.items()})
    return HeadsRecorded(grown, now.hex())


def recorded(log: EventLog) -> list[tuple[int, HeadsRecorded]]:
    """Every record of heads in the house's stream, with the row that holds it."""
    return [
        (row.seq, msgspec.convert(event, HeadsRecorded))
        for row in log.read(HOUSE)
        for event in msgspec.json.decode(row.events)
        if event.get("is") == "heads-recorded"
    ]


class Checked(Struct, frozen=True):
    """What a verification found."""

    rows: int
    streams: int
    root: bytes
    """Over all heads as they are now; note it down to check against later."""
    fault: Fault | None


def verify(
    log: EventLog, noted: bytes | None = None, progress: Callable[[int], object] | None = None
) -> Checked:
    """Follow every link of every stream, and every root that was recorded.

    `noted` is a root somebody wrote down earlier: it must be one that was recorded, or now's.
    """
    roots = _roots(log)
    if isinstance(roots, Fault):
        return Checked(0, 0, b"", roots)
    wanted: dict[str, set[int]] = {}
    for _, event in roots:
        for stream, seq in event.heads.items():
            wanted.setdefault(stream, set()).add(seq)
    ends: dict[str, Head] = {}
    at: dict[tuple[str, int], bytes] = {}
    count = 0
    for stream in log.streams():
        end = Head(0, FIRST)
        for row in log.read(stream):
            wrong = row_fault(row, stream, end.seq, end.hash)
            if wrong:
                return Checked(count, len(ends), b"", Fault(stream, end.seq + 1, wrong))
            end = Head(row.seq, row.hash)
            if row.seq in wanted.get(stream, ()):
                at[stream, row.seq] = row.hash
            count += 1
            if progress and not count % 1000:
                progress(count)
        ends[stream] = end
    if (there := log.count()) != count:
        lost = Fault(HOUSE, 0, f"{there} rows are there, but only {count} can be read in order")
        return Checked(count, len(ends), b"", lost)
    now = root({s: (end.seq, end.hash) for s, end in ends.items() if s != HOUSE})
    fault_found = _check_roots(roots, at, noted, now)
    return Checked(count, len(ends), now, fault_found)


def _roots(log: EventLog) -> list[tuple[int, HeadsRecorded]] | Fault:
    """What was recorded, once its own chain holds."""
    fault = check_chain(log.read(HOUSE), HOUSE)
    if fault:
        return fault
    try:
        return recorded(log)
    except (msgspec.DecodeError, AttributeError, TypeError):
        return Fault(HOUSE, 0, "records what cannot be read")


def _check_roots(
    roots: list[tuple[int, HeadsRecorded]],
    at: dict[tuple[str, int], bytes],
    noted: bytes | None,
    now: bytes,
) -> Fault | None:
    ends: dict[str, tuple[int, bytes]] = {}
    known = {now}
    for seq, event in roots:
        for stream, end in event.heads.items():
            if (stream, end) not in at:
                return Fault(stream, end, f"is gone: house row {seq} recorded it")
            ends[stream] = (end, at[stream, end])
        here = root(ends)
        known.add(here)
        if here.hex() != event.root:
            return Fault(HOUSE, seq, "recorded another root than its streams have")
    if noted is not None and noted not in known:
        return Fault(HOUSE, 0, "never had the root that was noted down")
    return None
