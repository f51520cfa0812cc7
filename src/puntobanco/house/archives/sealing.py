"""Days that are over, sealed: every row under a root, in one file that verifies by itself.

An archive is a copy: the house keeps its rows. It has every stream, from its first row or from
where the archive before it ended, to the root that was recorded first once the day was over
everywhere, with the codes of the house's key; names, credentials and sealed values are not in it,
for those can be erased, or are nobody's to see.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from puntobanco.errors import UnusableError
from puntobanco.house.figures.check import settings_in
from puntobanco.house.lookback.export import ruleset_texts
from puntobanco.house.till.gaming_day import check_day
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import (
    HOUSE,
    REGISTER,
    Covered,
    RootRecorded,
    between,
    covered_at,
    recorded,
)
from puntobanco.register.settings import WEST_MINUTES

FORM = "puntobanco-archive-1"
"""Names an archive from the first row on; permanent, as archives are."""
FORM_AFTER = "puntobanco-archive-2"
"""Names one that begins where another ended."""


class SealedStream(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One stream of an archive."""

    stream: str
    rows: int
    """The number of its last row there."""
    head: str
    """The hash of that row."""
    after: int = 0
    """The number of its last row in the archive before; 0: it begins here."""
    before: str = ""
    """The hash of that one."""


class ArchiveHead(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The first line of an archive."""

    form: str
    until: str
    """The last gaming day that is whole in it."""
    root: str
    """The root that covers it, which its last row of the house records."""
    row: int
    streams: tuple[SealedStream, ...]
    """In the order in which their rows follow; the house's own first."""
    rulesets: dict[str, str]
    after: str = ""
    """The root under which the archive before it ended; empty: it begins with the first rows."""


class ArchivedRow(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A row; what follows from the rest, its link and the hash of its command, is left out."""

    stream: str
    seq: int
    at_ms: int
    actor: str
    command_id: str
    clauses: str
    events: str
    hash: str
    command: str | None = None
    mac: str | None = None


def archive_lines(log: EventLog, until: str, before: ArchiveHead | None = None) -> Iterator[bytes]:
    """A head, and a line for each row under the first root after a gaming day; from the first row
    on, or from where the archive `before` ended.
    """
    covered = _covered_through(log, until)
    ends = covered.ends | {HOUSE: covered.row}
    begins = {part.stream: part for part in before.streams} if before else {}
    if before and covered.row <= before.row:
        raise UnusableError(
            f"nothing is to be sealed: the archive before it goes to {before.until}"
        )
    streams = sorted(ends, key=lambda name: (name != HOUSE, name != REGISTER, name))
    parts = tuple(_sealed_stream(log, name, ends[name], begins.get(name)) for name in streams)
    texts = ruleset_texts(log, streams)
    form, after = (FORM_AFTER, before.root) if before else (FORM, "")
    yield _line(ArchiveHead(form, until, covered.root, covered.row, parts, texts, after))
    for part in parts:
        for row in between(log, part.stream, part.after, part.rows):
            yield _line(_archived(row))


def _sealed_stream(log: EventLog, name: str, end: int, begins: SealedStream | None) -> SealedStream:
    after, before = (begins.rows, begins.head) if begins else (0, "")
    return SealedStream(name, end, _hash_at(log, name, end), after, before)


def _covered_through(log: EventLog, until: str) -> Covered:
    """What the first root covers that was recorded when a gaming day was over everywhere."""
    check_day("--until", until)
    settings = settings_in(log)
    for record in recorded(log):
        is_over = settings.day_of(record.at_ms, WEST_MINUTES) > until
        if is_over and isinstance(record.event, RootRecorded):
            covered = covered_at(log, record.event.root)
            assert covered is not None
            return covered
    raise UnusableError(
        f"no root was recorded since the gaming day {until} was over everywhere; a house records"
        " one each minute while it runs, and when it shuts"
    )


def _hash_at(log: EventLog, stream: str, seq: int) -> str:
    row = log.row(stream, seq)
    if row is None:
        raise UnusableError(f"{stream} row {seq} is gone, which a root covers; verify the house")
    return row.hash.hex()


def _archived(row: Row) -> ArchivedRow:
    return ArchivedRow(
        row.stream,
        row.seq,
        row.at_ms,
        row.actor,
        row.command_id,
        row.clauses,
        row.events.decode(),
        row.hash.hex(),
        row.command.decode() if row.command else None,
        row.mac.hex() if row.mac else None,
    )


def _line(what: Struct) -> bytes:
    return msgspec.json.encode(what) + b"\n"
