"""Equals: play-offs by card, extra rounds, wild cards."""

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.decide.drawing import opened_seed
from puntobanco.competition.decide.results import check_all_in
from puntobanco.competition.queries import entry_words
from puntobanco.competition.state import Competition, SessionKind
from puntobanco.errors import Reason, Refused
from puntobanco.rules.competition.draw import ballot
from puntobanco.rules.competition.places import How, PlaceRow, wild_cards
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor


def _order_play_off(
    competition: Competition, ask: c.OrderPlayOff, _by: Actor
) -> list[e.CompetitionEvent]:
    """Those who are level where only some can have the place play on: with new chips, for as
    many coups as a card says [tas-2018:16.8.3, 16.8.5], or with what they hold, round by round
    until there is a result [act-2015:15.22].
    """
    of, row = _level(competition, set(ask.people))
    clause = row.clauses[-1] if row.clauses else CONDITIONS
    if row.how is How.RULING:
        raise Refused(Reason.RULING_FIRST, clause, people=", ".join(row.people))
    kind: SessionKind = "more-rounds" if row.how is How.MORE_ROUNDS else "play-off"
    if ask.table not in competition.tables:
        raise Refused(Reason.NOT_DESIGNATED, competition.says.stages.designated, table=ask.table)
    if kind == "more-rounds" and (ask.table != of or not ask.coups):
        raise Refused(Reason.ROUNDS_WHERE_THEY_SAT, clause, table=of)
    if kind == "play-off" and ask.coups:
        raise Refused(Reason.CARD_SAYS_COUPS, clause)
    stage = competition.stage_name
    name = kind.replace("-", " ")
    number = 1 + sum(
        session.stage == stage and session.kind == kind for session in competition.sessions.values()
    )
    return [
        e.PlayOffOrdered(
            f"{stage} {name} {number}",
            kind,
            of,
            ask.table,
            row.people,
            row.at_stake,
            ask.coups,
            clauses=row.clauses,
        )
    ]


def _level(competition: Competition, people: set[str]) -> tuple[str, PlaceRow]:
    """The table at which these ended level, and what they are level for."""
    level: list[str] = []
    for table, standing in check_all_in(competition).items():
        for row in standing.places:
            if row.at_stake and set(row.people) == people:
                return table, row
            if row.at_stake:
                level.append(" ".join(row.people))
    clause, said = competition.says.ends.equal_clause, "; ".join(level) or "nobody"
    raise Refused(Reason.NOT_LEVEL, clause, level=said)


def _set_play_off_chips(
    competition: Competition, ask: c.SetPlayOffChips, _by: Actor
) -> list[e.CompetitionEvent]:
    """The Director determines the chips of a play-off, equal for all [tas-2018:16.8.3]."""
    clause = competition.says.ends.equal_clause
    if competition.now.kind != "play-off":
        raise Refused(Reason.CHIPS_AS_HELD, clause)
    table = competition.conditions.table
    chip = table.chip_cents if table else 1
    least = competition.stage.limits.min_cents
    if ask.cents % chip or ask.cents < least:
        raise Refused(Reason.CHIPS_DO_NOT_FIT, clause, least=least // 100, chip=chip / 100)
    return [e.PlayOffChipsSet(ask.cents, clauses=(clause,))]


def _name_wild_cards(
    competition: Competition, ask: c.NameWildCards, _by: Actor
) -> list[e.CompetitionEvent]:
    """The best of the others advance too, over all tables by chips, equals by ballot; only where
    the conditions have wild cards.
    """
    number = competition.stage.wild
    if not number or competition.in_secondary:
        raise Refused(Reason.NO_WILD_CARDS, CONDITIONS)
    if competition.wild_cards:
        raise Refused(Reason.WILD_CARDS_NAMED, CONDITIONS)
    chips: dict[str, int] = {}
    for table, standing in check_all_in(competition).items():
        if standing.contested:
            people = ", ".join(standing.contested)
            clause = competition.says.ends.equal_clause
            raise Refused(Reason.PLAY_OFF_DUE, clause, people=people, places=standing.places_left)
        held = competition.sessions[competition.stage_name].results[table].result.chips
        placed = {person for row in standing.places for person in row.people}
        others = placed - set(standing.through)
        chips |= {person: held.get(person, 0) for person in others}
    through, level = wild_cards(chips, number)
    if not level:
        return [e.WildCardsNamed(through, clauses=(CONDITIONS,))]
    seed, called = opened_seed(competition, ask.seed, ask.words), entry_words(competition)
    listed = {called[person]: person for person in level}
    drawn = ballot(seed, [spoken.words for spoken in ask.words], listed)
    named = (*through, *(listed[lot] for lot in drawn[: number - len(through)]))
    return [e.WildCardsNamed(named, ask.words, ask.seed, clauses=(CONDITIONS,))]


DECIDE: e.Deciders = {
    c.OrderPlayOff: _order_play_off,
    c.SetPlayOffChips: _set_play_off_chips,
    c.NameWildCards: _name_wild_cards,
}
