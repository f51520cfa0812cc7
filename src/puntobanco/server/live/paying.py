"""What the dealer does after a result, in order: take, pay, give back."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from puntobanco.pictures.chips import Chip, in_chips
from puntobanco.rules.documents.ruleset import Bet, Ratio
from puntobanco.rules.settle import Line, Outcome

TOGETHER = ("take", "lies")
"""Wagers that are dealt with in one sweep."""
KINDS = {
    Outcome.WINS: "pay",
    Outcome.LOSES: "take",
    Outcome.PUSHES: "lies",
    Outcome.VOID: "back",
    Outcome.RETURNED: "back",
    Outcome.PENDING: "waits",
}


class PayStep(Struct, frozen=True):
    """One thing to do with the chips on the layout."""

    kind: str
    """`pay`, `take`, `part` (some of it is taken, the rest goes back), `lies`, `back`, `waits`."""
    boxes: tuple[int, ...]
    cents: int
    """What changes hands."""
    clauses: tuple[str, ...]
    chips: tuple[tuple[int, int], ...] = ()
    """The payout in the house's chips, the largest first: denomination and number."""
    rest_cents: int = 0
    """Of a payout, what no chip of the house can make."""
    person: str = ""
    standing: bool = False
    on: Bet | None = None
    stake_cents: int = 0
    returned_cents: int = 0
    odds: Ratio | None = None
    exact_cents: int | None = None
    """The winnings to the cent, where the chips made it more or less."""


def in_order(lines: Sequence[Line], chips: Sequence[Chip], least: int) -> tuple[PayStep, ...]:
    """The steps of a settlement, of its lines `as_made`; no chip below the smallest on the table's
    notice is there to pay with.
    """
    return tuple(_steps(lines, [chip for chip in chips if chip.cents >= least]))


def _steps(lines: Sequence[Line], chips: Sequence[Chip]) -> Iterator[PayStep]:
    for kind, group in groupby(lines, _kind):
        if kind in TOGETHER:
            yield _together(kind, tuple(group))
        else:
            yield from (_single(kind, line, chips) for line in group)


def _kind(line: Line) -> str:
    if line.outcome is Outcome.LOSES and line.returned_cents:
        return "part"
    return KINDS[line.outcome]


def _together(kind: str, lines: tuple[Line, ...]) -> PayStep:
    boxes = tuple(dict.fromkeys(line.wager.box for line in lines))
    clauses = tuple(dict.fromkeys(clause for line in lines for clause in line.clauses))
    return PayStep(kind, boxes, sum(line.wager.cents for line in lines), clauses)


def _single(kind: str, line: Line, chips: Sequence[Chip]) -> PayStep:
    cents = {"pay": line.won_cents, "part": line.collected_cents}.get(kind, line.returned_cents)
    stack = Counter(in_chips(cents, chips)) if kind == "pay" else Counter[int]()
    return PayStep(
        kind,
        (line.wager.box,),
        cents,
        line.clauses,
        tuple(stack.items()),
        cents - sum(value * count for value, count in stack.items()) if kind == "pay" else 0,
        line.wager.by,
        line.wager.standing,
        line.wager.on,
        line.stake_cents or line.wager.cents,
        line.returned_cents if kind == "part" else 0,
        line.odds,
        _exact(line),
    )


def _exact(line: Line) -> int | None:
    """What it would have been; None if the chips can pay it, or no cents can.

    >>> from puntobanco.rules.paper.notation import parse_wager
    >>> _exact(Line(parse_wager("9 b 25"), Outcome.WINS, 2500, 2500, 2500, (19, 20), (125, 1), ()))
    2375
    """
    over, parts = line.breakage
    return line.won_cents - over // parts if over and over % parts == 0 else None
