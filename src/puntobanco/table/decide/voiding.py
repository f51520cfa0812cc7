"""Voids: a coup in play, or one that is over; what was paid goes back."""

from collections.abc import Iterable

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.notice import Terms
from puntobanco.rules.settle import Line, Outcome, Settlement, reverse
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.decide.competition.secrets import lapsed
from puntobanco.table.decide.settling import return_wagers
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.coup import live, void_line
from puntobanco.table.state import Table


def reversals(
    number: int, lines: Iterable[Line], clauses: tuple[str, ...], terms: Terms
) -> list[TableEvent]:
    """Undo what has been settled of a coup: every stake and payment goes back."""
    undone = reverse(Settlement(tuple(lines)), clauses, terms)
    return [
        events.TransferReversed(
            number, reversal.wager, reversal.to_owner_cents, clauses=reversal.clauses
        )
        for reversal in undone
    ]


def void(table: Table, cause: str, clauses: tuple[str, ...], note: str = "") -> list[TableEvent]:
    """No winner: what was paid or taken goes back, and so does what lies on the layout, as if
    the coup had never been [act-2015:d.void, tas-2018:14.5-14.6, mbs-2017:5.1.1].
    """
    coup = live(table)
    meaning = table.terms.rules.settlement.void
    cited = (*clauses, meaning) if meaning else clauses
    return [
        events.CoupVoided(coup.number, cause, note, clauses=cited),
        *reversals(coup.number, coup.lines, clauses, table.terms),
        *return_wagers(table, clauses),
        *lapsed(table, coup.number, clauses),
    ]


def void_record(
    record: CoupRecord, clauses: tuple[str, ...], note: str, terms: Terms
) -> list[TableEvent]:
    """The same for a coup that is over; its record stays, as that of a void coup."""
    lines = tuple(void_line(line, clauses) for line in record.lines)
    void_one = replace(record, verdict=Verdict.VOID, result=None, lines=lines)
    in_play = tuple(line.wager for line in record.lines if line.outcome is not Outcome.VOID)
    return [
        events.EarlierCoupVoided(record.number, note, in_play, clauses=clauses),
        *reversals(record.number, record.lines, clauses, terms),
        events.RecordReplaced(void_one, clauses=clauses),
    ]


def void_coup(table: Table, ask: c.VoidCoup, _by: Actor) -> list[TableEvent]:
    """The operator voids a round: disrupted [act-2015:14.1], impractical to go on with, or
    touched by fraud [act-2015:14.3].
    """
    coup, rules = live(table), table.terms.rules.irregularities
    clause: str = getattr(rules, ask.cause)
    if coup.verdict is Verdict.VOID:
        raise Refused(Reason.COUP_IS_VOID, clause, coup=coup.number)
    return void(table, ask.cause, (clause,), ask.note)


DECIDE: Decides = {c.VoidCoup: void_coup}
