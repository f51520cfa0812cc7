"""Conditions, entries and their money, as events leave them."""

from msgspec.structs import replace

from puntobanco.competition import events as e
from puntobanco.competition.state import (
    Competition,
    CompetitionPhase,
    Entrant,
    EntryStatus,
    Version,
)

S = EntryStatus


def with_entrant(competition: Competition, person: str, **facts: object) -> Competition:
    """The competition with these facts about one entry changed."""
    entrant = replace(competition.entries[person], **facts)
    return replace(competition, entries={**competition.entries, person: entrant})


def with_money(competition: Competition, **more: int) -> Competition:
    """The competition with these amounts added to what went through its pot."""
    money = competition.money
    sums = {name: getattr(money, name) + cents for name, cents in more.items()}
    return replace(competition, money=replace(money, **sums))


def _drafted(competition: Competition, event: e.ConditionsDrafted) -> Competition:
    return replace(competition, id=competition.id or event.competition, draft=event.text)


def _published(competition: Competition, event: e.ConditionsPublished) -> Competition:
    version = Version(event.text, event.hash, event.digest)
    before = competition.phase is CompetitionPhase.DRAFTING
    return replace(
        competition,
        versions={**competition.versions, event.version: version},
        phase=CompetitionPhase.PUBLISHED if before else competition.phase,
    )


def _opened(competition: Competition, _event: e.EntriesOpened) -> Competition:
    return replace(competition, phase=CompetitionPhase.ENTERING)


def _received(competition: Competition, event: e.ApplicationReceived) -> Competition:
    before = competition.entries.get(event.person)
    kept = 0
    if before is not None:
        kept = before.earlier_cents + before.paid_cents - before.refunded_cents
    entrant = Entrant(S.APPLIED, event.number, earlier_cents=kept)
    return replace(competition, entries={**competition.entries, event.person: entrant})


def _refused(competition: Competition, event: e.ApplicationRefused) -> Competition:
    competition = _no_reserve(competition, event.person)
    return with_entrant(competition, event.person, status=S.REFUSED, why=event.note)


def _accepted(competition: Competition, event: e.ApplicationAccepted) -> Competition:
    return with_entrant(competition, event.person, status=S.ACCEPTED)


def _endorsed(competition: Competition, event: e.ConditionsEndorsed) -> Competition:
    was = competition.entries[event.person].status
    status = S.ENDORSED if was is S.ACCEPTED else was
    return with_entrant(competition, event.person, status=status, version=event.version)


def _paid(competition: Competition, event: e.EntryPaid) -> Competition:
    was = competition.entries[event.person]
    facts = {
        "status": was.status if was.status is S.SEATED else S.PAID,
        "fee_cents": event.fee_cents,
        "commission_cents": event.commission_cents,
        "refund_until": event.refund_until,
    }
    taken = {"fees_cents": event.fee_cents, "commission_cents": event.commission_cents}
    return with_money(with_entrant(competition, event.person, **facts), entries=1, **taken)


def _withdrawn(competition: Competition, event: e.EntryWithdrawn) -> Competition:
    competition = _no_seat(_no_reserve(competition, event.person), event.person)
    competition = with_entrant(
        competition, event.person, status=S.WITHDRAWN, refunded_cents=event.refund_cents
    )
    if not event.refund_cents:
        return competition
    return with_money(competition, entries=-1, refunded_cents=event.refund_cents)


def _no_reserve(competition: Competition, person: str) -> Competition:
    others = tuple(other for other in competition.reserves if other != person)
    return replace(competition, reserves=others)


def _no_seat(competition: Competition, person: str) -> Competition:
    """Before play the seat of somebody who is gone is free; of a play-off, too, wherever it is."""
    entrant, session = competition.entries[person], competition.sessions.get(competition.session)
    if not entrant.table:
        return competition
    if session is not None and not session.has_begun:
        seats = {
            table: {seat: other for seat, other in sat.items() if other != person}
            for table, sat in session.seats.items()
        }
        session = replace(session, seats=seats)
        competition = replace(competition, sessions={**competition.sessions, session.id: session})
    return with_entrant(competition, person, table="", seat=0)


def _reserve_added(competition: Competition, event: e.ReserveAdded) -> Competition:
    competition = replace(competition, reserves=(*competition.reserves, event.person))
    return with_entrant(competition, event.person, status=S.RESERVE)


def _reserve_taken(competition: Competition, event: e.ReserveTaken) -> Competition:
    """The seat, not the entry, changes hands."""
    competition = _no_reserve(competition, event.person)
    if not event.table:
        return with_entrant(competition, event.person, status=S.ENDORSED)
    session = competition.now
    seats = {**session.seats[event.table], event.seat: event.person}
    session = replace(session, seats={**session.seats, event.table: seats})
    competition = replace(competition, sessions={**competition.sessions, session.id: session})
    facts = {"table": event.table, "seat": event.seat, "stage": session.stage}
    return with_entrant(competition, event.person, status=S.SEATED, **facts)


def _closed(competition: Competition, _event: e.EntriesClosed) -> Competition:
    return replace(competition, phase=CompetitionPhase.CLOSED)


def _value_added(competition: Competition, event: e.ValueAdded) -> Competition:
    return with_money(competition, added_cents=event.cents)


def _refund_paid(competition: Competition, event: e.RefundPaid) -> Competition:
    entrant = competition.entries[event.person]
    refunded = entrant.refunded_cents + event.cents
    competition = with_entrant(competition, event.person, owed_cents=0, refunded_cents=refunded)
    return with_money(competition, refunded_cents=event.cents)


def _disqualified(competition: Competition, event: e.EntryDisqualified) -> Competition:
    competition = _no_reserve(competition, event.person)
    if not _in_play(competition):
        competition = _no_seat(competition, event.person)
    competition = with_entrant(competition, event.person, status=S.DISQUALIFIED, why=event.note)
    return _without_play_off(competition)


def _forfeited(competition: Competition, event: e.EntryForfeited) -> Competition:
    competition = _no_reserve(competition, event.person)
    if not _in_play(competition):
        competition = _no_seat(competition, event.person)
    competition = with_entrant(competition, event.person, status=S.FORFEITED, why=event.why)
    return _without_play_off(competition)


def _without_play_off(competition: Competition) -> Competition:
    """A play-off for which nobody is left to play against falls, before it has begun."""
    waits = competition.phase is CompetitionPhase.PLAY_OFF
    if not waits or sum(map(len, competition.now.seats.values())) > 1:
        return competition
    stage = competition.now.stage
    return replace(competition, session=stage, phase=CompetitionPhase.OVER)


def _in_play(competition: Competition) -> bool:
    session = competition.sessions.get(competition.session)
    return session is not None and session.has_begun


def _substitute(competition: Competition, event: e.SubstituteAccepted) -> Competition:
    stood_in = competition.stood_in
    if event.substitute:
        stood_in = {**stood_in, event.substitute: event.person}
    competition = replace(competition, stood_in=stood_in)
    return with_entrant(competition, event.person, substitute=event.substitute)


def _signed_on(competition: Competition, event: e.StaffSignedOn) -> Competition:
    return replace(competition, directors=competition.directors | {event.person})


def _signed_off(competition: Competition, event: e.StaffSignedOff) -> Competition:
    return replace(competition, directors=competition.directors - {event.person})


APPLY: e.Appliers = {
    e.ConditionsDrafted: _drafted,
    e.ConditionsPublished: _published,
    e.EntriesOpened: _opened,
    e.ApplicationReceived: _received,
    e.ApplicationRefused: _refused,
    e.ApplicationAccepted: _accepted,
    e.ConditionsEndorsed: _endorsed,
    e.EntryPaid: _paid,
    e.EntryWithdrawn: _withdrawn,
    e.ReserveAdded: _reserve_added,
    e.ReserveTaken: _reserve_taken,
    e.EntriesClosed: _closed,
    e.ValueAdded: _value_added,
    e.RefundPaid: _refund_paid,
    e.EntryDisqualified: _disqualified,
    e.EntryForfeited: _forfeited,
    e.SubstituteAccepted: _substitute,
    e.StaffSignedOn: _signed_on,
    e.StaffSignedOff: _signed_off,
}
