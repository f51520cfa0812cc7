"""The floor while tables play: one row a table, drawn once for all who oversee them."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from puntobanco.house.floor.now import FloorWatch, TableAtGlance
from puntobanco.house.house import House
from puntobanco.house.lookback.tonight import Tonight, hold_tonight
from puntobanco.server.live.tiles import Tiles, TileShown, as_written_by_browsers
from puntobanco.server.rendering import Pages

BETWEEN = "\N{SYMBOL FOR RECORD SEPARATOR}"
"""Between the parts of a row, which are drawn at once."""
REGIONS = ("now", "waits", "staff", "players", "shoe", "hold")
"""What of a row changes while its table plays."""
TOTALS = ""
"""Under this name, in place of a table's, the sums over all of them."""
HALF, MOST, ONE = 60, 54, 20
"""Of the drawing of a spread: its middle, how far a dot may lie from it, and one spread."""


class FloorRow(Struct, frozen=True):
    """A table with what it has held tonight."""

    now: TableAtGlance
    tonight: Tonight

    @property
    def level(self) -> str:
        """How much it needs somebody."""
        if any(one.holds_play for one in self.now.waits):
            return "alarm"
        return "late" if self.now.waits or self.now.together else ""

    @property
    def dot(self) -> int:
        """Where its hold lies between the spreads below and above what is expected."""
        night = self.tonight
        if night.expected_cents is None or not night.spread_cents:
            return HALF
        off = ONE * (night.hold_cents - night.expected_cents) / night.spread_cents
        return HALF + round(max(-MOST, min(MOST, off)))


class FloorTotals(Struct, frozen=True):
    """The floor in figures."""

    open: int
    tables: int
    players: int
    coups: int
    handle_cents: int
    hold_cents: int
    needing: int

    @property
    def percent(self) -> str:
        share = 100 * self.hold_cents / self.handle_cents if self.handle_cents else 0
        return f"{share:.2f}".replace("-", "−")


def totals_of(rows: list[FloorRow]) -> FloorTotals:
    """Sums over tables; play chips and competition chips are no money and in no sum of it."""
    return FloorTotals(
        sum(row.now.phase != "shut" for row in rows),
        len(rows),
        sum(row.now.players for row in rows),
        sum(row.tonight.coups for row in rows),
        sum(row.tonight.handle_cents for row in rows),
        sum(row.tonight.hold_cents for row in rows),
        sum(bool(row.level) for row in rows),
    )


class FloorTiles(Tiles[FloorRow | None]):
    """The tables of the house as those see them who oversee them."""

    def __init__(
        self, house: House, pages: Pages, watch: FloorWatch, name_of: Callable[[str], str]
    ) -> None:
        super().__init__(house)
        self._pages = pages
        self._watch = watch
        self._name_of = name_of

    def draw(self, names: list[str]) -> Iterator[tuple[str, TileShown[FloorRow | None]]]:
        rows = [self.row(name) for name in names]
        for row in rows:
            tile, *drawn = self._parts("row", row=row, one=row.now, name_of=self._name_of)
            yield row.now.table, TileShown(row, tile, dict(zip(REGIONS, drawn, strict=True)))
        (drawn_totals,) = self._parts("totals", totals=totals_of(self.rows(frozenset(self.tables))))
        yield TOTALS, TileShown(None, "", {"totals": drawn_totals})

    def row(self, name: str) -> FloorRow:
        return FloorRow(self._watch.table(name), hold_tonight(self._house, name))

    def rows(self, names: frozenset[str]) -> list[FloorRow]:
        """The rows that were drawn of these tables, by pit and name; those that are shut last."""
        drawn = [shown.listed for name, shown in self.tables.items() if name in names]
        rows = [row for row in drawn if row is not None]
        return sorted(rows, key=lambda row: row.now.place)

    def _parts(self, name: str, **facts: object) -> list[str]:
        html = self._pages.render(f"live/floor/{name}.html", **facts, between=BETWEEN)
        return [as_written_by_browsers(part) for part in html.split(BETWEEN)]
