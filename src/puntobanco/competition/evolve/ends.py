"""Places, prizes, rulings, proposals and cancellation, as events leave them."""

from msgspec.structs import replace

from puntobanco.competition import events as e
from puntobanco.competition.evolve.entries import with_entrant, with_money
from puntobanco.competition.evolve.play import with_session
from puntobanco.competition.state import (
    Competition,
    CompetitionPhase,
    EntryStatus,
    PlaySession,
    RulingKept,
    Suggestion,
    TakenResult,
)
from puntobanco.table.proposals import without_proposal
from puntobanco.table.state import Dispute

P = CompetitionPhase


def _ruled(competition: Competition, event: e.RulingMade) -> Competition:
    ruling = RulingKept(event.about, event.note, event.person)
    competition = replace(competition, rulings=(*competition.rulings, ruling))
    match event.about:
        case "result":
            return _result_ruled(competition, event)
        case "places":
            return _order_ruled(competition, event)
        case "prizes":
            return replace(competition, prizes_cents=event.prizes_cents)
        case "session":
            finished = competition.sessions[event.session].finished | {event.table}
            return with_session(competition, event.session, finished=finished)
        case _:
            return competition


def _result_ruled(competition: Competition, event: e.RulingMade) -> Competition:
    """A result that counts opens its stage again, unless the next session has begun."""
    session = competition.sessions[event.session]
    version = session.amended[event.table].version
    amended = {table: taken for table, taken in session.amended.items() if table != event.table}
    kept = event.result or session.results[event.table].result
    results = {**session.results, event.table: TakenResult(version, kept)}
    overruled = {at: said for at, said in session.overruled.items() if at != event.table}
    if event.result is None:
        overruled[event.table] = session.amended[event.table].result
    facts = {"amended": amended, "results": results, "overruled": overruled}
    competition = with_session(competition, event.session, **facts)
    last = competition.confirmed and competition.confirmed[-1] == session.stage
    if event.result is None or not last or competition.phase is not P.CONFIRMED:
        return competition
    entries = {
        person: replace(entrant, status=EntryStatus.SEATED)
        if entrant.stage == session.stage
        and entrant.status in (EntryStatus.THROUGH, EntryStatus.OUT)
        else entrant
        for person, entrant in competition.entries.items()
    }
    return replace(competition, entries=entries, confirmed=competition.confirmed[:-1], phase=P.OVER)


def _order_ruled(competition: Competition, event: e.RulingMade) -> Competition:
    number = 1 + sum(bool(session.order) for session in competition.sessions.values())
    name = f"{event.session} ruling {number}"
    session = PlaySession(
        name, event.session, of=event.table, people=event.order, order=event.order
    )
    return replace(competition, sessions={**competition.sessions, name: session})


def _proposed(competition: Competition, event: e.Proposed) -> Competition:
    waiting = {**competition.proposals, event.number: Suggestion(event.ask, event.person)}
    return replace(competition, proposals=waiting, proposal_number=event.number)


def _settled(competition: Competition, event: e.Approved | e.ProposalDropped) -> Competition:
    waiting = without_proposal(competition.proposals, event.number)
    return replace(competition, proposals=waiting)


def _raised(competition: Competition, event: e.DisputeRaised) -> Competition:
    dispute = Dispute(event.person, event.about, event.coup)
    return replace(competition, disputes={**competition.disputes, event.number: dispute})


def _decided(competition: Competition, event: e.DisputeDecided) -> Competition:
    dispute = replace(competition.disputes[event.number], decision=event.decision)
    return replace(competition, disputes={**competition.disputes, event.number: dispute})


def _placed(competition: Competition, event: e.PlacesConfirmed) -> Competition:
    competition = with_money(competition, retained_cents=event.retained_cents)
    for row in event.places:
        for person in row.people:
            facts = {
                "status": EntryStatus.PLACED,
                "place": row.from_,
                "place_to": row.to,
                "prize_cents": event.prizes.get(person, 0),
                "prize_added_cents": event.added.get(person, 0),
            }
            competition = with_entrant(competition, person, **facts)
    ended = {"places": event.places, "pool_cents": event.pool_cents, "phase": P.PLACED}
    return _paid_up(replace(competition, **ended))


def _paid_up(competition: Competition) -> Competition:
    """It is paid once no prize is due, and done once that is published, too."""
    due = any(
        entrant.prize_cents and not entrant.prize_paid for entrant in competition.entries.values()
    )
    if due or competition.phase not in (P.PLACED, P.PAID):
        return competition
    return replace(competition, phase=P.DONE if competition.published else P.PAID)


def _prize_paid(competition: Competition, event: e.PrizePaid) -> Competition:
    competition = with_entrant(competition, event.person, prize_paid=True)
    return _paid_up(with_money(competition, paid_cents=event.cents, added_cents=event.added_cents))


def _published(competition: Competition, _event: e.ResultsPublished) -> Competition:
    return _paid_up(replace(competition, published=True))


def _cancelled(competition: Competition, event: e.CompetitionCancelled) -> Competition:
    for person, cents in event.refunds.items():
        competition = with_entrant(competition, person, owed_cents=cents)
    competition = with_money(competition, retained_cents=event.retained_cents)
    return replace(competition, phase=P.CANCELLED, cancelled=event.note, proposals={})


APPLY: e.Appliers = {
    e.RulingMade: _ruled,
    e.Proposed: _proposed,
    e.Approved: _settled,
    e.ProposalDropped: _settled,
    e.DisputeRaised: _raised,
    e.DisputeDecided: _decided,
    e.PlacesConfirmed: _placed,
    e.PrizePaid: _prize_paid,
    e.ResultsPublished: _published,
    e.CompetitionCancelled: _cancelled,
}
