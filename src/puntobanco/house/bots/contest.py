"""Bots at a competition's table: they take their seats, bet in turn, and lodge secret forms."""

from collections.abc import Iterator, Mapping
from hashlib import sha256

from msgspec.structs import replace

from puntobanco.house.bots.plans import WAGERS
from puntobanco.house.intents import AtTable, LodgeForm
from puntobanco.register.commands import Plan
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.decide.competition.order import seat_to_ask
from puntobanco.table.queries.competition import (
    SIDES,
    coup_of_session,
    have_bet,
    in_turn,
    rules_of,
    seat_to_bet,
)
from puntobanco.table.state import Phase, Table

MOST_MORE = 4
"""Units by which a wager may be higher than its plan; less than this."""
FORM_IN = 2
"""The first coup of a session in which bots hand in forms; the others follow by their seats."""
HUNDREDS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
CIRCLED = {Bet.PLAYER: "p", Bet.BANKER: "b"}
"""How a form names the hands; a Tie alone is sent back, for it wants a wager on a hand."""
Wish = tuple[str, AtTable]


def competing(
    table: Table, patrons: Mapping[str, Plan], dealer: str, now_ms: int
) -> Iterator[Wish]:
    """What the patrons of a session would do now: take their seats, and wager in their turn; and
    what their dealer does about people who play among them. Where a person sits for a bot, the bot
    leaves the seat to them [tas-2018:16.3.3].
    """
    sat_for = table.contest.substitutes
    patrons = {person: plan for person, plan in patrons.items() if person not in sat_for}
    yield from _people(table, patrons, dealer, now_ms)
    for person, plan in patrons.items():
        if person in table.contest.expected and table.phase is not Phase.OVER:
            yield person, c.TakeSeat(person)
        place = table.places.get(person)
        if place is not None and table.phase is Phase.BETTING and place.box not in have_bet(table):
            yield from _wager(table, person, plan, dealer)


def _people(table: Table, patrons: Mapping[str, Plan], dealer: str, now_ms: int) -> Iterator[Wish]:
    """A person is asked in their turn; whoever lets the time pass is away for the coup, which has
    its price, and is asked again in the next [tas-2018:16.3.6, 16.4.7].
    """
    contest, session = table.contest, table.session
    if table.phase is Phase.READY:
        for person in contest.absent & {*table.places} - {*patrons}:
            yield dealer, c.MarkAbsent(person, absent=False)
    seat = seat_to_bet(table) if table.phase is Phase.BETTING else None
    if seat is None or session is None or not session.wager_seconds:
        return
    person = table.seated[seat]
    if person in patrons or (table.coup and table.coup.called):
        return
    if contest.asked != seat:  # after a Tie those before them are asked first [tas-2018:16.5.8]
        due = seat_to_ask(table) or seat
        yield dealer, c.AskForWager(due, now_ms + session.wager_seconds * 1000)
    elif contest.time_over:
        yield dealer, c.MarkAbsent(person)


def _wager(table: Table, person: str, plan: Plan, dealer: str) -> Iterator[Wish]:
    """A form or chips; the dealer lays what comes too late for a device, so that nobody is left
    without the wager that everybody owes.
    """
    coup, box = table.coup, table.places[person].box
    assert coup is not None
    lies = coup.forms.get(person)
    if lies is not None and lies.verdict == "sent-back":
        yield dealer, _least(table, box, person)
    planned = _on_a_hand(table, WAGERS[plan](table, person))
    wager = _afforded(table, person, _varied(table, person, planned))
    if wager is None or coup.called or not in_turn(table, box):
        return
    if coup.time_over:
        yield dealer, replace(wager, person=person)
        return
    if form := _form(table, person, wager):
        yield person, form
    yield person, wager


def _on_a_hand(table: Table, wager: c.PlaceWager | None) -> c.PlaceWager | None:
    """The wager; where everybody owes one on a hand [tas-2018:16.4.4], the minimum on Banker in
    place of any other.
    """
    if wager is None or wager.on in SIDES or not rules_of(table).one_wager:
        return wager
    return replace(wager, on=Bet.BANKER, cents=table.terms.limits[Bet.BANKER].min_cents)


def _varied(table: Table, person: str, wager: c.PlaceWager | None) -> c.PlaceWager | None:
    """The wager some units higher and, in a play-off, on either hand, by player and coup: those who
    bet alike would stay level for ever.
    """
    session = table.session
    if wager is None or session is None:
        return wager
    limits = table.terms.limits[wager.on]
    unit = limits.multiple_cents or limits.min_cents
    mixed = sha256(f"{session.id} {person} {coup_of_session(table)}".encode()).digest()
    cents = min(limits.max_cents, wager.cents + mixed[0] % MOST_MORE * unit)
    on = SIDES[mixed[1] % 2] if session.kind == "play-off" else wager.on
    return replace(wager, on=on, cents=cents)


def _least(table: Table, box: int, person: str) -> c.PlaceWager:
    """The minimum in chips, for whoever had a form sent back."""
    return c.PlaceWager(box, Bet.BANKER, table.terms.limits[Bet.BANKER].min_cents, person)


def _afforded(table: Table, person: str, wager: c.PlaceWager | None) -> c.PlaceWager | None:
    """The wager, or as much of it as the player has chips for."""
    if wager is None:
        return None
    limits, held = table.terms.limits[wager.on], table.chips.get(person, 0)
    unit = limits.multiple_cents or limits.min_cents
    cents = min(wager.cents, held // unit * unit)
    return replace(wager, cents=cents) if cents >= limits.min_cents else None


def _form(table: Table, person: str, wager: c.PlaceWager) -> LodgeForm | None:
    """The wager as a secret one, once its time has come; a whole number of hundreds is easily
    written out.
    """
    due = FORM_IN + wager.box % 3
    hundreds, rest = divmod(wager.cents, 10_000)
    written = not rest and 1 <= hundreds < len(HUNDREDS) and wager.on in CIRCLED
    if not written or coup_of_session(table) != due:
        return None
    if not table.contest.secrets_left.get(person, 0):
        return None
    return LodgeForm(str(wager.cents // 100), f"{HUNDREDS[hundreds]} hundred", CIRCLED[wager.on])
