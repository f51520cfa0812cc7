"""A payment put right."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.settle import most_paid_cents
from puntobanco.rules.wagers import Wager
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.people import ever_here
from puntobanco.table.state import Table
from puntobanco.words import money


def correct_payment(table: Table, ask: c.CorrectPayment, _by: Actor) -> list[TableEvent]:
    """A payment was wrong, not a card: the difference moves now, and both are on record.

    Of a coup before the table was opened again all that is put right is put right so: who was
    here then is no longer at hand, and two people answer for it.
    """
    if not ask.cents:
        raise Refused(Reason.NOTHING_TO_CORRECT, CONDITIONS)
    if ask.coup > table.coup_number:
        raise Refused(Reason.NO_SUCH_COUP, CONDITIONS, coup=ask.coup)
    _check_same_chips(table, ask.coup)
    if ask.coup > table.coups_before and ask.person not in ever_here(table):
        raise Refused(Reason.NEVER_HERE, CONDITIONS, person=ask.person)
    if table.plays_for_chips:
        _check_chips_make_it(table, ask)
    return [
        events.PaymentCorrected(ask.person, ask.cents, ask.coup, ask.note, clauses=(CONDITIONS,))
    ]


def _check_chips_make_it(table: Table, ask: c.CorrectPayment) -> None:
    """Chips worth no money stand for themselves alone: none is cut, and nobody owes any."""
    chip, has = table.terms.notice.chip_cents, table.chips.get(ask.person, 0)
    if ask.cents % chip:
        facts = {"amount": money(ask.cents), "chip": money(chip)}
        raise Refused(Reason.NOT_IN_WHOLE_CHIPS, CONDITIONS, **facts)
    if ask.cents < 0 and has + ask.cents < 0:
        facts = {"person": ask.person, "amount": money(-ask.cents), "has": money(has)}
        raise Refused(Reason.NOT_THERE_TO_TAKE, CONDITIONS, **facts)


def exceeds_wagers(table: Table, ask: c.TableCommand) -> bool:
    """Does a correction bring more than the person's wagers on that coup, as they are on record,
    could have brought: in payments put right, all of them together, or by a wager that is put on
    record, or as a larger one? Also where nobody can say so, for the record is no longer at hand,
    or it is of a competition's chips, however they came about.
    """
    match ask:
        case c.CorrectChips() | c.Reinstate():
            return True
        case c.CorrectPayment():
            so_far = table.put_right.get(ask.coup, {}).get(ask.person, 0)
            return abs(so_far + ask.cents) > _most_brought(table, ask)
        case c.CorrectWager():
            laid = {(one.box, one.on): one.cents for one in _wagers_of(table, ask) or ()}
            return ask.cents > laid.get((ask.box, ask.on), 0)
        case _:
            return False


def _wagers_of(table: Table, ask: c.CorrectPayment | c.CorrectWager) -> list[Wager] | None:
    """The person's wagers on the coup; None where its record is not at hand."""
    coup = table.coup
    if coup is not None and coup.number == ask.coup:
        found = [*coup.wagers, *(line.wager for line in coup.lines)]
    else:
        older = ask.older if isinstance(ask, c.CorrectWager) else None
        record = next((one for one in table.coups if one.number == ask.coup), older)
        if record is None or table.notice is None:
            return None
        found = [line.wager for line in record.lines]
    return [one for one in found if one.by == ask.person]


def _most_brought(table: Table, ask: c.CorrectPayment) -> int:
    """The most that the person's wagers could have brought; less than nothing: nobody can say."""
    wagers = _wagers_of(table, ask)
    if wagers is None:
        return -1
    record = next((one for one in table.coups if one.number == ask.coup), None)
    terms = table.terms if record is None else table.terms_under(record.notice)
    laid = {(one.box, one.on): one.cents for one in wagers}
    return sum(most_paid_cents(on, cents, terms) for (_, on), cents in laid.items())


def _check_same_chips(table: Table, number: int) -> None:
    """Refuse money for a competition's chips, and the other way; a session's go back when it is
    closed.
    """
    closed = any(first <= number <= last for first, last in table.chip_coups)
    now = table.plays_for_chips
    if closed or (now and (not table.is_open or number <= table.coups_before)):
        raise Refused(Reason.OTHER_CHIPS, CONDITIONS, coup=number)


DECIDE: Decides = {c.CorrectPayment: correct_payment}
