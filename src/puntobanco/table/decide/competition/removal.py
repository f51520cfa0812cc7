"""Who is out of a competition, and why; and who is put back."""

from typing import Literal

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.decide.competition.order import with_puck
from puntobanco.table.decide.competition.secrets import lapsed
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.competition import check_contest, coup_of_session, is_cash, rules_of
from puntobanco.table.queries.secrets import standing_forms
from puntobanco.table.state import LiveCoup, Table
from puntobanco.words import money


def _kept_by(table: Table) -> Literal["operator", "player"]:
    return "player" if is_cash(table) else "operator"


def eliminations(table: Table) -> list[TableEvent]:
    """Who can no longer make the posted minimum [tas-2018:16.5.9, act-2015:15.14].

    A balance below zero, after a coup fell, waits for the director's ruling.
    """
    rules, least = rules_of(table), table.terms.notice.limits.min_cents
    if not rules.eliminated:
        return []
    number = max(1, coup_of_session(table))
    return [
        events.PlayerEliminated(
            person, seat, held, _kept_by(table), number, clauses=(rules.eliminated,)
        )
        for seat, person in table.seated.items()
        if (held := table.chips.get(person, 0)) < least
        and (held >= 0 or person in table.contest.directed)
    ]


def removed(
    table: Table,
    person: str,
    why: Literal["late", "not-seated", "disqualified", "forfeited"],
    clause: str,
    note: str = "",
    row: int = 0,
) -> events.PlayerRemoved:
    """A player loses place and seat; the seat stays void [tas-2018:16.5.9]."""
    seat = table.places[person].box
    held = table.chips.get(person, 0)
    return events.PlayerRemoved(
        person, seat, why, held, _kept_by(table), note, row, clauses=(clause,)
    )


def remove_player(table: Table, ask: c.RemovePlayer, _by: Actor) -> list[TableEvent]:
    """Disqualified, or having forfeited the place, by the competition's own decision
    [tas-2018:16.2.3(b), 16.7.7, act-2015:15.9]. What lies on the layout goes back; once bets are
    locked it wins or loses first.
    """
    check_contest(table)
    rules, coup = rules_of(table), table.coup
    if ask.person not in table.places:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=ask.person)
    lying = [wager for wager in coup.wagers if wager.by == ask.person] if coup else []
    theirs = coup.locked and _has_wager(coup, ask.person) if coup else False
    if theirs:
        raise Refused(Reason.STILL_HAS_WAGERS, CONDITIONS, person=ask.person)
    clause = rules.session.disqualified if ask.why == "disqualified" else rules.session.forfeited
    cited = (clause or CONDITIONS,)
    back: list[TableEvent] = [events.WagerWithdrawn(wager, clauses=cited) for wager in lying]
    if coup is not None and not coup.locked:
        back += lapsed(table, coup.number, cited, ask.person)
    held = table.chips.get(ask.person, 0) + sum(wager.cents for wager in lying)
    gone = events.PlayerRemoved(
        ask.person,
        table.places[ask.person].box,
        ask.why,
        held,
        _kept_by(table),
        ask.note,
        ask.row,
        clauses=cited,
    )
    return with_puck(table, [*back, gone])


def _has_wager(coup: LiveCoup, person: str) -> bool:
    """Does a wager of theirs lie, or a form that is still to be told?"""
    form = standing_forms(coup).get(person)
    waits = form is not None and not form.announced and coup.verdict is None
    return waits or any(wager.by == person for wager in coup.wagers)


def correct_chips(table: Table, ask: c.CorrectChips, _by: Actor) -> list[TableEvent]:
    """What inspector and player count prevails over the record; the difference is on record."""
    check_contest(table)
    if ask.person not in table.contest.drawn.values():
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=ask.person)
    if ask.cents % table.terms.notice.chip_cents:
        facts = {"amount": money(ask.cents), "chip": money(table.terms.notice.chip_cents)}
        raise Refused(Reason.NOT_IN_WHOLE_CHIPS, CONDITIONS, **facts)
    was = table.chips.get(ask.person, 0)
    clause = rules_of(table).chips_kept or CONDITIONS
    return [events.ChipsCorrected(ask.person, was, ask.cents, ask.note, clauses=(clause,))]


def reinstate(table: Table, ask: c.Reinstate, _by: Actor) -> list[TableEvent]:
    """By ruling, after the coup that eliminated them fell [act-2015:12.5, 15.14]."""
    check_contest(table)
    contest = table.contest
    if ask.person not in contest.out or ask.person not in contest.drawn.values():
        raise Refused(Reason.NOT_ELIMINATED, CONDITIONS, person=ask.person)
    seat = next(seat for seat, person in contest.drawn.items() if person == ask.person)
    back = contest.left_over[ask.person]
    clause = rules_of(table).eliminated or CONDITIONS
    return [events.PlayerReinstated(ask.person, seat, back, ask.note, clauses=(clause,))]


DECIDE: Decides = {
    c.RemovePlayer: remove_player,
    c.CorrectChips: correct_chips,
    c.Reinstate: reinstate,
}
