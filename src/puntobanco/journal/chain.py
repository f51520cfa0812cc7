"""The chain: each row's hash covers the row before, and a root covers the ends of all streams."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import astuple

from puntobanco.journal.rows import Entry, Row

FORM = "puntobanco-row-1"


FIRST = bytes(32)
"""The hash that the first row of a stream is linked to."""


HASHED = 9
"""The number of fields of a row, from its first, that its hash is made of."""


Sign = Callable[[bytes], bytes]
"""A function that makes the MAC of a hash."""


def link(entry: Entry, previous: bytes, sign: Sign | None = None) -> Row:
    """Chain an entry to the row before it."""
    fields = (
        entry.stream,
        entry.seq,
        entry.at_ms,
        entry.actor,
        entry.command_id,
        sha256(entry.command or entry.events).digest(),
        " ".join(entry.clauses),
        entry.events,
        previous,
    )
    digest = _hash(*fields)
    return Row(*fields, digest, entry.command or None, sign(digest) if sign else None)


def hash_of(row: Row) -> bytes:
    """Hash every field before the hash itself by SHA-256, each with its length before it."""
    return _hash(*astuple(row)[:HASHED])


def _hash(  # noqa: PLR0913, PLR0917  the fields of a row, in their order
    stream: str,
    seq: int,
    at_ms: int,
    actor: str,
    command_id: str,
    command_hash: bytes,
    clauses: str,
    events: bytes,
    previous: bytes,
) -> bytes:
    number, at, command = str(seq), str(at_ms), command_hash.hex()
    head = (  # what `netstrings` makes, in one piece: verifying spends most of its time here
        f"{len(FORM)}:{FORM},{len(stream)}:{stream},{len(number)}:{number},{len(at)}:{at},"
        f"{len(actor)}:{actor},{len(command_id)}:{command_id},{len(command)}:{command},"
        f"{len(clauses)}:{clauses},"
    )
    if not head.isascii():  # a character may be more than a byte
        raw = netstrings((FORM, stream, number, at, actor, command_id, command, clauses))
    else:
        raw = head.encode()
    return sha256(b"%b%d:%b,64:%b," % (raw, len(events), events, previous.hex().encode())).digest()


def netstrings(texts: Sequence[str]) -> bytes:
    """Join fields so that none can run into the next: length in bytes, colon, text, comma.

    >>> netstrings(["ab", ""]), len(netstrings(["é"]))
    (b'2:ab,0:,', 5)
    """
    joined = "".join([f"{len(text)}:{text}," for text in texts])
    if joined.isascii():  # a character is a byte, as nearly always
        return joined.encode()
    return b"".join([b"%d:%b," % (len(text), text) for text in map(str.encode, texts)])


class Head(Struct, frozen=True, gc=False):
    """The last row of a stream: its number and hash."""

    seq: int
    hash: bytes


BEGINNING = Head(0, FIRST)
"""The head of a stream that has no row yet."""


def root(heads: Mapping[str, Head], kept: tuple[str, str] | None = None) -> bytes:
    """Hash the heads of all streams, by name, into one: a cut-off tail or a lost stream shows.

    `kept` are the digests of credentials and sealed values; roots of older programs had none.
    """
    form = ["puntobanco-root-1"] if kept is None else ["puntobanco-root-2", *kept]
    return sha256(netstrings([*form, *_texts(heads)])).digest()


def heads_digest(heads: Mapping[str, Head]) -> str:
    """Hash the heads of all streams, by name, into what a chained root has of them."""
    return sha256(netstrings(["puntobanco-heads-1", *_texts(heads)])).hexdigest()


def _texts(heads: Mapping[str, Head]) -> list[str]:
    return [
        text
        for stream in sorted(heads)
        for text in (stream, str(heads[stream].seq), heads[stream].hash.hex())
    ]


def chained_root(before: str, tree: str, kept: tuple[str, str], heads: str) -> str:
    """Hash a root onto the one before it, with the tree of the rows between the two.

    All are in hexadecimal: whoever knows one root of such a chain can follow every later one.
    """
    return sha256(netstrings(["puntobanco-root-3", before, tree, *kept, heads])).hexdigest()


class Fault(Struct, frozen=True):
    """The first row found wrong, and what is wrong with it."""

    stream: str
    seq: int
    what: str

    def __str__(self) -> str:
        where = f"{self.stream} row {self.seq}" if self.seq else self.stream
        return f"{where}: {self.what}"


def check_chain(rows: Iterable[Row], stream: str) -> Fault | None:
    """Follow every link of a stream from its first row, to the first that does not hold."""
    seq, previous = 0, FIRST
    for row in rows:
        fault = row_fault(row, stream, seq, previous)
        if fault:
            return Fault(stream, seq + 1, fault)
        seq, previous = row.seq, row.hash
    return None


def row_fault(row: Row, stream: str, seq: int, previous: bytes) -> str:
    """Say what is wrong with a row that should follow number `seq`; empty if it holds."""
    if row.seq != seq + 1:
        return f"is numbered {row.seq}: a row is missing, doubled or out of place"
    if row.previous != previous:
        return "is not linked to the row before it"
    try:
        holds = row.stream == stream and row.hash == hash_of(row)
    except (TypeError, AttributeError):  # a field was changed to another type
        holds = False
    if not holds:
        return "was changed: its hash is not that of its contents"
    command = row.command  # kept, it is the one whose hash is in the chain
    if command is None or (type(command) is bytes and sha256(command).digest() == row.command_hash):
        return ""
    return "was changed: its command is not the one it was made by"
