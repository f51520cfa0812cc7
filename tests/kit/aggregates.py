"""Cage and register, decided and applied in one step; a logo to set."""

import struct
from base64 import b64encode
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
