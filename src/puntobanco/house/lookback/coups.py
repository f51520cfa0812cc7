"""Looking back coup by coup: a page of the list, read from a bounded window of rows.

Nothing here reads a whole table: a page reads a window of rows back and, for what was ruled later,
one on, and says which; a coup is found by its number in about twenty looks.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from threading import Lock

from msgspec import Struct

from puntobanco.house.lookback.past_coup import PastCoup, PastCoups, coup_of
from puntobanco.house.lookback.told import Told, events_of, tell_row
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Result
from puntobanco.rules.drawing import Tableau, fold
from puntobanco.table import events as e
from puntobanco.table.coup_record import CoupKind

PAGE = 50
LEAST_BACK, BACK = 1250, 5000
"""Rows back that one page of the list reads at first, and at most."""
ON = 20_000
"""Rows on that it looks for later rulings on its coups: several shoes."""
OPENED = b'{"is":"coup-opened"'
BLOCK = 2000
"""Rows of which it is remembered, once they are all written, which of them rule on other coups."""
MOST_BLOCKS = 10_000
RULED_LATER = (
    b'"earlier-coup-voided"',
    b'"card-corrected"',
    b'"cards-corrected"',
    b'"wager-corrected"',
    b'"record-replaced"',
    b'"transfer-reversed"',
    b'"payment-corrected"',
    b'"error-noted"',
    b'"dispute-raised"',
)
"""What may be said of a coup when others have come after it."""
LIKELY = re.compile(b"|".join((*RULED_LATER, b'{"is":"proposed"')))


class ListedCoup(Struct, frozen=True):
    """One coup in the list, with the hands its cards give."""

    number: int
    seq: int
    at_ms: int
    kind: CoupKind
    drawn: tuple[Drawn, ...]
    result: Result | None
    void: bool
    corrected: bool
    over: bool
    undealt: bool
    """Opened and closed again without a wager or a card."""
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    disputes: tuple[int, ...] = ()
    """The disputes that were raised about it, by their numbers."""


class Page(Struct, frozen=True):
    """A page of the list, the newest coup first, and what was read for it."""

    coups: tuple[ListedCoup, ...]
    first_row: int
    ruled_to: int
    """Later rulings are known up to this row."""
    head: int
    before: int | None
    """Where the next page ends; None on the oldest one."""


class LaterRulings:
    """The rows of a journal that may rule on an earlier coup. Rows never change, so a block of them
    that is full is looked through once.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._blocks: dict[tuple[str, int], tuple[int, ...]] = {}
        self._lock = Lock()

    def rows(self, stream: str, after: int, upto: int) -> Iterator[Row]:
        """Those after a row, up to another."""
        for block in range(after // BLOCK, upto // BLOCK + 1):
            found = [seq for seq in self._found(stream, block) if after < seq <= upto]
            yield from (next(self._log.read(stream, seq - 1)) for seq in found)

    def _found(self, stream: str, block: int) -> tuple[int, ...]:
        known = self._blocks.get((stream, block))
        if known is not None:
            return known
        last, found = (block + 1) * BLOCK - 1, list[int]()
        seq = 0
        for row in self._log.read(stream, max(0, block * BLOCK - 1)):
            if row.seq > last:
                break
            seq = row.seq
            if LIKELY.search(row.events):
                found.append(seq)
        if seq == last:
            with self._lock:
                if len(self._blocks) >= MOST_BLOCKS:
                    self._blocks.clear()
                self._blocks[stream, block] = tuple(found)
        return tuple(found)


def coup_page(
    log: EventLog,
    stream: str,
    tableau: Tableau,
    before: int | None = None,
    rulings: LaterRulings | None = None,
) -> Page:
    """The coups opened before a row, newest first, as many as a page holds."""
    head = log.head(stream).seq
    end = min(before or head + 1, head + 1)
    back = LEAST_BACK
    while True:
        back = min(back, BACK)
        start = max(0, end - 1 - back)
        past = PastCoups()
        for row in takewhile(lambda row: row.seq < end, log.read(stream, start)):
            past.read(row)
        if len(past.coups) > PAGE or not start or back == BACK:
            break
        back *= 4
    known = sorted(past.coups)
    ruled_to = min(head, end + ON)
    _read_on(log, past, (stream, end), ruled_to, rulings or LaterRulings(log))
    coups = tuple(_listed(past.coups[number], tableau) for number in reversed(known[-PAGE:]))
    first = coups[-1].seq if len(known) > PAGE else start + 1
    return Page(coups, first, ruled_to, head, first if first > 1 else None)


def _read_on(
    log: EventLog, past: PastCoups, at: tuple[str, int], upto: int, rulings: LaterRulings
) -> None:
    """The rest of the last coup, and what was ruled on any of them later."""
    stream, end = at
    seq = end - 1
    for row in log.read(stream, seq):
        if OPENED in row.events or row.seq > upto:
            break
        past.read(row)
        seq = row.seq
    past.current = 0  # from here on only what names a coup is about one of these
    for row in rulings.rows(stream, seq, upto):
        past.read(row)


def _listed(coup: PastCoup, tableau: Tableau) -> ListedCoup:
    hands = fold(coup.drawn, tableau)
    return ListedCoup(
        coup.number,
        coup.seq,
        coup.at_ms,
        coup.kind,
        coup.drawn,
        coup.result,
        coup.void,
        coup.corrected,
        coup.over,
        coup.undealt,
        hands.player,
        hands.banker,
        coup.disputes,
    )


def find_coup(log: EventLog, stream: str, number: int) -> Row | None:
    """The row that opened a coup. Numbers only grow, so halving finds it."""
    low, high = 0, log.head(stream).seq
    while high - low > 1:
        middle = (low + high) // 2
        opened = _next_opened(log, stream, middle)
        if opened is None or _number(opened) > number:
            high = middle
        else:
            low = middle
    opened = _next_opened(log, stream, low)
    return opened if opened and _number(opened) == number else None


def _next_opened(log: EventLog, stream: str, after: int) -> Row | None:
    return next((row for row in log.read(stream, after) if OPENED in row.events), None)


def _number(opened: Row) -> int:
    return next(event.number for event in events_of(opened) if isinstance(event, e.CoupOpened))


def ruled_later(rulings: LaterRulings, stream: str, number: int, after: int) -> Iterator[Told]:
    """What was said of a coup after others had begun, within a window of rows, and by whom."""
    for row in rulings.rows(stream, after, after + ON):
        told = [step for step in tell_row(row) if _speaks_of(step.event, number)]
        if any(not isinstance(step.event, e.Approved) for step in told):
            yield from told


def _speaks_of(event: e.TableEvent, number: int) -> bool:
    """Is it about this coup: what was put right, and the two people it took?"""
    if isinstance(event, e.Proposed):
        return getattr(event.ask, "coup", 0) == number
    return isinstance(event, e.Approved) or coup_of(event) == number
