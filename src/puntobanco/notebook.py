"""What values show of themselves in a notebook: small tables in HTML, grids of marks in SVG."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

PLAYER, BANKER, TIE = "#1b5fa8", "#b3261e", "#1e6b3a"
"""Player in blue, Banker in red, Tie in green, as on every layout."""
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
CELL, ROWS, FEWEST, TITLE = 16, 6, 12, 18
"""The side of a cell, the rows of every road, its fewest columns, and the height of its name."""


class Mark(NamedTuple):
    """One entry of a grid; rows and columns count from zero."""

    row: int
    column: int
    colour: str
    filled: bool = False
    text: str = ""


class Html(str):
    """Text that is HTML already, and not escaped again."""

    __slots__ = ()


def html_card(text: str | None) -> Html:
    """A card with its suit shown, red where it is red.

    >>> html_card("9c"), html_card(None)
    ('9♣', '??')
    """
    if text is None:
        return Html("??")
    face = escape(text[:-1]) + SUITS.get(text[-1], "?")
    return Html(f'<span style="color:{BANKER}">{face}</span>' if text[-1] in "dh" else face)


def html_cards(hand: Iterable[str | None]) -> Html:
    return Html(" ".join(html_card(one) for one in hand))


def html_table(headings: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table; whatever is not `Html` is escaped.

    >>> html_table(["name"], [["<b>"]])
    '<table><thead><tr><th>name</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th>{_cell(one)}</th>" for one in headings)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(one)}</td>' for one in row)}</tr>" for row in rows)
    return f"<table>{said}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    return value if isinstance(value, Html) else escape(str(value))


def grids(named: Iterable[tuple[str, Sequence[Mark]]]) -> str:
    """Grids of marks below one another, each under its name."""
    drawn, top, across = list[str](), 0, FEWEST
    for name, marks in named:
        columns = max([FEWEST, *(mark.column + 1 for mark in marks)])
        across = max(across, columns)
        drawn.append(f'<g transform="translate(0 {top})">{_grid(name, marks, columns)}</g>')
        top += TITLE + ROWS * CELL + CELL // 2
    width = across * CELL + 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 0 {width} {top}" width="{width}"'
        f' height="{top}" role="img" font-family="sans-serif" font-size="10">'
        f'<rect x="-1" width="{width}" height="{top}" fill="#fff"/>{"".join(drawn)}</svg>'
    )


def _grid(name: str, marks: Sequence[Mark], columns: int) -> str:
    right, bottom = columns * CELL, TITLE + ROWS * CELL
    lines = [f"M0 {TITLE + row * CELL}H{right}" for row in range(ROWS + 1)]
    lines += [f"M{column * CELL} {TITLE}V{bottom}" for column in range(columns + 1)]
    return (
        f'<text x="0" y="12">{escape(name)}</text>'
        f'<path d="{"".join(lines)}" stroke="#ddd" fill="none"/>{"".join(map(_mark, marks))}'
    )


def _mark(mark: Mark) -> str:
    x, y = mark.column * CELL + CELL // 2, TITLE + mark.row * CELL + CELL // 2
    fill, ink = (mark.colour, "#fff") if mark.filled else ("none", mark.colour)
    text = (
        f'<text x="{x}" y="{y + 3.5}" text-anchor="middle" fill="{ink}">{escape(mark.text)}</text>'
    )
    ring = f'<circle cx="{x}" cy="{y}" r="6.5" stroke="{mark.colour}" fill="{fill}"/>'
    return ring + (text if mark.text else "")
