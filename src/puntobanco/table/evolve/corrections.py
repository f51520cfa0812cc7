"""What was on record and is put right: cards, wagers, burn, marker, payments."""

from collections import Counter

from msgspec.structs import replace

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn
from puntobanco.rules.irregularities import WORST_FIRST, NextCoup, Verdict
from puntobanco.rules.shoe import Last, Shoe, recounted, shoe_after_coup
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind, CoupRecord
from puntobanco.table.evolve.coup import bets_closed
from puntobanco.table.evolve.people import move_chips, same
from puntobanco.table.queries.between import (
    dealt_on,
    findings_in_force,
    next_dealt,
    still_carried,
)
from puntobanco.table.queries.coup import at_close, is_same, live, with_wagers
from puntobanco.table.state import LeftOver, LiveCoup, Table


def card_corrected(table: Table, event: events.CardCorrected) -> Table:
    """The real card is the one that was seen."""
    numbers = {record.number for record in table.coups} | {table.coup.number if table.coup else 0}
    seen = dict(table.pack.seen)
    if event.coup in numbers and seen.get(event.was):
        seen[event.was] -= 1
        seen = {card: count for card, count in seen.items() if count}
        seen[event.card] = seen.get(event.card, 0) + 1
        table = replace(table, pack=replace(table.pack, seen=seen))
    carried = _named_anew(table.carried, event)
    coup = table.coup
    if coup is None or coup.number != event.coup:
        live_coup = replace(coup, carried=_named_anew(coup.carried, event)) if coup else None
        return replace(table, carried=carried, coup=live_coup)
    drawn = replace_card(coup.drawn, event)
    return replace(table, coup=replace(coup, drawn=drawn, announced=_still_said(coup, drawn)))


def _still_said(coup: LiveCoup, drawn: tuple[Drawn, ...]) -> bool:
    """Are the points of the first four cards what was announced, whatever came after them?"""
    was, now = ([card.card for card in cards[:4]] for cards in (coup.drawn, drawn))
    return coup.announced and was == now


def _named_anew(carried: tuple[Drawn, ...], event: events.CardCorrected) -> tuple[Drawn, ...]:
    """A card left over that was keyed wrong begins the next coup under its right name."""
    for index, left_over in enumerate(carried):
        if left_over.card == event.was and event.left_over:
            right = replace(left_over, card=event.card)
            return (*carried[:index], right, *carried[index + 1 :])
    return carried


def replace_card(drawn: tuple[Drawn, ...], event: events.CardCorrected) -> tuple[Drawn, ...]:
    index = event.position - 1
    return (*drawn[:index], replace(drawn[index], card=event.card), *drawn[index + 1 :])


def coup_reopened(table: Table, event: events.CoupReopened) -> Table:
    """Wagers lie on the layout as they did before they were settled; those void stay void."""
    coup, back = live(table), event.wagers
    chips = dict(table.chips)
    for wager in back:
        chips[wager.by] = chips.get(wager.by, 0) - wager.cents
    coup = replace(
        coup,
        wagers=(*coup.wagers, *back),
        lines=tuple(line for line in coup.lines if line.wager not in back),
        verdict=None,
        result=None,
        left_over=LeftOver(),
        reopened=True,
    )
    return replace(table, coup=coup, chips=chips)


def record_replaced(table: Table, event: events.RecordReplaced) -> Table:
    """The record, or its digest if its shoe is over; and whether the shoe has ended after all."""
    record = event.record
    if record.number in table.past:
        return replace(table, past={**table.past, record.number: record.digest})
    coups = tuple(record if past.number == record.number else past for past in table.coups)
    shoe = table.shoe
    is_last = bool(coups) and coups[-1].number == record.number and table.coup is None
    if shoe is not None and is_last and record.drawn and table.next_kind is not NextCoup.NONE:
        shoe = ended_anew(shoe, record, table)
    if is_last and record.verdict is Verdict.VOID:  # its cards are in no coup at all
        table = replace(table, carried=(), next_kind=NextCoup.ORDINARY, next_clause="")
    return replace(table, coups=coups, shoe=shoe)


def ended_anew(shoe: Shoe, record: CoupRecord, table: Table) -> Shoe:
    """Whether the shoe has ended with its last coup, as that stands now."""
    before = replace(shoe, ended="", extra_round=record.extra_round)
    return shoe_after_coup(before, record.result, table.terms) if record.drawn else before


def payment_corrected(table: Table, event: events.PaymentCorrected) -> Table:
    chips = move_chips(table, event.person, event.cents)
    own = table.put_right.get(event.coup, {})
    own = {**own, event.person: own.get(event.person, 0) + event.cents}
    put_right = {**table.put_right, event.coup: own}
    bank = table.bank_cents - event.cents
    return replace(table, chips=chips, bank_cents=bank, put_right=put_right)


def cards_corrected(table: Table, event: events.CardsCorrected) -> Table:
    """The shoe has given as many cards as truly left it; an earlier coup's record follows."""
    coup = table.coup
    if coup is None or coup.number != event.coup:
        numbers = {record.number for record in table.coups}
        of_this_shoe = event.coup in numbers and not event.shuffled
        return _seen_anew(table, event.was, event.cards) if of_this_shoe else table
    carried = coup.carried if event.cards else ()  # among the cards, if any were dealt
    table = _seen_anew(table, (*event.was, *carried), event.cards)
    by_call = coup.called and table.terms.rules.wagers.close.at == "no-more-bets"
    coup = replace(
        coup,
        drawn=event.cards,
        carried=coup.carried[len(carried) :],
        begun=min(coup.begun + len(carried), len(event.cards)),
        announced=_still_said(coup, event.cards),
        locked=bool(event.cards) or not coup.takes_wagers or by_call,
    )
    return replace(table, coup=coup)


def _seen_anew(table: Table, was: tuple[Drawn, ...], now: tuple[Drawn, ...]) -> Table:
    """Cards that showed their faces, and cards that left the shoe, counted anew."""
    pack = replace(table.pack, seen=_seen_now(table, was, now))
    shoe = recounted(table.shoe, len(now) - len(was)) if table.shoe else None
    return replace(table, pack=pack, shoe=shoe)


def _seen_now(table: Table, was: tuple[Drawn, ...], now: tuple[Drawn, ...]) -> dict[Card, int]:
    seen = Counter(table.pack.seen)
    seen.subtract(card.card for card in was if card.card)
    seen.update(card.card for card in now if card.card)
    return {card: count for card, count in seen.items() if count > 0}


def shoe_recounted(table: Table, event: events.ShoeRecounted) -> Table:
    """The count as it is told; cards that no coup before had left over are the coup's own, or are
    still to be dealt.
    """
    assert table.shoe is not None
    shoe = replace(table.shoe, drawn=event.drawn, since_marker=event.since_marker)
    if event.goes_on:
        shoe = replace(shoe, ended="", extra_round=table.coups[-1].extra_round)
    if event.ends:
        shoe = replace(shoe, ended=event.clauses[0])
    coup = table.coup
    if coup is not None and coup.number == event.coup:
        carried = (*event.again, *coup.carried) if len(coup.drawn) == event.begun else coup.carried
        coup = replace(coup, begun=event.begun, carried=carried)
    coups = tuple(
        replace(past, begun=event.begun) if past.number == event.coup else past
        for past in table.coups
    )
    table = replace(table, shoe=shoe, coup=coup, coups=coups)
    return replace(table, pack=replace(table.pack, seen=_seen_again(table, event.again)))


def _seen_again(table: Table, again: tuple[Drawn, ...]) -> dict[Card, int]:
    """Cards that showed their faces, no more of each than all coups have on record."""
    on_record = Counter(card.card for coup in table.coups for card in coup.drawn)
    if table.coup is not None:
        on_record.update(card.card for card in (*table.coup.carried, *table.coup.drawn))
    seen = dict(table.pack.seen)
    for card in (left.card for left in again if left.card):
        if seen.get(card, 0) < on_record[card]:
            seen[card] = seen.get(card, 0) + 1
    return seen


def next_coup_ruled(table: Table, event: events.NextCoupRuled) -> Table:
    """The next coup may have been opened; then it takes wagers from now on, or none."""
    coup, clause = table.coup, event.next_clause
    if coup is not None:
        coup = _as_ruled(coup, event)
        table = table if coup.takes_wagers else bets_closed(table, coup.number)
        return replace(table, coup=replace(coup, carried=event.carried, carried_clause=clause))
    shoe = table.shoe
    assert shoe is not None
    if event.next_kind is NextCoup.NONE:
        shoe = shoe if shoe.ended else replace(shoe, ended=clause)
    else:
        shoe = ended_anew(shoe, table.coups[-1], table) if table.coups else replace(shoe, ended="")
    return replace(
        table,
        shoe=shoe,
        next_kind=event.next_kind,
        next_clause=clause,
        carried=event.carried,
        carried_clause=clause,
    )


def _as_ruled(coup: LiveCoup, event: events.NextCoupRuled) -> LiveCoup:
    if event.next_kind is NextCoup.NON_BETTING:
        kind = CoupKind.NON_BETTING
        return replace(coup, kind=kind, kind_clause=event.next_clause, locked=True)
    if coup.kind is CoupKind.NON_BETTING:
        kind, clause = CoupKind.ORDINARY, event.clauses[0]
        return replace(coup, kind=kind, kind_clause=clause, locked=False)
    return coup


def wager_corrected(table: Table, event: events.WagerCorrected) -> Table:
    """In the coup in play it lies as it is now known to have lain; of an earlier one only the
    record changes.
    """
    coup, wager = table.coup, event.wager
    if coup is None or coup.number != event.coup:
        return table
    lying = [other for other in coup.wagers if is_same(other, wager)]
    lay = sum(other.cents for other in lying)
    wagers = tuple(other for other in coup.wagers if other not in lying)
    held = at_close(table, coup.number)
    coup = replace(
        coup,
        kind=with_wagers(coup.kind),
        warned=coup.warned if coup.takes_wagers else held.warned,
        wagers=(*wagers, wager) if wager.cents else wagers,
        lines=(
            *(line for line in coup.lines if not is_same(line.wager, wager)),
            *event.void,
        ),
    )
    return replace(table, coup=coup, chips=move_chips(table, wager.by, lay - wager.cents))


def as_burned(exposed: Card | None, face_down: int) -> tuple[Drawn, ...]:
    """The cards of a burn, the exposed one first."""
    return (*([Drawn(exposed)] if exposed else []), *[Drawn()] * face_down)


def burn_corrected(table: Table, event: events.BurnCorrected) -> Table:
    made = as_burned(event.exposed, event.face_down)
    table = _seen_anew(table, table.pack.burned, made)
    return replace(table, pack=replace(table.pack, burned=made))


def finding_corrected(table: Table, event: events.FindingCorrected) -> Table:
    """It bars nothing any more; what else was found in the coup in play still does."""
    gone = [found for found in findings_in_force(table) if found.found is event.found]
    table = replace(table, findings=tuple(kept for kept in table.findings if kept not in gone))
    coup = table.coup
    if coup is None:
        return table
    others = [found for found in table.findings if found.coup == coup.number]
    left = min(others, key=lambda found: WORST_FIRST.index(found.next_kind), default=None)
    barred, clause = (left.next_kind, left.clause) if left else (NextCoup.ORDINARY, "")
    return replace(table, coup=replace(coup, barred=barred, barred_clause=clause))


def excess_corrected(table: Table, event: events.ExcessCorrected) -> Table:
    """The cards between two coups as they were; one that began the next is among its cards."""
    was, now = dealt_on(table, event.coup, event.cards)
    coup = table.coup
    if coup is not None and coup.drawn and coup is next_dealt(table, event.coup):
        table = replace(table, coup=replace(coup, carried=still_carried(table, event)))
    between = table.pack.between
    pack = replace(
        table.pack,
        between=(
            *(kept for kept in between if kept[0] < event.coup),
            *((event.coup, card) for card in event.cards),
            *(kept for kept in between if kept[0] > event.coup),
        ),
        seen=_seen_now(table, (*event.was, *now), (*event.cards, *was)),
    )
    more = len(event.cards) - len(event.was)
    shoe = recounted(table.shoe, more) if table.shoe else None
    return replace(table, pack=pack, shoe=shoe)


def marker_corrected(table: Table, _event: events.MarkerCorrected) -> Table:
    """Where the count put the marker, it is not: from now on only sight tells."""
    shoe = table.shoe
    assert shoe is not None
    behind = shoe.behind_marker
    if behind is not None and shoe.left <= behind:
        behind = None
    shoe = replace(shoe, since_marker=None, behind_marker=behind)
    if table.coups and table.coup is None and table.next_kind is not NextCoup.NONE:
        shoe = ended_anew(shoe, table.coups[-1], table)
    coup = replace(table.coup, last=Last.NO) if table.coup else None
    return replace(table, shoe=shoe, coup=coup)


APPLY: events.Applies = {
    events.CardCorrected: card_corrected,
    events.CardsCorrected: cards_corrected,
    events.ShoeRecounted: shoe_recounted,
    events.NextCoupRuled: next_coup_ruled,
    events.CopiesExceeded: same,
    events.WagerCorrected: wager_corrected,
    events.BurnCorrected: burn_corrected,
    events.MarkerCorrected: marker_corrected,
    events.FindingCorrected: finding_corrected,
    events.ExcessCorrected: excess_corrected,
    events.CoupReopened: coup_reopened,
    events.RecordReplaced: record_replaced,
    events.PaymentCorrected: payment_corrected,
}
