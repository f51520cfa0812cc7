"""A board in its regions: which parts a scene has, and what each of them shows."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from puntobanco.house.competitions.public.board import BoardRow, BoardSeen, BoardTable

MOST_AT_ONCE = 6
"""Tables that are shown side by side; more of them come in turn."""
WHOLE = 3
"""Up to so many tables show everybody; more of them those about the line."""
BELOW = 2
"""Players below the line at one of many tables."""
FEW = 6
"""Up to so many at the largest table, rows are higher and what is in them larger."""
OWN_SIZE = ("draw", "play-off")
"""Scenes whose rows are as high as what is in them."""
COLUMNS, EACH = 3, 9
"""Of a board over all tables."""
PARTS = "pages/competitions/boards"


class BoardPart(NamedTuple):
    """One region: the template it is drawn with, and what it is drawn from."""

    template: str
    of: object = None
    timed: bool = False
    """Whether a clock runs in it, so that it is drawn from now on each time."""


def parts_of(seen: BoardSeen) -> dict[str, BoardPart]:
    """The regions of a board, in their order; the head has the clocks."""
    return {
        "head": BoardPart("head", seen, timed=True),
        **dict(_middle(seen)),
        "foot": BoardPart("foot", replace(seen, tables=seen.tables[:1], leaders=seen.leaders[:1])),
    }


def frame_of(seen: BoardSeen, parts: dict[str, BoardPart]) -> str:
    """How the board is laid out: its classes, and the names of its regions."""
    tables = min(len(seen.tables), MOST_AT_ONCE)
    kinds = f"scene-{seen.scene} n-{tables}"
    if seen.leaders:
        kinds += f" over-all of-{-(-min(len(seen.leaders), COLUMNS * EACH) // EACH)}"
    elif len(seen.tables) > WHOLE:
        kinds += " many"
    elif few := _few(seen):
        kinds += f" few rows-{few}"
    return f"{kinds}|{' '.join(parts)}"


def _few(seen: BoardSeen) -> int:
    """The players of the largest table, where they are so few that rows of nine would leave a wall
    half empty; 0: more. Whoever is out stays on the board, so that it is the same all session.
    """
    most = max((len(one.rows) for one in seen.tables), default=0)
    return most if most <= FEW and seen.scene not in OWN_SIZE else 0


def _middle(seen: BoardSeen) -> Iterator[tuple[str, BoardPart]]:
    without = replace(seen, tables=(), leaders=())
    match seen.scene:
        case "entries" | "off":
            yield seen.scene, BoardPart(seen.scene, without)
        case "results":
            yield "places", BoardPart("places", without)
        case "break":
            yield "pause", BoardPart("pause", without, timed=True)
        case "draw":
            if seen.draw:
                yield "lot", BoardPart("lot", seen.draw, timed=True)
            yield from _tables(seen, "seats")
        case "play-off":
            yield from _tables(seen, "table")
            yield "why", BoardPart("why", seen)
        case _:
            yield from _standings(seen)


def _standings(seen: BoardSeen) -> Iterator[tuple[str, BoardPart]]:
    if seen.scene == "last":
        yield "band", BoardPart("band", replace(seen, tables=(), leaders=()))
    if seen.leaders:
        for column in range(COLUMNS):
            some = seen.leaders[column * EACH : (column + 1) * EACH]
            if some:
                yield f"leaders-{column}", BoardPart("leaders", some)
        return
    yield from _tables(seen, "table")
    if seen.final and len(seen.tables) == 1:
        yield "why", BoardPart("why", seen)


def _tables(seen: BoardSeen, template: str) -> Iterator[tuple[str, BoardPart]]:
    many = len(seen.tables) > WHOLE
    for number, one in enumerate(seen.tables):
        shown = replace(one, rows=_about_the_line(one)) if many and template == "table" else one
        yield f"table-{number}", BoardPart(template, shown)


def _about_the_line(one: BoardTable) -> tuple[BoardRow, ...]:
    """Those above the line and the next below it."""
    return one.rows[: max(one.line + BELOW, WHOLE + BELOW)]
