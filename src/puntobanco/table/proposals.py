"""Two people: what one proposes, another decides; the same in every aggregate."""

from collections.abc import Mapping
from typing import TypeVar

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor
from puntobanco.table.commands import DropProposal
from puntobanco.table.events import ProposalDropped

Waiting = TypeVar("Waiting")


def find_proposal(proposals: Mapping[int, Waiting], number: int) -> Waiting:
    """The proposal of this number, if it still waits."""
    if number not in proposals:
        raise Refused(Reason.NO_SUCH_PROPOSAL, CONDITIONS, number=number)
    return proposals[number]


def drop_proposal(
    proposals: Mapping[int, Waiting], ask: DropProposal, by: Actor
) -> ProposalDropped:
    """Whoever proposed it takes it back, or somebody who could have agreed turns it down."""
    find_proposal(proposals, ask.proposal)
    return ProposalDropped(ask.proposal, by.person)


def without_proposal(proposals: Mapping[int, Waiting], number: int) -> dict[int, Waiting]:
    """The proposals that wait once this one does not any more."""
    return {key: proposal for key, proposal in proposals.items() if key != number}


def check_another(first: str, by: Actor) -> None:
    """Refuse an approval by the person who proposed: two roles of one person are one person."""
    if by.person == first:
        raise Refused(Reason.SAME_PERSON, CONDITIONS, person=first)


def check_both_before(first: str, by: Actor) -> None:
    """Refuse also somebody whom the other, or the same person, enrolled a short time ago: else
    one manager would be as many people as they care to enrol.
    """
    check_another(first, by)
    if first in by.one_with:
        raise Refused(Reason.NOT_A_SECOND, CONDITIONS, person=by.person, first=first)
