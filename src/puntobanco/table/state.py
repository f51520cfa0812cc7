"""The state of one table: everything the rules need to know now, and nothing nobody may know."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from puntobanco.brief import Brief
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup, Drawn, Result, Side
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import WORST_FIRST, Found, NextCoup, Verdict
from puntobanco.rules.notice import Limits, Notice, Terms, terms_of
from puntobanco.rules.settle import Line
from puntobanco.rules.shoe import Last, Shoe, to_burn
from puntobanco.rules.wagers import Wager
from puntobanco.table.actor import Role
from puntobanco.table.commands import TableCommand
from puntobanco.table.competition_terms import (
    Conditions,
    Contest,
    Lodged,
    SessionTerms,
)
from puntobanco.table.coup_record import CoupKind, CoupRecord
from puntobanco.words import money


class Phase(StrEnum):
    """Where a table stands in its life."""

    SHUT = "shut"
    PREPARING = "preparing"
    """Open, with no shoe ready to deal from."""
    READY = "ready"
    """Between two coups."""
    BETTING = "betting"
    DEALING = "dealing"
    """Bets are locked; the coup is being dealt, or waits for its result to be declared."""
    HELD = "held"
    """Stopped: a person must rule first, and the wagers wait."""
    SETTLED = "settled"
    """Settled or void; its cards still lie on the table."""
    OVER = "over"
    """The session of a competition has ended; chips are counted, and corrections still work."""


class Life(StrEnum):
    """How far a shoe has come."""

    NONE = "none"
    CHECKED = "checked"
    SHUFFLED = "shuffled"
    CUT = "cut"
    LOADED = "loaded"


UNLOADED = frozenset({Life.SHUFFLED, Life.CUT})
"""The order is there, and no card of it is in the shoe yet."""


class Opened(Brief, frozen=True):
    """What was put on record when the table opened."""

    reference: str
    digest: str
    """Of the rule set's text, by which the table is played until it is opened again."""
    effective: str
    replaces: str
    shoe: str
    shoe_approval: str
    machines: dict[str, str]
    backs: str
    hours: str


class OnDuty(Brief, frozen=True):
    person: str
    role: Role
    since_ms: int


class Place(Brief, frozen=True):
    """Where a patron is: seated at a box, or standing behind it."""

    box: int
    standing: bool = False


class Pack(Brief, frozen=True):
    """The set of cards in use and what has been done with it."""

    set_id: str = ""
    life: Life = Life.NONE
    player: str = ""
    """Who checked it among the players."""
    lot: str = ""
    retired: frozenset[str] = frozenset()
    """Sets that may not be used again: players have handled them."""
    handled: bool = False
    passed: bool = False
    touched: tuple[str, ...] = ()
    """Who touched cards that were not passed to them."""
    check_due: bool = False
    """Played with, and not yet checked again at the end of play."""
    shuffles: int = 0
    cut_refused: tuple[int, ...] = ()
    cutter: int | None = None
    last_cutter: int | None = None
    """Who cut the shoe before; None: staff did."""
    cut_depth: int = 0
    commitment: str = ""
    words: tuple[tuple[str, str], ...] = ()
    """Who has added which words to that order, one after another."""
    opening_due: bool = False
    burned: tuple[Drawn, ...] = ()
    burn_forgotten: bool = False
    between: tuple[tuple[int, Drawn], ...] = ()
    """Cards drawn between two coups, each with the number of the coup before it."""
    last_dealt: tuple[Card, ...] = ()
    """What the shoe before gave, as far as anyone saw it."""
    seen: dict[Card, int] = {}
    """Cards of this shoe that have shown their faces."""
    indicator: bool = False


class AtClose(Brief, frozen=True):
    """What held when the bets of a coup closed; a wager of that coup is put right by it later."""

    gaming_day: str
    warned: frozenset[str]
    individual: dict[str, Limits]
    places: dict[str, Place]


class Finding(Brief, frozen=True):
    """What was found and says more of the next coup than that it is ordinary."""

    coup: int
    """In which it was found, or after which."""
    found: Found
    next_kind: NextCoup
    clause: str


class LeftOver(Brief, frozen=True):
    """Cards that will begin the next coup, and what that makes of it."""

    cards: tuple[Drawn, ...] = ()
    next_kind: NextCoup = NextCoup.ORDINARY
    clause: str = ""


class EndedShoe(Brief, frozen=True):
    """A shoe that was ended and whose cards nobody has touched since."""

    pack: Pack
    shoe: Shoe
    left_over: LeftOver
    findings: tuple[Finding, ...]


class ClosedTable(Brief, frozen=True):
    """What closing took off a table that nobody has opened since."""

    places: dict[str, Place]
    individual: dict[str, Limits]
    abstained: dict[str, int]
    free_coups: int
    no_bet: "NoBet"
    face_down: "FaceDownPlay"


class LiveCoup(Brief, frozen=True):
    """The coup in play."""

    number: int
    kind: CoupKind
    kind_clause: str = ""
    last: Last = Last.NO
    """As it was announced."""
    until_ms: int | None = None
    """When the time for bets is over."""
    time_over: bool = False
    wagers: tuple[Wager, ...] = ()
    called: bool = False
    locked: bool = False
    warned: frozenset[str] = frozenset()
    """Who had been warned when bets were locked."""
    carried: tuple[Drawn, ...] = ()
    """Left over from the coup before, not yet dealt."""
    carried_clause: str = ""
    begun: int = 0  # how many of its cards were carried over
    drawn: tuple[Drawn, ...] = ()
    face_down: bool = False
    named: dict[Side, str] = {}
    """Whom the casino supervisor lets turn a hand."""
    refused: tuple[tuple[Side, str], ...] = ()
    held_by: dict[Side, str] = {}
    """Who has a hand's face-down cards before them now."""
    shown: frozenset[int] = frozenset()  # cards their holder has looked at, by number
    lines: tuple[Line, ...] = ()
    announced: bool = False
    """The points of the first four cards have been."""
    found: Found | None = None
    """What waits for a ruling."""
    found_verdict: Verdict | None = None
    found_clauses: tuple[str, ...] = ()
    found_by: str = ""
    barred: NextCoup = NextCoup.ORDINARY
    """What was found makes the next coup so."""
    barred_clause: str = ""
    left_over: LeftOver = LeftOver()
    verdict: Verdict | None = None
    """Known once the coup is settled or void."""
    result: Result | None = None
    reopened: bool = False
    """Its result was declared and paid once, and is to be declared anew."""
    forms: dict[str, Lodged] = {}
    """Of secret wagers on it, by player."""

    def hands(self, terms: Terms) -> Coup:
        return fold(self.drawn, terms.rules.tableau)

    @property
    def following(self) -> LeftOver:
        """What this coup leaves to the next: the graver of what was found and what is left over."""
        left = self.left_over
        if WORST_FIRST.index(self.barred) < WORST_FIRST.index(left.next_kind):
            return LeftOver(left.cards, self.barred, self.barred_clause)
        return left

    @property
    def takes_wagers(self) -> bool:
        return self.kind.takes_wagers


class Posted(Brief, frozen=True):
    """A change to the notice that has been announced."""

    notice: Notice
    shown_ms: int
    from_ms: int
    consents: frozenset[str] = frozenset()
    due: bool = False
    """Its notice has run."""


class FaceDownPlay(Brief, frozen=True):
    on: bool = False
    asked_by: frozenset[str] = frozenset()
    informed: dict[Role, str] = {}


class NoBet(Brief, frozen=True):
    asked_by: str = ""
    agreed: frozenset[str] = frozenset()
    directed: bool = False
    running: int = 0
    """No-bet coups dealt one after another."""


class Proposal(Brief, frozen=True):
    """A command that waits for a second person."""

    ask: TableCommand
    person: str


class Dispute(Brief, frozen=True):
    person: str
    about: str
    coup: int | None
    decision: str = ""
    review: bool = False


class Table(Brief, frozen=True):
    """One table.

    >>> import puntobanco as pb
    >>> pb.Table().phase
    <Phase.SHUT: 'shut'>
    """

    notice: Notice | None = None
    is_open: bool = False
    opened: Opened | None = None
    conditions: Conditions | None = None
    session: SessionTerms | None = None
    play_cents: int = 0
    """Play chips that everybody is given; 0: a table for money."""
    gaming_day: str = ""
    closing_ms: int | None = None
    utc_minutes: int = 0
    closing_due: bool = False
    """The notice of closing has run."""
    staff: tuple[OnDuty, ...] = ()
    places: dict[str, Place] = {}
    """Patrons at the table, in the order they came."""
    chips: dict[str, int] = {}
    """What each patron holds, wagers not counted; below zero after a reversal not yet made good."""
    bank_cents: int = 0
    """What the bank has gained since the table first opened."""
    bought_cents: int = 0
    """Chips bought less chips cashed."""
    warned: frozenset[str] = frozenset()
    """Told this gaming day that wagers below the minimum will be returned."""
    excluded: frozenset[str] = frozenset()
    vacated: frozenset[str] = frozenset()
    """Who had to give up a seat, and sits again only when somebody in charge lets them."""
    individual: dict[str, Limits] = {}
    abstained: dict[str, int] = {}
    pack: Pack = Pack()
    shoe: Shoe | None = None
    shoe_number: int = 0
    coup_number: int = 0
    coups_before: int = 0
    """The number of the last coup before the table was opened, whose record is not at hand."""
    chip_coups: tuple[tuple[int, int], ...] = ()
    """The first and last coup of each closed session that was played for competition chips."""
    coup: LiveCoup | None = None
    coups: tuple[CoupRecord, ...] = ()
    """Of the current shoe."""
    past: dict[int, str] = {}
    """Of the coups of earlier shoes since the table opened: the digest of each record."""
    closes: tuple[tuple[int, AtClose], ...] = ()
    """What held when bets closed, each from this coup on until the next entry's."""
    next_kind: NextCoup = NextCoup.ORDINARY
    next_clause: str = ""
    carried: tuple[Drawn, ...] = ()
    carried_clause: str = ""
    voids: dict[int, tuple[Wager, ...]] = {}
    """Of the coups that are void since the table opened: the wagers that were in play then."""
    put_right: dict[int, dict[str, int]] = {}
    """By coup and person, what payments put right have brought them since the table opened."""
    ended_shoe: EndedShoe | None = None
    closed: ClosedTable | None = None
    """As it was when it closed, until it is opened again or the next gaming day begins."""
    findings: tuple[Finding, ...] = ()
    """Of this shoe, those that bar a coup; `findings_in_force` has those that still do."""
    free_coups: int = 0
    free_coups_given: int = 0
    """Of this shoe."""
    no_bet: NoBet = NoBet()
    posted: Posted | None = None
    face_down: FaceDownPlay = FaceDownPlay()
    proposals: dict[int, Proposal] = {}
    proposal_number: int = 0
    disputes: dict[int, Dispute] = {}
    contest: Contest = Contest()

    def __repr__(self) -> str:
        under = f"{self.notice.ruleset!r}, " if self.notice else ""
        bank = f"bank {money(self.bank_cents)}, {len(self.places)} at it"
        return f"Table({under}{self.phase}, coup {self.coup_number}, {bank})"

    @property
    def terms(self) -> Terms:
        assert self.notice is not None, "a table that was never opened has no terms"
        assert self.opened is not None
        return terms_of(self.notice, self.opened.digest)

    def terms_under(self, notice: Notice) -> Terms:
        """What another notice means here, for a coup played before it changed; one text holds for
        all of them, for coups of an earlier opening are out of reach.
        """
        assert self.opened is not None
        return terms_of(notice, self.opened.digest)

    @property
    def phase(self) -> Phase:
        coup = self.coup
        if not self.is_open:
            return Phase.SHUT
        if coup is None and self.contest.over:
            return Phase.OVER
        if coup is None:
            return Phase.READY if self.pack.life is Life.LOADED else Phase.PREPARING
        if coup.found is not None:
            return Phase.HELD
        if coup.verdict is not None:
            return Phase.SETTLED
        return Phase.DEALING if coup.locked else Phase.BETTING

    @property
    def burn_due(self) -> int:
        """How many cards are still to be burned before the first coup [act-2015:5.4-5.5]."""
        terms, pack = self.terms, self.pack
        if not terms.notice.burn or pack.burn_forgotten or self.coups or self.coup:
            return 0
        first = pack.burned[0].card if pack.burned else None
        if not pack.burned and terms.notice.burn == "exposed":
            return 1
        return max(0, to_burn(first, terms) - len(pack.burned))

    @property
    def dealt(self) -> tuple[Card, ...]:
        """What this shoe has given, in order, as far as anyone saw it."""
        drawn = (*self.pack.burned, *(card for _, _, card in self.drawn_in_order()))
        return tuple(card.card for card in drawn if card.card)

    def drawn_in_order(self) -> Iterator[tuple[int, int, Drawn]]:
        """Every card after the burn as it left the shoe, with its coup and its place in it; place
        0: it was drawn between coups, after that one.
        """
        coups: list[CoupRecord | LiveCoup] = [*self.coups, *([self.coup] if self.coup else [])]
        between = list(self.pack.between)
        for coup in coups:
            while between and between[0][0] < coup.number:
                number, card = between.pop(0)
                yield number, 0, card
            for position, card in enumerate(coup.drawn[coup.begun :], coup.begun + 1):
                yield coup.number, position, card
        for number, card in between:
            yield number, 0, card

    def on_duty(self, person: str, role: Role) -> bool:
        return any(duty.person == person and duty.role is role for duty in self.staff)

    def roles_of(self, person: str) -> Iterator[Role]:
        return (duty.role for duty in self.staff if duty.person == person)

    @property
    def seated(self) -> dict[int, str]:
        """Who sits where, in the order they sat down."""
        return {place.box: person for person, place in self.places.items() if not place.standing}

    def at_box(self, box: int) -> Mapping[str, Place]:
        return {person: place for person, place in self.places.items() if place.box == box}

    @property
    def layout_cents(self) -> int:
        return sum(wager.cents for wager in self.coup.wagers) if self.coup else 0

    @property
    def is_contest(self) -> bool:
        return self.conditions is not None

    @property
    def plays_for_chips(self) -> bool:
        """Are its chips, or were they when it closed, no money: a competition's, or play chips?"""
        own = self.conditions is not None and self.conditions.chips == "competition"
        return own or self.play_cents > 0

    @property
    def money_bank_cents(self) -> int:
        """The bank's gain in money: competition and play chips are worth none."""
        return self.contest.bank_before_cents if self.plays_for_chips else self.bank_cents
