"""A card keyed wrong: the coup is played again from the right one."""

from functools import reduce

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Drawn, Laid
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, Verdict, has_error, rule_on
from puntobanco.rules.notice import Terms
from puntobanco.rules.settle import Line, Outcome, settle
from puntobanco.rules.shoe import new_shoe
from puntobanco.rules.wagers import Taken
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.decide.corrections.earlier import found_late, next_began, record_of
from puntobanco.table.decide.dealing import after_card, check_new_card
from puntobanco.table.decide.settling import settled
from puntobanco.table.decide.voiding import reversals, void_record
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.evolve.rulings import replace_card
from puntobanco.table.state import LiveCoup, Table


def correct_card(table: Table, ask: c.CorrectCard, _by: Actor) -> list[TableEvent]:
    """The record is put right with a reason, and the coup is played again from it."""
    coup = table.coup
    if coup is not None and coup.number == ask.coup:
        return _correct_live(table, coup, ask)
    record = record_of(table, ask.coup, ask.older)
    corrected = _corrected(table, record.drawn, ask)
    if record.number in {past.number for past in table.coups}:
        check_new_card(table, ask.card)
    terms = table.terms_under(record.notice)
    drawn = _as_it_lay(record, replace_card(record.drawn, corrected), terms)
    if record.verdict is Verdict.VOID:
        kept = replace(record, drawn=drawn)
        return [corrected, events.RecordReplaced(kept)]
    hands = fold(drawn, terms.rules.tableau)
    if has_error(hands) and next_began(table, record.number):
        ruling = rule_on(Found.FOUND_LATE, hands, new_shoe(terms), terms)
        right = replace(record, drawn=drawn)
        return [corrected, *found_late(right, ruling.verdict, ruling.clauses, ask.note, terms)]
    if hands.result is None:  # a card was never dealt, and none can be now: two people rule
        right = replace(record, drawn=drawn)
        return [corrected, *void_record(right, (CONDITIONS,), ask.note, terms)]
    clauses = (terms.rules.dealing.result,)
    void = tuple(line for line in record.lines if line.outcome is Outcome.VOID)
    taken = [_taken(line, terms) for line in record.lines if line not in void]
    lines = settle(hands, taken, terms).lines
    again = replace(record, drawn=drawn, result=hands.result, lines=(*lines, *void))
    return [
        corrected,
        *reversals(record.number, record.lines, clauses, terms),
        *settled(record.number, lines),
        events.RecordReplaced(again, clauses=clauses),
    ]


def _as_it_lay(record: CoupRecord, drawn: tuple[Drawn, ...], terms: Terms) -> tuple[Drawn, ...]:
    """The corrected cards, each with the place it was dealt to under the wrong record."""
    was = fold(record.drawn, terms.rules.tableau)
    now = fold(drawn, terms.rules.tableau)
    return tuple(
        replace(card_drawn, laid=Laid(side.value))
        if card_drawn.laid is None and (side := was.given(index)) and side != now.given(index)
        else card_drawn
        for index, card_drawn in enumerate(drawn)
    )


def _correct_live(table: Table, coup: LiveCoup, ask: c.CorrectCard) -> list[TableEvent]:
    """The coup in play: what was settled goes back on the layout, to be settled anew."""
    corrected = _corrected(table, coup.drawn, ask)
    check_new_card(table, ask.card)
    if coup.verdict is Verdict.VOID:
        return [corrected]
    clauses = (table.terms.rules.dealing.result,)
    done: list[TableEvent] = [*reversals(coup.number, coup.lines, clauses, table.terms)]
    if coup.lines or coup.verdict is not None:
        back = tuple(line.wager for line in coup.lines if line.outcome is not Outcome.VOID)
        done.append(events.CoupReopened(coup.number, back, clauses=clauses))
    done.append(corrected)
    return [*done, *after_card(reduce(evolve, done, table))]


def _corrected(table: Table, drawn: tuple[Drawn, ...], ask: c.CorrectCard) -> events.CardCorrected:
    clause = table.terms.rules.dealing.from_shoe
    was = drawn[ask.position - 1].card if ask.position <= len(drawn) else None
    if was is None:
        raise Refused(Reason.NO_SUCH_CARD, clause, position=ask.position)
    if was == ask.card:
        raise Refused(Reason.NO_ERROR, clause)
    hands = fold(drawn, table.terms.rules.tableau)
    left_over = ask.position > len(hands.player) + len(hands.banker)
    return events.CardCorrected(
        ask.coup, ask.position, was, ask.card, ask.note, left_over, clauses=(clause,)
    )


def _taken(line: Line, terms: Terms) -> Taken:
    """A wager as it was taken then: the same part of it at risk, by the same limits."""
    limits, close = terms.rules.limits, terms.rules.wagers.close
    about_limits = {
        close.late,
        close.withdrawn,
        limits.over_maximum,
        limits.under_minimum,
        limits.under_minimum_warning,
    }
    clauses = tuple(clause for clause in line.clauses if clause in about_limits)
    back = line.wager.cents - line.stake_cents
    return Taken(line.wager, line.stake_cents, back, clauses, line.warn)


DECIDE: Decides = {c.CorrectCard: correct_card}
