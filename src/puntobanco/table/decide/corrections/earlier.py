"""A coup that is over: its record, whether the next has begun, and an error found after that."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Coup, Laid, Side
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, Verdict, rule_on
from puntobanco.rules.notice import Terms
from puntobanco.rules.shoe import new_shoe
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.decide.corrections.next_coup import voided
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.state import Table

OTHER = {Side.PLAYER: Laid.BANKER, Side.BANKER: Laid.PLAYER}


def record_of(table: Table, number: int, older: CoupRecord | None) -> CoupRecord:
    """An earlier coup: of the current shoe, or as it came with the command."""
    for record in table.coups:
        if record.number == number:
            return record
    if older is None or older.number != number or older.digest != table.past.get(number):
        raise Refused(Reason.NO_SUCH_COUP, CONDITIONS, coup=number)
    return older


def check_at_hand(table: Table, number: int, clause: str = CONDITIONS) -> None:
    """Refuse a coup that was played before the table was opened again, or in a competition's
    session whose table is closed: its result is the competition's then. Play chips have gone
    back by then.
    """
    if table.notice is None:
        raise Refused(Reason.NO_SUCH_COUP, CONDITIONS, coup=number)
    if 0 < number <= table.coups_before:
        raise Refused(Reason.EARLIER_OPENING, clause, coup=number)
    if table.is_contest and not table.is_open:
        raise Refused(Reason.SESSION_IS_CLOSED, CONDITIONS, coup=number)
    if table.play_cents and not table.is_open:
        raise Refused(Reason.OTHER_CHIPS, CONDITIONS, coup=number)


def void_earlier(table: Table, ask: c.VoidEarlier, _by: Actor) -> list[TableEvent]:
    """An error of card placement found after the next round began, or what the operator learns
    of a coup that is over: the game was disrupted, or somebody's fraud affected it
    [act-2015:14.1, 14.3].

    For an error that round is void whether or not its result would change, its transfers alone
    are undone, and later ones stand as they were played [act-2015:12.5]; other documents let it
    stand, and the error is on record.
    """
    record = record_of(table, ask.coup, ask.older)
    terms = table.terms_under(record.notice)
    policy = terms.rules.irregularities.found_after_next_began
    if record.verdict is Verdict.VOID:
        raise Refused(Reason.COUP_IS_VOID, CONDITIONS, coup=record.number)
    if ask.cause != "placement":
        clause: str = getattr(terms.rules.irregularities, ask.cause)
        return voided(table, record, (clause,), ask.note, terms)
    if not next_began(table, record.number):
        raise Refused(Reason.NOTICED_IN_TIME, policy.clause, coup=record.number)
    coup = _as_found(record, ask.position, terms)
    ruling = rule_on(Found.FOUND_LATE, coup, new_shoe(terms), terms)
    if not ruling.clauses:
        raise Refused(Reason.NO_ERROR, policy.clause)
    return found_late(table, record, ruling.verdict, ruling.clauses, ask.note, terms)


def found_late(
    table: Table,
    record: CoupRecord,
    verdict: Verdict,
    clauses: tuple[str, ...],
    note: str,
    terms: Terms,
) -> list[TableEvent]:
    if verdict is not Verdict.VOID:
        noted = events.ErrorNoted(record.number, note, clauses=clauses)
        return [noted, events.RecordReplaced(record, clauses=clauses)]
    return voided(table, record, clauses, note, terms)


def next_began(table: Table, number: int) -> bool:
    """Has the next coup begun: with its first card, or with the call for bets [mbs-2017:5.2]?

    A change of shoe is no coup.
    """
    if table.terms.rules.irregularities.next_begins == "place-your-bets":
        return table.coup_number > number
    later = [record.number for record in table.coups if record.drawn]
    later += table.past
    if table.coup is not None and table.coup.drawn:
        later.append(table.coup.number)
    return any(other > number for other in later)


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


DECIDE: Decides = {c.VoidEarlier: void_earlier}
