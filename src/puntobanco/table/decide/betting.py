"""Place your bets, no more bets, and the coups on which nobody need bet or nobody may."""

from functools import reduce

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet
from puntobanco.rules.irregularities import NextCoup
from puntobanco.rules.notice import PAIR_BETS, Terms
from puntobanco.rules.shoe import check_start, last_coup
from puntobanco.rules.wagers import (
    Wager,
    check_amount,
    check_payable,
    check_place,
    off_multiple,
)
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.authority import is_staff, subject
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.decide.competition import order, session, wagers
from puntobanco.table.decide.face_down import lapsed_requests
from puntobanco.table.decide.opening import check_staff
from puntobanco.table.decide.people import check_at_table, check_chips, given_play_chips
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.betting import reductions, wants_wager
from puntobanco.table.queries.competition import rules_of
from puntobanco.table.queries.secrets import sent_back, standing_forms
from puntobanco.table.queries.shoe import burn_clause
from puntobanco.table.state import LiveCoup, Place, Table


def open_coup(table: Table, ask: c.OpenCoup, by: Actor) -> list[TableEvent]:
    """Begin a coup: call for bets, or say that this one takes none.

    Everyone must be there whom the rules want [tas-2018:3], the burn done [act-2015:5.5], and
    the shoe must allow another coup [tas-2018:9.4, act-2015:5.7].
    """
    terms, shoe = table.terms, table.shoe
    assert shoe is not None
    check_staff(table)
    check_start(shoe, terms, len(table.carried))
    if table.burn_due:
        rule = terms.rules.shoe.burn
        assert rule is not None
        raise Refused(Reason.BURN_DUE, burn_clause(table, rule), due=table.burn_due)
    begun = session.before_coup(table)
    if any(isinstance(event, events.SessionEnded) for event in begun):
        return begun  # nobody is left to deal to
    if ask.until_ms is not None and ask.until_ms <= by.at_ms:
        raise Refused(Reason.TIME_IS_PAST, CONDITIONS)
    kind, clauses = _kind(table)
    until_ms = ask.until_ms if kind.takes_wagers else None
    last = last_coup(shoe, terms, 4 - len(table.carried))
    opened = events.CoupOpened(
        table.coup_number + 1, kind, last, table.face_down.on, until_ms, clauses=clauses
    )
    now = reduce(evolve, begun, table)
    return [*begun, *_renewed(table), opened, *order.begin(now, kind)]


def _renewed(table: Table) -> list[TableEvent]:
    """Play chips that have run out are renewed before the next coup."""
    least = table.terms.notice.limits.min_cents
    if not table.play_cents:
        return []
    out = [person for person in table.places if table.chips.get(person, 0) < least]
    return [given_play_chips(table, person) for person in out]


def _kind(table: Table) -> tuple[CoupKind, tuple[str, ...]]:
    rules = table.terms.rules
    if table.next_kind is NextCoup.NON_BETTING:
        return CoupKind.NON_BETTING, (table.next_clause,)
    if table.no_bet.directed and rules.wagers.no_bet_coups:
        return CoupKind.NO_BET, (
            rules.wagers.no_bet_coups.clause,
            rules.wagers.no_bet_coups.played,
        )
    by_call = rules.irregularities.next_begins == "place-your-bets"
    round_of_play = (rules.dealing.round_of_play,) if by_call else ()
    if table.free_coups and rules.wagers.free_coups:
        return CoupKind.FREE, (rules.wagers.free_coups.clause, *round_of_play)
    return CoupKind.ORDINARY, (rules.wagers.opens, *round_of_play)


def place_wager(table: Table, ask: c.PlaceWager, by: Actor) -> list[TableEvent]:
    """Accept a wager until bets are locked.

    From a player's own device it is refused outside the limits; what the dealer finds on the
    layout is taken as it lies [tas-2018:7.4, act-2015:3.4-3.5]. What comes too late is refused
    from a device; found on the layout it is noted, and will not be honoured [mbs-2017:5.6].
    """
    person, staff = subject(ask, by), is_staff(table, by)
    coup = _coup(table, ask.on, person, staff=staff)
    if person in table.excluded:
        raise Refused(Reason.EXCLUDED, table.terms.rules.people.excluded, person=person)
    check_at_table(table, person)
    place = table.places[person]
    check_box(table, table.places, person, ask)
    late = ask.cents if coup.locked else 0
    wager = Wager(ask.box, ask.on, ask.cents, person, place.standing, late)
    check_place(wager, coup.wagers, table.terms)
    check_chips(table, person, ask.cents)
    check_payable(wager, table.terms)
    if not staff:
        _check_amount(table, wager)
    if late:
        clause = table.terms.rules.wagers.close.late
        return [events.WagerPlaced(wager, clauses=(clause,))]
    if table.is_contest:
        return wagers.place(table, wager, _odd(table, wager), staff=staff)
    return [events.WagerPlaced(wager, clauses=(_offer(table.terms, ask.on), *_odd(table, wager)))]


def _check_amount(table: Table, wager: Wager) -> None:
    check_amount(wager, table.terms, table.individual.get(wager.by), _units(table))


def _units(table: Table) -> str:
    """The clause by which wagers of a session are in the units on the sign [tas-2018:16.4.6]."""
    return table.terms.rules.competition.units if table.session else ""


def _odd(table: Table, wager: Wager) -> tuple[str, ...]:
    """The clause that a wager offends against whose amount is in none of the posted multiples."""
    clause = off_multiple(wager, table.terms, table.individual.get(wager.by))
    return (_units(table) or clause,) if clause else ()


def _offer(terms: Terms, on: Bet) -> str:
    rules = terms.rules
    offered = {offer.on: offer.clause for offer in rules.wagers.offered}
    return offered.get(on, rules.wagers.pairs or rules.settlement.pairs_clause)


def _coup(table: Table, on: Bet, person: str, *, staff: bool, closed: str = "") -> LiveCoup:
    """The coup a wager would be on [tas-2018:6.3, 15.2, act-2015:4.6, 9.7, mbs-2017:3.2].

    After the call that a document wants, devices take nothing more [act-2015:6.2(a)]; but whoever
    has a form sent back may still make a wager of chips [tas-2018:16.6.7].
    """
    coup, rules = table.coup, table.terms.rules
    pairs = rules.settlement.pairs_opens if on in PAIR_BETS else ""
    if coup is None:
        raise Refused(Reason.BETTING_NOT_OPEN, pairs or rules.wagers.called)
    if not coup.takes_wagers:
        raise Refused(Reason.NON_BETTING_COUP, coup.kind_clause)
    if coup.found is not None:
        raise Refused(Reason.BETS_HELD, coup.found_clauses[0])
    if coup.verdict is not None or (coup.locked and not staff):
        raise Refused(Reason.BETS_CLOSED, pairs or closed or rules.wagers.close.late)
    call = rules.wagers.close.call
    if sent_back(coup, person):
        return coup
    if coup.called and not coup.locked and table.is_contest:
        raise Refused(Reason.BETS_CLOSED, call or rules_of(table).order_clause or CONDITIONS)
    if coup.called and call and not staff:  # what lies on the layout the dealer still takes
        raise Refused(Reason.BETS_CLOSED, call)
    if coup.time_over and not staff:
        raise Refused(Reason.BETTING_TIME_OVER, CONDITIONS)
    return coup


def check_box(
    table: Table, places: dict[str, Place], person: str, ask: c.PlaceWager | c.CorrectWager
) -> None:
    """Tie and pairs may be wagered at any place [tas-2018:6.4, 15.4], and elsewhere no clause
    ties a player to one [act-2015:4.4]; a competitor has a place of their own [tas-2018:16.4.5,
    act-2015:15.7]. Standing players bet with the seated one [tas-2018:6.4].
    """
    rules, place = table.terms.rules, places[person]
    rule, contest = rules.wagers.box, rules.competition.own_position
    elsewhere = {"box": ask.box, "own": place.box}
    if place.box != ask.box and table.is_contest:
        raise Refused(Reason.NOT_YOUR_BOX, contest or CONDITIONS, **elsewhere)
    anywhere = rule is not None and (rule.elsewhere == "anything" or ask.on in rule.unshared)
    if place.box != ask.box and not anywhere:
        clause = rule.clause if rule and rule.standing is not None else CONDITIONS
        raise Refused(Reason.NOT_YOUR_BOX, clause, **elsewhere)
    if rule is None or rule.standing is None or not place.standing or ask.on in rule.unshared:
        return
    if not any(one.box == ask.box and not one.standing for one in places.values()):
        raise Refused(Reason.NOBODY_SEATED, rule.clause, box=ask.box)


def change_wager(table: Table, ask: c.ChangeWager, by: Actor) -> list[TableEvent]:
    """Make a wager larger or smaller; after the lock, the added part is late and not honoured,
    and what was taken off still wins or loses [tas-2018:6.3, mbs-2017:5.6-5.7].
    """
    person, staff = subject(ask, by), is_staff(table, by)
    closed = _changed_late(table, ask, person)
    coup = _coup(table, ask.on, person, staff=staff, closed=closed)
    was = _find(coup, person, ask.box, ask.on)
    if ask.cents > was.cents:
        check_chips(table, person, ask.cents - was.cents)
    wager = replace(was, cents=ask.cents, reduced=was.reduced and coup.locked)
    check_payable(wager, table.terms)
    clauses: tuple[str, ...] = (_offer(table.terms, ask.on), *_odd(table, wager))
    if coup.locked:
        close = table.terms.rules.wagers.close
        if ask.cents < was.cents:
            gone = replace(was, withdrawn=True)
            return [events.WagerWithdrawn(gone, clauses=(close.withdrawn,))]
        late = was.late_cents + ask.cents - was.cents
        wager, clauses = replace(wager, late_cents=late), (close.late,)
    elif not staff:
        _check_amount(table, wager)
    if table.is_contest and not coup.locked:
        clause, early = wagers.check_may_alter(table, was, staff=staff)
        return [events.WagerChanged(wager, early, clauses=(clause,))]
    return [events.WagerChanged(wager, clauses=clauses)]


def _changed_late(table: Table, ask: c.ChangeWager, person: str) -> str:
    """The clause against a change after the close: to increase is not to take away."""
    close = table.terms.rules.wagers.close
    lying = table.coup.wagers if table.coup else ()
    less = any(
        (wager.by, wager.box, wager.on) == (person, ask.box, ask.on) and ask.cents < wager.cents
        for wager in lying
    )
    return close.withdrawn if less else close.late


def _find(coup: LiveCoup, person: str, box: int, on: Bet) -> Wager:
    for wager in coup.wagers:
        if (wager.by, wager.box, wager.on) == (person, box, on):
            return wager
    raise Refused(Reason.NO_SUCH_WAGER, CONDITIONS, box=box, on=on)


def withdraw_wager(table: Table, ask: c.WithdrawWager, by: Actor) -> list[TableEvent]:
    """Take a wager back in time; taken away too late, it still wins or loses [mbs-2017:5.7]."""
    person, staff = subject(ask, by), is_staff(table, by)
    clause = table.terms.rules.wagers.close.withdrawn
    coup = _coup(table, ask.on, person, staff=staff, closed=clause)
    was = _find(coup, person, ask.box, ask.on)
    if coup.locked:
        was = replace(was, withdrawn=True)
    elif table.is_contest:
        clause, _ = wagers.check_may_alter(table, was, staff=staff)
    return [events.WagerWithdrawn(was, clauses=(clause,))]


def lay_wagers(table: Table, ask: c.LayWagers, by: Actor) -> list[TableEvent]:
    """A patron's wagers in their own box become exactly these: each is taken back, changed or
    placed as if it were asked for alone, and if one is refused, all are.
    """
    check_at_table(table, by.person)
    box = table.places[by.person].box
    lie = _lying(table, by.person, box)
    wanted = {stake.on: stake.cents for stake in ask.wagers}
    if len(wanted) < len(ask.wagers):
        raise Refused(Reason.MALFORMED, CONDITIONS, what="lay-wagers: an option is named twice")
    steps = _steps(box, lie, wanted)
    if not steps:
        _coup(table, next(iter(wanted), Bet.PLAYER), by.person, staff=False)
        raise Refused(Reason.WAGERS_LIE_SO, CONDITIONS)
    done: list[TableEvent] = []
    for step in steps:
        try:
            came = DECIDE[type(step)](table, step, by)
        except Refused as refused:
            raise Refused(
                refused.reason, refused.clause, **{**refused.facts, "on": step.on}
            ) from None
        done += came
        table = reduce(evolve, came, table)
    return done


OneWager = c.WithdrawWager | c.ChangeWager | c.PlaceWager


def _lying(table: Table, person: str, box: int) -> dict[Bet, int]:
    wagers = table.coup.wagers if table.coup else ()
    return {wager.on: wager.cents for wager in wagers if (wager.by, wager.box) == (person, box)}


def _steps(box: int, lie: dict[Bet, int], wanted: dict[Bet, int]) -> list[OneWager]:
    """What is given back comes first, so that its chips can be laid elsewhere."""
    changed = [on for on in wanted if on in lie and wanted[on] != lie[on]]
    changed.sort(key=lambda on: wanted[on] > lie[on])
    return [
        *(c.WithdrawWager(box, on) for on in lie if on not in wanted),
        *(c.ChangeWager(box, on, wanted[on]) for on in changed),
        *(c.PlaceWager(box, on, cents) for on, cents in wanted.items() if on not in lie),
    ]


def reduce_wagers(table: Table, _ask: c.ReduceWagers, _by: Actor) -> list[TableEvent]:
    cuts = [cut for cut in reductions(table) if cut.to_cents < cut.wager.in_time_cents]
    if not cuts:
        raise Refused(Reason.NOTHING_TO_REDUCE, CONDITIONS)
    done: list[TableEvent] = []
    for cut in cuts:
        after = cut.after
        if after.cents:
            done.append(events.WagerReduced(after, clauses=(cut.clause,)))
        else:
            done.append(events.WagerWithdrawn(cut.wager, clauses=(cut.clause,)))
    return done


def no_more_bets(table: Table, _ask: c.NoMoreBets, _by: Actor) -> list[TableEvent]:
    """Call it; where the rules close bets at the call, they are locked [mbs-2017:3.2]."""
    coup, close = table.coup, table.terms.rules.wagers.close
    assert coup is not None
    if coup.called:
        raise Refused(Reason.ALREADY_CALLED, close.call or CONDITIONS)
    if table.is_contest:
        wagers.before_lock(table)  # whoever must wager still can
    clauses = (close.call,) if close.call else ()
    called: list[TableEvent] = [events.NoMoreBetsCalled(clauses=clauses)]
    at_once = close.at == "no-more-bets" and not coup.forms  # which are examined first
    return called + (lock(table) if at_once else [])


def lock(table: Table) -> list[TableEvent]:
    """No wager is made, withdrawn or increased from here on.

    A coup wants a wager unless it is a free one [tas-2018:6.2], and a competition player makes
    one on every coup [tas-2018:16.5.11].
    """
    coup, rules = table.coup, table.terms.rules.wagers
    assert coup is not None
    made = wagers.before_lock(table) if table.is_contest else []
    if rules.free_coups and wants_wager(table) and not coup.wagers and not standing_forms(coup):
        raise Refused(Reason.NO_WAGERS, rules.free_coups.clause)
    cuts = reductions(table)
    over = tuple(dict.fromkeys(cut.wager.on for cut in cuts))
    cited = tuple(dict.fromkeys(cut.clause for cut in cuts))
    locked = events.BetsLocked(over, clauses=(rules.close.late, *cited))
    return [*made, locked, *lapsed_requests(reduce(evolve, made, table))]


def close_coup(table: Table, _ask: c.CloseCoup, _by: Actor) -> list[TableEvent]:
    """A coup on which no wager lies need not be dealt: it is over, and it was none.

    No document has a deal without a wager but the free coup [tas-2018:6.2] and those on which
    nobody may bet; a player of a competition who is there makes one [tas-2018:16.5.11].
    """
    coup, rules = table.coup, table.terms.rules
    assert coup is not None
    clause = rules.wagers.free_coups.clause if rules.wagers.free_coups else rules.wagers.opens
    if not coup.takes_wagers:
        raise Refused(Reason.COUP_IS_DEALT, coup.kind_clause)
    if coup.drawn:
        raise Refused(Reason.COUP_IS_DEALT, CONDITIONS)
    if coup.wagers or standing_forms(coup):
        raise Refused(Reason.WAGERS_LIE, clause)
    if table.is_contest:
        wagers.check_nobody_bets(table)
    closed = events.CoupNotDealt(coup.number, coup.barred, coup.carried, clauses=(clause,))
    return [closed]


def allow_free_coups(table: Table, ask: c.AllowFreeCoups, by: Actor) -> list[TableEvent]:
    """Coups without a wager: at management's request [tas-2018:6.2], or at a player's with its
    approval, five in all in a shoe [tas-2013:6.2].
    """
    rule = table.terms.rules.wagers.free_coups
    if rule is None:
        raise Refused(Reason.FREE_COUPS_NOT_PROVIDED, CONDITIONS)
    asked_by = ask.asked_by if rule.asked_by_player else by.person
    if rule.asked_by_player and asked_by not in table.places:
        raise Refused(Reason.REQUEST_MISSING, rule.clause)
    given = table.free_coups_given + ask.coups
    if rule.per_shoe is not None and given > rule.per_shoe:
        left = rule.per_shoe - table.free_coups_given
        raise Refused(Reason.FREE_COUPS_USED, rule.clause, most=rule.per_shoe, left=left)
    return [events.FreeCoupsAllowed(ask.coups, asked_by, clauses=(rule.clause,))]


def ask_no_bet_coup(table: Table, ask: c.AskNoBetCoup, by: Actor) -> list[TableEvent]:
    """A player asks for a round without wagers [act-2015:4.7(a)]."""
    person = subject(ask, by)
    rule = table.terms.rules.wagers.no_bet_coups
    if rule is None:
        raise Refused(Reason.NO_BET_NOT_PROVIDED, CONDITIONS)
    check_at_table(table, person)
    return [events.NoBetCoupAsked(person, clauses=(rule.asked,))]


def agree_no_bet_coup(table: Table, ask: c.AgreeNoBetCoup, by: Actor) -> list[TableEvent]:
    person = subject(ask, by)
    rule = table.terms.rules.wagers.no_bet_coups
    if rule is None or not table.no_bet.asked_by:
        clause = rule.asked if rule else CONDITIONS
        raise Refused(Reason.REQUEST_MISSING, clause)
    check_at_table(table, person)
    return [events.NoBetCoupAgreed(person, clauses=(rule.agreed,))]


def direct_no_bet_coup(table: Table, _ask: c.DirectNoBetCoup, _by: Actor) -> list[TableEvent]:
    """Only if a player asked and all agree; never more than three in a row [act-2015:4.7-4.9]."""
    rule, no_bet = table.terms.rules.wagers.no_bet_coups, table.no_bet
    if rule is None:
        raise Refused(Reason.NO_BET_NOT_PROVIDED, CONDITIONS)
    if no_bet.asked_by not in table.places:
        raise Refused(Reason.REQUEST_MISSING, rule.asked)
    missing = [person for person in table.places if person not in no_bet.agreed]
    if missing:
        raise Refused(Reason.NOT_ALL_AGREE, rule.agreed, missing=", ".join(missing))
    if no_bet.running >= rule.in_a_row:
        raise Refused(Reason.TOO_MANY_IN_A_ROW, rule.in_a_row_clause, most=rule.in_a_row)
    return [events.NoBetCoupDirected(clauses=(rule.clause, rule.in_a_row_clause))]


DECIDE: Decides = {
    c.OpenCoup: open_coup,
    c.PlaceWager: place_wager,
    c.ChangeWager: change_wager,
    c.WithdrawWager: withdraw_wager,
    c.LayWagers: lay_wagers,
    c.ReduceWagers: reduce_wagers,
    c.NoMoreBets: no_more_bets,
    c.CloseCoup: close_coup,
    c.AllowFreeCoups: allow_free_coups,
    c.AskNoBetCoup: ask_no_bet_coup,
    c.AgreeNoBetCoup: agree_no_bet_coup,
    c.DirectNoBetCoup: direct_no_bet_coup,
}
