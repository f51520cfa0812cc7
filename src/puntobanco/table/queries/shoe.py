"""Whose the cut is, and by which clause."""

from puntobanco.rules.shoe import (
    cut_offers,
)
from puntobanco.table.state import Table


def offers(table: Table) -> tuple[int, ...]:
    """Seats the cut is still to be offered to, the next one first."""
    seated, pack = tuple(table.seated), table.pack
    order = cut_offers(seated, table.terms, pack.last_cutter)
    return tuple(seat for seat in order if seat not in pack.cut_refused)


def cut_clause(table: Table) -> str:
    rule = table.terms.rules.shoe.cut
    later = table.pack.shuffles > 1 and rule.later_clause
    return rule.later_clause if later else rule.clause
