"""The book of the cage: every movement of every account, and where slips and drawers stand.

It is read from the cage's rows, once, and then row by row as they come; nothing is kept that the
journal does not have, so that it can be thrown away and read again.
"""

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any

import msgspec
from msgspec import Struct

from puntobanco.cage import events as e
from puntobanco.errors import Reason, Refused
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row, damaged
from puntobanco.rules.documents.ruleset import CONDITIONS

CAGE = "cage"
SIGNED: dict[type[e.AtCage], Callable[[Any], int]] = {
    e.AccountOpened: lambda _: 0,
    e.MoneyDeposited: lambda event: event.cents,
    e.MoneyWithdrawn: lambda event: -event.cents,
    e.ChipsSold: lambda event: -event.cents,
    e.ChipsRedeemed: lambda event: event.cents,
    e.FeeTaken: lambda event: -event.cents - event.commission_cents,
    e.FeeRefunded: lambda event: event.cents,
    e.PaidFromPot: lambda event: event.cents,
}
"""By how much an event moves an account."""
AT_TABLES = (e.ChipsSold, e.ChipsRedeemed)
CHIPS_MOVED = frozenset(str(kind.__struct_config__.tag) for kind in AT_TABLES)
_decode = msgspec.json.Decoder(list[e.CageEvent]).decode


class Movement(Struct, frozen=True, gc=False):
    """One line of a patron's ledger."""

    seq: int
    """The row of the cage; its receipt has the same number."""
    at_ms: int
    actor: str
    kind: str
    """The event's tag."""
    cents: int
    """What the account gained; below zero, what it lost."""
    balance_cents: int
    """What the account had afterwards."""
    place: str = ""
    """The table or the competition, if there is one."""
    command_id: str = ""
    """By which the other half of it is found at the table."""


class CageBook:
    """The book, up to the last row that was read."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._lock = Lock()
        self._seq = 0
        self._accounts: dict[str, list[Movement]] = {}
        self._slips: dict[int, list[tuple[Row, e.CageEvent]]] = {}
        self._drawers: list[Shift] = []
        self._open: dict[str, tuple[int, int]] = {}

    def catch_up(self) -> None:
        """Read the rows that have come since."""
        with self._lock:
            for row in self._log.read(CAGE, self._seq):
                for event in cage_events_of(row):
                    self._take(row, event)
                self._seq = row.seq

    def _take(self, row: Row, event: e.CageEvent) -> None:
        match event:
            case e.SlipRequested() | e.SlipCompleted() | e.SlipVoided():
                self._slips.setdefault(event.number, []).append((row, event))
            case e.DrawerOpened():
                self._open[event.person] = row.seq, row.at_ms
            case e.DrawerClosed():
                opened = self._open.pop(event.person, (0, 0))
                self._drawers.append(Shift(row.seq, row.at_ms, *opened, event))
            case _ if type(event) in SIGNED:
                self._move(row, event)
            case _:  # trays, pots, and what only waits for a second person
                pass

    def _move(self, row: Row, event: Any) -> None:
        lines = self._accounts.setdefault(event.person, [])
        cents = SIGNED[type(event)](event)
        lines.append(
            Movement(
                row.seq,
                row.at_ms,
                row.actor,
                str(event.__struct_config__.tag),
                cents,
                (lines[-1].balance_cents if lines else 0) + cents,
                getattr(event, "table", "") or getattr(event, "competition", ""),
                row.command_id if isinstance(event, AT_TABLES) else "",
            )
        )

    def chips_where(self, is_meant: Callable[[int], bool]) -> dict[str, tuple[int, int]]:
        """By patron, cents of chips bought and cashed at moments that are meant."""
        self.catch_up()
        found: dict[str, tuple[int, int]] = {}
        for person, lines in tuple(self._accounts.items()):
            moved = [one for one in lines if one.kind in CHIPS_MOVED and is_meant(one.at_ms)]
            bought = -sum(one.cents for one in moved if one.cents < 0)
            cashed = sum(one.cents for one in moved if one.cents > 0)
            if moved:
                found[person] = bought, cashed
        return found

    def ledger(self, person: str, before: int | None = None, most: int = 50) -> list[Movement]:
        """A patron's movements, the newest first; those before a row, if one is named."""
        self.catch_up()
        found: list[Movement] = []
        for line in reversed(self._accounts.get(person, ())):
            if len(found) == most:
                break
            if before is None or line.seq < before:
                found.append(line)
        return found

    def whole_ledger(self, person: str) -> list[Movement]:
        """All of it, the oldest first."""
        self.catch_up()
        return list(self._accounts.get(person, ()))

    def since(self, person: str, from_ms: int) -> Iterator[Movement]:
        """What has moved since a moment, the newest first."""
        for line in reversed(self._accounts.get(person, ())):
            if line.at_ms < from_ms:
                return
            yield line

    def at(self, person: str, seq: int) -> Movement:
        """The line of a patron's ledger that a row brought; not found for anybody else."""
        self.catch_up()
        found = next((line for line in self._accounts.get(person, ()) if line.seq == seq), None)
        if found is None:
            raise Refused(Reason.NOT_FOUND, CONDITIONS)
        return found

    def slip(self, number: int) -> list[tuple[Row, e.CageEvent]]:
        """All that was put on record of a slip, each with its row."""
        self.catch_up()
        if number not in self._slips:
            raise Refused(Reason.NO_SUCH_SLIP, CONDITIONS, number=number)
        return self._slips[number]

    def shifts(self, most: int = 20) -> list["Shift"]:
        """Drawers that were counted, the newest first."""
        self.catch_up()
        return self._drawers[: -most - 1 : -1]

    def shift(self, seq: int) -> "Shift":
        """The count of a drawer by its row."""
        self.catch_up()
        found = next((one for one in self._drawers if one.seq == seq), None)
        if found is None:
            raise Refused(Reason.NOT_FOUND, CONDITIONS)
        return found

    def opened_ms(self, person: str) -> int:
        """When a drawer that is open was opened."""
        self.catch_up()
        return self._open.get(person, (0, 0))[1]


class Shift(Struct, frozen=True):
    """A drawer from its float to its count."""

    seq: int
    at_ms: int
    opened_seq: int
    opened_ms: int
    closed: e.DrawerClosed


def cage_events_of(row: Row) -> list[e.CageEvent]:
    """The events of a row of the cage; a row that somebody changed may hold none."""
    try:
        return _decode(row.events)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
        raise damaged(row) from error
