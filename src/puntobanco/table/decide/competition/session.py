"""A session: seats and equal chips for all, what follows each coup, and its end."""

from functools import reduce
from typing import Literal

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import points
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.irregularities import NextCoup, Verdict
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.decide.competition.order import move_puck, with_puck
from puntobanco.table.decide.competition.presence import absences, not_seated
from puntobanco.table.decide.competition.removal import eliminations
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.competition import (
    as_clauses,
    betting_order,
    check_awaited,
    check_contest,
    check_hiding,
    check_owed,
    coups_by_card,
    is_cash,
    rules_of,
)
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Table


def begin_session(table: Table, ask: c.BeginSession, _by: Actor) -> list[TableEvent]:
    """Everyone's seat as it was drawn, and the same chips before each, there or not; live chips
    are bought [tas-2018:16.4.2, act-2015:15.7, 15.4(d)].
    """
    check_contest(table)
    rules, conditions = rules_of(table), table.conditions
    assert conditions is not None
    if table.session is None:
        raise Refused(Reason.NO_SESSION, CONDITIONS)
    if table.contest.allotted:
        raise Refused(Reason.SESSION_HAS_BEGUN, rules.allotment)
    beyond = [seat for seat in ask.seats if seat > table.terms.notice.seats]
    if beyond or len({*ask.seats.values()}) < len(ask.seats):
        clause = rules.own_position or CONDITIONS
        raise Refused(Reason.SEATS_DO_NOT_FIT, clause, seats=table.terms.notice.seats)
    for person in ask.seats.values():
        if any(table.roles_of(person)):
            raise Refused(Reason.BANK_IS_THE_OPERATORS, table.terms.rules.table.bank, person=person)
    cents = 0 if is_cash(table) else conditions.allotment_cents
    clauses = tuple(dict.fromkeys((*as_clauses(rules.own_position), rules.allotment)))
    return [
        events.SessionBegan(
            ask.seats, cents, ask.row, ask.first_seat, ask.starts_ms, clauses=clauses
        )
    ]


def note_directors(table: Table, ask: c.NoteDirectors, _by: Actor) -> list[TableEvent]:
    """A director present at the competition is present at its tables [tas-2018:16.2.7]."""
    check_contest(table)
    return [events.DirectorsNoted(ask.people, ask.row, clauses=(rules_of(table).director,))]


def before_coup(table: Table) -> list[TableEvent]:
    """What a coup waits for, and who loses a place before it [tas-2018:16.3.2, 16.4.2].

    A coup that the session has no more room for is not opened.
    """
    if not table.is_contest:
        return []
    rules, contest = rules_of(table), table.contest
    if not contest.allotted:
        raise Refused(Reason.NOT_ALLOTTED, rules.allotment)
    if contest.paused:
        raise Refused(Reason.SESSION_PAUSED, rules.session.pause or CONDITIONS, why=contest.paused)
    if coups_by_card(table) and contest.to_play is None:
        raise Refused(Reason.COUPS_NOT_DRAWN, rules.ends.coups_by_card or CONDITIONS)
    check_awaited(table)
    check_hiding(table)
    check_owed(table)
    gone = with_puck(table, not_seated(table)) if table.session else []
    after = reduce(evolve, gone, table)
    out = eliminations(after)
    if out and len(out) == len(after.seated):
        return [*gone, *out, _ended(after, "all-out")]
    gone += with_puck(after, out)
    after = reduce(evolve, gone, table)
    if table.session and not betting_order(after) and table.next_kind is not NextCoup.NON_BETTING:
        raise Refused(Reason.NOBODY_PLAYS, rules.every_coup or CONDITIONS)
    return [*gone, *_last_by_count(after)]


def coups_in_all(table: Table) -> int | None:
    """How many coups the session has; None: something else ends it."""
    ends = table.session.ends if table.session else None
    return table.contest.to_play or (ends.coups if ends else None)


def _last_by_count(table: Table) -> list[TableEvent]:
    """The last coup of a session by coups is declared as it opens; of more rounds, each may be
    the last.
    """
    contest, most = table.contest, coups_in_all(table)
    if contest.last or most is None or contest.continued or contest.coups + 1 < most:
        return []
    return [events.LastCoupDeclared(clauses=as_clauses(rules_of(table).session.clause))]


def after_coup(table: Table, ended: events.CoupEnded) -> list[TableEvent]:
    """Absences are paid for, players below the minimum are out, and the puck moves on; or the
    session is over, and then nobody is eliminated.

    Not after a void coup; a non-betting one moves the puck and takes nothing from the absent
    [tas-2018:16.3.6(a), 16.5.5, 16.5.9].
    """
    if not table.is_contest or table.contest.over:
        return []
    coup = live(table)
    counts = coup.verdict is Verdict.STANDS and coup.takes_wagers
    out: list[TableEvent] = absences(table) if counts else []
    now = reduce(evolve, [ended, *out], table)
    if why := _over(now, counts=counts):
        return [*out, _ended(now, why)]
    gone = eliminations(now)
    if gone and len(gone) == len(now.seated):
        return [*out, *gone, _ended(now, "all-out")]
    out += gone
    if coup.verdict is Verdict.STANDS:
        out += move_puck(reduce(evolve, [ended, *out], table))
    elif gone:
        out = with_puck(evolve(table, ended), out)
    return out


Why = Literal["coups", "shoes", "last-coup", "time", "decided", "ruling", "all-out", "all-below"]


def _over(table: Table, *, counts: bool) -> Why | None:
    """Why the session is over with the coup that has just ended; None: it goes on."""
    session, contest, shoe = table.session, table.contest, table.shoe
    most = coups_in_all(table)
    if contest.continued:
        held = [table.chips.get(person, 0) for person in table.places]
        enough = counts and contest.coups >= (contest.to_play or 1)
        return "last-coup" if enough and len({*held}) > 1 else None
    if counts and most is not None and contest.coups >= most:
        return "coups"
    if counts and contest.last:
        return "last-coup"
    shoes = session.ends.shoes if session else None
    if shoes is None or shoe is None or table.shoe_number - contest.shoe_before < shoes:
        return None
    least = table.terms.rules.shoe.least_to_start.least
    finished = bool(shoe.ended) or shoe.left + len(table.carried) < least
    return "shoes" if finished else None


def _ended(table: Table, why: Why, row: int = 0) -> events.SessionEnded:
    clauses = as_clauses(rules_of(table).session.clause)
    return events.SessionEnded(why, table.contest.coups, row, clauses=clauses)


def declare_last_coup(table: Table, ask: c.DeclareLastCoup, _by: Actor) -> list[TableEvent]:
    """Before its betting opens, so that everyone knows [tas-2018:16.6.11]."""
    _check_session(table)
    if table.contest.last:
        raise Refused(Reason.LAST_COUP_DECLARED, rules_of(table).session.clause or CONDITIONS)
    return [events.LastCoupDeclared(ask.row, clauses=as_clauses(rules_of(table).session.clause))]


def end_session(table: Table, ask: c.EndSession, _by: Actor) -> list[TableEvent]:
    """The time is over, or who is through is decided [tas-2018:16.3.5]: a coup whose betting has
    opened is finished first.
    """
    _check_session(table)
    if table.coup is None:
        return [_ended(table, ask.why, ask.row)]
    if table.contest.last:
        raise Refused(Reason.LAST_COUP_DECLARED, rules_of(table).session.clause or CONDITIONS)
    return [events.LastCoupDeclared(ask.row, clauses=as_clauses(rules_of(table).session.clause))]


def continue_session(table: Table, ask: c.ContinueSession, _by: Actor) -> list[TableEvent]:
    """Those who are level play more rounds, with the chips they hold [act-2015:15.22]; where more
    than one group is level, those who sat out while the others played sit down again.
    """
    check_contest(table)
    rules = rules_of(table)
    again = set(ask.seats.values())
    missing = [
        person
        for person in ask.people
        if person not in table.places and not (person in again and person in table.chips)
    ]
    if missing:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=missing[0])
    clauses = as_clauses(rules.ends.equal_clause)
    rounds = ask.people, ask.session, ask.row, ask.coups, ask.seats
    return with_puck(table, [events.SessionContinued(*rounds, clauses=clauses)])


def pause_session(table: Table, ask: c.PauseSession, _by: Actor) -> list[TableEvent]:
    """A break, or a table that cannot go on [act-2015:15.18]; a coup in play is finished."""
    _check_session(table)
    clauses = as_clauses(rules_of(table).session.pause)
    return [
        events.SessionPaused(ask.why, ask.row, ask.until_ms, table.utc_minutes, clauses=clauses)
    ]


def resume_session(table: Table, ask: c.ResumeSession, _by: Actor) -> list[TableEvent]:
    _check_session(table)
    if not table.contest.paused:
        raise Refused(Reason.SESSION_NOT_PAUSED, CONDITIONS)
    return [events.SessionResumed(ask.row)]


def _check_session(table: Table) -> None:
    check_contest(table)
    if not table.contest.allotted:
        raise Refused(Reason.NOT_ALLOTTED, rules_of(table).allotment)


def draw_for_coups(table: Table, ask: c.DrawForCoups, _by: Actor) -> list[TableEvent]:
    """The first card of a new shoe: an ace is one coup, a picture ten [tas-2018:16.8.3]."""
    check_contest(table)
    clause = rules_of(table).ends.coups_by_card or CONDITIONS
    if not coups_by_card(table) or table.contest.to_play is not None:
        raise Refused(Reason.NO_CARD_FOR_COUPS, clause)
    assert table.shoe is not None
    if table.shoe.drawn:
        raise Refused(Reason.NOT_A_NEW_SHOE, clause)
    coups = points([ask.card]) or 10
    return [events.CoupsDrawn(ask.card, coups, clauses=(clause,))]


def allot_chips(table: Table, _ask: c.AllotChips, _by: Actor) -> list[TableEvent]:
    """Every player gets the same, once [tas-2018:16.4.2]."""
    check_contest(table)
    rules, conditions = rules_of(table), table.conditions
    assert conditions is not None
    if table.session is not None:
        raise Refused(Reason.SESSION_GIVES_CHIPS, rules.allotment)
    if not table.seated:
        raise Refused(Reason.NOBODY_TO_ALLOT_TO, rules.allotment)
    if table.contest.allotted:
        raise Refused(Reason.CHIPS_ARE_ALLOTTED, rules.allotment)
    people = tuple(table.seated.values())
    return [events.ChipsAllotted(conditions.allotment_cents, people, clauses=(rules.allotment,))]


def raise_limits(table: Table, _ask: c.RaiseLimits, _by: Actor) -> list[TableEvent]:
    """To values announced beforehand, once the indicator card has come out and the coup is
    over; whoever cannot make the new minimum is out, unless nobody could: then the session is
    over [tas-2018:16.5.3, 16.5.9, 16.8.3].
    """
    check_contest(table)
    rules, conditions, notice = rules_of(table), table.conditions, table.terms.notice
    assert conditions is not None
    if conditions.raised_limits in (None, notice.limits):
        raise Refused(Reason.LIMITS_NOT_ANNOUNCED, rules.limits_rise or CONDITIONS)
    assert conditions.raised_limits is not None
    if not table.contest.indicator_out:
        raise Refused(Reason.NO_INDICATOR, rules.limits_rise or CONDITIONS)
    tie = table.session.raised_tie if table.session else None
    raised = replace(notice, limits=conditions.raised_limits, tie_limits=tie or notice.tie_limits)
    fields = ("limits",) if tie is None else ("limits", "tie_limits")
    changed = events.NoticeChanged(raised, fields, clauses=as_clauses(rules.limits_rise))
    now = evolve(table, changed)
    gone = eliminations(now)
    if gone and len(gone) == len(table.seated):
        return [changed, _ended(now, "all-below")]
    return with_puck(table, [changed, *gone])


DECIDE: Decides = {
    c.BeginSession: begin_session,
    c.NoteDirectors: note_directors,
    c.DeclareLastCoup: declare_last_coup,
    c.EndSession: end_session,
    c.ContinueSession: continue_session,
    c.PauseSession: pause_session,
    c.ResumeSession: resume_session,
    c.DrawForCoups: draw_for_coups,
    c.AllotChips: allot_chips,
    c.RaiseLimits: raise_limits,
}
