"""What management must see: voids, corrections, changes, failed sign-ins, trays that are short."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from puntobanco.cage import events as cage_events
from puntobanco.cage.commands import worth_cents
from puntobanco.house.access.names import person_called, place_called, told_to_staff
from puntobanco.house.figures.chosen import EVERY, notable_rows
from puntobanco.house.figures.notable import is_notable
from puntobanco.house.house import House
from puntobanco.house.lookback.told import events_of
from puntobanco.journal.verify import HOUSE, ROOT_TAGS
from puntobanco.table.sentences import tell
from puntobanco.words import money
from puntobanco.words.pages import PAGES

ROWS = 20_000
"""Rows that the list of significant events looks back at the cage and in the house's own stream."""
CAGE = "cage"
QUIET = frozenset(ROOT_TAGS)
"""What the house records of itself and nobody need look at."""


class Noted(Struct, frozen=True):
    """One thing management must see."""

    at_ms: int
    stream: str
    seq: int
    actor: str
    says: str
    clauses: tuple[str, ...] = ()


def significant(house: House, most: int = EVERY) -> list[Noted]:
    """Voids, corrections, changes, failed sign-ins, clock jumps; the newest first."""
    found = [*_of_house(house), *_of_cage(house), *_of_tables(house, most)]
    return sorted(found, key=lambda one: (one.at_ms, one.stream, one.seq), reverse=True)[:most]


def _of_cage(house: House) -> Iterator[Noted]:
    """Trays and drawers that were not as they should be."""
    end = house.log.head(CAGE).seq
    for row in house.log.read(CAGE, max(0, end - ROWS)):
        if b'"tray-counted"' not in row.events and b'"drawer-closed"' not in row.events:
            continue
        for event in msgspec.json.decode(row.events, type=list[cage_events.CageEvent]):
            if says := _difference(house, event):
                yield Noted(row.at_ms, CAGE, row.seq, row.actor, says)


def _difference(house: House, event: cage_events.CageEvent) -> str:
    """How a count differs from what had to be there; empty if it does not."""
    match event:
        case cage_events.TrayCounted() if event.expected_cents != event.counted_cents:
            short = _amount(house, event.expected_cents - event.counted_cents)
            facts = {"table": place_called(house, event.table), "short": short}
            facts["person"] = person_called(house, event.person)
            return PAGES["event.tray-counted"].format(**facts)
        case cage_events.DrawerClosed():
            cash = worth_cents(event.cash) - event.expected_cash_cents
            chips = worth_cents(event.chips) - event.expected_chips_cents
            if not cash and not chips:
                return ""
            facts = {"person": person_called(house, event.person)}
            facts["by"] = person_called(house, event.counted_by)
            over = {"cash": _signed(house, cash), "chips": _signed(house, chips)}
            return PAGES["event.drawer-closed"].format(**facts, **over)
        case _:
            return ""


def _amount(house: House, cents: int) -> str:
    return money(cents, house.register.state.currency)


def _signed(house: House, cents: int) -> str:
    return f"+{_amount(house, cents)}" if cents > 0 else _amount(house, cents)


def _of_house(house: House) -> Iterator[Noted]:
    end = house.log.head(HOUSE).seq
    for row in house.log.read(HOUSE, max(0, end - ROWS)):
        told = dict.fromkeys(_of_itself(house, one) for one in msgspec.json.decode(row.events))
        for says in filter(None, told):
            yield Noted(row.at_ms, HOUSE, row.seq, row.actor, says)


def _of_itself(house: House, event: dict[str, Any]) -> str:
    """What the house says of itself; empty if nobody need look at it."""
    kind = event["is"]
    if kind in QUIET:
        return ""
    facts = {name: _called(house, name, fact) for name, fact in event.items()}
    return PAGES["event.slip-used" if event.get("used") else f"event.{kind}"].format(**facts)


def _called(house: House, name: str, fact: Any) -> Any:
    """A fact of the house's own events as people say it."""
    match name:
        case "person" | "by":
            return person_called(house, fact)
        case "table":
            return place_called(house, fact)
        case "kind" | "scope":
            return PAGES.get(f"event.{name}.{fact}", fact)
        case "by_ms":
            return f"{fact / 1000:+.1f}"
        case _:
            return fact


def _of_tables(house: House, most: int) -> Iterator[Noted]:
    """What tables have on record of it; the rows are known by their numbers, and read alone."""
    told_in = told_to_staff(house)
    for stream, seq in notable_rows(house.figures.reading(), most):
        row = house.log.row(stream, seq)
        if row is None:  # somebody has taken it away: the verification says so
            continue
        for event in events_of(row):
            if is_notable(event):
                says = tell(event, told_in)
                yield Noted(row.at_ms, stream, seq, row.actor, says, event.clauses)
