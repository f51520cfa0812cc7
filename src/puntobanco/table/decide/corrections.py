"""Putting the record right: an earlier coup, a card keyed wrong, a payment. Two people always.

Nothing is edited. A correction is a new event that reverses what it must.
"""

from collections.abc import Iterable
from functools import reduce

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Coup, Drawn, Laid, Side
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
from puntobanco.table.decide.dealing import after_card, check_new_card
from puntobanco.table.decide.settling import settled, warnings
from puntobanco.table.decide.voiding import reversals, void_record
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.evolve.rulings import replace_card
from puntobanco.table.state import LiveCoup, Table

OTHER = {Side.PLAYER: Laid.BANKER, Side.BANKER: Laid.PLAYER}


def affected(proposed: Iterable[TableEvent]) -> tuple[events.TransferReversed, ...]:
    """Whose chips a proposal would move back, for all to see before it is approved."""
    return tuple(event for event in proposed if isinstance(event, events.TransferReversed))


def undone_coup(event: TableEvent) -> int:
    """The coup that an event voids or takes money back from; 0 if it does neither."""
    match event:
        case events.CoupVoided() | events.EarlierCoupVoided():
            return event.number
        case events.TransferReversed():
            return event.coup
        case _:
            return 0


def _record(table: Table, number: int, older: CoupRecord | None) -> CoupRecord:
    """An earlier coup: of the current shoe, or as it came with the command."""
    for record in table.coups:
        if record.number == number:
            return record
    if older is None or older.number != number or older.digest != table.past.get(number):
        raise Refused(Reason.NO_SUCH_COUP, CONDITIONS, coup=number)
    return older


def void_earlier(table: Table, ask: c.VoidEarlier, _by: Actor) -> list[TableEvent]:
    """An error of card placement found after the next round began.

    That round is void whether or not its result would change, its transfers alone are undone,
    and later ones stand as they were played [act-2015:12.5]; other documents let it stand, and
    the error is on record.
    """
    record = _record(table, ask.coup, ask.older)
    terms = table.terms_under(record.notice)
    policy = terms.rules.irregularities.found_after_next_began
    if record.verdict is Verdict.VOID:
        raise Refused(Reason.COUP_IS_VOID, CONDITIONS, coup=record.number)
    if not _next_began(table, record.number):
        raise Refused(Reason.NOTICED_IN_TIME, policy.clause, coup=record.number)
    coup = _as_found(record, ask.position, terms)
    ruling = rule_on(Found.FOUND_LATE, coup, new_shoe(terms), terms)
    if not ruling.clauses:
        raise Refused(Reason.NO_ERROR, policy.clause)
    return _found_late(record, ruling.verdict, ruling.clauses, ask.note, terms)


def _found_late(
    record: CoupRecord, verdict: Verdict, clauses: tuple[str, ...], note: str, terms: Terms
) -> list[TableEvent]:
    if verdict is not Verdict.VOID:
        noted = events.ErrorNoted(record.number, note, clauses=clauses)
        return [noted, events.RecordReplaced(record, clauses=clauses)]
    return void_record(record, clauses, note, terms)


def _next_began(table: Table, number: int) -> bool:
    """Has the next coup begun: with its first card, or with the call for bets [mbs-2017:5.2]?"""
    if number not in {record.number for record in table.coups}:
        return True  # of a shoe that is over
    by_call = table.terms.rules.irregularities.next_begins == "place-your-bets"
    later = [(record.number, bool(record.drawn)) for record in table.coups]
    if table.coup:
        later.append((table.coup.number, bool(table.coup.drawn)))
    return any(other > number and (dealt or by_call) for other, dealt in later)


def _as_found(record: CoupRecord, position: int | None, terms: Terms) -> Coup:
    """The coup with the card laid where it is now known to have been laid.

    What the record shows out of order was put right in time, and is no error any more.
    """
    coup = fold(record.drawn, terms.rules.tableau)
    drawn = [
        replace(card_drawn, laid=None)
        for card_drawn in coup.drawn[: len(coup.player) + len(coup.banker)]
    ]
    if position is not None and position <= len(drawn):
        side = coup.given(position - 1)
        assert side is not None
        drawn[position - 1] = replace(drawn[position - 1], laid=OTHER[side])
    return fold(drawn, terms.rules.tableau)


def correct_card(table: Table, ask: c.CorrectCard, _by: Actor) -> list[TableEvent]:
    """The record is put right with a reason, and the coup is played again from it."""
    coup = table.coup
    if coup is not None and coup.number == ask.coup:
        return _correct_live(table, coup, ask)
    record = _record(table, ask.coup, ask.older)
    corrected = _corrected(table, record.drawn, ask)
    if record.number in {past.number for past in table.coups}:
        check_new_card(table, ask.card)
    terms = table.terms_under(record.notice)
    drawn = _as_it_lay(record, replace_card(record.drawn, corrected), terms)
    if record.verdict is Verdict.VOID:
        kept = replace(record, drawn=drawn)
        return [corrected, events.RecordReplaced(kept)]
    hands = fold(drawn, terms.rules.tableau)
    if has_error(hands) and _next_began(table, record.number):
        ruling = rule_on(Found.FOUND_LATE, hands, new_shoe(terms), terms)
        right = replace(record, drawn=drawn)
        return [corrected, *_found_late(right, ruling.verdict, ruling.clauses, ask.note, terms)]
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
        *warnings(table, (line for line in lines if line.wager not in _told(record))),
        events.RecordReplaced(again, clauses=clauses),
    ]


def _told(record: CoupRecord) -> tuple[Wager, ...]:
    """The wagers whose owners were told then that they lay below the minimum."""
    return tuple(line.wager for line in record.lines if line.warn)


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
    # a tie neither paid nor collected it: the advice was still to be given
    due = line.outcome is Outcome.PUSHES and limits.under_minimum_warning in clauses
    return Taken(line.wager, line.stake_cents, back, clauses, line.warn or due)


def correct_payment(table: Table, ask: c.CorrectPayment, _by: Actor) -> list[TableEvent]:
    """A payment was wrong, not a card: the difference moves now, and both are on record."""
    if not ask.cents:
        raise Refused(Reason.NOTHING_TO_CORRECT, CONDITIONS)
    if ask.coup > table.coup_number:
        raise Refused(Reason.NO_SUCH_COUP, CONDITIONS, coup=ask.coup)
    bettors = {line.wager.by for record in table.coups for line in record.lines}
    if ask.person not in {*table.places, *table.chips, *bettors}:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=ask.person)
    return [
        events.PaymentCorrected(ask.person, ask.cents, ask.coup, ask.note, clauses=(CONDITIONS,))
    ]


DECIDE: Decides = {
    c.VoidEarlier: void_earlier,
    c.CorrectCard: correct_card,
    c.CorrectPayment: correct_payment,
}
