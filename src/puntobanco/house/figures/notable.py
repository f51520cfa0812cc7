"""Which rows of a table management must see; their numbers are kept with the figures."""

from collections.abc import Iterable
from typing import Any

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


def is_notable(event: Any) -> bool:
    """Whether management must see it; the end of a shoe, if cards came too often."""
    kind = type(event)
    return kind in NOTABLE or (kind is e.ShoeEnded and bool(event.repeats))


def any_notable(events: Iterable[Any]) -> bool:
    return any(map(is_notable, events))
