"""Wagers in a competition: one a seat, in order, fixed once made, the minimum on every coup."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet, Pays
from puntobanco.rules.notice import PAIR_BETS, Terms
from puntobanco.rules.settle import Outcome
from puntobanco.rules.wagers import Wager
from puntobanco.table import events
from puntobanco.table.events import TableEvent
from puntobanco.table.queries.competition import (
    SIDES,
    as_clauses,
    betting_order,
    rules_of,
    seat_to_bet,
)
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Table
from puntobanco.words import money


def riding(table: Table) -> tuple[Wager, ...]:
    """Wagers on Player and Banker that a Tie left lying [tas-2018:16.5.6, 16.5.8]."""
    if not rules_of(table).after_tie or not table.coups:
        return ()
    last = table.coups[-1]
    if last.result is not Result.TIE:
        return ()
    return tuple(
        replace(line.wager, cents=line.stake_cents, late_cents=0, withdrawn=False, reduced=False)
        for line in last.lines
        if line.wager.on in SIDES
        and line.wager.by in table.places
        and line.outcome is Outcome.PUSHES
    )


def place(table: Table, wager: Wager) -> list[TableEvent]:
    """One wager on Player or Banker, with a Tie if wished, in turn [tas-2018:16.4.4, 16.5].

    Out of turn it stands all the same, locked, and the infringement is on record
    [tas-2018:16.5.7, act-2015:15.15].
    """
    rules, coup = rules_of(table), live(table)
    if wager.on in PAIR_BETS and rules.one_wager:
        raise Refused(Reason.BET_NOT_OFFERED, rules.one_wager, on=wager.on, allowed=_mains())
    others = [lying for lying in coup.wagers if lying.by == wager.by and lying.on in SIDES]
    if wager.on in SIDES and others and rules.both_sides:
        raise Refused(Reason.BOTH_SIDES, rules.both_sides)
    least = table.terms.limits[wager.on].min_cents
    if wager.box in table.contest.restricted and wager.cents != least:
        raise Refused(Reason.MINIMUM_ONLY, rules.time_over or CONDITIONS, least=money(least))
    due = seat_to_bet(table)
    early = wager.on in SIDES and rules.order is not None and due not in (None, wager.box)
    clauses = (rules.out_of_turn,) if early else as_clauses(rules.order_clause)
    return [events.WagerPlaced(wager, early, clauses=clauses)]


def _mains() -> str:
    return ", ".join((*SIDES, Bet.TIE))


def check_may_alter(table: Table, was: Wager) -> str:
    """A wager once made is not altered, save after a Tie [tas-2018:16.5.6, 16.5.8], or until
    the player's opportunity is over [act-2015:15.15-15.16]. The clause that lets it be.
    """
    rules, coup = rules_of(table), live(table)
    rides = [wager for wager in riding(table) if wager in coup.wagers]
    if was in rides:
        _check_turn_to_alter(table, was, rides)
        return rules.after_tie
    if rules.fixed == "turn-over" and not coup.called:
        asked = table.contest.asked
        if asked in (None, was.box):
            return rules.fixed_clause or CONDITIONS
    raise Refused(Reason.WAGER_FIXED, rules.fixed_clause or CONDITIONS)


def _check_turn_to_alter(table: Table, was: Wager, rides: list[Wager]) -> None:
    """Riding wagers are altered in sequence: not once somebody later in order has done so."""
    order = betting_order(table)
    unaltered = {wager.box for wager in rides}
    later = order[order.index(was.box) + 1 :] if was.box in order else ()
    rode = {wager.box for wager in riding(table)}
    if any(seat in rode and seat not in unaltered for seat in later):
        raise Refused(Reason.WAGER_FIXED, rules_of(table).after_tie)


def before_lock(table: Table) -> list[TableEvent]:
    """Everyone present has the minimum on the layout, made up to it where it falls short
    [tas-2018:16.5.11-16.5.12]; in Canberra at least that much is at risk [act-2015:15.14].
    """
    rules, made = rules_of(table), []
    if not rules.every_coup or not live(table).takes_wagers:
        return []
    least = table.terms.notice.limits.min_cents
    for seat in betting_order(table):
        wagers = [wager for wager in live(table).wagers if wager.box == seat]
        risk = at_risk(wagers, table.terms, main_only=bool(rules.one_wager))
        if risk >= least:
            continue
        short = next((wager for wager in wagers if wager.on in SIDES), None)
        more = least - short.cents if short else 0
        if not rules.made_up or short is None or table.chips.get(short.by, 0) < more:
            raise Refused(Reason.MUST_WAGER, rules.every_coup, seat=seat, least=money(least))
        full = replace(short, cents=least)
        made.append(events.WagerMadeUp(full, clauses=(rules.made_up,)))
    return list(made)


def check_nobody_bets(table: Table) -> None:
    """Refuse to pass over players who are there and must wager on every coup [tas-2018:16.5.11,
    act-2015:15.14].
    """
    rules, order = rules_of(table), betting_order(table)
    if rules.every_coup and order:
        least = money(table.terms.notice.limits.min_cents)
        raise Refused(Reason.MUST_WAGER, rules.every_coup, seat=order[0], least=least)


def at_risk(wagers: list[Wager], terms: Terms, *, main_only: bool) -> int:
    """The most that these wagers can lose over all results, by the table's own method.

    Pairs may lose besides. Where one wager on a hand is wanted, what lies on the hand counts.
    """
    on = {bet: sum(wager.cents for wager in wagers if wager.on == bet) for bet in Bet}
    if main_only:
        return max(on[Bet.PLAYER], on[Bet.BANKER])
    pairs = sum(on[bet] for bet in PAIR_BETS)
    return pairs + max(_loss(on, pays) for pays in terms.method.pays)


def _loss(on: dict[Bet, int], pays: Pays) -> int:
    """What the main wagers lose when this one is paid; on a tie the hands lose nothing."""
    won = on[pays.on] * pays.odds[0] // pays.odds[1]
    lost = [bet for bet in (*SIDES, Bet.TIE) if bet is not pays.on]
    if pays.on is Bet.TIE:
        lost = []
    return sum(on[bet] for bet in lost) - won
