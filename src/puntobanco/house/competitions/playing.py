"""Plays a written competition in a house of its own, through the one door everything goes through.

What a script need not say, it does as its people would: publishing opens entries, an entry that
nobody refused is accepted, a session's tables are designated, opened, staffed and supplied with
cards, and whoever wagers has taken their seat.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta, tzinfo  # noqa: TID251  to read times, not to ask for one
from typing import Any

import msgspec
from msgspec.structs import replace

from puntobanco.cage import commands as cage
from puntobanco.competition import commands as k
from puntobanco.competition.queries import next_clock_ms
from puntobanco.competition.state import Competition, CompetitionPhase, EntryStatus
from puntobanco.errors import MalformedError, Refused
from puntobanco.house.competitions.checking import hold_against
from puntobanco.house.competitions.coups import (
    cash_what_is_left,
    play_written_coup,
    prepare_table,
)
from puntobanco.house.competitions.relay import Relay
from puntobanco.house.competitions.script import LODGE, Script, ScriptLine, written_facts
from puntobanco.house.house import CAGE, House
from puntobanco.house.intents import LodgeForm
from puntobanco.house.written_session import CASHIER, FOUNDER, TRAY_CENTS, SessionTime
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register import commands as register
from puntobanco.rules.competition.conditions import read_conditions, read_moment
from puntobanco.rules.competition.draw import Spoken
from puntobanco.rules.paper.notation import parse_amount
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.queries.clocks import over
from puntobanco.table.session import Said, Session, commands_of
from puntobanco.table.state import Table

FUNDS_CENTS = 10**9
"""Cents in every patron's account of a script."""
ID = "cup"
NAME = f"competition-{ID}"
COMMANDS: dict[str, Any] = {
    str(kind.__struct_config__.tag): kind for kind in k.CompetitionCommand.__args__
}
ENTERING = frozenset({CompetitionPhase.ENTERING})
P = CompetitionPhase


def _in_a_row(value: str) -> list[str]:
    return value.replace(",", " ").split()


def _yes_or_no(value: str) -> bool | str:
    return {"yes": True, "no": False}.get(value, value)


def _lodged(facts: tuple[str, ...]) -> LodgeForm:
    """`lodge-form 500 "five hundred" b p3`: without a person, one's own."""
    try:
        return msgspec.convert(written_facts(facts, LodgeForm.__struct_fields__), LodgeForm)
    except ValueError as error:
        raise MalformedError(f"{LODGE}: {error}") from error


READ_BY: dict[str, Callable[[str], Any]] = {
    "people": _in_a_row,
    "order": _in_a_row,
    "groups": lambda value: [group.split() for group in value.split(";") if group.strip()],
    "prizes_cents": lambda value: [parse_amount(one) for one in _in_a_row(value)],
    "start_ms": lambda value: int(read_moment(value).timestamp() * 1000),
    "words": lambda value: [Spoken("witness", value)],
    "follows": _yes_or_no,
    "not_attending": _yes_or_no,
}
"""How facts of a command are written that are no plain words."""


class RefusedLine(msgspec.Struct, frozen=True):
    line: int
    reason: str
    clause: str


class Player:
    """A script on its way."""

    def __init__(self, house: House, time: SessionTime, script: Script, text: str) -> None:
        self.house, self.time, self.script, self.text = house, time, script, text
        self.relay = Relay(house)
        self.refused: list[RefusedLine] = []
        self._zone: tzinfo = read_moment(read_conditions(text).start).tzinfo  # type: ignore[assignment]
        self._ids = 0

    @property
    def competition(self) -> Competition:
        stream = self.house.competitions.get(NAME)
        return stream.state if stream else Competition()

    def who(self, role: Role) -> str:
        """The first of the script's people in a role."""
        for person, roles in self.script.people.items():
            if role in roles:
                return person
        raise MalformedError(f"the script has no {role} among its people")

    @property
    def patrons(self) -> list[str]:
        return [who for who, roles in self.script.people.items() if Role.PATRON in roles]

    async def give(self, at: str, ask: Any, who: str) -> None:
        """Give a command, a second after the one before."""
        self._ids += 1
        self.time.now_ms += 1000
        await self.house.give(at, ask, who, f"script-{self._ids}")

    async def play(self) -> None:
        """Play every line; the first that goes otherwise than written is named."""
        await self.set_up()
        for line in self.script.lines:
            try:
                match line.kind:
                    case "time":
                        self._set_time(line.text)
                    case "check":
                        hold_against(self, line.text)
                    case "coup":
                        await self._coups(line)
                    case "said":
                        await self._said(line)
            except MalformedError as error:
                where = f"line {line.number}: "
                raise MalformedError(where + str(error).removeprefix(where)) from error
            await self._line_up()
        self._check_ended()

    def _check_ended(self) -> None:
        """A script that ends in the middle of a coup has said too little."""
        for at, stream in self.house.tables.items():
            if stream.state.coup is not None:
                last = max((line.number for line in self.script.lines), default=0)
                table = at.removeprefix("table-")
                ends = f"line {last}: the script ends with a coup in play at {table}"
                raise MalformedError(f"{ends}: write the rest of it, or declare it void")

    async def _line_up(self) -> None:
        """What falls due by itself: times that are over, and what one tells the other."""
        await self._run_out()
        if NAME in self.house.competitions:
            await self.relay.bring_into_line(NAME)

    async def _run_out(self) -> None:
        """The house says of every time that it is over, as its clock would."""
        now_ms, ends_ms = self.time.now_ms, None
        due = [at for at, stream in self.house.tables.items() if over(stream.state, now_ms)]
        if self.competition.version:
            ends_ms = next_clock_ms(self.competition)
        if ends_ms is not None and ends_ms <= now_ms:
            due.append(NAME)
        for at in due:
            await self.house.give(at, c.RunOut(), HOUSE, self.house.own_id("time-over"))

    async def set_up(self) -> None:
        """Everyone of the head is enrolled in their roles, and every patron has money."""
        self.time.now_ms = int(self._beginning().timestamp() * 1000)
        await self.house.found(FOUNDER, "founding")
        for ask in self._enrolments():
            await self.give(REGISTER, ask, FOUNDER)
        for person in self.patrons:
            await self.give(CAGE, cage.OpenAccount(person), CASHIER)
            await self.give(CAGE, cage.Deposit(person, FUNDS_CENTS), CASHIER)

    def _beginning(self) -> datetime:
        """A day before the first date of the script, or a month before the competition."""
        usual = read_moment(read_conditions(self.text).start) - timedelta(days=30)
        dates = (line.text[:10] for line in self.script.lines if line.kind == "time")
        first = next((date for date in dates if "-" in date), "")
        if not first:
            return usual
        try:
            day = datetime.fromisoformat(first).replace(tzinfo=self._zone)
        except ValueError:  # the line itself is named when its turn comes
            return usual
        return min(usual, day - timedelta(days=1))

    def _enrolments(self) -> Iterator[register.Enrol | register.Grant]:
        yield register.Enrol(CASHIER, "staff")
        yield register.Grant(CASHIER, Role.CASHIER)
        for person, roles in self.script.people.items():
            if person in (FOUNDER, CASHIER) or Role.HOUSE in roles:
                raise MalformedError(f"{person}: the house has this name for somebody of its own")
            yield register.Enrol(person, "patron" if Role.PATRON in roles else "staff")
            for role in sorted(roles - {Role.PATRON}):
                yield register.Grant(person, role)

    def _set_time(self, text: str) -> None:
        """A date and a time of the casino's clock, or the next such time of day."""
        date, _, clock = text.rpartition(" ")
        now = datetime.fromtimestamp(self.time.now_ms / 1000, self._zone)
        try:
            moment = datetime.fromisoformat(f"{date or now.date().isoformat()}T{clock}")
        except ValueError as error:
            raise MalformedError(f"{text}: {error}") from error
        then = int(moment.replace(tzinfo=self._zone).timestamp() * 1000)
        if then < self.time.now_ms and not date:
            then += 86_400_000
        if then < self.time.now_ms:
            raise MalformedError(f"{text}: it is later already")
        self.time.now_ms = then

    # what people say

    async def _said(self, line: ScriptLine) -> None:
        for who in self.patrons if line.who == "all" else [line.who]:
            for words in line.asks:
                await self._tried(line, who, words)

    async def _tried(self, line: ScriptLine, who: str, words: tuple[str, ...]) -> None:
        try:
            if line.table:
                await self._at_table(line, who, words)
            else:
                await self._in_competition(who, words)
        except Refused as refused:
            reason = str(refused.reason.value)
            if not line.refused:
                raise MalformedError(f"{' '.join(words)[:60]}: refused: {refused}") from refused
            self.refused.append(RefusedLine(line.number, reason, refused.clause))
            return
        if line.refused:
            raise MalformedError(f"{' '.join(words)[:60]}: written as refused, but it is allowed")

    async def _at_table(self, line: ScriptLine, who: str, words: tuple[str, ...]) -> None:
        at = self.stream_of(line.table)
        table = self.table(at)
        by = Actor(who, self.script.people[who], self.time.now_ms)
        facts = words[1:]
        if words[0] == "approve" and not facts:  # the line approves what was proposed last
            facts = (str(table.proposal_number),)
        if words[0] == LODGE:
            await self.give(at, _lodged(facts), who)
            return
        said = Said(line.number, line.text, by, words[0], facts)
        for ask in commands_of(Session({}, ()), said, table):
            await self.give(at, self._in_time(ask, table), who)

    def _in_time(self, ask: c.TableCommand, table: Table) -> c.TableCommand:
        """Whoever is asked for a wager has the time that the conditions give, if none is said."""
        seconds = table.session.wager_seconds if table.session else 0
        if not isinstance(ask, c.AskForWager) or ask.until_ms is not None or not seconds:
            return ask
        return replace(ask, until_ms=self.time.now_ms + seconds * 1000)

    def stream_of(self, table: str) -> str:
        return f"table-{table}"

    def table(self, at: str) -> Table:
        if at not in self.house.tables:
            raise MalformedError(f"there is no table {at.removeprefix('table-')} yet")
        return self.house.tables[at].state

    async def _in_competition(self, who: str, words: tuple[str, ...]) -> None:
        kind = COMMANDS.get(words[0])
        if kind is None:
            raise MalformedError(f"no command {words[0]!r}")
        await self._before(kind, who)
        ask = self._ask(kind, words[1:])
        if isinstance(ask, k.KeyDraw):
            await self._designated(ask.tables)
        await self.give(NAME, ask, who)
        await self._after(kind)

    async def _before(self, kind: Any, who: str) -> None:
        """What a script need not say before a command."""
        director, now = self.who(Role.DIRECTOR), self.competition
        if kind is k.Publish and not now.draft:
            await self.give(NAME, k.Draft(self.text), who)
        if kind in (k.Endorse, k.PayEntry):
            entrant = now.entries.get(who)
            if entrant is not None and entrant.status is EntryStatus.APPLIED:
                await self.give(NAME, k.Accept(who), director)
        if kind in (k.KeyDraw, k.Draw, k.StartSession) and now.phase is P.ENTERING:
            await self.give(NAME, k.CloseEntries(), director)
        if kind in (k.StartSession, k.OrderPlayOff, k.LastCoup) and not now.directors:
            await self.give(NAME, k.SignOn(Role.DIRECTOR), director)
        if kind is k.Draw:
            await self._ready_to_draw(director)
        if kind is k.StartSession:
            await self._ready_to_start(director)

    async def _ready_to_draw(self, director: str) -> None:
        await self._designate()
        if not self.competition.commitment:
            await self.give(NAME, k.CommitDraw(), director)

    async def _ready_to_start(self, director: str) -> None:
        if self.competition.phase in (P.CLOSED, P.CONFIRMED):
            await self._ready_to_draw(director)
            await self.give(NAME, k.Draw((Spoken("witness", "as written"),)), director)
        if self.competition.phase is P.DRAWN:
            for at in self.competition.now.seats:
                await cash_what_is_left(self, at)
            await self.give(NAME, k.PrepareSession(), director)
            await self._line_up()

    async def _designate(self) -> None:
        """As many tables as are needed at most."""
        stage = self.competition.stage
        players = max(1, len(self.competition.entries))
        most = stage.tables or -(-players // max(1, stage.seats))
        await self._designated([self.stream_of(f"t{number}") for number in range(1, most + 1)])

    async def _designated(self, tables: Iterable[str]) -> None:
        for at in tables:
            if at not in self.competition.tables:
                await self.give(NAME, k.DesignateTable(at), self.who(Role.DIRECTOR))

    async def _after(self, kind: Any) -> None:
        now = self.competition
        if kind is k.Approve and now.phase is P.PUBLISHED and now.version:
            director = self.who(Role.DIRECTOR)
            await self.give(NAME, k.OpenEntries(), director)
            await self.give(NAME, k.CommitDraw(), director)
        await self._line_up()
        if kind is k.StartSession:
            for at in self.competition.now.seats:
                await cash_what_is_left(self, at)  # of a session that was over, but not closed
                await self._line_up()
                await self.tray(at)
                await prepare_table(self, at)
                await self._line_up()  # once its cards are checked, a table is opened again
                await prepare_table(self, at)

    async def tray(self, at: str) -> None:
        if at not in self.house.cage.state.trays:
            await self.give(CAGE, cage.OpenTray(at, TRAY_CENTS), FOUNDER)

    def _ask(self, kind: Any, words: tuple[str, ...]) -> Any:
        """The command that a line asks for."""
        if kind is k.KeyDraw:
            return self._key_draw(words)
        facts = written_facts(words, kind.__struct_fields__)
        if kind is k.Approve and "proposal" not in facts:
            facts["proposal"] = self.competition.proposal_number
        if kind is k.Endorse and "version" not in facts:
            facts["version"] = self.competition.version
        if kind is k.SignOn and "role" not in facts:
            facts["role"] = Role.DIRECTOR
        facts = {name: self._value(name, str(value)) for name, value in facts.items()}
        try:
            return msgspec.convert({**facts}, kind, strict=False)
        except ValueError as error:
            raise MalformedError(f"{kind.__struct_config__.tag}: {error}") from error

    def _value(self, name: str, value: str) -> Any:
        """Tables by their short names, amounts in dollars, people in a row, times as dates."""
        if name in ("table", "at"):
            return self.stream_of(value.removeprefix("table-"))
        if name in READ_BY:
            return READ_BY[name](value)
        return parse_amount(value) if name == "cents" or name.endswith("_cents") else value

    def _key_draw(self, words: tuple[str, ...]) -> k.KeyDraw:
        """`t1="p1 p2 p3" t2="p4 p5@5"`: seats 1 2 3, or as said."""
        tables: dict[str, dict[int, str]] = {}
        first: dict[str, int] = {}
        for word in words:
            table, equals, people = word.partition("=")
            if not equals:
                raise MalformedError(f'write t1="p1 p2", not {word!r}')
            seats: dict[int, str] = {}
            for number, one in enumerate(people.split(), 1):
                person, at, seat = one.partition("@")
                free = next(place for place in range(number, 100) if place not in seats)
                if at and not seat.isdecimal():
                    raise MalformedError(f"write p1@5, not {one!r}")
                number_of = int(seat) if at else free
                if number_of in seats:
                    raise MalformedError(f"two people at seat {number_of} of {table}")
                seats[number_of] = person
            tables[self.stream_of(table)] = seats
            first[self.stream_of(table)] = next(iter(seats), 1)
        return k.KeyDraw(tables, first)

    async def _coups(self, line: ScriptLine) -> None:
        at = self.stream_of(line.table)
        for _ in range(line.times):
            try:
                await play_written_coup(self, at, line)
            except Refused as refused:
                if not line.refused:
                    raise MalformedError(f"refused: {refused}") from refused
                reason = str(refused.reason.value)
                self.refused.append(RefusedLine(line.number, reason, refused.clause))
                return
            await self._line_up()
        if line.refused:
            raise MalformedError("written as refused, but it is allowed")
