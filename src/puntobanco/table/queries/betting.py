"""Wagers on the layout: what a limit leaves of them, and whether one is wanted."""

from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.wagers import (
    Reduction,
    reduce_differential,
    reduce_pro_rata,
)
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.state import Table


def reductions(table: Table) -> tuple[Reduction, ...]:
    """What the dealer may take off the layout now [tas-2018:7.3(b), act-2015:3.6]."""
    coup, terms = table.coup, table.terms
    if coup is None or coup.locked or any(form.announced for form in coup.forms.values()):
        return ()
    cuts = [
        cut
        for on in (Bet.PLAYER, Bet.BANKER)
        for cut in reduce_pro_rata(coup.wagers, on, terms, table.individual)
    ]
    return (*cuts, *reduce_differential(coup.wagers, terms))


def wants_wager(table: Table) -> bool:
    """May this coup not be dealt without one [tas-2018:6.2]?"""
    ordinary = table.coup is not None and table.coup.kind is CoupKind.ORDINARY
    return ordinary and table.terms.rules.wagers.free_coups is not None
