"""The house as the web reaches it: who acts, what they see, and a command given in their name."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from puntobanco.competition.sentences import tell_competition
from puntobanco.competition.state import Competition
from puntobanco.competition.view import is_shown
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.pace import A_PLAYER, AT_WORK, TRIES, CommandPace, too_fast
from puntobanco.house.access.sign_in import SHOWN, Caller, SignIn
from puntobanco.house.giving.command import Sent
from puntobanco.house.house import CardSeen, House
from puntobanco.house.intents import BuyChips, Turn, giver_of
from puntobanco.house.lookback.receipts import is_for
from puntobanco.house.may import ENTRIES
from puntobanco.house.notes import PaceExceeded, RightsTried
from puntobanco.house.stream import COMPETITION, TABLE, Stream, StreamChange
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.edge.metrics import counted_command
from puntobanco.table.actor import PLAYERS, Actor, Role
from puntobanco.table.authority import Giver, plays
from puntobanco.table.events import Event
from puntobanco.table.sentences import tell
from puntobanco.table.state import Table
from puntobanco.table.view import Viewer
from puntobanco.words import capitalised


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


class Gateway:
    """The house as the web sees it."""

    def __init__(self, house: House, signin: SignIn) -> None:
        self.house = house
        self.signin = signin
        self.pace = CommandPace()

    def table(self, name: str) -> Stream[Table]:
        """A table that is there; asking for another makes none."""
        if name not in self.house.tables:
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])
        return self.house.tables[name]

    def competition(self, caller: Caller, name: str) -> Stream[Competition]:
        """A competition that is there and shown to the caller; asking for another makes none."""
        stream = self.house.competitions.get(f"{COMPETITION}{name}")
        if stream is None or not is_shown(stream.state, self.spectator(caller, stream.name)):
            raise Refused(Reason.NO_SUCH_COMPETITION, CONDITIONS, competition=name[:40])
        return stream

    def spectator(self, caller: Caller, stream: str) -> Actor:
        """Who looks at a competition: somebody with their roles there, or anybody."""
        member = self.house.register.state.people.get(caller.person)
        if member is None or not member.enabled or caller.is_device:
            return Actor("", frozenset(), self.house.time.now_ms())
        return self.house.actor(caller.person, stream)

    def actor(self, caller: Caller, table: str = "") -> Actor:
        """The caller with their roles there; a device is nobody."""
        if not caller.person:
            raise Refused(Reason.SIGN_IN_NEEDED, CONDITIONS)
        if caller.is_device:
            raise Refused(Reason.TOKEN_NOT_FOR_THIS, CONDITIONS)
        return self.house.actor(caller.person, table)

    def drawer(self, caller: Caller, table: str) -> Actor:
        """The actor who draws cards: a person, or a device for the dealer on duty."""
        if not caller.is_device:
            return self.actor(caller, table)
        if caller.scope != "draw" or caller.place != table:
            raise Refused(Reason.TOKEN_NOT_FOR_THIS, CONDITIONS)
        dealers = [duty for duty in self.table(table).state.staff if duty.role is Role.DEALER]
        if not dealers:
            raise Refused(Reason.NOT_ON_DUTY, CONDITIONS, command="draw-card", roles=Role.DEALER)
        return self.house.actor(dealers[0].person, table)

    def viewer(self, caller: Caller, table: Stream[Table]) -> Viewer:
        """The viewer a caller is; without a part at the table, they see what everybody sees."""
        if not caller.person or caller.is_device:
            return Viewer()
        member = self.house.register.state.people.get(caller.person)
        roles = member.roles_at(table.name) if member else frozenset()
        involved = not roles <= PLAYERS or plays(table.state, caller.person)
        return Viewer(caller.person if involved else "", roles)

    async def give(
        self,
        caller: Caller,
        at: str,
        ask: Any,
        command_id: str,
        shown: str = "",
        dealt: str = "",
    ) -> Done:
        """Give a command, or what the house completes to one; if it was shown, so or not at all."""
        with counted_command(ask):
            return await self._give(caller, at, ask, command_id, shown, dealt)

    async def _give(
        self, caller: Caller, at: str, ask: Any, command_id: str, shown: str, dealt: str
    ) -> Done:
        await self.check_pace(caller)
        who = self.asker(caller, at, ask)
        device = caller.session.token[:SHOWN] if caller.session and caller.is_device else ""
        sent = Sent(shown, device, dealt)
        changes = await self.house.give(at, ask, who, command_id, sent)
        reader = caller.person if isinstance(ask, Turn) and self._is_patron(caller, at) else ""
        return _done(changes, _teller(at), reader)

    async def check_pace(self, caller: Caller) -> None:
        """Refuse a flood, and put it on record once: what is refused costs no row."""
        member = self.house.register.state.people.get(caller.person)
        if member is None or caller.session is None:
            return  # nobody: refused anyway
        works = caller.is_device or member.kind == "staff"
        who = caller.session.token if caller.is_device else caller.person
        now_ms = self.house.time.now_ms()
        wait_ms = self.pace.wait_ms(who, AT_WORK if works else A_PLAYER, now_ms)
        if not wait_ms:
            return
        if self.pace.is_news(who, now_ms):
            device = caller.session.token[:SHOWN] if caller.is_device else ""
            await self.house.note(PaceExceeded(caller.person, device))
        raise too_fast(wait_ms)

    async def tried(self, caller: Caller, where: str) -> None:
        """Somebody was refused for want of a right: many such in a short time are on record."""
        now_ms, who = self.house.time.now_ms(), f"tries {caller.person}"
        over = caller.person and self.pace.wait_ms(who, TRIES, now_ms)
        if over and self.pace.is_news(who, now_ms):
            await self.house.note(RightsTried(caller.person, where))

    async def squeeze(self, caller: Caller, table: str, position: int, command_id: str) -> CardSeen:
        """Show a face-down card to its holder, and to nobody else."""
        await self.check_pace(caller)
        self.actor(caller, table)
        return await self.house.squeeze(
            table, position, lambda: self.actor(caller, table).person, command_id
        )

    async def completed(self, caller: Caller, at: str, ask: Any) -> Any:
        """The command as it would be decided now, with all that the house fills in."""
        return await self.house.complete(at, ask, self.asker(caller, at, ask))

    def asker(self, caller: Caller, at: str, ask: Any) -> Callable[[], str]:
        """Who asks, as they are when it is decided: a caller, or a device for the dealer."""
        table = at if at.startswith((TABLE, COMPETITION)) else ""
        entry = ENTRIES.get(type(ask))
        drawn = entry is not None and Giver.DEVICE in entry.given_by and at.startswith(TABLE)
        who = self.drawer if drawn else self.actor
        who(caller, table)  # refused before anything is prepared for it
        return lambda: who(caller, table).person

    def _is_patron(self, caller: Caller, table: str) -> bool:
        return self.drawer(caller, table).roles <= {Role.PATRON}

    def bot_dealer(self, name: str) -> str:
        """A bot that deals there; empty while only people do."""
        if name not in self.house.tables:
            return ""
        try:
            asked = BuyChips(1)
            return giver_of(asked, "", self.house.tables[name].state, self.house.register.state)
        except Refused:
            return ""


def _teller(at: str) -> Callable[[Any], str]:
    return tell_competition if at.startswith(COMPETITION) else tell


def _done(
    changes: tuple[StreamChange, ...], in_words: Callable[[Any], str], reader: str = ""
) -> Done:
    """What came of it; to a patron, nothing of another's wager."""
    first = changes[0]
    seen = [one for one in first.events if not reader or is_for(one, reader)]
    return Done(first.seq, first.at_ms, tuple(_happened(event, in_words) for event in seen))


def _happened(event: Struct, in_words: Callable[[Any], str]) -> Happened:
    tag = str(event.__struct_config__.tag)
    if isinstance(event, Event):
        return Happened(tag, in_words(event), event.clauses)
    return Happened(tag, capitalised(tag.replace("-", " ")), ())
