"""Wagers in a competition: one a seat, in order, fixed once made, the minimum on every coup."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet, Pays
from puntobanco.rules.notice import PAIR_BETS, Terms
from puntobanco.rules.wagers import Wager
from puntobanco.table import events
from puntobanco.table.events import TableEvent
from puntobanco.table.queries.competition import (
    SIDES,
    as_clauses,
    betting_order,
    check_awaited,
    declared_void,
    in_turn,
    may_alter_now,
    rules_of,
)
from puntobanco.table.queries.coup import live
from puntobanco.table.queries.secrets import standing_forms
from puntobanco.table.state import Table
from puntobanco.words import money


def riding(table: Table) -> tuple[Wager, ...]:
    """Wagers on Player and Banker that a Tie left lying [tas-2018:16.5.6, 16.5.8]."""
    if not rules_of(table).after_tie:
        return ()
    return tuple(wager for wager in table.contest.rides if wager.by in table.places)


def place(table: Table, wager: Wager, odd: tuple[str, ...], *, staff: bool) -> list[TableEvent]:
    """One wager on Player or Banker, with a Tie if wished, in turn [tas-2018:16.4.4, 16.5].

    Out of turn it stands all the same, locked, and the infringement is on record
    [tas-2018:16.5.7, act-2015:15.15].
    """
    rules, coup = rules_of(table), live(table)
    if wager.on in PAIR_BETS and rules.one_wager:
        raise Refused(Reason.BET_NOT_OFFERED, rules.one_wager, on=wager.on, allowed=_mains())
    if wager.box in declared_void(table):
        raise Refused(Reason.DECLARED_VOID, rules.session.order_warning, person=wager.by)
    others = [lying for lying in coup.wagers if lying.by == wager.by and lying.on in SIDES]
    if wager.on in SIDES and others and rules.both_sides:
        raise Refused(Reason.BOTH_SIDES, rules.both_sides)
    least = table.terms.limits[wager.on].min_cents
    if (coup.called or wager.box in table.contest.restricted) and wager.cents != least:
        raise Refused(Reason.MINIMUM_ONLY, rules.time_over or CONDITIONS, least=money(least))
    if wager.on is Bet.TIE and not staff:
        _check_leaves_enough(table, wager)
    early = not coup.called and not in_turn(table, wager.box)
    clauses = as_clauses(rules.out_of_turn if early else rules.order_clause)
    placed = events.WagerPlaced(wager, early, clauses=(*clauses, *odd))
    return [placed, *(_order_warning(table, wager.by) if early else [])]


def _order_warning(table: Table, person: str) -> list[TableEvent]:
    """Where another wager out of order may be declared void, the first brings the advice
    [act-2015:15.15].
    """
    rules = rules_of(table)
    if not rules.session.order_warning or person in table.contest.order_warned:
        return []
    return [events.OrderWarningGiven(person, clauses=(rules.session.order_warning,))]


def _check_leaves_enough(table: Table, tie: Wager) -> None:
    """A Tie wager must leave enough to make up the minimum on a hand [tas-2018:16.5.11-16.5.12]."""
    rules, least = rules_of(table), table.terms.notice.limits.min_cents
    main = sum(lying.cents for lying in live(table).wagers if _on_hand_of(lying, tie.by))
    if rules.made_up and table.chips.get(tie.by, 0) - tie.cents < least - main:
        raise Refused(Reason.TIE_LEAVES_TOO_LITTLE, rules.made_up, least=money(least))


def _on_hand_of(wager: Wager, person: str) -> bool:
    return wager.by == person and wager.on in SIDES


def _mains() -> str:
    return ", ".join((*SIDES, Bet.TIE))


def check_may_alter(table: Table, was: Wager, *, staff: bool) -> tuple[str, bool]:
    """A wager once made is not altered, save after a Tie [tas-2018:16.5.6, 16.5.8], or until
    the player's opportunity is over [act-2015:15.15-15.16]. The clause that lets it be, and
    whether it comes out of sequence: refused from a device, flagged where it lies.
    """
    rules, coup = rules_of(table), live(table)
    if coup.called and was.on is not Bet.TIE:
        raise Refused(Reason.WAGER_FIXED, rules.fixed_clause or CONDITIONS)
    if was in riding(table):
        early = not may_alter_now(table, was.box)
        if early and not staff:
            raise Refused(Reason.NOT_YET_TO_ALTER, rules.after_tie)
        return rules.after_tie, early
    if rules.fixed == "turn-over" and not coup.called and in_turn(table, was.box):
        return rules.fixed_clause or CONDITIONS, False
    if was.on is Bet.TIE and _gives_way(table, was):
        return rules.made_up, False
    raise Refused(Reason.WAGER_FIXED, rules.fixed_clause or CONDITIONS)


def _gives_way(table: Table, tie: Wager) -> bool:
    """Whether a Tie wager holds what the wager on a hand wants for the minimum
    [tas-2018:16.5.11-16.5.12].
    """
    main = sum(lying.cents for lying in live(table).wagers if _on_hand_of(lying, tie.by))
    short = table.terms.notice.limits.min_cents - main
    return bool(rules_of(table).made_up) and table.chips.get(tie.by, 0) < short


def before_lock(table: Table) -> list[TableEvent]:
    """Everyone present has the minimum on the layout, made up to it where it falls short
    [tas-2018:16.5.11-16.5.12]; in Canberra at least that much is at risk [act-2015:15.14].
    """
    rules = rules_of(table)
    made: list[TableEvent] = []
    if not live(table).takes_wagers:
        return []
    check_awaited(table)
    if not rules.every_coup:
        return []
    least = table.terms.notice.limits.min_cents
    forms = {form.seat: form for form in standing_forms(live(table)).values()}
    for seat in _still_to_bet(table):
        wagers = [wager for wager in live(table).wagers if wager.box == seat]
        risk = at_risk(wagers, table.terms, main_only=bool(rules.one_wager))
        if risk < least and seat in forms:  # the form stands for the wager that is wanted
            made += [] if forms[seat].announced else _made_up_beside_form(table, seat, wagers)
        elif risk < least:
            made += _made_up(table, seat, wagers)
    return made


def _still_to_bet(table: Table) -> list[int]:
    """Everyone whose wager was not declared void [act-2015:15.15]."""
    void = declared_void(table)
    return [seat for seat in betting_order(table) if seat not in void]


def _made_up_beside_form(table: Table, seat: int, wagers: list[Wager]) -> list[TableEvent]:
    """Chips on a hand are made up as ever, as far as there are any; none need lie."""
    if not any(wager.on in SIDES for wager in wagers):
        return []
    try:
        return _made_up(table, seat, wagers)
    except Refused:
        return []


def _made_up(table: Table, seat: int, wagers: list[Wager]) -> list[TableEvent]:
    """The wager of a seat raised to the minimum; a Tie that holds the chips gives way."""
    rules, least = rules_of(table), table.terms.notice.limits.min_cents
    short = next((wager for wager in wagers if wager.on in SIDES), None)
    tie = next((wager for wager in wagers if wager.on is Bet.TIE), None)
    held = table.chips.get(short.by, 0) if short else 0
    more = least - short.cents if short else 0
    made: list[TableEvent] = []
    if held < more and tie is not None:
        made.append(events.WagerWithdrawn(tie, clauses=(rules.made_up,)))
        held += tie.cents
    if not rules.made_up or short is None or held < more:
        raise Refused(Reason.MUST_WAGER, rules.every_coup, seat=seat, least=money(least))
    return [*made, events.WagerMadeUp(replace(short, cents=least), clauses=(rules.made_up,))]


def check_nobody_bets(table: Table) -> None:
    """Refuse to pass over players who are there and must wager on every coup [tas-2018:16.5.11,
    act-2015:15.14].
    """
    rules, order = rules_of(table), _still_to_bet(table)
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
