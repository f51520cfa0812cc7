"""What the conditions of a competition add to an ordinary table.

The same commands, under stricter conditions: one wager a seat, in order, fixed once made; the
minimum on every coup; absence and elimination. An ordinary table passes through here untouched.
"""

from functools import reduce
from typing import Literal

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet, Pays
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.notice import PAIR_BETS, Terms
from puntobanco.rules.settle import Outcome
from puntobanco.rules.wagers import Wager
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.competition import (
    SIDES,
    betting_order,
    circuit,
    rules_of,
    seat_to_bet,
)
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Table
from puntobanco.words import money


def check_ready(table: Table) -> None:
    """Everyone has an equal allotment before the first coup [tas-2018:16.4.2]."""
    if table.is_contest and not table.contest.allotted:
        raise Refused(Reason.NOT_ALLOTTED, rules_of(table).allotment)


def begin(table: Table, kind: CoupKind) -> list[TableEvent]:
    """The puck before the first coup; after a Tie, wagers ride [tas-2018:16.5.4, 16.5.8]."""
    if not table.is_contest:
        return []
    begun: list[TableEvent] = []
    if table.contest.puck is None:
        begun.append(events.PuckMoved(_first(table), clauses=_cited(rules_of(table).order_clause)))
    if kind.takes_wagers:
        clause = rules_of(table).after_tie
        begun += [
            events.WagerPlaced(wager, clauses=(clause,))
            for wager in riding(table)
            if table.chips.get(wager.by, 0) >= wager.cents
        ]
    return begun


def _first(table: Table) -> int:
    """At the dealer's right [tas-2018:16.5.4]; elsewhere as it was drawn."""
    assert table.conditions is not None
    right, seated = table.terms.seats.at_dealers_right, table.seated
    drawn = table.conditions.first_seat if rules_of(table).first == "drawn" else None
    return next((seat for seat in circuit(table, drawn or right) if seat in seated), right)


def _cited(clause: str) -> tuple[str, ...]:
    return (clause,) if clause else ()


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
    clauses = (rules.out_of_turn,) if early else _cited(rules.order_clause)
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


def after_coup(table: Table, ended: events.CoupEnded) -> list[TableEvent]:
    """Absences are paid for, players below the minimum are out, and the puck moves on.

    Not after a void coup; a non-betting one moves the puck and takes nothing from the absent
    [tas-2018:16.3.6(a), 16.5.5, 16.5.9].
    """
    if not table.is_contest:
        return []
    coup = live(table)
    out: list[TableEvent] = []
    if coup.verdict is Verdict.STANDS and coup.takes_wagers:
        out += _absences(table)
    now = reduce(evolve, [ended, *out], table)
    out += eliminations(now)
    if coup.verdict is Verdict.STANDS:
        out += _move_puck(reduce(evolve, [ended, *out], table))
    return out


def _absences(table: Table) -> list[TableEvent]:
    rules, conditions = rules_of(table), table.conditions
    assert conditions is not None
    if not rules.absent or conditions.chips != "competition":
        return []
    least = table.terms.notice.limits.min_cents
    bettors = {line.wager.by for line in live(table).lines}
    return [
        events.AbsenceDeducted(person, min(least, held), clauses=(rules.absent,))
        for person in table.seated.values()
        if person in table.contest.absent
        and person not in bettors
        and (held := table.chips.get(person, 0)) > 0
    ]


def eliminations(table: Table) -> list[TableEvent]:
    """Who can no longer make the posted minimum [tas-2018:16.5.9, act-2015:15.14]."""
    rules, conditions = rules_of(table), table.conditions
    assert conditions is not None
    if not rules.eliminated:
        return []
    least = table.terms.notice.limits.min_cents
    kept: Literal["operator", "player"] = (
        "operator" if conditions.chips == "competition" else "player"
    )
    return [
        events.PlayerEliminated(
            person, seat, table.chips.get(person, 0), kept, clauses=(rules.eliminated,)
        )
        for seat, person in table.seated.items()
        if table.chips.get(person, 0) < least
    ]


def _move_puck(table: Table) -> list[TableEvent]:
    rules, seated, here = rules_of(table), table.seated, table.contest.puck
    if rules.order is None or here is None or not seated:
        return []
    following = next(seat for seat in (*circuit(table, here)[1:], here) if seat in seated)
    return [events.PuckMoved(following, clauses=_cited(rules.moves_clause))]


def _check_contest(table: Table) -> None:
    if not table.is_contest:
        raise Refused(Reason.NOT_A_COMPETITION, CONDITIONS)


def allot_chips(table: Table, _ask: c.AllotChips, _by: Actor) -> list[TableEvent]:
    """Every player gets the same, once [tas-2018:16.4.2]."""
    _check_contest(table)
    rules, conditions = rules_of(table), table.conditions
    assert conditions is not None
    if not table.seated:
        raise Refused(Reason.NOBODY_TO_ALLOT_TO, rules.allotment)
    if table.contest.allotted:
        raise Refused(Reason.CHIPS_ARE_ALLOTTED, rules.allotment)
    people = tuple(table.seated.values())
    return [events.ChipsAllotted(conditions.allotment_cents, people, clauses=(rules.allotment,))]


def ask_for_wager(table: Table, ask: c.AskForWager, by: Actor) -> list[TableEvent]:
    """The dealer asks the player whose turn it is [act-2015:15.16, tas-2018:16.4.7]."""
    _check_contest(table)
    rules, due = rules_of(table), seat_to_bet(table)
    if due is None:
        raise Refused(Reason.ALL_HAVE_BET, rules.order_clause or CONDITIONS)
    if ask.seat != due:
        raise Refused(
            Reason.NOT_THEIR_TURN, rules.order_clause or CONDITIONS, seat=ask.seat, due=due
        )
    _check_time(table, ask, by)
    cited = _cited(rules.time_limit)
    return [events.WagerAsked(ask.seat, ask.until_ms, table.utc_minutes, clauses=cited)]


def _check_time(table: Table, ask: c.AskForWager, by: Actor) -> None:
    """A time lies in the future, is never cut short, and is over once it was over."""
    contest, clause = table.contest, rules_of(table).time_limit or CONDITIONS
    if ask.until_ms is not None and ask.until_ms <= by.at_ms:
        raise Refused(Reason.TIME_IS_PAST, clause)
    if ask.seat in contest.restricted and ask.until_ms is not None:
        raise Refused(Reason.TIME_WAS_OVER, clause, seat=ask.seat)
    running = contest.until_ms if contest.asked == ask.seat else None
    if running is not None and (ask.until_ms is None or ask.until_ms < running):
        raise Refused(Reason.TIME_CUT_SHORT, clause, seat=ask.seat)


def close_window(table: Table, ask: c.CloseWindow, by: Actor) -> list[TableEvent]:
    """No wager in time: the player may be held to the minimum [tas-2018:16.4.8]."""
    _check_contest(table)
    rules, contest = rules_of(table), table.contest
    if contest.asked != ask.seat or contest.until_ms is None:
        raise Refused(Reason.NO_TIME_SET, rules.time_limit or CONDITIONS, seat=ask.seat)
    if by.at_ms < contest.until_ms:
        raise Refused(Reason.TIME_NOT_OVER, rules.time_limit or CONDITIONS, seat=ask.seat)
    return [events.WindowClosed(ask.seat, clauses=_cited(rules.time_over))]


def mark_absent(table: Table, ask: c.MarkAbsent, _by: Actor) -> list[TableEvent]:
    _check_contest(table)
    if ask.person not in table.places:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=ask.person)
    clauses = _cited(rules_of(table).absent)
    return [events.AbsenceMarked(ask.person, ask.absent, clauses=clauses)]


def raise_limits(table: Table, _ask: c.RaiseLimits, _by: Actor) -> list[TableEvent]:
    """To values announced beforehand, once the indicator card has come out and the coup is
    over; whoever cannot make the new minimum is out [tas-2018:16.5.3, 16.5.9].
    """
    _check_contest(table)
    rules, conditions, notice = rules_of(table), table.conditions, table.terms.notice
    assert conditions is not None
    if conditions.raised_limits in (None, notice.limits):
        raise Refused(Reason.LIMITS_NOT_ANNOUNCED, rules.limits_rise or CONDITIONS)
    assert conditions.raised_limits is not None
    if not table.contest.indicator_out:
        raise Refused(Reason.NO_INDICATOR, rules.limits_rise or CONDITIONS)
    raised = replace(notice, limits=conditions.raised_limits)
    changed = events.NoticeChanged(raised, ("limits",), clauses=_cited(rules.limits_rise))
    return [changed, *eliminations(evolve(table, changed))]


DECIDE: Decides = {
    c.AllotChips: allot_chips,
    c.AskForWager: ask_for_wager,
    c.CloseWindow: close_window,
    c.MarkAbsent: mark_absent,
    c.RaiseLimits: raise_limits,
}
