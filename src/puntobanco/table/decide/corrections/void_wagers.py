"""The wagers of a person who broke a rule, void in a coup in play or in one that is over."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.decide.competition.secrets import lapsed
from puntobanco.table.decide.corrections.earlier import record_of
from puntobanco.table.decide.settling import return_wagers, warnings_withdrawn
from puntobanco.table.decide.voiding import reversals
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.coup import void_line
from puntobanco.table.state import LiveCoup, Table


def void_wagers(table: Table, ask: c.VoidWagers, _by: Actor) -> list[TableEvent]:
    """Their wagers alone go back; the coup stands for everybody else [act-2015:14.2(a)]."""
    coup, clause = table.coup, table.terms.rules.people.wager_void
    if coup is not None and ask.coup in (None, coup.number):
        done = _of_live(table, coup, clause, ask.person)
    elif ask.coup is not None:
        done = _of_record(table, ask.coup, clause, ask)
    else:
        done = []
    if not done:
        raise Refused(Reason.NO_WAGERS_OF_THEIRS, clause, person=ask.person)
    breach = events.IncidentRecorded("wagers-void", ask.note, (ask.person,), clauses=(clause,))
    return [breach, *done]


def _of_live(table: Table, coup: LiveCoup, clause: str, person: str) -> list[TableEvent]:
    theirs = [line for line in coup.lines if line.wager.by == person]
    undone = [
        events.TransferReversed(
            coup.number, line.wager, line.collected_cents - line.won_cents, clauses=(clause,)
        )
        for line in theirs
        if line.outcome is not Outcome.VOID
    ]
    others = [line for line in coup.lines if line not in theirs]
    untold = warnings_withdrawn(table, coup.number, theirs, others)
    forms = lapsed(table, coup.number, (clause,), person)
    return [*undone, *untold, *return_wagers(table, (clause,), person), *forms]


def _of_record(table: Table, number: int, clause: str, ask: c.VoidWagers) -> list[TableEvent]:
    record = record_of(table, number, ask.older)
    terms = table.terms_under(record.notice)
    theirs = [line for line in record.lines if line.wager.by == ask.person]
    undone = reversals(number, theirs, (clause,), terms)
    forms = lapsed(table, number, (clause,), ask.person)
    if not forms and all(line.outcome is Outcome.VOID for line in theirs):
        return []  # what moved nothing, as on a tie, is void all the same
    lines = tuple(void_line(line, (clause,)) if line in theirs else line for line in record.lines)
    kept = replace(record, lines=lines)
    untold = warnings_withdrawn(table, number, record.lines, lines)
    return [*undone, *untold, events.RecordReplaced(kept, clauses=(clause,)), *forms]


DECIDE: Decides = {c.VoidWagers: void_wagers}
