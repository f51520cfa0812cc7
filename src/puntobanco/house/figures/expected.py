"""What the exact odds expect of what was wagered, and its spread.

Assumed: wagers are made without regard to the cards that have gone, so that each coup is one from a
full shoe; coups do not influence one another; payouts are exact, for rounding is told by itself as
breakage. Wagers of one coup are taken together: Player and Banker cannot both win.
"""

from fractions import Fraction
from math import sqrt

from msgspec import Struct

from puntobanco.house.figures.sums import Stakes, Sums
from puntobanco.odds.together import Together, wagers_together


class Expected(Struct, frozen=True):
    """What the bank could expect to keep, in cents."""

    cents: Fraction
    variance: Fraction

    @property
    def spread_cents(self) -> float:
        """One standard deviation."""
        return sqrt(self.variance)


def expectation(sums: Sums) -> Expected | None:
    """The expectation of what was at risk; None where the text of a rule set is lost."""
    cents, variance = Fraction(0), Fraction(0)
    for odds, stakes in sums.stakes.items():
        priced = priced_by(odds)
        if priced is None or not _all_priced(priced, stakes):
            return None
        for name, amount in stakes.items():
            one, _, two = name.partition(" ")
            if two:
                variance += (1 if one == two else 2) * amount * priced.covariance[one, two]
            else:
                cents -= amount * priced.ev[one]
    return Expected(cents, variance)


def priced_by(odds: str) -> Together | None:
    """The exact odds by the text, decks, method and pairs that a coup was played with."""
    digest, *rest = odds.split(" ")
    return wagers_together(digest, int(rest[0]), *rest[1:]) if len(rest) > 1 else None


def _all_priced(priced: Together, stakes: Stakes) -> bool:
    return all(name in priced.ev for name in stakes if " " not in name)
