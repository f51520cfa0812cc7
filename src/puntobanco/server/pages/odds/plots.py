"""Plots as plain numbers, for a template to draw: bars side by side, and lines over coups."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log10

from msgspec import Struct

WIDTH, HEIGHT = 360, 220
LEFT, RIGHT, TOP, BOTTOM = 40, 8, 10, 26
ACROSS, DOWN = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
TICKS = 5
MOST_LABELS = 14
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


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
    return next((one * power for one in STEPS if one * power >= rough), 10 * power)


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
    """A line for each series over the same whole numbers."""
    scale, up = _scale([value for values in series.values() for value in values])
    span = max(xs[-1] - xs[0], 1)

    def x(value: int) -> float:
        return round(LEFT + ACROSS * (value - xs[0]) / span, 1)

    lines = tuple(
        PlotLine(
            name,
            "M"
            + "L".join(f"{x(at)} {scale.y(value)}" for at, value in zip(xs, values, strict=True)),
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
