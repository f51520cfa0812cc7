"""Who was on Player and who on Banker, added up day by day, so that nobody reads all coups to see
who plays with whom (`trust/together.py`).

A player's row says how often they were on Player and on Banker; that of two players, in how many
coups both were on one of them, in how many on opposite sides, and what each won in these.
"""

from collections import Counter
from itertools import combinations

from puntobanco.house.figures.sums import Tallies
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.settle import Outcome

SEVERAL = ""
"""The name of the count of coups in which two players or more were on one of the two."""
BETWEEN = " "
"""What stands between the names of two; none has it in it."""


def sides_of(coup: PastCoup) -> dict[str, bool]:
    """Who was on Player (true) or on Banker, by the larger of their stakes on the two."""
    if coup.void:
        return {}
    stakes: Counter[str] = Counter()
    for line in coup.lines.values():
        if line.wager.on in (Bet.PLAYER, Bet.BANKER) and line.outcome is not Outcome.VOID:
            stakes[line.wager.by] += line.stake_cents * (1 if line.wager.on is Bet.PLAYER else -1)
    return {who: cents > 0 for who, cents in stakes.items() if cents}


def sides_tallied(coup: PastCoup) -> Tallies:
    """What a coup adds."""
    on = sides_of(coup)
    found: Tallies = {who: (int(side), int(not side)) for who, side in on.items()}
    if len(on) > 1:
        found[SEVERAL] = (1,)
        won = {who: coup.won_by(who) for who in on} if len(set(on.values())) > 1 else {}
        for one, other in combinations(sorted(on), 2):
            apart = on[one] != on[other]
            found[BETWEEN.join((one, other))] = (
                (1, 1, won[one], won[other]) if apart else (1, 0, 0, 0)
            )
    return found
