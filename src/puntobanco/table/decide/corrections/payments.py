"""A payment put right."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.state import Table


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


DECIDE: Decides = {c.CorrectPayment: correct_payment}
