"""Whose the cut is, what is to be burned, when the marker came; and by which clauses."""

from collections.abc import Sequence

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Burn
from puntobanco.rules.irregularities import NextCoup
from puntobanco.rules.shoe import cut_offers, mixed_by_words
from puntobanco.table import commands as c
from puntobanco.table.state import UNLOADED, Table


def offers(table: Table) -> tuple[int, ...]:
    """Seats the cut is still to be offered to, the next one first; not where nobody has come."""
    expected, pack = table.contest.expected, table.pack
    seated = tuple(seat for seat, who in table.seated.items() if who not in expected)
    order = cut_offers(seated, table.terms, pack.last_cutter)
    return tuple(seat for seat in order if seat not in pack.cut_refused)


def cut_clause(table: Table) -> str:
    rule = table.terms.rules.shoe.cut
    later = table.pack.shuffles > 1 and rule.later_clause
    return rule.later_clause if later else rule.clause


def burn_clause(table: Table, rule: Burn) -> str:
    """The first card is burned unseen or exposed; one exposed counts those that follow it
    [act-2015:5.4, 5.5].
    """
    if table.pack.burned:
        return rule.count
    return rule.exposed if table.terms.notice.burn == "exposed" else rule.unseen


def is_over(table: Table) -> bool:
    """Can no coup start from the shoe any more?"""
    assert table.shoe is not None
    least = table.terms.rules.shoe.least_to_start.least
    return bool(table.shoe.ended) or table.shoe.left < least


def skips_a_coup(table: Table, ask: c.TableCommand) -> bool:
    """Would the shoe end instead of the non-betting coup that is ordered, by itself or with the
    table [tas-2018:14.1]? A session that is over orders none.
    """
    ends = isinstance(ask, c.EndShoe | c.CloseTable) and not table.contest.over
    ordered = table.shoe is not None and table.next_kind is NextCoup.NON_BETTING
    return ends and ordered and not is_over(table)


def ends_unplayed(table: Table, ask: c.TableCommand) -> bool:
    """Would one of the house's own shoes end of which no coup was dealt, by itself or with the
    table? Whoever could end one alone could do it again and again, until the order of the next
    one suited somebody; also by a report that no more coups are dealt from it.
    """
    ends = isinstance(ask, c.EndShoe | c.CloseTable) and bool(table.pack.commitment)
    if not ends or table.contest.over:
        return False
    if table.shoe is None:
        return table.pack.life in UNLOADED
    return not any(record.drawn for record in table.coups)


def shoe_order(table: Table, order: Sequence[Card]) -> tuple[Card, ...]:
    """The order of the house's own shoe before the cut: what it was bound to, and the words that
    players added.
    """
    pack = table.pack
    return mixed_by_words(order, pack.commitment, [words for _, words in pack.words])


def opening_is_due(table: Table) -> bool:
    """Is an order to be opened that the house has committed to: of a shoe that is over, or of cards
    that came into none before their table closed?
    """
    pack = table.pack
    unused = not table.is_open and bool(pack.commitment) and pack.life in UNLOADED
    return pack.opening_due or unused


def cards_suffice(table: Table) -> bool:
    """Can the coup in play be finished, by the count, whatever its cards will be?"""
    coup, shoe = table.coup, table.shoe
    if coup is None or shoe is None:
        return True
    third = 1 if len(coup.drawn) >= 4 and coup.hands(table.terms).owed is Side.BANKER else 2
    return shoe.left + len(coup.carried) >= max(0, 4 - len(coup.drawn)) + third


def marker_since_last_coup(table: Table) -> bool:
    """Has the marker come out only after the last coup that was dealt, so that the round of the
    marker is still to come [act-2015:5.7]?

    A shoe that ended with that coup, or grants one more round after it, had it in that coup.
    """
    shoe, dealt = table.shoe, [record for record in table.coups if record.drawn]
    if shoe is None or shoe.since_marker is None or not dealt:
        return False
    by_round = table.terms.rules.shoe.last_coup.rule == "round-of-marker"
    last = dealt[-1]
    since = sum(number >= last.number for number, _ in table.pack.between)
    went_on = not shoe.ended and shoe.extra_round == last.extra_round
    return by_round and went_on and shoe.since_marker <= since
