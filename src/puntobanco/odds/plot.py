"""Plots as plain numbers, and as an SVG: bars side by side, and lines over whole numbers.

Pages draw the numbers with their own template and style sheet; a file that must stand by itself
is drawn by `svg`, with nothing but strings.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

from msgspec import Struct

WIDTH, HEIGHT = 360, 220
LEFT, RIGHT, TOP, BOTTOM = 40, 8, 10, 26
ACROSS, DOWN = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
TICKS = 5
MOST_LABELS = 14
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
COLOURS = ("#1b5fa8", "#b3261e", "#9a6b00", "#1e6b3a", "#6a3d9a", "#555555")
DASHES = ("", "6 2", "2 2", "8 2 2 2", "4 4", "1 2")
"""Every line has a dash of its own too, for readers who do not tell the colours apart."""
HEADING, CAPTION, LEGEND = 24, 18, 16
"""Heights in an SVG: of its title, of what stands below a panel, and of a row of names."""
NAMES_A_ROW = 3


class Bar(Struct, frozen=True):
    x: float
    y: float
    width: float
    height: float
    series: int
    """Which of the series it belongs to."""


class PlotLine(Struct, frozen=True):
    name: str
    path: str


class Tick(Struct, frozen=True):
    at: float
    label: str


class Plot(Struct, frozen=True):
    """Everything in the units of a view box of WIDTH by HEIGHT."""

    along: tuple[Tick, ...]
    up: tuple[Tick, ...]
    zero: float
    series: tuple[str, ...]
    bars: tuple[Bar, ...] = ()
    lines: tuple[PlotLine, ...] = ()
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


class Scale(Struct, frozen=True):
    low: float
    high: float

    def y(self, value: float) -> float:
        return round(TOP + DOWN * (self.high - value) / (self.high - self.low), 1)


def _scale(values: Iterable[float]) -> tuple[Scale, tuple[Tick, ...]]:
    """From zero or below to the highest value, in a few round steps."""
    low, high = min(0.0, *values), max(0.0, *values)
    step = _step((high - low) / TICKS)
    first, last = floor(low / step), ceil(high / step)
    scale = Scale(first * step, max(last * step, first * step + step))
    up = (n * step for n in range(first, last + 1))
    return scale, tuple(Tick(scale.y(value), f"{value:.10g}") for value in up)


def _step(rough: float) -> float:
    """The next round number: 1, 2, 2.5 or 5 times a power of ten.

    >>> _step(0.3), _step(7)
    (0.5, 10.0)
    """
    if rough <= 0:
        return 1.0
    power = 10.0 ** floor(log10(rough))
    return next((step * power for step in STEPS if step * power >= rough), 10 * power)


def bar_plot(labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> Plot:
    """For each label the bars of all series, side by side."""
    scale, up = _scale([value for values in series.values() for value in values])
    group = ACROSS / len(labels)
    width = group * 0.8 / len(series)
    bars = tuple(
        Bar(
            round(LEFT + group * (at + 0.1) + width * number, 1),
            scale.y(value),
            round(width, 1),
            round(scale.y(0) - scale.y(value), 1),
            number,
        )
        for number, values in enumerate(series.values())
        for at, value in enumerate(values)
    )
    along = tuple(
        Tick(round(LEFT + group * (at + 0.5), 1), label)
        for at, label in enumerate(labels)
        if not at % ceil(len(labels) / MOST_LABELS)
    )
    return Plot(along, up, scale.y(0), tuple(series), bars)


def line_plot(xs: Sequence[int], series: Mapping[str, Sequence[float]]) -> Plot:
    """A line for each series over the same whole numbers; a shorter series ends early."""
    assert all(len(values) <= len(xs) for values in series.values())
    scale, up = _scale([value for values in series.values() for value in values])
    span = max(xs[-1] - xs[0], 1)

    def x(value: int) -> float:
        return round(LEFT + ACROSS * (value - xs[0]) / span, 1)

    lines = tuple(
        PlotLine(
            name,
            "M"
            + "L".join(f"{x(at)} {scale.y(value)}" for at, value in zip(xs, values, strict=False)),
        )
        for name, values in series.items()
    )
    step = max(1, int(_step(span / TICKS)))
    marks = [xs[0], *range((xs[0] // step + 1) * step, xs[-1] + 1, step)]
    if len(marks) > 1 and x(marks[1]) - x(marks[0]) < ACROSS / 2 / TICKS:
        del marks[0]
    assert all(one < other for one, other in pairwise(marks))
    return Plot(
        tuple(Tick(x(at), str(at)) for at in marks), up, scale.y(0), tuple(series), lines=lines
    )


class Panel(Struct, frozen=True):
    """One of the plots that stand below one another in a drawing."""

    up: str
    """What is measured, with its unit."""
    xs: Sequence[int]
    series: Mapping[str, Sequence[float]]
    named: bool = True
    """Are the lines told apart? Many paths are one bundle, and need no names."""


def svg(title: str, along: str, panels: Sequence[Panel]) -> str:
    """A drawing that stands by itself; the same numbers give the same text.

    >>> svg("A shoe", "coup", [Panel("edge, %", [1, 2], {"tie": [14.4, 14.2]})])[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    top, drawn = HEADING, list[str]()
    for panel in panels:
        inside, height = _panel(panel, along)
        drawn.append(f'<g transform="translate(0 {top})">{inside}</g>')
        top += height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}"'
        f' width="{2 * WIDTH}" height="{2 * top}" role="img" font-family="sans-serif"'
        f' font-size="10">\n<title>{escape(title)}</title>\n'
        f'<rect width="{WIDTH}" height="{top}" fill="#fff"/>\n'
        f'<text x="{LEFT}" y="16" font-size="12" font-weight="bold">{escape(title)}</text>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def _panel(panel: Panel, along: str) -> tuple[str, int]:
    """The inside of one panel, and how high it is."""
    plot = line_plot(panel.xs, panel.series)
    parts = [f'<text x="{LEFT}" y="6" fill="#444">{escape(panel.up)}</text>']
    parts += (
        f'<path d="M{plot.left} {tick.at}H{plot.right}" stroke="#ddd" stroke-width=".6"/>'
        f'<text x="{plot.left - 4}" y="{tick.at + 4:g}" text-anchor="end">{tick.label}</text>'
        for tick in plot.up
    )
    parts += (
        f'<text x="{tick.at}" y="{plot.bottom + 14}" text-anchor="middle">{tick.label}</text>'
        for tick in plot.along
    )
    parts.append(f'<path d="M{plot.left} {plot.zero}H{plot.right}" stroke="#000"/>')
    for number, line in enumerate(plot.lines):
        look = _look(number) if panel.named else f'stroke="{COLOURS[0]}" stroke-opacity=".45"'
        parts.append(f'<path d="{line.path}" fill="none" stroke-width="1.4" {look}/>')
    parts.append(f'<text x="{plot.right}" y="{HEIGHT}" text-anchor="end">{escape(along)}</text>')
    names = plot.series if panel.named else ()
    parts += (_named(number, name) for number, name in enumerate(names))
    return "\n".join(parts), HEIGHT + CAPTION + LEGEND * ceil(len(names) / NAMES_A_ROW)


def _look(number: int) -> str:
    return (
        f'stroke="{COLOURS[number % len(COLOURS)]}"'
        f' stroke-dasharray="{DASHES[number % len(DASHES)] or "none"}"'
    )


def _named(number: int, name: str) -> str:
    """A name of the legend, with a piece of its line."""
    row, place = divmod(number, NAMES_A_ROW)
    x, y = LEFT + place * ACROSS // NAMES_A_ROW, HEIGHT + CAPTION + LEGEND * row - 4
    return (
        f'<path d="M{x} {y - 3}h18" stroke-width="2" {_look(number)}/>'
        f'<text x="{x + 22}" y="{y}">{escape(name)}</text>'
    )
