"""Where a house under soak is kept: on a small disk of its own, in SQLite or in PostgreSQL."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.kit.postgres import Server, url

from bench.soak.plan import Kind

APART = "PUNTOBANCO_SOAK_APART"
DISK_MB = 2000
"""Room for the record, and more than that of which the house warns. Nothing is taken of the real
disk but what is written."""
OWNER, ROLE, DATABASE = "tester", "house", "evening"


def stand_apart() -> None:
    """Go on in a view of the disks of one's own, so that nothing stays mounted whatever happens."""
    unshare = shutil.which("unshare")
    if os.environ.get(APART) or os.geteuid() != 0 or unshare is None:
        return
    if subprocess.run([unshare, "--mount", "true"], check=False, capture_output=True).returncode:
        return
    again = [unshare, "--mount", sys.executable, "-m", "bench.soak", *sys.argv[1:]]
    os.execve(unshare, again, {**os.environ, APART: "1"})  # noqa: S606  this very program


class Place:
    """A house's address, its key, and the plugs of what it stands on."""

    def __init__(self, folder: Path, database: Server | None, *, can_fill: bool) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.key = folder / "key" / "house.key"
        self.database = database
        self.can_fill = can_fill
        at = url(database.folder, DATABASE, ROLE) if database else str(self.data / "house.db")
        self.address = at

    @property
    def servers(self) -> int:
        return 2 if self.database else 1

    def why_not(self, kind: Kind) -> str:
        """Why a plug cannot be pulled here; nothing if it can."""
        if kind == "restart" and self.database is None:
            return "PostgreSQL restarted, for the house is in SQLite"
        if kind == "full" and not self.can_fill:
            return "the disk full, for no file system can be mounted here"
        return ""

    def fill(self) -> None:
        """Take all the room there is."""
        free = shutil.disk_usage(self.data).free
        with (self.data / "full").open("wb") as file:
            while free:
                try:
                    os.posix_fallocate(file.fileno(), file.seek(0, os.SEEK_END), free)
                except OSError:
                    free //= 2

    def make_room(self) -> None:
        """A server that gave up meanwhile is started again, as a supervisor would."""
        (self.data / "full").unlink()
        if self.database is not None and not self.database.runs:
            self.database.start()


@contextmanager
def placed(*, postgres: bool) -> Iterator[Place]:
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the database's user passes through
        (folder / "key").mkdir(mode=0o700)
        (folder / "data").mkdir(mode=0o755)
        mounted = _mounted(folder)
        database = _database(folder / "data") if postgres else None
        try:
            yield Place(folder, database, can_fill=mounted)
        finally:
            if database is not None and database.runs:
                database.stop()
            if mounted:
                subprocess.run(["umount", folder / "data"], check=True)


def _mounted(folder: Path) -> bool:
    """A file system in a file, if this may be done here."""
    if not os.environ.get(APART):
        return False
    image = folder / "disk"
    with image.open("wb") as file:
        file.truncate(DISK_MB * 1_000_000)
    for command in (
        ["mkfs.ext4", "-q", "-m", "0", str(image)],
        ["mount", "-o", "loop", str(image), str(folder / "data")],
    ):
        if subprocess.run(command, check=False, capture_output=True).returncode:
            return False
    return True


def _database(folder: Path) -> Server:
    """A server with the two roles of an operator's: the house can only add."""
    home = folder / "postgresql"
    home.mkdir()
    database = Server(str(home))
    database.start()
    return database
