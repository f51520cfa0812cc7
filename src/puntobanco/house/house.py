"""A house: its tables and its cage over one journal."""

from collections.abc import Callable
from typing import Any

import msgspec

from puntobanco.cage import decide as cage_decide
from puntobanco.cage import evolve as cage_evolve
from puntobanco.cage.messages import Happened, RedeemChips, SellChips
from puntobanco.cage.state import Cage
from puntobanco.house.audit import TABLE
from puntobanco.house.stream import Aggregate, Change, Stream, give
from puntobanco.journal.log import Append, EventLog
from puntobanco.journal.verify import HOUSE, HeadsRecorded, heads_entry, recorded
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.decide import decide
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Table

TABLES = Aggregate(decide, evolve, TableEvent, Table())
CAGES = Aggregate(cage_decide.decide, cage_evolve.evolve, Happened, Cage())


class House:
    """Everything that is shared: the journal, the clock, and one stream for each table.

    The clock comes in as an argument, and nothing else here reads one.
    """

    def __init__(self, log: EventLog, now_ms: Callable[[], int]) -> None:
        self.log = log
        self.now_ms = now_ms
        self.tables: dict[str, Stream[Table]] = {}
        self.cage: Stream[Cage] = Stream("cage", CAGES, log)
        self.cage.start()
        for name in log.streams():
            if name.startswith(TABLE):
                self.table(name)
        self._heads: dict[str, int] = {}
        for _, event in recorded(log):
            self._heads |= event.heads

    def table(self, name: str) -> Stream[Table]:
        """The table of this name, made if it was not there."""
        if name not in self.tables:
            assert name.startswith(TABLE), "tables have names of their own"
            stream = self.tables[name] = Stream(name, TABLES, self.log)
            stream.start()
        return self.tables[name]

    def actor(self, person: str, roles: frozenset[Role]) -> Actor:
        return Actor(person, roles, self.now_ms())

    async def at_table(
        self, name: str, ask: c.TableCommand, by: Actor, command_id: str
    ) -> tuple[Change, ...]:
        """Give a command to a table. What moves chips in or out moves money at the cage with it."""
        table = self.table(name)
        asked: list[tuple[Stream[Any], Any]] = [(table, ask)]
        match ask:
            case c.BuyIn():
                asked.append((self.cage, SellChips(ask.person, name, ask.cents)))
            case c.CashOut():
                asked.append((self.cage, RedeemChips(ask.person, name, ask.cents)))
            case _:
                pass
        return await give(self.log, asked, by, command_id)

    async def at_cage(self, ask: Any, by: Actor, command_id: str) -> tuple[Change, ...]:
        return await give(self.log, [(self.cage, ask)], by, command_id)

    async def shut(self) -> str:
        """Before the journal is closed: snapshots of every stream, and the root of all."""
        streams: list[Stream[Any]] = [self.cage, *self.tables.values()]
        for stream in streams:
            stream.save()
        return await self.record_heads()

    async def record_heads(self) -> str:
        """Record where every stream ends: now and then, and when the house shuts; the root."""
        entry = heads_entry(self.log, self._heads, self.now_ms(), HOUSE)
        if entry is None:
            return ""
        await self.log.append(Append((entry,)))
        (event,) = msgspec.json.decode(entry.events, type=tuple[HeadsRecorded])
        self._heads |= event.heads
        return event.root
