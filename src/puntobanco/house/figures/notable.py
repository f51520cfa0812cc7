"""Which rows of a table management must see; their numbers are kept with the figures."""

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from puntobanco.house.lookback.told import events_of
from puntobanco.journal.log import EventLog
from puntobanco.register.settings import Watch
from puntobanco.rules.irregularities import NextCoup
from puntobanco.table import events as e

ADDED: frozenset[type[e.Event]] = frozenset(
    {
        e.FindingCorrected,
        e.ExcessCorrected,
        e.ChipsCorrected,
        e.PlayerReinstated,
        e.CardsChanged,
        e.LimitsAgreed,
        e.PatronReadmitted,
    }
)
"""Those that figures of the form before do not know of."""
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
        *ADDED,
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
    cards too often, and a ruling that brings it about; an order that was not opened or does not
    stand; a wager or a win from the amounts on that the house has set.
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
    return kind in NOTABLE or _bars_the_shoe(event)


CANDIDATES: tuple[type[e.Event], ...] = (*ADDED, e.IrregularityRuled)
ADDED_TAGS = tuple(f'"is":"{one.__struct_config__.tag}"'.encode() for one in CANDIDATES)


def added_rows(log: EventLog, stream: str, upto: int) -> dict[int, int]:
    """The rows of a table that figures of the form before passed over, with their times."""
    rows = takewhile(lambda row: row.seq <= upto, log.read(stream))
    found = (row for row in rows if any(tag in row.events for tag in ADDED_TAGS))
    return {row.seq: row.at_ms for row in found if any(map(_is_added, events_of(row)))}


def _is_added(event: Any) -> bool:
    return type(event) in ADDED or _bars_the_shoe(event)


def _bars_the_shoe(event: Any) -> bool:
    return isinstance(event, e.IrregularityRuled) and event.next_coup is NextCoup.NONE


def any_notable(events: Iterable[Any], watch: Watch) -> bool:
    return any(is_notable(event, watch) for event in events)
