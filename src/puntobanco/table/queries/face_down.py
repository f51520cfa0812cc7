"""Whose face-down cards are to turn, and which of them."""

from collections import Counter

from puntobanco.rules.coup import Side
from puntobanco.rules.documents.competition_rules import FaceDown
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table.actor import Role
from puntobanco.table.queries.competition import betting_order
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Table

FULL_HAND = 3
"""Cards of a hand that has drawn."""
BET_ON = {Side.PLAYER: Bet.PLAYER, Side.BANKER: Bet.BANKER}


def rule_of(table: Table) -> FaceDown:
    """How face-down play goes here; a competition may have a rule of its own."""
    rules = table.terms.rules
    own = rules.competition.face_down if table.is_contest else None
    return own or rules.dealing.face_down


def to_be_told(table: Table) -> tuple[Role, ...]:
    """Who must be told before the cards that a player asked for are dealt face down, and has not
    said so [tas-2018:9.3(e)].
    """
    play = table.face_down
    if not table.is_open or not play.asked_by or play.on:
        return ()
    return tuple(Role(one) for one in rule_of(table).informed if Role(one) not in play.informed)


def exposed_by(rule: FaceDown, side: Side | None) -> str:
    """The clause that says whose a hand is to turn; Banker's may have one of its own."""
    own = rule.banker_exposed_clause if side is Side.BANKER else ""
    return own or rule.exposed_clause


def in_line(table: Table, side: Side) -> tuple[str, ...]:
    """Who may be passed a hand, the first in line first; nobody: the dealer turns it.

    The seated player with the highest wager on it, then the next highest; of equals the lowest
    seat [tas-2018:9.3(a), 9.3(b), 9.3(c)]. In a competition, of equals the first in the order of
    betting, by the chips on the layout [tas-2018:16.7.1(a), 16.7.1(b), 16.7.2], where secret wagers
    lie only once they are told [tas-2018:16.6.11(c)]. Standing
    players never [tas-2018:6.4].
    """
    coup = live(table)
    gone = {person for at, person in coup.refused if at is side}
    if rule_of(table).exposed_by == "as-named":
        named = coup.named.get(side)
        return (named,) if named and named not in gone else ()
    seats = betting_order(table) if table.is_contest else sorted(table.seated)
    rank = {seat: place for place, seat in enumerate(seats)}
    bets = Counter[int]()
    for wager in coup.wagers:  # chips, and a form that was told before the cards
        mine = wager.box in rank and table.seated[wager.box] == wager.by not in gone
        if wager.on == BET_ON[side] and mine:
            bets[wager.box] += wager.in_time_cents
    line = sorted((-cents, rank[seat], seat) for seat, cents in bets.items() if cents)
    return tuple(table.seated[seat] for _, _, seat in line)


def face_down_position(table: Table, side: Side) -> int:
    """The first card of a hand that is still face down, counted as the cards left the shoe."""
    assert table.coup is not None
    hands = table.coup.hands(table.terms)
    hand = hands.player if side is Side.PLAYER else hands.banker
    return hand_positions(table, side)[hand.index(None)]


def hand_positions(table: Table, side: Side) -> tuple[int, ...]:
    """Which cards of the coup a hand is made of, counted as they left the shoe."""
    assert table.coup is not None
    third = 6 if len(table.coup.hands(table.terms).player) == FULL_HAND else 5
    return (1, 3, 5) if side is Side.PLAYER else (2, 4, third)
