"""How likely chance alone is as far off: tails of the normal and chi-square distributions, bounds
of a share, and the correction for many tests at once.
"""

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, sqrt

SURE = 2.5758293035489004
"""Standard deviations within which a normal value lies in 99 of 100 cases."""
MOST_STEPS, ENOUGH = 100_000, 1e-15


def normal_p(z: float) -> float:
    """How likely a normal value lies as far from the middle, to either side.

    >>> round(normal_p(SURE), 12), normal_p(0.0)
    (0.01, 1.0)
    """
    return erfc(abs(z) / sqrt(2))


def chi_square_p(found: float, freedom: int) -> float:
    """How likely chi-square with so many degrees of freedom is as large.

    >>> round(chi_square_p(3.841458820694124, 1), 9), round(chi_square_p(9.210340371976182, 2), 9)
    (0.05, 0.01)
    """
    if found <= 0:
        return 1.0
    shape, x = freedom / 2, found / 2
    scale = exp(shape * log(x) - x - lgamma(shape))
    return 1 - scale * _series(shape, x) if x < shape + 1 else scale * _fraction(shape, x)


def _series(shape: float, x: float) -> float:
    """The lower incomplete gamma function, but for its scale, below the middle."""
    term = total = 1 / shape
    for step in range(1, MOST_STEPS):
        term *= x / (shape + step)
        total += term
        if term < total * ENOUGH:
            break
    return total


def _fraction(shape: float, x: float) -> float:
    """The upper one, above it: a continued fraction, by Lentz's method."""
    tiny = 1e-300
    below = x + 1 - shape
    over, ratio = 1 / tiny, 1 / below
    total = ratio
    for step in range(1, MOST_STEPS):
        factor = -step * (step - shape)
        below += 2
        ratio = 1 / ((factor * ratio + below) or tiny)
        over = (below + factor / over) or tiny
        change = ratio * over
        total *= change
        if abs(change - 1) < ENOUGH:
            break
    return total


def share_between(times: int, of: int) -> tuple[float, float]:
    """Between which bounds a share lies in 99 of 100 cases, by what was counted (Wilson).

    >>> [round(bound, 4) for bound in share_between(50, 100)]
    [0.3753, 0.6247]
    """
    share, square = times / of, SURE**2 / of
    middle = (share + square / 2) / (1 + square)
    half = SURE * sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    return middle - half, middle + half


def corrected(found: Sequence[float]) -> list[float]:
    """Each p-value as it counts among so many tests (Holm): of true ones all together, one in a
    hundred times any falls below 0.01, however they hang together.

    >>> corrected([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(found)), key=found.__getitem__)
    least, adjusted = 0.0, [1.0] * len(found)
    for done, at in enumerate(order):
        least = max(least, min(1.0, found[at] * (len(found) - done)))
        adjusted[at] = least
    return adjusted
