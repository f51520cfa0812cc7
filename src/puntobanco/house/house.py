"""A house: its tables, its cage and its people over one journal."""

import asyncio
import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.cage import decide as cage_decide
from puntobanco.cage import evolve as cage_evolve
from puntobanco.cage import messages as cage
from puntobanco.cage.state import Cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.clock import Clock, HouseTime
from puntobanco.house.people import People
from puntobanco.house.stream import TABLE, Aggregate, By, Change, Stream, give
from puntobanco.house.virtual import (
    DEALT_AT,
    Chance,
    Order,
    deal,
    face_down_card,
    is_virtual,
    opening,
    order_of,
    shuffle,
)
from puntobanco.journal.log import Append, ConflictError, EventLog
from puntobanco.journal.rows import Entry
from puntobanco.journal.sealed import SealError
from puntobanco.journal.verify import HOUSE, heads_now
from puntobanco.register import decide as register_decide
from puntobanco.register import evolve as register_evolve
from puntobanco.register import messages as register
from puntobanco.register.state import Register
from puntobanco.rules.coup import Result
from puntobanco.rules.notice import Notice
from puntobanco.rules.ruleset import CONDITIONS, Bet, ruleset_text
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.decide import decide
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Phase, Table
from puntobanco.table.steps import next_step

TABLES = Aggregate(decide, evolve, TableEvent, Table())
CAGES = Aggregate(cage_decide.decide, cage_evolve.evolve, cage.Happened, Cage())
REGISTERS = Aggregate(register_decide.decide, register_evolve.evolve, register.Happened, Register())


TABLE_NAME = re.compile(r"table-[A-Za-z0-9_.-]{1,50}")
CARDS = (c.DrawCard, c.TurnCard, c.DealCarried, c.BurnCards)
"""What names a card: from the house's own shoe only the house does."""
KNOWN = (c.CorrectCard, c.ChangeCards, c.SeeMarker)
"""What the house knows of its own shoe: nobody keyed a card, and none can be marked."""
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
        self.register: Stream[Register] = Stream("register", REGISTERS, log, key)
        self.cage: Stream[Cage] = Stream("cage", CAGES, log, key)
        self.tables: dict[str, Stream[Table]] = {}
        for stream in (self.register, self.cage):
            stream.start()
        for name in log.streams():
            if name.startswith(TABLE):
                self.table(name)
        self._heads: dict[str, int] = {}
        self._ident = chance.some_bytes(8).hex()
        self._notes = count(1)
        self.noted = 0
        """How many things of its own the house has put on record since it opened."""
        self.time = HouseTime(clock, log.wall_ms())

    def table(self, name: str) -> Stream[Table]:
        """The table of this name, made if it was not there."""
        if name not in self.tables:
            if not TABLE_NAME.fullmatch(name):
                raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])
            stream = self.tables[name] = Stream(name, TABLES, self.log, self.key)
            stream.start()
            stream.made_here = not stream.seq
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
        by: By,
        command_id: str,
        check: Callable[[Table], None] | None = None,
    ) -> tuple[Change, ...]:
        """Give a command to a table. What moves chips in or out moves money at the cage with it.

        `check` may refuse it by the table as it is when it is decided.
        """
        if name not in self.tables and not isinstance(ask, c.OpenTable):
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])
        table = self.table(name)
        _check_edition(table.state)
        if isinstance(ask, (*CARDS, *KNOWN)) and is_virtual(table.state):
            raise Refused(Reason.HOUSE_DEALS, CONDITIONS)
        if isinstance(ask, c.Shuffle) and ask.commitment:  # only the house can open one again
            raise Refused(Reason.HOUSE_COMMITS, CONDITIONS)
        if isinstance(ask, c.OpenCommitment) and not self._is_own(table.state, ask):
            raise Refused(Reason.HOUSE_COMMITS, CONDITIONS)
        try:
            return await give(self.log, self._asked(table, ask, check), by, command_id)
        finally:
            if not table.seq:  # it was not opened after all
                self.tables.pop(name, None)

    def _asked(
        self, table: Stream[Table], ask: c.TableCommand, check: Callable[[Table], None] | None
    ) -> list[tuple[Stream[Any], Any]]:
        """The command, with its other half where another stream is concerned too."""

        def checked(state: Table) -> c.TableCommand:
            assert check is not None
            check(state)
            return ask

        name = table.name
        asked: list[tuple[Stream[Any], Any]] = [(table, checked if check else ask)]
        match ask:
            case c.BuyIn():
                asked.append((self.cage, cage.SellChips(ask.person, name, ask.cents)))
            case c.CashOut():
                asked.append((self.cage, cage.RedeemChips(ask.person, name, ask.cents)))
            case c.OpenTable() if keep := self._ruleset_to_keep(ask.notice.ruleset):
                asked.append((self.register, keep))
            case _:
                pass
        return asked

    def _ruleset_to_keep(self, name: str) -> register.KeepRuleset | None:
        """The text a table is opened by, unless the journal has it."""
        try:
            text, digest = ruleset_text(name)
        except OSError:  # there is no such rule set, and the table will say so
            return None
        if digest in self.register.state.rulesets:
            return None
        return register.KeepRuleset(name, digest, text)

    async def at_cage(self, ask: cage.Ask, by: By, command_id: str) -> tuple[Change, ...]:
        """Give a command to the cage. Chips are sold and redeemed with the table, never alone."""
        if isinstance(ask, cage.SellChips | cage.RedeemChips):
            raise Refused(Reason.WITH_THE_TABLE, CONDITIONS)
        if isinstance(ask, cage.CountTray):
            table = self.tables.get(ask.table)
            ask = replace(ask, bank_cents=table.state.bank_cents if table else 0)
        return await give(self.log, [(self.cage, ask)], by, command_id)

    async def at_register(
        self, ask: register.Ask, person: str, command_id: str
    ) -> tuple[Change, ...]:
        """Give a command to the register, in the roles one has in the whole house.

        Whoever is disabled, or loses a role, is off duty and signed out everywhere at once.
        """
        asked = [(self.register, ask)]
        done = await give(self.log, asked, lambda: self.actor(person), command_id)
        if isinstance(ask, register.Disable | register.Revoke):
            await asyncio.shield(asyncio.create_task(self._put_out(ask.person)))
        return done

    async def _put_out(self, person: str) -> None:
        self.people.end_all(person)
        await self._sign_off(person)

    async def _sign_off(self, person: str) -> None:
        """Off every duty for which this person no longer has the role."""
        for name, table in tuple(self.tables.items()):
            roles = self.register.state.people[person].roles_at(name)
            if any(role not in roles for role in table.state.roles_of(person)):
                off = c.SignOff(person)
                await self.at_table(name, off, self.clockwork, self.own_id("off"))

    async def found(self, person: str, command_id: str) -> tuple[Change, ...]:
        """The first manager of a new house."""
        msgspec.convert(person, c.Person)
        nobody = Actor(person, frozenset(), self.time.now_ms())
        return await give(self.log, [(self.register, register.FoundHouse())], nobody, command_id)

    async def show_key(self, public: str) -> None:
        """Put the public key of receipts on record."""
        asked = [(self.register, register.ShowKey(public))]
        await give(self.log, asked, self.clockwork, f"key-{public[:16]}")

    async def shuffle(
        self, name: str, by: By, command_id: str, machine: str = ""
    ) -> tuple[Change, ...]:
        """The house's own shuffle: the order is committed to, and kept under seal."""
        table = self._open_table(name)
        ask, sealed = shuffle(table.state, self.chance, self.key, machine)
        asked = [(table, lambda _: ask)]
        return await give(self.log, asked, by, command_id, (sealed,))

    async def deal(self, name: str, by: By, command_id: str) -> tuple[Change, ...]:
        """The next card from the house's own shoe; which one is settled only when it is due."""
        table = self._open_table(name)
        return await give(self.log, [(table, self._next_deal)], by, command_id)

    async def bet(
        self, name: str, on: Bet, cents: int, by: By, command_id: str
    ) -> tuple[Change, ...]:
        """A chip on an option: what lies there already is known only when it is decided."""
        table = self._open_table(name)
        person = (by() if callable(by) else by).person
        asked = [(table, lambda state: _wager(state, person, on, cents))]
        return await give(self.log, asked, by, command_id)

    async def turn(self, name: str, position: int, by: By, command_id: str) -> tuple[Change, ...]:
        """A card of the house's own shoe that lies face down is turned by whoever may."""
        table = self._open_table(name)
        asked = [(table, lambda state: self._turned(state, position))]
        return await give(self.log, asked, by, command_id)

    def _turned(self, table: Table, position: int) -> c.TableCommand:
        if not is_virtual(table):
            raise Refused(Reason.NOT_THE_HOUSES_SHOE, CONDITIONS)
        if table.coup is None or not 1 <= position <= len(table.coup.drawn):
            raise Refused(Reason.NO_SUCH_CARD, CONDITIONS, position=position)
        return c.TurnCard(face_down_card(table, self.order(table), position), position)

    async def open_order(self, name: str, by: By, command_id: str) -> tuple[Change, ...]:
        """The order of a shoe that is over, for all to compare with what was dealt."""
        table = self._open_table(name)
        asked = [(table, lambda state: opening(self.order(state)))]
        return await give(self.log, asked, by, command_id)

    def _is_own(self, table: Table, ask: c.OpenCommitment) -> bool:
        """A false order would stand in the way of the true one; if that is lost, any is false."""
        try:
            return opening(self.order(table)) == ask
        except Refused:
            return True

    def _open_table(self, name: str) -> Stream[Table]:
        if name not in self.tables or self.tables[name].state.notice is None:
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])
        _check_edition(self.tables[name].state)
        return self.tables[name]

    def _next_deal(self, table: Table) -> c.TableCommand:
        if not is_virtual(table):
            raise Refused(Reason.NOT_THE_HOUSES_SHOE, CONDITIONS)
        if next_step(table).step not in DEALT_AT:
            raise Refused(Reason.NOTHING_OWED, CONDITIONS)
        return deal(table, self.order(table))

    def order(self, table: Table) -> Order:
        """The order of the shoe on a table; opened once, and only for whoever deals from it."""
        held = self._orders.get(table.pack.commitment)
        if held is None:
            try:
                held = order_of(table, self.log, self.key)
            except SealError as error:
                raise Refused(Reason.SEAL_BROKEN, CONDITIONS, why=str(error)) from error
            if len(self._orders) >= MOST_ORDERS:
                self._orders.clear()
            self._orders[table.pack.commitment] = held
        return held

    def own_id(self, what: str) -> str:
        """An id for a command of the house's own: no id from outside has a ~ in it."""
        return f"{what}~{self._ident}~{next(self._notes)}"

    # what the house records of itself

    async def note(self, event: Struct) -> None:
        """Put something on record in the house's own stream."""
        body = msgspec.json.encode([event])
        command_id = self.own_id(str(event.__struct_config__.tag))
        while True:
            seq = self.log.head(HOUSE).seq + 1
            entry = Entry(HOUSE, seq, self.time.now_ms(), HOUSE, command_id, body, (), body)
            try:
                await self.log.append(Append((entry,)))
            except ConflictError:
                continue
            self.noted += 1
            return

    async def record_heads(self) -> str:
        """Record where every stream ends: every minute, and when the house shuts; the root."""
        event = heads_now(self.log, self._heads)
        if event is None:
            return ""
        await self.note(event)
        self._heads |= event.heads
        return event.root

    async def shut(self) -> str:
        """Before the journal is closed: snapshots of every stream, and the root of all."""
        streams: list[Stream[Any]] = [self.register, self.cage, *self.tables.values()]
        for stream in streams:
            stream.save()
        return await self.record_heads()


def _wager(table: Table, person: str, on: Bet, cents: int) -> c.TableCommand:
    """A new wager in the box one is at, or more on one's own."""
    place = table.places.get(person)
    if place is None:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=person)
    wagers = table.coup.wagers if table.coup else ()
    lies = next((one.cents for one in wagers if one.by == person and one.on == on), 0)
    facts = {"box": place.box, "on": on, "cents": lies + cents}
    kind: type[c.ChangeWager | c.PlaceWager] = c.ChangeWager if lies else c.PlaceWager
    return msgspec.convert(facts, kind)


def _check_edition(table: Table) -> None:
    """A table goes on only by the text it was opened by."""
    if table.is_open and table.opened and table.opened.digest != table.terms.rules.digest:
        ruleset = table.terms.notice.ruleset
        raise Refused(Reason.OTHER_EDITION, CONDITIONS, ruleset=ruleset)
