"""The burn and the marker put right."""

from functools import reduce

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, Verdict, rule_on
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.decide.corrections.count import counted_anew
from puntobanco.table.decide.corrections.next_coup import ruled_again
from puntobanco.table.decide.dealing import after_card, copies_exceeded
from puntobanco.table.decide.settling import ruled
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.evolve.corrections import as_burned
from puntobanco.table.state import LiveCoup, Table


def correct_burn(table: Table, ask: c.CorrectBurn, _by: Actor) -> list[TableEvent]:
    """The burn as it happened, too many or too few: play goes on from there [act-2015:5.4-5.6]."""
    rule, shoe = table.terms.rules.shoe.burn, table.shoe
    if shoe is None:
        raise Refused(Reason.NO_SHOE, CONDITIONS)
    if rule is None:
        raise Refused(Reason.BURN_NOT_PROVIDED, CONDITIONS)
    made = as_burned(ask.exposed, ask.face_down)
    if made == table.pack.burned:
        raise Refused(Reason.AS_ON_RECORD, CONDITIONS)
    if len(made) - len(table.pack.burned) > shoe.left:
        clause = table.terms.rules.irregularities.insufficient_cards.clause
        raise Refused(Reason.SHOE_EMPTY, clause)
    corrected = events.BurnCorrected(ask.face_down, ask.exposed, ask.note, clauses=(rule.count,))
    counted: list[TableEvent] = [corrected, *counted_anew(table, corrected)]
    return [*counted, *copies_exceeded(table, reduce(evolve, counted, table))]


def correct_marker(table: Table, ask: c.CorrectMarker, _by: Actor) -> list[TableEvent]:
    """The marker is in the shoe after all: the last coup is not known yet, and what it made of a
    card left over is ruled again [tas-2018:9.4, act-2015:5.7].
    """
    rule, shoe, coup = table.terms.rules.shoe.last_coup, table.shoe, table.coup
    if shoe is None:
        raise Refused(Reason.NO_SHOE, CONDITIONS)
    if shoe.since_marker is None:
        raise Refused(Reason.AS_ON_RECORD, CONDITIONS)
    corrected = events.MarkerCorrected(ask.note, clauses=(rule.clause,))
    after = evolve(table, corrected)
    if coup is None or not coup.drawn:
        return [corrected, *_after_record(table, after)]
    if coup.verdict is None:
        return [corrected, *after_card(after)]
    return [corrected, *_after_result(after, coup)]


def _after_record(before: Table, after: Table) -> list[events.NextCoupRuled]:
    if not after.coups or after.coups[-1].verdict is Verdict.VOID:
        return []
    record = after.coups[-1]
    return ruled_again(before, after, record, fold(record.drawn, after.terms.rules.tableau))


def _after_result(after: Table, coup: LiveCoup) -> list[TableEvent]:
    hands = coup.hands(after.terms)
    if coup.verdict is Verdict.VOID or not hands.excess:
        return []
    assert after.shoe is not None
    return [ruled(rule_on(Found.CARDS_OUT_OF_ORDER, hands, after.shoe, after.terms))]


DECIDE: Decides = {c.CorrectBurn: correct_burn, c.CorrectMarker: correct_marker}
