"""Looking back coup by coup: a page of the list, read from a bounded window of rows.

Nothing here reads a whole table: a page reads a window of rows back and, for what was ruled later,
one on, and says which; a coup is found by its number in about twenty looks.
"""

from collections.abc import Iterator
from itertools import takewhile

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
BACK = 5000
"""Rows back that one page of the list reads at most."""
ON = 20_000
"""Rows on that it looks for later rulings on its coups: several shoes."""
OPENED = b'{"is":"coup-opened"'
RULED_LATER = (
    b'"earlier-coup-voided"',
    b'"card-corrected"',
    b'"cards-corrected"',
    b'"wager-corrected"',
    b'"record-replaced"',
    b'"transfer-reversed"',
    b'"payment-corrected"',
    b'"error-noted"',
)
"""What may be said of a coup when others have come after it."""


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


class Page(Struct, frozen=True):
    """A page of the list, the newest coup first, and what was read for it."""

    coups: tuple[ListedCoup, ...]
    first_row: int
    ruled_to: int
    """Later rulings are known up to this row."""
    head: int
    before: int | None
    """Where the next page ends; None on the oldest one."""


def coup_page(log: EventLog, stream: str, tableau: Tableau, before: int | None = None) -> Page:
    """The coups opened before a row, newest first, as many as a page holds."""
    head = log.head(stream).seq
    end = min(before or head + 1, head + 1)
    start = max(0, end - 1 - BACK)
    past = PastCoups()
    for row in takewhile(lambda row: row.seq < end, log.read(stream, start)):
        past.read(row)
    known = sorted(past.coups)
    ruled_to = _read_on(log, stream, past, end)
    coups = tuple(_listed(past.coups[number], tableau) for number in reversed(known[-PAGE:]))
    first = coups[-1].seq if len(known) > PAGE else start + 1
    return Page(coups, first, ruled_to, head, first if first > 1 else None)


def _read_on(log: EventLog, stream: str, past: PastCoups, end: int) -> int:
    """The rest of the last coup, and what was ruled on any of them later; the last row read."""
    seq = end - 1
    for row in log.read(stream, end - 1):
        if row.seq >= end + ON:
            break
        if OPENED in row.events:
            past.current = 0  # from here on only what names a coup is about one of these
        if past.current or any(tag in row.events for tag in RULED_LATER):
            past.read(row)
        seq = row.seq
    return seq


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


def ruled_later(log: EventLog, stream: str, number: int, after: int) -> Iterator[Told]:
    """What was said of a coup after others had begun, within a window of rows."""
    rows = takewhile(lambda row: row.seq <= after + ON, log.read(stream, after))
    for row in rows:
        if any(tag in row.events for tag in RULED_LATER):
            yield from (step for step in tell_row(row) if coup_of(step.event) == number)
