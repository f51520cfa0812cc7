"""One process runs a house in SQLite: it locks a file beside the journal's, `NAME-held`.

Neither a link to the journal nor one in the lock's place gets round it, and a journal or a lock
that is moved or replaced while it is held is noticed.
"""

import os
from contextlib import suppress
from pathlib import Path

from puntobanco.errors import UnusableError


class HeldFile:
    """A journal's file, as it was opened, and the lock on it."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()  # one house, by whatever link it was named
        self._opened = _identity(self.path)
        self._lock: int | None = None

    @property
    def is_held(self) -> bool:
        return self._lock is not None

    def take(self) -> bool:
        """Lock it, if no other process has; say whether it is ours."""
        import fcntl  # noqa: PLC0415  whoever only reads a house does so on any system

        if self._lock is not None:
            return True
        self._check_one_name()
        lock = _lock_file(self._beside)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return False
        if _identity(self._beside) != _identity(lock):  # it was taken away meanwhile
            os.close(lock)
            return False
        self._lock = lock
        return True

    def _check_one_name(self) -> None:
        """Refuse a file with a second name: under that one another process would run it."""
        if self.path.exists() and self.path.stat().st_nlink > 1:
            raise UnusableError(
                f"{self.path}: this file has another name by a hard link, under which a second"
                " house could be run over it; remove the link"
            )

    def fault(self) -> str:
        """What became of the file while it was held, or of the lock; empty if both are where they
        were.
        """
        if not self.is_held:
            return ""
        if _identity(self.path) != self._opened:
            return (
                f"{self.path} was moved or replaced while the house ran; put it back and start"
                " again: what was acknowledged is in the file that was moved"
            )
        if not self._is_locked():
            return f"{self._beside} was taken away, and another process runs the house now"
        return ""

    def _is_locked(self) -> bool:
        """Whether the lock is where another process looks for it; one that was taken away is put
        back, unless that process was faster.
        """
        was = self._lock
        if was is None or _identity(self._beside) == _identity(was):
            return True
        self._lock = None
        if not self._taken_anew():
            self._lock = was
            return False
        os.close(was)
        return True

    def _taken_anew(self) -> bool:
        with suppress(UnusableError):
            return self.take()
        return False

    @property
    def _beside(self) -> Path:
        return Path(f"{self.path}-held")

    def close(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _identity(file: Path | int) -> tuple[int, int] | None:
    """Which file it is, whatever it is called."""
    try:
        found = os.fstat(file) if isinstance(file, int) else file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _lock_file(path: Path) -> int:
    """Open the file that is locked; a link in its place would lead elsewhere."""
    try:
        return os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UnusableError(
            f"{path}: it cannot be locked ({error.strerror}); a link there would let a second"
            " process run the house: remove it"
        ) from error
