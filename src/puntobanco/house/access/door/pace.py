"""How fast commands may come from outside: no person and no device can flood the house.

Each has a stock of commands that fills again with time. A person at work, a program that plays and
an electronic shoe stay far within it; bots of the house are no part of this, for they do not come
from outside.
"""

from collections import OrderedDict

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS

MOST_KEPT = 20_000
"""People and devices remembered at a time; the one longest quiet goes first."""
NOTED_MS = 10 * 60_000
"""Milliseconds in which the same person or device is put on record once."""


class Allowance(Struct, frozen=True):
    """How many commands may come at once, and how many a second for ever."""

    at_once: int
    a_second: int


A_PLAYER = Allowance(200, 10)
AT_WORK = Allowance(1000, 50)
"""Also for devices: a shoe draws for a dealer."""
TRIES = Allowance(20, 1)
"""Acts without the right to them, after which somebody is told."""


class Stock(Struct):
    """What is left, and when that was."""

    left: float
    at_ms: int
    noted_ms: int = -NOTED_MS
    """When it was last put on record that there was nothing left."""


class CommandPace:
    """The stock of everybody who has given a command lately."""

    def __init__(self) -> None:
        self._stocks: OrderedDict[str, Stock] = OrderedDict()

    def wait_ms(self, who: str, allowed: Allowance, now_ms: int) -> int:
        """Take one; 0, or how long it takes until there is one again."""
        stock = self._stocks.get(who) or Stock(allowed.at_once, now_ms)
        self._stocks[who] = stock
        self._stocks.move_to_end(who)
        while len(self._stocks) > MOST_KEPT:
            self._stocks.popitem(last=False)
        filled = (now_ms - stock.at_ms) * allowed.a_second / 1000
        stock.left, stock.at_ms = min(allowed.at_once, stock.left + filled), now_ms
        if stock.left < 1:
            return max(1, round((1 - stock.left) * 1000 / allowed.a_second))
        stock.left -= 1
        return 0

    def is_news(self, who: str, now_ms: int) -> bool:
        """Whether it was not put on record a short while ago that somebody has nothing left."""
        stock = self._stocks[who]
        if now_ms - stock.noted_ms < NOTED_MS:
            return False
        stock.noted_ms = now_ms
        return True


def too_fast(wait_ms: int) -> Refused:
    return Refused(Reason.TOO_FAST, CONDITIONS, seconds=-(-wait_ms // 1000))
