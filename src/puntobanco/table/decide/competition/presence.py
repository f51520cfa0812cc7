"""Who is there: seats taken, lateness, absence, substitutes, and what they cost."""

from typing import Literal

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.authority import plays, subject
from puntobanco.table.decide.competition.removal import removed
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.competition import (
    as_clauses,
    check_contest,
    circuit,
    have_bet,
    is_cash,
    rules_of,
    way_of,
)
from puntobanco.table.queries.coup import live
from puntobanco.table.queries.secrets import standing_forms
from puntobanco.table.state import Table

LATE_COUPS = 3
"""Coups for which a player who is late is deducted; before the next the place is forfeited
[tas-2018:16.3.2]."""


def take_seat(table: Table, ask: c.TakeSeat, by: Actor) -> list[TableEvent]:
    """A player has come; whoever comes before their turn has passed plays the coup in play
    [tas-2018:16.3.2].
    """
    check_contest(table)
    person = subject(ask, by)
    if person not in table.contest.expected:
        raise Refused(Reason.NOT_EXPECTED, CONDITIONS, person=person)
    if is_cash(table) and not table.chips.get(person):
        raise Refused(Reason.ALLOTMENT_NOT_BOUGHT, rules_of(table).allotment, person=person)
    seat, clause = table.places[person].box, rules_of(table).own_position
    return [events.SeatTaken(person, seat, _missed(table, seat), clauses=as_clauses(clause))]


def _missed(table: Table, seat: int) -> bool:
    """Whether a seat's turn in the coup in play has passed: the call was made, or somebody after
    it in order was asked or has bet.
    """
    coup, contest = table.coup, table.contest
    if coup is None or not coup.takes_wagers or coup.verdict is not None:
        return False
    if coup.called or coup.locked:
        return True
    order = circuit(table, contest.puck or table.terms.seats.at_dealers_right)
    after = {*order[order.index(seat) + 1 :]}
    acted = have_bet(table) - contest.jumped
    return rules_of(table).order is not None and bool(after & (acted | {contest.asked}))


def mark_absent(table: Table, ask: c.MarkAbsent, _by: Actor) -> list[TableEvent]:
    """A player is away, or is back; where the document deducts nothing for it, play waits for the
    director's ruling [tas-2018:16.3.6, act-2015:15.11].
    """
    check_contest(table)
    if ask.person not in table.places or ask.person in table.contest.expected:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=ask.person)
    missed = not ask.absent and _missed(table, table.places[ask.person].box)
    clauses = as_clauses(rules_of(table).absent)
    return [events.AbsenceMarked(ask.person, ask.absent, missed, clauses=clauses)]


def name_substitute(table: Table, ask: c.NameSubstitute, _by: Actor) -> list[TableEvent]:
    """Somebody plays for a player, who keeps the entry; never one person for two, or one who
    plays already [tas-2018:16.3.3, act-2015:15.11].
    """
    check_contest(table)
    rules, contest, who = rules_of(table), table.contest, ask.substitute
    clause = rules.session.substitute or CONDITIONS
    if ask.person not in table.places:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=ask.person)
    if not who and ask.person not in contest.substitutes:
        raise Refused(Reason.NO_SUBSTITUTE, clause, person=ask.person)
    if who and (
        plays(table, who) or who in {*contest.drawn.values(), *contest.substitutes.values()}
    ):
        raise Refused(Reason.PLAYS_ALREADY, clause, person=who)
    if who and any(table.roles_of(who)):
        raise Refused(Reason.BANK_IS_THE_OPERATORS, table.terms.rules.table.bank, person=who)
    return [events.SubstituteNamed(ask.person, who, ask.row, clauses=(clause,))]


def give_direction(table: Table, ask: c.GiveDirection, _by: Actor) -> list[TableEvent]:
    """The director directs [act-2015:15.19]; about a player who is away, was found hiding chips or
    whose balance fell below zero, it is the ruling that play waited for.
    """
    check_contest(table)
    if ask.person and ask.person not in table.places:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=ask.person)
    clauses = as_clauses(rules_of(table).session.direction)
    return [events.DirectionGiven(ask.note, ask.person, clauses=clauses)]


def not_seated(table: Table) -> list[TableEvent]:
    """Before a coup: players who never came lose their places, at once or after three coups
    [tas-2018:16.3.2, act-2015:15.9].
    """
    late, contest, rules = way_of(table, "late"), table.contest, rules_of(table)
    at_once = late.value == "forfeit" or is_cash(table)
    why: Literal["late", "not-seated"] = "not-seated" if at_once else "late"
    clause = (rules.session.late_cash if is_cash(table) else rules.session.late_out) or late.clause
    return [
        removed(table, person, why, clause)
        for person in table.places
        if person in contest.expected and (at_once or contest.late.get(person, 0) >= LATE_COUPS)
    ]


def absences(table: Table) -> list[TableEvent]:
    """After a coup: the minimum from everyone who was not there to make a wager
    [tas-2018:16.3.2(a), 16.3.6(a)].
    """
    rules, contest = rules_of(table), table.contest
    if is_cash(table):
        return []
    least = table.terms.notice.limits.min_cents
    coup = live(table)
    bettors = {*(line.wager.by for line in coup.lines), *standing_forms(coup)}
    out: list[TableEvent] = []
    for person in table.seated.values():
        taken = min(least, table.chips.get(person, 0))
        if person in bettors or taken <= 0:
            continue
        if person in contest.expected or (person in contest.missed and person in contest.late):
            coups = contest.late.get(person, 0) + 1
            clause = rules.session.late_deducted or way_of(table, "late").clause
            out.append(events.LatenessDeducted(person, taken, coups, clauses=(clause,)))
        elif rules.absent and person in contest.absent | contest.missed:
            out.append(events.AbsenceDeducted(person, taken, clauses=(rules.absent,)))
    return out


DECIDE: Decides = {
    c.TakeSeat: take_seat,
    c.MarkAbsent: mark_absent,
    c.NameSubstitute: name_substitute,
    c.GiveDirection: give_direction,
}
