"""The journal verified while the house runs: on request, by one thread, for a bounded time.

The outcome is kept until the house shuts, and says how far it goes: rows written since, and rows
that the time did not suffice for, have not been checked.
"""

from collections.abc import Callable
from threading import Lock, Thread

from msgspec import Struct

from puntobanco.errors import DamagedError
from puntobanco.house.checks.proof import Against, Proof, prove
from puntobanco.journal.log import EventLog

BUDGET_MS = 300_000
"""The most milliseconds of a verification: a long reader keeps the database from tidying up."""


class Verification(Struct, frozen=True):
    """What one verification found."""

    began_ms: int
    ended_ms: int
    rows: int
    """The number of rows whose links were checked."""
    played: int
    """The number of rows that were decided again."""
    streams: int
    root: str
    """The last root on record, to note down outside; empty if there is none."""
    heads: dict[str, int]
    """The last row of each stream that was checked."""
    fault: str = ""
    without: int = 0
    """Rows of older programs, which kept no command."""
    otherwise: int = 0
    """Rows of an earlier edition that are decided differently now, by a change that is named."""
    complete: bool = True
    """False: time ran out before every row was checked."""


class TimeOverError(Exception):
    """The time for a verification is over."""


class Checking:
    """Verifications of one journal: at most one under way, the last outcome kept."""

    def __init__(
        self,
        log: EventLog,
        now_ms: Callable[[], int],
        budget_ms: int = BUDGET_MS,
        against: Against = Against(),  # noqa: B008  it cannot be changed
    ) -> None:
        self._log = log
        self._against = against
        self._now_ms = now_ms
        self._budget_ms = budget_ms
        self._lock = Lock()
        self._thread: Thread | None = None
        self.last: Verification | None = None
        self.began_ms = 0
        self.rows = self.played = 0
        """The rows linked and decided so far by the verification under way."""

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
        """Wait for the verification under way, so that a short one is over within one request."""
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
            with self._log.frozen():  # the house goes on writing meanwhile
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
