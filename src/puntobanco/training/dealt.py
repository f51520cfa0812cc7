"""Cards of a wanted shape: chance picks them, and the drawing table says whether they fit."""

from collections.abc import Callable
from random import Random  # noqa: TID251  what is dealt for training need only differ from run to run

from puntobanco.rules.cards import DECK, Card
from puntobanco.rules.coup import Coup, Drawn, Result, Side
from puntobanco.rules.drawing import Tableau, fold

PLACES = {"p": "@p", "b": "@b", "-": "@-", ".": ""}


def _won(coup: Coup) -> bool:
    return coup.result in (Result.PLAYER, Result.BANKER)


def _is_natural(coup: Coup) -> bool:
    return max(coup.player_points, coup.banker_points) >= 8


TRIES = 20_000
"""A shape comes about in a few tries; one that does not in so many cannot."""
SHAPES: dict[str, tuple[int, Callable[[Coup], bool]]] = {
    "card": (1, lambda _: True),
    "two": (2, lambda _: True),
    "banker_natural": (4, lambda coup: coup.result is Result.BANKER and _is_natural(coup)),
    "natural": (4, lambda coup: _won(coup) and _is_natural(coup)),
    "stood": (4, lambda coup: _won(coup) and not _is_natural(coup)),
    "tie": (4, lambda coup: coup.result is Result.TIE),
    "player_draws": (4, lambda coup: coup.owed is Side.PLAYER),
    "banker_draws": (4, lambda coup: coup.owed is Side.BANKER),
    "five": (5, lambda coup: len(coup.player) == 3 and _won(coup)),
    "five_owed": (5, lambda coup: len(coup.player) == 3 and coup.owed is Side.BANKER),
}
"""Each shape by name: how many cards it has, and the test that they must pass once dealt."""


class Dealt(tuple[Card, ...]):
    """Cards to be written into a line of a session."""

    __slots__ = ()

    def __format__(self, places: str) -> str:
        """Write the cards for a line of a session, each laid where its letter in `places` says."""
        laid = [PLACES[place] for place in places.ljust(len(self), ".")]
        return " ".join(f"{card}{where}" for card, where in zip(self, laid, strict=True))


class Cards:
    """Fills the braces in the lines of a scene; no card comes twice in a scene."""

    def __init__(self, seed: str, tableau: Tableau, amounts: dict[str, str]) -> None:
        self._random = Random(seed)  # noqa: S311  nobody's money hangs on it
        self._tableau = tableau
        self._amounts = amounts
        self._left = list(DECK)
        self._rest = Dealt()

    def __getitem__(self, name: str) -> object:
        """Give an amount by its name, or cards of a shape: all, or with `-two` the first two."""
        if name in self._amounts:
            return self._amounts[name]
        if name == "rest":
            return self._rest
        shape, _, part = name.partition("-")
        cards = self._shaped(shape)
        self._rest = Dealt(cards[2:])
        return Dealt(cards[:2]) if part else cards

    def _shaped(self, shape: str) -> Dealt:
        count, fits = SHAPES[shape]
        for _ in range(TRIES):
            cards = self._random.sample(self._left, count)
            if fits(fold((Drawn(card) for card in cards), self._tableau)):
                self._left = [card for card in self._left if card not in cards]
                return Dealt(cards)
        raise ValueError(f"there are no such cards left: {shape}")
