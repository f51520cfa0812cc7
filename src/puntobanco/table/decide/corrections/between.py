"""What was keyed between two coups and was not so: a finding about the shoe, a card drawn."""

from functools import reduce
from itertools import takewhile

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Drawn, Laid
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.irregularities import (
    WORST_FIRST,
    Found,
    NextCoup,
    begun_by,
    rule_between_coups,
)
from puntobanco.rules.shoe import Shoe, recounted, shoe_after_coup
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.decide.corrections.count import counted_anew
from puntobanco.table.decide.dealing import copies_exceeded
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.between import (
    barring,
    drawn_after,
    findings_in_force,
    is_to_come,
    last_dealt,
    left_by_coups,
    next_dealt,
    since_last_coup,
)
from puntobanco.table.queries.coup import next_standing
from puntobanco.table.state import Table


def correct_finding(table: Table, ask: c.CorrectFinding, _by: Actor) -> list[TableEvent]:
    """No card lay face up in the shoe, or nobody disturbed it: the next coup is what it would have
    been. A coup that was void for it stays void [tas-2018:14.4, 14.6, act-2015:12.2].
    """
    found = Found(ask.found)
    gone = [finding.clause for finding in findings_in_force(table) if finding.found is found]
    if not gone:
        raise Refused(Reason.NOT_FOUND_HERE, CONDITIONS, found=found)
    corrected = events.FindingCorrected(found, ask.note, clauses=tuple(dict.fromkeys(gone)))
    return [corrected, *_standing_anew(table, evolve(table, corrected))]


def correct_excess(table: Table, ask: c.CorrectExcess, _by: Actor) -> list[TableEvent]:
    """The cards drawn between two coups as they were, none of them or others: the shoe is counted
    anew, and while the next coup has no card, each is ruled on again [tas-2018:14.1-14.2,
    act-2015:12.2-12.3, mbs-2017:5.2].
    """
    _check_between(table, ask.coup)
    rules, shoe = table.terms.rules, table.shoe
    if shoe is None:
        raise Refused(Reason.NO_SHOE, CONDITIONS)
    was = drawn_after(table, ask.coup)
    now = tuple(Drawn(card.card, card.laid or Laid.NOWHERE) for card in ask.cards)
    if len(now) - len(was) > shoe.left:
        raise Refused(Reason.SHOE_EMPTY, rules.irregularities.insufficient_cards.clause)
    cited = (rules.dealing.from_shoe,)
    corrected = events.ExcessCorrected(ask.coup, was, now, ask.note, clauses=cited)
    counted: list[TableEvent] = [corrected, *counted_anew(table, corrected)]
    after = reduce(evolve, counted, table)
    follows = _standing_anew(table, after) if next_dealt(table, ask.coup) is None else []
    if now == was and not follows:
        raise Refused(Reason.AS_ON_RECORD, CONDITIONS)
    return [*counted, *copies_exceeded(table, after), *follows]


def _check_between(table: Table, number: int) -> None:
    """Refuse a place that is not between two coups of this shoe; and while a coup that is void
    without a card has not been ended, what it hands on.
    """
    coup = table.coup
    numbers = [record.number for record in table.coups]
    first = next(iter([*numbers, *([coup.number] if coup else [])]), table.coup_number + 1)
    keyed = {before for before, _ in table.pack.between}
    known = {first - 1, *numbers, *keyed, *([] if coup else [table.coup_number])}
    if number not in known:
        raise Refused(Reason.NO_SUCH_COUP, CONDITIONS, coup=number)
    if coup is not None and not coup.drawn and not is_to_come(table):
        raise Refused(Reason.END_VOID_COUP, CONDITIONS, coup=coup.number)


def _standing_anew(before: Table, table: Table) -> list[events.NextCoupRuled]:
    """What the next coup is by all that is on record: the coup before, its card left over, the
    cards drawn since and what was found; nothing if it stays as it is.
    """
    if not is_to_come(before):
        return []
    kind, _, carried = next_standing(before)
    own = _own(before, carried)
    then, clause, cards = _standing(before, table, own)
    if (then, cards) == (kind, carried):
        return []
    if then is not NextCoup.ORDINARY and table.coup is not None and table.coup.wagers:
        raise Refused(Reason.WAGERS_ON_NEXT, clause)
    cited = clause or table.terms.rules.dealing.from_shoe
    return [events.NextCoupRuled(then, clause, cards, clauses=(cited,))]


def _standing(
    before: Table, table: Table, own: tuple[Drawn, ...]
) -> tuple[NextCoup, str, tuple[Drawn, ...]]:
    terms, stray = table.terms, since_last_coup(table)
    shoe = _ended_by_coup(before, table, len(stray))
    rulings = [rule_between_coups(card, shoe, terms) for card in stray]
    says = [
        *([(NextCoup.NONE, shoe.ended)] if shoe.ended else []),
        *((found.next_kind, found.clause) for found in barring(table)),
        *(begun_by(card, terms) for card in own),
        *((ruling.next_coup, ruling.next_clause or ruling.clauses[-1]) for ruling in rulings),
    ]
    if table.coup is not None:  # a coup that was opened is dealt, if it is the last
        says = [said for said in says if said[0] is not NextCoup.NONE]
    kind, clause = min(
        says, key=lambda said: WORST_FIRST.index(said[0]), default=(NextCoup.ORDINARY, "")
    )
    return kind, clause, (*own, *(card for ruling in rulings for card in ruling.carried))


def _own(table: Table, carried: tuple[Drawn, ...]) -> tuple[Drawn, ...]:
    """The cards left over from the coup before, ahead of those drawn since. Of two that look
    alike the first is the coup's: the other may have been discarded at the end of the shoe, and
    this one still waits at its mouth [tas-2018:14.1].
    """
    drawn = list(since_last_coup(table))
    count = len(carried)
    while count and carried[count - 1] in drawn:
        while drawn.pop() != carried[count - 1]:
            pass
        count -= 1
    left = iter(left_by_coups(table))
    of_coup = takewhile(lambda card: card in left, carried)  # each after the one before it
    return carried[: max(count, len(tuple(of_coup)))]


def _ended_by_coup(before: Table, table: Table, stray: int) -> Shoe:
    """The shoe, ended if it has ended with the last coup and not by what came after."""
    shoe, last = table.shoe, last_dealt(table)
    assert shoe is not None
    assert before.shoe is not None
    if not before.shoe.ended or last is None:
        return replace(shoe, ended="")
    then = replace(recounted(shoe, -stray), ended="", extra_round=last.extra_round)
    return replace(shoe, ended=shoe_after_coup(then, last.result, table.terms).ended)


DECIDE: Decides = {c.CorrectFinding: correct_finding, c.CorrectExcess: correct_excess}
