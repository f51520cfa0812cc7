"""Who bets when in a competition."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.competition_rules import CompetitionRules
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet
from puntobanco.table.state import Table

SIDES = (Bet.PLAYER, Bet.BANKER)


def rules_of(table: Table) -> CompetitionRules:
    return table.terms.rules.competition


def betting_order(table: Table) -> tuple[int, ...]:
    """Seats in the order they bet, from the puck on; absent players are passed over.

    Anticlockwise in Tasmania [tas-2018:16.5.4], clockwise in Canberra [act-2015:15.15].
    """
    seated, contest = table.seated, table.contest
    order = circuit(table, contest.puck or table.terms.seats.at_dealers_right)
    return tuple(seat for seat in order if seat in seated and seated[seat] not in contest.absent)


def circuit(table: Table, first: int) -> tuple[int, ...]:
    """Every seat once, in the direction bets are made."""
    seats = table.terms.seats
    if rules_of(table).order == "clockwise":
        return seats.clockwise_from(first)
    return seats.anticlockwise_from(first)


def seat_to_bet(table: Table) -> int | None:
    """Whose turn it is to bet: the first in order without a wager on Player or Banker."""
    if table.coup is None or not table.is_contest:
        return None
    done = {wager.box for wager in table.coup.wagers if wager.on in SIDES}
    return next((seat for seat in betting_order(table) if seat not in done), None)


def check_contest(table: Table) -> None:
    if not table.is_contest:
        raise Refused(Reason.NOT_A_COMPETITION, CONDITIONS)


def as_clauses(clause: str) -> tuple[str, ...]:
    return (clause,) if clause else ()
