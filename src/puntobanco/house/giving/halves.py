"""The second half of a command, written to another stream in the same append.

What a competition decides about money the cage does: the half follows from the events, so that
it comes with an approval as it would have come with the command.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from puntobanco.cage import commands as cage
from puntobanco.cage import events as cage_events
from puntobanco.competition import commands as competition
from puntobanco.competition import events as e
from puntobanco.house.stream import COMPETITION

MOVING = (
    competition.PayEntry,
    competition.EnterAtDesk,
    competition.Withdraw,
    competition.TakeReserve,
    competition.AddValue,
    competition.PayRefund,
    competition.PayPrize,
    competition.Approve,
)
"""Commands of a competition that may move money, themselves or by what they approve."""
Movement = tuple[str, str, int]
"""A kind of movement, a person or none, and cents."""


def pot_half(stream: str, events: Iterable[Any]) -> cage.CageCommand | None:
    """The cage's half of what a competition decided; None: no money moves."""
    name = stream.removeprefix(COMPETITION)
    for event in events:
        half = HALVES[type(event)](name, event) if type(event) in HALVES else None
        if half is not None:
            return half
    return None


def _fee(name: str, event: e.EntryPaid) -> cage.CageCommand | None:
    fee, beside = event.fee_cents, event.commission_cents
    return cage.TakeFee(name, event.person, fee, beside) if fee + beside else None


def _refund(name: str, event: e.EntryWithdrawn) -> cage.CageCommand | None:
    back = event.refund_cents
    return cage.RefundFee(name, event.person, back) if back else None


def _retained(
    name: str, event: e.PlacesConfirmed | e.CompetitionCancelled
) -> cage.CageCommand | None:
    return cage.Retain(name, event.retained_cents) if event.retained_cents else None


HALVES: dict[type, Callable[[str, Any], cage.CageCommand | None]] = {
    e.EntryPaid: _fee,
    e.EntryWithdrawn: _refund,
    e.RefundPaid: lambda name, event: cage.RefundFee(name, event.person, event.cents),
    e.ValueAdded: lambda name, event: cage.AddToPot(name, event.cents) if event.cents else None,
    e.PlacesConfirmed: _retained,
    e.CompetitionCancelled: _retained,
    e.PrizePaid: lambda name, event: cage.PayFromPot(
        name, event.person, event.cents, event.added_cents
    ),
}


def moved_by_half(half: cage.CageCommand | None) -> list[Movement]:
    """The movements that a half brings about in the pot."""
    match half:
        case cage.TakeFee():
            return [
                ("fee", half.person, half.cents),
                ("beside", half.person, half.commission_cents),
            ]
        case cage.RefundFee():
            return [("refund", half.person, half.cents)]
        case cage.AddToPot():
            return [("added", "", half.cents)]
        case cage.Retain():
            return [("retained", "", half.cents)]
        case cage.PayFromPot():
            added = [("added", "", half.added_cents)] if half.added_cents else []
            return [*added, ("prize", half.person, half.cents)]
        case _:
            return []


def moved_in_pot(events: Iterable[Any]) -> Iterator[tuple[str, Movement]]:
    """The movements that events of the cage put on record, each with its competition."""
    for event in events:
        match event:
            case cage_events.FeeTaken():
                yield event.competition, ("fee", event.person, event.cents)
                yield event.competition, ("beside", event.person, event.commission_cents)
            case cage_events.FeeRefunded():
                yield event.competition, ("refund", event.person, event.cents)
            case cage_events.PotAddedTo():
                yield event.competition, ("added", "", event.cents)
            case cage_events.PotRetained():
                yield event.competition, ("retained", "", event.cents)
            case cage_events.PaidFromPot():
                yield event.competition, ("prize", event.person, event.cents)
            case _:
                pass
