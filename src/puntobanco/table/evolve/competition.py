"""What a competition table keeps besides."""

from msgspec.structs import replace

from puntobanco.table import events
from puntobanco.table.evolve.people import move_chips
from puntobanco.table.state import Table


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
    absent = table.contest.absent - {event.person}
    if event.absent:
        absent |= {event.person}
    return replace(table, contest=replace(table.contest, absent=absent))


def absence_deducted(table: Table, event: events.AbsenceDeducted) -> Table:
    return replace(
        table,
        chips=move_chips(table, event.person, -event.cents),
        bank_cents=table.bank_cents + event.cents,
    )


def player_eliminated(table: Table, event: events.PlayerEliminated) -> Table:
    """What is left over leaves play: back to the operator, or with the player if it is money."""
    chips = {key: cents for key, cents in table.chips.items() if key != event.person}
    return replace(
        table,
        chips=chips,
        bought_cents=table.bought_cents - event.left_over_cents,
        places={key: place for key, place in table.places.items() if key != event.person},
        contest=replace(table.contest, eliminated=table.contest.eliminated | {event.person}),
    )


def puck_moved(table: Table, event: events.PuckMoved) -> Table:
    return replace(table, contest=replace(table.contest, puck=event.seat))


APPLY: events.Applies = {
    events.ChipsAllotted: chips_allotted,
    events.ChipsCollected: chips_collected,
    events.WagerAsked: wager_asked,
    events.WindowClosed: window_closed,
    events.AbsenceMarked: absence_marked,
    events.AbsenceDeducted: absence_deducted,
    events.PlayerEliminated: player_eliminated,
    events.PuckMoved: puck_moved,
}
