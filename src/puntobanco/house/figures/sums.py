"""What was played, added up: counts, money and stakes as whole numbers, breakage as a fraction.

Sums can be taken away from sums, so that a coup that is put right is put right here too. Stakes
are kept with their squares: from these and the exact odds follow what was to be expected, and its
spread.
"""

from collections.abc import Iterable
from fractions import Fraction
from operator import add as _plus

from msgspec import Struct
from msgspec.structs import replace

Stakes = dict[str, int]
"""By wager, what was at risk on it, in cents; by two wagers, `banker player`, the sum over all
coups of the coup's stake on one times its stake on the other."""


Tallies = dict[str, tuple[int, ...]]
"""By what is counted, a row of counts or of sums."""


class Sums(Struct, frozen=True, array_like=True):
    """A cell of the figures. Money is in cents."""

    coups: int = 0
    player_wins: int = 0
    banker_wins: int = 0
    ties: int = 0
    voids: int = 0
    corrections: int = 0
    handle_cents: int = 0
    """What was at risk."""
    paid_cents: int = 0
    hold_cents: int = 0
    """What the bank kept; below zero, what it lost."""
    breakage: tuple[int, int] = (0, 1)
    """What rounding cost the bank, in cents, exactly."""
    stakes: dict[str, Stakes] = {}
    """By what decided the odds (`PastCoup.odds`)."""
    tallies: Tallies = {}
    """Of the cards themselves, where they are counted (`tallied`)."""


NOTHING = Sums()


def add(many: Iterable[Sums]) -> Sums:
    """All of them together."""
    coups = player = banker = ties = voids = corrections = handle = paid = hold = 0
    broken: dict[int, int] = {}
    stakes: dict[str, Stakes] = {}
    rows: dict[str, list[tuple[int, ...]]] = {}
    for one in many:
        coups += one.coups
        player += one.player_wins
        banker += one.banker_wins
        ties += one.ties
        voids += one.voids
        corrections += one.corrections
        handle += one.handle_cents
        paid += one.paid_cents
        hold += one.hold_cents
        top, bottom = one.breakage
        broken[bottom] = broken.get(bottom, 0) + top
        for odds, own in one.stakes.items():
            into = stakes.setdefault(odds, {})
            for name, amount in own.items():
                into[name] = into.get(name, 0) + amount
        for name, row in one.tallies.items():
            rows.setdefault(name, []).append(row)
    ratio = sum(
        (Fraction(top, bottom) for bottom, top in broken.items() if top), Fraction(0)
    ).as_integer_ratio()
    counts = (coups, player, banker, ties, voids, corrections)
    tallies = {name: tuple(map(sum, zip(*own, strict=True))) for name, own in rows.items()}
    return Sums(*counts, handle, paid, hold, ratio, stakes, tallies)


def added(one: Tallies, other: Tallies) -> Tallies:
    """Both together, row by row; rows of one length."""
    if not one or not other:
        return one or other
    more = {
        name: tuple(map(_plus, one.get(name) or (0,) * len(row), row))
        for name, row in other.items()
    }
    return {**one, **more}


def plus(one: Sums, other: Sums) -> Sums:
    """Two of them together: the same as `add`, three times as fast, for it is done at each coup."""
    breakage = one.breakage
    if other.breakage[0]:
        breakage = (Fraction(*breakage) + Fraction(*other.breakage)).as_integer_ratio()
    stakes = one.stakes
    for odds, own in other.stakes.items():
        into = dict(stakes.get(odds, ()))
        for name, amount in own.items():
            into[name] = into.get(name, 0) + amount
        stakes = {**stakes, odds: into}
    return Sums(
        one.coups + other.coups,
        one.player_wins + other.player_wins,
        one.banker_wins + other.banker_wins,
        one.ties + other.ties,
        one.voids + other.voids,
        one.corrections + other.corrections,
        one.handle_cents + other.handle_cents,
        one.paid_cents + other.paid_cents,
        one.hold_cents + other.hold_cents,
        breakage,
        stakes,
        added(one.tallies, other.tallies),
    )


def less(one: Sums, other: Sums) -> Sums:
    """The first without the second."""
    taken = Sums(
        -other.coups,
        -other.player_wins,
        -other.banker_wins,
        -other.ties,
        -other.voids,
        -other.corrections,
        -other.handle_cents,
        -other.paid_cents,
        -other.hold_cents,
        (-other.breakage[0], other.breakage[1]),
        {
            odds: {name: -amount for name, amount in own.items()}
            for odds, own in other.stakes.items()
        },
        {name: tuple(-count for count in row) for name, row in other.tallies.items()},
    )
    left = plus(one, taken)
    kept = {name: row for name, row in left.tallies.items() if any(row)}
    return replace(left, stakes=_without_nothing(left.stakes), tallies=kept)


def _without_nothing(stakes: dict[str, Stakes]) -> dict[str, Stakes]:
    kept = {
        odds: {name: amount for name, amount in own.items() if amount}
        for odds, own in stakes.items()
    }
    return {odds: own for odds, own in kept.items() if own}
