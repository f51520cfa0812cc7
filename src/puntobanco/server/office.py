"""What every request needs: the house, who is asking, and giving a command on their behalf."""

from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from litestar.di import NamedDependency
from litestar.params import PathParameter
from msgspec import Struct, field
from msgspec.structs import replace

from puntobanco.cage import messages as cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.games import record_of
from puntobanco.house.house import CARDS, House
from puntobanco.house.stream import Change, Stream
from puntobanco.journal.rows import Row
from puntobanco.register import messages as register
from puntobanco.rules.ruleset import CONDITIONS, Bet
from puntobanco.server.reading import read
from puntobanco.server.signin import Caller, SignIn
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import check_authority, plays
from puntobanco.table.decide import foresee
from puntobanco.table.events import Event, TableEvent
from puntobanco.table.state import Table
from puntobanco.table.telling import tell
from puntobanco.table.view import Viewer

DRAWS = (*CARDS, c.SeeMarker, c.SeeIndicator)
"""All that a card scanner or an electronic shoe may do."""


class Happened(Struct, frozen=True):
    """One thing that came of a command, in words, with its clauses."""

    is_: str = field(name="is")
    says: str
    clauses: tuple[str, ...]


class Done(Struct, frozen=True):
    """What came of a command; the same again if it is repeated."""

    seq: int
    at_ms: int
    happened: tuple[Happened, ...]


class Office:
    """The house as the web sees it."""

    def __init__(self, house: House, signin: SignIn) -> None:
        self.house = house
        self.signin = signin

    def table(self, name: str) -> Stream[Table]:
        """A table that is there; asking for another makes none."""
        if name not in self.house.tables:
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])
        return self.house.tables[name]

    def actor(self, caller: Caller, table: str = "") -> Actor:
        """The caller with their roles there; a device is nobody."""
        if not caller.person:
            raise Refused(Reason.SIGN_IN_NEEDED, CONDITIONS)
        if caller.scope:
            raise Refused(Reason.TOKEN_NOT_FOR_THIS, CONDITIONS)
        return self.house.actor(caller.person, table)

    def drawer(self, caller: Caller, table: str) -> Actor:
        """Whoever draws cards: a person, or a device for the dealer on duty."""
        if not caller.scope:
            return self.actor(caller, table)
        if caller.scope != "draw" or caller.place != table:
            raise Refused(Reason.TOKEN_NOT_FOR_THIS, CONDITIONS)
        dealers = [one for one in self.table(table).state.staff if one.role is Role.DEALER]
        if not dealers:
            raise Refused(Reason.NOT_ON_DUTY, CONDITIONS, command="draw-card", roles=Role.DEALER)
        return self.house.actor(dealers[0].person, table)

    def viewer(self, caller: Caller, table: Stream[Table]) -> Viewer:
        """How much a caller sees; whoever has nothing to do with the table sees what all see."""
        if not caller.person or caller.scope:
            return Viewer()
        member = self.house.register.state.people.get(caller.person)
        roles = member.roles_at(table.name) if member else frozenset()
        involved = roles != {Role.PATRON} or plays(table.state, caller.person)
        return Viewer(caller.person if involved else "", roles)

    async def at_table(
        self, caller: Caller, name: str, ask: c.TableCommand, command_id: str, shown: str = ""
    ) -> Done:
        """A command; if its outcome was shown beforehand, that one or none."""
        who = self.drawer if isinstance(ask, DRAWS) else self.actor
        by = partial(who, caller, name)
        self._check_known(ask)
        if name not in self.house.tables:
            return _done(await self.house.at_table(name, ask, by, command_id))
        whole = await self.complete(self.table(name), ask, by())

        def check(state: Table) -> None:
            if shown != outcome(foresee(state, whole, by())):
                raise Refused(Reason.NOT_AS_SHOWN, CONDITIONS)

        checked = check if shown else None
        return _done(await self.house.at_table(name, whole, by, command_id, checked))

    def _check_known(self, ask: c.TableCommand) -> None:
        """A slip of the pen names nobody, and must not pass for somebody."""
        person = getattr(ask, "person", "")
        if person and person not in self.house.register.state.people:
            raise Refused(Reason.NOT_ENROLLED, CONDITIONS, person=person)

    async def complete(
        self, table: Stream[Table], ask: c.TableCommand, by: Actor
    ) -> c.TableCommand:
        """With the record of a coup of an earlier shoe, which nobody need type."""
        if not isinstance(ask, c.VoidEarlier | c.CorrectCard) or ask.older is not None:
            return ask
        check_authority(table.state, ask, by)  # only for whoever may, for it takes long
        digest = table.state.past.get(ask.coup)
        if digest is None:
            return ask
        log, name = self.house.log, table.name
        found = await read(lambda: record_of(log, name, ask.coup, digest))
        return replace(ask, older=found)

    async def turn(self, caller: Caller, name: str, position: int, command_id: str) -> Done:
        """A card that lies face down before the caller, from the house's own shoe."""
        by = partial(self.drawer, caller, name)
        reader = caller.person if by().roles <= {Role.PATRON} else ""
        return _done(await self.house.turn(name, position, by, command_id), reader)

    async def bet(self, caller: Caller, name: str, on: Bet, cents: int, command_id: str) -> Done:
        """A chip on an option: a new wager, or more on the one that lies there."""
        by = partial(self.actor, caller, name)
        return _done(await self.house.bet(name, on, cents, by, command_id))

    async def chips(
        self, caller: Caller, name: str, ask: c.BuyIn | c.CashOut, command_id: str
    ) -> Done:
        """A patron buys or cashes chips: a bot dealer sees to it, a person across the table."""
        self.actor(caller, name)
        bot = self.bot_dealer(name)
        if not bot:
            raise Refused(Reason.ASK_THE_DEALER, CONDITIONS)
        by = partial(self.house.actor, bot, name)
        return _done(await self.house.at_table(name, ask, by, command_id))

    def bot_dealer(self, name: str) -> str:
        """A bot that deals there; empty while only people do."""
        people = self.house.register.state.people
        staff = self.house.tables[name].state.staff if name in self.house.tables else ()
        on_duty = [one.person for one in staff if one.role is Role.DEALER]
        return next((who for who in on_duty if who in people and people[who].bot), "")

    async def deal(self, caller: Caller, name: str, command_id: str) -> Done:
        """The next card from the house's own shoe: whoever it is for, the rules say."""
        return _done(await self.house.deal(name, partial(self.drawer, caller, name), command_id))

    async def open_order(self, caller: Caller, name: str, command_id: str) -> Done:
        """The order of the house's own shoe, once it is over."""
        by = partial(self.actor, caller, name)
        return _done(await self.house.open_order(name, by, command_id))

    async def shuffle(self, caller: Caller, name: str, command_id: str) -> Done:
        """The house's own shuffle, committed to and sealed."""
        by = partial(self.actor, caller, name)
        return _done(await self.house.shuffle(name, by, command_id))

    async def at_cage(self, caller: Caller, ask: cage.Ask, command_id: str) -> Done:
        return _done(await self.house.at_cage(ask, partial(self.actor, caller), command_id))

    async def at_register(self, caller: Caller, ask: register.Ask, command_id: str) -> Done:
        self.actor(caller)
        return _done(await self.house.at_register(ask, caller.person, command_id))


def outcome(events: Iterable[TableEvent]) -> str:
    """By which one outcome is told from another, whenever it comes about."""
    return sha256(msgspec.json.encode(_timeless(msgspec.to_builtins(list(events))))).hexdigest()


def _timeless(fact: Any) -> Any:
    if isinstance(fact, list):
        return [_timeless(one) for one in fact]
    if isinstance(fact, dict):
        kept = {name: value for name, value in fact.items() if not str(name).endswith("_ms")}
        return {name: _timeless(value) for name, value in kept.items()}
    return fact


def _done(changes: tuple[Change, ...], reader: str = "") -> Done:
    """What came of it; to a patron, nothing of another's wager."""
    first = changes[0]
    seen = [one for one in first.events if not reader or is_for(one, reader)]
    return Done(first.seq, first.at_ms, tuple(_happened(event) for event in seen))


def is_for(event: Struct, patron: str) -> bool:
    """May a patron read this? Whose a wager is, others at the table need not know."""
    wager = getattr(event, "wager", None)
    return wager is None or wager.by == patron


def is_own(row: Row, person: str) -> bool:
    """Does a row of the journal speak of nobody else's wager?"""
    events = msgspec.json.decode(row.events, type=list[TableEvent])
    return all(is_for(event, person) for event in events)


def _happened(event: Struct) -> Happened:
    tag = str(event.__struct_config__.tag)
    if isinstance(event, Event):
        return Happened(tag, tell(event), event.clauses)
    return Happened(tag, tag, ())


TheOffice = NamedDependency[Office]
TheCaller = NamedDependency[Caller]
"""What handlers ask for by name."""
Short = Annotated[str, PathParameter(max_length=64)]
"""A word of a path."""
