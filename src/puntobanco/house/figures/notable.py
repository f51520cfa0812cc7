"""Which rows of a table management must see; their numbers are kept with the figures."""

from collections.abc import Iterable
from typing import Any

from puntobanco.register.settings import Watch
from puntobanco.table import events as e

NOTABLE: frozenset[type[e.Event]] = frozenset(
    {
        e.CoupVoided,
        e.EarlierCoupVoided,
        e.TakenBack,
        e.TransferReversed,
        e.CardCorrected,
        e.CardsCorrected,
        e.WagerCorrected,
        e.BurnCorrected,
        e.MarkerCorrected,
        e.CopiesExceeded,
        e.PaymentCorrected,
        e.NoticeChanged,
        e.PatronExcluded,
        e.RulingGiven,
        e.IncidentRecorded,
        e.DisputeRaised,
        e.ClocksHeld,
        e.TableOpened,
        e.TableClosed,
    }
)


def is_notable(event: Any, watch: Watch) -> bool:
    """Whether management must see it; the end of a shoe, if it came early, which has a reason, or
    cards too often; an order that was not opened or does not stand; a wager or a win from the
    amounts on that the house has set.
    """
    kind = type(event)
    if kind is e.ShoeEnded:
        return bool(event.repeats or event.note)
    if kind is e.CommitmentOpened:
        return not event.agrees
    if kind is e.WagerPlaced or kind is e.WagerChanged:
        return 0 < watch.wager_cents <= int(event.wager.cents)
    if kind is e.WagerSettled:
        return 0 < watch.win_cents <= int(event.won_cents)
    return kind in NOTABLE


def any_notable(events: Iterable[Any], watch: Watch) -> bool:
    return any(is_notable(event, watch) for event in events)
