"""What a person can do in a competition now; and of all else, why not."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from puntobanco.competition.authority import AUTHORITY, check_moment, check_roles
from puntobanco.competition.decide import look_forward
from puntobanco.competition.state import Competition
from puntobanco.errors import Refused
from puntobanco.table.actor import Actor
from puntobanco.table.authority import Allowed, from_outside, name_of
from puntobanco.table.likely import Likely
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
    if not facts and allowed.likely is not None:
        allowed = replace(allowed, likely=_one_of_each(allowed.likely))
    return likely_refusal(allowed, look_forward, competition, kind, by, facts)


def _one_of_each(likely: Callable[[Any, Actor], Iterable[Any]]) -> Likely:
    """Of entrants whose entries are alike only the first is tried: a thousand who have paid are
    refused for the same.
    """

    def asks(competition: Competition, by: Actor) -> Iterator[Any]:
        seen, alike = set(), {one: _alike(competition, one) for one in competition.entries}
        for ask in likely(competition, by):
            about = tuple(
                alike.get(fact, fact) if isinstance(fact, str) else fact
                for fact in (getattr(ask, name) for name in ask.__struct_fields__)
            )
            if about not in seen:
                seen.add(about)
                yield ask

    return asks


def _alike(competition: Competition, person: str) -> tuple[object, ...]:
    """What of an entry a refusal may hang on; reserves are called in their order."""
    one, reserves = competition.entries[person], competition.reserves
    return (
        one.status, one.version, one.number, bool(one.paid_cents), bool(one.owed_cents),
        bool(one.prize_cents), one.prize_paid, one.stage, one.table, bool(one.substitute),
        reserves.index(person) if person in reserves else None,
    )  # fmt: skip


def is_theirs(competition: Competition, name: str, by: Actor) -> bool:
    """Whether it is theirs to give, at the right moment and with the right facts."""
    try:
        check_roles(competition, name, GIVEN[name], by)
    except Refused:
        return False
    return True


def given_now(competition: Competition, by: Actor) -> list[str]:
    """The names of the commands that a person can give now."""
    return [name for name in KINDS if why_not_in(competition, name, by) is None]
