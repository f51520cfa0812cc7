"""Cage and register as places where commands are given: which there are, who may, and how."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from puntobanco.cage import authority as cage_authority
from puntobanco.cage import commands as cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.house import CAGES, REGISTERS, House
from puntobanco.register import authority as register_authority
from puntobanco.register import commands as register
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.commands.api import CAGE, REGISTER
from puntobanco.table.actor import Actor
from puntobanco.table.authority import Allowed, name_of
from puntobanco.table.may import ANY, counter_refusal


class Counter(Struct, frozen=True):
    """One such place."""

    kinds: dict[str, type[Struct]]
    """Commands that come from outside, by name."""
    union: Any
    """The type of all its commands."""
    allowed: Mapping[Any, Allowed]
    decide: Callable[[Any, Any, Actor], object]
    state: Callable[[House], Struct]
    back: str
    """The page to which its forms lead back."""

    def kind(self, name: str) -> type[Struct]:
        if name not in self.kinds:
            raise Refused(Reason.NOT_FOUND, CONDITIONS)
        return self.kinds[name]

    def why_not(
        self, house: House, name: str, by: Actor, facts: Mapping[str, object] = ANY
    ) -> Refused | None:
        """Why somebody cannot give this command now, with these facts; None: they can."""
        state, kind = self.state(house), self.kinds[name]
        return counter_refusal(self.allowed, self.decide, state, kind, by, facts)


COUNTERS = {
    "cage": Counter(
        {name_of(kind): kind for kind in CAGE},
        cage.CageCommand,
        cage_authority.AUTHORITY,
        CAGES.decide,
        lambda house: house.cage.state,
        "/house/cage",
    ),
    "register": Counter(
        {name_of(kind): kind for kind in REGISTER},
        register.RegisterCommand,
        register_authority.AUTHORITY,
        REGISTERS.decide,
        lambda house: house.register.state,
        "/house/people",
    ),
}


def counter_at(name: str) -> Counter:
    """Cage or register; there is no other."""
    if name not in COUNTERS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return COUNTERS[name]
