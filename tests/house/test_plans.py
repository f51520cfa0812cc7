"""What the bots' plans bet."""

import pytest
from msgspec.structs import replace

from puntobanco.house.bots.plans import WAGERS, amount
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table.state import Table
from tests.kit.table.at import At, ready


def lost_on_player(times: int) -> Table:
    """Ann has lost on Player so many times."""
    at: At = ready("tas-2018", "ann")
    for _ in range(times):
        at.coup("1 p 25", "2c Kd Kh 9s")
    return at.table


def wagered(plan: str, table: Table) -> tuple[Bet, int]:
    wager = WAGERS[plan](table, "ann")  # type: ignore[index]
    assert wager is not None
    return wager.on, wager.cents


@pytest.mark.parametrize(("losses", "times"), [(0, 1), (1, 2), (2, 4), (3, 8)])
def test_doubling_doubles_after_every_loss(losses: int, times: int) -> None:
    assert wagered("double", lost_on_player(losses)) == (Bet.PLAYER, 2500 * times)


def test_following_bets_on_what_won_last() -> None:
    assert wagered("follow", lost_on_player(1)) == (Bet.BANKER, 5000)
    assert wagered("follow", lost_on_player(0)) == (Bet.BANKER, 5000)


@pytest.mark.parametrize(
    ("plan", "on"), [("banker", Bet.BANKER), ("player", Bet.PLAYER), ("tie", Bet.TIE)]
)
def test_flat_plans_bet_the_same_on_every_coup(plan: str, on: Bet) -> None:
    first = wagered(plan, lost_on_player(0))
    assert first[0] is on
    assert wagered(plan, lost_on_player(2)) == first


def test_nothing_above_the_maximum() -> None:
    table = lost_on_player(0)
    limits = table.terms.limits[Bet.PLAYER]
    assert amount(table, Bet.PLAYER, 10**6) <= limits.max_cents
    assert amount(replace(table), Bet.PLAYER) == limits.min_cents
