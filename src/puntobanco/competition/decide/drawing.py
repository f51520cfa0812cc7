"""Seats by lot: a seed committed to beforehand, opened with words spoken by witnesses; or keyed."""

from collections.abc import Collection, Iterable, Sequence

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.decide.entries import entrant_of
from puntobanco.competition.queries import (
    apart_listed,
    drawn_for,
    entry_words,
    next_draw,
    number_advancing,
    too_late_to_commit,
)
from puntobanco.competition.state import Competition
from puntobanco.errors import Reason, Refused
from puntobanco.rules.competition.checks import apart_clause
from puntobanco.rules.competition.draw import (
    MOST_ORDERS,
    DrawnPlace,
    Spoken,
    apart_hash,
    ballot,
    ballot_apart,
    draw_commitment,
    places_at,
    sit_together,
    to_keep_apart,
)
from puntobanco.rules.competition.structure import balanced_tables
from puntobanco.rules.competition.ways import notice_of
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor

FIRST = "first"
"""Said after a draw's words to draw who bets first at a table."""


def _commit_draw(
    competition: Competition, ask: c.CommitDraw, _by: Actor
) -> list[e.CompetitionEvent]:
    """The seed is fixed before there is a list, so that nobody can choose it by the list."""
    clause = competition.says.conduct.seats_drawn
    if competition.commitment:
        raise Refused(Reason.DRAW_COMMITTED_ALREADY, clause)
    session, draw = next_draw(competition)
    if too_late_to_commit(competition):
        raise Refused(Reason.COMMITTED_TOO_LATE, clause)
    return [e.DrawCommitted(ask.commitment, session, draw, clauses=(clause,))]


def _keep_apart(competition: Competition, ask: c.KeepApart, _by: Actor) -> list[e.CompetitionEvent]:
    """Those whom the conditions keep apart, by id [act-2015:15.4(f)]: entrants, each in one group,
    for where groups share somebody nobody could say at once whether they can be kept apart.
    """
    clause, held = apart_clause(competition.rules), competition.conditions.apart
    if not held.who:
        raise Refused(Reason.NOBODY_KEPT_APART, clause)
    seen = set[str]()
    for group in ask.groups:
        for person in group:
            entrant_of(competition, person)
            if person in seen:
                raise Refused(Reason.APART_TWICE, clause, person=person)
            seen.add(person)
        if not 2 <= len(group) <= held.most:
            raise Refused(Reason.APART_TOO_MANY, clause, there=len(group), most=held.most)
    groups = tuple(sorted(tuple(sorted(group)) for group in ask.groups))
    words = entry_words(competition)
    listed = [[words[person] for person in group] for group in groups]
    digest = apart_hash(listed, ask.salt) if groups else ""
    return [e.ApartListKept(groups, ask.salt, digest, clauses=(clause,))]


def check_apart(competition: Competition, tables: Collection[Iterable[str]]) -> None:
    """Refuse seats at which two sit together who are not to; at one table nobody is kept apart."""
    together = sit_together(tables, competition.apart.groups) if len(tables) > 1 else None
    if together:
        person, other = together
        clause = apart_clause(competition.rules)
        raise Refused(Reason.KEPT_APART, clause, person=person, other=other)


def _check_can_be_apart(competition: Competition, people: Sequence[str], tables: int) -> bool:
    """Whether there is anybody to keep apart; refused where there are too few tables for them."""
    groups = to_keep_apart(competition.apart.groups, people) if tables > 1 else ()
    most = max(map(len, groups), default=0)
    if most > tables:
        clause = apart_clause(competition.rules)
        raise Refused(Reason.APART_IMPOSSIBLE, clause, there=most, tables=tables)
    return bool(groups)


def _lots_apart(
    competition: Competition,
    seed: bytes,
    words: Sequence[str],
    listed: Sequence[str],
    places: Sequence[DrawnPlace],
) -> tuple[int, tuple[str, ...]]:
    """The first order that keeps everybody apart, drawn by ballot like any other."""
    found = ballot_apart(seed, words, listed, places, apart_listed(competition))
    if found is None:
        clause = apart_clause(competition.rules)
        raise Refused(Reason.APART_NOT_FOUND, clause, orders=MOST_ORDERS)
    return found


def opened_seed(competition: Competition, seed: str, words: Sequence[Spoken]) -> bytes:
    """The seed, if it is the one that was committed to and a witness has spoken."""
    clause = competition.says.conduct.seats_drawn
    if not competition.commitment:
        raise Refused(Reason.NO_DRAW_COMMITTED, clause)
    if not any(spoken.words.strip() for spoken in words):
        raise Refused(Reason.WITNESS_MISSING, clause)
    raw = bytes.fromhex(seed)
    is_it = bool(seed) and (
        draw_commitment(raw, competition.id, *next_draw(competition)) == competition.commitment
    )
    if not is_it:
        raise Refused(Reason.SEED_DIFFERS, clause)
    return raw


def _draw(competition: Competition, ask: c.Draw, _by: Actor) -> list[e.CompetitionEvent]:
    """Tables and seats by ballot [act-2015:15.7, tas-2018:16.2.3(d), 16.2.3(e)]: as few tables
    as seat all, their sizes within one. Lots are drawn of the numbers of entries, so that everybody
    can draw them again, and nobody learns an id from it.
    """
    conduct, people = competition.says.conduct, drawn_for(competition)
    _check_enough(competition, len(people))
    sizes = balanced_tables(len(people), competition.stage.seats)
    tables = competition.tables
    if len(tables) < len(sizes):
        clause = competition.says.stages.designated
        raise Refused(Reason.TABLES_MISSING, clause, there=len(tables), needed=len(sizes))
    _check_number(competition, len(sizes))
    keeps_apart = _check_can_be_apart(competition, people, len(sizes))
    seed = opened_seed(competition, ask.seed, ask.words)
    words = [spoken.words for spoken in ask.words]
    called = entry_words(competition)
    listed = {called[person]: person for person in people}
    seats: dict[str, dict[int, str]] = {}
    order, places = 0, places_at(zip(tables, sizes, strict=False))
    if keeps_apart:
        order, lots = _lots_apart(competition, seed, words, list(listed), places)
    else:
        lots = ballot(seed, words, listed)
    for place, lot in zip(places, lots, strict=True):
        seats.setdefault(place.table, {})[place.seat] = listed[lot]
    first = {
        table: _seat_of(sat, listed[ballot(seed, [*words, FIRST, table], _listed(called, sat))[0]])
        for table, sat in seats.items()
        if competition.says.first == "drawn"
    }
    session, draw = next_draw(competition)
    clauses = tuple(dict.fromkeys((conduct.sessions_drawn, conduct.seats_drawn)))
    drawn = session, draw, seats, first, ask.words, ask.seed
    apart = apart_listed(competition).hash if order else ""
    return [e.SeatsDrawn(*drawn, order, apart, clauses=clauses)]


def _listed(called: dict[str, str], seats: dict[int, str]) -> list[str]:
    return [called[person] for person in seats.values()]


def _seat_of(seats: dict[int, str], person: str) -> int:
    return next(seat for seat, sitting in seats.items() if sitting == person)


def _check_enough(competition: Competition, people: int) -> None:
    """Below the fewest with whom it is played there is no draw [tas-2018:16.2.2(d)]."""
    least = competition.conditions.entry.min if not competition.confirmed else 1
    if people < least:
        clause = competition.says.entry.disclosed.get("entry.min", CONDITIONS)
        raise Refused(Reason.TOO_FEW_ENTRIES, clause, there=people, least=least)


def _check_number(competition: Competition, tables: int) -> None:
    """How many advance was determined at the start, for so many tables too [tas-2018:16.8.1]."""
    if competition.is_final:
        if tables > 1:
            raise Refused(Reason.ONE_TABLE_FINAL, competition.says.stages.tables, tables=tables)
    elif number_advancing(competition, competition.stage_name, tables) is None:
        clause = competition.says.stages.advancing
        raise Refused(Reason.NO_NUMBER_ADVANCING, clause, tables=tables)


def _key_draw(competition: Competition, ask: c.KeyDraw, _by: Actor) -> list[e.CompetitionEvent]:
    """A draw that was made by hand; everybody sits somewhere, nobody twice."""
    conduct = competition.says.conduct
    _check_keyed(competition, ask)
    _check_number(competition, len(ask.tables))
    session, draw = next_draw(competition)
    clauses = tuple(dict.fromkeys((conduct.sessions_drawn, conduct.seats_drawn)))
    first = ask.first if competition.says.first == "drawn" else {}
    return [e.SeatsDrawn(session, draw, dict(ask.tables), dict(first), clauses=clauses)]


def _check_keyed(competition: Competition, ask: c.KeyDraw) -> None:
    people, clause = drawn_for(competition), competition.says.conduct.seats_drawn
    _check_enough(competition, len(people))
    keyed = [person for seats in ask.tables.values() for person in seats.values()]
    for person in keyed:
        if person not in people or keyed.count(person) > 1:
            reason = Reason.NOT_TO_BE_SEATED if person not in people else Reason.SEATED_TWICE
            raise Refused(reason, clause, person=person)
    missing = [person for person in people if person not in keyed]
    if missing and not competition.in_secondary:  # a second chance is taken or left
        raise Refused(Reason.NOT_EVERYONE_SEATED, clause, people=", ".join(missing[:5]))
    most = notice_of(competition.conditions, competition.stage, competition.rules).seats
    for table, seats in ask.tables.items():
        if table not in competition.tables:
            raise Refused(Reason.NOT_DESIGNATED, competition.says.stages.designated, table=table)
        if not seats or len(seats) > competition.stage.seats or max(seats) > most:
            facts = {"table": table, "most": competition.stage.seats}
            raise Refused(Reason.DRAW_DOES_NOT_FIT, competition.says.stages.tables, **facts)
        if competition.says.first == "drawn" and ask.first.get(table) not in seats:
            raise Refused(Reason.FIRST_SEAT_MISSING, competition.says.order_clause, table=table)
    check_apart(competition, [seats.values() for seats in ask.tables.values()])


def _move_seat(competition: Competition, ask: c.MoveSeat, _by: Actor) -> list[e.CompetitionEvent]:
    """The operator allocates players to tables [tas-2018:16.2.3(e)]; where seats are given by
    ballot alone, nobody is moved [act-2015:15.7].
    """
    conduct = competition.says.conduct
    if conduct.ballot_only:
        raise Refused(Reason.BALLOT_ONLY, conduct.seats_drawn)
    session = competition.now
    if ask.person not in drawn_for(competition):
        raise Refused(Reason.NOT_TO_BE_SEATED, conduct.seats_drawn, person=ask.person)
    if ask.table not in session.seats:
        raise Refused(Reason.NOT_IN_SESSION, competition.says.stages.designated, table=ask.table)
    most = notice_of(competition.conditions, competition.stage, competition.rules).seats
    sitting = session.seats[ask.table].get(ask.seat, "")
    comes = competition.entries[ask.person].table != ask.table and not sitting
    full = comes and len(session.seats[ask.table]) >= competition.stage.seats
    if ask.seat > most or full or sitting == ask.person:
        facts = {"table": ask.table, "most": competition.stage.seats}
        raise Refused(Reason.DRAW_DOES_NOT_FIT, competition.says.stages.tables, **facts)
    if sitting and not competition.entries[ask.person].table:
        raise Refused(Reason.SEAT_IS_DRAWN, conduct.seats_drawn, seat=ask.seat, person=sitting)
    changes = {ask.person: sitting, sitting: ask.person} if sitting else {}
    check_apart(competition, _seated_after(session.seats, ask, changes))
    clauses = (conduct.seats_drawn,)
    return [e.SeatMoved(ask.person, ask.table, ask.seat, ask.note, sitting, clauses=clauses)]


def _seated_after(
    seats: dict[str, dict[int, str]], ask: c.MoveSeat, changes: dict[str, str]
) -> list[list[str]]:
    """Who sits at each table once somebody has moved, or two have changed places."""
    if changes:
        return [[changes.get(one, one) for one in sat.values()] for sat in seats.values()]
    return [
        [*(one for one in sat.values() if one != ask.person), *([ask.person] * (at == ask.table))]
        for at, sat in seats.items()
    ]


DECIDE: e.Deciders = {
    c.CommitDraw: _commit_draw,
    c.KeepApart: _keep_apart,
    c.Draw: _draw,
    c.KeyDraw: _key_draw,
    c.MoveSeat: _move_seat,
}
