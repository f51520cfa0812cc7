"""What values show of themselves in a notebook: small tables in HTML."""

from collections.abc import Iterable, Sequence
from html import escape

RED = "#b3261e"
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


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
    return Html(f'<span style="color:{RED}">{face}</span>' if text[-1] in "dh" else face)


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
