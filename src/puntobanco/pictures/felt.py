"""The felt, drawn as one picture in layers, each of which changes by itself.

`cloth` is the table, `box` each box of its layout with its words, `furniture` the shoe, rack and
placard, `stakes` the chips; `stage.py` draws the hands, the ring and what the dealer says. Every layer is complete without motion;
scripts only show the way there.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from puntobanco.pictures.chips import Chip, stack
from puntobanco.pictures.geometry import (
    Area,
    BoxPlace,
    FeltLayout,
    Rectangle,
    Spot,
)


class AreaOffer(NamedTuple):
    """A bet on offer, in words for the layout."""

    bet: str
    word: str
    """As on a box: `P PAIR`."""
    long: str
    """As on one's own box on a phone: `PLAYER PAIR`."""
    odds: str
    limits: str


class SeatMark(NamedTuple):
    """Something that lies beside the number of a box: puck, disc, marker, form."""

    kind: str
    letter: str
    told: str


class SeatDrawn(NamedTuple):
    """One box, as it is drawn for one viewer."""

    seat: int
    name: str
    """Who is there, or that it is free."""
    taken: bool
    href: str = ""
    """Where one takes this seat; empty if one cannot."""
    label: str = ""
    """What that is, for whoever does not see it."""
    marks: tuple[SeatMark, ...] = ()
    turn: bool = False
    notes: tuple[str, ...] = ()
    """Chips in a competition, and who stands here: told beside the name."""

    @property
    def told(self) -> str:
        """All of it in words."""
        return " · ".join((self.name, *self.notes, *(mark.told for mark in self.marks)))


class StakeDrawn(NamedTuple):
    """The chips on one area."""

    seat: int
    bet: str
    cents: int
    amount: str
    state: str = ""
    """`won`, `lost`, `back` (it goes back) or `late`; empty while it is at stake."""
    paid_cents: int = 0
    paid: str = ""
    order: int = 0
    """Its place in the order of taking and paying."""
    own: bool = False
    told: str = ""
    """The wager in words."""


class PictureFiles(NamedTuple):
    """Where the pictures of cards and chips are."""

    cards: str
    chips: str


def at_spot(spot: Spot) -> str:
    turned = f" rotate({spot.turn:.2f})" if spot.turn else ""
    return f"translate({spot.x:.1f} {spot.y:.1f}){turned}"


def lettered(words: str, kind: str, spot: Spot, size: float, anchor: str = "middle") -> str:
    anchored = f' text-anchor="{anchor}"' if anchor != "middle" else ""
    return (
        f'<text class="{kind}" x="{spot.x:.1f}" y="{spot.y:.1f}" font-size="{size:.1f}"{anchored}>'
        f"{escape(words)}</text>"
    )


# the layout


class Inside(NamedTuple):
    """Where word, amount, chips and payout lie in an area, about its middle."""

    word: Spot | None
    word_size: float
    anchor: str
    amount: Spot | None
    amount_size: float
    amount_anchor: str
    chips: Spot
    radius: float
    paid: Spot
    odds: Spot | None = None
    is_narrow: bool = False


def inside(at: FeltLayout, box: BoxPlace, area: Area) -> Inside:
    """Side by side where an area is wide, one above the other where it is tall."""
    radius = at.own_chip if box.own else at.chip
    if at.kind != "arc" and not box.own:
        small = min(radius, area.height * 0.45)
        return Inside(None, 0, "middle", None, 0, "middle", Spot(0, 0), small, Spot(-small, 0))
    return _in_ring(at, box, area, radius) if at.kind == "arc" else _in_cell(area, radius)


def _in_ring(at: FeltLayout, box: BoxPlace, area: Area, radius: float) -> Inside:
    unit, pad = at.unit, 8 * at.unit
    if area.width < (62 if box.own else 84) * unit:
        size = 10 * max(1, unit)
        return Inside(
            *(Spot(0, 4 * unit), size, "middle", None, 0, "middle"),
            *(Spot(0, 2 * unit), radius * 0.78, Spot(-radius * 0.7, 4 * unit)),
            is_narrow=True,
        )
    k, x = min(radius, area.height * 0.38), -area.width / 2 + pad
    chips = Spot(area.width / 2 - pad - k, 0)
    is_flat = area.height < 36 * unit and area.width > 110 * unit
    amount = Spot(x + 34 * unit, 5 * unit) if is_flat else Spot(x, 12 * unit)
    size = (13 if box.own and area.width >= 110 * unit else 11.5) * max(0.92, unit)
    over = (2.2 if area.width > 110 * unit else 0.8) if box.own else 0.45
    return Inside(
        *(Spot(x, 4 * unit if is_flat else -4 * unit), size, "start"),
        *(amount, (15 if box.own else 12) * max(1, unit), "start"),
        *(chips, k, Spot(chips.x - k * over, 0 if box.own else 4)),
    )


def _in_cell(area: Area, radius: float) -> Inside:
    tall = area.width > 140
    word = Spot(0, -area.height / 2 + (27 if tall else 18))
    y = area.height * (0.2 if tall else 0.27)
    odds = Spot(0, word.y + (18 if tall else 13))
    x, k = -area.width / 2 + radius + 8, min(radius, area.height * 0.2)
    if tall:
        return Inside(
            *(word, 18, "middle", Spot(radius * 1.6, y + 6), 17, "start"),
            *(Spot(0, y), radius * 1.15, Spot(-radius * 2.5, y)),
            odds=odds,
        )
    return Inside(
        *(word, 10.5 if area.width < 105 else 12, "middle"),
        *(Spot(area.width / 2 - 8, y + 6), 14, "end"),
        *(Spot(x, y), k, Spot(x + k * 0.72, y + 2)),
        odds=odds,
    )


def _lettering(at: FeltLayout, box: BoxPlace, area: Area, offer: AreaOffer) -> str:
    place = inside(at, box, area)
    if place.word is None:
        return ""
    if at.kind == "arc":
        short = offer.word[0] if place.is_narrow and area.width < 50 else offer.word
        return lettered(short, "word", place.word, place.word_size, place.anchor)
    words = lettered(offer.long, "word", place.word, place.word_size)
    assert place.odds is not None
    if area.width > 140:
        return words + lettered(f"{offer.odds} · {offer.limits}", "odds", place.odds, 12)
    below = Spot(0, place.odds.y + 12)
    hidden = "odds under" if area.height < 80 else "odds"  # by chips that lie there
    return (
        words
        + lettered(offer.odds, "odds", place.odds, 10.5)
        + lettered(offer.limits, hidden, below, 10.5)
    )


def _area(at: FeltLayout, box: BoxPlace, offer: AreaOffer, labels: Mapping[str, str]) -> str:
    area = box.areas[offer.bet]
    kinds = f"area {offer.bet}" + (" own" if box.own else "")
    drawn = (
        f'<path d="{area.path}"/><g transform="{at_spot(area.at)}">'
        f"{_lettering(at, box, area, offer)}</g>"
    )
    where = f'data-seat="{box.seat}" data-bet="{offer.bet}"'
    label = labels.get(offer.bet, "") if box.own else ""
    if not label:
        return f'<g class="{kinds}" {where}>{drawn}</g>'
    place = inside(at, box, area)
    return (
        f'<g class="{kinds}" {where} role="button" tabindex="0" aria-label="{escape(label)}"'
        f' data-chips="{place.chips.x:.1f} {place.chips.y:.1f} {place.radius:.1f}"'
        f' data-why="{_why(at, area, place)}">{drawn}</g>'
    )


def _why(at: FeltLayout, area: Area, place: Inside) -> str:
    """Where a refusal is said in an area: its place, anchor and room; under the word."""
    spot, anchor = place.amount, place.amount_anchor
    if at.kind != "arc" or spot is None:
        spot, anchor = place.odds or Spot(0, area.height / 2 - 5), "middle"
    room = area.width / 2 - spot.x - 8 * at.unit if anchor == "start" else area.width - 12
    return f"{spot.x:.1f} {spot.y:.1f} {anchor} {room:.0f}"


def _plate(at: FeltLayout, box: BoxPlace, seat: SeatDrawn) -> str:
    """The number of a box, what lies beside it, and who is there."""
    parts, r = [], box.number_r
    if r:
        parts.append(
            f'<g class="number" transform="{at_spot(box.number)}"><circle r="{r:.1f}"/>'
            f"{lettered(str(seat.seat), '', Spot(0, r * 0.38), r * 1.1)}</g>"
        )
    parts.extend(_mark(box, number, mark) for number, mark in enumerate(seat.marks))
    if box.name is not None:
        size = 12.5 * at.unit
        shown = shortened(seat.name, seat.notes, int(box.name_room / (size * 0.56)))
        parts.append(
            f'<g transform="{at_spot(box.name)}"><title>{escape(seat.told)}</title>'
            f"{lettered(shown, 'name', Spot(0, size * 0.35), size)}</g>"
        )
    return "".join(parts)


def shortened(name: str, notes: Sequence[str], most: int) -> str:
    """A name in this many letters; notes, which are figures, are never cut.

    >>> shortened("Bartholomew", ["12,500"], 16), shortened("Mei", [], 16)
    ('Barthol… · 12,500', 'Mei')
    """
    beside = "".join(f" · {note}" for note in notes)
    room = max(5, most - len(beside) + 1)
    return (name if len(name) <= room else name[: room - 1].rstrip() + "…") + beside


def _mark(box: BoxPlace, number: int, mark: SeatMark) -> str:
    """Right and left of the number in turn; where a box has none, on its seam."""
    r = box.number_r or 10
    step = number // 2 + (1 if box.number_r else 0)
    x = r * 2.1 * (step if number % 2 == 0 else -step - (0 if box.number_r else 1))
    return (
        f'<g class="mark {mark.kind}" transform="{at_spot(box.number)}"><title>{escape(mark.told)}</title>'
        f'<circle cx="{x:.1f}" r="{r * 0.9:.1f}"/>'
        f"{lettered(mark.letter, '', Spot(x, r * 0.36), r)}</g>"
    )


def box(
    at: FeltLayout,
    place: BoxPlace,
    seat: SeatDrawn,
    offers: Sequence[AreaOffer],
    labels: Mapping[str, str],
) -> str:
    """One box with its areas, its number, what lies beside it and who is there.

    `labels` says of each area of one's own box what pressing it does; without, none is pressed.
    """
    states = [("own", place.own), ("free", not seat.taken), ("turn", seat.turn)]
    kinds = " ".join(["box", *(kind for kind, is_so in states if is_so)])
    frame = f'<path class="frame" d="{place.frame}"/>' if place.frame else ""
    areas = "".join(_area(at, place, one, labels) for one in offers if one.bet in place.areas)
    drawn = frame + areas + _plate(at, place, seat)
    if seat.href:
        drawn = f'<a class="sit" href="{escape(seat.href)}" aria-label="{escape(seat.label)}">{drawn}</a>'
    told = escape(f"{seat.seat} · {seat.told}")
    return f'<g class="{kinds}" data-seat="{seat.seat}" data-told="{told}">{drawn}</g>'


def cloth(at: FeltLayout, caption: str = "") -> str:
    """The table without its boxes; the caption names the layout."""
    top = Spot(at.headline.x, 13 * at.unit)
    return f'<path class="rail" d="{at.rail}"/><path class="cloth" d="{at.cloth}"/>' + (
        lettered(caption, "caption", top, 9.5 * at.unit) if at.kind == "arc" else ""
    )


DEFINED = (
    '<defs><radialGradient id="cloth" cx=".5" cy=".22" r=".78"><stop class="felt-1"/>'
    '<stop class="felt-2" offset=".55"/><stop class="felt-3" offset="1"/></radialGradient>'
    '<linearGradient id="rail" y2="1" x2="0"><stop class="rail-2" offset=".3"/>'
    '<stop class="rail-1" offset=".9"/><stop class="rail-2" offset="1"/></linearGradient>'
    "</defs>"
)
"""What the cloth is painted with; once in the picture, for all layers."""


# the furniture

LETTER_WIDE = 0.52
"""Of a letter's height, on average."""


class ShoeDrawn(NamedTuple):
    tenths: int
    marker: bool
    """The marker has come."""
    label: str
    note: str


def furniture(
    at: FeltLayout, shoe: ShoeDrawn | None, placard: Sequence[tuple[str, str]], dealt: str
) -> str:
    """The shoe as full as it looks, the discard rack, and the limits on their placard."""
    if at.shoe is None or at.rack is None or at.placard is None:
        return ""
    drawn = _placard(at, at.placard, placard)
    if shoe is not None:
        drawn += _shoe(at, at.shoe, shoe) + _rack(at, at.rack, shoe, dealt)
    return drawn


def _shoe(at: FeltLayout, place: Rectangle, shoe: ShoeDrawn) -> str:
    u = at.unit
    room, tall = place.width - 30 * u, place.height - 14
    block = room * shoe.tenths / 10
    marker = (
        f'<path class="marker" d="M{22 * u + block:.1f} 5v{place.height - 10:.1f}"/>'
        if shoe.marker
        else ""
    )
    below = Spot(place.width / 2, place.height + 17 * u)
    return (
        f'<g class="shoe" transform="translate({place.x:.1f} {place.y:.1f})">'
        f"<title>{escape(shoe.label)}</title>"
        f'<rect class="acrylic dark" width="{place.width:.1f}" height="{place.height:.1f}" rx="{8 * u:.1f}"/>'
        f'<rect class="channel" x="{22 * u:.1f}" y="7" width="{room:.1f}" height="{tall:.1f}" rx="3"/>'
        f'<rect class="edges" x="{22 * u:.1f}" y="7" width="{block:.1f}" height="{tall:.1f}" rx="2"/>{marker}'
        f'<path class="nose" d="M0 {8 * u:.1f}q0-{8 * u:.1f} {8 * u:.1f}-{8 * u:.1f}h{12 * u:.1f}'
        f'v{place.height:.1f}h-{12 * u:.1f}q-{8 * u:.1f} 0-{8 * u:.1f}-{8 * u:.1f}Z"/>'
        f"{lettered(shoe.note, 'small', below, max(11, 12 * u))}</g>"
    )


def _rack(at: FeltLayout, place: Rectangle, shoe: ShoeDrawn, dealt: str) -> str:
    u, high = at.unit, (place.height - 8) * (10 - shoe.tenths) / 10
    beside = Spot(place.width + 8 * u, place.height / 2 + 4 * u)
    return (
        f'<g class="discards" transform="translate({place.x:.1f} {place.y:.1f})">'
        f'<rect class="acrylic" width="{place.width:.1f}" height="{place.height:.1f}" rx="{5 * u:.1f}"/>'
        f'<rect class="edges" x="4" y="{place.height - 4 - high:.1f}" width="{place.width - 8:.1f}"'
        f' height="{high:.1f}" rx="2"/>{lettered(dealt, "small", beside, max(11, 12 * u), "start")}</g>'
    )


def _placard(at: FeltLayout, place: Rectangle, rows: Sequence[tuple[str, str]]) -> str:
    u, size = at.unit, max(11, 12 * at.unit)
    lines = []
    for number, (name, value) in enumerate(rows):
        y = (18 + number * 16.5) * u + (5 * u if not value else 0)
        room = place.width - 18 if not value else place.width / 2
        fitting = min(size, room / (len(name) * LETTER_WIDE))
        lines.append(lettered(name, "sign", Spot(9, y), fitting, "start"))
        if value:
            lines.append(lettered(value, "sign", Spot(place.width - 9, y), size, "end"))
    return (
        f'<g class="placard" transform="translate({place.x:.1f} {place.y:.1f})">'
        f'<rect width="{place.width:.1f}" height="{place.height:.1f}" rx="{6 * u:.1f}"/>{"".join(lines)}</g>'
    )


# the chips


def stakes(
    at: FeltLayout, laid: Iterable[StakeDrawn], chips: Sequence[Chip], files: PictureFiles
) -> str:
    """The chips on the layout; what was taken is drawn too, unseen, so that it can be seen going."""
    boxes = {box.seat: box for box in at.boxes}
    return "".join(
        _stake(at, boxes[stake.seat], stake, chips, files)
        for stake in laid
        if stake.seat in boxes and stake.bet in boxes[stake.seat].areas
    )


def _stake(
    at: FeltLayout, box: BoxPlace, stake: StakeDrawn, chips: Sequence[Chip], files: PictureFiles
) -> str:
    area = box.areas[stake.bet]
    place = inside(at, box, area)
    kinds = " ".join(filter(None, ("stake", stake.state, "own" if stake.own else "")))
    frame = f'<path class="lit" d="{area.path}"/>' if stake.state == "won" else ""
    pile = (
        f'<g transform="{at_spot(place.chips)}"><g class="pile">'
        f"{stack(stake.cents, place.radius, chips, files.chips)}</g></g>"
    )
    paid = ""
    if stake.paid_cents:
        paid = (
            f'<g transform="{at_spot(place.paid)}"><g class="payout">'
            f"{stack(stake.paid_cents, place.radius, chips, files.chips)}</g></g>"
        )
    told = f"+{stake.paid}" if stake.paid_cents else stake.amount
    amount = ""
    if place.amount is not None and (stake.state != "lost"):
        amount = lettered(told, "amount", place.amount, place.amount_size, place.amount_anchor)
    return (
        f'<g class="{kinds}" data-key="{stake.seat} {stake.bet}" data-order="{stake.order}"'
        f' data-cents="{stake.cents}" data-told="{escape(stake.told)}">{frame}<g transform="{at_spot(area.at)}">{pile}{paid}{amount}</g></g>'
    )
