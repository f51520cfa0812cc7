"""Patrons: where they are, what they hold, and what may be done about them."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.settle import check_payouts
from puntobanco.rules.wagers import check_individual
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import CHARGE, DIRECTOR, OVERSEER, acting, counting_roles, subject
from puntobanco.table.decide.settling import return_wagers
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.state import Place, Table
from puntobanco.words import money


def sit(table: Table, ask: c.Sit, by: Actor) -> list[TableEvent]:
    """Take a numbered seat that is free [tas-2018:1(para1)]."""
    person = subject(ask, by)
    if Role.GUEST in by.roles and not table.play_cents:
        raise Refused(Reason.GUESTS_PLAY_ELSEWHERE, CONDITIONS)
    check_seating(table, by)
    _check_may_play(table, person)
    _check_not_vacated(table, person, by)
    _check_box(table, ask.seat)
    taken = table.seated.get(ask.seat)
    if taken is not None:
        raise Refused(Reason.SEAT_TAKEN, CONDITIONS, seat=ask.seat)
    _check_room(table, person, Place(ask.seat))
    return [events.PatronSat(person, ask.seat), *_play_chips(table, person)]


def _play_chips(table: Table, person: str) -> list[TableEvent]:
    """Whoever comes to a table for play money has its play chips before them."""
    has = table.chips.get(person, 0)
    if person in table.places or has >= table.play_cents:
        return []
    return [given_play_chips(table, person)]


def given_play_chips(table: Table, person: str) -> TableEvent:
    """A person's play chips made up to what everybody is given."""
    more = table.play_cents - table.chips.get(person, 0)
    return events.PlayChipsGiven(person, more, clauses=(CONDITIONS,))


def _check_not_vacated(table: Table, person: str, by: Actor) -> None:
    """Who had to give up a seat sits again when the casino supervisor lets them: seats them
    [act-2015:14.6].
    """
    rule = table.terms.rules.people.abstention
    if rule and person in table.vacated and not acting(table, by) & CHARGE:
        allowed = ", ".join(sorted(counting_roles(table, OVERSEER | DIRECTOR)))
        raise Refused(Reason.SEAT_GIVEN_UP, rule.clause, person=person, allowed=allowed)


def check_seating(table: Table, by: Actor) -> None:
    """Once chips are allotted, places in a competition are the director's to give
    [tas-2018:16.4.5].
    """
    session = table.session is not None
    if session or (table.contest.allotted and Role.DIRECTOR not in acting(table, by)):
        own = table.terms.rules.competition.own_position or CONDITIONS
        raise Refused(Reason.SEATS_ARE_THE_DIRECTORS, own)


def stand_at(table: Table, ask: c.StandAt, by: Actor) -> list[TableEvent]:
    """Stand behind a box: two beside the seated player [tas-2018:6.4], as many as like where
    two may wager on each option [act-2015:4.4]; never in a competition, where everyone has a
    place [tas-2018:16.4.5].
    """
    person = subject(ask, by)
    _check_may_play(table, person)
    _check_box(table, ask.box)
    if table.is_contest:
        own = table.terms.rules.competition.own_position or CONDITIONS
        raise Refused(Reason.OWN_POSITION_ONLY, own)
    _check_room(table, person, Place(ask.box, standing=True))
    return [events.PatronStood(person, ask.box), *_play_chips(table, person)]


def _check_may_play(table: Table, person: str) -> None:
    """Not excluded, not the bank's, and with no wager lying elsewhere."""
    rules = table.terms.rules
    if person in table.excluded:
        raise Refused(Reason.EXCLUDED, rules.people.excluded, person=person)
    if any(table.roles_of(person)):
        raise Refused(Reason.BANK_IS_THE_OPERATORS, rules.table.bank, person=person)
    if person in table.contest.eliminated:
        raise Refused(Reason.ELIMINATED, rules.competition.eliminated, person=person)
    _check_no_wagers(table, person)


def _check_no_wagers(table: Table, person: str) -> None:
    if table.coup and any(wager.by == person for wager in table.coup.wagers):
        raise Refused(Reason.STILL_HAS_WAGERS, CONDITIONS, person=person)


def _check_box(table: Table, box: int) -> None:
    seats = table.terms.notice.seats
    if not 1 <= box <= seats:
        rule = table.terms.rules.table.seats
        clause = rule.clause if rule else CONDITIONS
        raise Refused(Reason.NO_SUCH_BOX, clause, box=box, seats=seats)


def _check_room(table: Table, person: str, place: Place) -> None:
    rule = table.terms.rules.wagers.box
    if rule is None or rule.per_option:  # it is wagers that are counted there, not people
        return
    beside = [at for who, at in table.at_box(place.box).items() if who != person]
    if place.standing and rule.standing is not None and all(at.standing for at in beside):
        raise Refused(Reason.NOBODY_SEATED, rule.clause, box=place.box)
    alike = sum(at.standing == place.standing for at in beside)
    most = rule.standing if place.standing and rule.standing is not None else rule.players
    if len(beside) >= rule.players or alike >= most:
        kind = "standing" if place.standing else "seated"
        raise Refused(Reason.BOX_FULL, rule.clause, box=place.box, kind=kind)


def leave(table: Table, ask: c.Leave, by: Actor) -> list[TableEvent]:
    person = subject(ask, by)
    check_seating(table, by)
    check_at_table(table, person)
    _check_no_wagers(table, person)
    if table.play_cents:
        return [*_play_chips_back(table, person), events.PatronLeft(person)]
    if table.chips.get(person, 0) > 0 and not table.is_contest:
        raise Refused(Reason.STILL_HAS_CHIPS, CONDITIONS, person=person)
    return [events.PatronLeft(person)]


def _play_chips_back(table: Table, person: str) -> list[TableEvent]:
    """Nobody takes play chips away, or owes any."""
    has = table.chips.get(person, 0)
    if has < 0:
        return [events.PlayChipsGiven(person, -has, clauses=(CONDITIONS,))]
    return [events.PlayChipsReturned(person, has, clauses=(CONDITIONS,))] if has else []


def check_at_table(table: Table, person: str) -> None:
    if person not in table.places:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=person)


def buy_in(table: Table, ask: c.BuyIn, _by: Actor) -> list[TableEvent]:
    """Wagers are made in chips alone, and chips are bought first [tas-2018:6.1, act-2015:4.2].

    What somebody owes the bank after a correction is paid in wherever they are: gone, excluded
    [act-2015:14.2(b)], or the table closed. To pay is not to play.
    """
    _check_for_money(table)
    if table.is_contest and table.is_open:
        _check_allotment(table, ask)
    owed = max(0, -table.chips.get(ask.person, 0))
    if ask.cents > owed:
        _check_buyer(table, ask.person, owed)
    chips = table.terms.rules.wagers.chips
    return [events.ChipsBought(ask.person, ask.cents, clauses=(chips,))]


def _check_for_money(table: Table) -> None:
    """Play chips are neither bought nor cashed."""
    if table.play_cents:
        raise Refused(Reason.PLAY_MONEY_ONLY, CONDITIONS)


def _check_buyer(table: Table, person: str, owed: int) -> None:
    """Chips to play with are for those who may play here, at an open table."""
    away = person in table.excluded or person not in table.places
    if not table.is_open or (away and owed):
        raise Refused(Reason.NO_MORE_THAN_OWED, CONDITIONS, person=person, owed=money(owed))
    if person in table.excluded:
        raise Refused(Reason.EXCLUDED, table.terms.rules.people.excluded, person=person)
    check_at_table(table, person)


def _check_allotment(table: Table, ask: c.BuyIn) -> None:
    """In a live competition everyone buys the same, once, before taking the seat
    [tas-2018:16.4.2]; otherwise nobody buys.
    """
    conditions = table.conditions
    assert conditions is not None
    if conditions.chips != "cash" or ask.person not in table.contest.expected:
        raise Refused(Reason.CHIPS_ARE_ALLOTTED, _chips_kept(table))
    if ask.cents != conditions.allotment_cents or table.chips.get(ask.person):
        allotment = money(conditions.allotment_cents)
        raise Refused(Reason.ALLOTMENT_ONLY, _chips_kept(table), cents=allotment)


def _chips_kept(table: Table) -> str:
    """The clause by which allotted chips stay as they are [tas-2018:16.4.2, act-2015:15.13]."""
    rules = table.terms.rules.competition
    return rules.chips_kept or rules.allotment


def cash_out(table: Table, ask: c.CashOut, _by: Actor) -> list[TableEvent]:
    _check_for_money(table)
    if table.is_contest and table.is_open and not _out_of_play(table, ask.person):
        raise Refused(Reason.CHIPS_ARE_ALLOTTED, _chips_kept(table))
    check_chips(table, ask.person, ask.cents)
    return [events.ChipsCashed(ask.person, ask.cents)]


def _out_of_play(table: Table, person: str) -> bool:
    """Whether chips worth money are their owner's to cash: the session is over, or they are out
    of it [tas-2018:16.4.9, 16.5.9].
    """
    cash = table.conditions is not None and table.conditions.chips == "cash"
    return cash and (bool(table.contest.over) or person not in table.places)


def check_chips(table: Table, person: str, cents: int) -> None:
    """Refuse more than a patron holds: no wager on credit [tas-2018:6.1]."""
    has = table.chips.get(person, 0)
    if cents > has:
        clause = table.terms.rules.wagers.chips if table.notice else CONDITIONS
        raise Refused(Reason.NOT_ENOUGH_CHIPS, clause, has=money(has), wanted=money(cents))


def agree_limits(table: Table, ask: c.AgreeLimits, _by: Actor) -> list[TableEvent]:
    """Limits of a player's own, shown by a marker at the place [tas-2018:7.2, act-2015:3.2]."""
    if table.is_contest:
        raise Refused(Reason.SAME_LIMITS_FOR_ALL, table.terms.rules.competition.same_limits)
    check_at_table(table, ask.person)
    if ask.limits is not None:
        check_individual(ask.limits, table.terms)
        check_payouts(table.terms, ask.limits)
    rule = table.terms.rules.limits.individual
    clauses = (rule.clause,) if rule else ()
    return [events.LimitsAgreed(ask.person, ask.limits, clauses=clauses)]


def exclude(table: Table, ask: c.Exclude, _by: Actor) -> list[TableEvent]:
    """Direct that a person who broke a rule plays no further part [act-2015:14.2(b)]."""
    if table.session is not None:
        own = table.terms.rules.competition.session.disqualified
        raise Refused(Reason.SEATS_ARE_THE_DIRECTORS, own or CONDITIONS)
    clause = table.terms.rules.people.excluded
    event = events.PatronExcluded(ask.person, ask.note, clauses=(clause,))
    lying = table.coup is not None and not table.coup.locked
    returned = return_wagers(table, (clause,), ask.person) if lying else []
    return [*returned, event]


def readmit(table: Table, ask: c.Readmit, _by: Actor) -> list[TableEvent]:
    if ask.person not in table.excluded:
        raise Refused(Reason.NOT_EXCLUDED, CONDITIONS, person=ask.person)
    return [events.PatronReadmitted(ask.person, ask.note)]


def require_vacate(table: Table, ask: c.RequireVacate, _by: Actor) -> list[TableEvent]:
    """A seat may have to be given up after three rounds let pass [act-2015:14.6]."""
    rule = table.terms.rules.people.abstention
    person = table.seated.get(ask.seat)
    rounds = table.abstained.get(person or "", 0)
    if rule is None or person is None or rounds < rule.rounds:
        clause = rule.clause if rule else CONDITIONS
        raise Refused(Reason.NOT_ABSTAINING, clause, seat=ask.seat, rounds=rounds)
    return [events.SeatVacated(person, ask.seat, until_asked=True, clauses=(rule.clause,))]


DECIDE: Decides = {
    c.Sit: sit,
    c.StandAt: stand_at,
    c.Leave: leave,
    c.BuyIn: buy_in,
    c.CashOut: cash_out,
    c.AgreeLimits: agree_limits,
    c.Exclude: exclude,
    c.Readmit: readmit,
    c.RequireVacate: require_vacate,
}
