"""How a witness follows a house: each root must extend the one that was seen before it."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from puntobanco.journal.chain import BEGINNING, Fault, Head, chained_root, heads_digest
from puntobanco.journal.verify import HOUSE, SHORT
from puntobanco.journal.witness.shown import ShownRoot, heads_of

Ask = Callable[[int], tuple[ShownRoot, ...]]
"""Asks a house for its roots from a row on; for the newest, with all heads, if that is 0."""


class SeenSoFar(Struct, frozen=True):
    """How far a witness has come: the last root, and the heads of all streams under it."""

    root: str = ""
    row: int = 0
    heads: dict[str, Head] = {}


def extended(seen: SeenSoFar, shown: ShownRoot) -> SeenSoFar | Fault:
    """Take the next root, if it extends what was seen; else say by which stream and row not."""
    heads = seen.heads | heads_of(shown.heads)
    if seen.root and (shown.before != seen.root or shown.row <= seen.row):
        return _departure(seen, heads) or Fault(
            HOUSE, shown.row, f"has a root after another than {seen.root[:SHORT]}…, which was seen"
        )
    if fault := _departure(seen, heads):
        return fault
    kept = shown.credentials, shown.sealed
    if chained_root(shown.before, shown.tree, kept, heads_digest(heads)) != shown.root:
        return Fault(HOUSE, shown.row, "has a root that is not made of what is shown with it")
    return SeenSoFar(shown.root, shown.row, heads)


def _departure(seen: SeenSoFar, heads: Mapping[str, Head]) -> Fault | None:
    """The first stream that ends before where it was seen, or has another row there."""
    for stream, was in sorted(seen.heads.items()):
        now = heads.get(stream, BEGINNING)
        if now.seq < was.seq:
            said = f"is gone: the stream ends at row {now.seq}, and the witness saw more"
            return Fault(stream, now.seq + 1, said)
        if now.seq == was.seq and now.hash != was.hash:
            return Fault(stream, was.seq, "is another than the one the witness saw")
    return None


def taken_up(seen: SeenSoFar, ask: Ask) -> Iterator[tuple[ShownRoot, SeenSoFar] | Fault]:
    """Ask for what came since, and follow it root by root, up to one that does not extend it."""
    roots = ask(seen.row)
    if seen.root:
        first, roots = roots[:1], roots[1:]
        if [(one.row, one.root) for one in first] != [(seen.row, seen.root)]:
            yield _rewritten(seen, ask)
            return
    for shown in roots:
        after = extended(seen, shown)
        if isinstance(after, Fault):
            yield after
            return
        seen = after
        yield shown, seen


def _rewritten(seen: SeenSoFar, ask: Ask) -> Fault:
    """The house no longer shows the root that was seen: say what else is not there any more."""
    there = {stream: head for root in ask(0) for stream, head in heads_of(root.heads).items()}
    said = f"does not record the root {seen.root[:SHORT]}… that the witness saw"
    return _departure(seen, there) or Fault(HOUSE, seen.row, said)


def short_form(root: str) -> str:
    """The beginning of a root, for two people to read to each other.

    >>> short_form("0123456789abcdef0123456789abcdef")
    '0123 4567 89ab cdef 0123'
    """
    return " ".join(root[at : at + 4] for at in range(0, SHORT, 4))
