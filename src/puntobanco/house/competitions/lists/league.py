"""A league: several events added up by the points that each one's conditions published."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from puntobanco.competition.queries import entry_numbers
from puntobanco.competition.state import Competition
from puntobanco.house.house import House
from puntobanco.rules.competition.places import PlaceRow
from puntobanco.words.pages import PAGES


class LeagueEvent(Struct, frozen=True):
    """One event of a league."""

    competition: str
    name: str
    start: str
    points: tuple[int, ...]
    """What its places count, as its conditions say."""
    counts: bool
    """Whether its places are confirmed, so that it is in the table."""


class LeagueRow(Struct, frozen=True):
    """One entrant over all events, by alias; without one, by an entry's number."""

    place: int
    called: str
    points: str
    by_event: dict[str, str]


class LeagueTable(Struct, frozen=True):
    name: str
    events: tuple[LeagueEvent, ...]
    rows: tuple[LeagueRow, ...]


def league_tables(house: House) -> list[LeagueTable]:
    """Every league of the house, worked out anew from places that are confirmed."""
    found: dict[str, list[Competition]] = defaultdict(list)
    for stream in house.competitions.values():
        state = stream.state
        if state.version and not state.cancelled and state.conditions.league.name:
            found[state.conditions.league.name].append(state)
    aliases = house.people.aliases()
    return [_table(name, cups, aliases) for name, cups in sorted(found.items())]


def _table(name: str, cups: list[Competition], aliases: Mapping[str, str]) -> LeagueTable:
    cups = sorted(cups, key=lambda cup: cup.conditions.start)
    won: dict[str, dict[str, Fraction]] = defaultdict(dict)
    called: dict[str, str] = {}
    for cup in cups:
        numbers = entry_numbers(cup)
        for who, points in event_points(cup.conditions.league.points, cup.places).items():
            won[who][cup.id] = points
            facts = {"number": numbers.get(who, 0), "cup": cup.conditions.name}
            called[who] = aliases.get(who) or PAGES["league.entry"].format(**facts)
    sums = {who: sum(each.values(), Fraction()) for who, each in won.items()}
    best = sorted(sums.values(), reverse=True)
    rows = tuple(
        LeagueRow(
            best.index(sums[who]) + 1,
            called[who],
            points_told(sums[who]),
            {cup: points_told(points) for cup, points in won[who].items()},
        )
        for who in sorted(sums, key=lambda who: (-sums[who], called[who].casefold()))
    )
    events = tuple(
        LeagueEvent(
            cup.id,
            cup.conditions.name,
            cup.conditions.start,
            cup.conditions.league.points,
            bool(cup.places),
        )
        for cup in cups
    )
    return LeagueTable(name, events, rows)


def event_points(points: tuple[int, ...], places: tuple[PlaceRow, ...]) -> dict[str, Fraction]:
    """What each place of an event counts; shared places share their points equally, as prizes
    are shared [tas-2018:16.8.4].
    """
    won = {}
    for row in places:
        shared = sum(points[row.from_ - 1 : row.to])
        for who in row.people:
            won[who] = Fraction(shared, len(row.people))
    return {who: each for who, each in won.items() if each}


def points_told(points: Fraction) -> str:
    """Points as people read them.

    >>> points_told(Fraction(10)), points_told(Fraction(15, 2)), points_told(Fraction(10, 3))
    ('10', '7.5', '3.33')
    """
    return str(points) if points.denominator == 1 else f"{float(points):.2f}".rstrip("0")
