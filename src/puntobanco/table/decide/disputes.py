"""What is put on record and changes nothing in the game: disputes, incidents, cards touched."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.authority import is_staff, subject
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.people import incident_kinds
from puntobanco.table.state import Dispute, Table


def _clause(table: Table) -> str:
    return table.terms.rules.people.disputes if table.notice else CONDITIONS


def raise_dispute(table: Table, ask: c.RaiseDispute, by: Actor) -> list[TableEvent]:
    """A player disputes something; the operator's decision is final, and the Commission may
    review it on request [act-2015:14.4].
    """
    number = len(table.disputes) + 1
    person = subject(ask, by)
    return [events.DisputeRaised(number, person, ask.about, ask.coup, clauses=(_clause(table),))]


def _dispute(table: Table, number: int) -> Dispute:
    dispute = table.disputes.get(number)
    if dispute is None:
        raise Refused(Reason.NO_SUCH_DISPUTE, _clause(table), number=number)
    return dispute


def decide_dispute(table: Table, ask: c.DecideDispute, by: Actor) -> list[TableEvent]:
    if _dispute(table, ask.dispute).decision:
        raise Refused(Reason.DISPUTE_DECIDED, _clause(table), number=ask.dispute)
    decided = events.DisputeDecided(ask.dispute, ask.decision, by.person, clauses=(_clause(table),))
    return [decided]


def request_review(table: Table, ask: c.RequestReview, by: Actor) -> list[TableEvent]:
    dispute, person = _dispute(table, ask.dispute), subject(ask, by)
    if not dispute.decision:
        raise Refused(Reason.DISPUTE_UNDECIDED, _clause(table), number=ask.dispute)
    if person != dispute.person and not is_staff(table, by):
        raise Refused(Reason.NOT_YOURSELF, _clause(table), person=dispute.person)
    return [events.ReviewRequested(ask.dispute, person, clauses=(_clause(table),))]


def record_incident(table: Table, ask: c.RecordIncident, _by: Actor) -> list[TableEvent]:
    """Conduct is for people to judge; what happened is on record [act-2015:14.5, 14.7, 14.8,
    tas-2018:7.3, 9.3(b)].
    """
    known = incident_kinds(table)
    if ask.kind not in known:
        allowed = ", ".join(known) or "none before the table is opened"
        raise Refused(Reason.INCIDENT_UNKNOWN, CONDITIONS, kind=ask.kind, allowed=allowed)
    clause = known[ask.kind]
    if ask.coup is not None and ask.coup > table.coup_number:
        raise Refused(Reason.NO_SUCH_COUP, CONDITIONS, coup=ask.coup)
    facts = (ask.kind, ask.note, ask.people, ask.coup, ask.photo)
    return [events.IncidentRecorded(*facts, clauses=(clause,))]


def touched(table: Table, ask: c.Touched, _by: Actor) -> list[TableEvent]:
    """A player touched cards: the whole set of this shoe is replaced [tas-2018:4.4, 6.4]."""
    rules = table.terms.rules
    handled = rules.cards.handled_replaced
    clauses = (*([handled.clause] if handled else []), rules.people.incidents["cards-touched"])
    return [events.CardsTouched(ask.person, clauses=clauses)]


DECIDE: Decides = {
    c.RaiseDispute: raise_dispute,
    c.DecideDispute: decide_dispute,
    c.RequestReview: request_review,
    c.RecordIncident: record_incident,
    c.Touched: touched,
}
