"""A coup: the cards in the order they left the shoe, and the two hands they make."""

from collections.abc import Sequence
from enum import StrEnum
from typing import cast

from puntobanco import notebook
from puntobanco.brief import Brief
from puntobanco.rules.cards import Card, pair, points

Cards = tuple[Card, ...]


class Side(StrEnum):
    """One of the two hands, Player or Banker; people are patrons, boxes and seats.

    >>> import puntobanco as pb
    >>> pb.fold((), pb.load_ruleset("tas-2018").tableau).owed is pb.Side.PLAYER
    True
    """

    PLAYER = "player"
    BANKER = "banker"


class Result(StrEnum):
    """The result of a coup: the hand that won, or a tie.

    >>> import puntobanco as pb
    >>> [str(result) for result in pb.Result]
    ['player', 'banker', 'tie']
    """

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Laid(StrEnum):
    """The place where the dealer put a card that belonged somewhere else."""

    PLAYER = "player"
    BANKER = "banker"
    NOWHERE = "nowhere"
    """The card was drawn from the shoe and dealt to no hand."""


class Drawn(Brief, frozen=True):
    """One card as it left the shoe; leaving the shoe and being turned over are two facts."""

    card: Card | None = None
    """None while the card is face down and nobody has named it."""
    laid: Laid | None = None
    """None: the card lies where the sequence wanted it."""
    unseen: bool = False
    """Nobody had seen its face when it was found out of order; it was named later."""

    @property
    def is_seen(self) -> bool:
        return self.card is not None and not self.unseen


def pairs_of(drawn: Sequence[Drawn]) -> tuple[Side, ...]:
    """The hands whose first two cards are a pair by rank; a face-down card makes none.

    The first four cards go alternately, Player first, so nobody need know how the coup went on
    [tas-2018:15.6, act-2015:9.6].
    """
    cards = [one.card for one in drawn[:4]]
    hands = {Side.PLAYER: cards[0::2], Side.BANKER: cards[1::2]}
    return tuple(side for side, hand in hands.items() if len(hand) == 2 and _is_pair(*hand))


def _is_pair(first: Card | None, second: Card | None) -> bool:
    return first is not None and second is not None and pair(first, second) is not None


class Coup(Brief, frozen=True):
    """The cards of one coup, as `fold` gave them to the hands.

    >>> import puntobanco as pb
    >>> coup = pb.fold(pb.parse_drawn("9c Kd 2h 3s"), pb.load_ruleset("tas-2018").tableau)
    >>> coup.player_points, coup.banker_points, coup.owed
    (1, 3, <Side.PLAYER: 'player'>)
    """

    drawn: tuple[Drawn, ...] = ()
    player: tuple[Card | None, ...] = ()
    banker: tuple[Card | None, ...] = ()
    owed: Side | None = Side.PLAYER
    """The hand owed the next card, or None: the coup is over, or hidden."""
    hidden: bool = False
    """A face-down card must be turned before anyone can say who is owed a card."""

    def __repr__(self) -> str:
        hands = (" ".join(card or "??" for card in hand) for hand in (self.player, self.banker))
        if self.result:
            state = f"{self.result}, {self.player_points} to {self.banker_points}"
        else:
            state = f"a card for {self.owed}" if self.owed else "face down"
        return f"Coup({' / '.join(hands)}: {state})"

    def _repr_html_(self) -> str:
        """Both hands, in a notebook; a hand with a face-down card has no points to show."""
        hands = {"Player": self.player, "Banker": self.banker}
        rows = [
            (side, notebook.html_cards(hand), "" if None in hand else points(cast("Cards", hand)))
            for side, hand in hands.items()
        ]
        caption = f"{self.result.capitalize()}" if self.result else "not over"
        return notebook.html_table(("", "Cards", "Points"), rows, caption)

    @property
    def is_complete(self) -> bool:
        """Whether every card has been dealt and turned."""
        return self.owed is None and None not in self.player and None not in self.banker

    @property
    def excess(self) -> tuple[Drawn, ...]:
        """Cards drawn past the end of the coup; while it is hidden, cards no hand has yet."""
        return self.drawn[len(self.player) + len(self.banker) :]

    @property
    def player_points(self) -> int:
        return points(cast("Cards", self.player))

    @property
    def banker_points(self) -> int:
        return points(cast("Cards", self.banker))

    @property
    def result(self) -> Result | None:
        """Who won, or None while a card is owed or face down.

        Nine beats eight and so on down; equal points tie
        [tas-2018:10.3, act-2015:8.4-8.6, mbs-2017:3.10].
        """
        if not self.is_complete:
            return None
        player, banker = self.player_points, self.banker_points
        if player == banker:
            return Result.TIE
        return Result.PLAYER if player > banker else Result.BANKER

    @property
    def pairs(self) -> tuple[Side, ...]:
        """The hands whose first two cards are a pair."""
        return pairs_of(self.drawn)

    def given(self, index: int) -> Side | None:
        """The hand the sequence gave a card to; None for an excess card."""
        if index < 4:
            return Side.BANKER if index % 2 else Side.PLAYER
        if index == 4 and index < len(self.player) + len(self.banker):
            return Side.PLAYER if len(self.player) == 3 else Side.BANKER
        return Side.BANKER if index == 5 and len(self.banker) == 3 == len(self.player) else None

    def as_laid(self) -> "Coup":
        """The hands as the dealer laid them: what was announced, if nobody noticed an error."""
        hands: dict[str, list[Card | None]] = {side.value: [] for side in Side}
        for index, drawn in enumerate(self.drawn):
            where = drawn.laid or self.given(index)
            if where is not None and where != Laid.NOWHERE:
                hands[where.value].append(drawn.card)
        return Coup(self.drawn, tuple(hands["player"]), tuple(hands["banker"]), None)

    @property
    def misplaced(self) -> tuple[int, ...]:
        """Indexes of the cards that the dealer laid on the wrong hand [act-2015:12.5]."""
        return tuple(
            index
            for index, drawn in enumerate(self.drawn)
            if drawn.laid in (Laid.PLAYER, Laid.BANKER)
            and (side := self.given(index)) is not None
            and drawn.laid.value != side.value
        )
