"""Is this a picture, and what of it is kept: a PNG or JPEG read part by part, stripped of the rest.

A browser shows whatever it is sent, and a phone's photo says where and when it was taken, and by
which device. Only what is needed to draw it stays.
"""

from collections.abc import Iterator
from typing import Literal

from puntobanco.register.png import FRAME, SIGNATURE, is_png

MOST_BYTES = 1_500_000
"""The most bytes of a photo."""
MOST_PIXELS = 8192
"""The most pixels of a photo across and down."""
DRAWN = frozenset(
    {b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"pHYs", b"IDAT", b"IEND"}
)
"""The chunks of a PNG that say how it looks; texts, times and places are in others."""
START, END, SCAN = 0xD8, 0xD9, 0xDA
FRAMES = frozenset({0xC0, 0xC1, 0xC2})
"""Segments of a JPEG with its size: baseline, extended, progressive."""
TOLD = frozenset({*range(0xE1, 0xEE), 0xEF, 0xFE})
"""Segments with what a device or a program had to say; 0xE0 and 0xEE tell the colours."""
INSIDE = frozenset({0x00, *range(0xD0, 0xD8)})
"""What follows an 0xFF inside the drawn lines."""
Kind = Literal["image/png", "image/jpeg"]


def media_type(picture: bytes) -> Kind:
    """How a picture that was kept is called on the web."""
    return "image/png" if picture.startswith(SIGNATURE) else "image/jpeg"


def bare(picture: bytes) -> bytes | None:
    """A photo without all that is not the picture; None if it is none, or too large."""
    if not picture or len(picture) > MOST_BYTES:
        return None
    if picture.startswith(SIGNATURE):
        return b"".join((SIGNATURE, *_chunks(picture))) if is_png(picture, MOST_PIXELS) else None
    try:
        return b"".join(_segments(picture))
    except (IndexError, ValueError):
        return None


def _chunks(picture: bytes) -> Iterator[bytes]:
    at = len(SIGNATURE)
    while at < len(picture):
        end = at + FRAME + int.from_bytes(picture[at : at + 4], "big")
        if picture[at + 4 : at + 8] in DRAWN:
            yield picture[at:end]
        at = end


def _segments(picture: bytes) -> Iterator[bytes]:
    """From its start to its end, whatever a camera wrote behind it left out."""
    if picture[:2] != bytes((0xFF, START)):
        raise ValueError
    yield picture[:2]
    at, sized, drawn = 2, False, False
    while True:
        if picture[at] != 0xFF:
            raise ValueError
        kind = picture[at + 1]
        if kind == END:
            if not (sized and drawn):
                raise ValueError
            yield picture[at : at + 2]
            return
        end = at + 2 + int.from_bytes(picture[at + 2 : at + 4], "big")
        if end < at + 4 or end > len(picture):
            raise ValueError
        if kind in FRAMES:
            sized = _is_small(picture[at:end])
        elif kind == SCAN:
            end, drawn = _after_lines(picture, end), True
        if kind not in TOLD:
            yield picture[at:end]
        at = end


def _is_small(frame: bytes) -> bool:
    sides = (int.from_bytes(frame[5:7], "big"), int.from_bytes(frame[7:9], "big"))
    if not all(1 <= side <= MOST_PIXELS for side in sides):
        raise ValueError
    return True


def _after_lines(picture: bytes, at: int) -> int:
    """Where the next segment begins after drawn lines."""
    while True:
        at = picture.index(0xFF, at)
        if picture[at + 1] not in INSIDE:
            return at
        at += 2
