"""A disk whose power can be cut: what was not synced is lost, half of it, and torn.

An APSW file system that writes through to real files and remembers what they held at the last
sync. It also fails on purpose, at the k-th write or sync.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import apsw

SECTOR = 512


class Disk(apsw.VFS):
    """Every file on it, as it would be found after the power came back."""

    def __init__(self, name: str, fail_at: int | None = None) -> None:
        self.name = name
        self.base = ""
        self.durable: dict[str, bytes] = {}
        self.pending: dict[str, list[tuple[int, bytes] | int]] = {}
        self.calls = 0
        self.fail_at = fail_at
        super().__init__(name, self.base)

    def xOpen(self, name: Any, flags: list[int]) -> "DiskFile":  # noqa: N802
        return DiskFile(self, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802
        super().xDelete(name, sync)
        self.durable.pop(name, None)
        self.pending.pop(name, None)

    def count(self, failure: type[apsw.Error]) -> None:
        """Another write or sync; from the one that is to fail on, they do."""
        self.calls += 1
        if self.fail_at is not None and self.calls >= self.fail_at:
            raise failure("the disk is full, on purpose")

    def cut(self, chance: Random) -> None:
        """The power goes: each unsynced write survives or not, perhaps torn at a sector."""
        for name, changes in self.pending.items():
            held = bytearray(self.durable.get(name, b""))
            for change in changes:
                if chance.random() < 0.5:
                    continue
                if isinstance(change, int):
                    del held[change:]
                    continue
                offset, data = change
                if chance.random() < 0.3:
                    data = data[: chance.randrange(0, len(data) + 1, SECTOR)]
                held.extend(bytes(max(0, offset + len(data) - len(held))))
                held[offset : offset + len(data)] = data
            Path(name).write_bytes(held)


class DiskFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self.disk = disk
        self.path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if self.path is not None and self.path not in disk.durable:
            file = Path(self.path)
            disk.durable[self.path] = file.read_bytes() if file.exists() else b""
            disk.pending[self.path] = []
        super().__init__(disk.base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.disk.count(apsw.FullError)
        super().xWrite(data, offset)
        if self.path is not None:
            self.disk.pending[self.path].append((offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        super().xTruncate(size)
        if self.path is not None:
            self.disk.pending[self.path].append(size)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.disk.count(apsw.IOError)
        super().xSync(flags)
        if self.path is not None:
            held = bytearray(self.disk.durable[self.path])
            for change in self.disk.pending[self.path]:
                if isinstance(change, int):
                    del held[change:]
                    continue
                offset, data = change
                held.extend(bytes(max(0, offset + len(data) - len(held))))
                held[offset : offset + len(data)] = data
            self.disk.durable[self.path] = bytes(held)
            self.disk.pending[self.path] = []


def connect_on(disk: Disk, *, synchronous: str = "") -> Callable[[str], Any]:
    """A `connect` for the journal on such a disk. WAL there wants the file for itself."""

    def connect(path: str) -> Any:
        db = apsw.Connection(path, vfs=disk.name)
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        return Careless(db, synchronous) if synchronous else db

    return connect


class Careless:
    """A connection on which the setting that makes commits durable is undone behind one's back."""

    def __init__(self, db: Any, synchronous: str) -> None:
        self.db = db
        self.synchronous = synchronous

    def execute(self, query: str, values: tuple[object, ...] = ()) -> Any:
        if query.startswith("BEGIN"):
            self.db.execute(f"PRAGMA synchronous = {self.synchronous}")
        return self.db.execute(query, values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.db, name)
