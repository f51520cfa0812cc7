"""What follows the last coup, once its cards or the marker are known to be other than recorded."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Coup, Drawn
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import WORST_FIRST, Found, NextCoup, Ruling, rule_on
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind, CoupRecord
from puntobanco.table.state import Table


def ruled_again(
    before: Table, table: Table, record: CoupRecord, hands: Coup
) -> list[events.NextCoupRuled]:
    """The card left over, and what it makes of the next coup, while that has no card of its own
    [tas-2018:14.1-14.2, act-2015:12.2-12.3]; nothing if it stays as it is.

    `table` counts the right cards already, `before` those on record. What another finding made of
    the next coup stays.
    """
    if table.shoe is None or before.coups[-1:] != (record,) or _has_begun(table):
        return []
    was = _left_over(before, fold(record.drawn, before.terms.rules.tableau))
    now = _left_over(table, hands)
    kind, clause, carried = _standing(table)
    between = carried[len(was.carried) :] if was is not None else carried  # after that coup
    by_card_alone = was is not None and was.next_coup is kind and not between
    found = NextCoup.ORDINARY if by_card_alone else kind
    by_card = now.next_coup if now is not None else NextCoup.ORDINARY
    then = min(found, by_card, key=WORST_FIRST.index)
    cards = (*(now.carried if now is not None else ()), *between)
    if (then, cards) == (kind, carried):
        return []
    if then is not NextCoup.ORDINARY and table.coup is not None and table.coup.wagers:
        raise Refused(Reason.WAGERS_ON_NEXT, now.clauses[-1] if now else clause)
    if now is not None and then is by_card:
        clause = now.next_clause or now.clauses[-1]
    cited = now.clauses if now is not None else (table.terms.rules.dealing.from_shoe,)
    return [events.NextCoupRuled(then, clause, cards, clauses=cited)]


def _has_begun(table: Table) -> bool:
    return table.coup is not None and bool(table.coup.drawn)


def _left_over(table: Table, hands: Coup) -> Ruling | None:
    assert table.shoe is not None
    if not hands.excess or hands.hidden:
        return None
    shoe = replace(table.shoe, ended="")  # whether it has ended is among what is ruled
    return rule_on(Found.CARDS_OUT_OF_ORDER, hands, shoe, table.terms)


def _standing(table: Table) -> tuple[NextCoup, str, tuple[Drawn, ...]]:
    """What the next coup is as things are, opened or not."""
    if table.coup is None:
        return table.next_kind, table.next_clause, table.carried
    barred = table.coup.kind is CoupKind.NON_BETTING
    kind = NextCoup.NON_BETTING if barred else NextCoup.ORDINARY
    return kind, table.coup.kind_clause, table.coup.carried
