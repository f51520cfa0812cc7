"""The house's own shoes that are over: orders that were opened, each as anybody can check it."""

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.lookback.replay import Replays
from puntobanco.house.lookback.told import events_of
from puntobanco.journal.log import EventLog
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.opened_shoe import OpenedShoe
from puntobanco.rules.shoe import SHOE_FORMAT
from puntobanco.table import events as e
from puntobanco.table.state import UNLOADED

OPENED = b'"is":"commitment-opened"'


class ShoeListed(Struct, frozen=True):
    """An order that was opened, or never was, as it is on record."""

    number: int
    row: int
    at_ms: int
    agrees: bool
    fault: str


def opened_shoes(log: EventLog, table: str) -> list[ShoeListed]:
    """Every order of a table that was to be opened, the newest first."""
    found = (
        (row, event)
        for row in log.find(table, 0, OPENED)
        for event in events_of(row)
        if isinstance(event, e.CommitmentOpened)
    )
    return [
        ShoeListed(number, row.seq, row.at_ms, event.agrees, event.fault)
        for number, (row, event) in enumerate(found, 1)
    ][::-1]


def opened_shoe(log: EventLog, replays: Replays, table: str, number: int) -> OpenedShoe:
    """One of them with all that it came from and what came out of it."""
    listed = next((one for one in opened_shoes(log, table) if one.number == number), None)
    row = log.row(table, listed.row) if listed else None
    if row is None:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    opened = next(one for one in events_of(row) if isinstance(one, e.CommitmentOpened))
    state = replays.at(table, row.seq - 1)
    pack, loaded = state.pack, state.pack.life not in UNLOADED
    drawn = (*pack.burned, *(card for _, _, card in state.drawn_in_order())) if loaded else ()
    return OpenedShoe(
        SHOE_FORMAT,
        table,
        number,
        pack.commitment,
        tuple(words for _, words in pack.words),
        pack.cut_depth if loaded else 0,
        opened.order,
        opened.salt,
        tuple(card.card for card in drawn),
    )
