"""Who is there: absence, and what it costs."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.competition import as_clauses, check_contest, rules_of
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Table


def mark_absent(table: Table, ask: c.MarkAbsent, _by: Actor) -> list[TableEvent]:
    check_contest(table)
    if ask.person not in table.places:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=ask.person)
    clauses = as_clauses(rules_of(table).absent)
    return [events.AbsenceMarked(ask.person, ask.absent, clauses=clauses)]


def absences(table: Table) -> list[TableEvent]:
    rules, conditions = rules_of(table), table.conditions
    assert conditions is not None
    if not rules.absent or conditions.chips != "competition":
        return []
    least = table.terms.notice.limits.min_cents
    bettors = {line.wager.by for line in live(table).lines}
    return [
        events.AbsenceDeducted(person, min(least, held), clauses=(rules.absent,))
        for person in table.seated.values()
        if person in table.contest.absent
        and person not in bettors
        and (held := table.chips.get(person, 0)) > 0
    ]


DECIDE: Decides = {c.MarkAbsent: mark_absent}
