"""Figures that are kept held against the rows, and made again from them."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from puntobanco.errors import DamagedError
from puntobanco.house.figures import noted, stored
from puntobanco.house.figures.parts import Cell
from puntobanco.house.figures.projection import ALL, TableFigures
from puntobanco.house.figures.stored import ANEW, BROKEN, KeptFigures
from puntobanco.house.figures.sums import NOTHING, Sums
from puntobanco.house.stream import TABLE
from puntobanco.journal.erasable_tables import Values
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import REGISTER
from puntobanco.register.events import (
    GamingDaySet,
    RegisterEvent,
    RulesetKept,
    TimeZoneSet,
    WatchSet,
)
from puntobanco.register.evolve import evolve
from puntobanco.register.settings import Settings
from puntobanco.register.state import Register
from puntobanco.rules.documents.texts import remember

TAGS = (b'"gaming-day-set"', b'"time-zone-set"', b'"watch-set"', b'"ruleset-kept"')


def settings_in(log: EventLog) -> Settings:
    """The settings that figures depend on, from the register's rows; and the texts of rule sets,
    on which odds depend, are known from then on.
    """
    decode = msgspec.json.Decoder(list[RegisterEvent]).decode
    register = Register()
    for row in log.read(REGISTER):
        if any(tag in row.events for tag in TAGS):
            for event in decode(row.events):
                if isinstance(event, RulesetKept):
                    remember(event.text)
                if isinstance(event, GamingDaySet | TimeZoneSet | WatchSet):
                    register = evolve(register, event)
    return register.settings


class FiguresCheck:
    """Adds up a table's rows from the first, and holds the figures that are kept against them."""

    def __init__(self, log: EventLog, stream: str, settings: Settings) -> None:
        self._log = log
        self._unread = ""
        try:
            self._kept = stored.kept(log, stream) if stored.are_kept(log) else KeptFigures()
        except (DamagedError, *BROKEN):
            self._kept, self._unread = KeptFigures(), f"has figures that cannot be read; {ANEW}"
        self._anew = TableFigures(log, stream, lambda: settings, anew=True)
        self.seq = self._kept.at.seq
        """The row up to which figures are kept."""

    def take(self, row: Row, events: Iterable[Any]) -> None:
        if row.seq <= self.seq:
            self._anew.take(row.seq, row.at_ms, events)

    def wrong(self) -> str:
        """The first difference, in words; empty if the figures are those of the rows."""
        if self._unread:
            return self._unread
        self._anew.catch_up(self.seq - self._anew.seq)  # kept after the check began
        try:
            return next(self._differences(), "")
        except BROKEN:
            return f"has figures that cannot be read; {ANEW}"

    def _differences(self) -> Iterator[str]:
        kept, anew = self._kept, self._anew
        if not self.seq:  # none are kept yet, or only of an older form
            return
        if anew.seq != self.seq:
            yield f"has figures up to here, but there are rows only up to {anew.seq}; {ANEW}"
        for cell in sorted({*kept.cells, *anew.cells}):
            handle, held = kept.cells.get(cell, (0, NOTHING))
            wanted = anew.cells.get(cell, NOTHING)
            if (handle, held) != (wanted.handle_cents, wanted):
                yield _cell_differs(cell, handle, held, wanted)
        for number in sorted({*kept.coups, *anew.coups}):
            if _read(kept.coups.get(number)) != _read(anew.coups.get(number)):
                yield f"has other figures of coup {number} than its rows give; {ANEW}"
        for seq in sorted(kept.notable.keys() ^ anew.notable.keys()):
            yield f"has row {seq} wrongly among those that must be seen, or not; {ANEW}"
        games = (game for row in anew.coups.values() for game in stored.games_in(row))
        if kept.games != frozenset(games):
            yield f"has other games of its players than its rows give; {ANEW}"
        if kept.at != anew.at:
            yield f"stands otherwise in the figures than after this row; {ANEW}"


def _read(row: Values | None) -> Values | None:
    return (*row[:-1], stored.unpacked(row[-1])) if row else None


def _cell_differs(cell: Cell, handle: int, held: Sums, wanted: Sums) -> str:
    """Which figure it is, what is kept and what the rows give."""
    day, kind, name = cell
    where = f"has figures that its rows do not give: {day}, {kind} {name or '-'}"
    if handle != held.handle_cents:
        return f"{where}, handle_cents {handle} and {held.handle_cents}; {ANEW}"
    field = next(
        one for one in Sums.__struct_fields__ if getattr(held, one) != getattr(wanted, one)
    )
    now, true = getattr(held, field), getattr(wanted, field)
    return f"{where}, {field} {now} kept, {true} from the rows; {ANEW}"


def rebuild(log: EventLog) -> dict[str, int]:
    """Make the figures of every table anew from its rows; the rows read of each."""
    settings = settings_in(log)
    read: dict[str, int] = {}
    for stream in log.streams():
        if stream.startswith(TABLE):
            anew = TableFigures(log, stream, lambda: settings, anew=True)
            read[stream] = anew.catch_up(ALL)
            log.together(anew.statements())
    log.together([one for stream in noted.streams_in(log) for one in stored.drop(stream)])
    noted.keep(log, settings.watch, ALL)
    return read
