"""The five roads as SVG: one drawing for lobby, table, wall, replay, paper and notebook.

A mark is told apart by shape or letter besides its colour: beads and rings carry letters, and on
the three derived roads a blue mark is cut in the middle where a red one is whole.

On a page a road is stretched over whatever cells its panel has; all marks of one colour are then
one path of dots, whose width the stylesheet keeps round. On paper and in a notebook the colours
stand in the drawing itself.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import NamedTuple

ROWS = 6
"""The rows of every road, before it turns right."""
TONES = "BPT"
"""Banker's red, Player's blue, Tie's green, in the order they are drawn."""
GROUND, ON_MARK = "ground", "on-mark"
PAPER = {
    "B": "#b3261e", "P": "#1b5fa8", "T": "#1e6b3a", GROUND: "#fff", ON_MARK: "#fff",
    "line": "#d9d9d9", "ink": "#222",
}  # fmt: skip
"""Colours where there is no stylesheet."""
CELL, FEWEST, NAME = 18, 12, 20
"""On paper: the side of a cell, the fewest columns of a road, the height of its name."""
PAIR_DOTS = {"B": (0.2, 0.2), "P": (0.8, 0.8)}
"""Where in its cell a pair shows: Banker's at the top left, Player's at the bottom right."""


class Mark(NamedTuple):
    """One entry of a road; rows and columns count from zero."""

    row: int
    column: int
    tone: str
    """B, P or T: the result, and on a derived road B for red and P for blue."""
    ties: int = 0
    pairs: str = ""


class Road(NamedTuple):
    kind: str
    name: str
    says: str
    """The road in words, for whoever does not see it."""
    marks: Sequence[Mark]

    @property
    def columns(self) -> int:
        return max((mark.column + 1 for mark in self.marks), default=0)


class Layer(NamedTuple):
    """Marks drawn with one pen, or letters of one size."""

    tone: str
    size: float
    """The width of the pen, or the height of the letters, in cells."""
    at: str
    """The data of a path; of letters, where they stand."""
    text: str = ""
    role: str = ""


def page_road(road: Road) -> str:
    """A road for a page: its stylesheet has the colours, and says how wide a cell is (1em)."""
    across = road.columns + (road.kind != "bead-plate") or 1
    return (
        f'<svg class="road" width="{across}em" viewBox="0 0 {across} {ROWS}"'
        f' preserveAspectRatio="none" role="img"><title>{escape(road.says)}</title>'
        f"{_drawn(road, _by_class)}</svg>"
    )


def page_mark(kind: str, tone: str) -> str:
    """One mark by itself, or that there is none."""
    layers = LAYERS[kind]([Mark(0, 0, tone)]) if tone else [Layer("none", 0.1, "M.3.5h.4")]
    drawn = "".join(_by_class(layer) for layer in layers)
    pen = 'fill="none" stroke-linecap="round"'
    return f'<svg class="road-mark" viewBox="0 0 1 1" {pen} aria-hidden="true">{drawn}</svg>'


def board(roads: Iterable[Road]) -> str:
    """Roads below one another with their names, in colours of their own: paper, a notebook."""
    roads = list(roads)
    across = max([FEWEST, *(road.columns for road in roads)])
    step = NAME + ROWS * CELL + CELL // 2
    width, height = across * CELL + 2, step * len(roads)
    drawn = "".join(
        f'<g transform="translate(0 {step * at})">{_panel(road)}</g>'
        for at, road in enumerate(roads)
    )
    says = escape(". ".join(road.says for road in roads))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" font-family="sans-serif" font-size="1"><title>{says}'
        f'</title><rect x="-1" width="{width}" height="{height}" fill="#fff"/>{drawn}</svg>'
    )


def _panel(road: Road) -> str:
    """A road on paper: its name, its grid, its marks."""
    columns = max(FEWEST, road.columns)
    lines = [f"M0 {row}H{columns}" for row in range(ROWS + 1)]
    lines += [f"M{column} 0V{ROWS}" for column in range(columns + 1)]
    return (
        f'<text x="0" y="14" font-size="11" fill="{PAPER["ink"]}">{escape(road.name)}</text>'
        f'<g transform="translate(0 {NAME}) scale({CELL})"><path d="{"".join(lines)}"'
        f' stroke="{PAPER["line"]}" stroke-width=".05"/>{_drawn(road, _by_colour)}</g>'
    )


def _drawn(road: Road, ink: Callable[[Layer], str]) -> str:
    """All marks, the newest apart from the others."""
    layers = LAYERS[road.kind]
    older = "".join(map(ink, layers(road.marks[:-1])))
    newest = "".join(map(ink, layers(road.marks[-1:])))
    return (
        '<g fill="none" stroke-linecap="round" text-anchor="middle" font-weight="700">'
        f'{older}<g class="newest">{newest}</g></g>'
    )


def _by_class(layer: Layer) -> str:
    classes = f"{layer.role} {layer.tone.lower()}".strip()
    return _element(layer, f'class="{classes}"')


def _by_colour(layer: Layer) -> str:
    colour = PAPER[layer.tone]
    return _element(layer, f'fill="{colour}"' if layer.text else f'stroke="{colour}"')


def _element(layer: Layer, ink: str) -> str:
    if not layer.at:
        return ""
    if layer.text:
        return f'<text {ink} font-size="{_n(layer.size)}" {layer.at}>{layer.text}</text>'
    butt = ' stroke-linecap="butt"' if layer.role == "cut" else ""
    return f'<path {ink} stroke-width="{_n(layer.size)}em"{butt} d="{layer.at}"/>'


def _n(number: float) -> str:
    """A number as short as it can be: 0.5 is .5, and 3.0 is 3."""
    return f"{number:.2f}".rstrip("0").rstrip(".").removeprefix("0") or "0"


# the marks of each road


def _dots(marks: Iterable[Mark], x: float = 0.5, y: float = 0.5) -> str:
    return "".join(f"M{_n(mark.column + x)} {_n(mark.row + y)}h0" for mark in marks)


def _lines(marks: Iterable[Mark], x: float, y: float, across: float, down: float) -> str:
    step = f"l{_n(across)} {_n(down)}"
    return "".join(f"M{_n(mark.column + x)} {_n(mark.row + y)}{step}" for mark in marks)


def _of(marks: Iterable[Mark], tone: str) -> list[Mark]:
    return [mark for mark in marks if mark.tone == tone]


def _discs(marks: Sequence[Mark], size: float) -> list[Layer]:
    return [Layer(tone, size, _dots(_of(marks, tone))) for tone in TONES]


def _letters(tone: str, size: float, marks: Sequence[Mark], role: str) -> Layer:
    xs = " ".join(_n(mark.column + 0.5) for mark in marks)
    ys = " ".join(_n(mark.row + 0.5 + size * 0.36) for mark in marks)
    at = f'x="{xs}" y="{ys}"' if marks else ""
    return Layer(tone, size, at, "".join(mark.tone for mark in marks), role)


def _pairs(marks: Sequence[Mark]) -> list[Layer]:
    found = {tone: [mark for mark in marks if tone in mark.pairs] for tone in PAIR_DOTS}
    dots = {tone: _dots(found[tone], *PAIR_DOTS[tone]) for tone in found}
    return [
        Layer(GROUND, 0.34, "".join(dots.values())),
        *(Layer(tone, 0.25, path) for tone, path in dots.items()),
    ]


def _cut(marks: Sequence[Mark]) -> Layer:
    return Layer(GROUND, 0.12, _lines(_of(marks, "P"), 0.05, 0.5, 0.9, 0), role="cut")


def _bead_plate(marks: Sequence[Mark]) -> list[Layer]:
    return [
        *_discs(marks, 0.86),
        _letters(ON_MARK, 0.56, marks, "letter"),
        *_pairs(marks),
    ]


def _big_road(marks: Sequence[Mark]) -> list[Layer]:
    decided = [mark for mark in marks if mark.tone != "T"]
    tied = [mark for mark in marks if mark.ties]
    plain = [mark for mark in decided if not mark.ties]
    counted = [mark for mark in tied if mark.ties > 1]
    return [
        *_discs(decided, 0.87),
        Layer(GROUND, 0.61, _dots(decided)),
        *(_letters(tone, 0.44, _of(plain, tone), "inside") for tone in "BP"),
        Layer("T", 0.12, _lines(tied, 0.2, 0.8, 0.6, -0.6)),
        Layer(GROUND, 0.5, _dots(counted)),
        *(
            Layer("T", 0.5, f'x="{_n(one.column + 0.5)}" y="{_n(one.row + 0.68)}"', str(one.ties))
            for one in counted
        ),
        *_pairs(marks),
    ]


def _big_eye_boy(marks: Sequence[Mark]) -> list[Layer]:
    return [*_discs(marks, 0.81), Layer(GROUND, 0.53, _dots(marks)), _cut(marks)]


def _small_road(marks: Sequence[Mark]) -> list[Layer]:
    return [*_discs(marks, 0.78), _cut(marks)]


def _cockroach_pig(marks: Sequence[Mark]) -> list[Layer]:
    slashes = [Layer(t, 0.17, _lines(_of(marks, t), 0.16, 0.84, 0.68, -0.68)) for t in TONES]
    return [
        *slashes,
        Layer(GROUND, 0.16, _lines(_of(marks, "P"), 0.38, 0.38, 0.24, 0.24), role="cut"),
    ]


LAYERS: dict[str, Callable[[Sequence[Mark]], list[Layer]]] = {
    "bead-plate": _bead_plate,
    "big-road": _big_road,
    "big-eye-boy": _big_eye_boy,
    "small-road": _small_road,
    "cockroach-pig": _cockroach_pig,
}
