"""A witness: somebody elsewhere who follows a house's roots, signs each and keeps it.

Each root is a hash over the one before it and over every row since, so whoever kept one can tell
for ever whether a house that is shown is the one that was seen. The file has a line for each.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from puntobanco.errors import DamagedError, UnusableError
from puntobanco.journal.chain import Fault, netstrings
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE, recorded
from puntobanco.journal.witness.following import SeenSoFar, extended
from puntobanco.journal.witness.shown import ShownRoot

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORM = "puntobanco-witness-1"


class SeenRoot(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a witness's file: a root, when it was seen, and the witness's signature."""

    form: str
    seen_ms: int
    shown: ShownRoot
    key: str
    """The witness's public key."""
    signature: str


# what is kept


def _signer(key: bytes) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415  an extra

    return ed25519.Ed25519PrivateKey.from_private_bytes(key)


def _signed(root: str, seen_ms: int) -> bytes:
    return netstrings([FORM, root, str(seen_ms)])


def public_key_of(key: bytes) -> str:
    """The public key by which others know a witness."""
    return _signer(key).public_key().public_bytes_raw().hex()


def sign(shown: ShownRoot, seen_ms: int, key: bytes) -> SeenRoot:
    signature = _signer(key).sign(_signed(shown.root, seen_ms)).hex()
    return SeenRoot(FORM, seen_ms, shown, public_key_of(key), signature)


def _is_signed(line: SeenRoot) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415

    try:
        public = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(line.key))
        public.verify(bytes.fromhex(line.signature), _signed(line.shown.root, line.seen_ms))
    except (ValueError, InvalidSignature):
        return False
    return True


class Witnessed(Struct, frozen=True):
    """A witness's file that is whole: every root in it follows from the one before."""

    lines: tuple[SeenRoot, ...]
    seen: SeenSoFar

    @property
    def key(self) -> str:
        return self.lines[0].key if self.lines else ""

    def heads(self, stream: str) -> dict[int, str]:
        """The hashes of the rows at which a stream was seen to end, by their numbers."""
        return dict(line.shown.heads[stream] for line in self.lines if stream in line.shown.heads)


def read_testimony(file: Path) -> Witnessed:
    """Read a witness's file; one that was changed is refused."""
    try:
        texts = file.read_bytes().splitlines()
        lines = tuple(msgspec.json.decode(text, type=SeenRoot) for text in texts)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnusableError(f"{file}: not what a witness keeps: {error}") from error
    seen = SeenSoFar()
    for number, line in enumerate(lines, 1):
        after = extended(seen, line.shown)
        own = line.form == FORM and line.key == lines[0].key
        if isinstance(after, Fault) or not own or not _is_signed(line):
            raise DamagedError(f"{file} line {number} is not what the witness signed")
        seen = after
    return Witnessed(lines, seen)


# held against it


def streams_fault(
    testimony: Witnessed,
    hashes: Mapping[str, Mapping[int, str]],
    ends: Mapping[str, int] | None = None,
) -> Fault | None:
    """Hold streams against what was seen; `hashes` has those of the rows in question.

    The rows that differ are among those after the last that is as it was seen. `ends` are those
    of streams that may be shorter, as exports of an earlier day are.
    """
    for stream in sorted(hashes):
        sound, end = 0, ends[stream] if ends else None
        for seq, digest in sorted(testimony.heads(stream).items()):
            if end is not None and seq > end:
                break
            there = hashes[stream].get(seq)
            if there is None:
                said = f"or a later one up to {seq} is gone: the witness saw row {seq}"
                return Fault(stream, sound + 1, said)
            if there != digest:
                said = f"or a later one up to {seq} is another than the witness saw"
                return Fault(stream, sound + 1, said)
            sound = seq
    return None


def house_fault(log: EventLog, testimony: Witnessed, *, whole: bool = True) -> Fault | None:
    """Hold a house against what was seen of it: every head, and every root on record; or, where it
    is not the whole, as far as its rows go.
    """
    streams = {stream for line in testimony.lines for stream in line.shown.heads}
    hashes = {stream: _hashes(log, stream, testimony.heads(stream)) for stream in streams}
    ends = None if whole else {stream: log.head(stream).seq for stream in streams}
    if fault := streams_fault(testimony, hashes, ends):
        return fault
    roots = {record.seq: record.event.root for record in recorded(log)}
    for line in testimony.lines:
        if ends and line.shown.row > ends.get(HOUSE, 0):
            break
        if roots.get(line.shown.row) != line.shown.root:
            return Fault(HOUSE, line.shown.row, "does not record the root that the witness saw")
    return None


def _hashes(log: EventLog, stream: str, wanted: Iterable[int]) -> dict[int, str]:
    rows = (next(log.read(stream, seq - 1), None) for seq in wanted)
    return {row.seq: row.hash.hex() for row in rows if row is not None}
