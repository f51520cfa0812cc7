"""Photos are read part by part; what is kept is the picture and nothing else."""

from base64 import b64decode
from hashlib import sha256
from struct import pack
from zlib import crc32

import pytest

from puntobanco.register.pictures import MOST_BYTES, MOST_PIXELS, bare, media_type
from tests.kit.aggregates import jpeg, photo, png, segment

PLAIN = jpeg()


def test_a_picture_without_more_is_kept_as_it_is() -> None:
    assert (bare(PLAIN), media_type(PLAIN)) == (PLAIN, "image/jpeg")
    assert (bare(photo()), media_type(photo())) == (photo(), "image/png")


def test_where_and_when_a_photo_was_taken_is_not_kept() -> None:
    assert bare(jpeg(told=b"at 42.9 S, 147.3 E", after=b"a film of 3 s")) == PLAIN
    text = b"tEXtPlace\x00the cage"
    chunk = pack(">I", len(text) - 4) + text + pack(">I", crc32(text))
    at = 8 + 25  # behind the header
    assert bare(photo()[:at] + chunk + photo()[at:]) == photo()
    assert sha256(bare(PLAIN) or b"").digest() == sha256(PLAIN).digest()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"GIF89a",
        b"\xff\xd8\xff\xd9",
        PLAIN[:-2],
        PLAIN[:30],
        PLAIN.replace(b"\xff\xda", b"\xff\xdb"),
        b"\xff\xd8" + segment(0xE0, b"")[:3],
        jpeg(width=MOST_PIXELS + 1),
        jpeg(height=0),
        b64decode(png(width=MOST_PIXELS + 1)),
        b64decode(png(after=b"<script>")),
        PLAIN + bytes(MOST_BYTES),
    ],
)
def test_what_is_no_picture_or_too_large_is_not_kept(sent: bytes) -> None:
    assert bare(sent) is None
