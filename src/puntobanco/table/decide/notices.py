"""Changes to the table notice while the table is open."""

from collections.abc import Iterator

from puntobanco.errors import Reason, Refused
from puntobanco.rules.notice import Notice, post
from puntobanco.rules.ruleset import CONDITIONS, Change
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.authority import subject
from puntobanco.table.decide.people import check_at_table
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.state import Posted, Table

MINUTE_MS = 60_000


def post_change(table: Table, ask: c.PostChange, by: Actor) -> list[TableEvent]:
    """Display a change before it holds: of limits [tas-2018:7.6, act-2015:3.1], of the table
    differential [act-2015:3.7], of the method of settlement [act-2015:8.3].
    """
    changes = list(_changes(table, ask.notice))
    post(ask.notice, table.terms.rules)
    clauses = tuple(dict.fromkeys(rule.notice_clause or rule.clause for _, rule in changes))
    return [events.ChangePosted(ask.notice, by.at_ms, ask.from_ms, clauses=clauses)]


def _changes(table: Table, notice: Notice) -> Iterator[tuple[str, Change]]:
    """Every field that would differ, with the rule that lets it; the rest is fixed."""
    was = table.terms.notice
    fields = [
        field for field in notice.__struct_fields__ if getattr(was, field) != getattr(notice, field)
    ]
    if not fields:
        raise Refused(Reason.NOTHING_CHANGES, CONDITIONS)
    rules = {field: rule for rule in table.terms.rules.changes for field in rule.fields}
    for field in fields:
        if field not in rules:
            clause = table.terms.rules.settlement.method_clause
            cited = clause if field == "method" else CONDITIONS
            raise Refused(Reason.CHANGE_FIXED, cited, field=field, allowed=", ".join(rules))
        yield field, rules[field]


def consent_to_change(table: Table, ask: c.ConsentToChange, by: Actor) -> list[TableEvent]:
    """A player at the table, seated or standing, agrees [tas-2018:7.6(a)]."""
    person = subject(ask, by)
    posted = _posted(table)
    check_at_table(table, person)
    clauses = tuple(
        dict.fromkeys(
            rule.consent_clause for _, rule in _changes(table, posted.notice) if rule.consent_clause
        )
    )
    return [events.ChangeConsented(person, clauses=clauses)]


def _posted(table: Table) -> Posted:
    if table.posted is None:
        raise Refused(Reason.NO_CHANGE_POSTED, CONDITIONS)
    return table.posted


def apply_change(table: Table, _ask: c.ApplyChange, by: Actor) -> list[TableEvent]:
    """The change holds from now on, never within a coup [act-2015:8.1]."""
    posted = _posted(table)
    fields, clauses = [], []
    for field, rule in _changes(table, posted.notice):
        fields.append(field)
        clauses += [rule.clause, _met(table, rule, posted, by)]
    cited = tuple(dict.fromkeys(clauses))
    return [events.NoticeChanged(posted.notice, tuple(fields), clauses=cited)]


def due_ms(rule: Change, posted: Posted) -> int:
    """From when a posted change may hold: not before its time nor before its notice is up."""
    if rule.notice_minutes is None:
        return max(posted.from_ms, posted.shown_ms)
    # Where no length is laid down, notice is still something given beforehand.
    notice_ms = max(rule.notice_minutes * MINUTE_MS, 1)
    return max(posted.from_ms, posted.shown_ms + notice_ms)


def change_due_ms(table: Table) -> int:
    """When all of the posted change may hold, without anyone's consent."""
    posted = _posted(table)
    return max(due_ms(rule, posted) for _, rule in _changes(table, posted.notice))


def notice_clauses(table: Table) -> tuple[str, ...]:
    """The clauses that want notice of what is posted."""
    rules = [rule for _, rule in _changes(table, _posted(table).notice)]
    return tuple(dict.fromkeys(rule.notice_clause or rule.clause for rule in rules))


def _met(table: Table, rule: Change, posted: Posted, by: Actor) -> str:
    """The clause that lets it hold now: consent of all at the table, or the notice."""
    missing = [person for person in table.places if person not in posted.consents]
    consented = rule.consent_clause and not missing
    due = posted.from_ms if consented else due_ms(rule, posted)
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
    _posted(table)
    return [events.ChangeDropped()]


DECIDE: Decides = {
    c.PostChange: post_change,
    c.ConsentToChange: consent_to_change,
    c.ApplyChange: apply_change,
    c.DropChange: drop_change,
}
