"""Cards keyed wrong, too many or not at all: the coup is played again from the right ones."""

from functools import reduce

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Coup, Drawn, Laid
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, Verdict, has_error, rule_on
from puntobanco.rules.notice import Terms
from puntobanco.rules.settle import Line, Outcome, settle
from puntobanco.rules.shoe import new_shoe
from puntobanco.rules.wagers import Taken, Wager
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.decide.corrections.count import counted_anew
from puntobanco.table.decide.corrections.earlier import found_late, next_began, record_of
from puntobanco.table.decide.corrections.next_coup import (
    kept_void,
    not_dealt,
    ruled_again,
    voided,
)
from puntobanco.table.decide.dealing import after_card, copies_exceeded
from puntobanco.table.decide.settling import settled, warnings, warnings_withdrawn
from puntobanco.table.decide.voiding import reversals
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.evolve.corrections import replace_card
from puntobanco.table.state import Life, LiveCoup, Table

Correction = events.CardCorrected | events.CardsCorrected


def correct_card(table: Table, ask: c.CorrectCard, _by: Actor) -> list[TableEvent]:
    """The record is put right with a reason, and the coup is played again from it.

    One card alone never voids a coup that was over: another may have been keyed wrong with it,
    and then the whole list says what was dealt.
    """
    coup = table.coup
    if coup is not None and coup.number == ask.coup:
        return _correct_live(table, coup, _corrected(table, coup.drawn, ask))
    record = record_of(table, ask.coup, ask.older)
    corrected = _corrected(table, record.drawn, ask)
    done = _correct_record(table, record, corrected, replace_card(record.drawn, corrected))
    for event in done:
        if isinstance(event, events.EarlierCoupVoided):
            raise Refused(Reason.WHOLE_COUP_WANTED, event.clauses[0], coup=record.number)
    return done


def correct_coup(table: Table, ask: c.CorrectCoup, _by: Actor) -> list[TableEvent]:
    """All cards as they left the shoe; what follows from them is decided as if it had been known:
    the hands by the sequence, and after the next coup has begun by the document's rule for that
    [act-2015:12.5, mbs-2017:5.2].
    """
    coup = table.coup
    if coup is not None and coup.number == ask.coup:
        corrected = _all_corrected(table, coup.drawn, ask)
        if not coup.face_down:
            _check_face_up(table, ask.cards)
        return _correct_live(table, coup, corrected)
    record = record_of(table, ask.coup, ask.older)
    corrected = _all_corrected(table, record.drawn, ask)
    _check_face_up(table, ask.cards)
    return _correct_record(table, record, corrected, ask.cards)


def _correct_record(
    table: Table, record: CoupRecord, corrected: Correction, cards: tuple[Drawn, ...]
) -> list[TableEvent]:
    terms = table.terms_under(record.notice)
    drawn = _as_it_lay(record.drawn, cards, terms)
    record = replace(record, begun=min(record.begun, len(drawn)))
    counted: list[TableEvent] = [corrected, *counted_anew(table, corrected)]
    after = reduce(evolve, counted, table)
    done = [*counted, *copies_exceeded(table, after)]
    if record.verdict is Verdict.VOID:
        return [*done, *kept_void(table, replace(record, drawn=drawn))]
    hands, right = fold(drawn, terms.rules.tableau), replace(record, drawn=drawn)
    new = _as_judged(record.drawn, drawn, terms)
    if has_error(new) and next_began(table, record.number):
        ruling = rule_on(Found.FOUND_LATE, new, new_shoe(terms), terms)
        late = found_late(table, right, ruling.verdict, ruling.clauses, corrected.note, terms)
        return [*done, *late]
    if hands.result is None:  # a card was never dealt, and none can be now: two people rule
        return [*done, *voided(table, right, (CONDITIONS,), corrected.note, terms)]
    closed = not_dealt(table, after, record, hands.result)
    table = reduce(evolve, closed, table)
    return [
        *closed,
        *done,
        *ruled_again(table, reduce(evolve, done, table), record, hands),
        *_settled_anew(table, right, hands, terms),
    ]


def _as_judged(was: tuple[Drawn, ...], drawn: tuple[Drawn, ...], terms: Terms) -> Coup:
    """The right cards without what the record showed out of order, which was ruled on in time:
    it is no error any more [act-2015:12.2, 12.5].
    """
    before = fold(was, terms.rules.tableau)
    known = len(before.player) + len(before.banker)
    cards = [
        replace(card, laid=None)
        if card.laid and was[index : index + 1] and card.laid is was[index].laid
        else card
        for index, card in enumerate(drawn)
    ]
    hands = fold(cards, terms.rules.tableau)
    dealt = max(known, len(hands.player) + len(hands.banker))
    return fold([*cards[:dealt], *cards[max(dealt, len(was)) :]], terms.rules.tableau)


def _settled_anew(table: Table, record: CoupRecord, hands: Coup, terms: Terms) -> list[TableEvent]:
    """Everything paid on a coup goes back, and every wager that was not void is settled again."""
    clauses = (terms.rules.dealing.result,)
    void = tuple(line for line in record.lines if line.outcome is Outcome.VOID)
    taken = [_taken(line, terms) for line in record.lines if line not in void]
    lines = settle(hands, taken, terms).lines
    again = replace(record, result=hands.result, lines=(*lines, *void))
    return [
        *reversals(record.number, record.lines, clauses, terms),
        *settled(record.number, lines),
        *warnings(table, (line for line in lines if line.wager not in _told(record))),
        *warnings_withdrawn(table, record.number, record.lines, lines),
        events.RecordReplaced(again, clauses=clauses),
    ]


def _told(record: CoupRecord) -> tuple[Wager, ...]:
    """The wagers whose owners were told then that they lay below the minimum."""
    return tuple(line.wager for line in record.lines if line.warn)


def _as_it_lay(was: tuple[Drawn, ...], cards: tuple[Drawn, ...], terms: Terms) -> tuple[Drawn, ...]:
    """The right cards, each where it was laid under the wrong record unless it is said."""
    before, now = fold(was, terms.rules.tableau), fold(cards, terms.rules.tableau)
    return tuple(
        replace(card_drawn, laid=Laid(side.value))
        if index < len(was)
        and card_drawn.laid is None
        and (side := before.given(index))
        and side != now.given(index)
        else card_drawn
        for index, card_drawn in enumerate(cards)
    )


def _correct_live(table: Table, coup: LiveCoup, corrected: Correction) -> list[TableEvent]:
    """The coup in play: what was settled goes back on the layout, to be settled anew."""
    if coup.verdict is Verdict.VOID:
        counted: list[TableEvent] = [corrected, *counted_anew(table, corrected)]
        return [*counted, *copies_exceeded(table, reduce(evolve, counted, table))]
    clauses = (table.terms.rules.dealing.result,)
    done: list[TableEvent] = [*reversals(coup.number, coup.lines, clauses, table.terms)]
    if coup.lines or coup.verdict is not None:
        back = tuple(line.wager for line in coup.lines if line.outcome is not Outcome.VOID)
        done += warnings_withdrawn(table, coup.number, coup.lines, ())
        done.append(events.CoupReopened(coup.number, back, clauses=clauses))
    if isinstance(corrected, events.CardsCorrected) and corrected.cards and not coup.locked:
        done.append(events.BetsLocked(clauses=(table.terms.rules.wagers.close.late,)))
    done += [corrected, *counted_anew(table, corrected)]
    done += copies_exceeded(table, reduce(evolve, done, table))
    return [*done, *after_card(reduce(evolve, done, table))]


def _corrected(table: Table, drawn: tuple[Drawn, ...], ask: c.CorrectCard) -> events.CardCorrected:
    clause = table.terms.rules.dealing.from_shoe
    was = drawn[ask.position - 1].card if ask.position <= len(drawn) else None
    if was is None:
        raise Refused(Reason.NO_SUCH_CARD, CONDITIONS, position=ask.position)
    if was == ask.card:
        raise Refused(Reason.AS_ON_RECORD, CONDITIONS)
    hands = fold(drawn, table.terms.rules.tableau)
    left_over = ask.position > len(hands.player) + len(hands.banker)
    return events.CardCorrected(
        ask.coup, ask.position, was, ask.card, ask.note, left_over, clauses=(clause,)
    )


def _all_corrected(
    table: Table, drawn: tuple[Drawn, ...], ask: c.CorrectCoup
) -> events.CardsCorrected:
    clause = table.terms.rules.dealing.from_shoe
    if ask.cards == drawn:
        raise Refused(Reason.AS_ON_RECORD, CONDITIONS)
    more = len(ask.cards) - len(drawn)
    if table.shoe is not None and more > table.shoe.left:
        empty = table.terms.rules.irregularities.insufficient_cards.clause
        raise Refused(Reason.SHOE_EMPTY, empty)
    of_shoe = ask.coup in {record.number for record in table.coups}
    # once shuffled, the set has shown no face, though it may have been checked again since
    shown_none = table.shoe is None and not table.pack.seen
    shuffled = of_shoe and (table.pack.life in (Life.SHUFFLED, Life.CUT) or shown_none)
    return events.CardsCorrected(ask.coup, drawn, ask.cards, ask.note, shuffled, clauses=(clause,))


def _check_face_up(table: Table, cards: tuple[Drawn, ...]) -> None:
    """Refuse a hand with a card nobody names; one left over may never have been seen."""
    hands = fold(cards, table.terms.rules.tableau)
    if None in hands.player or None in hands.banker:
        raise Refused(Reason.DEALT_FACE_UP, table.terms.rules.dealing.face_up)


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
    # a tie neither paid nor collected it: the advice was still to be given
    due = line.outcome is Outcome.PUSHES and limits.under_minimum_warning in clauses
    return Taken(line.wager, line.stake_cents, back, clauses, line.warn or due)


DECIDE: Decides = {c.CorrectCard: correct_card, c.CorrectCoup: correct_coup}
