"""What follows the last coup, once its cards or the marker are known to be other than recorded."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Coup, Drawn
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import WORST_FIRST, Found, NextCoup, Ruling, rule_on
from puntobanco.rules.notice import Terms
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind, CoupRecord
from puntobanco.table.decide.voiding import void_record
from puntobanco.table.events import TableEvent
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
    found, between = _by_others(table, was)
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


def voided(
    table: Table, record: CoupRecord, clauses: tuple[str, ...], note: str, terms: Terms
) -> list[TableEvent]:
    """A coup that is over is void: what its own cards left to the next coup goes with it, and
    nothing else does [tas-2018:14.1-14.2, act-2015:12.2].
    """
    done = void_record(record, clauses, note, terms)
    drawn = next((past.drawn for past in table.coups if past.number == record.number), ())
    return [*done, *_standing_after(table, record, fold(drawn, terms.rules.tableau))]


def kept_void(table: Table, record: CoupRecord) -> list[TableEvent]:
    """The record of a void coup is put right: what follows has nothing to do with it."""
    return [events.RecordReplaced(record), *_standing_after(table, record, Coup())]


def _standing_after(table: Table, record: CoupRecord, hands: Coup) -> list[events.NextCoupRuled]:
    """What others made of the next coup, said again where a void record would take it away."""
    numbers = [past.number for past in table.coups[-1:]]
    if table.shoe is None or numbers != [record.number] or _has_begun(table):
        return []
    kind, clause, carried = _standing(table)
    then, between = _by_others(table, _left_over(table, hands))
    # what a void coup's record takes away when it is replaced
    forgotten = (NextCoup.ORDINARY, ()) if table.coup is None else (kind, carried)
    if (then, between) == forgotten:
        return []
    cited = (clause,) if clause else (table.terms.rules.dealing.from_shoe,)
    return [events.NextCoupRuled(then, clause, between, clauses=cited)]


def _by_others(table: Table, own: Ruling | None) -> tuple[NextCoup, tuple[Drawn, ...]]:
    """What the next coup is, and the cards that begin it, without what a coup's own cards left:
    by other findings, and by cards drawn after it.
    """
    kind, _, carried = _standing(table)
    if own is None:
        return kind, carried
    between = carried[len(own.carried) :]
    alone = own.next_coup is kind and not between
    return (NextCoup.ORDINARY if alone else kind), between


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
