"""A rule set: one regulator's document as values, each with the clause it comes from.

Code branches on these values, never on a document's name. Where a document is silent the value
is absent, and the operator's conditions decide: such decisions cite CONDITIONS, not a clause.
"""

from enum import StrEnum
from typing import Literal

from puntobanco.brief import Brief
from puntobanco.rules.bounds import Whole
from puntobanco.rules.cards import Pair
from puntobanco.rules.coup import Laid
from puntobanco.rules.documents.competition_rules import CompetitionRules, FaceDown
from puntobanco.rules.drawing import Tableau

CONDITIONS = "conditions"
"""Cited where the document is silent and the operator's notice or conditions decide."""

RULESETS = ("tas-2018", "tas-2013", "act-2015", "mbs-2017")

Ratio = tuple[Whole, Whole]
"""An exact fraction: (19, 20) pays 19 for every 20 staked."""


class Bet(StrEnum):
    """The options of the layout that a wager can be on.

    >>> import puntobanco as pb
    >>> pb.parse_wager("3 b 500").on is pb.Bet.BANKER
    True
    """

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    PLAYER_PAIR = "player-pair"
    BANKER_PAIR = "banker-pair"


class Document(Brief, frozen=True, forbid_unknown_fields=True):
    title: str
    issuer: str
    reference: str
    clause: str
    fingerprint: str = ""
    """SHA-256 of the document's text as it was read: of the source, not of our file."""
    effective: str = ""
    """The date as printed; empty where the document gives none."""
    dated: bool = True
    """Whether the document says when it takes effect; otherwise the operator enters a date."""
    effective_clause: str = ""
    replaces: str = ""
    replaces_clause: str = ""
    approval_clause: str = ""


class OneOf(Brief, frozen=True, forbid_unknown_fields=True):
    any_of: tuple[int, ...]
    clause: str


class Layout(Brief, frozen=True, forbid_unknown_fields=True):
    name: str
    clause: str


class Cited(Brief, frozen=True, forbid_unknown_fields=True):
    """A rule that holds without a value of its own."""

    clause: str


class TableRules(Brief, frozen=True, forbid_unknown_fields=True):
    bank: str = CONDITIONS
    """The clause by which nobody but the operator holds the bank."""
    seats: OneOf | None = None
    layouts: tuple[Layout, ...] = ()
    table_approval: Cited | None = None
    pairs_approval: Cited | None = None
    early_closing: Cited | None = None
    """Closing before the close of gaming needs a notice to the players first."""
    hours: str = CONDITIONS
    operator: str = CONDITIONS
    """The clause that says who the operator is, for whom management acts."""
    approved: str = ""
    """The clause that says what "approved" means."""


class Duty(Brief, frozen=True, forbid_unknown_fields=True):
    """A role that must be signed on to the table before a coup may begin."""

    role: str
    clause: str


class Span(Brief, frozen=True, forbid_unknown_fields=True):
    least: int
    clause: str
    most: int | None = None


class PlayersCheck(Brief, frozen=True, forbid_unknown_fields=True):
    """A player checks the cards before they are shuffled."""

    clause: str
    unless_prechecked: bool = False


class CardRules(Brief, frozen=True, forbid_unknown_fields=True):
    decks: Span
    check: str
    """The clause by which the set is checked before play."""
    decks_with_perfect_pairs: Span | None = None
    handled_replaced: Cited | None = None
    check_by: str = ""
    """The only role that makes the checks, where the document names one."""
    check_at_end: str = CONDITIONS
    players_check: PlayersCheck | None = None
    change: Cited | None = None
    """Cards may be changed after any round, like for like."""
    backs: Cited | None = None
    """The design of the backs is recorded."""


class CutOrder(Brief, frozen=True, forbid_unknown_fields=True):
    offered: Literal["first-seated", "any-player"]
    by_staff: str
    clause: str
    later_first: Literal["left-of-last-cutter"] | None = None
    later_clause: str = ""


class Marker(Brief, frozen=True, forbid_unknown_fields=True):
    behind: int
    exact: bool
    clause: str


class Burn(Brief, frozen=True, forbid_unknown_fields=True):
    unseen: str
    exposed: str
    count: str
    tens: str


class LastCoup(Brief, frozen=True, forbid_unknown_fields=True):
    rule: Literal["cards-after-marker", "round-of-marker", "cards-left"]
    clause: str
    cards: int = 0
    """For cards-after-marker: no coup starts once this many cards have followed the marker."""
    extra_after_tie: bool = False


class Indicator(Brief, frozen=True, forbid_unknown_fields=True):
    decks_from_rear: int
    clause: str
    seen_clause: str


class Container(Brief, frozen=True, forbid_unknown_fields=True):
    """The shoe as a thing: which one is in use, and whether it must be approved."""

    clause: str
    approved: bool = False


class ShoeRules(Brief, frozen=True, forbid_unknown_fields=True):
    container: Container
    shuffle: str
    cut: CutOrder
    cut_depth: Span
    last_coup: LastCoup
    least_to_start: Span
    shuffle_by: str = ""
    machine: Cited | None = None
    """A shuffle machine may be used if it is approved."""
    marker: Marker | None = None
    burn: Burn | None = None
    indicator: Indicator | None = None


class Close(Brief, frozen=True, forbid_unknown_fields=True):
    at: Literal["first-card", "no-more-bets"]
    late: str
    withdrawn: str
    call: str = ""
    """The clause that wants "no more bets" called before the first card."""


class FreeCoups(Brief, frozen=True, forbid_unknown_fields=True):
    """Coups without a wager; under a document with this rule, every other coup needs one."""

    clause: str
    per_shoe: int | None = None
    asked_by_player: bool = False


class NoBetCoups(Brief, frozen=True, forbid_unknown_fields=True):
    clause: str
    asked: str
    agreed: str
    played: str
    in_a_row: int
    in_a_row_clause: str


class Offer(Brief, frozen=True, forbid_unknown_fields=True):
    on: Bet
    clause: str


class BoxRule(Brief, frozen=True, forbid_unknown_fields=True):
    players: int
    clause: str
    standing: int | None = None
    per_option: bool = False
    """Whether players are counted on each option of the box, not over the whole box."""
    elsewhere: Literal["nothing", "pairs", "side-wagers", "anything"] = "nothing"
    """What a player may wager at another place than their own. Pairs, or pairs and Tie as side
    wagers: no sharing of places limits them."""
    common_pairs: bool = False
    """The layout may have one pairs box for all, which counts as one box."""

    @property
    def unshared(self) -> tuple[Bet, ...]:
        """Wagers that belong to no place: anybody's, at any of them [tas-2018:6.4, 15.4]."""
        pairs = (Bet.PLAYER_PAIR, Bet.BANKER_PAIR)
        return {"pairs": pairs, "side-wagers": (*pairs, Bet.TIE)}.get(self.elsewhere, ())


class WagerRules(Brief, frozen=True, forbid_unknown_fields=True):
    close: Close
    opens: str
    chips: str
    offered: tuple[Offer, ...]
    called: str = CONDITIONS
    """The clause by which players are first called to bet."""
    pairs: str = ""
    """The clause by which wagers are made on pairs; empty: the one of the pairs on offer."""
    box: BoxRule | None = None
    one_per_option: Cited | None = None
    free_coups: FreeCoups | None = None
    no_bet_coups: NoBetCoups | None = None


class Multiples(Brief, frozen=True, forbid_unknown_fields=True):
    of: Literal["minimum", "displayed"]
    clause: str


class Individual(Brief, frozen=True, forbid_unknown_fields=True):
    minimum: bool
    maximum: Literal["any", "higher"]
    clause: str


class LimitRules(Brief, frozen=True, forbid_unknown_fields=True):
    shown: str
    pairs_shown: str
    under_minimum: str
    over_maximum: str
    under_minimum_warning: str = ""
    """The clause that settles a wager below the minimum once with a warning and then returns
    such wagers; empty: they are settled as they lie."""
    multiples: Multiples | None = None
    individual: Individual | None = None
    collective_liability: Cited | None = None
    pro_rata: Cited | None = None
    table_differential: Cited | None = None


class ChangeRule(Brief, frozen=True, forbid_unknown_fields=True):
    """How one part of the notice may change while the table is open; parts not listed may not."""

    fields: tuple[str, ...]
    clause: str
    notice_minutes: int | None = None
    """Minutes that a change must be posted for. None: none at all; 0: for any length of time."""
    notice_clause: str = ""
    consent_clause: str = ""
    """The clause by which the consent of all players is enough."""


class DealingRules(Brief, frozen=True, forbid_unknown_fields=True):
    face_down: FaceDown
    from_shoe: str
    face_up: str = CONDITIONS
    """The clause by which cards are dealt face up."""
    each_card: str = ""
    """The clause by which each card that leaves the shoe is recorded; empty where none does."""
    points: str = CONDITIONS
    result: str = CONDITIONS
    round_of_play: str = ""
    """The clause that says when a round begins and ends; empty where none does."""
    round_ends: Literal["settled", "cleared"] = "cleared"


class Abstention(Brief, frozen=True, forbid_unknown_fields=True):
    rounds: int
    clause: str


class PeopleRules(Brief, frozen=True, forbid_unknown_fields=True):
    """What may be done about people; where a document is silent, the conditions are cited."""

    abstention: Abstention | None = None
    wager_void: str = CONDITIONS
    excluded: str = CONDITIONS
    disputes: str = CONDITIONS
    incidents: dict[str, str] = {}
    """The clause that each kind of incident offends against."""


class Ends(Brief, frozen=True, forbid_unknown_fields=True):
    """The clauses by which a wager wins, loses, or does neither."""

    wins: str
    loses: str
    pushes: str = ""


class Pays(Brief, frozen=True, forbid_unknown_fields=True):
    on: Bet
    odds: Ratio
    clause: str
    with_points: int | None = None
    """These odds hold only when the winning hand has this point; None: always."""


class Method(Brief, frozen=True, forbid_unknown_fields=True):
    name: str
    says: str
    pays: tuple[Pays, ...]
    pairs: dict[str, str] = {}
    """The clause by which this method pays each pairs option, where it has one."""


class PairPays(Brief, frozen=True, forbid_unknown_fields=True):
    odds: Ratio
    clause: str
    pair: Pair | None = None
    """The kind of pair that is paid; None: any."""


class PairsOption(Brief, frozen=True, forbid_unknown_fields=True):
    name: str
    says: str
    clause: str
    pays: tuple[PairPays, ...]
    wins: str
    loses: str
    banker_wins: str = ""
    banker_loses: str = ""


class SettlementRules(Brief, frozen=True, forbid_unknown_fields=True):
    player: Ends
    banker: Ends
    tie: Ends
    methods: tuple[Method, ...]
    method_clause: str
    pairs: tuple[PairsOption, ...] = ()
    pairs_clause: str = CONDITIONS
    pairs_required: bool = False
    pairs_opens: str = ""
    """The clause by which pairs are bet on only while bets are open."""
    third_cards: str = ""
    """The clause by which third cards follow once pairs are settled."""
    pairs_paid: Literal["end-of-coup", "before-third-cards"] = "end-of-coup"
    void: str = ""
    """The clause that says what "void" means, cited beside the one that makes a coup void."""


class Excess(Brief, frozen=True, forbid_unknown_fields=True):
    """What becomes of a card left over; the first entry that fits decides."""

    next: Literal["ordinary", "non-betting", "by-conditions"]
    clause: str
    laid: Laid | None = None
    seen: bool | None = None
    discard_once_marker_shows: bool = False


class Policy(Brief, frozen=True, forbid_unknown_fields=True):
    """What follows when an irregularity of one kind is found."""

    verdict: Literal["stands", "void", "ruling"]
    clause: str
    next: Literal["ordinary", "non-betting", "none-until-reshuffle"] = "ordinary"
    once_dealt: Literal["", "stands"] = ""
    """The verdict on a coup all of whose cards have come, where it is another one."""


class Irregularities(Brief, frozen=True, forbid_unknown_fields=True):
    player_card_to_banker: str
    banker_card_to_player: str
    no_more_coups: str
    excess: tuple[Excess, ...]
    face_up_in_shoe: Policy
    wrong_number: Policy
    order_unknown: Policy
    order_unknown_in_initial_deal: Policy
    shoe_disturbed: Policy
    insufficient_cards: Policy
    foreign_card: Policy
    found_after_next_began: Policy
    initial_deal: str = ""
    """The clause that puts the first four cards in order, cited beside the one that deals them."""
    face_up_used: str = ""
    """The clause by which a card found face up is used; empty: the table of play's."""
    burn_forgotten: Policy | None = None
    disrupted: str = CONDITIONS
    """The clause by which the operator may invalidate a round that was disturbed."""
    impractical: str = CONDITIONS
    fraud: str = CONDITIONS
    foreign_card_earlier: str = ""
    """The clause by which results from before a foreign card was found stand."""
    next_begins: Literal["first-card", "place-your-bets"] = "first-card"


class TableOfPlay(Brief, frozen=True, forbid_unknown_fields=True):
    """The drawing table as printed: D draws, S stands; Player's third card 0 to 9, then none."""

    initial: tuple[str, ...]
    """The clauses that deal each of the first four cards, in order."""
    naturals: tuple[int, ...]
    player_natural: str
    banker_natural: str
    player_draws: tuple[int, ...]
    player_clause: str
    banker: tuple[str, ...]
    banker_clauses: tuple[str, ...]
    """The clauses of Banker's rows, by Banker's point."""
    no_card_clause: str = ""
    """The clause for Banker when Player stood, where it has one of its own."""
    player_stands: str = ""
    """The clause by which Player stands, announced with the points before Banker's; a text of
    before has none, and cites Player's own wherever nobody draws."""
    three_at_most: str = ""
    """The clause by which a hand has no fourth card."""


class Ruleset(Brief, frozen=True, forbid_unknown_fields=True):
    """One document as values, each with the clause it comes from.

    >>> import puntobanco as pb
    >>> decks = pb.load_ruleset("act-2015").cards.decks
    >>> decks.least, decks.clause
    (8, 'act-2015:2.1')
    """

    id: str
    document: Document
    table: TableRules
    staff: tuple[Duty, ...]
    cards: CardRules
    shoe: ShoeRules
    wagers: WagerRules
    limits: LimitRules
    changes: tuple[ChangeRule, ...]
    dealing: DealingRules
    people: PeopleRules
    competition: CompetitionRules
    table_of_play: TableOfPlay
    settlement: SettlementRules
    irregularities: Irregularities
    sample_notice: dict[str, object]
    """A notice to start from; an operator replaces it."""
    tableau: Tableau
    digest: str
    """SHA-256 of the text, which every table opened under it records."""

    def __repr__(self) -> str:
        return f"Ruleset({self.id!r}, {self.digest[:12]}…)"
