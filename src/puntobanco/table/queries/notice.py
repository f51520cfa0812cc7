"""A change of the notice that is posted, and when it may hold."""

from collections.abc import Iterator

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS, ChangeRule
from puntobanco.rules.notice import Notice
from puntobanco.table.state import Posted, Table

MINUTE_MS = 60_000


def changes_to(table: Table, notice: Notice) -> Iterator[tuple[str, ChangeRule]]:
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


def posted_change(table: Table) -> Posted:
    if table.posted is None:
        raise Refused(Reason.NO_CHANGE_POSTED, CONDITIONS)
    return table.posted


def due_ms(rule: ChangeRule, posted: Posted) -> int:
    """From when a posted change may hold: not before its time nor before its notice is up."""
    if rule.notice_minutes is None:
        return max(posted.from_ms, posted.shown_ms)
    # Where no length is laid down, notice is still something given beforehand.
    notice_ms = max(rule.notice_minutes * MINUTE_MS, 1)
    return max(posted.from_ms, posted.shown_ms + notice_ms)


def change_due_ms(table: Table) -> int:
    """When all of the posted change may hold, without anyone's consent."""
    posted = posted_change(table)
    return max(due_ms(rule, posted) for _, rule in changes_to(table, posted.notice))


def notice_clauses(table: Table) -> tuple[str, ...]:
    """The clauses that want notice of what is posted."""
    rules = [rule for _, rule in changes_to(table, posted_change(table).notice)]
    return tuple(dict.fromkeys(rule.notice_clause or rule.clause for rule in rules))
