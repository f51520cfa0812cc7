"""Who plays with whom: pairs of players who bet against one another again and again, and chips that
are bought and cashed with hardly any play.

Nobody is accused by it. Of each pair it says how often they were on opposite sides of the same
coup, and how often two players of this house would be by chance; many pairs are compared, and what
each counts among so many (Holm). Addresses are asked for where they can be erased, and not shown.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from math import exp, lgamma, log

from msgspec import Struct

from puntobanco.house.access.rights import OVERSEES, check_house_role
from puntobanco.house.figures import stored
from puntobanco.house.figures.projection import FiguresRead, cell_handles
from puntobanco.house.figures.significance import corrected
from puntobanco.house.house import House
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.house.till.book import CageBook
from puntobanco.journal.log import EventLog
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.settle import Outcome
from puntobanco.table.actor import Actor

LEAST_COUPS = 20
"""Of fewer coups together a pair says nothing."""
MOST_LINKS, MOST_PAIRS = 10, 200
CROWD = 10
"""An address from which more people sign in is the house's own, or a crowd's."""
HARDLY = 10
"""Less than a tenth of what was bought was staked."""
FOUND = """SELECT stream, number, coup FROM past_coups WHERE book = 'money' AND day >= ?
    AND day <= ? AND length(people) - length(replace(people, ' ', '')) > 2"""
ADDRESSES = "SELECT DISTINCT address, person FROM sign_ins"


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
    """Coups with two players or more that were looked at."""
    player_share: float
    """How often players of this house are on Player, of Player and Banker."""
    compared: int
    """Pairs with enough coups together."""
    pairs: tuple[PlayersPair, ...]
    """The least likely first."""
    hardly: tuple[HardlyPlayed, ...]


class _Met:
    """What is counted of one pair."""

    __slots__ = ("coups", "links", "opposite", "won")

    def __init__(self) -> None:
        self.coups = self.opposite = 0
        self.won = [0, 0]
        self.links: list[tuple[str, int]] = []


def pairs_report(
    house: House, reading: FiguresRead, book: CageBook, by: Actor, days: tuple[str, str]
) -> PairsReport:
    """The report of a range of gaming days: for those who oversee the house."""
    check_house_role(by, OVERSEES, "together")
    bots = {who for who, one in house.register.state.people.items() if one.bot is not None}
    met: dict[tuple[str, str], _Met] = defaultdict(_Met)
    sides: dict[str, Counter[bool]] = defaultdict(Counter)
    looked_at = 0
    for coup in _coups(reading, *days):
        on = {who: side for who, side in sides_of(coup).items() if who not in bots}
        looked_at += len(on) > 1
        for who, side in on.items():
            sides[who][side] += 1
        for pair in combinations(sorted(on), 2):
            _count(met[pair], coup, pair, opposite=on[pair[0]] != on[pair[1]])
    share = _share(sum(sides.values(), Counter()))
    shared = _addresses(house.log)
    enough = {pair: one for pair, one in met.items() if one.coups >= LEAST_COUPS}
    found = [_pair(pair, one, share, sides, shared) for pair, one in enough.items()]
    among = corrected([one.chance for one in found]) if found else []
    told = [_with(one, p) for one, p in zip(found, among, strict=True)]
    told.sort(key=lambda one: (one.chance, one.one, one.other))
    day_of = house.register.state.settings.day_of
    chips = book.chips_where(lambda at_ms: days[0] <= day_of(at_ms) <= days[1])
    hardly = tuple(_hardly(reading, chips, days, bots))
    return PairsReport(*days, looked_at, share, len(found), tuple(told[:MOST_PAIRS]), hardly)


def sides_of(coup: PastCoup) -> dict[str, bool]:
    """Who was on Player (true) or on Banker, by the larger of their stakes on the two."""
    if coup.void:
        return {}
    stakes: Counter[str] = Counter()
    for line in coup.lines.values():
        if line.wager.on in (Bet.PLAYER, Bet.BANKER) and line.outcome is not Outcome.VOID:
            stakes[line.wager.by] += line.stake_cents * (1 if line.wager.on is Bet.PLAYER else -1)
    return {who: cents > 0 for who, cents in stakes.items() if cents}


def _coups(reading: FiguresRead, first: str, last: str) -> Iterator[PastCoup]:
    """The coups for money with several players."""
    newer = {(row[0], row[1]): row for own in reading.unkept.coups.values() for row in own.values()}
    for row in newer.values():
        if row[3] == "money" and first <= row[2] <= last:
            yield stored.unpacked(row[-1])
    for stream, number, packed in reading.log.beside(FOUND, first, last):
        if (stream, number) not in newer:
            yield stored.unpacked(bytes(packed))


def _count(met: _Met, coup: PastCoup, pair: tuple[str, str], *, opposite: bool) -> None:
    met.coups += 1
    if opposite:
        met.opposite += 1
        for index, who in enumerate(pair):
            met.won[index] += coup.won_by(who)
        if len(met.links) < MOST_LINKS:
            met.links.append((coup.table, coup.number))


def _share(sides: Counter[bool]) -> float:
    return (sides[True] + 1) / (sides.total() + 2)


def _pair(
    pair: tuple[str, str],
    met: _Met,
    share: float,
    sides: dict[str, Counter[bool]],
    shared: dict[tuple[str, str], int],
) -> PlayersPair:
    one, other = (_share(sides[who]) for who in pair)
    by_chance = 2 * share * (1 - share)
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
        tuple(met.links),
    )


def _with(pair: PlayersPair, among: float) -> PlayersPair:
    values = {name: getattr(pair, name) for name in PlayersPair.__struct_fields__}
    return PlayersPair(**{**values, "among": among})


def at_least(times: int, of: int, share: float) -> float:
    """How likely something of this share comes so often or oftener, of so many (binomial).

    >>> at_least(2, 2, 0.5), round(at_least(8, 10, 0.5), 7), at_least(0, 5, 0.3)
    (0.25, 0.0546875, 1.0)
    """
    if times <= 0:
        return 1.0
    total = 0.0
    for count in range(times, of + 1):
        ways = lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1)
        total += exp(ways + count * log(share) + (of - count) * log(1 - share))
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
