"""The coups behind a figure, chosen by what the figure is about."""

from collections.abc import Iterator
from heapq import nlargest
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from puntobanco.house.figures import stored
from puntobanco.house.figures.projection import FiguresRead
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.journal.erasable_tables import Values

COLUMNS = (
    *("stream", "number", "day", "book", "hour", "dealer", "ruleset", "shoe", "at_ms"),
    *("hold_cents", "ruled", "wagers", "people", "coup"),
)
EQUAL = {"table": "stream", "hour": "hour", "dealer": "dealer", "ruleset": "ruleset"}
AMONG = {"wager": "wagers", "person": "people", "ruled": "ruled"}
"""What may be asked for, and the column it is in: alone, or between blanks among others."""
EVERY = 10**9


class Chosen(Struct, frozen=True):
    """Which coups are asked for; what is empty does not matter."""

    first: str = ""
    last: str = "9999-12-31"
    table: str = ""
    hour: str = ""
    dealer: str = ""
    ruleset: str = ""
    wager: str = ""
    person: str = ""
    ruled: str = ""
    """`void` or `corrected`."""
    shoe: int = 0
    book: str = "money"
    """`money`, `competition` or `play`: what the chips were worth."""

    @property
    def asked(self) -> dict[str, str]:
        """What is asked for besides days and shoe."""
        return {name: str(text) for name, text in asdict(self).items()
                if text and name in (*EQUAL, *AMONG)}  # fmt: skip

    def has(self, row: Values) -> bool:
        """Whether a coup, as it is to be kept, is one of them."""
        held = dict(zip(COLUMNS, row, strict=True))
        alone = all(held[EQUAL[name]] == text for name, text in self.asked.items() if name in EQUAL)
        among = all(
            f" {text} " in held[AMONG[name]] for name, text in self.asked.items() if name in AMONG
        )
        in_range = self.first <= held["day"] <= self.last and self.book in ("", held["book"])
        return alone and among and in_range and self.shoe in (0, held["shoe"])

    @property
    def where(self) -> tuple[str, list[object]]:
        """The same for the database."""
        said = ["day >= ?", "day <= ?"]
        given: list[object] = [self.first, self.last]
        if self.book:
            said.append("book = ?")
            given.append(self.book)
        for name, text in self.asked.items():
            if name in EQUAL:
                said.append(f"{EQUAL[name]} = ?")
                given.append(text)
            else:
                said.append(f"replace({AMONG[name]}, ?, '') <> {AMONG[name]}")
                given.append(f" {text} ")
        if self.shoe:
            said.append("shoe = ?")
            given.append(self.shoe)
        return " AND ".join(said), given


Order = Literal["newest", "largest"]
SQL_ORDER: dict[Order, str] = {"newest": "at_ms DESC", "largest": "abs(hold_cents) DESC"}


def coups(
    reading: FiguresRead, chosen: Chosen, order: Order = "newest", most: int = EVERY, after: int = 0
) -> Iterator[tuple[PastCoup, int]]:
    """The coups of a choice, each with what the bank gained by it."""
    newer = {
        (row[0], row[1]): row
        for table, own in reading.unkept.coups.items()
        if chosen.table in ("", table)
        for row in own.values()
    }
    found = [row for row in newer.values() if chosen.has(row)]
    if stored.are_kept(reading.log):
        where, given = chosen.where
        keys = reading.log.beside(
            f"SELECT stream, number, at_ms, hold_cents FROM past_coups WHERE {where}"  # noqa: S608
            f" ORDER BY {SQL_ORDER[order]}, number DESC LIMIT ?",
            *given,
            after + most + len(newer),
        )
        found += [
            (stream, number, *[""] * 6, at_ms, hold, *[""] * 4)
            for stream, number, at_ms, hold in keys
            if (stream, number) not in newer
        ]
    rank = (
        (lambda row: (row[8], row[1])) if order == "newest" else (lambda row: (abs(row[9]), row[1]))
    )
    for row in nlargest(after + most, found, key=rank)[after:]:
        kept = row[-1] or stored.packed_coup(reading.log, row[0], row[1])
        yield stored.unpacked(kept), row[9]


def notable_rows(reading: FiguresRead, most: int) -> list[tuple[str, int]]:
    """The rows of tables that management must see, the newest first: stream and number."""
    found = {
        (stream, seq): at_ms
        for stream, own in reading.unkept.notable.items()
        for seq, at_ms in own.items()
    }
    if stored.are_kept(reading.log):
        kept = reading.log.beside(stored.NOTABLE, most)
        found |= {(stream, int(seq)): int(at_ms) for stream, seq, at_ms in kept}
    return nlargest(most, found, key=lambda row: (found[row], row))
