"""Looking back coup by coup: a page of the list, read from a bounded window of rows.

Nothing here reads a whole table: a page reads so many rows back and, for what was ruled later, so
many on, and says which; a coup is found by its number in about twenty looks.
"""

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.lookback.games import Told
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row, damaged
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Result
from puntobanco.rules.drawing import Tableau, fold
from puntobanco.rules.irregularities import Verdict
from puntobanco.table import events as e
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.sentences import tell

PAGE = 50
BACK = 5000
"""So many rows back one page of the list reads at most."""
ON = 20_000
"""So many rows on it looks for later rulings on its coups: several shoes."""
OPENED = b'{"is":"coup-opened"'
RULED_LATER = (
    b'"earlier-coup-voided"',
    b'"card-corrected"',
    b'"record-replaced"',
    b'"transfer-reversed"',
    b'"payment-corrected"',
    b'"error-noted"',
)
"""What may be said of a coup when others have come after it."""
_decode = msgspec.json.Decoder(list[e.TableEvent]).decode


def events_of(row: Row) -> list[e.TableEvent]:
    """What a row says; a row somebody changed may say nothing that can be read."""
    try:
        return _decode(row.events)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
        raise damaged(row) from error


class Listed(Struct, frozen=True):
    """One coup in the list, as it stands after every ruling that was read."""

    number: int
    seq: int
    """The row that opened it."""
    at_ms: int
    kind: CoupKind
    drawn: tuple[Drawn, ...] = ()
    result: Result | None = None
    void: bool = False
    corrected: bool = False
    over: bool = False
    player: tuple[Card | None, ...] = ()
    banker: tuple[Card | None, ...] = ()


class Page(Struct, frozen=True):
    """A page of the list, the newest coup first, and what was read for it."""

    coups: tuple[Listed, ...]
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
    found: dict[int, Listed] = {}
    current = 0
    for row in takewhile(lambda one: one.seq < end, log.read(stream, start)):
        current = _read(found, current, row)
    shown = sorted(found)[-PAGE:]
    ruled_to = _read_on(log, stream, found, current, end)
    coups = tuple(_with_hands(found[number], tableau) for number in reversed(shown))
    first = coups[-1].seq if len(found) > len(shown) else start + 1
    return Page(coups, first, ruled_to, head, first if first > 1 else None)


def _read_on(log: EventLog, stream: str, found: dict[int, Listed], current: int, end: int) -> int:
    """The rest of the last coup, and whatever was ruled on any of them later."""
    seq, known = end - 1, frozenset(found)
    in_coup = current in known
    for row in log.read(stream, end - 1):
        if row.seq >= end + ON:
            break
        in_coup = in_coup and OPENED not in row.events
        if in_coup or any(tag in row.events for tag in RULED_LATER):
            _read(found, current if in_coup else 0, row)
        seq = row.seq
    return seq


def _read(found: dict[int, Listed], current: int, row: Row) -> int:
    """Apply a row to the coups it speaks of; the coup in play after it."""
    for event in events_of(row):
        if isinstance(event, e.CoupOpened):
            current = event.number
            found[current] = Listed(current, row.seq, row.at_ms, event.kind)
            continue
        number = coup_of(event) or current
        if number in found:
            found[number] = _told(found[number], event)
    return current


def coup_of(event: e.TableEvent) -> int:
    """The coup an event names; 0 if it is about whatever is in play."""
    match event:
        case e.RecordReplaced():
            return event.record.number
        case e.CardCorrected() | e.TransferReversed() | e.PaymentCorrected() | e.WagerSettled():
            return event.coup
        case (
            e.ResultDeclared()
            | e.CoupEnded()
            | e.CoupVoided()
            | e.CoupReopened()
            | e.EarlierCoupVoided()
            | e.ErrorNoted()
        ):
            return event.number
        case _:
            return 0


def _told(coup: Listed, event: e.TableEvent) -> Listed:
    changes = CHANGES.get(type(event))
    return replace(coup, **changes(coup, event)) if changes else coup


def _corrected_card(coup: Listed, event: e.CardCorrected) -> dict[str, object]:
    return {"drawn": _named(coup.drawn, event.position, event.card), "corrected": True}


def _replaced(coup: Listed, event: e.RecordReplaced) -> dict[str, object]:
    void = coup.void or event.record.verdict is Verdict.VOID
    result = None if void else event.record.result
    return {"drawn": event.record.drawn, "result": result, "void": void, "corrected": True}


def _named(drawn: tuple[Drawn, ...], position: int, card: Card) -> tuple[Drawn, ...]:
    return tuple(
        replace(one, card=card) if index == position else one for index, one in enumerate(drawn, 1)
    )


CHANGES: dict[type[e.Event], Callable[[Listed, Any], dict[str, object]]] = {
    e.CardDrawn: lambda coup, event: {"drawn": (*coup.drawn, Drawn(event.card, event.laid))},
    e.CarriedDealt: lambda coup, event: {"drawn": (*coup.drawn, Drawn(event.card))},
    e.CardTurned: lambda coup, event: {"drawn": _named(coup.drawn, event.position, event.card)},
    e.CardCorrected: _corrected_card,
    e.CoupReopened: lambda _coup, _event: {"result": None, "corrected": True},
    e.ResultDeclared: lambda _coup, event: {"result": event.result},
    e.CoupVoided: lambda _coup, _event: {"void": True, "result": None},
    e.EarlierCoupVoided: lambda _coup, _event: {"void": True, "result": None},
    e.RecordReplaced: _replaced,
    e.PaymentCorrected: lambda _coup, _event: {"corrected": True},
    e.TransferReversed: lambda _coup, _event: {"corrected": True},
    e.CoupEnded: lambda _coup, _event: {"over": True},
}
"""What each event makes of the coup it speaks of; docs/journal.md says the same in words."""


def _with_hands(coup: Listed, tableau: Tableau) -> Listed:
    hands = fold(coup.drawn, tableau)
    return replace(coup, player=hands.player, banker=hands.banker)


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
    return next(one.number for one in events_of(opened) if isinstance(one, e.CoupOpened))


def ruled_later(log: EventLog, stream: str, number: int, after: int) -> Iterator[Told]:
    """What was said of a coup after others had begun, in so many rows."""
    rows = takewhile(lambda one: one.seq <= after + ON, log.read(stream, after))
    for row in rows:
        if any(tag in row.events for tag in RULED_LATER):
            for event in events_of(row):
                if coup_of(event) == number:
                    says = tell(event)
                    yield Told(row.seq, row.at_ms, row.actor, says, event.clauses, event)
