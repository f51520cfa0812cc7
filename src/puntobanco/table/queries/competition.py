"""Who bets when in a competition, and by which rules."""

from functools import lru_cache

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.competition.conditions import PlayConditions
from puntobanco.rules.competition.ways import Way, ways_of
from puntobanco.rules.documents.competition_rules import CompetitionRules
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet, Indicator, Ruleset
from puntobanco.rules.documents.texts import by_digest
from puntobanco.rules.settle import Outcome
from puntobanco.table.state import Table

SIDES = (Bet.PLAYER, Bet.BANKER)


def plays_session(table: Table, competition: str, session: str) -> bool:
    """Whether this session of this competition is, or was last, played at a table: another one that
    was played there may have a session of the same name. More rounds among equals are a session of
    their own, which goes on with the table's [act-2015:15.22].
    """
    if table.conditions is None or table.session is None:
        return False
    now = table.contest.continued or table.session.id
    return (table.conditions.competition, now) == (competition, session)


def rules_of(table: Table) -> CompetitionRules:
    """The document's rules for this table, with what the conditions settle where it is silent."""
    if table.session is None or table.opened is None:
        return table.terms.rules.competition
    return _settled(table.opened.digest, table.session.play) or table.terms.rules.competition


@lru_cache(maxsize=256)
def _settled(digest: str, play: PlayConditions) -> CompetitionRules | None:
    rules = by_digest(digest)
    return in_force(rules, play) if rules else None


def in_force(rules: Ruleset, play: PlayConditions) -> CompetitionRules:
    """The rules of a competition as its conditions leave them; a way of theirs cites them."""
    ways, own = ways_of(play, rules), rules.competition

    def clause(name: str, way: str, said: str) -> str:
        found: Way = ways[name]
        return (said or found.clause) if found.value == way else ""

    order = ways["order"]
    return replace(
        own,
        order=None if order.value == "together" else order.value,
        order_clause=own.order_clause if own.order == order.value else order.clause,
        every_coup=clause("every_coup", "yes", own.every_coup),
        eliminated=clause("eliminated", "below-minimum", own.eliminated),
        absent=clause("absent", "minimum-deducted", own.absent),
        time_over=clause("time_over", "minimum-only", own.time_over),
    )


AS_IN_TASMANIA = Indicator(2, CONDITIONS, CONDITIONS)
"""Where conditions bring the indicator card in, it lies where the one document that has it says."""


def indicator_of(table: Table) -> Indicator | None:
    """The rule of the indicator card: the document's [tas-2018:16.5.1], or the conditions'."""
    own = table.terms.rules.shoe.indicator
    brought_in = table.is_contest and way_of(table, "indicator").value == "yes"
    return own or (AS_IN_TASMANIA if brought_in else None)


def rise_awaited(table: Table) -> str:
    """The clause by which the next shoe has an indicator card, for limits are still to rise
    [tas-2018:16.5.1-16.5.3]; empty: they are not.
    """
    rule = indicator_of(table)
    awaited = rule is not None and rise_due(table) and not table.contest.indicator_out
    return rule.clause if rule and awaited else ""


def rise_due(table: Table) -> bool:
    """Whether a rise of the limits is announced that has not come."""
    own = table.conditions if table.is_contest else None
    return own is not None and own.raised_limits not in (None, table.terms.notice.limits)


def way_of(table: Table, name: str) -> Way:
    """How one thing is done at this table, and by which clause."""
    play = table.session.play if table.session else PlayConditions()
    return ways_of(play, table.terms.rules)[name]


def betting_order(table: Table) -> tuple[int, ...]:
    """Seats in the order they bet, from the puck on; players who are not there are passed over.

    Anticlockwise in Tasmania [tas-2018:16.5.4], clockwise in Canberra [act-2015:15.15].
    """
    seated, contest = table.seated, table.contest
    away = contest.absent | contest.expected | contest.missed
    order = circuit(table, contest.puck or table.terms.seats.at_dealers_right)
    return tuple(seat for seat in order if seat in seated and seated[seat] not in away)


def circuit(table: Table, first: int) -> tuple[int, ...]:
    """Every seat once, in the direction bets are made."""
    seats = table.terms.seats
    if rules_of(table).order == "clockwise":
        return seats.clockwise_from(first)
    return seats.anticlockwise_from(first)


def have_bet(table: Table) -> frozenset[int]:
    """Seats that have wagered: on a hand where one such wager is wanted [tas-2018:16.4.4], else
    on anything [act-2015:15.14]. A form that lies counts for it [tas-2018:16.5.11], and so does a
    wager that was declared void.
    """
    if table.coup is None:
        return frozenset()
    wanted = SIDES if rules_of(table).one_wager else tuple(Bet)
    forms = (form.seat for form in table.coup.forms.values() if form.verdict != "sent-back")
    laid = (wager.box for wager in table.coup.wagers if wager.on in wanted)
    return frozenset((*laid, *forms, *declared_void(table)))


def declared_void(table: Table) -> frozenset[int]:
    """Seats whose wager on this coup was declared void before the cards, as one out of order may
    be: they have wagered, and do so no more on it [act-2015:15.14-15.15].
    """
    coup = table.coup
    if coup is None or coup.locked or not rules_of(table).session.order_warning:
        return frozenset()
    return frozenset(line.wager.box for line in coup.lines if line.outcome is Outcome.VOID)


def seat_to_bet(table: Table) -> int | None:
    """Whose turn it is to bet: the first in order who has not."""
    if table.coup is None or not table.is_contest:
        return None
    done = have_bet(table)
    return next((seat for seat in betting_order(table) if seat not in done), None)


def in_turn(table: Table, seat: int) -> bool:
    """Whether a wager of any kind comes in its turn: everyone before has bet, nobody after has in
    turn, and the dealer has asked none of them [tas-2018:16.5.7, act-2015:15.15-15.16].
    """
    order = betting_order(table)
    if rules_of(table).order is None or seat not in order:
        return rules_of(table).order is None
    place = order.index(seat)
    after, done = order[place + 1 :], have_bet(table)
    moved = done - table.contest.jumped - riding_boxes(table)
    waited = all(one in done for one in order[:place])
    return waited and not moved & {*after} and table.contest.asked not in after


def riding_boxes(table: Table) -> frozenset[int]:
    """Seats whose wager lies as a Tie left it."""
    lying = table.coup.wagers if table.coup else ()
    return frozenset(wager.box for wager in table.contest.rides if wager in lying)


def may_alter_now(table: Table, seat: int) -> bool:
    """Whether it is this seat's turn to alter the wager that a Tie left lying: those before it
    have, or were asked and let it lie [tas-2018:16.5.8].
    """
    order = betting_order(table)
    if seat not in order:
        return False
    place, asked = order.index(seat), table.contest.asked
    if asked in order[place + 1 :]:
        return False
    passed = order[: order.index(asked)] if asked in order else ()
    waiting = riding_boxes(table) - {*passed}
    return asked == seat or not any(one in waiting for one in order[:place])


def check_contest(table: Table) -> None:
    if not table.is_contest:
        raise Refused(Reason.NOT_A_COMPETITION, CONDITIONS)


def as_clauses(clause: str) -> tuple[str, ...]:
    return (clause,) if clause else ()


def coups_by_card(table: Table) -> bool:
    """Whether a card says how many coups are played off [tas-2018:16.8.3]."""
    session = table.session
    return session is not None and session.kind == "play-off" and not session.ends.given


def card_for_coups_due(table: Table) -> bool:
    """Whether that card is still to be drawn from the new shoe, which nothing was dealt from."""
    fresh = table.shoe is not None and not table.shoe.drawn
    return coups_by_card(table) and table.contest.to_play is None and fresh


def coup_of_session(table: Table) -> int:
    """The number of the coup in play, or the last, counted from the session's first."""
    return table.coup_number - table.contest.before


def is_cash(table: Table) -> bool:
    """Whether it is a live competition, with chips worth money
    [tas-2018:16.1-live-competition-baccarat].
    """
    return table.conditions is not None and table.conditions.chips == "cash"


def check_awaited(table: Table) -> None:
    """Play waits for a ruling on a player who is away where nothing is deducted
    [tas-2018:16.3.6(b), act-2015:15.11].
    """
    contest, rules = table.contest, rules_of(table)
    waits = contest.absent & {*table.places} - contest.directed
    if waits and (not rules.absent or is_cash(table)):
        person = min(waits)
        cash = rules.session.away_cash if is_cash(table) else ""
        clause = cash or rules.session.substitute or CONDITIONS
        raise Refused(Reason.AWAY_WITHOUT_SUBSTITUTE, clause, person=person)


def check_hiding(table: Table) -> None:
    """Whoever hid chips is disqualified before another coup, unless the director rules that it
    was not so [tas-2018:16.7.7].
    """
    clause, contest = rules_of(table).hiding, table.contest
    found = contest.hiding & {*table.places} - contest.directed
    if clause and found:
        raise Refused(Reason.DISQUALIFICATION_DUE, clause, person=min(found))


def check_owed(table: Table) -> None:
    """Before a coup, the director rules on a player whose chips a reversal has taken below zero
    [act-2015:15.14].
    """
    clause = rules_of(table).eliminated or CONDITIONS
    for person in table.places:
        if table.chips.get(person, 0) < 0 and person not in table.contest.directed:
            raise Refused(Reason.BALANCE_BELOW_ZERO, clause, person=person)
