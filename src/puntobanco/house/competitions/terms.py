"""What a session's tables are opened with, by the published conditions."""

from msgspec.structs import replace

from puntobanco.competition.dates import day_at, start_ms
from puntobanco.competition.state import SECONDARY, Competition, PlaySession
from puntobanco.rules.competition.conditions import SessionEnds, StageConditions, TableConditions
from puntobanco.rules.competition.ways import notice_of, ways_of
from puntobanco.rules.notice import Notice
from puntobanco.table import commands as c
from puntobanco.table.competition_terms import Conditions, SessionTerms
from puntobanco.table.state import Opened, Table


def opening_of(
    competition: Competition, session: PlaySession, at: str, before: Table
) -> c.OpenTable:
    """The command that opens a table for a session.

    What is no part of the conditions, its shoe and the backs of its cards among them, is as it
    was when the table was last open, or as it was designated.
    """
    last = before.opened or _designated(competition, at)
    return c.OpenTable(
        _notice(competition, session),
        _day(competition, session.stage),
        last.shoe,
        last.shoe_approval,
        last.effective,
        last.machines,
        last.backs,
        last.hours,
        conditions=_conditions(competition, session, at),
        digest=competition.versions[competition.version].digest,
        utc_minutes=before.utc_minutes,
        session=_terms(competition, session),
    )


def _day(competition: Competition, stage: str) -> str:
    """The casino's date on which a stage is played, as the conditions tell it, or the first day."""
    told = competition.conditions.stage_named(stage)
    if told is None or not told.start:
        return competition.conditions.start[:10]
    return day_at(competition, start_ms(competition, stage)).isoformat()


def _designated(competition: Competition, at: str) -> Opened:
    """What is on record of a table that was never open: what the conditions say of all."""
    table, document = competition.conditions.table or TableConditions(), competition.rules.document
    unsaid = f"not stated in the conditions of {competition.conditions.name}"
    return Opened(
        document.reference,
        "",
        table.effective or unsaid,
        "",
        at.removeprefix("table-"),
        table.shoe_approval or unsaid,
        {},
        table.backs or unsaid,
        "",
    )


def stage_of(competition: Competition, session: PlaySession) -> StageConditions:
    """The conditions' stage; a second chance is played like the stage it follows."""
    found = competition.conditions.stage_named(session.stage)
    return found or competition.stage


def _notice(competition: Competition, session: PlaySession) -> Notice:
    """The stage's notice; a play-off goes by the limits with which its session closed."""
    notice = notice_of(competition.conditions, stage_of(competition, session), competition.rules)
    first = competition.sessions.get(session.stage)
    taken = first.results.get(session.of) if first and session.of else None
    limits = taken.result.limits if taken else None
    return replace(notice, limits=limits) if limits else notice


def _conditions(competition: Competition, session: PlaySession, at: str) -> Conditions:
    stage, of = stage_of(competition, session), competition.conditions
    face_down = ways_of(of.play, competition.rules)["face_down"].value == "yes"
    drawn_for = next((table for table, moved in session.moved.items() if moved == at), at)
    return Conditions(
        competition.id,
        of.chips,
        session.chips_cents or stage.allotment_cents,
        session.first.get(drawn_for),
        stage.raised if session.kind == "session" else None,
        face_down,
    )


def _terms(competition: Competition, session: PlaySession) -> SessionTerms:
    stage, of = stage_of(competition, session), competition.conditions
    own = session.kind == "session"
    by_card = competition.says.ends.coups_by_card
    rounds = SessionEnds() if by_card else SessionEnds(coups=session.coups or 1)
    return SessionTerms(
        session.id,
        stage.ends if own else rounds,
        session.kind,
        stage.secrets if own else 0,
        stage.wager_seconds,
        own and session.stage != SECONDARY and session.stage == of.final.name,
        stage.raised_tie if own else None,
        of.play,
    )
