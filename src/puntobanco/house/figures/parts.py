"""What one coup adds to the figures: a part to each cell that it belongs in.

Competition chips and play chips are no money: their coups are in books of their own.
"""

from fractions import Fraction
from typing import Literal, get_args

from puntobanco.house.figures.sides import sides_tallied
from puntobanco.house.figures.sums import Stakes, Sums
from puntobanco.house.figures.tallied import tallied
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.register.settings import Settings
from puntobanco.rules.coup import Result
from puntobanco.rules.settle import Line, Outcome

Kind = Literal[
    "rules", "hour", "dealer", "shoe", "wager", "person", "competition", "play", "cards", "sides"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
LATER = ""
"""The name of the cell for payments that were put right later and belong to no wager."""
Cell = tuple[str, Kind, str]
"""Gaming day, kind and name of a cell of one table."""
NO_BREAKAGE = Fraction(0)


def parts(coup: PastCoup, settings: Settings) -> dict[Cell, Sums]:
    """The part of a coup in each cell, that of the whole coup first; of one that was never dealt,
    only payments that were put right by its number.
    """
    if coup.undealt and not coup.paid_later:
        return {}
    day = settings.day_of(coup.at_ms, coup.utc_minutes)
    whole, by_wager, by_person = _Part(), dict[str, _Part](), dict[str, _Part]()
    for line in coup.lines.values():
        on = line.wager.on.value
        for part in (whole, _in(by_wager, on), _in(by_person, line.wager.by)):
            part.take(line, on)
    for person, cents in coup.paid_later:  # with a wager on record or without
        for part in (whole, _in(by_wager, LATER), _in(by_person, person)):
            part.hold -= cents
    sums = whole.sums(coup)
    if coup.book != "money":
        name = coup.competition if coup.book == "competition" else coup.table
        return {(day, coup.book, name): sums, **dealt_of(coup, day)}
    found: dict[Cell, Sums] = {
        (day, "rules", coup.ruleset): sums,
        (day, "hour", settings.hour_of(coup.at_ms, coup.utc_minutes)): sums,
        (day, "dealer", coup.dealer): sums,
        (day, "shoe", str(coup.shoe)): sums,
    }
    found |= {(day, "wager", on): part.sums(coup) for on, part in by_wager.items()}
    found |= {(day, "person", person): part.sums(coup) for person, part in by_person.items()}
    return found | dealt_of(coup, day) | sides_in(coup, day)


def dealt_of(coup: PastCoup, day: str) -> dict[Cell, Sums]:
    """The cell of what was dealt, whatever was bet: the house's own shoes apart from others."""
    tallies = tallied(coup)
    if not tallies:
        return {}
    return {(day, "cards", f"{'own' if coup.own else 'other'} {coup.odds}"): Sums(tallies=tallies)}


def sides_in(coup: PastCoup, day: str) -> dict[Cell, Sums]:
    """The cell of who was on which side; of the coups for money alone."""
    tallies = sides_tallied(coup)
    return {(day, "sides", ""): Sums(tallies=tallies)} if tallies else {}


def hold_of_patron(coup: PastCoup, person: str, settings: Settings) -> int:
    """What the bank kept of one patron's wagers on a coup, in cents."""
    own = (sums for (_, kind, name), sums in parts(coup, settings).items()
           if (kind, name) == ("person", person))  # fmt: skip
    return next((sums.hold_cents for sums in own), 0)


class _Part:
    """Lines of a coup that belong together, added up in one pass, for it is done at every coup."""

    __slots__ = ("broken", "handle", "hold", "paid", "stakes")

    def __init__(self) -> None:
        self.handle = self.paid = self.hold = 0
        self.broken = NO_BREAKAGE
        self.stakes: Stakes = {}

    def take(self, line: Line, on: str) -> None:
        self.hold += line.collected_cents - line.won_cents
        if line.outcome is Outcome.VOID:
            return
        stake = line.stake_cents
        self.handle += stake
        self.paid += line.won_cents
        if line.breakage[0]:
            self.broken += Fraction(*line.breakage)
        if stake:
            self.stakes[on] = self.stakes.get(on, 0) + stake

    def sums(self, coup: PastCoup) -> Sums:
        """With the counts of the coup."""
        stakes = self.stakes
        names = sorted(stakes)
        for index, one in enumerate(names):  # and each two multiplied
            for two in names[index:]:
                stakes[f"{one} {two}"] = stakes[one] * stakes[two]
        result = coup.result
        return Sums(
            int(not coup.undealt),
            int(result is Result.PLAYER),
            int(result is Result.BANKER),
            int(result is Result.TIE),
            int(coup.void),
            coup.corrections,
            self.handle,
            self.paid,
            self.hold,
            self.broken.as_integer_ratio(),
            {coup.odds: stakes} if stakes else {},
        )


def _in(known: dict[str, _Part], name: str) -> _Part:
    if name not in known:
        known[name] = _Part()
    return known[name]
