"""The simple plans by which bots bet."""

from collections.abc import Callable

from puntobanco.register.commands import Plan
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table.state import Table


def amount(table: Table, on: Bet, times: int = 1) -> int:
    """The minimum wager `times` over, as far as the maximum allows."""
    limits = table.terms.limits[on]
    most = limits.max_cents // limits.min_cents
    return limits.min_cents * min(times, most)


def flat(on: Bet) -> Callable[[Table, str], c.PlaceWager | None]:
    """Make a plan that bets the same on every coup: one to three minimums, by the seat."""

    def plan(table: Table, person: str) -> c.PlaceWager | None:
        box = table.places[person].box
        return c.PlaceWager(box, on, amount(table, on, 1 + box % 3))

    return plan


def double(table: Table, person: str) -> c.PlaceWager | None:
    """Bet on Player, doubling after every loss."""
    losses = 0
    for record in reversed(table.coups):
        own = [line for line in record.lines if line.wager.by == person]
        if any(line.outcome is Outcome.WINS for line in own):
            break
        losses += any(line.outcome is Outcome.LOSES for line in own)
    box = table.places[person].box
    return c.PlaceWager(box, Bet.PLAYER, amount(table, Bet.PLAYER, 2 ** min(losses, 20)))


def follow(table: Table, person: str) -> c.PlaceWager | None:
    """Bet on the hand that won last; on Banker at first, and after a tie."""
    won = next((coup.result for coup in reversed(table.coups) if coup.result), Result.BANKER)
    on = Bet.PLAYER if won is Result.PLAYER else Bet.BANKER
    return c.PlaceWager(table.places[person].box, on, amount(table, on, 2))


WAGERS: dict[Plan, Callable[[Table, str], c.PlaceWager | None]] = {
    "banker": flat(Bet.BANKER),
    "player": flat(Bet.PLAYER),
    "tie": flat(Bet.TIE),
    "double": double,
    "follow": follow,
}
