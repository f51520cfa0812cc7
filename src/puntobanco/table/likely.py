"""Each command as it would most likely be given at a table now.

Whether somebody can give a command at this moment is found out by asking `decide` about these:
if it refuses them all, the command is not offered, and the refusal says why. So nothing that the
rules say about a command is said here again; these need only cover what the rules may let through.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Laid, Side
from puntobanco.rules.irregularities import Found
from puntobanco.rules.wagers import Wager
from puntobanco.table import commands as c
from puntobanco.table.actor import ON_DUTY, PLAYERS, Actor, Role
from puntobanco.table.queries.people import ever_here
from puntobanco.table.state import Place, Table

Asks = Iterator[c.Command]
Kind = Callable[..., Any]
Likely = Callable[[Any, Actor], Iterator[Any]]
SOMEBODY_NEW = "somebody-new"
"""Stands for a patron who is not at the table yet."""
TEN_MINUTES_MS = 600_000
UNKNOWN = "0" * 64
"""Stands for a commitment that the house will make."""


def as_it_is(kind: Kind, *facts: object) -> Likely:
    """A command with these facts, at any table."""

    def asks(_state: Any, _by: Actor) -> Iterator[Any]:
        yield kind(*facts)

    return asks


def load_shoe(_table: Table, _by: Actor) -> Asks:
    """With the marker alone, or with the indicator card, too."""
    yield c.LoadShoe()
    yield c.LoadShoe(indicator=True)


def for_each(kind: Kind, choose: Callable[[Any], Iterable[object]], *more: object) -> Likely:
    """The command about each of several things there are."""

    def asks(state: Any, _by: Actor) -> Iterator[Any]:
        for thing in choose(state):
            yield kind(thing, *more)

    return asks


def for_patron(kind: Kind, *facts: object) -> Likely:
    """What a patron does, or staff for any patron at the table."""

    def asks(table: Table, by: Actor) -> Asks:
        for person in whom(table, by):
            yield kind(*facts, person)

    return asks


def whom(table: Table, by: Actor) -> tuple[str, ...]:
    """For whom somebody acts: a patron for nobody else, staff for any patron at the table."""
    return (by.person,) if PLAYERS & by.roles else tuple(table.places)


def _newcomer(by: Actor) -> str:
    return by.person if PLAYERS & by.roles else SOMEBODY_NEW


def sides(_table: Table) -> Iterable[Side]:
    return Side


def undecided(table: Table) -> Iterable[int]:
    return [number for number, dispute in table.disputes.items() if not dispute.decision]


def _wagers(table: Table) -> tuple[Wager, ...]:
    return table.coup.wagers if table.coup else ()


def incidents(table: Table) -> Iterable[str]:
    """What the rule set's document knows of."""
    return table.terms.rules.people.incidents if table.notice else ()


def _unseen(table: Table) -> Card:
    """A card of which fewest copies have come out."""
    return min(Card, key=lambda card: table.pack.seen.get(card, 0))


# people


def sign_on(_table: Table, by: Actor) -> Asks:
    for role in sorted(by.roles & ON_DUTY):
        yield c.SignOn(role)


def sit(table: Table, by: Actor) -> Asks:
    for seat in range(1, table.terms.notice.seats + 1):
        yield c.Sit(seat, _newcomer(by))


def stand_at(table: Table, by: Actor) -> Asks:
    for box in range(1, table.terms.notice.seats + 1):
        yield c.StandAt(box, _newcomer(by))


def buy_in(table: Table, _by: Actor) -> Asks:
    """Chips to play with, or what somebody owes."""
    for person in table.places:
        yield c.BuyIn(100, person)
    for person, cents in table.chips.items():
        if cents < 0:
            yield c.BuyIn(min(100, -cents), person)


def cash_out(table: Table, _by: Actor) -> Asks:
    for person, cents in table.chips.items():
        if cents > 0:
            yield c.CashOut(cents, person)


# the shoe


def close_table(_table: Table, _by: Actor) -> Asks:
    """As it is, or with the reason that may be wanted."""
    yield c.CloseTable()
    yield c.CloseTable("a reason")


def check_cards(table: Table, _by: Actor) -> Asks:
    """The set in use again, or a fresh one."""
    player, pack = next(iter(table.places), ""), table.pack
    fresh = f"set {len(pack.retired) + 2}"
    for set_id in (pack.set_id or fresh, fresh):
        yield c.CheckCards(set_id, player=player)


def refuse_cut(table: Table, by: Actor) -> Asks:
    for seat in _seats_of(table, by):
        yield c.RefuseCut(seat)


def cut_cards(table: Table, by: Actor) -> Asks:
    """In the middle of the cards, by each seated player, or by staff."""
    depth = table.terms.notice.decks * 26
    for seat in (*_seats_of(table, by), None):
        yield c.CutCards(depth, seat)


def _seats_of(table: Table, by: Actor) -> list[int]:
    theirs = whom(table, by)
    return [seat for seat, person in table.seated.items() if person in theirs]


def burn_cards(table: Table, _by: Actor) -> Asks:
    yield c.BurnCards(face_down=table.burn_due)
    yield c.BurnCards(_unseen(table))


def change_cards(table: Table, _by: Actor) -> Asks:
    yield c.ChangeCards((_unseen(table),))


# betting


def place_wager(table: Table, by: Actor) -> Asks:
    """The least that may be bet, or all that somebody has."""
    for person in whom(table, by):
        place, own = table.places.get(person, Place(1)), table.individual.get(person)
        for on, limits in table.terms.limits.items():
            least = own.min_cents if own else limits.min_cents
            for cents in (least, table.chips.get(person, 0)):
                if cents > 0:
                    yield c.PlaceWager(place.box, on, cents, person)


def change_wager(table: Table, by: Actor) -> Asks:
    """By the least that may be bet, more or less."""
    for wager in _wagers_of(table, by):
        least = table.terms.limits[wager.on].min_cents
        for cents in (wager.cents, wager.cents + least, wager.cents - least):
            if cents > 0:
                yield c.ChangeWager(wager.box, wager.on, cents, wager.by)


def withdraw_wager(table: Table, by: Actor) -> Asks:
    for wager in _wagers_of(table, by):
        yield c.WithdrawWager(wager.box, wager.on, wager.by)


def lay_wagers(table: Table, by: Actor) -> Asks:
    """All taken back, or the least that may be bet laid beside what lies, or on top of it."""
    place = table.places.get(by.person, Place(1))
    lie = {one.on: one.cents for one in _wagers_of(table, by) if one.box == place.box}
    yield c.LayWagers()
    for on, limits in table.terms.limits.items():
        more = {**lie, on: lie.get(on, 0) + limits.min_cents}
        yield c.LayWagers(tuple(c.Stake(one, cents) for one, cents in more.items()))


def _wagers_of(table: Table, by: Actor) -> Iterator[Wager]:
    theirs = whom(table, by)
    return (wager for wager in _wagers(table) if wager.by in theirs)


def allow_free_coups(table: Table, _by: Actor) -> Asks:
    """At a player's request, or without one."""
    for asked_by in ("", *table.places):
        yield c.AllowFreeCoups(1, asked_by)


# dealing


def acknowledge_face_down(table: Table, by: Actor) -> Asks:
    """Nobody need say that they have been told before a player has asked."""
    for role in sorted(by.roles) if table.face_down.asked_by else ():
        yield c.AcknowledgeFaceDown(role)


def set_face_down(table: Table, _by: Actor) -> Asks:
    yield c.SetFaceDown(not table.face_down.on)


def draw_card(table: Table, _by: Actor) -> Asks:
    """To the hand that is owed it, face down or up; or one too many, as it was laid."""
    yield c.DrawCard()
    yield c.DrawCard(_unseen(table))
    yield c.DrawCard(_unseen(table), Laid.NOWHERE)


def deal_carried(table: Table, _by: Actor) -> Asks:
    yield c.DealCarried()
    yield c.DealCarried(_unseen(table))


def turn_carried(table: Table, _by: Actor) -> Asks:
    yield c.TurnCarried(_unseen(table))


def turn_card(table: Table, _by: Actor) -> Asks:
    drawn = table.coup.drawn if table.coup else ()
    for position, card_drawn in enumerate(drawn, 1):
        if card_drawn.card is None:
            yield c.TurnCard(_unseen(table), position)


# disputes, corrections, and what a competition adds


def request_review(table: Table, by: Actor) -> Asks:
    """Of one's own dispute; staff of any."""
    for number, dispute in table.disputes.items():
        if Role.PATRON not in by.roles or dispute.person == by.person:
            yield c.RequestReview(number)


def report_irregularity(table: Table, _by: Actor) -> Asks:
    """At an open table there is always something to be found; at a closed one hardly anything."""
    if table.is_open:
        yield from (c.ReportIrregularity(found) for found in (Found.FOREIGN_CARD, *Found))
    else:
        yield c.ReportIrregularity(Found.WRONG_NUMBER)


def correct_burn(_table: Table, _by: Actor) -> Asks:
    yield c.CorrectBurn("")
    yield c.CorrectBurn("", face_down=1)


def correct_finding(_table: Table, _by: Actor) -> Asks:
    yield c.CorrectFinding("face-up-in-shoe", "")
    yield c.CorrectFinding("shoe-disturbed", "")


def correct_excess(table: Table, _by: Actor) -> Asks:
    """Those that were keyed were not drawn; or one more was."""
    for number in dict.fromkeys(number for number, _ in table.pack.between):
        yield c.CorrectExcess(number, "")
    yield c.CorrectExcess(table.coup_number - (table.coup is not None), "", (Drawn(),))


def take_back(table: Table, _by: Actor) -> Asks:
    """Whatever stands in the way now, or a coup that is void on record."""
    for what in ("no-bet-coup", "touched", "end-shoe", "close-table", "closing-notice", "void"):
        yield c.TakeBack(what, "")
    for number in table.voids:
        yield c.TakeBack("void", "", number)
    for person in sorted(ever_here(table)):
        yield c.TakeBack("wagers-void", "", None, person)


def correct_payment(table: Table, _by: Actor) -> Asks:
    """To anybody who was here, or of a coup before the table was opened again."""
    least = table.notice.chip_cents if table.notice else 1
    for person in sorted(ever_here(table)):
        yield c.CorrectPayment(person, least, max(table.coup_number, 1), "")
    if table.coups_before:
        yield c.CorrectPayment(SOMEBODY_NEW, least, table.coups_before, "")


def ask_for_wager(table: Table, by: Actor) -> Asks:
    for seat in table.seated:
        for until_ms in (None, by.at_ms + TEN_MINUTES_MS, table.contest.until_ms):
            yield c.AskForWager(seat, until_ms)


def examine_secret(table: Table, _by: Actor) -> Asks:
    for person in table.coup.forms if table.coup else ():
        yield c.ExamineSecret(person, "accepted")


def inspect_form(table: Table, by: Actor) -> Asks:
    for person in whom(table, by):
        for form in table.contest.shown:
            yield c.InspectForm(form.person, person)


def take_seat(table: Table, by: Actor) -> Asks:
    """A patron's own seat; for staff everyone who has not come yet."""
    if Role.PATRON in by.roles:
        yield c.TakeSeat()
        return
    yield from (c.TakeSeat(person) for person in sorted(table.contest.expected))
