"""Charts of a report: a running total in its band, bars, and a dot beside what was expected.

Colours, fonts and widths are the page's (`static/pages/office/reports.css`): a chart has classes alone.
"""

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10

WIDE, HIGH = 580, 225
LEFT, RIGHT, TOP, FLOOR = 54, 515, 14, 196
DOT_WIDE, DOT_HIGH = 300, 26
MOST_LABELS = 8


def short_amount(amount: float) -> str:
    """An amount in few signs.

    >>> short_amount(0), short_amount(950), short_amount(12_500), short_amount(-3_200_000)
    ('0', '950', '12.5k', '−3.2M')
    """
    sign, size = "−" if amount < 0 else "", abs(amount)
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size >= unit:
            return f"{sign}{size / unit:.3g}{name}"
    return f"{sign}{size:.3g}"


def scale_lines(least: float, most: float, about: int = 4) -> list[float]:
    """Round values for the lines of a scale, from one below the least to one above the most."""
    span = max(most - least, 1.0)
    rough = span / about
    power = 10 ** floor(log10(rough))
    step = next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough)
    first, last = floor(least / step), ceil(most / step)
    return [number * step for number in range(first, last + 1)]


def running(
    names: Sequence[str],
    held: Sequence[float],
    wanted: Sequence[float],
    spread: Sequence[float],
    said: str,
    words: tuple[str, str],
) -> str:
    """A running total from nothing, with the line that was expected and twice its spread."""
    held, wanted, spread = [0.0, *held], [0.0, *wanted], [0.0, *spread]
    low = [want - 2 * one for want, one in zip(wanted, spread, strict=True)]
    high = [want + 2 * one for want, one in zip(wanted, spread, strict=True)]
    scale = scale_lines(min(*held, *low), max(*held, *high))
    across, up = _across(len(held)), _up(scale)
    band = " ".join(
        f"{across(at):.1f},{up(value):.1f}"
        for at, value in [*enumerate(high), *reversed(list(enumerate(low)))]
    )
    last = len(held) - 1
    ends = sorted([(up(held[-1]), "strong", words[0]), (up(wanted[-1]), "", words[1])])
    apart = max(0.0, 13 - (ends[1][0] - ends[0][0])) / 2
    told = "".join(
        _text(RIGHT + 9, y + 4 + move, word, kind)
        for (y, kind, word), move in zip(ends, (-apart, apart), strict=True)
    )
    return _svg(
        said,
        _grid(scale, up),
        f'<polygon class="band" points="{band}"/>',
        f'<polyline class="wanted" points="{_points(wanted, across, up)}"/>',
        f'<polyline class="held" points="{_points(held, across, up)}"/>',
        f'<circle class="end" cx="{across(last):.1f}" cy="{up(held[-1]):.1f}" r="4.5"/>',
        told,
        _below(names, lambda at: (across(at) + across(at + 1)) / 2),
    )


def bars(names: Sequence[str], values: Sequence[float], said: str) -> str:
    """A bar for each value; the highest has its number."""
    scale = scale_lines(0, max(values, default=0))
    up, most = _up(scale), max(values, default=0)
    room = (WIDE - 8 - LEFT) / max(len(values), 1)
    drawn = []
    for at, value in enumerate(values):
        x, top = LEFT + room * (at + 0.11), up(value)
        kind = "column most" if value == most else "column"
        height = FLOOR - top
        drawn.append(
            f'<rect class="{kind}" x="{x:.1f}" y="{top:.1f}" width="{room * 0.78:.1f}"'
            f' height="{height:.1f}" rx="2"/>'
        )
        if value == most and value:
            drawn.append(_text(x + room * 0.39, top - 6, short_amount(value), "strong", "middle"))
    below = _below(names, lambda at: LEFT + room * (at + 0.5), 24)
    return _svg(said, _grid(scale, up, WIDE - 8), *drawn, below)


def dot(held: float, wanted: float, spread: float, edge: float, said: str) -> str:
    """What was held, beside what was expected with one and two spreads; all in per cent."""

    def x(percent: float) -> float:
        return DOT_WIDE / 2 * (1 + max(-1.0, min(1.0, percent / edge)) * 0.96)

    far = abs(held - wanted) > 2 * spread

    def within(width: float) -> str:
        left = x(wanted - width)
        return f'x="{left:.1f}" width="{x(wanted + width) - left:.1f}"'

    parts = (
        f'<path class="zero" d="M{x(0):.1f} 0v{DOT_HIGH}"/>',
        f'<rect class="two" y="11" height="4" rx="2" {within(2 * spread)}/>',
        f'<rect class="one" y="8" height="10" rx="5" {within(spread)}/>',
        f'<path class="want" d="M{x(wanted):.1f} 6v14"/>',
        f'<circle class="{"far" if far else "near"}" cx="{x(held):.1f}" cy="13" r="6"/>',
    )
    frame = f'viewBox="0 0 {DOT_WIDE} {DOT_HIGH}" role="img" aria-label="{escape(said)}"'
    return f'<svg class="chart dot" {frame}>{"".join(parts)}</svg>'


def error_bars(
    names: Sequence[str],
    found: Sequence[tuple[float, float, float]],
    said: str,
    edge: float = 0.0,
) -> str:
    """For each name a value with its bounds, around a line that stands for what is expected."""
    edge = edge or max((abs(bound) for one in found for bound in one), default=0.0) or 1.0
    left, right, high = 150, WIDE - 20, 34
    middle = (left + right) / 2

    def x(value: float) -> float:
        return middle + (right - left) / 2 * max(-1.0, min(1.0, value / edge))

    drawn = [f'<path class="wanted" d="M{middle:.1f} 6V{high * len(names) + 6}"/>']
    for at, (name, (value, low, top)) in enumerate(zip(names, found, strict=True)):
        y = high * at + high / 2 + 6
        kind = "near" if low <= 0 <= top else "far"
        drawn.append(
            _text(left - 10, y + 4, name, "", "end")
            + f'<path class="bar {kind}" d="M{x(low):.1f} {y:.1f}H{x(top):.1f}'
            f'M{x(low):.1f} {y - 6:.1f}v12M{x(top):.1f} {y - 6:.1f}v12"/>'
            + f'<circle class="{kind}" cx="{x(value):.1f}" cy="{y:.1f}" r="5"/>'
        )
    foot = high * len(names) + 22
    marks = ((-edge, "start"), (0.0, "middle"), (edge, "end"))
    drawn += [
        _text(x(mark), foot, f"{mark:+.2g}".replace("-", "−") if mark else "0", "", how)
        for mark, how in marks
    ]
    frame = f'viewBox="0 0 {WIDE} {foot + 8}" role="img" aria-label="{escape(said)}"'
    return f'<svg class="chart bars" {frame}>{"".join(drawn)}</svg>'


# parts


def _across(points: int) -> Callable[[float], float]:
    return lambda at: LEFT + (RIGHT - LEFT) * at / max(points - 1, 1)


def _up(scale: Sequence[float]) -> Callable[[float], float]:
    least, most = scale[0], scale[-1]
    return lambda value: FLOOR - (FLOOR - TOP) * (value - least) / ((most - least) or 1)


def _points(
    values: Sequence[float], across: Callable[[float], float], up: Callable[[float], float]
) -> str:
    return " ".join(f"{across(at):.1f},{up(value):.1f}" for at, value in enumerate(values))


def _grid(scale: Sequence[float], up: Callable[[float], float], right: float = RIGHT) -> str:
    return "".join(
        f'<path class="rule" d="M{LEFT} {up(value):.1f}H{right}"/>'
        + _text(LEFT - 6, up(value) + 4, short_amount(value), "", "end")
        for value in scale
    )


def _below(names: Sequence[str], across: Callable[[int], float], most: int = MOST_LABELS) -> str:
    every = max(1, ceil(len(names) / most))
    return "".join(
        _text(across(at), FLOOR + 20, name, "", "middle")
        for at, name in enumerate(names)
        if not at % every
    )


def _text(x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(said)}</text>'


def _svg(said: str, *parts: str) -> str:
    frame = f'viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(said)}"'
    return f'<svg class="chart" {frame}>{"".join(parts)}</svg>'
