"""What may happen: a command becomes events, or it is refused and nothing is recorded."""

from collections.abc import Callable, Iterable
from functools import reduce

from msgspec.structs import replace

from puntobanco.rules.checked import checker
from puntobanco.rules.irregularities import Found, Verdict
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import (
    AUTHORITY,
    TAKING_BACK,
    check_authority,
    check_phase,
    check_role,
    second_of,
    stands_for,
)
from puntobanco.table.decide import (
    betting,
    clocks,
    competition,
    corrections,
    dealing,
    disputes,
    face_down,
    irregularities,
    notices,
    opening,
    people,
    settling,
    shoe,
    voiding,
)
from puntobanco.table.decide.competition import secrets
from puntobanco.table.decide.corrections.payments import exceeds_wagers
from puntobanco.table.events import Approved, Decides, ProposalDropped, Proposed, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.proposals import check_another, check_both_before, find_proposal
from puntobanco.table.queries.people import text_lost
from puntobanco.table.queries.shoe import cards_suffice, ends_unplayed, skips_a_coup
from puntobanco.table.state import Table

ROOMS: Decides = {
    **opening.DECIDE,
    **people.DECIDE,
    **shoe.DECIDE,
    **betting.DECIDE,
    **notices.DECIDE,
    **dealing.DECIDE,
    **face_down.DECIDE,
    **settling.DECIDE,
    **irregularities.DECIDE,
    **voiding.DECIDE,
    **corrections.DECIDE,
    **disputes.DECIDE,
    **competition.DECIDE,
    **clocks.DECIDE,
}
checked: Callable[[object], c.TableCommand] = checker(c.TableCommand)
"""The command as its declared types read it, or it is refused."""


def decide(table: Table, ask: c.TableCommand, by: Actor) -> list[TableEvent]:
    """The events that a command brings about.

    Where two people are needed, the first to ask proposes, and another's approval decides.

    >>> import puntobanco as pb
    >>> manager = pb.Actor("mara", frozenset({pb.Role.MANAGEMENT}), at_ms=0)
    >>> notice = pb.sample_notice("mbs-2017")
    >>> opening = pb.commands.OpenTable(notice, "monday", "shoe 1", backs="blue")
    >>> [type(event).__name__ for event in pb.decide(pb.Table(), opening, manager)]
    ['TableOpened']
    """
    ask, by = _heard(table, ask), stands_for(table, by)
    check_authority(table, ask, by)
    match ask:
        case c.Approve():
            return _approve(table, ask, by)
        case c.DropProposal():
            return _drop(table, ask, by)
    events = ROOMS[type(ask)](replace(table, proposals={}), ask, by)
    if not second_for(table, ask, events, by):
        return events
    number = table.proposal_number + 1
    return [Proposed(number, ask, by.person, corrections.affected(events))]


def second_for(
    table: Table, ask: c.TableCommand, events: Iterable[TableEvent], by: Actor
) -> frozenset[Role]:
    """Who must approve what a command would bring about; nobody: it takes effect at once.

    Once its result is declared, whatever voids a coup or takes back what was paid on it is for
    two people, by whatever command it comes; so is leaving out the coup that is ordered to be
    dealt without bets [tas-2018:14.1, act-2015:12.2], and ending a shoe before its first coup,
    unless it is the house that closes a table for a competition. A finding that is confirmed has
    two already; what a round brings before its result is the round's own, pairs paid or not
    [act-2015:12.6]: but where the count has cards enough, two people find that there are not.
    """
    if AUTHORITY[type(ask)].second or isinstance(ask, c.ConfirmFinding | c.Approve):
        return AUTHORITY[type(ask)].second
    unplayed = Role.HOUSE not in by.roles and ends_unplayed(table, ask)
    if unplayed or skips_a_coup(table, ask):
        return TAKING_BACK
    undeclared = {0}  # of no coup
    coup = table.coup
    short = isinstance(ask, c.ReportIrregularity) and ask.found is Found.INSUFFICIENT_CARDS
    counted = short and cards_suffice(table)
    paid = coup is not None and bool(coup.lines) and not short
    over = coup is None or coup.verdict is Verdict.STANDS or coup.reopened
    if coup is not None and not over and not paid and not counted:
        undeclared.add(coup.number)
    undone = any(corrections.undone_coup(event) not in undeclared for event in events)
    return TAKING_BACK if undone else frozenset()


def foresee(table: Table, ask: c.TableCommand, by: Actor) -> list[TableEvent]:
    """What a command will have brought about once everybody has agreed to it.

    No form of a secret wager is opened for it: what those bring shows when they are announced
    [tas-2018:16.6.8].
    """
    ask, by = _heard(table, ask), stands_for(table, by)
    check_authority(table, ask, by)
    if isinstance(ask, c.AnnounceSecrets):
        secrets.check_announced_first(table)
        return []
    if isinstance(ask, c.DeclareResult):
        table, ask = secrets.veiled(table), c.DeclareResult()
    if isinstance(ask, c.Approve | c.DropProposal):
        return decide(table, ask, by)
    return ROOMS[type(ask)](replace(table, proposals={}), ask, by)


def _heard(table: Table, ask: c.TableCommand) -> c.TableCommand:
    """The command, checked; refused where nobody knows the text the table is played by."""
    ask = checked(ask)
    lost = text_lost(table)
    if lost is not None and (table.is_open or not isinstance(ask, c.OpenTable)):
        raise lost
    return ask


def _drop(table: Table, ask: c.DropProposal, by: Actor) -> list[TableEvent]:
    """The proposer takes it back, or somebody who could have approved it turns it down."""
    proposal = find_proposal(table.proposals, ask.proposal)
    if by.person != proposal.person:
        check_role(table, "drop-proposal", second_of(type(proposal.ask)), by)
    return [ProposalDropped(ask.proposal, by.person)]


def _approve(table: Table, ask: c.Approve, by: Actor) -> list[TableEvent]:
    """A different person, of a role that may; and where one could otherwise help themselves to
    money, or to another shoe, both were there before.
    """
    proposal = find_proposal(table.proposals, ask.proposal)
    proposed = proposal.ask
    allowed, name = AUTHORITY[type(proposed)], str(proposed.__struct_config__.tag)
    weighty = ends_unplayed(table, proposed) or exceeds_wagers(table, proposed)
    (check_both_before if weighty else check_another)(proposal.person, by)
    check_role(table, name, second_of(type(proposed)), by)
    check_phase(table, name, allowed)
    approved = Approved(ask.proposal, by.person)
    alone = replace(table, proposals={ask.proposal: table.proposals[ask.proposal]})
    return [approved, *ROOMS[type(proposed)](alone, proposed, by)]


def run(table: Table, ask: c.TableCommand, by: Actor) -> tuple[Table, list[TableEvent]]:
    """Decide, and apply what was decided.

    >>> import puntobanco as pb
    >>> manager = pb.Actor("mara", frozenset({pb.Role.MANAGEMENT}), at_ms=0)
    >>> notice = pb.sample_notice("mbs-2017")
    >>> opening = pb.commands.OpenTable(notice, "monday", "shoe 1", backs="blue")
    >>> table, events = pb.run(pb.Table(), opening, manager)
    >>> table.phase
    <Phase.PREPARING: 'preparing'>
    """
    events = decide(table, ask, by)
    return reduce(evolve, events, table), events
