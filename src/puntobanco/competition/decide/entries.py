"""Entries: applied for, accepted, endorsed and paid; withdrawn, reserved, closed."""

from functools import reduce

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.authority import entrant_meant
from puntobanco.competition.dates import (
    day_at,
    entries_until_ms,
    kinder_deadline,
    receipt_deadline,
)
from puntobanco.competition.evolve import evolve
from puntobanco.competition.queries import entry_words
from puntobanco.competition.state import Competition, CompetitionPhase, Entrant, EntryStatus
from puntobanco.errors import Reason, Refused
from puntobanco.rules.competition.checks import apart_clause
from puntobanco.rules.competition.draw import people_hash, sit_together
from puntobanco.rules.competition.money import read_day, refund_of
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor

S = EntryStatus
TAKEN_IN = frozenset({S.ACCEPTED, S.ENDORSED, S.PAID, S.SEATED})
"""Those who count against the most that may enter."""


def entrant_of(competition: Competition, person: str) -> Entrant:
    """Somebody's entry, or there is none."""
    if person not in competition.entries:
        raise Refused(Reason.NOT_ENTERED, competition.says.conduct.applied, person=person)
    return competition.entries[person]


def check_status(
    competition: Competition, person: str, allowed: frozenset[EntryStatus], clause: str
) -> Entrant:
    """Somebody's entry, which must be at one of these points."""
    entrant = entrant_of(competition, person)
    if entrant.status not in allowed:
        wanted = ", ".join(status for status in S if status in allowed)
        facts = {"person": person, "status": entrant.status, "wanted": wanted}
        raise Refused(Reason.WRONG_STATUS, clause, **facts)
    return entrant


def _apply(competition: Competition, ask: c.Apply, by: Actor) -> list[e.CompetitionEvent]:
    """Somebody applies to enter [tas-2018:16.1-applicant]; one entry each [act-2015:15.6],
    unless conditions open to all allow another.
    """
    person, conduct = entrant_meant(ask, by), competition.says.conduct
    late = competition.phase is not CompetitionPhase.ENTERING
    told = competition.conditions.entry.until != "start"
    if by.at_ms > entries_until_ms(competition) or (late and not told):
        raise Refused(Reason.ENTRIES_ARE_CLOSED, competition.says.entry.late_entry or CONDITIONS)
    number = 1
    before = competition.entries.get(person)
    if before is not None:
        number = _entry_again(competition, person, before)
    return [e.ApplicationReceived(person, number, clauses=(conduct.applied,))]


def _entry_again(competition: Competition, person: str, before: Entrant) -> int:
    """The number of another entry, where somebody may make one."""
    clause = competition.says.entry.one_entry or competition.says.conduct.accepted
    if before.is_in or before.status in (S.REFUSED, S.DISQUALIFIED):
        facts = {"person": person, "status": before.status}
        raise Refused(Reason.ENTERED_ALREADY, clause, **facts)
    never_paid = before.status is S.WITHDRAWN and not before.paid_cents
    number = before.number if never_paid else before.number + 1
    if number > 1 + competition.conditions.entry.re_entries:
        facts = {"person": person, "status": before.status}
        raise Refused(Reason.ENTERED_ALREADY, clause, **facts)
    return number


def _refuse(competition: Competition, ask: c.Refuse, _by: Actor) -> list[e.CompetitionEvent]:
    """The operator may refuse any application [tas-2018:16.2.3(a)], and refuses whom the conditions
    shut out [act-2015:15.4(f)].
    """
    conduct, groups = competition.says.conduct, competition.conditions.entry.groups
    clause = conduct.groups if groups and conduct.groups else conduct.refused
    check_status(competition, ask.person, frozenset({S.APPLIED, S.RESERVE}), clause)
    return [e.ApplicationRefused(ask.person, ask.note, clauses=(clause,))]


def _accept(competition: Competition, ask: c.Accept, _by: Actor) -> list[e.CompetitionEvent]:
    """An applicant becomes a player, while there is room [tas-2018:16.1-player, 16.2.2(d)]."""
    clause = competition.says.conduct.accepted
    check_status(competition, ask.person, frozenset({S.APPLIED, S.REFUSED}), clause)
    _check_room(competition)
    return [e.ApplicationAccepted(ask.person, clauses=(clause,))]


def _check_room(competition: Competition) -> None:
    most = competition.conditions.entry.max
    if sum(entrant.status in TAKEN_IN for entrant in competition.entries.values()) >= most:
        clause = competition.says.entry.disclosed.get("entry.max", CONDITIONS)
        raise Refused(Reason.ENTRIES_FULL, clause, most=most)


def _endorse(competition: Competition, ask: c.Endorse, by: Actor) -> list[e.CompetitionEvent]:
    """An applicant acknowledges the conditions of play, the version in force [tas-2018:16.2.6]."""
    person, clause = entrant_meant(ask, by), competition.says.conduct.endorsed
    open_to = frozenset({S.ACCEPTED, S.ENDORSED, S.PAID, S.RESERVE})
    entrant = check_status(competition, person, open_to, clause)
    now = competition.version
    if ask.version != now:
        raise Refused(Reason.ANOTHER_VERSION, clause, version=ask.version, now=now)
    if entrant.version == now:
        raise Refused(Reason.ENDORSED_ALREADY, clause, person=person, version=now)
    return [e.ConditionsEndorsed(person, now, clauses=(clause,))]


def _pay_entry(competition: Competition, ask: c.PayEntry, by: Actor) -> list[e.CompetitionEvent]:
    """The fee that was disclosed is paid, and no other [tas-2018:16.2.2(c), act-2015:15.24]."""
    person = entrant_meant(ask, by)
    check_status(competition, person, frozenset({S.ENDORSED}), competition.says.conduct.endorsed)
    return [payment_of(competition, person)]


def _enter_at_desk(
    competition: Competition, ask: c.EnterAtDesk, by: Actor
) -> list[e.CompetitionEvent]:
    """Whatever an entry lacks, from the application to the fee, in one step and one row: all of it
    or nothing [tas-2018:16.2.6].
    """
    person, events = ask.person, list[e.CompetitionEvent]()
    entrant = competition.entries.get(person)
    status = entrant.status if entrant else None
    steps: list[c.CompetitionCommand] = []
    if status not in (S.APPLIED, S.ACCEPTED, S.ENDORSED):
        steps.append(c.Apply(person))
    if status not in (S.ACCEPTED, S.ENDORSED):
        steps.append(c.Accept(person))
    now = competition.version
    if entrant is None or status is not S.ENDORSED or {entrant.version, ask.version} != {now}:
        steps.append(c.Endorse(ask.version, person))
    for step in (*steps, c.PayEntry(person)):
        made = DECIDE[type(step)](competition, step, by)
        competition, events = reduce(evolve, made, competition), [*events, *made]
    return events


def payment_of(competition: Competition, person: str) -> e.EntryPaid:
    """The payment of an entry, with the day up to which it comes back."""
    entry, conduct = competition.conditions.entry, competition.says.conduct
    beside = entry.commission_cents if entry.commission == "beside" else 0
    disclosed = competition.says.entry.disclosed.get("entry.fee_cents", CONDITIONS)
    clauses = tuple(dict.fromkeys((conduct.fee, disclosed, competition.says.entry.withdrawn)))
    return e.EntryPaid(
        person, entry.fee_cents or 0, beside, receipt_deadline(competition), clauses=clauses
    )


def _withdraw(competition: Competition, ask: c.Withdraw, by: Actor) -> list[e.CompetitionEvent]:
    """Whoever withdraws in time has the charge back [tas-2018:16.2(lead)]; in Canberra nobody
    has [act-2015:15.25(1)].
    """
    person = entrant_meant(ask, by)
    says = competition.says.entry
    before_play = frozenset({S.APPLIED, S.ACCEPTED, S.ENDORSED, S.PAID, S.RESERVE, S.SEATED})
    through = frozenset({S.THROUGH, S.SECONDARY})
    entrant = check_status(competition, person, before_play | through, says.withdrawn)
    if competition.phase in (CompetitionPhase.RUNNING, CompetitionPhase.PLAY_OFF) and entrant.table:
        raise Refused(Reason.IN_PLAY_FORFEITS, competition.says.conduct.forfeited, person=person)
    if not entrant.paid_cents:
        return [e.EntryWithdrawn(person, clauses=(says.withdrawn,))]
    deadline = kinder_deadline(competition, entrant.refund_until)
    refund = refund_of(
        entrant.paid_cents,
        competition.rules,
        deadline=read_day(deadline) if deadline else None,
        withdrawn=day_at(competition, by.at_ms),
    )
    return [e.EntryWithdrawn(person, refund.refund_cents, deadline, clauses=(refund.clause,))]


def _add_reserve(
    competition: Competition, ask: c.AddReserve, _by: Actor
) -> list[e.CompetitionEvent]:
    """An applicant waits for a seat that is not taken [act-2015:15.10]."""
    clause, most = competition.says.conduct.reserve, competition.conditions.entry.reserves
    check_status(competition, ask.person, frozenset({S.APPLIED}), clause)
    if len(competition.reserves) >= most:
        raise Refused(Reason.RESERVES_FULL, clause, most=most)
    return [e.ReserveAdded(ask.person, clauses=(clause,))]


def _take_reserve(
    competition: Competition, ask: c.TakeReserve, _by: Actor
) -> list[e.CompetitionEvent]:
    """A seat not taken by the commencement of the first session goes to a reserve who pays the
    fee; the fee of whoever forfeited it stays in the pool [act-2015:15.9, 15.10].
    """
    conduct = competition.says.conduct
    entrant = check_status(competition, ask.person, frozenset({S.RESERVE}), conduct.reserve)
    if competition.confirmed:
        raise Refused(Reason.FIRST_SESSION_ONLY, conduct.reserve)
    if entrant.version != competition.version:
        now = competition.version
        raise Refused(Reason.NOT_ENDORSED, conduct.endorsed, person=ask.person, version=now)
    payment = payment_of(competition, ask.person)
    if not ask.instead_of:
        _check_room(competition)
        return [e.ReserveTaken(ask.person, clauses=(conduct.reserve,)), payment]
    gone = check_status(
        competition, ask.instead_of, frozenset({S.PAID, S.SEATED}), conduct.forfeited
    )
    _check_apart(competition, ask, gone)
    return [
        e.EntryForfeited(ask.instead_of, "not seated", clauses=(conduct.forfeited,)),
        e.ReserveTaken(
            ask.person, ask.instead_of, gone.table, gone.seat, clauses=(conduct.reserve,)
        ),
        payment,
    ]


def _check_apart(competition: Competition, ask: c.TakeReserve, gone: Entrant) -> None:
    """A reserve takes no seat at the table of somebody from whom they are kept apart."""
    if not gone.table or len(competition.now.seats) == 1:
        return
    there = [who for who in competition.now.seats[gone.table].values() if who != ask.instead_of]
    if together := sit_together([[*there, ask.person]], competition.apart.groups):
        other, person = together
        clause = apart_clause(competition.rules)
        raise Refused(Reason.KEPT_APART, clause, person=person, other=other)


def _close_entries(
    competition: Competition, _ask: c.CloseEntries, _by: Actor
) -> list[e.CompetitionEvent]:
    """The list is closed: those who have endorsed what holds, and paid. Too few can only be
    cancelled [tas-2018:16.2.2(d), act-2015:15.4(e)].
    """
    people = players(competition)
    least = competition.conditions.entry.min
    if len(people) < least:
        clause = competition.says.entry.disclosed.get("entry.min", CONDITIONS)
        raise Refused(Reason.TOO_FEW_ENTRIES, clause, there=len(people), least=least)
    clauses = (competition.says.conduct.endorsed,)
    listed = map(entry_words(competition).__getitem__, people)
    return [e.EntriesClosed(people, people_hash(listed), clauses=clauses)]


def players(competition: Competition) -> tuple[str, ...]:
    """Those who have endorsed the version in force, and paid."""
    return tuple(
        sorted(
            person
            for person, entrant in competition.entries.items()
            if entrant.status is S.PAID and entrant.version == competition.version
        )
    )


def _add_value(competition: Competition, ask: c.AddValue, _by: Actor) -> list[e.CompetitionEvent]:
    """The operator adds cash, goods or services to the prize pool [tas-2018:16.2(lead)]."""
    if not ask.cents and not ask.what.strip():
        raise Refused(Reason.NOTHING_ADDED, competition.says.conduct.value_added)
    return [e.ValueAdded(ask.cents, ask.what, clauses=(competition.says.conduct.value_added,))]


def _pay_refund(competition: Competition, ask: c.PayRefund, _by: Actor) -> list[e.CompetitionEvent]:
    """What a competition that does not proceed owes goes back into the account it came from."""
    entrant = entrant_of(competition, ask.person)
    clause = competition.says.entry.not_proceeding
    if not entrant.owed_cents:
        raise Refused(Reason.NOTHING_OWED_TO, clause, person=ask.person)
    return [e.RefundPaid(ask.person, entrant.owed_cents, clauses=(clause,))]


DECIDE: e.Deciders = {
    c.Apply: _apply,
    c.Refuse: _refuse,
    c.Accept: _accept,
    c.Endorse: _endorse,
    c.PayEntry: _pay_entry,
    c.EnterAtDesk: _enter_at_desk,
    c.Withdraw: _withdraw,
    c.AddReserve: _add_reserve,
    c.TakeReserve: _take_reserve,
    c.CloseEntries: _close_entries,
    c.AddValue: _add_value,
    c.PayRefund: _pay_refund,
}
