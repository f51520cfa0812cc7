"""Chips, drawn: every denomination with its number, and stacks of them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

RISE = 0.2
"""How much of its radius a chip lies above the one below it."""
TALLEST = 7
"""The most chips of a stack that are drawn."""
LIGHT, DARK = "#fff6e6", "#16191d"


class Chip(NamedTuple):
    """One denomination and its colours, as `#rrggbb`."""

    cents: int
    face: str
    spot: str


def short(cents: int) -> str:
    """The number on a chip.

    >>> [short(cents) for cents in (50, 500, 2500, 100_000, 250_000, 100_000_000)]
    ['50c', '5', '25', '1K', '2.5K', '1M']
    """
    if cents < 100 or cents % 100:
        return f"{cents}c" if cents < 100 else f"{cents / 100:g}"
    units = cents // 100
    for size, letter in ((1_000_000, "M"), (1000, "K")):
        if units >= size:
            return f"{units / size:g}{letter}"
    return str(units)


def _shade(colour: str, by: float) -> str:
    """A colour darkened: the rim of a chip, and the ink of its number."""
    parts = [int(int(colour[at : at + 2], 16) * by) for at in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def symbol(chip: Chip) -> str:
    """A chip in a box of 100 by 108: the rim below its face gives a stack its height."""
    number = short(chip.cents)
    size = {1: 34, 2: 31, 3: 25}.get(len(number), 20)
    return (
        f'<symbol id="chip-{chip.cents}" viewBox="0 0 100 108">'
        f'<circle cx="50" cy="58" r="49" fill="{_shade(chip.face, 0.6)}"/>'
        f'<circle cx="50" cy="50" r="49" fill="{chip.face}"/>'
        f'<circle cx="50" cy="50" r="41.5" fill="none" stroke="{chip.spot}" stroke-width="15"'
        ' stroke-dasharray="15.6 27.86" stroke-dashoffset="7.8"/>'
        '<path d="M8 38A44 44 0 0 1 62 8" fill="none" stroke="#fff" stroke-opacity=".3"'
        ' stroke-width="5" stroke-linecap="round"/>'
        '<circle cx="50" cy="50" r="33" fill="#fbf6ea"/>'
        f'<circle cx="50" cy="50" r="29.5" fill="none" stroke="{chip.face}" stroke-width="1.5"'
        ' stroke-dasharray="3 2.6"/>'
        f'<text x="50" y="{50 + size * 0.36:g}" text-anchor="middle" font-family="sans-serif"'
        f' font-size="{size}" font-weight="700" fill="{DARK}">{number}</text></symbol>'
    )


def chips_file(chips: Iterable[Chip]) -> str:
    """The house's chips as one file: `chip-2500` is the one of 25."""
    drawn = "".join(map(symbol, chips))
    return f'<svg xmlns="http://www.w3.org/2000/svg">{drawn}</svg>'


def in_chips(cents: int, chips: Sequence[Chip]) -> list[int]:
    """An amount in the fewest chips, the largest first; what no chip can make is left out.

    >>> kinds = [Chip(cents, "#000000", LIGHT) for cents in (500, 2500, 10_000)]
    >>> in_chips(19_000, kinds)
    [10000, 2500, 2500, 2500, 500, 500, 500]
    """
    stack: list[int] = []
    for chip in sorted(chips, reverse=True):
        count, cents = divmod(cents, chip.cents)
        stack += [chip.cents] * count
    return stack


def stack(cents: int, radius: float, chips: Sequence[Chip], href: str) -> str:
    """A stack about (0, 0), the largest chips below; `href` is where the house's chips are."""
    pile = in_chips(cents, chips)[:TALLEST] or [min(chips).cents]
    rise = radius * RISE
    base = (len(pile) - 1) * rise / 2
    uses = "".join(
        f'<use href="{href}#chip-{value}" x="{-radius:.1f}" y="{base - radius - at * rise:.1f}"'
        f' width="{radius * 2:.1f}" height="{radius * 2.16:.1f}"/>'
        for at, value in enumerate(pile)
    )
    shadow = (
        f'<ellipse cx="{radius * 0.12:.1f}" cy="{radius * 0.3 + base:.1f}" rx="{radius * 1.04:.1f}"'
        f' ry="{radius:.1f}" opacity=".22"/>'
    )
    return shadow + uses
