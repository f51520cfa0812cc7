"""What is counted of cards, coup by coup and shoe by shoe, to see whether chance alone is in them.

Everything is a row of whole numbers that can be added up and taken away; what follows from it is
worked out when somebody asks (`fairness`). Ranks count from -6 for an ace to 6 for a king, so that
over a full set they come to nothing.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from puntobanco.house.figures.sums import Tallies
from puntobanco.house.lookback.past_coup import PastCoup, ranks_of
from puntobanco.odds.composition import CARDS, RANKS
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Result

FIRST = 4
"""Cards of a coup that are always dealt; whether more are hangs on these."""
PLACE_OF = {card: place for place, card in enumerate(CARDS)}
RANK_OF = {rank: place for place, rank in enumerate(RANKS)}
MIDDLE = len(RANKS) // 2
RED = frozenset("dh")
RESULTS = (Result.PLAYER, Result.BANKER, Result.TIE)


def tallied(coup: PastCoup) -> Tallies:
    """What a coup adds: nothing if it came to no result, or not all of its cards are known."""
    cards = [str(drawn.card) for drawn in coup.drawn[:FIRST] if drawn.card is not None]
    if coup.result is None or coup.void or coup.undealt or len(cards) < FIRST:
        return {}
    one, two, three, four = cards
    ranks = [RANK_OF[card[0]] - MIDDLE for card in cards]
    found: Tallies = {
        "results": tuple(int(coup.result is result) for result in RESULTS),
        "pairs": (int(one[0] == three[0]), int(two[0] == four[0])),
        "before": (coup.nth,),
        "next": (sum(a * b for a, b in pairwise(ranks)),),
    }
    if coup.after is not None and coup.result is not Result.TIE:
        found["turns"] = (1, int(coup.result is not coup.after))
    found |= {f"card {at}": _at(PLACE_OF[card]) for at, card in enumerate(cards, 1)}
    return {name: row for name, row in found.items() if any(row)}


@cache
def _at(place: int, of: int = len(CARDS)) -> tuple[int, ...]:
    return tuple(int(at == place) for at in range(of))


def tallied_order(order: Sequence[Card], before: str) -> Tallies:
    """What an opened order adds; `before` is that of the shoe before, by its ranks."""
    ranks = [RANK_OF[letter] for letter in ranks_of(order)]
    worth = [rank - MIDDLE for rank in ranks]
    reds = [str(card)[1] in RED for card in order]
    found: Tallies = {f"place {at}": _at(rank, len(RANKS)) for at, rank in enumerate(ranks, 1)}
    found |= {
        "shoes": (1,),
        "runs": (1 + sum(a is not b for a, b in pairwise(reds)),),
        "next": (sum(a * b for a, b in pairwise(worth)),),
    }
    if len(before) == len(order):
        earlier = [RANK_OF[letter] - MIDDLE for letter in before]
        found["again"] = (1, sum(a * b for a, b in zip(worth, earlier, strict=True)))
    return found
