"""Taking back what was directed, reported or declared by mistake.

Nothing is edited: what the step did is undone by events of its own, and a coup that was declared
void is played from the facts that are on record of it.
"""

from collections.abc import Callable
from functools import reduce

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.settle import Line, Outcome, settle
from puntobanco.rules.wagers import Wager, take
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.decide.corrections.earlier import check_at_hand, record_of
from puntobanco.table.decide.corrections.next_coup import left_again
from puntobanco.table.decide.corrections.wagers import lines_then, settled_now
from puntobanco.table.decide.dealing import after_card
from puntobanco.table.decide.settling import settled, warnings
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.between import drawn_after, is_to_come
from puntobanco.table.queries.clocks import closing_clauses
from puntobanco.table.queries.coup import at_close, is_same
from puntobanco.table.queries.shoe import is_over
from puntobanco.table.state import Life, LiveCoup, Table


def take_back(table: Table, ask: c.TakeBack, _by: Actor) -> list[TableEvent]:
    """What stands in the way by mistake is out of it, on two people's word and for a reason."""
    return WAYS[ask.what](table, ask)


def _nothing(ask: c.TakeBack, clause: str = CONDITIONS) -> Refused:
    return Refused(Reason.NOTHING_TO_TAKE_BACK, clause, what=ask.what)


def _no_bet_coup(table: Table, ask: c.TakeBack) -> list[TableEvent]:
    """The coup takes wagers: nobody had asked for another, or not all had agreed [act-2015:4.7].
    Once it has a card, wagers that lay are put on record instead.
    """
    coup = table.coup
    rule = table.terms.rules.wagers.no_bet_coups if table.notice else None
    waits = coup is not None and coup.kind is CoupKind.NO_BET and is_to_come(table)
    if rule is None or not (table.no_bet.directed or waits):
        raise _nothing(ask, rule.clause if rule else CONDITIONS)
    return [events.TakenBack(ask.what, ask.note, clauses=(rule.clause,))]


def _touched(table: Table, ask: c.TakeBack) -> list[TableEvent]:
    """The set need not be replaced, unless others handled it [tas-2018:4.4]. One that has been
    replaced stays so.
    """
    pack = table.pack
    rule = table.terms.rules.cards.handled_replaced if table.notice else None
    clause = rule.clause if rule else CONDITIONS
    meant = [who for who in pack.touched if ask.person in ("", who)]
    if not meant or pack.life is Life.NONE:
        raise _nothing(ask, clause)
    return [events.TakenBack(ask.what, ask.note, person=ask.person, clauses=(clause,))]


def _end_shoe(table: Table, ask: c.TakeBack) -> list[TableEvent]:
    """The cards are in the shoe as they were: nobody has checked, shuffled or shown them since."""
    clause = table.terms.rules.shoe.last_coup.clause if table.notice else CONDITIONS
    if table.ended_shoe is None or not table.is_open:
        raise _nothing(ask, clause)
    return [events.TakenBack(ask.what, ask.note, clauses=(clause,))]


def _close_table(table: Table, ask: c.TakeBack) -> list[TableEvent]:
    """The wrong table was closed: it is open as it was, until the next gaming day, and where nobody
    has touched the cards since, its shoe is too [act-2015:13.2, tas-2018:4.3]. Competition and
    play chips have gone back with the closing.
    """
    if table.is_contest:
        raise Refused(Reason.NOT_IN_A_COMPETITION, CONDITIONS)
    if table.closed is None or table.play_cents:
        raise _nothing(ask)
    clauses = closing_clauses(table) or (CONDITIONS,)
    done: list[TableEvent] = [events.TakenBack(ask.what, ask.note, clauses=clauses)]
    ended = table.ended_shoe
    if ended is not None and not is_over(replace(table, shoe=ended.shoe)):
        clause = table.terms.rules.shoe.last_coup.clause
        done.append(events.TakenBack("end-shoe", ask.note, clauses=(clause,)))
    return done


def _closing_notice(table: Table, ask: c.TakeBack) -> list[TableEvent]:
    """The table does not close: no page says so any more [act-2015:13.2]."""
    clauses = (closing_clauses(table) if table.is_open else ()) or (CONDITIONS,)
    if table.closing_ms is None:
        raise _nothing(ask, clauses[0])
    return [events.TakenBack(ask.what, ask.note, clauses=clauses)]


def _void(table: Table, ask: c.TakeBack) -> list[TableEvent]:
    """The coup was not to be void: it goes on, or is settled by the cards that were dealt."""
    coup = table.coup
    if table.is_contest:  # forms have lapsed, and players may be out of it since
        raise Refused(Reason.NOT_IN_A_COMPETITION, CONDITIONS)
    if coup is not None and ask.coup in (None, coup.number):
        return _of_live(table, coup, ask)
    number = ask.coup or table.coup_number
    check_at_hand(table, number)
    return _of_record(table, number, ask)


def _of_live(table: Table, coup: LiveCoup, ask: c.TakeBack) -> list[TableEvent]:
    """Wagers lie again as they did, what was paid is paid anew, and play goes on from there."""
    clause = table.terms.rules.settlement.void or CONDITIONS
    if coup.verdict is not Verdict.VOID:
        raise _nothing(ask, clause)
    if drawn_after(table, coup.number):
        raise Refused(Reason.VOID_STAYS, clause, coup=coup.number)
    done: list[TableEvent] = [
        events.TakenBack(ask.what, ask.note, coup.number, clauses=(clause,)),
        events.CoupReopened(coup.number, table.voids.get(coup.number, ()), clauses=(clause,)),
    ]
    after = reduce(evolve, done, table)
    return [*done, *(after_card(after) if coup.drawn else ())]


def _of_record(table: Table, number: int, ask: c.TakeBack) -> list[TableEvent]:
    """Settled by its cards, by the warnings and agreed limits of that coup; one that lacks a card
    stays void, for none can be dealt to it.
    """
    record = record_of(table, number, ask.older)
    terms, wagers = table.terms_under(record.notice), table.voids.get(number)
    clause = terms.rules.settlement.void or CONDITIONS
    if record.verdict is not Verdict.VOID:
        raise _nothing(ask, clause)
    hands = fold(record.drawn, terms.rules.tableau)
    if hands.result is None or wagers is None or (record.lines and not wagers):
        raise Refused(Reason.VOID_STAYS, clause, coup=number)
    held = at_close(table, number)
    lines = settle(hands, take(wagers, terms, held.warned, held.individual), terms).lines
    others = tuple(line for line in record.lines if line.wager not in wagers)
    again = replace(record, verdict=Verdict.STANDS, result=hands.result, lines=(*lines, *others))
    done: list[TableEvent] = [
        events.TakenBack(ask.what, ask.note, number, clauses=(clause,)),
        *settled(number, lines),
        *warnings(table, lines),
        events.RecordReplaced(again, clauses=(clause,)),
    ]
    return [*done, *left_again(reduce(evolve, done, table), again, hands)]


def _wagers_void(table: Table, ask: c.TakeBack) -> list[TableEvent]:
    """One player's wagers count again, and are settled if the coup has been; what they laid
    instead of them meanwhile stays [act-2015:14.2(a)].
    """
    coup = table.coup
    if table.is_contest:
        raise Refused(Reason.NOT_IN_A_COMPETITION, CONDITIONS)
    live = coup is not None and ask.coup in (None, coup.number)
    number = ask.coup or table.coup_number
    check_at_hand(table, number)
    of = coup if live and coup is not None else record_of(table, number, ask.older)
    terms = table.terms if isinstance(of, LiveCoup) else table.terms_under(of.notice)
    clause = terms.rules.people.wager_void
    lying = of.wagers if isinstance(of, LiveCoup) else ()
    again = _void_lines(of.lines, lying, ask.person)
    if not again or of.verdict is Verdict.VOID:
        raise _nothing(ask, clause)
    done: list[TableEvent] = [
        events.TakenBack(ask.what, ask.note, number, ask.person, clauses=(clause,)),
        *(
            events.WagerCorrected(number, line.wager, None, ask.note, clauses=(clause,))
            for line in again
        ),
    ]
    if isinstance(of, LiveCoup):
        lines = [line for one in again for line in settled_now(table, of, one.wager)]
        return [*done, *settled(number, lines), *warnings(table, lines)]
    lines = [line for one in again for line in lines_then(table, of, one.wager, terms)]
    kept = [line for line in of.lines if line not in again]
    record = replace(of, lines=(*kept, *lines))
    replaced = events.RecordReplaced(record, clauses=(clause,))
    return [*done, *settled(number, lines), *warnings(table, lines), replaced]


def _void_lines(lines: tuple[Line, ...], lying: tuple[Wager, ...], person: str) -> list[Line]:
    """Their wagers that are void, and that they have not laid again."""
    standing = [*lying, *(line.wager for line in lines if line.outcome is not Outcome.VOID)]
    return [
        line
        for line in lines
        if line.wager.by == person
        and line.outcome is Outcome.VOID
        and not any(is_same(line.wager, other) for other in standing)
    ]


WAYS: dict[str, Callable[[Table, c.TakeBack], list[TableEvent]]] = {
    "no-bet-coup": _no_bet_coup,
    "touched": _touched,
    "end-shoe": _end_shoe,
    "close-table": _close_table,
    "closing-notice": _closing_notice,
    "void": _void,
    "wagers-void": _wagers_void,
}
DECIDE: Decides = {c.TakeBack: take_back}
