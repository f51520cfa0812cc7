"""How the terminal shows cards, hands and tables."""

import sys
from collections.abc import Callable, Iterable
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from puntobanco.errors import MalformedError, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn
from puntobanco.words import one_line

Words = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""An argument that may be a lone dash: read standard input."""
Json = Annotated[bool, Parameter(name="--json", negative=())]

SUIT = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
STYLE = {"player": "blue", "banker": "red", "tie": "green"}

console = Console(highlight=False, soft_wrap=True)
json_encoder = msgspec.json.Encoder()


def print_json(value: object) -> None:
    """JSON for programs, indented for people."""
    print(msgspec.json.format(json_encoder.encode(value), indent=2).decode())


def json_lines(answer: Callable[[str], object]) -> int:
    """Answer each line of standard input with one line of JSON.

    A line that cannot be answered gets an `error` in its place, so that lines stay together,
    and the exit code is 2 at the end.
    """
    code = 0
    write = sys.stdout.buffer.write
    for number, line in enumerate(sys.stdin, 1):
        try:
            reply = answer(line.rstrip("\n"))
        except (Refused, MalformedError) as error:
            code = 2
            said = one_line(error) if isinstance(error, Refused) else str(error)
            reply = {"error": said, "line": number}
        write(json_encoder.encode(reply) + b"\n")
    sys.stdout.buffer.flush()
    return code


def card(one: Card | None) -> Text:
    """A card with its suit shown, red where it is red."""
    if one is None:
        return Text("▒▒", style="dim")
    rank = "10" if one.rank == "T" else one.rank
    return Text(f"{rank}{SUIT[one.suit]}", style="red" if one.red else "")


def cards(many: Iterable[Card | None]) -> Text:
    return Text(" ").join(card(one) for one in many)


def faces(drawn: Iterable[Drawn]) -> Text:
    return cards(one.card for one in drawn)


def side(name: str) -> Text:
    """Player in blue, Banker in red, Tie in green, as on every layout."""
    return Text(name.capitalize(), style=f"bold {STYLE.get(name, '')}")


def cited(clauses: Iterable[str]) -> Text:
    return Text(" ".join(f"[{clause}]" for clause in clauses), style="dim")


def plain_table(*headings: str, right: tuple[int, ...] = ()) -> Table:
    """An aligned table without a frame."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index in right else "left", overflow="fold")
    return table
