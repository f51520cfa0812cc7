"""The journal verified while the house runs: on request, by one thread, for a bounded time.

What was found is kept until the house shuts, and says of itself how far it goes: rows written
since, and whatever the time did not suffice for, have not been checked.
"""

from collections.abc import Callable
from threading import Lock, Thread

from msgspec import Struct

from puntobanco.errors import DamagedError
from puntobanco.house.checks.proof import Against, Proof, prove
from puntobanco.journal.log import EventLog

BUDGET_MS = 300_000
"""A reader holds up the database's tidying; after so long the command line is the better place."""


class Verification(Struct, frozen=True):
    """What one verification found."""

    began_ms: int
    ended_ms: int
    rows: int
    """Linked to the row before, hash by hash."""
    played: int
    """How many were decided again, and came out the same."""
    streams: int
    root: str
    """The last one on record, to note down outside; empty if there is none."""
    heads: dict[str, int]
    """How far each stream had come, and was checked."""
    fault: str = ""
    without: int = 0
    """Rows of older programs, which kept no command."""
    otherwise: int = 0
    """Rows of an earlier edition that come out otherwise today, by a change that is named."""
    complete: bool = True
    """False: the time was over before everything was checked."""


class TimeOverError(Exception):
    """The time for a verification is over."""


class Checking:
    """Verifications of one journal: at most one under way, the last outcome kept."""

    def __init__(
        self,
        log: EventLog,
        now_ms: Callable[[], int],
        budget_ms: int = BUDGET_MS,
        key: bytes | None = None,
    ) -> None:
        self._log = log
        self._against = Against(key=key)
        self._now_ms = now_ms
        self._budget_ms = budget_ms
        self._lock = Lock()
        self._thread: Thread | None = None
        self.last: Verification | None = None
        self.began_ms = 0
        self.rows = self.played = 0
        """How far the one under way has come."""

    @property
    def under_way(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begin a verification, unless one is under way. The house may shut meanwhile."""
        with self._lock:
            if self.under_way:
                return
            self.began_ms, self.rows, self.played = self._now_ms(), 0, 0
            self._thread = Thread(target=self._run, name="verification", daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> None:
        """A short one is over before anyone need ask again."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _run(self) -> None:
        self.last = self._check()

    def _check(self) -> Verification:
        heads: dict[str, int] = {}
        fault, complete = "", True
        proof: Proof | None = None
        try:
            with self._log.frozen():  # as it is at this moment; it goes on being written
                heads = {name: self._log.head(name).seq for name in self._log.streams()}
                proof = prove(self._log, self._against, self._linked, self._played)
                fault = "" if proof.fault is None else str(proof.fault)
        except TimeOverError:
            complete = False
        except Exception as error:  # noqa: BLE001  a journal may be damaged in any way at all
            fault = f"the journal cannot be read: {_said(error)}"
        return Verification(
            began_ms=self.began_ms,
            ended_ms=self._now_ms(),
            rows=proof.rows if proof else self.rows,
            played=proof.decided + proof.without if proof else self.played,
            streams=proof.streams if proof else 0,
            root=proof.root if proof and proof.recorded else "",
            heads=heads,
            fault=fault,
            without=proof.without if proof else 0,
            otherwise=proof.otherwise if proof else 0,
            complete=complete,
        )

    def _linked(self, rows: int) -> None:
        self.rows = rows
        self._check_time()

    def _played(self, rows: int) -> None:
        self.played = rows
        self._check_time()

    def _check_time(self) -> None:
        if self._now_ms() - self.began_ms > self._budget_ms:
            raise TimeOverError


def _said(error: Exception) -> str:
    kind = "" if isinstance(error, DamagedError) else f"{type(error).__name__}: "
    return f"{kind}{' '.join(str(error).split())}"[:300]
