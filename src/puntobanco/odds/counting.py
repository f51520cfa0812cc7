"""Player, Banker, Tie and Banker-on-6 of a composition: by the kernel, or in plain integers.

The kernel comes with the extra `sim` and takes microseconds. Without it the same numbers are
counted by `distribution`, some tens of milliseconds each, to the last digit.
"""

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec

from puntobanco.errors import MalformedError
from puntobanco.odds.composition import IMPOSSIBLE, MOST_CARDS, Composition
from puntobanco.odds.distribution import distribution
from puntobanco.rules.drawing import Tableau

Counts = tuple[int, int, int, int]
Counting = Callable[[tuple[int, ...], Tableau], Counts]


def count_plainly(by_value: tuple[int, ...], tableau: Tableau) -> Counts:
    """Count without the kernel, in Python's own integers."""
    if len(by_value) != 10 or min(by_value) < 0 or not 6 <= sum(by_value) <= MOST_CARDS:
        raise MalformedError(IMPOSSIBLE)
    ends = distribution(Composition(by_value), tableau)
    player, banker, tie = (ends.where(result=one) for one in ("player", "banker", "tie"))
    return player, banker, tie, ends.banker_on_6


@cache
def counting() -> Counting:
    """The function that counts: the kernel where the extra `sim` is installed, else plain integers.

    The kernel is imported, and so compiled, only when something is first counted.
    """
    if find_spec("numba") is None:
        return count_plainly
    from puntobanco.odds.kernel import count  # noqa: PLC0415  an extra

    return count
