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
