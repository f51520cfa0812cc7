"""A house: its tables, its cage and its people over one journal."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from puntobanco.cage import decide as cage_decide
from puntobanco.cage import evolve as cage_evolve
from puntobanco.cage import messages as cage
from puntobanco.cage.state import Cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.audit import TABLE
from puntobanco.house.clock import Clock, HouseTime
from puntobanco.house.games import suspicion
from puntobanco.house.people import People
from puntobanco.house.stream import Aggregate, Change, Stream, give
from puntobanco.house.virtual import Chance, Order, order_of, shuffle
from puntobanco.journal.log import Append, ConflictError, EventLog, Sealed
from puntobanco.journal.rows import Entry
from puntobanco.journal.verify import HOUSE, heads_entry
from puntobanco.register import decide as register_decide
from puntobanco.register import evolve as register_evolve
from puntobanco.register import messages as register
from puntobanco.register.state import Register
from puntobanco.rules.coup import Result
from puntobanco.rules.notice import Notice
from puntobanco.rules.ruleset import CONDITIONS, ruleset_text
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.decide import decide
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Phase, Table

TABLES = Aggregate(decide, evolve, TableEvent, Table())
CAGES = Aggregate(cage_decide.decide, cage_evolve.evolve, cage.Happened, Cage())
REGISTERS = Aggregate(register_decide.decide, register_evolve.evolve, register.Happened, Register())


MOST_ORDERS = 2000
"""Shoes in play whose order is kept at hand."""


class ClockJumped(Struct, frozen=True, tag="clock-jumped", tag_field="is"):
    """The wall clock was moved; the house's time was not."""

    by_ms: int


class Listed(Struct, frozen=True):
    """One table of the house, in a list of all."""

    table: str
    phase: Phase
    notice: Notice | None
    seats_free: int
    coup: int
    results: tuple[Result, ...]
    """Of this shoe."""


class House:
    """Everything that is shared. Journal, clock, chance and key come in as arguments."""

    def __init__(self, log: EventLog, clock: Clock, chance: Chance, key: bytes) -> None:
        self.log = log
        self.clock = clock
        self.chance = chance
        self.key = key
        """Under which the orders of shoes are sealed; it is kept outside the database."""
        self._orders: dict[str, Order] = {}
        self.people = People(log)
        self.register: Stream[Register] = Stream("register", REGISTERS, log)
        self.cage: Stream[Cage] = Stream("cage", CAGES, log)
        self.tables: dict[str, Stream[Table]] = {}
        for stream in (self.register, self.cage):
            stream.start()
        for name in log.streams():
            if name.startswith(TABLE):
                self.table(name)
        self._heads: dict[str, int] = {}
        self.time = HouseTime(clock)

    def table(self, name: str) -> Stream[Table]:
        """The table of this name, made if it was not there."""
        if name not in self.tables:
            assert name.startswith(TABLE), "tables have names of their own"
            stream = self.tables[name] = Stream(name, TABLES, self.log)
            stream.start()
        return self.tables[name]

    def listed(self) -> Iterator[Listed]:
        """Every table there is, open or shut."""
        for name, stream in sorted(self.tables.items()):
            table = stream.state
            seats = table.notice.seats if table.notice else 0
            results = tuple(one.result for one in table.coups if one.result)
            free = seats - len(table.seated)
            yield Listed(name, table.phase, table.notice, free, table.coup_number, results)

    # who asks

    def actor(self, person: str, table: str = "") -> Actor:
        """A person with the roles they have there now; refused if they have been disabled."""
        member = self.register.state.people.get(person)
        if member is None:
            raise Refused(Reason.NOT_ENROLLED, CONDITIONS, person=person)
        if not member.enabled:
            raise Refused(Reason.DISABLED, CONDITIONS, person=person)
        return Actor(person, member.roles_at(table), self.time.now_ms())

    def clockwork(self) -> Actor:
        """The house's own clock."""
        return Actor(HOUSE, frozenset({Role.HOUSE}), self.time.now_ms())

    # commands

    async def at_table(
        self,
        name: str,
        ask: c.TableCommand,
        by: Actor,
        command_id: str,
        sealed: tuple[Sealed, ...] = (),
    ) -> tuple[Change, ...]:
        """Give a command to a table. What moves chips in or out moves money at the cage with it."""
        table = self.table(name)
        _check_edition(table.state)
        asked: list[tuple[Stream[Any], Any]] = [(table, ask)]
        match ask:
            case c.BuyIn():
                asked.append((self.cage, cage.SellChips(ask.person, name, ask.cents)))
            case c.CashOut():
                asked.append((self.cage, cage.RedeemChips(ask.person, name, ask.cents)))
            case c.OpenTable() if keep := self._ruleset_to_keep(ask.notice.ruleset):
                asked.append((self.register, keep))
            case _:
                pass
        done = await give(self.log, asked, by, command_id, sealed)
        if isinstance(ask, c.EndShoe | c.CloseTable):
            await self._watch_shuffle(name)
        return done

    async def _watch_shuffle(self, name: str) -> None:
        """A shoe that was keyed in and is over: was it shuffled at all?"""
        virtual = self.table(name).state.pack.commitment
        if not virtual and (found := suspicion(self.log, name)):
            await self.note(found)

    def _ruleset_to_keep(self, name: str) -> register.KeepRuleset | None:
        """The text a table is opened by, unless the journal has it."""
        try:
            text, digest = ruleset_text(name)
        except OSError:  # there is no such rule set, and the table will say so
            return None
        if digest in self.register.state.rulesets:
            return None
        return register.KeepRuleset(name, digest, text)

    async def at_cage(self, ask: cage.Ask, by: Actor, command_id: str) -> tuple[Change, ...]:
        return await give(self.log, [(self.cage, ask)], by, command_id)

    async def at_register(
        self, ask: register.Ask, by: Actor, command_id: str
    ) -> tuple[Change, ...]:
        """Whoever is disabled, or loses a role, is signed out everywhere at once."""
        done = await give(self.log, [(self.register, ask)], by, command_id)
        if isinstance(ask, register.Disable | register.Revoke):
            self.people.end_all(ask.person)
        return done

    async def found(self, person: str, command_id: str) -> tuple[Change, ...]:
        """The first manager of a new house."""
        nobody = Actor(person, frozenset(), self.time.now_ms())
        return await give(self.log, [(self.register, register.FoundHouse())], nobody, command_id)

    async def shuffle(
        self, name: str, by: Actor, command_id: str, machine: str = ""
    ) -> tuple[Change, ...]:
        """The house's own shuffle: the order is committed to, and kept under seal."""
        ask, sealed = shuffle(self.table(name).state, self.chance, self.key, machine)
        return await self.at_table(name, ask, by, command_id, (sealed,))

    def order(self, table: Table) -> Order:
        """The order of the shoe on a table; opened once, and only for whoever deals from it."""
        held = self._orders.get(table.pack.commitment)
        if held is None:
            held = order_of(table, self.log, self.key)
            if len(self._orders) >= MOST_ORDERS:
                self._orders.clear()
            self._orders[table.pack.commitment] = held
        return held

    # what the house records of itself

    async def note(self, event: Struct) -> None:
        """Put something on record in the house's own stream."""
        tag = event.__struct_config__.tag
        while True:
            seq = self.log.head(HOUSE).seq + 1
            body = msgspec.json.encode([event])
            now = self.time.now_ms()
            entry = Entry(HOUSE, seq, now, HOUSE, f"{tag}-{seq}", body, (), body)
            try:
                await self.log.append(Append((entry,)))
            except ConflictError:
                continue
            return

    async def record_heads(self) -> str:
        """Record where every stream ends: every minute, and when the house shuts; the root."""
        while True:
            found = heads_entry(self.log, self._heads, self.time.now_ms(), HOUSE)
            if found is None:
                return ""
            entry, event = found
            try:
                await self.log.append(Append((entry,)))
            except ConflictError:
                continue
            self._heads |= event.heads
            return event.root

    async def shut(self) -> str:
        """Before the journal is closed: snapshots of every stream, and the root of all."""
        streams: list[Stream[Any]] = [self.register, self.cage, *self.tables.values()]
        for stream in streams:
            stream.save()
        return await self.record_heads()


def _check_edition(table: Table) -> None:
    """A table goes on only by the text it was opened by."""
    if table.is_open and table.opened and table.opened.digest != table.terms.rules.digest:
        ruleset = table.terms.notice.ruleset
        raise Refused(Reason.OTHER_EDITION, CONDITIONS, ruleset=ruleset)
