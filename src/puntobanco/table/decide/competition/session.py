"""A session: equal chips for all, what follows each coup, limits that rise."""

from functools import reduce

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.irregularities import Verdict
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.decide.competition.order import move_puck
from puntobanco.table.decide.competition.presence import absences
from puntobanco.table.decide.competition.removal import eliminations
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.competition import as_clauses, check_contest, rules_of
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Table


def check_ready(table: Table) -> None:
    """Everyone has an equal allotment before the first coup [tas-2018:16.4.2]."""
    if table.is_contest and not table.contest.allotted:
        raise Refused(Reason.NOT_ALLOTTED, rules_of(table).allotment)


def allot_chips(table: Table, _ask: c.AllotChips, _by: Actor) -> list[TableEvent]:
    """Every player gets the same, once [tas-2018:16.4.2]."""
    check_contest(table)
    rules, conditions = rules_of(table), table.conditions
    assert conditions is not None
    if not table.seated:
        raise Refused(Reason.NOBODY_TO_ALLOT_TO, rules.allotment)
    if table.contest.allotted:
        raise Refused(Reason.CHIPS_ARE_ALLOTTED, rules.allotment)
    people = tuple(table.seated.values())
    return [events.ChipsAllotted(conditions.allotment_cents, people, clauses=(rules.allotment,))]


def after_coup(table: Table, ended: events.CoupEnded) -> list[TableEvent]:
    """Absences are paid for, players below the minimum are out, and the puck moves on.

    Not after a void coup; a non-betting one moves the puck and takes nothing from the absent
    [tas-2018:16.3.6(a), 16.5.5, 16.5.9].
    """
    if not table.is_contest:
        return []
    coup = live(table)
    out: list[TableEvent] = []
    if coup.verdict is Verdict.STANDS and coup.takes_wagers:
        out += absences(table)
    now = reduce(evolve, [ended, *out], table)
    out += eliminations(now)
    if coup.verdict is Verdict.STANDS:
        out += move_puck(reduce(evolve, [ended, *out], table))
    return out


def raise_limits(table: Table, _ask: c.RaiseLimits, _by: Actor) -> list[TableEvent]:
    """To values announced beforehand, once the indicator card has come out and the coup is
    over; whoever cannot make the new minimum is out [tas-2018:16.5.3, 16.5.9].
    """
    check_contest(table)
    rules, conditions, notice = rules_of(table), table.conditions, table.terms.notice
    assert conditions is not None
    if conditions.raised_limits in (None, notice.limits):
        raise Refused(Reason.LIMITS_NOT_ANNOUNCED, rules.limits_rise or CONDITIONS)
    assert conditions.raised_limits is not None
    if not table.contest.indicator_out:
        raise Refused(Reason.NO_INDICATOR, rules.limits_rise or CONDITIONS)
    raised = replace(notice, limits=conditions.raised_limits)
    changed = events.NoticeChanged(raised, ("limits",), clauses=as_clauses(rules.limits_rise))
    return [changed, *eliminations(evolve(table, changed))]


DECIDE: Decides = {c.AllotChips: allot_chips, c.RaiseLimits: raise_limits}
