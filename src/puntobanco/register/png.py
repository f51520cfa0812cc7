"""Is this a PNG? Read chunk by chunk to its end, for a browser shows whatever it is sent."""

from binascii import Error, a2b_base64
from zlib import crc32

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_PIXELS = 1024
"""The most pixels across and down: a small file may hold a vast picture."""
FRAME = 12
"""Bytes of a chunk besides its data: length, kind, checksum."""


def png_of(text: str) -> bytes | None:
    """The bytes of a PNG that was written in base64; None if it is none, or too large."""
    try:
        found = a2b_base64(text, strict_mode=True)
    except (Error, ValueError):
        return None
    return found if is_png(found, MOST_PIXELS) else None


def is_png(found: bytes, most_pixels: int) -> bool:
    """From header to end, every checksum right, and nothing behind it."""
    if not found.startswith(SIGNATURE):
        return False
    at, kinds = len(SIGNATURE), list[bytes]()
    while at + FRAME <= len(found):
        length = int.from_bytes(found[at : at + 4], "big")
        body, end = found[at + 4 : at + 8 + length], at + FRAME + length
        if end > len(found) or crc32(body) != int.from_bytes(found[end - 4 : end], "big"):
            return False
        if not kinds and not _is_header(body, most_pixels):
            return False
        kinds.append(body[:4])
        at = end
    return at == len(found) and b"IDAT" in kinds and kinds[-1] == b"IEND"


def _is_header(body: bytes, most_pixels: int) -> bool:
    sides = (int.from_bytes(body[4:8], "big"), int.from_bytes(body[8:12], "big"))
    good = all(1 <= side <= most_pixels for side in sides)
    return good and body[:4] == b"IHDR" and len(body) == 17
