"""Every result, payout and balance worked out again from what was stored.

The journal checks that nothing was changed; this checks that what was stored is what the rules
give. A table is played back row by row: a result is declared again and must bring about the same
events, and no chip may come from nowhere.
"""

from collections.abc import Callable, Iterable
from functools import reduce

import msgspec

from puntobanco.errors import Refused
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Fault, Row
from puntobanco.table.actor import Actor
from puntobanco.table.commands import DeclareResult
from puntobanco.table.decide.settling import declare_result
from puntobanco.table.events import (
    ChipsCashed,
    ResultDeclared,
    TableEvent,
    TableOpened,
    WagerChanged,
    WagerPlaced,
)
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Table, terms_of

TABLE = "table-"
"""Streams of tables have names that begin so."""
_decode = msgspec.json.Decoder(list[TableEvent]).decode


def audit(log: EventLog, progress: Callable[[int], object] | None = None) -> Fault | None:
    """Play every table back; the first row that is not what the rules give, or None."""
    count = 0
    for stream in log.streams():
        if not stream.startswith(TABLE):
            continue
        table = Table()
        for row in log.read(stream):
            try:
                table, wrong = _played(table, row)
            except (msgspec.ValidationError, AssertionError, KeyError, StopIteration):
                wrong = "cannot have happened to the table as it was"
            if wrong:
                return Fault(stream, row.seq, wrong)
            count += 1
            if progress and not count % 1000:
                progress(count)
    return None


def _played(table: Table, row: Row) -> tuple[Table, str]:
    events = _decode(row.events)
    for event in events:
        if isinstance(event, TableOpened) and _edition(event) != event.opened.digest:
            return table, (
                f"is played by another edition of {event.notice.ruleset}"
                f" ({event.opened.digest[:12]}…) than this program has: export the table, and let"
                " puntobanco_verifier.py check it by the text kept with it"
            )
    if any(isinstance(event, ResultDeclared) for event in events):
        actor = Actor(row.actor, frozenset(), row.at_ms)
        try:
            due = declare_result(table, DeclareResult(), actor)
        except Refused as refused:
            return table, f"declares a result that the rules refuse: {refused.reason}"
        if due != events:
            return table, _difference(due, events)
    table = reduce(evolve, events, table)
    if any(table.chips.get(person, 0) < 0 for person in _spenders(events)):
        return table, "spends chips nobody has"
    return table, "" if balances(table) else "chips come from nowhere, or are gone"


def _edition(event: TableOpened) -> str:
    return terms_of(event.notice).rules.digest


def _spenders(events: Iterable[TableEvent]) -> set[str]:
    """Who laid down or cashed chips; only a reversal may leave anyone owing."""
    laid = {event.wager.by for event in events if isinstance(event, WagerPlaced | WagerChanged)}
    return laid | {event.person for event in events if isinstance(event, ChipsCashed)}


def _difference(due: Iterable[TableEvent], stored: Iterable[TableEvent]) -> str:
    for want, have in zip(due, stored, strict=False):
        if want != have:
            return f"has {_said(have)}; the rules give {_said(want)}"
    return "settles more or fewer wagers than lay on the layout"


def _said(event: TableEvent) -> str:
    return msgspec.json.encode(event).decode()


def balances(table: Table) -> bool:
    """Chips held, chips on the layout and the bank's gain are what was bought."""
    held = sum(table.chips.values()) + table.layout_cents
    return held + table.bank_cents == table.bought_cents
