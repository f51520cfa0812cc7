"""Cards leave the shoe and are turned over."""

from functools import reduce

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.announce import next_card_clause, no_card_clause, points_clauses
from puntobanco.rules.cards import points
from puntobanco.rules.coup import Coup, Drawn, Side
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import (
    WORST_FIRST,
    Found,
    NextCoup,
    Verdict,
    begun_by,
    lies_face_up,
    past_marker,
    rule_between_coups,
    rule_on,
)
from puntobanco.rules.shoe import Last, last_coup
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import acting
from puntobanco.table.decide.betting import lock
from puntobanco.table.decide.competition.secrets import lapsed
from puntobanco.table.decide.opening import check_staff
from puntobanco.table.decide.settling import ruled, settle_pairs_now
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.competition import indicator_of
from puntobanco.table.queries.coup import live, next_standing
from puntobanco.table.queries.face_down import exposed_by, rule_of
from puntobanco.table.queries.secrets import (
    announced_first,
    secret_rules,
    unexamined,
    unopened,
)
from puntobanco.table.state import Table


def draw_card(table: Table, ask: c.DrawCard, _by: Actor) -> list[TableEvent]:
    """One card leaves the shoe, for the hand that is owed it [tas-2018:9.2, act-2015:6.2,
    mbs-2017:3.7]; where the dealer put it elsewhere, or drew one that nobody was owed, that is
    said with the card. The first card locks the bets [tas-2018:6.3, act-2015:4.6].
    """
    terms = table.terms
    if table.coup is None:
        return _between_coups(table, ask)
    coup = table.coup
    if _is_early(table, ask):
        return _too_early(table, ask)
    if coup.carried:
        raise Refused(Reason.CARRIED_FIRST, coup.carried_clause)
    if coup.verdict is not None:
        return _after_result(table, ask)
    locked = _begin(table)
    hands = coup.hands(terms)
    clause = next_card_clause(hands, terms.rules) if hands.owed else _from_shoe(table)
    if hands.owed is None and ask.laid is None:
        _refuse_unowed(table, hands)
    if ask.card is None and hands.owed is not None and not coup.face_down:
        raise Refused(Reason.DEALT_FACE_UP, terms.rules.dealing.face_up)
    _check_shoe(table)
    cited = tuple(dict.fromkeys((clause, *_moment(table, hands))))
    drawn = [*locked, events.CardDrawn(ask.card, ask.laid, clauses=cited)]
    if coup.face_down and ask.card is not None and hands.owed is not None:
        drawn.append(_dealt_face_up(table))
    after = reduce(evolve, drawn, table)
    return [*drawn, *copies_exceeded(table, after), *after_card(after)]


def _dealt_face_up(table: Table) -> TableEvent:
    """A card of a face-down coup shows its face: it counts all the same, and is noted
    [tas-2018:9.3, act-2015:2.2].
    """
    return events.IncidentRecorded("dealt-face-up", "", clauses=(rule_of(table).clause,))


def _between_coups(table: Table, ask: c.DrawCard) -> list[TableEvent]:
    """No coup is open, and a card has left the shoe: said with where it was laid, it is a card in
    excess [tas-2018:14.2, act-2015:12.2-12.3]; otherwise nobody can have meant it.
    """
    if ask.laid is None:
        raise Refused(Reason.BETTING_NOT_OPEN, table.terms.rules.wagers.called)
    _check_shoe(table)
    drawn = events.ExcessCardDrawn(ask.card, ask.laid, clauses=(_from_shoe(table),))
    after = evolve(table, drawn)
    assert after.shoe is not None
    ruling = rule_between_coups(Drawn(ask.card, ask.laid), after.shoe, table.terms)
    return [drawn, *copies_exceeded(table, after), ruled(ruling)]


def _is_early(table: Table, ask: c.DrawCard) -> bool:
    """Has a card left the shoe, as its place tells, that cannot be the first of the coup yet: the
    call is still to come, nobody has turned it, or one left over is before it?
    """
    coup, call = live(table), table.terms.rules.wagers.close.call
    if ask.laid is None or coup.locked or coup.drawn or coup.verdict is not None:
        return False
    unnamed = ask.card is None and not coup.face_down
    return unnamed or bool(coup.carried) or bool(call and not coup.called)


def _too_early(table: Table, ask: c.DrawCard) -> list[TableEvent]:
    """A card came out while bets are made: it is one in excess, and this is the coup that it
    begins. Once it was seen nobody bets into it, and wagers are removed first; unseen, bets go on
    [act-2015:12.2-12.3, tas-2018:14.1-14.2, mbs-2017:5.2].
    """
    coup = live(table)
    _check_shoe(table)
    drawn = events.ExcessCardDrawn(ask.card, ask.laid, clauses=(_from_shoe(table),))
    after = evolve(table, drawn)
    assert after.shoe is not None
    ruling = rule_between_coups(Drawn(ask.card, ask.laid), after.shoe, table.terms)
    clause = ruling.next_clause or ruling.clauses[-1] if ruling.carried else coup.carried_clause
    barred = ruling.next_coup is NextCoup.NON_BETTING
    then = NextCoup.NON_BETTING if barred else NextCoup.ORDINARY
    carried = (*coup.carried, *ruling.carried)
    return [
        drawn,
        *copies_exceeded(table, after),
        *(_layout_cleared(table, ruling.clauses) if barred else ()),
        events.NextCoupRuled(then, clause, carried, clauses=ruling.clauses),
    ]


def _layout_cleared(table: Table, clauses: tuple[str, ...]) -> list[TableEvent]:
    """Wagers are removed before a coup on which nobody may bet [tas-2018:14.1, act-2015:12.2]."""
    coup = live(table)
    gone: list[TableEvent] = [events.WagerWithdrawn(lies, clauses=clauses) for lies in coup.wagers]
    return [*gone, *lapsed(table, coup.number, clauses)]


def _after_result(table: Table, ask: c.DrawCard) -> list[TableEvent]:
    """A card too many comes out once the coup is settled: what is left over is ruled anew."""
    coup, terms = live(table), table.terms
    if coup.verdict is Verdict.VOID:
        return _after_void(table, ask)
    if ask.laid is None:
        _refuse_unowed(table, coup.hands(terms))
    _check_shoe(table)
    drawn = events.CardDrawn(ask.card, ask.laid, clauses=(_from_shoe(table),))
    after = evolve(table, drawn)
    assert after.shoe is not None
    hands = live(after).hands(terms)
    ruling = rule_on(Found.CARDS_OUT_OF_ORDER, hands, after.shoe, terms, coup.last)
    return [drawn, *copies_exceeded(table, after), ruled(ruling)]


def _after_void(table: Table, ask: c.DrawCard) -> list[TableEvent]:
    """A card has left the shoe though the coup is void: it is of no coup, and in excess like one
    that is drawn between two [tas-2018:14.1-14.2, act-2015:12.2-12.3, mbs-2017:5.2].
    """
    left = live(table).left_over
    if ask.laid is None:
        void = table.terms.rules.settlement.void or CONDITIONS
        raise Refused(Reason.NO_CARD_IN_VOID_COUP, void, coup=table.coup_number)
    _check_shoe(table)
    drawn = events.ExcessCardDrawn(ask.card, ask.laid, clauses=(_from_shoe(table),))
    after = evolve(table, drawn)
    assert after.shoe is not None
    ruling = rule_between_coups(Drawn(ask.card, ask.laid), after.shoe, table.terms)
    found = ruled(ruling)
    if WORST_FIRST.index(left.next_kind) < WORST_FIRST.index(found.next_coup):
        found = replace(found, next_coup=left.next_kind, next_clause=left.clause)
    carried = (*left.cards, *found.carried) if found.next_coup is not NextCoup.NONE else ()
    return [drawn, *copies_exceeded(table, after), replace(found, carried=carried)]


def _from_shoe(table: Table) -> str:
    return table.terms.rules.dealing.from_shoe


def _moment(table: Table, hands: Coup) -> tuple[str, ...]:
    """The clauses of a card's place in the round: the first begins it [act-2015:d.round-of-play],
    third cards come once pairs are settled [act-2015:9.10].
    """
    rules, dealt = table.terms.rules, len(hands.drawn)
    by_card = rules.irregularities.next_begins == "first-card"
    if not dealt and by_card and rules.dealing.round_of_play:
        return (rules.dealing.round_of_play, rules.dealing.each_card)
    third = rules.settlement.third_cards if dealt == 4 and hands.owed else ""
    return tuple(clause for clause in (third, rules.dealing.each_card) if clause)


def _begin(table: Table) -> list[TableEvent]:
    """With its first card bets are locked, after the call the rules want; and nothing is dealt
    before everyone is there again whom they want [tas-2018:3, 16.2.7].
    """
    coup, close = live(table), table.terms.rules.wagers.close
    if not coup.drawn:
        check_staff(table)
        _check_forms(table)
    if coup.locked:
        return []
    if close.call and not coup.called:
        raise Refused(Reason.CALL_MISSING, close.call)
    return lock(table)


def _check_forms(table: Table) -> None:
    """No card before every form is examined; in the final's last coup, before they are told
    [tas-2018:16.6.7, 16.6.11(lead)].
    """
    waiting, rules = unexamined(live(table)), secret_rules(table)
    if waiting:
        seats = ", ".join(str(form.seat) for form in waiting.values())
        raise Refused(Reason.FORMS_UNEXAMINED, rules.examined, seats=seats)
    if announced_first(table) and unopened(table):
        raise Refused(Reason.FORMS_TOLD_FIRST, rules.last_coup or rules.announced)


def _refuse_unowed(table: Table, hands: Coup) -> None:
    rules = table.terms.rules
    if hands.hidden or not hands.is_complete:
        raise Refused(Reason.CARDS_FACE_DOWN, rule_of(table).clause)
    raise Refused(Reason.NOTHING_OWED, no_card_clause(hands, rules))


def _check_shoe(table: Table) -> None:
    """Refuse a card that cannot leave the shoe: it is empty."""
    assert table.shoe is not None
    if not table.shoe.left:
        clause = table.terms.rules.irregularities.insufficient_cards.clause
        raise Refused(Reason.SHOE_EMPTY, clause)


def copies_exceeded(before: Table, after: Table) -> list[events.CopiesExceeded]:
    """Flag cards that are on record once more now, and more often than the set holds them.

    One of them was keyed wrong, this one or an earlier, or is none of this set: the table plays
    on, and a correction or the check at the end of play settles it [tas-2018:4.3, act-2015:2.5].
    """
    decks, was, seen = after.terms.notice.decks, before.pack.seen, after.pack.seen
    clause = after.terms.rules.cards.decks.clause
    return [
        events.CopiesExceeded(card, copies, clauses=(clause,))
        for card, copies in seen.items()
        if copies > max(decks, was.get(card, 0))
    ]


def deal_carried(table: Table, ask: c.DealCarried, _by: Actor) -> list[TableEvent]:
    """A card left over from the coup before is dealt, and bets are locked now, not when it
    left the shoe [tas-2018:6.3, 14.1-14.2, act-2015:4.6, 12.2-12.3].
    """
    coup, excess = live(table), live(table).carried_clause
    if not coup.carried:
        clause = table.terms.rules.irregularities.excess[0].clause
        raise Refused(Reason.NOTHING_CARRIED, clause)
    known = coup.carried[0].card
    if known is not None and ask.card not in (None, known):
        raise Refused(Reason.CARD_IS_NAMED, excess, card=known)
    if known is None and ask.card is None:
        if lies_face_up(coup.carried[0], table.terms):
            raise Refused(Reason.DEALT_FACE_UP, excess)
        if not coup.face_down:
            raise Refused(Reason.DEALT_FACE_UP, table.terms.rules.dealing.face_up)
    named = known is None and ask.card is not None
    dealt = [
        *_begin(table),
        events.CarriedDealt(known or ask.card, named, clauses=(excess,)),
    ]
    after = reduce(evolve, dealt, table)
    return [*dealt, *copies_exceeded(table, after), *after_card(after)]


def turn_carried(table: Table, ask: c.TurnCarried, _by: Actor) -> list[TableEvent]:
    """A card left over has shown its face before it was dealt: nobody bets into it, and wagers
    that lie already are removed first [tas-2018:14.1-14.2, act-2015:12.2-12.3, mbs-2017:5.2].
    """
    kind, _, carried = next_standing(table)
    index = next((at for at, left in enumerate(carried) if left.card is None), None)
    if index is None:
        raise Refused(Reason.NOTHING_CARRIED, table.terms.rules.irregularities.excess[0].clause)
    seen = replace(carried[index], card=ask.card)
    by_card, clause = begun_by(seen, table.terms)
    then = min(kind, by_card, key=WORST_FIRST.index)
    turned = events.CarriedTurned(index + 1, ask.card, clauses=(clause,))
    lies = table.coup is not None and then is NextCoup.NON_BETTING
    cards = (*carried[:index], seen, *carried[index + 1 :])
    return [
        turned,
        *copies_exceeded(table, evolve(table, turned)),
        *(_layout_cleared(table, (clause,)) if lies else ()),
        events.NextCoupRuled(then, clause, cards, clauses=(clause,)),
    ]


def turn_card(table: Table, ask: c.TurnCard, by: Actor) -> list[TableEvent]:
    """A face-down card is turned over by its holder, or by the dealer [tas-2018:9.3]."""
    coup, clause = live(table), rule_of(table).clause
    if ask.position > len(coup.drawn):
        raise Refused(Reason.NO_SUCH_CARD, clause, position=ask.position)
    known = coup.drawn[ask.position - 1].card
    if known is not None:
        raise Refused(Reason.CARD_IS_NAMED, clause, card=known)
    side = coup.hands(table.terms).given(ask.position - 1)
    if Role.PATRON in acting(table, by):
        _check_holder(table, side, by.person)
    who = coup.held_by.get(side, by.person) if side else by.person
    turned = events.CardTurned(ask.position, ask.card, who, clauses=(clause,))
    after = evolve(table, turned)
    return [turned, *copies_exceeded(table, after), *after_card(after)]


def _check_holder(table: Table, side: Side | None, person: str) -> None:
    """A player turns only the hand before them, and only where the house says what a card is."""
    rule = rule_of(table)
    if side is None or live(table).held_by.get(side) != person:
        raise Refused(Reason.NOT_THE_HOLDER, exposed_by(rule, side))
    if not table.pack.commitment:
        raise Refused(Reason.DEALER_NAMES_CARDS, CONDITIONS)  # no document says who names a card


def after_card(table: Table) -> list[TableEvent]:
    """What follows of itself: points announced after the first four [tas-2018:10.1,
    mbs-2017:3.9], pairs that lie settled before third cards where the rules want it
    [act-2015:9.9-9.10], the last coup announced [tas-2018:9.4, act-2015:5.7].
    """
    coup, terms = live(table), table.terms
    hands = coup.hands(terms)
    follows: list[TableEvent] = []
    first = [card_drawn.card for card_drawn in coup.drawn[:4]]
    if len(first) == 4 and None not in first:
        follows += [] if coup.announced else [_points(table, coup.drawn[:4])]
        if terms.rules.settlement.pairs_paid == "before-third-cards":
            follows += settle_pairs_now(table, hands)
    assert table.shoe is not None
    last = last_coup(table.shoe, terms, 0 if hands.owed is None else 1)
    if coup.last is Last.NO and last is not Last.NO and not hands.excess:
        clause = terms.rules.shoe.last_coup.clause
        follows.append(events.LastCoupAnnounced(last, clauses=(clause,)))
    return follows


def _points(table: Table, dealt: tuple[Drawn, ...]) -> events.PointsAnnounced:
    """What is said after the initial deal, by its cards alone: a correction may come when third
    cards are dealt already [tas-2018:10.1].
    """
    rules = table.terms.rules
    initial = fold(dealt, rules.tableau)
    player, banker = (
        points(card for card in hand if card) for hand in (initial.player, initial.banker)
    )
    clauses = (rules.dealing.points, *points_clauses(initial, rules))
    return events.PointsAnnounced(player, banker, initial.owed, clauses=clauses)


def see_marker(table: Table, _ask: c.SeeMarker, _by: Actor) -> list[TableEvent]:
    """The marker comes out: from here the last coup is known [tas-2018:9.4, act-2015:5.7]. Seen
    before another card has left the shoe, it showed behind the one left over [tas-2018:14.2].
    """
    rules, shoe = table.terms.rules.shoe, table.shoe
    assert shoe is not None
    if shoe.since_marker is not None:
        raise Refused(Reason.MARKER_IS_OUT, rules.last_coup.clause)
    seen = events.MarkerSeen(clauses=(rules.last_coup.clause,))
    after = evolve(table, seen)
    if after.coup is not None and after.coup.verdict is not None:
        return [seen, *_seen_late(after)]
    discarded = _discarded_by_marker(after)
    after = reduce(evolve, discarded, after)
    return [seen, *discarded, *(after_card(after) if after.coup else ())]


def _discarded_by_marker(table: Table) -> list[TableEvent]:
    """A card that nobody saw begins no coup once the marker shows: it is discarded, and never
    goes back into the shoe [tas-2018:14.2].
    """
    kind, clause, carried = next_standing(table)
    kept, cited = past_marker(carried, table.terms)
    if not cited or (table.coup is not None and table.coup.drawn):
        return []
    return [events.NextCoupRuled(kind, clause, kept, clauses=cited)]


def _seen_late(table: Table) -> list[TableEvent]:
    """It came out in a coup that is settled: this was the last, and a card that was to begin the
    next is ruled on anew [act-2015:5.7, tas-2018:9.4, 14.2].
    """
    coup, terms = live(table), table.terms
    assert table.shoe is not None
    hands = coup.hands(terms)
    last = last_coup(table.shoe, terms, 0)
    follows: list[TableEvent] = []
    if hands.excess and coup.verdict is Verdict.STANDS:
        order = Found.CARDS_OUT_OF_ORDER
        follows.append(ruled(rule_on(order, hands, table.shoe, terms, coup.last)))
    elif coup.last is Last.NO and last is not Last.NO:
        clause = terms.rules.shoe.last_coup.clause
        follows.append(events.LastCoupAnnounced(last, clauses=(clause,)))
    return follows


def see_indicator(table: Table, _ask: c.SeeIndicator, _by: Actor) -> list[TableEvent]:
    """The indicator card comes out and is set aside; the coup is finished [tas-2018:16.5.2]."""
    rule = indicator_of(table)
    if rule is None or not table.pack.indicator:
        clause = rule.clause if rule else CONDITIONS
        raise Refused(Reason.NO_INDICATOR, clause)
    return [events.IndicatorSeen(clauses=(rule.seen_clause,))]


DECIDE: Decides = {
    c.DrawCard: draw_card,
    c.DealCarried: deal_carried,
    c.TurnCarried: turn_carried,
    c.TurnCard: turn_card,
    c.SeeMarker: see_marker,
    c.SeeIndicator: see_indicator,
}
