"""Guests: visitors without an account, who play for play money at the one table set for them.

They come and go under a few ids that management's setting has enrolled, so that no visitor makes
the register or the names of the house grow. A guest is known by a web session alone; when that is
over the house makes the seat free, and nothing of the visitor is kept.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.people import WebSession
from puntobanco.house.house import House
from puntobanco.house.stream import Stream
from puntobanco.journal.verify import HOUSE
from puntobanco.register.state import Member
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table.state import Table

IDLE_MS = 10 * 60_000
"""Milliseconds without a request after which a guest's seat is free again."""
LONGEST_MS = 2 * 3_600_000
"""Milliseconds after which a guest's session ends, however busy."""
MOST_ASKED, WITHIN_MS = 10, 10 * 60_000
"""Guest seats that one address is given within this time."""
MOST_ADDRESSES = 10_000
"""Addresses remembered at a time."""
SWEEP_MS = 1000
"""Milliseconds between two looks for guests whose session is over."""
Begin = Callable[[str], str]
"""Begins a session for an id, and returns its token."""


def session_holds(session: WebSession, member: Member, now_ms: int) -> bool:
    """Is the id still a guest's, and has neither idleness nor its time ended the session?"""
    idle_ms, age_ms = now_ms - session.seen_ms, now_ms - session.began_ms
    return any(member.roles.values()) and idle_ms <= IDLE_MS and age_ms <= LONGEST_MS


class GuestSeats:
    """The seats of guests: who may have one now, and whose are free again."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._asked: dict[str, deque[int]] = {}
        """By address, when it was given guest seats."""
        self._given: dict[str, int] = {}
        """By id, when it was last given to a visitor: the one longest unused comes next."""
        self._swept_ms = 0

    @property
    def table(self) -> str:
        """The table at which guests play now; empty: there is none, or it is not open for it."""
        name = self.house.register.state.settings.guests.table
        stream = self.house.tables.get(name)
        open_for_play = stream is not None and stream.state.is_open and stream.state.play_cents
        return name if open_for_play else ""

    @property
    def free(self) -> int:
        """How many visitors could sit down as guests now."""
        return min(len(self._ids()), len(self._seats())) if self.table else 0

    def _ids(self) -> list[str]:
        """The ids that nobody plays under, the one longest unused first."""
        state = self.house.tables[self.table].state
        people = self.house.register.state.people
        shut = {*state.places, *state.excluded, *state.vacated}
        ids = [who for who in self.house.register.state.settings.guests.ids if people[who].enabled]
        unused = [who for who in ids if who not in shut and not self._session(who)]
        return sorted(unused, key=lambda who: self._given.get(who, 0))

    def _seats(self) -> list[int]:
        """The seats that are free, and not a bot's that will be back."""
        state = self.house.tables[self.table].state
        assert state.notice is not None
        bots = [member.bot for member in self.house.register.state.people.values() if member.bot]
        kept = {bot.seat for bot in bots if bot.table == self.table}
        seats = range(1, state.notice.seats + 1)
        return [seat for seat in seats if seat not in state.seated and seat not in kept]

    def _session(self, person: str) -> bool:
        now_ms, member = self.house.time.now_ms(), self.house.register.state.people[person]
        sessions = self.house.people.sessions_of(person)
        return any(session_holds(one, member, now_ms) for one in sessions)

    async def take(self, address: str, begin: Begin) -> str:
        """Give a visitor an id and a seat; return the token of their session."""
        if not self.table:
            raise Refused(Reason.GUESTS_OFF, CONDITIONS)
        self._check_address(address)
        for person in self._ids():
            token = begin(person)  # first, so that nobody else is given the id meanwhile
            try:
                await self.sit(person)
            except Refused:
                self.house.people.end_sessions(person)
                continue
            self._given[person] = self.house.time.now_ms()
            self._asked.setdefault(address, deque()).append(self.house.time.now_ms())
            return token
        raise Refused(Reason.GUEST_SEATS_TAKEN, CONDITIONS)

    async def sit(self, person: str) -> None:
        """Seat a guest who is not at the table."""
        if not self.table:
            raise Refused(Reason.GUESTS_OFF, CONDITIONS)
        if person in self.house.tables[self.table].state.places:
            return
        seats = self._seats()
        if not seats:
            raise Refused(Reason.GUEST_SEATS_TAKEN, CONDITIONS)
        await self.house.give(self.table, c.Sit(seats[0]), person, self.house.own_id("guest"))

    def _check_address(self, address: str) -> None:
        """Refuse an address that was given many seats a short while ago."""
        now_ms = self.house.time.now_ms()
        if len(self._asked) >= MOST_ADDRESSES:
            self._asked.clear()
        asked = self._asked.get(address, deque())
        while asked and now_ms - asked[0] > WITHIN_MS:
            asked.popleft()
        if len(asked) >= MOST_ASKED:
            seconds = -(-(asked[0] + WITHIN_MS - now_ms) // 1000)
            raise Refused(Reason.GUESTS_WAIT, CONDITIONS, seconds=max(1, seconds))

    async def leave(self, person: str) -> None:
        """End a guest's session; the seat is free as soon as no wager of theirs lies."""
        self.house.people.end_sessions(person)
        for table in tuple(self.house.tables.values()):
            if person in table.state.places:
                await self._sent_home(table, person)

    async def sweep(self, tables: list[Stream[Table]]) -> None:
        """Let go the guests of these tables whose session is over."""
        now_ms = self.house.time.now_ms()
        if 0 <= now_ms - self._swept_ms < SWEEP_MS:
            return
        self._swept_ms = now_ms
        people = self.house.register.state.people
        for table in tables:
            for person in tuple(table.state.places) if table.state.play_cents else ():
                guest = person in people and people[person].kind == "guest"
                if guest and not self._session(person):
                    await self._sent_home(table, person)

    async def _sent_home(self, table: Stream[Table], person: str) -> None:
        """While a wager lies it is refused, and tried again when the coup is over."""
        with suppress(Refused):
            await self.house.give(table.name, c.Leave(person), HOUSE, self.house.own_id("guest"))
