"""Every result, payout and balance worked out again from what was stored.

The journal checks that nothing was changed; this checks that what was stored is what the rules
give. A table is played back row by row: a result is declared again and must bring about the same
events, and no chip may come from nowhere.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from hashlib import sha256
from typing import TypeVar, cast

import msgspec

from puntobanco.cage import evolve as cage_evolve
from puntobanco.cage.messages import Happened, SlipCompleted, SlipRequested
from puntobanco.cage.state import Cage
from puntobanco.errors import MalformedError, Refused
from puntobanco.house.stream import TABLE
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Fault, Row
from puntobanco.register import evolve as register_evolve
from puntobanco.register import messages as register_messages
from puntobanco.register.messages import RulesetKept
from puntobanco.register.state import Register
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

_decode = msgspec.json.Decoder(list[TableEvent]).decode
_decode_cage = msgspec.json.Decoder(list[Happened]).decode
_decode_register = msgspec.json.Decoder(list[register_messages.Happened]).decode
IMPOSSIBLE = (msgspec.ValidationError, AssertionError, KeyError, StopIteration, Refused)
State = TypeVar("State")


def audit(
    log: EventLog,
    progress: Callable[[int], object] | None = None,
    unchecked: list[str] | None = None,
) -> Fault | None:
    """Play everything back; the first row that is not what the rules give, or None.

    Tables played by another edition of a rule set than this program has are named in `unchecked`.
    """
    tick = _Tick(progress)
    tables: dict[str, Table] = {}
    for stream in log.streams():
        if stream.startswith(TABLE):
            found = _play_back(log, stream, Table(), _played, tick)
            if isinstance(found, Fault):
                return found
            if isinstance(found, str):
                if unchecked is not None:
                    unchecked.append(found)
                continue
            tables[stream] = found
    register = _play_back(log, "register", Register(), _registered, tick)
    if isinstance(register, Fault):
        return register
    cage = _play_back(log, "cage", Cage(), _banked, tick)
    return cage if isinstance(cage, Fault) else _together(cast("Cage", cage), tables)


class _Tick:
    def __init__(self, progress: Callable[[int], object] | None) -> None:
        self._progress = progress
        self._count = 0

    def __call__(self) -> None:
        self._count += 1
        if self._progress and not self._count % 1000:
            self._progress(self._count)


class OtherEditionError(Exception):
    """A table was played by another text of its rule set than this program has."""


def _play_back(
    log: EventLog,
    stream: str,
    state: State,
    played: Callable[[State, Row], tuple[State, str]],
    tick: Callable[[], object],
) -> State | Fault | str:
    """A stream from its first row: where it ends, its first fault, or why it was not checked."""
    for row in log.read(stream):
        try:
            state, wrong = played(state, row)
        except OtherEditionError as other:
            return f"{stream}: {other}"
        except IMPOSSIBLE:
            wrong = "cannot have happened as things were"
        if wrong:
            return Fault(stream, row.seq, wrong)
        tick()
    return state


def _registered(register: Register, row: Row) -> tuple[Register, str]:
    for event in _decode_register(row.events):
        if isinstance(event, RulesetKept):
            digest = sha256(event.text.encode()).hexdigest()
            if digest != event.digest:
                return register, "keeps a rule set under a digest that is not its text's"
        register = register_evolve.evolve(register, event)
    return register, ""


def _banked(cage: Cage, row: Row) -> tuple[Cage, str]:
    """Money is paid in before it is spent, and slips are numbered without a gap."""
    for event in _decode_cage(row.events):
        if isinstance(event, SlipRequested) and event.number != cage.slip_number + 1:
            return cage, f"has slip {event.number} after slip {cage.slip_number}"
        if isinstance(event, SlipCompleted) and cage.slips[event.number].person == event.person:
            return cage, "has a slip asked for and completed by one person"
        cage = cage_evolve.evolve(cage, event)
    if any(cents < 0 for cents in cage.accounts.values()):
        return cage, "spends money nobody has"
    return cage, "" if cage.balances else "money comes from nowhere, or is gone"


def _together(cage: Cage, tables: dict[str, Table]) -> Fault | None:
    """Chips the cage sold and has not redeemed are the chips bought and not cashed at the table."""
    for name, tray in cage.trays.items():
        table = tables.get(name)
        if table is None or table.conditions is not None:
            continue
        out = tray.sold_cents - tray.redeemed_cents
        if out != table.bought_cents:
            said = (
                f"has sold {out} cents of chips to {name}, where {table.bought_cents} were bought"
            )
            return Fault("cage", 0, said)
    return None


def _played(table: Table, row: Row) -> tuple[Table, str]:
    events = _decode(row.events)
    for event in events:
        if isinstance(event, TableOpened) and _edition(event) != event.opened.digest:
            raise OtherEditionError(
                f"played by another edition of {event.notice.ruleset} than this program has;"
                " export it, and puntobanco_verifier.py checks it by the text kept with it"
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
    """The digest of this program's text of the rule set; nothing if it has none."""
    try:
        return terms_of(event.notice).rules.digest
    except (MalformedError, Refused):
        return ""


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
