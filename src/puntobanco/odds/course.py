"""The course of every wager's edge through a recorded shoe: an operator's exposure report.

Before each coup the odds are those of the cards nobody has seen: cards burned or left over unseen
are still among them, as likely as any others.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError, Refused
from puntobanco.odds.composition import Composition, full, without
from puntobanco.odds.counting import counting
from puntobanco.odds.distribution import Distribution, End, distribution
from puntobanco.odds.plot import Panel, svg
from puntobanco.odds.wagers import LOST, PricedWager, Worth, paid, worth
from puntobanco.rules.coup import Drawn
from puntobanco.rules.drawing import Tableau
from puntobanco.rules.irregularities import NextCoup
from puntobanco.rules.paper.notation import ShoeText, cards_of
from puntobanco.rules.paper.playthrough import PlayedCoup, play_shoe

REPRESENTATIVES = (End(1, 0, 2, 2), End(0, 1, 2, 2), End(0, 0, 2, 2), End(0, 6, 2, 2))
"""An end for each count of the kernel: Player, Banker not on 6, Tie, Banker on 6."""


class Point(Brief, frozen=True):
    """The odds before one coup."""

    coup: int
    composition: Composition
    worths: tuple[Worth, ...]


class Course(list[Point]):
    """The odds before each coup of one shoe, in turn."""

    def __repr__(self) -> str:
        names = dict.fromkeys(value.name for point in self for value in point.worths)
        return f"Course({len(self)} coups: {', '.join(names)})"

    def _repr_svg_(self) -> str | None:
        """The house edge of every wager, coup by coup, in a notebook."""
        if not self:
            return None
        coups = [point.coup for point in self]
        panels = [Panel("house edge, %", coups, some) for some in edges(self)]
        return svg("House edge through the shoe", "coup", panels)


class Exposure(Brief, frozen=True):
    """When, if ever, a wager turned against the house."""

    name: str
    first: int | None
    """The first coup at which it did."""
    coups: int
    best_coup: int
    best_ev: Fraction


def is_simple(wager: PricedWager) -> bool:
    """Do Player, Banker, Tie and Banker-on-6 settle it? Then the fast kernel will do."""
    return not wager.is_on_pairs and all(
        line == type(line)(line.odds, line.result, line.points)
        and line.result is not None
        and (line.points is None or (line.result, line.points) == ("banker", 6))
        for line in wager.pays
    )


def simple_ends(counted: tuple[int, int, int, int], naturals: frozenset[int]) -> Distribution:
    """What the kernel counts, as a distribution that settles simple wagers."""
    player, banker, tie, on_6 = counted
    counts = (player, banker - on_6, tie, on_6)
    return Distribution(
        player + banker + tie, dict(zip(REPRESENTATIVES, counts, strict=True)), naturals
    )


def gains(wager: PricedWager) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """What one unit on a simple wager gains at each of those ends."""
    ends = simple_ends((1, 2, 1, 1), frozenset())
    player, banker, tie, on_6 = (
        LOST if (won := paid(wager, end, ends)) is None else won for end in ends.ends
    )
    return player, banker, tie, on_6


def play_through(text: ShoeText) -> list[PlayedCoup]:
    """Play a shoe that was written down, for what it says must be possible."""
    played: list[PlayedCoup] = []
    try:
        played.extend(play_shoe(text))
    except Refused as refused:
        raise MalformedError(f"coup {len(played) + 1}: {refused}") from refused
    return played


def burn_seen(text: ShoeText) -> list[str]:
    return [str(card) for card in cards_of(text.burned)]


def seen(text: ShoeText, played: list[PlayedCoup]) -> list[list[str]]:
    """The cards that were first seen in each coup.

    One drawn unseen is seen in the coup it is carried into; one that nobody turned, never.
    """
    found: list[list[str]] = []
    waiting = tuple[Drawn, ...]()
    for coup, done in zip(text.coups, played, strict=True):
        carried = zip(waiting, coup.carried, strict=True)
        turned = [str(now.card) for was, now in carried if not was.is_seen]
        found.append(
            [*turned, *(str(card_drawn.card) for card_drawn in coup.drawn if card_drawn.is_seen)]
        )
        waiting = tuple(chain(*(ruling.carried for ruling in done.rulings)))
    return found


def course_of(text: ShoeText, wagers: tuple[PricedWager, ...], tableau: Tableau) -> Course:
    """The course through a shoe that was written down.

    >>> import puntobanco as pb
    >>> shoe = pb.deal_shoe(pb.full_set(8), pb.sample_notice("mbs-2017"))
    >>> pb.course_of(shoe, pb.price("mbs-2017").wagers, pb.load_ruleset("mbs-2017").tableau)
    Course(80 coups: player, banker, tie, pair)
    """
    played = play_through(text)
    left = without(full(text.notice.decks), burn_seen(text))
    betting = [coup.kind is NextCoup.ORDINARY for coup in played]
    coups = zip(seen(text, played), betting, strict=True)
    return Course(course(coups, left, wagers, tableau))


def course(
    coups: Iterable[tuple[Iterable[str], bool]],
    left: Composition,
    wagers: tuple[PricedWager, ...],
    tableau: Tableau,
) -> Iterator[Point]:
    """The worth of each wager before each coup that could be bet on.

    `left` is what nobody has seen before the first coup; `coups` has, for each, the cards seen
    in it and whether anyone could bet on it.
    """
    count = counting()
    simple = all(is_simple(wager) or wager.is_on_pairs for wager in wagers)
    for number, (cards, betting) in enumerate(coups, 1):
        if left.cards < 6:
            return
        if betting:
            if simple:
                ends = simple_ends(count(left.by_value, tableau), tableau.naturals)
            else:
                ends = distribution(left, tableau)
            worths = tuple(one for wager in wagers if (one := worth(wager, left, ends)))
            yield Point(number, left, worths)
        left = without(left, cards)


def exposures(points: Iterable[Point]) -> tuple[Exposure, ...]:
    """For each wager: the first coup it favoured the player, how many did, and the best."""
    by_name: dict[str, list[tuple[int, Fraction]]] = {}
    for point in points:
        for value in point.worths:
            by_name.setdefault(value.name, []).append((point.coup, value.ev))
    found = []
    for name, course_of in by_name.items():
        against = [coup for coup, ev in course_of if ev > 0]
        best_coup, best_ev = max(course_of, key=lambda pair: pair[1])
        first = against[0] if against else None
        found.append(Exposure(name, first, len(against), best_coup, best_ev))
    return tuple(found)


def edges(points: Iterable[Point]) -> tuple[dict[str, list[float]], ...]:
    """The house edge of each wager in per cent, coup by coup, in groups to be drawn apart.

    Player and Banker are by themselves: beside Tie and pairs nobody would see them move.
    """
    main, side = dict[str, list[float]](), dict[str, list[float]]()
    for point in points:
        for value in point.worths:
            group = main if value.name.startswith(("player", "banker")) else side
            group.setdefault(value.name, []).append(float(value.house_edge) * 100)
    return tuple(group for group in (main, side) if group)
