"""Results: taken from tables, confirmed stage by stage."""

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.queries import standings
from puntobanco.competition.state import (
    ENDED,
    Competition,
    EntryStatus,
    PlaySession,
)
from puntobanco.errors import Reason, Refused
from puntobanco.rules.competition.places import Standing
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor


def _take_result(
    competition: Competition, ask: c.TakeResult, _by: Actor
) -> list[e.CompetitionEvent]:
    """Take what a table's session came to [tas-2018:16.8.2, act-2015:15.20]. Once its stage is
    confirmed, a result that changed is put on record, and nothing follows without a ruling.
    """
    clause = competition.says.ends.ranked
    session = competition.sessions.get(ask.result.session)
    if session is None or not session.has_begun:
        raise Refused(Reason.ANOTHER_SESSION, clause, table=ask.table)
    table = _played_at(session, ask.table)
    if table not in session.seats:
        raise Refused(Reason.NOT_IN_SESSION, clause, table=ask.table)
    _check_people(session, table, ask, clause)
    known = session.amended.get(table) or session.results.get(table)
    if known is not None and ask.version <= known.version:
        facts = {"table": ask.table, "version": ask.version, "known": known.version}
        raise Refused(Reason.RESULT_IS_OLD, clause, **facts)
    taken = (session.id, table, ask.version, ask.result)
    if session.stage in competition.confirmed:
        return [e.ResultAmended(*taken, clauses=(clause,))]
    return [e.ResultTaken(*taken, clauses=(clause,)), *_gone(competition, ask)]


def _played_at(session: PlaySession, table: str) -> str:
    """The table that was drawn for, where a session was moved to another."""
    return next((drawn for drawn, at in session.moved.items() if at == table), table)


def _check_people(session: PlaySession, table: str, ask: c.TakeResult, clause: str) -> None:
    """A result is about those who were seated there, each once."""
    seated = set(session.seats[table].values())
    named = [*ask.result.chips, *ask.result.out]
    everyone = {*named, *ask.result.gone}
    if everyone != seated or len(set(named)) != len(named):
        raise Refused(Reason.OTHER_PLAYERS, clause, table=ask.table)


def _gone(competition: Competition, ask: c.TakeResult) -> list[e.CompetitionEvent]:
    """Those whose position was cancelled at the table have forfeited it [tas-2018:16.3.2(b),
    act-2015:15.9].
    """
    clause = competition.says.conduct.forfeited
    return [
        e.EntryForfeited(person, why, clauses=(clause,))
        for person, why in ask.result.gone.items()
        if competition.entries[person].status not in ENDED
    ]


def check_all_in(competition: Competition) -> dict[str, Standing]:
    """How every table of the stage stands, if all results are in and none awaits a ruling."""
    clause, stage = competition.says.ends.ranked, competition.stage_name
    found: dict[str, Standing] = {}
    for table, standing in standings(competition, stage).items():
        if standing is None:
            raise Refused(Reason.RESULT_MISSING, clause, table=table)
        found[table] = standing
    return found


def _confirm_stage(
    competition: Competition, _ask: c.ConfirmStage, _by: Actor
) -> list[e.CompetitionEvent]:
    """Confirm who is through, by the number determined at the start [tas-2018:16.8.1, 16.8.2,
    act-2015:15.20]; equals at the line play on first.
    """
    found, ends = check_all_in(competition), competition.says.ends
    for standing in found.values():
        if standing.contested:
            people = ", ".join(standing.contested)
            raise Refused(
                Reason.PLAY_OFF_DUE, ends.equal_clause, people=people, places=standing.places_left
            )
    wild = {person for person in competition.wild_cards if competition.entries[person].is_in}
    if not competition.is_final and not competition.in_secondary:
        check_wild(competition)
    through = {person for standing in found.values() for person in standing.through} | wild
    in_it = {
        person
        for person, entrant in competition.entries.items()
        if entrant.status is EntryStatus.SEATED and entrant.stage == competition.stage_name
    }
    if competition.is_final:
        through = in_it
    out = tuple(sorted(in_it - through))
    clauses = tuple(dict.fromkeys((ends.advancing, ends.ranked, competition.says.conduct.places)))
    return [
        e.StageConfirmed(
            competition.stage_name, tuple(sorted(through & in_it)), out, clauses=clauses
        )
    ]


def check_wild(competition: Competition) -> None:
    if competition.stage.wild and not competition.wild_cards:
        raise Refused(Reason.WILD_CARDS_DUE, CONDITIONS, number=competition.stage.wild)


def _open_secondary(
    competition: Competition, ask: c.OpenSecondary, _by: Actor
) -> list[e.CompetitionEvent]:
    """A second chance for players who failed to qualify [tas-2018:16.1-secondary-competition],
    those who came too late among them [tas-2018:16.3.2(d)]; nobody who was disqualified.
    """
    clause, asked = competition.says.stages.secondary, competition.conditions.secondary
    if not asked.winners:
        raise Refused(Reason.NO_SECONDARY, clause)
    done = competition.is_final and competition.stages_done == len(competition.conditions.stage)
    if ask.into != asked.into or done or competition.stage.name != ask.into:
        raise Refused(Reason.SECONDARY_INTO, clause, into=asked.into)
    if competition.secondary_into:
        raise Refused(Reason.SECONDARY_OPENED, clause)
    second = frozenset({EntryStatus.OUT, EntryStatus.FORFEITED})
    eligible = tuple(
        sorted(
            person for person, entrant in competition.entries.items() if entrant.status in second
        )
    )
    if len(eligible) < asked.winners:
        facts = {"there": len(eligible), "wanted": asked.winners}
        raise Refused(Reason.TOO_FEW_LOSERS, clause, **facts)
    return [e.SecondaryOpened(ask.into, eligible, clauses=(clause,))]


DECIDE: e.Deciders = {
    c.TakeResult: _take_result,
    c.ConfirmStage: _confirm_stage,
    c.OpenSecondary: _open_secondary,
}
