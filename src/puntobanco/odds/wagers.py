"""What a wager is worth: expected value, house edge and variance, as exact fractions.

A wager is a list of lines, of which the first that fits the end of a coup decides; where none
fits, it loses. Every wager of every rule set is one, and so is a wager that an operator writes down
in a pay-table file to price a variant.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm, perm
from typing import Literal, NoReturn

import msgspec

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.odds.composition import RANKS, SUITS, Composition
from puntobanco.odds.distribution import Distribution, End
from puntobanco.rules.cards import Pair
from puntobanco.rules.documents.ruleset import Ruleset

PairKind = Literal["mixed", "coloured", "perfect"]
PAIR_KINDS: tuple[PairKind, ...] = ("mixed", "coloured", "perfect")
LOST = Fraction(-1)
MOST_ODDS = 10**6


class PayLine(Brief, frozen=True, forbid_unknown_fields=True):
    """When a wager is paid, and how. A condition that is left out always holds."""

    odds: tuple[int, int]
    """(8, 1) pays eight for one; (0, 1) gives the stake back."""
    result: Literal["player", "banker", "tie"] | None = None
    points: int | None = None
    """The point of the winning hand, or of both."""
    cards: int | None = None
    """How many cards the winning hand has; for a tie, both together."""
    total_cards: int | None = None
    natural: bool | None = None
    margin: int | None = None
    """By how many points the winning hand is ahead."""
    pair: Literal["any", "mixed", "coloured", "perfect"] | None = None
    """The first two cards of the hand bet on; such lines stand alone."""


class PricedWager(Brief, frozen=True, forbid_unknown_fields=True):
    name: str
    pays: tuple[PayLine, ...]

    @property
    def is_on_pairs(self) -> bool:
        return any(line.pair for line in self.pays)


class PayTable(Brief, frozen=True, forbid_unknown_fields=True):
    wager: tuple[PricedWager, ...]


class Worth(Brief, frozen=True):
    """What one unit on a wager is worth to the player."""

    name: str
    ev: Fraction
    wins: Fraction
    """How likely it is to be paid."""
    pushes: Fraction
    variance: Fraction

    @property
    def house_edge(self) -> Fraction:
        return -self.ev

    @property
    def ev_resolved(self) -> Fraction:
        """Per wager that wins or loses, leaving out those given back."""
        return self.ev / (1 - self.pushes) if self.pushes != 1 else Fraction(0)


def wagers_of(rules: Ruleset) -> tuple[PricedWager, ...]:
    """Every wager a rule set offers, by every method that settles it.

    Where all methods pay a wager alike it is listed once, under its own name.
    """
    settlement = rules.settlement
    by_bet: dict[str, dict[tuple[PayLine, ...], list[str]]] = {}
    for method in settlement.methods:
        for bet in ("player", "banker", "tie"):
            pays = [pay for pay in method.pays if pay.on == bet]
            pays.sort(key=lambda one: one.with_points is None)  # the special before the general
            lines = [PayLine(pay.odds, bet, pay.with_points) for pay in pays]
            if bet != "tie":
                lines.append(PayLine((0, 1), "tie"))
            by_bet.setdefault(bet, {}).setdefault(tuple(lines), []).append(method.name)
    main = [
        PricedWager(bet if len(ways) == 1 else f"{bet}-{'-'.join(methods)}", lines)
        for bet, ways in by_bet.items()
        for lines, methods in ways.items()
    ]
    pairs = [
        PricedWager(
            option.name, tuple(PayLine(pay.odds, pair=_kind(pay.pair)) for pay in option.pays)
        )
        for option in settlement.pairs
    ]
    return (*main, *pairs)


def _kind(pair: Pair | None) -> Literal["any", "mixed", "coloured", "perfect"]:
    return "any" if pair is None else pair.value


def read_paytable(text: str) -> tuple[PricedWager, ...]:
    r"""Read an operator's own wagers from TOML.

    >>> import puntobanco as pb
    >>> pb.read_paytable('[[wager]]\nname = "x"\npays = [{ odds = [40, 1], results = "tie" }]')
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a pay table: Object contains unknown field `results` ...
    """
    try:
        table = msgspec.toml.decode(text.encode(), type=PayTable)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"not a pay table: {error}") from error
    names = [wager.name for wager in table.wager]
    if len(set(names)) < len(names) or not names:
        raise MalformedError("not a pay table: it needs wagers, each with a name of its own")
    for wager in table.wager:
        _check(wager)
    return table.wager


def _check(wager: PricedWager) -> None:
    """Refuse what cannot be meant: odd names and odds, conditions nothing meets."""

    def refuse(why: str) -> NoReturn:
        raise MalformedError(f"not a pay table: {wager.name[:40]!r} {why}")

    if not wager.name.strip() or len(wager.name) > 60 or not wager.name.isprintable():
        refuse("is no name of 1 to 60 printable signs")
    if len({bool(line.pair) for line in wager.pays}) != 1:
        refuse("needs lines, all on pairs or none of them")
    if any(line.pair and line != PayLine(line.odds, pair=line.pair) for line in wager.pays):
        refuse("has a pair with another condition, which a pair cannot have")
    for line in wager.pays:
        pays, staked = line.odds
        if not (0 <= pays <= MOST_ODDS and 1 <= staked <= MOST_ODDS):
            refuse(f"has odds of {str(pays)[:20]} to {str(staked)[:20]}")
    for number in range(1, len(wager.pays) + 1):
        if not _is_reached(wager, number):
            refuse(f"has a line no coup reaches, its number {number}")


def _is_reached(wager: PricedWager, number: int) -> bool:
    """Is there an end that this line is the first to fit?"""
    line, before = wager.pays[number - 1], wager.pays[: number - 1]
    if line.pair:
        taken = {wager_before.pair for wager_before in before}
        return "any" not in taken and line.pair not in taken
    ends = [
        End(*hands, *cards)
        for hands in product(range(10), repeat=2)
        for cards in product((2, 3), repeat=2)
    ]
    return any(
        _fits(line, end, natural=natural)
        and not any(_fits(wager_before, end, natural=natural) for wager_before in before)
        for end in ends
        for natural in ({True, False} if end.cards == 4 else {False})
    )


def worth(wager: PricedWager, composition: Composition, ends: Distribution) -> Worth | None:
    """What a wager is worth from a composition; None when that cannot be known from it.

    Pairs need ranks, and most need suits: a composition by value alone does not tell.
    """
    if not wager.is_on_pairs:
        weighed = ((count, paid(wager, end, ends)) for end, count in ends.ends.items())
        return _worth(wager.name, weighed, ends.total)
    found = pairs(composition)
    if found is None:
        return None
    total, counts = found
    weighed = ((count, pair_paid(wager, kind)) for kind, count in counts.items())
    return _worth(wager.name, (*weighed, (total - sum(counts.values()), None)), total)


def _worth(name: str, weighed: Iterable[tuple[int, Fraction | None]], total: int) -> Worth:
    """The worth of a wager from its cases, each with its share of `total` and pay (None: it loses).

    Whole numbers until the last step: fractions would reduce at every addition.
    """
    gains = [(LOST if pays is None else pays, count) for count, pays in weighed]
    unit = lcm(*(gain.denominator for gain, _ in gains))
    whole = [(gain.numerator * unit // gain.denominator, count) for gain, count in gains]
    mean = Fraction(sum(gain * count for gain, count in whole), unit * total)
    square = Fraction(sum(gain * gain * count for gain, count in whole), unit * unit * total)
    wins = Fraction(sum(count for gain, count in whole if gain > 0), total)
    pushes = Fraction(sum(count for gain, count in whole if gain == 0), total)
    return Worth(name, mean, wins, pushes, square - mean * mean)


def paid(wager: PricedWager, end: End, ends: Distribution) -> Fraction | None:
    """What one unit is paid at the end of a coup; None when it is lost."""
    return _paid(wager, end, ends.is_natural(end))


@cache
def _paid(wager: PricedWager, end: End, natural: bool) -> Fraction | None:
    for line in wager.pays:
        if _fits(line, end, natural=natural):
            return Fraction(*line.odds)
    return None


def _fits(line: PayLine, end: End, *, natural: bool) -> bool:
    cards = {"player": end.player_cards, "banker": end.banker_cards, "tie": end.cards}
    is_so = {
        "result": end.result,
        "points": max(end.player, end.banker),
        "cards": cards[end.result],
        "total_cards": end.cards,
        "natural": natural,
        "margin": abs(end.player - end.banker),
    }
    return all(getattr(line, what) in (None, so) for what, so in is_so.items())


def pair_paid(wager: PricedWager, kind: PairKind) -> Fraction | None:
    for line in wager.pays:
        if line.pair in ("any", kind):
            return Fraction(*line.odds)
    return None


def pairs(composition: Composition) -> tuple[int, dict[PairKind, int]] | None:
    """Of all ordered two cards, how many pair, by kind; the same for either hand.

    Cards one and three are as likely to be any two cards as are two and four.
    """
    counts = composition.by_card
    if counts is None or composition.cards < 2:
        return None
    found: dict[PairKind, int] = dict.fromkeys(PAIR_KINDS, 0)
    for at in range(0, len(RANKS) * len(SUITS), len(SUITS)):
        clubs, diamonds, hearts, spades = counts[at : at + len(SUITS)]
        found["perfect"] += sum(n * (n - 1) for n in (clubs, diamonds, hearts, spades))
        found["coloured"] += 2 * (clubs * spades + diamonds * hearts)
        found["mixed"] += 2 * (clubs + spades) * (diamonds + hearts)
    return perm(composition.cards, 2), found
