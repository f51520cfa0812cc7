"""What a competition table keeps besides."""

from typing import TypeVar

from msgspec.structs import replace

from puntobanco.rules.coup import Drawn
from puntobanco.rules.shoe import draw
from puntobanco.table import events
from puntobanco.table.evolve.people import move_chips
from puntobanco.table.evolve.shoe import saw
from puntobanco.table.state import Place, Table

Value = TypeVar("Value")


def chips_allotted(table: Table, event: events.ChipsAllotted) -> Table:
    chips = {**table.chips, **{who: table.chips.get(who, 0) + event.cents for who in event.people}}
    given = event.cents * len(event.people)
    return replace(
        table,
        chips=chips,
        bought_cents=table.bought_cents + given,
        contest=replace(table.contest, allotted=True),
    )


def chips_collected(table: Table, event: events.ChipsCollected) -> Table:
    back = sum(event.chips.values()) + event.bank_cents
    return replace(
        table,
        chips={},
        bank_cents=table.bank_cents - event.bank_cents,
        bought_cents=table.bought_cents - back,
    )


def wager_asked(table: Table, event: events.WagerAsked) -> Table:
    contest = replace(table.contest, asked=event.seat, until_ms=event.until_ms, time_over=False)
    return replace(table, contest=contest)


def window_closed(table: Table, event: events.WindowClosed) -> Table:
    restricted = table.contest.restricted | {event.seat}
    return replace(table, contest=replace(table.contest, restricted=restricted, until_ms=None))


def absence_marked(table: Table, event: events.AbsenceMarked) -> Table:
    contest = table.contest
    absent, missed = contest.absent - {event.person}, contest.missed
    if event.absent:
        absent |= {event.person}
    if event.missed:
        missed |= {event.person}
    directed = contest.directed - {event.person}
    return replace(table, contest=replace(contest, absent=absent, missed=missed, directed=directed))


def absence_deducted(table: Table, event: events.AbsenceDeducted) -> Table:
    return replace(
        table,
        chips=move_chips(table, event.person, -event.cents),
        bank_cents=table.bank_cents + event.cents,
    )


def player_eliminated(table: Table, event: events.PlayerEliminated) -> Table:
    """What is left over leaves play; rows from before the coup was kept leave the books too."""
    contest = replace(table.contest, eliminated=table.contest.eliminated | {event.person})
    if event.coup:
        contest = replace(
            contest,
            out={**contest.out, event.person: event.coup},
            left_over={**contest.left_over, event.person: event.left_over_cents},
        )
        return _leaves_play(replace(table, contest=contest), event)
    chips = {key: cents for key, cents in table.chips.items() if key != event.person}
    return replace(
        table,
        chips=chips,
        bought_cents=table.bought_cents - event.left_over_cents,
        places={key: place for key, place in table.places.items() if key != event.person},
        contest=contest,
    )


def puck_moved(table: Table, event: events.PuckMoved) -> Table:
    return replace(table, contest=replace(table.contest, puck=event.seat))


def session_began(table: Table, event: events.SessionBegan) -> Table:
    """Seats and chips for all, there or not."""
    people = tuple(event.seats.values())
    chips = {**table.chips, **{person: event.cents for person in people if event.cents}}
    contest = replace(
        table.contest,
        allotted=True,
        drawn=event.seats,
        starts_ms=event.starts_ms,
        first_seat=event.first_seat,
        expected=frozenset(people),
        before=table.coup_number,
        shoe_before=table.shoe_number,
        secrets_left=_allowance(table, people),
    )
    return replace(
        table,
        places={person: Place(seat) for seat, person in event.seats.items()},
        chips=chips,
        bought_cents=table.bought_cents + event.cents * len(people),
        contest=contest,
    )


def directors_noted(table: Table, event: events.DirectorsNoted) -> Table:
    return replace(table, contest=replace(table.contest, directors=frozenset(event.people)))


def _allowance(table: Table, people: tuple[str, ...]) -> dict[str, int]:
    """As many secret wagers for each as the conditions have [tas-2018:16.6.1]."""
    allowed = table.session.secrets if table.session else 0
    return dict.fromkeys(people, allowed) if allowed else {}


def seat_taken(table: Table, event: events.SeatTaken) -> Table:
    contest, person = table.contest, frozenset({event.person})
    contest = replace(contest, expected=contest.expected - person)
    if event.missed:
        late = {event.person: 0, **contest.late}
        contest = replace(contest, missed=contest.missed | person, late=late)
    return replace(table, contest=contest)


def lateness_deducted(table: Table, event: events.LatenessDeducted) -> Table:
    late = {**table.contest.late, event.person: event.coups}
    return replace(
        table,
        chips=move_chips(table, event.person, -event.cents),
        bank_cents=table.bank_cents + event.cents,
        contest=replace(table.contest, late=late),
    )


def substitute_named(table: Table, event: events.SubstituteNamed) -> Table:
    contest = table.contest
    others = {who: acts for who, acts in contest.substitutes.items() if who != event.person}
    if event.substitute:
        others[event.person] = event.substitute
    back = frozenset({event.person})
    return replace(
        table,
        contest=replace(
            contest,
            substitutes=others,
            absent=contest.absent - back,
            directed=contest.directed - back,
        ),
    )


def direction_given(table: Table, event: events.DirectionGiven) -> Table:
    if not event.person:
        return table
    directed = table.contest.directed | {event.person}
    return replace(table, contest=replace(table.contest, directed=directed))


def order_warning_given(table: Table, event: events.OrderWarningGiven) -> Table:
    warned = table.contest.order_warned | {event.person}
    return replace(table, contest=replace(table.contest, order_warned=warned))


def last_coup_declared(table: Table, _event: events.LastCoupDeclared) -> Table:
    return replace(table, contest=replace(table.contest, last=True))


def session_ended(table: Table, event: events.SessionEnded) -> Table:
    contest = replace(table.contest, over=event.why, last=False, paused="")
    return replace(table, contest=contest)


def session_continued(table: Table, event: events.SessionContinued) -> Table:
    """Those who are level play on; the others keep their chips and are done."""
    places = {person: place for person, place in table.places.items() if person in event.people}
    places |= {person: Place(seat) for seat, person in event.seats.items()}
    contest = replace(
        table.contest,
        over="",
        continued=event.session,
        to_play=event.coups,
        drawn={place.box: person for person, place in places.items()},
        out={},
        gone={},
        coups=0,
        before=table.coup_number,
    )
    return replace(table, places=places, contest=contest)


def session_paused(table: Table, event: events.SessionPaused) -> Table:
    return replace(table, contest=replace(table.contest, paused=event.why))


def session_resumed(table: Table, _event: events.SessionResumed) -> Table:
    return replace(table, contest=replace(table.contest, paused=""))


def session_handed_over(table: Table, event: events.SessionHandedOver) -> Table:
    """Everyone and all chips are gone from here; what the bank won stays in its books."""
    contest = replace(
        table.contest,
        over="moved",
        last=False,
        paused="",
        handed_over=event.to,
        handed=event.standing,
        expected=frozenset(),
        absent=frozenset(),
    )
    left = {person: cents for person, cents in table.chips.items() if person not in table.places}
    gone = sum(table.chips.values()) - sum(left.values())
    return replace(
        table, chips=left, bought_cents=table.bought_cents - gone, places={}, contest=contest
    )


def session_taken_over(table: Table, event: events.SessionTakenOver) -> Table:
    """Coups and shoes are counted on from where the session stood."""
    stood = event.standing
    away = {*stood.out, *stood.gone}
    contest = replace(
        table.contest,
        allotted=True,
        drawn=stood.seats,
        starts_ms=stood.starts_ms,
        first_seat=stood.first_seat,
        puck=stood.puck,
        expected=frozenset(stood.expected),
        absent=frozenset(stood.absent),
        directed=frozenset(stood.directed),
        hiding=frozenset(stood.hiding),
        order_warned=frozenset(stood.order_warned),
        late=stood.late,
        substitutes=stood.substitutes,
        eliminated=frozenset(stood.out),
        out=stood.out,
        left_over=stood.left_over,
        gone=stood.gone,
        secrets_left=stood.secrets_left,
        indicator_out=stood.indicator_out,
        rides=stood.rides,
        before=table.coup_number - stood.dealt,
        shoe_before=table.shoe_number - (table.shoe is not None) - stood.shoes,
        coups=stood.coups,
        to_play=stood.to_play,
        last=stood.last,
        continued=stood.continued,
    )
    return replace(
        table,
        places={who: Place(seat) for seat, who in stood.seats.items() if who not in away},
        chips={**table.chips, **stood.chips},
        bought_cents=table.bought_cents + sum(stood.chips.values()),
        contest=contest,
    )


def coups_drawn(table: Table, event: events.CoupsDrawn) -> Table:
    """The card is in no coup: it lies with the discards."""
    assert table.shoe is not None
    pack = replace(saw(table.pack, event.card), check_due=True)
    pack = replace(pack, between=(*pack.between, (table.coup_number, Drawn(event.card))))
    contest = replace(table.contest, to_play=event.coups)
    return replace(table, shoe=draw(table.shoe), pack=pack, contest=contest)


def earlier_coup_voided(table: Table, event: events.EarlierCoupVoided) -> Table:
    """A coup of the session that falls does not count [act-2015:d.void]."""
    contest = table.contest
    table = replace(table, voids={**table.voids, event.number: event.wagers})
    if not contest.drawn or event.number <= contest.before:
        return table
    record = next((coup for coup in table.coups if coup.number == event.number), None)
    counted = record is None or record.kind.takes_wagers
    return replace(table, contest=replace(contest, coups=contest.coups - counted))


def player_removed(table: Table, event: events.PlayerRemoved) -> Table:
    contest = replace(
        table.contest,
        gone={**table.contest.gone, event.person: event.why},
        expected=table.contest.expected - {event.person},
    )
    return _leaves_play(replace(table, contest=contest), event)


def chips_corrected(table: Table, event: events.ChipsCorrected) -> Table:
    """What was found more or less is the bank's less or more."""
    more = event.cents - event.was_cents
    return replace(
        table,
        chips={**table.chips, event.person: event.cents},
        bank_cents=table.bank_cents - more,
    )


def player_reinstated(table: Table, event: events.PlayerReinstated) -> Table:
    contest = table.contest
    live = table.conditions is not None and table.conditions.chips == "cash"
    back = 0 if live else event.cents
    return replace(
        table,
        chips=move_chips(table, event.person, back),
        bought_cents=table.bought_cents + back,
        places={**table.places, event.person: Place(event.seat)},
        contest=replace(
            contest,
            eliminated=contest.eliminated - {event.person},
            out=_without(contest.out, event.person),
            left_over=_without(contest.left_over, event.person),
        ),
    )


def _leaves_play(table: Table, event: events.PlayerEliminated | events.PlayerRemoved) -> Table:
    """The seat is void. Competition chips go back; money stays its owner's, out of play
    [tas-2018:16.5.9].
    """
    back = event.left_over_cents if event.kept_by == "operator" else 0
    chips = _without(table.chips, event.person) if event.kept_by == "operator" else table.chips
    return replace(
        table,
        chips=chips,
        bought_cents=table.bought_cents - back,
        places=_without(table.places, event.person),
    )


def _without(values: dict[str, Value], person: str) -> dict[str, Value]:
    return {key: value for key, value in values.items() if key != person}


APPLY: events.Applies = {
    events.ChipsAllotted: chips_allotted,
    events.ChipsCollected: chips_collected,
    events.WagerAsked: wager_asked,
    events.WindowClosed: window_closed,
    events.AbsenceMarked: absence_marked,
    events.AbsenceDeducted: absence_deducted,
    events.PlayerEliminated: player_eliminated,
    events.PuckMoved: puck_moved,
    events.SessionBegan: session_began,
    events.DirectorsNoted: directors_noted,
    events.SeatTaken: seat_taken,
    events.LatenessDeducted: lateness_deducted,
    events.SubstituteNamed: substitute_named,
    events.DirectionGiven: direction_given,
    events.OrderWarningGiven: order_warning_given,
    events.LastCoupDeclared: last_coup_declared,
    events.SessionEnded: session_ended,
    events.SessionContinued: session_continued,
    events.SessionHandedOver: session_handed_over,
    events.SessionTakenOver: session_taken_over,
    events.SessionPaused: session_paused,
    events.SessionResumed: session_resumed,
    events.CoupsDrawn: coups_drawn,
    events.EarlierCoupVoided: earlier_coup_voided,
    events.PlayerRemoved: player_removed,
    events.ChipsCorrected: chips_corrected,
    events.PlayerReinstated: player_reinstated,
}
