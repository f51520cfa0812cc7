"""What lies between two coups: cards drawn there, and what was found that bars the next."""

from puntobanco.rules.coup import Drawn
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Verdict, begins_next
from puntobanco.table import events
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Finding, LiveCoup, Table


def findings_in_force(table: Table) -> tuple[Finding, ...]:
    """The findings that bar the coup to come: those made since the last card of a coup."""
    return tuple(found for found in table.findings if found.coup >= _since(table))


def barring(table: Table) -> tuple[Finding, ...]:
    """Those that bar the next coup, opened or not: one made in a coup bars the one after it."""
    coup = table.coup
    return tuple(
        found for found in findings_in_force(table) if coup is None or found.coup < coup.number
    )


def _since(table: Table) -> int:
    coup = table.coup
    if coup is not None and not is_to_come(table):
        return coup.number
    return max((record.number for record in table.coups if record.drawn), default=0)


def is_to_come(table: Table) -> bool:
    """Is the next coup still without a card, opened or not?"""
    return table.coup is None or (not table.coup.drawn and table.coup.verdict is None)


def drawn_after(table: Table, number: int) -> tuple[Drawn, ...]:
    """The cards drawn after this coup and before another was opened."""
    return tuple(card for coup, card in table.pack.between if coup == number)


def since_last_coup(table: Table) -> tuple[Drawn, ...]:
    """The cards drawn since the last coup of which a card was dealt."""
    return tuple(card for coup, card in table.pack.between if coup >= _since(table))


def next_dealt(table: Table, number: int) -> CoupRecord | LiveCoup | None:
    """The first coup after this number that has a card."""
    coups: list[CoupRecord | LiveCoup] = [*table.coups, *([table.coup] if table.coup else [])]
    return next((coup for coup in coups if coup.number > number and coup.drawn), None)


def last_dealt(table: Table) -> CoupRecord | None:
    """The last coup that is over and has a card."""
    return next((past for past in reversed(table.coups) if past.drawn), None)


def left_by_coups(table: Table) -> tuple[Drawn, ...]:
    """The cards that the coups dealt so far left to the next, by their records: those in excess
    of the last; and of one that is void, those that stood in line before it and were not dealt.
    """
    line: list[Drawn] = []
    before = -1
    for record in table.coups:
        if not record.drawn:
            continue
        line += [card for number, card in table.pack.between if before <= number < record.number]
        line = [card for card in line if begins_next(card, table.terms)][record.begun :]
        if record.verdict is not Verdict.VOID:
            line = list(fold(record.drawn, table.terms.rules.tableau).excess)
        before = record.number
    return tuple(line)


def places_of(table: Table, carried: tuple[Drawn, ...]) -> list[tuple[int, int]]:
    """Where cards that wait to be dealt were drawn: the coup and its index there, or (below zero,
    from -1 on) the place among those drawn between coups. Empty if one is on no record.
    """
    coup = last_dealt(table)
    where = list[tuple[int, int, Drawn]]()
    if coup is not None and coup.verdict is not Verdict.VOID:
        own = len(coup.drawn) - len(fold(coup.drawn, table.terms.rules.tableau).excess)
        where += [(coup.number, at, coup.drawn[at]) for at in range(own, len(coup.drawn))]
    since = coup.number if coup else 0
    where += [
        (number, -1 - at, card)
        for at, (number, card) in enumerate(table.pack.between)
        if number >= since
    ]
    found, left = list[tuple[int, int]](), iter(where)
    for card in carried:  # each after the one before it
        place = next(((number, at) for number, at, drawn in left if drawn == card), None)
        if place is None:
            return []
        found.append(place)
    return found


def dealt_on(
    table: Table, number: int, now: tuple[Drawn, ...]
) -> tuple[tuple[Drawn, ...], tuple[Drawn, ...]]:
    """Of the cards drawn after a coup, those with which the next one began: on record, and as the
    cards are known now. Each of those cards is in the record of that coup, too.
    """
    after = next_dealt(table, number)
    if after is None:
        return (), ()
    terms = table.terms
    was = [card for card in drawn_after(table, number) if begins_next(card, terms)]
    then = [card for card in now if begins_next(card, terms)]
    began = min(len(was), max(0, after.begun - _ahead(table, number, after)))
    if len(then) <= began:
        return tuple(was[:began]), tuple(then)
    still = began
    for card, dealt in zip(then[began:], after.drawn[after.begun :], strict=False):
        if card.card is None or card.card != dealt.card:
            break
        still += 1
    return tuple(was[:began]), tuple(then[:still])


def _ahead(table: Table, number: int, after: CoupRecord | LiveCoup) -> int:
    """How many cards began the next coup before those drawn after this one: left over from the
    coup before, or drawn earlier.
    """
    terms = table.terms
    earlier = [past for past in table.coups if past.number < after.number and past.drawn]
    last = earlier[-1] if earlier else None
    stands = last is not None and last.verdict is not Verdict.VOID
    own = fold(last.drawn, terms.rules.tableau).excess if last and stands else ()
    first = last.number if last else 0
    between = [card for coup, card in table.pack.between if first <= coup < number]
    return sum(begins_next(card, terms) for card in (*own, *between))


def still_carried(table: Table, corrected: events.ExcessCorrected) -> tuple[Drawn, ...]:
    """The cards still to be dealt of a coup that has begun, those drawn before it put right."""
    coup, terms = live(table), table.terms
    began, begin = dealt_on(table, corrected.coup, corrected.cards)
    was = [card for card in corrected.was if begins_next(card, terms)][len(began) :]
    then = [card for card in corrected.cards if begins_next(card, terms)][len(begin) :]
    ahead = max(0, _ahead(table, corrected.coup, coup) + len(began) - coup.begun)
    first, rest = coup.carried[:ahead], coup.carried[ahead:]
    if not rest or list(rest[: len(was)]) != was:
        return coup.carried
    return (*first, *then, *rest[len(was) :])
