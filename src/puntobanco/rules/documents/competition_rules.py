"""What a document says of face-down play, and what its competition chapter adds to a table."""

from typing import Literal

from puntobanco.brief import Brief


class FaceDown(Brief, frozen=True, forbid_unknown_fields=True):
    """Cards dealt face down, and who turns them over."""

    clause: str
    exposed_by: Literal["highest-wager", "as-named"]
    exposed_clause: str
    banker_exposed_clause: str = ""
    """The clause for Banker's hand, where it has one of its own."""
    asked_by_player: bool = False
    informed: tuple[str, ...] = ()
    """The roles that must be told before cards are dealt face down."""
    informed_clause: str = ""
    refused_clause: str = ""
    unbacked_clause: str = ""
    """The clause by which the dealer turns a hand that nobody bet on; empty: the exposing one."""
    equal_clause: str = ""
    one_set_clause: str = ""
    disc_clause: str = ""


class SecretRules(Brief, frozen=True, forbid_unknown_fields=True):
    """Wagers written on a form instead of laid, and what becomes of a form against the rules."""

    allowed: str
    form: str
    with_chips: str
    """The clause for a form and chips on the same coup."""
    within_limits: str
    within_chips: str
    in_units: str
    counted_on_tie: str
    recorded: str
    examined: str
    announced: str
    inspected: str
    below_minimum: str
    above_maximum: str
    above_chips: str
    not_shown: str
    last_coup: str = ""
    """The clauses for the last coup of the final, when everyone hands in a form."""
    last_announced: str = ""
    last_laid: str = ""
    last_passed: str = ""


class EndRules(Brief, frozen=True, forbid_unknown_fields=True):
    """How a session ends: who ranks where, and what becomes of equals. Silent: the conditions."""

    ranked: str = "conditions"
    advancing: str = "conditions"
    equal_at_end: Literal["play-off", "more-rounds", "conditions"] = "conditions"
    """What players with equal chips do for a place or a prize that only some of them can have."""
    equal_clause: str = "conditions"
    out_together: Literal["share", "conditions"] = "conditions"
    """What becomes of the prizes of players eliminated in the same coup while others remain."""
    out_clause: str = "conditions"
    all_out: Literal["new-chips", "ruling", "conditions"] = "conditions"
    """What happens when the last of them are eliminated together."""
    all_out_clause: str = "conditions"
    coups_by_card: str = ""
    """The clause by which a card says how many coups are played off; empty: none does."""
    early_finish: str = ""
    """The clause by which a session may finish early once it is decided; empty: silent."""
    prize_left: Literal["last-placed", "conditions"] = "conditions"
    """Where a prize goes for which there is no player."""
    prize_left_clause: str = "conditions"


class EntryRules(Brief, frozen=True, forbid_unknown_fields=True):
    """What a document says of entering: what is told beforehand, and when a fee comes back."""

    disclosed: dict[str, str] = {}
    """The clauses by which items of the conditions are settled and told before it begins."""
    otherwise: str = "conditions"
    """The clause for every other item that the conditions need."""
    approval: str = ""
    """The clause by which the conditions must be approved; empty: they need not be."""
    prevail: str = ""
    """The clause by which approved conditions prevail over the rules of ordinary play."""
    one_entry: str = ""
    """The clause by which nobody enters twice; empty: the conditions may allow it to all."""
    late_entry: str = ""
    """The clause by which nobody enters once play has begun; empty: as for entering twice."""
    refund_days: int | None = None
    """Days before the start by which whoever withdraws has the fee back; None: as the conditions
    say, which without a document's leave is never."""
    refund_open: bool = False
    """Whether the conditions may set these days themselves."""
    withdrawn: str = "conditions"
    """The clause about the fee of one who withdraws, or simply stays in."""
    not_proceeding: str = "conditions"
    """The clause by which all fees come back when the competition does not proceed."""
    disqualified: str = ""
    """The clause by which a disqualified player's fee never comes back; empty: they are treated
    like everybody else."""


class PrizeRules(Brief, frozen=True, forbid_unknown_fields=True):
    """What a document says of the money: what may be kept, and what must be paid out."""

    retained_percent: int | None = None
    """The most that may be kept, in percent of all entry fees; None: no such bound."""
    retained: str = "conditions"
    """The clause about what the operator keeps of the fees."""
    commission: str = "conditions"
    """The clause about what the operator takes for running it."""
    returned: str = "conditions"
    """The clause by which the whole pool is paid out as prizes."""
    divided: str = "conditions"
    """The clause by which the pool is divided into prizes."""


class StageRules(Brief, frozen=True, forbid_unknown_fields=True):
    """What a document says of stages, of the tables they take and of how a session ends."""

    advancing: str = "conditions"
    """The clause about how many advance."""
    tables: str = "conditions"
    """The clause about how many play at a table."""
    designated: str = "conditions"
    """The clause about which tables are used."""
    secondary: str = "conditions"
    """The clause about a second chance for those who failed to qualify."""
    ends_by: tuple[Literal["coups", "shoes", "minutes"], ...] = ("coups", "shoes", "minutes")
    """What the length of a session may be given in."""
    ends: str = "conditions"
    """The clause about the length of a session."""
    secrets_open: bool = False
    """Whether conditions that give a number of secret wagers thereby bring them in; a document
    with rules of its own for them has no need of it."""


class OwnWay(Brief, frozen=True, forbid_unknown_fields=True):
    """How a document itself has something done that conditions may settle elsewhere."""

    way: str
    clause: str
    may: bool = False
    """Whether the document only allows it, so that conditions may have it otherwise."""


class SessionRules(Brief, frozen=True, forbid_unknown_fields=True):
    """The clauses by which a session begins, goes on and ends at a table; empty: conditions."""

    clause: str = ""
    """What a session is, and so when it is over."""
    late_deducted: str = ""
    late_out: str = ""
    late_cash: str = ""
    substitute: str = ""
    away_cash: str = ""
    """By which a player of a live competition who is away has a substitute or is out."""
    order_warning: str = ""
    """By which the first wager out of order brings the advice that another may be void."""
    direction: str = ""
    pause: str = ""
    disqualified: str = ""
    forfeited: str = ""


class ConductRules(Brief, frozen=True, forbid_unknown_fields=True):
    """The clauses by which a competition is run from the first application to the last prize;
    where a document is silent, the conditions.
    """

    nominated: str = "conditions"
    """Who is its director."""
    applied: str = "conditions"
    refused: str = "conditions"
    groups: str = ""
    """The clause by which conditions shut groups of players out."""
    accepted: str = "conditions"
    informed: str = "conditions"
    """Applicants are told the conditions of play."""
    endorsed: str = "conditions"
    fee: str = "conditions"
    value_added: str = "conditions"
    reserve: str = "conditions"
    sessions_drawn: str = "conditions"
    """Who plays in which session."""
    seats_drawn: str = "conditions"
    """Who sits where."""
    ballot_only: bool = False
    """Whether seats are given by lot and in no other way."""
    substitute: str = "conditions"
    start_moved: str = "conditions"
    breaks: str = "conditions"
    directed: str = "conditions"
    forfeited: str = "conditions"
    disqualified: str = "conditions"
    not_attending: str = "conditions"
    """The clause by which somebody who does not attend is disqualified."""
    places: str = "conditions"
    """Who works out and awards the places."""
    prize_list: str = "conditions"


class CompetitionRules(Brief, frozen=True, forbid_unknown_fields=True):
    """What a competition table adds to an ordinary one; an absent value adds nothing."""

    director: str
    chips: str
    allotment: str
    cash_chips: bool = True
    """Whether a competition may be played with chips worth money."""
    only: str = ""
    """The clause by which the document is a tournament's, and no table of a house is opened under
    it for anything else; on paper and in training it is played like any other."""
    chips_kept: str = ""
    """The clause by which nobody adds to the allotted chips or takes from them; empty: the
    allotment's own."""
    same_limits: str = "conditions"
    own_position: str = ""
    one_wager: str = ""
    both_sides: str = ""
    every_coup: str = ""
    order: Literal["anticlockwise", "clockwise"] | None = None
    order_clause: str = ""
    first: Literal["dealers-right", "drawn"] = "drawn"
    moves_clause: str = ""
    fixed: Literal["once-placed", "turn-over"] = "turn-over"
    fixed_clause: str = ""
    out_of_turn: str = ""
    after_tie: str = ""
    made_up: str = ""
    time_limit: str = ""
    time_over: str = ""
    absent: str = ""
    eliminated: str = ""
    limits_rise: str = ""
    collected: str = "conditions"
    """The clause by which competition chips are the operator's when it is over."""
    face_down: FaceDown | None = None
    wrong_holder: str = ""
    incidents: dict[str, str] = {}
    """The clauses that kinds of incident offend against here and at no ordinary table."""
    hiding: str = ""
    """The clause by which whoever hid chips is to be disqualified."""
    units: str = ""
    """The clause by which wagers are in the units on the table sign."""
    secret: SecretRules | None = None
    """Secret wagers; absent where only conditions could allow them."""
    ends: EndRules = EndRules()
    entry: EntryRules = EntryRules()
    prizes: PrizeRules = PrizeRules()
    stages: StageRules = StageRules()
    session: SessionRules = SessionRules()
    play: dict[str, OwnWay] = {}
    """The document's own ways, by their names in the conditions; what is not here is open."""
    conduct: ConductRules = ConductRules()
