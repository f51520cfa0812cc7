"""Who plays with whom: pairs of players who bet against one another again and again, and chips that
are bought and cashed with hardly any play.

Nobody is accused by it. Of each pair it says how often they were on opposite sides of the same
coup, and how often two players of this house would be by chance; many pairs are compared, and what
each counts among so many (Holm). Addresses are asked for where they can be erased, and not shown.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, islice
from math import exp, lgamma, log

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.access.rights import OVERSEES, check_house_role
from puntobanco.house.figures import stored
from puntobanco.house.figures.projection import FiguresRead, cell_handles, cells
from puntobanco.house.figures.sides import BETWEEN, SEVERAL, sides_of
from puntobanco.house.figures.significance import corrected
from puntobanco.house.house import House
from puntobanco.house.till.book import CageBook
from puntobanco.journal.erasable_tables import Values
from puntobanco.journal.log import EventLog
from puntobanco.table.actor import Actor

LEAST_COUPS = 20
"""Of fewer coups together a pair says nothing."""
MOST_LINKS, MOST_PAIRS = 10, 200
CROWD = 10
"""An address from which more people sign in is the house's own, or a crowd's."""
HARDLY = 10
"""Less than a tenth of what was bought was staked."""
NEGLIGIBLE = 1e-17
"""What this share of a sum adds to it is nothing."""
FOUND = """SELECT number, people, coup FROM past_coups
    WHERE book = 'money' AND day = ? AND stream = ?"""
ADDRESSES = "SELECT DISTINCT address, person FROM sign_ins"
Place = tuple[str, str]
"""A gaming day and a table."""


class PlayersPair(Struct, frozen=True):
    """Two players, in the coups in which both were on Player or on Banker."""

    one: str
    other: str
    coups: int
    opposite: int
    """In how many of them they were on opposite sides."""
    expected: float
    """In how many two players of this house would be, by chance."""
    habits: float
    """In how many these two would be, each for themselves as often on Player as they are."""
    chance: float
    """How likely as many or more are by chance alone."""
    among: float
    """The same among all pairs that were compared: below 0.01 it is worth a look."""
    one_cents: int
    """What each won in those coups on opposite sides; below nothing: lost."""
    other_cents: int
    address_of: int
    """People who sign in from an address that both sign in from, where they are few; 0: none."""
    links: tuple[tuple[str, int], ...]
    """The first of the coups on opposite sides: table and number."""


class HardlyPlayed(Struct, frozen=True):
    """Chips bought and cashed, of which hardly any were staked."""

    person: str
    bought_cents: int
    cashed_cents: int
    staked_cents: int


class PairsReport(Struct, frozen=True):
    first: str
    last: str
    coups: int
    """Coups with two players or more on Player or Banker, bots among them."""
    player_share: float
    """How often players of this house are on Player, of Player and Banker."""
    compared: int
    """Pairs with enough coups together."""
    pairs: tuple[PlayersPair, ...]
    """The least likely first."""
    hardly: tuple[HardlyPlayed, ...]


class _Met:
    """What is counted of one pair."""

    __slots__ = ("coups", "opposite", "places", "won")

    def __init__(self) -> None:
        self.coups = self.opposite = 0
        self.won = [0, 0]
        self.places: list[Place] = []
        """The first gaming days and tables at which they were on opposite sides."""

    def take(self, place: Place, row: tuple[int, ...]) -> None:
        coups, opposite, one_cents, other_cents = row
        self.coups += coups
        self.opposite += opposite
        self.won[0] += one_cents
        self.won[1] += other_cents
        if opposite and len(self.places) < MOST_LINKS:
            self.places.append(place)


class _Counted:
    """The sides of a range of gaming days, added up over all tables; bots are left out."""

    def __init__(self, reading: FiguresRead, days: tuple[str, str], bots: set[str]) -> None:
        self.coups = 0
        self.sides: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self.met: dict[tuple[str, str], _Met] = defaultdict(_Met)
        found = [(day, table, sums) for table, day, _, sums in cells(reading, "sides", *days)]
        for day, table, sums in sorted(found, key=lambda one: one[:2]):
            for name, row in sums.tallies.items():
                one, between, other = name.partition(BETWEEN)
                if name == SEVERAL:
                    self.coups += row[0]
                elif not between and one not in bots:
                    own = self.sides[one]
                    own[0] += row[0]
                    own[1] += row[1]
                elif between and one not in bots and other not in bots:
                    self.met[one, other].take((day, table), row)

    @property
    def share(self) -> float:
        """How often all of them are on Player, of Player and Banker."""
        return _share([sum(own[side] for own in self.sides.values()) for side in (0, 1)])


class _Coups:
    """The coups of gaming days and tables, each read once, and only as far as somebody asks."""

    def __init__(self, reading: FiguresRead) -> None:
        self._reading = reading
        self._at: dict[Place, list[Values]] = {}
        self._sides: dict[tuple[Place, int], dict[str, bool]] = {}

    def opposite(self, pair: tuple[str, str], places: list[Place]) -> Iterator[tuple[str, int]]:
        """The coups in which two were on opposite sides: table and number."""
        one, other = pair
        for place in places:
            for number, people, packed in self._there(place):
                if f" {one} " in people and f" {other} " in people:
                    on = self._sides_in(place, number, packed)
                    if one in on and other in on and on[one] != on[other]:
                        yield place[1], number

    def _there(self, place: Place) -> list[Values]:
        if place not in self._at:
            day, table = place
            kept = self._reading.log.beside(FOUND, day, table)
            there = {int(row[0]): row for row in kept}
            there |= {
                number: (number, row[12], row[-1])
                for number, row in self._reading.unkept.coups.get(table, {}).items()
                if row[2] == day
            }
            self._at[place] = [there[number] for number in sorted(there)]
        return self._at[place]

    def _sides_in(self, place: Place, number: int, packed: bytes) -> dict[str, bool]:
        if (place, number) not in self._sides:
            self._sides[place, number] = sides_of(stored.unpacked(bytes(packed)))
        return self._sides[place, number]


def pairs_report(
    house: House, reading: FiguresRead, book: CageBook, by: Actor, days: tuple[str, str]
) -> PairsReport:
    """The report of a range of gaming days: for those who oversee the house."""
    check_house_role(by, OVERSEES, "together")
    bots = {who for who, one in house.register.state.people.items() if one.bot is not None}
    counted = _Counted(reading, days, bots)
    shared = _addresses(house.log)
    enough = {pair: one for pair, one in counted.met.items() if one.coups >= LEAST_COUPS}
    found = [_pair(pair, one, counted, shared) for pair, one in enough.items()]
    among = corrected([one.chance for one in found]) if found else []
    told = [replace(one, among=p) for one, p in zip(found, among, strict=True)]
    told.sort(key=lambda one: (one.chance, one.one, one.other))
    coups = _Coups(reading)
    shown = tuple(_linked(one, counted, coups) for one in told[:MOST_PAIRS])
    day_of = house.register.state.settings.day_of
    chips = book.chips_where(lambda at_ms: days[0] <= day_of(at_ms) <= days[1])
    hardly = tuple(_hardly(reading, chips, days, bots))
    return PairsReport(*days, counted.coups, counted.share, len(found), shown, hardly)


def _share(sides: list[int]) -> float:
    return (sides[0] + 1) / (sum(sides) + 2)


def _pair(
    pair: tuple[str, str], met: _Met, counted: _Counted, shared: dict[tuple[str, str], int]
) -> PlayersPair:
    one, other = (_share(counted.sides[who]) for who in pair)
    by_chance = 2 * counted.share * (1 - counted.share)
    habits = one * (1 - other) + other * (1 - one)
    return PlayersPair(
        *pair,
        met.coups,
        met.opposite,
        met.coups * by_chance,
        met.coups * habits,
        at_least(met.opposite, met.coups, by_chance),
        1.0,
        met.won[0],
        met.won[1],
        shared.get(pair, 0),
        (),
    )


def _linked(one: PlayersPair, counted: _Counted, coups: _Coups) -> PlayersPair:
    """With the first coups on opposite sides, which are looked for only in what is shown."""
    pair = one.one, one.other
    links = islice(coups.opposite(pair, counted.met[pair].places), MOST_LINKS)
    return replace(one, links=tuple(links))


def at_least(times: int, of: int, share: float) -> float:
    """How likely something of this share comes so often or oftener, of so many (binomial).

    >>> at_least(2, 2, 0.5), round(at_least(8, 10, 0.5), 7), at_least(0, 5, 0.3)
    (0.25, 0.0546875, 1.0)
    """
    if times > of * share:
        return _tail(times, of, share)
    return 1.0 - _tail(of - times + 1, of, 1 - share) if times > 0 else 1.0


def _tail(times: int, of: int, share: float) -> float:
    """The same where that is more often than is usual: each count is less likely than the one
    before, so that few of them matter.
    """
    ways = lgamma(of + 1) - lgamma(times + 1) - lgamma(of - times + 1)
    one = exp(ways + times * log(share) + (of - times) * log(1 - share))
    total, odds = 0.0, share / (1 - share)
    for count in range(times, of + 1):
        total += one
        one *= odds * (of - count) / (count + 1)
        if one <= total * NEGLIGIBLE:
            break
    return round(min(total, 1.0), 15)


def _addresses(journal: EventLog) -> dict[tuple[str, str], int]:
    """By pair, how many sign in from an address of both, the fewest of them."""
    people: dict[str, set[str]] = defaultdict(set)
    for address, person in journal.ordinary(ADDRESSES):
        people[address].add(person)
    found: dict[tuple[str, str], int] = {}
    for there in people.values():
        if 2 <= len(there) <= CROWD:
            for one, other in combinations(sorted(there), 2):
                found[one, other] = min(len(there), found.get((one, other), CROWD))
    return found


def _hardly(
    reading: FiguresRead,
    chips: dict[str, tuple[int, int]],
    days: tuple[str, str],
    bots: set[str],
) -> Iterator[HardlyPlayed]:
    """Who bought and cashed chips, and staked hardly any of them."""
    staked: Counter[str] = Counter()
    for _, day, person, cents in cell_handles(reading, "person", *days):
        if days[0] <= day <= days[1]:
            staked[person] += cents
    for person, (bought, cashed) in chips.items():
        both = min(bought, cashed)
        if person not in bots and both and staked[person] * HARDLY < both:
            yield HardlyPlayed(person, bought, cashed, staked[person])


COLUMNS = (
    *("one", "other", "coups", "opposite", "expected", "own_habits", "chance", "among_all"),
    *("one_won_cents", "other_won_cents", "people_at_address", "coups_opposite"),
)


def line_of(pair: PlayersPair) -> tuple[object, ...]:
    """A pair as a line of a table."""
    links = " ".join(f"{table}/{coup}" for table, coup in pair.links)
    told = (f"{pair.expected:.1f}", f"{pair.habits:.1f}", f"{pair.chance:.3g}", f"{pair.among:.3g}")
    won = (pair.one_cents, pair.other_cents, pair.address_of or "", links)
    return (pair.one, pair.other, pair.coups, pair.opposite, *told, *won)
