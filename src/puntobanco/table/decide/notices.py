"""Changes to the table notice while the table is open."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import ChangeRule
from puntobanco.rules.notice import post
from puntobanco.rules.settle import check_payouts
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.authority import subject
from puntobanco.table.decide.people import check_at_table
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.notice import MINUTE_MS, changes_to, due_ms, posted_change
from puntobanco.table.state import Posted, Table


def post_change(table: Table, ask: c.PostChange, by: Actor) -> list[TableEvent]:
    """Display a change before it holds: of limits [tas-2018:7.6, act-2015:3.1], of the table
    differential [act-2015:3.7], of the method of settlement [act-2015:8.3].
    """
    if table.contest.drawn:
        rules = table.terms.rules.competition
        raise Refused(Reason.SESSION_FIXES_LIMITS, rules.limits_rise or rules.same_limits)
    changes = list(changes_to(table, ask.notice))
    check_payouts(post(ask.notice, table.terms.rules))
    clauses = tuple(dict.fromkeys(rule.notice_clause or rule.clause for _, rule in changes))
    return [
        events.ChangePosted(ask.notice, by.at_ms, ask.from_ms, table.utc_minutes, clauses=clauses)
    ]


def consent_to_change(table: Table, ask: c.ConsentToChange, by: Actor) -> list[TableEvent]:
    """A player at the table, seated or standing, agrees [tas-2018:7.6(a)]."""
    person = subject(ask, by)
    posted = posted_change(table)
    check_at_table(table, person)
    clauses = tuple(
        dict.fromkeys(
            rule.consent_clause
            for _, rule in changes_to(table, posted.notice)
            if rule.consent_clause
        )
    )
    return [events.ChangeConsented(person, clauses=clauses)]


def apply_change(table: Table, _ask: c.ApplyChange, by: Actor) -> list[TableEvent]:
    """The change holds from now on, never within a coup [act-2015:8.1]."""
    posted = posted_change(table)
    fields, clauses = [], []
    for field, rule in changes_to(table, posted.notice):
        fields.append(field)
        clauses += [rule.clause, _met(table, rule, posted, by)]
    cited = tuple(dict.fromkeys(clauses))
    return [events.NoticeChanged(posted.notice, tuple(fields), clauses=cited)]


def _met(table: Table, rule: ChangeRule, posted: Posted, by: Actor) -> str:
    """The clause that lets it hold now: consent of all at the table, or the notice."""
    missing = [person for person in table.places if person not in posted.consents]
    consented = rule.consent_clause and not missing
    due = 0 if consented else due_ms(rule, posted)  # the time posted is that of the notice
    if by.at_ms < due:
        wait = -(-(due - by.at_ms) // MINUTE_MS)
        raise Refused(
            Reason.CHANGE_TOO_EARLY,
            rule.notice_clause or rule.clause,
            minutes=wait,
            missing=", ".join(missing) or "nobody",
        )
    return rule.consent_clause if consented else rule.notice_clause or rule.clause


def drop_change(table: Table, _ask: c.DropChange, _by: Actor) -> list[TableEvent]:
    posted_change(table)
    return [events.ChangeDropped()]


DECIDE: Decides = {
    c.PostChange: post_change,
    c.ConsentToChange: consent_to_change,
    c.ApplyChange: apply_change,
    c.DropChange: drop_change,
}
