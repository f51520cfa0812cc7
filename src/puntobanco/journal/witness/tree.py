"""A tree of hashes over rows: one hash for many, and a short proof that a row is among them.

It is the tree of RFC 6962: a leaf is hashed with a zero byte before it, two nodes with a one.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal

Step = tuple[Literal["left", "right"], str]
"""A hash on the way up, in hexadecimal, and the side on which it stands."""


def leaf(content: bytes) -> bytes:
    return sha256(b"\x00" + content).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def _half(count: int) -> int:
    """The largest power of two below a number from 2 on."""
    return 1 << (count - 1).bit_length() - 1


def tree(leaves: Sequence[bytes]) -> bytes:
    """The hash over all leaves, in their order.

    >>> tree([]) == sha256(b"").digest()
    True
    """
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256(b"").digest()
    half = _half(len(leaves))
    return _node(tree(leaves[:half]), tree(leaves[half:]))


def way_up(leaves: Sequence[bytes], index: int) -> tuple[Step, ...]:
    """The hashes beside the way from one leaf to the top, from below."""
    if len(leaves) < 2:
        return ()
    half = _half(len(leaves))
    if index < half:
        return (*way_up(leaves[:half], index), ("right", tree(leaves[half:]).hex()))
    return (*way_up(leaves[half:], index - half), ("left", tree(leaves[:half]).hex()))


def top(start: bytes, way: Iterable[Step]) -> bytes:
    """Where a way up ends.

    >>> rows = [leaf(bytes([number])) for number in range(11)]
    >>> all(top(row, way_up(rows, at)) == tree(rows) for at, row in enumerate(rows))
    True
    """
    for side, beside in way:
        other = bytes.fromhex(beside)
        start = _node(other, start) if side == "left" else _node(start, other)
    return start
