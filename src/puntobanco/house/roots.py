"""Roots of a running house: over every stream, on record, and noted outside the database.

Each root covers every row before it. The last root is also kept in a file beside the house's key:
a journal that has less than that was cut back, and the house does not go on from it.
"""

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from puntobanco.errors import UnusableError
from puntobanco.house.access.credentials_digest import KeptDigest, credentials_in, moved
from puntobanco.house.notes import RootUnnoted
from puntobanco.journal.chain import BEGINNING, Fault, Head, row_fault
from puntobanco.journal.log import Append, ConflictError, EventLog, FullError, Sealed
from puntobanco.journal.mac import RowMac
from puntobanco.journal.rows import Entry, Row, facts_in
from puntobanco.journal.verify import (
    HOUSE,
    Covered,
    RootRecorded,
    between,
    covered_after,
    covered_before,
    last_root,
    root_of,
    roots_in,
    rows_tree,
    subtrees,
)
from puntobanco.table.state import Life, Table

if TYPE_CHECKING:
    from puntobanco.house.house import House


FULL = (errno.ENOSPC, errno.EDQUOT)
"""With these errors there is no room just now: the root is on record, and the next one is noted."""


ROOT_MS = 60_000
"""The most milliseconds between two roots, unless the house is told otherwise."""


class NotedRoot(Struct, frozen=True, forbid_unknown_fields=True):
    """The last root, as the file beside the key keeps it."""

    root: str
    house_row: int
    """The row of the house's stream that records it."""
    at_ms: int
    heads: dict[str, tuple[int, str]]
    """The number and hash of every stream's last row."""


class Roots:
    """Records the roots of one house."""

    def __init__(self, house: "House", file: Path | None) -> None:
        self._house = house
        self._file = file
        self._known: dict[str, int] = {}
        self._covered: Covered | None = None
        self.last: RootRecorded | None = None
        self.noted: NotedRoot | None = None
        """The last root, to be shown where people can note it down."""
        self.every_ms = ROOT_MS
        """The most milliseconds between two roots."""
        self.at_ms = 0
        """The time at which every row was last known to be covered."""
        self.rows = 0
        """The number of rows of tables, cage and register that the last root covers."""
        self._unnoted = 0
        """The row of the first root since the last noted one that found no room beside the key."""

    def _unopened(self) -> list[Sealed]:
        states = [stream.state for stream in self._house.tables.values()]
        named = sorted(state.pack.commitment for state in states if is_sealed(state))
        cups = (stream.state.commitment for stream in self._house.competitions.values())
        named += sorted(filter(None, cups))
        named += sorted(made for state in states for made in forms_sealed(state))
        values = [self._house.log.sealed(commitment) for commitment in named]
        return [sealed for sealed in values if sealed is not None]

    async def record(self, *, anew: bool = False) -> str:
        """Record the root over all streams; unless it is wanted anew, only if something was
        written since the last or that was not noted.
        """
        house = self._house
        while True:
            heads = await house.log.heads()
            at_house = heads.get(HOUSE, Head(0, b""))
            if self._is_known(heads) and not anew and not self._unnoted:
                self.at_ms = house.time.now_ms()
                return self.last.root if self.last else ""
            kept = house.kept
            digests = kept.credentials(credentials_in(house.log)), kept.sealed(self._unopened())
            covered = self._on_record(heads)
            over = rows_tree(subtrees(house.log, covered, heads))
            event, ends = root_of(heads, self._known, digests, covered.root, over)
            now_ms = house.time.now_ms()
            body = msgspec.json.encode([event])
            command_id = f"root~{at_house.seq + 1}"
            entry = Entry(HOUSE, at_house.seq + 1, now_ms, HOUSE, command_id, b"", (), body)
            try:
                await house.log.append(Append((entry,)))
            except ConflictError:
                continue
            self._known = ends | {HOUSE: entry.seq}
            self.last, self.at_ms = event, now_ms
            self.rows = house.written
            self._note(event, entry, heads)
            house.noted += 1
            if row := self._unnoted:
                self._unnoted = 0
                await house.note(RootUnnoted(row))
            return event.root

    def _on_record(self, heads: dict[str, Head]) -> Covered:
        """What the last root on record covers, whichever process recorded it."""
        log, end = self._house.log, heads.get(HOUSE, BEGINNING).seq
        if self._covered is None:
            self._covered = covered_before(log, end + 1, heads)
        since = between(log, HOUSE, self._covered.row, end)
        self._covered = covered_after(self._covered, since)
        return self._covered

    def _is_known(self, heads: dict[str, Head]) -> bool:
        """Say whether the last root covers everything up to these heads."""
        return {stream: head.seq for stream, head in heads.items()} == self._known

    def _note(self, event: RootRecorded, entry: Entry, heads: dict[str, Head]) -> None:
        """Write the root to the file beside the key, whole or not at all, and flush it."""
        ends = {stream: (head.seq, head.hash.hex()) for stream, head in heads.items()}
        self.noted = noted = NotedRoot(event.root, entry.seq, entry.at_ms, ends)
        if self._file is None:
            return
        begun = self._file.with_name(f"{self._file.name}.new")
        try:
            with begun.open("wb") as file:
                file.write(msgspec.json.encode(noted))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if error.errno not in FULL:  # a root that can never be noted must stop the house
                raise
            self._unnoted = self._unnoted or entry.seq
            raise FullError(f"{self._file}: {error.strerror}") from error
        begun.replace(self._file)

    def check(self) -> None:
        """Refuse to go on with a journal that lacks what the last root beside the key covers."""
        house, mac = self._house, self._house.codes
        noted = read_noted(self._file)
        if noted is not None:
            check_noted(house.log, noted, mac)
        wrong = _own_fault(house.log, house.kept, mac)
        if wrong:
            raise UnusableError(f"{wrong}: somebody has changed the database; verify it")


def _own_fault(log: EventLog, kept: KeptDigest, mac: RowMac) -> str:
    """Say what is wrong with the last root and the house's notes since; empty if all holds."""
    last = last_root(log)
    if last is None or not isinstance(last.event, RootRecorded):
        return ""
    total = last.event.credentials
    for row in log.read(HOUSE, last.seq - 1):
        wrong = row_fault(row, HOUSE, row.seq - 1, row.previous)
        if not wrong:
            wrong = mac.fault(row) if row.mac else "has no code of the house's key"
        if wrong:
            return f"{HOUSE} row {row.seq} {wrong}"
        if row.seq > last.seq:
            total = credentials_after(total, row)
    if mac.is_former(HOUSE, last.seq) or total == kept.credentials(credentials_in(log)):
        return ""
    return "the credentials beside the journal are not those that are on record"


def credentials_after(total: str, row: Row) -> str:
    """Bring the sum of the credentials' digests forward over a row of the house's stream."""
    for event in facts_in(row):
        if event.get("is") == "credential-issued":
            total = moved(total, _digests(event, "mac"), _digests(event, "was"))
        elif event.get("is") == "person-erased":
            total = moved(total, less=event.get("was", ()))
    return total


def _digests(event: dict[str, str], name: str) -> list[str]:
    return [event[name]] if event.get(name) else []


def read_noted(file: Path | None) -> NotedRoot | None:
    """Read the root from the file beside the key, if there is one."""
    if file is None or not file.exists():
        return None
    try:
        return msgspec.json.decode(file.read_bytes(), type=NotedRoot)
    except msgspec.DecodeError as error:
        raise UnusableError(f"{file}: the root that is kept here cannot be read") from error


def check_noted(log: EventLog, noted: NotedRoot, mac: RowMac) -> None:
    """Refuse a journal that lacks rows which a root noted outside it covers."""
    lost = noted_fault(log, noted)
    if lost is not None and not _was_restored(log, noted, mac):
        raise UnusableError(
            f"{lost}: the journal was cut back or changed. Verify it; to go back to a backup on"
            " purpose, use `puntobanco restore` with --secret, which puts that on record; if that"
            " was done on another machine, copy the root that it left beside the key there"
        )


def noted_fault(log: EventLog, noted: NotedRoot) -> Fault | None:
    """Find the first row covered by a root noted outside that is gone or was changed."""
    root = f"the root {noted.root[:16]}…"
    for stream, (seq, digest) in noted.heads.items():
        row = next(log.read(stream, seq - 1), None)
        if row is None or row.hash.hex() != digest:
            return Fault(stream, seq, f"is not as it was when {root} was noted beside the key")
    row = next(log.read(HOUSE, noted.house_row - 1), None)
    if row is None or noted.root not in [record.event.root for record in roots_in(row)]:
        return Fault(HOUSE, noted.house_row, f"does not record {root} that is noted beside the key")
    return None


def _was_restored(log: EventLog, noted: NotedRoot, mac: RowMac) -> bool:
    """Say whether a row coded by the house's key records that the house went back from a root."""
    rows = list(log.read(HOUSE, max(0, log.head(HOUSE).seq - 256)))
    return any(
        event.get("is") == "house-restored" and event.get("instead_of") == noted.root
        for row in rows
        for event in facts_in(row)
        if row.mac is not None and not mac.fault(row)
    )


def is_sealed(table: Table) -> bool:
    """Say whether the table has a shoe of the house's own whose order is still under seal."""
    pack = table.pack
    in_use = table.shoe is not None or pack.life in (Life.SHUFFLED, Life.CUT)
    return bool(pack.commitment) and (in_use or pack.opening_due)


def forms_sealed(table: Table) -> list[str]:
    """The commitments of the forms that lie for the coup in play and were not told yet."""
    forms = table.coup.forms.values() if table.coup else ()
    return [form.commitment for form in forms if not form.announced]
