"""What a person can do in a competition now; and of all else, why not."""

from collections.abc import Mapping
from typing import Any

from puntobanco.competition.authority import AUTHORITY, check_moment, check_roles
from puntobanco.competition.decide import look_forward
from puntobanco.competition.state import Competition
from puntobanco.errors import Refused
from puntobanco.table.actor import Actor
from puntobanco.table.authority import Allowed, from_outside, name_of
from puntobanco.table.may import ANY, likely_refusal

KINDS: dict[str, type[Any]] = {name_of(kind): kind for kind in from_outside(AUTHORITY)}
"""The commands that people give, by name."""
GIVEN: dict[str, Allowed] = {name: AUTHORITY[kind] for name, kind in KINDS.items()}


def why_not_in(
    competition: Competition, name: str, by: Actor, facts: Mapping[str, object] = ANY
) -> Refused | None:
    """Why somebody cannot give this command now, with these facts; None: they can."""
    kind, allowed = KINDS[name], GIVEN[name]
    try:
        check_roles(competition, name, allowed, by)
        check_moment(competition, name, allowed)
    except Refused as refused:
        return refused
    return likely_refusal(allowed, look_forward, competition, kind, by, facts)


def given_now(competition: Competition, by: Actor) -> list[str]:
    """The names of the commands that a person can give now."""
    return [name for name in KINDS if why_not_in(competition, name, by) is None]
