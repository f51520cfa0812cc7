"""Irregularities, rulings, corrections, proposals and disputes."""

from msgspec.structs import replace

from puntobanco.rules.irregularities import WORST_FIRST, Found, NextCoup, Verdict
from puntobanco.rules.settle import Line, Outcome
from puntobanco.table import events
from puntobanco.table.commands import RuleOn
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.evolve.people import move_chips, same
from puntobanco.table.proposals import without_proposal
from puntobanco.table.queries.coup import beside_form, is_same, live, void_line
from puntobanco.table.state import Dispute, Finding, LeftOver, Proposal, Table


def irregularity_ruled(table: Table, event: events.IrregularityRuled) -> Table:
    if event.found is Found.BURN_FORGOTTEN:
        table = replace(table, pack=replace(table.pack, burn_forgotten=True))
    table = _kept(table, event)
    coup, clause = table.coup, event.next_clause
    if coup is None:
        return _ruled_between(table, event)
    if event.found is Found.CARDS_OUT_OF_ORDER:  # ruled again whenever the cards change
        follows = event.carried or event.next_coup is not NextCoup.ORDINARY
        left = LeftOver(event.carried, event.next_coup, clause) if follows else LeftOver()
        return replace(table, coup=replace(coup, left_over=left))
    if _is_worse(event.next_coup, coup.barred):
        coup = replace(coup, barred=event.next_coup, barred_clause=clause)
    return replace(table, coup=coup)


def _kept(table: Table, event: events.IrregularityRuled) -> Table:
    """What bars a coup is kept apart, for it may turn out not to have been so; cards left over
    are on record themselves.
    """
    of_cards = event.found is Found.CARDS_OUT_OF_ORDER
    if of_cards or event.next_coup is NextCoup.ORDINARY:
        return table
    found = Finding(table.coup_number, event.found, event.next_coup, event.next_clause)
    return replace(table, findings=(*table.findings, found))


def _ruled_between(table: Table, event: events.IrregularityRuled) -> Table:
    """Between two coups: what the next one is, and the cards drawn too early that begin it."""
    if event.carried:
        carried = (*table.carried, *event.carried)
        table = replace(table, carried=carried, carried_clause=event.next_clause)
    if not _is_worse(event.next_coup, table.next_kind):
        return table
    shoe = table.shoe
    if shoe is not None and event.next_coup is NextCoup.NONE and not shoe.ended:
        shoe = replace(shoe, ended=event.clauses[-1])
    return replace(table, shoe=shoe, next_kind=event.next_coup, next_clause=event.next_clause)


def _is_worse(one: NextCoup, other: NextCoup) -> bool:
    return WORST_FIRST.index(one) < WORST_FIRST.index(other)


def ruling_awaited(table: Table, event: events.RulingAwaited) -> Table:
    coup = replace(
        live(table),
        found=event.found,
        found_verdict=event.verdict,
        found_clauses=event.clauses,
        found_by=event.person,
    )
    return replace(table, coup=coup)


def ruling_given(table: Table, _event: events.RulingGiven) -> Table:
    """Other rulings proposed on the same finding go with it."""
    coup = replace(live(table), found=None, found_verdict=None, found_clauses=(), found_by="")
    proposals = {
        number: proposal
        for number, proposal in table.proposals.items()
        if not isinstance(proposal.ask, RuleOn)
    }
    return replace(table, coup=coup, proposals=proposals)


def coup_voided(table: Table, _event: events.CoupVoided) -> Table:
    """Cards of a void coup are in no coup at all; one carried over and not yet dealt still is.

    A void coup warns nobody.
    """
    coup = live(table)
    told = {line.wager.by for line in coup.lines if line.warn} - coup.warned
    settled = (line.wager for line in coup.lines if line.outcome is not Outcome.VOID)
    voids = {**table.voids, coup.number: (*settled, *coup.wagers)}
    kind, clause = NextCoup.ORDINARY, coup.carried_clause
    untouched = bool(coup.carried) or not coup.drawn
    if untouched and coup.kind is CoupKind.NON_BETTING:  # the card that was seen is still to come
        kind, clause = NextCoup.NON_BETTING, coup.kind_clause
    coup = replace(
        coup,
        verdict=Verdict.VOID,
        result=None,
        locked=True,
        left_over=LeftOver(coup.carried, kind, clause),
        carried=(),
        held_by={},
        found=None,
        found_verdict=None,
        found_clauses=(),
    )
    return replace(table, coup=coup, warned=table.warned - told, voids=voids)


def transfer_reversed(table: Table, event: events.TransferReversed) -> Table:
    cents = event.to_owner_cents
    chips = move_chips(table, event.wager.by, cents)
    table = replace(table, chips=chips, bank_cents=table.bank_cents - cents)
    if table.coup is not None and table.coup.number == event.coup:
        lines = _voided(table.coup.lines, event, apart=beside_form(table.coup, event.wager))
        return replace(table, coup=replace(table.coup, lines=lines))
    coups = tuple(
        replace(record, lines=_voided(record.lines, event))
        if record.number == event.coup
        else record
        for record in table.coups
    )
    return replace(table, coups=coups)


def _voided(
    lines: tuple[Line, ...], event: events.TransferReversed, *, apart: bool = False
) -> tuple[Line, ...]:
    if apart:  # chips and a form on one option are two wagers
        fits = [i for i, line in enumerate(lines) if line.wager == event.wager]
        one = next((i for i in fits if lines[i].outcome is not Outcome.VOID), -1)
        return tuple(
            void_line(line, event.clauses) if i == one else line for i, line in enumerate(lines)
        )
    return tuple(
        void_line(line, event.clauses) if is_same(line.wager, event.wager) else line
        for line in lines
    )


def dispute_raised(table: Table, event: events.DisputeRaised) -> Table:
    dispute = Dispute(event.person, event.about, event.coup)
    return replace(table, disputes={**table.disputes, event.number: dispute})


def dispute_decided(table: Table, event: events.DisputeDecided) -> Table:
    dispute = replace(table.disputes[event.number], decision=event.decision)
    return replace(table, disputes={**table.disputes, event.number: dispute})


def review_requested(table: Table, event: events.ReviewRequested) -> Table:
    dispute = replace(table.disputes[event.number], review=True)
    return replace(table, disputes={**table.disputes, event.number: dispute})


def incident_recorded(table: Table, event: events.IncidentRecorded) -> Table:
    """Chips that a player of a session hid are remembered until the director acts on it."""
    contest, found = table.contest, {*event.people}
    if event.kind != "chips-hidden" or table.session is None:
        return table
    hiding, directed = contest.hiding | found, contest.directed - found
    return replace(table, contest=replace(contest, hiding=hiding, directed=directed))


def proposed(table: Table, event: events.Proposed) -> Table:
    proposal = Proposal(event.ask, event.person)
    return replace(
        table,
        proposals={**table.proposals, event.number: proposal},
        proposal_number=event.number,
    )


def proposal_over(table: Table, event: events.Approved | events.ProposalDropped) -> Table:
    return replace(table, proposals=without_proposal(table.proposals, event.number))


APPLY: events.Applies = {
    events.IrregularityRuled: irregularity_ruled,
    events.RulingAwaited: ruling_awaited,
    events.RulingGiven: ruling_given,
    events.CoupVoided: coup_voided,
    events.TransferReversed: transfer_reversed,
    events.ErrorNoted: same,
    events.DisputeRaised: dispute_raised,
    events.DisputeDecided: dispute_decided,
    events.ReviewRequested: review_requested,
    events.IncidentRecorded: incident_recorded,
    events.Proposed: proposed,
    events.Approved: proposal_over,
    events.ProposalDropped: proposal_over,
}
