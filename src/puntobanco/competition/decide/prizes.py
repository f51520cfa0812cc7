"""Ends: places confirmed by two people, prizes paid, results published; or all of it cancelled."""

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.decide.entries import entrant_of
from puntobanco.competition.queries import end_rules, pool_now, prize_list, standing_at
from puntobanco.competition.state import Competition, CompetitionPhase, EntryStatus
from puntobanco.errors import Reason, Refused
from puntobanco.rules.competition.money import Pool, not_returned, refund_of, to_be_added
from puntobanco.rules.competition.places import Standing, give_prizes_over
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor
from puntobanco.words import money


def final_standing(competition: Competition) -> Standing:
    """The places of the final, with the prizes of each, once the final is confirmed."""
    stages = competition.conditions.stage
    clause = competition.says.conduct.places
    if competition.stages_done < len(stages):
        raise Refused(Reason.FINAL_NOT_CONFIRMED, clause, stage=competition.stage_name)
    final = competition.sessions[competition.conditions.final.name]
    standing = standing_at(competition, final.id, next(iter(final.seats)))
    assert standing is not None, "a stage is confirmed when every result is in"
    return give_prizes_over(standing, prize_list(competition), end_rules(competition))


def _confirm_places(
    competition: Competition, _ask: c.ConfirmPlaces, _by: Actor
) -> list[e.CompetitionEvent]:
    """The Director awards the places [act-2015:15.20]. The balance of the fees is the prize pool
    [tas-2018:16.2.1] and all of it is returned [act-2015:15.21]; what prizes need beyond it the
    operator adds first [tas-2018:16.2(lead)].
    """
    conduct, says = competition.says.conduct, competition.says
    standing, pool = final_standing(competition), pool_now(competition)
    _check_settled(competition, standing)
    prizes = {p: row.each_cents for row in standing.places for p in row.people if row.each_cents}
    added = {row.people[0]: row.added_cents for row in standing.places if row.added_cents}
    total = sum(prizes.values()) - sum(added.values())
    over = _check_returned(competition, pool, total)
    if lacking := to_be_added(pool.pool_cents, [total]):
        raise Refused(Reason.POOL_TOO_SMALL, conduct.value_added, cents=money(lacking))
    clauses = (conduct.places, says.ends.ranked, says.prizes.returned, conduct.prize_list)
    return [
        e.PlacesConfirmed(
            standing.places,
            prizes,
            added,
            pool.pool_cents,
            pool.retained_cents + pool.commission_cents + over,
            clauses=tuple(dict.fromkeys(clauses)),
        )
    ]


def _check_settled(competition: Competition, standing: Standing) -> None:
    if standing.contested:
        people, left = ", ".join(standing.contested), standing.places_left
        clause = competition.says.ends.equal_clause
        raise Refused(Reason.PLAY_OFF_DUE, clause, people=people, places=left)
    if any(session.amended for session in competition.sessions.values()):
        raise Refused(Reason.RULING_DUE, competition.says.conduct.places)


def _check_returned(competition: Competition, pool: Pool, total: int) -> int:
    """What of the pool stays over: nothing, where the document wants it returned."""
    short = not_returned(pool.pool_cents, [total], competition.rules)
    if short is None:
        return 0
    if short.clause != CONDITIONS:
        cents, all_of_it = money(short.short_cents), money(pool.pool_cents)
        raise Refused(Reason.POOL_NOT_RETURNED, short.clause, cents=cents, pool=all_of_it)
    return short.short_cents


def _pay_prize(competition: Competition, ask: c.PayPrize, _by: Actor) -> list[e.CompetitionEvent]:
    """A prize goes from the pot into the winner's account, once."""
    entrant, clause = entrant_of(competition, ask.person), competition.says.conduct.prize_list
    if not entrant.prize_cents or entrant.prize_paid:
        raise Refused(Reason.NO_PRIZE_DUE, clause, person=ask.person)
    return [
        e.PrizePaid(ask.person, entrant.prize_cents, entrant.prize_added_cents, clauses=(clause,))
    ]


def _publish_results(
    competition: Competition, _ask: c.PublishResults, _by: Actor
) -> list[e.CompetitionEvent]:
    """The results are made known; it is done once every prize is paid and the pot is empty."""
    clause = competition.says.conduct.places
    if competition.published:
        raise Refused(Reason.RESULTS_PUBLISHED, clause)
    empty = competition.money.pot_cents == 0
    assert empty or competition.phase is not CompetitionPhase.PAID, "prizes come to the pot"
    return [e.ResultsPublished(clauses=(clause,))]


def _cancel(competition: Competition, ask: c.Cancel, _by: Actor) -> list[e.CompetitionEvent]:
    """It does not proceed: every charge is returned [tas-2018:16.2(lead)], in Canberra to all
    [act-2015:15.25(2)], in Tasmania to nobody who was disqualified [tas-2018:16.2.4].
    """
    if not competition.version:
        return [e.CompetitionCancelled(ask.note, {}, clauses=(CONDITIONS,))]
    refunds: dict[str, int] = {}
    for person, entrant in sorted(competition.entries.items()):
        kept = entrant.paid_cents - entrant.refunded_cents
        refund = refund_of(
            kept,
            competition.rules,
            cancelled=True,
            disqualified=entrant.status is EntryStatus.DISQUALIFIED,
        )
        owed = refund.refund_cents + entrant.earlier_cents
        if owed:
            refunds[person] = owed
    rest = competition.money.pot_cents - sum(refunds.values())
    clause = competition.says.entry.not_proceeding
    return [e.CompetitionCancelled(ask.note, refunds, rest, clauses=(clause,))]


DECIDE: e.Deciders = {
    c.ConfirmPlaces: _confirm_places,
    c.PayPrize: _pay_prize,
    c.PublishResults: _publish_results,
    c.Cancel: _cancel,
}
