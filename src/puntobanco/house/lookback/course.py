"""A coup's course for whoever looks back: each step with its part of the coup, how the coup stood
after it, and whether it still counts; and both versions of a coup that was put right.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from puntobanco.house.lookback.past_coup import Key, PastCoup, coup_after
from puntobanco.house.lookback.replay import Replay
from puntobanco.house.lookback.told import Told
from puntobanco.rules.coup import Result
from puntobanco.rules.settle import Line
from puntobanco.rules.wagers import Wager
from puntobanco.table import events as e
from puntobanco.table.queries.coup import is_same
from puntobanco.table.state import Table

PUT_RIGHT = (
    e.TransferReversed,
    e.EarlierCoupVoided,
    e.TakenBack,
    e.ErrorNoted,
    e.CardCorrected,
    e.CardsCorrected,
    e.ShoeRecounted,
    e.NextCoupRuled,
    e.CopiesExceeded,
    e.WagerCorrected,
    e.BurnCorrected,
    e.MarkerCorrected,
    e.FindingCorrected,
    e.ExcessCorrected,
    e.CoupReopened,
    e.RecordReplaced,
    e.PaymentCorrected,
)
PAYMENT = (e.ResultDeclared, e.WagerSettled, e.CoupVoided, *e.COUP_OVER)
DEALT = (e.CardDrawn, e.CarriedDealt)
CORRECTS = ("correct-", "take-back", "void-earlier")
"""How the tags of commands begin that put something right."""


class Part(StrEnum):
    """The parts of a coup, in the order in which they come."""

    BETS = "bets"
    CARDS = "cards"
    THIRD = "third"
    PUT_RIGHT = "put-right"
    PAYMENT = "payment"


class Moment(Struct, frozen=True):
    """One step of a coup."""

    told: Told
    part: Part
    coup: PastCoup
    """The coup as it stood after this step."""
    table: Table | None
    """The table after this step; None: other coups had begun by then."""
    counts: bool = True
    """False: a later step replaced it."""
    position: int = 0
    """The number in the coup of the card that was dealt or turned; 0: none was."""


def retraced(replay: Replay, stream: str) -> tuple[Moment, ...]:
    """Every step of a coup, those ruled later with the rest."""
    opened = replay.steps[0].told
    assert isinstance(opened.event, e.CoupOpened)
    coup = PastCoup(stream, replay.number, opened.seq, opened.at_ms, opened.event.kind)
    tables: list[Table | None] = [step.table for step in replay.steps]
    told = [*(step.told for step in replay.steps), *replay.later]
    tables += [None] * len(replay.later)
    gone = _replaced([one.event for one in told])
    moments, fixes = [], set[int]()
    for number, (telling, table) in enumerate(zip(told, tables, strict=True)):
        event = telling.event
        dealt = len(coup.drawn) + isinstance(event, DEALT)
        coup = coup_after(coup, event)
        if isinstance(event, e.Proposed) and _corrects(event):
            fixes.add(event.number)
        part = Part.PUT_RIGHT if table is None else _part(event, dealt, fixes)
        position = dealt if isinstance(event, DEALT) else _number(event, "position")
        moments.append(Moment(telling, part, coup, table, number not in gone, position))
    return tuple(moments)


def _corrects(event: e.Proposed) -> bool:
    return str(event.ask.__struct_config__.tag).startswith(CORRECTS)


def _part(event: e.TableEvent, dealt: int, fixes: set[int]) -> Part:
    proposal = isinstance(event, e.Proposed | e.Approved | e.ProposalDropped)
    if isinstance(event, PUT_RIGHT) or (proposal and _number(event, "number") in fixes):
        return Part.PUT_RIGHT
    if isinstance(event, PAYMENT):
        return Part.PAYMENT
    if not dealt:
        return Part.BETS
    later = dealt > 4 or isinstance(event, e.PointsAnnounced)
    return Part.THIRD if later else Part.CARDS


def _number(event: object, name: str) -> int:
    """What an event says under this name, if it says anything.

    Asked of an object: for a union of so many kinds a type checker would try each in turn.
    """
    return getattr(event, name, 0)


# what counts no more


def _replaced(events: Sequence[e.TableEvent]) -> set[int]:
    """The numbers of the steps that a later one replaced."""
    gone: set[int] = set()
    for number, event in enumerate(events):
        before = range(number)
        match event:
            case e.CardCorrected():
                gone |= _cards(events, before, {event.position})
            case e.CardsCorrected():
                changed = _changed(event)
                gone |= _cards(events, before, changed)
            case e.CoupReopened() | e.CoupVoided() | e.EarlierCoupVoided() | e.RecordReplaced():
                gone |= _results(events, before, event)
            case e.TransferReversed():
                gone |= _lines(events, before, event.wager)
            case e.WagerCorrected() if event.was:
                gone |= _wagers(events, before, event.was)
            case e.TakenBack() if event.what == "void":
                voids = (e.CoupVoided, e.EarlierCoupVoided)
                gone |= {at for at in before if isinstance(events[at], voids)}
                gone -= {at for at in before if isinstance(events[at], e.ResultDeclared)}
    return gone


def _changed(event: e.CardsCorrected) -> set[int]:
    """Which cards of a coup were others than was thought; one that was not dealt at all, too."""
    return {
        place + 1
        for place, was in enumerate(event.was)
        if place >= len(event.cards) or event.cards[place].card != was.card
    }


def _cards(events: Sequence[e.TableEvent], before: range, positions: set[int]) -> set[int]:
    """Their own steps, and what was announced of hands that they lay in."""
    gone, dealt = set[int](), 0
    for at in before:
        event = events[at]
        dealt += isinstance(event, DEALT)
        own = isinstance(event, DEALT) and dealt in positions
        own |= isinstance(event, e.CardTurned | e.CardCorrected) and event.position in positions
        said = isinstance(event, e.PointsAnnounced) and min(positions, default=99) <= dealt
        gone |= {at} if own or said else set()
    return gone


def _results(events: Sequence[e.TableEvent], before: range, now: e.TableEvent) -> set[int]:
    """Results that were declared before; one that still holds after a correction stays."""
    held = now.record.result if isinstance(now, e.RecordReplaced) else None
    said = {at: _said(events[at]) for at in before}
    return {at for at, result in said.items() if result and result != held}


def _said(event: e.TableEvent) -> Result | None:
    """The result that an event says a coup has."""
    if isinstance(event, e.RecordReplaced):
        return event.record.result
    return event.result if isinstance(event, e.ResultDeclared) else None


def _lines(events: Sequence[e.TableEvent], before: range, wager: Wager) -> set[int]:
    return {
        at
        for at in before
        if isinstance(event := events[at], e.WagerSettled) and is_same(event.wager, wager)
    }


def _wagers(events: Sequence[e.TableEvent], before: range, was: Wager) -> set[int]:
    laid = (e.WagerPlaced, e.WagerChanged)
    found = [
        at for at in before if isinstance(event := events[at], laid) and is_same(event.wager, was)
    ]
    return set(found[-1:])


# both versions


class MoneyMoved(Struct, frozen=True):
    """What a correction changed for the owner of one wager."""

    wager: Wager
    was: Line | None
    """As it was settled at first; None: it was not settled then."""
    now: Line | None
    was_cents: int
    """What its owner had won by it; below zero, lost."""
    now_cents: int


class Versions(Struct, frozen=True):
    """A coup that was put right, as it was first recorded and as it stands."""

    first: int
    """The last step, from 1, of what was first recorded."""
    last: int
    moved: tuple[MoneyMoved, ...]
    paid_later: tuple[tuple[str, int], ...]
    """Payments put right by themselves: to whom, and how much the bank paid."""
    settled: bool
    """Whether anything had been taken or paid by what was first recorded."""
    recorded_ms: int
    """When the last of it was recorded that counts no more."""
    since_ms: int
    """When it was put right, or for the last time."""


def versions_of(course: Sequence[Moment]) -> Versions | None:
    """Both versions of a coup; None: nothing of it was put right."""
    put_right = [at for at, one in enumerate(course) if isinstance(one.told.event, FIXED)]
    if not put_right or not put_right[0]:
        return None
    fixed = put_right[0]
    first, now = course[fixed - 1].coup, course[-1].coup
    replaced = [one.told.at_ms for one in course[:fixed] if not one.counts]
    return Versions(
        fixed,
        len(course),
        tuple(_moved(first, now)),
        now.paid_later,
        bool(first.lines),
        replaced[-1] if replaced else course[fixed - 1].told.at_ms,
        course[put_right[-1]].told.at_ms,
    )


FIXED = tuple(
    kind
    for kind in PUT_RIGHT
    if kind not in (e.ErrorNoted, e.ShoeRecounted, e.NextCoupRuled, e.CopiesExceeded)
)
"""What leaves a coup with two versions."""


def _moved(first: PastCoup, now: PastCoup) -> Iterator[MoneyMoved]:
    keys: dict[Key, None] = dict.fromkeys((*first.lines, *now.lines))
    for key in keys:
        was, line = first.lines.get(key), now.lines.get(key)
        shown = line or was
        if shown is not None and _net(was) != _net(line):
            yield MoneyMoved(shown.wager, was, line, _net(was), _net(line))


def _net(line: Line | None) -> int:
    return line.won_cents - line.collected_cents if line else 0
