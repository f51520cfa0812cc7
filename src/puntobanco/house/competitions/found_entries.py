"""Entries as the desk looks through them: how full it is, who lacks what, who was meant."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from puntobanco.competition.state import Competition, Entrant, EntryStatus
from puntobanco.house.access.people import Person

S = EntryStatus
MOST_SHOWN = 100
"""Entries on one page."""
LACKS: dict[EntryStatus, str] = {
    S.APPLIED: "to-accept",
    S.ACCEPTED: "not-endorsed",
    S.ENDORSED: "unpaid",
    S.RESERVE: "reserve",
    S.WITHDRAWN: "withdrawn",
    S.REFUSED: "gone",
    S.FORFEITED: "gone",
    S.DISQUALIFIED: "gone",
}
SHOWS = ("all", "ready", "to-accept", "not-endorsed", "unpaid", "reserve", "withdrawn", "gone")
"""What the list can be cut down to, in the order of an entry's life."""


class FoundEntry(Struct, frozen=True):
    """One entry of the list."""

    number: int
    """In the order in which they came."""
    person: str
    name: str
    alias: str
    lacks: str
    """What it lacks, or what became of it; `ready`: nothing."""
    entry: Entrant


class EntriesFound(Struct, frozen=True):
    """The list as it was asked for, and how full the competition is."""

    rows: tuple[FoundEntry, ...]
    found: int
    """How many there are, of which only a page is shown."""
    counts: dict[str, int]
    taken: int
    """Places that are taken, whether paid or not."""
    ready: int
    least: int
    most: int
    waiting: int


def lacks_of(entrant: Entrant, version: int) -> str:
    """What an entry lacks before its player can be seated; a new version is endorsed anew
    [tas-2018:16.2.6].
    """
    stale = entrant.status is S.PAID and entrant.version != version
    return "not-endorsed" if stale else LACKS.get(entrant.status, "ready")


def find_entries(
    competition: Competition,
    people: Mapping[str, Person],
    aliases: Mapping[str, str],
    asked: tuple[str, str],
    start: int = 0,
) -> EntriesFound:
    """The entries of one kind that have the word in id, name or alias, from a row on."""
    show, word = asked
    listed = [
        FoundEntry(
            number,
            person,
            people[person].name if person in people else "",
            aliases.get(person, ""),
            lacks_of(entrant, competition.version),
            entrant,
        )
        for number, (person, entrant) in enumerate(competition.entries.items(), 1)
    ]
    counts = Counter(one.lacks for one in listed)
    wanted = word.casefold().split()
    found = [
        one for one in listed if (show not in SHOWS[1:] or one.lacks == show) and _has(one, wanted)
    ]
    inside = {"ready", "not-endorsed", "unpaid"}
    entry = competition.conditions.entry if competition.version else None
    return EntriesFound(
        tuple(found[start : start + MOST_SHOWN]),
        len(found),
        {"all": len(listed), **{kind: counts[kind] for kind in SHOWS[1:]}},
        sum(counts[kind] for kind in inside),
        counts["ready"],
        entry.min if entry else 0,
        entry.max if entry else 0,
        len(competition.reserves),
    )


def _has(one: FoundEntry, words: list[str]) -> bool:
    text = f"{one.person} {one.name} {one.alias}".casefold()
    return all(word in text for word in words)
