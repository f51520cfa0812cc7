"""An archive opened again: its rows in a house of its own, and what the file says of them."""

import lzma
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path

import msgspec

from puntobanco.errors import DamagedError
from puntobanco.house.archives.sealing import FORM, ArchivedRow, ArchiveHead
from puntobanco.journal.chain import FIRST, Fault
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import HOUSE, last_root

MAGIC = b"\xfd7zXZ\x00"
"""How a file that is compressed like an archive begins."""
CHUNK = 1000
BROKEN = (lzma.LZMAError, EOFError, msgspec.DecodeError, ValueError)


def is_archive(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) == MAGIC


async def unfold(file: Path, log: EventLog) -> ArchiveHead:
    """Put the rows of an archive into an empty journal, unchanged; return what it says of them."""
    try:
        with lzma.open(file) as lines:
            head = msgspec.json.decode(next(lines, b""), type=ArchiveHead)
            if head.form != FORM:
                raise DamagedError(f"{file}: not an archive of the form {FORM}")
            rows = _rows(lines)
            while chunk := list(islice(rows, CHUNK)):
                await log.adopt(chunk, [])
    except BROKEN as error:
        raise DamagedError(f"{file}: cut off or damaged: {error}") from error
    return head


def _rows(lines: Iterator[bytes]) -> Iterator[Row]:
    decode = msgspec.json.Decoder(ArchivedRow).decode
    last: dict[str, bytes] = {}
    for line in lines:
        row = decode(line)
        events, command = row.events.encode(), row.command.encode() if row.command else None
        found = Row(
            row.stream,
            row.seq,
            row.at_ms,
            row.actor,
            row.command_id,
            sha256(command or events).digest(),
            row.clauses,
            events,
            last.get(row.stream, FIRST),
            bytes.fromhex(row.hash),
            command,
            bytes.fromhex(row.mac) if row.mac else None,
        )
        last[row.stream] = found.hash
        yield found


def head_fault(log: EventLog, head: ArchiveHead) -> Fault | None:
    """Find where an archive's rows are not what its first line says, or go beyond its root."""
    for part in head.streams:
        end = log.head(part.stream)
        if (end.seq, end.hash.hex()) != (part.rows, part.head):
            return Fault(part.stream, part.rows, "is not the last row, as the archive says")
    if set(log.streams()) != {part.stream for part in head.streams}:
        return Fault(HOUSE, 0, "the archive has other streams than it says")
    root = last_root(log)
    if root is None or (root.event.root, root.seq, log.head(HOUSE).seq) != (
        head.root,
        head.row,
        head.row,
    ):
        return Fault(HOUSE, head.row, "does not record the root that the archive says")
    return None


def joined_fault(log: EventLog, head: ArchiveHead) -> Fault | None:
    """Find where a house is not the one that an archive was made of: its links lead, row by row,
    to the ends that the archive has, and it records the root.
    """
    for part in head.streams:
        row = log.row(part.stream, part.rows)
        if row is None or row.hash.hex() != part.head:
            return Fault(part.stream, part.rows, "or one before it is another than in the archive")
    return None
