"""The lobby while tables play."""

from collections.abc import Iterator

from puntobanco.house.floor.listed import ListedTable
from puntobanco.house.house import House
from puntobanco.server.live.tiles import Tiles, TileShown, as_written_by_browsers
from puntobanco.server.rendering import Pages

REGIONS = ("state", "seats", "road")
"""What of a table changes while it plays; all else is drawn with the page."""
TENTH_MS = 100
QUICK_MS, STEADY_MS = 30_000, 60_000
"""A coup that takes no longer is quick, or steady."""


def tempo_word(listed: ListedTable) -> str:
    """How fast a table is, in a word of the catalogue."""
    if listed.coup_ms is None:
        return "people"
    if listed.coup_ms <= QUICK_MS:
        return "quick"
    return "steady" if listed.coup_ms <= STEADY_MS else "slow"


class Lobby(Tiles[ListedTable]):
    """The tables of the house as the lobby shows them."""

    def __init__(self, house: House, pages: Pages) -> None:
        super().__init__(house)
        self._pages = pages

    def draw(self, names: list[str]) -> Iterator[tuple[str, TileShown[ListedTable]]]:
        for listed in self._house.listed(names):
            yield listed.table, self._tile(listed)

    def _tile(self, listed: ListedTable) -> TileShown[ListedTable]:
        closes = None if listed.until_ms is None else (listed.until_ms - self.began_ms) // TENTH_MS
        facts = {"one": listed, "tempo": tempo_word(listed), "closes": closes}
        drawn = {name: self._pages.render(f"live/lobby/{name}.html", **facts) for name in REGIONS}
        regions = {name: as_written_by_browsers(html) for name, html in drawn.items()}
        return TileShown(listed, self._pages.render("live/lobby/tile.html", **facts), regions)
