"""The roads of a shoe on a page."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from puntobanco.pictures.roads import board, page_mark, page_road
from puntobanco.roads import (
    TONES,
    Bead,
    Marks,
    draw_roads,
    format_results,
    parse_results,
    pictured,
)
from puntobanco.rules.coup import Result, Side

KEPT = 128
"""Roads remembered as they were drawn: those of so many tables, for each coup makes others."""


class RoadPanel(NamedTuple):
    """One road as it stands on a page; its marks are in the picture, and kept nowhere else."""

    name: str
    columns: int
    picture: Markup


class DrawnRoads(NamedTuple):
    counts: dict[str, int]
    """How many coups each side won, were tied, were dealt; and how many pairs there were."""
    panels: dict[str, RoadPanel]
    """By kind."""
    asked: dict[Side, Marks]
    """What the derived roads would show next, if this side won."""


def roads_of(results: str | Iterable[Result | Bead]) -> DrawnRoads:
    """Draw the roads of a shoe, from its results or the text of them."""
    return _drawn(results if isinstance(results, str) else format_results(results))


@lru_cache(KEPT)
def _drawn(results: str) -> DrawnRoads:
    """Kept, because every page of a table shows the same ones until its next coup is over."""
    drawn = draw_roads(parse_results(results))
    counts = {str(one): sum(bead.result is one for bead in drawn.beads) for one in Result}
    pairs = sum(len(bead.pairs) for bead in drawn.beads)
    return DrawnRoads(
        {**counts, "pairs": pairs, "coups": len(drawn.beads)},
        {
            road.kind: RoadPanel(road.name, road.columns, Markup(page_road(road)))  # noqa: S704  ours
            for road in pictured(drawn)
        },
        {Side.BANKER: drawn.if_banker, Side.PLAYER: drawn.if_player},
    )


def on_paper(results: Iterable[Result | Bead]) -> Markup:
    """All of them with colours of their own."""
    return Markup(board(pictured(draw_roads(results))))  # noqa: S704  ours


def road_mark(kind: str, mark: str) -> Markup:
    """One mark of a derived road by itself."""
    return Markup(page_mark(kind, TONES.get(mark, "")))  # noqa: S704  ours
