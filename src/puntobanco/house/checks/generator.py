"""The generator from which a house draws, watched: every byte that it gives goes through the two
health tests of SP 800-90B (4.4), at the start and for ever after.

It is the operating system's, which promises whole bytes of chance: eight bits of min-entropy each.
By that and by how seldom a good one may be called bad, once in 2^40 bytes or windows, follow the
cutoffs. A house that drew a megabyte each day would wait some thousands of years for it.
"""

from collections.abc import Callable
from math import comb
from threading import Lock
from typing import Literal

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import facts_in
from puntobanco.journal.verify import HOUSE, between
from puntobanco.rules.documents.ruleset import CONDITIONS

MIN_ENTROPY = 8
"""Bits in each byte, as stated."""
SELDOM = 40
"""A good generator is called bad once in 2^40."""
WINDOW = 512
"""Bytes of which one value may not be too many."""
START_BYTES = 4096
"""Drawn and tested at each start, and each day: SP 800-90B wants 1,024 at least."""
AGAIN_BYTES = 1 << 20
"""Drawn and tested before somebody says that it is good again."""
MOST_TRIES = 128
"""Draws in a row of which each is too large with a chance of a half at most: more never happen."""
TAG, FAILED = b'"is":"generator-', "generator-failed"
AT_ONCE = 5000
"""Rows of the house that are looked through in one go, from the last one back."""
Test = Literal["repetition", "proportion", "bounds", "source", "record"]
"""What failed: one value too often in a row, or in a window; every draw out of bounds; the
operating system gave none; or it failed before, and nobody has said since that it is good again.
"""


def repetition_cutoff(entropy: int = MIN_ENTROPY, seldom: int = SELDOM) -> int:
    """The number of equal bytes in a row at which the generator has failed (4.4.1).

    >>> repetition_cutoff(), repetition_cutoff(1, 20)
    (6, 21)
    """
    return 1 - (-seldom // entropy)


def proportion_cutoff(
    entropy: int = MIN_ENTROPY, seldom: int = SELDOM, window: int = WINDOW
) -> int:
    """The number of bytes in a window equal to its first at which the generator has failed (4.4.2):
    one more than a good one reaches but once in 2^`seldom` windows.

    >>> proportion_cutoff(), proportion_cutoff(1, 20, 1024)
    (19, 589)
    """
    others, total = 2**entropy - 1, 2 ** (entropy * window)
    reached, most = 0, window  # of `total` windows, those with more than `most` of the value
    while True:
        exactly = comb(window, most) * others ** (window - most)
        if (reached + exactly) << seldom > total:
            return most + 1
        reached, most = reached + exactly, most - 1


REPETITION, PROPORTION = repetition_cutoff(), proportion_cutoff()


class GeneratorFault(Struct, frozen=True):
    """Which test failed, and at what."""

    test: Test
    found: int = 0
    cutoff: int = 0


class DrawnBytes(Struct, frozen=True):
    """What the tests have seen since it was last asked."""

    tested: int
    """Bytes."""
    longest: int
    """Equal bytes in a row."""
    most: int
    """Bytes of a window equal to its first."""


class Watched:
    """A source of bytes, each of which is tested as it is drawn. Nothing is kept of what it gave:
    every draw asks the source, so that no copy of this process can draw the same.
    """

    def __init__(self, source: Callable[[int], bytes]) -> None:
        self._source = source
        self._lock = Lock()
        self._last = self._first = -1
        self._run = self._equal = self._in_window = 0
        self._tested = self._longest = self._most = 0
        self.tested = 0
        """Bytes since the process began."""
        self.fault: GeneratorFault | None = None
        """The first that was found; it stays until somebody has it tested again."""
        self.is_told = False
        """The fault is on record."""
        self.heeded = 0
        """The row of the house up to which its record was heeded."""

    def some_bytes(self, count: int) -> bytes:
        """Draw bytes; they are given though a test failed, for ids and cards of people go on:
        what is drawn for play asks `check_generator`.
        """
        try:
            given = self._source(count)
        except OSError:
            self._fail(GeneratorFault("source"))
            raise self._refused() from None
        with self._lock:
            for value in given:
                self._take(value)
            self.tested += len(given)
            self._tested += len(given)
        return given

    def below(self, bound: int) -> int:
        """Draw a number from 0 to bound-1, each as likely: one that is too large is drawn again."""
        bits = (bound - 1).bit_length()
        count = (bits + 7) // 8
        for _ in range(MOST_TRIES):
            number = int.from_bytes(self.some_bytes(count), "big") >> (8 * count - bits)
            if number < bound:
                return number
        self._fail(GeneratorFault("bounds", MOST_TRIES, MOST_TRIES))
        raise self._refused()

    def test(self, count: int = START_BYTES) -> None:
        """Draw bytes for nothing but the tests."""
        for start in range(0, count, START_BYTES):
            self.some_bytes(min(START_BYTES, count - start))

    def anew(self) -> "Watched":
        """The same source, of which nothing is known."""
        return Watched(self._source)

    def good_again(self) -> None:
        """Somebody had it tested again, and it passed."""
        self.fault, self.is_told = None, False

    def seen(self) -> DrawnBytes:
        """What was seen since this was last asked."""
        with self._lock:
            drawn = DrawnBytes(self._tested, self._longest, self._most)
            self._tested = self._longest = self._most = 0
        return drawn

    def _take(self, value: int) -> None:
        """One byte through both tests."""
        self._run = self._run + 1 if value == self._last else 1
        self._last = value
        if self._in_window == 0:
            self._first, self._equal = value, 0
        self._equal += value == self._first
        self._in_window = (self._in_window + 1) % WINDOW
        self._longest, self._most = max(self._longest, self._run), max(self._most, self._equal)
        if self._run >= REPETITION:
            self._fail(GeneratorFault("repetition", self._run, REPETITION))
        if self._equal >= PROPORTION:
            self._fail(GeneratorFault("proportion", self._equal, PROPORTION))

    def _fail(self, fault: GeneratorFault) -> None:
        self.fault = self.fault or fault

    def _refused(self) -> Refused:
        return Refused(Reason.GENERATOR_FAILED, CONDITIONS)


def check_generator(watch: Watched | None, log: EventLog) -> None:
    """Refuse what was drawn for play by a generator that has failed, while it was drawn or before,
    here or in another process of the house; none is watched where chance comes from a seed, under
    test.
    """
    if watch is None:
        return
    heed_record(watch, log)
    if watch.fault is not None:
        raise Refused(Reason.GENERATOR_FAILED, CONDITIONS)


def heed_record(watch: Watched, log: EventLog) -> None:
    """Take up what was put on record since this was last done, whichever process did it: that it
    failed, or that somebody had it tested again. A new start alone makes nothing good.
    """
    kind, watch.heeded = _last_on_record(log, watch.heeded)
    if kind == FAILED and watch.fault is None:
        watch.fault, watch.is_told = GeneratorFault("record"), True
    elif kind not in ("", FAILED) and watch.fault == GeneratorFault("record"):
        watch.good_again()


def failed_on_record(log: EventLog) -> bool:
    """Whether the last that was noted of the generator is that it failed."""
    return _last_on_record(log, 0)[0] == FAILED


def _last_on_record(log: EventLog, after: int) -> tuple[str, int]:
    """What was last noted of the generator after a row of the house, and the row it has now."""
    head = end = log.head(HOUSE).seq
    while end > after:
        start = max(after, end - AT_ONCE)
        kinds = [
            event["is"]
            for row in between(log, HOUSE, start, end)
            if TAG in row.events
            for event in facts_in(row)
            if event["is"].startswith("generator-")
        ]
        if kinds:
            return str(kinds[-1]), head
        end = start
    return "", head
