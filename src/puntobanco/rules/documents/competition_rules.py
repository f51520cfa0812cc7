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


class CompetitionRules(Brief, frozen=True, forbid_unknown_fields=True):
    """What a competition table adds to an ordinary one; an absent value adds nothing."""

    director: str
    chips: str
    allotment: str
    cash_chips: bool = True
    """Whether a competition may be played with chips worth money."""
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
    secret: SecretRules | None = None
    """Secret wagers; absent where only conditions could allow them."""
    ends: EndRules = EndRules()
