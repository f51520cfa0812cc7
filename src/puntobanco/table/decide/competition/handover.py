"""A session that goes on at another table as it stands: chips, puck, allowances, coups played."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.competition_terms import SessionStanding
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.competition import (
    check_contest,
    coup_of_session,
    is_cash,
    rules_of,
)
from puntobanco.table.state import Table


def session_standing(table: Table) -> SessionStanding:
    """A session between two coups, whole. A shoe that is not finished is not played on."""
    contest, session, notice = table.contest, table.session, table.terms.notice
    assert session is not None
    finished = table.shoe_number - contest.shoe_before - (table.shoe is not None)
    return SessionStanding(
        contest.continued or session.id,
        contest.drawn,
        {person: table.chips.get(person, 0) for person in table.places},
        notice.limits,
        notice.tie_limits,
        contest.puck,
        contest.first_seat,
        contest.starts_ms,
        contest.coups,
        coup_of_session(table),
        max(0, finished),
        contest.to_play,
        contest.last,
        contest.continued,
        tuple(sorted(contest.expected)),
        tuple(sorted(contest.absent)),
        tuple(sorted(contest.directed)),
        tuple(sorted(contest.hiding)),
        tuple(sorted(contest.order_warned)),
        contest.late,
        contest.substitutes,
        contest.out,
        contest.left_over,
        contest.gone,
        contest.secrets_left,
        contest.indicator_out,
        tuple(wager for wager in contest.rides if wager.by in table.places),
    )


def hand_over_session(table: Table, ask: c.HandOverSession, _by: Actor) -> list[TableEvent]:
    """A stopped table's session leaves it; chips worth money stay where they were bought."""
    check_contest(table)
    if not table.contest.allotted or table.session is None:
        raise Refused(Reason.NOT_ALLOTTED, rules_of(table).allotment)
    if is_cash(table):
        raise Refused(Reason.SESSION_STAYS, CONDITIONS)
    standing = session_standing(table)
    return [events.SessionHandedOver(ask.to, standing, ask.row, clauses=(CONDITIONS,))]


def take_over_session(table: Table, ask: c.TakeOverSession, _by: Actor) -> list[TableEvent]:
    """It goes on with the chips, the puck, the allowances and the limits as they were."""
    check_contest(table)
    standing, rules = ask.standing, rules_of(table)
    if table.session is None or table.session.id != standing.session:
        raise Refused(Reason.NO_SESSION, CONDITIONS)
    if table.contest.allotted:
        raise Refused(Reason.SESSION_HAS_BEGUN, rules.allotment)
    if any(seat > table.terms.notice.seats for seat in standing.seats):
        clause = rules.own_position or CONDITIONS
        raise Refused(Reason.SEATS_DO_NOT_FIT, clause, seats=table.terms.notice.seats)
    taken: list[TableEvent] = [events.SessionTakenOver(standing, ask.row, clauses=(CONDITIONS,))]
    notice = table.terms.notice
    wanted = {"limits": standing.limits, "tie_limits": standing.tie_limits}
    other = tuple(name for name, limits in wanted.items() if getattr(notice, name) != limits)
    if other:
        changed = replace(notice, **wanted)
        taken.append(events.NoticeChanged(changed, other, clauses=(CONDITIONS,)))
    return taken


DECIDE: Decides = {
    c.HandOverSession: hand_over_session,
    c.TakeOverSession: take_over_session,
}
