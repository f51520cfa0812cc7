"""What each viewer may see: built up from nothing, part by part, never cut down from the whole.

Nobody sees a face-down or undealt card: the table does not know it either. Nothing here counts
cards or gives odds [act-2015:14.5(a)].
"""

from functools import lru_cache

from puntobanco.brief import Brief
from puntobanco.roads import Bead
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup, Drawn, Result, Side
from puntobanco.rules.documents.ruleset import Bet, Ratio
from puntobanco.rules.drawing import Cards, Tableau, fold
from puntobanco.rules.irregularities import NextCoup, Verdict
from puntobanco.rules.notice import Limits, Notice, Terms
from puntobanco.rules.settle import Line, Outcome
from puntobanco.rules.shoe import Last, Shoe
from puntobanco.rules.wagers import Wager, off_multiple
from puntobanco.table.actor import ON_DUTY, PLAYERS, STAFF, Actor, Role
from puntobanco.table.authority import acting, counting_roles, stands_for
from puntobanco.table.competition_terms import ShownForm
from puntobanco.table.coup_record import CoupKind, CoupRecord
from puntobanco.table.next_step import Next, next_step, with_roles
from puntobanco.table.queries.competition import seat_to_bet
from puntobanco.table.queries.face_down import hand_positions, in_line
from puntobanco.table.queries.notice import change_due_ms
from puntobanco.table.queries.secrets import on_show, standing_forms
from puntobanco.table.state import (
    LiveCoup,
    Phase,
    Place,
    Table,
)
from puntobanco.table.view.contest import ContestSeen, contest_of
from puntobanco.table.view.staff import (
    Floor,
    Oversight,
    floor_of,
    oversight_of,
    payouts_of,
    turned_next,
)

OVERSIGHT = STAFF - {Role.DEALER} | {Role.AUDITOR}


class Viewer(Brief, frozen=True):
    """Who looks. Without person and roles: a display on the wall."""

    person: str = ""
    roles: frozenset[Role] = frozenset()


class Sign(Brief, frozen=True):
    """The table notice, and what goes with it [tas-2018:7.1, 13, act-2015:3.1, 8.3, 9.3]."""

    notice: Notice
    reference: str
    effective: str
    method: str
    pairs: str
    hours: str
    closing_ms: int | None
    """Notice has been given that the table will close then [act-2015:13.2]."""
    change: Notice | None
    """A notice that will hold from `change_ms` on [tas-2018:7.6(b)]."""
    change_ms: int | None
    limits: dict[Bet, Limits]
    """By each bet on offer, the least and the most that it takes."""
    source: str = ""
    """SHA-256 of the regulator's document, by which a copy can be told to be the same."""
    play_cents: int = 0
    """Play chips that everybody is given, worth nothing; 0: the table is for money."""
    odds: dict[Bet, tuple[Ratio, ...]] = {}
    """By each bet on offer, the odds at which it can be paid, the usual ones first."""


class Box(Brief, frozen=True):
    """One place at the table."""

    seat: int
    taken: bool
    standing: int
    marker: Limits | None
    """Limits agreed with a player here, shown by a marker [tas-2018:7.2]."""
    discs: tuple[Side, ...]
    """Whose cards the player here has accepted [tas-2018:9.3(d)]."""
    puck: bool
    turn: bool
    chips: int | None
    """In a competition everyone's chips are in view."""
    form: bool = False
    """A marker: the form of a secret wager lies for this coup [tas-2018:16.6.6]."""
    secrets_left: int | None = None
    """Secret wagers that the player here may still make; None: there are none."""


class FormTold(Brief, frozen=True):
    """A form that was announced, as long as players may look at it [tas-2018:16.6.8, 16.6.9]."""

    seat: int
    figures: str
    words: str
    on: str
    counts_on: Bet | None
    """What it counts as; none: it was not played."""
    counts_cents: int


class WagerLaid(Brief, frozen=True):
    """One wager on the layout; whose it is only to staff, and to its owner."""

    box: int
    on: Bet
    cents: int
    standing: bool
    own: bool
    person: str
    late: bool
    withdrawn: bool
    off_multiple: bool = False
    """Its amount is in none of the posted multiples [tas-2018:7.1, act-2015:3.3]."""
    outcome: Outcome | None = None
    """What became of it, once it is settled: everybody sees which chips are taken and paid."""
    won_cents: int = 0


class Play(Brief, frozen=True):
    """The coup in play."""

    number: int
    kind: CoupKind
    last: Last
    until_ms: int | None
    """When the time for bets is over, if there is a clock."""
    time_over: bool
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    player_points: int | None
    banker_points: int | None
    left_over: tuple[Card | None, ...]
    next: Side | None
    result: Result | None
    verdict: Verdict | None
    wagers: tuple[WagerLaid, ...]
    """Those that lie on the layout and are not settled yet."""
    settled: tuple[WagerLaid, ...]
    """Those that are, in the order in which they are taken and paid."""
    pairs: tuple[Side, ...] = ()
    """The hands whose first two cards are a pair."""
    face_down: bool = False
    """Its cards are dealt face down, and turned afterwards."""
    called: bool = False
    """No more bets was called; forms may be examined before a card is drawn [tas-2018:16.6.7]."""


class Past(Brief, frozen=True):
    """A coup of this shoe that is over, for the roads and the last hand."""

    number: int
    result: Result | None
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    pairs: tuple[Side, ...] = ()
    """The hands whose first two cards were a pair."""


class ShoeSeen(Brief, frozen=True):
    """The shoe as anybody at the table sees it: nobody is helped to count [act-2015:14.5(a)]."""

    tenths: int
    """How full it is: 10 before the first card, 0 only when it is empty."""
    marker_shows: bool


class Own(Brief, frozen=True):
    """What only the patron sees."""

    place: Place | None
    chips: int
    warned: bool
    excluded: bool
    limits: Limits | None
    payouts: tuple[Line, ...]
    """Of the coup in play or, between coups, of the last one: each with its clauses."""
    may_turn: tuple[Side, ...]
    """Hands this player is first in line for, or has before them."""
    turning: dict[Side, tuple[int, ...]]
    """The hand of the house's own shoe that this player turns now: the numbers of its cards."""
    asked_face_down: bool
    """They asked for cards face down, which are not dealt so yet."""
    last: dict[Bet, int]
    """What they wagered at this box when they last did, in cents; for doing the same again."""
    last_net_cents: int | None
    """What they won or lost in the coup that was last over; None: they had no part in it."""


class View(Brief, frozen=True):
    """A table as one viewer sees it."""

    phase: Phase
    sign: Sign | None = None
    boxes: tuple[Box, ...] = ()
    play: Play | None = None
    past: tuple[Past, ...] = ()
    left_over: tuple[Card | None, ...] = ()
    """Between coups: cards at the mouth of the shoe that will begin the next one."""
    next_coup: NextCoup = NextCoup.ORDINARY
    next: Next | None = None
    commitment: str = ""
    own: Own | None = None
    floor: Floor | None = None
    oversight: Oversight | None = None
    on_duty: bool = False
    """The viewer has signed on to this table."""
    duties: tuple[Role, ...] = ()
    """In which roles the viewer can sign on to a table of this rule set."""
    forms: tuple[FormTold, ...] = ()
    """Secret wagers of the last coup, once they have been told."""
    shoe: ShoeSeen | None = None
    """None while no shoe is in play."""
    contest: ContestSeen | None = None
    """None at a table that is no competition's."""
    words: tuple[str, ...] = ()
    """What players have added to the order that the house is bound to."""


def view(table: Table, viewer: Viewer) -> View:
    """The table as this viewer may see it."""
    on_duty = any(staff.person == viewer.person for staff in table.staff)
    duties = tuple(sorted(counting_roles(table, viewer.roles) & ON_DUTY))
    if table.notice is None:
        return View(table.phase, on_duty=on_duty, duties=duties)
    roles = acting(table, Actor(viewer.person, viewer.roles, 0))
    player = stands_for(table, Actor(viewer.person, roles, 0)).person
    viewer = Viewer(player, roles)  # a substitute sees what is the player's
    return View(
        table.phase,
        _sign(table),
        _boxes(table, table.notice.seats),
        _play(table, table.coup, viewer) if table.coup else None,
        tuple(_past(table, record) for record in table.coups),
        tuple(left_over.card for left_over in table.carried),
        table.next_kind,
        with_roles(table, next_step(table)) if roles & (STAFF | {Role.AUDITOR}) else None,
        table.pack.commitment,
        _own(table, viewer.person) if roles & PLAYERS else None,
        floor_of(table) if roles & (STAFF | {Role.AUDITOR}) else None,
        oversight_of(table) if roles & OVERSIGHT else None,
        on_duty,
        duties,
        tuple(map(_told, on_show(table).values())),
        _shoe(table.shoe) if table.shoe else None,
        contest_of(table),
        tuple(words for _, words in table.pack.words),
    )


def _shoe(shoe: Shoe) -> ShoeSeen:
    return ShoeSeen(-(-10 * shoe.left // shoe.cards), shoe.marker_shows)


def beads(seen: View) -> tuple[Bead, ...]:
    """The results of this shoe with their pairs; that of the coup in play once it is declared."""
    over: tuple[Past | Play, ...] = (*seen.past, seen.play) if seen.play else seen.past
    return tuple(Bead(one.result, one.pairs) for one in over if one.result)


def _told(form: ShownForm) -> FormTold:
    on, cents = (form.wager.on, form.wager.cents) if form.wager else (None, 0)
    return FormTold(form.seat, form.figures, form.words, form.on, on, cents)


def _sign(table: Table) -> Sign:
    terms, opened, posted = table.terms, table.opened, table.posted
    assert opened is not None
    return Sign(
        terms.notice,
        opened.reference,
        opened.effective,
        terms.method.says,
        terms.pairs.says if terms.pairs else "",
        opened.hours,
        table.closing_ms,
        posted.notice if posted else None,
        change_due_ms(table) if posted else None,
        terms.limits,
        terms.rules.document.fingerprint,
        table.play_cents,
        {bet: _odds(terms, bet) for bet in terms.limits},
    )


def _odds(terms: Terms, bet: Bet) -> tuple[Ratio, ...]:
    if bet in (Bet.PLAYER_PAIR, Bet.BANKER_PAIR):
        return tuple(pays.odds for pays in terms.pairs.pays) if terms.pairs else ()
    return tuple(pays.odds for pays in terms.method.pays if pays.on is bet)


def _boxes(table: Table, count: int) -> tuple[Box, ...]:
    """Every box; whose turn it is, and which forms stand, is the same question for all of them."""
    turn, forms = seat_to_bet(table), standing_forms(table.coup) if table.coup else {}
    seated = table.seated
    return tuple(
        _box(table, seat, seated.get(seat), turn=seat == turn, form=seated.get(seat) in forms)
        for seat in range(1, count + 1)
    )


def _box(table: Table, seat: int, person: str | None, *, turn: bool, form: bool) -> Box:
    held = table.coup.held_by.items() if table.coup else ()
    return Box(
        seat,
        person is not None,
        sum(place.standing for place in table.at_box(seat).values()),
        _marker(table, seat),
        tuple(side for side, holder in held if holder == person and person),
        table.contest.puck == seat,
        turn,
        table.chips.get(person, 0) if person and table.is_contest else None,
        form,
        table.contest.secrets_left.get(person) if person else None,
    )


def _marker(table: Table, seat: int) -> Limits | None:
    """Limits agreed with somebody at this place, the seated player first."""
    people = sorted(table.at_box(seat).items(), key=lambda one: one[1].standing)
    return next((table.individual[who] for who, _ in people if who in table.individual), None)


def _play(table: Table, coup: LiveCoup, viewer: Viewer) -> Play:
    hands = coup.hands(table.terms)
    player_points, banker_points = _points(hands)
    return Play(
        coup.number,
        coup.kind,
        coup.last,
        coup.until_ms,
        coup.time_over,
        hands.player,
        hands.banker,
        player_points,
        banker_points,
        tuple(left_over.card for left_over in (*hands.excess, *coup.carried)),
        hands.owed if coup.locked and coup.verdict is None else None,
        coup.result,
        coup.verdict,
        tuple(_laid(table, wager, viewer) for wager in coup.wagers),
        tuple(_laid(table, line.wager, viewer, line) for line in payouts_of(table)),
        hands.pairs,
        coup.face_down,
        coup.called,
    )


def _points(hands: Coup) -> tuple[int | None, int | None]:
    """Each hand's point, once two of its cards have shown their faces and none is hidden."""
    shown = [len(hand) > 1 and None not in hand for hand in (hands.player, hands.banker)]
    return (
        hands.player_points if shown[0] else None,
        hands.banker_points if shown[1] else None,
    )


def _laid(table: Table, wager: Wager, viewer: Viewer, line: Line | None = None) -> WagerLaid:
    own = bool(viewer.person) and wager.by == viewer.person
    named = own or bool(viewer.roles & (STAFF | {Role.AUDITOR}))
    return WagerLaid(
        wager.box,
        wager.on,
        wager.cents,
        wager.standing,
        own,
        wager.by if named else "",
        wager.late_cents > 0,
        wager.withdrawn,
        bool(off_multiple(wager, table.terms, table.individual.get(wager.by))),
        line.outcome if line else None,
        line.won_cents if line else 0,
    )


def _past(table: Table, record: CoupRecord) -> Past:
    player, banker, pairs = _hands(record.drawn, table.terms.rules.tableau)
    return Past(record.number, record.result, player, banker, pairs)


@lru_cache(maxsize=10_000)
def _hands(drawn: tuple[Drawn, ...], tableau: Tableau) -> tuple[Cards, Cards, tuple[Side, ...]]:
    """The hands of a coup that is over: every look at a table has all those of its shoe."""
    hands = fold(drawn, tableau)
    return hands.player, hands.banker, hands.pairs


def _own(table: Table, person: str) -> Own:
    coup = table.coup
    sides = [side for side in Side if coup and coup.face_down and coup.locked]
    return Own(
        table.places.get(person),
        table.chips.get(person, 0),
        person in table.warned,
        person in table.excluded,
        table.individual.get(person),
        tuple(line for line in payouts_of(table) if line.wager.by == person),
        tuple(side for side in sides if person == _turner(table, side)),
        _turning(table, person),
        person in table.face_down.asked_by and not table.face_down.on,
        _last_wagers(table, person),
        _last_net(table, person),
    )


def _last_net(table: Table, person: str) -> int | None:
    lines = table.coups[-1].lines if table.coups else ()
    own = [line for line in lines if line.wager.by == person]
    return sum(line.won_cents - line.collected_cents for line in own) if own else None


def _last_wagers(table: Table, person: str) -> dict[Bet, int]:
    """What a player last wagered at the box they are at, in a coup of this shoe that is over."""
    place = table.places.get(person)
    for record in reversed(table.coups):
        wagers = [line.wager for line in record.lines if line.wager.by == person]
        if place and wagers:
            return {wager.on: wager.cents for wager in wagers if wager.box == place.box}
    return {}


def _turning(table: Table, person: str) -> dict[Side, tuple[int, ...]]:
    """Only of the house's own shoe: any other card is turned, and keyed, by the dealer."""
    number, coup = turned_next(table), table.coup
    if number is None or coup is None or not table.pack.commitment:
        return {}
    side = coup.hands(table.terms).given(number - 1)
    if side is None or coup.held_by.get(side) != person:
        return {}
    return {side: hand_positions(table, side)}


def _turner(table: Table, side: Side) -> str:
    """Who has a hand's cards before them, or is first in line for them."""
    coup = table.coup
    holder = coup.held_by.get(side) if coup else None
    return holder or next(iter(in_line(table, side)), "")
