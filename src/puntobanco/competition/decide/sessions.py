"""Sessions: tables designated and prepared, started together, interrupted, finished."""

from collections.abc import Iterable
from itertools import pairwise

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.dates import start_ms
from puntobanco.competition.queries import next_clock_ms, number_advancing, prize_list, standing_at
from puntobanco.competition.state import Competition, CompetitionPhase, PlaySession
from puntobanco.errors import Reason, Refused
from puntobanco.rules.competition.clinch import clinch, play_under
from puntobanco.rules.competition.places import row_prizes
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor
from puntobanco.table.result import SessionResult

MINUTE_MS = 60_000


def _designate_table(
    competition: Competition, ask: c.DesignateTable, _by: Actor
) -> list[e.CompetitionEvent]:
    """The Director designates the tables that are used [tas-2018:16.3.1]."""
    clause = competition.says.stages.designated
    if ask.table in competition.tables:
        raise Refused(Reason.DESIGNATED_ALREADY, clause, table=ask.table)
    return [e.TableDesignated(ask.table, clauses=(clause,))]


def _release_table(
    competition: Competition, ask: c.ReleaseTable, _by: Actor
) -> list[e.CompetitionEvent]:
    clause = competition.says.stages.designated
    if ask.table not in competition.tables:
        raise Refused(Reason.NOT_DESIGNATED, clause, table=ask.table)
    session = competition.sessions.get(competition.session)
    over = competition.phase is CompetitionPhase.CONFIRMED
    if session is not None and not over and ask.table in (*session.seats, *session.moved.values()):
        raise Refused(Reason.TABLE_IN_USE, clause, table=ask.table)
    return [e.TableReleased(ask.table, clauses=(clause,))]


def _prepare_session(
    competition: Competition, _ask: c.PrepareSession, _by: Actor
) -> list[e.CompetitionEvent]:
    clauses = (competition.says.allotment,)
    return [e.SessionPrepared(competition.session, clauses=clauses)]


def _set_start(competition: Competition, ask: c.SetStart, by: Actor) -> list[e.CompetitionEvent]:
    """The Director may alter a starting time, with notice to all [tas-2018:16.3.4]."""
    clause = competition.says.conduct.start_moved
    stages = [stage.name for stage in competition.conditions.stage]
    begun = competition.sessions.get(ask.stage)
    if ask.stage not in stages:
        raise Refused(Reason.NO_SUCH_STAGE, clause, stage=ask.stage, allowed=", ".join(stages))
    if begun is not None and begun.has_begun:
        raise Refused(Reason.STAGE_HAS_BEGUN, clause, session=ask.stage)
    if ask.start_ms <= by.at_ms:
        raise Refused(Reason.START_IS_PAST, clause)
    return [e.StartSet(ask.stage, ask.start_ms, ask.note, by.at_ms, clauses=(clause,))]


def _start_session(
    competition: Competition, _ask: c.StartSession, by: Actor
) -> list[e.CompetitionEvent]:
    """Play begins at all tables at once, under a Director who is present [tas-2018:16.2.7]; one
    clock runs for all of them. A stage whose start the conditions tell, or whose start was moved
    with notice, does not begin before it: nobody is late before the time that was told
    [tas-2018:16.3.2(lead), 16.3.4, act-2015:15.9].
    """
    session, ends = competition.now, competition.says.ends
    told = competition.conditions.stage_named(session.id)
    waits = told is not None and (told.start or session.id in competition.starts)
    if waits and by.at_ms < start_ms(competition, session.id):
        clause = competition.says.conduct.start_moved
        raise Refused(Reason.START_IS_TO_COME, clause, stage=session.id)
    if session.kind == "play-off" and not session.chips_cents:
        raise Refused(Reason.PLAY_OFF_CHIPS_MISSING, ends.equal_clause)
    for table, seats in session.seats.items():
        if not seats:
            raise Refused(Reason.TABLE_IS_EMPTY, competition.says.conduct.seats_drawn, table=table)
    minutes = competition.stage.ends.minutes if session.kind == "session" else None
    ends_ms = by.at_ms + minutes * MINUTE_MS if minutes else None
    clauses = (competition.says.director,)
    return [e.SessionStarted(session.id, by.at_ms, ends_ms, clauses=clauses)]


def _break(competition: Competition, ask: c.Break, by: Actor) -> list[e.CompetitionEvent]:
    """The Director may offer a break, and says how long it is [act-2015:15.18]."""
    clause = competition.says.conduct.breaks
    if competition.break_until_ms is not None:
        raise Refused(Reason.IN_A_BREAK, clause)
    return [e.BreakCalled(ask.minutes, by.at_ms, clauses=(clause,))]


def _resume(competition: Competition, _ask: c.Resume, by: Actor) -> list[e.CompetitionEvent]:
    clause = competition.says.conduct.breaks
    if competition.break_until_ms is None:
        raise Refused(Reason.NOT_IN_A_BREAK, clause)
    return [e.PlayResumed(by.at_ms, clauses=(clause,))]


def _give_direction(
    competition: Competition, ask: c.GiveDirection, _by: Actor
) -> list[e.CompetitionEvent]:
    """The Director sets the pace and directs players to keep it [act-2015:15.19]."""
    return [e.PaceDirected(ask.note, clauses=(competition.says.conduct.directed,))]


def _last_coup(competition: Competition, _ask: c.LastCoup, _by: Actor) -> list[e.CompetitionEvent]:
    """The Director declares the last coup before betting on it opens [tas-2018:16.6.11(lead)]."""
    clause = competition.says.stages.ends
    if competition.now.last_coup:
        raise Refused(Reason.LAST_COUP_CALLED, clause)
    return [e.LastCoupCalled(competition.session, clauses=(clause,))]


def _finish_early(
    competition: Competition, ask: c.FinishEarly, _by: Actor
) -> list[e.CompetitionEvent]:
    """A session may finish early once its winners are determined [tas-2018:16.3.5]: whatever
    anyone wagers and whatever cards fall.
    """
    clause = competition.says.ends.early_finish or CONDITIONS
    session = _at_table(competition, ask.table)
    if ask.table in session.finished or ask.table in session.results:
        raise Refused(Reason.TABLE_IS_OVER, clause, table=ask.table)
    if ask.standing is None or ask.standing.session != session.id:
        raise Refused(Reason.ANOTHER_SESSION, clause, table=ask.table)
    verdict, proof = early_verdict(competition, ask.standing)
    if verdict != "decided":
        raise Refused(Reason.NOT_DECIDED, clause, table=ask.table, verdict=verdict)
    if ask.proof and ask.proof != proof:
        raise Refused(Reason.PROOF_DIFFERS, clause, table=ask.table)
    return [e.TableFinishedEarly(ask.table, proof, clauses=(clause,))]


def early_verdict(competition: Competition, standing: SessionResult) -> tuple[str, tuple[str, ...]]:
    """Whether what a table reports decides who is through, and the proof. Where the session is
    not counted in coups, nobody knows how many are left until the last one is declared; but
    where nobody is left in play whose rank matters, no coup changes anything.
    """
    stage, session = competition.stage, competition.now
    lines, left = list(_lines(competition, session, len(standing.chips))), len(standing.chips)
    known = bool(lines) or competition.is_final
    if known and all(left <= line for line in lines):
        return "decided", (f"{left} still in play, and what each of them has is certain",)
    coups = session.coups if session.kind == "more-rounds" else stage.ends.coups
    if session.kind == "play-off" or not coups:
        coups = standing.coups + 1 if session.last_coup else 0
    if not coups:
        return "open", ()
    coups_left = max(0, coups - standing.coups)
    limits, table = standing.limits or stage.limits, competition.conditions.table
    tie = stage.tie_limits or (table.tie_limits if table else None)
    unit = limits.multiple_cents or 1
    play = play_under(competition.rules, limits, tie, stage.pairs_limits, unit)
    proof: list[str] = []
    for line in lines:
        found = clinch(standing.chips, line, coups_left, play)
        proof += found.proof
        if found.verdict != "decided":
            return found.verdict, tuple(proof)
    return ("decided" if proof else "open"), tuple(proof)


def _lines(competition: Competition, session: PlaySession, players: int) -> Iterable[int]:
    """The ranks after which it matters on which side of them somebody is: the number advancing,
    or, where prizes are won, each place with another prize than the next.
    """
    if not competition.is_final:
        own = session.kind == "session"
        number = number_advancing(competition, session.stage, len(session.seats)) if own else None
        return filter(None, [number if own else session.places_left])
    prizes = _prizes_of(competition, session)
    if prizes is None:
        return [session.places_left]
    prizes = (*prizes, 0)[:players]
    return [
        rank for rank, (here, after) in enumerate(pairwise((*prizes, 0)), 1)
        if here != after and rank < players
    ]  # fmt: skip


def _prizes_of(competition: Competition, session: PlaySession) -> tuple[int, ...] | None:
    """The prizes that are played for in a final, or by those who were level at its end; None: they
    are level no more, for somebody was removed.
    """
    prizes = prize_list(competition)
    if session.kind == "session":
        return prizes
    stood = standing_at(competition, session.stage, session.of)
    level = [row for row in stood.places if row.at_stake] if stood else []
    whose = (row for row in level if {*row.people} & {*session.people})
    return next((row_prizes(row, prizes) for row in whose), None)


def _at_table(competition: Competition, table: str) -> PlaySession:
    session = competition.now
    if table not in session.seats:
        raise Refused(Reason.NOT_IN_SESSION, competition.says.stages.designated, table=table)
    return session


def _stop_table(competition: Competition, ask: c.StopTable, _by: Actor) -> list[e.CompetitionEvent]:
    """A table cannot go on: its session waits as it stands."""
    session = _at_table(competition, ask.table)
    if ask.table in session.stopped:
        raise Refused(Reason.TABLE_IS_STOPPED, CONDITIONS, table=ask.table)
    if ask.table in session.results:
        raise Refused(Reason.TABLE_IS_OVER, CONDITIONS, table=ask.table)
    return [e.TableStopped(ask.table, ask.note, clauses=(CONDITIONS,))]


def _resume_at(competition: Competition, ask: c.ResumeAt, _by: Actor) -> list[e.CompetitionEvent]:
    """It goes on with chips, puck, allowances and coups left as they were, here or elsewhere."""
    session = _at_table(competition, ask.table)
    clause = competition.says.stages.designated
    if ask.table not in session.stopped:
        raise Refused(Reason.TABLE_NOT_STOPPED, CONDITIONS, table=ask.table)
    if ask.at not in competition.tables:
        raise Refused(Reason.NOT_DESIGNATED, clause, table=ask.at)
    here = session.moved.get(ask.table, ask.table)
    others = {*session.seats, *session.moved.values()} - {here}
    if ask.at in others:
        raise Refused(Reason.TABLE_IN_USE, clause, table=ask.at)
    if ask.at != here and competition.conditions.chips == "cash":
        raise Refused(Reason.SESSION_STAYS, CONDITIONS)
    return [e.TableResumed(ask.table, ask.at, clauses=(clause,))]


def _run_out(competition: Competition, _ask: c.RunOut, by: Actor) -> list[e.CompetitionEvent]:
    """The session's time is over, at all tables alike [tas-2018:16.1-session]."""
    ends_ms = next_clock_ms(competition)
    if ends_ms is None or by.at_ms < ends_ms:
        raise Refused(Reason.NO_TIME_IS_OVER, CONDITIONS)
    return [e.SessionTimeOver(competition.session, clauses=(competition.says.stages.ends,))]


def _hold_clocks(
    competition: Competition, ask: c.HoldClocks, _by: Actor
) -> list[e.CompetitionEvent]:
    """An outage lengthens the session for all tables alike."""
    if next_clock_ms(competition) is None and competition.break_until_ms is None:
        raise Refused(Reason.NO_TIME_RUNS, CONDITIONS)
    return [e.ClocksHeld(ask.for_ms)]


DECIDE: e.Deciders = {
    c.DesignateTable: _designate_table,
    c.ReleaseTable: _release_table,
    c.PrepareSession: _prepare_session,
    c.SetStart: _set_start,
    c.StartSession: _start_session,
    c.Break: _break,
    c.Resume: _resume,
    c.GiveDirection: _give_direction,
    c.LastCoup: _last_coup,
    c.FinishEarly: _finish_early,
    c.StopTable: _stop_table,
    c.ResumeAt: _resume_at,
    c.RunOut: _run_out,
    c.HoldClocks: _hold_clocks,
}
