"""What makes a table the table of a competition's session."""

from typing import Annotated, Literal

from msgspec import Meta

from puntobanco.brief import Brief
from puntobanco.rules.notice import Limits


class Conditions(Brief, frozen=True, forbid_unknown_fields=True):
    """What makes a table a competition table; the clauses are in the rule set."""

    competition: Annotated[str, Meta(min_length=1, max_length=80)]
    chips: Literal["competition", "cash"]
    allotment_cents: Annotated[int, Meta(ge=1, le=10**12)]
    first_seat: Annotated[int, Meta(ge=1, le=14)] | None = None
    """Who bets first, where the document leaves it to a draw."""
    raised_limits: Limits | None = None
    """Announced beforehand, to hold once the indicator card has come out."""
    face_down: bool = True
