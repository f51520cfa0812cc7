"""How the terminal shows cards, hands and tables."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from puntobanco.errors import MalformedError, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn

Words = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""An argument that may be a lone dash: read standard input."""
Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
Json = Annotated[bool, Parameter(name="--json", negative=(), show_default=False)]

MOST_BYTES = 2**24
"""Most bytes read from a file; no notice, shoe or pay table is larger."""
HAS_SUITS = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
SUIT = (
    {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    if HAS_SUITS
    else dict(zip("cdhs", "cdhs", strict=True))
)
STYLE = {"player": "blue", "banker": "red", "tie": "green"}


class Screen(Console):
    """A console that leaves a closed pipe to the one place that handles it."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _width() -> int | None:
    """Columns to print in: as COLUMNS or the terminal says; 160 in a pipe, to keep lines whole."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isascii() and asked.isdigit() and 20 <= int(asked[:9]) <= 1000:
        return int(asked[:9])
    return None if sys.stdout is not None and sys.stdout.isatty() else 160


console = Screen(highlight=False, markup=False, width=_width())
errors = Screen(stderr=True, highlight=False, markup=False)
json_encoder = msgspec.json.Encoder()


def print_json(value: object) -> None:
    """JSON for programs, indented for people."""
    print(msgspec.json.format(json_encoder.encode(value), indent=2).decode())


def json_lines(answer: Callable[[str], object]) -> int:
    """Answer each line of standard input with one line of JSON.

    A line that cannot be answered gets an `error` in its place, so that lines stay together,
    and the exit code is 2 at the end.
    """
    if sys.stdin is None:
        raise MalformedError("there is no standard input to read")
    code = 0
    write = sys.stdout.buffer.write
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            reply = answer(line.decode().rstrip("\r\n"))
        except (Refused, MalformedError, UnicodeDecodeError) as error:
            code = 2
            reply = {"error": _said(error), "line": number}
        write(json_encoder.encode(reply) + b"\n")
    sys.stdout.buffer.flush()
    return code


def _said(error: Exception) -> str:
    return "not text in UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)


def read_bytes(file: Path) -> bytes:
    """Read a file; one larger than MOST_BYTES is refused."""
    with file.open("rb") as opened:
        raw = opened.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise MalformedError(f"{str(file)[-80:]} is larger than {MOST_BYTES >> 20} MiB")
    return raw


def read_file(file: Path) -> str:
    """Read a text file."""
    return read_bytes(file).decode("utf-8-sig")


def refuse_options(words: Iterable[str], command: str) -> None:
    """A mistyped option must not be taken for a card."""
    for word in words:
        if word.startswith("--"):
            raise MalformedError(f"no option {word[:40]}; see puntobanco {command} --help")


def refuse_together(**given: object) -> None:
    """Refuse two options of which only one can be meant."""
    named = [f"--{name.replace('_', '-')}" for name, value in given.items() if value]
    if len(named) > 1:
        raise MalformedError(f"{' and '.join(named)} cannot go together")


def card(one: Card | None) -> Text:
    """A card with its suit shown, red where it is red."""
    if one is None:
        return Text("??", style="dim")
    return Text(f"{one.rank}{SUIT[one.suit]}", style="red" if one.red else "")


def cards(many: Iterable[Card | None]) -> Text:
    return Text(" ").join(card(one) for one in many)


def faces(drawn: Iterable[Drawn]) -> Text:
    return cards(card_drawn.card for card_drawn in drawn)


def side(name: str) -> Text:
    """Player in blue, Banker in red, Tie in green, as on every layout."""
    return Text(name.capitalize(), style=f"bold {STYLE.get(name, '')}")


def cited(clauses: Iterable[str]) -> Text:
    return Text(" ".join(f"[{clause}]" for clause in dict.fromkeys(clauses)), style="dim")


def counted(number: int, thing: str) -> str:
    """A number with its noun, in the plural unless it is one.

    >>> counted(1, "clause"), counted(2, "clause")
    ('1 clause', '2 clauses')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def plain_table(*headings: str, right: tuple[int, ...] = ()) -> Table:
    """An aligned table without a frame."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index in right else "left", overflow="fold")
    return table
