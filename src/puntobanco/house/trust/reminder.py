"""Players are told how long they have played, each after the time they chose, until they say that
they know.

It is kept in the memory of a process alone: after a restart somebody is told once more.
"""

from puntobanco.house.house import House
from puntobanco.house.trust.limits import MINUTE_MS, USUAL_REMINDER
from puntobanco.journal.envelope import PlayedBefore

LOOK_MS = MINUTE_MS
"""Nobody's time is counted again within a minute."""


class Reminders:
    """Who is to be told, and who knows."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._counted: dict[str, tuple[PlayedBefore, int]] = {}
        self._known: dict[str, tuple[str, int]] = {}
        """Of which gaming day, and how many minutes."""

    def every(self, person: str) -> int:
        """After how many minutes of play somebody is told."""
        member = self._house.register.state.people.get(person)
        return (member.limits.remind_minutes if member else 0) or USUAL_REMINDER

    def due(self, person: str) -> PlayedBefore | None:
        """What a patron is to be told; none: they know, or have not played so long."""
        member = self._house.register.state.people.get(person)
        if member is None or member.kind != "patron":
            return None
        played = self._played(person)
        day, known = self._known.get(person, ("", 0))
        since = played.minutes - (known if day == played.day else 0)
        return played if since >= self.every(person) else None

    def know(self, person: str) -> None:
        """They know; the next time is an interval of play from now."""
        played = self._house.played_before(person, "")
        self._known[person] = (played.day, played.minutes)

    def _played(self, person: str) -> PlayedBefore:
        now_ms = self._house.time.now_ms()
        counted = self._counted.get(person)
        if counted is None or now_ms - counted[1] > LOOK_MS:
            counted = (self._house.played_before(person, ""), now_ms)
            self._counted[person] = counted
        return counted[0]
