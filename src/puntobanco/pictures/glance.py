"""A table at a glance: its rail and its seats on an arc, filled where somebody sits."""

from collections.abc import Collection
from math import cos, degrees, sin

WIDTH, HEIGHT = 380, 132
MIDDLE = (190, -420)
"""The middle of the circle that the seats lie on."""
RADIUS, HALF_ANGLE = 522, 0.345
RAIL = 26
"""From the middle of the seats to the middle of the rail."""


def glance(seats: int, taken: Collection[int], *, clockwise: bool = False) -> str:
    """The picture; seat 1 is at the viewer's left, or right where seats count clockwise."""
    rail = f'<circle class="rail" cx="{MIDDLE[0]}" cy="{MIDDLE[1]}" r="{RADIUS + RAIL}"/>'
    order = range(seats, 0, -1) if clockwise else range(1, seats + 1)
    drawn = "".join(
        _seat((2 * at + 1 - seats) / seats, taken=seat in taken) for at, seat in enumerate(order)
    )
    frame = f'viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="xMidYMax slice"'
    return f'<svg {frame} aria-hidden="true">{rail}{drawn}</svg>'


def _seat(across: float, *, taken: bool) -> str:
    """One seat, by how far across the arc it lies: from -1 to 1."""
    angle = HALF_ANGLE * across
    x, y = MIDDLE[0] + RADIUS * sin(angle), MIDDLE[1] + RADIUS * cos(angle)
    kind = "taken" if taken else "seat"
    turn = f"translate({x:.0f} {y:.0f})rotate({round(-degrees(angle))})"
    return f'<rect class="{kind}" x="-11" y="-9" width="22" height="18" rx="4" transform="{turn}"/>'
