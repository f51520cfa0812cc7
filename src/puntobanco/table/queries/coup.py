"""The coup in play: its wagers and lines."""

from msgspec.structs import replace

from puntobanco.rules.coup import Drawn
from puntobanco.rules.irregularities import NextCoup, Verdict
from puntobanco.rules.settle import Line, Outcome
from puntobanco.rules.wagers import Wager
from puntobanco.table.commands import RuleOn, VoidCoup
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.state import AtClose, LiveCoup, Proposal, Table


def live(table: Table) -> LiveCoup:
    assert table.coup is not None, "a coup is in play"
    return table.coup


def coups_at_hand(table: Table) -> bool:
    """Can a coup be put right? At a closed table one of its last opening, unless that was a
    competition's, or for play money.
    """
    chips_gone = table.is_contest or bool(table.play_cents)
    return table.is_open or (table.coup_number > table.coups_before and not chips_gone)


def at_close(table: Table, number: int) -> AtClose:
    """What held when the bets of a coup closed; what holds now, if they are still open."""
    coup = table.coup
    is_open = coup is not None and coup.number == number and not coup.locked
    past = (held for first, held in reversed(table.closes) if first <= number and not is_open)
    now = AtClose(table.gaming_day, table.warned, table.individual, table.places)
    return next(past, now)


def next_standing(table: Table) -> tuple[NextCoup, str, tuple[Drawn, ...]]:
    """What the next coup is as things are, opened or not, by which clause, and the cards that
    begin it.
    """
    if table.coup is None:
        return table.next_kind, table.next_clause, table.carried
    barred = table.coup.kind is CoupKind.NON_BETTING
    kind = NextCoup.NON_BETTING if barred else NextCoup.ORDINARY
    return kind, table.coup.kind_clause, table.coup.carried


def live_proposals(table: Table) -> dict[int, Proposal]:
    """The proposals that somebody can still approve: a coup that is void is not voided again, and
    what was to be ruled on went with it.
    """
    coup = table.coup
    if coup is None or coup.verdict is not Verdict.VOID:
        return table.proposals
    over = (VoidCoup,) if coup.found is not None else (VoidCoup, RuleOn)
    return {
        number: proposal
        for number, proposal in table.proposals.items()
        if not isinstance(proposal.ask, over)
    }


def with_wagers(kind: CoupKind) -> CoupKind:
    """What a coup was on which, as is known now, wagers lay."""
    return kind if kind.takes_wagers else CoupKind.ORDINARY


def is_same(one: Wager, other: Wager) -> bool:
    """The same player's wager on the same option of the same box."""
    return one.by == other.by and one.on == other.on and one.box == other.box


def beside_form(coup: LiveCoup, wager: Wager) -> bool:
    """Has a secret wager of the same player on the same option been announced in this coup?"""
    form = coup.forms.get(wager.by)
    return form is not None and form.wager is not None and is_same(form.wager, wager)


def abstentions(table: Table, coup: LiveCoup) -> dict[str, int]:
    """Rounds each seated player let pass while every other seat was in use [act-2015:14.6].

    Only such rounds count; one in which a seat was free, nobody could bet, or that was void
    neither counts nor breaks the row.
    """
    rule, seated = table.terms.rules.people.abstention, table.seated
    counts = coup.takes_wagers and coup.verdict is Verdict.STANDS
    if rule is None or not counts:
        return table.abstained
    bettors = {line.wager.by for line in coup.lines if line.outcome is not Outcome.RETURNED}
    full = len(seated) == table.terms.notice.seats
    kept = {person: rounds for person, rounds in table.abstained.items() if person not in bettors}
    if full:
        kept |= {
            person: kept.get(person, 0) + 1 for person in seated.values() if person not in bettors
        }
    return kept


def void_line(line: Line, clauses: tuple[str, ...]) -> Line:
    """A line as it stands once its transfers have gone back."""
    return replace(
        line,
        outcome=Outcome.VOID,
        returned_cents=line.wager.cents,
        won_cents=0,
        odds=None,
        breakage=(0, 1),
        clauses=clauses,
        warn=False,
    )
