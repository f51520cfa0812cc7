"""What follows the last coup, once its cards or the marker are known to be other than recorded."""

from functools import reduce

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Coup, Drawn, Result
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import WORST_FIRST, Found, NextCoup, Ruling, rule_on
from puntobanco.rules.notice import Terms
from puntobanco.table import events
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.decide.competition.secrets import lapsed
from puntobanco.table.decide.settling import return_wagers, warnings_withdrawn
from puntobanco.table.decide.voiding import void_record
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.evolve.corrections import ended_anew
from puntobanco.table.queries.coup import next_standing
from puntobanco.table.queries.shoe import marker_since_last_coup
from puntobanco.table.state import Table


def ruled_again(
    before: Table, table: Table, record: CoupRecord, hands: Coup
) -> list[events.NextCoupRuled]:
    """The card left over, and what it makes of the next coup, while that has no card of its own
    [tas-2018:14.1-14.2, act-2015:12.2-12.3]; nothing if it stays as it is.

    `table` counts the right cards already, `before` those on record. What another finding made of
    the next coup stays.
    """
    if table.shoe is None or not _is_last_dealt(before, record) or _has_begun(table):
        return []
    was = left_over(before, record, fold(record.drawn, before.terms.rules.tableau))
    now = left_over(table, record, hands)
    kind, clause, carried = next_standing(table)
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


def left_again(table: Table, record: CoupRecord, hands: Coup) -> list[events.NextCoupRuled]:
    """What a coup that is not void after all leaves to the next, besides what others did."""
    if table.shoe is None or not _is_last_dealt(table, record) or _has_begun(table):
        return []
    own, (kind, clause, carried) = left_over(table, record, hands), next_standing(table)
    if own is None:
        return []
    then, cards = min(kind, own.next_coup, key=WORST_FIRST.index), (*own.carried, *carried)
    if (then, cards) == (kind, carried):
        return []
    if then is not NextCoup.ORDINARY and table.coup is not None and table.coup.wagers:
        raise Refused(Reason.WAGERS_ON_NEXT, own.clauses[-1])
    if then is own.next_coup:
        clause = own.next_clause or own.clauses[-1]
    return [events.NextCoupRuled(then, clause, cards, clauses=own.clauses)]


def not_dealt(
    before: Table, table: Table, record: CoupRecord, result: Result | None
) -> list[TableEvent]:
    """The coup that was opened after the last one, where the shoe has ended with that one as it is
    known now: it is not dealt, and wagers go back. A tie that was none brings no extra round
    [act-2015:5.7].

    `table` counts the right cards already, `before` those on record. Where a marker seen since
    then says how the shoe stands, the last result does not.
    """
    coup, shoe = before.coup, before.shoe
    if shoe is None or coup is None or not _is_last(before, record):
        return []
    assert table.shoe is not None
    stood = ended_anew(shoe, record, before) == shoe
    ended = ended_anew(table.shoe, replace(record, result=result), table).ended
    if coup.drawn or coup.verdict is not None or not stood or not ended:
        return []
    kind = min(coup.barred, next_standing(before)[0], key=WORST_FIRST.index)
    closed = events.CoupNotDealt(coup.number, kind, coup.carried, shoe_over=True, clauses=(ended,))
    return [*return_wagers(before, (ended,)), closed]


def voided(
    table: Table, record: CoupRecord, clauses: tuple[str, ...], note: str, terms: Terms
) -> list[TableEvent]:
    """A coup that is over is void: what its own cards left to the next coup goes with it, and
    nothing else does [tas-2018:14.1-14.2, act-2015:12.2].
    """
    on_record = next((past for past in table.coups if past.number == record.number), record)
    hands = fold(on_record.drawn, terms.rules.tableau)
    closed = not_dealt(table, table, on_record, None)
    table = reduce(evolve, closed, table)
    return [
        *closed,
        *void_record(record, clauses, note, terms),
        *lapsed(table, record.number, clauses),
        *warnings_withdrawn(table, record.number, record.lines, ()),
        *_standing_after(table, record, hands),
    ]


def kept_void(table: Table, record: CoupRecord) -> list[TableEvent]:
    """The record of a void coup is put right: what follows has nothing to do with it."""
    return [events.RecordReplaced(record), *_standing_after(table, record, Coup())]


def _standing_after(table: Table, record: CoupRecord, hands: Coup) -> list[events.NextCoupRuled]:
    """What others made of the next coup, said again where a void record would take it away."""
    if table.shoe is None or not _is_last_dealt(table, record) or _has_begun(table):
        return []
    kind, clause, carried = next_standing(table)
    then, between = _by_others(table, left_over(table, record, hands))
    # what a void coup's record takes away when it is replaced
    takes_away = table.coup is None and _is_last(table, record)
    forgotten = (NextCoup.ORDINARY, ()) if takes_away else (kind, carried)
    if (then, between) == forgotten:
        return []
    cited = (clause,) if clause else (table.terms.rules.dealing.from_shoe,)
    return [events.NextCoupRuled(then, clause, between, clauses=cited)]


def _by_others(table: Table, own: Ruling | None) -> tuple[NextCoup, tuple[Drawn, ...]]:
    """What the next coup is, and the cards that begin it, without what a coup's own cards left:
    by other findings, and by cards drawn after it.
    """
    kind, _, carried = next_standing(table)
    if own is None:
        return kind, carried
    between = carried[len(own.carried) :]
    alone = own.next_coup is kind and not between
    return (NextCoup.ORDINARY if alone else kind), between


def _is_last(table: Table, record: CoupRecord) -> bool:
    return [past.number for past in table.coups[-1:]] == [record.number]


def _is_last_dealt(table: Table, record: CoupRecord) -> bool:
    """Has no later coup a card? One that was void before its first card left all as it was."""
    later = [past for past in table.coups if past.number > record.number]
    return record.number in {past.number for past in table.coups} and not any(
        past.drawn for past in later
    )


def _has_begun(table: Table) -> bool:
    return table.coup is not None and bool(table.coup.drawn)


def left_over(table: Table, record: CoupRecord, hands: Coup) -> Ruling | None:
    """What a coup's own cards leave to the next; None: nothing."""
    assert table.shoe is not None
    if not hands.excess or hands.hidden:
        return None
    # whether the shoe has ended, or goes on for one round, is among what is ruled
    since = None if marker_since_last_coup(table) else table.shoe.since_marker
    shoe = replace(table.shoe, ended="", extra_round=record.extra_round, since_marker=since)
    return rule_on(Found.CARDS_OUT_OF_ORDER, hands, shoe, table.terms)
