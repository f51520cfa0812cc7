"""The roads of a shoe on a page."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from puntobanco.pictures.roads import Road, board, page_mark, page_road
from puntobanco.roads import TONES, Bead, Marks, draw_roads, parse_results, pictured
from puntobanco.rules.coup import Result, Side


class DrawnRoads(NamedTuple):
    counts: dict[str, int]
    """How many coups each side won, were tied, were dealt; and how many pairs there were."""
    panels: dict[str, tuple[Road, Markup]]
    """By kind, a road and its drawing."""
    asked: dict[Side, Marks]
    """What the derived roads would show next, if this side won."""
    paper: Markup
    """All of them with colours of their own."""


def roads_of(results: str | Iterable[Result | Bead]) -> DrawnRoads:
    """Draw the roads of a shoe, from its results or the text of them."""
    return _drawn(parse_results(results) if isinstance(results, str) else tuple(results))


@lru_cache(maxsize=256)
def _drawn(results: tuple[Result | Bead, ...]) -> DrawnRoads:
    """Kept, because every page of a table shows the same ones, coup after coup."""
    drawn = draw_roads(results)
    counts = {str(one): sum(bead.result is one for bead in drawn.beads) for one in Result}
    pairs = sum(len(bead.pairs) for bead in drawn.beads)
    roads = pictured(drawn)
    return DrawnRoads(
        {**counts, "pairs": pairs, "coups": len(drawn.beads)},
        {road.kind: (road, Markup(page_road(road))) for road in roads},  # noqa: S704  ours
        {Side.BANKER: drawn.if_banker, Side.PLAYER: drawn.if_player},
        Markup(board(roads)),  # noqa: S704  ours
    )


def road_mark(kind: str, mark: str) -> Markup:
    """One mark of a derived road by itself."""
    return Markup(page_mark(kind, TONES.get(mark, "")))  # noqa: S704  ours
