"""The set of cards and the shoe: check, shuffle, cut, load, burn, and the end of it."""

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.irregularities import NextCoup
from puntobanco.rules.notice import Terms, faults
from puntobanco.rules.shoe import (
    DECK_SIZE,
    check_copies,
    check_cut,
    check_set,
    commitment,
    cut,
)
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import DIRECTOR, OVERSEER, acting, counting_roles, is_staff
from puntobanco.table.decide.dealing import copies_exceeded
from puntobanco.table.decide.opening import end_of_shoe, never_opened
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.competition import indicator_of
from puntobanco.table.queries.shoe import (
    burn_clause,
    cut_clause,
    is_over,
    offers,
    opening_is_due,
    shoe_order,
)
from puntobanco.table.state import UNLOADED, Life, Table


def check_cards(table: Table, ask: c.CheckCards, by: Actor) -> list[TableEvent]:
    """The check before play, on record with who made it [tas-2018:4.2, act-2015:2.5].

    A set players have handled may not come back [tas-2018:4.4]; one that was played with is
    checked at the end before another takes its place [tas-2018:4.3]. Where a player must check
    it [tas-2018:5.1], one at the table is named, or the lot of pre-checked cards. A card found
    amiss only once they were shuffled or cut: they are checked again, or others are, unless the
    house is bound to their order.
    """
    rules, pack = table.terms.rules.cards, table.pack
    _check_by(table, rules.check_by, rules.check, "check-cards", by)
    if pack.commitment and pack.life in UNLOADED:
        raise Refused(Reason.SHOE_OUT_OF_STEP, rules.check, life=pack.life)
    if ask.set_id in pack.retired and rules.handled_replaced:
        raise Refused(Reason.SET_RETIRED, rules.handled_replaced.clause, set_id=ask.set_id)
    if pack.check_due and ask.set_id != pack.set_id:
        raise Refused(Reason.CLOSING_CHECK_DUE, rules.check_at_end)
    complete = not ask.missing and not ask.surplus
    clauses = [rules.check]
    if complete and rules.players_check:
        _check_player(table, ask)
        if ask.player or ask.prechecked_lot:
            clauses.append(rules.players_check.clause)
    event = events.CardsChecked(
        ask.set_id,
        table.terms.notice.decks,
        by.person,
        ask.prechecked_lot,
        ask.player,
        ask.missing,
        ask.surplus,
        clauses=tuple(clauses),
    )
    return [event]


def _check_by(table: Table, role: str, clause: str, command: str, by: Actor) -> None:
    """Refuse anyone but the one the clause names [act-2015:2.5, 5.1]."""
    if role and Role(role) not in acting(table, by):
        raise Refused(Reason.NOT_YOUR_ROLE, clause, command=command, allowed=role)


def _check_player(table: Table, ask: c.CheckCards) -> None:
    rule = table.terms.rules.cards.players_check
    assert rule is not None
    if ask.prechecked_lot and not rule.unless_prechecked:
        raise Refused(Reason.PRECHECKED_NOT_PROVIDED, rule.clause)
    if ask.player and ask.player not in table.places:
        raise Refused(Reason.NOT_AT_TABLE, rule.clause, person=ask.player)
    if table.places and not ask.player and not ask.prechecked_lot:
        raise Refused(Reason.PLAYERS_CHECK_MISSING, rule.clause)


def shuffle(table: Table, ask: c.Shuffle, by: Actor) -> list[TableEvent]:
    """Shuffle a checked set, by hand or by an approved machine [tas-2018:5.1-5.2, act-2015:5.1].

    A virtual shoe is committed to here, before the cut and before any wager. If the one before
    it was never opened, that is on record too. Cards that nobody has committed to may be shuffled
    again until they are in the shoe: badly done, or some fell.
    """
    rules, pack = table.terms.rules.shoe, table.pack
    _check_by(table, rules.shuffle_by, rules.shuffle, "shuffle", by)
    committed = pack.commitment or ask.commitment
    again = pack.life in UNLOADED and not committed
    if pack.life is not Life.CHECKED and not again:
        clause = table.terms.rules.cards.check
        reason = Reason.CARDS_NOT_CHECKED if pack.life is Life.NONE else Reason.SHOE_OUT_OF_STEP
        raise Refused(reason, clause, life=pack.life)
    approval, clauses = "", [rules.shuffle]
    if ask.machine:
        approval = _approval(table, ask.machine)
        clauses = [rules.machine.clause if rules.machine else CONDITIONS]
    if pack.shuffles > again:
        clauses.append(rules.cut.later_clause or rules.shuffle)
    shuffled = events.CardsShuffled(
        by.person,
        ask.machine,
        approval,
        ask.commitment,
        again,
        clauses=tuple(dict.fromkeys(clauses)),
    )
    return [*never_opened(table), shuffled]


def _approval(table: Table, machine: str) -> str:
    rules, opened = table.terms.rules.shoe, table.opened
    if rules.machine is None:
        raise Refused(Reason.MACHINE_NOT_PROVIDED, rules.shuffle)
    approval = opened.machines.get(machine) if opened else None
    if approval is None:
        known = ", ".join(opened.machines) if opened and opened.machines else "none"
        raise Refused(
            Reason.MACHINE_NOT_APPROVED, rules.machine.clause, machine=machine, known=known
        )
    return approval


def add_words(table: Table, ask: c.AddWords, by: Actor) -> list[TableEvent]:
    """A seated player's words shuffle the order that the house is bound to once more, until the
    cards are cut: each player once, so that nobody tries words until one suits.
    """
    pack = table.pack
    if not pack.commitment:
        raise Refused(Reason.NOT_THE_HOUSES_SHOE, CONDITIONS)
    if pack.life is not Life.SHUFFLED:
        raise Refused(Reason.WORDS_TOO_LATE, CONDITIONS)
    seat = next((seat for seat, person in table.seated.items() if person == by.person), None)
    if seat is None:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=by.person)
    if any(person == by.person for person, _ in pack.words):
        raise Refused(Reason.WORDS_ADDED, CONDITIONS, person=by.person)
    return [events.WordsAdded(by.person, seat, ask.words)]


def refuse_cut(table: Table, ask: c.RefuseCut, by: Actor) -> list[TableEvent]:
    """The player to whom the cut is offered declines it."""
    person = _offered(table, ask.seat, by)
    return [events.CutRefused(ask.seat, person, clauses=(cut_clause(table),))]


def _offered(table: Table, seat: int, by: Actor) -> str:
    """The person in that seat, if the cut is theirs to make [tas-2018:5.3, 5.5, act-2015:5.2]."""
    clause, due = cut_clause(table), offers(table)
    if table.pack.life is not Life.SHUFFLED:
        raise Refused(Reason.SHOE_OUT_OF_STEP, clause, life=table.pack.life)
    any_player = table.terms.rules.shoe.cut.offered == "any-player"
    if seat not in (due if any_player else due[:1]):
        first = f"seat {due[0]}" if due else "the staff"
        raise Refused(Reason.CUT_NOT_OFFERED, clause, seat=seat, due=first)
    person = table.seated[seat]
    if person != by.person and not is_staff(table, by):
        raise Refused(Reason.NOT_YOURSELF, clause, person=person)
    return person


def cut_cards(table: Table, ask: c.CutCards, by: Actor) -> list[TableEvent]:
    """Not too near an end; by staff only when no player would [tas-2018:5.3, act-2015:5.2-5.3]."""
    rules, clause = table.terms.rules.shoe, cut_clause(table)
    if ask.seat is not None:
        person = _offered(table, ask.seat, by)
    else:
        if table.pack.life is not Life.SHUFFLED:
            raise Refused(Reason.SHOE_OUT_OF_STEP, clause, life=table.pack.life)
        if due := offers(table):
            raise Refused(Reason.CUT_IS_THE_PLAYERS, clause, due=f"seat {due[0]}")
        staff = Role(rules.cut.by_staff)
        if staff not in acting(table, by):
            raise Refused(Reason.NOT_YOUR_ROLE, clause, command="cut-cards", allowed=staff)
        person = by.person
    check_cut(ask.depth, table.terms)
    cited = tuple(dict.fromkeys((clause, rules.cut_depth.clause)))
    return [events.CardsCut(ask.depth, person, ask.seat, clauses=cited)]


def load_shoe(table: Table, ask: c.LoadShoe, by: Actor) -> list[TableEvent]:
    """Place the marker and put the cards into the shoe [tas-2018:5.4, 4.5, act-2015:5.3].

    The inspector may have an indicator card put in, two decks from the rear [tas-2018:16.5.1];
    elsewhere where the competition's conditions have it.
    """
    terms, rules = table.terms, table.terms.rules.shoe
    clause = rules.marker.clause if rules.marker else CONDITIONS
    if table.pack.life is not Life.CUT:
        raise Refused(Reason.SHOE_OUT_OF_STEP, clause, life=table.pack.life)
    behind = _behind(table, ask)
    indicator = None
    clauses = [clause, rules.container.clause]
    if ask.indicator:
        rule, inspectors = indicator_of(table), OVERSEER | DIRECTOR
        if rule is None:
            raise Refused(Reason.INDICATOR_NOT_PROVIDED, CONDITIONS)
        indicator = rule.decks_from_rear * DECK_SIZE
        if not table.is_contest:
            raise Refused(Reason.NOT_A_COMPETITION, rule.clause)
        if not acting(table, by) & inspectors:
            allowed = ", ".join(sorted(counting_roles(table, inspectors)))
            command = "load-shoe indicator=yes"
            raise Refused(Reason.NOT_YOUR_ROLE, rule.clause, command=command, allowed=allowed)
        clauses.append(rule.clause)
    assert table.opened is not None
    cards = terms.notice.decks * DECK_SIZE
    return [events.ShoeLoaded(table.opened.shoe, cards, behind, indicator, clauses=tuple(clauses))]


def _behind(table: Table, ask: c.LoadShoe) -> int | None:
    """Where the marker lies. What was not counted is not known, unless the rule fixes it."""
    terms, marker = table.terms, table.terms.rules.shoe.marker
    if ask.behind is not None:
        asked = replace(terms.notice, behind_marker=ask.behind)
        for refused in faults(asked, terms.rules):
            if refused.reason in (Reason.MARKER_FIXED, Reason.MARKER_TOO_SHALLOW):
                raise refused
        return ask.behind
    if marker is not None and marker.exact:
        return marker.behind
    return None


def burn_cards(table: Table, ask: c.BurnCards, _by: Actor) -> list[TableEvent]:
    """Burn the first card unseen, or expose it and burn as many as its value, as the dealer
    chooses; what was burned is recorded as it was, too many included [act-2015:5.4-5.6].
    """
    rule, shoe = table.terms.rules.shoe.burn, table.shoe
    due = table.burn_due
    if rule is None:
        raise Refused(Reason.BURN_NOT_PROVIDED, CONDITIONS)
    if not due:
        raise Refused(Reason.NOTHING_TO_BURN, burn_clause(table, rule))
    assert shoe is not None
    begun, gone = bool(table.pack.burned), ask.face_down + bool(ask.exposed)
    if begun and ask.exposed:
        raise Refused(Reason.BURN_OTHERWISE, rule.count)
    if not 1 <= gone <= shoe.left:
        raise Refused(Reason.BURN_MISCOUNT, rule.count, due=due, burned=gone)
    clauses = (rule.exposed, rule.count, rule.tens) if ask.exposed else (rule.unseen,)
    if begun:
        clauses = (rule.count,)
    burned = events.CardsBurned(ask.face_down, ask.exposed, clauses=clauses)
    return [burned, *copies_exceeded(table, evolve(table, burned))]


def change_cards(table: Table, ask: c.ChangeCards, by: Actor) -> list[TableEvent]:
    """After a round, like for like; dealer and supervisor check each card [act-2015:2.3]."""
    rule = table.terms.rules.cards.change
    if rule is None:
        raise Refused(Reason.CARD_CHANGE_NOT_PROVIDED, CONDITIONS)
    check_copies(ask.cards, table.terms)
    first = next(
        (proposal.person for proposal in table.proposals.values() if proposal.ask == ask), by.person
    )
    return [events.CardsChanged(ask.cards, (first, by.person), clauses=(rule.clause,))]


def end_shoe(table: Table, ask: c.EndShoe, _by: Actor) -> list[TableEvent]:
    """The cards leave the shoe: at its end, or before it for a reason on record."""
    assert table.shoe is not None
    if not is_over(table) and not ask.note.strip():
        skipped = table.next_clause if table.next_kind is NextCoup.NON_BETTING else ""
        raise Refused(Reason.SHOE_GOES_ON, skipped or table.terms.rules.shoe.last_coup.clause)
    return [end_of_shoe(table, ask.note)]


def check_cards_at_end(table: Table, ask: c.CheckCardsAtEnd, by: Actor) -> list[TableEvent]:
    """The check at the end of play, card by card [tas-2018:4.3, act-2015:2.5]."""
    clause = table.terms.rules.cards.check_at_end if table.notice else CONDITIONS
    if table.notice:
        _check_by(table, table.terms.rules.cards.check_by, clause, "check-cards-at-end", by)
    if not table.pack.check_due:
        raise Refused(Reason.NO_CHECK_DUE, clause)
    return [events.CardsCheckedAtEnd(by.person, ask.missing, ask.surplus, clauses=(clause,))]


def open_commitment(table: Table, ask: c.OpenCommitment, _by: Actor) -> list[TableEvent]:
    """Show the order of a virtual shoe once it is over; a false opening is on record as false."""
    if not opening_is_due(table):
        raise Refused(Reason.NOTHING_TO_OPEN, CONDITIONS)
    fault = _fault(table, ask)
    return [events.CommitmentOpened(ask.order, ask.salt, not fault, fault)]


def _fault(table: Table, ask: c.OpenCommitment) -> str:
    if commitment(ask.order, ask.salt) != table.pack.commitment:
        return "not what was committed to"
    try:
        check_set(ask.order, table.terms)
    except Refused:
        return "not the full set of cards"
    return "" if table.pack.life in UNLOADED else _differs(table, ask.order, table.terms)


def _differs(table: Table, order: Sequence[Card], terms: Terms) -> str:
    """Where the cards that left the shoe are not those of the order, cut as it was."""
    cards = cut(shoe_order(table, order), table.pack.cut_depth, terms)
    burned = table.pack.burned
    if burned and burned[0].card not in (None, cards[0]):
        return "the burned card was another"
    expected = iter(cards[len(burned) :])
    for number, position, card_drawn in table.drawn_in_order():
        if card_drawn.card not in (None, next(expected, None)):
            place = f"card {position} of coup" if position else "a card after coup"
            return f"{place} {number} was another"
    return ""


DECIDE: Decides = {
    c.CheckCards: check_cards,
    c.Shuffle: shuffle,
    c.AddWords: add_words,
    c.RefuseCut: refuse_cut,
    c.CutCards: cut_cards,
    c.LoadShoe: load_shoe,
    c.BurnCards: burn_cards,
    c.ChangeCards: change_cards,
    c.EndShoe: end_shoe,
    c.CheckCardsAtEnd: check_cards_at_end,
    c.OpenCommitment: open_commitment,
}
