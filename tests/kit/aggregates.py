"""Cage and register, decided and applied in one step; a logo to set."""

import struct
from base64 import b64decode, b64encode
from functools import reduce
from zlib import compress, crc32

from puntobanco.cage import decide as cage_decide
from puntobanco.cage import evolve as cage_evolve
from puntobanco.cage.commands import CageCommand
from puntobanco.cage.events import CageEvent
from puntobanco.cage.state import Cage
from puntobanco.register import decide as register_decide
from puntobanco.register import evolve as register_evolve
from puntobanco.register.commands import RegisterCommand
from puntobanco.register.events import RegisterEvent
from puntobanco.register.state import Register
from puntobanco.table.actor import Actor


def run_cage(cage: Cage, ask: CageCommand, by: Actor) -> tuple[Cage, list[CageEvent]]:
    events = cage_decide.decide(cage, ask, by)
    return reduce(cage_evolve.evolve, events, cage), events


def run_register(
    register: Register, ask: RegisterCommand, by: Actor
) -> tuple[Register, list[RegisterEvent]]:
    events = register_decide.decide(register, ask, by)
    return reduce(register_evolve.evolve, events, register), events


def png(width: int = 2, height: int = 2, after: bytes = b"") -> str:
    """A grey picture, whole and right, in base64."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = compress((b"\0" + b"\x80" * min(width, 8)) * min(height, 8))
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b64encode(b"\x89PNG\r\n\x1a\n" + parts + after).decode()


def segment(kind: int, body: bytes) -> bytes:
    return bytes((0xFF, kind)) + struct.pack(">H", len(body) + 2) + body


def jpeg(width: int = 2, height: int = 2, told: bytes = b"", after: bytes = b"") -> bytes:
    """A JPEG of two scans; `told` is what a phone says of where it was taken."""
    size = bytes((8,)) + struct.pack(">HH", height, width) + bytes((1, 1, 0x11, 0))
    lines = b"\x12\xff\x00\x34\xff\xd0\x56"
    parts = [segment(0xE0, b"JFIF\x00\x01\x01"), segment(0xC2, size)]
    if told:
        parts.insert(0, segment(0xE1, b"Exif\x00\x00" + told))
    parts += [segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + lines for _ in range(2)]
    return b"\xff\xd8" + b"".join(parts) + b"\xff\xd9" + after


def photo() -> bytes:
    return b64decode(png())
