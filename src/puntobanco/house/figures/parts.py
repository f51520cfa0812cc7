"""What one coup adds to the figures: a part to each cell that it belongs in.

Competition chips and play chips are no money: their coups are in books of their own.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, get_args

from puntobanco.house.figures.sums import Stakes, Sums
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.register.settings import Settings
from puntobanco.rules.coup import Result
from puntobanco.rules.settle import Line, Outcome

Kind = Literal["rules", "hour", "dealer", "shoe", "wager", "person", "competition", "play"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LATER = ""
"""The name of the cell for payments that were put right later and belong to no wager."""
Cell = tuple[str, Kind, str]
"""Gaming day, kind and name of a cell of one table."""
HOUR_MS = 3_600_000


def hour_of(coup: PastCoup) -> str:
    """The hour in which a coup was opened, in the table's local time: `00` to `23`."""
    return f"{(coup.at_ms + coup.utc_minutes * 60_000) // HOUR_MS % 24:02}"


def parts(coup: PastCoup, settings: Settings) -> dict[Cell, Sums]:
    """The part of a coup in each cell; none of one that was never dealt."""
    if coup.undealt:
        return {}
    day = settings.day_of(coup.at_ms, coup.utc_minutes)
    lines = list(coup.lines.values())
    whole = _sums(coup, lines, sum(cents for _, cents in coup.paid_later))
    if coup.book != "money":
        name = coup.competition if coup.book == "competition" else coup.table
        return {(day, coup.book, name): whole}
    found: dict[Cell, Sums] = {
        (day, "rules", coup.ruleset): whole,
        (day, "hour", hour_of(coup)): whole,
        (day, "dealer", coup.dealer): whole,
        (day, "shoe", str(coup.shoe)): whole,
    }
    for on in dict.fromkeys(line.wager.on for line in lines):
        found[day, "wager", str(on)] = _sums(coup, [one for one in lines if one.wager.on == on], 0)
    if coup.paid_later:
        found[day, "wager", LATER] = _sums(coup, [], sum(cents for _, cents in coup.paid_later))
    later = (person for person, _ in coup.paid_later)  # with a wager on record or without
    for person in dict.fromkeys((*(line.wager.by for line in lines), *later)):
        theirs = [line for line in lines if line.wager.by == person]
        owed = sum(cents for one, cents in coup.paid_later if one == person)
        found[day, "person", person] = _sums(coup, theirs, owed)
    return found


def _sums(coup: PastCoup, lines: list[Line], later_cents: int) -> Sums:
    at_risk = [line for line in lines if line.outcome is not Outcome.VOID]
    broken = [Fraction(*line.breakage) for line in at_risk if line.breakage[0]]
    stakes = _stakes(at_risk)
    return Sums(
        1,
        int(coup.result is Result.PLAYER),
        int(coup.result is Result.BANKER),
        int(coup.result is Result.TIE),
        int(coup.void),
        coup.corrections,
        sum(line.stake_cents for line in at_risk),
        sum(line.won_cents for line in at_risk),
        sum(line.collected_cents - line.won_cents for line in lines) - later_cents,
        sum(broken, Fraction(0)).as_integer_ratio() if broken else (0, 1),
        {coup.odds: stakes} if stakes else {},
    )


def _stakes(at_risk: Iterable[Line]) -> Stakes:
    """The stakes of one coup by wager, and each two multiplied."""
    by_wager: Stakes = {}
    for line in at_risk:
        if line.stake_cents:
            on = str(line.wager.on)
            by_wager[on] = by_wager.get(on, 0) + line.stake_cents
    found = dict(sorted(by_wager.items()))
    names = list(found)
    for index, one in enumerate(names):
        for two in names[index:]:
            found[f"{one} {two}"] = found[one] * found[two]
    return found
