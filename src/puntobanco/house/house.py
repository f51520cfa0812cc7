"""A house: its tables, competitions, cage and people over one journal."""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from puntobanco.cage import commands as cage
from puntobanco.cage import decide as cage_decide
from puntobanco.cage import events as cage_events
from puntobanco.cage import evolve as cage_evolve
from puntobanco.cage.state import Cage
from puntobanco.competition import commands as competition
from puntobanco.competition import decide as competition_decide
from puntobanco.competition import events as competition_events
from puntobanco.competition import evolve as competition_evolve
from puntobanco.competition.state import Competition
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.credentials_digest import KeptDigest
from puntobanco.house.access.issuing import Notes, erase_person, issue
from puntobanco.house.access.people import Credential, People
from puntobanco.house.clock import Clock, HouseTime
from puntobanco.house.figures.projection import HouseFigures
from puntobanco.house.floor.listed import ListedTable, listed_table
from puntobanco.house.giving.command import PERSON, Giving, Sent
from puntobanco.house.giving.forms import FormShown, shown_form
from puntobanco.house.intents import AtTable, LodgeForm
from puntobanco.house.notes import FormSeen
from puntobanco.house.roots import Roots
from puntobanco.house.stream import (
    COMPETITION,
    TABLE,
    TABLE_NAME,
    Aggregate,
    Stream,
    StreamChange,
    give,
)
from puntobanco.house.till.gaming_day import gaming_day_now
from puntobanco.house.trust.limits import DAY_MS, WEEK_DAYS, count_played, first_of_week, lies
from puntobanco.house.trust.played import played_since
from puntobanco.house.virtual_shoe import (
    Chance,
    Order,
    face_down_card,
    order_of,
    shoe_cards,
)
from puntobanco.journal.envelope import PlayedBefore
from puntobanco.journal.log import Append, ConflictError, EventLog, Statement
from puntobanco.journal.mac import RowMac
from puntobanco.journal.rows import Entry, check_text
from puntobanco.journal.seal import SealError
from puntobanco.journal.shown_keys import own_codes
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register import commands as register
from puntobanco.register import decide as register_decide
from puntobanco.register import events as register_events
from puntobanco.register import evolve as register_evolve
from puntobanco.register.state import Register
from puntobanco.rules.cards import Card
from puntobanco.rules.checked import checker
from puntobanco.rules.competition.secret import SecretForm
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.documents.texts import by_digest, remember, text_of
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import OVERSEER, check_role
from puntobanco.table.decide import decide
from puntobanco.table.events import TableEvent, TableOpened
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.people import text_lost
from puntobanco.table.state import Table
from puntobanco.words import name_order

TABLES = Aggregate(decide, evolve, TableEvent, Table(), c.TableCommand)
CAGES = Aggregate(
    cage_decide.decide, cage_evolve.evolve, cage_events.CageEvent, Cage(), cage.CageCommand
)
REGISTERS = Aggregate(
    register_decide.decide,
    register_evolve.evolve,
    register_events.RegisterEvent,
    Register(),
    register.RegisterCommand,
)
COMPETITIONS = Aggregate(
    competition_decide.decide,
    competition_evolve.evolve,
    competition_events.CompetitionEvent,
    Competition(),
    competition.CompetitionCommand,
)
CAGE = "cage"

COMPETITION_NAME = re.compile(r"competition-[A-Za-z0-9_.-]{1,50}")
_at_table = checker(AtTable)
CHECKED: dict[str, Callable[[object], Any]] = {
    CAGE: cage_decide.checked,
    REGISTER: register_decide.checked,
}
"""The check of types and bounds of a command to cage or register; `_at_table` is the tables'."""
ABOUT_ERASURE = register.Erase, register.Enable, register.NameFounder, c.Approve
"""Commands to the register by which somebody is to be erased, or comes back after it."""
IDENT = 8
"""Characters by which the ids of one start of a house differ from those of every other."""
MOST_ORDERS = 2000
"""The most opened orders of shoes kept in memory; beyond it all are opened anew."""
Who = str | Callable[[], str]
"""The id of the person who asks, or a function that finds it at the moment of deciding (for a
scanner: the dealer on duty)."""


class CardSeen(Struct, frozen=True):
    """A face-down card as its holder is shown it."""

    position: int
    card: Card


class House:
    """A house: its streams over one journal. Journal, clock, chance and key are arguments."""

    def __init__(
        self,
        log: EventLog,
        clock: Clock,
        chance: Chance,
        key: bytes,
        root_file: Path | None = None,
        hours: str = "",
        codes: RowMac | None = None,
    ) -> None:
        self.log = log
        self.hours = hours
        """The hours of gaming, as they are on every sign that names none [act-2015:13.1]."""
        self.codes = codes or own_codes(log, key)
        """Makes and checks the codes of rows, also under keys that the house had before."""
        log.sign = self.codes.sign
        self.clock = clock
        self.chance = chance
        self.key = key
        """The key from which those are derived that seal, code rows and sign receipts; it is kept
        outside the database."""
        self.keys = self.codes.keys
        """With those of before, which open what they sealed."""
        self.kept = KeptDigest(key)
        self._orders: dict[str, Order] = {}
        self.people = People(log)
        self.time = HouseTime(clock, log.wall_ms)
        self.register: Stream[Register] = Stream(
            "register", REGISTERS, log, self.codes, self._heed, self._reach
        )
        self.cage: Stream[Cage] = Stream("cage", CAGES, log, self.codes, follow=self._reach)
        self.figures = HouseFigures(log, lambda: self.register.state.settings)
        self.tables: dict[str, Stream[Table]] = {}
        self.competitions: dict[str, Stream[Competition]] = {}
        for stream in (self.register, self.cage):
            stream.start()
        for text in self.register.state.rulesets.values():
            remember(text)
        for name in log.streams():
            if name.startswith(TABLE):
                self.table(name)
            elif name.startswith(COMPETITION):
                self.competition(name)
        self.unrelayed: dict[str, Any] = {}
        """What tables or competitions refused of what is due between them, by the command's id."""
        self.roots = Roots(self, root_file)
        self._ident = chance.new_id()[:IDENT]
        self._notes = count(1)
        self.noted = 0
        """The number of notes the house has put on record since it opened."""
        self.time.begin(self.last_ms())

    def table(self, name: str) -> Stream[Table]:
        """Return the table of this name, or begin its stream."""
        if name not in self.tables:
            if not TABLE_NAME.fullmatch(name):
                raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])
            figures = self.figures.of(name)

            def follow(change: StreamChange) -> None:
                self._reach(change)
                figures.follow(change)

            stream = Stream(name, TABLES, self.log, self.codes, self._heed, follow)
            self.tables[name] = stream
            stream.start()
            stream.made_here = not stream.seq
        return self.tables[name]

    def competition(self, name: str) -> Stream[Competition]:
        """Return the competition of this name, or begin its stream."""
        if name not in self.competitions:
            if not COMPETITION_NAME.fullmatch(name):
                raise Refused(Reason.NO_SUCH_COMPETITION, CONDITIONS, competition=name[:40])
            stream = Stream(name, COMPETITIONS, self.log, self.codes, self._heed, self._reach)
            self.competitions[name] = stream
            stream.start()
            stream.made_here = not stream.seq
        return self.competitions[name]

    def last_ms(self) -> int:
        """The time of the last row of any stream: the last sign of life."""
        streams: list[Stream[Any]] = [self.register, self.cage, *self.tables.values()]
        streams += self.competitions.values()
        return max(self.log.head_ms(HOUSE), *(stream.at_ms for stream in streams))

    def _reach(self, change: StreamChange) -> None:
        self.time.reach(change.at_ms)

    def _heed(self, event: object) -> None:
        """Make the text of a rule set known before a table is played by it.

        A table that another process opened may be read before the register's row with the text.
        """
        match event:
            case register_events.RulesetKept():
                remember(event.text)
            case TableOpened() if by_digest(event.opened.digest) is None:
                self.register.catch_up()
            case competition_events.ConditionsPublished() if by_digest(event.digest) is None:
                self.register.catch_up()
            case _:
                pass

    def texts_lost(self) -> Iterator[tuple[str, Refused]]:
        """List the open tables that can only be looked at, each with the reason."""
        for name, stream in sorted(self.tables.items()):
            if stream.state.is_open and (lost := text_lost(stream.state)):
                yield name, lost

    def listed(self, names: Iterable[str] | None = None) -> Iterator[ListedTable]:
        """List the tables of the house, open or shut: all of them, or those named."""
        book = self.register.state
        bots = [member.bot for member in book.people.values() if member.bot and member.enabled]
        dealt = {bot.table for bot in bots if bot.plan == "dealer"}
        for name in sorted(self.tables if names is None else names, key=name_order):
            table = self.tables[name].state
            yield listed_table(name, table, book.settings, bots_deal=name in dealt)

    def actor(self, person: str, table: str = "") -> Actor:
        """A person with the roles they have at a table now; refused if they were disabled."""
        if person == HOUSE:  # the house's own clock
            return Actor(HOUSE, frozenset({Role.HOUSE}), self.time.now_ms())
        member = self.register.state.people.get(person)
        if member is None:
            raise Refused(Reason.NOT_ENROLLED, CONDITIONS, person=person)
        if not member.enabled:
            raise Refused(Reason.DISABLED, CONDITIONS, person=person)
        now_ms = self.time.now_ms()
        one_with = self.register.state.one_with(person, now_ms)
        return Actor(person, member.roles_at(table), now_ms, one_with)

    def played_before(self, person: str, table: str) -> PlayedBefore:
        """What a player had lost and played by now, before what they do at a table: of coups that
        are over anywhere, and stakes that lie at other tables.
        """
        now_ms, settings = self.time.now_ms(), self.register.state.settings
        own = self.tables.get(table)
        today = settings.day_of(now_ms, own.state.utc_minutes) if own else gaming_day_now(self)
        since_ms = now_ms - (WEEK_DAYS + 2) * DAY_MS
        games = played_since(self.figures.reading(), person, first_of_week(today), since_ms)
        others = (one.state for name, one in self.tables.items() if name != table)
        elsewhere = sum(lies(one, person) for one in others if not one.plays_for_chips)
        return count_played(games, today, elsewhere, now_ms)

    async def give(
        self, at: str, ask: Any, who: Who, command_id: str, sent: Sent = PERSON
    ) -> tuple[StreamChange, ...]:
        """Give a command to a table, a competition, the cage or the register: the one way to
        change anything.

        The house completes an intent. A command that moves chips in or out of a table, or fees
        and prizes of a competition, moves money at the cage with it. What came with it, `sent`:
        if an outcome was shown beforehand, exactly that happens or nothing; if it was pressed
        after a card, and another has come since, nothing.
        """
        check_text(command_id)
        ask = _check_of(at)(ask)
        stream = self._stream(at, ask)
        giving = Giving(self, stream, ask, who, command_id, sent)
        try:
            await giving.prepare()
            done = await give(
                self.log, giving.streams, self.register, giving.attempt, giving.first_time
            )
        finally:
            if not stream.seq:  # it was not opened, or drafted, after all
                self.tables.pop(at, None)
                self.competitions.pop(at, None)
        if stream is self.register and isinstance(ask, ABOUT_ERASURE):
            from puntobanco.house.trust.erasing import erase_agreed  # noqa: PLC0415  it needs a house

            by = who() if callable(who) else who
            await asyncio.shield(asyncio.create_task(erase_agreed(self, by)))
        if isinstance(ask, register.Disable | register.Revoke):
            await asyncio.shield(asyncio.create_task(self._put_out(ask.person)))
        return done

    async def complete(self, at: str, ask: Any, who: Who) -> Any:
        """Return the command that would be decided now, completed by the house.

        No form of a secret wager is opened for it, or somebody could look before dealing on.
        """
        is_new = at not in self.tables and at not in self.competitions
        try:
            stream = self._stream(at, ask)
            giving = Giving(self, stream, ask, who, "preview", preview=True)
            await giving.prepare()
            return giving.attempt().given[0].command
        finally:
            if is_new:  # a preview must leave no empty table or competition behind
                self.tables.pop(at, None)
                self.competitions.pop(at, None)

    async def lodge(
        self, table: str, person: str, form: SecretForm, who: Who, command_id: str
    ) -> tuple[StreamChange, ...]:
        """Lodge the form of a secret wager for a player: sealed, with its commitment on record."""
        ask = LodgeForm(form.figures, form.words, form.on, person)
        return await self.give(table, ask, who, command_id)

    async def form(self, table: str, person: str, who: str) -> FormShown:
        """Show the inspector on duty a form that was not told yet; that is noted, not its content.

        Nobody else is shown one before it is announced [tas-2018:16.6.7].
        """
        if table not in self.tables:
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=table[:40])
        state = self.tables[table].state
        check_role(state, "examine-secret", OVERSEER, self.actor(who, table))
        shown = shown_form(state, person, self.log, *self.keys)
        await self.note(FormSeen(table, state.coup_number, person, who))
        return shown

    async def squeeze(self, table: str, position: int, who: Who, command_id: str) -> CardSeen:
        """Show the holder of a hand one of its face-down cards, and nobody else [tas-2018:9.3].

        That it was shown is on record, its face is not; asked again, the answer is the same.
        """
        if table not in self.tables:
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=table[:40])
        ask = c.SqueezeCard(position)
        try:
            await self.give(table, ask, who, command_id)
        except Refused as refused:
            if refused.reason is not Reason.CARD_IS_SHOWN:
                raise
        # An old id may bring back an old outcome: what is named now must have been shown in this
        # very coup to whoever asks. Nothing is awaited from here on.
        state, person = self.tables[table].state, who() if callable(who) else who
        try:
            decide(state, ask, self.actor(person, table))
        except Refused as refused:
            if refused.reason is not Reason.CARD_IS_SHOWN:
                raise
        else:
            raise Refused(Reason.ID_USED, CONDITIONS)
        card_at = shoe_cards(state, lambda: self.order(state))
        return CardSeen(position, face_down_card(state, card_at, position))

    def _stream(self, at: str, ask: Any) -> Stream[Any]:
        if at == CAGE:
            if isinstance(ask, cage.SellChips | cage.RedeemChips):
                raise Refused(Reason.WITH_THE_TABLE, CONDITIONS)
            if isinstance(ask, cage.TakeFee | cage.RefundFee | cage.AddToPot | cage.Retain
                          | cage.PayFromPot):  # fmt: skip
                raise Refused(Reason.WITH_THE_COMPETITION, CONDITIONS)
            return self.cage
        if at == REGISTER:
            return self.register
        if at.startswith(COMPETITION):
            if at not in self.competitions and not isinstance(ask, competition.Draft):
                raise Refused(Reason.NO_SUCH_COMPETITION, CONDITIONS, competition=at[:40])
            return self.competition(at)
        if at not in self.tables and not isinstance(ask, c.OpenTable):
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=at[:40])
        return self.table(at)

    async def _put_out(self, person: str) -> None:
        """Sign a person out, and off every duty for which they no longer have the role."""
        self.people.end_all(person)
        for name, table in tuple(self.tables.items()):
            roles = self.register.state.people[person].roles_at(name)
            if any(role not in roles for role in table.state.roles_of(person)):
                with suppress(Refused):  # a table whose rule set is lost takes no command
                    await self.give(name, c.SignOff(person), HOUSE, self.own_id("off"))
        for name, held in tuple(self.competitions.items()):
            roles = self.register.state.people[person].roles_at(name)
            if person in held.state.directors and Role.DIRECTOR not in roles:
                await self.give(name, c.SignOff(person), HOUSE, self.own_id("off"))

    async def found(
        self, person: str, command_id: str, second: str = ""
    ) -> tuple[StreamChange, ...]:
        """Found the house: this person becomes its first manager, and a second if one is named."""
        msgspec.convert(person, c.Person)
        return await self.give(REGISTER, register.FoundHouse(second), person, command_id)

    def ruleset_to_keep(self, digest: str, name: str) -> register.KeepRuleset | None:
        """The command that keeps the text a table is opened by, unless the register has it."""
        text = text_of(digest)
        if text is None or digest in self.register.state.rulesets:
            return None  # without a text, the table itself refuses to open
        return register.KeepRuleset(name, digest, text)

    def order(self, table: Table) -> Order:
        """The order of the shoe on a table, opened once and only to deal from it or to show it."""
        held = self._orders.get(table.pack.commitment)
        if held is None:
            try:
                held = order_of(table, self.log, *self.keys)
            except SealError as error:
                raise Refused(Reason.SEAL_BROKEN, CONDITIONS, why=str(error)) from error
            if len(self._orders) >= MOST_ORDERS:
                self._orders.clear()
            self._orders[table.pack.commitment] = held
        return held

    def own_id(self, what: str) -> str:
        """Make an id for a command of the house's own; no id from outside may have a ~ in it."""
        return f"{what}~{self._ident}{next(self._notes)}"

    async def note(self, event: Struct, erasable: tuple[Statement, ...] = ()) -> None:
        """Record an event in the house's own stream, with changes of the erasable tables."""
        await self.note_as_is(str(event.__struct_config__.tag), lambda: ((event,), erasable))

    async def note_as_is(self, tag: str, made: Callable[[], Notes]) -> None:
        """Record what is made from the erasable tables as they are in the very moment."""
        command_id = self.own_id(tag)
        while True:
            seq = self.log.head(HOUSE).seq + 1
            events, erasable = made()
            body = msgspec.json.encode(events)
            entry = Entry(HOUSE, seq, self.time.now_ms(), HOUSE, command_id, b"", (), body)
            try:
                await self.log.append(Append((entry,), erasable=erasable))
            except ConflictError:
                continue
            self.noted += 1
            return

    async def issue(self, credential: Credential, by: str) -> None:
        """Replace a credential, and record that it was issued, in one append."""
        await issue(self, (credential,), by)

    async def erase(self, person: str, by: str) -> None:
        """Erase a person's name, contact and credentials, and record it; the id stays."""
        await erase_person(self, person, by)

    @property
    def written(self) -> int:
        """The number of rows of all tables and competitions, the cage and the register."""
        streams: list[Stream[Any]] = [*self.tables.values(), *self.competitions.values()]
        return self.register.seq + self.cage.seq + sum(stream.seq for stream in streams)

    async def record_root(self, *, anew: bool = False) -> str:
        """Record the root over every stream, the house's own up to the row before; `anew` also if
        nothing was written since the last.
        """
        return await self.roots.record(anew=anew)

    async def shut(self) -> str:
        """Save snapshots of every stream and record the root, before the journal is closed."""
        streams: list[Stream[Any]] = [self.register, self.cage, *self.tables.values()]
        streams += self.competitions.values()
        for stream in streams:
            stream.save()
        self.figures.save()
        return await self.record_root()


def _check_of(at: str) -> Callable[[object], Any]:
    """The check of types and bounds of what is asked there."""
    if at.startswith(COMPETITION):
        return competition_decide.checked
    return CHECKED.get(at, _at_table)
