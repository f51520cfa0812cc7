"""The drawing table, and the coup as a fold over the cards in the order they left the shoe."""

from collections.abc import Iterable

from puntobanco.brief import Brief
from puntobanco.rules.cards import Card, points
from puntobanco.rules.coup import Coup, Drawn, Side

NO_CARD = 10
"""The column of the drawing table for a Player who stood."""

Cards = tuple[Card | None, ...]


class Tableau(Brief, frozen=True):
    """The rule for when a hand draws: one source for the engine, the odds and the simulation."""

    naturals: frozenset[int]
    """Points on the first two cards that end the coup."""
    player_draws: frozenset[int]
    banker_draws: tuple[tuple[bool, ...], ...]
    """By Banker's point 0 to 7, then by Player's third card 0 to 9 or NO_CARD."""


def fold(drawn: Iterable[Drawn], tableau: Tableau) -> Coup:
    """Give each card to the hand the sequence says, wherever the dealer put it.

    Cards go alternately, Player first [tas-2018:9.2, act-2015:6.2, mbs-2017:3.7]; then the
    drawing table says who is owed the next card, or nobody, and what is left over is excess.
    A face-down card is a Drawn without a card: the fold stops where it would have to know it.

    >>> import puntobanco as pb
    >>> pb.fold(pb.parse_drawn("9c Kd 2h 3s 5h 6d"), pb.load_ruleset("tas-2018").tableau).result
    <Result.BANKER: 'banker'>
    """
    drawn = tuple(drawn)
    cards = tuple(card.card for card in drawn)
    player, banker = cards[0:4:2], cards[1:4:2]
    if len(cards) < 4:
        return Coup(drawn, player, banker, Side.BANKER if len(cards) % 2 else Side.PLAYER)
    owed, hidden = _third(player, banker, tableau)
    for card in cards[4:]:
        if owed is None:
            break
        if owed is Side.PLAYER:
            player += (card,)
        else:
            banker += (card,)
        owed, hidden = _third(player, banker, tableau)
    return Coup(drawn, player, banker, owed, hidden)


def _third(player: Cards, banker: Cards, tableau: Tableau) -> tuple[Side | None, bool]:
    """Whose third card is next, and whether a face-down card hides the answer."""
    if len(banker) == 3:
        return None, False
    initial = [card for card in (*player[:2], *banker) if card is not None]
    if len(initial) < 4:
        return None, True
    player_points, banker_points = points(initial[:2]), points(initial[2:])
    if player_points in tableau.naturals or banker_points in tableau.naturals:
        return None, False
    row = tableau.banker_draws[banker_points]
    if len(player) == 2:
        if player_points in tableau.player_draws:
            return Side.PLAYER, False
        draws = row[NO_CARD]
    elif player[2] is not None:
        draws = row[player[2].points]
    else:  # a face-down third card hides nothing when Banker's row is all draws or all stands
        draws = row[0]
        if row[:NO_CARD] != (draws,) * NO_CARD:
            return None, True
    return (Side.BANKER if draws else None), False
