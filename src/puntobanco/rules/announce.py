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
    if coup.owed is Side.PLAYER:
        return play.player_clause
    return _banker_clause(coup, rules)


def _banker_clause(coup: Coup, rules: Ruleset) -> str:
    """The clause by which Banker draws or stands, once Player has drawn or stood."""
    play = rules.table_of_play
    if len(coup.player) == 2 and play.no_card_clause:
        return play.no_card_clause
    return play.banker_clauses[points(cast("tuple[Card, ...]", coup.banker[:2]))]


def no_card_clause(coup: Coup, rules: Ruleset) -> str:
    """The clause by which nobody is owed another card: a natural, what Banker has on its first
    two cards, or that its hand is full [tas-2018:8, 11, act-2015:6.4, 7.1, 7.3, mbs-2017:3.9].
    """
    if natural := natural_clause(coup, rules):
        return natural
    full = rules.table_of_play.three_at_most if len(coup.banker) == 3 else ""
    return full or _banker_clause(coup, rules)


def points_clauses(coup: Coup, rules: Ruleset) -> tuple[str, ...]:
    """The clauses by which a hand draws or stands on the points of the first four cards."""
    if natural := natural_clause(coup, rules):
        return (natural,)
    if coup.owed is not None:
        return (next_card_clause(coup, rules),)
    stands = rules.table_of_play.player_stands
    if not stands:
        return (rules.table_of_play.player_clause,)
    return (stands, _banker_clause(coup, rules))


def natural_clause(coup: Coup, rules: Ruleset) -> str:
    """The clause by which a natural ended the coup; empty when none did."""
    if len(coup.player) != 2 or len(coup.banker) != 2 or not coup.is_complete:
        return ""
    play = rules.table_of_play
    naturals = rules.tableau.naturals
    if points(cast("tuple[Card, ...]", coup.player)) in naturals:
        return play.player_natural
    return play.banker_natural if coup.banker_points in naturals else ""
