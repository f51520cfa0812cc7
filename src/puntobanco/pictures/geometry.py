"""Where everything on the felt lies, as plain numbers: size, seats and own seat in, places out.

An arc for a table seen whole; upright and sideways for a phone, where one's own box is large and
the others are small. Seats are given as they lie from the viewer's left to the right.
"""

from collections.abc import Sequence
from functools import cache
from math import asin, cos, degrees, pi, sin
from typing import NamedTuple

SHAPES: dict[str, tuple[int, int]] = {
    "wide": (1280, 508),
    "tablet": (1024, 476),
    "upright": (768, 690),
    "phone": (390, 662),
    "small": (360, 490),
    "sideways": (844, 296),
    "short": (640, 266),
}
"""The felts that are drawn, with width and height: a page asks for the one nearest to its room."""
ROWS = (
    (("player-pair", "banker-pair"), 0.22),
    (("tie",), 0.21),
    (("banker",), 0.285),
    (("player",), 0.285),
)
"""The areas of a box from the dealer outwards, with the share of its depth that each row has."""
NARROWEST, LOWEST = 640, 330
"""A felt that is narrower, or lower, is a phone's."""


class Spot(NamedTuple):
    """A point, and how far things there are turned, in degrees."""

    x: float
    y: float
    turn: float = 0.0


class Area(NamedTuple):
    """A place for wagers: its outline, its middle, and the room in it."""

    path: str
    at: Spot
    width: float
    height: float


class BoxPlace(NamedTuple):
    """One player's box."""

    seat: int
    own: bool
    areas: dict[str, Area]
    number: Spot
    number_r: float
    frame: str = ""
    name: Spot | None = None
    name_room: float = 0


class HandPlace(NamedTuple):
    """Two upright cards, a third across; the points towards the middle."""

    cards: tuple[Spot, Spot, Spot]
    card: float
    """The width of a card; it is 1.4 times as high."""
    points: Spot
    points_r: float
    label: Spot
    label_size: float
    label_anchor: str = "middle"


class Rectangle(NamedTuple):
    x: float
    y: float
    width: float
    height: float


class FeltLayout(NamedTuple):
    """The whole felt."""

    kind: str
    width: int
    height: int
    unit: float
    chip: float
    own_chip: float
    boxes: tuple[BoxPlace, ...]
    player: HandPlace
    banker: HandPlace
    ring: Spot
    ring_r: float
    headline: Spot
    headline_size: float
    note_size: float
    rail: str
    cloth: str
    shoe: Rectangle | None = None
    rack: Rectangle | None = None
    placard: Rectangle | None = None
    pager: Rectangle | None = None
    """Where the roads lie one swipe away, over the others' boxes."""


def _between(low: float, value: float, high: float) -> float:
    return min(high, max(low, value))


class Ring(NamedTuple):
    """A ring about a point above the table; angles from straight down, to the right positive."""

    x: float
    y: float

    def at(self, radius: float, angle: float) -> Spot:
        return Spot(self.x + radius * sin(angle), self.y + radius * cos(angle), -degrees(angle))

    def to(self, radius: float, angle: float) -> str:
        spot = self.at(radius, angle)
        return f"{spot.x:.1f} {spot.y:.1f}"

    def sector(self, inner: float, outer: float, start: float, end: float, corner: float) -> Area:
        """A box cut out of the ring, with round corners."""
        near, far = corner / inner, corner / outer
        path = (
            f"M{self.to(outer, start + far)}A{outer:.1f} {outer:.1f} 0 0 0 {self.to(outer, end - far)}"
            f"Q{self.to(outer, end)} {self.to(outer - corner, end)}L{self.to(inner + corner, end)}"
            f"Q{self.to(inner, end)} {self.to(inner, end - near)}"
            f"A{inner:.1f} {inner:.1f} 0 0 1 {self.to(inner, start + near)}"
            f"Q{self.to(inner, start)} {self.to(inner + corner, start)}"
            f"L{self.to(outer - corner, start)}Q{self.to(outer, start)} {self.to(outer, start + far)}Z"
        )
        middle = (inner + outer) / 2
        spot = self.at(middle, (start + end) / 2)
        return Area(path, spot, middle * (end - start), outer - inner)


def _cell(x: float, y: float, width: float, height: float, corner: float = 8) -> Area:
    across, down = width - 2 * corner, height - 2 * corner
    path = (
        f"M{x + corner:.1f} {y:.1f}h{across:.1f}q{corner} 0 {corner} {corner}v{down:.1f}"
        f"q0 {corner} {-corner} {corner}h{-across:.1f}q{-corner} 0 {-corner} {-corner}v{-down:.1f}"
        f"q0 {-corner} {corner} {-corner}Z"
    )
    return Area(path, Spot(x + width / 2, y + height / 2), width, height)


def _rows(bets: frozenset[str]) -> list[tuple[tuple[str, ...], float, float]]:
    """The rows of a box that has these areas, each with where it begins and ends, from 0 to 1."""
    kept = [(tuple(bet for bet in row if bet in bets), share) for row, share in ROWS]
    kept = [(row, share) for row, share in kept if row]
    whole, rows, done = sum(share for _, share in kept), [], 0.0
    for row, share in kept:
        rows.append((row, done, done + share / whole))
        done += share / whole
    return rows


# the arc


def _hand(sign: int, middle: float, top: float, card: float, gap: float, unit: float) -> HandPlace:
    tall, first = card * 1.4, gap + card / 2
    nearer, farther = (card + 6, 0.0) if sign < 0 else (0.0, card + 6)
    y = top + tall / 2
    cards = (
        Spot(middle + sign * (first + nearer), y),
        Spot(middle + sign * (first + farther), y),
        Spot(middle + sign * (gap + 2 * card + 14 + tall / 2), top + tall - card / 2, 90),
    )
    return HandPlace(
        cards,
        card,
        Spot(middle + sign * (gap - 44 * unit), y),
        24 * unit,
        Spot(middle + sign * (gap + card + 3), top - 15 * unit),
        14 * unit,
    )


def _edge(width: float, ring: Ring, radius: float, inset: float) -> str:
    """The table's edge: a far side beyond the top of the picture, round shoulders, one arc."""
    edge = asin(_between(-1, (ring.x - inset) / radius, 1))
    side = ring.y + radius * cos(edge)
    left, right = ring.to(radius, -edge * 0.93), ring.to(radius, edge * 0.93)
    return (
        f"M{inset:.1f} -400V{side - 40:.1f}Q{inset:.1f} {side + 4:.1f} {left}"
        f"A{radius:.1f} {radius:.1f} 0 0 0 {right}"
        f"Q{width - inset:.1f} {side + 4:.1f} {width - inset:.1f} {side - 40:.1f}V-400Z"
    )


class Curve(NamedTuple):
    """The ring on which the boxes of an arc lie."""

    ring: Ring
    outer: float
    depth: float
    unit: float
    band: float
    rail: float
    rows: Sequence[tuple[tuple[str, ...], float, float]]

    def box(self, seat: int, start: float, end: float, *, own: bool) -> BoxPlace:
        ring, outer, unit = self.ring, self.outer, self.unit
        inner, middle, slit = outer - self.depth, (start + end) / 2, 2 / (outer - self.depth)

        def area(begins: float, ends: float, left: float, right: float) -> Area:
            near, far = inner + begins * self.depth + 2, inner + ends * self.depth - 2
            return ring.sector(near, far, left, right, 6 * unit)

        areas: dict[str, Area] = {}
        for row, begins, ends in self.rows:
            halves = [(start, end)]
            if len(row) > 1:
                halves = [(start, middle - slit), (middle + slit, end)]
            for bet, (left, right) in zip(row, halves, strict=True):
                areas[bet] = area(begins, ends, left, right)
        frame = ring.sector(inner - 3, outer + 3, start - 0.003, end + 0.003, 9 * unit).path
        return BoxPlace(
            seat,
            own,
            areas,
            ring.at(outer + self.band * 0.56, middle),
            10.5 * unit,
            frame,
            ring.at(outer + self.band + self.rail * 0.5 + 3 * unit, middle),
            (end - start) * outer,
        )


def _arc(
    size: tuple[int, int], seats: Sequence[int], own: int, bets: frozenset[str], flat: float
) -> FeltLayout:
    width, height = size
    unit = _between(0.78, min(width / 1280, height / 500), 2)
    rail, band = 38 * unit, 30 * unit
    chord = width / 2 - 26 * unit
    drop = _between(40, height * 0.245 * flat, chord * 0.3)
    outer = (chord**2 + drop**2) / (2 * drop)
    ring = Ring(width / 2, height - rail - band - 6 * unit - outer)
    half, gap = asin(chord / outer), 9 * unit / outer
    curve = Curve(ring, outer, height * 0.335, unit, band, rail, _rows(bets))
    larger = 2.1 if width < 1150 else 1.75
    weights = [larger if seat == own else 1.0 for seat in seats]
    step, start, boxes = 2 * half / sum(weights), -half, []
    for seat, weight in zip(seats, weights, strict=True):
        end = start + weight * step
        boxes.append(curve.box(seat, start + gap / 2, end - gap / 2, own=seat == own))
        start = end
    card, top = min(height * 0.165, width * 0.0625), 42 * unit
    edge = rail * 0.42
    return FeltLayout(
        "arc",
        width,
        height,
        unit,
        14 * unit,
        17 * unit,
        tuple(boxes),
        _hand(-1, ring.x, top, card, 122 * unit, unit),
        _hand(1, ring.x, top, card, 122 * unit, unit),
        Spot(ring.x, top + card * 0.7),
        31 * unit,
        Spot(ring.x, top + card * 1.4 + 46 * unit),
        29 * unit,
        14 * unit,
        _edge(width, ring, outer + band + rail, 3),
        _edge(width, ring, outer + band, 3 + edge),
        shoe=Rectangle(width - 158 * unit - edge, 18 * unit, 134 * unit, 62 * unit),
        rack=Rectangle(14 * unit + edge, 110 * unit, 62 * unit, 36 * unit),
        placard=Rectangle(14 * unit + edge, 16 * unit, max(150, 176 * unit), 84 * unit),
    )


# phones


def _big_box(seat: int, at: Rectangle, bets: frozenset[str]) -> BoxPlace:
    """One's own box: pairs and Tie above, Player and Banker below their hands."""
    upper = [bet for bet in ("player-pair", "tie", "banker-pair") if bet in bets]
    gap, high = 6, at.height * 0.38
    third = (at.width - (len(upper) - 1) * gap) / len(upper)
    areas: dict[str, Area] = {
        bet: _cell(at.x + number * (third + gap), at.y, third, high - gap)
        for number, bet in enumerate(upper)
    }
    half, low = at.width / 2 - gap / 2, at.height - high
    areas["player"] = _cell(at.x, at.y + high, half, low, 12)
    areas["banker"] = _cell(at.x + half + gap, at.y + high, half, low, 12)
    return BoxPlace(seat, True, areas, Spot(at.x + at.width / 2, at.y + high), 0)


def _small_box(seat: int, at: Rectangle, bets: frozenset[str]) -> BoxPlace:
    areas: dict[str, Area] = {}
    for row, begins, ends in _rows(bets):
        wide = (at.width - 2 * (len(row) - 1)) / len(row)
        for number, bet in enumerate(row):
            x, high = at.x + number * (wide + 2), (ends - begins) * at.height - 2
            areas[bet] = _cell(x, at.y + begins * at.height, wide, high, 2)
    middle = at.x + at.width / 2
    return BoxPlace(seat, False, areas, Spot(middle, at.y + at.height + 10), 8)


def _small_boxes(seats: Sequence[int], at: Rectangle, bets: frozenset[str]) -> list[BoxPlace]:
    step = at.width / max(1, len(seats))
    return [
        _small_box(seat, Rectangle(at.x + number * step + 3, at.y, step - 6, at.height - 22), bets)
        for number, seat in enumerate(seats)
    ]


def _others(
    seats: Sequence[int], own: int, strip: Rectangle, room: Rectangle, bets: frozenset[str]
) -> list[BoxPlace]:
    """One's own box large and the others in a strip; who has none sees all boxes in two rows."""
    if own in seats:
        others = [seat for seat in seats if seat != own]
        return [*_small_boxes(others, strip, bets), _big_box(own, room, bets)]
    half = (len(seats) + 1) // 2
    top = min(strip.y, room.y)
    deep = max(strip.y + strip.height, room.y + room.height) - top
    row = Rectangle(strip.x, top, strip.width, deep / 2)
    if room.x > strip.x + strip.width - 1:  # beside one another: the strip stays, the room is free
        row = Rectangle(room.x, room.y, room.width, room.height / 2)
    below = Rectangle(row.x, row.y + row.height, row.width, row.height)
    return [
        *_small_boxes(seats[:half], row, bets),
        *_small_boxes(seats[half:], below, bets),
    ]


def _phone_hand(centre: float, top: float, card: float, unit: float) -> HandPlace:
    tall, r, size = card * 1.4, 13.5 * unit, 13 * unit
    left = centre - card - 3
    cards = (
        Spot(centre - card / 2 - 3, top + tall / 2),
        Spot(centre + card / 2 + 3, top + tall / 2),
        Spot(centre, top + tall + 5 + card / 2, 90),
    )
    points = Spot(max(centre + card + 3 - r, left + size * 5.6 + r), top - 23 * unit)
    return HandPlace(cards, card, points, r, Spot(left, top - 18 * unit), size, "start")


def _upright(
    size: tuple[int, int], seats: Sequence[int], own: int, bets: frozenset[str]
) -> FeltLayout:
    width, height = size
    stage, strip = height * 0.445, _between(70, height * 0.165, 110)
    card = min(width * 0.175, (stage - 122) / 2.45)
    unit = _between(0.85, height / 600, 1.3)
    top, below = 48 * unit, stage + strip
    others = Rectangle(8, stage, width - 16, strip - 8)
    room = Rectangle(10, below, width - 20, height - below - 12)
    sheet = _cell(0, -40, width, height + 40, 18).path
    return FeltLayout(
        "portrait",
        width,
        height,
        unit,
        7,
        _between(16, height * 0.034, 24),
        tuple(_others(seats, own, others, room, bets)),
        _phone_hand(width * 0.235, top, card, unit),
        _phone_hand(width * 0.765, top, card, unit),
        Spot(width / 2, top + card * 0.7),
        19 * unit,
        Spot(width / 2, stage - 34),
        22 * unit,
        13,
        sheet,
        sheet,
        pager=Rectangle(0, stage - 6, width, strip) if own in seats else None,
    )


def _sideways(
    size: tuple[int, int], seats: Sequence[int], own: int, bets: frozenset[str]
) -> FeltLayout:
    width, height = size
    left, strip, top = width * 0.5, 76, 42
    stage = height - strip
    card = min(left * 0.15, (stage - 106) / 2.45)
    others = Rectangle(8, stage, left - 16, strip - 6)
    room = Rectangle(left + 6, 8, width - left - 16, height - 18)
    sheet = _cell(0, -40, width, height + 40, 14).path
    return FeltLayout(
        "landscape",
        width,
        height,
        0.9,
        6,
        16,
        tuple(_others(seats, own, others, room, bets)),
        _phone_hand(left * 0.26, top, card, 0.9),
        _phone_hand(left * 0.74, top, card, 0.9),
        Spot(left / 2, top + card * 0.7),
        22,
        Spot(left / 2, stage - 30),
        19,
        12,
        sheet,
        sheet,
        pager=Rectangle(0, stage - 4, left, strip + 4) if own in seats else None,
    )


@cache
def layout(
    shape: str, seats: tuple[int, ...], own: int, bets: frozenset[str], flat: float = 1.0
) -> FeltLayout:
    """The felt of a shape for these seats and areas; `own` is 0 for whoever has no box.

    `flat` below 1 straightens the arc, as on a mini table.
    """
    size = SHAPES[shape]
    if size[0] < NARROWEST or shape == "upright":
        return _upright(size, seats, own, bets)
    if size[1] < LOWEST:
        return _sideways(size, seats, own, bets)
    return _arc(size, seats, own, bets, flat)


def round_of(layout: FeltLayout) -> float:
    """The length of the bet timer's ring."""
    return 2 * pi * layout.ring_r
