"""What may happen in a competition: a command becomes events, or it is refused."""

from collections.abc import Callable

from msgspec.structs import replace

from puntobanco.competition import commands as c
from puntobanco.competition.authority import (
    AUTHORITY,
    check_entitled,
    check_moment,
    check_roles,
)
from puntobanco.competition.decide import (
    conditions,
    drawing,
    entries,
    play_offs,
    prizes,
    results,
    rulings,
    sessions,
)
from puntobanco.competition.events import CompetitionEvent, Deciders, Proposed
from puntobanco.competition.state import Competition
from puntobanco.errors import Reason, Refused
from puntobanco.rules.checked import checker
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import name_of
from puntobanco.table.events import Approved, ProposalDropped
from puntobanco.table.proposals import check_another, find_proposal

ROOMS: Deciders = {
    **conditions.DECIDE,
    **entries.DECIDE,
    **drawing.DECIDE,
    **sessions.DECIDE,
    **results.DECIDE,
    **play_offs.DECIDE,
    **prizes.DECIDE,
    **rulings.DECIDE,
}
checked: Callable[[object], c.CompetitionCommand] = checker(c.CompetitionCommand)
"""Reads a command back by its declared types and bounds, or refuses it."""


def decide(
    competition: Competition, ask: c.CompetitionCommand, by: Actor
) -> list[CompetitionEvent]:
    """Return the events that a command brings about, or refuse it.

    Where two people are needed, the first to ask proposes, and another's approval decides.
    """
    ask = checked(ask)
    check_entitled(competition, ask, by)
    match ask:
        case c.Approve():
            return _approve(competition, ask, by)
        case c.DropProposal():
            return _drop(competition, ask, by)
    events = ROOMS[type(ask)](replace(competition, proposals={}), ask, by)
    if not second_person(competition, ask):
        return events
    _check_new(competition, ask)
    return [Proposed(competition.proposal_number + 1, ask, by.person)]


def look_forward(
    competition: Competition, ask: c.CompetitionCommand, by: Actor
) -> list[CompetitionEvent]:
    """What a command will have brought about once everybody has agreed to it."""
    ask = checked(ask)
    check_entitled(competition, ask, by)
    if isinstance(ask, c.Approve | c.DropProposal):
        return decide(competition, ask, by)
    _check_new(competition, ask)
    return ROOMS[type(ask)](replace(competition, proposals={}), ask, by)


def _check_new(competition: Competition, ask: c.CompetitionCommand) -> None:
    """Refuse what waits for a second person already: agreed to once, it would wait for ever. There
    is one draft to publish, by whichever text of the rules.
    """
    one_draft = (c.Publish,) if isinstance(ask, c.Publish) else ()
    for number, proposal in competition.proposals.items():
        if proposal.ask == ask or isinstance(proposal.ask, one_draft):
            raise Refused(Reason.ALREADY_PROPOSED, CONDITIONS, number=number)


def second_person(competition: Competition, ask: c.CompetitionCommand) -> frozenset[Role]:
    """Who must approve a command; nobody: it takes effect at once."""
    if isinstance(ask, c.Rule):
        return rulings.second_for_ruling(competition, ask)
    return AUTHORITY[type(ask)].second


def _drop(competition: Competition, ask: c.DropProposal, by: Actor) -> list[CompetitionEvent]:
    """The proposer takes it back, or somebody who could have approved it turns it down."""
    proposal = find_proposal(competition.proposals, ask.proposal)
    if by.person != proposal.person:
        second = second_person(competition, proposal.ask)
        check_roles(competition, "drop-proposal", AUTHORITY[type(proposal.ask)], by, second)
    return [ProposalDropped(ask.proposal, by.person)]


def _approve(competition: Competition, ask: c.Approve, by: Actor) -> list[CompetitionEvent]:
    """Another person approves: what was proposed is decided as things are now."""
    proposal = find_proposal(competition.proposals, ask.proposal)
    proposed = proposal.ask
    check_another(proposal.person, by)
    name, allowed = name_of(type(proposed)), AUTHORITY[type(proposed)]
    second = second_person(competition, proposed) or allowed.roles
    check_roles(competition, name, allowed, by, second)
    check_moment(competition, name, allowed)
    approved = Approved(ask.proposal, by.person)
    return [approved, *ROOMS[type(proposed)](competition, proposed, by)]
