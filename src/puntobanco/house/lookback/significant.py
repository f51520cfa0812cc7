"""What management must see: voids, corrections, changes, failed sign-ins, trays that are short."""

import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from puntobanco.cage import events as cage_events
from puntobanco.cage.commands import worth_cents
from puntobanco.house.house import House
from puntobanco.journal.verify import HOUSE, ROOT_TAGS
from puntobanco.table import events as e
from puntobanco.table.sentences import in_currency, tell
from puntobanco.words import money
from puntobanco.words.pages import PAGES

ROWS, MOST_ROWS = 20_000, 400_000
"""Rows that the list of significant events looks back in each stream, and in all together."""
SIGNIFICANT = (
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
)
LIKELY = re.compile(
    b"|".join(
        f'"is":"{kind.__struct_config__.tag}"'.encode() for kind in (*SIGNIFICANT, e.ShoeEnded)
    )
)
CAGE = "cage"
QUIET = frozenset(ROOT_TAGS)
"""What the house records of itself and nobody need look at."""
_decode = msgspec.json.Decoder(list[e.TableEvent]).decode


class Noted(Struct, frozen=True):
    """One thing management must see."""

    at_ms: int
    stream: str
    seq: int
    actor: str
    says: str
    clauses: tuple[str, ...] = ()


def significant(house: House) -> list[Noted]:
    """Voids, corrections, changes, failed sign-ins, clock jumps; the newest first."""
    found = [*_of_house(house), *_of_cage(house)]
    rows = rows_back(house)
    for name in tuple(house.tables):
        found += _of_table(house, name, rows)
    return sorted(found, key=lambda one: (one.at_ms, one.stream, one.seq), reverse=True)


def rows_back(house: House) -> int:
    """How far back each table is read; less where there are many."""
    return min(ROWS, MOST_ROWS // max(1, len(house.tables)))


def _of_cage(house: House) -> Iterator[Noted]:
    """Trays and drawers that were not as they should be."""
    end = house.log.head(CAGE).seq
    for row in house.log.read(CAGE, max(0, end - ROWS)):
        if b'"tray-counted"' not in row.events and b'"drawer-closed"' not in row.events:
            continue
        for event in msgspec.json.decode(row.events, type=list[cage_events.CageEvent]):
            if says := _difference(event):
                yield Noted(row.at_ms, CAGE, row.seq, row.actor, says)


def _difference(event: cage_events.CageEvent) -> str:
    """How a count differs from what had to be there; empty if it does not."""
    match event:
        case cage_events.TrayCounted() if event.expected_cents != event.counted_cents:
            short = money(event.expected_cents - event.counted_cents)
            facts = {"table": event.table, "person": event.person, "short": short}
            return PAGES["event.tray-counted"].format(**facts)
        case cage_events.DrawerClosed():
            cash = worth_cents(event.cash) - event.expected_cash_cents
            chips = worth_cents(event.chips) - event.expected_chips_cents
            if not cash and not chips:
                return ""
            facts = {"person": event.person, "by": event.counted_by}
            over = {"cash": _signed(cash), "chips": _signed(chips)}
            return PAGES["event.drawer-closed"].format(**facts, **over)
        case _:
            return ""


def _signed(cents: int) -> str:
    return f"+{money(cents)}" if cents > 0 else money(cents)


def _of_house(house: House) -> Iterator[Noted]:
    end = house.log.head(HOUSE).seq
    for row in house.log.read(HOUSE, max(0, end - ROWS)):
        for event in msgspec.json.decode(row.events):
            kind = event.pop("is")
            if kind not in QUIET:
                says = PAGES[f"event.{kind}"].format(**event)
                yield Noted(row.at_ms, HOUSE, row.seq, row.actor, says)


def _of_table(house: House, name: str, rows: int) -> Iterator[Noted]:
    end = house.log.head(name).seq
    for row in house.log.read(name, max(0, end - rows)):
        if not LIKELY.search(row.events):  # most rows are none of these, and need no decoding
            continue
        for event in _decode(row.events):
            suspected = isinstance(event, e.ShoeEnded) and event.repeats
            if isinstance(event, SIGNIFICANT) or suspected:
                says = tell(event, in_currency(house.register.state.currency))
                yield Noted(row.at_ms, name, row.seq, row.actor, says, event.clauses)
