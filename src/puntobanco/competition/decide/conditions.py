"""Conditions: drafted, proved, published in versions that never change again."""

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.state import Competition, CompetitionPhase
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.rules.competition.checks import faults_of
from puntobanco.rules.competition.conditions import (
    CompetitionConditions,
    read_conditions,
    version_of,
)
from puntobanco.rules.competition.structure import plan_all, structure_clause
from puntobanco.rules.documents.ruleset import CONDITIONS, Ruleset
from puntobanco.rules.documents.texts import by_digest, load_ruleset
from puntobanco.table.actor import Actor, Role


def _draft(competition: Competition, ask: c.Draft, _by: Actor) -> list[e.CompetitionEvent]:
    """Keep conditions as they are written; they need only be readable yet."""
    _readable(ask.text)
    if competition.id and ask.competition != competition.id:
        what = "draft: competition: it is another competition's id"
        raise Refused(Reason.MALFORMED, CONDITIONS, what=what)
    return [e.ConditionsDrafted(ask.competition, ask.text)]


def _readable(text: str) -> CompetitionConditions:
    try:
        return read_conditions(text)
    except MalformedError as error:
        raise Refused(Reason.CONDITIONS_UNREADABLE, CONDITIONS, why=str(error)) from error


def _publish(competition: Competition, ask: c.Publish, _by: Actor) -> list[e.CompetitionEvent]:
    """Freeze the draft as the next version, whole and hashed [tas-2018:16.2.2(lead),
    act-2015:15.3]. Nothing may be missing, and every number of entries must lead to a final.
    """
    if not competition.draft:
        raise Refused(Reason.NOTHING_DRAFTED, CONDITIONS)
    read = _readable(competition.draft)
    rules = by_digest(ask.digest) or load_ruleset(read.ruleset)
    _check_sound(read, rules)
    _check_fixed(competition, read)
    number, conduct = competition.version + 1, rules.competition.conduct
    disclosed = rules.competition.entry.otherwise
    clauses = tuple(dict.fromkeys((disclosed, conduct.informed)))
    hashed = version_of(competition.draft)
    return [
        e.ConditionsPublished(
            number, competition.draft, hashed, ask.digest or rules.digest, clauses=clauses
        )
    ]


def _check_sound(read: CompetitionConditions, rules: Ruleset) -> None:
    """Refuse conditions with a fault, naming the first one."""
    for fault in faults_of(read, rules):
        facts = {"item": fault.item, "wrong": fault.wrong, "todo": fault.remedy}
        raise Refused(Reason.CONDITIONS_FAULTY, fault.clause, **facts)
    for plan in plan_all(read):
        if plan.fault is not None:
            clause = structure_clause(plan.fault.reason, rules)
            why = plan.fault.reason.replace("-", " ")
            facts = {"entries": str(plan.entries), "stage": plan.fault.stage, "why": why}
            raise Refused(Reason.STRUCTURE_FAULTY, clause, **facts)


def _check_fixed(competition: Competition, read: CompetitionConditions) -> None:
    """Once somebody has paid, what they paid for does not change."""
    if not competition.version or not any(
        entrant.paid_cents or entrant.earlier_cents for entrant in competition.entries.values()
    ):
        return
    before = competition.conditions
    same = {
        "ruleset": read.ruleset == before.ruleset,
        "chips": read.chips == before.chips,
        "entry.fee_cents": read.entry.fee_cents == before.entry.fee_cents,
        "entry.commission_cents": read.entry.commission_cents == before.entry.commission_cents,
        "entry.commission": read.entry.commission == before.entry.commission,
        "prizes": read.prizes == before.prizes,
    }
    for item, kept in same.items():
        if not kept:
            raise Refused(Reason.CONDITIONS_FIXED, competition.says.entry.otherwise, item=item)


def _open_entries(
    competition: Competition, _ask: c.OpenEntries, _by: Actor
) -> list[e.CompetitionEvent]:
    return [e.EntriesOpened(clauses=(competition.says.conduct.applied,))]


def _sign_on(competition: Competition, ask: c.SignOn, by: Actor) -> list[e.CompetitionEvent]:
    """The director takes up the duty for the whole competition [tas-2018:16.2.7]."""
    if ask.role is not Role.DIRECTOR:
        what = "sign-on: role: a competition has a director alone"
        raise Refused(Reason.MALFORMED, CONDITIONS, what=what)
    if by.person in competition.directors:
        raise Refused(Reason.DIRECTOR_SIGNED_ON, competition.says.director, person=by.person)
    clauses = tuple(dict.fromkeys((competition.says.conduct.nominated, competition.says.director)))
    return [e.StaffSignedOn(by.person, ask.role, by.at_ms, clauses=clauses)]


def _sign_off(competition: Competition, ask: c.SignOff, by: Actor) -> list[e.CompetitionEvent]:
    """The director gives the duty up; a gap in play is on record."""
    person = ask.person or by.person
    if person not in competition.directors:
        clause = competition.director_clause
        raise Refused(Reason.DIRECTOR_NOT_SIGNED_ON, clause, command="sign-off")
    running = competition.phase is CompetitionPhase.RUNNING
    gap = running and competition.directors == {person}
    clauses = (competition.says.director,)
    return [e.StaffSignedOff(person, Role.DIRECTOR, gap, clauses=clauses)]


DECIDE: e.Deciders = {
    c.Draft: _draft,
    c.Publish: _publish,
    c.OpenEntries: _open_entries,
    c.SignOn: _sign_on,
    c.SignOff: _sign_off,
}
