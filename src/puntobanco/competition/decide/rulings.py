"""People removed or replaced, rulings where the rules are silent, disputes."""

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.authority import RULED, entrant_meant
from puntobanco.competition.decide.entries import entrant_of
from puntobanco.competition.decide.results import check_all_in
from puntobanco.competition.state import ENDED, Competition, EntryStatus, PlaySession, TakenResult
from puntobanco.errors import Reason, Refused
from puntobanco.table.actor import Actor, Role


def _check_in(competition: Competition, person: str, clause: str) -> None:
    entrant = entrant_of(competition, person)
    if entrant.status in ENDED:
        facts = {"person": person, "status": entrant.status}
        raise Refused(Reason.NO_LONGER_IN, clause, **facts)


def _disqualify(
    competition: Competition, ask: c.Disqualify, _by: Actor
) -> list[e.CompetitionEvent]:
    """The operator may disqualify a player who breaks the rules [tas-2018:16.2.3(b)] or does not
    attend [tas-2018:16.2.3(c)]; the fee is not refunded [tas-2018:16.2.4], and those behind move
    up.
    """
    conduct = competition.says.conduct
    _check_in(competition, ask.person, conduct.disqualified)
    kept = competition.says.entry.disqualified or competition.says.entry.withdrawn
    cause = conduct.not_attending if ask.not_attending else conduct.disqualified
    clauses = tuple(dict.fromkeys((cause, kept)))
    return [e.EntryDisqualified(ask.person, ask.note, clauses=clauses)]


def _forfeit(competition: Competition, ask: c.Forfeit, _by: Actor) -> list[e.CompetitionEvent]:
    """Whoever has not taken an allotted seat forfeits it; the fee stays in the pool
    [act-2015:15.9, tas-2018:16.3.2(b)].
    """
    clause = competition.says.conduct.forfeited
    _check_in(competition, ask.person, clause)
    return [e.EntryForfeited(ask.person, ask.why, clauses=(clause,))]


def _substitute(
    competition: Competition, ask: c.Substitute, _by: Actor
) -> list[e.CompetitionEvent]:
    """The Director approves a substitute whom the player nominated [tas-2018:16.3.3,
    act-2015:15.11]; nobody who is in it already, or sat for somebody else.
    """
    clause = competition.says.conduct.substitute
    _check_in(competition, ask.person, clause)
    entrant = entrant_of(competition, ask.person)
    if ask.substitute == entrant.substitute:
        raise Refused(Reason.SUBSTITUTE_AS_BEFORE, clause, person=ask.person)
    other = competition.stood_in.get(ask.substitute, ask.person)
    entered = competition.entries.get(ask.substitute)
    is_in = entered is not None and entered.status not in (
        EntryStatus.REFUSED,
        EntryStatus.WITHDRAWN,
    )
    if ask.substitute and (is_in or other != ask.person):
        raise Refused(Reason.SUBSTITUTE_IS_IN, clause, person=ask.substitute)
    return [e.SubstituteAccepted(ask.person, ask.substitute, clauses=(clause,))]


def second_for_ruling(_competition: Competition, ask: c.Rule) -> frozenset[Role]:
    """Two people rule where a confirmed result changes, or who is paid what."""
    return RULED if ask.about in ("result", "prizes") else frozenset()


def _rule(competition: Competition, ask: c.Rule, by: Actor) -> list[e.CompetitionEvent]:
    """The Director's ruling, on record with who made it."""
    clause = competition.says.conduct.places
    made = e.RulingMade(ask.about, ask.note, by.person, clauses=(clause,))
    match ask.about:
        case "result":
            session, taken = _amended(competition, ask.table, clause)
            result = taken.result if ask.follows else None
            return [_told(made, session=session.id, table=ask.table, result=result)]
        case "places":
            return [_told(made, **_ordered(competition, ask, clause))]
        case "prizes":
            if not ask.prizes_cents:
                raise Refused(Reason.RULING_INCOMPLETE, clause, what="the list of prizes")
            return [_told(made, prizes_cents=ask.prizes_cents)]
        case "session":
            now = competition.sessions.get(competition.session)
            if now is None or ask.table not in now.seats:
                raise Refused(Reason.NOT_IN_SESSION, clause, table=ask.table)
            return [_told(made, session=now.id, table=ask.table)]
        case _:
            return [made]


def _told(made: e.RulingMade, **facts: object) -> e.RulingMade:
    return e.RulingMade(
        made.about,
        made.note,
        made.person,
        clauses=made.clauses,
        **facts,  # type: ignore[arg-type]
    )


def _amended(competition: Competition, table: str, clause: str) -> tuple[PlaySession, TakenResult]:
    for session in competition.sessions.values():
        if table in session.amended:
            return session, session.amended[table]
    raise Refused(Reason.NOTHING_AMENDED, clause, table=table)


def _ordered(competition: Competition, ask: c.Rule, clause: str) -> dict[str, object]:
    """Those who are level, in the order that is ruled."""
    for table, standing in check_all_in(competition).items():
        for row in standing.places:
            if row.at_stake and set(row.people) == set(ask.order):
                return {"table": table, "order": ask.order, "session": competition.stage_name}
    raise Refused(Reason.NOT_LEVEL, clause, level="others than those")


def _raise_dispute(
    competition: Competition, ask: c.RaiseDispute, by: Actor
) -> list[e.CompetitionEvent]:
    number = len(competition.disputes) + 1
    clause = competition.rules.people.disputes
    raised = e.DisputeRaised(number, entrant_meant(ask, by), ask.about, ask.coup, clauses=(clause,))
    return [raised]


def _decide_dispute(
    competition: Competition, ask: c.DecideDispute, by: Actor
) -> list[e.CompetitionEvent]:
    clause = competition.rules.people.disputes
    dispute = competition.disputes.get(ask.dispute)
    if dispute is None:
        raise Refused(Reason.NO_SUCH_DISPUTE, clause, number=ask.dispute)
    if dispute.decision:
        raise Refused(Reason.DISPUTE_DECIDED, clause, number=ask.dispute)
    return [e.DisputeDecided(ask.dispute, ask.decision, by.person, clauses=(clause,))]


DECIDE: e.Deciders = {
    c.Disqualify: _disqualify,
    c.Forfeit: _forfeit,
    c.Substitute: _substitute,
    c.Rule: _rule,
    c.RaiseDispute: _raise_dispute,
    c.DecideDispute: _decide_dispute,
}
