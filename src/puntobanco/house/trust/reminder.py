"""Players are told how long they have played, each after the time they chose, until they say that
they know, which is on record: a restart loses nothing of it, and another process knows it too.
"""

from puntobanco.house.house import House
from puntobanco.house.notes import ReminderKnown
from puntobanco.house.trust.limits import DAY_MS, MINUTE_MS
from puntobanco.journal.envelope import PlayedBefore
from puntobanco.journal.log import last_before
from puntobanco.journal.rows import facts_in
from puntobanco.journal.verify import HOUSE

LOOK_MS = MINUTE_MS
"""Nobody's time is counted again within a minute."""
KNOWN = b'"is":"reminder-known"'


class Reminders:
    """Who is to be told, and who knows."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._counted: dict[str, tuple[PlayedBefore, int]] = {}
        self._known: dict[str, tuple[str, int]] = {}
        """Of which gaming day, and how many minutes, by the record."""
        self._read = -1
        """The row of the house up to which it was read."""

    def every(self, person: str) -> int:
        """After how many minutes of play somebody is told."""
        book = self._house.register.state
        member = book.people.get(person)
        return (member.limits.remind_minutes if member else 0) or book.settings.remind_minutes

    def due(self, person: str) -> PlayedBefore | None:
        """What a patron is to be told; none: they know, or have not played so long."""
        member = self._house.register.state.people.get(person)
        if member is None or member.kind != "patron":
            return None
        played = self._played(person)
        if not self._is_due(person, played):
            return None
        self._read_on()  # they may have said so to another process
        return played if self._is_due(person, played) else None

    async def know(self, person: str) -> None:
        """They know; the next time is an interval of play from now. Who was not told knows nothing
        new.
        """
        played = self._house.played_before(person, "")
        self._read_on()
        if self._is_due(person, played):
            await self._house.note(ReminderKnown(person, played.day, played.minutes))
            self._read_on()

    def _is_due(self, person: str, played: PlayedBefore) -> bool:
        day, known = self._known.get(person, ("", 0))
        since = played.minutes - (known if day == played.day else 0)
        return since >= self.every(person)

    def _read_on(self) -> None:
        log, end = self._house.log, self._house.log.head(HOUSE).seq
        if self._read < 0:  # of other gaming days than this nothing is asked
            self._read = last_before(log, HOUSE, self._house.time.now_ms() - 2 * DAY_MS)
        if end > self._read:
            for row in log.find(HOUSE, self._read, KNOWN):
                for fact in facts_in(row):
                    self._known[fact["person"]] = fact["day"], fact["minutes"]
            self._read = end

    def _played(self, person: str) -> PlayedBefore:
        now_ms = self._house.time.now_ms()
        counted = self._counted.get(person)
        if counted is None or now_ms - counted[1] > LOOK_MS:
            counted = (self._house.played_before(person, ""), now_ms)
            self._counted[person] = counted
        return counted[0]
