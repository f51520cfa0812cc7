"""Opening and closing, staff, patrons and their chips, the notice."""

from typing import TypeVar

from msgspec.structs import replace

from puntobanco.table import events
from puntobanco.table.state import (
    ClosedTable,
    FaceDownPlay,
    OnDuty,
    Pack,
    Place,
    Posted,
    Table,
)

Value = TypeVar("Value")


def move_chips(table: Table, person: str, cents: int) -> dict[str, int]:
    """The chips of everyone after an amount went to one of them."""
    return {**table.chips, person: table.chips.get(person, 0) + cents}


def same(table: Table, _event: object) -> Table:
    """On record; nothing at the table changes."""
    return table


def table_opened(table: Table, event: events.TableOpened) -> Table:
    same_day = event.gaming_day == table.gaming_day
    conditions = event.conditions
    return replace(
        table,
        notice=event.notice,
        is_open=True,
        opened=event.opened,
        utc_minutes=event.utc_minutes,
        conditions=conditions,
        session=event.session,
        play_cents=event.play_cents,
        gaming_day=event.gaming_day,
        warned=table.warned if same_day else frozenset(),
        vacated=frozenset(),
        closing_ms=None,
        closing_due=False,
        face_down=FaceDownPlay(on=conditions is not None and conditions.face_down),
        contest=type(table.contest)(bank_before_cents=table.bank_cents),
        pack=Pack(retired=table.pack.retired),
        coups_before=table.coup_number,
        coups=(),
        past={},
        voids={},
        closes=(),
        ended_shoe=None,
        closed=None,
    )


def gaming_day_began(table: Table, event: events.GamingDayBegan) -> Table:
    same_day = event.gaming_day == table.gaming_day
    warned_still = table.warned if same_day else frozenset()
    return replace(table, gaming_day=event.gaming_day, warned=warned_still, closed=None)


def closing_notice_given(table: Table, event: events.ClosingNoticeGiven) -> Table:
    return replace(table, closing_ms=event.closing_ms, closing_due=False)


def table_closed(table: Table, _event: events.TableClosed) -> Table:
    in_chips, played = table.chip_coups, (table.coups_before + 1, table.coup_number)
    if table.plays_for_chips and played[0] <= played[1]:
        in_chips = (*in_chips, played)
    was = ClosedTable(
        table.places,
        table.individual,
        table.abstained,
        table.free_coups,
        table.no_bet,
        table.face_down,
    )
    return replace(
        table,
        is_open=False,
        closed=was,
        chip_coups=in_chips,
        places={},
        abstained={},
        individual={},
        posted=None,
        closing_ms=None,
        closing_due=False,
        proposals={},
        face_down=FaceDownPlay(),
        no_bet=type(table.no_bet)(),
        free_coups=0,
    )


def staff_signed_on(table: Table, event: events.StaffSignedOn) -> Table:
    on = OnDuty(event.person, event.role, event.at_ms)
    return replace(table, staff=(*table.staff, on))


def staff_signed_off(table: Table, event: events.StaffSignedOff) -> Table:
    return replace(table, staff=tuple(duty for duty in table.staff if duty.person != event.person))


def patron_sat(table: Table, event: events.PatronSat) -> Table:
    placed = _placed(table, event.person, Place(event.seat))
    return replace(placed, vacated=placed.vacated - {event.person})


def patron_stood(table: Table, event: events.PatronStood) -> Table:
    return _placed(table, event.person, Place(event.box, standing=True))


def _placed(table: Table, person: str, place: Place) -> Table:
    others = {key: value for key, value in table.places.items() if key != person}
    return replace(
        table,
        places={**others, person: place},
        abstained=_without(table.abstained, person),
        no_bet=replace(table.no_bet, directed=False),  # whoever comes must agree too
    )


def _without(values: dict[str, Value], person: str) -> dict[str, Value]:
    return {key: value for key, value in values.items() if key != person}


def patron_left(table: Table, event: events.PatronLeft | events.SeatVacated) -> Table:
    person = event.person
    chips = table.chips if table.chips.get(person) else _without(table.chips, person)
    return replace(
        table,
        places=_without(table.places, person),
        abstained=_without(table.abstained, person),
        individual=_without(table.individual, person),
        chips=chips,
    )


def seat_vacated(table: Table, event: events.SeatVacated) -> Table:
    gone = patron_left(table, event)
    return replace(gone, vacated=gone.vacated | {event.person}) if event.until_asked else gone


def chips_bought(table: Table, event: events.ChipsBought) -> Table:
    chips = move_chips(table, event.person, event.cents)
    return replace(table, chips=chips, bought_cents=table.bought_cents + event.cents)


def chips_cashed(table: Table, event: events.ChipsCashed) -> Table:
    chips = move_chips(table, event.person, -event.cents)
    if not chips[event.person] and event.person not in table.places:
        del chips[event.person]
    contest = table.contest
    if contest.over:  # the result of a session is not changed by cashing what was won in it
        cashed = contest.cashed.get(event.person, 0) + event.cents
        contest = replace(contest, cashed={**contest.cashed, event.person: cashed})
    bought = table.bought_cents - event.cents
    return replace(table, chips=chips, bought_cents=bought, contest=contest)


def play_chips_given(table: Table, event: events.PlayChipsGiven) -> Table:
    chips = move_chips(table, event.person, event.cents)
    return replace(table, chips=chips, bought_cents=table.bought_cents + event.cents)


def play_chips_returned(table: Table, event: events.PlayChipsReturned) -> Table:
    chips = move_chips(table, event.person, -event.cents)
    return replace(table, chips=chips, bought_cents=table.bought_cents - event.cents)


def limits_agreed(table: Table, event: events.LimitsAgreed) -> Table:
    individual = _without(table.individual, event.person)
    if event.limits is not None:
        individual[event.person] = event.limits
    return replace(table, individual=individual)


def patron_excluded(table: Table, event: events.PatronExcluded) -> Table:
    return replace(
        table,
        excluded=table.excluded | {event.person},
        places=_without(table.places, event.person),
        abstained=_without(table.abstained, event.person),
    )


def patron_readmitted(table: Table, event: events.PatronReadmitted) -> Table:
    return replace(table, excluded=table.excluded - {event.person})


def warning_given(table: Table, event: events.WarningGiven) -> Table:
    return replace(table, warned=table.warned | {event.person})


def warning_withdrawn(table: Table, event: events.WarningWithdrawn) -> Table:
    return replace(table, warned=table.warned - {event.person})


def change_posted(table: Table, event: events.ChangePosted) -> Table:
    return replace(table, posted=Posted(event.notice, event.shown_ms, event.from_ms))


def change_consented(table: Table, event: events.ChangeConsented) -> Table:
    assert table.posted is not None
    consents = table.posted.consents | {event.person}
    return replace(table, posted=replace(table.posted, consents=consents))


def change_dropped(table: Table, _event: events.ChangeDropped) -> Table:
    return replace(table, posted=None)


def notice_changed(table: Table, event: events.NoticeChanged) -> Table:
    return replace(table, notice=event.notice, posted=None)


APPLY: events.Applies = {
    events.TableOpened: table_opened,
    events.GamingDayBegan: gaming_day_began,
    events.ClosingNoticeGiven: closing_notice_given,
    events.TableClosed: table_closed,
    events.StaffSignedOn: staff_signed_on,
    events.StaffSignedOff: staff_signed_off,
    events.PatronSat: patron_sat,
    events.PatronStood: patron_stood,
    events.PatronLeft: patron_left,
    events.SeatVacated: seat_vacated,
    events.VacateAdvised: same,
    events.ChipsBought: chips_bought,
    events.ChipsCashed: chips_cashed,
    events.PlayChipsGiven: play_chips_given,
    events.PlayChipsReturned: play_chips_returned,
    events.LimitsAgreed: limits_agreed,
    events.PatronExcluded: patron_excluded,
    events.PatronReadmitted: patron_readmitted,
    events.WarningGiven: warning_given,
    events.WarningWithdrawn: warning_withdrawn,
    events.ChangePosted: change_posted,
    events.ChangeConsented: change_consented,
    events.ChangeDropped: change_dropped,
    events.NoticeChanged: notice_changed,
}
