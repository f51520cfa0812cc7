"""What waits for a person anywhere in the house, and where they are on duty.

Nothing here decides: whether somebody can approve, the table itself is asked.
"""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from puntobanco.cage import commands as cage
from puntobanco.cage.authority import AUTHORITY as AT_CAGE
from puntobanco.competition.next_step import next_acts
from puntobanco.errors import Refused
from puntobanco.house.access.door.throttle import LOCK_AT
from puntobanco.house.access.rights import MANAGEMENT, OVERSEES
from puntobanco.house.checks.signs import signs_of
from puntobanco.house.house import House
from puntobanco.house.may import why_not
from puntobanco.house.stream import Stream
from puntobanco.house.trust.retention import overdue
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.table.actor import PLAYERS, Actor, Role
from puntobanco.table.authority import acting
from puntobanco.table.commands import Approve, DropProposal
from puntobanco.table.next_step import QUIET, next_step, whom_to_sign_on, with_roles
from puntobanco.table.queries.coup import live_proposals
from puntobanco.table.queries.face_down import to_be_told
from puntobanco.table.state import Phase, Table
from puntobanco.words import Step

CAGE = "cage"
Kind = Literal[
    "approve",
    "second",
    "dispute",
    "step",
    "told",
    "slip",
    "competition",
    "sign",
    "locked",
    "photos",
]
COMPLETE = AT_CAGE[cage.CompleteSlip].roles
MOST = 100
"""More is not listed; who has so much waiting needs another list."""


class Waiting(Struct, frozen=True):
    """One thing that waits for a person."""

    at: str
    """The table, the competition, or the cage."""
    kind: Kind
    number: int = 0
    """Of the proposal, dispute or slip."""
    ask: Any = None
    """The command that is proposed, or due in a competition; the sign of the house that is bad."""
    step: Step | None = None
    facts: dict[str, object] = {}
    by: str = ""
    """The person who proposed it, disputes it or asked for the slip; whose account is shut."""
    clause: str = ""


class OpenProposal(Struct, frozen=True):
    """What waits for a second person, as somebody finds it who looks at it."""

    ask: Any
    person: str
    agrees: bool
    """Whether the reader can agree to it."""
    drops: bool
    """Whether the reader can take it back or turn it down."""
    others: tuple[str, ...]
    """Who can, where the reader cannot."""


def proposals_about(
    house: House, stream: Stream[Any], by: Actor, person: str
) -> dict[int, OpenProposal]:
    """What waits at the cage or in the register and is about somebody; empty: about the house."""
    return {
        number: _found_by(house, stream, by, number)
        for number, proposal in stream.state.proposals.items()
        if getattr(proposal.ask, "person", "") == person
    }


def _found_by(house: House, stream: Stream[Any], by: Actor, number: int) -> OpenProposal:
    proposal, people = stream.state.proposals[number], house.register.state.people
    agrees = _takes(stream, Approve(number), by)
    others = (
        other
        for other, member in people.items()
        if member.kind == "staff" and not member.bot
        if _takes(stream, Approve(number), house.actor(other))
    )
    drops = _takes(stream, DropProposal(number), by)
    return OpenProposal(
        proposal.ask, proposal.person, agrees, drops, () if agrees else tuple(others)
    )


def _takes(stream: Stream[Any], ask: Any, by: Actor) -> bool:
    """Whether it would be taken, given now."""
    try:
        stream.aggregate.decide(stream.state, ask, by)
    except Refused:
        return False
    return True


def on_duty_at(house: House, person: str) -> str:
    """The table that a person is on duty at; empty: none."""
    on_duty = (
        name
        for name, stream in house.tables.items()
        if any(one.person == person for one in stream.state.staff)
    )
    return next(on_duty, "")


def waiting_for(house: House, person: str) -> tuple[Waiting, ...]:
    """All that waits for a person who works here, tables first."""
    member = house.register.state.people.get(person)
    if member is None or not member.enabled or member.kind != "staff":
        return ()
    return tuple(found for found, _ in zip(_waiting(house, person), range(MOST), strict=False))


def _waiting(house: House, person: str) -> Iterator[Waiting]:
    for name, stream in sorted(house.tables.items()):
        if stream.state.notice is not None:
            free = not on_duty_at(house, person)
            yield from waiting_at(name, stream.state, house.actor(person, name), free=free)
    yield from _by_two(house, person)
    roles = house.actor(person).roles
    if roles & COMPLETE:
        for number, slip in house.cage.state.slips.items():
            facts = {"kind": slip.kind, "table": slip.table, "cents": slip.cents}
            yield Waiting(CAGE, "slip", number, facts=facts, by=slip.person)
    yield from _alarms(house, person, roles)
    for name, cup in sorted(house.competitions.items()):
        for act in next_acts(cup.state):
            if roles & set(act.roles) and (act.command != "approve" or _second(cup.state, person)):
                yield Waiting(name, "competition", ask=act.command)
                break


def _alarms(house: House, person: str, roles: frozenset[Role]) -> Iterator[Waiting]:
    """Signs of the house that are bad; accounts shut after wrong tries, for another manager."""
    if roles & OVERSEES:
        for sign in signs_of(house):
            if not sign.good:
                yield Waiting(HOUSE, "sign", ask=sign.name)
    if roles & MANAGEMENT:
        if photos := overdue(house).photos:
            yield Waiting(HOUSE, "photos", photos)
        for locked in house.people.locked(LOCK_AT):
            if locked != person and house.register.state.people[locked].enabled:
                yield Waiting(REGISTER, "locked", by=locked)


def _by_two(house: House, person: str) -> Iterator[Waiting]:
    """What others have proposed at the cage and in the register, and this person can agree to."""
    by = house.actor(person)
    counters: list[Any] = [house.register, house.cage]
    for stream in counters:
        for number, proposal in stream.state.proposals.items():
            if _takes(stream, Approve(number), by):
                yield Waiting(stream.name, "second", number, proposal.ask, by=proposal.person)


def _second(competition: Any, person: str) -> bool:
    """Is there a proposal of somebody else's?"""
    return any(one.person != person for one in competition.proposals.values())


def waiting_at(name: str, table: Table, by: Actor, *, free: bool) -> Iterator[Waiting]:
    """Proposals that this person can approve, disputes they decide, the step that is theirs; and a
    duty that somebody must take up, for whoever has none.
    """
    if not by.roles - PLAYERS:
        return
    approvals = 0
    for number, proposal in live_proposals(table).items():
        if why_not(table, "approve", by, {"proposal": number}) is None:
            approvals += 1
            yield Waiting(name, "approve", number, proposal.ask, by=proposal.person)
    for number, dispute in table.disputes.items():
        if not dispute.decision and not why_not(table, "decide-dispute", by, {"dispute": number}):
            yield Waiting(name, "dispute", number, by=dispute.person)
    if not approvals and table.phase is not Phase.SHUT:
        yield from _step(name, table, by, free=free)
    for role in to_be_told(table):
        if why_not(table, "acknowledge-face-down", by, {"role": role}) is None:
            yield Waiting(name, "told", facts={"role": role.value})
            break


def _step(name: str, table: Table, by: Actor, *, free: bool) -> Iterator[Waiting]:
    """The next step, if the table cannot go on without this person: dealers see theirs anyway."""
    step = with_roles(table, next_step(table))
    if absent := whom_to_sign_on(table, step):
        for role in [role for role in absent if free and role in by.roles][:1]:
            facts: dict[str, object] = {"role": role.value}
            yield Waiting(name, "step", step=Step.SIGN_ON, facts=facts, clause=step.clause)
    elif (
        step.step not in QUIET
        and Role.DEALER not in step.roles
        and acting(table, by) & set(step.roles)
    ):
        yield Waiting(name, "step", step=step.step, facts=step.facts, clause=step.clause)
