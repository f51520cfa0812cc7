"""The clauses behind what a dealer announces while a coup is dealt."""

from typing import cast

from puntobanco.rules.cards import Card, points
from puntobanco.rules.coup import Coup, Side
from puntobanco.rules.documents.ruleset import Ruleset


def next_card_clause(coup: Coup, rules: Ruleset) -> str:
    """The clause by which the next card goes where it is owed."""
    play = rules.table_of_play
    if len(coup.drawn) < 4:
        return play.initial[len(coup.drawn)]
    if coup.owed is Side.PLAYER or coup.owed is None:
        return play.player_clause
    if len(coup.player) == 2 and play.no_card_clause:
        return play.no_card_clause
    return play.banker_clauses[coup.banker_points]


def natural_clause(coup: Coup, rules: Ruleset) -> str:
    """The clause by which a natural ended the coup; empty when none did."""
    if len(coup.player) != 2 or len(coup.banker) != 2 or not coup.is_complete:
        return ""
    play = rules.table_of_play
    naturals = rules.tableau.naturals
    if points(cast("tuple[Card, ...]", coup.player)) in naturals:
        return play.player_natural
    return play.banker_natural if coup.banker_points in naturals else ""
