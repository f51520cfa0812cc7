"""Archives opened again: their rows in a house of their own, and what the files say of them."""

import lzma
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path

import msgspec

from puntobanco.errors import DamagedError
from puntobanco.house.archives.sealing import FORM, FORM_AFTER, ArchivedRow, ArchiveHead
from puntobanco.house.figures.check import settings_in
from puntobanco.journal.chain import BEGINNING, FIRST, Fault, Head
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import RowMac
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import HOUSE, Checked, last_root, verify_after
from puntobanco.register.settings import WEST_MINUTES

MAGIC = b"\xfd7zXZ\x00"
"""How a file that is compressed like an archive begins."""
CHUNK = 1000
PIECE, MOST_LINE, MOST_MEMORY = 1 << 16, 1 << 24, 1 << 28
"""Bytes that are read at a time; the most of a line, and of what unpacking may hold: a small file
can say that it unfolds into anything.
"""
BROKEN = (lzma.LZMAError, EOFError, msgspec.DecodeError, ValueError)


def is_archive(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) == MAGIC


def _lines(file: Path) -> Iterator[bytes]:
    """The lines of a compressed file, one after another, in bounded memory."""
    unpack = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
    rest = b""
    with file.open("rb") as packed:
        while not unpack.eof:
            more = packed.read(PIECE) if unpack.needs_input else b""
            if unpack.needs_input and not more:
                raise EOFError("it ends too soon")
            *lines, rest = (rest + unpack.decompress(more, PIECE)).split(b"\n")
            yield from lines
            if len(rest) > MOST_LINE:
                raise ValueError("it has a line that is longer than any row")
        if rest or unpack.unused_data or packed.read(1):
            raise ValueError("it goes on after its last line")


def head_of(file: Path) -> ArchiveHead:
    """What an archive says of itself in its first line."""
    return _opened(file)[0]


def _opened(file: Path) -> tuple[ArchiveHead, Iterator[bytes]]:
    try:
        lines = _lines(file)
        head = msgspec.json.decode(next(lines, b""), type=ArchiveHead)
        begins_at(head)
    except BROKEN as error:
        raise _broken(file, error) from error
    if head.form != (FORM_AFTER if head.after else FORM) or not _is_whole(head):
        raise DamagedError(f"{file}: not an archive of the form {FORM} or {FORM_AFTER}")
    return head, lines


def _is_whole(head: ArchiveHead) -> bool:
    """Whether what its first line says can be so."""
    names = [part.stream for part in head.streams]
    if names[:1] != [HOUSE] or len(set(names)) < len(names):
        return False
    ends = all(0 <= part.after <= part.rows for part in head.streams)
    own = head.streams[0]
    return ends and own.after < own.rows == head.row and bool(head.after) == bool(own.after)


def _broken(file: Path, error: Exception) -> DamagedError:
    return DamagedError(f"{file}: cut off or damaged: {error}")


async def unfold(file: Path, log: EventLog) -> ArchiveHead:
    """Put the rows of an archive into a journal, unchanged: an empty one, or one that has the rows
    of the archive before it; return what it says of them.
    """
    head, lines = _opened(file)
    for part in head.streams:
        if log.head(part.stream) != begins_at(head).get(part.stream, BEGINNING):
            said = "does not begin where the archive before it ended"
            raise DamagedError(f"{file}: {part.stream} {said}")
    try:
        rows = _rows(head, lines)
        while chunk := list(islice(rows, CHUNK)):
            await log.adopt(chunk, [])
    except BROKEN as error:
        raise _broken(file, error) from error
    return head


def begins_at(head: ArchiveHead) -> dict[str, Head]:
    """Where each stream of an archive begins, if it is not with its first row."""
    return {
        part.stream: Head(part.after, bytes.fromhex(part.before))
        for part in head.streams
        if part.after
    }


def check_alone(file: Path, keys: tuple[bytes, ...] = ()) -> tuple[ArchiveHead, Checked]:
    """Follow links and roots of an archive that begins where another ended. Its rows are not
    decided: that takes those of before.
    """
    head, lines = _opened(file)
    begins = begins_at(head)
    former = {part.stream: part.rows for part in head.streams}
    mac = RowMac(keys[0], former, *keys[1:]) if keys else None
    try:
        parts = groupby(_rows(head, lines), key=lambda row: row.stream)
        empty = [(part.stream, ()) for part in head.streams if part.after == part.rows]
        checked = verify_after(begins, head.after, _and(parts, empty), mac)
    except BROKEN as error:
        raise _broken(file, error) from error
    if checked.fault is None and checked.root.hex() != head.root:
        said = "does not record the root that the archive says"
        checked = msgspec.structs.replace(checked, fault=Fault(HOUSE, head.row, said))
    return head, checked


def _and(
    parts: Iterable[tuple[str, Iterable[Row]]], empty: Iterable[tuple[str, Iterable[Row]]]
) -> Iterator[tuple[str, Iterable[Row]]]:
    yield from parts
    yield from empty


def _rows(head: ArchiveHead, lines: Iterator[bytes]) -> Iterator[Row]:
    """The rows that the first line speaks of, no fewer and no more, in that order."""
    decode = msgspec.json.Decoder(ArchivedRow).decode
    for part in head.streams:
        previous = bytes.fromhex(part.before) if part.after else FIRST
        for seq in range(part.after + 1, part.rows + 1):
            line = next(lines, None)
            if line is None:
                raise ValueError(f"{part.stream} row {seq} is not in it")
            row = decode(line)
            if (row.stream, row.seq) != (part.stream, seq):
                raise ValueError(
                    f"{row.stream} row {row.seq} is where {part.stream} row {seq} is due"
                )
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
                previous,
                bytes.fromhex(row.hash),
                command,
                bytes.fromhex(row.mac) if row.mac else None,
            )
            previous = found.hash
            yield found
        if previous.hex() != part.head:
            raise ValueError(f"{part.stream} does not end with the row it says")
    if next(lines, None) is not None:
        raise ValueError("it goes on after the last row it speaks of")


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
    if settings_in(log).day_of(root.at_ms, WEST_MINUTES) <= head.until:
        said = (
            f"is from before the gaming day {head.until} was over, which the archive says is whole"
        )
        return Fault(HOUSE, head.row, said)
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


def chains(folder: Path) -> list[list[Path]]:
    """The archives of a folder, each with those before it, from the first rows on: one list for
    each that no other goes on from.
    """
    heads = {file: head_of(file) for file in archives_in(folder)}
    if not heads:
        raise DamagedError(f"{folder}: there is no archive here")
    followed = {head.after for head in heads.values()}
    found = [chain_to(file, heads) for file, head in heads.items() if head.root not in followed]
    joined = {file for files in found for file in files}
    for file in heads.keys() - joined:
        if same := [one for one in joined if heads[one].root == heads[file].root]:
            raise DamagedError(
                f"{file}: ends with the root of {same[0]}: leave one of the two here"
            )
        raise DamagedError(f"{file}: goes on from no archive that begins with the first rows")
    return found


def archives_in(folder: Path) -> list[Path]:
    return [file for file in sorted(folder.iterdir()) if file.is_file() and is_archive(file)]


def chain_to(last: Path, heads: Mapping[Path, ArchiveHead]) -> list[Path]:
    """An archive and those before it, the first one first."""
    files, by_root = [last], {head.root: file for file, head in heads.items()}
    while after := heads[files[0]].after:
        before = by_root.get(after)
        if before is None or before in files:
            said = f"the archive before it, which ends with root {after}, is not here"
            raise DamagedError(f"{files[0]}: {said}")
        files.insert(0, before)
    return files
